// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_codec.c.
#include "formats/c3d_internal.h"
#include "tests/support/c3d_file.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Bytes of the VAX F float as the hardware writes them.
static void test_dec_floats_are_sign_magnitude(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[4];
        float value;
    } CASES[] = {
        { { 0x80, 0x40, 0x00, 0x00 }, 1.0f },           { { 0x48, 0x43, 0x00, 0x00 }, 50.0f },
        { { 0xc0, 0xc0, 0x00, 0x00 }, -1.5f },          { { 0xcc, 0x3e, 0xcd, 0xcc }, 0.1f },
        { { 0xc8, 0x43, 0x00, 0x00 }, 100.0f },         { { 0x00, 0x00, 0x00, 0x00 }, 0.0f },
        { { 0x80, 0x00, 0x00, 0x00 }, 0x1p-128f }, // a denormal in IEEE
        { { 0xff, 0x7f, 0xff, 0xff }, 0x1.fffffep126f }
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t out[4] = { 0xa5, 0xa5, 0xa5, 0xa5 };
        assert_true(c3d_get_f32(CASES[i].bytes, 'D') == CASES[i].value);
        c3d_put_f32(out, 'D', CASES[i].value);
        assert_memory_equal(out, CASES[i].bytes, 4);
    }
}

static void test_dec_has_no_infinity(void **state)
{
    (void)state;
    static const uint8_t RESERVED[4] = { 0x00, 0x80, 0x00, 0x00 };
    uint8_t out[4];
    assert_true(isnan(c3d_get_f32(RESERVED, 'D')));
    c3d_put_f32(out, 'D', NAN);
    assert_memory_equal(out, RESERVED, 4);
    c3d_put_f32(out, 'D', -INFINITY);
    assert_true(c3d_get_f32(out, 'D') == -0x1.fffffep126f);
    c3d_put_f32(out, 'D', FLT_MAX);
    assert_true(c3d_get_f32(out, 'D') == 0x1.fffffep126f);
    c3d_put_f32(out, 'D', -0.0f);
    assert_true(c3d_get_f32(out, 'D') == 0.0f);
    c3d_put_f32(out, 'D', 0x1p-140f); // below the smallest VAX number
    assert_true(c3d_get_f32(out, 'D') == 0.0f);
    assert_true(c3d_float_fits(0x1.fffffep126f, 'D'));
    assert_false(c3d_float_fits(0x1p127f, 'D'));
    assert_false(c3d_float_fits(NAN, 'D'));
    assert_true(c3d_float_fits(NAN, 'I'));
}

static void test_every_processor_round_trips_and_agrees_with_the_definition(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float value = ldexpf((float)(int32_t)seed, (int)(seed >> 8 & 63) - 60);
        for (const char *p = "IDM"; *p; p++) {
            uint8_t ours[4], defined[4];
            c3d_put_f32(ours, *p, value);
            encode_real(defined, *p, (double)value);
            assert_memory_equal(ours, defined, 4);
            assert_true(c3d_get_f32(ours, *p) == value);
        }
    }
}

static void test_words_in_both_orders(void **state)
{
    (void)state;
    uint8_t out[2];
    c3d_put_u16(out, 'I', 0x1234);
    assert_int_equal(out[0], 0x34);
    c3d_put_u16(out, 'D', 0x1234);
    assert_int_equal(out[0], 0x34);
    c3d_put_u16(out, 'M', 0x1234);
    assert_int_equal(out[0], 0x12);
    assert_int_equal(c3d_get_u16(out, 'M'), 0x1234);
    assert_int_equal(c3d_get_u16(out, 'I'), 0x3412);
}

static void test_rows_equal_single_values(void **state)
{
    (void)state;
    const float values[3] = { 1.5f, -0.1f, 3e8f };
    for (const char *p = "IDM"; *p; p++) {
        uint8_t row[12], one[4];
        float back[3] = { 99, 99, 99 };
        c3d_put_f32_row(row, values, 3, *p);
        for (int i = 0; i < 3; i++) {
            c3d_put_f32(one, *p, values[i]);
            assert_memory_equal(row + 4 * i, one, 4);
        }
        c3d_get_f32_row(back, row, 3, *p);
        assert_memory_equal(back, values, sizeof values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dec_floats_are_sign_magnitude),
        cmocka_unit_test(test_dec_has_no_infinity),
        cmocka_unit_test(test_every_processor_round_trips_and_agrees_with_the_definition),
        cmocka_unit_test(test_words_in_both_orders),
        cmocka_unit_test(test_rows_equal_single_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
