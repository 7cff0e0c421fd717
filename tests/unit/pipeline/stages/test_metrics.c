// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/metrics.c.
#include "pipeline/stages/metrics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    ug_metrics *m = calloc(1, sizeof *m);
    ug_metrics_set(m, "marker_rms_mm", 7.25);
    ug_metrics_set(m, "gap_count", 3);
    ug_metrics_set(m, "foot_slide_mm", NAN);
    ug_metrics_set_of(m, 0.1, "rest_deg/%s", "left_thigh");
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    ug_metrics_fini(*state);
    free(*state);
    return 0;
}

static void test_json_nests_families_and_writes_null_for_unknown(void **state)
{
    char *text = ug_metrics_to_json(*state);
    assert_string_equal(text, "{\"marker_rms_mm\":7.25,\"gap_count\":3,\"foot_slide_mm\":null,"
                              "\"rest_deg\":{\"left_thigh\":0.1}}");
    free(text);
}

static void test_json_reads_back(void **state)
{
    char *text = ug_metrics_to_json(*state);
    ug_metrics back = { 0 };
    double v = 0;
    assert_true(ug_metrics_from_json(&back, text));
    char *again = ug_metrics_to_json(&back);
    assert_string_equal(again, text);
    assert_true(ug_metrics_get(&back, "rest_deg/left_thigh", &v));
    assert_true(v == 0.1);
    ug_metrics none = { 0 };
    assert_false(ug_metrics_from_json(&none, "[1]"));
    assert_false(ug_metrics_from_json(&none, NULL));
    assert_int_equal(none.count, 0);
    free(again);
    free(text);
    ug_metrics_fini(&back);
}

static void test_setting_again_replaces(void **state)
{
    double v = 0;
    ug_metrics_set(*state, "gap_count", 4);
    assert_true(ug_metrics_get(*state, "gap_count", &v));
    assert_true(v == 4.0);
    assert_false(ug_metrics_get(*state, "nothing", &v));
}

static void test_gates(void **state)
{
    assert_int_equal(ug_metrics_require(*state, "marker_rms_mm<10,gap_count<=3", NULL), UG_OK);
    static const struct {
        const char *gates;
        ug_status status;
        const char *message;
    } CASES[] = {
        { "marker_rms_mm<7.25", UG_E_GATE, "quality gate: marker_rms_mm is 7.25, wanted <7.25" },
        { "gap_count>3,marker_rms_mm>=8", UG_E_GATE,
          "quality gate: gap_count is 3, wanted >3; marker_rms_mm is 7.25, wanted >=8" },
        { "foot_slide_mm<9", UG_E_GATE, "quality gate: foot_slide_mm is nan, wanted <9" },
        { "rms<9", UG_E_USAGE, "--require: this stage has no figure 'rms'" },
        { "gap_count<x", UG_E_USAGE, "--require: 'x' is not a number" },
        { "gap_count", UG_E_USAGE, "--require 'gap_count': write name<value or name>value" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_error err = { 0 };
        assert_int_equal(ug_metrics_require(*state, CASES[i].gates, &err), CASES[i].status);
        assert_string_equal(err.message, CASES[i].message);
    }
}

// what can be known before there are figures
static void test_syntax_of_gates(void **state)
{
    (void)state;
    ug_error err = { 0 };
    assert_int_equal(ug_metrics_check_gates("rms<9, nothing>=-1e3", &err), UG_OK);
    static const char *const BAD[] = { "rms", "rms<", "<3", "rms<9,gap=3", "rms<nan", "", " , " };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        err = (ug_error){ 0 };
        assert_int_equal(ug_metrics_check_gates(BAD[i], &err), UG_E_USAGE);
        assert_non_null(strstr(err.message, "--require"));
    }
}

static void test_warnings_as_json(void **state)
{
    (void)state;
    ug_warnings w = { 0 };
    ug_warn(&w, "odd", "marker '%s'", "A");
    ug_warn(&w, "odd", "marker '%s'", "B");
    char *text = ug_warnings_to_json(&w);
    assert_string_equal(text, "[{\"code\":\"odd\",\"count\":2,\"first\":\"marker 'A'\"}]");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_json_nests_families_and_writes_null_for_unknown, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_json_reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_setting_again_replaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_gates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_syntax_of_gates, setup, teardown),
        cmocka_unit_test(test_warnings_as_json),
    };
    return cmocka_run_group_tests_name("pipeline/stages/metrics", tests, NULL, NULL);
}
