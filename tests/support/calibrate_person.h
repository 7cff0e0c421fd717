// SPDX-License-Identifier: MIT
// A template, a synthetic person with other bones, and a take of him: for tests of calibration.
#pragma once

#include "solvers/calibrate.h"
#include "solvers/ik_pose.h"
#include "tests/support/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PERSON_FRAMES = 160 };

// A template, a person who differs from it, and a take of that person.
typedef struct test_person {
    ug_skeleton *skeleton, *person;
    ug_attachments attachments, places;
    ug_ik_model *truth;
    double *poses; // (PERSON_FRAMES x pose_size)
    ug_markers *take;
    ug_calibrate_options options;
} test_person;

// Bones 0.9 … 1.1 of the template's, the same on both sides; `size` times that.
static inline void person_grow(test_person *fx, double size, uint64_t *seed)
{
    double factor[UG_ROLE_COUNT];
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        factor[r] = size * (1.0 + 0.1 * support_random(seed));
    }
    for (size_t j = 0; j < fx->person->joint_count; j++) {
        ug_joint *joint = &fx->person->joints[j];
        const ug_role mirror = ug_role_mirror(joint->role);
        const double f = factor[joint->role < mirror ? joint->role : mirror];
        joint->offset_m = ug_vec3_scale(joint->offset_m, f);
    }
    // markers follow their own segment, and are put on within half a σ of the table's place
    for (size_t m = 0; m < fx->places.count; m++) {
        ug_attachment *item = &fx->places.items[m];
        const ug_vec3 s = item->sigma_m;
        item->local_m = ug_vec3_scale(item->local_m, size);
        item->local_m.x += 0.5 * s.x * support_random(seed);
        item->local_m.y += 0.5 * s.y * support_random(seed);
        item->local_m.z += 0.5 * s.z * support_random(seed);
    }
}

// Every angle swings through most of its range, each at its own speed, while the body turns.
static inline void person_move(test_person *fx, uint64_t *seed)
{
    const ug_ik_model *model = fx->truth;
    double angles[256], speed[256], phase[256];
    assert_true(model->dof_count < 256);
    for (size_t i = 0; i < model->dof_count; i++) {
        speed[i] = 0.05 + 0.1 * fabs(support_random(seed));
        phase[i] = 3.0 * support_random(seed);
    }
    for (size_t t = 0; t < PERSON_FRAMES; t++) {
        for (size_t i = 0; i < model->dof_count; i++) {
            const double swing = sin(phase[i] + speed[i] * (double)t);
            const bool root = model->joints[model->dof_joint[i]].type == UG_JOINT_FREE;
            const double low = fmax(model->low_rad[i], -1.2), high = fmin(model->high_rad[i], 1.2);
            angles[i] = root ? swing : 0.5 * (low + high) + 0.4 * (high - low) * swing;
        }
        ug_ik_pose_from_angles(fx->poses + t * model->pose_size, model, angles);
    }
}

static inline void person_measure(test_person *fx, double noise_m, double missing, uint64_t *seed)
{
    void *memory = malloc(ug_ik_frame_bytes(fx->truth));
    assert_non_null(memory);
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->truth, memory);
    for (size_t m = 0; m < fx->places.count; m++) {
        fx->take->labels[m] = ug_text_copy(fx->places.items[m].label);
        fx->take->subjects[m] = ug_text_copy("");
    }
    fx->take->scale_m = 0.001;
    for (size_t t = 0; t < PERSON_FRAMES; t++) {
        ug_ik_forward(&frame, fx->truth, fx->poses + t * fx->truth->pose_size);
        for (size_t m = 0; m < fx->places.count; m++) {
            ug_vec3 p = frame.marker_m[m];
            p.x += noise_m * support_normal(seed);
            p.y += noise_m * support_normal(seed);
            p.z += noise_m * support_normal(seed);
            if (support_random(seed) > 2.0 * missing - 1.0) {
                ug_markers_set_m(fx->take, t, m, p, UG_ORIGIN_MEASURED);
            }
        }
    }
    free(memory);
}

static inline void person_setup(test_person *fx, double size, double noise_m, double missing)
{
    *fx = (test_person){ .skeleton = support_humanoid(), .person = support_humanoid() };
    uint64_t seed = 11;
    assert_true(fx->skeleton && fx->person);
    assert_true(support_markers(&fx->attachments, fx->skeleton));
    assert_true(support_markers(&fx->places, fx->person));
    person_grow(fx, size, &seed);
    assert_int_equal(ug_ik_model_create(&fx->truth, fx->person, &fx->places, NULL, NULL), UG_OK);
    fx->poses = malloc(PERSON_FRAMES * fx->truth->pose_size * sizeof *fx->poses);
    fx->take = ug_markers_create(PERSON_FRAMES, fx->places.count, (ug_rate){ 100, 1 });
    assert_true(fx->poses && fx->take);
    person_move(fx, &seed);
    person_measure(fx, noise_m, missing, &seed);
    fx->options = ug_calibrate_default_options();
    fx->options.candidates = 48; // the sanitizers are slow
    fx->options.frames = 30;
    fx->options.jobs = 2;
}

static inline void person_teardown(test_person *fx)
{
    ug_skeleton_destroy(fx->skeleton);
    ug_skeleton_destroy(fx->person);
    ug_attachments_fini(&fx->attachments);
    ug_attachments_fini(&fx->places);
    ug_ik_model_destroy(fx->truth);
    free(fx->poses);
    ug_markers_destroy(fx->take);
}

static inline ug_status person_calibrate(test_person *fx, ug_skeleton **skeleton,
                                         ug_attachments *attachments, ug_calibrate_report *report,
                                         ug_warnings *warnings, ug_error *err)
{
    const ug_calibrate_take take = { .markers = fx->take, .name = "swing" };
    return ug_calibrate(skeleton, attachments, report, warnings, fx->skeleton, &fx->attachments,
                        &take, 1, &fx->options, err);
}
