// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_rigid.c.
#include "solvers/gap_rigid.h"

#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 400, FIRST = 100, LAST = 339, LENGTH = LAST - FIRST + 1 };

static const ug_gap GAP = { 0, FIRST, LAST, true, true };

static bool fill(ug_vec3 *out_m, ug_rigid_cluster *cluster, const ug_markers *m, const ug_gap *gap,
                 size_t size)
{
    ug_rigid_neighbour list[8];
    const size_t count = ug_rigid_neighbours(list, m, gap);
    return ug_rigid_cluster_choose(cluster, list, count, size, 0.03, m, gap) &&
           ug_gap_rigid_fill(out_m, m, gap, cluster);
}

static void test_rigid_body_is_exact(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 5), *truth = make_rigid_take(FRAMES, 5);
    static const ug_gap GAPS[] = { { 0, FIRST, LAST, true, true },
                                   { 1, 0, 149, false, true },
                                   { 2, 250, FRAMES - 1, true, false } };
    for (size_t g = 0; g < 3; g++) {
        ug_vec3 out[LENGTH];
        ug_rigid_cluster cluster;
        memset(out, 0xa5, sizeof out);
        memset(&cluster, 0xa5, sizeof cluster);
        hide(m, GAPS[g].marker, GAPS[g].first, GAPS[g].last);
        assert_true(fill(out, &cluster, m, &GAPS[g], 3 + g % 2));
        for (size_t i = 0; i < ug_gap_length(&GAPS[g]); i++) {
            const ug_vec3 want = ug_markers_position_m(truth, GAPS[g].first + i, GAPS[g].marker);
            // float samples: 2.4e-4 mm at 4 m, some of it levered
            assert_true(ug_vec3_distance(out[i], want) < 2e-6);
        }
        for (size_t f = GAPS[g].first; f <= GAPS[g].last; f++) { // whole again for the next
            const ug_vec3 p = body_point_mm(BODY_MM[GAPS[g].marker], (double)f);
            put_mm(m, f, GAPS[g].marker, p.x, p.y, p.z);
        }
    }
    ug_markers_destroy(truth);
    ug_markers_destroy(m);
}

// The marker slides on the body, with a speed at each end that the line between does not have.
static void test_slip_is_met_in_value_and_slope(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 4);
    for (size_t f = 0; f < FRAMES; f++) {
        const double u = ((double)f - 220.0) / 120.0;
        const ug_vec3 p = body_point_mm((ug_vec3){ 60.0 * u * u, 10.0 * u, -20.0 * u }, (double)f);
        put_mm(m, f, 0, p.x, p.y, p.z);
    }
    ug_vec3 out[LENGTH];
    ug_rigid_cluster cluster;
    assert_true(fill(out, &cluster, m, &GAP, 3));
    for (size_t k = 0; k < 2; k++) {
        const size_t i = k == 0 ? 0 : LENGTH - 1, f = FIRST + i;
        // the first filled sample is off by half the second difference of the slip (4 um) and of
        // what the slope's correction bends; a fill that met the value only is off by 1 mm
        assert_true(ug_vec3_distance(out[i], ug_markers_position_m(m, f, 0)) < 0.12e-3);
    }
    ug_markers_destroy(m);
}

static void test_needs_three_not_on_a_line(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 4);
    ug_vec3 out[LENGTH];
    ug_rigid_cluster cluster;
    assert_true(fill(out, &cluster, m, &GAP, 3));
    assert_false(fill(out, &cluster, m, &GAP, 4)); // only three neighbours
    hide(m, 3, 200, 200);                          // one blinks inside the gap
    assert_false(fill(out, &cluster, m, &GAP, 3));
    for (size_t f = 0; f < FRAMES; f++) { // all there, but the third on the line of the others
        const ug_vec3 p = body_point_mm(ug_vec3_lerp(BODY_MM[1], BODY_MM[2], 0.4), (double)f);
        put_mm(m, f, 3, p.x, p.y, p.z);
    }
    assert_false(fill(out, &cluster, m, &GAP, 3));
    ug_markers_destroy(m);
}

static void test_thin_and_tiny_triangles_are_passed_over(void **state)
{
    (void)state;
    static const ug_vec3 SHAPES[2][3] = {
        { { 100, 0, 0 }, { 110, 0, 0 }, { 100, 10, 0 } }, // breadth 7 mm: noise would turn it
        { { 100, 0, 0 }, { 700, 0, 0 }, { 400, 50, 0 } }, // breadth 41 mm, but 424 mm long
    };
    for (size_t k = 0; k < 2; k++) {
        ug_markers *m = make_rigid_take(FRAMES, 4);
        for (size_t f = 0; f < FRAMES; f++) {
            for (size_t i = 0; i < 3; i++) {
                const ug_vec3 p = body_point_mm(SHAPES[k][i], (double)f);
                put_mm(m, f, i + 1, p.x, p.y, p.z);
            }
        }
        ug_vec3 out[LENGTH];
        ug_rigid_cluster cluster;
        assert_false(fill(out, &cluster, m, &GAP, 3));
        for (size_t f = 0; f < FRAMES; f++) { // three times as broad will do
            ug_vec3 wide = SHAPES[k][2];
            wide.y *= 3.0;
            wide.z += 30.0;
            const ug_vec3 p = body_point_mm(wide, (double)f);
            put_mm(m, f, 3, p.x, p.y, p.z);
            const ug_vec3 q =
                body_point_mm(k == 0 ? ug_vec3_scale(SHAPES[k][1], 1.5) : SHAPES[k][1], (double)f);
            put_mm(m, f, 2, q.x, q.y, q.z);
        }
        assert_true(fill(out, &cluster, m, &GAP, 3));
        ug_markers_destroy(m);
    }
}

static void test_steady_neighbours_come_first(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 5);
    for (size_t f = 0; f < FRAMES; f++) { // marker 3 is the nearest of all, but shakes
        const ug_vec3 p =
            body_point_mm((ug_vec3){ 10.0 + 30.0 * sin(0.3 * (double)f), 10.0, 10.0 }, (double)f);
        put_mm(m, f, 3, p.x, p.y, p.z);
    }
    ug_rigid_neighbour list[5];
    const size_t count = ug_rigid_neighbours(list, m, &GAP);
    assert_int_equal(count, 4);
    ug_rigid_cluster cluster;
    assert_true(ug_rigid_cluster_choose(&cluster, list, count, 3, 0.03, m, &GAP));
    for (size_t i = 0; i < 3; i++) {
        assert_int_not_equal(cluster.markers[i], 3);
    }
    assert_int_equal(list[3].marker, 3);
    assert_true(list[3].spread_m > 0.005);
    // a neighbour that is no marker does not count
    m->kinds[2] = UG_POINT_VIRTUAL;
    assert_int_equal(ug_rigid_neighbours(list, m, &GAP), 3);
    ug_markers_destroy(m);
}

static void test_refuses_what_it_cannot_know(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 5);
    ug_vec3 out[FRAMES];
    ug_rigid_cluster cluster;
    assert_true(fill(out, &cluster, m, &GAP, 3));
    assert_false(ug_gap_rigid_fill(out, m, &(ug_gap){ 0, 0, FRAMES - 1, false, false }, &cluster));
    hide(m, cluster.markers[0], 150, 150);
    assert_false(ug_gap_rigid_fill(out, m, &GAP, &cluster));
    // never seen: there is no distance to any neighbour
    hide(m, 4, 0, FRAMES - 1);
    ug_rigid_neighbour list[5];
    assert_int_equal(ug_rigid_neighbours(list, m, &(ug_gap){ 4, 0, FRAMES - 1, false, false }), 0);
    ug_markers_destroy(m);
}

// The contract that lets a filler be tried on a stretch that was seen.
static void test_own_frames_are_not_read(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(FRAMES, 5);
    for (size_t f = FIRST; f <= LAST; f++) {
        put_mm(m, f, 0, 1e4, 1e4, (double)f); // wild, and present
    }
    ug_vec3 seen[LENGTH], missing[LENGTH];
    ug_rigid_cluster cluster;
    assert_true(fill(seen, &cluster, m, &GAP, 4));
    hide(m, 0, FIRST, LAST);
    assert_true(fill(missing, &cluster, m, &GAP, 4));
    assert_memory_equal(seen, missing, sizeof seen);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_body_is_exact),
        cmocka_unit_test(test_slip_is_met_in_value_and_slope),
        cmocka_unit_test(test_needs_three_not_on_a_line),
        cmocka_unit_test(test_thin_and_tiny_triangles_are_passed_over),
        cmocka_unit_test(test_steady_neighbours_come_first),
        cmocka_unit_test(test_refuses_what_it_cannot_know),
        cmocka_unit_test(test_own_frames_are_not_read),
    };
    return cmocka_run_group_tests_name("solvers/gap_rigid", tests, NULL, NULL);
}
