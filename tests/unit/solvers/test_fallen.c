// SPDX-License-Identifier: MIT
// Unit tests for solvers/fallen.c, on one rigid body that tumbles.
#include "solvers/fallen.h"

#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void slip(ug_markers *m, size_t marker, ug_vec3 by_mm, size_t first, size_t end)
{
    for (size_t f = first; f < end; f++) {
        const ug_vec3 p = body_point_mm(ug_vec3_add(BODY_MM[marker], by_mm), (double)f);
        put_mm(m, f, marker, p.x, p.y, p.z);
    }
}

static void test_slipped_and_fallen(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(1200, 5);
    slip(m, 4, (ug_vec3){ -30, 20, 0 }, 700, 1200); // away from the rest
    hide(m, 4, 900, 960);
    ug_markers *before = ug_markers_copy(m);
    ug_fallen fallen;
    ug_warnings warnings = { 0 };
    memset(&fallen, 0xa5, sizeof fallen);
    assert_int_equal(ug_fallen_find(&fallen, m, &warnings, NULL), UG_OK);
    assert_int_equal(fallen.count, 1);
    assert_int_equal(fallen.items[0].marker, 4);
    assert_int_equal(fallen.items[0].frame, 700);
    assert_true(fallen.items[0].moved_mm > 15.0 && fallen.items[0].moved_mm < 37.0);
    assert_int_equal(ug_warnings_count(&warnings, "marker_fell_off"), 1);
    assert_true(same_markers(m, before));
    ug_fallen_fini(&fallen);

    for (size_t f = 700; f < 1200; f++) { // on the floor, where the body leaves it
        put_mm(m, f, 4, 100.0, 0.0, 7000.0);
    }
    assert_int_equal(ug_fallen_find(&fallen, m, NULL, NULL), UG_OK);
    assert_int_equal(fallen.count, 1);
    assert_int_equal(fallen.items[0].frame, 700);
    ug_fallen_fini(&fallen);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

// One that comes back, one that moves a little, one all of whose neighbours move, and takes too
// small to tell.
static void test_what_is_none(void **state)
{
    (void)state;
    ug_markers *back = make_rigid_take(1200, 5), *little = make_rigid_take(1200, 5);
    slip(back, 4, (ug_vec3){ -30, 20, 0 }, 500, 800);
    slip(little, 4, (ug_vec3){ -4, 4, 0 }, 500, 1200);
    ug_markers *alone = make_rigid_take(1200, 5); // 2, 3 and 4 are nearest to 0
    slip(alone, 2, (ug_vec3){ 0, 40, 0 }, 500, 1200);
    slip(alone, 3, (ug_vec3){ 0, 0, 40 }, 500, 1200);
    slip(alone, 4, (ug_vec3){ -40, 0, 0 }, 500, 1200);
    ug_markers *const takes[] = { back,
                                  little,
                                  alone,
                                  make_rigid_take(1200, 5),
                                  make_rigid_take(20, 5),
                                  make_markers(0, 3, 100),
                                  make_markers(3, 0, 100) };
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        ug_fallen fallen;
        assert_int_equal(ug_fallen_find(&fallen, takes[i], NULL, NULL), UG_OK);
        assert_int_equal(fallen.count, 0);
        ug_fallen_fini(&fallen);
        ug_markers_destroy(takes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slipped_and_fallen),
        cmocka_unit_test(test_what_is_none),
    };
    return cmocka_run_group_tests_name("solvers/fallen", tests, NULL, NULL);
}
