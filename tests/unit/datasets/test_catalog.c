// SPDX-License-Identifier: MIT
// Unit tests for datasets/catalog.c.
#include "datasets/catalog.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_built_in_names_are_found(void **state)
{
    (void)state;
    char *path = NULL;
    assert_int_equal(ug_catalog_find(&path, UG_CATALOG_MARKERS, "cmu_41", NULL, NULL), UG_OK);
    assert_non_null(strstr(path, "markersets/cmu_41.yaml"));
    assert_int_equal(access(path, R_OK), 0);
    free(path);
}

static void test_a_path_is_taken_as_it_is(void **state)
{
    (void)state;
    char *path = NULL;
    assert_int_equal(ug_catalog_find(&path, UG_CATALOG_TEMPLATE, "nick.vsk", NULL, NULL), UG_OK);
    assert_string_equal(path, "nick.vsk");
    free(path);
}

static void test_unknown_name_lists_what_there_is(void **state)
{
    (void)state;
    char *path = (char *)1;
    ug_error err = { 0 };
    assert_int_equal(ug_catalog_find(&path, UG_CATALOG_MARKERS, "cmu_42", NULL, &err), UG_E_USAGE);
    assert_null(path);
    assert_non_null(strstr(err.message, "no marker set 'cmu_42'; there are cmu_41, plugin_gait"));
    assert_non_null(strstr(err.message, "or give a file (looked in /"));
    // a folder of one's own hides none of the built-in names, and is named too
    char folder[] = "/tmp/test_catalog_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *sets = ug_text_format("%s/markersets", folder);
    char *file = ug_text_format("%s/a_own.yaml", sets);
    char *places = ug_text_format("(looked in %s, /", folder);
    assert_int_equal(mkdir(sets, 0777), 0);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fclose(f);
    err = (ug_error){ 0 };
    assert_int_equal(ug_catalog_find(&path, UG_CATALOG_MARKERS, "cmu_42", folder, &err),
                     UG_E_USAGE);
    assert_non_null(strstr(err.message, "there are a_own, cmu_41, plugin_gait"));
    assert_non_null(strstr(err.message, places));
    remove(file);
    remove(sets);
    remove(folder);
    free(places);
    free(file);
    free(sets);
}

static void test_data_dir_comes_first(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_catalog_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *sets = ug_text_format("%s/markersets", folder);
    char *file = ug_text_format("%s/cmu_41.yaml", sets);
    assert_int_equal(mkdir(sets, 0777), 0);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fclose(f);

    char *path = NULL;
    char **names = NULL;
    size_t count = 0;
    assert_int_equal(ug_catalog_find(&path, UG_CATALOG_MARKERS, "cmu_41", folder, NULL), UG_OK);
    assert_string_equal(path, file);
    assert_int_equal(ug_catalog_list(&names, &count, UG_CATALOG_MARKERS, folder, NULL), UG_OK);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "cmu_41");

    ug_text_list_destroy(names, count);
    free(path);
    remove(file);
    remove(sets);
    remove(folder);
    free(file);
    free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in_names_are_found),
        cmocka_unit_test(test_a_path_is_taken_as_it_is),
        cmocka_unit_test(test_unknown_name_lists_what_there_is),
        cmocka_unit_test(test_data_dir_comes_first),
    };
    return cmocka_run_group_tests_name("datasets/catalog", tests, NULL, NULL);
}
