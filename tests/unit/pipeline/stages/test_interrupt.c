// SPDX-License-Identifier: MIT
// A wish to stop, at every moment a stage asks: it ends with UG_E_INTERRUPTED, the old output is
// there byte for byte, nothing else is left behind, and the shares it reports make sense.
#include "formats/store.h"
#include "motion/text.h"
#include "pipeline/stages/stage.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/files.h"

static char folder[] = "/tmp/ugoki_interrupt_XXXXXX";

typedef struct listener {
    size_t asked, stop_at; // counted from 1; 0: never
    double last, most;
    bool sound; // every share was 0 … 1
} listener;

static bool listen(void *user, double share)
{
    listener *l = user;
    l->sound = l->sound && share >= 0.0 && share <= 1.0;
    l->last = share;
    l->most = share > l->most ? share : l->most;
    return ++l->asked != l->stop_at;
}

// "stage in out -- option value": everything a run needs, in words.
typedef struct run {
    const char *stage, *input, *output;
    const char *options[4]; // name, value, …
} run;

static char *in_folder(const char *name)
{
    return ug_text_format("%s/%s", folder, name);
}

static ug_status call(const run *r, listener *l, ug_error *err)
{
    const ug_stage *stage = ug_stage_find(r->stage);
    assert_non_null(stage);
    ug_option_values values;
    assert_int_equal(ug_option_values_init(&values, stage->options, stage->option_count, err), 0);
    for (size_t i = 0; i < 4 && r->options[i]; i += 2) {
        const ptrdiff_t at = ug_option_find(stage->options, stage->option_count, r->options[i]);
        assert_true(at >= 0);
        assert_int_equal(ug_option_values_set(&values, (size_t)at, &r->options[i + 1], 1, err), 0);
    }
    char *inputs[1] = { r->input ? in_folder(r->input) : NULL };
    char *output = in_folder(r->output);
    ug_stage_context context = { .options = &values,
                                 .inputs = inputs,
                                 .input_count = r->input ? 1 : 0,
                                 .output = output,
                                 .jobs = 2,
                                 .overwrite = true,
                                 .progress = { .report = listen, .user = l } };
    const ug_status status = ug_stage_execute(stage, &context, NULL, err);
    ug_stage_context_fini(&context);
    ug_option_values_fini(&values);
    free(inputs[0]);
    free(output);
    return status;
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *e; (e = readdir(dir));) {
        count += e->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

// `at_least`: as often as it asks today, so that a loop that falls silent is noticed.
// Stop at the 1st, 2nd, … time it asks, up to the last (a dozen of them where there are many).
static void interrupt_everywhere(const run *r, size_t at_least)
{
    char *output = in_folder(r->output);
    listener whole = { .sound = true };
    ug_error first = { 0 };
    const ug_status status = call(r, &whole, &first);
    if (status != UG_OK) {
        fail_msg("%s: %s %s", r->stage, first.where, first.message);
    }
    assert_true(whole.sound);
    assert_true(whole.most > 0.8);
    if (whole.asked < at_least) {
        fail_msg("%s -> %s asks %zu times, wanted %zu", r->stage, r->output, whole.asked, at_least);
    }
    assert_true(test_write_text(output, "the old output"));
    const size_t files = files_in_folder();
    const size_t step = 1 + whole.asked / 12;
    for (size_t n = 1; n <= whole.asked; n += step) {
        listener l = { .stop_at = n, .sound = true };
        ug_error err = { 0 };
        assert_int_equal(call(r, &l, &err), UG_E_INTERRUPTED);
        assert_int_equal(l.asked, n); // having heard, it does not ask again
        assert_non_null(strstr(err.message, "interrupted"));
        char *text = test_read_text(output);
        assert_string_equal(text, "the old output");
        free(text);
        assert_int_equal(files_in_folder(), files);
    }
    listener end = { .sound = true };
    ug_error err = { 0 };
    assert_int_equal(call(r, &end, &err), UG_OK); // for the next stage to read
    free(output);
}

static void test_import_and_clean(void **state)
{
    (void)state;
    const run import = { "import", "take.c3d", "take.h5", { NULL } };
    // the quickest method: the gaps of all are asked about alike
    const run clean = { "clean", "take.h5", "clean.h5", { "fill_method", "rigid" } };
    interrupt_everywhere(&import, 15);
    interrupt_everywhere(&clean, 15);
}

static void test_export_of_markers_and_back(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t written, read;
    } CASES[] = { { "back.csv", 6, 18 }, { "back.trc", 6, 18 }, { "back.c3d", 3, 15 } };
    for (size_t i = 0; i < 3; i++) {
        const run out = { "export", "take.h5", CASES[i].name, { NULL } };
        const run in = { "import", CASES[i].name, "back.h5", { "unit", "mm", "up", "+Y" } };
        interrupt_everywhere(&out, CASES[i].written);
        interrupt_everywhere(&in, CASES[i].read);
    }
}

static void test_retarget_and_bvh(void **state)
{
    (void)state;
    const run retarget = { "retarget", "take-truth.h5", "troll.h5", { "to", "troll" } };
    const run out = { "export", "take-truth.h5", "human.bvh", { NULL } };
    const run in = { "import", "human.bvh", "human.h5", { "unit", "cm", "up", "+Y" } };
    const run joints = { "export", "take-truth.h5", "joints.csv", { "what", "joints" } };
    interrupt_everywhere(&retarget, 25);
    interrupt_everywhere(&out, 6);
    interrupt_everywhere(&in, 13);
    interrupt_everywhere(&joints, 10);
}

// An interrupted synth may have written one of its two files: the other is still the old one.
static void test_synth(void **state)
{
    (void)state;
    const run synth = { "synth", NULL, "other.h5", { "strides", "2" } };
    listener whole = { .sound = true };
    ug_error err = { 0 };
    assert_int_equal(call(&synth, &whole, &err), UG_OK);
    assert_true(whole.asked > 20);
    char *take = in_folder("other.h5"), *truth = in_folder("other-truth.h5");
    for (size_t n = 1; n <= whole.asked; n++) {
        assert_true(test_write_text(truth, "the old truth"));
        listener l = { .stop_at = n, .sound = true };
        err = (ug_error){ 0 };
        assert_int_equal(call(&synth, &l, &err), UG_E_INTERRUPTED);
        char *text = test_read_text(truth);
        assert_string_equal(text, "the old truth");
        free(text);
        assert_int_equal(ug_store_probe(take), UG_STORE_SEALED);
    }
    free(take);
    free(truth);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) {
        return -1;
    }
    listener l = { 0 };
    ug_error err = { 0 };
    const run synth = { "synth", NULL, "take.c3d", { "strides", "2" } };
    return call(&synth, &l, &err) == UG_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    for (const struct dirent *e; (e = readdir(dir));) {
        (void)unlinkat(dirfd(dir), e->d_name, 0);
    }
    closedir(dir);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_import_and_clean),
        cmocka_unit_test(test_export_of_markers_and_back),
        cmocka_unit_test(test_retarget_and_bvh),
        cmocka_unit_test(test_synth),
    };
    return cmocka_run_group_tests_name("pipeline/stages: interrupted", tests, setup, teardown);
}
