// SPDX-License-Identifier: MIT
#include "motion/warnings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char OVERFLOW_CODE[] = "more_warnings";

static ug_warning *find(ug_warnings *warnings, const char *code)
{
    for (size_t i = 0; i < warnings->count; i++) {
        if (strcmp(warnings->items[i].code, code) == 0) {
            return &warnings->items[i];
        }
    }
    return NULL;
}

static ug_warning *find_or_add(ug_warnings *warnings, const char *code, const char *words)
{
    ug_warning *w = find(warnings, code);
    if (w) {
        return w;
    }
    // the last slot is kept for what does not fit
    if (warnings->count >= UG_WARNING_CAPACITY - 1 && strcmp(code, OVERFLOW_CODE) != 0) {
        return find_or_add(warnings, OVERFLOW_CODE, words);
    }
    w = &warnings->items[warnings->count++];
    (void)snprintf(w->code, sizeof w->code, "%s", code);
    (void)snprintf(w->first, sizeof w->first, "%s", words);
    w->count = 0;
    return w;
}

static void add(ug_warnings *warnings, size_t times, const char *code, const char *fmt,
                va_list args)
{
    char words[sizeof warnings->items[0].first];
    (void)vsnprintf(words, sizeof words, fmt, args);
    find_or_add(warnings, code, words)->count += times;
}

void ug_warn(ug_warnings *warnings, const char *code, const char *fmt, ...)
{
    assert(code && fmt);
    if (warnings) {
        va_list args;
        va_start(args, fmt);
        add(warnings, 1, code, fmt, args);
        va_end(args);
    }
}

void ug_warn_times(ug_warnings *warnings, size_t times, const char *code, const char *fmt, ...)
{
    assert(code && fmt);
    if (warnings && times > 0) {
        va_list args;
        va_start(args, fmt);
        add(warnings, times, code, fmt, args);
        va_end(args);
    }
}

size_t ug_warnings_count(const ug_warnings *warnings, const char *code)
{
    for (size_t i = 0; i < warnings->count; i++) {
        if (strcmp(warnings->items[i].code, code) == 0) {
            return warnings->items[i].count;
        }
    }
    return 0;
}

void ug_warnings_merge(ug_warnings *to, const ug_warnings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        find_or_add(to, from->items[i].code, from->items[i].first)->count += from->items[i].count;
    }
}
