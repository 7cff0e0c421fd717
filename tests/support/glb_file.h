// SPDX-License-Identifier: MIT
// A GLB read back with cJSON, strictly: header, chunks, alignment and every accessor's place are
// asserted. Include after cmocka.h.
#pragma once

#include "tests/support/files.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>

typedef struct glb_file {
    uint8_t *data;
    size_t size;
    cJSON *json;
    const uint8_t *bin;
    size_t bin_size;
} glb_file;

static inline uint32_t glb_word(const glb_file *g, size_t at)
{
    uint32_t word;
    assert_true(at + 4 <= g->size);
    memcpy(&word, g->data + at, 4);
    return word;
}

static inline const cJSON *glb_at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        fail_msg("no '%s' in the JSON", name);
    }
    return item;
}

static inline double glb_number(const cJSON *object, const char *name)
{
    const cJSON *item = glb_at(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static inline const char *glb_string(const cJSON *object, const char *name)
{
    const cJSON *item = glb_at(object, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static inline const cJSON *glb_item(const glb_file *g, const char *list, size_t index)
{
    const cJSON *item = cJSON_GetArrayItem(glb_at(g->json, list), (int)index);
    assert_non_null(item);
    return item;
}

static inline glb_file glb_open(const char *path)
{
    glb_file g = { 0 };
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    g.size = (size_t)ftell(f);
    rewind(f);
    g.data = malloc(g.size + 1);
    assert_int_equal(fread(g.data, 1, g.size, f), g.size);
    fclose(f);
    assert_int_equal(glb_word(&g, 0), 0x46546C67);
    assert_int_equal(glb_word(&g, 4), 2);
    assert_int_equal(glb_word(&g, 8), g.size);
    const size_t length = glb_word(&g, 12);
    assert_int_equal(glb_word(&g, 16), 0x4E4F534A);
    assert_int_equal(length % 4, 0);
    char *text = malloc(length + 1);
    memcpy(text, g.data + 20, length);
    text[length] = '\0';
    static const char *const NO_NUMBERS[] = { ":nan", ",nan", "[nan", "-nan",
                                              ":inf", ",inf", "[inf", "-inf" };
    for (size_t i = 0; i < sizeof NO_NUMBERS / sizeof NO_NUMBERS[0]; i++) {
        assert_null(strstr(text, NO_NUMBERS[i]));
    }
    for (size_t end = length; text[end - 1] != '}'; end--) {
        assert_int_equal(text[end - 1], ' '); // padded with nothing else
        text[end - 1] = '\0';
    }
    g.json = cJSON_ParseWithOpts(text, NULL, 1);
    assert_non_null(g.json);
    free(text);
    if (20 + length < g.size) {
        g.bin_size = glb_word(&g, 20 + length);
        assert_int_equal(glb_word(&g, 24 + length), 0x004E4942);
        g.bin = g.data + 28 + length;
        assert_int_equal(28 + length + g.bin_size, g.size);
        assert_int_equal(g.bin_size % 4, 0);
        const double declared = glb_number(glb_item(&g, "buffers", 0), "byteLength");
        assert_true(declared <= (double)g.bin_size && declared > (double)g.bin_size - 4.0);
    }
    return g;
}

static inline void glb_close(glb_file *g)
{
    cJSON_Delete(g->json);
    free(g->data);
    *g = (glb_file){ 0 };
}

typedef struct glb_values {
    size_t count, width;
    int type;
    double *at; ///< owned, (count x width)
} glb_values;

/// All values of an accessor; its min and max, if any, are held to the values.
static inline glb_values glb_read(const glb_file *g, size_t accessor)
{
    static const struct {
        const char *name;
        size_t width;
    } TYPES[] = { { "SCALAR", 1 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 } };
    const cJSON *a = glb_item(g, "accessors", accessor);
    const cJSON *view = glb_item(g, "bufferViews", (size_t)glb_number(a, "bufferView"));
    glb_values v = { .count = (size_t)glb_number(a, "count"),
                     .type = (int)glb_number(a, "componentType") };
    for (size_t i = 0; i < 4; i++) {
        v.width = strcmp(glb_string(a, "type"), TYPES[i].name) == 0 ? TYPES[i].width : v.width;
    }
    assert_true(v.width > 0 && v.count > 0);
    const size_t each = v.type == 5121 ? 1 : v.type == 5123 ? 2 : 4;
    const size_t offset = (size_t)glb_number(view, "byteOffset");
    const size_t length = (size_t)glb_number(view, "byteLength");
    assert_int_equal(offset % 4, 0);
    assert_int_equal(length, v.count * v.width * each);
    assert_true(offset + length <= g->bin_size);
    v.at = malloc(v.count * v.width * sizeof *v.at);
    for (size_t i = 0; i < v.count * v.width; i++) {
        const uint8_t *p = g->bin + offset + i * each;
        uint16_t half = 0;
        uint32_t word = 0;
        float real = 0.0f;
        memcpy(&half, p, each == 2 ? 2 : 0);
        memcpy(&word, p, each == 4 ? 4 : 0);
        memcpy(&real, p, each == 4 ? 4 : 0);
        v.at[i] = each == 1 ? *p : each == 2 ? half : v.type == 5126 ? (double)real : word;
        assert_true(isfinite(v.at[i]));
    }
    const cJSON *low = cJSON_GetObjectItem(a, "min"), *high = cJSON_GetObjectItem(a, "max");
    assert_int_equal(low != NULL, high != NULL);
    for (size_t c = 0; low && c < v.width; c++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < v.count; i++) {
            least = fmin(least, v.at[i * v.width + c]);
            most = fmax(most, v.at[i * v.width + c]);
        }
        assert_true(cJSON_GetArrayItem(low, (int)c)->valuedouble == least);
        assert_true(cJSON_GetArrayItem(high, (int)c)->valuedouble == most);
    }
    return v;
}

/// The sampler that drives `path` of `node`; NULL when nothing does.
static inline const cJSON *glb_sampler(const glb_file *g, size_t node, const char *path)
{
    const cJSON *animation = glb_item(g, "animations", 0), *channel, *found = NULL;
    cJSON_ArrayForEach(channel, glb_at(animation, "channels"))
    {
        const cJSON *target = glb_at(channel, "target");
        if (glb_number(target, "node") == (double)node &&
            strcmp(glb_string(target, "path"), path) == 0) {
            assert_null(found); // one channel a target
            found = cJSON_GetArrayItem(glb_at(animation, "samplers"),
                                       (int)glb_number(channel, "sampler"));
            assert_non_null(found);
        }
    }
    return found;
}

/// Key times of a sampler: from 0, strictly increasing, with min and max.
static inline glb_values glb_times(const glb_file *g, const cJSON *sampler)
{
    const size_t input = (size_t)glb_number(sampler, "input");
    (void)glb_at(glb_item(g, "accessors", input), "min");
    const glb_values t = glb_read(g, input);
    assert_int_equal(t.width, 1);
    assert_true(t.at[0] == 0.0);
    for (size_t k = 1; k < t.count; k++) {
        assert_true(t.at[k] > t.at[k - 1]);
    }
    return t;
}
