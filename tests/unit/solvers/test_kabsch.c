// SPDX-License-Identifier: MIT
// Unit tests for solvers/kabsch.c.
#include "solvers/kabsch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { POINTS = 7 };

static void cloud(double *points)
{
    for (int i = 0; i < POINTS; i++) {
        points[3 * i] = sin(1.3 * i);
        points[3 * i + 1] = cos(2.1 * i + 0.4);
        points[3 * i + 2] = 0.3 * sin(0.7 * i + 1.0);
    }
}

static void test_recovers_a_motion(void **state)
{
    (void)state;
    double from[3 * POINTS], to[3 * POINTS];
    cloud(from);
    for (int turn = 0; turn < 40; turn++) {
        const ug_quat q = ug_quat_exp(
            (ug_vec3){ 2.5 * sin(1.0 * turn), 2.5 * cos(1.7 * turn), 2.0 * sin(2.3 * turn) });
        const ug_vec3 t = { 3.0, -2.0, 0.5 * turn };
        for (int i = 0; i < POINTS; i++) {
            const ug_vec3 p = ug_vec3_add(ug_quat_rotate(q, ug_vec3_of(from + 3 * i)), t);
            to[3 * i] = p.x;
            to[3 * i + 1] = p.y;
            to[3 * i + 2] = p.z;
        }
        const ug_rigid rigid = ug_kabsch(from, to, NULL, POINTS);
        assert_true(ug_quat_angle(rigid.q, q) < 1e-13);
        assert_true(ug_vec3_distance(rigid.t, t) < 1e-12);
        assert_true(rigid.square < 1e-24 && rigid.weight_sum == POINTS);
    }
}

// A half turn is where quaternion methods lose their sign: w = 0 exactly.
static void test_half_turn(void **state)
{
    (void)state;
    double from[3 * POINTS], to[3 * POINTS];
    cloud(from);
    for (int i = 0; i < POINTS; i++) {
        to[3 * i] = -from[3 * i];
        to[3 * i + 1] = from[3 * i + 1];
        to[3 * i + 2] = -from[3 * i + 2];
    }
    const ug_rigid rigid = ug_kabsch(from, to, NULL, POINTS);
    assert_true(fabs(fabs(rigid.q.y) - 1.0) < 1e-14 && rigid.square < 1e-24);
}

// A mirror image must not be matched by a reflection: the best turn leaves something over.
static void test_never_reflects(void **state)
{
    (void)state;
    double from[3 * POINTS], to[3 * POINTS];
    cloud(from);
    for (int i = 0; i < 3 * POINTS; i++) {
        to[i] = i % 3 == 0 ? -from[i] : from[i];
    }
    const ug_rigid rigid = ug_kabsch(from, to, NULL, POINTS);
    assert_true(fabs(ug_quat_dot(rigid.q, rigid.q) - 1.0) < 1e-14);
    assert_true(rigid.square > 1e-3);
}

static void test_weights_and_missing_pairs(void **state)
{
    (void)state;
    double from[3 * POINTS], to[3 * POINTS];
    double weight[POINTS] = { 1, 1, 0, 2, 1, 0, 0.5 };
    cloud(from);
    cloud(to);
    to[6] = to[7] = to[8] = (double)NAN;
    from[15] = (double)NAN;
    const ug_rigid rigid = ug_kabsch(from, to, weight, POINTS);
    assert_true(ug_quat_angle(rigid.q, UG_QUAT_IDENTITY) < 1e-14);
    assert_true(rigid.weight_sum == 5.5 && rigid.square < 1e-28);
}

static void test_degenerate_input_is_finite(void **state)
{
    (void)state;
    const double line[6] = { 0, 0, 0, 1, 0, 0 }, up[6] = { 0, 0, 0, 0, 1, 0 };
    assert_true(ug_kabsch(line, up, NULL, 2).square < 1e-28);
    const double zero[9] = { 0 };
    const ug_rigid same = ug_kabsch(zero, zero, NULL, 3);
    assert_true(fabs(ug_quat_dot(same.q, same.q) - 1.0) < 1e-15);
    const ug_rigid none = ug_kabsch(NULL, NULL, NULL, 0);
    assert_true(none.weight_sum == 0.0 && none.q.w == 1.0 && none.t.x == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_a_motion),
        cmocka_unit_test(test_half_turn),
        cmocka_unit_test(test_never_reflects),
        cmocka_unit_test(test_weights_and_missing_pairs),
        cmocka_unit_test(test_degenerate_input_is_finite),
    };
    return cmocka_run_group_tests_name("solvers/kabsch", tests, NULL, NULL);
}
