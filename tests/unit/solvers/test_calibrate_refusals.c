// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate.c: what it refuses, in which words.
#include "solvers/calibrate.h"

#include "motion/text.h"
#include "solvers/calibrate_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/calibrate_person.h"

static ug_status refuse(test_person *fx, ug_error *err)
{
    ug_skeleton *skeleton = (ug_skeleton *)0x1;
    ug_attachments attachments = { 0 };
    ug_calibrate_report report;
    memset(&report, 0x5a, sizeof report);
    *err = (ug_error){ 0 };
    const ug_status status = person_calibrate(fx, &skeleton, &attachments, &report, NULL, err);
    assert_null(skeleton);
    assert_int_equal(attachments.count, 0);
    assert_null(report.joints);
    return status;
}

static bool stop(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last);
    *last = share;
    return share < 0.5;
}

static void test_a_subject_that_is_not_there(void **state)
{
    (void)state;
    test_person fx;
    ug_error err;
    person_setup(&fx, 1.0, 0.001, 0.0);
    fx.options.subject = "somebody";
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "for subject 'somebody'"));
    person_teardown(&fx);
}

static void test_labels_of_another_set(void **state)
{
    (void)state;
    test_person fx;
    ug_error err;
    person_setup(&fx, 1.0, 0.001, 0.0);
    // labels of another set: say which
    ug_marker_set sets[2] = { { .name = (char *)"wrong" }, { .name = (char *)"dots" } };
    for (size_t m = 0; m < fx.attachments.count; m++) {
        ug_attachment *item = &fx.attachments.items[m];
        char *renamed = ug_text_format("dot%zu", m);
        assert_int_equal(ug_attachments_add(&sets[0].markers, item, NULL), UG_OK);
        free(fx.take->labels[m]);
        fx.take->labels[m] = renamed;
        if (m < 20) {
            ug_attachment dot = *item;
            dot.label = renamed;
            assert_int_equal(ug_attachments_add(&sets[1].markers, &dot, NULL), UG_OK);
        }
    }
    fx.options.known_sets = sets;
    fx.options.known_count = 2;
    ug_warnings unused = { 0 };
    const ug_calibrate_take renamed_take = { .markers = fx.take };
    // a table with 7 of the 41 labels, where a known set has 20
    ug_attachments few = { .count = 7, .items = sets[1].markers.items };
    ug_samples_warn_unused(&unused, &few, &renamed_take, 1, &fx.options);
    assert_int_equal(ug_warnings_count(&unused, "marker_unused"), 34);
    assert_non_null(strstr(unused.items[0].first,
                           "34 markers of the take are not in the marker set and not used: dot7, "
                           "dot8"));
    assert_string_equal(unused.items[1].first, "the marker set has 7 of the take's labels, 'dots' "
                                               "has 20: try --markers dots");
    few.count = 18; // not clearly worse
    unused.count = 0;
    ug_samples_warn_unused(&unused, &few, &renamed_take, 1, &fx.options);
    assert_int_equal(ug_warnings_count(&unused, "marker_unused"), 23);
    assert_int_equal(ug_warnings_count(&unused, "marker_set_doubtful"), 0);
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "none of the 41 labels of the marker set (LFHD, …)"));
    assert_non_null(strstr(err.message, "dot0, dot1"));
    assert_non_null(
        strstr(err.message, "20 of the take's labels are in the marker set 'dots', try it"));
    ug_attachments_fini(&sets[0].markers);
    ug_attachments_fini(&sets[1].markers);
    person_teardown(&fx);
}

static void test_too_few_markers(void **state)
{
    (void)state;
    test_person fx;
    ug_error err;
    person_setup(&fx, 1.0, 0.001, 0.0);
    for (size_t m = 5; m < fx.take->marker_count; m++) {
        fx.take->kinds[m] = UG_POINT_ANGLE;
    }
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "only 5 of the 41 markers of the set are seen (LFHD, …)"));
    person_teardown(&fx);
}

static void test_too_few_frames_and_a_wrong_joint(void **state)
{
    (void)state;
    test_person fx;
    ug_error err;
    person_setup(&fx, 1.0, 0.001, 0.0);
    for (size_t t = 4; t < PERSON_FRAMES; t++) {
        for (size_t m = 0; m < fx.take->marker_count; m++) {
            ug_markers_clear(fx.take, t, m);
        }
    }
    assert_int_equal(refuse(&fx, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "4 frames show enough markers, calibration needs 5"));
    fx.attachments.items[3].joint = 77;
    fx.options.min_frames = 2;
    assert_int_equal(refuse(&fx, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "'RBHD'"));
    person_teardown(&fx);
}

static void test_a_slice_beyond_the_take_and_an_interruption(void **state)
{
    (void)state;
    test_person fx;
    ug_error err;
    person_setup(&fx, 1.0, 0.001, 0.0);
    const ug_calibrate_take slice = { .markers = fx.take, .first = 100, .count = 61 };
    ug_skeleton *skeleton;
    ug_attachments attachments = { 0 };
    err = (ug_error){ 0 };
    assert_int_equal(ug_calibrate(&skeleton, &attachments, NULL, NULL, fx.skeleton, &fx.attachments,
                                  &slice, 1, NULL, &err),
                     UG_E_USAGE);
    assert_non_null(
        strstr(err.message, "frames 100 to 160 are asked for of a take, which has 160"));
    double last = 0.0;
    const ug_progress progress = { .report = stop, .user = &last };
    fx.options.progress = &progress;
    fx.options.candidates = 12;
    assert_int_equal(refuse(&fx, &err), UG_E_INTERRUPTED);
    assert_true(last >= 0.5);
    person_teardown(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_subject_that_is_not_there),
        cmocka_unit_test(test_labels_of_another_set),
        cmocka_unit_test(test_too_few_markers),
        cmocka_unit_test(test_too_few_frames_and_a_wrong_joint),
        cmocka_unit_test(test_a_slice_beyond_the_take_and_an_interruption),
    };
    return cmocka_run_group_tests_name("solvers/calibrate, refusals", tests, NULL, NULL);
}
