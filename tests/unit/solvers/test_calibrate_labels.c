// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_labels.c.
#include "solvers/calibrate_labels.h"

#include "solvers/ik_pose.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 7 };

// A body at rest, its markers where the table has them.
typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments table;
    ug_ik_model *model;
    double *poses;
    ug_samples samples; // arrays owned here
    int partner[64];
    ug_vec3 sigma[64];
} fixture;

static void measure(fixture *fx)
{
    const size_t n = fx->model->marker_count;
    void *memory = malloc(ug_ik_frame_bytes(fx->model));
    assert_non_null(memory);
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->model, memory);
    for (size_t t = 0; t < FRAMES; t++) {
        ug_ik_forward(&frame, fx->model, fx->poses + t * fx->model->pose_size);
        for (size_t m = 0; m < n; m++) {
            memcpy(fx->samples.measured_m + 3 * (t * n + m), &frame.marker_m[m], sizeof(ug_vec3));
            fx->samples.weight[t * n + m] = 1.0;
        }
    }
    free(memory);
    ug_samples_count(&fx->samples);
}

static void setup(fixture *fx)
{
    *fx = (fixture){ .skeleton = support_humanoid() };
    assert_true(fx->skeleton && support_markers(&fx->table, fx->skeleton));
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->table, NULL, NULL), UG_OK);
    const size_t n = fx->model->marker_count;
    fx->poses = malloc(FRAMES * fx->model->pose_size * sizeof(double));
    fx->samples = (ug_samples){ .frame_count = FRAMES,
                                .marker_count = n,
                                .measured_m = malloc(FRAMES * n * sizeof(ug_vec3)),
                                .weight = malloc(FRAMES * n * sizeof(double)),
                                .visible = calloc(FRAMES, sizeof(size_t)),
                                .seen = calloc(n, sizeof(size_t)) };
    assert_true(fx->poses && fx->samples.measured_m && fx->samples.weight && fx->samples.visible &&
                fx->samples.seen);
    for (size_t t = 0; t < FRAMES; t++) {
        ug_ik_pose_rest(fx->poses + t * fx->model->pose_size, fx->model);
    }
    for (size_t m = 0; m < n; m++) {
        fx->sigma[m] = fx->table.items[m].sigma_m;
    }
    measure(fx);
}

static void teardown(fixture *fx)
{
    ug_samples_fini(&fx->samples);
    free(fx->poses);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->table);
    ug_skeleton_destroy(fx->skeleton);
}

static size_t find(const fixture *fx, const char *label)
{
    const ptrdiff_t m = ug_attachments_find(&fx->table, label);
    assert_true(m >= 0);
    return (size_t)m;
}

static double *weight(fixture *fx, size_t t, const char *label)
{
    return fx->samples.weight + t * fx->samples.marker_count + find(fx, label);
}

static double *place(fixture *fx, size_t t, const char *label)
{
    return fx->samples.measured_m + 3 * (t * fx->samples.marker_count + find(fx, label));
}

static void test_strays_are_out_of_reach(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx);
    assert_int_equal(ug_labels_drop_strays(&fx.samples, fx.skeleton, &fx.table, true, NULL), UG_OK);
    for (size_t i = 0; i < FRAMES * 41; i++) {
        assert_true(fx.samples.weight[i] == 1.0); // nobody at rest is one
    }
    // frame 2: the toe marker sails off while the rest of the foot is hidden
    place(&fx, 2, "RTOE")[1] += 0.9;
    *weight(&fx, 2, "RHEE") = *weight(&fx, 2, "RMT5") = 0.0;
    // frame 3: by 30 cm, out of reach for known bones only
    place(&fx, 3, "LTOE")[0] += 0.30;
    // frame 4: with a single neighbour in sight nobody can tell
    place(&fx, 4, "LFIN")[0] += 2.0;
    for (size_t m = 0; m < 41; m++) {
        const char *label = fx.table.items[m].label;
        if (strcmp(label, "LFIN") != 0 && strcmp(label, "LWRA") != 0) {
            *weight(&fx, 4, label) = 0.0;
        }
    }
    ug_samples_count(&fx.samples);
    assert_int_equal(ug_labels_drop_strays(&fx.samples, fx.skeleton, &fx.table, false, NULL),
                     UG_OK);
    assert_true(*weight(&fx, 2, "RTOE") == UG_SAMPLE_STRAY);
    assert_true(*weight(&fx, 2, "RANK") == 1.0);
    assert_true(*weight(&fx, 2, "RHEE") == 0.0);
    assert_true(*weight(&fx, 3, "LTOE") == 1.0);
    assert_true(*weight(&fx, 4, "LFIN") == 1.0);
    assert_int_equal(fx.samples.seen[find(&fx, "RTOE")], FRAMES - 2);
    assert_int_equal(ug_labels_drop_strays(&fx.samples, fx.skeleton, &fx.table, true, NULL), UG_OK);
    assert_true(*weight(&fx, 3, "LTOE") == UG_SAMPLE_STRAY);
    assert_true(*weight(&fx, 3, "LHEE") == 1.0 && *weight(&fx, 3, "LMT5") == 1.0);
    teardown(&fx);
}

static size_t exchanged(fixture *fx)
{
    size_t pairs = 99;
    const ug_bundle_frames frames = { FRAMES, fx->samples.measured_m, fx->samples.weight };
    memset(fx->partner, 0x5a, sizeof fx->partner);
    assert_int_equal(ug_labels_find_exchanged(fx->partner, &pairs, fx->model, fx->sigma, fx->poses,
                                              &frames, NULL),
                     UG_OK);
    return pairs;
}

static void swap(fixture *fx, const char *a, const char *b)
{
    for (size_t t = 0; t < FRAMES; t++) {
        double keep[3];
        memcpy(keep, place(fx, t, a), sizeof keep);
        memcpy(place(fx, t, a), place(fx, t, b), sizeof keep);
        memcpy(place(fx, t, b), keep, sizeof keep);
    }
}

static void test_exchanged_pairs_are_suspected(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx);
    assert_int_equal(exchanged(&fx), 0);
    for (size_t m = 0; m < 41; m++) {
        assert_int_equal(fx.partner[m], -1);
    }
    swap(&fx, "LFWT", "RBWT");
    swap(&fx, "C7", "STRN");
    swap(&fx, "LKNE", "LANK");     // on different segments: not this test's business
    place(&fx, 0, "C7")[0] += 5.0; // medians do not care
    assert_int_equal(exchanged(&fx), 2);
    assert_int_equal(fx.partner[find(&fx, "LFWT")], find(&fx, "RBWT"));
    assert_int_equal(fx.partner[find(&fx, "RBWT")], find(&fx, "LFWT"));
    assert_int_equal(fx.partner[find(&fx, "STRN")], find(&fx, "C7"));
    assert_int_equal(fx.partner[find(&fx, "LKNE")], -1);
    teardown(&fx);
}

// The head has turned by half a turn to please exchanged labels: seen from the head all is well,
// seen from the neck it is not.
static void test_a_turned_joint_hides_nothing(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx);
    const ug_ik_joint *head = &fx.model->joints[ug_skeleton_find(fx.skeleton, "head")];
    double *step = calloc(fx.model->dof_count, sizeof *step);
    assert_non_null(step);
    step[head->dof + 1] = 0.95 * UG_PI;
    for (size_t t = 0; t < FRAMES; t++) {
        double *pose = fx.poses + t * fx.model->pose_size;
        ug_ik_retract(pose, fx.model, pose, step);
    }
    measure(&fx);
    assert_int_equal(exchanged(&fx), 2);
    assert_int_equal(fx.partner[find(&fx, "LFHD")], find(&fx, "RBHD"));
    assert_int_equal(fx.partner[find(&fx, "RFHD")], find(&fx, "LBHD"));
    free(step);
    teardown(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strays_are_out_of_reach),
        cmocka_unit_test(test_exchanged_pairs_are_suspected),
        cmocka_unit_test(test_a_turned_joint_hides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
