// SPDX-License-Identifier: MIT
// Names of points and analog channels: subject prefixes, lists beyond 255, names that are missing
// or doubled.
#include "formats/c3d_internal.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

// "Subject:LABEL" -> both parts, at the last colon; a colon at either end is part of the label.
static bool split(char **label, char **subject, const char *text)
{
    const char *colon = strrchr(text, ':');
    const bool has_subject = colon && colon > text && colon[1] != '\0';
    *subject = has_subject ? ug_text_copy_n(text, (size_t)(colon - text)) : ug_text_copy("");
    *label = ug_text_copy(has_subject ? colon + 1 : text);
    return *subject && *label;
}

static size_t filled_count(const c3d_texts *texts)
{
    size_t count = texts->count;
    while (count > 0 && texts->items[count - 1][0] == '\0') {
        count--;
    }
    return count;
}

static void warn_counts(const c3d_texts *texts, size_t count, size_t missing, const char *list,
                        const char *what, ug_warnings *warnings)
{
    ug_warn_times(warnings, missing, "c3d_labels_missing",
                  "%s names only some of %zu %ss: %zu got a made-up name", list, count, what,
                  missing);
    const size_t filled = filled_count(texts);
    if (filled > count) {
        ug_warn(warnings, "c3d_labels_surplus",
                "%s has %zu names for %zu %ss; the rest is kept in the parameters only", list,
                filled, count, what);
    }
}

ug_status c3d_labels_read(char **labels, char **subjects, uint8_t *kinds, size_t count,
                          const ug_parameters *tree, ug_warnings *warnings, ug_error *err)
{
    c3d_texts texts;
    ug_status status = c3d_texts_read(&texts, tree, "POINT", "LABELS", err);
    if (status != UG_OK) {
        return status;
    }
    size_t missing = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const bool is_named = i < texts.count && texts.items[i][0] != '\0';
        kinds[i] = UG_POINT_MARKER;
        if (is_named) {
            ok = split(&labels[i], &subjects[i], texts.items[i]);
            kinds[i] = ok && labels[i][0] == '*' ? UG_POINT_UNLABELLED : UG_POINT_MARKER;
        } else {
            labels[i] = ug_text_format("point_%zu", i + 1);
            subjects[i] = ug_text_copy("");
            ok = labels[i] && subjects[i];
            missing++;
        }
    }
    warn_counts(&texts, count, missing, "POINT:LABELS", "point", warnings);
    c3d_texts_fini(&texts);
    // kinds go by the names that the lists know, before any is made unique
    if (ok && (status = c3d_kinds_read(kinds, labels, subjects, count, tree, err)) != UG_OK) {
        return status;
    }
    const size_t renamed = ok ? c3d_names_make_unique(labels, subjects, count) : SIZE_MAX;
    if (renamed == SIZE_MAX) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_warn_times(warnings, renamed, "c3d_labels_doubled",
                  "POINT:LABELS has names that occur twice: %zu points got a number (\"RKNE_2\")",
                  renamed);
    return UG_OK;
}

ug_status c3d_analog_names_read(char **labels, char **units, size_t count,
                                const ug_parameters *tree, ug_warnings *warnings, ug_error *err)
{
    c3d_texts names = { 0 }, unit_texts = { 0 };
    ug_status status = c3d_texts_read(&names, tree, "ANALOG", "LABELS", err);
    if (status == UG_OK) {
        status = c3d_texts_read(&unit_texts, tree, "ANALOG", "UNITS", err);
    }
    size_t missing = 0;
    bool ok = status == UG_OK;
    for (size_t i = 0; ok && i < count; i++) {
        const bool is_named = i < names.count && names.items[i][0] != '\0';
        labels[i] = is_named ? ug_text_copy(names.items[i]) : ug_text_format("analog_%zu", i + 1);
        units[i] = ug_text_copy(i < unit_texts.count ? unit_texts.items[i] : "");
        missing += !is_named;
        ok = labels[i] && units[i];
    }
    if (status == UG_OK && (!ok || c3d_names_make_unique(labels, NULL, count) == SIZE_MAX)) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        warn_counts(&names, count, missing, "ANALOG:LABELS", "analog channel", warnings);
    }
    c3d_texts_fini(&names);
    c3d_texts_fini(&unit_texts);
    return status;
}
