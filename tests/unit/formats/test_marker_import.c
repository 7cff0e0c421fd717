// SPDX-License-Identifier: MIT
#include "formats/marker_import.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_span span(const char *text)
{
    return (ug_span){ text, text + strlen(text) };
}

static void test_lines_and_cells(void **state)
{
    (void)state;
    ug_span rest = span("a\tb\r\n\r\nlast"), line, cell;
    assert_true(ug_span_line(&line, &rest));
    assert_true(ug_span_cell(&cell, &line, '\t') && ug_span_equal(cell, "A"));
    assert_true(ug_span_cell(&cell, &line, '\t') && ug_span_equal(cell, "b"));
    assert_false(ug_span_cell(&cell, &line, '\t'));
    assert_true(ug_span_line(&line, &rest) && ug_span_length(line) == 0);
    assert_true(ug_span_cell(&cell, &line, '\t') && ug_span_length(cell) == 0); // one empty cell
    assert_true(ug_span_line(&line, &rest) && ug_span_equal(line, "last"));
    assert_false(ug_span_line(&line, &rest));
    rest = span("a\rb\n");
    assert_true(ug_span_line(&line, &rest) && ug_span_equal(line, "a"));
    assert_true(ug_span_line(&line, &rest) && ug_span_equal(line, "b"));
    assert_false(ug_span_line(&line, &rest));
    line = span("x\t\t");
    int cells = 0;
    while (ug_span_cell(&cell, &line, '\t')) {
        cells++;
    }
    assert_int_equal(cells, 3);
    assert_true(ug_span_equal(ug_span_trim(span(" \t a b \v")), "a b"));
    assert_int_equal(ug_span_length(ug_span_trim(span("  "))), 0);
    char text[4];
    ug_span_copy(text, sizeof text, span("abcdef"));
    assert_string_equal(text, "abc");
    ug_span_copy(text, sizeof text, (ug_span){ NULL, NULL });
    assert_string_equal(text, "");
    assert_false(ug_span_equal(span("ab"), "abc"));
    assert_false(ug_span_equal(span("abc"), "ab"));
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *subject, *label;
        ug_point_kind kind;
    } CASES[] = {
        { "LASI", "", "LASI", UG_POINT_MARKER },   { "a:b:LASI", "a:b", "LASI", UG_POINT_MARKER },
        { ":LASI", "", ":LASI", UG_POINT_MARKER }, { "LASI:", "", "LASI:", UG_POINT_MARKER },
        { "*12", "", "*12", UG_POINT_UNLABELLED }, { "Bo:*3", "Bo", "*3", UG_POINT_UNLABELLED },
    };
    enum { N = sizeof CASES / sizeof CASES[0] };
    ug_markers *m = ug_markers_create(1, N, ug_rate_make(1, 1));
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(ug_marker_import_name(m, i, span(CASES[i].name), "trc", NULL, NULL),
                         UG_OK);
        assert_string_equal(m->subjects[i], CASES[i].subject);
        assert_string_equal(m->labels[i], CASES[i].label);
        assert_int_equal(m->kinds[i], CASES[i].kind);
    }
    ug_markers_destroy(m);
}

static void test_unique(void **state)
{
    (void)state;
    static const char *const NAMES[] = { "A", "A", "A_2", "A", "Bo:A", "Bo:A" };
    static const char *const WANT[] = { "A", "A_3", "A_2", "A_4", "A", "A_2" };
    ug_markers *m = ug_markers_create(1, 6, ug_rate_make(1, 1));
    ug_warnings warnings = { 0 };
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(ug_marker_import_name(m, i, span(NAMES[i]), "csv", NULL, NULL), UG_OK);
    }
    assert_int_equal(ug_marker_import_unique(m, "csv", &warnings, NULL), UG_OK);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(m->labels[i], WANT[i]); // a name that is there is never taken
    }
    assert_int_equal(ug_warnings_count(&warnings, "csv_label_doubled"), 3);
    ug_markers_destroy(m);
}

static ug_markers *zeros(size_t frames, size_t markers)
{
    ug_markers *m = ug_markers_create(frames, markers, ug_rate_make(1, 1));
    for (size_t f = 0; f < frames; f++) {
        for (size_t i = 0; i < markers; i++) {
            ug_markers_set_m(m, f, i, (ug_vec3){ 1, 0, 0 }, UG_ORIGIN_MEASURED);
        }
    }
    for (size_t i = 0; i < markers; i++) {
        m->labels[i] = strdup("M");
        m->subjects[i] = strdup("");
    }
    return m;
}

static void test_zeros(void **state)
{
    (void)state;
    const ug_vec3 zero = { 0, 0, 0 };
    // four of one marker in a long take: a marker that passes the origin slowly
    ug_markers *m = zeros(50, 2);
    ug_warnings warnings = { 0 };
    for (size_t f = 10; f < 14; f++) {
        ug_markers_set_m(m, f, 1, zero, UG_ORIGIN_MEASURED);
    }
    ug_marker_import_zeros(m, "trc", &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "trc_zero_kept"), 4);
    assert_true(ug_markers_present(m, 10, 1));
    // a fifth, and it is a pattern
    ug_markers_set_m(m, 14, 1, zero, UG_ORIGIN_MEASURED);
    ug_marker_import_zeros(m, "trc", &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "trc_zero_missing"), 5);
    assert_false(ug_markers_present(m, 10, 1));
    assert_true(ug_markers_present(m, 10, 0)); // one coordinate of zero is no gap
    ug_markers_destroy(m);
    // two markers cannot be in one place
    m = zeros(3, 2);
    warnings = (ug_warnings){ 0 };
    ug_markers_set_m(m, 1, 0, zero, 0);
    ug_markers_set_m(m, 1, 1, zero, 0);
    ug_marker_import_zeros(m, "trc", &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "trc_zero_missing"), 2);
    assert_string_equal(
        warnings.items[0].first,
        "frame 1, marker 'M': exactly 0,0,0 is how this file writes a gap; taken as "
        "missing");
    // nothing to say about a clean file
    warnings = (ug_warnings){ 0 };
    ug_marker_import_zeros(m, "trc", &warnings);
    assert_int_equal(warnings.count, 0);
    ug_markers_destroy(m);
}

static void test_nothing_to_measure_is_not_ambiguous(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_take_init(&take);
    take.markers = ug_markers_create(3, 1, ug_rate_make(1, 1));
    take.markers->labels[0] = strdup("A");
    take.markers->subjects[0] = strdup("");
    assert_int_equal(ug_marker_import_frame(&take, "csv", "", NULL, &warnings, NULL), UG_OK);
    assert_string_equal(take.source.unit, "mm");
    assert_true(take.markers->scale_m == 0.001);
    assert_true(take.source.unit_inferred && take.source.axes_inferred);
    assert_int_equal(take.source.axes.from[1], 1);
    ug_take_fini(&take);
}

static void test_an_unknown_unit_is_told(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    const ug_read_opts opts = { .up = "Y" };
    ug_take_init(&take);
    take.markers = zeros(1, 1);
    // one point has no size: the unit cannot be inferred either
    assert_int_equal(ug_marker_import_frame(&take, "trc", "parsec", &opts, &warnings, &err),
                     UG_E_AMBIGUOUS);
    assert_non_null(strstr(err.message, "--unit"));
    assert_int_equal(ug_warnings_count(&warnings, "trc_unit_unknown"), 1);
    ug_take_fini(&take);
}

static void test_rates_from_times(void **state)
{
    (void)state;
    static const struct {
        double first, last, precision;
        size_t steps;
        int64_t num, den;
    } CASES[] = {
        { 0, 43.341667, 1e-6, 5201, 120, 1 }, { 0, 0.033, 1e-3, 2, 60, 1 },
        { 0.23, 5.32, 1e-2, 509, 100, 1 },    { 0, 0.8, 0.1, 2, 5, 2 },
        { 0, 9.983, 1e-3, 599, 60, 1 },       { 0, 1001, 1e-3, 60000, 60000, 1001 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_rate rate = { 7, 7 };
        assert_true(ug_rate_from_times(&rate, CASES[i].first, CASES[i].last, CASES[i].steps,
                                       CASES[i].precision));
        assert_int_equal(rate.num, CASES[i].num);
        assert_int_equal(rate.den, CASES[i].den);
    }
    ug_rate rate;
    assert_false(ug_rate_from_times(&rate, 0, 0, 5, 0.1));
    assert_false(ug_rate_from_times(&rate, 1, 0, 5, 0.1));
    assert_false(ug_rate_from_times(&rate, 0, 1, 0, 0.1));
    assert_false(ug_rate_from_times(&rate, NAN, 1, 5, 0.1));
}

static void test_precision(void **state)
{
    (void)state;
    assert_true(ug_decimal_precision(span("12")) == 1.0);
    assert_true(fabs(ug_decimal_precision(span("0.0083")) - 1e-4) < 1e-18);
    assert_true(ug_decimal_precision(span("1.")) == 1.0);
    assert_true(ug_decimal_precision((ug_span){ NULL, NULL }) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_and_cells),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_nothing_to_measure_is_not_ambiguous),
        cmocka_unit_test(test_an_unknown_unit_is_told),
        cmocka_unit_test(test_rates_from_times),
        cmocka_unit_test(test_precision),
    };
    return cmocka_run_group_tests_name("formats/marker_import", tests, NULL, NULL);
}
