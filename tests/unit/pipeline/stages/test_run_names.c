// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/run_names.c.
#include "motion/text.h"
#include "pipeline/stages/run_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/files.h"

static void check(const char *const *takes, const char *const *want, size_t count)
{
    char **names = NULL;
    ug_error err = { 0 };
    assert_int_equal(ug_run_names(&names, (char *const *)takes, count, &err), UG_OK);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(names[i], want[i]);
    }
    ug_text_list_destroy(names, count);
}

static void test_folders_part_what_is_called_alike(void **state)
{
    (void)state;
    const char *const takes[] = { "a/monday/walk.c3d", "b/tuesday/walk.c3d", "run.v2.c3d" };
    const char *const want[] = { "monday-walk", "tuesday-walk", "run.v2" };
    check(takes, want, 3);
    const char *const here[] = { "walk.c3d", "x/walk.trc" }, *const names[] = { "walk", "x-walk" };
    check(here, names, 2);
}

static void test_what_still_meets_is_refused(void **state)
{
    (void)state;
    const char *const takes[] = { "a/monday/walk.c3d", "b/monday/walk.c3d" };
    char **names = NULL;
    ug_error err = { 0 };
    assert_int_equal(ug_run_names(&names, (char *const *)takes, 2, &err), UG_E_USAGE);
    assert_non_null(strstr(err.message, "'monday-walk'"));
    assert_null(names);
}

static void test_files_beside_the_recipe_come_first(void **state)
{
    (void)state;
    char folder[] = "/tmp/ugoki_names_XXXXXX", recipe[64], edits[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(recipe, sizeof recipe, "%s/recipe.yaml", folder);
    (void)snprintf(edits, sizeof edits, "%s/edits.yaml", folder);
    char *nowhere = ug_run_beside(recipe, "edits.yaml"); // a built-in name, perhaps
    assert_string_equal(nowhere, "edits.yaml");
    assert_true(test_write_text(edits, "x"));
    char *beside = ug_run_beside(recipe, "edits.yaml"), *whole = ug_run_beside("r.yaml", edits);
    assert_string_equal(beside, edits);
    assert_string_equal(whole, edits);
    // and the recipe's own inputs are looked for from there
    char *patterns[] = { (char *)"*.yaml", (char *)"*.c3d" }, **takes = NULL, **unmatched = NULL;
    const ug_recipe found = { .inputs = patterns, .input_count = 2 };
    size_t count = 0, unmatched_count = 0;
    assert_int_equal(
        ug_run_inputs(&takes, &count, &unmatched, &unmatched_count, &found, recipe, NULL), UG_OK);
    assert_int_equal(count, 1);
    assert_string_equal(takes[0], edits);
    assert_int_equal(unmatched_count, 1);
    assert_string_equal(unmatched[0], "*.c3d");
    ug_text_list_destroy(takes, count);
    ug_text_list_destroy(unmatched, unmatched_count);
    free(nowhere);
    free(beside);
    free(whole);
    (void)unlink(edits);
    (void)rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders_part_what_is_called_alike),
        cmocka_unit_test(test_what_still_meets_is_refused),
        cmocka_unit_test(test_files_beside_the_recipe_come_first),
    };
    return cmocka_run_group_tests_name("pipeline/stages/run_names", tests, NULL, NULL);
}
