// SPDX-License-Identifier: MIT
#include "solvers/calibrate_frames.h"

#include "motion/median.h"
#include "solvers/ik_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAKE_MIN = 6, COVER = 3 };

size_t ug_frames_spread(size_t *out, size_t count, const ug_samples *samples, const size_t *usable,
                        size_t usable_count, size_t take_count)
{
    size_t written = 0;
    for (size_t take = 0, begin = 0; take < take_count; take++) {
        size_t end = begin;
        while (end < usable_count && samples->take[usable[end]] == take) {
            end++;
        }
        const size_t have = end - begin;
        size_t want = usable_count > 0 ? count * have / usable_count : 0;
        want = want < TAKE_MIN ? TAKE_MIN : want;
        want = want < have ? want : have;
        for (size_t i = 0; i < want; i++) {
            // the middle of each of `want` equal parts
            out[written++] = usable[begin + (2 * i + 1) * have / (2 * want)];
        }
        begin = end;
    }
    return written;
}

void ug_frames_drop_worst(bool *keep, double *scratch, const double *cost, size_t count,
                          double share)
{
    if (count == 0) {
        return;
    }
    memcpy(scratch, cost, count * sizeof *scratch);
    ug_sort_ascending(scratch, count);
    const size_t wanted = count - (size_t)(share * (double)count);
    const double limit = scratch[wanted - 1];
    size_t equal = wanted; // how many of those that cost just `limit` may stay
    for (size_t t = 0; t < count; t++) {
        equal -= cost[t] < limit;
    }
    for (size_t t = 0; t < count; t++) {
        const bool tied = cost[t] == limit && equal > 0;
        keep[t] = cost[t] < limit || tied;
        equal -= tied;
    }
}

// Markers of every kept frame as the root sees them. (count x marker_count)
static void place_all(ug_vec3 *places, const ug_ik_model *model, const double *poses,
                      const bool *keep, size_t count, void *memory)
{
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, memory);
    for (size_t t = 0; t < count; t++) {
        if (keep[t]) {
            ug_ik_forward(&frame, model, poses + t * model->pose_size);
            for (size_t m = 0; m < model->marker_count; m++) {
                places[t * model->marker_count + m] = ug_quat_unrotate(
                    frame.world_q[0], ug_vec3_sub(frame.marker_m[m], frame.world_m[0]));
            }
        }
    }
}

static double difference(const ug_ik_model *model, const ug_vec3 *a, const ug_vec3 *b)
{
    double sum = 0.0;
    for (size_t m = 0; m < model->marker_count; m++) {
        if (model->markers[m].weight > 0.0) {
            const ug_vec3 d = ug_vec3_sub(a[m], b[m]);
            sum += ug_vec3_dot(d, d);
        }
    }
    return sum;
}

// Mark up to `wanted` frames in `taken`. nearest: (count) squared distance to the chosen ones.
static void sample(bool *taken, double *nearest, size_t wanted, const ug_ik_model *model,
                   const ug_vec3 *places, const double *cost, const bool *keep, size_t count)
{
    size_t next = count;
    for (size_t t = 0; t < count; t++) {
        taken[t] = false;
        nearest[t] = INFINITY;
        if (keep[t] && (next == count || cost[t] < cost[next])) {
            next = t;
        }
    }
    for (size_t i = 0; i < wanted && next < count; i++) {
        taken[next] = true;
        const ug_vec3 *from = places + next * model->marker_count;
        size_t farthest = count;
        for (size_t t = 0; t < count; t++) {
            if (!keep[t] || taken[t]) {
                continue;
            }
            nearest[t] =
                fmin(nearest[t], difference(model, from, places + t * model->marker_count));
            if (farthest == count || nearest[t] > nearest[farthest]) {
                farthest = t;
            }
        }
        next = farthest;
    }
}

static void cover(bool *taken, const ug_ik_model *model, const double *weight, const bool *keep,
                  size_t count)
{
    const size_t n = model->marker_count;
    for (size_t m = 0; m < n; m++) {
        size_t shown = 0;
        for (size_t t = 0; t < count; t++) {
            shown += taken[t] && weight[t * n + m] > 0.0;
        }
        for (size_t t = 0; t < count && shown < COVER; t++) {
            if (keep[t] && !taken[t] && weight[t * n + m] > 0.0) {
                taken[t] = true;
                shown++;
            }
        }
    }
}

ug_status ug_frames_farthest(size_t *chosen, size_t *chosen_count, size_t wanted,
                             const ug_ik_model *model, const double *poses, const double *weight,
                             const double *cost, const bool *keep, size_t count, ug_error *err)
{
    ug_vec3 *places = malloc((count * model->marker_count + 1) * sizeof *places);
    double *nearest = malloc((count + 1) * sizeof *nearest);
    bool *taken = malloc((count + 1) * sizeof *taken);
    void *memory = malloc(ug_ik_frame_bytes(model));
    ug_status status = UG_OK;
    *chosen_count = 0;
    if (places && nearest && taken && memory) {
        place_all(places, model, poses, keep, count, memory);
        sample(taken, nearest, wanted, model, places, cost, keep, count);
        cover(taken, model, weight, keep, count);
        for (size_t t = 0; t < count; t++) {
            if (taken[t]) {
                chosen[(*chosen_count)++] = t;
            }
        }
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(places);
    free(nearest);
    free(taken);
    free(memory);
    return status;
}
