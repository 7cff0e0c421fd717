// SPDX-License-Identifier: MIT
#include "solvers/gap.h"

#include <stdlib.h>

static size_t list_marker(ug_gap *gaps, const ug_markers *markers, size_t marker)
{
    size_t count = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        if (ug_markers_present(markers, f, marker)) {
            continue;
        }
        const size_t first = f;
        while (f < markers->frame_count && !ug_markers_present(markers, f, marker)) {
            f++;
        }
        if (gaps) {
            gaps[count] = (ug_gap){ marker, first, f - 1, first > 0, f < markers->frame_count };
        }
        count++;
    }
    return count;
}

ug_status ug_gaps_list(ug_gap **gaps, size_t *count, const ug_markers *markers, ug_error *err)
{
    *gaps = NULL;
    *count = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        *count += markers->kinds[m] == UG_POINT_MARKER ? list_marker(NULL, markers, m) : 0;
    }
    if (*count == 0) {
        return UG_OK;
    }
    *gaps = calloc(*count, sizeof **gaps);
    if (!*gaps) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for a list of %zu gaps", *count);
    }
    size_t done = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        done += markers->kinds[m] == UG_POINT_MARKER ? list_marker(*gaps + done, markers, m) : 0;
    }
    return UG_OK;
}
