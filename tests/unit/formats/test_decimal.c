// SPDX-License-Identifier: MIT
// Unit tests for formats/decimal.c and decimal_fast.h: bit for bit what strtod gives.
#include "formats/decimal.h"

#include "formats/decimal_fast.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_bits(uint64_t *seed)
{
    *seed ^= *seed << 13; // xorshift64
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// `text` and what stands behind it, against strtod on `text` alone.
static void check(const char *text, const char *behind)
{
    char buffer[2048];
    const size_t length = strlen(text);
    memset(buffer, 0, sizeof buffer);
    (void)snprintf(buffer, sizeof buffer - 64, "%s%s", text, behind);
    char *stop;
    const double truth = strtod(text, &stop);
    double value = -77.25;
    const char *after = ug_decimal_read(&value, buffer, buffer + length);
    if (after - buffer != stop - text || (after > buffer && memcmp(&value, &truth, 8) != 0)) {
        fail_msg("'%s': %.17g and %d bytes, strtod %.17g and %d", text, value,
                 (int)(after - buffer), truth, (int)(stop - text));
    }
}

static void test_chosen_texts(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        "-0.0",
        "1",
        "+1",
        "-1",
        ".5",
        "-.5",
        "+.5",
        "5.",
        "-5.",
        "00012",
        "1e400",
        "-1e400",
        "1e-400",
        "1E5",
        "1e+5",
        "1e-5",
        "1e",
        "1e+",
        "1ex",
        "1.e3",
        ".e3",
        "e3",
        ".",
        "-",
        "+",
        "+-1",
        "--1",
        "",
        "12345678",
        "123456789",
        "1.2345678",
        "1.23456789",
        "12345678.12345678",
        "99999999.9999999",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.5",
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "123456789012345678901234567890",
        "0.000000000000000000000000000001",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "9007199254740991e22",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "nan",
        "NaN",
        "-nan",
        "inf",
        "-INF",
        "infinity",
        "Infinityx",
        "nanx",
        "n",
        "1.5.5",
        "1-5",
        "1,5",
        "abc",
        "0e999999999999",
        "1e999999999999",
        "1e-999999999999",
        "8.5070591730234615865843651857942052864e37",
        "0.1000000000000000055511151231257827021181583404541015625",
        "0.500000000000000166533453693773481063544750213623046875"
    };
    static const char *const BEHIND[] = { "", " ", "\n", "\t7", "9", ".5", "e5" };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        for (size_t k = 0; k < sizeof BEHIND / sizeof BEHIND[0]; k++) {
            check(TEXTS[i], BEHIND[k]); // `end` is the limit, whatever stands behind
        }
    }
}

static void test_hexadecimal_is_no_number(void **state)
{
    (void)state;
    double value = 5.0;
    const char text[64] = "0x10", minus[64] = "-0X1p3";
    assert_ptr_equal(ug_decimal_read(&value, text, text + 4), text + 1);
    assert_true(value == 0.0);
    assert_ptr_equal(ug_decimal_read(&value, minus, minus + 6), minus + 2);
    assert_true(value == 0.0 && signbit(value));
}

static void test_very_long_numbers(void **state)
{
    (void)state;
    char text[1500];
    for (size_t length = 100; length < 1400; length += 137) {
        (void)snprintf(text, sizeof text, "0.");
        memset(text + 2, '0', length);
        (void)snprintf(text + 2 + length, 32, "12345678901234567");
        check(text, " ");
        memset(text, '9', length);
        text[length] = '\0';
        check(text, " ");
        (void)snprintf(text + length, 32, "e-%zu", length);
        check(text, "7");
    }
}

static void print_random(char text[64], uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    const int kind = (int)(random_bits(seed) % 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    v = isfinite(v) ? v : 0.0;
    const double angle = 360.0 * (double)(bits >> 11) * 0x1p-53 - 180.0;
    switch (kind) {
    case 0: // any double, any number of digits; subnormals among them
        (void)snprintf(text, 64, "%.*g", (int)(bits % 20) + 1, v);
        break;
    case 1:
        (void)snprintf(text, 64, "%.*e", (int)(bits % 25), v);
        break;
    case 2: // what recorders print
        (void)snprintf(text, 64, "%.*f", (int)(bits % 13), angle);
        break;
    case 3:
        (void)snprintf(text, 64, "%s%.*f", bits & 1 ? "+" : "", (int)(bits % 20), fabs(angle) / 7);
        break;
    case 4: // 19 and 20 digit mantissas, exponents about the limits
        (void)snprintf(text, 64, "%llu.%llue%d", (unsigned long long)(bits >> (bits % 60)),
                       (unsigned long long)(bits % 1000000), (int)(bits % 60) - 30);
        break;
    case 5:
        (void)snprintf(text, 64, "%llu", (unsigned long long)(bits >> (bits % 64)));
        break;
    case 6: // subnormal
        memcpy(&v, &(uint64_t){ bits >> 12 }, sizeof v);
        (void)snprintf(text, 64, "%.*g", (int)(bits % 18) + 1, v);
        break;
    default:
        (void)snprintf(text, 64, "-%llu.%0*llu", (unsigned long long)(bits % 1000),
                       (int)(bits % 9) + 1, (unsigned long long)(bits >> 40));
        break;
    }
}

static void test_a_million_numbers(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    char text[64];
    for (int i = 0; i < 1200000; i++) {
        print_random(text, &seed);
        check(text, i & 1 ? " 1" : "");
    }
}

static void test_strict_parse(void **state)
{
    (void)state;
    static const char *const BAD[] = { "",     " 1", "1 ", "0.2s", "1,5", "nan", "inf",   "1e400",
                                       "0x10", "+",  "-",  ".",    "1e",  "--1", "1.2.3", "e5" };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        double value = 7.0;
        assert_false(ug_decimal_parse(&value, BAD[i]));
    }
    double value = 0.0;
    assert_true(ug_decimal_parse(&value, "-12.5e1"));
    assert_true(value == -125.0);
    assert_true(ug_decimal_parse(&value, "+.5"));
    assert_true(value == 0.5);
    assert_true(ug_decimal_parse(&value, "5."));
    assert_true(value == 5.0);
}

static void test_integers(void **state)
{
    (void)state;
    static const char *const BAD[] = { "",    "3.5", "1e3", "11", "-6", "9999999999999999999",
                                       "0x1", "1 ",  " 1",  "+",  "-",  "--1" };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        long long value = 7;
        assert_false(ug_integer_parse(&value, BAD[i], -5, 10));
        assert_int_equal(value, 7);
    }
    long long value = 0;
    assert_true(ug_integer_parse(&value, "-5", -5, 10));
    assert_int_equal(value, -5);
    assert_true(ug_integer_parse(&value, "+010", -5, 10));
    assert_int_equal(value, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_texts),      cmocka_unit_test(test_hexadecimal_is_no_number),
        cmocka_unit_test(test_very_long_numbers), cmocka_unit_test(test_a_million_numbers),
        cmocka_unit_test(test_strict_parse),      cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests_name("formats/decimal", tests, NULL, NULL);
}
