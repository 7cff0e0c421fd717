// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/report.c: the page and the JSON say the same, labels stay text,
// the page stays within its size.
#include "pipeline/report/report.h"

#include "pipeline/report/page.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/report_take.h"

static const char PATH[] = "unit_report.html";

static char *read_page(size_t *size)
{
    FILE *in = fopen(PATH, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *size = (size_t)ftell(in);
    rewind(in);
    char *text = malloc(*size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *size, in), *size);
    text[*size] = '\0';
    fclose(in);
    return text;
}

static ug_report *make(const ug_take *takes, size_t count, char *const *paths, double max_mb,
                       const char *require)
{
    const ug_report_opts opts = {
        .require = require, .max_mb = max_mb, .paths = paths, .file_count = count
    };
    ug_report *r = ug_report_create(&opts, NULL);
    assert_non_null(r);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ug_report_add(r, &takes[i], NULL), UG_OK);
    }
    return r;
}

static char *page_of(const ug_report *r, size_t *size)
{
    size_t said = 0;
    assert_int_equal(ug_report_write(&said, r, PATH, NULL), UG_OK);
    char *page = read_page(size);
    assert_int_equal(said, *size);
    assert_int_equal(unlink(PATH), 0);
    return page;
}

static bool has_player(void)
{
    size_t bytes;
    return ug_page_player_js(&bytes) != NULL;
}

// Every figure of the page, `<data value="…" data-figure="name">`, is somewhere in the JSON under
// that name; and how many there were.
static size_t compare_figures(const char *page, const char *json)
{
    size_t count = 0;
    for (const char *p = page; (p = strstr(p, "<data value=\"")) != NULL; p++) {
        char value[40], name[96], wanted[160];
        assert_int_equal(
            sscanf(p, "<data value=\"%39[^\"]\" data-figure=\"%95[^\"]\"", value, name), 2);
        const char *slash = strrchr(name, '/');
        (void)snprintf(wanted, sizeof wanted, "\"%s\":%s", slash ? slash + 1 : name, value);
        char item[200]; // or as a figure of a stage
        (void)snprintf(item, sizeof item, "{\"name\":\"%s\",\"value\":%s", name, value);
        char before[60];
        (void)snprintf(before, sizeof before, "\"before\":%s", value);
        if (!strstr(json, wanted) && !strstr(json, item) && !strstr(json, before) &&
            strcmp(name, "time_s") != 0) {
            fail_msg("%s = %s is on the page and not in the JSON", name, value);
        }
        count++;
    }
    return count;
}

static double number_of(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

static const cJSON *stage_metrics(const cJSON *stages, int index)
{
    return cJSON_GetObjectItem(cJSON_GetArrayItem(stages, index), "metrics");
}

static void test_page_and_json_say_the_same(void **state)
{
    (void)state;
    ug_take take;
    size_t size;
    char *path = "some/where/t.h5";
    report_take_init(&take);
    ug_report *r = make(&take, 1, &path, 10.0, NULL);
    char *json = ug_report_to_json(r), *page = page_of(r, &size);
    assert_non_null(json);
    assert_true(compare_figures(page, json) > 60);
    cJSON *root = cJSON_ParseWithOpts(json, NULL, 1);
    const cJSON *file = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "files"), 0);
    assert_string_equal(cJSON_GetObjectItem(file, "file")->valuestring, "t.h5");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(file, "markers")), 4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(file, "spikes")), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(file, "stages")), 6);
    const cJSON *metrics = cJSON_GetObjectItem(file, "metrics");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(metrics, "predicted_error_worst_mm")));
    // two stages say marker_rms_mm: the last one stands, and each keeps its own
    assert_true(number_of(metrics, "marker_rms_mm") == 3.125);
    const cJSON *stages = cJSON_GetObjectItem(file, "stages");
    assert_true(number_of(stage_metrics(stages, 3), "marker_rms_mm") == 2.5);
    assert_true(number_of(stage_metrics(stages, 4), "marker_rms_mm") == 3.125);
    assert_true(
        number_of(cJSON_GetObjectItem(stage_metrics(stages, 4), "limit_hits_of"), "l_knee") == 6.0);
    bool said = false;
    const cJSON *figure;
    cJSON_ArrayForEach(figure, cJSON_GetObjectItem(file, "figures"))
    {
        if (strcmp(cJSON_GetObjectItem(figure, "name")->valuestring, "marker_rms_mm") == 0) {
            said = true;
            assert_true(number_of(figure, "value") == 3.125);
            assert_string_equal(cJSON_GetObjectItem(figure, "of")->valuestring, "solve");
        }
    }
    assert_true(said);
    cJSON_Delete(root);
    // nothing but itself, and no path of this machine
    assert_null(strstr(page, "some/where"));
    assert_null(strstr(page, "/home/me"));
    assert_non_null(strstr(page, "default-src 'none'"));
    assert_non_null(strstr(page, "data-frame=\"77\"")); // the worst frame leads to the player
    assert_non_null(strstr(page, "not known"));
    // B's filled samples, 75 mm off, are a thin bar; D's measured ones a full one
    const char *far = strstr(strstr(page, "chart residuals"), "<path class=\"r3\"");
    assert_non_null(far);
    assert_non_null(strstr(far, "v10"));
    far = strstr(far + 1, "<path class=\"r3\"");
    assert_non_null(far);
    assert_null(memmem(far, (size_t)(strchr(far, '>') - far), "v10", 3));
    assert_non_null(memmem(far, (size_t)(strchr(far, '>') - far), "v4", 2));
    // once more: the same bytes
    ug_report *again = make(&take, 1, &path, 10.0, NULL);
    size_t size_again;
    char *page_again = page_of(again, &size_again);
    assert_int_equal(size_again, size);
    assert_memory_equal(page_again, page, size);
    free(page_again);
    free(page);
    free(json);
    ug_report_destroy(again);
    ug_report_destroy(r);
    ug_take_fini(&take);
}

static void relabel(ug_take *take, size_t marker, const char *label)
{
    free(take->markers->labels[marker]);
    take->markers->labels[marker] = ug_text_copy(label);
}

static void test_labels_stay_text(void **state)
{
    (void)state;
    ug_take take;
    size_t size;
    char *path = "<img src=x onerror=evil()>.h5";
    report_take_init(&take);
    relabel(&take, 0, "</script><script>evil()</script>");
    relabel(&take, 1, "\"><svg onload=evil()>");
    relabel(&take, 2, "<!--");
    relabel(&take, 3, "\xff\xc0\xbc");
    strcpy(take.contacts.items[1].reason, "</td><script>evil()");
    report_entry(&take, "<b>stage", "{\"<i>\":\"</style><script>evil()\"}", "[{\"name\":\"<u>\"}]",
                 "{\"<em>\":1,\"\xff_mm\":2}",
                 "[{\"code\":\"<a>\",\"count\":1,\"first\":\"<s>\"}]");
    ug_report *r = make(&take, 1, &path, 10.0, NULL);
    char *json = ug_report_to_json(r), *page = page_of(r, &size);
    static const char *const BAD[] = { "<script>evil", "<svg onload", "<img src", "<!--\n",
                                       "<b>stage",     "<i>",         "<u>",      "<em>",
                                       "<a>",          "<s>" };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        // <i class=…> and <a …> are ours; these are not
        assert_null(strstr(page, BAD[i]));
    }
    assert_non_null(strstr(page, "&lt;/script&gt;&lt;script&gt;evil()&lt;/script&gt;"));
    assert_true(ug_text_is_utf8(page, size));
    assert_true(ug_text_is_utf8(json, strlen(json)));
    cJSON *root = cJSON_ParseWithOpts(json, NULL, 1);
    assert_non_null(root);
    cJSON_Delete(root);
    free(page);
    free(json);
    ug_report_destroy(r);
    ug_take_fini(&take);
}

static ug_take long_take(size_t frames, size_t markers, size_t gap_every)
{
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(frames, markers, (ug_rate){ 120, 1 });
    assert_non_null(take.markers);
    for (size_t k = 0; k < markers; k++) {
        take.markers->labels[k] = ug_text_format("M%zu", k);
        take.markers->subjects[k] = ug_text_copy("");
        for (size_t f = 0; f < frames; f++) {
            if ((f + k) % gap_every != 0) {
                ug_markers_set_m(take.markers, f, k,
                                 (ug_vec3){ sin(0.01 * (double)f), 1.0, 0.01 * (double)k },
                                 UG_ORIGIN_MEASURED);
            }
        }
    }
    return take;
}

static void test_the_page_keeps_to_its_size(void **state)
{
    (void)state;
    ug_take takes[2] = { long_take(5000, 60, 151), long_take(3000, 40, 7) };
    char *paths[2] = { "a/x.h5", "b/x.h5" };
    static const double CAPS[] = { 10.0, 6.0, 3.0 };
    for (size_t i = 0; i < sizeof CAPS / sizeof CAPS[0]; i++) {
        size_t size;
        ug_report *r = make(takes, 2, paths, CAPS[i], NULL);
        char *page = page_of(r, &size);
        assert_true((double)size < 1e6 * CAPS[i]);
        assert_non_null(strstr(page, "a/x.h5")); // two of one name are called by their folders
        if (has_player()) {
            const size_t stride = ug_report_stride(r, 0);
            char said[80];
            (void)snprintf(said, sizeof said, "one frame in %zu is in this page", stride);
            assert_true(stride > 0);
            assert_true(stride == 1 || strstr(page, said));
            assert_true(CAPS[i] > 5.0 || stride > 1);
            assert_non_null(strstr(page, "id=\"ugoki-frames-1\""));
        } else {
            assert_non_null(strstr(page, "built without its viewer"));
            assert_int_equal(ug_report_stride(r, 0), 0);
        }
        free(page);
        ug_report_destroy(r);
    }
    // no room for a player at all: said, and the rest is there
    size_t size;
    ug_report *r = make(takes, 1, paths, 0.1, NULL);
    char *page = page_of(r, &size);
    assert_int_equal(ug_report_stride(r, 0), 0);
    assert_null(strstr(page, "ugoki-frames-0\""));
    assert_non_null(strstr(page, has_player() ? "no room for it" : "built without"));
    assert_non_null(strstr(page, "Markers over time"));
    free(page);
    ug_report_destroy(r);
    ug_take_fini(&takes[0]);
    ug_take_fini(&takes[1]);
}

static void test_gates(void **state)
{
    (void)state;
    ug_take take;
    char *path = "t.h5";
    ug_error err = { 0 };
    report_take_init(&take);
    ug_report *r = make(&take, 1, &path, 10.0, NULL); // the defaults only inform
    assert_int_equal(ug_report_verdict(r, NULL), UG_OK);
    ug_report_destroy(r);
    r = make(&take, 1, &path, 10.0, "marker_rms_mm<3,gap_count<=1,predicted_error_worst_mm<5");
    assert_int_equal(ug_report_check(r, &err), UG_OK);
    assert_int_equal(ug_report_verdict(r, &err), UG_E_GATE);
    assert_string_equal(err.message, "quality gate: marker_rms_mm is 3.125, wanted <3; "
                                     "predicted_error_worst_mm is not known, wanted <5");
    ug_report_destroy(r);
    err = (ug_error){ 0 };
    r = make(&take, 1, &path, 10.0, "marker_rsm_mm<3");
    assert_int_equal(ug_report_check(r, &err), UG_E_USAGE);
    assert_string_equal(err.message,
                        "--require: no stage of this file has a figure 'marker_rsm_mm'");
    ug_report_destroy(r);
    err = (ug_error){ 0 };
    const ug_report_opts opts = { .require = "x", .max_mb = 1.0, .paths = &path, .file_count = 1 };
    assert_null(ug_report_create(&opts, &err));
    assert_int_equal(err.status, UG_E_USAGE);
    ug_take_fini(&take);
}

// Nothing in the file, one frame, a path that cannot be written.
static void test_odd_takes(void **state)
{
    (void)state;
    ug_take takes[2] = { long_take(1, 1, 2) };
    char *paths[2] = { "one.c3d", "nothing.h5" };
    size_t size;
    ug_error err = { 0 };
    ug_take_init(&takes[1]);
    ug_report *r = make(takes, 2, paths, 10.0, NULL);
    char *page = page_of(r, &size);
    assert_non_null(strstr(page, "This file holds no markers"));
    assert_non_null(strstr(page, "this file has not been solved"));
    assert_non_null(strstr(page, "This file has no history"));
    free(page);
    assert_int_equal(ug_report_write(NULL, r, "no/such/folder/x.html", &err), UG_E_WRITE);
    ug_report_destroy(r);
    ug_take_fini(&takes[0]);
    ug_take_fini(&takes[1]);
}

// What smoothing took away is drawn, and told, where something was smoothed.
static void test_smoothing_is_shown(void **state)
{
    (void)state;
    ug_take take;
    size_t size;
    char *path = "t.h5";
    report_take_init(&take);
    ug_report *r = make(&take, 1, &path, 10.0, NULL);
    char *json = ug_report_to_json(r), *page = page_of(r, &size);
    assert_null(strstr(page, "chart spectrum"));
    assert_non_null(strstr(json, "\"smoothing\":null"));
    free(json);
    free(page);
    ug_report_destroy(r);
    assert_true(ug_markers_make_unfiltered(take.markers));
    for (size_t f = 0; f < REPORT_FRAMES; f++) {
        ug_markers_note_filtered(take.markers, f, 3);
        take.markers->positions[3 * ug_markers_index(take.markers, f, 3)] += f % 2 ? 0.001f : 0.0f;
    }
    report_entry(&take, "clean", "{\"smooth\":\"butterworth\",\"cutoff_hz\":6}", "[]", "{}", "[]");
    r = make(&take, 1, &path, 10.0, NULL);
    json = ug_report_to_json(r);
    page = page_of(r, &size);
    assert_non_null(strstr(page, "chart spectrum"));
    assert_non_null(strstr(page, "curve c-removed\" d=\"M"));
    assert_non_null(strstr(page, ">6 Hz<"));
    assert_null(strstr(page, "d=\"Mnan"));
    assert_non_null(strstr(json, "\"smoothing\":{\"marker_count\":1,\"cutoff_hz\":6"));
    free(json);
    free(page);
    ug_report_destroy(r);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_and_json_say_the_same),
        cmocka_unit_test(test_smoothing_is_shown),
        cmocka_unit_test(test_labels_stay_text),
        cmocka_unit_test(test_the_page_keeps_to_its_size),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_odd_takes),
    };
    return cmocka_run_group_tests_name("pipeline/report/report", tests, NULL, NULL);
}
