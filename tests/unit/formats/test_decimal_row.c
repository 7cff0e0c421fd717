// SPDX-License-Identifier: MIT
// Unit tests for formats/decimal_row.c: whole lines against a loop of strtod, on the machine's
// registers and in the plain form.
#include "formats/decimal_row.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// the form for machines without SSE2, under another name
#define UG_DECIMAL_PLAIN
#define ug_decimal_row_read plain_row_read
const char *plain_row_read(double *row, size_t *count, bool *tame, size_t wanted, const char *p,
                           const char *end);
#include "formats/decimal_row.c"
#undef ug_decimal_row_read

enum { ROOM = 8192, NUMBERS = 600 };

static char text[ROOM];

typedef const char *row_function(double *row, size_t *count, bool *tame, size_t wanted,
                                 const char *p, const char *end);

static uint64_t random_bits(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// What the row function must do, by strtod.
static const char *truth_row(double *row, size_t *count, bool *tame, size_t wanted, const char *p,
                             const char *end)
{
    size_t n = 0;
    while (n < wanted) {
        while (*p == ' ' || *p == '\t') {
            p++;
        }
        char *stop;
        if (p >= end || (unsigned char)*p < ' ') {
            break;
        }
        row[n] = strtod(p, &stop);
        if (stop == p || (unsigned char)*stop > ' ') {
            break;
        }
        *tame = *tame && fabs(row[n]) < 1e9;
        p = stop;
        n++;
    }
    *count = n;
    return p < end ? p : end;
}

static void compare(row_function *function, size_t wanted, const char *p, const char *end)
{
    static double row[NUMBERS + 1], truth[NUMBERS + 1];
    memset(row, 0xA5, sizeof row);
    memset(truth, 0xA5, sizeof truth);
    size_t count = 99, truth_count = 99;
    bool tame = true, truth_tame = true;
    const char *stop = function(row, &count, &tame, wanted, p, end);
    const char *truth_stop = truth_row(truth, &truth_count, &truth_tame, wanted, p, end);
    assert_int_equal(count, truth_count);
    assert_memory_equal(row, truth, count * sizeof *row);
    assert_true(row[wanted] != row[wanted] || memcmp(&row[wanted], &truth[wanted], 8) == 0);
    assert_int_equal(tame, truth_tame);
    if (stop != truth_stop) { // blanks before the end of a line may be passed or not
        while (*stop == ' ' || *stop == '\t') {
            stop++;
        }
        assert_ptr_equal(stop, truth_stop);
    }
}

static void compare_both(size_t wanted, const char *p, const char *end)
{
    compare(ug_decimal_row_read, wanted, p, end);
    compare(plain_row_read, wanted, p, end);
}

static void check(size_t wanted, const char *line)
{
    memset(text, 0, sizeof text);
    (void)snprintf(text + 8, sizeof text - 128, "%s", line);
    compare_both(wanted, text + 8, text + 8 + strlen(line));
}

static void test_chosen_lines(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "",
        " ",
        "\n",
        "1",
        "-1 +2 .5 5. -0 0.0 1e5 1E-5 -1.5e+3",
        "1 2 3\n4 5 6\n",
        "\t 1\t\t2  3 \t\r\n4",
        "1 nan 2",
        "1 -inf 2",
        "1 x 2",
        "1 1.2.3 2",
        "1 1-2 2",
        "1 . 2",
        "1 - 2",
        "1 -. 2",
        "1 1,5 2",
        "1 1e 2",
        "1 1e400 2",
        "1e9 999999999.5 -1e10 3",
        "12345678.12345678 1234567.12345678 123456789 0.123456789 99999999",
        "1.0 2 3.5 4 5.25 6 7 8 9.125 10 11 12.0625 13 14 15 16 17.5 18 19 20.25 21 22 23 24.5",
        "1\v2",
        "1\f2",
        "1\x01 2",
        "1 \xC3\xA4 2",
        "}",
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        for (size_t wanted = 0; wanted < 12; wanted++) {
            check(wanted, LINES[i]);
        }
    }
}

// Every length and offset, so that numbers are cut by blocks at every place.
static void test_every_block_boundary(void **state)
{
    (void)state;
    char line[400];
    for (int lead = 0; lead < 140; lead++) {
        for (int digits = 1; digits < 80; digits += 1 + digits / 12) {
            (void)snprintf(line, sizeof line, "%*s%.*f -%.*f 7", lead, "", digits, 1.0 / 3.0,
                           digits / 2, 200.0 / 3.0);
            check(3, line);
            check(4, line);
            check(2, line);
        }
    }
}

static void test_random_lines(void **state)
{
    (void)state;
    uint64_t seed = 2463534242u;
    for (int round = 0; round < 3000; round++) {
        memset(text, 0, sizeof text);
        char *p = text + 8;
        const size_t numbers = random_bits(&seed) % NUMBERS;
        const int style = round % 4;
        for (size_t i = 0; i < numbers && p < text + ROOM - 256; i++) {
            const uint64_t bits = random_bits(&seed);
            const double angle = 360.0 * (double)(bits >> 11) * 0x1p-53 - 180.0;
            const char *blank = bits % 50 == 0 ? "\n" : bits % 30 == 1 ? " \t " : " ";
            if (style == 0 || bits % 7 == 0) {
                p += sprintf(p, "%.6f%s", angle, blank);
            } else if (style == 1) {
                p += sprintf(p, "%.*g%s", (int)(bits % 17) + 1, angle * 1e-5, blank);
            } else if (style == 2) {
                p += sprintf(p, "%d%s", (int)(bits % 2000) - 1000, blank);
            } else {
                p += sprintf(p, "%.*f%s", (int)(bits % 12), angle, blank);
            }
        }
        const char *end = p;
        for (const char *q = text + 8; q < end; q++) {
            const char *line = strchr(q, '\n');
            compare_both(random_bits(&seed) % NUMBERS, q, end);
            if (!line) {
                break;
            }
            q = line;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_lines),
        cmocka_unit_test(test_every_block_boundary),
        cmocka_unit_test(test_random_lines),
    };
    return cmocka_run_group_tests_name("formats/decimal_row", tests, NULL, NULL);
}
