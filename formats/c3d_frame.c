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

// Declared up against where heads and feet are. The markers are in our axes already.
static void check_declared_up(const ug_source *source, const ug_markers *markers,
                              ug_warnings *warnings)
{
    ug_inferred_frame seen;
    if (ug_infer_from_markers(&seen, markers, true, false, NULL) != UG_OK ||
        strcmp(seen.up, "+Y") == 0) {
        return;
    }
    const ug_axes a = source->axes;
    const int ours = seen.up[1] - 'X';
    const int sign = seen.up[0] == '-' ? -a.sign[ours] : a.sign[ours];
    const char up[3] = { sign < 0 ? '-' : '+', (char)('X' + a.from[ours]), '\0' };
    ug_warn(warnings, "c3d_axes_doubtful",
            "POINT:Y_SCREEN says %c%c is up, but the body stands along %s; if so, give --up %s",
            a.sign[1] < 0 ? '-' : '+', 'X' + a.from[1], up, up);
}

ug_status c3d_frame_declared(ug_source *source, bool *need_unit, bool *need_up,
                             const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    const char *unit = opts ? opts->unit : NULL;
    const char *up = opts ? opts->up : NULL;
    *need_unit = *need_up = false;
    if (unit) {
        if (!(ug_unit_to_metres(unit) > 0.0)) {
            return ug_fail(err, UG_E_USAGE, "'%s' is not a unit; write mm, cm, m, in or ft", unit);
        }
        set_unit(source, unit);
        source->unit_stated = true;
    } else if (!declared_unit(source, warnings)) {
        *need_unit = true;
        set_unit(source, "mm"); // the format's custom, when there is nothing to measure
    }
    if (up) {
        source->axes_inferred = source->axes_stated = true;
        return ug_axes_from_names(&source->axes, up, NULL, err);
    }
    if (!declared_axes(&source->axes, &source->parameters, warnings)) {
        *need_up = true;
        source->axes = UG_AXES_IDENTITY;
        source->axes_inferred = true;
    }
    return UG_OK;
}

ug_status c3d_frame_inferred(ug_source *source, ug_markers *markers, bool need_unit, bool need_up,
                             ug_warnings *warnings, ug_error *err)
{
    if (!need_up && !source->axes_inferred) {
        check_declared_up(source, markers, warnings);
    }
    if (!(need_unit || need_up) || !has_samples(markers)) {
        return UG_OK;
    }
    ug_inferred_frame seen;
    ug_status status = ug_infer_from_markers(&seen, markers, need_up, need_unit, err);
    if (status == UG_OK && need_unit) {
        set_unit(source, seen.unit);
        ug_warn(warnings, "unit_inferred",
                "the file declares no unit; by the size of the body it is %s", seen.unit);
    }
    if (status == UG_OK && need_up) {
        ug_warn(warnings, "axes_inferred", "the file declares no vertical; by the body %s is up",
                seen.up);
        status = ug_axes_from_names(&source->axes, seen.up, NULL, err);
        ug_axes_import_f32(source->axes, markers->positions,
                           markers->frame_count * markers->marker_count);
    }
    return status;
}
