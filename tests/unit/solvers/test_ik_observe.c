// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_observe.c: which joints markers decide, case by case.
#include "solvers/ik_observe.h"
#include "tests/support/humanoid.h"

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
    void *memory;
    double *scratch, weight[HUMANOID_MARKERS];
    ug_ik_frame frame;
    unsigned char undecided[HUMANOID_JOINTS];
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    double pose[7 * HUMANOID_JOINTS];
    fx->skeleton = humanoid_skeleton();
    humanoid_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK) {
        return -1;
    }
    fx->memory = malloc(ug_ik_frame_bytes(fx->model));
    fx->scratch = malloc(ug_ik_observe_doubles(fx->model) * sizeof *fx->scratch);
    ug_ik_frame_init(&fx->frame, fx->model, fx->memory);
    ug_ik_pose_rest(pose, fx->model);
    ug_ik_forward(&fx->frame, fx->model, pose);
    for (int m = 0; m < HUMANOID_MARKERS; m++) {
        fx->weight[m] = 1.0 / (0.005 * 0.005);
    }
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    free(fx->memory);
    free(fx->scratch);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static void hide(fixture *fx, const char *label)
{
    const ptrdiff_t m = ug_attachments_find(&fx->attachments, label);
    assert_true(m >= 0);
    fx->weight[m] = 0.0;
}

// names of the undecided joints, in order
static void assert_undecided(fixture *fx, const char *expected)
{
    char names[512] = "";
    memset(fx->undecided, 0xa5, sizeof fx->undecided);
    ug_ik_undecided(fx->undecided, fx->model, &fx->frame, fx->weight, fx->scratch);
    for (int j = 0; j < HUMANOID_JOINTS; j++) {
        if (fx->undecided[j]) {
            strcat(strcat(names, names[0] ? " " : ""), HUMANOID[j].name);
        }
    }
    assert_string_equal(names, expected);
}

static void test_everything_in_view(void **state)
{
    assert_undecided(*state, "");
}

static void test_bare_leaf(void **state)
{
    hide(*state, "l_hand_0");
    hide(*state, "l_hand_1");
    assert_undecided(*state, ""); // one marker decides two angles
    hide(*state, "l_hand_2");
    assert_undecided(*state, "l_hand");
}

// A ball with one marker left below it can still spin about the line to that marker.
static void test_ball_with_one_marker(void **state)
{
    const char *const gone[] = { "r_foot_0", "r_foot_1", "r_toes_0", "r_toes_1", "r_toes_2" };
    for (size_t i = 0; i < 5; i++) {
        hide(*state, gone[i]);
    }
    assert_undecided(*state, "r_foot r_toes");
}

// A bare link between two that are seen is decided by what hangs on it.
static void test_bare_link_inside_a_chain(void **state)
{
    for (int i = 0; i < 3; i++) {
        char label[32];
        snprintf(label, sizeof label, "l_shank_%d", i);
        hide(*state, label);
    }
    assert_undecided(*state, "");
}

static void test_nothing_in_view(void **state)
{
    fixture *fx = *state;
    memset(fx->weight, 0, sizeof fx->weight);
    ug_ik_undecided(fx->undecided, fx->model, &fx->frame, fx->weight, fx->scratch);
    for (int j = 0; j < HUMANOID_JOINTS; j++) {
        assert_int_equal(fx->undecided[j], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_everything_in_view, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bare_leaf, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ball_with_one_marker, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bare_link_inside_a_chain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_in_view, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_observe", tests, NULL, NULL);
}
