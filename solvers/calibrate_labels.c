// SPDX-License-Identifier: MIT
#include "solvers/calibrate_labels.h"

#include "solvers/calibrate_body.h"
#include "solvers/ik_pose.h"
#include "solvers/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Neighbours: far enough to outlive the loss of a whole foot, near enough to bound.
enum { BONES_MAX = 3 };

typedef struct reach {
    size_t a, b;
    double limit_m;
} reach;

static size_t list_reaches(reach *list, const ug_samples *samples, const ug_skeleton *skeleton,
                           const ug_attachments *attachments, bool bones_known)
{
    size_t count = 0;
    const double factor = bones_known ? 1.05 : 1.3, slack_m = bones_known ? 0.05 : 0.15;
    for (size_t a = 0; a < samples->marker_count; a++) {
        for (size_t b = a + 1; b < samples->marker_count; b++) {
            const double most = ug_body_reach_m(skeleton, &attachments->items[a],
                                                &attachments->items[b], BONES_MAX);
            if (isfinite(most) && samples->seen[a] && samples->seen[b]) {
                list[count++] = (reach){ a, b, factor * most + slack_m };
            }
        }
    }
    return count;
}

// Vote of one row: how many neighbours each marker has there, and how many are out of reach.
static void vote(unsigned *near, unsigned *far, const ug_samples *s, size_t row, const reach *list,
                 size_t count)
{
    const double *w = s->weight + row * s->marker_count;
    const double *y = s->measured_m + 3 * row * s->marker_count;
    memset(near, 0, s->marker_count * sizeof *near);
    memset(far, 0, s->marker_count * sizeof *far);
    for (size_t i = 0; i < count; i++) {
        const reach *r = &list[i];
        if (w[r->a] > 0.0 && w[r->b] > 0.0) {
            const bool out =
                ug_vec3_distance(ug_vec3_of(y + 3 * r->a), ug_vec3_of(y + 3 * r->b)) > r->limit_m;
            unsigned *side = out ? far : near;
            side[r->a]++;
            side[r->b]++;
        }
    }
}

ug_status ug_labels_drop_strays(ug_samples *s, const ug_skeleton *skeleton,
                                const ug_attachments *attachments, bool bones_known, ug_error *err)
{
    const size_t n = s->marker_count;
    reach *list = malloc((n * n / 2 + 1) * sizeof *list);
    unsigned *near = calloc(2 * n + 1, sizeof *near), *far = near ? near + n : NULL;
    ug_status status = UG_OK;
    if (list && near) {
        const size_t count = list_reaches(list, s, skeleton, attachments, bones_known);
        for (size_t t = 0; t < s->frame_count; t++) {
            vote(near, far, s, t, list, count);
            for (size_t m = 0; m < n; m++) {
                if (far[m] > near[m] && far[m] >= 2) {
                    s->weight[t * n + m] = UG_SAMPLE_STRAY;
                }
            }
        }
        ug_samples_count(s);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(list);
    free(near);
    return status;
}

// Median place of every marker as seen from its solved segment; NAN where never seen.
//
// values: (3 marker_count x count), filled: (marker_count)
static void seen_places(ug_vec3 *places, double *values, size_t *filled, const ug_ik_model *model,
                        const double *poses, const ug_bundle_frames *frames, void *memory)
{
    const size_t n = model->marker_count, count = frames->count;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, memory);
    memset(filled, 0, n * sizeof *filled);
    for (size_t t = 0; t < count; t++) {
        ug_ik_forward(&frame, model, poses + t * model->pose_size);
        for (size_t m = 0; m < n; m++) {
            const size_t i = t * n + m;
            if (frames->weight[i] > 0.0) {
                const int j = model->markers[m].joint;
                const ug_vec3 y = ug_vec3_of(frames->measured_m + 3 * i);
                const ug_vec3 p =
                    ug_quat_unrotate(frame.world_q[j], ug_vec3_sub(y, frame.world_m[j]));
                double *to = values + 3 * m * count + filled[m]++;
                to[0] = p.x;
                to[count] = p.y;
                to[2 * count] = p.z;
            }
        }
    }
    for (size_t m = 0; m < n; m++) {
        double *v = values + 3 * m * count;
        places[m] = (ug_vec3){ ug_median(v, filled[m]), ug_median(v + count, filled[m]),
                               ug_median(v + 2 * count, filled[m]) };
    }
}

// Squared distance in σ from the place that `as` should have.
static double misfit(const ug_ik_model *model, const ug_vec3 *sigma_m, ug_vec3 place, size_t as)
{
    const ug_vec3 d = ug_vec3_sub(place, model->markers[as].local_m), s = sigma_m[as];
    return d.x * d.x / (s.x * s.x) + d.y * d.y / (s.y * s.y) + d.z * d.z / (s.z * s.z);
}

// How much better the pair fits the other way round, in squared σ; 0 when it does not, clearly.
static double exchange_gain(const ug_ik_model *model, const ug_vec3 *sigma_m, const ug_vec3 *places,
                            size_t a, size_t b)
{
    static const double apart_m = 0.04, misfit_min = 12.0, share = 0.25;
    const ug_ik_marker *x = &model->markers[a], *y = &model->markers[b];
    if (x->joint != y->joint || !ug_vec3_is_finite(places[a]) || !ug_vec3_is_finite(places[b]) ||
        ug_vec3_distance(x->local_m, y->local_m) < apart_m) {
        return 0.0;
    }
    const double own = misfit(model, sigma_m, places[a], a) + misfit(model, sigma_m, places[b], b);
    const double swapped =
        misfit(model, sigma_m, places[a], b) + misfit(model, sigma_m, places[b], a);
    return own > misfit_min && swapped < share * own ? own - swapped : 0.0;
}

static size_t pair_up(int *partner, const ug_ik_model *model, const ug_vec3 *sigma_m,
                      const ug_vec3 *places)
{
    const size_t n = model->marker_count;
    size_t pairs = 0;
    for (size_t m = 0; m < n; m++) {
        partner[m] = -1;
    }
    for (;;) {
        double best = 0.0;
        size_t x = 0, y = 0;
        for (size_t a = 0; a < n; a++) {
            for (size_t b = a + 1; b < n; b++) {
                const double gain = partner[a] < 0 && partner[b] < 0
                                        ? exchange_gain(model, sigma_m, places, a, b)
                                        : 0.0;
                if (gain > best) {
                    best = gain;
                    x = a;
                    y = b;
                }
            }
        }
        if (best == 0.0) {
            return pairs;
        }
        partner[x] = (int)y;
        partner[y] = (int)x;
        pairs++;
    }
}

ug_status ug_labels_find_exchanged(int *partner, size_t *pairs, const ug_ik_model *model,
                                   const ug_vec3 *sigma_m, const double *poses,
                                   const ug_bundle_frames *frames, ug_error *err)
{
    const size_t n = model->marker_count;
    ug_vec3 *places = malloc((n + 1) * sizeof *places);
    double *values = malloc((3 * n * frames->count + 1) * sizeof *values);
    size_t *filled = malloc((n + 1) * sizeof *filled);
    void *memory = malloc(ug_ik_frame_bytes(model));
    ug_status status = UG_OK;
    if (places && values && filled && memory) {
        seen_places(places, values, filled, model, poses, frames, memory);
        *pairs = pair_up(partner, model, sigma_m, places);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(places);
    free(values);
    free(filled);
    free(memory);
    return status;
}
