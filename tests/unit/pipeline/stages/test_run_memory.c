// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/run_memory.c.
#include "pipeline/stages/run_memory.h"

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

static char folder[] = "/tmp/ugoki_memory_XXXXXX";
static char input[64], output[64], memory_path[64];

typedef struct call {
    ug_option_values options;
    char *inputs[1];
    ug_stage_context context;
} call;

static void call_init(call *c)
{
    const ug_stage *clean = ug_stage_find("clean");
    *c = (call){ .inputs = { input } };
    assert_int_equal(ug_option_values_init(&c->options, clean->options, clean->option_count, NULL),
                     UG_OK);
    c->context = (ug_stage_context){
        .options = &c->options, .inputs = c->inputs, .input_count = 1, .output = output
    };
}

static char *key_of(call *c, const char *gates)
{
    char *key = ug_run_memory_key(ug_stage_find("clean"), &c->context, gates, NULL);
    assert_non_null(key);
    return key;
}

// What was counted, how long it took or who called: the same work. An option, the seed, a gate or
// one byte of an input: another.
static void test_the_key_is_what_decides_the_output(void **state)
{
    (void)state;
    call c;
    call_init(&c);
    char *key = key_of(&c, "a<1");
    ug_metrics_set(&c.context.metrics, "seconds", 3.25);
    ug_metrics_set(&c.context.metrics, "peak_mb", 700);
    ug_warn(&c.context.warnings, "odd", "odd");
    c.context.command_line = "ugoki run other.yaml";
    c.context.jobs = 7;
    strcpy(c.context.started, "2024-02-29T23:59:60Z");
    char *same = key_of(&c, "a<1");
    assert_string_equal(key, same);
    char *gate = key_of(&c, "a<2");
    assert_string_not_equal(key, gate);
    c.context.seed = 1;
    char *seed = key_of(&c, "a<1");
    assert_string_not_equal(key, seed);
    c.context.seed = 0;
    const char *longer = "1.5";
    const ptrdiff_t at = ug_option_find(c.options.table, c.options.count, "max_gap_s");
    assert_int_equal(ug_option_values_set(&c.options, (size_t)at, &longer, 1, NULL), UG_OK);
    char *option = key_of(&c, "a<1");
    assert_string_not_equal(key, option);
    ug_option_values_fini(&c.options);
    ug_stage_context_fini(&c.context);
    call_init(&c);
    assert_true(test_write_text(input, "other bytes"));
    char *bytes = key_of(&c, "a<1");
    assert_string_not_equal(key, bytes);
    (void)unlink(input);
    ug_error err = { 0 };
    assert_null(ug_run_memory_key(ug_stage_find("clean"), &c.context, NULL, &err));
    assert_int_equal(err.status, UG_E_IO);
    assert_true(test_write_text(input, "an input"));
    char *const keys[] = { key, same, gate, seed, option, bytes };
    for (size_t i = 0; i < 6; i++) {
        free(keys[i]);
    }
    ug_option_values_fini(&c.options);
}

static void test_what_is_noted_is_known_after_reopening(void **state)
{
    (void)state;
    ug_metrics figures = { 0 };
    ug_metrics_set(&figures, "gap_count", 12);
    ug_run_memory *memory = ug_run_memory_open(folder);
    assert_false(ug_run_memory_knows(memory, output));
    assert_int_equal(ug_run_memory_note(memory, output, "key 1", &figures, NULL), UG_OK);
    ug_run_memory_close(memory);
    memory = ug_run_memory_open(folder);
    assert_true(ug_run_memory_knows(memory, output));
    assert_true(ug_run_memory_is_current(memory, output, "key 1"));
    assert_false(ug_run_memory_is_current(memory, output, "key 2"));
    assert_string_equal(ug_run_memory_metrics(memory, output), "{\"gap_count\":12}");
    assert_true(test_write_text(output, "touched since")); // ours, but not what was written
    assert_true(ug_run_memory_knows(memory, output));
    assert_false(ug_run_memory_is_current(memory, output, "key 1"));
    ug_run_memory_close(memory);
    ug_metrics_fini(&figures);
}

// killed between the file and its note: ours, and to be made again
static void test_what_is_intended_is_ours(void **state)
{
    (void)state;
    char other[64];
    (void)snprintf(other, sizeof other, "%s/other.h5", folder);
    ug_metrics figures = { 0 };
    ug_run_memory *memory = ug_run_memory_open(folder);
    assert_int_equal(ug_run_memory_intend(memory, other, "key", NULL), UG_OK);
    ug_run_memory_close(memory);
    memory = ug_run_memory_open(folder);
    assert_true(ug_run_memory_knows(memory, other));
    assert_false(ug_run_memory_is_current(memory, other, "key"));
    assert_null(ug_run_memory_metrics(memory, other));
    // nothing came of it
    assert_int_equal(ug_run_memory_withdraw(memory, other, NULL), UG_OK);
    ug_run_memory_close(memory);
    memory = ug_run_memory_open(folder);
    assert_false(ug_run_memory_knows(memory, other));
    // what is noted is neither forgotten by an intent nor withdrawn
    assert_int_equal(ug_run_memory_note(memory, output, "key 1", &figures, NULL), UG_OK);
    assert_int_equal(ug_run_memory_intend(memory, output, "key 2", NULL), UG_OK);
    assert_true(ug_run_memory_is_current(memory, output, "key 1"));
    assert_int_equal(ug_run_memory_withdraw(memory, output, NULL), UG_OK);
    assert_true(ug_run_memory_is_current(memory, output, "key 1"));
    ug_run_memory_close(memory);
}

static void test_a_broken_memory_is_an_empty_one(void **state)
{
    (void)state;
    assert_true(test_write_text(memory_path, "{\"half"));
    ug_run_memory *memory = ug_run_memory_open(folder);
    assert_non_null(memory);
    assert_false(ug_run_memory_knows(memory, output));
    assert_null(ug_run_memory_metrics(memory, output));
    ug_run_memory_close(memory);
    ug_run_memory_close(NULL);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) {
        return -1;
    }
    (void)snprintf(input, sizeof input, "%s/in.h5", folder);
    (void)snprintf(output, sizeof output, "%s/out.h5", folder);
    (void)snprintf(memory_path, sizeof memory_path, "%s/run.json", folder);
    return test_write_text(input, "an input") && test_write_text(output, "an output") ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    (void)unlink(input);
    (void)unlink(output);
    (void)unlink(memory_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_key_is_what_decides_the_output),
        cmocka_unit_test(test_what_is_noted_is_known_after_reopening),
        cmocka_unit_test(test_what_is_intended_is_ours),
        cmocka_unit_test(test_a_broken_memory_is_an_empty_one),
    };
    return cmocka_run_group_tests_name("pipeline/stages/run_memory", tests, setup, teardown);
}
