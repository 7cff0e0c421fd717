// SPDX-License-Identifier: MIT
#include "solvers/foot_plant.h"

#include "motion/kinematics.h"
#include "solvers/contacts_detect.h"
#include "solvers/foot_path.h"
#include "solvers/lowpass.h"
#include "solvers/two_bone.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HUMAN_LEG_M = 0.85;
static const double SMOOTH_ABOVE_HZ = 30.0;
static const double LIFT_S = 0.06; // half width of the lift out of the floor
static const double FADE_S = 0.06; // no correction this near to a planted frame
static const double DROP_S = 0.15; // half width of the pelvis drop
static const double REST_M_S = 0.05;
static const ug_vec3 UP = { 0, 1, 0 };
static const ug_vec3 ZERO = { 0, 0, 0 };

enum { HEEL = 0, BALL = 1 };

// one leg over time; arrays of frame_count
typedef struct leg {
    const ug_foot_model *foot;
    int thigh, shin, ankle;
    double length_m;
    ug_vec3 hinge;                 // in the thigh's frame
    ug_vec3 *hip, *knee, *ankle_m; // as they come in
    ug_quat *foot_q;
    ug_vec3 *point[2]; // heel, ball: as they come in, lifted
    ug_vec3 *d[2];     // their displacements
    uint8_t *planted[2];
    double *anchor; // 1: the ball holds the foot, 0: the heel
    ug_vec3 *goal;  // of the ankle
    ug_quat *turn;  // of the foot, in the world
} leg;

typedef struct job {
    ug_clip *clip;
    ug_contacts *contacts;
    const ug_skeleton *skeleton;
    const ug_foot_plant_opts *opts;
    size_t count;
    double rate_hz;
    leg legs[2];
    double *drop, *work[3];
    ug_quat *q;
    ug_vec3 *m;
    void *block; // of all the arrays
} job;

ug_foot_plant_opts ug_foot_plant_default_opts(double leg_m)
{
    const double scale = leg_m / HUMAN_LEG_M;
    return (ug_foot_plant_opts){ .cutoff_hz = 10.0,
                                 .ease_s = 0.15,
                                 .reach = 0.99,
                                 .max_shift_m = 0.06 * scale,
                                 .max_lift_m = 0.06 * scale,
                                 .max_drop_m = 0.10 * scale,
                                 .soft_m = 0.002 * scale };
}

// ---- what comes in -----------------------------------------------------------------------------

static void *take(char **at, size_t bytes)
{
    void *here = *at;
    *at += (bytes + 15) / 16 * 16;
    return here;
}

static ug_status allocate(job *j, size_t joint_count, ug_error *err)
{
    const size_t n = j->count + 1;
    const size_t per_leg = n * (8 * sizeof(ug_vec3) + 2 * sizeof(ug_quat) + sizeof(double) + 2);
    const size_t pose = joint_count * (sizeof(ug_quat) + sizeof(ug_vec3));
    j->block = calloc(1, 2 * per_leg + 4 * n * sizeof(double) + pose + 64 * 16);
    if (!j->block) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    char *at = j->block;
    j->q = take(&at, joint_count * sizeof(ug_quat));
    j->m = take(&at, joint_count * sizeof(ug_vec3));
    j->drop = take(&at, n * sizeof(double));
    for (int i = 0; i < 3; i++) {
        j->work[i] = take(&at, n * sizeof(double));
    }
    for (int side = 0; side < 2; side++) {
        leg *l = &j->legs[side];
        l->foot_q = take(&at, n * sizeof(ug_quat));
        l->turn = take(&at, n * sizeof(ug_quat));
        ug_vec3 **series[] = { &l->hip,      &l->knee,     &l->ankle_m, &l->goal,
                               &l->point[0], &l->point[1], &l->d[0],    &l->d[1] };
        for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
            *series[i] = take(&at, n * sizeof(ug_vec3));
        }
        l->anchor = take(&at, n * sizeof(double));
        l->planted[HEEL] = take(&at, n);
        l->planted[BALL] = take(&at, n);
    }
    return UG_OK;
}

// Turn the pelvis of one frame by `smooth` instead; spine and thighs keep their world turns, since
// what the pelvis jitters they undo.
static void replace_pelvis_turn(job *j, int pelvis, size_t f, ug_quat smooth)
{
    ug_quat *local = ug_clip_rotations(j->clip, f);
    const ug_quat undo = ug_quat_mul(ug_quat_conj(smooth), local[pelvis]);
    for (int side = 0; side < 2; side++) {
        const int thigh = j->legs[side].thigh;
        ug_quat between = UG_QUAT_IDENTITY; // hip stubs, from the pelvis to the thigh
        for (int p = j->skeleton->joints[thigh].parent; p > pelvis;
             p = j->skeleton->joints[p].parent) {
            between = ug_quat_mul(local[p], between);
        }
        const ug_quat here = ug_quat_mul(ug_quat_conj(between), ug_quat_mul(undo, between));
        local[thigh] = ug_quat_mul(here, local[thigh]);
    }
    for (int c = pelvis + 1; c < (int)j->skeleton->joint_count; c++) {
        if (j->skeleton->joints[c].parent == pelvis &&
            !ug_skeleton_is_ancestor(j->skeleton, c, j->legs[0].thigh) &&
            !ug_skeleton_is_ancestor(j->skeleton, c, j->legs[1].thigh)) {
            local[c] = ug_quat_mul(undo, local[c]);
        }
    }
    local[pelvis] = smooth;
}

// Component by component after making signs agree; fine for turns of a few degrees a frame.
static void smooth_turns(ug_quat *turn, size_t count, const ug_lowpass *filter, double *work)
{
    for (size_t f = 1; f < count; f++) {
        if (ug_quat_dot(turn[f - 1], turn[f]) < 0.0) {
            turn[f] = ug_quat_negate(turn[f]);
        }
    }
    for (size_t k = 0; k < 4; k++) {
        ug_lowpass_apply(&turn[0].w + k, count, 4, filter, work);
    }
    for (size_t f = 0; f < count; f++) {
        turn[f] = ug_quat_normalize(turn[f]);
    }
}

static void smooth_pelvis_turn(job *j, int pelvis, const ug_lowpass *filter, double *work)
{
    ug_quat *turn = j->legs[0].foot_q; // free until look()
    for (size_t f = 0; f < j->count; f++) {
        turn[f] = ug_clip_rotations(j->clip, f)[pelvis];
    }
    smooth_turns(turn, j->count, filter, work);
    for (size_t f = 0; f < j->count; f++) {
        replace_pelvis_turn(j, pelvis, f, turn[f]);
    }
}

// Smooth the pelvis: its turn, then the path of the middle between the hips by moving the root.
// What jitters at the hips, from whichever joint, a pinned foot turns into jitter of the knee.
static void smooth_hips(job *j, int root, int pelvis, const ug_lowpass *filter, double *work)
{
    smooth_pelvis_turn(j, pelvis, filter, work);
    ug_vec3 *middle = j->legs[0].hip, *smooth = j->legs[1].hip; // free until look()
    for (size_t f = 0; f < j->count; f++) {
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        middle[f] = ug_vec3_lerp(j->m[j->legs[0].thigh], j->m[j->legs[1].thigh], 0.5);
        smooth[f] = middle[f];
    }
    for (size_t k = 0; k < 3; k++) {
        ug_lowpass_apply(&smooth[0].x + k, j->count, 3, filter, work);
    }
    const ptrdiff_t column = ug_clip_translation_column(j->clip, root);
    for (size_t f = 0; f < j->count; f++) {
        ug_vec3 *at = &ug_clip_translations(j->clip, f)[column];
        *at = ug_vec3_add(*at, ug_vec3_sub(smooth[f], middle[f]));
    }
}

// A foot's jitter turns about the point that is pinned and so moves the ankle.
static void smooth_feet(job *j, const ug_lowpass *filter, double *work)
{
    for (int side = 0; side < 2; side++) {
        leg *l = &j->legs[side];
        smooth_turns(l->foot_q, j->count, filter, work);
        for (size_t f = 0; f < j->count; f++) {
            const ug_vec3 heel = ug_quat_rotate(l->foot_q[f], l->foot->heel_m);
            const ug_vec3 ball = ug_quat_rotate(l->foot_q[f], l->foot->ball_m);
            l->point[HEEL][f] = ug_vec3_add(l->ankle_m[f], heel);
            l->point[BALL][f] = ug_vec3_add(l->ankle_m[f], ball);
        }
    }
}

static void look(job *j)
{
    for (size_t f = 0; f < j->count; f++) {
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        for (int side = 0; side < 2; side++) {
            leg *l = &j->legs[side];
            l->hip[f] = j->m[l->thigh];
            l->knee[f] = j->m[l->shin];
            l->ankle_m[f] = j->m[l->ankle];
            l->foot_q[f] = j->q[l->ankle];
            l->point[HEEL][f] = ug_foot_heel_m(l->foot, j->q, j->m);
            l->point[BALL][f] = ug_foot_ball_m(l->foot, j->q, j->m);
            const ug_vec3 up = ug_vec3_unit(ug_vec3_sub(l->hip[f], l->knee[f]), ZERO);
            const ug_vec3 down = ug_vec3_unit(ug_vec3_sub(l->ankle_m[f], l->knee[f]), ZERO);
            l->hinge =
                ug_vec3_add(l->hinge, ug_quat_unrotate(j->q[l->thigh], ug_vec3_cross(up, down)));
        }
    }
    // a leg that never bends: across the hips
    ug_vec3 right = ZERO;
    if (j->count > 0) {
        right = ug_vec3_sub(j->m[j->legs[1].thigh], j->m[j->legs[0].thigh]);
    }
    for (int side = 0; side < 2; side++) {
        leg *l = &j->legs[side];
        const ug_vec3 spare = ug_quat_unrotate(j->q[l->thigh], right);
        l->hinge = ug_vec3_norm(l->hinge) > 1e-6 * (double)j->count ? l->hinge : spare;
    }
}

// what comes in, smoothed where the rate allows
static ug_status gather(job *j, int root, int pelvis, ug_error *err)
{
    ug_lowpass filter;
    if (!(j->rate_hz > SMOOTH_ABOVE_HZ) || j->count == 0 ||
        !ug_lowpass_design(&filter, j->opts->cutoff_hz, j->rate_hz)) {
        look(j);
        return UG_OK;
    }
    double *work = malloc(ug_lowpass_work_count(&filter, j->count) * sizeof *work);
    if (!work) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    smooth_hips(j, root, pelvis, &filter, work);
    look(j);
    smooth_feet(j, &filter, work);
    free(work);
    return UG_OK;
}

static double rest_height(const leg *l, int which)
{
    return which == HEEL ? 0.0 : l->foot->ball_height_m;
}

// raise a foot that dips under the floor by a smooth curve that is nowhere too low
static void lift(job *j)
{
    const size_t half = (size_t)(LIFT_S * j->rate_hz + 0.5);
    for (int side = 0; side < 2; side++) {
        leg *l = &j->legs[side];
        double *depth = j->work[0], *raise = j->work[1];
        for (size_t f = 0; f < j->count; f++) {
            depth[f] = fmax(-l->point[HEEL][f].y, rest_height(l, BALL) - l->point[BALL][f].y);
        }
        if (j->count > 0) {
            ug_envelope(raise, j->work[2], depth, j->count, half);
        }
        for (size_t f = 0; f < j->count; f++) {
            l->point[HEEL][f].y += raise[f];
            l->point[BALL][f].y += raise[f];
            l->ankle_m[f].y += raise[f];
        }
    }
}

// ---- contacts ----------------------------------------------------------------------------------

static bool is_used(const ug_contact *c)
{
    return c->kind == UG_CONTACT_PLANTED && c->accepted && c->point <= UG_POINT_RIGHT_TOE;
}

static leg *leg_of(job *j, const ug_contact *c, int *which)
{
    *which = c->point == UG_POINT_LEFT_HEEL || c->point == UG_POINT_RIGHT_HEEL ? HEEL : BALL;
    return &j->legs[c->point <= UG_POINT_LEFT_TOE ? 0 : 1];
}

static ug_vec3 resting_place(const ug_vec3 *p, size_t start, size_t end, size_t count,
                             double rate_hz)
{
    ug_vec3 sum = ZERO;
    double weights = 0.0;
    for (size_t f = start; f < end; f++) {
        const size_t a = f > 0 ? f - 1 : f, b = f + 1 < count ? f + 1 : f;
        const double v = b > a ? ug_vec3_distance(p[a], p[b]) * rate_hz / (double)(b - a) : 0.0;
        const double w = 1.0 / (v * v + REST_M_S * REST_M_S);
        sum = ug_vec3_madd(sum, w, p[f]);
        weights += w;
    }
    return ug_vec3_scale(sum, 1.0 / weights);
}

static void refuse(job *j, ug_contact *c, ug_warnings *warnings, const char *way, double asked_m,
                   double limit_m)
{
    c->accepted = false;
    snprintf(c->reason, sizeof c->reason, "asks for %.0f mm %s, limit %.0f mm", 1e3 * asked_m, way,
             1e3 * limit_m);
    ug_warn(warnings, "contact_refused", "%s from %.2f s to %.2f s %s",
            ug_contact_point_name(c->point), c->start_s, c->end_s, c->reason);
    (void)j;
}

// where each contact rests; those that ask for too much are refused
static void place_contacts(job *j, ug_foot_plant_report *seen, ug_warnings *warnings)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        ug_contact *c = &j->contacts->items[i];
        int which;
        size_t start, end;
        if (!is_used(c)) {
            continue;
        }
        const leg *l = leg_of(j, c, &which);
        ug_contact_frames(&start, &end, c, j->rate_hz, j->count);
        if (end == start) {
            c->accepted = false;
            snprintf(c->reason, sizeof c->reason, "no frame of the clip in it");
            seen->refused_count++;
            continue;
        }
        const ug_vec3 *p = l->point[which];
        c->target_m = resting_place(p, start, end, j->count, j->rate_hz);
        c->target_m.y = rest_height(l, which);
        double shift_m = 0.0, lift_m = 0.0;
        for (size_t f = start; f < end; f++) {
            const ug_vec3 ask = ug_vec3_sub(c->target_m, p[f]);
            shift_m = fmax(shift_m, hypot(ask.x, ask.z));
            lift_m = fmax(lift_m, fabs(ask.y));
        }
        if (shift_m > j->opts->max_shift_m) {
            refuse(j, c, warnings, "sideways", shift_m, j->opts->max_shift_m);
        } else if (lift_m > j->opts->max_lift_m) {
            refuse(j, c, warnings, "up or down", lift_m, j->opts->max_lift_m);
        }
        seen->accepted_count += c->accepted;
        seen->refused_count += !c->accepted;
    }
}

// Heel and ball are a rigid distance apart: a contact that starts while the other point of the
// foot already rests slides along the line between both to keep it.
static void keep_rigid(job *j, ug_contact *late)
{
    int which, other_which;
    const leg *l = leg_of(j, late, &which);
    for (size_t i = 0; i < j->contacts->count; i++) {
        const ug_contact *c = &j->contacts->items[i];
        if (!is_used(c) || leg_of(j, c, &other_which) != l || other_which == which ||
            c->start_s > late->start_s || (c->start_s == late->start_s && which == BALL) ||
            c->end_s <= late->start_s) {
            continue;
        }
        const double apart_m = ug_vec3_distance(l->foot->heel_m, l->foot->ball_m);
        const double rise_m = rest_height(l, BALL);
        const double run_m = sqrt(fmax(apart_m * apart_m - rise_m * rise_m, 0.0));
        ug_vec3 way = ug_vec3_sub(late->target_m, c->target_m);
        way.y = 0.0;
        way = ug_vec3_scale(ug_vec3_unit(way, ZERO), run_m);
        late->target_m.x = c->target_m.x + way.x;
        late->target_m.z = c->target_m.z + way.z;
        return;
    }
}

static int by_start(const void *a, const void *b)
{
    const ug_contact *p = *(ug_contact *const *)a, *q = *(ug_contact *const *)b;
    if (p->start_s != q->start_s) {
        return p->start_s < q->start_s ? -1 : 1;
    }
    // the ball first: a heel that starts with it follows
    return (q->point & 1) - (p->point & 1);
}

static ug_status align_contacts(job *j, ug_error *err)
{
    ug_contact **order = malloc((j->contacts->count + 1) * sizeof *order);
    if (!order) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < j->contacts->count; i++) {
        if (is_used(&j->contacts->items[i])) {
            order[count++] = &j->contacts->items[i];
        }
    }
    qsort(order, count, sizeof *order, by_start);
    for (size_t i = 0; i < count; i++) {
        keep_rigid(j, order[i]);
    }
    free(order);
    return UG_OK;
}

static void mark_planted(job *j)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        const ug_contact *c = &j->contacts->items[i];
        int which;
        size_t start, end;
        if (!is_used(c)) {
            continue;
        }
        leg *l = leg_of(j, c, &which);
        ug_contact_frames(&start, &end, c, j->rate_hz, j->count);
        for (size_t f = start; f < end; f++) {
            l->planted[which][f] = 1;
            l->d[which][f] = ug_vec3_sub(c->target_m, l->point[which][f]);
        }
    }
}

// ---- the feet's way ----------------------------------------------------------------------------

static bool any(const uint8_t *labels, size_t count)
{
    return count > 0 && memchr(labels, 1, count) != NULL;
}

// which point holds the foot: exact while one touches, eased between
static void choose_anchor(const leg *l, double *anchor, size_t count)
{
    size_t last = count;
    for (size_t f = 0; f < count;) {
        if (l->planted[HEEL][f] || l->planted[BALL][f]) {
            anchor[f] = l->planted[BALL][f] ? 1.0 : 0.0;
            last = f++;
            continue;
        }
        size_t next = f;
        while (next < count && !l->planted[HEEL][next] && !l->planted[BALL][next]) {
            next++;
        }
        const bool to = next < count;
        const double end = to && l->planted[BALL][next] ? 1.0 : 0.0;
        const double b = to ? end : last < count ? anchor[last] : 1.0;
        const double a = last < count ? anchor[last] : b;
        const double span = last < count && to ? (double)(next - last) : 1.0;
        for (; f < next; f++) {
            const double u = last < count ? (double)(f - last) / span : 1.0;
            anchor[f] = a + (b - a) * ug_smoothstep(u);
        }
    }
}

static void place_foot(job *j, leg *l)
{
    const double soft = j->opts->soft_m;
    for (size_t f = 0; f < j->count; f++) {
        ug_vec3 at[2];
        for (int k = 0; k < 2; k++) {
            at[k] = ug_vec3_add(l->point[k][f], l->d[k][f]);
            at[k].y = rest_height(l, k) + ug_soft_floor(at[k].y - rest_height(l, k), soft);
        }
        const ug_vec3 before = ug_vec3_sub(l->point[BALL][f], l->point[HEEL][f]);
        const ug_vec3 ankle = l->ankle_m[f];
        l->turn[f] = ug_quat_between(before, ug_vec3_sub(at[BALL], at[HEEL]));
        const ug_vec3 by_ball = ug_vec3_add(
            at[BALL], ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[BALL][f])));
        const ug_vec3 by_heel = ug_vec3_add(
            at[HEEL], ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[HEEL][f])));
        l->goal[f] = ug_vec3_lerp(by_heel, by_ball, l->anchor[f]);
    }
}

// 0 on planted frames, 1 from `reach` frames away from them
static void fade_near_planted(double *fade, const leg *l, size_t count, double reach)
{
    double since = INFINITY;
    for (size_t f = 0; f < count; f++) {
        since = l->planted[HEEL][f] || l->planted[BALL][f] ? 0.0 : since + 1.0;
        fade[f] = since;
    }
    since = INFINITY;
    for (size_t f = count; f-- > 0;) {
        since = l->planted[HEEL][f] || l->planted[BALL][f] ? 0.0 : since + 1.0;
        fade[f] = ug_smoothstep(fmin(fade[f], since) / reach);
    }
}

// a long foot that turns about one point may push the other under the floor: raise the ankle
static void clear_floor(job *j, leg *l)
{
    double *depth = j->work[0], *raise = j->work[1], *fade = j->work[2];
    for (size_t f = 0; f < j->count; f++) {
        const ug_quat q = ug_quat_mul(l->turn[f], l->foot_q[f]);
        const double heel = l->goal[f].y + ug_quat_rotate(q, l->foot->heel_m).y;
        const double ball = l->goal[f].y + ug_quat_rotate(q, l->foot->ball_m).y;
        depth[f] = fmax(-heel, rest_height(l, BALL) - ball) - j->opts->soft_m;
    }
    ug_envelope(raise, fade, depth, j->count, (size_t)(LIFT_S * j->rate_hz + 0.5));
    fade_near_planted(fade, l, j->count, fmax(FADE_S * j->rate_hz, 1.0));
    for (size_t f = 0; f < j->count; f++) {
        l->goal[f].y += raise[f] * fade[f];
    }
}

static void plan_feet(job *j)
{
    for (int side = 0; side < 2 && j->count > 0; side++) {
        leg *l = &j->legs[side];
        const double ease = fmax(j->opts->ease_s * j->rate_hz, 1.0);
        for (int k = 0; k < 2; k++) {
            ug_displacement_extend(l->d[k], l->planted[k], j->count, ease);
        }
        for (int k = 0; k < 2; k++) { // a point that never touches goes with the other
            if (!any(l->planted[k], j->count)) {
                memcpy(l->d[k], l->d[1 - k], j->count * sizeof *l->d[k]);
            }
        }
        choose_anchor(l, l->anchor, j->count);
        place_foot(j, l);
        clear_floor(j, l);
    }
}

// ---- pelvis and legs ---------------------------------------------------------------------------

static void lower_pelvis(job *j, ug_foot_plant_report *seen)
{
    double *need = j->work[0];
    for (size_t f = 0; f < j->count; f++) {
        need[f] = 0.0;
        for (int side = 0; side < 2; side++) {
            const leg *l = &j->legs[side];
            const double reach_m = j->opts->reach * l->length_m;
            const ug_vec3 way = ug_vec3_sub(l->hip[f], l->goal[f]);
            const double across = hypot(way.x, way.z);
            const double height = sqrt(fmax(reach_m * reach_m - across * across, 0.0));
            need[f] = fmax(need[f], way.y - height);
        }
    }
    if (j->count > 0) {
        ug_envelope(j->drop, j->work[1], need, j->count, (size_t)(DROP_S * j->rate_hz + 0.5));
    }
    for (size_t f = 0; f < j->count; f++) {
        seen->drop_max_m = fmax(seen->drop_max_m, j->drop[f]);
    }
}

static ug_quat parent_turn(const job *j, int joint)
{
    const int parent = j->skeleton->joints[joint].parent;
    return parent < 0 ? UG_QUAT_IDENTITY : j->q[parent];
}

// keep the tip of the toes out of the floor by turning the toe joint
static void bend_toes(job *j, const leg *l, ug_quat *local, ug_quat foot_q, ug_vec3 ankle)
{
    const ug_foot_model *foot = l->foot;
    if (foot->tip < 0 || foot->toe < 0 || j->skeleton->joints[foot->toe].parent != foot->ankle) {
        return;
    }
    const ug_vec3 ball = ug_vec3_add(ankle, ug_quat_rotate(foot_q, foot->ball_m));
    const ug_quat toe_q = ug_quat_mul(foot_q, local[foot->toe]);
    const ug_vec3 bone = ug_quat_rotate(toe_q, foot->tip_m);
    const double length = ug_vec3_norm(bone), height = ball.y + bone.y;
    const double wanted = ug_soft_floor(height, j->opts->soft_m);
    if (wanted <= height || !(length > 1e-9)) {
        return;
    }
    const double before = asin(fmin(fmax(bone.y / length, -1.0), 1.0));
    const double after = asin(fmin(fmax((wanted - ball.y) / length, -1.0), 1.0));
    const ug_vec3 across = ug_vec3_cross(bone, UP);
    const ug_quat turned = ug_quat_mul(ug_quat_from_axis_angle(across, after - before), toe_q);
    local[foot->toe] = ug_quat_mul(ug_quat_conj(foot_q), turned);
}

static void reach_with(job *j, const leg *l, size_t f, ug_quat *local, ug_foot_plant_report *seen)
{
    const ug_two_bone limb = { j->m[l->thigh], j->m[l->shin], j->m[l->ankle] };
    const ug_vec3 normal = ug_two_bone_normal(&limb, ug_quat_rotate(j->q[l->thigh], l->hinge));
    ug_quat root_turn, mid_turn;
    if (!ug_two_bone_solve(&root_turn, &mid_turn, &limb, l->goal[f], normal)) {
        const double miss = fabs(
            ug_vec3_distance(l->goal[f], limb.root_m) -
            (ug_vec3_distance(limb.mid_m, limb.root_m) + ug_vec3_distance(limb.end_m, limb.mid_m)));
        seen->unreachable_frames++;
        seen->miss_max_m = fmax(seen->miss_max_m, miss);
    }
    const ug_quat below = ug_quat_mul(root_turn, mid_turn); // of all that hangs on the shin
    const ug_quat thigh_q = ug_quat_mul(root_turn, j->q[l->thigh]);
    const ug_quat shin_q = ug_quat_mul(below, j->q[l->shin]);
    const ug_quat foot_q = ug_quat_mul(l->turn[f], l->foot_q[f]);
    local[l->thigh] = ug_quat_mul(ug_quat_conj(parent_turn(j, l->thigh)), thigh_q);
    local[l->shin] =
        ug_quat_mul(ug_quat_conj(ug_quat_mul(root_turn, parent_turn(j, l->shin))), shin_q);
    local[l->ankle] =
        ug_quat_mul(ug_quat_conj(ug_quat_mul(below, parent_turn(j, l->ankle))), foot_q);
    const ug_vec3 lower = ug_quat_rotate(below, ug_vec3_sub(limb.end_m, limb.mid_m));
    const ug_vec3 upper = ug_quat_rotate(root_turn, ug_vec3_sub(limb.mid_m, limb.root_m));
    bend_toes(j, l, local, foot_q, ug_vec3_add(limb.root_m, ug_vec3_add(upper, lower)));
}

static void write_clip(job *j, int root, ug_foot_plant_report *seen)
{
    const ptrdiff_t column = ug_clip_translation_column(j->clip, root);
    assert(column >= 0);
    for (size_t f = 0; f < j->count; f++) {
        ug_clip_translations(j->clip, f)[column].y -= j->drop[f];
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        for (int side = 0; side < 2; side++) {
            reach_with(j, &j->legs[side], f, ug_clip_rotations(j->clip, f), seen);
        }
    }
    ug_clip_make_signs_continuous(j->clip);
}

// ---- all ---------------------------------------------------------------------------------------

static ug_status start(job *j, const ug_body_map *body, const ug_foot_model feet[2], ug_error *err)
{
    for (int side = 0; side < 2; side++) {
        leg *l = &j->legs[side];
        l->foot = &feet[side];
        l->thigh = body->joint[ug_role_on_side(UG_ROLE_L_THIGH, side)];
        l->shin = body->joint[ug_role_on_side(UG_ROLE_L_SHIN, side)];
        l->ankle = body->joint[ug_role_on_side(UG_ROLE_L_FOOT, side)];
        l->length_m = ug_bone_length_m(j->skeleton, l->thigh, l->ankle);
        if (!(ug_bone_length_m(j->skeleton, l->thigh, l->shin) > 1e-9) ||
            !(ug_bone_length_m(j->skeleton, l->shin, l->ankle) > 1e-9)) {
            return ug_fail(err, UG_E_DATA, "'%s' or '%s' has no length: a leg cannot reach",
                           j->skeleton->joints[l->thigh].name, j->skeleton->joints[l->shin].name);
        }
    }
    return allocate(j, j->skeleton->joint_count, err);
}

static void report_end(const job *j, const ug_foot_plant_report *seen, ug_warnings *warnings)
{
    if (seen->unreachable_frames > 0) {
        ug_warn_times(warnings, seen->unreachable_frames, "foot_out_of_reach",
                      "a foot is out of its leg's reach, by %.1f mm at worst",
                      1e3 * seen->miss_max_m);
    }
    (void)j;
}

static void refuse_clip(job *j, ug_foot_plant_report *seen, ug_warnings *warnings)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        ug_contact *c = &j->contacts->items[i];
        if (is_used(c)) {
            c->accepted = false;
            snprintf(c->reason, sizeof c->reason, "pelvis would sink %.0f mm, limit %.0f mm",
                     1e3 * seen->drop_max_m, 1e3 * j->opts->max_drop_m);
        }
    }
    seen->refused = true;
    seen->refused_count += seen->accepted_count;
    seen->accepted_count = 0;
    ug_warn(warnings, "foot_plant_refused",
            "feet are left as they are: the pelvis would have to sink by %.0f mm (limit %.0f mm)",
            1e3 * seen->drop_max_m, 1e3 * j->opts->max_drop_m);
}

ug_status ug_foot_plant(ug_clip *clip, ug_contacts *contacts, ug_foot_plant_report *report,
                        const ug_skeleton *skeleton, const ug_body_map *body,
                        const ug_foot_model feet[2], const ug_foot_plant_opts *opts,
                        ug_warnings *warnings, ug_error *err)
{
    assert(clip && contacts && clip->joint_count == skeleton->joint_count);
    const ug_foot_plant_opts usual = ug_foot_plant_default_opts(ug_body_leg_m(body, skeleton));
    ug_foot_plant_report seen = { 0 };
    int root = body->joint[UG_ROLE_PELVIS];
    while (skeleton->joints[root].parent >= 0) {
        root = skeleton->joints[root].parent;
    }
    job j = { .contacts = contacts,
              .skeleton = skeleton,
              .opts = opts ? opts : &usual,
              .count = clip->frame_count,
              .rate_hz = ug_rate_hz(clip->rate) };
    ug_status status = start(&j, body, feet, err);
    if (status == UG_OK && !(j.clip = ug_clip_copy(clip))) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        status = gather(&j, root, body->joint[UG_ROLE_PELVIS], err);
    }
    if (status != UG_OK) {
        goto done;
    }
    lift(&j);
    place_contacts(&j, &seen, warnings);
    status = align_contacts(&j, err);
    if (status != UG_OK) {
        goto done;
    }
    mark_planted(&j);
    plan_feet(&j);
    lower_pelvis(&j, &seen);
    if (seen.drop_max_m > j.opts->max_drop_m) {
        refuse_clip(&j, &seen, warnings);
        goto done;
    }
    write_clip(&j, root, &seen);
    report_end(&j, &seen, warnings);
    const ug_clip before = *clip; // swap what the pointers hold: the caller's clip stays his
    *clip = *j.clip;
    *j.clip = before;
done:
    ug_clip_destroy(j.clip);
    free(j.block);
    if (report) {
        *report = seen;
    }
    return status;
}
