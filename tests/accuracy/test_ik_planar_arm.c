// SPDX-License-Identifier: MIT
// A planar arm of two unit links against its closed form, and against targets it cannot reach:
// limits must hold in what is written, the outcome must say so, and nothing may tremble.
#include "motion/kinematics.h"
#include "motion/text.h"
#include "solvers/ik_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 100 };

typedef struct arm {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_take_result result;
} arm;

static int setup(void **state)
{
    arm *a = calloc(1, sizeof *a);
    a->skeleton = ug_skeleton_create(2);
    for (int j = 0; j < 2; j++) {
        ug_joint *joint = &a->skeleton->joints[j];
        joint->name = ug_text_copy(j ? "elbow" : "shoulder");
        joint->type = UG_JOINT_HINGE;
        joint->axes[0] = (ug_vec3){ 0, 0, 1 };
        joint->offset_m = (ug_vec3){ j, 0, 0 };
    }
    a->skeleton->joints[1].flags = UG_JOINT_HAS_LIMITS;
    a->skeleton->joints[1].limits_rad[0][1] = 150.0 * UG_DEG;
    const ug_attachment tip = {
        .label = "tip", .segment = "elbow", .joint = 1, .local_m = { 1, 0, 0 }, .weight = 1.0
    };
    *state = a;
    return ug_attachments_add(&a->attachments, &tip, NULL) == UG_OK ? 0 : -1;
}

static int teardown(void **state)
{
    arm *a = *state;
    ug_ik_take_result_fini(&a->result);
    ug_attachments_fini(&a->attachments);
    ug_skeleton_destroy(a->skeleton);
    free(a);
    return 0;
}

// solve for targets along the take: `count` of them, FRAMES frames each
static void reach(arm *a, const ug_vec3 *targets, size_t count, bool smooth)
{
    ug_markers *markers = ug_markers_create(count * FRAMES, 1, ug_rate_make(100, 1));
    markers->labels[0] = ug_text_copy("tip");
    for (size_t f = 0; f < count * FRAMES; f++) {
        ug_markers_set_m(markers, f, 0, targets[f / FRAMES], UG_ORIGIN_MEASURED);
    }
    ug_error err = { 0 };
    ug_ik_take_options options = ug_ik_take_default_options();
    options.smooth = smooth;
    ug_ik_take_result_fini(&a->result);
    if (ug_ik_take_solve(&a->result, NULL, markers, a->skeleton, &a->attachments, &options, &err) !=
        UG_OK) {
        fail_msg("%s", err.message);
    }
    ug_markers_destroy(markers);
}

static double angle(const arm *a, size_t frame, int joint)
{
    return ug_quat_log(ug_clip_rotations(a->result.clip, frame)[joint]).z;
}

static ug_vec3 tip(const arm *a, size_t frame)
{
    ug_quat q[2];
    ug_vec3 at[2];
    ug_clip_forward(q, at, a->skeleton, a->result.clip, frame);
    return ug_vec3_add(at[1], ug_quat_rotate(q[1], (ug_vec3){ 1, 0, 0 }));
}

// cos(elbow) = (d² − 2) / 2; elbow in 0 … 150° leaves one of the two solutions.
static void test_reachable_targets(void **state)
{
    arm *a = *state;
    const ug_vec3 targets[3] = { { 1.2, 0.9, 0 }, { -0.6, 1.1, 0 }, { 0.3, -0.5, 0 } };
    reach(a, targets, 3, false); // a target that leaps is no motion to smooth
    for (size_t f = 0; f < 3 * FRAMES; f++) {
        const ug_vec3 t = targets[f / FRAMES];
        const double elbow = acos((ug_vec3_dot(t, t) - 2.0) / 2.0);
        assert_true(fabs(angle(a, f, 1) - elbow) < 1e-3);
        assert_true(ug_vec3_distance(tip(a, f), t) < 1e-3);
        assert_int_equal(a->result.outcome[f], UG_IK_CONVERGED);
    }
}

// Within limits, finite, owned up to, and still: frames [first, first + FRAMES) of one target.
static void check_out_of_reach(const arm *a, size_t first)
{
    for (size_t f = first; f < first + FRAMES; f++) {
        const double shoulder = angle(a, f, 0), elbow = angle(a, f, 1);
        assert_true(isfinite(elbow) && isfinite(shoulder));
        assert_true(elbow >= -1e-9 && elbow <= 150.0 * UG_DEG + 1e-9);
        assert_int_equal(a->result.outcome[f], UG_IK_UNSOLVED); // not "converged"
        if (f > first) {
            assert_true(fabs(elbow - angle(a, f - 1, 1)) < 1e-6);
            assert_true(fabs(shoulder - angle(a, f - 1, 0)) < 1e-6);
        }
    }
}

static void test_targets_out_of_reach(void **state)
{
    arm *a = *state;
    const ug_vec3 far[2] = { { 5, 0, 0 }, { 0, 0, 0 } };
    for (int smooth = 0; smooth < 2; smooth++) {
        for (size_t i = 0; i < 2; i++) {
            reach(a, far + i, 1, smooth);
            check_out_of_reach(a, 0);
            // stretched out toward (5, 0); folded as far as the limit allows toward the base
            assert_true(fabs(angle(a, 50, 1) - (i ? 150.0 * UG_DEG : 0.0)) < 1e-6);
            assert_true(i || ug_vec3_distance(tip(a, 50), (ug_vec3){ 2, 0, 0 }) < 1e-6);
            assert_int_equal(a->result.limit_held[0], 0); // the shoulder has no limit
            assert_true(i == 0 || a->result.limit_held[1] == FRAMES);
        }
    }
    // one after the other: a large first step at the leap
    reach(a, far, 2, false);
    check_out_of_reach(a, 0);
    check_out_of_reach(a, FRAMES);
    assert_true(fabs(angle(a, 150, 1) - 150.0 * UG_DEG) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reachable_targets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_targets_out_of_reach, setup, teardown),
    };
    return cmocka_run_group_tests_name("accuracy/ik_planar_arm", tests, NULL, NULL);
}
