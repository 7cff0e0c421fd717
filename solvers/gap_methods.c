// SPDX-License-Identifier: MIT
#include "solvers/gap_methods.h"

#include "solvers/gap_check.h"
#include "solvers/gap_spline.h"

#include <assert.h>
#include <string.h>

bool ug_gap_method_from_name(ug_fill_method *method, const char *name)
{
    static const struct {
        const char *name;
        ug_fill_method method;
    } NAMES[] = { { "cubic", UG_FILL_CUBIC },
                  { "spline", UG_FILL_CUBIC },
                  { "rigid", UG_FILL_RIGID } };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(name, NAMES[i].name) == 0) {
            *method = NAMES[i].method;
            return true;
        }
    }
    return false;
}

static bool spline(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap, const void *model)
{
    (void)model;
    return ug_gap_spline_fill(out_m, markers, gap);
}

static bool rigid(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap, const void *model)
{
    return ug_gap_rigid_fill(out_m, markers, gap, model);
}

// Of several clusters the one that does best in the check; the first when none can be checked.
static bool choose_cluster(ug_rigid_cluster *best, double *error_mm, ug_gap_scratch *scratch,
                           const ug_markers *markers, const ug_gap *gap)
{
    static const double DISTANCE_COSTS[] = { 0.03, 0.2 };
    static const double GOOD_ENOUGH_MM = 1.0; // about what cameras see anyway
    enum { SIZE_MAX_TRIED = 6, COSTS = sizeof DISTANCE_COSTS / sizeof *DISTANCE_COSTS };
    const size_t count = ug_rigid_neighbours(scratch->neighbours, markers, gap);
    bool found = false;
    for (size_t k = 0; k < COSTS; k++) {
        for (size_t size = UG_CLUSTER_MIN; size <= SIZE_MAX_TRIED; size++) {
            ug_rigid_cluster cluster;
            if (!ug_rigid_cluster_choose(&cluster, scratch->neighbours, count, size,
                                         DISTANCE_COSTS[k], markers, gap)) {
                break;
            }
            const double mm =
                ug_gap_predict_error_mm(scratch->out_m, markers, gap, rigid, &cluster);
            if (!found || mm < *error_mm) {
                *best = cluster;
                *error_mm = mm;
                found = true;
            }
            if (*error_mm < GOOD_ENOUGH_MM) {
                return true;
            }
        }
    }
    return found;
}

bool ug_gap_method_fill(ug_gap_scratch *scratch, double *error_mm, const ug_markers *markers,
                        const ug_gap *gap, ug_fill_method method)
{
    ug_rigid_cluster cluster;
    switch (method) {
    case UG_FILL_CUBIC:
        *error_mm = ug_gap_predict_error_mm(scratch->out_m, markers, gap, spline, NULL);
        return spline(scratch->out_m, markers, gap, NULL);
    case UG_FILL_RIGID:
        return choose_cluster(&cluster, error_mm, scratch, markers, gap) &&
               rigid(scratch->out_m, markers, gap, &cluster);
    default:
        assert(!"no such filler");
        return false;
    }
}
