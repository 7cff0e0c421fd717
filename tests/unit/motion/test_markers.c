// SPDX-License-Identifier: MIT
#include "motion/markers.h"

#include "motion/text.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_markers *three(size_t frames)
{
    static const char *const LABELS[] = { "LASI", "RASI", "LASI" };
    ug_markers *m = ug_markers_create(frames, 3, ug_rate_make(100, 1));
    for (int i = 0; i < 3; i++) {
        m->labels[i] = strdup(LABELS[i]);
        m->subjects[i] = strdup(i == 2 ? "Bo" : "");
    }
    return m;
}

static void test_created_missing(void **state)
{
    (void)state;
    ug_markers *m = three(4);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(m->origin[i], 0);
        assert_true(isnan(m->positions[3 * i + 2]));
        assert_true(m->residuals[i] == -1.0f);
        assert_true(isnan(m->predicted_error_mm[i]));
        assert_int_equal(m->method[i], UG_FILL_NONE);
        assert_int_equal(m->cameras[i], 0);
    }
    assert_int_equal(ug_markers_missing_count(m), 12);
    m->kinds[1] = UG_POINT_ANGLE;
    assert_int_equal(ug_markers_missing_count(m), 8); // only markers count
    ug_markers_destroy(m);
    ug_markers_destroy(NULL);
    assert_null(ug_markers_create(SIZE_MAX / 2, 1000, ug_rate_make(1, 1)));
    m = ug_markers_create(0, 0, ug_rate_make(1, 1));
    assert_non_null(m);
    assert_int_equal(ug_markers_missing_count(m), 0);
    ug_markers_destroy(m);
}

// Past the size from which memory comes in huge pages.
static void test_large_created_missing(void **state)
{
    (void)state;
    enum { FRAMES = 20001, MARKERS = 60, SAMPLES = FRAMES * MARKERS };
    for (int unset = 0; unset < 2; unset++) {
        ug_markers *m = unset ? ug_markers_create_unset(FRAMES, MARKERS, ug_rate_make(100, 1))
                              : ug_markers_create(FRAMES, MARKERS, ug_rate_make(100, 1));
        assert_non_null(m);
        assert_true(m->frame_count == FRAMES && m->marker_count == MARKERS && m->scale_m == 1.0);
        for (size_t i = 0; i < SAMPLES; i += 997) {
            assert_int_equal(m->method[i], UG_FILL_NONE);
            assert_int_equal(m->cameras[i], 0);
            assert_true(unset || (m->origin[i] == 0 && isnan(m->positions[3 * i]) &&
                                  m->residuals[i] == -1.0f && isnan(m->predicted_error_mm[i])));
        }
        m->positions[3 * SAMPLES - 1] = 1; // ours to the last byte
        m->origin[SAMPLES - 1] = UG_ORIGIN_PRESENT;
        ug_markers_destroy(m);
    }
}

static void test_set_and_clear(void **state)
{
    (void)state;
    ug_markers *m = three(2);
    m->scale_m = 0.001;
    ug_markers_set_m(m, 1, 2, (ug_vec3){ 1, 2, 3 }, UG_ORIGIN_FILLED);
    const size_t i = ug_markers_index(m, 1, 2);
    assert_int_equal(i, 5);
    assert_true(m->positions[15] == 1000.0f && m->positions[17] == 3000.0f);
    assert_int_equal(m->origin[i], UG_ORIGIN_FILLED | UG_ORIGIN_PRESENT);
    assert_true(ug_markers_present(m, 1, 2));
    assert_true(ug_markers_position_m(m, 1, 2).y == 2.0);
    m->method[i] = UG_FILL_RIGID;
    m->predicted_error_mm[i] = 3;
    m->residuals[i] = 1;
    m->cameras[i] = 7;
    ug_markers_clear(m, 1, 2);
    assert_false(ug_markers_present(m, 1, 2));
    assert_int_equal(m->origin[i], 0);
    assert_int_equal(m->method[i], UG_FILL_NONE);
    assert_true(isnan(m->positions[16]) && isnan(m->predicted_error_mm[i]));
    assert_true(m->residuals[i] == -1.0f && m->cameras[i] == 0);
    assert_true(isnan(ug_markers_position_m(m, 1, 2).x));
    ug_markers_destroy(m);
}

static void test_what_was_before_a_filter(void **state)
{
    (void)state;
    ug_markers *m = ug_markers_create(2, 2, ug_rate_make(100, 1));
    const ug_vec3 first = { 1, 2, 3 }, filtered = { 1.5, 2.5, 3.5 };
    m->scale_m = 0.5;
    ug_markers_set_m(m, 1, 0, first, UG_ORIGIN_MEASURED);
    ug_markers_set_m(m, 1, 1, first, UG_ORIGIN_MEASURED);
    assert_null(m->unfiltered);
    assert_true(ug_vec3_distance(ug_markers_unfiltered_m(m, 1, 0), first) == 0);
    assert_true(ug_markers_make_unfiltered(m));
    for (int pass = 0; pass < 2; pass++) { // filtered twice: the first place is the one that counts
        ug_markers_note_filtered(m, 1, 0);
        m->positions[3 * ug_markers_index(m, 1, 0)] = (float)(filtered.x / m->scale_m);
    }
    assert_int_equal(m->origin[ug_markers_index(m, 1, 0)],
                     UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED | UG_ORIGIN_FILTERED);
    assert_true(ug_markers_position_m(m, 1, 0).x == 1.5);
    assert_true(ug_vec3_distance(ug_markers_unfiltered_m(m, 1, 0), first) == 0);
    assert_true(isnan(m->unfiltered[3 * ug_markers_index(m, 1, 1)]));
    ug_markers *copy = ug_markers_copy(m);
    assert_true(ug_vec3_distance(ug_markers_unfiltered_m(copy, 1, 0), first) == 0);
    ug_markers_destroy(copy);
    // written anew, or taken out: no past
    ug_markers_set_m(m, 1, 0, filtered, UG_ORIGIN_MEASURED);
    assert_true(ug_vec3_distance(ug_markers_unfiltered_m(m, 1, 0), filtered) == 0);
    assert_true(isnan(m->unfiltered[3 * ug_markers_index(m, 1, 0)]));
    ug_markers_note_filtered(m, 1, 1);
    ug_markers_clear(m, 1, 1);
    assert_true(isnan(m->unfiltered[3 * ug_markers_index(m, 1, 1)]));
    ug_markers_destroy(m);
}

static void test_find(void **state)
{
    (void)state;
    ug_markers *m = three(1);
    assert_int_equal(ug_markers_find(m, "LASI"), 0);
    assert_int_equal(ug_markers_find(m, "Bo:LASI"), 2);
    assert_int_equal(ug_markers_find(m, "B:LASI"), -1);
    assert_int_equal(ug_markers_find(m, "s03:LASI"), -1);
    assert_int_equal(ug_markers_find(m, "lasi"), -1);
    free(m->labels[1]);
    m->labels[1] = NULL; // not named yet
    assert_int_equal(ug_markers_find(m, "RASI"), -1);
    ug_markers_destroy(m);
}

static void name(ug_markers *m, size_t i, const char *subject, const char *label)
{
    free(m->subjects[i]);
    free(m->labels[i]);
    m->subjects[i] = ug_text_copy(subject);
    m->labels[i] = label ? ug_text_copy(label) : NULL;
}

// the subject is said where there are two of them, and only there
static void test_names_for_messages(void **state)
{
    (void)state;
    ug_markers *m = ug_markers_create(1, 3, ug_rate_make(100, 1));
    name(m, 0, "s01", "LASI");
    name(m, 1, "s01", "RASI");
    name(m, 2, "", "BALL");
    assert_string_equal(ug_markers_name(m, 0).text, "LASI");
    assert_string_equal(ug_markers_name(m, 2).text, "BALL");
    name(m, 1, "Bo", "LASI");
    assert_string_equal(ug_markers_name(m, 0).text, "s01:LASI");
    assert_string_equal(ug_markers_name(m, 1).text, "Bo:LASI");
    assert_string_equal(ug_markers_name(m, 2).text, "BALL");
    name(m, 1, "Bo", NULL);
    assert_string_equal(ug_markers_name(m, 1).text, "Bo:(unnamed)");
    ug_markers_destroy(m);
}

static void test_gaps(void **state)
{
    (void)state;
    ug_markers *m = three(10);
    size_t longest = 99;
    assert_int_equal(ug_markers_gap_count(m, 0, &longest), 1); // throughout
    assert_int_equal(longest, 10);
    static const int PRESENT[] = { 0, 1, 1, 0, 0, 0, 1, 0, 1, 1 };
    for (size_t f = 0; f < 10; f++) {
        if (PRESENT[f]) {
            ug_markers_set_m(m, f, 1, (ug_vec3){ 0, 0, 0 }, UG_ORIGIN_MEASURED);
        }
        ug_markers_set_m(m, f, 2, (ug_vec3){ 0, 0, 0 }, UG_ORIGIN_MEASURED);
    }
    assert_int_equal(ug_markers_gap_count(m, 1, &longest), 3);
    assert_int_equal(longest, 3);
    assert_int_equal(ug_markers_gap_count(m, 2, &longest), 0);
    assert_int_equal(longest, 0);
    assert_int_equal(ug_markers_gap_count(m, 1, NULL), 3);
    assert_int_equal(ug_markers_missing_count(m), 15);
    ug_markers_destroy(m);
}

static void test_copy_is_deep(void **state)
{
    (void)state;
    ug_markers *m = three(2);
    m->first_frame = -5;
    m->scale_m = 0.01;
    m->kinds[1] = UG_POINT_VIRTUAL;
    ug_markers_set_m(m, 0, 0, (ug_vec3){ 1, 2, 3 }, UG_ORIGIN_MEASURED);
    m->cameras[0] = 3;
    m->method[2] = UG_FILL_PCA;
    free(m->subjects[1]);
    m->subjects[1] = NULL;
    ug_markers *c = ug_markers_copy(m);
    assert_int_equal(c->first_frame, -5);
    assert_true(c->scale_m == 0.01 && ug_rate_equal(c->rate, m->rate));
    assert_string_equal(c->labels[2], "LASI");
    assert_ptr_not_equal(c->labels[2], m->labels[2]);
    assert_null(c->subjects[1]);
    assert_int_equal(c->kinds[1], UG_POINT_VIRTUAL);
    assert_memory_equal(c->positions, m->positions, 18 * sizeof(float));
    assert_memory_equal(c->origin, m->origin, 6 * sizeof *m->origin);
    assert_int_equal(c->cameras[0], 3);
    assert_int_equal(c->method[2], UG_FILL_PCA);
    assert_true(c->residuals[3] == -1.0f);
    ug_markers_destroy(m);
    ug_markers_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_created_missing),
        cmocka_unit_test(test_large_created_missing),
        cmocka_unit_test(test_set_and_clear),
        cmocka_unit_test(test_what_was_before_a_filter),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_names_for_messages),
        cmocka_unit_test(test_copy_is_deep),
    };
    return cmocka_run_group_tests_name("motion/markers", tests, NULL, NULL);
}
