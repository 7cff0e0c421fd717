// SPDX-License-Identifier: MIT
// Smoothing of real takes with noise put on: $UGOKI_DATA/cases/gaps. The takes themselves are the
// truth; whoever published them had smoothed them.
//
// What is shown: the spline that asks for no cut-off stays near the best of four Butterworth
// cut-offs, which differs from take to take and is known to nobody who has no truth.
#include "formats/marker_csv.h"
#include "solvers/smooth_markers.h"
#include "tests/support/noise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FRAMES = 1500 };

static char root[3000];

// The first FRAMES frames; every coordinate in millimetres.
static ug_markers *read_start(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/cases/gaps/takes/%s.csv", root, name);
    ug_take take;
    ug_take_init(&take);
    const ug_read_opts opts = { .unit = "mm", .up = "+Y" };
    assert_int_equal(ug_csv_read(&take, path, &opts, NULL, NULL), UG_OK);
    ug_markers *m = take.markers;
    take.markers = NULL;
    ug_take_fini(&take);
    assert_true(m && m->frame_count >= FRAMES && m->scale_m == 0.001);
    m->frame_count = FRAMES; // time is slowest: the rest is simply not looked at
    return m;
}

static ug_markers *with_noise(const ug_markers *truth, double sigma_mm)
{
    ug_markers *m = ug_markers_copy(truth);
    assert_non_null(m);
    uint64_t seed = 1;
    for (size_t i = 0; i < 3 * m->frame_count * m->marker_count; i++) {
        m->positions[i] += (float)(sigma_mm * noise(&seed));
    }
    return m;
}

// rms distance to the truth after smoothing, millimetres; cutoff_hz 0: the spline.
static double error_mm(const ug_markers *truth, double sigma_mm, double cutoff_hz)
{
    ug_markers *m = with_noise(truth, sigma_mm);
    const ug_smooth_opts opts = { cutoff_hz > 0.0 ? UG_SMOOTH_BUTTERWORTH : UG_SMOOTH_GCV,
                                  cutoff_hz };
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, &opts, NULL), UG_OK);
    double square = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        for (size_t axis = 0; m->origin[i] & UG_ORIGIN_PRESENT && axis < 3; axis++) {
            const double d =
                (double)m->positions[3 * i + axis] - (double)truth->positions[3 * i + axis];
            square += d * d;
            n += axis == 0;
        }
    }
    ug_markers_destroy(m);
    return sqrt(square / (double)n);
}

static void test_spline_is_near_the_best_cutoff(void **state)
{
    (void)state;
    static const char *const TAKES[] = { "cmu85_12", "cmu135_02", "hdm_mm0102", "jyu_dance1" };
    static const double SIGMAS[] = { 0.3, 1.0, 3.0 }, CUTOFFS[] = { 6.0, 10.0, 15.0, 20.0 };
    print_message("%-12s %5s %6s %6s %6s %6s %6s %6s\n", "take", "sigma", "raw", "6 Hz", "10 Hz",
                  "15 Hz", "20 Hz", "gcv");
    for (size_t t = 0; t < 4; t++) {
        ug_markers *truth = read_start(TAKES[t]);
        for (size_t s = 0; s < 3; s++) {
            double e[4], best = INFINITY;
            for (size_t c = 0; c < 4; c++) {
                e[c] = error_mm(truth, SIGMAS[s], CUTOFFS[c]);
                best = fmin(best, e[c]);
            }
            const double raw = sqrt(3.0) * SIGMAS[s], gcv = error_mm(truth, SIGMAS[s], 0.0);
            print_message("%-12s %5.1f %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f\n", TAKES[t], SIGMAS[s],
                          raw, e[0], e[1], e[2], e[3], gcv);
            assert_true(gcv < 1.2 * fmin(best, raw));
        }
        ug_markers_destroy(truth);
    }
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_spline_is_near_the_best_cutoff) };
    return cmocka_run_group_tests_name("real/smooth", tests, NULL, NULL);
}
