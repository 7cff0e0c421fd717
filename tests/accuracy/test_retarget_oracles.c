// SPDX-License-Identifier: MIT
// Retargeting against answers that are known beforehand: height and flight of a jump on other
// ankles (S16), a path that sits on a joint above the hips (S17).
#include "motion/conventions.h"
#include "solvers/retarget_motion.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// S16: the source's ankle 8 cm over its sole, the target's another height. Standing for 60 frames,
// a jump of 30 cm, standing for 60: soles at 0 +-2 mm standing, apex 30 cm times the leg ratio +-5
// %.
static void jump_onto(double leg, double foot)
{
    enum { STAND = 60, RATE = 60 };
    const test_character man = { 1.0, 1.0, 2, 0.0, 0, true, "l", "r" };
    const test_character other = { leg, foot, 3, 0.6, 51, true, "L", "R" };
    ug_skeleton *s = test_character_create(&man), *t = test_character_create(&other);
    ug_clip *clip = test_jump_create(s, STAND, RATE, 0.30), *out = NULL;
    ug_contacts contacts = { 0 };
    ug_retarget_motion_report r;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_retarget_motion(&out, &contacts, &r, s, clip, t, NULL, &warnings, NULL),
                     UG_OK);
    ug_foot_paths paths;
    assert_int_equal(ug_foot_paths_init(&paths, r.transfer.target_feet, t, out, NULL), UG_OK);
    double apex = 0.0;
    for (size_t f = 0; f < out->frame_count; f++) {
        for (int side = 0; side < 2; side++) {
            const double heel = paths.heel_m[side][f].y, tip = paths.tip_m[side][f].y;
            if (f < STAND || f > out->frame_count - STAND) {
                assert_true(fabs(heel) < 2e-3 && fabs(tip) < 2e-3);
            }
            assert_true(heel > -2e-3 && tip > -2e-3);
            apex = fmax(apex, heel);
        }
    }
    const double wanted = 0.30 * r.transfer.ratio;
    printf("ankle %.0f mm, legs x%.2f: apex %.1f mm, wanted %.1f\n", 80 * foot, r.transfer.ratio,
           1e3 * apex, 1e3 * wanted);
    assert_true(fabs(r.transfer.ratio - leg) < 0.01);
    assert_true(fabs(apex - wanted) < 0.05 * wanted);
    ug_foot_paths_fini(&paths);
    ug_retarget_motion_report_fini(&r);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_s16_soles_stand_and_jumps_fly(void **state)
{
    (void)state;
    jump_onto(1.0, 1.5); // 12 cm
    jump_onto(1.0, 0.625);
    jump_onto(1.0, 1.0);
    jump_onto(1.5, 1.25);
    jump_onto(0.5, 0.9);
}

// the man, hung below a node that carries all translation: World (translation) -> Hips (rotation)
static ug_skeleton *below_a_node(const ug_skeleton *s)
{
    ug_skeleton *w = ug_skeleton_create(s->joint_count + 1);
    w->joints[0].name = ug_text_copy("World");
    w->joints[0].type = UG_JOINT_FREE;
    for (size_t j = 0; j < s->joint_count; j++) {
        w->joints[j + 1] = s->joints[j];
        w->joints[j + 1].name = ug_text_copy(s->joints[j].name);
        w->joints[j + 1].parent = s->joints[j].parent + 1;
    }
    w->joints[1].offset_m = (ug_vec3){ 0, 0.92, 0 };
    w->joints[1].type = UG_JOINT_BALL;
    return w;
}

// S17: path of 3 m and a bob of 4 cm on the node above; the pelvis must go 3 m times the ratio.
static void test_s17_the_world_path_of_the_hips_goes_over(void **state)
{
    (void)state;
    enum { FRAMES = 201 };
    const test_character man = { 1.0, 1.0, 2, 0.0, 0, true, "l", "r" };
    static const double LEGS[] = { 0.5, 1.0, 1.5 };
    ug_skeleton *plain = test_character_create(&man), *s = below_a_node(plain);
    const int root = 0;
    ug_clip *clip = ug_clip_create(FRAMES, s->joint_count, &root, 1, ug_rate_make(100, 1));
    for (size_t f = 0; f < FRAMES; f++) {
        const double u = (double)f / (FRAMES - 1);
        for (size_t j = 0; j < s->joint_count; j++) {
            ug_clip_rotations(clip, f)[j] = s->joints[j].rest;
        }
        ug_clip_translations(clip, f)[0] = (ug_vec3){ 3.0 * u, 0.02 * sin(4.0 * UG_PI * u), 0 };
    }
    for (int k = 0; k < 3; k++) {
        const test_character other = { LEGS[k], 1.0, 2, 0.0, 61, true, "L", "R" };
        ug_skeleton *t = test_character_create(&other);
        ug_clip *out = NULL;
        ug_retarget_report r;
        ug_warnings warnings = { 0 };
        assert_int_equal(ug_retarget(&out, &r, s, clip, t, NULL, &warnings, NULL), UG_OK);
        assert_true(fabs(r.ratio - LEGS[k]) < 1e-3);
        assert_int_equal(ug_warnings_count(&warnings, "retarget_root_elsewhere"), 1);
        double length = 0.0, low = INFINITY, high = -INFINITY;
        for (size_t f = 0; f < FRAMES; f++) {
            const ug_vec3 at = ug_clip_translations(out, f)[0];
            if (f > 0) {
                const ug_vec3 before = ug_clip_translations(out, f - 1)[0];
                length += hypot(at.x - before.x, at.z - before.z);
            }
            low = fmin(low, at.y), high = fmax(high, at.y);
        }
        printf("legs x%.1f: path %.4f m, bob %.2f mm\n", LEGS[k], length, 1e3 * (high - low));
        assert_true(fabs(length - 3.0 * r.ratio) < 1e-9); // the oracle: path x ratio, not 0
        assert_true(fabs(high - low - 0.04 * r.ratio) < 1e-9);
        ug_retarget_report_fini(&r);
        ug_clip_destroy(out);
        ug_skeleton_destroy(t);
    }
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(plain);
}

// there and back between two rigs that share nothing but their joint counts: the body returns
static void test_there_and_back_again(void **state)
{
    (void)state;
    const test_walk w = { 120, 60, 0.8, 0.08, 0, 0 };
    const test_character man = { 1.0, 1.0, 3, 0.3, 71, true, "l", "r" };
    const test_character other = { 1.5, 1.2, 3, 0.9, 72, true, "L", "R" };
    ug_skeleton *s = test_character_create(&man), *t = test_character_create(&other);
    ug_clip *clip = test_walk_create(s, &w), *there = NULL, *back = NULL;
    const ug_retarget_opts opts = { .target_motion = clip };
    assert_int_equal(ug_retarget(&there, NULL, s, clip, t, NULL, NULL, NULL), UG_OK);
    assert_int_equal(ug_retarget(&back, NULL, t, there, s, &opts, NULL, NULL), UG_OK);
    double change_mm = -1.0;
    assert_int_equal(ug_pose_change_mm(&change_mm, s, clip, back, NULL), UG_OK);
    printf("there and back: %.2g mm\n", change_mm);
    assert_true(change_mm < 1e-3);
    ug_clip_destroy(there);
    ug_clip_destroy(back);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s16_soles_stand_and_jumps_fly),
        cmocka_unit_test(test_s17_the_world_path_of_the_hips_goes_over),
        cmocka_unit_test(test_there_and_back_again),
    };
    return cmocka_run_group_tests_name("accuracy/retarget", tests, NULL, NULL);
}
