// SPDX-License-Identifier: MIT
// Unit tests for solvers/edits_apply.c.
#include "solvers/edits_apply.h"

#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static ug_edit edit(ug_edit_kind kind, const char *a, const char *b, long first, long last)
{
    return (ug_edit){
        .kind = kind, .labels = { (char *)a, (char *)b }, .first = first, .last = last, .line = 7
    };
}

static ug_status apply(ug_markers *m, ug_edits_report *report, ug_warnings *warnings, ug_edit e,
                       ug_error *err)
{
    const ug_edits edits = { 1, &e };
    return ug_edits_apply(m, report, warnings, &edits, err);
}

static void test_fill_covers_its_frames_only(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5), *truth = make_rigid_take(600, 5);
    hide(m, 0, 100, 499); // 3.3 s: longer than any limit
    ug_edit e = edit(UG_EDIT_FILL, "M0", NULL, 150, 520);
    e.method = (char *)"rigid";
    ug_edits_report report;
    assert_int_equal(apply(m, &report, NULL, e, NULL), UG_OK);
    assert_int_equal(report.filled_samples, 350);
    for (size_t f = 100; f < 500; f++) {
        const size_t i = ug_markers_index(m, f, 0);
        assert_int_equal(ug_markers_present(m, f, 0), f >= 150);
        if (f >= 150) {
            assert_int_equal(m->origin[i], UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED | UG_ORIGIN_EDITED);
            assert_int_equal(m->method[i], UG_FILL_RIGID);
            // 3.3 s are seen nowhere else in these 5 s: known from shorter stretches
            assert_true(m->predicted_error_mm[i] >= 0.0f && m->predicted_error_mm[i] < 0.01f);
            assert_true(ug_vec3_distance(ug_markers_position_m(m, f, 0),
                                         ug_markers_position_m(truth, f, 0)) < 3e-6);
        }
    }
    // without a method a short gap takes the cubic
    hide(m, 1, 300, 304);
    ug_edits_report_fini(&report);
    assert_int_equal(apply(m, &report, NULL, edit(UG_EDIT_FILL, "M1", NULL, 0, 599), NULL), UG_OK);
    assert_int_equal(m->method[ug_markers_index(m, 302, 1)], UG_FILL_CUBIC);
    ug_edits_report_fini(&report);
    ug_markers_destroy(truth);
    ug_markers_destroy(m);
}

static void test_swap_moves_everything(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2), *before = make_rigid_take(20, 2);
    hide(m, 1, 10, 12);
    m->residuals[ug_markers_index(m, 9, 0)] = 3.5f;
    assert_true(ug_markers_make_unfiltered(m));
    m->unfiltered[3 * ug_markers_index(m, 9, 0)] = 7.5f;
    ug_edits_report report;
    assert_int_equal(apply(m, &report, NULL, edit(UG_EDIT_SWAP, "M0", "M1", 9, 10), NULL), UG_OK);
    assert_int_equal(report.swapped_samples, 3);
    assert_int_equal(report.settled_count, 1); // what looks for swaps leaves these frames
    assert_int_equal(report.settled[0].first, 9);
    assert_int_equal(report.settled[0].last, 10);
    assert_int_equal(report.settled[0].markers[1], 1);
    ug_edits_report_fini(&report);
    const uint16_t moved =
        UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED | UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED;
    assert_int_equal(m->origin[ug_markers_index(m, 9, 0)], moved);
    assert_int_equal(m->origin[ug_markers_index(m, 9, 1)], moved);
    assert_true(m->residuals[ug_markers_index(m, 9, 1)] == 3.5f);
    assert_true(m->unfiltered[3 * ug_markers_index(m, 9, 1)] == 7.5f);
    assert_true(isnan(m->unfiltered[3 * ug_markers_index(m, 9, 0)]));
    assert_int_equal(m->origin[ug_markers_index(m, 10, 0)], 0); // the hole changed its label
    assert_int_equal(m->origin[ug_markers_index(m, 10, 1)], moved);
    for (size_t k = 0; k < 2; k++) {
        assert_memory_equal(m->positions + 3 * ug_markers_index(m, 9, k),
                            before->positions + 3 * ug_markers_index(m, 9, 1 - k),
                            3 * sizeof(float));
    }
    assert_memory_equal(m->positions + 3 * ug_markers_index(m, 8, 0),
                        before->positions + 3 * ug_markers_index(m, 8, 0), 6 * sizeof(float));
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_clear_rename_and_order(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2);
    ug_edit list[] = { edit(UG_EDIT_RENAME, "M0", "LASI", 0, 0),
                       edit(UG_EDIT_CLEAR, "LASI", NULL, 3, 5),
                       edit(UG_EDIT_CONTACT, "left_heel", NULL, 0, 0) };
    const ug_edits edits = { 3, list };
    ug_edits_report report;
    assert_int_equal(ug_edits_apply(m, &report, NULL, &edits, NULL), UG_OK);
    assert_string_equal(m->labels[0], "LASI");
    assert_int_equal(report.renamed_markers, 1);
    assert_int_equal(report.cleared_samples, 3);
    assert_int_equal(report.contact_edits, 1);
    ug_edits_report_fini(&report);
    assert_int_equal(m->origin[ug_markers_index(m, 4, 0)], 0);
    assert_true(ug_markers_present(m, 6, 0));
    ug_markers_destroy(m);
}

static void test_merge_and_drop(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 4);
    hide(m, 1, 5, 12);
    hide(m, 3, 0, 7);
    hide(m, 3, 15, 19); // 3 is there in 8 … 14, and both in 13 and 14
    m->kinds[3] = UG_POINT_UNLABELLED;
    const ug_markers *before = ug_markers_copy(m);
    ug_edit list[] = { edit(UG_EDIT_KEEP, "M2", "M1", 1, 2), edit(UG_EDIT_DROP, "M0", NULL, 0, 0),
                       edit(UG_EDIT_MERGE, "M1", "M3", 0, 0) };
    list[2].whole_take = true;
    const ug_edits edits = { 3, list };
    ug_edits_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_edits_apply(m, &report, &warnings, &edits, NULL), UG_OK);
    assert_int_equal(m->marker_count, 2);
    assert_string_equal(m->labels[0], "M1");
    assert_string_equal(m->labels[1], "M2");
    assert_int_equal(report.dropped_markers, 2);
    assert_int_equal(report.merged_samples, 5);
    assert_int_equal(report.column_count, 2);
    assert_int_equal(report.columns[0], 1);
    assert_int_equal(report.columns[1], 2);
    assert_int_equal(report.settled_count, 1); // follows its markers
    assert_int_equal(report.settled[0].markers[0], 1);
    assert_int_equal(report.settled[0].markers[1], 0);
    assert_int_equal(ug_warnings_count(&warnings, "merge_overlap"), 2);
    for (size_t f = 0; f < 20; f++) {
        const size_t i = ug_markers_index(m, f, 0);
        const size_t from = f >= 8 && f <= 12 ? 3 : 1;
        assert_memory_equal(m->positions + 3 * i,
                            before->positions + 3 * ug_markers_index(before, f, from),
                            3 * sizeof(float));
        assert_int_equal(m->origin[i] & (UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED),
                         from == 3 ? UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED : 0);
    }
    ug_edits_report_fini(&report);
    ug_markers_destroy((ug_markers *)before);
    ug_markers_destroy(m);
}

static void test_merge_of_a_range_leaves_the_rest(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2);
    hide(m, 0, 5, 12);
    ug_edits_report report;
    assert_int_equal(apply(m, &report, NULL, edit(UG_EDIT_MERGE, "M0", "M1", 6, 8), NULL), UG_OK);
    assert_int_equal(report.merged_samples, 3);
    assert_int_equal(m->marker_count, 2);
    for (size_t f = 0; f < 20; f++) {
        assert_int_equal(ug_markers_present(m, f, 0), f < 5 || (f >= 6 && f <= 8) || f > 12);
        assert_int_equal(ug_markers_present(m, f, 1), f < 6 || f > 8);
    }
    ug_edits_report_fini(&report);
    ug_markers_destroy(m);
}

static void test_split_makes_a_marker(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2);
    free(m->subjects[0]);
    m->subjects[0] = ug_text_copy("s1");
    assert_true(ug_markers_make_unfiltered(m));
    m->unfiltered[3 * ug_markers_index(m, 5, 0)] = 7.5f;
    const ug_markers *before = ug_markers_copy(m);
    ug_edits_report report;
    assert_int_equal(apply(m, &report, NULL, edit(UG_EDIT_SPLIT, "M0", "M1", 4, 6), NULL), UG_OK);
    assert_int_equal(m->marker_count, 3);
    assert_string_equal(m->labels[2], "M1"); // of subject s1: there is none yet
    assert_string_equal(m->subjects[2], "s1");
    assert_int_equal(report.split_samples, 3);
    assert_int_equal(report.columns[2], SIZE_MAX);
    assert_true(m->unfiltered[3 * ug_markers_index(m, 5, 2)] == 7.5f);
    for (size_t f = 0; f < 20; f++) {
        const bool inside = f >= 4 && f <= 6;
        assert_int_equal(ug_markers_present(m, f, 0), !inside);
        assert_int_equal(ug_markers_present(m, f, 2), inside);
        assert_memory_equal(m->positions + 3 * ug_markers_index(m, f, inside ? 2 : 0),
                            before->positions + 3 * ug_markers_index(before, f, 0),
                            3 * sizeof(float));
    }
    ug_edits_report_fini(&report);
    ug_markers_destroy((ug_markers *)before);
    ug_markers_destroy(m);
}

static void test_a_name_makes_a_marker(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2);
    m->kinds[1] = UG_POINT_UNLABELLED;
    assert_int_equal(apply(m, NULL, NULL, edit(UG_EDIT_RENAME, "M1", "LANK", 0, 0), NULL), UG_OK);
    assert_int_equal(m->kinds[1], UG_POINT_MARKER);
    ug_markers_destroy(m);
}

static void test_without_effect_is_said(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 1);
    ug_warnings warnings = { 0 };
    assert_int_equal(apply(m, NULL, &warnings, edit(UG_EDIT_FILL, "M0", NULL, 2, 4), NULL), UG_OK);
    assert_int_equal(ug_warnings_count(&warnings, "edit_without_effect"), 1);
    assert_string_equal(warnings.items[0].first,
                        "the edit at line 7 of 'M0', frames 2-4, changed nothing");
    ug_markers_destroy(m);
}

static void expect(const ug_markers *original, ug_edit e, ug_status status, const char *message)
{
    ug_markers *m = ug_markers_copy(original);
    ug_edit list[] = { edit(UG_EDIT_CLEAR, "M0", NULL, 0, 3), e };
    const ug_edits edits = { 2, list };
    ug_error err = { 0 };
    assert_int_equal(ug_edits_apply(m, NULL, NULL, &edits, &err), status);
    assert_string_equal(err.message, message);
    assert_true(same_markers(m, original)); // not even the first edit
    assert_string_equal(m->labels[0], "M0");
    ug_markers_destroy(m);
}

static void test_wrong_edits_are_named(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(20, 2);
    hide(m, 1, 5, 8);
    expect(m, edit(UG_EDIT_CLEAR, "RELB", NULL, 0, 3), UG_E_DATA,
           "edit at line 7: there is no marker 'RELB'; see `ugoki info` for the labels");
    expect(m, edit(UG_EDIT_SWAP, "M0", "M9", 0, 3), UG_E_DATA,
           "edit at line 7: there is no marker 'M9'; see `ugoki info` for the labels");
    expect(m, edit(UG_EDIT_SWAP, "M0", "M0", 0, 3), UG_E_DATA,
           "edit at line 7: 'M0' is swapped with itself");
    expect(m, edit(UG_EDIT_CLEAR, "M0", NULL, 3, 20), UG_E_DATA,
           "edit at line 7: frames 3-20 are not within the take's 0-19");
    expect(m, edit(UG_EDIT_CLEAR, "M0", NULL, -1, 3), UG_E_DATA,
           "edit at line 7: frames -1-3 are not within the take's 0-19");
    expect(m, edit(UG_EDIT_RENAME, "M0", "M1", 0, 0), UG_E_DATA,
           "edit at line 7: 'M0' cannot become 'M1', which exists; swap or merge them, or "
           "rename that one first");
    expect(m, edit(UG_EDIT_KEEP, "M0", "M0", 0, 3), UG_E_DATA,
           "edit at line 7: 'M0' is kept from itself");
    expect(m, edit(UG_EDIT_MERGE, "M0", "M0", 0, 3), UG_E_DATA,
           "edit at line 7: 'M0' is merged with itself");
    expect(m, edit(UG_EDIT_MERGE, "M0", "*7", 0, 3), UG_E_DATA,
           "edit at line 7: there is no marker '*7'; see `ugoki info` for the labels");
    expect(m, edit(UG_EDIT_DROP, "*7", NULL, 0, 0), UG_E_DATA,
           "edit at line 7: there is no marker '*7'; see `ugoki info` for the labels");
    expect(m, edit(UG_EDIT_SPLIT, "M0", "M1", 0, 3), UG_E_DATA,
           "edit at line 7: the part of 'M0' cannot be called 'M1', which exists; take another "
           "name, and merge the two");
    ug_edit e = edit(UG_EDIT_FILL, "M1", NULL, 5, 8);
    e.method = (char *)"magic";
    expect(m, e, UG_E_DATA,
           "edit at line 7: no fill method 'magic'; there are "
           "auto|linear|cubic|rigid|pattern|pca");
    e.method = (char *)"rigid";
    expect(m, e, UG_E_NOT_ENOUGH,
           "edit at line 7: marker 'M1', frames 5-8 cannot be filled: fewer than three neighbours "
           "are seen through the gap");
    ug_edit end = edit(UG_EDIT_FILL, "M0", NULL, 0, 19); // the clear before opened that end
    end.method = (char *)"spline";
    expect(m, end, UG_E_NOT_ENOUGH,
           "edit at line 7: marker 'M0', frames 0-3 cannot be filled: a marker's own path needs "
           "samples on both sides");
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_covers_its_frames_only),
        cmocka_unit_test(test_swap_moves_everything),
        cmocka_unit_test(test_clear_rename_and_order),
        cmocka_unit_test(test_merge_and_drop),
        cmocka_unit_test(test_merge_of_a_range_leaves_the_rest),
        cmocka_unit_test(test_split_makes_a_marker),
        cmocka_unit_test(test_a_name_makes_a_marker),
        cmocka_unit_test(test_without_effect_is_said),
        cmocka_unit_test(test_wrong_edits_are_named),
    };
    return cmocka_run_group_tests_name("solvers/edits_apply", tests, NULL, NULL);
}
