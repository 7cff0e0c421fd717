// SPDX-License-Identifier: MIT
// The JSON tree and the binary buffer of a GLB.
#include "formats/glb_parts.h"
#include "motion/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "GLB is written as it lies in memory");

enum { NUMBER_LENGTH = 40 };

void ug_glb_init(ug_glb *glb)
{
    *glb = (ug_glb){ 0 };
    glb->root = ug_glb_object(glb);
    glb->views = ug_glb_array(glb);
    glb->accessors = ug_glb_array(glb);
}

void ug_glb_fini(ug_glb *glb)
{
    cJSON_Delete(glb->root);
    cJSON_Delete(glb->views);
    cJSON_Delete(glb->accessors);
    free(glb->bytes);
    *glb = (ug_glb){ 0 };
}

ug_status ug_glb_status(const ug_glb *glb, ug_error *err)
{
    if (glb->too_large) {
        return ug_fail(err, UG_E_UNSUPPORTED,
                       "is larger than the 4 GiB that a GLB can hold; export fewer frames, or "
                       "with --interpolation linear");
    }
    return glb->out_of_memory ? ug_fail(err, UG_E_NOMEM, "out of memory") : UG_OK;
}

// ---- JSON

static cJSON *noted(ug_glb *glb, cJSON *item)
{
    glb->out_of_memory = glb->out_of_memory || !item;
    return item;
}

cJSON *ug_glb_object(ug_glb *glb)
{
    return noted(glb, cJSON_CreateObject());
}

cJSON *ug_glb_array(ug_glb *glb)
{
    return noted(glb, cJSON_CreateArray());
}

// cJSON prints numbers with 15 digits where that is "near enough": they go in as text
cJSON *ug_glb_integer(ug_glb *glb, int64_t value)
{
    char text[NUMBER_LENGTH];
    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    return noted(glb, cJSON_CreateRaw(text));
}

static cJSON *number(ug_glb *glb, double value, int digits)
{
    char text[NUMBER_LENGTH];
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    return noted(glb, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

cJSON *ug_glb_real(ug_glb *glb, double value)
{
    return number(glb, value, 17);
}

cJSON *ug_glb_single(ug_glb *glb, double value)
{
    return number(glb, value, 9);
}

cJSON *ug_glb_vector(ug_glb *glb, ug_vec3 v)
{
    cJSON *array = ug_glb_array(glb);
    ug_glb_append(glb, array, ug_glb_single(glb, v.x));
    ug_glb_append(glb, array, ug_glb_single(glb, v.y));
    ug_glb_append(glb, array, ug_glb_single(glb, v.z));
    return array;
}

cJSON *ug_glb_text(ug_glb *glb, const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    if (!text || ug_text_is_utf8(text, length)) {
        return noted(glb, cJSON_CreateString(text ? text : ""));
    }
    char *wide = malloc(2 * length + 1);
    char *out = wide;
    for (size_t i = 0; wide && i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x80) {
            *out++ = (char)(0xC0 | c >> 6);
        }
        *out++ = (char)(c >= 0x80 ? 0x80 | (c & 0x3F) : c);
    }
    if (wide) {
        *out = '\0';
    }
    cJSON *item = noted(glb, wide ? cJSON_CreateString(wide) : NULL);
    free(wide);
    return item;
}

cJSON *ug_glb_json(ug_glb *glb, const char *json)
{
    cJSON *parsed =
        json && ug_text_is_utf8(json, strlen(json)) ? cJSON_ParseWithOpts(json, NULL, 1) : NULL;
    const bool valid = parsed != NULL;
    cJSON_Delete(parsed);
    return valid ? noted(glb, cJSON_CreateRaw(json)) : ug_glb_text(glb, json);
}

void ug_glb_put(ug_glb *glb, cJSON *object, const char *name, cJSON *item)
{
    if (!object || !item || !cJSON_AddItemToObject(object, name, item)) {
        cJSON_Delete(item);
        glb->out_of_memory = true;
    }
}

void ug_glb_append(ug_glb *glb, cJSON *array, cJSON *item)
{
    if (!array || !item || !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        glb->out_of_memory = true;
    }
}

// ---- the buffer

static size_t bytes_of(int type)
{
    return type == UG_GLB_BYTE ? 1 : type == UG_GLB_SHORT ? 2 : 4;
}

static bool make_room(ug_glb *glb, size_t bytes)
{
    // the header and the JSON need their part of the 2^32 bytes, too
    if (bytes > UINT32_MAX || glb->size + bytes > (size_t)UINT32_MAX - (64u << 20)) {
        glb->too_large = true;
        return false;
    }
    if (glb->size + bytes > glb->capacity) {
        const size_t capacity = glb->capacity + glb->capacity / 2 + bytes;
        uint8_t *grown = realloc(glb->bytes, capacity);
        if (!grown) {
            glb->out_of_memory = true;
            return false;
        }
        glb->bytes = grown;
        glb->capacity = capacity;
    }
    return true;
}

void *ug_glb_reserve(ug_glb *glb, size_t count, int components, int type, int target,
                     size_t *accessor)
{
    static const char *const NAMES[] = {
        [1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"
    };
    *accessor = 0;
    const size_t element = (size_t)components * bytes_of(type);
    const size_t bytes = count < UINT32_MAX ? count * element : SIZE_MAX / 2;
    const size_t padded = (bytes + 3) / 4 * 4; // every view starts on four bytes
    if (count == 0 || !make_room(glb, padded)) {
        return NULL;
    }
    cJSON *view = ug_glb_object(glb);
    ug_glb_put(glb, view, "buffer", ug_glb_integer(glb, 0));
    ug_glb_put(glb, view, "byteOffset", ug_glb_integer(glb, (int64_t)glb->size));
    ug_glb_put(glb, view, "byteLength", ug_glb_integer(glb, (int64_t)bytes));
    if (target != UG_GLB_ANY) {
        ug_glb_put(glb, view, "target", ug_glb_integer(glb, target));
    }
    ug_glb_append(glb, glb->views, view);
    cJSON *item = ug_glb_object(glb);
    ug_glb_put(glb, item, "bufferView", ug_glb_integer(glb, (int64_t)glb->accessor_count));
    ug_glb_put(glb, item, "componentType", ug_glb_integer(glb, type));
    ug_glb_put(glb, item, "count", ug_glb_integer(glb, (int64_t)count));
    ug_glb_put(glb, item, "type", noted(glb, cJSON_CreateString(NAMES[components])));
    ug_glb_append(glb, glb->accessors, item);
    *accessor = glb->accessor_count++;
    void *room = glb->bytes + glb->size;
    memset(room, 0, padded);
    glb->size += padded;
    return room;
}

void ug_glb_bound(ug_glb *glb, const float *values, size_t count, int components)
{
    cJSON *item = glb->accessors ? glb->accessors->child : NULL;
    item = item ? item->prev : NULL; // cJSON's first child knows the last
    cJSON *low = ug_glb_array(glb), *high = ug_glb_array(glb);
    for (int c = 0; c < components; c++) {
        float least = values[c], most = values[c];
        for (size_t i = 1; i < count; i++) {
            const float v = values[i * (size_t)components + (size_t)c];
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        ug_glb_append(glb, low, ug_glb_real(glb, (double)least));
        ug_glb_append(glb, high, ug_glb_real(glb, (double)most));
    }
    ug_glb_put(glb, item, "min", low);
    ug_glb_put(glb, item, "max", high);
}
