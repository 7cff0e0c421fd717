// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_take.c and its passes: a motion that is known, with holes, wrong
// markers, limits.
#include "motion/kinematics.h"
#include "solvers/ik_pose.h"
#include "solvers/ik_take.h"
#include "tests/support/humanoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 300 }; // two pieces

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    ug_markers *markers;
    double *truth; // (FRAMES x pose_size)
    ug_ik_take_result result;
    ug_warnings warnings;
} fixture;

// arms swing, knees bend, the body turns and walks away; all inside the limits
static void move(double *pose, const ug_ik_model *model, double time_s)
{
    double angles[6 * HUMANOID_JOINTS] = { 0 };
    for (size_t d = 6; d < model->dof_count; d++) {
        angles[d] = 0.06 * sin(3.0 * time_s + 1.7 * (double)d);
    }
    const double swing = 0.5 * sin(5.0 * time_s);
    const int l_arm = model->joints[6].dof, r_arm = model->joints[14].dof;
    angles[l_arm] += swing;
    angles[l_arm + 2] -= 1.2;
    angles[r_arm] -= swing;
    angles[r_arm + 2] += 1.2;
    angles[model->joints[7].dof] -= 0.4;
    angles[model->joints[15].dof] += 0.4;
    angles[model->joints[9].dof] -= 0.6 * sin(5.0 * time_s);
    angles[model->joints[17].dof] += 0.6 * sin(5.0 * time_s);
    angles[model->joints[10].dof] += 0.5 + 0.4 * sin(5.0 * time_s + 1.0);
    angles[model->joints[18].dof] += 0.5 - 0.4 * sin(5.0 * time_s + 1.0);
    angles[0] = 1.2 * sin(0.5 * time_s);
    angles[1] = 0.95;
    angles[2] = 1.1 * time_s;
    angles[4] = 0.8 * time_s;
    ug_ik_pose_from_angles(pose, model, angles);
}

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = humanoid_skeleton();
    humanoid_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK) {
        return -1;
    }
    fx->markers = ug_markers_create(FRAMES, HUMANOID_MARKERS, ug_rate_make(100, 1));
    fx->markers->first_frame = 51;
    fx->truth = malloc(FRAMES * fx->model->pose_size * sizeof *fx->truth);
    void *memory = malloc(ug_ik_frame_bytes(fx->model));
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->model, memory);
    for (size_t m = 0; m < HUMANOID_MARKERS; m++) {
        // the take's order is not the table's
        const size_t a = HUMANOID_MARKERS - 1 - m;
        fx->markers->labels[m] = ug_text_copy(fx->attachments.items[a].label);
    }
    for (size_t f = 0; f < FRAMES; f++) {
        double *pose = fx->truth + f * fx->model->pose_size;
        move(pose, fx->model, 0.01 * (double)f);
        ug_ik_forward(&frame, fx->model, pose);
        for (size_t a = 0; a < HUMANOID_MARKERS; a++) {
            ug_markers_set_m(fx->markers, f, HUMANOID_MARKERS - 1 - a, frame.marker_m[a],
                             UG_ORIGIN_MEASURED);
        }
    }
    free(memory);
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_ik_take_result_fini(&fx->result);
    ug_ik_model_destroy(fx->model);
    ug_markers_destroy(fx->markers);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx->truth);
    free(fx);
    return 0;
}

static void solve(fixture *fx, const ug_ik_take_options *options)
{
    ug_error err = { 0 };
    ug_ik_take_result_fini(&fx->result);
    fx->warnings = (ug_warnings){ 0 };
    memset(&fx->result, 0xa5, sizeof fx->result);
    if (ug_ik_take_solve(&fx->result, &fx->warnings, fx->markers, fx->skeleton, &fx->attachments,
                         options, &err) != UG_OK) {
        fail_msg("%s", err.message);
    }
}

// hide every marker whose label starts with `prefix`
static void hide(fixture *fx, const char *prefix, size_t begin, size_t end)
{
    for (size_t m = 0; m < HUMANOID_MARKERS; m++) {
        for (size_t f = begin; f < end; f++) {
            if (strncmp(fx->markers->labels[m], prefix, strlen(prefix)) == 0) {
                ug_markers_clear(fx->markers, f, m);
            }
        }
    }
}

// angle between the clip's and the true world rotation of a joint
static double world_error(const fixture *fx, size_t f, const char *name)
{
    ug_quat local[HUMANOID_JOINTS], truth[HUMANOID_JOINTS], world[HUMANOID_JOINTS];
    ug_vec3 offset[HUMANOID_JOINTS], at[HUMANOID_JOINTS];
    const int j = ug_skeleton_find(fx->skeleton, name);
    ug_ik_pose_to_local(local, offset, fx->model, fx->truth + f * fx->model->pose_size);
    ug_pose_forward(truth, at, fx->skeleton, local, offset);
    ug_clip_forward(world, at, fx->skeleton, fx->result.clip, f);
    return ug_quat_angle(truth[j], world[j]);
}

static double worst_residual_mm(const fixture *fx)
{
    double worst = 0.0;
    for (size_t i = 0; i < (size_t)FRAMES * HUMANOID_MARKERS; i++) {
        worst = fmax(worst, (double)fx->result.residual_mm[i]); // fmax passes over NaN
    }
    return worst;
}

static void test_clean_take(void **state)
{
    fixture *fx = *state;
    solve(fx, NULL);
    assert_int_equal(fx->result.outcome_count[UG_IK_CONVERGED], FRAMES);
    assert_int_equal(fx->result.clip->frame_count, FRAMES);
    assert_int_equal(fx->result.clip->first_frame, 51);
    assert_true(ug_rate_equal(fx->result.clip->rate, fx->markers->rate));
    assert_int_equal(fx->result.clip->translated_count, 1);
    // priors of tens of degrees against 5 mm, and the smooth solve's pull on a swing of 5 rad/s:
    // both far below a millimetre where three markers sit on every bone
    assert_true(worst_residual_mm(fx) < 1.0);
    for (size_t f = 0; f < FRAMES; f += 37) {
        assert_true(world_error(fx, f, "l_hand") < 1.0 * UG_DEG);
        assert_true(world_error(fx, f, "r_toes") < 1.0 * UG_DEG);
    }
    assert_int_equal(fx->warnings.count, 0);
    const uint16_t plain = UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED;
    assert_int_equal(fx->result.clip->origin[HUMANOID_JOINTS * 7 + 3], plain);
}

// Solved against the filtered path, judged by the measured one: 5 mm away, here, for one marker.
static void test_residuals_count_from_what_was_measured(void **state)
{
    fixture *fx = *state;
    assert_true(ug_markers_make_unfiltered(fx->markers));
    for (size_t f = 0; f < FRAMES; f++) {
        ug_markers_note_filtered(fx->markers, f, 3);
        fx->markers->unfiltered[3 * ug_markers_index(fx->markers, f, 3)] += 0.005f;
    }
    solve(fx, NULL);
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t a = 0; a < HUMANOID_MARKERS; a++) {
            const double mm = (double)fx->result.residual_mm[f * HUMANOID_MARKERS + a];
            const double want = fx->result.columns[a] == 3 ? 5.0 : 0.0;
            assert_true(fabs(mm - want) < 1.0); // as near as test_clean_take comes
        }
    }
}

static void test_same_bits_for_any_thread_count(void **state)
{
    fixture *fx = *state;
    hide(fx, "l_forearm", 40, 90);
    hide(fx, "r_foot", 240, 270);
    ug_ik_take_options options = ug_ik_take_default_options();
    solve(fx, &options);
    ug_ik_take_result one = fx->result;
    fx->result = (ug_ik_take_result){ 0 };
    for (size_t jobs = 2; jobs <= 3; jobs++) {
        options.jobs = jobs;
        solve(fx, &options);
        assert_memory_equal(one.clip->rotations, fx->result.clip->rotations,
                            FRAMES * HUMANOID_JOINTS * sizeof(ug_quat));
        assert_memory_equal(one.clip->translations, fx->result.clip->translations,
                            FRAMES * sizeof(ug_vec3));
        assert_memory_equal(one.outcome, fx->result.outcome, FRAMES);
    }
    ug_ik_take_result_fini(&one);
}

// A hand that nobody sees for 0.4 s: named, and carried from where it was to where it comes back.
static void test_hidden_hand_follows_its_neighbours(void **state)
{
    fixture *fx = *state;
    hide(fx, "l_hand", 100, 140);
    solve(fx, NULL);
    const int hand = ug_skeleton_find(fx->skeleton, "l_hand");
    for (size_t f = 0; f < FRAMES; f++) {
        const bool gone = f >= 100 && f < 140;
        assert_int_equal(fx->result.outcome[f], gone ? UG_IK_UNDER : UG_IK_CONVERGED);
        assert_int_equal(fx->result.weak_joint[f], gone ? hand : -1);
        const uint16_t origin = fx->result.clip->origin[f * HUMANOID_JOINTS + (size_t)hand];
        assert_int_equal((origin & UG_ORIGIN_FILLED) != 0, gone);
        // it swings by 0.06 rad in two axes meanwhile: nothing may jump to rest and back
        assert_true(world_error(fx, f, "l_hand") < 7.0 * UG_DEG);
    }
    assert_int_equal(fx->result.undecided[hand], 40);
    assert_int_equal(ug_warnings_count(&fx->warnings, "joint_undecided"), 40);
    // two angles from two frames are a step of the curve, not a jump
    const ug_quat *q = fx->result.clip->rotations;
    for (size_t f = 1; f < FRAMES; f++) {
        const double turn = ug_quat_angle(q[f * HUMANOID_JOINTS + (size_t)hand],
                                          q[(f - 1) * HUMANOID_JOINTS + (size_t)hand]);
        assert_true(turn < 1.0 * UG_DEG);
    }
}

static void test_frames_without_markers_are_bridged(void **state)
{
    fixture *fx = *state;
    hide(fx, "", 200, 210);
    hide(fx, "", 295, 300);
    solve(fx, NULL);
    assert_int_equal(fx->result.outcome_count[UG_IK_UNSOLVED], 15);
    assert_int_equal(fx->result.outcome[205], UG_IK_UNSOLVED);
    assert_int_equal(ug_warnings_count(&fx->warnings, "frames_unsolved"), 15);
    assert_non_null(strstr(fx->warnings.items[0].first, "frame 251:"));
    for (size_t f = 200; f < 210; f++) {
        const ug_vec3 *t = ug_clip_translations(fx->result.clip, f);
        const double *truth = fx->truth + f * fx->model->pose_size;
        assert_true(ug_vec3_distance(t[0], ug_vec3_of(truth)) < 0.005);
    }
    // past the last frame seen the pose is held
    assert_memory_equal(ug_clip_translations(fx->result.clip, 299),
                        ug_clip_translations(fx->result.clip, 295), sizeof(ug_vec3));
}

// One marker follows something else, half a metre off: it must not bend the leg.
static void test_wrong_marker_bends_nothing(void **state)
{
    fixture *fx = *state;
    ptrdiff_t m = ug_markers_find(fx->markers, "r_shank_1");
    for (size_t f = 120; f < 220; f++) {
        ug_vec3 p = ug_markers_position_m(fx->markers, f, (size_t)m);
        p.x += 0.5;
        ug_markers_set_m(fx->markers, f, (size_t)m, p, UG_ORIGIN_MEASURED);
    }
    solve(fx, NULL);
    const ptrdiff_t a = ug_attachments_find(&fx->attachments, "r_shank_1");
    for (size_t f = 120; f < 220; f++) {
        assert_true(world_error(fx, f, "r_shank") < 1.0 * UG_DEG);
        const double mm = (double)fx->result.residual_mm[f * HUMANOID_MARKERS + (size_t)a];
        assert_true(fabs(mm - 500.0) < 5.0);
        assert_int_equal(fx->result.outcome[f], UG_IK_CONVERGED);
    }
}

// Hidden samples teach nothing but still get a residual.
static void test_leave_out(void **state)
{
    fixture *fx = *state;
    static uint8_t hidden[FRAMES * HUMANOID_MARKERS];
    const ptrdiff_t a = ug_attachments_find(&fx->attachments, "l_shank_0");
    const ptrdiff_t m = ug_markers_find(fx->markers, "l_shank_0");
    memset(hidden, 0, sizeof hidden);
    for (size_t f = 0; f < FRAMES; f++) {
        hidden[f * HUMANOID_MARKERS + (size_t)a] = 1;
        ug_vec3 p = ug_markers_position_m(fx->markers, f, (size_t)m);
        p.y += 0.02; // a lie nobody may listen to
        ug_markers_set_m(fx->markers, f, (size_t)m, p, UG_ORIGIN_MEASURED);
    }
    ug_ik_take_options options = ug_ik_take_default_options();
    options.hidden = hidden;
    solve(fx, &options);
    for (size_t f = 0; f < FRAMES; f++) {
        const double mm = (double)fx->result.residual_mm[f * HUMANOID_MARKERS + (size_t)a];
        assert_true(fabs(mm - 20.0) < 1.0);
    }
}

// rms of the markers on the right forearm and hand
static double below_elbow_mm(const fixture *fx)
{
    double square = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)FRAMES * HUMANOID_MARKERS; i++) {
        const int joint = fx->attachments.items[i % HUMANOID_MARKERS].joint;
        if (joint == 15 || joint == 16) {
            square += (double)fx->result.residual_mm[i] * (double)fx->result.residual_mm[i];
            count++;
        }
    }
    return sqrt(square / (double)count);
}

static void test_limits_hold_in_the_clip(void **state)
{
    fixture *fx = *state;
    // the elbow goes to 0.4 + 0.06 rad and more: allow 0.3
    const int elbow = ug_skeleton_find(fx->skeleton, "r_forearm");
    fx->skeleton->joints[elbow].limits_rad[0][1] = 0.3;
    const int hip = ug_skeleton_find(fx->skeleton, "l_thigh");
    fx->skeleton->joints[hip].limits_rad[0][0] = -0.4;
    solve(fx, NULL);
    assert_true(fx->result.limit_hits[elbow] > 200);
    assert_true(fx->result.limit_hits[hip] > 20);
    assert_int_equal(fx->result.limit_hits[0], 0); // the root is exempt
    assert_true(fx->result.outcome_count[UG_IK_LIMITED] > 200);
    assert_int_equal(ug_warnings_count(&fx->warnings, "limit_hits"),
                     fx->result.limit_hits[elbow] + fx->result.limit_hits[hip]);
    size_t over = 0;
    for (size_t f = 0; f < FRAMES; f++) {
        over += (double)fx->result.over_limit_rad[f * HUMANOID_JOINTS + (size_t)elbow] >
                UG_IK_LIMIT_HIT_RAD;
    }
    assert_int_equal(over, fx->result.limit_hits[elbow]);
    double pose[7 * HUMANOID_JOINTS], angles[6 * HUMANOID_JOINTS];
    for (size_t f = 0; f < FRAMES; f++) {
        ug_ik_pose_from_local(pose, fx->model, ug_clip_rotations(fx->result.clip, f), NULL);
        ug_ik_angles(angles, fx->model, pose);
        assert_true(angles[fx->model->joints[elbow].dof] <= 0.3 + 1e-9);
        assert_true(angles[fx->model->joints[hip].dof] >= -0.4 - 1e-9);
    }
    // the arm above answers for the elbow: clamping alone leaves 12 mm
    assert_true(below_elbow_mm(fx) < 8.0);
    ug_ik_take_options options = ug_ik_take_default_options();
    options.hard_limits = false;
    solve(fx, &options);
    double most = 0.0;
    for (size_t f = 0; f < FRAMES; f++) {
        ug_ik_pose_from_local(pose, fx->model, ug_clip_rotations(fx->result.clip, f), NULL);
        ug_ik_angles(angles, fx->model, pose);
        const double angle = angles[fx->model->joints[elbow].dof];
        most = fmax(most, angle);
        // not enforced, so that what is written is as far out as was noted
        assert_true(fabs((double)fx->result.over_limit_rad[f * HUMANOID_JOINTS + (size_t)elbow] -
                         fmax(angle - 0.3, 0.0)) < 1e-6);
    }
    assert_true(most > 0.35);
}

static void test_labels_that_do_not_meet(void **state)
{
    fixture *fx = *state;
    free(fx->markers->labels[3]);
    fx->markers->labels[3] = ug_text_copy("stick");
    hide(fx, "l_toes", 0, FRAMES); // one of them is the stick now
    solve(fx, NULL);
    assert_int_equal(ug_warnings_count(&fx->warnings, "marker_unknown"), 1);
    assert_int_equal(ug_warnings_count(&fx->warnings, "marker_absent"), 1);
    assert_int_equal(ug_warnings_count(&fx->warnings, "marker_never_seen"), 3);
    assert_int_equal(ug_warnings_count(&fx->warnings, "joint_unseen"), 1);
    const int toes = ug_skeleton_find(fx->skeleton, "l_toes");
    assert_true(ug_quat_angle(ug_clip_rotations(fx->result.clip, 9)[toes], UG_QUAT_IDENTITY) ==
                0.0);
}

static void test_subjects_are_kept_apart(void **state)
{
    fixture *fx = *state;
    for (size_t m = 0; m < HUMANOID_MARKERS; m++) {
        fx->markers->subjects[m] = ug_text_copy(m == 4 ? "Else" : "Nick");
    }
    ug_ik_take_options options = ug_ik_take_default_options();
    options.subject = "Nick";
    solve(fx, &options);
    assert_int_equal(ug_warnings_count(&fx->warnings, "marker_absent"), 1);
    assert_int_equal(fx->result.columns[HUMANOID_MARKERS - 1 - 4], -1);
}

static void test_too_few_markers_anywhere(void **state)
{
    fixture *fx = *state;
    ug_error err = { 0 };
    hide(fx, "", 0, FRAMES);
    ug_markers_set_m(fx->markers, 5, 0, (ug_vec3){ 0, 1, 0 }, UG_ORIGIN_MEASURED);
    ug_markers_set_m(fx->markers, 5, 1, (ug_vec3){ 0, 1, 1 }, UG_ORIGIN_MEASURED);
    assert_int_equal(ug_ik_take_solve(&fx->result, NULL, fx->markers, fx->skeleton,
                                      &fx->attachments, NULL, &err),
                     UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "no frame shows the 3 markers a pose needs; the best has 2");
    assert_null(fx->result.clip);
}

static bool refuse(void *user, double share)
{
    assert_true(share >= 0.0 && share <= 1.0);
    return --*(int *)user > 0;
}

static void test_interruption(void **state)
{
    fixture *fx = *state;
    ug_ik_take_options options = ug_ik_take_default_options();
    for (int calls = 1; calls <= 8; calls++) {
        int left = calls;
        const ug_progress progress = { .report = refuse, .user = &left };
        ug_error err = { 0 };
        options.progress = &progress;
        assert_int_equal(ug_ik_take_solve(&fx->result, NULL, fx->markers, fx->skeleton,
                                          &fx->attachments, &options, &err),
                         UG_E_INTERRUPTED);
        assert_null(fx->result.clip);
    }
}

static void test_one_frame(void **state)
{
    fixture *fx = *state;
    fx->markers->frame_count = 1;
    solve(fx, NULL);
    assert_int_equal(fx->result.outcome[0], UG_IK_CONVERGED);
    fx->markers->frame_count = 0;
    ug_error err = { 0 };
    ug_ik_take_result_fini(&fx->result);
    assert_int_equal(ug_ik_take_solve(&fx->result, NULL, fx->markers, fx->skeleton,
                                      &fx->attachments, NULL, &err),
                     UG_E_NOT_ENOUGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clean_take, setup, teardown),
        cmocka_unit_test_setup_teardown(test_residuals_count_from_what_was_measured, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_same_bits_for_any_thread_count, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hidden_hand_follows_its_neighbours, setup, teardown),
        cmocka_unit_test_setup_teardown(test_frames_without_markers_are_bridged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_marker_bends_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_leave_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits_hold_in_the_clip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_labels_that_do_not_meet, setup, teardown),
        cmocka_unit_test_setup_teardown(test_subjects_are_kept_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_few_markers_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interruption, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_frame, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_take", tests, NULL, NULL);
}
