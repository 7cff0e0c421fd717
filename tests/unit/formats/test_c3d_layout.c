// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_layout.c: how many frames there are and where, when a file
// contradicts itself.
#include "formats/c3d.h"
#include "formats/c3d_internal.h"
#include "tests/support/c3d_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const ONE_LABEL[] = { "M1" };

// One float marker, x = frame number counted from 1.
static void begin_long(c3d_file *f, int frames)
{
    file_begin(f, 'I');
    file_basics(f, 1, frames, -1.0, 100.0);
    file_texts(f, "POINT", "LABELS", 4, 1, ONE_LABEL);
    for (int i = 1; i <= frames; i++) {
        file_point(f, false, i, 2, 3, 0);
    }
}

static ug_status parse(ug_take *take, const c3d_file *f, ug_warnings *warnings, ug_error *err)
{
    *warnings = (ug_warnings){ 0 };
    *err = (ug_error){ 0 };
    ug_take_init(take);
    return ug_c3d_parse(take, f->whole.data, f->whole.size, NULL, warnings, err);
}

static void assert_all_70000(c3d_file *f, const char *warning)
{
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    file_finish(f);
    assert_int_equal(parse(&take, f, &warnings, &err), UG_OK);
    const ug_markers *m = take.markers;
    assert_int_equal(m->frame_count, 70000);
    assert_true(m->positions[3 * 69999] == 70000.0f);
    assert_true(ug_rate_time_s(m->rate, 70000) == 700.0);
    assert_int_equal(warnings.count, warning ? 1 : 0);
    assert_true(!warning || ug_warnings_count(&warnings, warning) == 1);
    ug_take_fini(&take);
    file_end(f);
}

static void add_trial(c3d_file *f, int start_low, int start_high, int end_low, int end_high)
{
    const int two = 2, start[2] = { start_low, start_high }, end[2] = { end_low, end_high };
    file_words(f, "TRIAL", "ACTUAL_START_FIELD", 2, start, 1, &two);
    file_words(f, "TRIAL", "ACTUAL_END_FIELD", 2, end, 1, &two);
}

static void test_s01_70000_frames_by_trial_fields(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    file_number(&f, "POINT", "FRAMES", 65535);
    add_trial(&f, 1, 0, 4464, 1);
    assert_all_70000(&f, NULL);
}

static void test_s01_70000_frames_by_long_frames(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    file_number(&f, "POINT", "FRAMES", 65535);
    file_float(&f, "POINT", "LONG_FRAMES", 70000);
    assert_all_70000(&f, NULL);
}

static void test_s01_70000_frames_by_float_frames(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    file_float(&f, "POINT", "FRAMES", 70000);
    assert_all_70000(&f, NULL);
}

static void test_s01_saturated_counts_yield_to_the_data(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    file_number(&f, "POINT", "FRAMES", 65535);
    assert_all_70000(&f, "c3d_frames_from_size");
}

static void test_s01_wrapped_counts_yield_to_the_data(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    header_word(&f, 5, 70000 - 65536);
    file_number(&f, "POINT", "FRAMES", 70000 - 65536);
    assert_all_70000(&f, "c3d_frames_from_size");
}

static void test_a_saturated_last_frame_of_a_late_start(void **state)
{
    (void)state;
    c3d_file f;
    begin_long(&f, 70000);
    header_word(&f, 4, 100); // so the header alone says 65436
    file_float(&f, "POINT", "LONG_FRAMES", 70000);
    assert_all_70000(&f, NULL);
    begin_long(&f, 70000);
    header_word(&f, 4, 100);
    assert_all_70000(&f, "c3d_frames_from_size");
}

static void test_first_frame_past_16_bits(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 3);
    add_trial(&f, 4464, 1, 4466, 1);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->first_frame, 70000);
    assert_int_equal(take.markers->frame_count, 3);
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
    file_end(&f);
}

static void test_first_frame_disagreement_is_told(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 3);
    add_trial(&f, 41, 0, 43, 0);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->first_frame, 41);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_first_frame"), 1);
    ug_take_fini(&take);
    file_end(&f);
}

static void test_a_count_that_does_not_fit_yields_to_one_that_does(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 40);
    file_number(&f, "POINT", "FRAMES", 80);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->frame_count, 40);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_frames_disagree"), 1);
    assert_string_equal(warnings.items[0].first,
                        "frames: POINT:FRAMES says 80, the header says 40");
    ug_take_fini(&take);
    file_end(&f);
}

static void test_a_truncated_file_is_read_and_told(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 200);
    file_finish(&f);
    const size_t start = 512 + f.section.size;
    f.whole.size = start + 100 * 16 + 7;
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->frame_count, 100);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_truncated"), 1);
    assert_non_null(strstr(warnings.items[0].first, "200 frames are promised, the file holds 100"));
    ug_take_fini(&take);

    f.whole.size = start + 3; // not one whole frame
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_E_FORMAT);
    assert_non_null(strstr(err.message, "no samples: the header promises 200 frames of 16 bytes"));
    assert_null(take.markers);
    file_end(&f);
}

static void test_a_wrong_data_start_is_found_out_by_the_size(void **state)
{
    (void)state;
    for (int wrong_header = 0; wrong_header < 2; wrong_header++) {
        ug_take take;
        ug_warnings warnings;
        ug_error err;
        c3d_file f;
        begin_long(&f, 200);
        // the section takes one block, so the data begin at block 3
        header_word(&f, 9, wrong_header ? 5 : 3);
        file_number(&f, "POINT", "DATA_START", wrong_header ? 3 : 14);
        file_finish(&f);
        assert_int_equal(f.section.size, 512);
        assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
        assert_int_equal(take.markers->frame_count, 200);
        assert_true(take.markers->positions[0] == 1.0f);
        assert_int_equal(ug_warnings_count(&warnings, "c3d_data_start"), 1);
        ug_take_fini(&take);
        file_end(&f);
    }
}

static void test_wrong_number_of_points_in_the_header(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 200);
    header_word(&f, 2, 2);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->marker_count, 1);
    assert_int_equal(take.markers->frame_count, 200);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_points_disagree"), 1);
    ug_take_fini(&take);
    file_end(&f);
}

static void test_trailing_bytes_are_told(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    begin_long(&f, 200);
    header_word(&f, 5, 100);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->frame_count, 100);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_trailing_data"), 1);
    ug_take_fini(&take);
    file_end(&f);
}

static void test_no_frame_rate_is_refused_unless_given(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    c3d_file f;
    file_begin(&f, 'I');
    file_basics(&f, 1, 1, -1, 0);
    file_point(&f, false, 1, 2, 3, 0);
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_E_DATA);
    assert_string_equal(err.message,
                        "no frame rate: POINT:RATE is 0 and the header says 0; give the rate");
    const ug_read_opts opts = { .rate = { 50, 1 } };
    err = (ug_error){ 0 };
    assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, &opts, NULL, &err), UG_OK);
    assert_int_equal(take.markers->rate.num, 50);
    ug_take_fini(&take);
    file_end(&f);
}

static void test_rates(void **state)
{
    (void)state;
    assert_true(ug_rate_equal(c3d_rate(120), ug_rate_make(120, 1)));
    assert_true(ug_rate_equal(c3d_rate(25.000001907), ug_rate_make(25, 1)));
    assert_true(ug_rate_equal(c3d_rate(59.94005994), ug_rate_make(60000, 1001)));
    assert_false(ug_rate_is_valid(c3d_rate(0)));
    assert_false(ug_rate_is_valid(c3d_rate(NAN)));
    assert_false(ug_rate_is_valid(c3d_rate(-5)));
}

static void test_analog_total_that_wraps_16_bits(void **state)
{
    (void)state;
    enum { CHANNELS = 300, SAMPLES = 300 };
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    c3d_file f;
    file_begin(&f, 'I');
    file_basics(&f, 1, 2, -1, 10);
    header_word(&f, 3, CHANNELS * SAMPLES % 65536);
    header_word(&f, 10, SAMPLES);
    file_number(&f, "ANALOG", "USED", CHANNELS);
    for (int frame = 0; frame < 2; frame++) {
        file_point(&f, false, 1, 2, 3, 0);
        for (int i = 0; i < CHANNELS * SAMPLES; i++) {
            file_real(&f, &f.samples, i);
        }
    }
    file_finish(&f);
    assert_int_equal(parse(&take, &f, &warnings, &err), UG_OK);
    assert_int_equal(take.analog->channel_count, CHANNELS);
    assert_int_equal(take.analog->samples_per_frame, SAMPLES);
    assert_true(take.analog->raw[2 * CHANNELS * SAMPLES - 1] == CHANNELS * SAMPLES - 1);
    ug_take_fini(&take);
    file_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s01_70000_frames_by_trial_fields),
        cmocka_unit_test(test_s01_70000_frames_by_long_frames),
        cmocka_unit_test(test_s01_70000_frames_by_float_frames),
        cmocka_unit_test(test_s01_saturated_counts_yield_to_the_data),
        cmocka_unit_test(test_s01_wrapped_counts_yield_to_the_data),
        cmocka_unit_test(test_a_saturated_last_frame_of_a_late_start),
        cmocka_unit_test(test_first_frame_past_16_bits),
        cmocka_unit_test(test_first_frame_disagreement_is_told),
        cmocka_unit_test(test_a_count_that_does_not_fit_yields_to_one_that_does),
        cmocka_unit_test(test_a_truncated_file_is_read_and_told),
        cmocka_unit_test(test_a_wrong_data_start_is_found_out_by_the_size),
        cmocka_unit_test(test_wrong_number_of_points_in_the_header),
        cmocka_unit_test(test_trailing_bytes_are_told),
        cmocka_unit_test(test_no_frame_rate_is_refused_unless_given),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_analog_total_that_wraps_16_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
