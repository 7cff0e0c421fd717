// SPDX-License-Identifier: MIT
#include "formats/decimal_row.h"

#include "formats/decimal_fast.h"

#include <math.h>
#if defined(__SSE2__) && !defined(UG_DECIMAL_PLAIN)
#include <emmintrin.h>
#endif

// One bit a byte, the first byte lowest.
typedef struct block {
    uint64_t space; // blanks and everything below
    uint64_t line;  // what ends a line: control characters but the tab
    uint64_t point;
} block;

#if defined(__SSE2__) && !defined(UG_DECIMAL_PLAIN)
static inline block look(const char *p)
{
    const __m128i blank = _mm_set1_epi8(' '), control = _mm_set1_epi8(0x1F);
    const __m128i tab = _mm_set1_epi8('\t'), point = _mm_set1_epi8('.');
    block b = { 0, 0, 0 };
    for (int i = 0; i < 64; i += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        const __m128i below = _mm_cmpeq_epi8(_mm_min_epu8(x, control), x);
        const __m128i line = _mm_andnot_si128(_mm_cmpeq_epi8(x, tab), below);
        const __m128i space = _mm_or_si128(below, _mm_cmpeq_epi8(x, blank));
        b.space |= (uint64_t)(uint32_t)_mm_movemask_epi8(space) << i;
        b.line |= (uint64_t)(uint32_t)_mm_movemask_epi8(line) << i;
        b.point |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, point)) << i;
    }
    return b;
}
#else
static inline block look(const char *p)
{
    block b = { 0, 0, 0 };
    for (int i = 0; i < 64; i++) {
        const unsigned char c = (unsigned char)p[i];
        b.space |= (uint64_t)(c <= ' ') << i;
        b.line |= (uint64_t)(c < ' ' && c != '\t') << i;
        b.point |= (uint64_t)(c == '.') << i;
    }
    return b;
}
#endif

static inline unsigned lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

static inline uint64_t without_lowest(uint64_t bits)
{
    return bits & (bits - 1);
}

// The 8 bytes before `p` as digit values, of which only the last `count` are kept.
static inline uint64_t digits_before(const char *p, unsigned count)
{
    static const uint64_t KEEP[9] = { 0,
                                      0xFF00000000000000u,
                                      0xFFFF000000000000u,
                                      0xFFFFFF0000000000u,
                                      0xFFFFFFFF00000000u,
                                      0xFFFFFFFFFF000000u,
                                      0xFFFFFFFFFFFF0000u,
                                      0xFFFFFFFFFFFFFF00u,
                                      0xFFFFFFFFFFFFFFFFu };
    return (ug_decimal_load8(p - 8) ^ 0x3030303030303030u) & KEEP[count];
}

// A number [first, last) with its point at `point` (== last when it has none); false when it is
// not plain.
static inline bool read_plain(double *value, const char *first, const char *point, const char *last)
{
    const uint64_t negative = *first == '-';
    const size_t whole_count = (size_t)(point - first) - negative;
    const size_t part_count = (size_t)(last - point) - (point < last);
    if (whole_count > 8 || part_count > 8 || whole_count + part_count - 1 > 14) {
        return false;
    }
    const uint64_t whole = digits_before(point, (unsigned)whole_count);
    const uint64_t part = digits_before(last, (unsigned)part_count);
    const uint64_t other =
        whole | part | (whole + 0x7676767676767676u) | (part + 0x7676767676767676u);
    if (other & 0x8080808080808080u) {
        return false;
    }
    const uint64_t mantissa =
        (uint64_t)ug_decimal_join8(whole) * ug_decimal_whole[part_count] + ug_decimal_join8(part);
    const double v = (double)(int64_t)mantissa / ug_decimal_power[part_count];
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits |= negative << 63;
    memcpy(value, &bits, sizeof bits);
    return true;
}

// Any number at `p`, whole: a blank, a line end or the text's end must follow. NULL when it is
// none.
static const char *read_odd(double *value, bool *tame, const char *p, const char *end)
{
    const char *const stop = ug_decimal_read_slow(value, p, end);
    if (stop == p || (stop < end && (unsigned char)*stop > ' ')) {
        return NULL;
    }
    *tame = *tame && fabs(*value) < 1e9;
    return stop;
}

const char *ug_decimal_row_read(double *row, size_t *count, bool *tame, size_t wanted,
                                const char *p, const char *end)
{
    size_t n = 0;
    while (n < wanted && p < end) {
        // p stands at a number, at a space, or at the start of the line: never inside a number
        const block b = look(p);
        uint64_t first = ~b.space & (b.space << 1 | 1);
        uint64_t last = b.space & ~(b.space << 1) & ~(uint64_t)1;
        uint64_t point = b.point;
        if (b.line) {
            const uint64_t upto = b.line ^ (b.line - 1); // the line's end and all before it
            first &= upto;
            last &= upto;
        }
        for (; last && n < wanted; n++) {
            const char *const from = p + lowest(first), *const to = p + lowest(last);
            const char *at = point ? p + lowest(point) : to;
            if (at >= to) {
                at = to;
            } else {
                point = without_lowest(point);
            }
            if (__builtin_expect(at < from || !read_plain(&row[n], from, at, to), 0)) {
                if (read_odd(&row[n], tame, from, end) != to) {
                    *count = n;
                    return from;
                }
                point &= ~(uint64_t)0 << lowest(last);
            }
            first = without_lowest(first);
            last = without_lowest(last);
            if (n + 1 == wanted) {
                *count = wanted;
                return to;
            }
        }
        if (first) { // cut by the block
            const char *const from = p + lowest(first);
            if (from > p) {
                p = from;
                continue;
            }
            p = read_odd(&row[n], tame, from, end); // longer than a block, or the text's last
            if (!p) {
                *count = n;
                return from;
            }
            n++;
        } else if (b.line) {
            p += lowest(b.line);
            break;
        } else {
            p += 64;
        }
    }
    *count = n;
    return p < end ? p : end;
}
