// SPDX-License-Identifier: MIT
// Unit tests for datasets/random.c.
#include "datasets/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// The generator's own definition, written again from the paper: state 1, 2, 3, 4.
static void test_known_sequence(void **state)
{
    (void)state;
    ug_random random = { { 1, 2, 3, 4 } };
    static const uint64_t FIRST[] = { 11520u, 0u, 1509978240u, 1215971899390074240u };
    for (int i = 0; i < 4; i++) {
        assert_true(ug_random_u64(&random) == FIRST[i]);
    }
}

static void test_streams_and_seeds_differ(void **state)
{
    (void)state;
    ug_random a = ug_random_make(7, 1), b = ug_random_make(7, 2), c = ug_random_make(8, 1),
              again = ug_random_make(7, 1);
    int same_stream = 0, same_seed = 0;
    for (int i = 0; i < 1000; i++) {
        const uint64_t x = ug_random_u64(&a);
        same_stream += x == ug_random_u64(&b);
        same_seed += x == ug_random_u64(&c);
        assert_true(x == ug_random_u64(&again));
    }
    assert_int_equal(same_stream, 0);
    assert_int_equal(same_seed, 0);
}

static void test_distributions(void **state)
{
    (void)state;
    enum { N = 200000, BINS = 7 };
    ug_random random = ug_random_make(0, 0);
    double sum = 0.0, square = 0.0, cube = 0.0, fourth = 0.0, uniform = 0.0;
    int bins[BINS] = { 0 };
    for (int i = 0; i < N; i++) {
        const double g = ug_random_gaussian(&random), u = ug_random_range(&random, -1.0, 3.0);
        assert_true(u >= -1.0 && u < 3.0);
        uniform += u;
        sum += g;
        square += g * g;
        cube += g * g * g;
        fourth += g * g * g * g;
        bins[ug_random_below(&random, BINS)]++;
    }
    // five standard errors each: 1/sqrt N = 0.0022 and its multiples for the higher moments
    assert_true(fabs(sum / N) < 0.012);
    assert_true(fabs(square / N - 1.0) < 0.016);
    assert_true(fabs(cube / N) < 0.044);
    assert_true(fabs(fourth / N - 3.0) < 0.11);
    assert_true(fabs(uniform / N - 1.0) < 0.013);
    for (int k = 0; k < BINS; k++) {
        assert_true(fabs(bins[k] - (double)N / BINS) < 5.0 * sqrt((double)N / BINS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sequence),
        cmocka_unit_test(test_streams_and_seeds_differ),
        cmocka_unit_test(test_distributions),
    };
    return cmocka_run_group_tests_name("datasets/random", tests, NULL, NULL);
}
