// SPDX-License-Identifier: MIT
// The markers of a take on a contact sheet: what each sample is, and which lie far from the rest.
#include "motion/markers.h"
#include "pipeline/report/sheet_actor_parts.h"

#include <stdlib.h>

static const double STRAY = 2.5; // times the distance within which nine of ten markers are

void ug_sheet_pose_widen(ug_sheet_pose *pose, ug_vec3 p, double r)
{
    if (pose->empty) {
        pose->low_m = pose->high_m = p;
        pose->empty = false;
    }
    pose->low_m = (ug_vec3){ fmin(pose->low_m.x, p.x - r), fmin(pose->low_m.y, p.y - r),
                             fmin(pose->low_m.z, p.z - r) };
    pose->high_m = (ug_vec3){ fmax(pose->high_m.x, p.x + r), fmax(pose->high_m.y, p.y + r),
                              fmax(pose->high_m.z, p.z + r) };
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A ghost in the far corner must not shrink the body: mark what is far from the rest.
static ug_status mark_strays(ug_sheet_pose *pose, ug_error *err)
{
    const size_t n = pose->dot_count;
    double *value = malloc((n + 1) * sizeof *value);
    if (!value) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    double centre[3];
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < n; i++) {
            const ug_vec3 p = pose->dots[i].at_m;
            value[i] = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
        }
        qsort(value, n, sizeof *value, ascending);
        centre[axis] = value[n / 2];
    }
    const ug_vec3 middle = ug_vec3_of(centre);
    for (size_t i = 0; i < n; i++) {
        value[i] = ug_vec3_distance(pose->dots[i].at_m, middle);
    }
    qsort(value, n, sizeof *value, ascending);
    const double limit = STRAY * value[(9 * (n - 1)) / 10];
    bool named = false;
    for (size_t i = 0; i < n; i++) {
        named = named || pose->dots[i].rank != UG_SHEET_UNLABELLED;
    }
    for (size_t i = 0; i < n; i++) {
        const bool far = n > 4 && ug_vec3_distance(pose->dots[i].at_m, middle) > limit;
        pose->dots[i].stray = far || (named && pose->dots[i].rank == UG_SHEET_UNLABELLED);
    }
    free(value);
    return UG_OK;
}

const char *ug_sheet_rank_name(ug_sheet_rank rank)
{
    static const char *const NAMES[UG_SHEET_RANK_COUNT] = {
        "measured", "filled", "repaired", "filtered", "computed", "edited", "unlabelled",
    };
    return NAMES[rank];
}

ug_sheet_rank ug_sheet_rank_of(uint16_t origin, uint8_t kind)
{
    return kind == UG_POINT_UNLABELLED                               ? UG_SHEET_UNLABELLED
           : origin & UG_ORIGIN_EDITED                               ? UG_SHEET_EDITED
           : origin & UG_ORIGIN_FILLED                               ? UG_SHEET_FILLED
           : origin & UG_ORIGIN_REPAIRED                             ? UG_SHEET_REPAIRED
           : kind == UG_POINT_VIRTUAL || origin & UG_ORIGIN_COMPUTED ? UG_SHEET_COMPUTED
           : origin & UG_ORIGIN_FILTERED                             ? UG_SHEET_FILTERED
                                                                     : UG_SHEET_MEASURED;
}

static bool is_point(uint8_t kind)
{
    return kind == UG_POINT_MARKER || kind == UG_POINT_UNLABELLED || kind == UG_POINT_VIRTUAL;
}

ug_status ug_sheet_pose_markers(ug_sheet_actor *actor, ug_error *err)
{
    const ug_markers *m = actor->in.take->markers;
    const double hz = ug_rate_is_valid(m->rate) ? ug_rate_hz(m->rate) : 1.0;
    for (size_t k = 0; k < actor->pose_count; k++) {
        ug_sheet_pose *pose = &actor->poses[k];
        const double frame =
            floor((double)pose->frame / ug_sheet_actor_hz(actor) * hz + 0.5 + 1e-9);
        if (pose->frame < 0 || frame >= (double)m->frame_count) {
            continue;
        }
        pose->dots = malloc((m->marker_count + 1) * sizeof *pose->dots);
        if (!pose->dots) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        for (size_t i = 0; i < m->marker_count; i++) {
            const ug_vec3 p = ug_markers_position_m(m, (size_t)frame, i);
            if (is_point(m->kinds[i]) && ug_markers_present(m, (size_t)frame, i) &&
                ug_vec3_is_finite(p)) {
                pose->dots[pose->dot_count++] = (ug_sheet_dot){
                    p,
                    ug_sheet_rank_of(m->origin[ug_markers_index(m, (size_t)frame, i)], m->kinds[i]),
                    false
                };
            }
        }
        if (pose->dot_count == 0) {
            continue;
        }
        const ug_status status = mark_strays(pose, err);
        if (status != UG_OK) {
            return status;
        }
        // with a figure, the figure is what the picture is about
        for (size_t i = 0; i < pose->dot_count && !pose->spheres; i++) {
            if (!pose->dots[i].stray) {
                ug_sheet_pose_widen(pose, pose->dots[i].at_m, 0.0);
            }
        }
    }
    return UG_OK;
}
