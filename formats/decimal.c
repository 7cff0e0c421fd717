// SPDX-License-Identifier: MIT
#include "formats/decimal.h"

#include "formats/decimal_fast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double ug_decimal_power[23] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
const uint32_t ug_decimal_whole[9] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// The number's text, cut out so that strtod sees its end, whatever stands behind.
static const char *read_strtod(double *value, const char *p, const char *end)
{
    const char *last = p + (p < end && (*p == '-' || *p == '+'));
    if (last + 1 < end && last[0] == '0' && (last[1] | 32) == 'x') {
        last++; // the 0 of a hexadecimal number is all we take
    } else {
        // everything that can belong to a decimal, or to "infinity" and "nan"
        while (last < end && (is_digit(*last) || *last == '.' || *last == '-' || *last == '+' ||
                              ((*last | 32) >= 'a' && (*last | 32) <= 'z'))) {
            last++;
        }
    }
    char local[128];
    const size_t length = (size_t)(last - p);
    char *text = length < sizeof local ? local : malloc(length + 1);
    if (!text) {
        return p;
    }
    memcpy(text, p, length);
    text[length] = '\0';
    char *stop;
    *value = strtod(text, &stop);
    const char *const after = p + (stop - text);
    if (text != local) {
        free(text);
    }
    return after;
}

// Up to 19 digits and an exponent, where one exact operation gives the right rounding.
const char *ug_decimal_read_slow(double *value, const char *p, const char *end)
{
    const char *const start = p;
    const bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    const char *const first = p;
    uint64_t mantissa = 0;
    int digits = 0, power = 0;
    bool point = false;
    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        mantissa = 10 * mantissa + (uint64_t)(*p - '0');
        power -= point;
        if (++digits > 19) {
            return read_strtod(value, start, end); // the mantissa may have wrapped
        }
    }
    if (digits == 0) {
        return read_strtod(value, start, end);
    }
    const bool hexadecimal = p == first + 1 && *first == '0' && p < end && (*p | 32) == 'x';
    if (!hexadecimal && p < end && (*p | 32) == 'e') {
        const char *q = p + 1;
        const bool down = q < end && *q == '-';
        q += q < end && (*q == '-' || *q == '+');
        if (q < end && is_digit(*q)) { // else the e belongs to something else
            int exponent = 0;
            for (; q < end && is_digit(*q); q++) {
                exponent = exponent < 10000 ? 10 * exponent + (*q - '0') : exponent;
            }
            power += down ? -exponent : exponent;
            p = q;
        }
    }
    if (mantissa > (uint64_t)1 << 53 || power < -22 || power > 22) {
        return read_strtod(value, start, end);
    }
    const double m = (double)mantissa;
    const double v = power < 0 ? m / ug_decimal_power[-power] : m * ug_decimal_power[power];
    *value = negative ? -v : v;
    return p;
}

const char *ug_decimal_read(double *value, const char *p, const char *end)
{
    return p < end ? ug_decimal_read_fast(value, p, end) : p;
}

bool ug_decimal_parse(double *value, const char *text)
{
    const size_t length = strlen(text);
    const char *first = text + (*text == '-' || *text == '+');
    if (!is_digit(*first) && *first != '.') {
        return false;
    }
    const char *end = text + length;
    return ug_decimal_read_slow(value, text, end) == end && isfinite(*value);
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
