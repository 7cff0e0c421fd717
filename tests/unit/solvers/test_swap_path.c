// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_path.c.
#include "solvers/swap_path.h"

#include "solvers/markers_move.h"
#include "tests/support/swap_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void check(ug_markers *m, size_t members, const ug_swap_stretch *wanted, size_t count)
{
    ug_swap_space s = make_space(m);
    ug_swap_model model = make_model(&s, members, 0, 2, 3);
    ug_swap_stretch *found = NULL;
    size_t n = 99;
    assert_int_equal(ug_swap_path(&found, &n, &model, NULL), UG_OK);
    assert_int_equal(n, count);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(found[i].first, wanted[i].first);
        assert_int_equal(found[i].last, wanted[i].last);
        assert_int_equal(found[i].state, wanted[i].state);
        assert_true(found[i].sure);
    }
    free(found);
    ug_swap_model_fini(&model);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

static void exchange(ug_markers *m, size_t a, size_t b, size_t first, size_t last)
{
    for (size_t f = first; f <= last; f++) {
        ug_markers_exchange(m, f, a, b);
    }
}

static void test_none_one_frame_and_long(void **state)
{
    (void)state;
    check(make_rigid_take(600, 5), 2, NULL, 0);
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 0, 2, 0, 39); // from the start
    exchange(m, 0, 2, 100, 100);
    exchange(m, 0, 2, 200, 380);
    exchange(m, 0, 2, 599, 599); // the last frame
    check(m, 2,
          (const ug_swap_stretch[]){ { .first = 0, .last = 39, .state = 1 },
                                     { .first = 100, .last = 100, .state = 1 },
                                     { .first = 200, .last = 380, .state = 1 },
                                     { .first = 599, .last = 599, .state = 1 } },
          4);
}

static void test_ends_are_where_samples_are(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 150, 199);
    hide(m, 2, 150, 199);
    exchange(m, 0, 2, 200, 300);
    hide(m, 0, 290, 340);
    hide(m, 2, 290, 340);
    check(m, 2, (const ug_swap_stretch[]){ { .first = 200, .last = 289, .state = 1 } }, 1);
}

static void test_three(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 0, 2, 100, 140); // label 0 holds 2, 2 holds 3, 3 holds 0
    exchange(m, 2, 3, 100, 140);
    exchange(m, 2, 3, 300, 310);
    // members are 0, 2, 3: 0 under label 3, 2 under 0, 3 under 2, which is state 5; then state 2
    check(m, 3,
          (const ug_swap_stretch[]){ { .first = 100, .last = 140, .state = 5 },
                                     { .first = 300, .last = 310, .state = 2 } },
          2);
}

static void test_short_takes(void **state)
{
    (void)state;
    for (size_t frames = 0; frames < 5; frames++) {
        check(make_rigid_take(frames, 5), 3, NULL, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_one_frame_and_long),
        cmocka_unit_test(test_ends_are_where_samples_are),
        cmocka_unit_test(test_three),
        cmocka_unit_test(test_short_takes),
    };
    return cmocka_run_group_tests_name("solvers/swap_path", tests, NULL, NULL);
}
