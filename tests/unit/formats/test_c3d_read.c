// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_read.c, c3d_frame.c and c3d_analog.c.
#include "formats/c3d.h"
#include "tests/support/c3d_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

enum { POINTS = 3, FRAMES = 5, CHANNELS = 2, SAMPLES = 5 };

static const char *const LABELS[] = { "M1", "M2", "M3" };

static double coordinate(int frame, int point, int axis)
{
    return 100.0 * point - 333.3 * axis + 17.7 * frame;
}

// The same take in any of the six encodings.
static void begin(c3d_file *f, char processor, bool is_integer)
{
    const double scale = 0.05;
    file_begin(f, processor);
    file_basics(f, POINTS, FRAMES, is_integer ? scale : -scale, 100.0);
    file_texts(f, "POINT", "LABELS", 4, POINTS, LABELS);
    header_word(f, 3, CHANNELS * SAMPLES);
    header_word(f, 10, SAMPLES);
    file_number(f, "ANALOG", "USED", CHANNELS);
    const double scales[2] = { 0.5, 2.0 };
    const int offsets[2] = { 0, 3 }, two = 2;
    file_float(f, "ANALOG", "RATE", 500);
    file_float(f, "ANALOG", "GEN_SCALE", 2.0);
    file_reals(f, "ANALOG", "SCALE", 2, scales, 1, &two);
    file_words(f, "ANALOG", "OFFSET", 2, offsets, 1, &two);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int p = 0; p < POINTS; p++) {
            const double unit = is_integer ? scale : 1.0;
            const bool lost = p == 1 && frame == 2;
            file_point(f, is_integer, coordinate(frame, p, 0) / unit,
                       coordinate(frame, p, 1) / unit, coordinate(frame, p, 2) / unit,
                       lost ? -1 : 256 * 3 + 4);
        }
        // sample by sample, all channels of one before the next
        for (int k = 0; k < SAMPLES; k++) {
            for (int c = 0; c < CHANNELS; c++) {
                const int value = c == 0 ? 1 : SAMPLES * frame + k;
                if (is_integer) {
                    file_word(f, &f->samples, value);
                } else {
                    file_real(f, &f->samples, value);
                }
            }
        }
    }
    file_finish(f);
}

static void test_s03_six_encodings_agree(void **state)
{
    (void)state;
    for (const char *p = "IDM"; *p; p++) {
        for (int is_integer = 0; is_integer < 2; is_integer++) {
            c3d_file f;
            ug_take take;
            ug_warnings warnings = { 0 };
            ug_error err = { 0 };
            ug_take_init(&take);
            begin(&f, *p, is_integer);
            assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, NULL, &warnings, &err),
                             UG_OK);
            const ug_markers *m = take.markers;
            assert_int_equal(m->marker_count, POINTS);
            assert_int_equal(m->frame_count, FRAMES);
            assert_int_equal(take.source.processor, *p);
            assert_int_equal(take.source.integer_samples, is_integer);
            assert_true(m->scale_m == 0.001);
            for (size_t i = 0; i < POINTS * FRAMES; i++) {
                const int frame = (int)i / POINTS, point = (int)i % POINTS;
                if (point == 1 && frame == 2) {
                    assert_int_equal(m->origin[i], 0);
                    continue;
                }
                for (int a = 0; a < 3; a++) {
                    const double off =
                        (double)m->positions[3 * i + (size_t)a] - coordinate(frame, point, a);
                    assert_true(fabs(off) <= (is_integer ? 0.02501 : 1e-4));
                }
                assert_int_equal(m->cameras[i], 3);
                assert_true(fabs((double)m->residuals[i] - 0.2) < 1e-7);
            }
            assert_int_equal(ug_warnings_count(&warnings, "c3d_labels_missing"), CHANNELS);
            assert_int_equal(warnings.count, 1);
            ug_take_fini(&take);
            file_end(&f);
        }
    }
}

static void test_s05_analog_channels_are_not_shuffled(void **state)
{
    (void)state;
    c3d_file f;
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    begin(&f, 'I', false);
    assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, NULL, NULL, &err), UG_OK);
    const ug_analog *a = take.analog;
    assert_int_equal(a->channel_count, CHANNELS);
    assert_int_equal(a->samples_per_frame, SAMPLES);
    for (size_t i = 0; i < FRAMES * SAMPLES; i++) {
        assert_true(a->raw[2 * i] == 1.0f);
        assert_true(a->raw[2 * i + 1] == (float)i);
        // (raw − offset) · scale · gen_scale
        assert_true(ug_analog_value(a, i / SAMPLES, i % SAMPLES, 1) == ((double)i - 3) * 2 * 2);
    }
    assert_string_equal(a->labels[0], "analog_1");
    ug_take_fini(&take);
    file_end(&f);
}

static void test_unsigned_analog(void **state)
{
    (void)state;
    for (int is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        c3d_file f;
        ug_take take;
        ug_error err = { 0 };
        const int offset = -32768, one = 1;
        ug_take_init(&take);
        file_begin(&f, 'M');
        file_basics(&f, 0, 1, 1.0, 100.0);
        header_word(&f, 3, 1);
        header_word(&f, 10, 1);
        file_number(&f, "ANALOG", "USED", 1);
        file_text(&f, "ANALOG", "FORMAT", is_unsigned ? "UNSIGNED" : "SIGNED");
        file_words(&f, "ANALOG", "OFFSET", 1, &offset, 1, &one);
        file_word(&f, &f.samples, 40000);
        file_finish(&f);
        assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, NULL, NULL, &err), UG_OK);
        assert_true(take.analog->raw[0] == (is_unsigned ? 40000.0f : 40000.0f - 65536.0f));
        assert_true(take.analog->offset[0] == (is_unsigned ? 32768.0 : -32768.0));
        assert_int_equal(take.markers->marker_count, 0);
        assert_int_equal(take.markers->frame_count, 1);
        ug_take_fini(&take);
        file_end(&f);
    }
}

// x y z = 1 2 3 under the given declarations.
static ug_status read_framed(ug_take *take, const char *unit, const char *x_screen,
                             const char *y_screen, const ug_read_opts *opts, ug_warnings *warnings,
                             ug_error *err)
{
    c3d_file f;
    file_begin(&f, 'I');
    header_word(&f, 2, 1);
    header_word(&f, 4, 1);
    header_word(&f, 5, 1);
    header_real(&f, 7, -1);
    header_real(&f, 11, 100);
    file_text(&f, "POINT", "LABELS", "M1");
    if (unit) {
        file_text(&f, "POINT", "UNITS", unit);
    }
    if (x_screen) {
        file_text(&f, "POINT", "X_SCREEN", x_screen);
    }
    if (y_screen) {
        file_text(&f, "POINT", "Y_SCREEN", y_screen);
    }
    file_point(&f, false, 1, 2, 3, 0);
    file_finish(&f);
    *warnings = (ug_warnings){ 0 };
    *err = (ug_error){ 0 };
    ug_take_init(take);
    const ug_status status = ug_c3d_parse(take, f.whole.data, f.whole.size, opts, warnings, err);
    file_end(&f);
    return status;
}

static void test_declared_axes_and_unit(void **state)
{
    (void)state;
    static const struct {
        const char *x, *y;
        float expected[3];
    } CASES[] = { { "+X", "+Z", { 1, 3, -2 } },  { "+Y", "+Z", { 2, 3, 1 } },
                  { "-Y", "+Z", { -2, 3, -1 } }, { "-X", "-Z", { -1, -3, -2 } },
                  { "+X", "+Y", { 1, 2, 3 } },   { NULL, "+Z", { 1, 3, -2 } } };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_take take;
        ug_warnings warnings;
        ug_error err;
        assert_int_equal(read_framed(&take, "cm", CASES[i].x, CASES[i].y, NULL, &warnings, &err),
                         UG_OK);
        assert_memory_equal(take.markers->positions, CASES[i].expected, sizeof CASES[i].expected);
        assert_true(take.markers->scale_m == 0.01);
        assert_string_equal(take.source.unit, "cm");
        assert_false(take.source.axes_inferred || take.source.unit_inferred);
        assert_int_equal(warnings.count, 0);
        ug_take_fini(&take);
    }
}

static void test_undeclared_and_not_inferable_is_ambiguous(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    assert_int_equal(read_framed(&take, "mm", NULL, NULL, NULL, &warnings, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message,
                        "the file declares no vertical and the markers do not tell; give --up");
    assert_null(take.markers);
    assert_int_equal(read_framed(&take, NULL, NULL, NULL, NULL, &warnings, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message, "the file declares no vertical and no unit and the markers do "
                                     "not tell; give --up and --unit");
    assert_int_equal(read_framed(&take, "furlong", "+X", "+X", NULL, &warnings, &err),
                     UG_E_AMBIGUOUS);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_unit_unreadable"), 1);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_axes_unreadable"), 1);
}

static void test_the_user_knows_better(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    ug_read_opts opts = { .unit = "m", .up = "Z", .rate = { 30, 1 } };
    assert_int_equal(read_framed(&take, "mm", "+X", "+Y", &opts, &warnings, &err), UG_OK);
    assert_true(take.markers->positions[1] == 3.0f);
    assert_true(take.markers->scale_m == 1.0);
    assert_int_equal(take.markers->rate.num, 30);
    assert_true(take.source.unit_inferred && take.source.axes_inferred);
    assert_true(take.source.unit_stated && take.source.axes_stated);
    ug_take_fini(&take);
    opts.unit = "smoot";
    assert_int_equal(read_framed(&take, "mm", "+X", "+Y", &opts, &warnings, &err), UG_E_USAGE);
    assert_string_equal(err.message, "'smoot' is not a unit; write mm, cm, m, in or ft");
    opts = (ug_read_opts){ .up = "W" };
    assert_int_equal(read_framed(&take, "mm", "+X", "+Y", &opts, &warnings, &err), UG_E_USAGE);
    assert_string_equal(err.message, "'W' is not an axis; write +X, -X, +Y, -Y, +Z or -Z");
    assert_null(take.markers);
}

// Five landmarks above each other along the file's Z.
static ug_status read_standing(ug_take *take, const char *y_screen, ug_warnings *warnings)
{
    static const char *const NAMES[] = { "LFHD", "C7", "LASI", "LKNE", "LTOE" };
    static const double HEIGHTS[] = { 1650, 1450, 980, 480, 30 };
    c3d_file f;
    ug_error err = { 0 };
    file_begin(&f, 'I');
    header_word(&f, 2, 5);
    header_word(&f, 4, 1);
    header_word(&f, 5, 3);
    header_real(&f, 7, -1);
    header_real(&f, 11, 100);
    file_texts(&f, "POINT", "LABELS", 4, 5, NAMES);
    if (y_screen) {
        file_text(&f, "POINT", "Y_SCREEN", y_screen);
        file_text(&f, "POINT", "UNITS", "mm");
    }
    for (int i = 0; i < 15; i++) {
        file_point(&f, false, 10 * i, 5, HEIGHTS[i % 5], 0);
    }
    file_finish(&f);
    *warnings = (ug_warnings){ 0 };
    ug_take_init(take);
    const ug_status status = ug_c3d_parse(take, f.whole.data, f.whole.size, NULL, warnings, &err);
    file_end(&f);
    return status;
}

static void test_a_declaration_against_the_body_is_doubted(void **state)
{
    (void)state;
    static const char *const SAID[] = { "+Y", "-Z", "+X" };
    for (size_t i = 0; i < 3; i++) {
        ug_take take;
        ug_warnings warnings;
        char words[160];
        assert_int_equal(read_standing(&take, SAID[i], &warnings), UG_OK);
        assert_int_equal(warnings.count, 1);
        assert_string_equal(warnings.items[0].code, "c3d_axes_doubtful");
        (void)snprintf(words, sizeof words,
                       "POINT:Y_SCREEN says %s is up, but the body stands along +Z; if so, give "
                       "--up +Z",
                       SAID[i]);
        assert_string_equal(warnings.items[0].first, words);
        ug_take_fini(&take);
    }
    ug_take take;
    ug_warnings warnings;
    assert_int_equal(read_standing(&take, "+Z", &warnings), UG_OK);
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
}

static void test_undeclared_is_inferred_recorded_and_told(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings;
    assert_int_equal(read_standing(&take, NULL, &warnings), UG_OK);
    assert_true(take.source.unit_inferred && take.source.axes_inferred);
    assert_false(take.source.unit_stated || take.source.axes_stated);
    assert_string_equal(take.source.unit, "mm");
    assert_true(take.markers->scale_m == 0.001);
    assert_true(take.markers->positions[1] == 1650.0f); // our y is the file's z
    assert_int_equal(ug_warnings_count(&warnings, "unit_inferred"), 1);
    assert_int_equal(ug_warnings_count(&warnings, "axes_inferred"), 1);
    assert_int_equal(warnings.count, 2);
    ug_take_fini(&take);
}

static void assert_refused(const uint8_t *data, size_t size, const char *message)
{
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    assert_int_equal(ug_c3d_parse(&take, data, size, NULL, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, message);
    assert_null(take.markers);
    assert_int_equal(take.source.parameters.count, 0);
}

static void test_refusals(void **state)
{
    (void)state;
    c3d_file f;
    begin(&f, 'I', false);
    assert_refused(NULL, 0, "is empty");
    assert_refused((const uint8_t *)"HIERARCHY", 9, "is no C3D file: its second byte is not 0x50");
    assert_refused(f.whole.data, 100, "is cut off inside the header: 100 of 512 bytes");
    assert_refused(f.whole.data, 600 - 88, "is cut off before its parameters, at byte 512");
    uint8_t *copy = malloc(f.whole.size);
    memcpy(copy, f.whole.data, f.whole.size);
    copy[512 + 3] = 99; // the processor
    assert_refused(copy, f.whole.size,
                   "no parameter section at block 2, where the header says, nor elsewhere");
    free(copy);
    file_end(&f);
}

static void test_a_wrong_parameter_block_is_found(void **state)
{
    (void)state;
    c3d_file f;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    begin(&f, 'D', false);
    f.whole.data[0] = 9;
    ug_take_init(&take);
    assert_int_equal(ug_c3d_parse(&take, f.whole.data, f.whole.size, NULL, &warnings, &err), UG_OK);
    assert_int_equal(take.markers->frame_count, FRAMES);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_parameter_block"), 1);
    assert_string_equal(warnings.items[0].first,
                        "the header says the parameters begin at block 9; they were found at block "
                        "2");
    ug_take_fini(&take);
    file_end(&f);
}

static void test_files_and_recognition(void **state)
{
    (void)state;
    char path[] = "/tmp/ugoki-c3d-read-XXXXXX";
    c3d_file f;
    ug_take take;
    ug_error err = { 0 };
    begin(&f, 'M', true);
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, f.whole.data, f.whole.size), (ssize_t)f.whole.size);
    close(fd);
    ug_take_init(&take);
    assert_int_equal(ug_format_c3d.read(&take, path, NULL, NULL, &err), UG_OK);
    assert_string_equal(take.source.format, "c3d");
    ug_take_fini(&take);
    (void)unlink(path);
    assert_int_equal(ug_c3d_read(&take, path, NULL, NULL, &err), UG_E_IO);
    assert_string_equal(err.where, path);

    assert_true(ug_format_c3d.matches(f.whole.data, f.whole.size));
    assert_false(ug_format_c3d.matches(f.whole.data, 100));
    char text[600];
    memset(text, ' ', sizeof text);
    memcpy(text, "\"Position", 9);
    text[1] = 'P';
    assert_false(ug_format_c3d.matches((const uint8_t *)text, sizeof text));
    file_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s03_six_encodings_agree),
        cmocka_unit_test(test_s05_analog_channels_are_not_shuffled),
        cmocka_unit_test(test_unsigned_analog),
        cmocka_unit_test(test_declared_axes_and_unit),
        cmocka_unit_test(test_undeclared_and_not_inferable_is_ambiguous),
        cmocka_unit_test(test_the_user_knows_better),
        cmocka_unit_test(test_a_declaration_against_the_body_is_doubted),
        cmocka_unit_test(test_undeclared_is_inferred_recorded_and_told),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_wrong_parameter_block_is_found),
        cmocka_unit_test(test_files_and_recognition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
