// SPDX-License-Identifier: MIT
#include "formats/infer.h"
#include "formats/vsk.h"
#include "formats/vsk_internal.h"

#include <assert.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS_MAX = 4096, BYTES_MAX = 64 << 20 };

static void mark_end_sites(vsk_reader *r)
{
    ug_skeleton *s = r->skeleton;
    for (size_t j = 0; j < s->joint_count; j++) {
        bool used = s->joints[j].type != UG_JOINT_FIXED || s->joints[j].parent < 0;
        for (size_t c = j + 1; c < s->joint_count; c++) {
            used = used || s->joints[c].parent == (int)j;
        }
        for (size_t m = 0; m < r->take->attachments.count; m++) {
            used = used || r->take->attachments.items[m].joint == (int)j;
        }
        s->joints[j].flags |= used ? 0u : UG_JOINT_END_SITE;
    }
}

static ug_status settle_up(vsk_reader *r, const ug_read_opts *opts)
{
    ug_source *source = &r->take->source;
    ug_skeleton *s = r->skeleton;
    ug_inferred_frame found = { 0 };
    const char *up = opts ? opts->up : NULL;
    strcpy(source->format, "vsk");
    strcpy(source->unit, "mm");
    source->unit_m = VSK_MM;
    source->axes_inferred = true;
    source->axes_stated = up != NULL;
    if (!up) {
        ug_clip *rest =
            ug_clip_create(1, s->joint_count, (const int[]){ 0 }, 1, ug_rate_make(1, 1));
        if (!rest) {
            return ug_fail(r->err, UG_E_NOMEM, "out of memory");
        }
        for (size_t j = 0; j < s->joint_count; j++) {
            rest->rotations[j] = s->joints[j].rest;
        }
        rest->translations[0] = s->joints[0].offset_m;
        const ug_status status = ug_infer_from_motion(&found, s, rest, true, false, r->err);
        ug_clip_destroy(rest);
        if (status != UG_OK) {
            return status;
        }
        up = found.up;
        ug_warn(r->warnings, "up_inferred",
                "vsk files do not say which axis is up: taken as %s, "
                "by the rest pose",
                up);
    }
    const ug_status status = ug_axes_from_names(&source->axes, up, NULL, r->err);
    for (size_t j = 0; status == UG_OK && j < s->joint_count; j++) {
        if (s->joints[j].parent < 0) {
            s->joints[j].offset_m = ug_axes_import(source->axes, s->joints[j].offset_m);
            s->joints[j].rest = ug_quat_mul(ug_axes_to_quat(source->axes), s->joints[j].rest);
        }
    }
    return status;
}

static ug_status read_model(vsk_reader *r, const vsk_node *root, const ug_read_opts *opts)
{
    if (!root || !vsk_is_element(root, "KinematicModel")) {
        return ug_fail(r->err, UG_E_FORMAT, "the root element is not KinematicModel: not a VSK");
    }
    const vsk_node *skeleton = NULL;
    ug_status status = UG_OK;
    for (const vsk_node *node = root->children; node && status == UG_OK; node = node->next) {
        if (vsk_is_element(node, "Parameters")) {
            status = vsk_read_parameters(r, node);
        }
        skeleton = vsk_is_element(node, "Skeleton") ? node : skeleton;
    }
    if (status != UG_OK) {
        return status;
    }
    const size_t count = skeleton ? vsk_count_segments(skeleton) : 0;
    if (count == 0 || count > JOINTS_MAX) {
        return ug_fail(r->err, UG_E_FORMAT,
                       "a VSK has 1 to %d segments in <Skeleton>, here are %zu", JOINTS_MAX, count);
    }
    r->skeleton = r->take->skeleton = ug_skeleton_create(count);
    r->shift_m = calloc(count, sizeof *r->shift_m);
    if (!r->skeleton || !r->shift_m) {
        return ug_fail(r->err, UG_E_NOMEM, "out of memory");
    }
    r->skeleton->joint_count = 0;
    status = vsk_read_segments(r, skeleton, -1);
    assert(status != UG_OK || r->skeleton->joint_count == count);
    status = status == UG_OK ? vsk_read_markers(r, root) : status;
    if (status == UG_OK) {
        vsk_warn_unattached(r, root);
        mark_end_sites(r);
        status = settle_up(r, opts);
    }
    return status == UG_OK ? ug_skeleton_check(r->skeleton, r->err) : status;
}

// A VSK has no DTD; without one there are no entities to expand or to fetch.
static void refuse_dtd(void *context, const xmlChar *name, const xmlChar *id, const xmlChar *uri)
{
    (void)name;
    (void)id;
    (void)uri;
    xmlParserCtxt *parser = context;
    *(bool *)parser->_private = true;
    xmlStopParser(parser);
}

// libxml2 prints some errors, of encodings, past every option; a library of ours prints nothing.
static void keep_quiet(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

static ug_status parse_xml(vsk_reader *r, const ug_bytes *bytes, const ug_read_opts *opts)
{
    if (bytes->size > BYTES_MAX) {
        return ug_fail(r->err, UG_E_FORMAT, "too large for a VSK");
    }
    ug_status status = UG_OK;
    xmlParserCtxt *context = xmlNewParserCtxt();
    if (!context) {
        return ug_fail(r->err, UG_E_NOMEM, "out of memory");
    }
    bool has_dtd = false;
    context->_private = &has_dtd;
    context->sax->internalSubset = refuse_dtd;
    const xmlStructuredErrorFunc handler = xmlStructuredError;
    void *const handler_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, keep_quiet);
    xmlDoc *doc =
        xmlCtxtReadMemory(context, (const char *)bytes->data, (int)bytes->size, NULL, NULL,
                          XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlSetStructuredErrorFunc(handler_context, handler);
    if (!doc || has_dtd) {
        const xmlError *why = xmlCtxtGetLastError(context);
        char words[200] = "a DTD stands in it; a VSK has none";
        if (why && why->message && !has_dtd) {
            (void)snprintf(words, sizeof words, "%.180s", why->message);
            words[strcspn(words, "\r\n")] = '\0';
        }
        ug_error_where(r->err, "%s:%d", r->path, why && why->line > 0 ? why->line : 1);
        status = ug_fail(r->err, UG_E_FORMAT, "not readable as XML: %s", words);
    } else {
        status = read_model(r, xmlDocGetRootElement(doc), opts);
    }
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    return status;
}

ug_status ug_vsk_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                       const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take && bytes && !take->skeleton && take->attachments.count == 0);
    vsk_reader r = { .take = take, .path = name, .warnings = warnings, .err = err };
    const ug_status status = parse_xml(&r, bytes, opts);
    ug_vsk_parameters_fini(&r.parameters);
    free(r.shift_m);
    if (status != UG_OK) {
        ug_take_fini(take);
        ug_error_where(err, "%s", name);
    }
    return status;
}

ug_status ug_vsk_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    ug_bytes bytes = { 0 };
    ug_status status = ug_bytes_read(&bytes, path, err);
    if (status == UG_OK) {
        status = ug_vsk_parse(take, &bytes, path, opts, warnings, err);
    }
    ug_bytes_fini(&bytes);
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    static const char WORD[] = "<KinematicModel";
    return memmem(head, size, WORD, sizeof WORD - 1) != NULL;
}

const ug_format ug_format_vsk = {
    .name = "vsk",
    .extensions = ".vsk .vst",
    .summary = "VSK, Vicon subject: skeleton and markers",
    .matches = matches,
    .read = ug_vsk_read,
};
