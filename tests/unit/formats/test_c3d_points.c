// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_points.c: which samples are there.
#include "formats/c3d.h"
#include "tests/support/c3d_compare.h"
#include "tests/support/c3d_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const LABELS[] = { "M1", "M2", "M3", "M4" };

typedef struct fixture {
    c3d_file file;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
} fixture;

static void begin(fixture *fx, int points, int frames, double scale)
{
    *fx = (fixture){ 0 };
    ug_take_init(&fx->take);
    file_begin(&fx->file, 'I');
    file_basics(&fx->file, points, frames, scale, 100.0);
    file_texts(&fx->file, "POINT", "LABELS", 4, points, LABELS);
}

static const ug_markers *parse(fixture *fx)
{
    file_finish(&fx->file);
    assert_int_equal(ug_c3d_parse(&fx->take, fx->file.whole.data, fx->file.whole.size, NULL,
                                  &fx->warnings, &fx->err),
                     UG_OK);
    return fx->take.markers;
}

static void end(fixture *fx)
{
    ug_take_fini(&fx->take);
    file_end(&fx->file);
}

static size_t missing(const ug_markers *m, size_t marker)
{
    size_t count = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        const float *p = m->positions + 3 * ug_markers_index(m, f, marker);
        const bool is_nan = isnan(p[0]) && isnan(p[1]) && isnan(p[2]);
        assert_true(is_nan != ug_markers_present(m, f, marker));
        count += is_nan;
    }
    return count;
}

// Through our writer and back; the take must be the same.
static void assert_round_trip(const fixture *fx)
{
    char path[] = "/tmp/ugoki-c3d-points-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    ug_take again;
    ug_error err = { 0 };
    ug_take_init(&again);
    assert_int_equal(ug_c3d_write(path, &fx->take, NULL, NULL, &err), UG_OK);
    assert_int_equal(ug_c3d_read(&again, path, NULL, NULL, &err), UG_OK);
    assert_null(take_difference(&fx->take, &again));
    ug_take_fini(&again);
    (void)unlink(path);
}

static void test_s02_validity_is_the_sign_of_the_fourth_word(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 3, 4, -1.0);
    for (int f = 0; f < 4; f++) {
        file_point(&fx.file, false, 0, 0, 0, 0.4);
        file_point(&fx.file, false, 999, 999, 999, -1);
        file_point(&fx.file, false, NAN, NAN, NAN, 0);
    }
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0), 0);
    assert_int_equal(missing(m, 1), 4);
    assert_int_equal(missing(m, 2), 4);
    assert_true(m->residuals[0] == 0.4f);
    assert_true(m->positions[0] == 0.0f);
    assert_int_equal(fx.warnings.count, 1);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_not_finite"), 4);
    assert_string_equal(fx.warnings.items[0].first,
                        "M3 has a coordinate that is no finite number in frame 0; such samples are "
                        "missing");
    assert_round_trip(&fx);
    end(&fx);
}

static void test_minus_one_written_as_unsigned(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 1, 3, -1.0);
    file_point(&fx.file, false, 0, 0, 0, 65535);
    file_point(&fx.file, false, 5, 6, 7, 32767); // all seven cameras, largest residual
    file_point(&fx.file, false, 5, 6, 7, -16512);
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0), 2);
    assert_int_equal(m->cameras[1], 127);
    assert_true(m->residuals[1] == 255.0f);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_flag_unsigned"), 1);
    end(&fx);
}

static void test_residual_and_cameras(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 1, 3, -0.5);
    file_point(&fx.file, false, 1, 2, 3, 256 * 5 + 7);
    file_point(&fx.file, false, 1, 2, 3, 256 * 5 + 7.25); // a fraction survives
    file_point(&fx.file, false, 1, 2, 3, 0);
    const ug_markers *m = parse(&fx);
    assert_int_equal(m->cameras[0], 5);
    assert_true(m->residuals[0] == 3.5f);
    assert_true(m->residuals[1] == 3.625f);
    assert_true(m->residuals[2] == 0.0f);
    assert_int_equal(m->origin[0], UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED);
    assert_true(isnan(m->predicted_error_mm[0]));
    assert_int_equal(fx.warnings.count, 0);
    assert_round_trip(&fx);
    end(&fx);
}

static void test_few_zeros_are_a_marker_at_the_origin(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 2, 8, -1.0);
    for (int f = 0; f < 8; f++) {
        const double x = f < 4 ? 0 : f;
        file_point(&fx.file, false, x, x, x, 0);
        file_point(&fx.file, false, 100 + f, 5, 5, 0);
    }
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0), 0);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_zero_kept"), 4);
    assert_round_trip(&fx);
    end(&fx);
}

// The same with 5: the marker shows the pattern.
static void test_five_zeros_of_one_marker_are_gaps(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 2, 8, -1.0);
    for (int f = 0; f < 8; f++) {
        const double x = f < 5 ? 0 : f;
        file_point(&fx.file, false, x, x, x, f < 3 ? 0 : 32767);
        file_point(&fx.file, false, 100 + f, 5, 5, 0);
    }
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0), 5);
    assert_int_equal(missing(m, 1), 0);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_zero_missing"), 5);
    assert_round_trip(&fx);
    end(&fx);
}

static void test_two_markers_in_one_place_are_gaps(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 3, 1, -1.0);
    file_point(&fx.file, false, 0, 0, 0, 0);
    file_point(&fx.file, false, 0, 0, 0, 0);
    file_point(&fx.file, false, 1, 2, 3, 0);
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0) + missing(m, 1), 2);
    assert_int_equal(missing(m, 2), 0);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_zero_missing"), 2);
    end(&fx);
}

static void test_a_force_of_zero_is_a_force(void **state)
{
    (void)state;
    static const char *const FORCES[] = { "M1" };
    fixture fx;
    begin(&fx, 2, 12, -1.0);
    file_texts(&fx.file, "POINT", "FORCES", 4, 1, FORCES);
    for (int f = 0; f < 12; f++) {
        file_point(&fx.file, false, 0, 0, 0, 0);
        file_point(&fx.file, false, 0, 0, 0, 0);
    }
    const ug_markers *m = parse(&fx);
    assert_int_equal(m->kinds[0], UG_POINT_FORCE);
    assert_int_equal(missing(m, 0), 0);
    assert_int_equal(missing(m, 1), 12);
    assert_int_equal(m->origin[0], UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED);
    end(&fx);
}

static void test_all_negative_but_alive_is_valid(void **state)
{
    (void)state;
    for (int still = 0; still < 2; still++) {
        fixture fx;
        begin(&fx, 2, 6, -1.0);
        for (int f = 0; f < 6; f++) {
            file_point(&fx.file, false, 10 + (still ? 0 : f), 5, 5, -1);
            file_point(&fx.file, false, 0, f == 0 ? 0 : 7, f == 0 ? 0 : 7, -1);
        }
        // nothing moves: these are the leftovers of a take in which nothing was seen
        if (still) {
            for (int f = 0; f < 6; f++) {
                memcpy(fx.file.samples.data + 32 * f, fx.file.samples.data + 32, 32);
            }
        }
        const ug_markers *m = parse(&fx);
        assert_int_equal(missing(m, 0), still ? 6 : 0);
        assert_int_equal(missing(m, 1), still ? 6 : 1); // exactly 0,0,0 stays missing
        assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_all_negative"), still ? 0 : 11);
        assert_round_trip(&fx);
        end(&fx);
    }
}

// Mostly zeros: nothing was seen, whatever the few others hold.
static void test_all_negative_and_mostly_zero_stays_missing(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 3, 6, -1.0);
    for (int f = 0; f < 6; f++) {
        file_point(&fx.file, false, 10 + f, 5, 5, -1);
        file_point(&fx.file, false, 0, 0, 0, -1);
        file_point(&fx.file, false, 0, 0, 0, -1);
    }
    const ug_markers *m = parse(&fx);
    assert_int_equal(missing(m, 0) + missing(m, 1) + missing(m, 2), 18);
    assert_int_equal(fx.warnings.count, 0);
    end(&fx);
}

static void test_integers_are_scaled(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 2, 1, 0.05);
    file_point(&fx.file, true, 16000, -32767, 1, 256 * 2 + 10);
    file_point(&fx.file, true, 5, 5, 5, -1);
    const ug_markers *m = parse(&fx);
    assert_true(m->positions[0] == 800.0f);
    assert_true(fabs((double)m->positions[1] + 1638.35) < 1e-4);
    assert_int_equal(m->cameras[0], 2);
    assert_true(fabs((double)m->residuals[0] - 0.5) < 1e-7);
    assert_int_equal(missing(m, 1), 1);
    assert_true(fx.take.source.integer_samples);
    assert_round_trip(&fx);
    end(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s02_validity_is_the_sign_of_the_fourth_word),
        cmocka_unit_test(test_minus_one_written_as_unsigned),
        cmocka_unit_test(test_residual_and_cameras),
        cmocka_unit_test(test_few_zeros_are_a_marker_at_the_origin),
        cmocka_unit_test(test_five_zeros_of_one_marker_are_gaps),
        cmocka_unit_test(test_two_markers_in_one_place_are_gaps),
        cmocka_unit_test(test_a_force_of_zero_is_a_force),
        cmocka_unit_test(test_all_negative_but_alive_is_valid),
        cmocka_unit_test(test_all_negative_and_mostly_zero_stays_missing),
        cmocka_unit_test(test_integers_are_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
