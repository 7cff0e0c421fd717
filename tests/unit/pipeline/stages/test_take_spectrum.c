// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/take_spectrum.c: paths made of known waves, "filtered" by taking
// one of them off.
#include "pipeline/stages/take_spectrum.h"

#include "motion/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FRAMES = 1000, LENGTH = 128, BIN = 40 }; // 64 to 128 frames in two seconds at 64 Hz

static const double PI = 3.14159265358979323846;

// Marker k moves by a wave of 1 Hz along x, and wobbles by (1 + k) mm at bin 40 (20 Hz) along y
// until it is filtered. Positions are in mm.
static ug_markers *make_markers(size_t count, bool filtered)
{
    ug_markers *m = ug_markers_create(FRAMES, count, (ug_rate){ 64, 1 });
    assert_non_null(m);
    m->scale_m = 1e-3;
    for (size_t k = 0; k < count; k++) {
        m->labels[k] = ug_text_format("M%zu", k);
        m->subjects[k] = ug_text_copy("");
    }
    assert_true(!filtered || ug_markers_make_unfiltered(m));
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t k = 0; k < count; k++) {
            const double t = (double)f / 64.0;
            const double wobble = (1.0 + (double)k) * sin(2.0 * PI * 20.0 * t);
            const double x = 100.0 * sin(2.0 * PI * t);
            ug_markers_set_m(m, f, k, (ug_vec3){ 1e-3 * x, 1e-3 * wobble, 0.5 },
                             UG_ORIGIN_MEASURED);
            if (filtered) {
                ug_markers_note_filtered(m, f, k);
                m->positions[3 * ug_markers_index(m, f, k) + 1] = 0.0f;
            }
        }
    }
    return m;
}

static void test_what_was_removed(void **state)
{
    (void)state;
    ug_take take;
    ug_take_spectrum s;
    ug_take_init(&take);
    take.markers = make_markers(3, true);
    take.markers->kinds[2] = UG_POINT_ANGLE; // not a place
    // a gap in the middle: no segment reaches over it
    for (size_t f = 480; f < 500; f++) {
        ug_markers_clear(take.markers, f, 0);
    }
    assert_int_equal(ug_take_spectrum_read(&s, &take, NULL), UG_OK);
    assert_int_equal(s.count, LENGTH / 2);
    assert_true(s.step_hz == 0.5);
    assert_int_equal(s.marker_count, 2);
    // a sine of amplitude A is A^2 / 2 over three bins (solvers/spectrum.h); the median of two
    // markers is their mean. 2e-3: what the line takes of it is 6 / (40 pi)^2, and float positions
    const double power = 0.5 * (1.0 * 1.0 + 2.0 * 2.0) / 2.0;
    const double *removed = s.removed_mm2_hz + BIN - 1, *before = s.before_mm2_hz + BIN - 1;
    const double *after = s.after_mm2_hz + BIN - 1;
    assert_true(fabs((removed[-1] + removed[0] + removed[1]) * s.step_hz / power - 1.0) < 2e-3);
    assert_true(fabs((before[-1] + before[0] + before[1]) * s.step_hz / power - 1.0) < 2e-3);
    assert_true(after[0] < 1e-6 * before[0]);
    // the motion itself, at bin 2, is in both and was not removed
    assert_true(s.before_mm2_hz[1] > 100.0 &&
                fabs(s.after_mm2_hz[1] / s.before_mm2_hz[1] - 1.0) < 1e-3);
    assert_true(s.removed_mm2_hz[1] < 1e-2);
    // rms of both sines over all filtered samples, the gap's left out: 980 and 1000 of them
    const double rms = sqrt((980.0 * 0.5 + 1000.0 * 2.0) / 1980.0);
    assert_true(fabs(s.removed_rms_mm / rms - 1.0) < 1e-3);
    ug_take_spectrum_fini(&s);
    ug_take_fini(&take);
}

static void test_nothing_to_show(void **state)
{
    (void)state;
    ug_take take;
    ug_take_spectrum s;
    ug_take_init(&take);
    assert_int_equal(ug_take_spectrum_read(&s, &take, NULL), UG_OK); // no markers
    assert_int_equal(s.count, 0);
    take.markers = make_markers(1, false); // not filtered
    assert_int_equal(ug_take_spectrum_read(&s, &take, NULL), UG_OK);
    assert_int_equal(s.count, 0);
    ug_markers_destroy(take.markers);
    take.markers = make_markers(1, true);
    take.markers->rate = (ug_rate){ 0, 0 }; // no frequencies without a rate
    assert_int_equal(ug_take_spectrum_read(&s, &take, NULL), UG_OK);
    assert_int_equal(s.count, 0);
    take.markers->rate = (ug_rate){ 64, 1 };
    for (size_t f = 0; f < FRAMES; f += 30) { // runs of 29 frames
        ug_markers_clear(take.markers, f, 0);
    }
    assert_int_equal(ug_take_spectrum_read(&s, &take, NULL), UG_OK);
    assert_int_equal(s.count, 0);
    ug_take_spectrum_fini(&s);
    ug_take_spectrum_fini(NULL);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_removed),
        cmocka_unit_test(test_nothing_to_show),
    };
    return cmocka_run_group_tests_name("stages/take_spectrum", tests, NULL, NULL);
}
