// SPDX-License-Identifier: MIT
#include "motion/rate.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

ug_rate ug_rate_make(int64_t num, int64_t den)
{
    assert(den > 0);
    const int64_t g = num > 0 ? gcd(num, den) : 1;
    return (ug_rate){ num / g, den / g };
}

bool ug_rate_is_valid(ug_rate rate)
{
    return rate.num > 0 && rate.den > 0;
}

bool ug_rate_equal(ug_rate a, ug_rate b)
{
    return a.num == b.num && a.den == b.den;
}

double ug_rate_hz(ug_rate rate)
{
    return rate.den > 0 ? (double)rate.num / (double)rate.den : 0.0;
}

double ug_rate_time_s(ug_rate rate, double frame)
{
    assert(ug_rate_is_valid(rate));
    return frame * (double)rate.den / (double)rate.num;
}

// The one rate of the form n·scale in [low, high] hertz; false when there is none or a choice.
static bool only_multiple(ug_rate *rate, double low, double high, int64_t num, int64_t den)
{
    const double scale = (double)num / (double)den;
    const double first = ceil(low / scale), last = floor(high / scale);
    if (first != last || first < 1.0 || first > 1e9) {
        return false;
    }
    *rate = ug_rate_make((int64_t)first * num, den);
    return true;
}

// The simplest rate in [low, high]: a whole number, then n·1000/1001.
static bool snap(ug_rate *rate, double low, double high)
{
    return only_multiple(rate, low, high, 1, 1) || only_multiple(rate, low, high, 1000, 1001);
}

// The fraction with the smallest denominator in [low, high], by continued fractions; false when it
// is so long that the printed digits hardly speak for it.
static bool simple_fraction(ug_rate *rate, double low, double high)
{
    int64_t n0 = 0, n1 = 1, d0 = 1, d1 = 0; // convergents before
    double a = low, b = high;
    for (int depth = 0; depth < 40; depth++) {
        const double whole = floor(a);
        const bool last = whole == a || whole + 1.0 <= b;
        const double term = whole == a ? whole : last ? whole + 1.0 : whole;
        const double n = term * (double)n1 + (double)n0, d = term * (double)d1 + (double)d0;
        // about one fraction in 1/(n d) of all numbers: a hit by chance must stay unlikely
        if (n < 1.0 || d < 1.0 || n * d * (high - low) / low > 1e-2) {
            return false;
        }
        n0 = n1, n1 = (int64_t)n, d0 = d1, d1 = (int64_t)d;
        if (last) {
            *rate = ug_rate_make(n1, d1);
            return n / d >= low && n / d <= high;
        }
        const double next = 1.0 / (b - whole);
        b = 1.0 / (a - whole);
        a = next;
    }
    return false;
}

// A decimal as digits·10^exponent.
typedef struct decimal {
    int64_t digits;
    int exponent;
} decimal;

static bool parse_exponent(const char **p, const char *end, int *exponent)
{
    const char *q = *p + 1; // past the 'e'
    int sign = 1, value = 0;
    if (q < end && (*q == '+' || *q == '-')) {
        sign = *q++ == '-' ? -1 : 1;
    }
    if (q == end || *q < '0' || *q > '9') {
        return false;
    }
    for (; q < end && *q >= '0' && *q <= '9'; q++) {
        value = value < 1000 ? 10 * value + (*q - '0') : value;
    }
    *exponent += sign * value;
    *p = q;
    return true;
}

static bool parse_decimal(decimal *out, const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    decimal d = { 0, 0 };
    bool any = false, point = false;
    p += p < end && *p == '+';
    for (; p < end; p++) {
        if (*p == '.' && !point) {
            point = true;
        } else if (*p >= '0' && *p <= '9') {
            any = true;
            if (d.digits > (INT64_MAX - 9) / 10) {
                d.exponent += !point; // digits past the 18th only shift
            } else {
                d.digits = 10 * d.digits + (*p - '0');
                d.exponent -= point;
            }
        } else {
            break;
        }
    }
    if (any && p < end && (*p == 'e' || *p == 'E') && !parse_exponent(&p, end, &d.exponent)) {
        return false;
    }
    *out = d;
    return any && p == end && d.digits > 0;
}

// The printed decimal itself, to 18 places.
static ug_rate exact_rate(decimal d, bool is_period)
{
    int64_t num = d.digits, den = 1;
    for (; d.exponent < -18 && num > 0; d.exponent++) {
        num = (num + 5) / 10;
    }
    for (int i = d.exponent; i < 0; i++) {
        den *= 10;
    }
    for (int i = d.exponent; i > 0; i--) {
        num *= 10; // the range was checked: at most 10^9
    }
    return is_period ? ug_rate_make(den, num) : ug_rate_make(num, den);
}

static ug_status from_text(ug_rate *rate, const char *text, size_t length, bool is_period,
                           ug_error *err)
{
    assert(rate && text);
    const char *what = is_period ? "frame time" : "frame rate";
    decimal d;
    if (!parse_decimal(&d, text, length)) {
        return ug_fail(err, UG_E_DATA, "%s '%.*s' is not a positive number", what, (int)length,
                       text);
    }
    const double unit = pow(10.0, d.exponent);
    const double value = (double)d.digits * unit;
    if (!isfinite(value) || value < 1e-9 || value > 1e9) {
        return ug_fail(err, UG_E_DATA, "%s '%.*s' is out of range", what, (int)length, text);
    }
    // half a unit of the last place either way, and the rounding of doubles, theirs and ours;
    // some writers cut instead of rounding, so with enough digits the next print is allowed too
    const double half = 0.5 * unit + 4e-16 * value;
    const double low = value - half, rounded = value + half, cut = value + 0.999 * unit;
    for (int k = 0; k < (d.digits < 1000 ? 1 : 2); k++) {
        const double high = k == 0 ? rounded : fmax(rounded, cut);
        if (low > 0.0 && snap(rate, is_period ? 1.0 / high : low, is_period ? 1.0 / low : high)) {
            return UG_OK;
        }
    }
    if (low <= 0.0 ||
        !simple_fraction(rate, is_period ? 1.0 / rounded : low, is_period ? 1.0 / low : rounded)) {
        *rate = exact_rate(d, is_period);
    }
    return UG_OK;
}

ug_status ug_rate_from_hz_text(ug_rate *rate, const char *text, size_t length, ug_error *err)
{
    return from_text(rate, text, length, false, err);
}

ug_status ug_rate_from_frame_time_text(ug_rate *rate, const char *text, size_t length,
                                       ug_error *err)
{
    return from_text(rate, text, length, true, err);
}

ug_rate ug_rate_from_f32(float hz)
{
    if (!(hz > 0.0f) || !isfinite(hz) || hz > 1e9f) {
        return (ug_rate){ 0, 0 };
    }
    ug_rate rate;
    const double half_ulp = 0.5 * (double)(nextafterf(hz, FLT_MAX) - hz);
    if (snap(&rate, (double)hz - half_ulp, (double)hz + half_ulp)) {
        return rate;
    }
    // the shortest decimal that reads back as this float: what its writer meant
    for (int64_t den = 10; den <= 1000000000; den *= 10) {
        const double num = round((double)hz * (double)den);
        if ((float)(num / (double)den) == hz) {
            return ug_rate_make((int64_t)num, den);
        }
    }
    return ug_rate_make((int64_t)round((double)hz * 1e9), 1000000000);
}
