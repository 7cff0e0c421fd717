// SPDX-License-Identifier: MIT
#include "formats/decimal_write.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_short_where_short_is_enough(void **state)
{
    (void)state;
    char text[UG_DECIMAL_TEXT];
    ug_decimal_write(text, 0.1);
    assert_string_equal(text, "0.1");
    ug_decimal_write(text, -0.0);
    assert_string_equal(text, "-0");
    ug_decimal_write(text, 1.0 / 3.0);
    assert_string_equal(text, "0.3333333333333333");
    ug_decimal_write_f32(text, 0.1f);
    assert_string_equal(text, "0.1");
    ug_decimal_write_f32(text, 1234.5678f);
    assert_string_equal(text, "1234.5677");
    ug_decimal_write(text, NAN);
    assert_string_equal(text, "nan");
    ug_decimal_write_f32(text, -INFINITY);
    assert_string_equal(text, "-inf");
    ug_decimal_write(text, -DBL_MAX);
    assert_true(strtod(text, NULL) == -DBL_MAX);
}

static void test_every_bit_pattern_comes_back(void **state)
{
    (void)state;
    uint64_t seed = 1;
    char text[UG_DECIMAL_TEXT];
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d;
        float f;
        const uint32_t high = (uint32_t)(seed >> 32);
        memcpy(&d, &seed, sizeof d);
        memcpy(&f, &high, sizeof f);
        if (isfinite(d)) {
            ug_decimal_write(text, d);
            assert_true(strtod(text, NULL) == d);
        }
        if (isfinite(f)) {
            ug_decimal_write_f32(text, f);
            assert_true((float)strtod(text, NULL) == f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_where_short_is_enough),
        cmocka_unit_test(test_every_bit_pattern_comes_back),
    };
    return cmocka_run_group_tests_name("formats/decimal_write", tests, NULL, NULL);
}
