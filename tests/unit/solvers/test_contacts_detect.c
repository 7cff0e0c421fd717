// SPDX-License-Identifier: MIT
// Unit tests for solvers/contacts_detect.c, on paths whose contacts are known.
#include "solvers/contacts_detect.h"

#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 590 }; // ends in mid-swing

static const double RATE_HZ = 100.0;
static const test_walk WALK = { COUNT, 100, 1.3, 0.05, 0, 0 };

// the walk's left foot, `floor_m` above height 0
static void make_path(ug_vec3 *path, uint8_t *truth, double floor_m)
{
    for (size_t f = 0; f < COUNT; f++) {
        double z, y;
        truth[f] = test_walk_foot(&z, &y, &WALK, 0, (double)f / RATE_HZ);
        path[f] = (ug_vec3){ 0.1, floor_m + y, z };
    }
}

static void expect_edges(const uint8_t *got, const uint8_t *truth, size_t slack)
{
    size_t wrong = 0, edges = 0;
    for (size_t f = 0; f < COUNT; f++) {
        wrong += got[f] != truth[f];
        edges += f > 0 && truth[f] != truth[f - 1];
    }
    assert_true(edges >= 10);
    assert_true(wrong <= slack * edges);
    for (size_t f = 1, seen = 0; f < COUNT; f++) { // as many edges: none lost, none made up
        seen += got[f] != got[f - 1];
        assert_true(f + 1 < COUNT || seen == edges);
    }
}

static void test_planted_and_load_on_a_walk(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT];
    static uint8_t truth[COUNT], labels[COUNT];
    const ug_contact_opts planted = ug_contact_opts_planted();
    const ug_contact_opts load = ug_contact_opts_load_markers();
    make_path(path, truth, 0.0);
    const ug_point_path p = { UG_POINT_LEFT_HEEL, path, 0.0 };
    memset(labels, 0xa5, sizeof labels);
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &planted, NULL), UG_OK);
    expect_edges(labels, truth, 4); // the swing starts and ends slowly: 40 ms
    memset(labels, 0xa5, sizeof labels);
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &load, NULL), UG_OK);
    expect_edges(labels, truth, 7); // load lasts longer by design
}

static void test_local_floor_finds_a_box(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT];
    static uint8_t truth[COUNT], labels[COUNT];
    ug_contact_opts opts = ug_contact_opts_load_markers();
    make_path(path, truth, 0.31);
    const ug_point_path p = { UG_POINT_LEFT_HEEL, path, 0.0 };
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    expect_edges(labels, truth, 7);
    opts.local_floor = false; // one floor at height 0: nothing touches it
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    assert_null(memchr(labels, 1, COUNT));
    // a rest height of its own brings it down
    const ug_point_path high = { UG_POINT_LEFT_TOE, path, 0.31 };
    assert_int_equal(ug_contact_labels(labels, &high, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    expect_edges(labels, truth, 7);
}

static void test_apex_of_a_jump_is_no_contact(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT];
    static uint8_t labels[COUNT];
    const ug_contact_opts kinds[3] = { ug_contact_opts_planted(), ug_contact_opts_load_markers(),
                                       ug_contact_opts_load_joints() };
    for (size_t f = 0; f < COUNT; f++) {
        const double t = ((double)f - 300.0) / RATE_HZ;
        path[f] = (ug_vec3){ 0, fmax(0.30 - 0.5 * 9.81 * t * t, 0.0), 0 };
    }
    const ug_point_path p = { UG_POINT_RIGHT_TOE, path, 0.0 };
    for (int k = 0; k < 3; k++) {
        assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &kinds[k], NULL), UG_OK);
        assert_true(labels[0] && labels[COUNT - 1]);
        for (size_t f = 285; f < 316; f++) {
            assert_false(labels[f]);
        }
    }
}

// a foot raised slowly leaves by its height: 0.2 m/s is below both speeds
static void test_slow_lift_leaves_by_height(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT];
    static uint8_t labels[COUNT];
    const ug_contact_opts opts = ug_contact_opts_planted();
    for (size_t f = 0; f < COUNT; f++) {
        path[f] = (ug_vec3){ 0, fmin(fmax(0.002 * ((double)f - 100.0), 0.0), 0.2), 0 };
    }
    const ug_point_path p = { UG_POINT_LEFT_HEEL, path, 0.0 };
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    assert_true(labels[114]); // 28 mm: entering ends at 25, leaving begins at 30
    for (size_t f = 117; f < COUNT; f++) {
        assert_false(labels[f]);
    }
}

static void test_scale_follows_the_legs(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT], giant[COUNT];
    static uint8_t truth[COUNT], labels[COUNT], big[COUNT];
    ug_contact_opts opts = ug_contact_opts_planted();
    make_path(path, truth, 0.0);
    for (size_t f = 0; f < COUNT; f++) {
        giant[f] = ug_vec3_scale(path[f], 10.0);
    }
    const ug_point_path p = { UG_POINT_LEFT_HEEL, path, 0.0 },
                        g = { UG_POINT_LEFT_HEEL, giant, 0.0 };
    assert_int_equal(ug_contact_labels(labels, &p, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    opts.scale = 10.0;
    assert_int_equal(ug_contact_labels(big, &g, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    assert_memory_equal(labels, big, COUNT);
}

static void test_tidy(void **state)
{
    (void)state;
    uint8_t labels[] = { 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0 };
    const uint8_t wanted[] = { 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0 };
    ug_contact_labels_tidy(labels, sizeof labels, 100.0, 0.03);
    assert_memory_equal(labels, wanted, sizeof labels);
    ug_contact_labels_tidy(labels, 0, 100.0, 0.03);
}

static void test_missing_samples_touch_nothing(void **state)
{
    (void)state;
    ug_vec3 path[40];
    uint8_t labels[40];
    for (int f = 0; f < 40; f++) {
        path[f] = (ug_vec3){ f >= 10 && f < 20 ? NAN : 0.0, 0.0, 0.0 };
    }
    const ug_contact_opts opts = ug_contact_opts_planted();
    const ug_point_path p = { UG_POINT_LEFT_HEEL, path, 0.0 };
    memset(labels, 0xa5, sizeof labels);
    assert_int_equal(ug_contact_labels(labels, &p, 40, 100.0, &opts, NULL), UG_OK);
    for (int f = 0; f < 40; f++) {
        assert_int_equal(labels[f], f < 10 || f >= 20);
    }
    for (int f = 0; f < 40; f++) {
        path[f].y = NAN;
    }
    ug_contacts none = { 0 };
    assert_int_equal(ug_contacts_detect(&none, &p, 1, 40, 100.0, &opts, NULL), UG_OK);
    assert_int_equal(none.count, 0);
    assert_int_equal(ug_contacts_detect(&none, &p, 1, 0, 100.0, &opts, NULL), UG_OK);
    assert_int_equal(none.count, 0);
}

static void test_contacts_come_ordered_with_targets(void **state)
{
    (void)state;
    static ug_vec3 path[COUNT];
    static uint8_t truth[COUNT];
    make_path(path, truth, 0.0);
    const ug_point_path points[2] = { { UG_POINT_RIGHT_TOE, path, 0.0 },
                                      { UG_POINT_LEFT_HEEL, path, 0.0 } };
    const ug_contact_opts opts = ug_contact_opts_planted();
    ug_contacts found = { 0 };
    assert_int_equal(ug_contacts_detect(&found, points, 2, COUNT, RATE_HZ, &opts, NULL), UG_OK);
    assert_int_equal(found.count, 12);
    for (size_t i = 0; i < 12; i++) {
        const ug_contact *c = &found.items[i];
        assert_int_equal(c->point, i < 6 ? UG_POINT_LEFT_HEEL : UG_POINT_RIGHT_TOE);
        assert_true(c->accepted && c->kind == UG_CONTACT_PLANTED && c->reason[0] == '\0');
        assert_true(i % 6 == 0 || c->start_s > c[-1].end_s);
        // the stance of cycle i rests 0.3 s further on than its start
        assert_true(fabs(c->target_m.z - 1.3 * ((double)(i % 6) + 0.3)) < 2e-3);
        size_t start, end;
        ug_contact_frames(&start, &end, c, RATE_HZ, COUNT);
        assert_true(start == (size_t)(c->start_s * RATE_HZ + 0.5) && end <= COUNT && end > start);
    }
    ug_contacts_fini(&found);
}

static void test_frames_of_a_contact_are_clipped(void **state)
{
    (void)state;
    size_t start, end;
    const ug_contact c = { .start_s = -0.5, .end_s = 99.0 };
    ug_contact_frames(&start, &end, &c, 100.0, 50);
    assert_true(start == 0 && end == 50);
    const ug_contact late = { .start_s = 3.0, .end_s = 4.0 };
    ug_contact_frames(&start, &end, &late, 100.0, 50);
    assert_true(start == 50 && end == 50);
    const ug_contact odd = { .start_s = 0.105, .end_s = 0.095 };
    ug_contact_frames(&start, &end, &odd, 100.0, 50);
    assert_true(start == 11 && end == 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_and_load_on_a_walk),
        cmocka_unit_test(test_local_floor_finds_a_box),
        cmocka_unit_test(test_apex_of_a_jump_is_no_contact),
        cmocka_unit_test(test_slow_lift_leaves_by_height),
        cmocka_unit_test(test_scale_follows_the_legs),
        cmocka_unit_test(test_tidy),
        cmocka_unit_test(test_missing_samples_touch_nothing),
        cmocka_unit_test(test_contacts_come_ordered_with_targets),
        cmocka_unit_test(test_frames_of_a_contact_are_clipped),
    };
    return cmocka_run_group_tests_name("solvers/contacts_detect", tests, NULL, NULL);
}
