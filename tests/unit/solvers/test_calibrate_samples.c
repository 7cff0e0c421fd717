// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_samples.c and solvers/calibrate_size.c: what is taken from a
// take, and what distances alone say about a person.
#include "solvers/calibrate_samples.h"

#include "solvers/calibrate_size.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { FRAMES = 9 };

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments table;
    ug_markers *take;
    ug_samples samples;
} fixture;

// A take in which every segment stands still at its rest place in its own corner of the room:
// distances within a segment are `size` times the table's, those between segments mean nothing.
static void setup(fixture *fx, double size)
{
    *fx = (fixture){ .skeleton = support_humanoid() };
    assert_true(fx->skeleton && support_markers(&fx->table, fx->skeleton));
    fx->take = ug_markers_create(FRAMES, fx->table.count, (ug_rate){ 100, 1 });
    assert_non_null(fx->take);
    for (size_t m = 0; m < fx->table.count; m++) {
        const ug_attachment *item = &fx->table.items[m];
        fx->take->labels[m] = ug_text_copy(item->label);
        fx->take->subjects[m] = ug_text_copy("");
        for (size_t t = 0; t < FRAMES; t++) {
            ug_vec3 p = ug_vec3_scale(item->local_m, size);
            p.x += 3.0 * item->joint;
            ug_markers_set_m(fx->take, t, m, p, UG_ORIGIN_MEASURED);
        }
    }
}

static void gather(fixture *fx)
{
    const ug_calibrate_take take = { .markers = fx->take };
    const ug_calibrate_options options = ug_calibrate_default_options();
    ug_samples_fini(&fx->samples);
    memset(&fx->samples, 0x5a, sizeof fx->samples);
    assert_int_equal(ug_samples_gather(&fx->samples, &fx->table, &take, 1, &options, NULL), UG_OK);
}

static void teardown(fixture *fx)
{
    ug_skeleton_destroy(fx->skeleton);
    ug_attachments_fini(&fx->table);
    ug_markers_destroy(fx->take);
    ug_samples_fini(&fx->samples);
}

static size_t find(const fixture *fx, const char *label)
{
    const ptrdiff_t m = ug_attachments_find(&fx->table, label);
    assert_true(m >= 0);
    return (size_t)m;
}

static void test_samples_come_from_slices_in_order(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx, 1.0);
    ug_markers_set_m(fx.take, 8, 2, (ug_vec3){ 1.0, 2.0, 3.0 }, UG_ORIGIN_MEASURED);
    ug_markers_clear(fx.take, 7, 2);
    const ug_calibrate_take takes[2] = { { .markers = fx.take, .first = 7 },
                                         { .markers = fx.take, .first = 1, .count = 3 } };
    const ug_calibrate_options options = ug_calibrate_default_options();
    assert_int_equal(ug_samples_gather(&fx.samples, &fx.table, takes, 2, &options, NULL), UG_OK);
    const ug_samples *s = &fx.samples;
    assert_int_equal(s->frame_count, 5);
    assert_int_equal(s->marker_count, 41);
    assert_int_equal(s->take[1], 0);
    assert_int_equal(s->frame[1], 8);
    assert_int_equal(s->take[2], 1);
    assert_int_equal(s->frame[4], 3);
    assert_true(s->weight[2] == 0.0 && s->weight[41 + 2] == 1.0);
    // positions of a take are float
    assert_true(fabs(s->measured_m[3 * (41 + 2) + 1] - 2.0) < 1e-6);
    assert_int_equal(s->visible[0], 40);
    assert_int_equal(s->seen[2], 4);
    teardown(&fx);
}

static void test_usable_rows_show_half_of_the_markers(void **state)
{
    (void)state;
    fixture fx;
    size_t rows[FRAMES];
    setup(&fx, 1.0);
    for (size_t m = 0; m < fx.table.count; m++) {
        ug_markers_clear(fx.take, 0, m); // nothing
        if (m >= 20) {
            ug_markers_clear(fx.take, 3, m); // 20 of 41: less than half
        }
        if (m >= 21) {
            ug_markers_clear(fx.take, 4, m); // 21: enough
        }
    }
    gather(&fx);
    assert_int_equal(ug_samples_usable(rows, &fx.samples), 7);
    assert_int_equal(rows[0], 1);
    assert_int_equal(rows[2], 4);
    for (size_t i = 0; i < FRAMES * 41; i++) {
        fx.samples.weight[i] = 0.0;
    }
    ug_samples_count(&fx.samples);
    assert_int_equal(ug_samples_usable(rows, &fx.samples), 0);
    teardown(&fx);
}

static void test_distance(void **state)
{
    (void)state;
    fixture fx;
    double scratch[400];
    setup(&fx, 1.0);
    const size_t a = find(&fx, "LFHD"), b = find(&fx, "RFHD");
    // three frames of nine are wrong, one is missing
    for (size_t t = 0; t < 3; t++) {
        ug_markers_set_m(fx.take, t, a, (ug_vec3){ 9.0, 9.0, 9.0 }, UG_ORIGIN_MEASURED);
    }
    ug_markers_clear(fx.take, 5, b);
    gather(&fx);
    assert_true(fabs(ug_samples_distance_m(&fx.samples, a, b, scratch) - 0.15) < 1e-6);
    for (size_t t = 0; t < FRAMES; t++) {
        ug_markers_clear(fx.take, t, b);
    }
    gather(&fx);
    assert_true(isnan(ug_samples_distance_m(&fx.samples, a, b, scratch)));
    teardown(&fx);
}

static void test_scale_is_a_weighted_median(void **state)
{
    (void)state;
    fixture fx;
    double scale;
    setup(&fx, 0.7);
    // a head band that was put on wrongly is only six of the pairs
    for (size_t t = 0; t < FRAMES; t++) {
        const size_t m = find(&fx, "LFHD");
        ug_markers_set_m(fx.take, t, m, (ug_vec3){ 20.0, 0.0, 0.0 }, UG_ORIGIN_MEASURED);
    }
    gather(&fx);
    assert_int_equal(ug_size_scale(&scale, &fx.samples, &fx.table, NULL), UG_OK);
    assert_true(fabs(scale - 0.7) < 1e-5);
    teardown(&fx);

    // clamped, and 1 when nothing is to be seen
    setup(&fx, 9.0);
    gather(&fx);
    assert_int_equal(ug_size_scale(&scale, &fx.samples, &fx.table, NULL), UG_OK);
    assert_true(scale == 1.3);
    memset(fx.samples.seen, 0, 41 * sizeof *fx.samples.seen);
    assert_int_equal(ug_size_scale(&scale, &fx.samples, &fx.table, NULL), UG_OK);
    assert_true(scale == 1.0);
    teardown(&fx);
}

static void rename_marker(fixture *fx, const char *from, const char *to)
{
    const size_t m = find(fx, from);
    free(fx->table.items[m].label);
    free(fx->take->labels[m]);
    fx->table.items[m].label = ug_text_copy(to);
    fx->take->labels[m] = ug_text_copy(to);
}

// Harrington's table 4 by hand: PW 240 mm, PD 175.29 mm (175 forward, 10 up).
static void test_hips_by_regression(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx, 1.0);
    gather(&fx);
    assert_false(ug_pelvis_regression(fx.skeleton, &fx.table, &fx.samples)); // waist markers
    assert_true(fx.skeleton->joints[9].offset_m.x == 0.0865);
    rename_marker(&fx, "LFWT", "L.ASIS");
    rename_marker(&fx, "RFWT", "r_asis");
    rename_marker(&fx, "LBWT", "LPSI");
    rename_marker(&fx, "RBWT", "Rpsi");
    gather(&fx);
    assert_true(ug_pelvis_regression(fx.skeleton, &fx.table, &fx.samples));
    const int l = ug_skeleton_find(fx.skeleton, "l_thigh"),
              r = ug_skeleton_find(fx.skeleton, "r_thigh");
    const ug_joint *left = &fx.skeleton->joints[l], *right = &fx.skeleton->joints[r];
    const double hip = 0.33 * 0.240 + 0.0073;
    assert_true(fabs(left->offset_m.x - hip) < 1e-6 && fabs(right->offset_m.x + hip) < 1e-6);
    assert_true(fabs(left->offset_m.y) < 1e-12 && fabs(left->offset_m.z) < 1e-12);
    assert_true(left->offset_sigma_m.x == 0.005);
    const ug_vec3 a = fx.table.items[find(&fx, "L.ASIS")].local_m;
    const ug_vec3 b = fx.table.items[find(&fx, "r_asis")].local_m;
    const ug_vec3 p = fx.table.items[find(&fx, "LPSI")].local_m;
    assert_true(fabs(a.x - 0.12) < 1e-6 && fabs(b.x + 0.12) < 1e-6);
    const double above = 0.30 * 0.240 + 0.0109, front = 0.24 * hypot(0.175, 0.010) + 0.0099;
    assert_true(fabs(hypot(a.y, a.z) - hypot(above, front)) < 1e-6);
    // the spines keep their distance and lie in the plane of the regression
    assert_true(fabs(hypot(a.y - p.y, a.z - p.z) - hypot(0.175, 0.010)) < 1e-6);
    assert_true(fabs(p.x - 0.05) < 1e-9);
    const double depth = hypot(a.y - p.y, a.z - p.z);
    const double forward = (a.y * (a.y - p.y) + a.z * (a.z - p.z)) / depth;
    assert_true(fabs(forward - front) < 1e-6);

    // without the back there is no depth
    for (size_t t = 0; t < FRAMES; t++) {
        ug_markers_clear(fx.take, t, find(&fx, "LPSI"));
    }
    gather(&fx);
    assert_false(ug_pelvis_regression(fx.skeleton, &fx.table, &fx.samples));
    // a sacrum marker stands in for both
    rename_marker(&fx, "Rpsi", "SACR");
    gather(&fx);
    assert_true(ug_pelvis_regression(fx.skeleton, &fx.table, &fx.samples));
    fx.skeleton->joints[l].role = UG_ROLE_NONE;
    assert_false(ug_pelvis_regression(fx.skeleton, &fx.table, &fx.samples));
    teardown(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_come_from_slices_in_order),
        cmocka_unit_test(test_usable_rows_show_half_of_the_markers),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_scale_is_a_weighted_median),
        cmocka_unit_test(test_hips_by_regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
