// SPDX-License-Identifier: MIT
#include "solvers/calibrate_labels.h"

#include "motion/median.h"
#include "solvers/calibrate_body.h"
#include "solvers/ik_pose.h"

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

// Of two markers too far apart one is wrong: the one that most others bear witness against, two at
// least. `count` when there is none.
static size_t guilty(const unsigned *near, const unsigned *far, size_t count)
{
    size_t worst = count;
    for (size_t m = 0; m < count; m++) {
        if (far[m] >= 2 && (worst == count || far[m] > far[worst] ||
                            (far[m] == far[worst] && near[m] < near[worst]))) {
            worst = m;
        }
    }
    return worst;
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
            for (size_t m = guilty(near, far, n); m < n; m = guilty(near, far, n)) {
                s->weight[t * n + m] = UG_SAMPLE_STRAY;
                vote(near, far, s, t, list, count);
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

// What the suspicion of exchanged labels works in.
typedef struct sight {
    bool *turned;    // (joint_count) the joint stays far from rest: its own turn may hide a swap
    ug_vec3 *places; // (marker_count) median place as seen from the segment; NAN where never seen
    double *values;  // (max(3 marker_count, joint_count) x count)
    size_t *filled;  // (marker_count)
    double *angles;  // (dof_count)
    void *memory;    // of a frame
} sight;

// Two markers that wear each other's label turn a ball joint by half a turn, and all is well but
// for the joint: more than this in half of the frames is no posture.
static const double TURNED_RAD = 100.0 * UG_DEG;

static void find_turned(sight *s, const ug_ik_model *model, const double *poses, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        ug_ik_angles(s->angles, model, poses + t * model->pose_size);
        for (size_t j = 0; j < model->joint_count; j++) {
            const double *a = s->angles + model->joints[j].dof;
            s->values[j * count + t] = model->joints[j].type == UG_JOINT_BALL
                                           ? ug_vec3_norm((ug_vec3){ a[0], a[1], a[2] })
                                           : 0.0;
        }
    }
    for (size_t j = 0; j < model->joint_count; j++) {
        s->turned[j] = ug_median(s->values + j * count, count) > TURNED_RAD;
    }
}

static void see_places(sight *s, const ug_ik_model *model, const double *poses,
                       const ug_bundle_frames *frames)
{
    const size_t n = model->marker_count, count = frames->count;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, s->memory);
    memset(s->filled, 0, n * sizeof *s->filled);
    for (size_t t = 0; t < count; t++) {
        ug_ik_forward(&frame, model, poses + t * model->pose_size);
        for (size_t m = 0; m < n; m++) {
            const size_t i = t * n + m;
            if (frames->weight[i] > 0.0) {
                const int j = model->markers[m].joint, parent = model->joints[j].parent;
                // as if a turned joint were at rest
                const ug_quat q = s->turned[j] && parent >= 0
                                      ? ug_quat_mul(frame.world_q[parent], model->joints[j].rest)
                                      : frame.world_q[j];
                const ug_vec3 y = ug_vec3_of(frames->measured_m + 3 * i);
                const ug_vec3 p = ug_quat_unrotate(q, ug_vec3_sub(y, frame.world_m[j]));
                double *to = s->values + 3 * m * count + s->filled[m]++;
                to[0] = p.x;
                to[count] = p.y;
                to[2 * count] = p.z;
            }
        }
    }
    for (size_t m = 0; m < n; m++) {
        double *v = s->values + 3 * m * count;
        s->places[m] = (ug_vec3){ ug_median(v, s->filled[m]), ug_median(v + count, s->filled[m]),
                                  ug_median(v + 2 * count, s->filled[m]) };
    }
}

// Squared distance in σ from the place that `as` should have.
static double misfit(const ug_ik_model *model, const ug_vec3 *sigma_m, ug_vec3 place, size_t as)
{
    const ug_vec3 d = ug_vec3_sub(place, model->markers[as].local_m), s = sigma_m[as];
    return d.x * d.x / (s.x * s.x) + d.y * d.y / (s.y * s.y) + d.z * d.z / (s.z * s.z);
}

// How much better the pair fits the other way round, in squared σ; 0 when it does not, clearly. A
// turned segment is seen from a frame that is only near the true one.
static double exchange_gain(const sight *s, const ug_ik_model *model, const ug_vec3 *sigma_m,
                            size_t a, size_t b)
{
    static const double apart_m = 0.04, misfit_min = 12.0;
    const ug_ik_marker *x = &model->markers[a], *y = &model->markers[b];
    if (x->joint != y->joint || !ug_vec3_is_finite(s->places[a]) ||
        !ug_vec3_is_finite(s->places[b]) || ug_vec3_distance(x->local_m, y->local_m) < apart_m) {
        return 0.0;
    }
    const double share = s->turned[x->joint] ? 0.5 : 0.25;
    const double own =
        misfit(model, sigma_m, s->places[a], a) + misfit(model, sigma_m, s->places[b], b);
    const double swapped =
        misfit(model, sigma_m, s->places[a], b) + misfit(model, sigma_m, s->places[b], a);
    return own > misfit_min && swapped < share * own ? own - swapped : 0.0;
}

static size_t pair_up(int *partner, const sight *s, const ug_ik_model *model,
                      const ug_vec3 *sigma_m)
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
                const double gain =
                    partner[a] < 0 && partner[b] < 0 ? exchange_gain(s, model, sigma_m, a, b) : 0.0;
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
    const size_t n = model->marker_count, joints = model->joint_count;
    const size_t rows = joints > 3 * n ? joints : 3 * n;
    sight s = { .turned = calloc(joints + 1, sizeof *s.turned),
                .places = calloc(n + 1, sizeof *s.places),
                .values = calloc(rows * frames->count + 1, sizeof *s.values),
                .filled = calloc(n + 1, sizeof *s.filled),
                .angles = calloc(model->dof_count + 1, sizeof *s.angles),
                .memory = malloc(ug_ik_frame_bytes(model)) };
    ug_status status = UG_OK;
    if (s.turned && s.places && s.values && s.filled && s.angles && s.memory) {
        find_turned(&s, model, poses, frames->count);
        see_places(&s, model, poses, frames);
        *pairs = pair_up(partner, &s, model, sigma_m);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(s.turned);
    free(s.places);
    free(s.values);
    free(s.filled);
    free(s.angles);
    free(s.memory);
    return status;
}
