// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate.c: a synthetic person with known bones is found again; what is
// wrong with the data is said. Long because every lie is told to the same person.
#include "solvers/calibrate.h"

#include "solvers/calibrate_samples.h"
#include "solvers/ik_cold.h"
#include "solvers/ik_pose.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { FRAMES = 160 };

// A template, a person who differs from it, and a take of that person.
typedef struct fixture {
    ug_skeleton *skeleton, *person;
    ug_attachments attachments, places;
    ug_ik_model *truth;
    double *poses; // (FRAMES x pose_size)
    ug_markers *take;
    ug_calibrate_options options;
} fixture;

// Bones 0.9 … 1.1 of the template's, the same on both sides; `size` times that.
static void grow(fixture *fx, double size, uint64_t *seed)
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
static void move(fixture *fx, uint64_t *seed)
{
    const ug_ik_model *model = fx->truth;
    double angles[256], speed[256], phase[256];
    assert_true(model->dof_count < 256);
    for (size_t i = 0; i < model->dof_count; i++) {
        speed[i] = 0.05 + 0.1 * fabs(support_random(seed));
        phase[i] = 3.0 * support_random(seed);
    }
    for (size_t t = 0; t < FRAMES; t++) {
        for (size_t i = 0; i < model->dof_count; i++) {
            const double swing = sin(phase[i] + speed[i] * (double)t);
            const bool root = model->joints[model->dof_joint[i]].type == UG_JOINT_FREE;
            const double low = fmax(model->low_rad[i], -1.2), high = fmin(model->high_rad[i], 1.2);
            angles[i] = root ? swing : 0.5 * (low + high) + 0.4 * (high - low) * swing;
        }
        ug_ik_pose_from_angles(fx->poses + t * model->pose_size, model, angles);
    }
}

static void measure(fixture *fx, double noise_m, double missing, uint64_t *seed)
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
    for (size_t t = 0; t < FRAMES; t++) {
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

static void setup(fixture *fx, double size, double noise_m, double missing)
{
    *fx = (fixture){ .skeleton = support_humanoid(), .person = support_humanoid() };
    uint64_t seed = 11;
    assert_true(fx->skeleton && fx->person);
    assert_true(support_markers(&fx->attachments, fx->skeleton));
    assert_true(support_markers(&fx->places, fx->person));
    grow(fx, size, &seed);
    assert_int_equal(ug_ik_model_create(&fx->truth, fx->person, &fx->places, NULL, NULL), UG_OK);
    fx->poses = malloc(FRAMES * fx->truth->pose_size * sizeof *fx->poses);
    fx->take = ug_markers_create(FRAMES, fx->places.count, (ug_rate){ 100, 1 });
    assert_true(fx->poses && fx->take);
    move(fx, &seed);
    measure(fx, noise_m, missing, &seed);
    fx->options = ug_calibrate_default_options();
    fx->options.candidates = 48; // the sanitizers are slow
    fx->options.frames = 30;
    fx->options.jobs = 2;
}

static void teardown(fixture *fx)
{
    ug_skeleton_destroy(fx->skeleton);
    ug_skeleton_destroy(fx->person);
    ug_attachments_fini(&fx->attachments);
    ug_attachments_fini(&fx->places);
    ug_ik_model_destroy(fx->truth);
    free(fx->poses);
    ug_markers_destroy(fx->take);
}

static ug_status calibrate(fixture *fx, ug_skeleton **skeleton, ug_attachments *attachments,
                           ug_calibrate_report *report, ug_warnings *warnings, ug_error *err)
{
    const ug_calibrate_take take = { .markers = fx->take, .name = "swing" };
    return ug_calibrate(skeleton, attachments, report, warnings, fx->skeleton, &fx->attachments,
                        &take, 1, &fx->options, err);
}

// Larger mean distance, of the two sides, between true and found joint centres of a role over a few
// frames. Poses start at the true ones and know no prior: only the shape is judged.
static double centre_error_m(const fixture *fx, const ug_skeleton *skeleton,
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
        for (size_t t = 3; t < FRAMES; t += 20) {
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

static void run(outcome *out, fixture *fx)
{
    ug_error err = { 0 };
    memset(out, 0x5a, sizeof *out);
    out->attachments = (ug_attachments){ 0 };
    out->warnings.count = 0;
    const ug_status status =
        calibrate(fx, &out->skeleton, &out->attachments, &out->report, &out->warnings, &err);
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

static double length_error_m(const fixture *fx, const outcome *out, ug_role role)
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
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.001, 0.05);
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
    assert_int_equal(report->usable_frames, FRAMES);
    assert_int_equal(report->checked_frames, FRAMES);
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
    teardown(&fx);
}

static void test_calibrate_fits_a_child(void **state)
{
    (void)state;
    fixture fx;
    outcome out;
    setup(&fx, 0.6, 0.001, 0.0);
    run(&out, &fx);
    assert_true(fabs(out.report.scale - 0.6) < 0.03);
    assert_true(fabs(out.skeleton->stature_m - 1.75 * out.report.scale) < 1e-12);
    assert_true(length_error_m(&fx, &out, UG_ROLE_R_SHIN) < 0.006);
    assert_true(length_error_m(&fx, &out, UG_ROLE_L_FOOT) < 0.006);
    assert_true(out.report.rms_m < 0.002);
    outcome_fini(&out);
    teardown(&fx);
}

static void test_calibrate_same_bits_for_any_jobs(void **state)
{
    (void)state;
    fixture fx;
    outcome one, three;
    setup(&fx, 1.0, 0.002, 0.02);
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
    teardown(&fx);
}

static size_t column(const fixture *fx, const char *label)
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
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.001, 0.02);
    const size_t front = column(&fx, "LFWT"), back = column(&fx, "LBWT");
    const size_t toe = column(&fx, "RTOE"), clav = column(&fx, "CLAV");
    const size_t head = column(&fx, "LFHD");
    size_t toes = 0, heads = 0;
    for (size_t t = 0; t < FRAMES; t++) {
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
    teardown(&fx);
}

static void test_calibrate_reports_a_moved_marker(void **state)
{
    (void)state;
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.001, 0.0);
    ug_attachment *item = &fx.attachments.items[ug_attachments_find(&fx.attachments, "LKNE")];
    item->local_m.y += 0.16; // the table says knee, the marker is there: 6.4 sigma
    run(&out, &fx);
    const ptrdiff_t m = ug_attachments_find(&out.attachments, "LKNE");
    assert_true(out.report.markers[m].moved_sigma > 3.0);
    assert_true(fabs(out.report.markers[m].moved_m.y + 0.16) < 0.03);
    assert_non_null(strstr(words(&out, "marker_moved"), "marker 'LKNE' on l_thigh was moved by"));
    outcome_fini(&out);
    teardown(&fx);
}

static void test_calibrate_static_take_is_said(void **state)
{
    (void)state;
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.0, 0.0);
    for (size_t t = 1; t < FRAMES; t++) {
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
    teardown(&fx);
}

// The bones of the person are known, the markers have been put on anew.
static void test_calibrate_keeps_bones(void **state)
{
    (void)state;
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.001, 0.0);
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
    teardown(&fx);
}

// Filled and computed samples and the labels of another subject are not measurements.
static void test_calibrate_uses_measured_samples_only(void **state)
{
    (void)state;
    fixture fx;
    outcome out;
    setup(&fx, 1.0, 0.001, 0.0);
    const size_t m = column(&fx, "LHEE");
    for (size_t t = 0; t < FRAMES; t++) {
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
    teardown(&fx);
}

static ug_status refuse(fixture *fx, ug_error *err)
{
    ug_skeleton *skeleton = (ug_skeleton *)0x1;
    ug_attachments attachments = { 0 };
    ug_calibrate_report report;
    memset(&report, 0x5a, sizeof report);
    *err = (ug_error){ 0 };
    const ug_status status = calibrate(fx, &skeleton, &attachments, &report, NULL, err);
    assert_null(skeleton);
    assert_int_equal(attachments.count, 0);
    assert_null(report.joints);
    return status;
}

static bool stop(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last);
    *last = share;
    return share < 0.5;
}

static void test_calibrate_refuses_in_words(void **state)
{
    (void)state;
    fixture fx;
    ug_error err;
    setup(&fx, 1.0, 0.001, 0.0);

    fx.options.subject = "somebody";
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "for subject 'somebody'"));
    fx.options.subject = NULL;

    // labels of another set: say which
    ug_marker_set sets[2] = { { .name = (char *)"wrong" }, { .name = (char *)"dots" } };
    for (size_t m = 0; m < fx.attachments.count; m++) {
        ug_attachment *item = &fx.attachments.items[m];
        char *renamed = ug_text_format("dot%zu", m);
        assert_int_equal(ug_attachments_add(&sets[0].markers, item, NULL), UG_OK);
        free(fx.take->labels[m]);
        fx.take->labels[m] = renamed;
        if (m < 20) {
            ug_attachment dot = *item;
            dot.label = renamed;
            assert_int_equal(ug_attachments_add(&sets[1].markers, &dot, NULL), UG_OK);
        }
    }
    fx.options.known_sets = sets;
    fx.options.known_count = 2;
    ug_warnings unused = { 0 };
    const ug_calibrate_take renamed_take = { .markers = fx.take };
    // a table with 7 of the 41 labels, where a known set has 20
    ug_attachments few = { .count = 7, .items = sets[1].markers.items };
    ug_samples_warn_unused(&unused, &few, &renamed_take, 1, &fx.options);
    assert_int_equal(ug_warnings_count(&unused, "marker_unused"), 34);
    assert_non_null(strstr(unused.items[0].first,
                           "34 markers of the take are not in the marker set and not used: dot7, "
                           "dot8"));
    assert_string_equal(unused.items[1].first, "the marker set has 7 of the take's labels, 'dots' "
                                               "has 20: try --markers dots");
    few.count = 18; // not clearly worse
    unused.count = 0;
    ug_samples_warn_unused(&unused, &few, &renamed_take, 1, &fx.options);
    assert_int_equal(ug_warnings_count(&unused, "marker_unused"), 23);
    assert_int_equal(ug_warnings_count(&unused, "marker_set_doubtful"), 0);
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "none of the 41 labels of the marker set (LFHD, …)"));
    assert_non_null(strstr(err.message, "dot0, dot1"));
    assert_non_null(
        strstr(err.message, "20 of the take's labels are in the marker set 'dots', try it"));
    ug_attachments_fini(&sets[0].markers);
    ug_attachments_fini(&sets[1].markers);
    teardown(&fx);

    setup(&fx, 1.0, 0.001, 0.0);
    for (size_t m = 5; m < fx.take->marker_count; m++) {
        fx.take->kinds[m] = UG_POINT_ANGLE;
    }
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "only 5 of the 41 markers of the set are seen (LFHD, …)"));
    teardown(&fx);

    setup(&fx, 1.0, 0.001, 0.0);
    for (size_t t = 4; t < FRAMES; t++) {
        for (size_t m = 0; m < fx.take->marker_count; m++) {
            ug_markers_clear(fx.take, t, m);
        }
    }
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "4 frames show enough markers, calibration needs 5"));
    fx.attachments.items[3].joint = 77;
    fx.options.min_frames = 2;
    assert_int_equal(refuse(&fx, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "'RBHD'"));
    teardown(&fx);

    setup(&fx, 1.0, 0.001, 0.0);
    const ug_calibrate_take slice = { .markers = fx.take, .first = 100, .count = 61 };
    ug_skeleton *skeleton;
    ug_attachments attachments = { 0 };
    err = (ug_error){ 0 };
    assert_int_equal(ug_calibrate(&skeleton, &attachments, NULL, NULL, fx.skeleton, &fx.attachments,
                                  &slice, 1, NULL, &err),
                     UG_E_USAGE);
    assert_non_null(
        strstr(err.message, "frames 100 to 160 are asked for of a take, which has 160"));
    double last = 0.0;
    const ug_progress progress = { .report = stop, .user = &last };
    fx.options.progress = &progress;
    fx.options.candidates = 12;
    assert_int_equal(refuse(&fx, &err), UG_E_INTERRUPTED);
    assert_true(last >= 0.5);
    teardown(&fx);
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
        cmocka_unit_test(test_calibrate_refuses_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
