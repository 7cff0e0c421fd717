// SPDX-License-Identifier: MIT
#include "solvers/markers_check.h"

#include <math.h>

ug_status ug_markers_check(const ug_markers *markers, ug_error *err)
{
    if (!ug_rate_is_valid(markers->rate)) {
        return ug_fail(err, UG_E_DATA, "the frame rate of the markers is not known");
    }
    if (!(markers->scale_m > 0.0 && isfinite(markers->scale_m))) {
        return ug_fail(err, UG_E_DATA, "the unit of the markers is %g metres; must be above 0",
                       markers->scale_m);
    }
    for (size_t f = 0; f < markers->frame_count; f++) {
        for (size_t m = 0; m < markers->marker_count; m++) {
            const float *p = markers->positions + 3 * ug_markers_index(markers, f, m);
            if (markers->kinds[m] == UG_POINT_MARKER && ug_markers_present(markers, f, m) &&
                !(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]))) {
                return ug_fail(err, UG_E_DATA,
                               "marker '%s' is present but not finite at frame %zu; clear it first",
                               ug_markers_name(markers, m).text, f);
            }
        }
    }
    return UG_OK;
}
