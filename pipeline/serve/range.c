// SPDX-License-Identifier: MIT
#include "pipeline/serve/range.h"

#include <strings.h>

// Digits at *at, moved behind them; what does not fit is the largest number there is, which lies
// behind the end of any body as the true one would. False without a digit.
static bool parse_number(uint64_t *value, const char **at)
{
    const char *p = *at;
    *value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        *value = *value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *value * 10 + digit;
    }
    const bool some = p > *at;
    *at = p;
    return some;
}

bool ug_range_parse(ug_range *range, const char *text, uint64_t size)
{
    uint64_t first, last;
    if (size == 0 || strncasecmp(text, "bytes=", 6) != 0) {
        return false;
    }
    const char *p = text + 6;
    const bool has_first = parse_number(&first, &p);
    if (*p++ != '-') {
        return false;
    }
    const bool has_last = parse_number(&last, &p);
    if (*p != '\0' || (!has_first && !has_last)) {
        return false;
    }
    if (!has_first) { // the last N bytes
        if (last == 0) {
            return false;
        }
        const uint64_t count = last < size ? last : size;
        *range = (ug_range){ size - count, count };
        return true;
    }
    if (!has_last || last >= size) {
        last = size - 1;
    }
    if (first > last) {
        return false;
    }
    *range = (ug_range){ first, last - first + 1 };
    return true;
}
