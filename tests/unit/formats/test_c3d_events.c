// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_events.c and c3d_events_write.c.
#include "formats/c3d.h"
#include "tests/support/c3d_compare.h"
#include "tests/support/c3d_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    c3d_file file;
    ug_take take;
    ug_warnings warnings;
} fixture;

static void begin(fixture *fx, char processor)
{
    *fx = (fixture){ 0 };
    ug_take_init(&fx->take);
    file_begin(&fx->file, processor);
    file_basics(&fx->file, 1, 1, -1.0, 100.0);
    file_text(&fx->file, "POINT", "LABELS", "M1");
    file_point(&fx->file, false, 1, 2, 3, 0);
}

static const ug_events *parse(fixture *fx)
{
    ug_error err = { 0 };
    file_finish(&fx->file);
    assert_int_equal(ug_c3d_parse(&fx->take, fx->file.whole.data, fx->file.whole.size, NULL,
                                  &fx->warnings, &err),
                     UG_OK);
    return &fx->take.events;
}

static void end(fixture *fx)
{
    ug_take_fini(&fx->take);
    file_end(&fx->file);
}

static void write_and_read(const ug_take *take, ug_take *again)
{
    char path[] = "/tmp/ugoki-c3d-events-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    ug_error err = { 0 };
    ug_take_init(again);
    assert_int_equal(ug_c3d_write(path, take, NULL, NULL, &err), UG_OK);
    assert_int_equal(ug_c3d_read(again, path, NULL, NULL, &err), UG_OK);
    (void)unlink(path);
}

static void add_event_group(c3d_file *f)
{
    static const char *const LABELS[] = { "A", "B", "C" };
    static const char *const CONTEXTS[] = { "Left", "Right", "Left" };
    static const char *const SUBJECTS[] = { "s01", "s01", "s02" };
    // not in order of time
    const double times[6] = { 1, 4.02, 0, 57.10, 2, 0.5 };
    const int dimensions[2] = { 2, 3 };
    file_number(f, "EVENT", "USED", 3);
    file_texts(f, "EVENT", "LABELS", 8, 3, LABELS);
    file_texts(f, "EVENT", "CONTEXTS", 8, 3, CONTEXTS);
    file_texts(f, "EVENT", "SUBJECTS", 8, 3, SUBJECTS);
    file_reals(f, "EVENT", "TIMES", 6, times, 2, dimensions);
}

static void test_s06_minutes_count_and_pairs_stay(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 'D');
    add_event_group(&fx.file);
    const ug_events *e = parse(&fx);
    assert_int_equal(e->count, 3);
    assert_true(fabs(e->items[0].time_s - 57.10) < 2e-6); // a float's worth of seconds
    assert_true(fabs(e->items[1].time_s - 64.02) < 2e-6);
    assert_true(e->items[2].time_s == 120.5);
    assert_string_equal(e->items[0].label, "B");
    assert_string_equal(e->items[0].context, "Right");
    assert_string_equal(e->items[1].label, "A");
    assert_string_equal(e->items[1].context, "Left");
    assert_string_equal(e->items[2].subject, "s02");
    assert_int_equal(fx.warnings.count, 0);

    ug_take again;
    write_and_read(&fx.take, &again);
    assert_null(take_difference(&fx.take, &again));
    ug_take_fini(&again);
    end(&fx);
}

static void test_pairs_in_one_dimension(void **state)
{
    (void)state;
    const double times[4] = { 1, 2, 0, 5 };
    const int four = 4;
    fixture fx;
    begin(&fx, 'I');
    file_number(&fx.file, "EVENT", "USED", 2);
    file_reals(&fx.file, "EVENT", "TIMES", 4, times, 1, &four);
    const ug_events *e = parse(&fx);
    assert_int_equal(e->count, 2);
    assert_true(e->items[0].time_s == 5.0 && e->items[1].time_s == 62.0);
    assert_string_equal(e->items[0].label, "");
    end(&fx);
}

static void test_seconds_without_minutes_are_told(void **state)
{
    (void)state;
    const double times[2] = { 7, 3 };
    const int two = 2;
    fixture fx;
    begin(&fx, 'I');
    file_number(&fx.file, "EVENT", "USED", 2);
    file_reals(&fx.file, "EVENT", "TIMES", 2, times, 1, &two);
    const ug_events *e = parse(&fx);
    assert_int_equal(e->count, 2);
    assert_true(e->items[0].time_s == 3.0 && e->items[1].time_s == 7.0);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_event_times"), 1);
    end(&fx);
}

static void test_more_events_claimed_than_there_are(void **state)
{
    (void)state;
    const double times[4] = { 0, 1, 0, NAN };
    const int dimensions[2] = { 2, 2 };
    fixture fx;
    begin(&fx, 'I');
    file_number(&fx.file, "EVENT", "USED", 9);
    file_reals(&fx.file, "EVENT", "TIMES", 4, times, 2, dimensions);
    const ug_events *e = parse(&fx);
    assert_int_equal(e->count, 1); // the other has no time
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_events_disagree"), 1);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_event_times"), 1);
    end(&fx);
}

static void add_header_events(c3d_file *f)
{
    header_word(f, 150, 12345);
    header_word(f, 151, 2);
    header_real(f, 153, 1.5);
    header_real(f, 155, 0.25);
    memcpy(f->header + 396, "RHS LTO ", 8);
}

static void test_header_events_where_the_group_has_none(void **state)
{
    (void)state;
    for (const char *p = "IDM"; *p; p++) {
        fixture fx;
        begin(&fx, *p);
        add_header_events(&fx.file);
        const ug_events *e = parse(&fx);
        assert_int_equal(e->count, 2);
        assert_string_equal(e->items[0].label, "LTO");
        assert_true(e->items[0].time_s == 0.25);
        assert_string_equal(e->items[1].label, "RHS");
        ug_take again;
        write_and_read(&fx.take, &again);
        assert_null(take_difference(&fx.take, &again));
        assert_null(ug_parameters_group(&again.source.parameters, "EVENT"));
        ug_take_fini(&again);
        end(&fx);
    }
}

static void test_impossible_header_events(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 'I');
    add_header_events(&fx.file);
    header_word(&fx.file, 151, 300);
    assert_int_equal(parse(&fx)->count, 0);
    assert_int_equal(ug_warnings_count(&fx.warnings, "c3d_events_disagree"), 1);
    end(&fx);
}

static void test_changed_events_replace_both_places(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 'M');
    add_header_events(&fx.file);
    parse(&fx);
    assert_int_equal(ug_events_add(&fx.take.events, "Foot Strike", "Left", "s01", 3725.5), 0);
    ug_take again;
    write_and_read(&fx.take, &again);
    assert_null(events_difference(&fx.take.events, &again.events));
    assert_string_equal(again.events.items[2].label, "Foot Strike");
    assert_non_null(ug_parameters_find(&again.source.parameters, "EVENT", "CONTEXTS"));
    ug_take_fini(&again);

    // and none at all is none at all
    ug_events_fini(&fx.take.events);
    write_and_read(&fx.take, &again);
    assert_int_equal(again.events.count, 0);
    ug_take_fini(&again);
    end(&fx);
}

static void test_more_than_255_events(void **state)
{
    (void)state;
    fixture fx;
    begin(&fx, 'I');
    parse(&fx);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(ug_events_add(&fx.take.events, i == 299 ? "last" : "x", "", "", i), 0);
    }
    ug_take again;
    write_and_read(&fx.take, &again);
    assert_null(events_difference(&fx.take.events, &again.events));
    assert_string_equal(again.events.items[299].label, "last");
    ug_take_fini(&again);
    end(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s06_minutes_count_and_pairs_stay),
        cmocka_unit_test(test_pairs_in_one_dimension),
        cmocka_unit_test(test_seconds_without_minutes_are_told),
        cmocka_unit_test(test_more_events_claimed_than_there_are),
        cmocka_unit_test(test_header_events_where_the_group_has_none),
        cmocka_unit_test(test_impossible_header_events),
        cmocka_unit_test(test_changed_events_replace_both_places),
        cmocka_unit_test(test_more_than_255_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
