// SPDX-License-Identifier: MIT
// Unit tests for motion/rate.c: printed rates and frame times as the rationals they stand for.
#include "motion/rate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct rate_case {
    const char *text;
    int64_t num, den;
} rate_case;

static void assert_rate(ug_rate rate, int64_t num, int64_t den, const char *text)
{
    if (rate.num != num || rate.den != den) {
        fail_msg("'%s': %lld/%lld, not %lld/%lld", text, (long long)rate.num, (long long)rate.den,
                 (long long)num, (long long)den);
    }
}

static void test_frame_times(void **state)
{
    (void)state;
    static const rate_case CASES[] = {
        { "0.0083333", 120, 1 },
        { ".0083333", 120, 1 },
        { "0.008333", 120, 1 },
        { "8.3333e-3", 120, 1 },
        { "8.3333E-03", 120, 1 },
        { "0.00833333333333333", 120, 1 },
        { "0.0333333", 30, 1 },
        { "0.033333", 30, 1 },
        { "0.041667", 24, 1 },
        { "0.0416667", 24, 1 },
        { "0.041666", 24, 1 }, // cut, not rounded
        { "0.033367", 30000, 1001 },
        { "0.0333667", 30000, 1001 },
        { "0.0166833", 60000, 1001 },
        { "0.041708", 24000, 1001 },
        { "0.008342", 120000, 1001 },
        { "0.01", 100, 1 },
        { "0.010000", 100, 1 },
        { "0.016666666666666666", 60, 1 },
        { "0.033366666666666667", 30000, 1001 },
        { "0.0333666666666666666666666", 30000, 1001 },
        { "0.0417083750417", 2997, 125 }, // 23.976 exactly
        { "0.008341675008341675", 2997, 25 },
        { "0.009299989770011253", 107527, 1000 },
        { "0.0083", 10000, 83 },
        { "1", 1, 1 },
        { "2", 1, 2 },
        { "+0.5", 2, 1 },
        { "5.", 1, 5 },
        { "0.1234567", 10000000, 1234567 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_rate rate = { -7, -7 };
        ug_error err = { 0 };
        const size_t length = strlen(CASES[i].text);
        if (ug_rate_from_frame_time_text(&rate, CASES[i].text, length, &err) != UG_OK) {
            fail_msg("%s", err.message);
        }
        assert_rate(rate, CASES[i].num, CASES[i].den, CASES[i].text);
    }
}

static void test_hertz(void **state)
{
    (void)state;
    static const rate_case CASES[] = {
        { "120", 120, 1 },           { "100.000000", 100, 1 },
        { "400.00", 400, 1 },        { "59.94", 60000, 1001 },
        { "29.97", 30000, 1001 },    { "23.976", 24000, 1001 },
        { "23.98", 24000, 1001 },    { "119.88", 120000, 1001 },
        { "107.527", 107527, 1000 }, { "65.0533", 650533, 10000 },
        { "12.5", 25, 2 },           { "0.1", 1, 10 },
        { "1e2", 100, 1 },           { "99.9999", 999999, 10000 },
        { "1e9", 1000000000, 1 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_rate rate = { -7, -7 };
        assert_int_equal(ug_rate_from_hz_text(&rate, CASES[i].text, strlen(CASES[i].text), NULL),
                         UG_OK);
        assert_rate(rate, CASES[i].num, CASES[i].den, CASES[i].text);
    }
}

static void test_refused_texts(void **state)
{
    (void)state;
    static const char *const BAD[] = { "",    "0",     "0.000", "-1", "abc",  "1x",
                                       "1,5", "nan",   "inf",   ".",  "+",    "1e",
                                       "1e+", "1.2.3", " 1",    "1 ", "0x10", "e5" };
    char message[96];
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        ug_rate rate = { 7, 7 };
        ug_error err = { 0 };
        assert_int_equal(ug_rate_from_hz_text(&rate, BAD[i], strlen(BAD[i]), &err), UG_E_DATA);
        (void)snprintf(message, sizeof message, "frame rate '%s' is not a positive number", BAD[i]);
        assert_string_equal(err.message, message);
        assert_int_equal(rate.num, 7);
    }
    static const char *const FAR[] = { "1e-10", "1e10", "1e999999999999", "1e-999999999999" };
    for (size_t i = 0; i < sizeof FAR / sizeof FAR[0]; i++) {
        ug_rate rate;
        ug_error err = { 0 };
        assert_int_equal(ug_rate_from_frame_time_text(&rate, FAR[i], strlen(FAR[i]), &err),
                         UG_E_DATA);
        (void)snprintf(message, sizeof message, "frame time '%s' is out of range", FAR[i]);
        assert_string_equal(err.message, message);
    }
}

// Whatever is printed with enough digits comes back, and never as something far off.
static void test_printed_rates_come_back(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 1000; n++) {
        for (int k = 0; k < 2; k++) {
            const ug_rate rate = ug_rate_make(k ? n * 1000 : n, k ? 1001 : 1);
            for (int digits = 7; digits <= 17; digits++) {
                char text[64];
                ug_rate back;
                const int length = snprintf(text, sizeof text, "%#.*g", digits,
                                            (double)rate.den / (double)rate.num);
                assert_int_equal(ug_rate_from_frame_time_text(&back, text, (size_t)length, NULL),
                                 UG_OK);
                assert_rate(back, rate.num, rate.den, text);
            }
        }
    }
    uint64_t seed = 99;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double period = 1e-4 + (double)(seed >> 11) * 0x1p-53;
        char text[64];
        ug_rate back;
        const int length = snprintf(text, sizeof text, "%.*f", 6 + (int)(seed % 14), period);
        assert_int_equal(ug_rate_from_frame_time_text(&back, text, (size_t)length, NULL), UG_OK);
        assert_true(back.num > 0 && back.den > 0);
        assert_true(fabs(1.0 / ug_rate_hz(back) - period) < 1.6e-6);
    }
}

static void test_float_rates(void **state)
{
    (void)state;
    assert_rate(ug_rate_from_f32(120.0f), 120, 1, "120");
    assert_rate(ug_rate_from_f32(59.94006f), 60000, 1001, "59.94006");
    assert_rate(ug_rate_from_f32(29.97003f), 30000, 1001, "29.97003");
    assert_rate(ug_rate_from_f32(107.527f), 107527, 1000, "107.527");
    assert_rate(ug_rate_from_f32(65.0533f), 650533, 10000, "65.0533");
    assert_rate(ug_rate_from_f32(12.5f), 25, 2, "12.5");
    assert_rate(ug_rate_from_f32(0.0f), 0, 0, "0");
    assert_rate(ug_rate_from_f32(-1.0f), 0, 0, "-1");
    assert_rate(ug_rate_from_f32(NAN), 0, 0, "nan");
    assert_rate(ug_rate_from_f32(INFINITY), 0, 0, "inf");
    assert_rate(ug_rate_from_f32(3e9f), 0, 0, "3e9");
    const float odd[] = { 1e-6f, 123.456f, 999.99994f, 0.033333335f, 250.00002f };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        assert_true((float)ug_rate_hz(ug_rate_from_f32(odd[i])) == odd[i]);
    }
}

static void test_arithmetic(void **state)
{
    (void)state;
    assert_rate(ug_rate_make(60000, 2002), 30000, 1001, "lowest terms");
    assert_rate(ug_rate_make(0, 5), 0, 5, "zero");
    assert_true(ug_rate_is_valid(ug_rate_make(1, 1)));
    assert_false(ug_rate_is_valid((ug_rate){ 0, 0 }));
    assert_false(ug_rate_is_valid((ug_rate){ -1, 1 }));
    assert_true(ug_rate_equal(ug_rate_make(240, 2), ug_rate_make(120, 1)));
    assert_false(ug_rate_equal(ug_rate_make(120, 1), ug_rate_make(60, 1)));
    assert_true(ug_rate_hz((ug_rate){ 0, 0 }) == 0.0);
    assert_true(ug_rate_time_s(ug_rate_make(120, 1), 240) == 2.0);
    assert_true(ug_rate_time_s(ug_rate_make(30000, 1001), 30000) == 1001.0);
    assert_true(ug_rate_time_s(ug_rate_make(120, 1), -12) == -0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_times),   cmocka_unit_test(test_hertz),
        cmocka_unit_test(test_refused_texts), cmocka_unit_test(test_printed_rates_come_back),
        cmocka_unit_test(test_float_rates),   cmocka_unit_test(test_arithmetic),
    };
    return cmocka_run_group_tests_name("motion/rate", tests, NULL, NULL);
}
