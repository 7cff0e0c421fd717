// SPDX-License-Identifier: MIT
// Gap filling on takes of other people with known truth: $UGOKI_DATA/cases/gaps.
//
// Every case hides ranges of a complete take, fills them and measures the mean distance to what
// was hidden. The bars are better than every published method does on them (README of the cases'
// folder; PMDR R2 of Gløersen & Federolf 2016 among them). Bursts over all markers (d10b) take a
// minute a take and are left to scripts/bench.sh gaps.
#include "solvers/gap_fill.h"

#include "motion/text.h"
#include "solvers/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char root[3000];

static FILE *open_case(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s.csv", root, folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

static size_t count_lines(FILE *file)
{
    size_t lines = 0;
    for (int c; (c = fgetc(file)) != EOF;) {
        lines += c == '\n';
    }
    rewind(file);
    return lines;
}

static ug_markers *read_take(const char *name)
{
    FILE *file = open_case("takes", name);
    const size_t frames = count_lines(file) - 1;
    char *line = NULL;
    size_t capacity = 0, markers = 0;
    assert_true(getline(&line, &capacity, file) > 0);
    for (const char *p = line; (p = strstr(p, ".x")); p++) {
        markers++;
    }
    ug_markers *m = ug_markers_create(frames, markers, (ug_rate){ 120, 1 });
    assert_non_null(m);
    m->scale_m = 0.001;
    char *cell = strtok(line, ",");
    for (size_t i = 0; (cell = strtok(NULL, ",\r\n"));) {
        if (strstr(cell, ".x")) {
            m->labels[i++] = ug_text_copy_n(cell, strlen(cell) - 2);
        }
    }
    double last_s = 0.0;
    for (size_t f = 0; f < frames; f++) {
        assert_true(getline(&line, &capacity, file) > 0);
        char *p = strchr(line, ',') + 1;
        last_s = strtod(p, &p);
        for (size_t k = 0; k < 3 * markers; k++) {
            m->positions[3 * markers * f + k] = strtof(p + 1, &p);
        }
        for (size_t k = 0; k < markers; k++) {
            m->origin[markers * f + k] = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
        }
    }
    m->rate = ug_rate_make((int64_t)((double)(frames - 1) / last_s + 0.5), 1);
    free(line);
    fclose(file);
    return m;
}

static void hide(ug_markers *m, const char *take, const char *mask)
{
    char name[64], label[32];
    snprintf(name, sizeof name, "%s__%s", take, mask);
    FILE *file = open_case("masks", name);
    char line[200];
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        size_t first = 0, last = 0;
        assert_int_equal(sscanf(line, "%31[^,],%zu,%zu", label, &first, &last), 3);
        const ptrdiff_t marker = ug_markers_find(m, label);
        assert_true(marker >= 0);
        for (size_t f = first; f <= last; f++) {
            ug_markers_clear(m, f, (size_t)marker);
        }
    }
    fclose(file);
}

typedef struct score {
    double mean_mm, predicted_mm;
    size_t hidden, unfilled, touched;
} score;

// A hidden sample that stayed missing counts in `unfilled` and nowhere else.
static score score_case(const ug_markers *truth, const char *take, const char *mask)
{
    ug_markers *m = ug_markers_copy(truth);
    assert_non_null(m);
    hide(m, take, mask);
    ug_markers *hidden = ug_markers_copy(m);
    ug_gap_fill_opts opts = ug_gap_fill_default_opts();
    opts.max_gap_s = 10.0;
    opts.workers = ug_processor_count();
    assert_int_equal(ug_gap_fill(m, NULL, NULL, NULL, &opts, NULL), UG_OK);
    score s = { 0 };
    size_t filled = 0, checked = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t k = 0; k < m->marker_count; k++) {
            const size_t i = ug_markers_index(m, f, k);
            if (ug_markers_present(hidden, f, k)) {
                s.touched +=
                    memcmp(m->positions + 3 * i, truth->positions + 3 * i, 3 * sizeof(float)) != 0;
                continue;
            }
            s.hidden++;
            if (!ug_markers_present(m, f, k)) {
                s.unfilled++;
                continue;
            }
            filled++;
            s.mean_mm += 1e3 * ug_vec3_distance(ug_markers_position_m(m, f, k),
                                                ug_markers_position_m(truth, f, k));
            if (isfinite(m->predicted_error_mm[i])) {
                s.predicted_mm += (double)m->predicted_error_mm[i];
                checked++;
            }
        }
    }
    s.mean_mm /= (double)filled;
    s.predicted_mm /= (double)checked;
    ug_markers_destroy(hidden);
    ug_markers_destroy(m);
    return s;
}

static void test_gap_cases_beat_every_published_row(void **state)
{
    (void)state;
    static const char *const TAKES[] = { "cmu85_12", "cmu135_02", "hdm_mm0102", "jyu_dance1" };
    static const struct {
        const char *name;
        double bar_mm; ///< mean of the four takes
    } CASES[] = { { "a01", 1.2 },  { "a05", 3.5 },    { "a1", 4.6 },      { "a2", 6.4 },
                  { "a5", 7.5 },   { "b3", 5.3 },     { "b5", 4.4 },      { "b8", 6.4 },
                  { "d10", 0.21 }, { "c_arm", 51.0 }, { "c_foot", 32.0 }, { "e_ends", 2.5 } };
    enum { TAKE_COUNT = 4, CASE_COUNT = sizeof CASES / sizeof *CASES };
    double mean[CASE_COUNT] = { 0 }, predicted[CASE_COUNT] = { 0 };
    for (size_t t = 0; t < TAKE_COUNT; t++) {
        ug_markers *truth = read_take(TAKES[t]);
        print_message("%-11s %.0f Hz", TAKES[t], ug_rate_hz(truth->rate));
        for (size_t c = 0; c < CASE_COUNT; c++) {
            const score s = score_case(truth, TAKES[t], CASES[c].name);
            assert_true(s.hidden > 0);
            assert_int_equal(s.touched, 0);
            assert_int_equal(s.unfilled, 0);
            mean[c] += s.mean_mm / TAKE_COUNT;
            predicted[c] += s.predicted_mm / TAKE_COUNT;
            print_message("  %s %.2f", CASES[c].name, s.mean_mm);
        }
        print_message("\n");
        ug_markers_destroy(truth);
    }
    size_t missed = 0;
    for (size_t c = 0; c < CASE_COUNT; c++) {
        print_message("%-7s mean %7.2f mm, predicted rms %7.2f, bar %6.2f\n", CASES[c].name,
                      mean[c], predicted[c], CASES[c].bar_mm);
        missed += !(mean[c] <= CASES[c].bar_mm);
    }
    assert_int_equal(missed, 0);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s/cases/gaps", data);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_cases_beat_every_published_row),
    };
    return cmocka_run_group_tests_name("real/gap_cases", tests, NULL, NULL);
}
