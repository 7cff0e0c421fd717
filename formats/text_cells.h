// SPDX-License-Identifier: MIT
// Lines and cells of a text table, as pieces of the buffer they lie in.
//
// Header-only: the loops over millions of cells must inline. No quoting, no escapes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// Bytes p … end−1 of a buffer somebody else owns. p == NULL: nothing left.
typedef struct ug_span {
    const char *p, *end;
} ug_span;

static inline size_t ug_span_length(ug_span span)
{
    return span.p ? (size_t)(span.end - span.p) : 0;
}

static inline bool ug_span_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/// Without blanks at both ends.
static inline ug_span ug_span_trim(ug_span span)
{
    while (span.p < span.end && ug_span_is_blank(*span.p)) {
        span.p++;
    }
    while (span.p < span.end && ug_span_is_blank(span.end[-1])) {
        span.end--;
    }
    return span;
}

/// Take the next line off `rest`; LF, CRLF and CR end one. false at the end.
static inline bool ug_span_line(ug_span *line, ug_span *rest)
{
    if (!rest->p || rest->p >= rest->end) {
        return false;
    }
    const size_t left = ug_span_length(*rest);
    const char *lf = memchr(rest->p, '\n', left);
    const char *stop = lf ? lf : rest->end;
    const char *cr = memchr(rest->p, '\r', (size_t)(stop - rest->p));
    line->p = rest->p;
    line->end = cr ? cr : stop;
    rest->p = cr ? cr + 1 + (cr + 1 == lf) : stop + (lf != NULL);
    return true;
}

/// Take the next cell, untrimmed, off `line`. A line has one cell more than separators.
static inline bool ug_span_cell(ug_span *cell, ug_span *line, char separator)
{
    if (!line->p) {
        return false;
    }
    const char *stop = memchr(line->p, separator, (size_t)(line->end - line->p));
    cell->p = line->p;
    cell->end = stop ? stop : line->end;
    line->p = stop ? stop + 1 : NULL;
    return true;
}

/// The same bytes as `text`, ASCII letters in any case.
static inline bool ug_span_equal(ug_span span, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length && i < ug_span_length(span); i++) {
        const char a = span.p[i], b = text[i];
        const char lower_a = a >= 'A' && a <= 'Z' ? (char)(a + 32) : a;
        const char lower_b = b >= 'A' && b <= 'Z' ? (char)(b + 32) : b;
        if (lower_a != lower_b) {
            return false;
        }
    }
    return ug_span_length(span) == length;
}

/// Zero-terminated copy, cut to the buffer.
static inline void ug_span_copy(char *out, size_t size, ug_span span)
{
    const size_t length = ug_span_length(span) < size - 1 ? ug_span_length(span) : size - 1;
    if (length > 0) {
        memcpy(out, span.p, length);
    }
    out[length] = '\0';
}
