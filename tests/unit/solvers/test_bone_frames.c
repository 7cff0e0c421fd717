// SPDX-License-Identifier: MIT
// Unit tests for solvers/bone_frames.c: rigs of any axes must agree on what a bone's frame is.
#include "solvers/bone_frames.h"

#include "motion/conventions.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct scene {
    ug_skeleton *skeleton;
    ug_body_map body;
    ug_foot_model feet[2];
    ug_bone_frames frames;
} scene;

static void open_scene(scene *s, double arm_down_rad, uint32_t axes, const ug_clip *clip)
{
    const test_character c = { 1.0, 1.0, 2, arm_down_rad, axes, true, "l", "r" };
    s->skeleton = test_character_create(&c);
    assert_int_equal(ug_body_map_init(&s->body, s->skeleton, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(s->feet, s->skeleton, &s->body, NULL), UG_OK);
    memset(&s->frames, 0xa5, sizeof s->frames);
    assert_int_equal(ug_bone_frames_init(&s->frames, s->skeleton, &s->body, s->feet, clip, NULL),
                     UG_OK);
}

static void close_scene(scene *s)
{
    ug_bone_frames_fini(&s->frames);
    ug_bone_frames_fini(NULL);
    ug_skeleton_destroy(s->skeleton);
}

static void test_axes_do_not_matter(void **state)
{
    (void)state;
    scene plain, odd;
    open_scene(&plain, 0.5, 0, NULL);
    open_scene(&odd, 0.5, 77, NULL);
    assert_int_equal(plain.frames.reference_frame, -1);
    for (size_t j = 0; j < plain.skeleton->joint_count; j++) {
        if (plain.skeleton->joints[j].role != UG_ROLE_NONE) {
            const ug_quat a = ug_bone_frames_pose(&plain.frames, (int)j);
            const ug_quat b = ug_bone_frames_pose(&odd.frames, (int)j);
            assert_true(ug_quat_angle(a, b) < 1e-7);
        }
    }
    close_scene(&plain);
    close_scene(&odd);
}

static void test_frames_point_where_they_should(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0.0, 5, NULL);
    const ug_vec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
    const ug_quat thigh = ug_bone_frames_pose(&s.frames, s.body.joint[UG_ROLE_L_THIGH]);
    assert_true(ug_quat_rotate(thigh, y).y < -0.999);
    assert_true(ug_quat_rotate(thigh, z).z > 0.999);
    assert_true(ug_quat_rotate(thigh, x).x <
                -0.999); // the hinge, as cross(hip - knee, ankle - knee)
    const ug_quat arm = ug_bone_frames_pose(&s.frames, s.body.joint[UG_ROLE_R_UPPER_ARM]);
    assert_true(ug_quat_rotate(arm, y).x < -0.999);
    assert_true(ug_quat_rotate(arm, z).z > 0.999);
    const ug_quat foot = ug_bone_frames_pose(&s.frames, s.body.joint[UG_ROLE_R_FOOT]);
    assert_true(ug_quat_rotate(foot, y).y > 0.999999);
    const ug_quat head = ug_bone_frames_pose(&s.frames, s.body.joint[UG_ROLE_HEAD]);
    assert_true(ug_quat_angle(head, UG_QUAT_IDENTITY) < 1e-7);
    assert_false(s.frames.has_thumb[0]);
    close_scene(&s);
}

static void test_hinge_comes_from_the_motion(void **state)
{
    (void)state;
    // legs that bend 15 degrees off the body's forward: the walk, its thighs turned about the bone
    const test_walk w = { 120, 60, 0.9, 0.08, 0, 0 };
    const test_character c = { 1.0, 1.0, 2, 0.0, 31, true, "l", "r" };
    ug_skeleton *skeleton = test_character_create(&c);
    ug_clip *clip = test_walk_create(skeleton, &w);
    const int thigh = ug_skeleton_find_role(skeleton, UG_ROLE_L_THIGH);
    const ug_vec3 bone = skeleton->joints[thigh + 1].offset_m;
    for (size_t f = 0; f < 120; f++) {
        ug_quat *q = &ug_clip_rotations(clip, f)[thigh];
        *q = ug_quat_mul(*q, ug_quat_from_axis_angle(bone, 15.0 * UG_DEG));
        // and the knee's axis the other way round in the thigh: it bends in the turned plane
    }
    scene still, moving;
    open_scene(&still, 0.0, 31, NULL);
    open_scene(&moving, 0.0, 31, clip);
    assert_false(still.frames.hinge_from_motion[UG_ROLE_L_THIGH]);
    assert_true(moving.frames.hinge_from_motion[UG_ROLE_L_THIGH]);
    assert_true(moving.frames.hinge_from_motion[UG_ROLE_R_SHIN]);
    assert_false(moving.frames.hinge_from_motion[UG_ROLE_L_UPPER_ARM]); // arms hang straight
    // bending is about the world's x in the shin's own axes, whatever the thigh's roll
    const int shin = thigh + 1;
    const ug_quat a = ug_bone_frames_pose(&still.frames, shin);
    const ug_quat b = ug_bone_frames_pose(&moving.frames, shin);
    assert_true(ug_quat_angle(a, b) < 1.0 * UG_DEG);
    close_scene(&still);
    close_scene(&moving);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(skeleton);
}

static void test_odd_rest_pose_gives_way_to_the_motion(void **state)
{
    (void)state;
    const test_walk w = { 60, 60, 0.5, 0.06, 0, 0 };
    const test_character c = { 1.0, 1.0, 2, 0.0, 0, true, "l", "r" };
    ug_skeleton *s = test_character_create(&c);
    ug_clip *clip = test_walk_create(s, &w);
    s->joints[0].rest = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, 1.5); // lies on its side
    ug_body_map body;
    ug_foot_model feet[2];
    ug_bone_frames frames;
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_clip(feet, s, &body, clip, NULL), UG_OK);
    assert_int_equal(ug_bone_frames_init(&frames, s, &body, feet, clip, NULL), UG_OK);
    assert_true(frames.reference_frame >= 0);
    assert_true(frames.reference_angle_rad < 0.6);
    ug_bone_frames_fini(&frames);
    // without a motion there is only the rest pose, and it says how bad it is
    assert_int_equal(ug_bone_frames_init(&frames, s, &body, feet, NULL, NULL), UG_OK);
    assert_int_equal(frames.reference_frame, -1);
    assert_true(frames.reference_angle_rad > 1.4);
    ug_bone_frames_fini(&frames);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

// A file whose pelvis rotations mean something else than its zero pose says: an extra quarter turn
// everywhere, which the hips' own translations and all children undo. Positions look normal.
static void test_rotations_that_contradict_the_rest_pose(void **state)
{
    (void)state;
    const test_walk w = { 60, 60, 0.5, 0.06, 0, 0 };
    const test_character c = { 1.0, 1.0, 2, 0.0, 0, true, "l", "r" };
    ug_skeleton *s = test_character_create(&c);
    ug_clip *plain = test_walk_create(s, &w);
    ug_body_map body;
    ug_foot_model feet[2];
    ug_bone_frames frames;
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(feet, s, &body, NULL), UG_OK);
    const ug_quat turn = ug_quat_from_axis_angle((ug_vec3){ 0, 1, 0 }, 1.5708);
    const int left = body.joint[UG_ROLE_L_THIGH], right = body.joint[UG_ROLE_R_THIGH];
    const int moved[3] = { 0, left, right };
    ug_clip *clip = ug_clip_create(60, s->joint_count, moved, 3, plain->rate);
    for (size_t f = 0; f < 60; f++) {
        ug_quat *local = ug_clip_rotations(clip, f);
        memcpy(local, ug_clip_rotations(plain, f), s->joint_count * sizeof *local);
        local[0] = ug_quat_mul(local[0], turn);
        for (size_t j = 1; j < s->joint_count; j++) {
            if (s->joints[j].parent == 0) {
                local[j] = ug_quat_mul(ug_quat_conj(turn), local[j]);
            }
        }
        ug_vec3 *at = ug_clip_translations(clip, f);
        at[0] = ug_clip_translations(plain, f)[0];
        at[1] = ug_quat_unrotate(turn, s->joints[left].offset_m);
        at[2] = ug_quat_unrotate(turn, s->joints[right].offset_m);
    }
    assert_int_equal(ug_bone_frames_init(&frames, s, &body, feet, clip, NULL), UG_OK);
    assert_true(frames.reference_frame >= 0);
    // so the pelvis' frame undoes the quarter turn
    ug_quat q[32];
    ug_vec3 m[32];
    ug_clip_forward(q, m, s, clip, 30);
    assert_true(ug_quat_angle(ug_quat_mul(q[0], frames.frame[0]), UG_QUAT_IDENTITY) < 1e-3);
    ug_bone_frames_fini(&frames);
    // a body that simply walks another way is no contradiction
    for (size_t f = 0; f < 60; f++) {
        ug_clip_rotations(plain, f)[0] = ug_quat_mul(turn, ug_clip_rotations(plain, f)[0]);
    }
    assert_int_equal(ug_bone_frames_init(&frames, s, &body, feet, plain, NULL), UG_OK);
    assert_int_equal(frames.reference_frame, -1);
    ug_bone_frames_fini(&frames);
    ug_clip_destroy(clip);
    ug_clip_destroy(plain);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes_do_not_matter),
        cmocka_unit_test(test_frames_point_where_they_should),
        cmocka_unit_test(test_hinge_comes_from_the_motion),
        cmocka_unit_test(test_odd_rest_pose_gives_way_to_the_motion),
        cmocka_unit_test(test_rotations_that_contradict_the_rest_pose),
    };
    return cmocka_run_group_tests_name("solvers/bone_frames", tests, NULL, NULL);
}
