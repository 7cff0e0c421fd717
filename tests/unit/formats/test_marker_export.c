// SPDX-License-Identifier: MIT
#include "formats/marker_export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ug_take take_of_two(void)
{
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(2, 3, ug_rate_make(120, 1));
    static const char *const LABELS[] = { "LASI", "LHipAngles", "*7" };
    for (int i = 0; i < 3; i++) {
        take.markers->labels[i] = strdup(LABELS[i]);
        take.markers->subjects[i] = strdup(i == 0 ? "Bo" : "");
    }
    take.markers->kinds[1] = UG_POINT_ANGLE;
    take.markers->kinds[2] = UG_POINT_UNLABELLED;
    take.markers->scale_m = 0.001;
    strcpy(take.source.unit, "mm");
    assert_int_equal(ug_axes_from_names(&take.source.axes, "+Z", NULL, NULL), UG_OK);
    ug_markers_set_m(take.markers, 1, 0, (ug_vec3){ 1, 2, 3 }, UG_ORIGIN_MEASURED);
    return take;
}

static void test_as_the_source_was(void **state)
{
    (void)state;
    ug_take take = take_of_two();
    ug_warnings warnings = { 0 };
    ug_marker_export e;
    float xyz[3] = { 9, 9, 9 };
    char name[32];
    assert_int_equal(ug_marker_export_init(&e, &take, "m", NULL, &warnings, NULL), UG_OK);
    assert_int_equal(e.count, 2);
    assert_int_equal(e.points[1], 2);
    assert_string_equal(e.unit, "mm");
    assert_int_equal(ug_warnings_count(&warnings, "points_left_out"), 1);
    assert_true(ug_marker_export_at(xyz, &e, 1, 0));
    assert_true(xyz[0] == 1000 && xyz[1] == -3000 && xyz[2] == 2000);
    assert_false(ug_marker_export_at(xyz, &e, 0, 0));
    ug_marker_export_name(name, sizeof name, &e, 0, "");
    assert_string_equal(name, "Bo:LASI");
    ug_marker_export_name(name, sizeof name, &e, 0, "A:");
    assert_string_equal(name, "Bo_L_SI");
    ug_marker_export_name(name, 4, &e, 1, "");
    assert_string_equal(name, "*7");
    ug_marker_export_fini(&e);
    ug_take_fini(&take);
}

static void test_in_another_unit_and_frame(void **state)
{
    (void)state;
    ug_take take = take_of_two();
    const ug_write_opts opts = { .unit = "cm", .up = "+Y", .decimals = 3 };
    ug_marker_export e;
    float xyz[3];
    char text[64];
    assert_int_equal(ug_marker_export_init(&e, &take, "m", &opts, NULL, NULL), UG_OK);
    assert_true(ug_marker_export_at(xyz, &e, 1, 0));
    assert_true(xyz[0] == 100 && xyz[1] == 200 && xyz[2] == 300);
    ug_marker_export_number(text, &e, -1.5f);
    assert_string_equal(text, "-1.500");
    ug_marker_export_fini(&e);
    // a source unit that the numbers are not in does not count
    take.markers->scale_m = 1.0;
    assert_int_equal(ug_marker_export_init(&e, &take, "ft", NULL, NULL, NULL), UG_OK);
    assert_string_equal(e.unit, "ft");
    ug_marker_export_number(text, &e, 0.1f);
    assert_string_equal(text, "0.1");
    ug_marker_export_fini(&e);
    ug_take_fini(&take);
}

static void test_refused(void **state)
{
    (void)state;
    ug_take take = take_of_two();
    ug_marker_export e;
    ug_error err = { 0 };
    ug_write_opts opts = { .unit = "deg" };
    assert_int_equal(ug_marker_export_init(&e, &take, "m", &opts, NULL, &err), UG_E_USAGE);
    assert_string_equal(err.message, "'deg' is not a unit of length; write mm, cm, m, in or ft");
    opts = (ug_write_opts){ .up = "down" };
    assert_int_equal(ug_marker_export_init(&e, &take, "m", &opts, NULL, NULL), UG_E_USAGE);
    assert_null(e.points);
    ug_take_fini(&take);
    err = (ug_error){ 0 };
    assert_int_equal(ug_marker_export_init(&e, &take, "m", NULL, NULL, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "there are no markers to write");
}

static void test_rates_as_text(void **state)
{
    (void)state;
    static const struct {
        int64_t num, den;
        const char *text;
    } CASES[] = {
        { 120, 1, "120" },           { 60000, 1001, "59.94" }, { 30000, 1001, "29.97" },
        { 107527, 1000, "107.527" }, { 5, 2, "2.5" },          { 24000, 1001, "23.976" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[32];
        ug_rate back;
        ug_rate_to_text(text, ug_rate_make(CASES[i].num, CASES[i].den));
        assert_int_equal(ug_rate_from_hz_text(&back, text, strlen(text), NULL), UG_OK);
        assert_true(ug_rate_equal(back, ug_rate_make(CASES[i].num, CASES[i].den)));
        assert_true(strlen(text) <= strlen(CASES[i].text)); // as short as any
    }
    char text[32];
    ug_rate_to_text(text, ug_rate_make(1, 3)); // no decimal says it: as near as can be
    assert_string_equal(text, "0.33333333333333331");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_source_was),
        cmocka_unit_test(test_in_another_unit_and_frame),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_rates_as_text),
    };
    return cmocka_run_group_tests_name("formats/marker_export", tests, NULL, NULL);
}
