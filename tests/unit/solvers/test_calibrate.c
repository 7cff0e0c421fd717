// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate.c: a synthetic person with known bones is found again; what is
// wrong with the data is said. What is refused is in test_calibrate_refusals.c.
#include "solvers/calibrate.h"

#include "solvers/ik_cold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/calibrate_person.h"

// Larger mean distance, of the two sides, between true and found joint centres of a role over a few
// frames. Poses start at the true ones and know no prior: only the shape is judged.
static double centre_error_m(const test_person *fx, const ug_skeleton *skeleton,
                             const ug_attachments *attachments, ug_role role)
{
    ug_ik_model *model;
    assert_int_equal(ug_ik_model_create(&model, skeleton, attachments, NULL, NULL), UG_OK);
    assert_int_equal(model->pose_size, fx->truth->pose_size);
    ug_ik_options options = ug_ik_default_options();
    options.prior = (ug_ik_prior){ 0 };
    void *memory = malloc(ug_ik_solve_bytes(model, options.stepper));
    void *shown = malloc(ug_ik_frame_bytes(model)), *wanted = malloc(ug_ik_frame_bytes(model));
    double pose[256], worst = 0.0;
    double *y = calloc(4 * attachments->count, sizeof *y), *w = y + 3 * attachments->count;
    assert_true(memory && shown && wanted && y && model->pose_size < 256);
    ug_ik_frame found, truth;
    ug_ik_frame_init(&found, model, shown);
    ug_ik_frame_init(&truth, fx->truth, wanted);
    const int joints[2] = { ug_skeleton_find_role(skeleton, role),
                            ug_skeleton_find_role(skeleton, ug_role_mirror(role)) };
    for (int side = 0; side < 2; side++) {
        double sum = 0.0;
        for (size_t t = 3; t < PERSON_FRAMES; t += 20) {
            for (size_t m = 0; m < attachments->count; m++) {
                const ug_vec3 p = ug_markers_position_m(fx->take, t, m);
                w[m] = ug_markers_present(fx->take, t, m) ? 1.0 : 0.0;
                memcpy(y + 3 * m, &p, sizeof p);
            }
            const ug_ik_target target = { y, w };
            memcpy(pose, fx->poses + t * model->pose_size, model->pose_size * sizeof *pose);
            ug_ik_forward(&truth, fx->truth, pose);
            (void)ug_ik_solve_frame(pose, model, &target, &options, memory);
            ug_ik_forward(&found, model, pose);
            sum += ug_vec3_distance(found.world_m[joints[side]], truth.world_m[joints[side]]);
        }
        worst = fmax(worst, sum / 8.0);
    }
    free(memory);
    free(shown);
    free(wanted);
    free(y);
    ug_ik_model_destroy(model);
    return worst;
}

// What one calibration returns.
typedef struct outcome {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_calibrate_report report;
    ug_warnings warnings;
} outcome;

static void run(outcome *out, test_person *fx)
{
    ug_error err = { 0 };
    memset(out, 0x5a, sizeof *out);
    out->attachments = (ug_attachments){ 0 };
    out->warnings.count = 0;
    const ug_status status =
        person_calibrate(fx, &out->skeleton, &out->attachments, &out->report, &out->warnings, &err);
    if (status != UG_OK) {
        fail_msg("%s", err.message);
    }
}

static void outcome_fini(outcome *out)
{
    ug_skeleton_destroy(out->skeleton);
    ug_attachments_fini(&out->attachments);
    ug_calibrate_report_fini(&out->report);
}

static double length_error_m(const test_person *fx, const outcome *out, ug_role role)
{
    const int j = ug_skeleton_find_role(fx->person, role);
    return fabs(ug_vec3_norm(out->skeleton->joints[j].offset_m) -
                ug_vec3_norm(fx->person->joints[j].offset_m));
}

// 1 mm of noise in 30 frames would leave tenths of a millimetre; what remains is the pull of the
// priors, which were up to 10 % (45 mm of a thigh) wrong. Without the bundle the joint centres of
// the arm are 20 to 40 mm off.
static void test_calibrate_finds_the_bones(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.001, 0.05);
    run(&out, &fx);
    static const ug_role limbs[] = { UG_ROLE_L_THIGH,     UG_ROLE_L_SHIN,    UG_ROLE_L_FOOT,
                                     UG_ROLE_L_UPPER_ARM, UG_ROLE_L_FOREARM, UG_ROLE_L_HAND };
    for (size_t i = 0; i < 6; i++) {
        const double off_m = centre_error_m(&fx, out.skeleton, &out.attachments, limbs[i]);
        if (off_m > 0.006) {
            fail_msg("%s is %.1f mm off", ug_role_name(limbs[i]), 1e3 * off_m);
        }
    }
    assert_true(length_error_m(&fx, &out, UG_ROLE_L_SHIN) < 0.006);
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_FOOT) < 0.006);
    assert_true(length_error_m(&fx, &out, UG_ROLE_L_FOREARM) < 0.006);
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_HAND) < 0.008);
    assert_true(length_error_m(&fx, &out, UG_ROLE_L_THIGH) < 0.004);

    const ug_calibrate_report *report = &out.report;
    // sqrt(3) of noise, less what poses absorb
    assert_true(report->rms_m > 0.001 && report->rms_m < 0.002);
    assert_true(report->outlier_pct == 0.0);
    assert_int_equal(report->markers_found, 41);
    assert_int_equal(report->markers_calibrated, 41);
    assert_int_equal(report->usable_frames, PERSON_FRAMES);
    assert_int_equal(report->checked_frames, PERSON_FRAMES);
    assert_true(report->fit_frames >= 30 && report->fit_frames <= 48);
    assert_false(report->hips_by_regression); // waist markers are not on the spines
    for (size_t j = 0; j < report->joint_count; j++) {
        assert_true(fabs(report->joints[j].difference_pct) < 2.0);
    }
    for (size_t m = 0; m < out.attachments.count; m++) {
        assert_true(out.attachments.items[m].calibrated);
        assert_int_equal(report->markers[m].exchanged, -1);
        assert_true(report->markers[m].moved_sigma < 3.0);
    }
    const int toes = ug_skeleton_find_role(out.skeleton, UG_ROLE_L_TOE);
    assert_true(report->joints[toes].from_prior);
    assert_int_equal(ug_warnings_count(&out.warnings, "joint_from_prior"), 2);
    assert_int_equal(out.warnings.count, 1);
    outcome_fini(&out);
    person_teardown(&fx);
}

static void test_calibrate_fits_a_child(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 0.6, 0.001, 0.0);
    run(&out, &fx);
    assert_true(fabs(out.report.scale - 0.6) < 0.03);
    assert_true(fabs(out.skeleton->stature_m - 1.75 * out.report.scale) < 1e-12);
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_SHIN) < 0.006);
    assert_true(length_error_m(&fx, &out, UG_ROLE_L_FOOT) < 0.006);
    assert_true(out.report.rms_m < 0.002);
    outcome_fini(&out);
    person_teardown(&fx);
}

static void test_calibrate_same_bits_for_any_jobs(void **state)
{
    (void)state;
    test_person fx;
    outcome one, three;
    person_setup(&fx, 1.0, 0.002, 0.02);
    fx.options.candidates = 24;
    fx.options.frames = 12;
    fx.options.jobs = 1;
    run(&one, &fx);
    fx.options.jobs = 3;
    run(&three, &fx);
    for (size_t j = 0; j < one.skeleton->joint_count; j++) {
        assert_memory_equal(&one.skeleton->joints[j].offset_m, &three.skeleton->joints[j].offset_m,
                            sizeof(ug_vec3));
    }
    for (size_t m = 0; m < one.attachments.count; m++) {
        assert_memory_equal(&one.attachments.items[m].local_m, &three.attachments.items[m].local_m,
                            sizeof(ug_vec3));
    }
    assert_true(one.report.rms_m == three.report.rms_m);
    outcome_fini(&one);
    outcome_fini(&three);
    person_teardown(&fx);
}

static size_t column(const test_person *fx, const char *label)
{
    const ptrdiff_t m = ug_markers_find(fx->take, label);
    assert_true(m >= 0);
    return (size_t)m;
}

static const char *words(const outcome *out, const char *code)
{
    for (size_t i = 0; i < out->warnings.count; i++) {
        if (strcmp(out->warnings.items[i].code, code) == 0) {
            return out->warnings.items[i].first;
        }
    }
    return "";
}

static void test_calibrate_names_what_lies(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.001, 0.02);
    const size_t front = column(&fx, "LFWT"), back = column(&fx, "LBWT");
    const size_t toe = column(&fx, "RTOE"), clav = column(&fx, "CLAV");
    const size_t head = column(&fx, "LFHD");
    size_t toes = 0, heads = 0;
    for (size_t t = 0; t < PERSON_FRAMES; t++) {
        char *label = fx.take->labels[front];
        if (t == 0) {
            fx.take->labels[front] = fx.take->labels[back];
            fx.take->labels[back] = label;
        }
        ug_markers_clear(fx.take, t, clav);
        if (t >= 100 && t < 140 && ug_markers_present(fx.take, t, toe)) {
            // something at rest, a metre away
            ug_markers_set_m(fx.take, t, toe, (ug_vec3){ 1.5, 0.2, 1.0 }, UG_ORIGIN_MEASURED);
            toes++;
        }
        if (t >= 20 && t < 45 && ug_markers_present(fx.take, t, head)) {
            // slipped by 13 cm: no reach is too short for that
            ug_vec3 p = ug_markers_position_m(fx.take, t, head);
            p.y += 0.13;
            ug_markers_set_m(fx.take, t, head, p, UG_ORIGIN_MEASURED);
            heads++;
        }
    }
    run(&out, &fx);
    const ptrdiff_t a = ug_attachments_find(&out.attachments, "LFWT");
    const ptrdiff_t b = ug_attachments_find(&out.attachments, "LBWT");
    assert_int_equal(out.report.markers[a].exchanged, b);
    assert_int_equal(out.report.markers[b].exchanged, a);
    assert_non_null(strstr(words(&out, "labels_exchanged"), "'LFWT' and 'LBWT' on pelvis"));
    assert_int_equal(ug_warnings_count(&out.warnings, "labels_exchanged"), 1);

    const ug_calibrate_marker *stray =
        &out.report.markers[ug_attachments_find(&out.attachments, "RTOE")];
    assert_int_equal(stray->stray_count, toes);
    assert_true(stray->stray_first >= 100 && stray->stray_first <= 102);
    assert_true(stray->stray_last >= 137 && stray->stray_last <= 139);
    assert_non_null(strstr(words(&out, "marker_stray"), "marker 'RTOE' is not on r_foot"));
    assert_non_null(strstr(words(&out, "marker_stray"), "of swing"));
    assert_non_null(strstr(words(&out, "marker_stray"), "; also LFHD"));
    assert_int_equal(ug_warnings_count(&out.warnings, "marker_stray"), 2);

    const ug_calibrate_marker *slipped =
        &out.report.markers[ug_attachments_find(&out.attachments, "LFHD")];
    // with another marker of the head hidden, the head may give way by a few centimetres
    assert_true(slipped->stray_count >= heads - 3 && slipped->stray_count <= heads);
    assert_true(slipped->stray_first >= 20 && slipped->stray_last < 45);
    assert_true(slipped->rms_m < 0.003);
    const double share_pct = 100.0 * (double)heads / (double)slipped->sample_count;
    assert_true(fabs(slipped->outlier_pct - share_pct) < 1.0);

    const ptrdiff_t c = ug_attachments_find(&out.attachments, "CLAV");
    assert_false(out.attachments.items[c].calibrated);
    assert_int_equal(out.report.markers[c].fit_count, 0);
    assert_non_null(strstr(words(&out, "marker_unseen"), "marker 'CLAV' is never seen"));
    assert_int_equal(out.report.markers_calibrated, 40);

    // none of it has bent the bones
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_SHIN) < 0.008);
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_FOOT) < 0.008);
    outcome_fini(&out);
    person_teardown(&fx);
}

static void test_calibrate_reports_a_moved_marker(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.001, 0.0);
    ug_attachment *item = &fx.attachments.items[ug_attachments_find(&fx.attachments, "LKNE")];
    item->local_m.y += 0.16; // the table says knee, the marker is there: 6.4 sigma
    run(&out, &fx);
    const ptrdiff_t m = ug_attachments_find(&out.attachments, "LKNE");
    assert_true(out.report.markers[m].moved_sigma > 3.0);
    assert_true(fabs(out.report.markers[m].moved_m.y + 0.16) < 0.03);
    assert_non_null(strstr(words(&out, "marker_moved"), "marker 'LKNE' on l_thigh was moved by"));
    outcome_fini(&out);
    person_teardown(&fx);
}

static void test_calibrate_static_take_is_said(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.0, 0.0);
    for (size_t t = 1; t < PERSON_FRAMES; t++) {
        for (size_t m = 0; m < fx.take->marker_count; m++) {
            ug_markers_set_m(fx.take, t, m, ug_markers_position_m(fx.take, 0, m),
                             UG_ORIGIN_MEASURED);
        }
    }
    fx.options.candidates = 12;
    run(&out, &fx);
    assert_non_null(strstr(words(&out, "static_only"), "add a moving take"));
    assert_true(out.report.rms_m < 0.005);
    outcome_fini(&out);
    person_teardown(&fx);
}

// The bones of the person are known, the markers have been put on anew.
static void test_calibrate_keeps_bones(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.001, 0.0);
    ug_skeleton *template = fx.skeleton;
    fx.skeleton = fx.person;
    fx.options.keep_bones = true;
    run(&out, &fx);
    for (size_t j = 0; j < out.skeleton->joint_count; j++) {
        assert_memory_equal(&out.skeleton->joints[j].offset_m, &fx.person->joints[j].offset_m,
                            sizeof(ug_vec3));
    }
    // the places were up to 40 mm (half a sigma of 80) off and are back
    for (size_t m = 0; m < out.attachments.count; m++) {
        assert_true(ug_vec3_distance(out.attachments.items[m].local_m, fx.places.items[m].local_m) <
                    0.012);
    }
    assert_true(out.report.rms_m < 0.002);
    outcome_fini(&out);
    fx.skeleton = template;
    person_teardown(&fx);
}

// Filled and computed samples and the labels of another subject are not measurements.
static void test_calibrate_uses_measured_samples_only(void **state)
{
    (void)state;
    test_person fx;
    outcome out;
    person_setup(&fx, 1.0, 0.001, 0.0);
    const size_t m = column(&fx, "LHEE");
    for (size_t t = 0; t < PERSON_FRAMES; t++) {
        ug_markers_set_m(fx.take, t, m, (ug_vec3){ 0.0, 0.0, 0.0 },
                         t % 2 ? UG_ORIGIN_FILLED : UG_ORIGIN_COMPUTED);
    }
    const ptrdiff_t computed = ug_attachments_find(&fx.attachments, "RHEE");
    const ptrdiff_t unused = ug_attachments_find(&fx.attachments, "RBHD");
    fx.attachments.items[computed].kind = UG_MARKER_COMPUTED;
    fx.attachments.items[unused].weight = 0.0;
    fx.options.candidates = 12;
    run(&out, &fx);
    assert_int_equal(out.report.markers_found, 38);
    assert_int_equal(out.report.markers[m].sample_count, 0);
    assert_false(out.attachments.items[computed].calibrated);
    assert_false(out.attachments.items[unused].calibrated);
    // only the one that should have been there is missed
    assert_int_equal(ug_warnings_count(&out.warnings, "marker_unseen"), 1);
    assert_non_null(strstr(words(&out, "marker_unseen"), "'LHEE'"));
    outcome_fini(&out);
    person_teardown(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calibrate_finds_the_bones),
        cmocka_unit_test(test_calibrate_fits_a_child),
        cmocka_unit_test(test_calibrate_same_bits_for_any_jobs),
        cmocka_unit_test(test_calibrate_names_what_lies),
        cmocka_unit_test(test_calibrate_reports_a_moved_marker),
        cmocka_unit_test(test_calibrate_static_take_is_said),
        cmocka_unit_test(test_calibrate_keeps_bones),
        cmocka_unit_test(test_calibrate_uses_measured_samples_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
