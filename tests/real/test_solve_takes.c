// SPDX-License-Identifier: MIT
// Calibrate and solve takes of other people ($UGOKI_DATA), from a cold start and without a hint.
//
// rms and outliers are counted as everywhere: imported measured samples, below and beyond 60 mm.
// The peer's figure is recomputed from its own per-marker errors on the same markers and samples.
#include "datasets/catalog.h"
#include "formats/c3d.h"
#include "formats/settings_yaml.h"
#include "formats/trc.h"
#include "solvers/calibrate.h"
#include "solvers/ik_take.h"
#include "solvers/parallel.h"
#include "solvers/residual_stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { SUBJECT_TAKES = 2 };

typedef struct take_case {
    const char *name;
    const char *markers;                ///< built-in marker set, or a path below $UGOKI_DATA
    const char *subject[SUBJECT_TAKES]; ///< takes to calibrate on; NULL ends
    const char *target;                 ///< take to solve
    double rms_mm, outlier_pct;         ///< bars
    double peer_mm;                     ///< 0 = none
    bool symmetric;                     ///< left and right leg bones within 3 %
    double foot_mm[2];                  ///< foot length between; 0 = not checked
} take_case;

static const take_case CASES[] = {
    { "cmu_02_05",
      "cmu_41",
      { "data/c3d/cmu/cmu_02_05.c3d" },
      "data/c3d/cmu/cmu_02_05.c3d",
      10.0,
      0.5,
      0.0,
      true,
      { 0 } },
    { "85_12",
      "cmu_41",
      { "data/c3d/cmu/85_12.c3d" },
      "data/c3d/cmu/85_12.c3d",
      10.0,
      0.5,
      0.0,
      true,
      { 0 } },
    { "HC030A05",
      "plugin_gait_oxford",
      { "data/c3d/HC030A/HC030A01.c3d", "data/c3d/HC030A/HC030A22.c3d" },
      "data/c3d/HC030A/HC030A05.c3d",
      6.0,
      0.5,
      0.0,
      true,
      { 0 } },
    { "walking1",
      "templates/markersets/subject4_55.yaml",
      { "data/trc/subject4/static1.trc", "data/trc/subject4/squats1.trc" },
      "data/trc/subject4/walking1.trc",
      10.0,
      0.5,
      12.3,
      true,
      { 0 } },
    { "nick_freeform_001",
      "vicon_53",
      { "data/c3d/nick/nick_freeform_001.c3d" },
      "data/c3d/nick/nick_freeform_001.c3d",
      10.0,
      0.5,
      0.0,
      true,
      { 150.0, 195.0 } },
};

static char root[3000];

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    const bool c3d = strstr(name, ".c3d") != NULL;
    ug_take_init(take);
    check((c3d ? ug_c3d_read : ug_trc_read)(take, path, NULL, NULL, &err), &err);
}

static void read_subject(ug_skeleton **skeleton, ug_attachments *attachments, const char *markers)
{
    char *path = NULL;
    ug_error err = { 0 };
    ug_marker_set set = { 0 };
    check(ug_catalog_find(&path, UG_CATALOG_TEMPLATE, "humanoid", NULL, &err), &err);
    check(ug_template_read(skeleton, path, &err), &err);
    free(path);
    if (strchr(markers, '/')) {
        path = malloc(4096);
        snprintf(path, 4096, "%s/%s", root, markers);
    } else {
        check(ug_catalog_find(&path, UG_CATALOG_MARKERS, markers, NULL, &err), &err);
    }
    check(ug_marker_set_read(&set, path, &err), &err);
    check(ug_marker_set_attach(attachments, &set, *skeleton, &err), &err);
    ug_marker_set_fini(&set);
    free(path);
}

static double bone_m(const ug_skeleton *skeleton, const char *name)
{
    const int j = ug_skeleton_find(skeleton, name);
    assert_true(j >= 0);
    return ug_vec3_norm(skeleton->joints[j].offset_m);
}

static void check_bones(const take_case *c, const ug_skeleton *skeleton)
{
    static const char *const BONES[] = { "shank", "foot" }; // thigh and shank lengths
    for (size_t i = 0; i < 2; i++) {
        char left[32], right[32];
        snprintf(left, sizeof left, "l_%s", BONES[i]);
        snprintf(right, sizeof right, "r_%s", BONES[i]);
        const double l = bone_m(skeleton, left), r = bone_m(skeleton, right);
        printf("  %s: left %.0f mm, right %.0f mm\n", i ? "shank" : "thigh", 1e3 * l, 1e3 * r);
        assert_true(!c->symmetric || fabs(l - r) <= 0.03 * fmax(l, r));
    }
}

static void print_worst(const ug_residual_stats *s, const ug_attachments *attachments)
{
    bool shown[256] = { false };
    printf("  worst:");
    for (int i = 0; i < 5; i++) {
        ptrdiff_t w = -1;
        for (size_t m = 0; m < s->marker_count && m < 256; m++) {
            if (!shown[m] && s->markers[m].sample_count &&
                (w < 0 || s->markers[m].all_rms_mm > s->markers[w].all_rms_mm)) {
                w = (ptrdiff_t)m;
            }
        }
        if (w >= 0) {
            shown[w] = true;
            printf(" %s %.0f", attachments->items[w].label, s->markers[w].all_rms_mm);
        }
    }
    printf("\n");
}

static void judge(const take_case *c, const ug_ik_take_result *result, const ug_take *take,
                  const ug_skeleton *skeleton, const ug_attachments *attachments, double seconds)
{
    ug_residual_stats s;
    uint8_t *counted = malloc(result->frame_count * result->attachment_count + 1);
    ug_residual_mark_measured(counted, take->markers, result->columns, result->attachment_count);
    assert_int_equal(ug_residual_stats_compute(&s, result->residual_mm, counted,
                                               result->frame_count, result->attachment_count, NULL),
                     UG_OK);
    printf("%s: rms %.2f mm (median %.2f, p95 %.2f), outliers %.2f %% of %zu, all %.2f mm", c->name,
           s.rms_mm, s.median_mm, s.p95_mm, s.outlier_pct, s.sample_count, s.all_rms_mm);
    if (c->peer_mm > 0.0) {
        printf("; the peer's %.1f", c->peer_mm);
    }
    printf("\n  %zu frames in %.2f s, %.1f solves a frame, %zu dof;", result->frame_count, seconds,
           (double)result->iterations / (double)result->frame_count, result->dof_count);
    for (int o = 0; o < UG_IK_OUTCOME_COUNT; o++) {
        printf(" %s %zu", ug_ik_outcome_name((ug_ik_outcome)o), result->outcome_count[o]);
    }
    printf("; limit hits in %zu frames:", result->limit_hit_frames);
    for (size_t j = 0; j < result->joint_count; j++) {
        if (result->limit_hits[j]) {
            printf(" %s %zu", skeleton->joints[j].name, result->limit_hits[j]);
        }
    }
    printf("\n");
    print_worst(&s, attachments);
    assert_true(s.rms_mm <= c->rms_mm);
    assert_true(s.outlier_pct <= c->outlier_pct);
    assert_int_equal(result->outcome_count[UG_IK_UNSOLVED], 0);
    assert_true(c->peer_mm == 0.0 || s.all_rms_mm < c->peer_mm);
    ug_residual_stats_fini(&s);
    free(counted);
}

static void calibrate(const take_case *c, ug_skeleton **skeleton, ug_attachments *attachments,
                      ug_calibrate_report *report)
{
    ug_take takes[SUBJECT_TAKES];
    ug_calibrate_take list[SUBJECT_TAKES] = { 0 };
    size_t count = 0;
    ug_skeleton *body = NULL;
    ug_attachments table = { 0 };
    ug_error err = { 0 };
    ug_warnings warnings = { 0 };
    read_subject(&body, &table, c->markers);
    for (; count < SUBJECT_TAKES && c->subject[count]; count++) {
        read_take(&takes[count], c->subject[count]);
        list[count] =
            (ug_calibrate_take){ .markers = takes[count].markers, .name = c->subject[count] };
    }
    ug_calibrate_options options = ug_calibrate_default_options();
    options.jobs = ug_processor_count();
    const double start = now_s();
    check(ug_calibrate(skeleton, attachments, report, &warnings, body, &table, list, count,
                       &options, &err),
          &err);
    printf("\n%s: calibrated in %.1f s, scale %.3f, fit %.2f mm\n", c->name, now_s() - start,
           report->scale, 1e3 * report->rms_m);
    for (size_t i = 0; i < warnings.count; i++) {
        printf("  %s x %zu: %s\n", warnings.items[i].code, warnings.items[i].count,
               warnings.items[i].first);
    }
    for (size_t i = 0; i < count; i++) {
        ug_take_fini(&takes[i]);
    }
    ug_skeleton_destroy(body);
    ug_attachments_fini(&table);
}

static void run_case(void **state)
{
    const take_case *c = *state;
    ug_skeleton *skeleton = NULL;
    ug_attachments attachments = { 0 };
    ug_calibrate_report report = { 0 };
    ug_take take;
    ug_error err = { 0 };
    ug_warnings warnings = { 0 };
    ug_ik_take_result result = { 0 };
    calibrate(c, &skeleton, &attachments, &report);
    read_take(&take, c->target);
    ug_ik_take_options options = ug_ik_take_default_options();
    options.jobs = ug_processor_count();
    const double start = now_s();
    check(
        ug_ik_take_solve(&result, &warnings, take.markers, skeleton, &attachments, &options, &err),
        &err);
    const double seconds = now_s() - start;
    for (size_t i = 0; i < warnings.count; i++) {
        printf("  %s x %zu: %s\n", warnings.items[i].code, warnings.items[i].count,
               warnings.items[i].first);
    }
    judge(c, &result, &take, skeleton, &attachments, seconds);
    check_bones(c, skeleton);
    ug_ik_take_result_fini(&result);
    ug_calibrate_report_fini(&report);
    ug_take_fini(&take);
    ug_attachments_fini(&attachments);
    ug_skeleton_destroy(skeleton);
}

int main(int argc, char **argv)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct CMUnitTest tests[sizeof CASES / sizeof *CASES];
    size_t count = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (argc < 2 || strcmp(argv[1], CASES[i].name) == 0) {
            tests[count++] = (struct CMUnitTest){ .name = CASES[i].name,
                                                  .test_func = run_case,
                                                  .initial_state = (void *)&CASES[i] };
        }
    }
    return _cmocka_run_group_tests("real/solve_takes", tests, count, NULL, NULL);
}
