// SPDX-License-Identifier: MIT
// Unit tests for motion/progress.h.
#include "motion/progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct heard {
    size_t count;
    double share;
    bool go_on;
} heard;

static bool hear(void *user, double share)
{
    heard *h = user;
    h->count++;
    h->share = share;
    return h->go_on;
}

static void test_parts_of_parts_are_shares_of_the_whole(void **state)
{
    (void)state;
    heard h = { .go_on = true };
    const ug_progress whole = { .report = hear, .user = &h };
    const ug_progress half = ug_progress_part(&whole, 0.5, 1.0);
    const ug_progress quarter = ug_progress_part(&half, 0.0, 0.5);
    assert_true(ug_progress_report(&whole, 0.3) && h.share == 0.3);
    assert_true(ug_progress_report(&half, 0.0) && h.share == 0.5);
    assert_true(ug_progress_report(&half, 1.0) && h.share == 1.0);
    assert_true(ug_progress_report(&quarter, 1.0) && fabs(h.share - 0.75) < 1e-15);
    assert_true(ug_progress_report(&quarter, 0.5) && fabs(h.share - 0.625) < 1e-15);
}

static void test_nobody_listening_means_go_on(void **state)
{
    (void)state;
    const ug_progress nobody = ug_progress_part(NULL, 0.2, 0.4);
    const ug_progress silent = { 0 };
    assert_true(ug_progress_report(NULL, 0.5));
    assert_true(ug_progress_report(&nobody, 0.5));
    assert_true(ug_progress_report(&silent, 0.5));
    assert_int_equal(ug_progress_step(NULL, 0, 10, NULL), UG_OK);
}

static void test_steps_ask_now_and_then_and_say_when_stopped(void **state)
{
    (void)state;
    heard h = { .go_on = true };
    const ug_progress p = { .report = hear, .user = &h };
    ug_error err = { 0 };
    for (size_t i = 0; i < 1024; i++) {
        assert_int_equal(ug_progress_step(&p, i, 1024, &err), UG_OK);
    }
    assert_int_equal(h.count, 4);
    assert_true(h.share == 0.75);
    h.go_on = false;
    assert_int_equal(ug_progress_step(&p, 257, 1024, &err), UG_OK);
    assert_int_equal(ug_progress_step(&p, 512, 1024, &err), UG_E_INTERRUPTED);
    assert_int_equal(err.status, UG_E_INTERRUPTED);
    assert_string_equal(err.message, "interrupted; nothing was written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_of_parts_are_shares_of_the_whole),
        cmocka_unit_test(test_nobody_listening_means_go_on),
        cmocka_unit_test(test_steps_ask_now_and_then_and_say_when_stopped),
    };
    return cmocka_run_group_tests_name("motion/progress", tests, NULL, NULL);
}
