// SPDX-License-Identifier: MIT
// Unit tests for solvers/parallel.c.
#include "solvers/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>

#include <cmocka.h>

enum { PIECES = 1000 };

typedef struct counts {
    atomic_uint done[PIECES + 1], wrong_worker;
    size_t workers;
} counts;

static void count(void *context, size_t piece, size_t worker)
{
    counts *c = context;
    atomic_fetch_add(&c->done[piece < PIECES ? piece : PIECES], 1);
    atomic_fetch_add(&c->wrong_worker, worker >= c->workers);
}

static void test_every_piece_once_whatever_the_workers(void **state)
{
    (void)state;
    static const size_t WORKERS[] = { 0, 1, 2, 7, 300 }, COUNTS[] = { 0, 1, 3, PIECES };
    for (size_t w = 0; w < 5; w++) {
        for (size_t n = 0; n < 4; n++) {
            counts c = { .workers = WORKERS[w] > 0 ? WORKERS[w] : 1 };
            ug_parallel_for(COUNTS[n], WORKERS[w], count, &c);
            for (size_t i = 0; i <= PIECES; i++) {
                assert_int_equal(c.done[i], i < COUNTS[n]);
            }
            assert_int_equal(c.wrong_worker, 0);
        }
    }
}

static void test_there_is_a_processor(void **state)
{
    (void)state;
    assert_true(ug_processor_count() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_once_whatever_the_workers),
        cmocka_unit_test(test_there_is_a_processor),
    };
    return cmocka_run_group_tests_name("solvers/parallel", tests, NULL, NULL);
}
