// SPDX-License-Identifier: MIT
// A set of texts by hashing: a damaged header can promise 65 535 labels, and comparing each with
// each would take minutes.
#include "formats/c3d_internal.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

bool c3d_names_init(c3d_names *names, size_t expected)
{
    size_t capacity = 16;
    while (capacity < 2 * expected) {
        capacity *= 2;
    }
    *names = (c3d_names){ .capacity = capacity };
    names->keys = calloc(capacity, sizeof *names->keys);
    names->values = calloc(capacity, sizeof *names->values);
    if (!names->keys || !names->values) {
        c3d_names_fini(names);
        return false;
    }
    return true;
}

void c3d_names_fini(c3d_names *names)
{
    free(names->keys);
    free(names->values);
    *names = (c3d_names){ 0 };
}

// FNV-1a, 64 bit
static size_t slot_of(const c3d_names *names, const char *key)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = key; *c; c++) {
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    }
    size_t slot = (size_t)(hash ^ hash >> 32) & (names->capacity - 1);
    while (names->keys[slot] && strcmp(names->keys[slot], key) != 0) {
        slot = (slot + 1) & (names->capacity - 1);
    }
    return slot;
}

uint32_t *c3d_names_put(c3d_names *names, const char *key, uint32_t value, bool *is_new)
{
    const size_t slot = slot_of(names, key);
    *is_new = !names->keys[slot];
    if (*is_new && names->count + 1 < names->capacity) { // one slot stays free, to end a search
        names->keys[slot] = key;
        names->values[slot] = value;
        names->count++;
    }
    return &names->values[slot];
}

const uint32_t *c3d_names_find(const c3d_names *names, const char *key)
{
    const size_t slot = slot_of(names, key);
    return names->keys[slot] ? &names->values[slot] : NULL;
}

static char *full_name(char *const *labels, char *const *subjects, size_t i)
{
    return ug_text_format("%s\x01%s", subjects && subjects[i] ? subjects[i] : "", labels[i]);
}

// Give label `i`, whose full name keys[i] is taken, a free one.
static bool rename_one(c3d_names *seen, char **labels, char *const *subjects, char **keys, size_t i)
{
    // the value counts how often the name was met, so the search for a free one is short
    uint32_t *met = &seen->values[slot_of(seen, keys[i])];
    char *const old = labels[i];
    for (;;) {
        char *label = ug_text_format("%s_%u", old, (unsigned)++*met);
        labels[i] = label;
        char *key = label ? full_name(labels, subjects, i) : NULL;
        labels[i] = old;
        if (!key) {
            free(label);
            return false;
        }
        bool is_new;
        c3d_names_put(seen, key, 1, &is_new);
        if (is_new) {
            free(keys[i]); // the set holds the first bearer's text, not this one
            keys[i] = key;
            free(old);
            labels[i] = label;
            return true;
        }
        free(key);
        free(label);
    }
}

size_t c3d_names_make_unique(char **labels, char *const *subjects, size_t count)
{
    if (count == 0) {
        return 0;
    }
    c3d_names seen = { 0 };
    char **keys = ug_text_list_create(count);
    bool *doubled = calloc(count, sizeof *doubled);
    bool ok = keys && doubled && c3d_names_init(&seen, 2 * count);
    // first every name as it is, so that a made-up "A_2" never takes the place of a real one
    for (size_t i = 0; ok && i < count; i++) {
        bool is_new;
        keys[i] = full_name(labels, subjects, i);
        ok = keys[i] != NULL;
        if (ok) {
            c3d_names_put(&seen, keys[i], 1, &is_new);
            doubled[i] = !is_new;
        }
    }
    size_t changed = 0;
    for (size_t i = 0; ok && i < count; i++) {
        if (doubled[i]) {
            ok = rename_one(&seen, labels, subjects, keys, i);
            changed++;
        }
    }
    c3d_names_fini(&seen);
    free(doubled);
    ug_text_list_destroy(keys, count);
    return ok ? changed : SIZE_MAX;
}
