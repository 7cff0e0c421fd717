// SPDX-License-Identifier: MIT
// Numbers of the three processors C3D knows.
//
// DEC is the VAX F float: sign-magnitude, two little-endian 16-bit words with the high one first,
// exponent bias 128 and a mantissa in [0.5, 1), so the IEEE exponent is two less.
#include "formats/c3d_internal.h"

#include <math.h>
#include <string.h>

uint16_t c3d_get_u16(const uint8_t *p, char processor)
{
    return processor == 'M' ? (uint16_t)(p[0] << 8 | p[1]) : (uint16_t)(p[1] << 8 | p[0]);
}

void c3d_put_u16(uint8_t *p, char processor, uint16_t value)
{
    const uint8_t low = (uint8_t)value, high = (uint8_t)(value >> 8);
    p[0] = processor == 'M' ? high : low;
    p[1] = processor == 'M' ? low : high;
}

static uint32_t little_u32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void put_little_u32(uint8_t *p, uint32_t u)
{
    p[0] = (uint8_t)u;
    p[1] = (uint8_t)(u >> 8);
    p[2] = (uint8_t)(u >> 16);
    p[3] = (uint8_t)(u >> 24);
}

static float bits_to_float(uint32_t u)
{
    float value;
    memcpy(&value, &u, sizeof value);
    return value;
}

static float dec_to_float(uint32_t u)
{
    const uint32_t exponent = u >> 23 & 0xff;
    if (exponent == 0) {
        return u >> 31 ? NAN : 0.0f; // sign without exponent is the VAX's reserved operand
    }
    if (exponent > 2) {
        return bits_to_float(u - (2u << 23));
    }
    const double magnitude = ldexp((double)(0x800000u | (u & 0x7fffffu)), (int)exponent - 128 - 24);
    return (float)(u >> 31 ? -magnitude : magnitude);
}

static uint32_t float_to_dec(float value)
{
    const uint32_t sign = signbit(value) ? 1u << 31 : 0;
    if (isnan(value)) {
        return 1u << 31;
    }
    if (isinf(value)) {
        return sign | 0x7fffffffu;
    }
    int exponent = 0;
    const double mantissa = frexp(fabs((double)value), &exponent);
    if (mantissa == 0.0 || exponent < -127) {
        return 0;
    }
    if (exponent > 127) {
        return sign | 0x7fffffffu;
    }
    const uint32_t m = (uint32_t)ldexp(mantissa, 24) & 0x7fffffu;
    return sign | (uint32_t)(exponent + 128) << 23 | m;
}

static uint32_t swap_words(uint32_t u)
{
    return u << 16 | u >> 16;
}

float c3d_get_f32(const uint8_t *p, char processor)
{
    const uint32_t u = little_u32(p);
    switch (processor) {
    case 'M':
        return bits_to_float(__builtin_bswap32(u));
    case 'D':
        return dec_to_float(swap_words(u));
    default:
        return bits_to_float(u);
    }
}

void c3d_put_f32(uint8_t *p, char processor, float value)
{
    uint32_t u;
    memcpy(&u, &value, sizeof u);
    switch (processor) {
    case 'M':
        u = __builtin_bswap32(u);
        break;
    case 'D':
        u = swap_words(float_to_dec(value));
        break;
    default:
        break;
    }
    put_little_u32(p, u);
}

static bool is_host_order(char processor)
{
    return processor == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 'I' : 'M');
}

void c3d_get_f32_row(float *out, const uint8_t *p, size_t count, char processor)
{
    if (is_host_order(processor)) {
        memcpy(out, p, count * sizeof *out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = c3d_get_f32(p + 4 * i, processor);
    }
}

void c3d_put_f32_row(uint8_t *p, const float *values, size_t count, char processor)
{
    if (is_host_order(processor)) {
        memcpy(p, values, count * sizeof *values);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        c3d_put_f32(p + 4 * i, processor, values[i]);
    }
}

bool c3d_float_fits(float value, char processor)
{
    // 2^127 is the first number past a VAX float
    return processor != 'D' || fabsf(value) < 0x1p127f;
}

void c3d_parameter_from_file(ug_parameter *parameter, char processor)
{
    uint8_t *bytes = parameter->data;
    if (parameter->type == UG_PARAMETER_INT16) {
        for (size_t i = 0; i + 1 < parameter->size; i += 2) {
            const uint16_t v = c3d_get_u16(bytes + i, processor);
            memcpy(bytes + i, &v, sizeof v);
        }
    } else if (parameter->type == UG_PARAMETER_FLOAT) {
        for (size_t i = 0; i + 3 < parameter->size; i += 4) {
            const float v = c3d_get_f32(bytes + i, processor);
            memcpy(bytes + i, &v, sizeof v);
        }
    }
}
