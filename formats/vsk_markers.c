// SPDX-License-Identifier: MIT
#include "formats/vsk_internal.h"

#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MARKERS_MAX = 4096 };

static const double MARKER_SIGMA_M = 0.020;

static ug_status read_marker_sigma(vsk_reader *r, ug_vec3 *sigma_m, const vsk_node *node,
                                   const char *what)
{
    double v[VSK_NUMBERS_MAX];
    size_t count;
    *sigma_m = (ug_vec3){ MARKER_SIGMA_M, MARKER_SIGMA_M, MARKER_SIGMA_M };
    const ug_status status = vsk_numbers(r, v, &count, node, "COVARIANCE", what);
    if (status != UG_OK || count != 9 || !(v[0] > 0) || !(v[4] > 0) || !(v[8] > 0) ||
        (v[0] == 1.0 && v[4] == 1.0 && v[8] == 1.0)) {
        return status;
    }
    *sigma_m = (ug_vec3){ VSK_MM * sqrt(v[0]), VSK_MM * sqrt(v[4]), VSK_MM * sqrt(v[8]) };
    return UG_OK;
}

static ug_status attach(vsk_reader *r, const vsk_node *node, const char *label, const char *segment)
{
    char what[96];
    (void)snprintf(what, sizeof what, "marker '%.64s'", label);
    if (ug_attachments_find(&r->take->attachments, label) >= 0) {
        ug_warn(r->warnings, "vsk_marker_doubled", "line %ld: %s has a place already",
                xmlGetLineNo(node), what);
        return UG_OK;
    }
    ug_attachment a = {
        .label = (char *)label, .segment = (char *)segment, .weight = 1.0, .calibrated = true
    };
    a.joint = ug_skeleton_find(r->skeleton, segment);
    if (a.joint < 0) {
        return vsk_refuse(r, node, "%s sits on segment '%.64s', which is not there", what, segment);
    }
    if (r->take->attachments.count == MARKERS_MAX) {
        return vsk_refuse(r, node, "more than %d markers", MARKERS_MAX);
    }
    ug_vec3 place = { 0, 0, 0 };
    ug_status status = vsk_vector(r, &place, node, "POSITION", what);
    status = status == UG_OK ? read_marker_sigma(r, &a.sigma_m, node, what) : status;
    a.local_m = ug_vec3_madd(r->shift_m[a.joint], VSK_MM, place);
    return status == UG_OK ? ug_attachments_add(&r->take->attachments, &a, r->err) : status;
}

// <Marker NAME SEGMENT POSITION>, or <TargetLocalPointToWorldPoint MARKER SEGMENT POSITION>,
// wherever they stand.
ug_status vsk_read_markers(vsk_reader *r, const vsk_node *parent)
{
    ug_status status = UG_OK;
    for (const vsk_node *node = parent->children; node && status == UG_OK; node = node->next) {
        const bool target = vsk_is_element(node, "TargetLocalPointToWorldPoint");
        if (node->type != XML_ELEMENT_NODE) {
            continue;
        }
        if (!target && !vsk_is_element(node, "Marker")) {
            status = vsk_read_markers(r, node);
            continue;
        }
        char *label = vsk_attribute(node, target ? "MARKER" : "NAME");
        char *segment = vsk_attribute(node, "SEGMENT");
        if (!label || label[0] == '\0') {
            status = vsk_refuse(r, node, "a marker without a name");
        } else if (segment && xmlHasProp(node, (const xmlChar *)"POSITION")) {
            status = attach(r, node, label, segment);
        }
        free(label);
        free(segment);
    }
    return status;
}

void vsk_warn_unattached(vsk_reader *r, const vsk_node *parent)
{
    for (const vsk_node *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) {
            continue;
        }
        char *label = vsk_is_element(node, "Marker") ? vsk_attribute(node, "NAME") : NULL;
        if (label && ug_attachments_find(&r->take->attachments, label) < 0) {
            ug_warn(r->warnings, "vsk_marker_unattached", "line %ld: marker '%s' is on no segment",
                    xmlGetLineNo(node), label);
        }
        free(label);
        vsk_warn_unattached(r, node);
    }
}
