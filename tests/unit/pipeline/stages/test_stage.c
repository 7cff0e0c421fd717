// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/stage.c: what every stage gets around it, shown on a made-up one.
#include "pipeline/stages/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

static char folder[] = "/tmp/ugoki_stage_XXXXXX";

static ug_status run_writer(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_take take;
    full_take_init(&take, 3);
    ug_status status = ug_stage_may_write(context, context->output, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "own_figure", 42);
        ug_warn(&context->warnings, "odd_thing", "the first odd thing");
        ug_warn(&context->warnings, "odd_thing", "the second");
        status = ug_stage_write(self, context, context->output, &take, UG_PART_ALL, NULL, err);
    }
    ug_take_fini(&take);
    return status;
}

static const ug_stage WRITER = { .name = "writer", .usage = "-o FILE", .run = run_writer };

typedef struct call {
    ug_option_values options;
    ug_stage_context context;
    ug_error err;
    char path[64];
} call;

static void call_init(call *c, const char *name)
{
    *c = (call){ 0 };
    assert_int_equal(ug_option_values_init(&c->options, NULL, 0, NULL), UG_OK);
    (void)snprintf(c->path, sizeof c->path, "%s/%s", folder, name);
    c->context = (ug_stage_context){ .options = &c->options, .output = c->path, .jobs = 1 };
}

static void call_fini(call *c)
{
    ug_stage_context_fini(&c->context);
    ug_option_values_fini(&c->options);
    (void)unlink(c->path);
}

static void test_cost_and_warnings_are_stored_with_the_figures(void **state)
{
    (void)state;
    call c;
    call_init(&c, "a.h5");
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, NULL, &c.err), UG_OK);
    ug_take back;
    ug_take_init(&back);
    assert_int_equal(ug_store_read(&back, c.path, UG_PART_PROVENANCE, NULL, &c.err), UG_OK);
    const ug_provenance_entry *last = &back.provenance.items[back.provenance.count - 1];
    assert_string_equal(last->stage, "writer");
    ug_metrics stored = { 0 };
    assert_true(ug_metrics_from_json(&stored, last->metrics_json));
    double own = 0, seconds = -1, peak = 0, warnings = 0;
    assert_true(ug_metrics_get(&stored, "own_figure", &own) && own == 42);
    assert_true(ug_metrics_get(&stored, "seconds", &seconds) && seconds >= 0);
    assert_true(ug_metrics_get(&stored, "peak_mb", &peak) && peak > 0);
    assert_true(ug_metrics_get(&stored, "warnings", &warnings) && warnings == 2);
    double at_end = 0; // the write itself is in the figures that are printed
    assert_true(ug_metrics_get(&c.context.metrics, "seconds", &at_end) && at_end > seconds);
    assert_int_equal(c.context.written_count, 1);
    ug_metrics_fini(&stored);
    ug_take_fini(&back);
    call_fini(&c);
}

static void test_strict_keeps_a_warned_output_from_appearing(void **state)
{
    (void)state;
    call c;
    call_init(&c, "strict.h5");
    c.context.strict = true;
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, NULL, &c.err), UG_E_DATA);
    assert_string_equal(c.err.message, "--strict: the first odd thing");
    assert_int_not_equal(access(c.path, F_OK), 0);
    call_fini(&c);
}

static bool stop(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void test_a_wish_to_stop_keeps_the_output_from_appearing(void **state)
{
    (void)state;
    call c;
    call_init(&c, "stopped.h5");
    c.context.progress = (ug_progress){ .report = stop };
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, NULL, &c.err), UG_E_INTERRUPTED);
    assert_int_not_equal(access(c.path, F_OK), 0);
    call_fini(&c);
}

static void test_outputs_are_replaced_only_on_demand(void **state)
{
    (void)state;
    call c, again;
    call_init(&c, "once.h5");
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, NULL, &c.err), UG_OK);
    call_init(&again, "once.h5");
    assert_int_equal(ug_stage_execute(&WRITER, &again.context, NULL, &again.err), UG_E_EXISTS);
    assert_string_equal(again.err.message, "is there already; -y overwrites it");
    assert_string_equal(again.err.where, c.path);
    again.err = (ug_error){ 0 };
    again.context.overwrite = true;
    assert_int_equal(ug_stage_execute(&WRITER, &again.context, NULL, &again.err), UG_OK);
    // nor is an input ever replaced, whatever -y says
    char *inputs[] = { c.path };
    again.err = (ug_error){ 0 };
    again.context.inputs = inputs;
    again.context.input_count = 1;
    assert_int_equal(ug_stage_may_write(&again.context, c.path, &again.err), UG_E_USAGE);
    call_fini(&again);
    call_fini(&c);
}

static void test_gates_come_last_and_inputs_are_counted_first(void **state)
{
    (void)state;
    call c;
    call_init(&c, "gate.h5");
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, "own_figure<42", &c.err), UG_E_GATE);
    assert_int_equal(access(c.path, F_OK), 0);
    char *inputs[] = { c.path };
    c.context.inputs = inputs;
    c.context.input_count = 1;
    c.err = (ug_error){ 0 };
    assert_int_equal(ug_stage_execute(&WRITER, &c.context, NULL, &c.err), UG_E_USAGE);
    assert_string_equal(c.err.message, "writer takes no input file: ugoki writer -o FILE");
    call_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost_and_warnings_are_stored_with_the_figures),
        cmocka_unit_test(test_strict_keeps_a_warned_output_from_appearing),
        cmocka_unit_test(test_a_wish_to_stop_keeps_the_output_from_appearing),
        cmocka_unit_test(test_outputs_are_replaced_only_on_demand),
        cmocka_unit_test(test_gates_come_last_and_inputs_are_counted_first),
    };
    if (!mkdtemp(folder)) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("pipeline/stages/stage", tests, NULL, NULL);
    (void)rmdir(folder);
    return failed;
}
