// SPDX-License-Identifier: MIT
// Brings counts, analog and frame of reference of a copied parameter tree up to what the take says
// now. Everything is asked the way the reader would ask it; only where the answer would be wrong is
// it rewritten.
#include "formats/c3d_update.h"
#include "formats/c3d_edit.h"

#include "motion/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const double first = (double)l->first_frame;
    const bool is_long = l->frame_count > C3D_COUNT_MAX;
    // the header cannot say how many there are when the last one's number does not fit
    const bool must_say = is_new || first + count - 1 > C3D_COUNT_MAX;
    const ug_parameter *frames = ug_parameters_find(tree, "POINT", "FRAMES");
    ug_status status = UG_OK;
    if (frames || must_say) {
        const bool has_room = !is_long || (frames && frames->type == UG_PARAMETER_FLOAT);
        status = c3d_set_number(tree, "POINT", "FRAMES", UG_PARAMETER_INT16,
                                has_room ? count : C3D_COUNT_MAX, err);
    }
    if (status == UG_OK && (is_long || ug_parameters_find(tree, "POINT", "LONG_FRAMES"))) {
        status = c3d_set_number(tree, "POINT", "LONG_FRAMES", UG_PARAMETER_FLOAT, count, err);
    }
    const bool has_trial = ug_parameters_find(tree, "TRIAL", "ACTUAL_START_FIELD") != NULL;
    if (status != UG_OK || first < 0 || l->frame_count == 0 || !(must_say || has_trial)) {
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
    if (given && !c3d_same_texts(labels, given, n)) {
        status = c3d_set_texts(tree, "ANALOG", "LABELS", given, n, warnings, err);
    }
    if (given && status == UG_OK && !c3d_same_texts(units, given + n, n)) {
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
