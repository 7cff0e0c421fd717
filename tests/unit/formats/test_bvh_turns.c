// SPDX-License-Identifier: MIT
// Unit tests for formats/bvh_turns.c: the table and series against libm in long double.
#include "formats/bvh_turns.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ug_turn_table table;

static double random_unit(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void test_quarter_turns_are_exact(void **state)
{
    (void)state;
    const double degrees[] = { 0, 90, 180, 270, 360, 540, 720, -90, -180, -360 };
    const double h = sqrt(0.5);
    const double expected[][2] = { { 0, 1 },  { h, h }, { 1, 0 },  { h, -h }, { 0, -1 },
                                   { -1, 0 }, { 0, 1 }, { -h, h }, { -1, 0 }, { 0, -1 } };
    double half[20];
    memset(half, 0xA5, sizeof half);
    ug_turn_halves(half, &table, degrees, 10);
    for (int i = 0; i < 10; i++) {
        assert_true(half[2 * i] == expected[i][0] && half[2 * i + 1] == expected[i][1]);
    }
}

static void test_halves_against_libm(void **state)
{
    (void)state;
    enum { COUNT = 100003 }; // no multiple of a piece
    static double degrees[COUNT], half[2 * COUNT + 1];
    uint64_t seed = 1;
    for (int i = 0; i < COUNT; i++) {
        const double range = i % 3 == 0 ? 0.01 : i % 3 == 1 ? 360.0 : 5000.0;
        degrees[i] = range * (2.0 * random_unit(&seed) - 1.0);
    }
    half[2 * COUNT] = 42.0;
    ug_turn_halves(half, &table, degrees, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const long double rad = (long double)degrees[i] * (3.14159265358979323846264L / 360.0L);
        assert_true(fabs(half[2 * i] - (double)sinl(rad)) < 2.3e-16);
        assert_true(fabs(half[2 * i + 1] - (double)cosl(rad)) < 2.3e-16);
    }
    assert_true(half[2 * COUNT] == 42.0);
}

// A vector's tail and its body must not differ: any count gives the same bits.
static void test_same_bits_for_any_count(void **state)
{
    (void)state;
    enum { COUNT = 150 };
    double degrees[COUNT], all[2 * COUNT], one[2];
    uint64_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        degrees[i] = 720.0 * random_unit(&seed) - 360.0;
    }
    ug_turn_halves(all, &table, degrees, COUNT);
    for (int i = 0; i < COUNT; i++) {
        ug_turn_halves(one, &table, degrees + i, 1);
        assert_memory_equal(one, all + 2 * i, sizeof one);
    }
}

static void test_products_against_quaternions(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                               { 0, 2, 1 }, { 1, 0, 2 }, { 2, 1, 0 } };
    for (int i = 0; i < 6000; i++) {
        const int *axes = orders[i % 6];
        double degrees[3], rad[3], half[6], q[4];
        for (int k = 0; k < 3; k++) {
            degrees[k] = 720.0 * random_unit(&seed) - 360.0;
            rad[k] = degrees[k] * (3.14159265358979323846 / 180.0);
        }
        ug_turn_halves(half, &table, degrees, 3);
        memset(q, 0xA5, sizeof q);
        ug_turn_three(q, axes, i % 6 < 3 ? 1.0 : -1.0, half, half + 2, half + 4);
        const ug_quat e = ug_quat_from_euler(axes, rad, 3);
        assert_true(fabs(q[0] - e.w) < 1e-14 && fabs(q[1] - e.x) < 1e-14);
        assert_true(fabs(q[2] - e.y) < 1e-14 && fabs(q[3] - e.z) < 1e-14);
        ug_quat one = UG_QUAT_IDENTITY;
        for (int k = 0; k < 3; k++) {
            one = ug_turn_append(one, axes[k], half + 2 * k);
        }
        assert_true(fabs(one.w - e.w) < 1e-14 && fabs(one.x - e.x) < 1e-14);
        assert_true(fabs(one.y - e.y) < 1e-14 && fabs(one.z - e.z) < 1e-14);
    }
}

int main(void)
{
    ug_turn_table_init(&table);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quarter_turns_are_exact),
        cmocka_unit_test(test_halves_against_libm),
        cmocka_unit_test(test_same_bits_for_any_count),
        cmocka_unit_test(test_products_against_quaternions),
    };
    return cmocka_run_group_tests_name("formats/bvh_turns", tests, NULL, NULL);
}
