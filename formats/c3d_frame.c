// SPDX-License-Identifier: MIT
// Unit and axes of a C3D file: given, declared, or inferred.
//
// POINT:X_SCREEN and Y_SCREEN are the axes that a viewer would draw to the right and up: our x and
// y. What they declare is believed, but a body that stands otherwise is worth a warning.
#include "formats/c3d_internal.h"
#include "formats/infer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool has_samples(const ug_markers *m)
{
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t i = 0; i < m->marker_count; i++) {
            const bool is_place = m->kinds[i] == UG_POINT_MARKER ||
                                  m->kinds[i] == UG_POINT_UNLABELLED ||
                                  m->kinds[i] == UG_POINT_VIRTUAL;
            if (is_place && ug_markers_present(m, f, i)) {
                return true;
            }
        }
    }
    return false;
}

// The axes that the file declares; false when it does not, or not sensibly.
static bool declared_axes(ug_axes *axes, const ug_parameters *tree, ug_warnings *warnings)
{
    char right[8], up[8];
    c3d_text(right, sizeof right, tree, "POINT", "X_SCREEN");
    c3d_text(up, sizeof up, tree, "POINT", "Y_SCREEN");
    if (up[0] == '\0') {
        return false;
    }
    if (ug_axes_from_names(axes, up, right, NULL) == UG_OK) {
        return true;
    }
    ug_warn(warnings, "c3d_axes_unreadable",
            "POINT:X_SCREEN '%s' and POINT:Y_SCREEN '%s' are no two different axes; they are "
            "ignored",
            right, up);
    return false;
}

static bool declared_unit(ug_source *source, ug_warnings *warnings)
{
    char unit[16];
    c3d_text(unit, sizeof unit, &source->parameters, "POINT", "UNITS");
    const double metres = ug_unit_to_metres(unit);
    if (metres > 0.0) {
        (void)snprintf(source->unit, sizeof source->unit, "%s", unit);
        source->unit_m = metres;
        return true;
    }
    if (unit[0] != '\0') {
        ug_warn(warnings, "c3d_unit_unreadable", "POINT:UNITS '%s' is no length; it is ignored",
                unit);
    }
    return false;
}

static void set_unit(ug_source *source, const char *unit)
{
    (void)snprintf(source->unit, sizeof source->unit, "%s", unit);
    source->unit_m = ug_unit_to_metres(unit);
    source->unit_inferred = true;
}

// Declared up against where heads and feet are.
static void check_declared_up(const ug_source *source, const ug_markers *markers,
                              ug_warnings *warnings)
{
    ug_inferred_frame seen;
    if (ug_infer_from_markers(&seen, markers, true, false, NULL) != UG_OK) {
        return;
    }
    const char declared[3] = { source->axes.sign[1] < 0 ? '-' : '+',
                               (char)('X' + source->axes.from[1]), '\0' };
    if (strcmp(declared, seen.up) != 0) {
        ug_warn(warnings, "c3d_axes_doubtful",
                "POINT:Y_SCREEN says %s is up, but the body stands along %s; if so, give --up %s",
                declared, seen.up, seen.up);
    }
}

static ug_status infer(ug_source *source, const ug_markers *markers, bool need_up, bool need_unit,
                       ug_warnings *warnings, ug_error *err)
{
    ug_inferred_frame seen;
    const ug_status status = ug_infer_from_markers(&seen, markers, need_up, need_unit, err);
    if (status != UG_OK) {
        return status;
    }
    if (need_unit) {
        set_unit(source, seen.unit);
        ug_warn(warnings, "unit_inferred",
                "the file declares no unit; by the size of the body it is %s", seen.unit);
    }
    if (need_up) {
        source->axes_inferred = true;
        ug_warn(warnings, "axes_inferred", "the file declares no vertical; by the body %s is up",
                seen.up);
        return ug_axes_from_names(&source->axes, seen.up, NULL, err);
    }
    return UG_OK;
}

ug_status c3d_frame_read(ug_source *source, const ug_markers *markers, const ug_read_opts *opts,
                         ug_warnings *warnings, ug_error *err)
{
    const char *unit = opts ? opts->unit : NULL;
    const char *up = opts ? opts->up : NULL;
    const ug_parameters *tree = &source->parameters;
    const bool can_infer = has_samples(markers);
    bool need_unit = false, need_up = false;
    if (unit) {
        if (!(ug_unit_to_metres(unit) > 0.0)) {
            return ug_fail(err, UG_E_USAGE, "'%s' is not a unit; write mm, cm, m, in or ft", unit);
        }
        set_unit(source, unit);
    } else if (!declared_unit(source, warnings)) {
        need_unit = can_infer;
        set_unit(source, "mm"); // nothing to measure: the format's custom
    }
    if (up) {
        const ug_status status = ug_axes_from_names(&source->axes, up, NULL, err);
        if (status != UG_OK) {
            return status;
        }
        source->axes_inferred = true;
    } else if (!declared_axes(&source->axes, tree, warnings)) {
        need_up = can_infer;
        source->axes = UG_AXES_IDENTITY;
        source->axes_inferred = true;
    } else if (can_infer) {
        check_declared_up(source, markers, warnings);
    }
    return need_unit || need_up ? infer(source, markers, need_up, need_unit, warnings, err) : UG_OK;
}
