// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_write.c, c3d_plan.c and c3d_update.c.
#include "formats/c3d.h"
#include "tests/support/c3d_compare.h"
#include "tests/support/c3d_file.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { POINTS = 4, FRAMES = 6, CHANNELS = 2, SAMPLES = 3 };

static char path[64];

static int make_path(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/ugoki-c3d-write-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    return close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

// A file with everything the writer must keep, as its makers would have written it.
static void read_source(ug_take *take, char processor, bool is_integer, bool float_frames)
{
    static const char *const LABELS[] = { "A:M1", "A:M2", "*3", "A:KneeAngles" };
    static const char *const DESCRIPTIONS[] = { "first", "second", "", "flexion" };
    static const char *const CHANNEL_LABELS[] = { "Fx", "Fz" };
    static const double SCALES[] = { 0.5, 0.25 };
    static const int OFFSETS[] = { 2, -3 }, TWO = 2, DATE[] = { 2001, 2, 3 }, THREE = 3;
    const double scale = 0.1;
    c3d_file f;
    ug_error err = { 0 };
    file_begin(&f, processor);
    header_word(&f, 6, 7);
    file_basics(&f, POINTS, FRAMES, is_integer ? scale : -scale, 100.0);
    header_word(&f, 4, 11);
    header_word(&f, 5, 10 + FRAMES);
    if (float_frames) {
        file_float(&f, "POINT", "FRAMES", FRAMES);
    } else {
        file_number(&f, "POINT", "FRAMES", FRAMES);
    }
    file_number(&f, "POINT", "DATA_START", 0);
    file_texts(&f, "POINT", "LABELS", 16, POINTS, LABELS);
    file_texts(&f, "POINT", "DESCRIPTIONS", 16, POINTS, DESCRIPTIONS);
    file_words(&f, "TRIAL", "DATE", 3, DATE, 1, &THREE);
    header_word(&f, 3, CHANNELS * SAMPLES);
    header_word(&f, 10, SAMPLES);
    file_number(&f, "ANALOG", "USED", CHANNELS);
    file_float(&f, "ANALOG", "RATE", 100 * SAMPLES);
    file_float(&f, "ANALOG", "GEN_SCALE", 1.5);
    file_reals(&f, "ANALOG", "SCALE", 2, SCALES, 1, &TWO);
    file_words(&f, "ANALOG", "OFFSET", 2, OFFSETS, 1, &TWO);
    file_texts(&f, "ANALOG", "LABELS", 4, CHANNELS, CHANNEL_LABELS);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int p = 0; p < POINTS; p++) {
            file_point(&f, is_integer, 10 * p + frame, -200 - p, 7 * frame,
                       (p + frame) % 3 ? 256 * 2 + p : -1);
        }
        for (int i = 0; i < CHANNELS * SAMPLES; i++) {
            if (is_integer) {
                file_word(&f, &f.samples, 100 * frame - 250 + i);
            } else {
                file_real(&f, &f.samples, 100 * frame - 250 + i);
            }
        }
    }
    file_finish(&f);
    ug_take_init(take);
    assert_int_equal(ug_c3d_parse(take, f.whole.data, f.whole.size, NULL, NULL, &err), UG_OK);
    file_end(&f);
}

static void write_and_read(const ug_take *take, ug_take *again, const ug_write_opts *opts,
                           ug_warnings *warnings)
{
    ug_error err = { 0 };
    ug_take_init(again);
    *warnings = (ug_warnings){ 0 };
    if (ug_c3d_write(path, take, opts, warnings, &err) != UG_OK) {
        fail_msg("not written: %s", err.message);
    }
    ug_warnings read_warnings = { 0 };
    const ug_read_opts as_said = { .up = opts && opts->up ? opts->up : NULL };
    if (ug_c3d_read(again, path, &as_said, &read_warnings, &err) != UG_OK) {
        fail_msg("not read back: %s", err.message);
    }
    // our own files give no cause for complaint
    for (size_t i = 0; i < read_warnings.count; i++) {
        if (strncmp(read_warnings.items[i].code, "c3d_zero", 8) != 0) {
            fail_msg("read back with: %s", read_warnings.items[i].first);
        }
    }
}

static void test_all_encodings_round_trip(void **state)
{
    (void)state;
    for (const char *p = "IDM"; *p; p++) {
        for (int is_integer = 0; is_integer < 2; is_integer++) {
            ug_take take, again;
            ug_warnings warnings;
            read_source(&take, *p, is_integer, false);
            write_and_read(&take, &again, NULL, &warnings);
            const char *difference = take_difference(&take, &again);
            if (difference) {
                fail_msg("%c %s differs in %s", *p, is_integer ? "integer" : "float", difference);
            }
            assert_int_equal(warnings.count, 0);
            assert_int_equal(again.markers->first_frame, 11);
            assert_int_equal(again.source.header[10] + again.source.header[11], 7); // gap word kept
            ug_take_fini(&take);
            ug_take_fini(&again);
        }
    }
}

// A take that no C3D file stands behind.
static void make_take(ug_take *take, size_t frames, size_t points)
{
    ug_take_init(take);
    (void)strcpy(take->source.format, "trc");
    (void)strcpy(take->source.unit, "m");
    take->markers = ug_markers_create(frames, points, ug_rate_make(60000, 1001));
    assert_non_null(take->markers);
    take->markers->first_frame = 3;
    for (size_t i = 0; i < points; i++) {
        take->markers->labels[i] = ug_text_format("M%zu", i);
        take->markers->subjects[i] = ug_text_copy(i % 2 ? "s02" : "");
        for (size_t f = 0; f < frames; f++) {
            const ug_vec3 at = { 0.1 * (double)i, 1.0 + 0.01 * (double)f, -0.5 };
            ug_markers_set_m(take->markers, f, i, at, UG_ORIGIN_MEASURED);
            take->markers->residuals[ug_markers_index(take->markers, f, i)] = 0.0f;
        }
    }
}

static void test_a_new_take_becomes_intel_float(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    make_take(&take, 5, 300);
    ug_markers_clear(take.markers, 2, 1);
    take.markers->kinds[7] = UG_POINT_MOMENT;
    take.markers->kinds[8] = UG_POINT_VIRTUAL;
    take.markers->residuals[0] = 0.75f;
    take.analog = ug_analog_create(5, 2, 3);
    for (size_t c = 0; c < 3; c++) {
        take.analog->labels[c] = ug_text_format("A%zu", c);
        take.analog->units[c] = ug_text_copy(c ? "V" : "N");
        take.analog->scale[c] = 0.1 * (double)(c + 1);
        take.analog->offset[c] = c == 1 ? 0.5 : 7;
    }
    for (size_t i = 0; i < 30; i++) {
        take.analog->raw[i] = 0.1f * (float)i;
    }
    take.analog->gen_scale = 2;
    assert_int_equal(ug_events_add(&take.events, "Foot Strike", "Left", "s02", 61.5), 0);
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(again.source.processor, 'I');
    assert_false(again.source.integer_samples);
    assert_string_equal(again.source.unit, "m");
    assert_false(again.source.unit_inferred || again.source.axes_inferred);
    // floats hold 0.1 and 0.3 only so well
    for (size_t c = 0; c < 3; c++) {
        assert_true((float)take.analog->scale[c] == (float)again.analog->scale[c]);
        take.analog->scale[c] = again.analog->scale[c];
    }
    for (size_t i = 0; i < 5 * 300; i++) {
        if (take.markers->kinds[i % 300] >= UG_POINT_ANGLE && take.markers->origin[i]) {
            take.markers->origin[i] = UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED;
        }
    }
    assert_true(fabs((double)again.markers->residuals[0] - 0.75) < 1e-6);
    take.markers->residuals[0] = again.markers->residuals[0];
    assert_null(markers_difference(take.markers, again.markers));
    assert_null(analog_difference(take.analog, again.analog));
    assert_null(events_difference(&take.events, &again.events));
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_70000_frames_are_told_by_every_convention(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    make_take(&take, 70000, 1);
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(again.markers->frame_count, 70000);
    const ug_parameters *tree = &again.source.parameters;
    assert_true(ug_parameter_number(ug_parameters_find(tree, "POINT", "FRAMES"), 0, true) == 65535);
    assert_true(ug_parameter_number(ug_parameters_find(tree, "POINT", "LONG_FRAMES"), 0, false) ==
                70000);
    const ug_parameter *end = ug_parameters_find(tree, "TRIAL", "ACTUAL_END_FIELD");
    assert_true(ug_parameter_number(end, 0, true) + 65536 * ug_parameter_number(end, 1, true) ==
                70002);
    assert_int_equal(again.source.header[8] + 256 * again.source.header[9], 65535);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);

    // and past 16 bits from the start
    take.markers->first_frame = 100000;
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);
    ug_take_fini(&take);
}

// The header cannot count them and the source had no POINT:FRAMES.
static void test_a_last_frame_past_16_bits(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    c3d_file f;
    ug_error err = { 0 };
    static const char *const LABELS[] = { "M1" };
    file_begin(&f, 'I');
    file_basics(&f, 1, 1, -1.0, 100.0);
    file_texts(&f, "POINT", "LABELS", 4, 1, LABELS);
    file_point(&f, false, 1, 2, 3, 0);
    file_finish(&f);
    ug_take_init(&take);
    assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, NULL, NULL, &err), UG_OK);
    ug_markers_destroy(take.markers);
    ug_take longer;
    make_take(&longer, 42, 1);
    take.markers = longer.markers;
    take.markers->first_frame = 65512;
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);
    take.markers->first_frame = 100000;
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    // readers that know only the header see 42 frames from 1 on
    assert_int_equal(again.source.header[6] + 256 * again.source.header[7], 1);
    assert_int_equal(again.source.header[8] + 256 * again.source.header[9], 42);
    ug_take_fini(&again);
    ug_take_fini(&take);
    longer.markers = NULL;
    ug_take_fini(&longer);
    file_end(&f);
}

static void test_a_marker_that_rests_at_the_origin(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    make_take(&take, 20, 2);
    for (size_t f = 0; f < 20; f++) {
        ug_markers_set_m(take.markers, f, 0, (ug_vec3){ 0, 0, 0 }, UG_ORIGIN_MEASURED);
        take.markers->residuals[2 * f] = 0.0f;
    }
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);
    ug_take_fini(&take);
}

static void test_float_frames_stay_float(void **state)
{
    (void)state;
    ug_take take, again, grown;
    ug_warnings warnings;
    read_source(&take, 'I', false, true);
    // the same tree over a longer take
    make_take(&grown, 70000, 1);
    ug_source kept = grown.source;
    grown.source = take.source;
    ug_analog *analog = take.analog;
    take.analog = NULL;
    write_and_read(&grown, &again, NULL, &warnings);
    const ug_parameter *p = ug_parameters_find(&again.source.parameters, "POINT", "FRAMES");
    assert_int_equal(p->type, UG_PARAMETER_FLOAT);
    assert_true(ug_parameter_number(p, 0, false) == 70000);
    grown.source = kept;
    take.analog = analog;
    ug_take_fini(&again);
    ug_take_fini(&grown);
    ug_take_fini(&take);
}

static void test_filled_samples_are_written_valid(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    read_source(&take, 'M', true, false);
    ug_markers *m = take.markers;
    assert_false(ug_markers_present(m, 0, 0));
    ug_markers_set_m(m, 0, 0, (ug_vec3){ 0.1234, 0.2, 0.3 }, UG_ORIGIN_FILLED);
    m->method[0] = UG_FILL_CUBIC;
    write_and_read(&take, &again, NULL, &warnings);
    assert_true(again.source.integer_samples);
    assert_true(ug_markers_present(again.markers, 0, 0));
    assert_true(fabs((double)again.markers->positions[0] - 123.4) <= 0.05);
    assert_true(again.markers->residuals[0] == 0.0f);
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_integers_that_no_longer_fit_become_float(void **state)
{
    (void)state;
    for (int analog = 0; analog < 2; analog++) {
        ug_take take, again;
        ug_warnings warnings;
        read_source(&take, 'D', true, false);
        if (analog) {
            take.analog->raw[3] = 0.5f;
        } else {
            ug_markers_set_m(take.markers, 0, 0, (ug_vec3){ 4, 0, 0 }, UG_ORIGIN_FILLED);
        }
        write_and_read(&take, &again, NULL, &warnings);
        assert_false(again.source.integer_samples);
        assert_int_equal(again.source.processor, 'D');
        assert_int_equal(ug_warnings_count(&warnings, "c3d_integer_to_float"), 1);
        assert_null(analog_difference(take.analog, again.analog));
        for (size_t i = 1; i < FRAMES * POINTS; i++) {
            assert_int_equal(take.markers->origin[i], again.markers->origin[i]);
            assert_true(!take.markers->origin[i] ||
                        take.markers->positions[3 * i] == again.markers->positions[3 * i]);
        }
        ug_take_fini(&take);
        ug_take_fini(&again);
    }
}

static void test_what_dec_cannot_hold_becomes_intel(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    read_source(&take, 'D', false, false);
    take.analog->raw[0] = 3e38f;
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(again.source.processor, 'I');
    assert_int_equal(ug_warnings_count(&warnings, "c3d_processor_changed"), 1);
    assert_null(markers_difference(take.markers, again.markers));
    assert_null(analog_difference(take.analog, again.analog));
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_changed_labels_take_their_descriptions_along(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    read_source(&take, 'I', false, false);
    ug_markers *m = take.markers;
    char *first = m->labels[0];
    m->labels[0] = m->labels[1];
    m->labels[1] = first;
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    const ug_parameter *d = ug_parameters_find(&again.source.parameters, "POINT", "DESCRIPTIONS");
    char *text = ug_parameter_string(d, 0);
    assert_string_equal(text, "second");
    free(text);
    // what nobody touched is as it was
    assert_non_null(ug_parameters_find(&again.source.parameters, "TRIAL", "DATE"));
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_another_rate_reaches_header_and_parameters(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    read_source(&take, 'M', false, false);
    take.markers->rate = ug_rate_make(50, 1);
    write_and_read(&take, &again, NULL, &warnings);
    assert_true(ug_rate_equal(again.markers->rate, ug_rate_make(50, 1)));
    const ug_parameter *p = ug_parameters_find(&again.source.parameters, "ANALOG", "RATE");
    assert_true(ug_parameter_number(p, 0, false) == 50 * SAMPLES);
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_another_unit_and_vertical(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    const ug_write_opts opts = { .unit = "m", .up = "Z" };
    read_source(&take, 'I', false, false);
    write_and_read(&take, &again, &opts, &warnings);
    assert_string_equal(again.source.unit, "m");
    assert_true(again.markers->scale_m == 1.0);
    assert_int_equal(again.source.axes.from[1], 2);
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t i = 0; i < POINTS; i++) {
            if (!ug_markers_present(take.markers, f, i)) {
                assert_false(ug_markers_present(again.markers, f, i));
                continue;
            }
            const float *a = take.markers->positions + 3 * (f * POINTS + i);
            const float *b = again.markers->positions + 3 * (f * POINTS + i);
            const double factor = i == 3 ? 1 : 0.001; // degrees stay degrees
            for (int k = 0; k < 3; k++) {
                assert_true(fabs((double)a[k] * factor - (double)b[k]) < 1e-6);
            }
        }
    }
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_more_markers_than_the_source_had(void **state)
{
    (void)state;
    ug_take take, again, wide;
    ug_warnings warnings;
    read_source(&take, 'I', false, false);
    make_take(&wide, FRAMES, 260);
    ug_markers *narrow = take.markers;
    take.markers = wide.markers; // these are in metres, the source was in millimetres
    write_and_read(&take, &again, NULL, &warnings);
    assert_string_equal(again.source.unit, "m");
    assert_null(markers_difference(take.markers, again.markers));
    assert_null(analog_difference(take.analog, again.analog));
    take.markers = narrow;
    ug_take_fini(&again);
    ug_take_fini(&take);
    ug_take_fini(&wide);
}

static void test_a_residual_past_255_steps_is_told(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    read_source(&take, 'I', false, false);
    take.markers->residuals[1] = 40.0f; // in steps of 0.1
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_residual_cut"), 1);
    assert_true(fabs((double)again.markers->residuals[1] - 25.5) < 1e-5);
    ug_take_fini(&take);
    ug_take_fini(&again);
}

static void test_nothing_and_one_frame(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    make_take(&take, 1, 1);
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);
    ug_take_fini(&take);
    make_take(&take, 4, 0);
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(again.markers->frame_count, 4);
    assert_int_equal(again.markers->marker_count, 0);
    ug_take_fini(&again);
    ug_take_fini(&take);
    make_take(&take, 3, 2);
    for (size_t i = 0; i < 6; i++) {
        ug_markers_clear(take.markers, i / 2, i % 2);
    }
    write_and_read(&take, &again, NULL, &warnings);
    assert_null(markers_difference(take.markers, again.markers));
    ug_take_fini(&again);
    ug_take_fini(&take);
}

static void assert_not_written(const ug_take *take, const ug_write_opts *opts, ug_status status,
                               const char *message)
{
    ug_error err = { 0 };
    struct stat before, after;
    FILE *old = fopen(path, "w");
    assert_non_null(old);
    (void)fputs("the old file", old);
    (void)fclose(old);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(ug_c3d_write(path, take, opts, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    assert_int_equal(before.st_ino, after.st_ino);
}

static void test_refusals(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    assert_not_written(&take, NULL, UG_E_NOT_ENOUGH, "there are no markers to write as C3D");
    make_take(&take, 3, 2);
    take.analog = ug_analog_create(2, 1, 1);
    assert_not_written(&take, NULL, UG_E_DATA,
                       "markers have 3 frames and analog 2; C3D keeps both frame by frame");
    ug_analog_destroy(take.analog);
    take.analog = NULL;
    assert_not_written(&take, &(ug_write_opts){ .unit = "ell" }, UG_E_USAGE,
                       "'ell' is not a unit; write mm, cm, m, in or ft");
    assert_not_written(&take, &(ug_write_opts){ .up = "up" }, UG_E_USAGE,
                       "'up' is not an axis; write +X, -X, +Y, -Y, +Z or -Z");
    take.markers->rate = (ug_rate){ 0, 0 };
    assert_not_written(&take, NULL, UG_E_DATA, "the markers have no frame rate");
    ug_take_fini(&take);
    make_take(&take, 1, 65536);
    assert_not_written(&take, NULL, UG_E_DATA,
                       "C3D counts to 65535; the take has 65536 points, 0 channels");
    ug_take_fini(&take);

    ug_error err = { 0 };
    make_take(&take, 1, 1);
    assert_int_equal(ug_c3d_write("/nonexistent/take.c3d", &take, NULL, NULL, &err), UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: No such file or directory");
    ug_take_fini(&take);
}

static void test_a_negative_first_frame_is_told(void **state)
{
    (void)state;
    ug_take take, again;
    ug_warnings warnings;
    make_take(&take, 2, 1);
    take.markers->first_frame = -5;
    write_and_read(&take, &again, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_first_frame"), 1);
    assert_int_equal(again.markers->first_frame, 0);
    ug_take_fini(&take);
    ug_take_fini(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_encodings_round_trip),
        cmocka_unit_test(test_a_new_take_becomes_intel_float),
        cmocka_unit_test(test_70000_frames_are_told_by_every_convention),
        cmocka_unit_test(test_a_last_frame_past_16_bits),
        cmocka_unit_test(test_a_marker_that_rests_at_the_origin),
        cmocka_unit_test(test_float_frames_stay_float),
        cmocka_unit_test(test_filled_samples_are_written_valid),
        cmocka_unit_test(test_integers_that_no_longer_fit_become_float),
        cmocka_unit_test(test_what_dec_cannot_hold_becomes_intel),
        cmocka_unit_test(test_changed_labels_take_their_descriptions_along),
        cmocka_unit_test(test_another_rate_reaches_header_and_parameters),
        cmocka_unit_test(test_another_unit_and_vertical),
        cmocka_unit_test(test_more_markers_than_the_source_had),
        cmocka_unit_test(test_a_residual_past_255_steps_is_told),
        cmocka_unit_test(test_nothing_and_one_frame),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_negative_first_frame_is_told),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
