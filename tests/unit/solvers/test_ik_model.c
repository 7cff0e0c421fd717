// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_model.c: who gets a degree of freedom, and where it stands.
#include "solvers/ik_model.h"
#include "tests/support/mixed_body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = mixed_skeleton();
    mixed_attachments(&fx->attachments);
    *state = fx;
    return fx->skeleton ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static void test_layout_follows_the_types(void **state)
{
    fixture *fx = *state;
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL),
                     UG_OK);
    const ug_ik_model *m = fx->model;
    // 6 + 3 + 2 + 1 + 6 + 0 + (unseen) 0 + 3
    assert_int_equal(m->dof_count, 21);
    assert_int_equal(m->pose_size, 7 + 4 + 2 + 1 + 7 + 4);
    assert_int_equal(m->joints[6].type, UG_JOINT_FIXED);
    assert_int_equal(m->joints[7].chain_length, 6 + 3 + 2 + 1 + 3);
    assert_int_equal(m->chains[m->joints[7].chain + 12], m->joints[7].dof);
    assert_int_equal(m->chains[m->joints[5].chain + 6], m->joints[4].dof);
    assert_int_equal(m->by_joint_start[5], 9);
    assert_int_equal(m->by_joint[9], 9);
    assert_int_equal(m->dof_joint[m->joints[3].dof], 3);
    assert_true(m->low_rad[m->joints[2].dof + 1] == fx->skeleton->joints[2].limits_rad[1][0]);
    // a FREE joint is exempt whatever its flags say
    assert_true(isinf(m->low_rad[3]) && isinf(m->sigma_rad[3]));
    assert_true(ug_ik_is_ancestor(m, 1, 7) && ug_ik_is_ancestor(m, 7, 7));
    assert_false(ug_ik_is_ancestor(m, 4, 7));
}

static void test_unseen_and_locked_joints_are_not_solved(void **state)
{
    fixture *fx = *state;
    bool seen[MIXED_MARKERS];
    for (int m = 0; m < MIXED_MARKERS; m++) {
        seen[m] = m != 11; // the only marker of joint 7
    }
    fx->attachments.items[9].kind = UG_MARKER_COMPUTED;
    fx->attachments.items[10].weight = 0.0;
    fx->skeleton->joints[3].flags |= UG_JOINT_LOCKED;
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, seen, NULL),
                     UG_OK);
    assert_int_equal(fx->model->joints[7].dof_count, 0);
    assert_int_equal(fx->model->joints[3].dof_count, 0);
    assert_int_equal(fx->model->joints[4].dof_count, 6); // marker 8 still sits on it
    assert_true(fx->model->markers[9].weight == 0.0 && fx->model->markers[10].weight == 0.0);
    assert_true(fx->model->markers[11].weight == 0.0);
}

// A marker on the last joint of a chain makes the bare joints above it solvable.
static void test_bare_joints_above_a_marker_are_solved(void **state)
{
    fixture *fx = *state;
    bool seen[MIXED_MARKERS] = { false };
    seen[0] = seen[11] = true; // on joints 0 and 7; 1, 2 and 3 between them are bare
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, seen, NULL),
                     UG_OK);
    assert_int_equal(fx->model->joints[1].dof_count, 3);
    assert_int_equal(fx->model->joints[2].dof_count, 2);
    assert_int_equal(fx->model->joints[3].dof_count, 1);
    assert_int_equal(fx->model->joints[4].dof_count, 0);
}

static void test_copy_is_deep(void **state)
{
    fixture *fx = *state;
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL),
                     UG_OK);
    ug_ik_model *copy = ug_ik_model_copy(fx->model);
    assert_non_null(copy);
    copy->joints[1].offset_m.x = 9.0;
    copy->markers[0].local_m.x = 9.0;
    assert_true(fx->model->joints[1].offset_m.x != 9.0);
    assert_true(fx->model->markers[0].local_m.x != 9.0);
    assert_memory_equal(copy->chains, fx->model->chains,
                        (size_t)(6 + 9 + 11 + 12 + 12 + 12 + 6 + 15) * sizeof(int));
    ug_ik_model_destroy(copy);
}

static void test_marker_without_a_joint_is_named(void **state)
{
    fixture *fx = *state;
    ug_error err = { 0 };
    fx->attachments.items[4].joint = -1;
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, &err),
                     UG_E_DATA);
    assert_null(fx->model);
    assert_string_equal(err.message,
                        "marker 'M4' sits on segment 'joint2', which the skeleton does not have");
}

static void test_nothing_visible_is_not_enough(void **state)
{
    fixture *fx = *state;
    const bool seen[MIXED_MARKERS] = { false };
    ug_error err = { 0 };
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, seen, &err),
                     UG_E_NOT_ENOUGH);
    assert_null(fx->model);
    assert_non_null(strstr(err.message, "no visible marker"));
    const ug_attachments none = { 0 };
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &none, NULL, NULL),
                     UG_E_NOT_ENOUGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_layout_follows_the_types, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unseen_and_locked_joints_are_not_solved, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_bare_joints_above_a_marker_are_solved, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_copy_is_deep, setup, teardown),
        cmocka_unit_test_setup_teardown(test_marker_without_a_joint_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_visible_is_not_enough, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_model", tests, NULL, NULL);
}
