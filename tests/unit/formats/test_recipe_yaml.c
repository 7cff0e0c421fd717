// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"

#include "tests/support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const PATH = "test_recipe.yaml";

static ug_status read_text(ug_recipe *recipe, const char *text, ug_error *err)
{
    assert_true(test_write_text(PATH, text));
    memset(recipe, 0xA5, sizeof *recipe);
    const ug_status status = ug_recipe_read(recipe, PATH, err);
    remove(PATH);
    return status;
}

static void test_read(void **state)
{
    (void)state;
    ug_recipe r;
    assert_int_equal(
        read_text(&r,
                  "inputs: [takes/*.c3d]\nstages:\n  - import: {}\n"
                  "  - clean: {max_gap_s: \"2\", smooth: butterworth, edits: edits.yaml}\n"
                  "  - solve: {require: \"marker_rms_mm<8\"}\n"
                  "  - retarget: {to: [troll, long_legs, child]}\n"
                  "  - export:\n      format: bvh\n  - report\n  - info: ~\n",
                  NULL),
        UG_OK);
    assert_int_equal(r.input_count, 1);
    assert_string_equal(r.inputs[0], "takes/*.c3d");
    assert_int_equal(r.stage_count, 7);
    assert_string_equal(r.stages[0].name, "import");
    assert_int_equal(r.stages[0].option_count, 0);
    const ug_recipe_stage *clean = &r.stages[1];
    assert_int_equal(clean->line, 4);
    assert_int_equal(clean->option_count, 3);
    assert_string_equal(clean->options[0].key, "max_gap_s");
    assert_string_equal(clean->options[0].values[0], "2");
    assert_string_equal(clean->options[2].values[0], "edits.yaml");
    assert_string_equal(r.stages[2].options[0].values[0], "marker_rms_mm<8");
    assert_int_equal(r.stages[3].options[0].value_count, 3);
    assert_string_equal(r.stages[3].options[0].values[2], "child");
    assert_int_equal(r.stages[4].options[0].line, 8);
    assert_string_equal(r.stages[5].name, "report");
    assert_int_equal(r.stages[6].option_count, 0);
    ug_recipe_fini(&r);
    assert_int_equal(read_text(&r, "inputs: a.c3d\nstages: [import]\n", NULL), UG_OK);
    assert_string_equal(r.inputs[0], "a.c3d");
    ug_recipe_fini(&r);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } CASES[] = {
        { "input: a\nstages: [import]\n", ":1",
          "recipe: unknown key 'input'; did you mean 'inputs'?" },
        { "inputs: a\n", ":1", "recipe: key 'stages' is missing" },
        { "inputs: []\nstages: [import]\n", ":1", "inputs: the list is empty" },
        { "stages: []\n", ":1", "stages: the list is empty" },
        { "stages: import\n", ":1", "stages must be a list: [a, b, …]" },
        { "stages:\n- import: {}\n  clean: {}\n", ":2",
          "a stage is one name with its options: - clean: {max_gap_s: 2}" },
        { "stages:\n- [import]\n", ":2",
          "a stage is one name with its options: - clean: {max_gap_s: 2}" },
        { "stages:\n- clean: fast\n", ":2",
          "stage 'clean': options must be a mapping: {option: value, …}" },
        { "stages:\n- clean:\n    max_gap_s:\n", ":3",
          "stage 'clean', option 'max_gap_s' has no value" },
        { "stages:\n- clean:\n    a: 1\n    b: {c: 1}\n", ":4",
          "stage 'clean', option 'b' must be a text, not a mapping" },
        { "stages:\n- clean: {a: 1, a: 2}\n", ":2", "key 'a' stands twice, first in line 2" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_recipe r;
        ug_error err = { 0 };
        char where[64];
        (void)snprintf(where, sizeof where, "%s%s", PATH, CASES[i].where);
        assert_int_equal(read_text(&r, CASES[i].text, &err), UG_E_FORMAT);
        assert_string_equal(err.message, CASES[i].message);
        assert_string_equal(err.where, where);
        assert_int_equal(r.stage_count, 0);
        assert_null(r.inputs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("formats/recipe_yaml", tests, NULL, NULL);
}
