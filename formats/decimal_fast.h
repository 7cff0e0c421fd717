// SPDX-License-Identifier: MIT
// The inlined heart of formats/decimal.h, for loops that read millions of numbers.
//
// Digits are gathered eight at a time inside a 64-bit word. A mantissa of at most 2^53 and a power
// of ten of at most 22 need one correctly rounded multiplication or division (Clinger 1990, "How
// to read floating point numbers accurately"); whatever is longer, larger or odd goes to strtod.
// Everybody else calls ug_decimal_read().
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// strtod in disguise: any number, any length, never past `end`. See ug_decimal_read().
const char *ug_decimal_read_slow(double *value, const char *p, const char *end);

extern const double ug_decimal_power[23];  ///< 10^0 … 10^22, all exact
extern const uint32_t ug_decimal_whole[9]; ///< 10^0 … 10^8

/// The 8 bytes at `p`, the first one lowest.
static inline uint64_t ug_decimal_load8(const char *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/// The number that 8 digit values (0…9) make, the most significant in the lowest byte: pairs,
/// fours and the eight by multiplication.
static inline uint32_t ug_decimal_join8(uint64_t word)
{
    word = word * 10 + (word >> 8);
    return (uint32_t)((((word & 0x000000FF000000FFu) * 0x000F424000000064u) +
                       (((word >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)) >>
                      32);
}

/// Leading decimal digits of the 8 bytes at `p`: how many, and their value.
static inline unsigned ug_decimal_digits8(uint32_t *value, const char *p)
{
    // after the xor a digit is 0…9; adding 0x76 sets the top bit of anything above
    const uint64_t word = ug_decimal_load8(p) ^ 0x3030303030303030u;
    const uint64_t other = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
    const unsigned count = other ? (unsigned)__builtin_ctzll(other) >> 3 : 8u;
    *value = count > 0 ? ug_decimal_join8(word << (64 - 8 * count)) : 0; // zeros in front
    return count;
}

/// ug_decimal_read() for p < end, with 16 readable bytes behind `end`.
static inline const char *ug_decimal_read_fast(double *value, const char *p, const char *end)
{
    const char *const start = p;
    const bool negative = *p == '-';
    p += negative || *p == '+';

    uint32_t whole, part = 0;
    const unsigned whole_count = ug_decimal_digits8(&whole, p);
    unsigned part_count = 0;
    p += whole_count;
    if (*p == '.' && whole_count < 8) {
        part_count = ug_decimal_digits8(&part, ++p);
        p += part_count;
    }
    // eight in a row may go on; a letter may be an exponent, "nan" or "inf"
    if (__builtin_expect(whole_count + part_count == 0 || whole_count == 8 || part_count == 8 ||
                             (unsigned char)*p > '9' || p > end,
                         0)) {
        return ug_decimal_read_slow(value, start, end);
    }
    // at most 14 digits: below 2^53
    const uint64_t mantissa = (uint64_t)whole * ug_decimal_whole[part_count] + part;
    const double v = (double)(int64_t)mantissa / ug_decimal_power[part_count];
    *value = negative ? -v : v;
    return p;
}
