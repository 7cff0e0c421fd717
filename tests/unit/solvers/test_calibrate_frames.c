// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_frames.c.
#include "solvers/calibrate_frames.h"

#include "solvers/ik_pose.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void test_spread_gives_every_take_its_share(void **state)
{
    (void)state;
    // take 0 has 20 rows, take 1 is not usable at all, take 2 has 980, take 3 has 3
    size_t take[1003], usable[1003], rows[200];
    for (size_t i = 0; i < 1003; i++) {
        take[i] = i < 20 ? 0 : i < 1000 ? 2 : 3;
        usable[i] = i;
    }
    const ug_samples samples = { .frame_count = 1003, .take = take };
    const size_t count = ug_frames_spread(rows, 100, &samples, usable, 1003, 4);
    size_t each[4] = { 0 };
    for (size_t i = 0; i < count; i++) {
        each[take[rows[i]]]++;
        assert_true(i == 0 || rows[i] > rows[i - 1]);
    }
    assert_int_equal(each[0], 6); // not 2
    assert_int_equal(each[1], 0);
    assert_int_equal(each[2], 97);
    assert_int_equal(each[3], 3); // all it has
    // evenly: no two of the long take closer than 10 rows apart
    for (size_t i = 7; i < 6 + 97; i++) {
        assert_true(rows[i] - rows[i - 1] >= 10 && rows[i] - rows[i - 1] <= 11);
    }
    assert_int_equal(ug_frames_spread(rows, 100, &samples, usable, 0, 4), 0);
    assert_int_equal(ug_frames_spread(rows, 100, &samples, usable, 1, 1), 1);
}

static void test_worst_frames_are_dropped(void **state)
{
    (void)state;
    const double cost[10] = { 5, 1, 9, 5, 3, 5, 2, INFINITY, 5, 4 };
    double scratch[10];
    bool keep[10];
    memset(keep, 0x5a, sizeof keep);
    ug_frames_drop_worst(keep, scratch, cost, 10, 0.3);
    // 9 and INFINITY go, and the last of the equal ones
    const bool wanted[10] = { true, true, false, true, true, true, true, false, false, true };
    assert_memory_equal(keep, wanted, sizeof keep);
    ug_frames_drop_worst(keep, scratch, cost, 10, 0.0);
    for (size_t i = 0; i < 10; i++) {
        assert_true(keep[i]);
    }
    ug_frames_drop_worst(keep, scratch, cost, 0, 0.5);
}

// Frames that differ by one elbow angle: farthest points of a line are its ends, then the middle.
static void test_farthest_points_of_a_line(void **state)
{
    (void)state;
    enum { COUNT = 9 };
    ug_skeleton *skeleton = support_humanoid();
    ug_attachments table = { 0 };
    ug_ik_model *model;
    assert_true(support_markers(&table, skeleton));
    assert_int_equal(ug_ik_model_create(&model, skeleton, &table, NULL, NULL), UG_OK);
    const size_t n = model->marker_count, size = model->pose_size;
    double *poses = malloc(COUNT * size * sizeof *poses),
           *step = calloc(model->dof_count, sizeof *step);
    double *weight = malloc(COUNT * n * sizeof *weight), cost[COUNT];
    bool keep[COUNT];
    assert_true(poses && step && weight);
    const ug_ik_joint *elbow = &model->joints[ug_skeleton_find(skeleton, "l_forearm")];
    for (size_t t = 0; t < COUNT; t++) {
        ug_ik_pose_rest(poses + t * size, model);
        step[elbow->dof] = -0.1 * (double)t;
        step[0] = 5.0 * (double)(t % 2); // walking about is no difference
        step[4] = 1.5 * (double)(t % 3); // nor is turning
        ug_ik_retract(poses + t * size, model, poses + t * size, step);
        cost[t] = t == 0 ? 1.0 : 2.0;
        keep[t] = true;
        for (size_t m = 0; m < n; m++) {
            weight[t * n + m] = 1.0;
        }
    }
    size_t chosen[COUNT], count;
    assert_int_equal(
        ug_frames_farthest(chosen, &count, 3, model, poses, weight, cost, keep, COUNT, NULL),
        UG_OK);
    assert_int_equal(count, 3);
    assert_int_equal(chosen[0], 0);
    assert_int_equal(chosen[1], 4);
    assert_int_equal(chosen[2], 8);

    // a frame that is not kept is never chosen; a marker seen in few frames brings these along
    keep[8] = false;
    for (size_t t = 0; t < COUNT; t++) {
        weight[t * n + 5] = t == 2 || t == 6 || t == 8 ? 1.0 : 0.0;
    }
    assert_int_equal(
        ug_frames_farthest(chosen, &count, 3, model, poses, weight, cost, keep, COUNT, NULL),
        UG_OK);
    const size_t wanted[5] = { 0, 2, 4, 6, 7 };
    assert_int_equal(count, 5);
    assert_memory_equal(chosen, wanted, sizeof wanted);

    // more than there are; none at all
    assert_int_equal(
        ug_frames_farthest(chosen, &count, 50, model, poses, weight, cost, keep, COUNT, NULL),
        UG_OK);
    assert_int_equal(count, 8);
    memset(keep, 0, sizeof keep);
    assert_int_equal(
        ug_frames_farthest(chosen, &count, 50, model, poses, weight, cost, keep, COUNT, NULL),
        UG_OK);
    assert_int_equal(count, 0);
    free(poses);
    free(step);
    free(weight);
    ug_ik_model_destroy(model);
    ug_attachments_fini(&table);
    ug_skeleton_destroy(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread_gives_every_take_its_share),
        cmocka_unit_test(test_worst_frames_are_dropped),
        cmocka_unit_test(test_farthest_points_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
