// SPDX-License-Identifier: MIT
// Unit tests for motion/quat.c: closed-form values, and laws at random arguments.
#include "motion/quat.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
#define DEG (PI / 180.0)

static uint64_t seed;

static int setup(void **state)
{
    (void)state;
    seed = 20240607;
    return 0;
}

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static ug_vec3 random_vector(double length)
{
    return (ug_vec3){ uniform(-length, length), uniform(-length, length),
                      uniform(-length, length) };
}

static ug_quat random_quat(void)
{
    for (;;) {
        const ug_quat q = { uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) };
        const double n = ug_quat_dot(q, q);
        if (n > 0.1 && n < 1.0) {
            return ug_quat_normalize(q);
        }
    }
}

static void assert_quat(ug_quat q, double w, double x, double y, double z, double tolerance)
{
    if (!(fabs(q.w - w) <= tolerance && fabs(q.x - x) <= tolerance && fabs(q.y - y) <= tolerance &&
          fabs(q.z - z) <= tolerance)) {
        fail_msg("(%.17g %.17g %.17g %.17g), not (%.17g %.17g %.17g %.17g)", q.w, q.x, q.y, q.z, w,
                 x, y, z);
    }
}

static void assert_vec3(ug_vec3 v, double x, double y, double z, double tolerance)
{
    if (!(ug_vec3_distance(v, (ug_vec3){ x, y, z }) <= tolerance)) {
        fail_msg("(%.17g %.17g %.17g), not (%.17g %.17g %.17g)", v.x, v.y, v.z, x, y, z);
    }
}

static void test_products_and_turns(void **state)
{
    (void)state;
    const ug_quat i = { 0, 1, 0, 0 }, j = { 0, 0, 1, 0 };
    assert_quat(ug_quat_mul(i, j), 0, 0, 0, 1, 0.0);  // ij = k
    assert_quat(ug_quat_mul(j, i), 0, 0, 0, -1, 0.0); // ji = -k
    const ug_quat z90 = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 5 }, 90 * DEG);
    assert_quat(z90, sqrt(0.5), 0, 0, sqrt(0.5), 3e-16);
    assert_vec3(ug_quat_rotate(z90, (ug_vec3){ 1, 0, 0 }), 0, 1, 0, 1e-15); // right-handed
    assert_vec3(ug_quat_unrotate(z90, (ug_vec3){ 0, 1, 0 }), 1, 0, 0, 1e-15);
    assert_quat(ug_quat_from_axis_angle((ug_vec3){ 0, 0, 0 }, 1.0), 1, 0, 0, 0, 0.0);
    for (int n = 0; n < 1000; n++) { // (ab)v = a(bv), lengths stay
        const ug_quat a = random_quat(), b = random_quat();
        const ug_vec3 v = random_vector(10.0);
        const ug_vec3 once = ug_quat_rotate(ug_quat_mul(a, b), v);
        const ug_vec3 twice = ug_quat_rotate(a, ug_quat_rotate(b, v));
        assert_vec3(once, twice.x, twice.y, twice.z, 1e-13);
        assert_true(fabs(ug_vec3_norm(once) - ug_vec3_norm(v)) < 1e-13);
    }
}

static void test_normalize(void **state)
{
    (void)state;
    assert_quat(ug_quat_normalize((ug_quat){ 0, 0, 3, 4 }), 0, 0, 0.6, 0.8, 1e-16);
    assert_quat(ug_quat_normalize((ug_quat){ -2, 0, 0, 0 }), -1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_normalize((ug_quat){ 0, 0, 0, 0 }), 1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_normalize((ug_quat){ 1e-13, 0, 0, 0 }), 1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_normalize((ug_quat){ NAN, 0, 0, 1 }), 1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_normalize((ug_quat){ 1, INFINITY, 0, 0 }), 1, 0, 0, 0, 0.0);
}

static void test_exp_and_log(void **state)
{
    (void)state;
    assert_quat(ug_quat_exp((ug_vec3){ 0, 0, 0 }), 1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_exp((ug_vec3){ PI, 0, 0 }), 0, 1, 0, 0, 1e-16);
    assert_quat(ug_quat_exp((ug_vec3){ 0, 60 * DEG, 0 }), cos(30 * DEG), 0, 0.5, 0, 1e-15);
    const double lengths[] = { 0.0, 1e-300, 1e-12, 1e-9, 9.9e-5, 1.01e-4, 1e-3, 1.0, 3.0, 3.14159 };
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        for (int n = 0; n < 200; n++) {
            const ug_vec3 v =
                ug_vec3_scale(ug_vec3_unit(random_vector(1.0), (ug_vec3){ 1, 0, 0 }), lengths[k]);
            const ug_quat q = ug_quat_exp(v);
            assert_true(fabs(ug_quat_dot(q, q) - 1.0) < 1e-15);
            const ug_vec3 back = ug_quat_log(q), other = ug_quat_log(ug_quat_negate(q));
            assert_vec3(back, v.x, v.y, v.z, 4e-16 * (1.0 + lengths[k]) + 1e-15 * lengths[k]);
            assert_vec3(other, back.x, back.y, back.z, 0.0); // either sign
            assert_true(fabs(ug_quat_angle(UG_QUAT_IDENTITY, q) - lengths[k]) < 2e-15);
        }
    }
    // beyond half a turn the log takes the short way round
    assert_vec3(ug_quat_log(ug_quat_exp((ug_vec3){ 0, 0, 270 * DEG })), 0, 0, -90 * DEG, 1e-15);
    assert_true(fabs(ug_vec3_norm(ug_quat_log((ug_quat){ 0, 0, 1, 0 })) - PI) < 1e-15);
}

static void test_angle(void **state)
{
    (void)state;
    const ug_quat q = random_quat();
    assert_true(ug_quat_angle(q, q) < 1e-15);
    assert_true(ug_quat_angle(q, ug_quat_negate(q)) < 1e-15);
    const double small = 1e-9; // acos would lose it
    assert_true(fabs(ug_quat_angle(q, ug_quat_mul(q, ug_quat_exp((ug_vec3){ small, 0, 0 }))) -
                     small) < 5e-16);
}

static void test_between(void **state)
{
    (void)state;
    assert_quat(ug_quat_between((ug_vec3){ 2, 0, 0 }, (ug_vec3){ 0, 3, 0 }), sqrt(0.5), 0, 0,
                sqrt(0.5), 1e-15);
    assert_quat(ug_quat_between((ug_vec3){ 0, 0, 0 }, (ug_vec3){ 0, 3, 0 }), 1, 0, 0, 0, 0.0);
    assert_quat(ug_quat_between((ug_vec3){ 1, 0, 0 }, (ug_vec3){ 0, 0, 0 }), 1, 0, 0, 0, 0.0);
    const ug_vec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 2, 3 }, { -1, 1, -1 } };
    for (size_t k = 0; k < 5; k++) { // opposite directions: half a turn, about a perpendicular
        const ug_quat q = ug_quat_between(axes[k], ug_vec3_scale(axes[k], -2.0));
        const ug_vec3 to = ug_quat_rotate(q, axes[k]);
        assert_vec3(to, -axes[k].x, -axes[k].y, -axes[k].z, 1e-14);
        assert_true(fabs(q.w) < 1e-15);
    }
    for (int n = 0; n < 1000; n++) {
        const ug_vec3 a = random_vector(1.0);
        // near to opposite in half of the cases
        const ug_vec3 b = n % 2 ? random_vector(5.0) : ug_vec3_madd(random_vector(1e-5), -1.0, a);
        const ug_quat q = ug_quat_between(a, b);
        const ug_vec3 to = ug_vec3_unit(ug_quat_rotate(q, a), (ug_vec3){ 0, 0, 0 });
        const ug_vec3 want = ug_vec3_unit(b, (ug_vec3){ 0, 0, 0 });
        assert_vec3(to, want.x, want.y, want.z, 1e-9);
        assert_true(fabs(q.x * a.x + q.y * a.y + q.z * a.z) < 1e-9); // no twist: shortest
    }
}

static void test_slerp(void **state)
{
    (void)state;
    const ug_vec3 z = { 0, 0, 1 };
    const ug_quat a = ug_quat_from_axis_angle(z, 30 * DEG);
    const ug_quat b = ug_quat_from_axis_angle(z, 110 * DEG);
    assert_quat(ug_quat_slerp(a, b, 0.5), 0.8192, 0, 0, 0.5736, 5e-5); // 70°
    assert_quat(ug_quat_slerp(a, b, 0.5), cos(35 * DEG), 0, 0, sin(35 * DEG), 1e-15);
    // a quarter of the way is 50°, where normalised interpolation gives 49.37°
    assert_quat(ug_quat_slerp(a, b, 0.25), cos(25 * DEG), 0, 0, sin(25 * DEG), 1e-15);
    const ug_quat n =
        ug_quat_normalize((ug_quat){ 0.75 * a.w + 0.25 * b.w, 0, 0, 0.75 * a.z + 0.25 * b.z });
    assert_true(fabs(2 * atan2(n.z, n.w) / DEG - 49.37) < 0.01);
    // beyond the ends, and the short way round
    assert_quat(ug_quat_slerp(a, b, 1.5), cos(75 * DEG), 0, 0, sin(75 * DEG), 1e-15);
    assert_quat(ug_quat_slerp(a, b, -0.25), cos(5 * DEG), 0, 0, sin(5 * DEG), 1e-15);
    assert_quat(ug_quat_slerp(a, ug_quat_negate(b), 0.5), cos(35 * DEG), 0, 0, sin(35 * DEG),
                1e-15);
    // the ends bit for bit
    for (int i = 0; i < 100; i++) {
        const ug_quat p = random_quat(), q = random_quat();
        const ug_quat zero = ug_quat_slerp(p, q, 0.0);
        ug_quat one = ug_quat_slerp(p, q, 1.0);
        assert_memory_equal(&zero, &p, sizeof p);
        one = ug_quat_dot(one, q) < 0.0 ? ug_quat_negate(one) : one;
        assert_true(one.w == q.w && one.x == q.x && one.y == q.y && one.z == q.z);
    }
    // equal, nearly equal and antipodal ends
    assert_quat(ug_quat_slerp(a, a, 0.3), a.w, a.x, a.y, a.z, 1e-16);
    assert_quat(ug_quat_slerp(a, ug_quat_negate(a), 0.3), a.w, a.x, a.y, a.z, 1e-16);
    const ug_quat c = ug_quat_from_axis_angle(z, 30 * DEG + 1e-7);
    const ug_quat m = ug_quat_slerp(a, c, 0.5);
    assert_true(fabs(2 * atan2(m.z, m.w) - (30 * DEG + 5e-8)) < 1e-15);
    // half a turn apart either way is as short; it must be unit and finite
    const ug_quat h = ug_quat_slerp(UG_QUAT_IDENTITY, (ug_quat){ 0, 1, 0, 0 }, 0.5);
    assert_quat(h, sqrt(0.5), sqrt(0.5), 0, 0, 1e-15);
}

// Half of two rotation matrices 90° apart shrinks by 0.707: why matrices are never averaged.
static void test_averaged_matrices_shrink(void **state)
{
    (void)state;
    double a[9], b[9];
    ug_quat_to_matrix(a, UG_QUAT_IDENTITY);
    ug_quat_to_matrix(b, ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, 90 * DEG));
    const double x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[3] + b[3]);
    assert_true(fabs(hypot(x, y) - sqrt(0.5)) < 1e-15);
}

static void test_matrices(void **state)
{
    (void)state;
    double m[9];
    memset(m, 0xA5, sizeof m);
    ug_quat_to_matrix(m, ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, 90 * DEG));
    const double x90[9] = { 1, 0, 0, 0, 0, -1, 0, 1, 0 };
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(m[i] - x90[i]) < 1e-15);
    }
    for (int n = 0; n < 2000; n++) {
        // near half turns about each axis too, where w and parts of the vector vanish
        const ug_quat q = n % 4 == 0
                              ? random_quat()
                              : ug_quat_normalize((ug_quat){ uniform(-1e-9, 1e-9), n % 4 == 1,
                                                             n % 4 == 2, n % 4 == 3 });
        ug_quat_to_matrix(m, q);
        const ug_vec3 v = random_vector(1.0), r = ug_quat_rotate(q, v);
        assert_vec3(r, m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                    m[6] * v.x + m[7] * v.y + m[8] * v.z, 1e-14);
        const ug_quat back = ug_quat_from_matrix(m);
        assert_true(back.w >= 0.0);
        assert_true(ug_quat_angle(back, q) < 1e-14);
        const ug_quat columns =
            ug_quat_from_axes((ug_vec3){ m[0], m[3], m[6] }, (ug_vec3){ m[1], m[4], m[7] },
                              (ug_vec3){ m[2], m[5], m[8] });
        assert_true(ug_quat_angle(columns, q) < 1e-14);
        for (int i = 0; i < 9; i++) {
            m[i] *= 1.001; // slight scale
        }
        assert_true(ug_quat_angle(ug_quat_from_matrix(m), q) < 2e-3);
    }
}

static const int ORDERS[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                  { 0, 2, 1 }, { 1, 0, 2 }, { 2, 1, 0 } };

static void test_euler_in_the_order_written(void **state)
{
    (void)state;
    const ug_vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int o = 0; o < 6; o++) {
        const double a[3] = { 30 * DEG, -40 * DEG, 170 * DEG };
        ug_quat q = UG_QUAT_IDENTITY;
        for (int i = 0; i < 3; i++) {
            q = ug_quat_mul(q, ug_quat_from_axis_angle(unit[ORDERS[o][i]], a[i]));
        }
        assert_true(ug_quat_angle(q, ug_quat_from_euler(ORDERS[o], a, 3)) < 1e-15);
        double back[3] = { NAN, NAN, NAN };
        ug_quat_to_euler(back, q, ORDERS[o]);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(back[i] - a[i]) < 1e-14);
        }
    }
    assert_quat(ug_quat_from_euler(ORDERS[0], (double[]){ 1 }, 0), 1, 0, 0, 0, 0.0);
    const int twice[2] = { 2, 2 };
    assert_true(ug_quat_angle(ug_quat_from_euler(twice, (double[]){ 0.2, 0.3 }, 2),
                              ug_quat_from_axis_angle(unit[2], 0.5)) < 1e-15);
}

// At, and ever nearer to, gimbal lock: the rotation comes back to rounding.
static void test_euler_near_gimbal_lock(void **state)
{
    (void)state;
    const double off[] = { 1.0, 1e-3, 1e-6, 1e-7, 2e-8, 1e-9, 1e-12, 1e-16, 0.0 };
    for (int o = 0; o < 6; o++) {
        for (size_t k = 0; k < sizeof off / sizeof off[0]; k++) {
            for (int n = 0; n < 100; n++) {
                const double a[3] = { uniform(-PI, PI), (n % 2 ? 1 : -1) * (0.5 * PI - off[k]),
                                      uniform(-PI, PI) };
                const ug_quat q = ug_quat_from_euler(ORDERS[o], a, 3);
                double back[3];
                ug_quat_to_euler(back, q, ORDERS[o]);
                const double error = ug_quat_angle(ug_quat_from_euler(ORDERS[o], back, 3), q);
                assert_true(error < (off[k] > 1.5e-8 ? 2e-15 : 2e-8));
                assert_true(fabs(back[1]) <= 0.5 * PI + 1e-15);
                if (off[k] < 1e-12) {
                    assert_true(back[2] == 0.0);
                }
                const double before[3] = { a[0] + 0.01, a[1], a[2] - 0.03 };
                ug_quat_to_euler_nearest(back, q, ORDERS[o], before);
                const double nearest = ug_quat_angle(ug_quat_from_euler(ORDERS[o], back, 3), q);
                assert_true(nearest < (off[k] > 1.5e-8 ? 2e-15 : 2e-8));
                for (int i = 0; i < 3; i++) { // a lock shares what it cannot tell
                    assert_true(fabs(back[i] - before[i]) < 0.031);
                }
            }
        }
    }
}

static void test_euler_nearest(void **state)
{
    (void)state;
    for (int n = 0; n < 3000; n++) {
        const int *axes = ORDERS[n % 6];
        const double a[3] = { uniform(-20, 20), uniform(-20, 20), uniform(-20, 20) };
        const ug_quat q = ug_quat_from_euler(axes, a, 3);
        const double before[3] = { a[0] + uniform(-0.1, 0.1), a[1] + uniform(-0.1, 0.1),
                                   a[2] + uniform(-0.1, 0.1) };
        double e[3], f[3];
        ug_quat_to_euler(e, q, axes);
        ug_euler_nearest(e, before);
        ug_quat_to_euler_nearest(f, q, axes, before);
        for (int i = 0; i < 3; i++) { // the curve goes on, however far it has turned
            if (fabs(cos(a[1])) > 0.3) {
                assert_true(fabs(e[i] - a[i]) < 1e-12);
            }
            assert_true(fabs(f[i] - e[i]) < 1e-9);
        }
        assert_true(ug_quat_angle(ug_quat_from_euler(axes, e, 3), q) < 1e-13);
    }
}

static void test_swing_twist(void **state)
{
    (void)state;
    ug_quat swing, twist;
    for (int n = 0; n < 1000; n++) {
        const ug_quat q = random_quat();
        const ug_vec3 axis = ug_vec3_unit(random_vector(1.0), (ug_vec3){ 0, 1, 0 });
        ug_quat_swing_twist(&swing, &twist, q, axis);
        assert_true(ug_quat_angle(ug_quat_mul(swing, twist), q) < 1e-14);
        const ug_vec3 v = { twist.x, twist.y, twist.z };
        assert_true(ug_vec3_norm(ug_vec3_cross(v, axis)) < 1e-14); // about the axis
        assert_true(fabs(swing.x * axis.x + swing.y * axis.y + swing.z * axis.z) < 1e-14);
    }
    const ug_vec3 y = { 0, 1, 0 };
    ug_quat_swing_twist(&swing, &twist, (ug_quat){ 0, 1, 0, 0 }, y); // a swing of half a turn
    assert_quat(twist, 1, 0, 0, 0, 0.0);
    assert_quat(swing, 0, 1, 0, 0, 0.0);
    const ug_quat turn = ug_quat_from_axis_angle(y, 2.0);
    ug_quat_swing_twist(&swing, &twist, turn, y);
    assert_true(ug_quat_angle(twist, turn) < 1e-15);
    assert_true(ug_quat_angle(swing, UG_QUAT_IDENTITY) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_products_and_turns, setup),
        cmocka_unit_test_setup(test_normalize, setup),
        cmocka_unit_test_setup(test_exp_and_log, setup),
        cmocka_unit_test_setup(test_angle, setup),
        cmocka_unit_test_setup(test_between, setup),
        cmocka_unit_test_setup(test_slerp, setup),
        cmocka_unit_test_setup(test_averaged_matrices_shrink, setup),
        cmocka_unit_test_setup(test_matrices, setup),
        cmocka_unit_test_setup(test_euler_in_the_order_written, setup),
        cmocka_unit_test_setup(test_euler_near_gimbal_lock, setup),
        cmocka_unit_test_setup(test_euler_nearest, setup),
        cmocka_unit_test_setup(test_swing_twist, setup),
    };
    return cmocka_run_group_tests_name("motion/quat", tests, NULL, NULL);
}
