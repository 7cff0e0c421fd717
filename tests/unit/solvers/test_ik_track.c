// SPDX-License-Identifier: MIT
// Unit tests for the passes of solvers/ik_track.c: following, cuts, re-seeding.
#include "solvers/ik_track.h"
#include "tests/support/humanoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 24, POSE_MAX = 7 * HUMANOID_JOINTS, DOF_MAX = 6 * HUMANOID_JOINTS };

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    ug_ik_track track;
    double measured[FRAMES * HUMANOID_MARKERS * 3], weight[FRAMES * HUMANOID_MARKERS];
    size_t visible[FRAMES];
    double truth[FRAMES][POSE_MAX];
} fixture;

static void observe(fixture *fx, size_t f)
{
    void *memory = malloc(ug_ik_frame_bytes(fx->model));
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->model, memory);
    ug_ik_forward(&frame, fx->model, fx->truth[f]);
    memcpy(fx->measured + 3 * f * HUMANOID_MARKERS, frame.marker_m,
           HUMANOID_MARKERS * sizeof *frame.marker_m);
    free(memory);
}

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = humanoid_skeleton();
    humanoid_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK ||
        ug_ik_library_create(&fx->track.library, fx->model, fx->skeleton, NULL) != UG_OK) {
        return -1;
    }
    ug_ik_track *t = &fx->track;
    t->model = fx->model;
    t->frame_count = FRAMES;
    t->measured_m = fx->measured;
    t->weight = fx->weight;
    t->visible = fx->visible;
    t->visible_most = HUMANOID_MARKERS;
    t->visible_least = 3;
    t->options = ug_ik_default_options();
    t->workers = 1;
    t->workspace_bytes = ug_ik_track_bytes(t);
    t->workspace = malloc(t->workspace_bytes);
    t->poses = malloc(FRAMES * fx->model->pose_size * sizeof *t->poses);
    t->scratch = malloc(FRAMES * fx->model->pose_size * sizeof *t->scratch);
    t->costs = malloc(FRAMES * sizeof *t->costs);
    t->settled = calloc(FRAMES, 1);
    t->lost = calloc(FRAMES, 1);
    t->weak = calloc((size_t)FRAMES * HUMANOID_JOINTS, 1);
    t->hit = calloc((size_t)FRAMES * HUMANOID_JOINTS, 1);
    t->over_rad = calloc((size_t)FRAMES * HUMANOID_JOINTS, sizeof *t->over_rad);
    t->iterations = calloc(FRAMES, sizeof *t->iterations);
    for (size_t f = 0; f < FRAMES; f++) {
        double angles[DOF_MAX] = { 0 };
        fx->visible[f] = HUMANOID_MARKERS;
        for (size_t m = 0; m < HUMANOID_MARKERS; m++) {
            fx->weight[f * HUMANOID_MARKERS + m] = 1.0;
        }
        for (size_t d = 6; d < fx->model->dof_count; d++) {
            angles[d] = 0.1 * sin(0.2 * (double)f + 1.3 * (double)d);
        }
        angles[1] = 0.95;
        ug_ik_pose_from_angles(fx->truth[f], fx->model, angles);
        observe(fx, f);
    }
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    free(fx->track.workspace);
    free(fx->track.poses);
    free(fx->track.scratch);
    free(fx->track.costs);
    free(fx->track.settled);
    free(fx->track.lost);
    free(fx->track.weak);
    free(fx->track.hit);
    free(fx->track.over_rad);
    free(fx->track.iterations);
    ug_ik_library_fini(&fx->track.library);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static double worst_mm(const fixture *fx, size_t f)
{
    void *memory = malloc(ug_ik_frame_bytes(fx->model));
    double worst = 0.0;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->model, memory);
    ug_ik_forward(&frame, fx->model, ug_ik_track_pose(&fx->track, f));
    for (size_t m = 0; m < HUMANOID_MARKERS; m++) {
        const double *y = fx->measured + 3 * (f * HUMANOID_MARKERS + m);
        worst = fmax(worst, 1e3 * ug_vec3_distance(frame.marker_m[m], ug_vec3_of(y)));
    }
    free(memory);
    return worst;
}

static void test_every_frame_is_followed(void **state)
{
    fixture *fx = *state;
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    for (size_t f = 0; f < FRAMES; f++) {
        assert_true(worst_mm(fx, f) < 1.0 && fx->track.settled[f] && !fx->track.lost[f]);
    }
}

// From one frame to the next the body turns about and lies down elsewhere: no warm start gets
// there, looking again does.
static void test_cut_in_the_take(void **state)
{
    fixture *fx = *state;
    for (size_t f = 14; f < FRAMES; f++) {
        double step[DOF_MAX] = { 2.0, -0.8, 1.0, 0.9, 0.3, -2.8 };
        memcpy(fx->truth[f], fx->track.library.poses + 11 * fx->model->pose_size, // sitting
               fx->model->pose_size * sizeof(double));
        ug_ik_retract(fx->truth[f], fx->model, fx->truth[f], step);
        observe(fx, f);
    }
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    for (size_t f = 0; f < FRAMES; f++) {
        assert_true(worst_mm(fx, f) < 1.0);
    }
}

// A hand that nobody sees any more stays as it was bent, and does not spring back to rest.
static void test_hidden_joint_is_held(void **state)
{
    fixture *fx = *state;
    const int hand = ug_skeleton_find(fx->skeleton, "r_hand");
    const int bend = fx->model->joints[hand].state;
    for (size_t f = 0; f < FRAMES; f++) {
        fx->truth[f][bend] = 0.8;
        observe(fx, f);
        for (size_t m = 0; m < HUMANOID_MARKERS && f >= 12; m++) {
            if (fx->model->markers[m].joint == hand) {
                fx->weight[f * HUMANOID_MARKERS + m] = 0.0;
                fx->visible[f]--;
            }
        }
    }
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    assert_true(fabs(ug_ik_track_pose(&fx->track, 11)[bend] - 0.8) < 0.02);
    // against a prior of 35° about rest, a pull of 0.1 rad toward the frame before gives way slowly
    assert_true(ug_ik_track_pose(&fx->track, FRAMES - 1)[bend] > 0.5);
}

// A frame that fell into a wrong minimum is put right from its neighbour, whichever side.
static void test_reseed_from_a_neighbour(void **state)
{
    fixture *fx = *state;
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    const size_t bad[] = { 0, 9, 10, FRAMES - 1 };
    double before[FRAMES];
    memcpy(before, fx->track.costs, sizeof before);
    for (size_t i = 0; i < 4; i++) {
        ug_ik_pose_rest(ug_ik_track_pose(&fx->track, bad[i]), fx->model);
        fx->track.costs[bad[i]] = 1e4;
    }
    ug_ik_reseed(&fx->track);
    for (size_t f = 0; f < FRAMES; f++) {
        assert_true(worst_mm(fx, f) < 1.0);
        assert_true(fx->track.costs[f] <= 1.001 * before[f] + 1e-6);
    }
}

// Frames that show too little keep out of it; a piece without a usable frame stays at rest.
static void test_unusable_frames(void **state)
{
    fixture *fx = *state;
    for (size_t f = 0; f < FRAMES; f++) {
        fx->visible[f] = f == 5 ? HUMANOID_MARKERS : 2;
    }
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    assert_true(worst_mm(fx, 5) < 1.0 && isinf(fx->track.costs[4]));
    fx->visible[5] = 2;
    assert_int_equal(ug_ik_follow(&fx->track, NULL), UG_OK);
    double rest[POSE_MAX];
    ug_ik_pose_rest(rest, fx->model);
    assert_memory_equal(ug_ik_track_pose(&fx->track, 5), rest, fx->model->pose_size * sizeof *rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_frame_is_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_in_the_take, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hidden_joint_is_held, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reseed_from_a_neighbour, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unusable_frames, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_track", tests, NULL, NULL);
}
