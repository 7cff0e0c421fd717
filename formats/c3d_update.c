// SPDX-License-Identifier: MIT
// Brings a copy of the source's parameter tree up to what the take says now. Everything is asked
// the way the reader would ask it; only where the answer would be wrong is it rewritten.
#include "formats/c3d_update.h"
#include "formats/c3d_edit.h"

#include "motion/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_list(char *const *a, char *const *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_text(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

// --- points ---

// What the reader would make of the tree.
typedef struct naming {
    size_t count;
    char **labels, **subjects;
    uint8_t *kinds;
} naming;

static void naming_fini(naming *n)
{
    ug_text_list_destroy(n->labels, n->count);
    ug_text_list_destroy(n->subjects, n->count);
    free(n->kinds);
}

static ug_status naming_read(naming *n, size_t count, const ug_parameters *tree, ug_error *err)
{
    const size_t some = count > 0 ? count : 1;
    *n = (naming){ .count = count };
    n->labels = ug_text_list_create(some);
    n->subjects = ug_text_list_create(some);
    n->kinds = calloc(some, sizeof *n->kinds);
    if (!n->labels || !n->subjects || !n->kinds) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return c3d_labels_read(n->labels, n->subjects, n->kinds, count, tree, NULL, err);
}

// "subject:label"; fresh memory.
static char *full_label(const ug_markers *m, size_t i)
{
    const char *subject = m->subjects[i] ? m->subjects[i] : "";
    const char *label = m->labels[i] ? m->labels[i] : "";
    return subject[0] != '\0' ? ug_text_format("%s:%s", subject, label) : ug_text_copy(label);
}

// Descriptions follow their labels to the new places.
static ug_status move_descriptions(ug_parameters *tree, const ug_markers *m, const naming *old,
                                   ug_warnings *warnings, ug_error *err)
{
    c3d_texts texts = { 0 };
    c3d_names index = { 0 };
    ug_status status = c3d_texts_read(&texts, tree, "POINT", "DESCRIPTIONS", err);
    char **moved = calloc(m->marker_count + 1, sizeof *moved);
    if (status == UG_OK && texts.count > 0) {
        if (!moved || !c3d_names_init(&index, old->count)) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            goto done;
        }
        bool is_new;
        for (size_t i = 0; i < old->count; i++) {
            c3d_names_put(&index, old->labels[i], (uint32_t)i, &is_new);
        }
        for (size_t i = 0; i < m->marker_count; i++) {
            const uint32_t *at = c3d_names_find(&index, m->labels[i] ? m->labels[i] : "");
            moved[i] = at && *at < texts.count ? texts.items[*at] : (char *)"";
        }
        status =
            c3d_set_texts(tree, "POINT", "DESCRIPTIONS", moved, m->marker_count, warnings, err);
    }
done:
    free(moved);
    c3d_names_fini(&index);
    c3d_texts_fini(&texts);
    return status;
}

static ug_status update_labels(ug_parameters *tree, const ug_markers *m, size_t old_count,
                               ug_warnings *warnings, ug_error *err)
{
    naming now = { 0 }, old = { 0 };
    const size_t n = m->marker_count;
    char **full = ug_text_list_create(n + 1);
    ug_status status =
        full ? naming_read(&now, n, tree, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status != UG_OK ||
        (same_list(now.labels, m->labels, n) && same_list(now.subjects, m->subjects, n))) {
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        if (!(full[i] = full_label(m, i))) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            goto done;
        }
    }
    if ((status = naming_read(&old, old_count, tree, err)) == UG_OK &&
        (status = move_descriptions(tree, m, &old, warnings, err)) == UG_OK) {
        status = c3d_set_texts(tree, "POINT", "LABELS", full, n, warnings, err);
    }
done:
    naming_fini(&now);
    naming_fini(&old);
    ug_text_list_destroy(full, n + 1);
    return status;
}

static const struct {
    uint8_t kind;
    const char *list, *type;
} LISTS[] = { { UG_POINT_ANGLE, "ANGLES", "ANGLE" },
              { UG_POINT_FORCE, "FORCES", "FORCE" },
              { UG_POINT_MOMENT, "MOMENTS", "MOMENT" },
              { UG_POINT_POWER, "POWERS", "POWER" },
              { UG_POINT_SCALAR, "SCALARS", "SCALAR" },
              { UG_POINT_VIRTUAL, "MODELED_MARKERS", "MODELED_MARKER" } };

// Append `extra` to a list of texts that may not exist yet.
static ug_status extend_list(ug_parameters *tree, const char *name, char *const *extra,
                             size_t count, ug_warnings *warnings, ug_error *err)
{
    c3d_texts texts;
    ug_status status = c3d_texts_read(&texts, tree, "POINT", name, err);
    if (status != UG_OK) {
        return status;
    }
    char **all = calloc(texts.count + count + 1, sizeof *all);
    if (all) {
        for (size_t i = 0; i < texts.count; i++) {
            all[i] = texts.items[i];
        }
        memcpy(all + texts.count, extra, count * sizeof *all);
        status = c3d_set_texts(tree, "POINT", name, all, texts.count + count, warnings, err);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(all);
    c3d_texts_fini(&texts);
    return status;
}

// TYPE_GROUPS is a table of pairs, (width x 2 x n).
static ug_status extend_type_groups(ug_parameters *tree, const char *list, const char *type,
                                    ug_error *err)
{
    char *const pair[2] = { (char *)list, (char *)type };
    ug_status status = extend_list(tree, "TYPE_GROUPS", pair, 2, NULL, err);
    ug_parameter *p = ug_parameters_find(tree, "POINT", "TYPE_GROUPS");
    if (status == UG_OK && p && p->dimension_count == 2) {
        p->dimensions[2] = p->dimensions[1] / 2;
        p->dimensions[1] = 2;
        p->dimension_count = 3;
    }
    return status;
}

static ug_status update_kinds(ug_parameters *tree, const ug_markers *m, ug_warnings *warnings,
                              ug_error *err)
{
    naming now = { 0 };
    char **extra = calloc(m->marker_count + 1, sizeof *extra);
    ug_status status = extra ? naming_read(&now, m->marker_count, tree, err)
                             : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (size_t l = 0; status == UG_OK && l < sizeof LISTS / sizeof LISTS[0]; l++) {
        size_t count = 0;
        for (size_t i = 0; i < m->marker_count; i++) {
            if (m->kinds[i] == LISTS[l].kind && now.kinds[i] != m->kinds[i]) {
                extra[count++] = m->labels[i];
            }
        }
        if (count == 0) {
            continue;
        }
        const bool is_new = !ug_parameters_find(tree, "POINT", LISTS[l].list);
        status = extend_list(tree, LISTS[l].list, extra, count, warnings, err);
        if (status == UG_OK && is_new) {
            status = extend_type_groups(tree, LISTS[l].list, LISTS[l].type, err);
        }
    }
    free(extra);
    naming_fini(&now);
    return status;
}

ug_status c3d_update_points(ug_parameters *tree, const ug_markers *m, size_t old_count,
                            ug_warnings *warnings, ug_error *err)
{
    ug_status status = update_labels(tree, m, old_count, warnings, err);
    return status == UG_OK ? update_kinds(tree, m, warnings, err) : status;
}

// --- counts ---

static ug_status update_trial(ug_parameters *tree, const char *name, double value, ug_error *err)
{
    const double low = c3d_number(tree, "TRIAL", name, 0, true, NULL);
    const double high = c3d_number(tree, "TRIAL", name, 1, true, NULL);
    if (low + 65536.0 * (isnan(high) ? 0.0 : high) == value) {
        return UG_OK;
    }
    const double words[2] = { fmod(value, 65536.0), floor(value / 65536.0) };
    return c3d_set_numbers(tree, "TRIAL", name, UG_PARAMETER_INT16, words, 1, 2, err);
}

static ug_status update_frames(ug_parameters *tree, const c3d_layout *l, bool is_new, ug_error *err)
{
    const double count = (double)l->frame_count;
    const bool is_long = l->frame_count > C3D_COUNT_MAX;
    const ug_parameter *frames = ug_parameters_find(tree, "POINT", "FRAMES");
    ug_status status = UG_OK;
    if (frames || is_new) {
        const bool has_room = !is_long || (frames && frames->type == UG_PARAMETER_FLOAT);
        status = c3d_set_number(tree, "POINT", "FRAMES", UG_PARAMETER_INT16,
                                has_room ? count : C3D_COUNT_MAX, err);
    }
    if (status == UG_OK && (is_long || ug_parameters_find(tree, "POINT", "LONG_FRAMES"))) {
        status = c3d_set_number(tree, "POINT", "LONG_FRAMES", UG_PARAMETER_FLOAT, count, err);
    }
    const double first = (double)l->first_frame;
    const bool has_trial = ug_parameters_find(tree, "TRIAL", "ACTUAL_START_FIELD") != NULL;
    if (status != UG_OK || first < 0 || l->frame_count == 0 ||
        !(is_long || is_new || has_trial || first > C3D_COUNT_MAX)) {
        return status;
    }
    status = update_trial(tree, "ACTUAL_START_FIELD", first, err);
    return status == UG_OK ? update_trial(tree, "ACTUAL_END_FIELD", first + count - 1, err)
                           : status;
}

typedef ug_status setter(ug_parameters *tree, const char *group, const char *name,
                         ug_parameter_type type, double value, ug_error *err);

ug_status c3d_update_counts(ug_parameters *tree, const c3d_layout *l, bool is_new, ug_error *err)
{
    setter *set = is_new ? c3d_set_number : c3d_update_number;
    const double scale = l->is_integer ? l->scale : -l->scale;
    ug_status status = set(tree, "POINT", "USED", UG_PARAMETER_INT16, (double)l->point_count, err);
    if (status == UG_OK) {
        status = update_frames(tree, l, is_new, err);
    }
    if (status == UG_OK) {
        status = set(tree, "POINT", "SCALE", UG_PARAMETER_FLOAT, scale, err);
    }
    if (status == UG_OK &&
        !ug_rate_equal(c3d_rate(c3d_number(tree, "POINT", "RATE", 0, false, NULL)), l->rate)) {
        status = set(tree, "POINT", "RATE", UG_PARAMETER_FLOAT, ug_rate_hz(l->rate), err);
    }
    if (status == UG_OK) {
        status = set(tree, "POINT", "DATA_START", UG_PARAMETER_INT16, 0, err);
    }
    return status;
}

// --- analog ---

static ug_status update_list(ug_parameters *tree, const char *name, ug_parameter_type type,
                             const double *values, const double *now, size_t count, ug_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i] != now[i] && (float)values[i] != (float)now[i]) {
            return c3d_set_numbers(tree, "ANALOG", name, type, values, 1, count, err);
        }
    }
    return UG_OK;
}

static ug_status update_scales(ug_parameters *tree, const ug_analog *a, bool is_unsigned,
                               ug_error *err)
{
    const size_t n = a->channel_count;
    double *now = malloc(2 * n * sizeof *now);
    if (!now) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    c3d_analog_scales_read(now, now + n, n, tree, is_unsigned);
    ug_status status = update_list(tree, "SCALE", UG_PARAMETER_FLOAT, a->scale, now, n, err);
    if (status == UG_OK) {
        status = update_list(tree, "OFFSET", UG_PARAMETER_INT16, a->offset, now + n, n, err);
    }
    free(now);
    return status;
}

static ug_status update_names(ug_parameters *tree, const ug_analog *a, ug_warnings *warnings,
                              ug_error *err)
{
    const size_t n = a->channel_count;
    char **labels = ug_text_list_create(n), **units = ug_text_list_create(n);
    ug_status status = labels && units ? c3d_analog_names_read(labels, units, n, tree, NULL, err)
                                       : ug_fail(err, UG_E_NOMEM, "out of memory");
    // texts may be NULL in a take that no reader made
    const char *const none = "";
    char **given = status == UG_OK ? calloc(2 * n, sizeof *given) : NULL;
    if (status == UG_OK && !given) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t c = 0; given && c < n; c++) {
        given[c] = a->labels[c] ? a->labels[c] : (char *)none;
        given[n + c] = a->units[c] ? a->units[c] : (char *)none;
    }
    if (given && !same_list(labels, given, n)) {
        status = c3d_set_texts(tree, "ANALOG", "LABELS", given, n, warnings, err);
    }
    if (given && status == UG_OK && !same_list(units, given + n, n)) {
        status = c3d_set_texts(tree, "ANALOG", "UNITS", given + n, n, warnings, err);
    }
    free(given);
    ug_text_list_destroy(labels, n);
    ug_text_list_destroy(units, n);
    return status;
}

ug_status c3d_update_analog(ug_parameters *tree, const ug_analog *a, const c3d_layout *l,
                            bool is_new, bool rate_changed, ug_warnings *warnings, ug_error *err)
{
    const size_t channels = a ? a->channel_count : 0;
    setter *set = is_new ? c3d_set_number : c3d_update_number;
    ug_status status = set(tree, "ANALOG", "USED", UG_PARAMETER_INT16, (double)channels, err);
    if (status != UG_OK || channels == 0) {
        return status;
    }
    if (is_new || rate_changed) {
        status = c3d_set_number(tree, "ANALOG", "RATE", UG_PARAMETER_FLOAT,
                                ug_rate_hz(l->rate) * (double)l->samples_per_frame, err);
    }
    const double gen_scale = c3d_number(tree, "ANALOG", "GEN_SCALE", 0, false, NULL);
    if (status == UG_OK && (isnan(gen_scale) ? is_new || a->gen_scale != 1.0
                                             : (float)gen_scale != (float)a->gen_scale)) {
        status = c3d_set_number(tree, "ANALOG", "GEN_SCALE", UG_PARAMETER_FLOAT, a->gen_scale, err);
    }
    if (status == UG_OK) {
        status = update_scales(tree, a, l->analog_is_unsigned, err);
    }
    return status == UG_OK ? update_names(tree, a, warnings, err) : status;
}

// --- unit and axes ---

static void axis_name(char out[3], ug_axes axes, int i)
{
    out[0] = axes.sign[i] < 0 ? '-' : '+';
    out[1] = (char)('X' + axes.from[i]);
    out[2] = '\0';
}

ug_status c3d_update_frame(ug_parameters *tree, const char *unit, double unit_m, ug_axes axes,
                           bool declare_unit, bool declare_axes, ug_error *err)
{
    char now[16], right[8], up[8], x[3], y[3];
    c3d_text(now, sizeof now, tree, "POINT", "UNITS");
    c3d_text(right, sizeof right, tree, "POINT", "X_SCREEN");
    c3d_text(up, sizeof up, tree, "POINT", "Y_SCREEN");
    ug_status status = UG_OK;
    if ((now[0] != '\0' || declare_unit) && ug_unit_to_metres(now) != unit_m) {
        status = c3d_set_text(tree, "POINT", "UNITS", unit, err);
    }
    ug_axes said;
    const bool is_said = up[0] != '\0' && ug_axes_from_names(&said, up, right, NULL) == UG_OK &&
                         memcmp(&said, &axes, sizeof said) == 0;
    if (status != UG_OK || is_said || !(up[0] != '\0' || declare_axes)) {
        return status;
    }
    axis_name(x, axes, 0);
    axis_name(y, axes, 1);
    status = c3d_set_text(tree, "POINT", "X_SCREEN", x, err);
    return status == UG_OK ? c3d_set_text(tree, "POINT", "Y_SCREEN", y, err) : status;
}
