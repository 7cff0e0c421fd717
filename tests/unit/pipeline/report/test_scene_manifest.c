// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/scene_manifest.c and scene_lanes.c.
#include "pipeline/report/scene.h"
#include "pipeline/report/scene_parts.h"

#include "motion/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

// 2 markers over 12 frames, everything measured
static void make(ug_take *take)
{
    ug_take_init(take);
    take->markers = ug_markers_create(12, 2, ug_rate_make(100, 1));
    for (size_t i = 0; i < 2; i++) {
        take->markers->labels[i] = ug_text_format("M%zu", i);
        take->markers->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < 12; f++) {
            ug_markers_set_m(take->markers, f, i, (ug_vec3){ 0, 1, 2 }, UG_ORIGIN_MEASURED);
        }
    }
}

static void set_origin(ug_take *take, size_t marker, size_t first, size_t end, unsigned bits)
{
    for (size_t f = first; f < end; f++) {
        if (bits == 0) {
            ug_markers_clear(take->markers, f, marker);
        } else {
            take->markers->origin[2 * f + marker] = (uint16_t)bits;
        }
    }
}

static char *lanes_of(const ug_take *take, size_t most)
{
    ug_scene *scene = ug_scene_create(take, "x", UG_SCENE_FLOAT32, 1, NULL);
    assert_non_null(scene);
    char *text = ug_scene_lanes(scene, most);
    assert_non_null(text);
    ug_scene_destroy(scene);
    return text;
}

static void test_lanes_by_class(void **state)
{
    (void)state;
    ug_take take;
    make(&take);
    char *text = lanes_of(&take, 100);
    assert_string_equal(text, "[]");
    free(text);
    const unsigned there = UG_ORIGIN_PRESENT, seen = there | UG_ORIGIN_MEASURED;
    set_origin(&take, 1, 0, 2, 0);
    set_origin(&take, 1, 2, 4, there | UG_ORIGIN_FILLED);
    set_origin(&take, 1, 5, 6, seen | UG_ORIGIN_REPAIRED);
    set_origin(&take, 1, 6, 7, seen | UG_ORIGIN_EDITED | UG_ORIGIN_REPAIRED);
    set_origin(&take, 0, 8, 9, there | UG_ORIGIN_COMPUTED);
    set_origin(&take, 0, 9, 10, seen | UG_ORIGIN_FILTERED);
    set_origin(&take, 0, 11, 12, 0);
    text = lanes_of(&take, 100);
    assert_string_equal(text, "[[0,8,9,4],[0,11,12,0],[1,0,2,0],[1,2,4,1],[1,5,6,2],[1,6,7,3]]");
    free(text);
    take.markers->kinds[1] = UG_POINT_ANGLE; // no place, no gap
    text = lanes_of(&take, 100);
    assert_string_equal(text, "[[0,8,9,4],[0,11,12,0]]");
    free(text);
    ug_take_fini(&take);
}

static void test_too_many_lanes_are_put_together(void **state)
{
    (void)state;
    ug_take take;
    make(&take);
    for (size_t f = 0; f < 12; f += 2) {
        set_origin(&take, 0, f, f + 1, 0);
    }
    char *text = lanes_of(&take, 6);
    assert_string_equal(text, "[[0,0,1,0],[0,2,3,0],[0,4,5,0],[0,6,7,0],[0,8,9,0],[0,10,11,0]]");
    free(text);
    text = lanes_of(&take, 5);
    assert_string_equal(text, "[[0,0,12,0]]");
    free(text);
    set_origin(&take, 1, 3, 4, UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED);
    set_origin(&take, 1, 4, 6, UG_ORIGIN_PRESENT | UG_ORIGIN_EDITED);
    text = lanes_of(&take, 0); // one a marker fits at any rate: in blocks of eight
    assert_string_equal(text, "[[0,0,12,0],[1,0,8,1]]");
    free(text);
    ug_take_fini(&take);
}

static const cJSON *at(const cJSON *list, int i)
{
    const cJSON *item = cJSON_GetArrayItem(list, i);
    assert_non_null(item);
    return item;
}

static const cJSON *get(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        print_error("no key %s\n", name);
    }
    assert_non_null(item);
    return item;
}

static cJSON *manifest_of(const ug_take *take, const char *name, ug_scene_precision precision)
{
    ug_scene *scene = ug_scene_create(take, name, precision, 1, NULL);
    assert_non_null(scene);
    char *text = ug_scene_manifest(scene);
    assert_non_null(text);
    assert_null(strchr(text, '<'));
    assert_null(strstr(text, ":nan"));
    assert_null(strstr(text, ",nan"));
    cJSON *manifest = cJSON_Parse(text);
    assert_non_null(manifest);
    free(text);
    ug_scene_destroy(scene);
    return manifest;
}

static void test_everything_a_take_knows(void **state)
{
    (void)state;
    ug_take take;
    full_take_init(&take, 1);
    take.clip->rate = take.markers->rate;
    take.skeleton->joints[2].role = UG_ROLE_L_FOOT;
    const float spikes[6] = { 2, 30, 17.5f, 99, 1, 1 }; // the second names no marker
    assert_int_equal(ug_quality_set(&take.quality, "spikes", "", 2, 3, spikes, NULL), UG_OK);
    cJSON *m = manifest_of(&take, "</script><b>", UG_SCENE_FLOAT32);
    assert_string_equal(get(m, "name")->valuestring, "</script><b>");
    assert_int_equal(get(m, "first_frame")->valuedouble, 70000);
    assert_int_equal(get(get(m, "rate"), "num")->valuedouble, 120000);
    assert_int_equal(get(get(m, "rate"), "den")->valuedouble, 1001);
    assert_int_equal(cJSON_GetArraySize(get(m, "fields")), 4);
    assert_string_equal(get(at(get(m, "markers"), 1), "label")->valuestring, "膝");
    assert_string_equal(get(at(get(m, "markers"), 1), "subject")->valuestring, "Jörg");
    assert_string_equal(get(at(get(m, "markers"), 1), "kind")->valuestring, "angle");
    const cJSON *joint = at(get(m, "joints"), 3);
    assert_string_equal(get(joint, "name")->valuestring, "head_end");
    assert_int_equal(get(joint, "parent")->valuedouble, 2);
    assert_true(cJSON_IsTrue(get(joint, "end_site")));
    assert_string_equal(get(at(get(m, "joints"), 2), "role")->valuestring, "left_foot");
    // of three attachments one has no joint
    const cJSON *attachments = get(m, "attachments");
    assert_int_equal(cJSON_GetArraySize(attachments), 2);
    assert_int_equal(get(at(attachments, 0), "marker")->valuedouble, 1);
    assert_int_equal(get(at(attachments, 0), "joint")->valuedouble, 0);
    assert_true(at(get(at(attachments, 0), "local"), 1)->valuedouble ==
                take.attachments.items[1].local_m.y);
    const cJSON *contact = at(get(m, "contacts"), 0);
    assert_string_equal(get(contact, "point")->valuestring, "left_toe");
    assert_int_equal(get(contact, "joint")->valuedouble, 2);
    assert_string_equal(get(contact, "kind")->valuestring, "load");
    assert_true(get(contact, "end_s")->valuedouble == take.contacts.items[0].end_s);
    assert_int_equal(get(at(get(m, "contacts"), 1), "joint")->valuedouble, -1);
    assert_false(cJSON_IsTrue(get(at(get(m, "contacts"), 2), "accepted")));
    assert_true(cJSON_IsFalse(get(m, "contacts_found")));
    assert_int_equal(cJSON_GetArraySize(get(m, "spikes")), 1);
    assert_true(at(at(get(m, "spikes"), 0), 2)->valuedouble == 17.5);
    assert_int_equal(at(at(get(m, "spikes"), 0), 1)->valuedouble, 30);
    assert_null(cJSON_GetObjectItem(m, "frame_rms_mm"));
    assert_int_equal(cJSON_GetArraySize(get(m, "outcomes")), 0);
    const cJSON *history = get(m, "provenance");
    assert_int_equal(cJSON_GetArraySize(history), 2);
    assert_string_equal(get(at(history, 0), "stage")->valuestring, "import");
    assert_true(cJSON_IsNull(get(get(at(history, 0), "options"), "unit")));
    assert_true(cJSON_IsNull(get(at(history, 1), "metrics"))); // none was kept
    cJSON_Delete(m);
    ug_take_fini(&take);
}

static void test_errors_in_bins_and_outcomes_in_runs(void **state)
{
    (void)state;
    enum { FRAMES = 4001 };
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(FRAMES, 1, ug_rate_make(100, 1));
    take.markers->labels[0] = ug_text_copy("M");
    take.markers->subjects[0] = ug_text_copy("");
    float rms[FRAMES], codes[FRAMES];
    for (size_t f = 0; f < FRAMES; f++) {
        rms[f] = f < 6 ? NAN : (float)(f % 7);
        codes[f] = f < 3 ? 0.0f : f == 3 ? 2.0f : f == 4000 ? 1.0f : 4.0f;
    }
    assert_int_equal(ug_quality_set(&take.quality, "frame_rms_mm", "mm", FRAMES, 1, rms, NULL), 0);
    assert_int_equal(ug_quality_set(&take.quality, "frame_outcome", "", FRAMES, 1, codes, NULL), 0);
    cJSON *m = manifest_of(&take, "x", UG_SCENE_INT16);
    const cJSON *errors = get(m, "frame_rms_mm"), *max = get(errors, "max");
    const size_t bin = (size_t)get(errors, "bin_frames")->valuedouble;
    assert_int_equal(bin, 3); // two would make 2001
    assert_int_equal(cJSON_GetArraySize(max), (FRAMES + bin - 1) / bin);
    assert_true(cJSON_IsNull(at(max, 0)) && cJSON_IsNull(at(max, 1)));
    assert_true(at(max, 2)->valuedouble == 6 && at(max, 3)->valuedouble == 4);
    char *runs = cJSON_PrintUnformatted(get(m, "outcomes"));
    assert_string_equal(runs, "[[0,3,0],[3,4,2],[4000,4001,1]]");
    free(runs);
    // nothing was ever seen, and still every number is one
    assert_true(at(get(m, "low"), 0)->valuedouble == 0 && at(get(m, "high"), 0)->valuedouble == 0);
    cJSON_Delete(m);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_by_class),
        cmocka_unit_test(test_too_many_lanes_are_put_together),
        cmocka_unit_test(test_everything_a_take_knows),
        cmocka_unit_test(test_errors_in_bins_and_outcomes_in_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
