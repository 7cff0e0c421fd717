// SPDX-License-Identifier: MIT
#include "formats/decimal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The plain form; the fast path of ug_decimal_read is held to it.
static const char *read_slow(double *value, const char *p, const char *end)
{
    char text[512];
    const size_t length = (size_t)(end - p) < sizeof text - 1 ? (size_t)(end - p) : sizeof text - 1;
    memcpy(text, p, length);
    text[length] = '\0';
    const char *digits = text + (*text == '-' || *text == '+');
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        text[digits - text + 1] = '\0';
    }
    char *stop;
    *value = strtod(text, &stop);
    return p + (stop - text);
}

const char *ug_decimal_read(double *value, const char *p, const char *end)
{
    return p < end ? read_slow(value, p, end) : p;
}

bool ug_decimal_parse(double *value, const char *text)
{
    const size_t length = strlen(text);
    const char *first = text + (*text == '-' || *text == '+');
    if ((*first < '0' || *first > '9') && *first != '.') {
        return false;
    }
    return length > 0 && read_slow(value, text, text + length) == text + length && isfinite(*value);
}

bool ug_integer_parse(long long *value, const char *text, long long low, long long high)
{
    const char *p = text + (*text == '-' || *text == '+');
    if (*p == '\0' || p[strspn(p, "0123456789")] != '\0') {
        return false;
    }
    errno = 0;
    const long long v = strtoll(text, NULL, 10);
    if (errno != 0 || v < low || v > high) {
        return false;
    }
    *value = v;
    return true;
}
