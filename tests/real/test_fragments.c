// SPDX-License-Identifier: MIT
// Stretches of the takes in $UGOKI_DATA/cases/gaps that lost their label, and ghosts beside them.
#include "formats/format.h"
#include "tests/support/fragment_inject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static char root[3000];

static void test_stretches_come_back(void **state)
{
    (void)state;
    static const char *const CASES[] = { "cmu135_02", "cmu85_12", "hdm_mm0102", "jyu_dance1" };
    fragment_score sum = { 0 };
    for (size_t t = 0; t < sizeof CASES / sizeof *CASES; t++) {
        fragment_score score = { 0 };
        for (uint64_t seed = 0; seed < 10; seed++) {
            char path[4096];
            ug_take take;
            ug_take_init(&take);
            snprintf(path, sizeof path, "%s/cases/gaps/takes/%s.csv", root, CASES[t]);
            assert_int_equal(ug_format_read(&take, path, &(ug_read_opts){ 0 }, NULL, NULL), UG_OK);
            assert_true(run_fragments(&score, take.markers, seed));
            ug_take_fini(&take);
        }
        print_message("%-12s joined %zu of %zu, wrong %zu (%zu decoys)\n", CASES[t], score.joined,
                      score.hidden, score.wrong, score.decoys);
        sum.hidden += score.hidden;
        sum.joined += score.joined;
        sum.wrong += score.wrong;
    }
    // a wrong one is worse than many left: they stay listed, and their gaps are filled
    assert_true(100 * sum.wrong <= sum.joined);
    assert_true(100 * sum.joined >= 85 * sum.hidden);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stretches_come_back) };
    return cmocka_run_group_tests_name("real/fragments", tests, NULL, NULL);
}
