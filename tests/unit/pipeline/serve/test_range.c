// SPDX-License-Identifier: MIT
// Unit tests for pipeline/serve/range.c.
#include "pipeline/serve/range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_ranges_that_are_answered(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size, first, count;
    } CASES[] = {
        { "bytes=0-0", 10, 0, 1 },
        { "bytes=0-9", 10, 0, 10 },
        { "bytes=3-5", 10, 3, 3 },
        { "Bytes=3-5", 10, 3, 3 },
        { "bytes=9-9", 10, 9, 1 },
        { "bytes=3-", 10, 3, 7 },
        { "bytes=-4", 10, 6, 4 },
        { "bytes=-10", 10, 0, 10 },
        { "bytes=-11", 10, 0, 10 },
        { "bytes=3-10", 10, 3, 7 }, // beyond the end: what there is
        { "bytes=3-18446744073709551615", 10, 3, 7 },
        { "bytes=3-18446744073709551616", 10, 3, 7 }, // 2^64 and beyond do not wrap
        { "bytes=-99999999999999999999999", 10, 0, 10 },
        { "bytes=000-0005", 10, 0, 6 },
        { "bytes=4294967296-4294967297", UINT64_C(1) << 40, UINT64_C(1) << 32, 2 },
        { "bytes=0-", UINT64_MAX, 0, UINT64_MAX },
        { "bytes=18446744073709551614-", UINT64_MAX, UINT64_MAX - 1, 1 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_range range = { 77, 77 };
        if (!ug_range_parse(&range, CASES[i].text, CASES[i].size)) {
            fail_msg("%s was refused", CASES[i].text);
        }
        assert_true(range.first == CASES[i].first && range.count == CASES[i].count);
    }
}

static void test_ranges_that_are_refused(void **state)
{
    (void)state;
    static const char *const CASES[] = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=--1",
        "bytes=-0",
        "bytes=10-", // the first byte behind the end
        "bytes=10-12",
        "bytes=18446744073709551616-",
        "bytes=5-3",
        "bytes=0-3,5-7",
        "bytes=0-3,",
        "bytes=0-3 ",
        "bytes= 0-3",
        "bytes =0-3",
        " bytes=0-3",
        "bytes=+0-3",
        "bytes=0x0-3",
        "bytes=0-3-5",
        "bytes=a-b",
        "bytes=1",
        "bytes=1.5-3",
        "records=0-3",
        "bytes=\xd9\xa0-3",
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_range range;
        if (ug_range_parse(&range, CASES[i], 10)) {
            fail_msg("'%s' was taken", CASES[i]);
        }
    }
    ug_range range;
    assert_false(ug_range_parse(&range, "bytes=0-", 0));
    assert_false(ug_range_parse(&range, "bytes=-5", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_that_are_answered),
        cmocka_unit_test(test_ranges_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
