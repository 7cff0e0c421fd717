// SPDX-License-Identifier: MIT
#include "motion/recipe.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_fini_releases_every_level(void **state)
{
    (void)state;
    ug_recipe r = { .input_count = 2, .inputs = ug_text_list_create(2) };
    r.inputs[0] = strdup("a.c3d"); // the second was never read
    r.stages = calloc(2, sizeof *r.stages);
    r.stage_count = 2;
    r.stages[0].name = strdup("clean");
    r.stages[0].options = calloc(1, sizeof *r.stages[0].options);
    r.stages[0].option_count = 1;
    r.stages[0].options[0].key = strdup("cutoff_hz");
    r.stages[0].options[0].values = ug_text_list_create(1);
    r.stages[0].options[0].value_count = 1;
    r.stages[0].options[0].values[0] = strdup("12");
    ug_recipe_fini(&r); // the leak checker watches
    assert_int_equal(r.stage_count + r.input_count, 0);
    assert_null(r.stages);
    ug_recipe_fini(&r);
    ug_recipe_fini(NULL);
}

static void test_edits_fini(void **state)
{
    (void)state;
    ug_edits e = { .count = 2, .items = calloc(2, sizeof *e.items) };
    e.items[0].labels[0] = strdup("A");
    e.items[0].labels[1] = strdup("B");
    e.items[0].method = strdup("rigid");
    ug_edits_fini(&e);
    assert_int_equal(e.count, 0);
    assert_null(e.items);
    ug_edits_fini(&e);
    ug_edits_fini(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fini_releases_every_level),
        cmocka_unit_test(test_edits_fini),
    };
    return cmocka_run_group_tests_name("motion/recipe", tests, NULL, NULL);
}
