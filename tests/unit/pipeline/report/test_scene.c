// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/scene.c and scene_pack.c.
#include "pipeline/report/scene.h"

#include "motion/kinematics.h"
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

typedef struct packed {
    ug_take take;
    ug_scene *scene;
    uint8_t *records;
    size_t record_bytes, record_count;
    cJSON *manifest;
} packed;

static void pack(packed *p, ug_scene_precision precision, size_t stride)
{
    p->scene = ug_scene_create(&p->take, "a take", precision, stride, NULL);
    assert_non_null(p->scene);
    p->record_bytes = ug_scene_record_bytes(p->scene);
    p->record_count = ug_scene_record_count(p->scene);
    p->records = malloc(p->record_bytes * p->record_count);
    memset(p->records, 0xa5, p->record_bytes * p->record_count);
    ug_scene_pack(p->records, p->scene, 0, p->record_count);
    char *text = ug_scene_manifest(p->scene);
    p->manifest = cJSON_Parse(text);
    assert_non_null(p->manifest);
    free(text);
}

static void unpack(packed *p)
{
    ug_scene_destroy(p->scene);
    free(p->records);
    cJSON_Delete(p->manifest);
    p->scene = NULL;
}

static const cJSON *field_of(const packed *p, const char *name)
{
    const cJSON *field;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(p->manifest, "fields"))
    {
        if (strcmp(cJSON_GetObjectItem(field, "name")->valuestring, name) == 0) {
            return field;
        }
    }
    return NULL;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

// Read as the page does: through the manifest alone.
static double value_at(const packed *p, const char *name, size_t record, size_t row, size_t k)
{
    const cJSON *field = field_of(p, name);
    assert_non_null(field);
    const cJSON *shape = cJSON_GetObjectItem(field, "shape");
    const size_t rows = (size_t)cJSON_GetArrayItem(shape, 0)->valuedouble;
    const size_t columns =
        cJSON_GetArraySize(shape) > 1 ? (size_t)cJSON_GetArrayItem(shape, 1)->valuedouble : 1;
    assert_true(row < rows && k < columns);
    const char *type = cJSON_GetObjectItem(field, "type")->valuestring;
    const uint8_t *at = p->records + record * p->record_bytes + (size_t)number(field, "offset");
    if (strcmp(type, "u8") == 0) {
        return at[row * columns + k];
    }
    const double origin =
        cJSON_GetArrayItem(cJSON_GetObjectItem(field, "origin"), (int)k)->valuedouble;
    if (strcmp(type, "f32") == 0) {
        float f;
        memcpy(&f, at + 4 * (row * columns + k), 4);
        return (double)f;
    }
    assert_string_equal(type, "i16");
    int16_t i;
    memcpy(&i, at + 2 * (row * columns + k), 2);
    return i == INT16_MIN ? (double)NAN : origin + number(field, "scale") * i;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void init(packed *p, uint64_t seed)
{
    full_take_init(&p->take, seed);
    ug_markers *m = p->take.markers;
    m->rate = p->take.clip->rate;
    for (size_t i = 0; i < FULL_MARKERS; i++) {
        m->kinds[i] = UG_POINT_MARKER;
    }
    // what the take has at random: bits that fit the samples, and turns that are turns
    for (size_t i = 0; i < FULL_FRAMES * FULL_MARKERS; i++) {
        m->origin[i] = isnan(m->positions[3 * i]) ? 0 : m->origin[i] | UG_ORIGIN_PRESENT;
    }
    for (size_t i = 0; i < FULL_FRAMES * FULL_JOINTS; i++) {
        p->take.clip->rotations[i] = ug_quat_normalize(p->take.clip->rotations[i]);
    }
}

static void test_records_hold_markers_to_the_bit(void **state)
{
    (void)state;
    packed p;
    init(&p, 1);
    const ug_markers *m = p.take.markers;
    pack(&p, UG_SCENE_FLOAT32, 1);
    assert_int_equal(p.record_count, FULL_FRAMES);
    assert_int_equal(p.record_bytes % 4, 0);
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        for (size_t i = 0; i < FULL_MARKERS; i++) {
            const size_t at = ug_markers_index(m, f, i);
            for (size_t k = 0; k < 3; k++) {
                const double want = (double)(float)(m->scale_m * (double)m->positions[3 * at + k]);
                assert_true(same(value_at(&p, "markers", f, i, k), want));
            }
            assert_true(value_at(&p, "origin", f, i, 0) == (double)(m->origin[at] & 0xff));
        }
    }
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_records_hold_world_poses(void **state)
{
    (void)state;
    packed p;
    init(&p, 2);
    pack(&p, UG_SCENE_FLOAT32, 1);
    ug_quat q[FULL_JOINTS];
    ug_vec3 c[FULL_JOINTS];
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        ug_clip_forward(q, c, p.take.skeleton, p.take.clip, f);
        for (size_t j = 0; j < FULL_JOINTS; j++) {
            const double place[3] = { c[j].x, c[j].y, c[j].z };
            const double turn[4] = { q[j].w, q[j].x, q[j].y, q[j].z };
            for (size_t k = 0; k < 3; k++) {
                assert_true(same(value_at(&p, "joints", f, j, k), (double)(float)place[k]));
            }
            for (size_t k = 0; k < 4; k++) {
                assert_true(same(value_at(&p, "turns", f, j, k), (double)(float)turn[k]));
            }
        }
    }
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_int16_is_within_half_a_step(void **state)
{
    (void)state;
    packed exact, coarse;
    init(&exact, 3);
    coarse.take = exact.take;
    pack(&exact, UG_SCENE_FLOAT32, 1);
    pack(&coarse, UG_SCENE_INT16, 1);
    assert_true(coarse.record_bytes < exact.record_bytes);
    const double step = number(field_of(&coarse, "markers"), "scale");
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const double low =
            cJSON_GetArrayItem(cJSON_GetObjectItem(exact.manifest, "low"), k)->valuedouble;
        const double high =
            cJSON_GetArrayItem(cJSON_GetObjectItem(exact.manifest, "high"), k)->valuedouble;
        longest = fmax(longest, high - low);
    }
    assert_true(longest > 1.0 && fabs(step - longest / 65000) < 1e-12);
    static const char *const FIELDS[3] = { "markers", "joints", "turns" };
    static const size_t ROWS[3] = { FULL_MARKERS, FULL_JOINTS, FULL_JOINTS };
    for (size_t i = 0; i < 3; i++) {
        const double limit = 0.5001 * number(field_of(&coarse, FIELDS[i]), "scale") + 1e-6;
        for (size_t r = 0; r < exact.record_count; r++) {
            for (size_t row = 0; row < ROWS[i]; row++) {
                // one bad coordinate makes the whole point missing
                bool whole = true;
                for (size_t k = 0; k < (i == 2 ? 4 : 3); k++) {
                    whole = whole && !isnan(value_at(&exact, FIELDS[i], r, row, k));
                }
                for (size_t k = 0; k < (i == 2 ? 4 : 3); k++) {
                    const double want = value_at(&exact, FIELDS[i], r, row, k);
                    const double got = value_at(&coarse, FIELDS[i], r, row, k);
                    assert_true(whole ? fabs(got - want) <= limit : isnan(got));
                }
            }
        }
    }
    unpack(&exact);
    unpack(&coarse);
    ug_take_fini(&exact.take);
}

static void test_a_far_ghost_neither_sets_the_box_nor_wraps(void **state)
{
    (void)state;
    packed p;
    init(&p, 4);
    ug_markers_set_m(p.take.markers, 5, 1, (ug_vec3){ 0.1, 5e6, 0.2 }, UG_ORIGIN_MEASURED);
    ug_clip_translations(p.take.clip, 7)[1].y = 1e300;
    pack(&p, UG_SCENE_INT16, 1);
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(p.manifest, "high"), 1)->valuedouble < 10);
    for (size_t k = 0; k < 3; k++) {
        assert_true(isnan(value_at(&p, "markers", 5, 1, k)));
    }
    unpack(&p);
    pack(&p, UG_SCENE_FLOAT32, 1);
    assert_true(value_at(&p, "markers", 5, 1, 1) == 5e6);
    assert_true(isnan(value_at(&p, "joints", 7, 4, 1))); // no float holds it
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_stride_and_pieces_give_the_same_records(void **state)
{
    (void)state;
    packed all, some;
    init(&all, 5);
    some.take = all.take;
    pack(&all, UG_SCENE_FLOAT32, 1);
    pack(&some, UG_SCENE_FLOAT32, 5);
    assert_int_equal(some.record_count, 8); // frames 0, 5 … 35 of 37
    assert_int_equal(number(some.manifest, "stride"), 5);
    assert_int_equal(number(some.manifest, "frame_count"), FULL_FRAMES);
    for (size_t r = 0; r < some.record_count; r++) {
        assert_memory_equal(some.records + r * some.record_bytes,
                            all.records + 5 * r * all.record_bytes, all.record_bytes);
    }
    uint8_t *one = malloc(all.record_bytes);
    for (size_t r = all.record_count; r-- > 0;) {
        memset(one, (int)r, all.record_bytes);
        ug_scene_pack(one, all.scene, r, 1);
        assert_memory_equal(one, all.records + r * all.record_bytes, all.record_bytes);
    }
    ug_scene_pack(one, all.scene, all.record_count, 0);
    free(one);
    unpack(&all);
    unpack(&some);
    ug_take_fini(&all.take);
}

static void test_stride_for_is_the_smallest_that_fits(void **state)
{
    (void)state;
    packed p;
    init(&p, 6);
    pack(&p, UG_SCENE_INT16, 1);
    const size_t one = p.record_bytes;
    unpack(&p);
    assert_int_equal(ug_scene_stride_for(&p.take, UG_SCENE_INT16, one * FULL_FRAMES), 1);
    for (size_t fit = 1; fit < FULL_FRAMES; fit++) {
        const size_t stride = ug_scene_stride_for(&p.take, UG_SCENE_INT16, one * fit + 3);
        assert_true((FULL_FRAMES - 1) / stride + 1 <= fit);
        assert_true(stride == 1 || (FULL_FRAMES - 1) / (stride - 1) + 1 > fit);
    }
    assert_int_equal(ug_scene_stride_for(&p.take, UG_SCENE_INT16, 0), FULL_FRAMES);
    ug_take_fini(&p.take);
}

static void test_markers_of_another_rate_come_at_the_nearest_time(void **state)
{
    (void)state;
    packed p;
    init(&p, 7);
    p.take.clip->rate = (ug_rate){ 60, 1 };
    p.take.markers->rate = (ug_rate){ 250, 1 };
    const ug_markers *m = p.take.markers;
    pack(&p, UG_SCENE_FLOAT32, 1);
    assert_int_equal(number(cJSON_GetObjectItem(p.manifest, "rate"), "num"), 60);
    assert_int_equal(number(p.manifest, "first_frame"), 70000);
    // 250/60 = 4.1667 marker frames a frame: 0 4 8 12.5->13 17 21 25 29 33 and then none
    static const size_t NEAREST[9] = { 0, 4, 8, 13, 17, 21, 25, 29, 33 };
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        for (size_t i = 0; i < FULL_MARKERS; i++) {
            const double want =
                f < 9 ? (double)(float)ug_markers_position_m(m, NEAREST[f], i).x : (double)NAN;
            assert_true(same(value_at(&p, "markers", f, i, 0), want));
        }
    }
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_points_that_are_no_places_are_not_shown_as_such(void **state)
{
    (void)state;
    packed p;
    init(&p, 8);
    p.take.markers->kinds[2] = UG_POINT_FORCE;
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        ug_markers_set_m(p.take.markers, f, 2, (ug_vec3){ 700, 700, 700 }, UG_ORIGIN_COMPUTED);
    }
    pack(&p, UG_SCENE_FLOAT32, 1);
    assert_true(isnan(value_at(&p, "markers", 4, 2, 0)));
    assert_true(value_at(&p, "origin", 4, 2, 0) == 0);
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(p.manifest, "high"), 0)->valuedouble < 10);
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_a_take_with_one_half_or_none(void **state)
{
    (void)state;
    packed p;
    init(&p, 9);
    ug_clip_destroy(p.take.clip);
    p.take.clip = NULL;
    pack(&p, UG_SCENE_FLOAT32, 1);
    assert_null(field_of(&p, "joints"));
    assert_non_null(field_of(&p, "markers"));
    assert_int_equal(number(p.manifest, "first_frame"), -4001);
    assert_int_equal(p.record_bytes, FULL_MARKERS * 13 / 4 * 4);
    unpack(&p);
    ug_markers_destroy(p.take.markers);
    p.take.markers = NULL;
    ug_error err = { 0 };
    assert_null(ug_scene_create(&p.take, "x", UG_SCENE_FLOAT32, 1, &err));
    assert_int_equal(err.status, UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "nothing to show"));
    assert_int_equal(ug_scene_stride_for(&p.take, UG_SCENE_FLOAT32, 100), 1);
    ug_scene_destroy(NULL);
    ug_take_fini(&p.take);

    init(&p, 10);
    ug_markers_destroy(p.take.markers);
    p.take.markers = NULL;
    pack(&p, UG_SCENE_INT16, FULL_FRAMES + 3); // one frame, motion alone
    assert_int_equal(p.record_count, 1);
    assert_null(field_of(&p, "markers"));
    assert_null(field_of(&p, "origin"));
    assert_int_equal(p.record_bytes, (FULL_JOINTS * 14 + 3) / 4 * 4);
    unpack(&p);
    ug_take_fini(&p.take);
}

static void test_outcomes_travel_with_their_frames(void **state)
{
    (void)state;
    packed p;
    init(&p, 11);
    float codes[FULL_FRAMES];
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        codes[f] = f == 9 ? NAN : (float)(f % 5);
    }
    assert_int_equal(
        ug_quality_set(&p.take.quality, "frame_outcome", "", FULL_FRAMES, 1, codes, NULL), UG_OK);
    pack(&p, UG_SCENE_INT16, 1);
    for (size_t f = 0; f < FULL_FRAMES; f++) {
        assert_true(value_at(&p, "outcome", f, 0, 0) == (f == 9 ? 255.0 : (double)(f % 5)));
    }
    unpack(&p);
    // a series of another length speaks of other frames
    assert_int_equal(ug_quality_set(&p.take.quality, "frame_outcome", "", 3, 1, codes, NULL),
                     UG_OK);
    pack(&p, UG_SCENE_INT16, 1);
    assert_null(field_of(&p, "outcome"));
    unpack(&p);
    ug_take_fini(&p.take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_hold_markers_to_the_bit),
        cmocka_unit_test(test_records_hold_world_poses),
        cmocka_unit_test(test_int16_is_within_half_a_step),
        cmocka_unit_test(test_a_far_ghost_neither_sets_the_box_nor_wraps),
        cmocka_unit_test(test_stride_and_pieces_give_the_same_records),
        cmocka_unit_test(test_stride_for_is_the_smallest_that_fits),
        cmocka_unit_test(test_markers_of_another_rate_come_at_the_nearest_time),
        cmocka_unit_test(test_points_that_are_no_places_are_not_shown_as_such),
        cmocka_unit_test(test_a_take_with_one_half_or_none),
        cmocka_unit_test(test_outcomes_travel_with_their_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
