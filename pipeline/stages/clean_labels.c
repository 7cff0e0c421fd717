// SPDX-License-Identifier: MIT
#include "pipeline/stages/clean_labels.h"

#include "motion/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ug_edit *add(ug_edits *edits, ug_edit_kind kind, const char *option, const char *text)
{
    ug_edit *more = realloc(edits->items, (edits->count + 1) * sizeof *more);
    if (!more) {
        return NULL;
    }
    edits->items = more;
    ug_edit *e = &more[edits->count++];
    *e = (ug_edit){ .kind = kind, .said = ug_text_format("%s '%s'", option, text) };
    return e->said ? e : NULL;
}

static ug_status no_memory(ug_error *err)
{
    return ug_fail(err, UG_E_NOMEM, "out of memory for the labels of a take");
}

// --- subject ---

static bool is_of(const ug_markers *m, size_t marker, const char *subject)
{
    return m->subjects[marker] && strcmp(m->subjects[marker], subject) == 0;
}

static ug_status no_subject(const ug_markers *m, const char *subject, ug_error *err)
{
    char list[160] = "";
    for (size_t i = 0; i < m->marker_count; i++) {
        bool first = m->subjects[i] && *m->subjects[i];
        for (size_t k = 0; k < i && first; k++) {
            first = !is_of(m, k, m->subjects[i]);
        }
        if (first && strlen(list) + strlen(m->subjects[i]) + 3 < sizeof list) {
            (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                           *list ? ", " : "", m->subjects[i]);
        }
    }
    return *list ? ug_fail(err, UG_E_DATA, "no subject '%s'; there are: %s", subject, list)
                 : ug_fail(err, UG_E_DATA, "no subject '%s': the labels have no subject", subject);
}

static ug_status drop_others(ug_edits *edits, const ug_markers *m, const char *subject,
                             ug_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->marker_count; i++) {
        kept += is_of(m, i, subject);
    }
    if (kept == 0) {
        return no_subject(m, subject, err);
    }
    for (size_t i = 0; i < m->marker_count; i++) {
        if (is_of(m, i, subject) || m->kinds[i] == UG_POINT_UNLABELLED) {
            continue;
        }
        ug_edit *e = add(edits, UG_EDIT_DROP, "subject", subject);
        const char *of = m->subjects[i] ? m->subjects[i] : "";
        if (e) {
            e->labels[0] =
                ug_text_format("%s%s%s", of, *of ? ":" : "", m->labels[i] ? m->labels[i] : "");
        }
        if (!e || !e->labels[0]) {
            return no_memory(err);
        }
    }
    return UG_OK;
}

// --- A=B, and A=B@first-last ---

static bool read_frame(long *out, const char **text)
{
    char *end = NULL;
    if (**text < '0' || **text > '9') {
        return false;
    }
    errno = 0;
    *out = strtol(*text, &end, 10);
    *text = end;
    return errno == 0 && *out < LONG_MAX;
}

static bool read_frames(ug_edit *e, const char *text)
{
    return read_frame(&e->first, &text) && *text++ == '-' && read_frame(&e->last, &text) &&
           *text == '\0' && e->first <= e->last;
}

static ug_status add_pair(ug_edits *edits, ug_edit_kind kind, const char *option, const char *text,
                          const char *form, ug_error *err)
{
    ug_edit *e = add(edits, kind, option, text);
    if (!e) {
        return no_memory(err);
    }
    const char *equals = strchr(text, '='), *at = strrchr(text, '@');
    const char *end = kind == UG_EDIT_SPLIT && at ? at : text + strlen(text);
    bool good = equals && equals > text && end > equals + 1 && !strchr(equals + 1, '=');
    e->whole_take = kind == UG_EDIT_MERGE;
    if (kind == UG_EDIT_SPLIT) {
        good = good && at && read_frames(e, at + 1);
    }
    if (!good) {
        return ug_fail(err, UG_E_USAGE, "%s '%s' must be %s", option, text, form);
    }
    e->labels[0] = ug_text_copy_n(text, (size_t)(equals - text));
    e->labels[1] = ug_text_copy_n(equals + 1, (size_t)(end - equals - 1));
    return e->labels[0] && e->labels[1] ? UG_OK : no_memory(err);
}

static ug_status add_drop(ug_edits *edits, const char *text, ug_error *err)
{
    ug_edit *e = add(edits, UG_EDIT_DROP, "drop", text);
    if (e) {
        e->labels[0] = ug_text_copy(text);
    }
    return e && e->labels[0] ? UG_OK : no_memory(err);
}

ug_status ug_clean_label_edits(ug_edits *edits, const ug_markers *markers,
                               const ug_option_values *options, ug_error *err)
{
    static const struct {
        const char *option;
        ug_edit_kind kind;
        const char *form;
    } LISTS[] = {
        { "drop", UG_EDIT_DROP, "a label" },
        { "split", UG_EDIT_SPLIT, "LABEL=NEW@FIRST-LAST, frames from 0" },
        { "merge", UG_EDIT_MERGE, "LABEL=OTHER: the second goes into the first" },
        { "rename", UG_EDIT_RENAME, "OLD=NEW" },
    };
    *edits = (ug_edits){ 0 };
    const char *subject = ug_option_text(options, "subject");
    ug_status status = subject ? drop_others(edits, markers, subject, err) : UG_OK;
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
        size_t count = 0;
        char *const *texts = ug_option_list(options, LISTS[i].option, &count);
        for (size_t k = 0; k < count && status == UG_OK; k++) {
            status = LISTS[i].kind == UG_EDIT_DROP ? add_drop(edits, texts[k], err)
                                                   : add_pair(edits, LISTS[i].kind, LISTS[i].option,
                                                              texts[k], LISTS[i].form, err);
        }
    }
    if (status != UG_OK) {
        ug_edits_fini(edits);
    }
    return status;
}
