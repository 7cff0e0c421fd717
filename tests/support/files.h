// SPDX-License-Identifier: MIT
// Small files for tests: write a text, read it back, compare.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Write `size` bytes to `path`; false when that fails.
static inline bool test_write_bytes(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f) {
        return false;
    }
    const bool ok = fwrite(data, 1, size, f) == size;
    return fclose(f) == 0 && ok;
}

static inline bool test_write_text(const char *path, const char *text)
{
    return test_write_bytes(path, text, strlen(text));
}

/// The whole file, zero-terminated; NULL when it cannot be read. free() it.
static inline char *test_read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        return NULL;
    }
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text) {
        text[fread(text, 1, (size_t)size, f)] = '\0';
    }
    fclose(f);
    return text;
}
