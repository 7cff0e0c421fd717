// SPDX-License-Identifier: MIT
#include "formats/marker_csv.h"

#include "tests/support/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct read_result {
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    ug_status status;
} read_result;

static read_result parse(const char *text)
{
    const ug_read_opts opts = { .up = "+Y", .unit = "mm" };
    read_result r = { .status = UG_OK };
    ug_take_init(&r.take);
    ug_bytes bytes = { .data = calloc(1, strlen(text) + 64), .size = strlen(text) };
    memcpy(bytes.data, text, bytes.size);
    r.status = ug_csv_parse(&r.take, &bytes, "x.csv", &opts, &r.warnings, &r.err);
    ug_bytes_fini(&bytes);
    return r;
}

static void test_read(void **state)
{
    (void)state;
    read_result r = parse("\xEF\xBB\xBF"
                          "Frame,Time,A.x,A.y,A.z,\"B,\"\"1\"\".x\",\"B,\"\"1\"\".y\","
                          "\"B,\"\"1\"\".z\"\r\n"
                          "5,0.000,1,2,3,4,5,6\r\n6,0.017,1.5,,3,,,\r\n7,0.033,7,8,9\r\n");
    assert_int_equal(r.status, UG_OK);
    const ug_markers *m = r.take.markers;
    assert_int_equal(m->frame_count, 3);
    assert_int_equal(m->marker_count, 2);
    assert_string_equal(m->labels[1], "B,\"1\"");
    assert_int_equal(m->first_frame, 5);
    assert_true(ug_rate_equal(m->rate, ug_rate_make(60, 1)));
    assert_true(ug_markers_present(m, 0, 1) && m->positions[5] == 6.0f);
    assert_false(ug_markers_present(m, 1, 0));
    assert_false(ug_markers_present(m, 1, 1));
    assert_false(ug_markers_present(m, 2, 1));
    assert_true(m->positions[3 * ug_markers_index(m, 2, 0)] == 7.0f);
    assert_string_equal(r.take.source.format, "csv");
    assert_true(r.take.source.unit_inferred);
    assert_int_equal(ug_warnings_count(&r.warnings, "csv_partial_sample"), 1);
    assert_int_equal(r.warnings.count, 1);
    ug_take_fini(&r.take);
}

static void test_rates_from_times(void **state)
{
    (void)state;
    static const struct {
        const char *times[3];
        int64_t num, den;
    } CASES[] = {
        { { "0", "0.008333", "0.016667" }, 120, 1 },
        { { "0", "0.4", "0.8" }, 5, 2 },
        { { "0", "0.0166833333", "0.0333666667" }, 60000, 1001 },
        { { "12.5", "12.51", "12.52" }, 100, 1 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "frame,time,A.x,A.y,A.z\n0,%s,1,2,3\n1,%s,1,2,3\n2,%s,1,2,3\n",
                       CASES[i].times[0], CASES[i].times[1], CASES[i].times[2]);
        read_result r = parse(text);
        assert_int_equal(r.status, UG_OK);
        assert_int_equal(r.take.markers->rate.num, CASES[i].num);
        assert_int_equal(r.take.markers->rate.den, CASES[i].den);
        assert_int_equal(r.warnings.count, 0);
        ug_take_fini(&r.take);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const char NOT_OURS[] =
        "line 1 must be frame,time,<label>.x,<label>.y,<label>.z, … : not a marker CSV; export the "
        "take as C3D or TRC, or write this header";
    static const struct {
        const char *text, *message;
    } CASES[] = {
        { "", NOT_OURS },
        { "Format Version,1.23,Take Name,test\n", NOT_OURS },
        { "frame,time\n0,0\n", NOT_OURS },
        { "frame;time;A.x;A.y;A.z\n", NOT_OURS },
        { "frame,time,A.x,A.y\n", NOT_OURS },
        { "frame,time,A.x,A.y,A.y\n", NOT_OURS },
        { "frame,time,A.x,B.y,A.z\n", "line 1: 'B.y' stands where 'A.y' must" },
        { "frame,time,A.x,A.y,A.z\n", "there are no rows of data" },
        { "frame,time,A.x,A.y,A.z\n0,0,1,2,3,4,5,6\n",
          "line 2: 6 coordinates, but the 1 markers named in line 1 take 3" },
        { "frame,time,A.x,A.y,A.z\n0,0,1,2,3\n1,0.01,1,2,zero\n",
          "line 3, marker 'A', Z: 'zero' is not a number" },
        { "frame,time,A.x,A.y,A.z\n0,0,1,2,3\n",
          "neither header nor times give a frame rate: import it with --fps" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        read_result r = parse(CASES[i].text);
        assert_true(r.status == UG_E_FORMAT || r.status == UG_E_DATA);
        assert_string_equal(r.err.message, CASES[i].message);
        assert_string_equal(r.err.where, "x.csv");
        assert_null(r.take.markers);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    ug_take take, back;
    ug_take_init(&take);
    ug_take_init(&back);
    ug_markers *m = take.markers = ug_markers_create(50, 3, ug_rate_make(107527, 1000));
    static const char *const LABELS[] = { "A", "L,\"q\".1", "*12" };
    uint64_t seed = 3;
    for (int i = 0; i < 3; i++) {
        m->labels[i] = strdup(LABELS[i]);
        m->subjects[i] = strdup(i == 0 ? "Jo" : "");
    }
    m->first_frame = 91;
    for (size_t i = 0; i < 150; i++) {
        for (size_t k = 0; k < 3 && i % 5 != 2; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            m->positions[3 * i + k] = (float)((double)(seed >> 12) / 4503599627370496.0 - 0.5);
            m->origin[i] = UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED;
        }
    }
    assert_int_equal(ug_axes_from_names(&take.source.axes, "-X", NULL, NULL), UG_OK);
    assert_int_equal(ug_csv_write("test_csv.csv", &take, NULL, NULL, NULL), UG_OK);
    const ug_read_opts opts = { .up = "-X", .unit = "m" };
    assert_int_equal(ug_csv_read(&back, "test_csv.csv", &opts, NULL, NULL), UG_OK);
    assert_int_equal(back.markers->marker_count, 3);
    assert_int_equal(back.markers->first_frame, 91);
    assert_true(ug_rate_equal(back.markers->rate, m->rate));
    assert_string_equal(back.markers->labels[1], LABELS[1]);
    assert_string_equal(back.markers->subjects[0], "Jo");
    assert_int_equal(back.markers->kinds[2], UG_POINT_UNLABELLED);
    for (size_t i = 0; i < 150; i++) {
        assert_int_equal((back.markers->origin[i] & UG_ORIGIN_PRESENT) != 0, i % 5 != 2);
        if (i % 5 != 2) {
            assert_memory_equal(m->positions + 3 * i, back.markers->positions + 3 * i, 12);
        }
    }
    ug_take_fini(&take);
    ug_take_fini(&back);
    remove("test_csv.csv");
}

static void test_text_of_a_file(void **state)
{
    (void)state;
    read_result r = parse("frame,time,A.x,A.y,A.z\n3,0,1,2.5,3\n4,0.01,,,\n");
    assert_int_equal(ug_csv_write("test_text.csv", &r.take, NULL, NULL, NULL), UG_OK);
    char *text = test_read_text("test_text.csv");
    assert_string_equal(text, "frame,time,A.x,A.y,A.z\n3,0,1,2.5,3\n4,0.01,,,\n");
    free(text);
    ug_error err = { 0 };
    assert_int_equal(ug_csv_write("no/such/x.csv", &r.take, NULL, NULL, &err), UG_E_WRITE);
    assert_string_equal(err.where, "no/such/x.csv");
    ug_take_fini(&r.take);
    err = (ug_error){ 0 };
    assert_int_equal(ug_csv_write("test_text.csv", &r.take, NULL, NULL, &err), UG_E_NOT_ENOUGH);
    remove("test_text.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),           cmocka_unit_test(test_rates_from_times),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_text_of_a_file),
    };
    return cmocka_run_group_tests_name("formats/marker_csv", tests, NULL, NULL);
}
