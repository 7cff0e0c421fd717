// SPDX-License-Identifier: MIT
// Calibrate and solve takes of other people ($UGOKI_DATA), from a cold start and without a hint.
//
// rms and outliers are counted as everywhere: imported measured samples, below and beyond 60 mm.
// Where a peer's per-marker errors lie beside the take, both are compared on the markers both use.
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
    const char *peer;                   ///< per-marker errors of another program, NULL = none
    const char *peer_angles;            ///< joint angles of that program, radians, NULL = none
    double foot_mm[2];                  ///< ankle to toe joint between; 0 = not checked
    double left_out_mm[2]; ///< bars on hidden samples: 10 % at random; in runs of 0.25 s
} take_case;

static const take_case CASES[] = {
    { .name = "cmu_02_05",
      .markers = "cmu_41",
      .subject = { "data/c3d/cmu/cmu_02_05.c3d" },
      .target = "data/c3d/cmu/cmu_02_05.c3d",
      .rms_mm = 10.0,
      .outlier_pct = 0.5,
      .left_out_mm = { 6.0, 13.0 } },
    { .name = "85_12",
      .markers = "cmu_41",
      .subject = { "data/c3d/cmu/85_12.c3d" },
      .target = "data/c3d/cmu/85_12.c3d",
      .rms_mm = 10.0,
      .outlier_pct = 0.5,
      .left_out_mm = { 13.0, 18.0 } },
    { .name = "HC030A05",
      .markers = "plugin_gait_oxford",
      .subject = { "data/c3d/HC030A/HC030A01.c3d", "data/c3d/HC030A/HC030A22.c3d" },
      .target = "data/c3d/HC030A/HC030A05.c3d",
      .rms_mm = 6.0,
      .outlier_pct = 0.5,
      .left_out_mm = { 4.0, 5.5 } },
    { .name = "walking1",
      .markers = "templates/markersets/subject4_55.yaml",
      .subject = { "data/trc/subject4/static1.trc", "data/trc/subject4/squats1.trc" },
      .target = "data/trc/subject4/walking1.trc",
      .rms_mm = 10.0,
      .outlier_pct = 0.5,
      .peer = "data/trc/subject4/walking1_ik_per_marker_error_report.csv",
      .peer_angles = "data/trc/subject4/walking1_ik.mot",
      .left_out_mm = { 7.5, 10.0 } },
    { .name = "nick_freeform_001",
      .markers = "vicon_53",
      .subject = { "data/c3d/nick/nick_freeform_001.c3d" },
      .target = "data/c3d/nick/nick_freeform_001.c3d",
      .rms_mm = 10.0,
      .outlier_pct = 0.5,
      .foot_mm = { 150.0, 195.0 },
      .left_out_mm = { 19.0, 14.0 } },
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
        assert_true(fabs(l - r) <= 0.03 * fmax(l, r));
    }
    const double l = 1e3 * bone_m(skeleton, "l_toes"), r = 1e3 * bone_m(skeleton, "r_toes");
    printf("  foot: left %.0f mm, right %.0f mm\n", l, r);
    if (c->foot_mm[0] > 0.0) {
        assert_true(fmin(l, r) >= c->foot_mm[0] && fmax(l, r) <= c->foot_mm[1]);
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

// Its file: a row of labels, then one of rms per marker in metres; 0 = not in its model.
static void compare_with_peer(const take_case *c, const ug_residual_stats *s,
                              const ug_attachments *attachments)
{
    if (!c->peer) {
        return;
    }
    char path[4096], *labels = NULL, *errors = NULL, *in_labels, *in_errors;
    size_t capacity[2] = { 0 }, count = 0;
    double ours = 0.0, theirs = 0.0;
    snprintf(path, sizeof path, "%s/%s", root, c->peer);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getline(&labels, &capacity[0], file) > 0);
    assert_true(getline(&errors, &capacity[1], file) > 0);
    fclose(file);
    char *label = strtok_r(labels, ",\r\n", &in_labels);
    char *cell = strtok_r(errors, ",\r\n", &in_errors);
    while (label && cell) {
        const double mm = 1e3 * strtod(cell, NULL);
        const ptrdiff_t m = ug_attachments_find(attachments, label);
        if (m >= 0 && mm > 0.0 && s->markers[m].sample_count > 0) {
            ours += s->markers[m].all_rms_mm * s->markers[m].all_rms_mm;
            theirs += mm * mm;
            count++;
        }
        label = strtok_r(NULL, ",\r\n", &in_labels);
        cell = strtok_r(NULL, ",\r\n", &in_errors);
    }
    free(labels);
    free(errors);
    assert_true(count > 0);
    printf("  on the %zu markers both use: %.2f mm, the peer's %.2f mm\n", count,
           sqrt(ours / (double)count), sqrt(theirs / (double)count));
    assert_true(ours < theirs);
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
    compare_with_peer(c, &s, attachments);
    ug_residual_stats_fini(&s);
    free(counted);
}

// A fixed coin per (a, b), the same on every machine.
static double coin(uint64_t a, uint64_t b)
{
    uint64_t z = (a << 32 | b) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Hide 10 % of the samples: each for itself, or each marker in runs of `run` frames.
static uint8_t *hide(const ug_ik_take_result *full, size_t run)
{
    uint8_t *hidden = calloc(full->frame_count * full->attachment_count + 1, 1);
    for (size_t f = 0; f < full->frame_count; f++) {
        for (size_t m = 0; m < full->attachment_count; m++) {
            // the phase of the runs differs per marker, or all would vanish together
            hidden[f * full->attachment_count + m] = coin((f + 7 * m) / run, m) < 0.1;
        }
    }
    return hidden;
}

// Error on samples the solve did not see. Those that are outliers with everything in view say
// nothing about the solve and are not scored.
static double left_out_mm(const ug_ik_take_result *full, const ug_take *take,
                          const ug_skeleton *skeleton, const ug_attachments *attachments,
                          size_t run)
{
    ug_ik_take_result part;
    ug_error err = { 0 };
    uint8_t *hidden = hide(full, run);
    ug_ik_take_options options = ug_ik_take_default_options();
    options.jobs = ug_processor_count();
    options.hidden = hidden;
    check(ug_ik_take_solve(&part, NULL, take->markers, skeleton, attachments, &options, &err),
          &err);
    double square = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < full->frame_count * full->attachment_count; i++) {
        const double mm = (double)part.residual_mm[i];
        if (hidden[i] && (double)full->residual_mm[i] < UG_OUTLIER_MM && !isnan(mm)) {
            square += mm * mm;
            count++;
        }
    }
    ug_ik_take_result_fini(&part);
    free(hidden);
    return sqrt(square / (double)count);
}

static void check_left_out(const take_case *c, const ug_ik_take_result *full, const ug_take *take,
                           const ug_skeleton *skeleton, const ug_attachments *attachments)
{
    const size_t run = (size_t)(0.25 * ug_rate_hz(take->markers->rate) + 0.5);
    const double random = left_out_mm(full, take, skeleton, attachments, 1);
    const double block = left_out_mm(full, take, skeleton, attachments, run);
    printf("  left out: random 10 %% %.1f mm, runs of 0.25 s %.1f mm\n", random, block);
    assert_true(random <= c->left_out_mm[0]);
    assert_true(block <= c->left_out_mm[1]);
}

// Column `name` of a table of numbers under "endheader" and a row of names; returns its length.
static size_t read_angles(double *out, size_t capacity, const char *path, const char *name)
{
    char *line = NULL, *in;
    size_t size = 0, count = 0;
    int column = -1;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &size, file) > 0 && strncmp(line, "endheader", 9) != 0) {
    }
    assert_true(getline(&line, &size, file) > 0);
    char *cell = strtok_r(line, "\t\r\n", &in);
    for (int i = 0; cell; i++, cell = strtok_r(NULL, "\t\r\n", &in)) {
        column = strcmp(cell, name) == 0 ? i : column;
    }
    assert_true(column >= 0);
    while (count < capacity && getline(&line, &size, file) > 0) {
        cell = strtok_r(line, "\t\r\n", &in);
        for (int i = 0; cell && i < column; i++) {
            cell = strtok_r(NULL, "\t\r\n", &in);
        }
        if (cell) {
            out[count++] = strtod(cell, NULL);
        }
    }
    free(line);
    fclose(file);
    return count;
}

// The knee's bend against the peer's. Zeros of two models differ; the shape may not.
static void check_knee(const take_case *c, const ug_ik_take_result *result,
                       const ug_skeleton *skeleton, const char *joint, const char *column)
{
    enum { CAPACITY = 4096 };
    static double theirs[CAPACITY];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, c->peer_angles);
    const size_t count = read_angles(theirs, CAPACITY, path, column);
    assert_int_equal(count, result->frame_count);
    const size_t j = (size_t)ug_skeleton_find(skeleton, joint);
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t f = 0; f < count; f++) {
        const ug_quat q = ug_quat_mul(ug_quat_conj(skeleton->joints[j].rest),
                                      ug_clip_rotations(result->clip, f)[j]);
        const double a = ug_quat_log(q).x / UG_DEG, b = theirs[f] / UG_DEG;
        sa += a;
        sb += b;
        saa += a * a;
        sbb += b * b;
        sab += a * b;
    }
    const double n = (double)count;
    const double va = saa / n - sa * sa / n / n, vb = sbb / n - sb * sb / n / n;
    const double cov = sab / n - sa * sb / n / n;
    const double sd = sqrt(va + vb - 2.0 * cov), correlation = cov / sqrt(va * vb);
    printf("  %s against the peer's: correlation %.4f, offset %.1f deg, sd %.2f deg\n", joint,
           correlation, (sa - sb) / n, sd);
    assert_true(correlation >= 0.99 && sd <= 4.0);
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
    if (c->peer_angles) {
        check_knee(c, &result, skeleton, "r_shank", "knee_angle_r");
        check_knee(c, &result, skeleton, "l_shank", "knee_angle_l");
    }
    check_left_out(c, &result, &take, skeleton, &attachments);
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
