// SPDX-License-Identifier: MIT
// The first block of a C3D file that is written: what the source's block said, with the figures
// that the new file has.
#include "formats/c3d_internal.h"

static void move_float(uint8_t *at, char from, char to)
{
    c3d_put_f32(at, to, c3d_get_f32(at, from));
}

// What stays of the source's header, in the new processor's order.
void c3d_header_convert(uint8_t *header, char from, char to)
{
    static const int WORDS[] = { C3D_H_GAP, C3D_H_SAMPLES, C3D_H_EVENT_KEY, C3D_H_EVENT_COUNT };
    for (size_t i = 0; from != to && i < sizeof WORDS / sizeof WORDS[0]; i++) {
        c3d_put_u16(header + WORDS[i], to, c3d_get_u16(header + WORDS[i], from));
    }
    for (size_t i = 0; from != to && i < C3D_H_EVENT_MAX; i++) {
        move_float(header + C3D_H_EVENT_TIMES + 4 * i, from, to);
    }
}

static uint16_t at_most_16_bits(int64_t value)
{
    return (uint16_t)(value < 0 ? 0 : value > C3D_COUNT_MAX ? C3D_COUNT_MAX : value);
}

void c3d_header_fill(c3d_plan *plan, bool is_new, bool has_analog)
{
    const c3d_layout *l = &plan->layout;
    uint8_t *h = plan->header;
    const char p = l->processor;
    const double scale = l->is_integer ? l->scale : -l->scale;
    // a first frame past 16 bits stands in TRIAL alone
    const int64_t first = l->first_frame <= C3D_COUNT_MAX ? l->first_frame : 1;
    h[C3D_H_PARAMETER_BLOCK] = 2;
    h[C3D_H_KEY] = C3D_KEY;
    c3d_put_u16(h + C3D_H_POINTS, p, (uint16_t)l->point_count);
    c3d_put_u16(h + C3D_H_ANALOG, p, (uint16_t)(l->channel_count * l->samples_per_frame));
    c3d_put_u16(h + C3D_H_FIRST, p, at_most_16_bits(first));
    c3d_put_u16(h + C3D_H_LAST, p, at_most_16_bits(first + (int64_t)l->frame_count - 1));
    c3d_put_f32(h + C3D_H_SCALE, p, (float)scale);
    c3d_put_u16(h + C3D_H_DATA_START, p,
                at_most_16_bits((int64_t)(l->data_offset / C3D_BLOCK) + 1));
    if (has_analog || is_new) {
        c3d_put_u16(h + C3D_H_SAMPLES, p, (uint16_t)l->samples_per_frame);
    }
    const float rate = c3d_get_f32(h + C3D_H_RATE, p);
    if (!ug_rate_equal(c3d_rate((double)rate), l->rate)) {
        c3d_put_f32(h + C3D_H_RATE, p, (float)ug_rate_hz(l->rate));
    }
    if (is_new) {
        c3d_put_u16(h + C3D_H_GAP, p, 10);
        c3d_put_u16(h + C3D_H_EVENT_KEY, p, 12345);
    }
}
