// SPDX-License-Identifier: MIT
// Calibration on takes of other people ($UGOKI_DATA), each from a cold start and without a hint.
//
// Residuals alone reward a bent skeleton, so bones are judged as well: left against right, two
// takes of one person against each other, hip centres against the laboratory's, a subject file's
// own lengths. Bars have 15 to 25 % of air over what was measured.
#include "datasets/catalog.h"
#include "formats/format.h"
#include "formats/settings_yaml.h"
#include "motion/kinematics.h"
#include "motion/median.h"
#include "solvers/calibrate.h"
#include "solvers/ik_take.h"
#include "solvers/parallel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TAKES_MAX = 2 };

static char root[3000];

static void check(ug_status status, const ug_error *err)
{
    if (status != UG_OK) {
        fail_msg("%s: %s", err->where, err->message);
    }
}

static void read_take(ug_take *take, const char *name)
{
    char path[4096];
    ug_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s", root, name);
    ug_take_init(take);
    check(ug_format_read(take, path, NULL, NULL, &err), &err);
}

static void read_set(ug_marker_set *set, const char *name)
{
    char *path = NULL, below[4096];
    ug_error err = { 0 };
    snprintf(below, sizeof below, "%s/%s", root, name);
    if (!strchr(name, '/')) {
        check(ug_catalog_find(&path, UG_CATALOG_MARKERS, name, NULL, &err), &err);
    }
    check(ug_marker_set_read(set, path ? path : below, &err), &err);
    free(path);
}

static void read_template(ug_skeleton **skeleton, ug_attachments *attachments, const char *set_name)
{
    char *path = NULL;
    ug_error err = { 0 };
    ug_marker_set set = { 0 };
    check(ug_catalog_find(&path, UG_CATALOG_TEMPLATE, "humanoid", NULL, &err), &err);
    check(ug_template_read(skeleton, path, &err), &err);
    free(path);
    read_set(&set, set_name);
    check(ug_marker_set_attach(attachments, &set, *skeleton, &err), &err);
    ug_marker_set_fini(&set);
}

// A person: what calibration made of some takes.
typedef struct person {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_calibrate_report report;
    ug_warnings warnings;
} person;

static void person_fini(person *p)
{
    ug_skeleton_destroy(p->skeleton);
    ug_attachments_fini(&p->attachments);
    ug_calibrate_report_fini(&p->report);
}

// A take to calibrate on, and which frames of it.
typedef struct slice {
    const char *name;
    size_t first, count;
} slice;

static void calibrate_body(person *p, const ug_skeleton *body, const ug_attachments *table,
                           const slice slices[TAKES_MAX], bool keep_bones)
{
    ug_take takes[TAKES_MAX];
    ug_calibrate_take list[TAKES_MAX] = { 0 };
    ug_error err = { 0 };
    size_t count = 0;
    for (; count < TAKES_MAX && slices[count].name; count++) {
        read_take(&takes[count], slices[count].name);
        list[count] = (ug_calibrate_take){ takes[count].markers, slices[count].name,
                                           slices[count].first, slices[count].count };
    }
    ug_calibrate_options options = ug_calibrate_default_options();
    options.jobs = ug_processor_count();
    options.keep_bones = keep_bones;
    *p = (person){ 0 };
    check(ug_calibrate(&p->skeleton, &p->attachments, &p->report, &p->warnings, body, table, list,
                       count, &options, &err),
          &err);
    printf("%s: scale %.3f, rms %.2f mm, outliers %.2f %% of %zu frames, %zu of %zu markers\n",
           slices[count - 1].name, p->report.scale, 1e3 * p->report.rms_m, p->report.outlier_pct,
           p->report.checked_frames, p->report.markers_calibrated, p->attachments.count);
    for (size_t i = 0; i < p->warnings.count; i++) {
        const ug_warning *w = &p->warnings.items[i];
        printf("  %s x %zu: %s\n", w->code, w->count, w->first);
    }
    while (count > 0) {
        ug_take_fini(&takes[--count]);
    }
}

static void calibrate(person *p, const char *set, const slice slices[TAKES_MAX])
{
    ug_skeleton *body = NULL;
    ug_attachments table = { 0 };
    read_template(&body, &table, set);
    calibrate_body(p, body, &table, slices, false);
    ug_skeleton_destroy(body);
    ug_attachments_fini(&table);
}

static double bone_mm(const person *p, const char *name)
{
    const int j = ug_skeleton_find(p->skeleton, name);
    assert_true(j >= 0);
    return 1e3 * ug_vec3_norm(p->skeleton->joints[j].offset_m);
}

static double hips_mm(const person *p)
{
    const int l = ug_skeleton_find(p->skeleton, "l_thigh");
    const int r = ug_skeleton_find(p->skeleton, "r_thigh");
    return 1e3 * ug_vec3_distance(p->skeleton->joints[l].offset_m, p->skeleton->joints[r].offset_m);
}

static void check_between(const char *what, double value, double low, double high)
{
    if (!(value >= low && value <= high)) {
        fail_msg("%s is %.2f, not between %.2f and %.2f", what, value, low, high);
    }
}

static void check_fit(const person *p, double rms_mm, double outlier_pct)
{
    check_between("rms [mm]", 1e3 * p->report.rms_m, 0.5, rms_mm);
    check_between("outliers [%]", p->report.outlier_pct, 0.0, outlier_pct);
}

// Left and right leg bones within 3 %, hips as far apart as hips are (adults 150 to 200 mm; waist
// markers and soft tissue see them wider).
static void check_legs(const person *p)
{
    static const char *const bones[] = { "shank", "foot" };
    for (size_t i = 0; i < 2; i++) {
        char left[16], right[16];
        snprintf(left, sizeof left, "l_%s", bones[i]);
        snprintf(right, sizeof right, "r_%s", bones[i]);
        const double l = bone_mm(p, left), r = bone_mm(p, right);
        printf("  bone to %s: left %.0f mm, right %.0f mm\n", bones[i], l, r);
        check_between("left over right", l / r, 0.97, 1.03);
    }
    printf("  between the hips %.0f mm\n", hips_mm(p));
    check_between("between the hips [mm]", hips_mm(p), 140.0, 225.0);
}

static const char *words(const person *p, const char *code)
{
    for (size_t i = 0; i < p->warnings.count; i++) {
        if (strcmp(p->warnings.items[i].code, code) == 0) {
            return p->warnings.items[i].first;
        }
    }
    return "";
}

static const ug_calibrate_marker *marker(const person *p, const char *label)
{
    const ptrdiff_t m = ug_attachments_find(&p->attachments, label);
    assert_true(m >= 0);
    return &p->report.markers[m];
}

static void check_exchanged(const person *p, const char *a, const char *b)
{
    assert_int_equal(marker(p, a)->exchanged, ug_attachments_find(&p->attachments, b));
    assert_int_equal(marker(p, b)->exchanged, ug_attachments_find(&p->attachments, a));
}

// Solve a take that calibration has not seen. `result` and `take` are the caller's.
static double unseen_rms_mm(ug_ik_take_result *result, ug_take *take, const person *p,
                            const char *name)
{
    ug_error err = { 0 };
    ug_ik_take_options options = ug_ik_take_default_options();
    options.jobs = ug_processor_count();
    read_take(take, name);
    check(
        ug_ik_take_solve(result, NULL, take->markers, p->skeleton, &p->attachments, &options, &err),
        &err);
    double sum = 0.0;
    size_t count = 0, seen = 0;
    for (size_t i = 0; i < result->frame_count * result->attachment_count; i++) {
        const double mm = (double)result->residual_mm[i];
        seen += !isnan(mm);
        if (mm < 60.0) {
            sum += mm * mm;
            count++;
        }
    }
    assert_true(count > 0);
    printf("  unseen %s: rms %.2f mm, outliers %.2f %%\n", name, sqrt(sum / (double)count),
           100.0 * (double)(seen - count) / (double)seen);
    return sqrt(sum / (double)count);
}

static void test_cmu_02_05(void **state)
{
    (void)state;
    person p;
    calibrate(&p, "cmu_41", (slice[TAKES_MAX]){ { "data/c3d/cmu/cmu_02_05.c3d", 400, 900 } });
    check_fit(&p, 4.5, 0.0);
    check_legs(&p);
    person_fini(&p);
}

// One person twice, calibrated apart: bones repeat. Then the bones of one take under the markers
// of the other, which were put on anew (LSHN, LELB by more than 2 cm).
static void test_cmu_85_twice(void **state)
{
    (void)state;
    static const char *const limbs[] = { "l_shank", "r_shank",   "l_foot",
                                         "r_foot",  "l_forearm", "r_forearm" };
    person one, two, again;
    calibrate(&one, "cmu_41", (slice[TAKES_MAX]){ { "data/c3d/cmu/85_02.c3d", 0, 0 } });
    check_fit(&one, 7.8, 0.1);
    check_legs(&one);
    calibrate(&two, "cmu_41", (slice[TAKES_MAX]){ { "data/c3d/cmu/85_12.c3d", 0, 0 } });
    check_fit(&two, 9.5, 0.5);
    check_legs(&two);
    for (size_t i = 0; i < sizeof limbs / sizeof limbs[0]; i++) {
        printf("  bone to %s: %.0f and %.0f mm\n", limbs[i], bone_mm(&one, limbs[i]),
               bone_mm(&two, limbs[i]));
        check_between("one take over the other", bone_mm(&one, limbs[i]) / bone_mm(&two, limbs[i]),
                      0.95, 1.05);
    }
    check_between("hips of one over the other", hips_mm(&one) / hips_mm(&two), 0.85, 1.15);

    calibrate_body(&again, one.skeleton, &one.attachments,
                   (slice[TAKES_MAX]){ { "data/c3d/cmu/85_12.c3d", 0, 0 } }, true);
    assert_memory_equal(&again.skeleton->joints[10].offset_m, &one.skeleton->joints[10].offset_m,
                        sizeof(ug_vec3));
    check_fit(&again, 9.5, 0.5);
    assert_true(ug_vec3_norm(marker(&again, "LSHN")->moved_m) > 0.02);
    assert_true(ug_vec3_norm(marker(&again, "LELB")->moved_m) > 0.02);
    person_fini(&one);
    person_fini(&two);
    person_fini(&again);
}

static void test_gait_laboratory(void **state)
{
    (void)state;
    person still, both;
    const slice slices[TAKES_MAX] = { { "data/c3d/HC030A/HC030A01.c3d", 0, 0 },
                                      { "data/c3d/HC030A/HC030A22.c3d", 0, 0 } };
    calibrate(&still, "plugin_gait_oxford", (slice[TAKES_MAX]){ slices[0] });
    assert_int_equal(ug_warnings_count(&still.warnings, "static_only"), 1);
    calibrate(&both, "plugin_gait_oxford", slices);
    assert_int_equal(ug_warnings_count(&both.warnings, "static_only"), 0);
    assert_true(both.report.hips_by_regression);
    check_fit(&both, 3.0, 0.05);
    check_legs(&both);
    // only in the static take, and used
    assert_true(marker(&both, "LNAV")->fit_count >= 3);

    ug_ik_take_result result;
    ug_take take;
    const char *walk = "data/c3d/HC030A/HC030A05.c3d";
    const double alone_mm = unseen_rms_mm(&result, &take, &still, walk);
    ug_ik_take_result_fini(&result);
    ug_take_fini(&take);
    const double both_mm = unseen_rms_mm(&result, &take, &both, walk);
    ug_ik_take_result_fini(&result);
    ug_take_fini(&take);
    check_between("unseen walk [mm]", both_mm, 0.5, 3.0);
    check_between("unseen walk from the static take alone [mm]", alone_mm, both_mm, 5.5);
    person_fini(&still);
    person_fini(&both);
}

// Median distance of a hip centre from the laboratory's own, which calibration has not used.
static double hip_error_mm(const person *p, const ug_ik_take_result *result, const ug_take *take,
                           const char *joint, const char *label)
{
    const int j = ug_skeleton_find(p->skeleton, joint);
    const ptrdiff_t m = ug_markers_find(take->markers, label);
    assert_true(j >= 0 && m >= 0);
    const size_t joints = p->skeleton->joint_count;
    double *mm = malloc(result->frame_count * sizeof *mm);
    ug_quat *q = malloc(joints * sizeof *q);
    ug_vec3 *c = malloc(joints * sizeof *c);
    assert_true(mm && q && c);
    size_t count = 0;
    for (size_t t = 0; t < result->frame_count; t++) {
        if (ug_markers_present(take->markers, t, (size_t)m)) {
            ug_clip_forward(q, c, p->skeleton, result->clip, t);
            mm[count++] =
                1e3 * ug_vec3_distance(c[j], ug_markers_position_m(take->markers, t, (size_t)m));
        }
    }
    assert_true(count > 0);
    const double median = ug_median(mm, count);
    free(mm);
    free(q);
    free(c);
    return median;
}

static void test_subject4(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double rms_mm;
    } unseen[] = { { "data/trc/subject4/walking1.trc", 6.5 },
                   { "data/trc/subject4/walkingTO2.trc", 7.5 },
                   { "data/trc/subject4/walkingTS2.trc", 6.5 },
                   { "data/trc/subject4/DJ1.trc", 7.0 } };
    person p;
    calibrate(&p, "templates/markersets/subject4_55.yaml",
              (slice[TAKES_MAX]){ { "data/trc/subject4/static1.trc", 0, 0 },
                                  { "data/trc/subject4/squats1.trc", 0, 0 } });
    assert_true(p.report.hips_by_regression);
    check_fit(&p, 5.0, 0.1);
    check_legs(&p);
    // computed points stay out of it
    assert_int_equal(marker(&p, "L_HJC")->sample_count, 0);
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++) {
        ug_ik_take_result result;
        ug_take take;
        const double rms_mm = unseen_rms_mm(&result, &take, &p, unseen[i].name);
        check_between("unseen rms [mm]", rms_mm, 0.5, unseen[i].rms_mm);
        const double left = hip_error_mm(&p, &result, &take, "l_thigh", "L_HJC");
        const double right = hip_error_mm(&p, &result, &take, "r_thigh", "R_HJC");
        printf("  hip centre to the laboratory's: left %.1f mm, right %.1f mm\n", left, right);
        check_between("left hip [mm]", left, 0.0, 20.0);
        check_between("right hip [mm]", right, 0.0, 20.0);
        ug_ik_take_result_fini(&result);
        ug_take_fini(&take);
    }
    person_fini(&p);
}

static const char *const NICK = "data/c3d/nick/nick_freeform_001.c3d";

// CLAV is never seen, RTOE is on something else from frame 975 to the end, front and back shoulder
// markers wear each other's label.
static void check_nick(const person *p)
{
    assert_non_null(strstr(words(p, "marker_unseen"), "'CLAV'"));
    assert_int_equal(p->report.markers_calibrated, p->attachments.count - 1);
    check_exchanged(p, "LFSH", "LBSH");
    check_exchanged(p, "RFSH", "RBSH");
    assert_int_equal(ug_warnings_count(&p->warnings, "labels_exchanged"), 2);
    const ug_calibrate_marker *toe = marker(p, "RTOE");
    check_between("frames of RTOE", (double)toe->stray_count, 105.0, 120.0);
    check_between("first of them", (double)toe->stray_first, 970.0, 980.0);
    assert_non_null(strstr(words(p, "marker_stray"), "'RTOE'"));
}

static void test_nick(void **state)
{
    (void)state;
    person p;
    calibrate(&p, "vicon_53", (slice[TAKES_MAX]){ { NICK, 0, 0 } });
    check_fit(&p, 8.5, 0.6);
    check_legs(&p);
    printf("  foot: left %.0f mm, right %.0f mm\n", bone_mm(&p, "l_toes"), bone_mm(&p, "r_toes"));
    check_between("left foot [mm]", bone_mm(&p, "l_toes"), 150.0, 195.0);
    check_between("right foot [mm]", bone_mm(&p, "r_toes"), 150.0, 195.0);
    check_nick(&p);
    person_fini(&p);
}

// The subject's own file as the template: other joints, no roles, no groups. Its lengths are known
// to 10 mm a bone and were made for this very person.
static void test_nick_from_subject_file(void **state)
{
    (void)state;
    person p;
    ug_take subject;
    read_take(&subject, "data/c3d/nick/Nick01.vsk");
    assert_non_null(subject.skeleton);
    calibrate_body(&p, subject.skeleton, &subject.attachments, (slice[TAKES_MAX]){ { NICK, 0, 0 } },
                   false);
    check_fit(&p, 8.0, 0.65);
    check_nick(&p);
    static const char *const bones[] = { "LeftLeg",  "RightLeg", "LeftFoot",    "RightFoot",
                                         "LeftToe",  "RightToe", "LeftForeArm", "RightForeArm",
                                         "LeftHand", "RightHand" };
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++) {
        const int j = ug_skeleton_find(subject.skeleton, bones[i]);
        const double file_mm = 1e3 * ug_vec3_norm(subject.skeleton->joints[j].offset_m);
        printf("  bone to %s: %.0f mm, file %.0f mm\n", bones[i], bone_mm(&p, bones[i]), file_mm);
        check_between("bone over the file's", bone_mm(&p, bones[i]) / file_mm, 0.94, 1.06);
    }
    ug_take_fini(&subject);
    person_fini(&p);
}

static void test_wrong_set_is_named(void **state)
{
    (void)state;
    ug_marker_set sets[3] = { 0 };
    read_set(&sets[0], "cmu_41");
    read_set(&sets[1], "vicon_53");
    read_set(&sets[2], "templates/markersets/subject4_55.yaml");
    ug_skeleton *body = NULL, *skeleton = NULL;
    ug_attachments table = { 0 }, attachments = { 0 };
    ug_take take;
    ug_error err = { 0 };
    read_template(&body, &table, "cmu_41");
    read_take(&take, "data/trc/subject4/walking1.trc");
    const ug_calibrate_take list = { .markers = take.markers };
    ug_calibrate_options options = ug_calibrate_default_options();
    options.known_sets = sets;
    options.known_count = 3;
    assert_int_equal(
        ug_calibrate(&skeleton, &attachments, NULL, NULL, body, &table, &list, 1, &options, &err),
        UG_E_NOT_ENOUGH);
    puts(err.message);
    assert_non_null(strstr(err.message, "only 1 of the 41 markers of the set are seen (C7)"));
    assert_non_null(
        strstr(err.message, "51 of the take's labels are in the marker set 'subject4_55', try it"));
    ug_take_fini(&take);
    ug_skeleton_destroy(body);
    ug_attachments_fini(&table);
    for (size_t i = 0; i < 3; i++) {
        ug_marker_set_fini(&sets[i]);
    }
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cmu_02_05),
        cmocka_unit_test(test_cmu_85_twice),
        cmocka_unit_test(test_gait_laboratory),
        cmocka_unit_test(test_subject4),
        cmocka_unit_test(test_nick),
        cmocka_unit_test(test_nick_from_subject_file),
        cmocka_unit_test(test_wrong_set_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
