// SPDX-License-Identifier: MIT
// Unit tests for datasets/synth.c: the truth must be true, and nothing but the seed may matter.
#include "datasets/synth.h"

#include "datasets/synth_curves.h"
#include "motion/kinematics.h"
#include "tests/support/synth_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static synth_input input;

static ug_synth make(const ug_synth_opts *opts)
{
    ug_synth s;
    ug_error err = { 0 };
    memset(&s, 0xa5, sizeof s);
    const ug_status status = ug_synth_make(&s, input.humanoid, &input.set, opts, &err);
    if (status != UG_OK) {
        print_error("%s\n", err.message);
    }
    assert_int_equal(status, UG_OK);
    return s;
}

// World pose written out again, by the definition in motion/skeleton.h.
static void pose(ug_quat *q, ug_vec3 *p, const ug_take *t, size_t f)
{
    for (size_t j = 0; j < t->skeleton->joint_count; j++) {
        const ug_joint *joint = &t->skeleton->joints[j];
        const ug_quat local = ug_clip_rotations(t->clip, f)[j];
        if (joint->parent < 0) {
            q[j] = local;
            p[j] = ug_clip_translations(t->clip, f)[0];
        } else {
            q[j] = ug_quat_mul(q[joint->parent], local);
            p[j] = ug_vec3_add(p[joint->parent], ug_quat_rotate(q[joint->parent], joint->offset_m));
        }
    }
}

static void test_clean_markers_sit_on_the_moving_body(void **state)
{
    (void)state;
    ug_synth s = make(NULL);
    const ug_take *t = &s.truth;
    assert_int_equal(t->markers->marker_count, 41);
    assert_int_equal(t->markers->frame_count, t->clip->frame_count);
    ug_quat q[64];
    ug_vec3 p[64];
    for (size_t f = 0; f < t->clip->frame_count; f += 7) {
        pose(q, p, t, f);
        for (size_t i = 0; i < t->attachments.count; i++) {
            const ug_attachment *a = &t->attachments.items[i];
            const ug_vec3 at = ug_vec3_add(p[a->joint], ug_quat_rotate(q[a->joint], a->local_m));
            const float *m = t->markers->positions + 3 * ug_markers_index(t->markers, f, i);
            // the nearest float in millimetres; 1e-9 m for what double arithmetic may differ
            const double mm[3] = { 1e3 * at.x, 1e3 * at.y, 1e3 * at.z };
            for (int k = 0; k < 3; k++) {
                assert_true(fabs((double)m[k] - mm[k]) <= 0x1p-24 * fabs(mm[k]) + 1e-6);
            }
        }
    }
    ug_synth_fini(&s);
}

static void test_planted_points_do_not_move(void **state)
{
    (void)state;
    static const struct {
        double turn_deg, stature_m;
        int64_t hz;
    } CASES[] = { { 90, 1.75, 120 }, { -200, 1.95, 100 }, { 0, 1.2, 250 } };
    for (size_t c = 0; c < 3; c++) {
        ug_synth_opts opts = ug_synth_default_opts();
        opts.turn_deg = CASES[c].turn_deg;
        opts.stature_m = CASES[c].stature_m;
        opts.rate = (ug_rate){ CASES[c].hz, 1 };
        opts.seed = c;
        ug_synth s = make(&opts);
        const ug_take *t = &s.truth;
        ug_quat q[64];
        ug_vec3 p[64];
        size_t planted = 0, frames = 0;
        for (size_t i = 0; i < t->contacts.count; i++) {
            const ug_contact *contact = &t->contacts.items[i];
            const int side = contact->point >= UG_POINT_RIGHT_HEEL;
            const int foot =
                ug_skeleton_find_role(t->skeleton, side ? UG_ROLE_R_FOOT : UG_ROLE_L_FOOT);
            const int toe =
                ug_skeleton_find_role(t->skeleton, side ? UG_ROLE_R_TOE : UG_ROLE_L_TOE);
            const ug_vec3 ball = t->skeleton->joints[toe].offset_m;
            const ug_vec3 heel = { 0.0, ball.y, -0.3 * ball.z };
            const double hz = (double)CASES[c].hz;
            const size_t first = (size_t)lround(contact->start_s * hz),
                         end = (size_t)lround(contact->end_s * hz);
            planted += contact->kind == UG_CONTACT_PLANTED;
            for (size_t f = first; f < end; f++, frames++) {
                pose(q, p, t, f);
                const bool is_heel =
                    contact->point == UG_POINT_LEFT_HEEL || contact->point == UG_POINT_RIGHT_HEEL;
                const ug_vec3 at =
                    ug_vec3_add(p[foot], ug_quat_rotate(q[foot], is_heel ? heel : ball));
                assert_true(ug_vec3_distance(at, contact->target_m) < 1e-9);
            }
        }
        // heel and ball of both feet: start, a step a stride, the stand after it, the landing
        assert_true(planted >= 4 * 8);
        assert_true(frames > t->clip->frame_count);
        ug_synth_fini(&s);
    }
}

static void test_feet_stay_above_the_ground(void **state)
{
    (void)state;
    ug_synth s = make(NULL);
    ug_quat q[64];
    ug_vec3 p[64];
    double lowest = 1.0;
    for (size_t f = 0; f < s.truth.clip->frame_count; f++) {
        pose(q, p, &s.truth, f);
        for (int side = 0; side < 2; side++) {
            const int foot =
                ug_skeleton_find_role(s.truth.skeleton, side ? UG_ROLE_R_FOOT : UG_ROLE_L_FOOT);
            const int toe =
                ug_skeleton_find_role(s.truth.skeleton, side ? UG_ROLE_R_TOE : UG_ROLE_L_TOE);
            const ug_vec3 ball = s.truth.skeleton->joints[toe].offset_m;
            const ug_vec3 heel = ug_vec3_add(
                p[foot], ug_quat_rotate(q[foot], (ug_vec3){ 0.0, ball.y, -0.3 * ball.z }));
            lowest = fmin(lowest, fmin(heel.y, p[toe].y));
        }
    }
    assert_true(lowest > 0.020 - 0.002); // the ball stands 2 cm over its sole
    assert_true(lowest < 0.020 + 1e-9);
    ug_synth_fini(&s);
}

// Angle about x of a local rotation, degrees.
static double about_x_deg(ug_quat q)
{
    return ug_quat_log(q.w < 0.0 ? ug_quat_negate(q) : q).x / UG_DEG;
}

// Heel strikes of the left foot in steady walking, seconds.
static size_t left_strikes(double *at_s, const ug_take *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->contacts.count; i++) {
        const ug_contact *c = &t->contacts.items[i];
        if (c->point == UG_POINT_LEFT_HEEL && c->kind == UG_CONTACT_PLANTED && c->start_s > 0.0) {
            at_s[count++] = c->start_s;
        }
    }
    return count;
}

static void test_walks_with_the_published_angles(void **state)
{
    (void)state;
    // One foot has one place, which the mean of many children does not know, and bones are of
    // this body: angles come within the published bands (5 to 6 degrees to both sides), rms.
    // Measured over seeds 0 to 7: hip 1.4-4.0, knee 2.3-7.2, ankle 3.2-5.5.
    static const struct {
        ug_gait_angle angle;
        ug_role role;
        double sign, rms_max_deg;
    } JOINTS[] = { { UG_GAIT_HIP_FLEXION, UG_ROLE_L_THIGH, -1.0, 5.0 },
                   { UG_GAIT_KNEE_FLEXION, UG_ROLE_L_SHIN, 1.0, 8.0 },
                   { UG_GAIT_ANKLE_DORSIFLEXION, UG_ROLE_L_FOOT, -1.0, 6.0 } };
    for (uint64_t seed = 0; seed < 4; seed++) {
        const ug_synth_opts opts = straight_walk(seed);
        ug_synth s = make(&opts);
        double strike_s[64];
        assert_true(left_strikes(strike_s, &s.truth) >= 6);
        const double stride = (strike_s[4] - strike_s[1]) / 3.0;
        for (size_t k = 0; k < 3; k++) {
            const int joint = ug_skeleton_find_role(s.truth.skeleton, JOINTS[k].role);
            const double mean = k == 0 ? ug_gait_mean_rad(UG_GAIT_PELVIS_TILT) : 0.0;
            double square = 0.0, low = 1e9, high = -1e9;
            size_t n = 0;
            for (size_t f = 0; f < s.truth.clip->frame_count; f++) {
                const double t = (double)f / 120.0;
                if (t < strike_s[1] || t > strike_s[4]) {
                    continue;
                }
                const double phase = 0.025 + (t - strike_s[1]) / stride;
                const double is =
                    JOINTS[k].sign * about_x_deg(ug_clip_rotations(s.truth.clip, f)[joint]);
                const double e = is - (ug_gait_rad(JOINTS[k].angle, phase) - mean) / UG_DEG;
                square += e * e;
                low = fmin(low, is);
                high = fmax(high, is);
                n++;
            }
            const double rms = sqrt(square / (double)n);
            print_message("seed %d %s: rms %.1f, range %.0f … %.0f degrees\n", (int)seed,
                          ug_role_name(JOINTS[k].role), rms, low, high);
            assert_true(rms < JOINTS[k].rms_max_deg);
            assert_true(high - low > 25.0);
        }
        ug_synth_fini(&s);
    }
}

static void test_jump_is_ballistic(void **state)
{
    (void)state;
    const double g = 9.81;
    for (int k = 1; k <= 3; k++) {
        ug_synth_opts opts = straight_walk(0);
        opts.jump_m = 0.1 * k;
        opts.rate = (ug_rate){ 240, 1 };
        ug_synth s = make(&opts);
        // the time without any contact
        double up_s = 0.0, down_s = 0.0;
        for (size_t i = 0; i < s.truth.contacts.count; i++) {
            const ug_contact *c = &s.truth.contacts.items[i];
            if (c->point == UG_POINT_LEFT_TOE && i + 1 < s.truth.contacts.count) {
                const bool last = c->end_s > (double)(s.truth.clip->frame_count - 1) / 240.0;
                down_s = last ? c->start_s : down_s;
                up_s = last ? up_s : c->end_s;
            }
        }
        const size_t up = (size_t)lround(up_s * 240.0), down = (size_t)lround(down_s * 240.0);
        double top = 0.0;
        for (size_t f = up; f < down; f++) {
            const double y0 = ug_clip_translations(s.truth.clip, f - 1)[0].y,
                         y1 = ug_clip_translations(s.truth.clip, f)[0].y,
                         y2 = ug_clip_translations(s.truth.clip, f + 1)[0].y;
            if (f > up && f + 1 < down) { // a parabola of g
                assert_true(fabs((y2 - 2.0 * y1 + y0) * 240.0 * 240.0 + g) < 1e-6);
            }
            top = fmax(top, y1);
        }
        const double stand = ug_clip_translations(s.truth.clip, 0)[0].y;
        const double apex = top - stand, flight_s = (double)(down - up) / 240.0;
        // flight is counted in frames: one frame of 0.4 s is 1 % of t²; apex between frames: g
        // dt²/8
        assert_true(fabs(apex - g * flight_s * flight_s / 8.0) < 0.03 * apex);
        assert_true(fabs(apex - opts.jump_m) < g / (8.0 * 240.0 * 240.0) + 1e-9);
        ug_synth_fini(&s);
    }
}

static void test_turns_as_asked_and_stays_in_limits(void **state)
{
    (void)state;
    for (int k = -1; k <= 1; k++) {
        ug_synth_opts opts = ug_synth_default_opts();
        opts.turn_deg = 120.0 * k;
        ug_synth s = make(&opts);
        const ug_clip *clip = s.truth.clip;
        const ug_vec3 ahead =
            ug_quat_rotate(ug_clip_rotations(clip, clip->frame_count - 1)[0], (ug_vec3){ 0, 0, 1 });
        assert_true(fabs(atan2(ahead.x, ahead.z) / UG_DEG - opts.turn_deg) < 1e-6);
        for (size_t j = 1; j < s.truth.skeleton->joint_count; j++) {
            const ug_joint *joint = &s.truth.skeleton->joints[j];
            for (size_t f = 0; f < clip->frame_count; f++) {
                const ug_quat q =
                    ug_quat_mul(ug_quat_conj(joint->rest), ug_clip_rotations(clip, f)[j]);
                const ug_vec3 r = ug_quat_log(q.w < 0.0 ? ug_quat_negate(q) : q);
                if (joint->type == UG_JOINT_BALL) {
                    const double v[3] = { r.x, r.y, r.z };
                    for (int d = 0; d < 3; d++) {
                        assert_true(v[d] >= joint->limits_rad[d][0] &&
                                    v[d] <= joint->limits_rad[d][1]);
                    }
                } else if (joint->type == UG_JOINT_HINGE) {
                    assert_true(fabs(r.y) < 1e-12 && fabs(r.z) < 1e-12);
                    assert_true(r.x >= joint->limits_rad[0][0] && r.x <= joint->limits_rad[0][1]);
                }
                if (f > 0) { // nothing jumps: 12 degrees a frame are 1440 a second
                    assert_true(ug_quat_angle(ug_clip_rotations(clip, f)[j],
                                              ug_clip_rotations(clip, f - 1)[j]) < 12.0 * UG_DEG);
                }
            }
        }
        ug_synth_fini(&s);
    }
}

static bool same_floats(const ug_markers *a, const ug_markers *b)
{
    return a->frame_count == b->frame_count && a->marker_count == b->marker_count &&
           memcmp(a->positions, b->positions,
                  3 * a->frame_count * a->marker_count * sizeof *a->positions) == 0 &&
           memcmp(a->origin, b->origin, a->frame_count * a->marker_count * sizeof *a->origin) == 0;
}

static void test_seed_decides_every_bit(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    ug_synth a = make(&opts), again = make(&opts);
    assert_true(same_floats(a.captured.markers, again.captured.markers));
    assert_true(same_floats(a.truth.markers, again.truth.markers));
    assert_int_equal(a.fault_count, again.fault_count);
    assert_memory_equal(a.truth.clip->rotations, again.truth.clip->rotations,
                        a.truth.clip->frame_count * a.truth.clip->joint_count * sizeof(ug_quat));
    opts.seed = 1;
    ug_synth other = make(&opts);
    assert_false(same_floats(a.truth.markers, other.truth.markers));
    assert_false(same_floats(a.captured.markers, other.captured.markers));
    // more noise moves neither body nor gaps
    opts.seed = 0;
    opts.noise_mm = 3.0;
    ug_synth noisy = make(&opts);
    assert_true(same_floats(a.truth.markers, noisy.truth.markers));
    assert_int_equal(a.fault_count, noisy.fault_count);
    for (size_t i = 0; i < a.fault_count; i++) {
        assert_int_equal(a.faults[i].first, noisy.faults[i].first);
        assert_int_equal(a.faults[i].marker, noisy.faults[i].marker);
    }
    ug_synth_fini(&noisy);
    ug_synth_fini(&other);
    ug_synth_fini(&again);
    ug_synth_fini(&a);
}

static void test_markers_sit_off_their_default_places(void **state)
{
    (void)state;
    ug_synth_opts opts = straight_walk(0);
    ug_synth a = make(&opts);
    opts.seed = 1;
    ug_synth b = make(&opts);
    double square = 0.0;
    for (size_t i = 0; i < input.set.markers.count; i++) {
        const ug_attachment *set = &input.set.markers.items[i];
        const ug_vec3 off = ug_vec3_sub(a.truth.attachments.items[i].local_m, set->local_m);
        assert_true(ug_vec3_distance(a.truth.attachments.items[i].local_m,
                                     b.truth.attachments.items[i].local_m) > 1e-4);
        // half a sigma, cut at two of those: never out of the prior's sigma
        assert_true(fabs(off.x) < set->sigma_m.x + 1e-12 && fabs(off.y) < set->sigma_m.y + 1e-12 &&
                    fabs(off.z) < set->sigma_m.z + 1e-12);
        square += pow(off.x / set->sigma_m.x, 2) + pow(off.y / set->sigma_m.y, 2) +
                  pow(off.z / set->sigma_m.z, 2);
    }
    // 123 draws of 0.5 (0.44 after the cut): a standard error of 0.03
    const double rms = sqrt(square / (3.0 * (double)input.set.markers.count));
    assert_true(rms > 0.35 && rms < 0.6);
    ug_synth_fini(&b);
    ug_synth_fini(&a);
}

static void expect(const ug_synth_opts *opts, ug_status status, const char *message)
{
    ug_synth s;
    ug_error err = { 0 };
    assert_int_equal(ug_synth_make(&s, input.humanoid, &input.set, opts, &err), status);
    assert_string_equal(err.message, message);
    assert_null(s.truth.clip);
    assert_null(s.faults);
}

static void test_wrong_input_is_named(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.stature_m = 0.4;
    expect(&opts, UG_E_USAGE, "stature_m 0.4: must be 1 to 2.5");
    opts = ug_synth_default_opts();
    opts.turn_deg = 400.0;
    expect(&opts, UG_E_USAGE, "turn_deg 400: must be -270 to 270");
    opts = ug_synth_default_opts();
    opts.rate = (ug_rate){ 0, 0 };
    expect(&opts, UG_E_USAGE, "rate 0 Hz: must be 30 to 2000");
    opts = ug_synth_default_opts();
    opts.noise_mm = NAN;
    expect(&opts, UG_E_USAGE, "noise_mm nan: must be 0 to 100");

    const int knee = ug_skeleton_find_role(input.humanoid, UG_ROLE_L_SHIN);
    ug_joint *joint = &input.humanoid->joints[knee];
    joint->type = UG_JOINT_BALL;
    expect(NULL, UG_E_DATA, "template 'l_shank': knees must be hinges about x");
    joint->type = UG_JOINT_HINGE;
    joint->offset_m.z = 0.01;
    expect(NULL, UG_E_DATA,
           "template 'l_shank': the knee must hang straight down from its parent (offset 0, -y, "
           "0)");
    joint->offset_m.z = 0.0;
    char *segment = input.set.markers.items[3].segment;
    input.set.markers.items[3].segment = (char *)"tail";
    expect(NULL, UG_E_DATA,
           "marker 'RBHD' sits on segment 'tail', which the skeleton does not have; use a marker "
           "set made for this template");
    input.set.markers.items[3].segment = segment;
}

static int setup(void **state)
{
    (void)state;
    input = read_synth_input(__FILE__);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free_synth_input(&input);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_markers_sit_on_the_moving_body),
        cmocka_unit_test(test_planted_points_do_not_move),
        cmocka_unit_test(test_feet_stay_above_the_ground),
        cmocka_unit_test(test_walks_with_the_published_angles),
        cmocka_unit_test(test_jump_is_ballistic),
        cmocka_unit_test(test_turns_as_asked_and_stays_in_limits),
        cmocka_unit_test(test_seed_decides_every_bit),
        cmocka_unit_test(test_markers_sit_off_their_default_places),
        cmocka_unit_test(test_wrong_input_is_named),
    };
    return cmocka_run_group_tests_name("datasets/synth", tests, setup, teardown);
}
