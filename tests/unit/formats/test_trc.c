// SPDX-License-Identifier: MIT
// TRC, read and written: formats/trc_read.c, trc_header.c, trc_write.c and marker_rows.c.
#include "formats/trc.h"

#include "tests/support/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define HEAD(rate, frames, markers, unit)                                                          \
    "PathFileType\t4\t(X/Y/Z)\tx.trc\n"                                                            \
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"       \
    "OrigNumFrames\n" rate "\t" rate "\t" frames "\t" markers "\t" unit "\t" rate "\t1\t" frames   \
    "\n"
#define NAMES "Frame#\tTime\tM1\t\t\tM2\t\t\tM3\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3\n\n"

typedef struct read_result {
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    ug_status status;
} read_result;

static read_result parse(const char *text, const ug_read_opts *opts)
{
    static const ug_read_opts Y_UP = { .up = "+Y" };
    read_result r = { .status = UG_OK };
    ug_take_init(&r.take);
    ug_bytes bytes = { .data = calloc(1, strlen(text) + 64), .size = strlen(text) };
    memcpy(bytes.data, text, bytes.size);
    r.status = ug_trc_parse(&r.take, &bytes, "x.trc", opts ? opts : &Y_UP, &r.warnings, &r.err);
    ug_bytes_fini(&bytes);
    return r;
}

static read_result parse_well(const char *text)
{
    read_result r = parse(text, NULL);
    if (r.status != UG_OK) {
        print_error("%s: %s\n", r.err.where, r.err.message);
    }
    assert_int_equal(r.status, UG_OK);
    return r;
}

static void assert_position(const ug_markers *m, size_t frame, size_t marker, float x, float y,
                            float z)
{
    const float *p = m->positions + 3 * ug_markers_index(m, frame, marker);
    assert_true(ug_markers_present(m, frame, marker));
    assert_true(p[0] == x && p[1] == y && p[2] == z);
}

// blank cells must not shift what stands to their right
static void test_blank_cells_are_missing(void **state)
{
    (void)state;
    read_result r = parse_well(HEAD("100", "3", "3", "mm") NAMES "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n"
                                                                 "2\t0.01\t1\t2\t3\t\t\t\t7\t8\t9\n"
                                                                 "3\t0.02\t1\t2\t3\t4\t5\t6\n");
    const ug_markers *m = r.take.markers;
    assert_int_equal(m->frame_count, 3);
    assert_int_equal(m->marker_count, 3);
    assert_string_equal(m->labels[1], "M2");
    assert_string_equal(m->subjects[1], "");
    assert_false(ug_markers_present(m, 1, 1));
    assert_true(isnan(m->positions[3 * ug_markers_index(m, 1, 1)]));
    assert_position(m, 1, 2, 7, 8, 9);
    assert_false(ug_markers_present(m, 2, 2));
    assert_position(m, 2, 1, 4, 5, 6);
    assert_int_equal(m->origin[0], UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED);
    assert_true(m->residuals[0] == 0.0f && m->residuals[ug_markers_index(m, 1, 1)] == -1.0f);
    assert_true(ug_rate_equal(m->rate, ug_rate_make(100, 1)));
    assert_int_equal(m->first_frame, 1);
    assert_true(m->scale_m == 0.001 && r.take.source.unit_m == 0.001);
    assert_string_equal(r.take.source.unit, "mm");
    assert_string_equal(r.take.source.format, "trc");
    assert_int_equal(r.warnings.count, 0);
    ug_take_fini(&r.take);
}

static void test_nan_and_partial_samples(void **state)
{
    (void)state;
    read_result r =
        parse_well(HEAD("100", "2", "3", "mm") NAMES "1\t0\tnan\tNaN\tNAN\t4\t\t6\t1e30\t2\t3\n"
                                                     "2\t0.01\tinf\t1\t1\t1\t1\t1\t1e300\t2\t3\n");
    const ug_markers *m = r.take.markers;
    assert_false(ug_markers_present(m, 0, 0));
    assert_false(ug_markers_present(m, 0, 1));
    assert_true(ug_markers_present(m, 0, 2));
    assert_false(ug_markers_present(m, 1, 0));
    assert_false(ug_markers_present(m, 1, 2));
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_not_finite"), 3);
    assert_string_equal(r.warnings.items[0].first,
                        "line 7, frame 1, marker 'M1': a coordinate is nan or infinite; "
                        "taken as missing");
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_partial_sample"), 1);
    assert_string_equal(r.warnings.items[1].first,
                        "line 7, marker 'M2': only 2 of 3 coordinates; taken as missing");
    ug_take_fini(&r.take);
}

static void test_errors_name_line_and_marker(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        { "", "line 1 must begin with PathFileType: not a TRC file" },
        { "HIERARCHY\n", "line 1 must begin with PathFileType: not a TRC file" },
        { "PathFileType\t4\n",
          "lines 2 and 3 must be DataRate, CameraRate, NumFrames … and their values" },
        { HEAD("100", "1", "1", "mm") "Names\n",
          "line 4 must be Frame#, Time and the markers' names" },
        { HEAD("100", "0", "3", "mm") NAMES, "there are no rows of data" },
        { HEAD("100", "1", "3", "mm") NAMES "1\t0\t1\t2\t3\t4\tx5\t6\t7\t8\t9\n",
          "line 7, marker 'M2', Y: 'x5' is not a number" },
        { HEAD("100", "1", "3", "mm") NAMES "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n",
          "line 7: 10 coordinates, but the 3 markers named in line 4 take 9" },
        { HEAD("100", "2", "3", "mm") NAMES // one more triple, but in this row alone
          "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n"
          "2\t0.01\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\n",
          "line 8: 12 coordinates, but the 3 markers named in line 4 take 9" },
        { HEAD("fast", "1", "3", "mm") NAMES "1\t0\t1\t2\t3\n",
          "neither header nor times give a frame rate: import it with --fps" },
        { HEAD("100", "1", "2", "mm") "Frame#\tTime\t\tM1\t\tM2\n\n1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9"
                                      "\n",
          "line 4: names do not stand above every third column, and 2 names for 3 markers cannot "
          "be read in order" },
        { "\xFF\xFEP", "is UTF-16 text; save it as UTF-8" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        read_result r = parse(CASES[i].text, NULL);
        assert_true(r.status == UG_E_FORMAT || r.status == UG_E_DATA);
        assert_string_equal(r.err.message, CASES[i].message);
        assert_string_equal(r.err.where, "x.trc");
        assert_null(r.take.markers);
    }
}

static void test_zero_bytes_are_no_text(void **state)
{
    (void)state;
    uint8_t data[128] = "PathFileType\0\n";
    const ug_bytes bytes = { .data = data, .size = 20 };
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    assert_int_equal(ug_trc_parse(&take, &bytes, "x.trc", NULL, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "byte 12 is zero: not a text file, or damaged");
}

static void test_shifted_header(void **state)
{
    (void)state;
    read_result r =
        parse_well("PathFileType  4\t(X/Y/Z) x\n"
                   "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
                   "OrigDataStartFrame\tOrigNumFrames\n"
                   "  59.94\t\t  100.0\t\t    1\t\t     3\t\t cm\t  100.0\t  1\t 1\n" NAMES
                   "1\t0.000\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    assert_true(ug_rate_equal(r.take.markers->rate, ug_rate_make(60000, 1001)));
    assert_string_equal(r.take.source.unit, "cm");
    assert_true(r.take.markers->scale_m == 0.01);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_header_shifted"), 1);
    assert_int_equal(r.warnings.count, 1);
    ug_take_fini(&r.take);
}

static void test_names_off_their_columns(void **state)
{
    (void)state;
    read_result r =
        parse_well(HEAD("100", "1", "3", "m") "Frame#\tTimes\t\tA\t\tB\t\tC\n\t\t\tX1\tY1\tZ1\n\n"
                                              "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    assert_string_equal(r.take.markers->labels[2], "C");
    assert_position(r.take.markers, 0, 2, 7, 8, 9);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_names_shifted"), 1);
    ug_take_fini(&r.take);
}

static void test_columns_without_a_name(void **state)
{
    (void)state;
    // a hole among the names, a wrong NumMarkers, and one trajectory behind the last name
    read_result r =
        parse_well(HEAD("100", "2", "66", "mm") "Frame#\tTime\tA\t\t\t\t\t\tC\n\t\tX1\n\n"
                                                "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\t\t\n"
                                                "2\t0.01\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\n"
                                                "3\t0.02\t1\t2\t3\t4\t5\t6\t7\t8\t9\t13\t14\t15\n");
    const ug_markers *m = r.take.markers;
    assert_int_equal(m->marker_count, 4);
    assert_string_equal(m->labels[0], "A");
    assert_string_equal(m->labels[1], "*1");
    assert_string_equal(m->labels[2], "C");
    assert_string_equal(m->labels[3], "*2");
    assert_int_equal(m->kinds[1], UG_POINT_UNLABELLED);
    assert_int_equal(m->kinds[2], UG_POINT_MARKER);
    assert_false(ug_markers_present(m, 0, 3));
    assert_position(m, 1, 3, 10, 11, 12);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_unnamed_columns"), 2);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_marker_count"), 1);
    ug_take_fini(&r.take);
}

static void test_zeros_for_gaps(void **state)
{
    (void)state;
    char text[4096] = HEAD("100", "6", "3", "mm") NAMES;
    for (int f = 1; f <= 6; f++) {
        char row[128];
        (void)snprintf(row, sizeof row, "%d\t%g\t%s\t4\t5\t6\t7\t0\t0\n", f, (f - 1) / 100.0,
                       f <= 5 ? "0\t0\t0.000" : "1\t2\t3");
        strcat(text, row);
    }
    read_result r = parse_well(text);
    assert_false(ug_markers_present(r.take.markers, 4, 0));
    assert_position(r.take.markers, 5, 0, 1, 2, 3);
    assert_position(r.take.markers, 0, 2, 7, 0, 0);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_zero_missing"), 5);
    ug_take_fini(&r.take);

    r = parse_well(HEAD("100", "2", "3", "mm") NAMES "1\t0\t0\t0\t0\t4\t5\t6\t7\t8\t9\n"
                                                     "2\t0.01\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    assert_position(r.take.markers, 0, 0, 0, 0, 0);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_zero_kept"), 1);
    ug_take_fini(&r.take);
}

static void test_line_ends_and_blank_lines(void **state)
{
    (void)state;
    static const char *const ENDS[] = { "\n", "\r\n", "\r" };
    for (int e = 0; e < 3; e++) {
        const char *source = HEAD("100", "2", "3", "mm") NAMES "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n\n"
                                                               "2\t0.01\t1\t2\t3\t4\t5\t6\t7\t8\t9"
                                                               "\t\t";
        char text[2048] = "\xEF\xBB\xBF";
        char *out = text + 3;
        for (const char *p = source; *p; p++) {
            const char one[2] = { *p, '\0' };
            out = stpcpy(out, *p == '\n' ? ENDS[e] : one);
        }
        read_result r = parse_well(text);
        assert_int_equal(r.take.markers->frame_count, 2);
        assert_int_equal(r.take.markers->marker_count, 3);
        assert_position(r.take.markers, 1, 2, 7, 8, 9);
        assert_int_equal(r.warnings.count, 0);
        ug_take_fini(&r.take);
    }
}

static void test_frame_numbers(void **state)
{
    (void)state;
    read_result r = parse_well(
        HEAD("100", "3", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                    "23\t0.23\t1\t2\t3\n24\t0.24\t4\t5\t6\n27\t0.27\t7\t8\t9\n");
    assert_int_equal(r.take.markers->frame_count, 5);
    assert_int_equal(r.take.markers->first_frame, 23);
    assert_false(ug_markers_present(r.take.markers, 3, 0));
    assert_position(r.take.markers, 4, 0, 7, 8, 9);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_frames_skipped"), 2);
    assert_int_equal(r.warnings.count, 1);
    ug_take_fini(&r.take);

    r = parse_well(HEAD("100", "2", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                               "-20\t-0.2\t1\t2\t3\n-19\t-0.19\t4\t5\t6\n");
    assert_int_equal(r.take.markers->first_frame, -20); // counted from an event, say
    assert_int_equal(r.take.markers->frame_count, 2);
    assert_int_equal(r.warnings.count, 0);
    ug_take_fini(&r.take);

    r = parse_well(
        HEAD("100", "3", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                    "7\t0\t1\t2\t3\n7\t0.01\t4\t5\t6\n-\t0.02\t7\t8\t9\n");
    assert_int_equal(r.take.markers->frame_count, 3);
    assert_position(r.take.markers, 2, 0, 7, 8, 9);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_frame_numbers"), 1);
    ug_take_fini(&r.take);
}

// a jump is filled in however short the file is, but a damaged number must not fill the memory
static void test_wide_jumps(void **state)
{
    (void)state;
    read_result r =
        parse_well(HEAD("100", "2", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                               "5\t0.05\t1\t2\t3\n9004\t90.04\t4\t5\t6\n");
    assert_int_equal(r.take.markers->frame_count, 9000);
    assert_int_equal(r.take.markers->first_frame, 5);
    assert_position(r.take.markers, 8999, 0, 4, 5, 6);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_frames_skipped"), 8998);
    assert_int_equal(r.warnings.count, 1);
    ug_take_fini(&r.take);

    r = parse_well(HEAD("100", "4", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                               "5\t0.05\t1\t2\t3\n7\t0.07\t1\t1\t1\n"
                                               "900000007\t0.08\t4\t5\t6\n"
                                               "900000008\t0.09\t7\t8\t9\n");
    assert_int_equal(r.take.markers->frame_count, 4);
    assert_position(r.take.markers, 2, 0, 4, 5, 6);
    assert_string_equal(r.warnings.items[0].code, "trc_frame_jump");
    assert_string_equal(r.warnings.items[0].first,
                        "line 9: frame 900000007 after 7 is too far to be true; nothing is put in "
                        "between, rows are taken one after the other");
    ug_take_fini(&r.take);
}

// many markers in a small file: the jump would take more memory than the file can ask for
static void test_jump_of_many_markers(void **state)
{
    (void)state;
    enum { MARKERS = 2000 };
    char *text = malloc(1 << 16), *out = text;
    out = stpcpy(out, HEAD("100", "2", "2000", "mm") "Frame#\tTime");
    for (int i = 0; i < MARKERS; i++) {
        out += sprintf(out, "\tM%d\t\t", i);
    }
    strcpy(out, "\n\tX1\n\n1\t0\t1\t2\t3\n30000\t299.99\t4\t5\t6\n");
    read_result r = parse_well(text);
    assert_int_equal(r.take.markers->frame_count, 2);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_frame_jump"), 1);
    ug_take_fini(&r.take);
    free(text);
}

static void test_rate_and_times(void **state)
{
    (void)state;
    // no usable DataRate: the times decide
    read_result r = parse_well(
        HEAD("?", "3", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                  "1\t0.000\t1\t2\t3\n2\t0.033\t4\t5\t6\n3\t0.067\t7\t8\t9\n");
    assert_true(ug_rate_equal(r.take.markers->rate, ug_rate_make(30, 1)));
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_rate_from_time"), 1);
    ug_take_fini(&r.take);

    // both, and they disagree
    r = parse_well(
        HEAD("100", "3", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                    "1\t0\t1\t2\t3\n2\t0.02\t4\t5\t6\n3\t0.04\t7\t8\t9\n");
    assert_true(ug_rate_equal(r.take.markers->rate, ug_rate_make(100, 1)));
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_time_disagrees"), 1);
    ug_take_fini(&r.take);

    // the user knows better
    const ug_read_opts opts = { .up = "Y", .rate = { 50, 1 } };
    r = parse(HEAD("100", "3", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                          "1\t0\t1\t2\t3\n2\t0.02\t4\t5\t6\n3\t0.04\t7\t8\t9\n",
              &opts);
    assert_true(ug_rate_equal(r.take.markers->rate, ug_rate_make(50, 1)));
    assert_int_equal(r.warnings.count, 0);
    ug_take_fini(&r.take);
}

static void test_counts_disagree(void **state)
{
    (void)state;
    read_result r =
        parse_well(HEAD("100", "9", "2", "mm") NAMES "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_frame_count"), 1);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_marker_count"), 1);
    assert_string_equal(r.warnings.items[0].first,
                        "the header says 9 frames, but there are 1 rows");
    ug_take_fini(&r.take);
}

static void test_counts_that_are_none(void **state)
{
    (void)state;
    read_result r = parse_well(HEAD("100", "99999999999", "-3", "mm") NAMES
                               "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    assert_int_equal(r.take.markers->frame_count, 1);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_header_value"), 2);
    assert_string_equal(r.warnings.items[0].first,
                        "line 3: NumFrames is '99999999999', not a whole number from 0 to "
                        "1073741824; the rows are counted");
    assert_int_equal(r.warnings.count, 1);
    ug_take_fini(&r.take);
}

static void test_labels(void **state)
{
    (void)state;
    read_result r = parse_well(
        HEAD("100", "1", "3",
             "mm") "Frame#\tTime\ts01:L FHD \t\t\t\xC9paule\t\t\ts01:L FHD\t\t\n\t\tX1\n\n"
                   "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
    const ug_markers *m = r.take.markers;
    assert_string_equal(m->labels[0], "L FHD");
    assert_string_equal(m->subjects[0], "s01");
    assert_string_equal(m->labels[1], "\xC3\x89paule");
    assert_string_equal(m->labels[2], "L FHD_2");
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_label_encoding"), 1);
    assert_int_equal(ug_warnings_count(&r.warnings, "trc_label_doubled"), 1);
    ug_take_fini(&r.take);
}

static void test_unit_and_up_of_the_user(void **state)
{
    (void)state;
    ug_read_opts opts = { .up = "+Z", .unit = "cm" };
    const char *text = HEAD("100", "1", "3", "mm") NAMES "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n";
    read_result r = parse(text, &opts);
    assert_int_equal(r.status, UG_OK);
    assert_position(r.take.markers, 0, 0, 1, 3, -2);
    assert_true(r.take.markers->scale_m == 0.01);
    assert_true(r.take.source.unit_inferred && r.take.source.axes_inferred);
    assert_true(r.take.source.unit_stated && r.take.source.axes_stated);
    ug_take_fini(&r.take);

    opts.unit = "mm"; // what the file says: still the file's word
    r = parse(text, &opts);
    assert_false(r.take.source.unit_inferred || r.take.source.unit_stated);
    ug_take_fini(&r.take);

    opts.unit = "furlong";
    r = parse(text, &opts);
    assert_int_equal(r.status, UG_E_USAGE);
    assert_string_equal(r.err.message,
                        "'furlong' is not a unit of length; write mm, cm, m, in or ft");
    opts = (ug_read_opts){ .up = "W" };
    r = parse(text, &opts);
    assert_int_equal(r.status, UG_E_USAGE);
    assert_null(r.take.markers);
}

static ug_take random_take(size_t frames, size_t markers)
{
    ug_take take;
    uint64_t seed = 7;
    ug_take_init(&take);
    take.markers = ug_markers_create(frames, markers, ug_rate_make(60000, 1001));
    take.markers->first_frame = 705;
    take.markers->scale_m = 0.001;
    strcpy(take.source.unit, "mm");
    take.source.unit_m = 0.001;
    assert_int_equal(ug_axes_from_names(&take.source.axes, "+Z", NULL, NULL), UG_OK);
    for (size_t i = 0; i < markers; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "M %zu", i);
        take.markers->labels[i] = strdup(label);
        take.markers->subjects[i] = strdup(i % 2 ? "Bo" : "");
    }
    for (size_t i = 0; i < frames * markers; i++) {
        if (i % 7 == 3) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            take.markers->positions[3 * i + (size_t)k] =
                (float)((double)(seed >> 20) / 17592186044416.0 * 4000.0 - 2000.0);
        }
        take.markers->origin[i] = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
    }
    return take;
}

static void test_round_trip_keeps_every_bit(void **state)
{
    (void)state;
    ug_take take = random_take(40, 9), back;
    ug_warnings warnings = { 0 };
    ug_take_init(&back);
    assert_int_equal(ug_trc_write("test_round.trc", &take, NULL, &warnings, NULL), UG_OK);
    const ug_read_opts opts = { .up = "+Z" };
    assert_int_equal(ug_trc_read(&back, "test_round.trc", &opts, &warnings, NULL), UG_OK);
    assert_int_equal(warnings.count, 0);
    const ug_markers *a = take.markers, *b = back.markers;
    assert_int_equal(b->frame_count, 40);
    assert_int_equal(b->marker_count, 9);
    assert_int_equal(b->first_frame, 705);
    assert_true(ug_rate_equal(a->rate, b->rate));
    assert_true(a->scale_m == b->scale_m);
    assert_memory_equal(a->origin, b->origin, 360 * sizeof *a->origin);
    for (size_t i = 0; i < 360; i++) {
        if (a->origin[i]) {
            assert_memory_equal(a->positions + 3 * i, b->positions + 3 * i, 12);
        }
    }
    assert_string_equal(b->labels[1], "M 1");
    assert_string_equal(b->subjects[1], "Bo");
    ug_take_fini(&take);
    ug_take_fini(&back);
    remove("test_round.trc");
}

static void test_times_start_where_they_started(void **state)
{
    (void)state;
    read_result r = parse_well(HEAD(
        "100", "2", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n23\t0.23\t1\t2\t3\n24\t0.24\t4\t5\t6\n");
    assert_int_equal(ug_trc_write("test_start.trc", &r.take, NULL, NULL, NULL), UG_OK);
    char *text = test_read_text("test_start.trc");
    assert_non_null(strstr(text, "\n23\t0.23\t1\t2\t3\n24\t0.24\t4\t5\t6\n"));
    assert_non_null(strstr(text, "PathFileType\t4\t(X/Y/Z)\ttest_start.trc\n"));
    assert_non_null(strstr(text, "\n100\t100\t2\t1\tmm\t100\t23\t2\nFrame#\tTime\tA\t\t\n"
                                 "\t\tX1\tY1\tZ1\n\n"));
    free(text);
    ug_take_fini(&r.take);
    remove("test_start.trc");
}

static void test_write_in_another_unit_and_frame(void **state)
{
    (void)state;
    read_result r = parse_well(HEAD("100", "1", "1", "mm") "Frame#\tTime\tA\n\t\tX1\n\n"
                                                           "1\t0\t1000\t2000\t3000\n");
    const ug_write_opts opts = { .unit = "m", .up = "+Z", .decimals = 2 };
    assert_int_equal(ug_trc_write("test_unit.trc", &r.take, &opts, NULL, NULL), UG_OK);
    char *text = test_read_text("test_unit.trc");
    assert_non_null(strstr(text, "\tm\t"));
    assert_non_null(strstr(text, "\n1\t0\t1.00\t-3.00\t2.00\n"));
    free(text);
    const ug_write_opts bad = { .unit = "x" };
    ug_error err = { 0 };
    assert_int_equal(ug_trc_write("test_unit.trc", &r.take, &bad, NULL, &err), UG_E_USAGE);
    ug_take_fini(&r.take);
    remove("test_unit.trc");
}

static void test_write_needs_markers(void **state)
{
    (void)state;
    ug_take take = random_take(1, 1);
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    take.markers->kinds[0] = UG_POINT_ANGLE;
    assert_int_equal(ug_trc_write("test_none.trc", &take, NULL, &warnings, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "there are no markers to write");
    assert_int_equal(ug_warnings_count(&warnings, "points_left_out"), 1);
    take.markers->kinds[0] = UG_POINT_MARKER;
    take.markers->rate = (ug_rate){ 0, 0 };
    err = (ug_error){ 0 };
    assert_int_equal(ug_trc_write("test_none.trc", &take, NULL, NULL, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "the markers have no frame rate");
    ug_take_fini(&take);
    assert_int_equal(ug_trc_write("test_none.trc", &take, NULL, NULL, NULL), UG_E_NOT_ENOUGH);
    assert_null(test_read_text("test_none.trc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blank_cells_are_missing),
        cmocka_unit_test(test_nan_and_partial_samples),
        cmocka_unit_test(test_errors_name_line_and_marker),
        cmocka_unit_test(test_zero_bytes_are_no_text),
        cmocka_unit_test(test_shifted_header),
        cmocka_unit_test(test_names_off_their_columns),
        cmocka_unit_test(test_columns_without_a_name),
        cmocka_unit_test(test_zeros_for_gaps),
        cmocka_unit_test(test_line_ends_and_blank_lines),
        cmocka_unit_test(test_frame_numbers),
        cmocka_unit_test(test_wide_jumps),
        cmocka_unit_test(test_jump_of_many_markers),
        cmocka_unit_test(test_counts_that_are_none),
        cmocka_unit_test(test_rate_and_times),
        cmocka_unit_test(test_counts_disagree),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_unit_and_up_of_the_user),
        cmocka_unit_test(test_round_trip_keeps_every_bit),
        cmocka_unit_test(test_times_start_where_they_started),
        cmocka_unit_test(test_write_in_another_unit_and_frame),
        cmocka_unit_test(test_write_needs_markers),
    };
    return cmocka_run_group_tests_name("formats/trc", tests, NULL, NULL);
}
