// SPDX-License-Identifier: MIT
#include "motion/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ug_text_copy_n(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        if (length > 0) {
            memcpy(copy, text, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

char *ug_text_copy(const char *text)
{
    return ug_text_copy_n(text, strlen(text));
}

char *ug_text_format(const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        (void)vsnprintf(text, (size_t)length + 1, fmt, again);
    }
    va_end(again);
    return text;
}

char **ug_text_list_create(size_t count)
{
    return count > 0 ? calloc(count, sizeof(char *)) : NULL;
}

void ug_text_list_destroy(char **list, size_t count)
{
    for (size_t i = 0; list && i < count; i++) {
        free(list[i]);
    }
    free(list);
}

ptrdiff_t ug_text_list_find(char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] && strcmp(list[i], text) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

bool ug_text_equal_nocase(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return tolower((unsigned char)*a) == tolower((unsigned char)*b);
}

bool ug_text_is_utf8(const char *text, size_t length)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + length;
    while (p < end) {
        uint32_t code = *p, smallest;
        size_t more;
        if (code < 0x80) {
            p++;
            continue;
        } else if ((code & 0xE0) == 0xC0) {
            more = 1, smallest = 0x80, code &= 0x1F;
        } else if ((code & 0xF0) == 0xE0) {
            more = 2, smallest = 0x800, code &= 0x0F;
        } else if ((code & 0xF8) == 0xF0) {
            more = 3, smallest = 0x10000, code &= 0x07;
        } else {
            return false;
        }
        if ((size_t)(end - p) <= more) {
            return false;
        }
        for (size_t i = 1; i <= more; i++) {
            if ((p[i] & 0xC0) != 0x80) {
                return false;
            }
            code = code << 6 | (p[i] & 0x3F);
        }
        if (code < smallest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
            return false;
        }
        p += more + 1;
    }
    return true;
}
