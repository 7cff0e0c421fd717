// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_heading.c: what a sheet says in words.
#include "pipeline/report/sheet_heading.h"

#include "motion/markers.h"
#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        double m;
        const char *text;
    } CASES[] = { { 1.0, "1 m" },   { 0.5, "0.5 m" },        { 0.2, "20 cm" }, { 0.002, "2 mm" },
                  { 5000, "5 km" }, { -0.0304, "-3.04 cm" }, { 0.0, "0 mm" } };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[32];
        ug_sheet_say_length(text, sizeof text, CASES[i].m);
        assert_string_equal(text, CASES[i].text);
    }
}

static void test_take(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(11, 2, ug_rate_make(100, 1));
    for (int i = 0; i < 2; i++) {
        take.markers->labels[i] = ug_text_format("m%d", i);
        take.markers->subjects[i] = ug_text_copy("");
    }
    take.markers->kinds[1] = UG_POINT_ANGLE; // no marker
    take.markers->first_frame = 300;
    const ug_sheet_input in = { .take = &take, .name = "x" };
    ug_sheet_actor a;
    char text[200];
    assert_int_equal(ug_sheet_actor_init(&a, &in, UG_SHEET_MARKERS_AUTO, NULL), UG_OK);
    ug_sheet_say_take(text, sizeof text, &a);
    assert_string_equal(text,
                        "1 markers · 11 frames (frame 0 is the source's 300) · 100 Hz · 0.100 s");
    a.rate = (ug_rate){ 0, 0 };
    ug_sheet_say_take(text, sizeof text, &a);
    assert_non_null(strstr(text, "rate not known"));
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_figures(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    char text[300];
    ug_sheet_say_figures(text, sizeof text, &take);
    assert_string_equal(text, "");
    static const struct {
        const char *stage, *metrics;
    } ROWS[] = {
        { "import", "{\"frame_count\":10,\"missing_pct\":3.984}" },
        { "calibrate", "{\"stature_m\":0}" }, // not known: nothing to say
        { "other", "{\"marker_rms_mm\":7}" }, // nobody's figure
        { "solve", "{\"marker_rms_mm\":0.968,\"outlier_pct\":null,\"unsolved_frames\":2}" },
        { "retarget", "no JSON" },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        ug_provenance_entry e = { .stage = ug_text_copy(ROWS[i].stage),
                                  .metrics_json = ug_text_copy(ROWS[i].metrics) };
        assert_int_equal(ug_provenance_add(&take.provenance, &e, NULL), UG_OK);
        free(e.stage);
        free(e.metrics_json);
    }
    ug_sheet_say_figures(text, sizeof text, &take);
    assert_string_equal(text,
                        "import: 3.98 % missing   solve: markers 0.97 mm rms, 2 frames unsolved");
    ug_take_fini(&take);
}

static void test_ground(void **state)
{
    (void)state;
    char text[200];
    ug_take take = { 0 };
    ug_sheet_actor a = { .in.take = &take, .ground = UG_SHEET_GROUND_ZERO };
    ug_sheet_say_ground(text, sizeof text, &a);
    assert_string_equal(text, "");
    take.contacts.found = true;
    a = (ug_sheet_actor){ .in.take = &take, .ground = UG_SHEET_GROUND_FLOOR, .ground_m = -0.03 };
    ug_sheet_say_ground(text, sizeof text, &a);
    assert_string_equal(text, "ground line where the feet rest, at height -3 cm; contacts found "
                              "for this sheet, the file has none");
    take.contacts.found = false;
    a = (ug_sheet_actor){ .in.take = &take, .ground = UG_SHEET_GROUND_LOWEST, .ground_m = 3.0 };
    ug_sheet_say_ground(text, sizeof text, &a);
    assert_string_equal(text, "ground line at the lowest point shown, height 3 m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_ground),
    };
    return cmocka_run_group_tests_name("report/sheet_heading", tests, NULL, NULL);
}
