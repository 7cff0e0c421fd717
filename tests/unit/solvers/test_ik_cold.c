// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_cold.c: a body is found whichever way it lies.
#include "solvers/ik_cold.h"
#include "solvers/ik_postures.h"
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
    ug_ik_library library;
    ug_ik_options options;
    void *workspace, *memory;
    ug_ik_frame frame;
    double *pose, *truth, *weight;
    double *measured; // (marker_count x 3)
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = humanoid_skeleton();
    humanoid_attachments(&fx->attachments);
    if (fx->attachments.count != HUMANOID_MARKERS ||
        ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK ||
        ug_ik_library_create(&fx->library, fx->model, fx->skeleton, NULL) != UG_OK) {
        return -1;
    }
    fx->options = ug_ik_default_options();
    fx->workspace = malloc(ug_ik_cold_bytes(fx->model, &fx->library, fx->options.stepper));
    fx->memory = malloc(ug_ik_frame_bytes(fx->model));
    ug_ik_frame_init(&fx->frame, fx->model, fx->memory);
    fx->pose = malloc(fx->model->pose_size * sizeof *fx->pose);
    fx->truth = malloc(fx->model->pose_size * sizeof *fx->truth);
    fx->weight = malloc(HUMANOID_MARKERS * sizeof *fx->weight);
    fx->measured = malloc(3 * HUMANOID_MARKERS * sizeof *fx->measured);
    for (int m = 0; m < HUMANOID_MARKERS; m++) {
        fx->weight[m] = 1.0;
    }
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    free(fx->workspace);
    free(fx->memory);
    free(fx->pose);
    free(fx->truth);
    free(fx->weight);
    free(fx->measured);
    ug_ik_library_fini(&fx->library);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

// A posture, bent a little further, turned and carried anywhere.
static void pose_truth(fixture *fx, size_t posture, int variant)
{
    double step[6 * HUMANOID_JOINTS];
    memcpy(fx->truth, fx->library.poses + posture * fx->model->pose_size,
           fx->model->pose_size * sizeof *fx->truth);
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        step[d] = 0.15 * sin(1.9 * (double)d + variant);
    }
    for (int i = 0; i < 3; i++) {
        step[i] = 5.0 * sin(variant + 2.0 * i);
        step[3 + i] = 2.5 * sin(1.3 * variant + 1.1 * i);
    }
    ug_ik_retract(fx->truth, fx->model, fx->truth, step);
    ug_ik_forward(&fx->frame, fx->model, fx->truth);
    memcpy(fx->measured, fx->frame.marker_m, 3 * HUMANOID_MARKERS * sizeof *fx->measured);
}

static double rms_m(const fixture *fx)
{
    double square = 0.0;
    ug_ik_frame *frame = (ug_ik_frame *)&fx->frame;
    ug_ik_forward(frame, fx->model, fx->pose);
    for (int m = 0; m < HUMANOID_MARKERS; m++) {
        const double d = ug_vec3_distance(frame->marker_m[m], ug_vec3_of(fx->measured + 3 * m));
        square += fx->weight[m] * d * d;
    }
    return sqrt(square / HUMANOID_MARKERS);
}

// The pose prior pulls a little (sigma 10° and more against 5 mm): well under a millimetre.
static void test_finds_every_posture_in_any_orientation(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    for (size_t p = 0; p < ug_posture_count(); p++) {
        for (int variant = 0; variant < 3; variant++) {
            pose_truth(fx, p, variant + 3 * (int)p);
            const ug_ik_result r = ug_ik_cold_solve(fx->pose, fx->model, &target, &fx->library,
                                                    &fx->options, 3, fx->workspace);
            if (!(rms_m(fx) < 1e-3)) {
                fail_msg("posture %s, variant %d: %.1f mm, cost %.1f", ug_posture_name(p), variant,
                         1e3 * rms_m(fx), r.cost);
            }
            assert_true(r.converged);
        }
    }
}

static void test_missing_markers_are_not_read(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    pose_truth(fx, 7, 5);
    for (int m = 0; m < HUMANOID_MARKERS; m += 4) {
        fx->weight[m] = 0.0;
        fx->measured[3 * m] = fx->measured[3 * m + 1] = fx->measured[3 * m + 2] = (double)NAN;
    }
    (void)ug_ik_cold_solve(fx->pose, fx->model, &target, &fx->library, &fx->options, 3,
                           fx->workspace);
    for (int m = 0; m < HUMANOID_MARKERS; m += 4) {
        fx->measured[3 * m] = fx->measured[3 * m + 1] = fx->measured[3 * m + 2] = 0.0;
    }
    assert_true(rms_m(fx) < 1e-3);
    memset(fx->weight, 0, HUMANOID_MARKERS * sizeof *fx->weight);
    const ug_ik_result r = ug_ik_cold_solve(fx->pose, fx->model, &target, &fx->library,
                                            &fx->options, 3, fx->workspace);
    assert_true(isinf(r.cost) && !r.converged);
    assert_memory_equal(fx->pose, fx->library.poses, fx->model->pose_size * sizeof *fx->pose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_finds_every_posture_in_any_orientation, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_missing_markers_are_not_read, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_cold", tests, NULL, NULL);
}
