// SPDX-License-Identifier: MIT
// Colours and letters of a contact sheet.
#include "motion/text.h"
#include "pipeline/report/sheet_paint.h"

#include <cairo.h>
#include <stdio.h>
#include <string.h>

#define INK(hex)                                                                                   \
    {                                                                                              \
        ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0               \
    }

// Blue is left and orange is right: told apart by every kind of eye.
static const ug_sheet_theme LIGHT = {
    .paper = INK(0xfaf9f5),
    .panel = INK(0xffffff),
    .line = INK(0xe4e1d8),
    .ink = INK(0x22262b),
    .muted = INK(0x6f747a),
    .ground = INK(0x8b8778),
    .side = { INK(0xc3c7cc), INK(0x3f83cf), INK(0xe8853a) },
    .dot = { INK(0x12805c), INK(0xd0248f), INK(0x7a3fd0), INK(0x5fb38f), INK(0x1aa5b8),
             INK(0xc79a00), INK(0x9aa0a6) },
};
static const ug_sheet_theme DARK = {
    .paper = INK(0x17191c),
    .panel = INK(0x1f2226),
    .line = INK(0x32363c),
    .ink = INK(0xeceae4),
    .muted = INK(0x9a9fa6),
    .ground = INK(0x8f8b7e),
    .side = { INK(0x8d939b), INK(0x4f97e6), INK(0xf0924a) },
    .dot = { INK(0x3ddc9a), INK(0xff5cbb), INK(0xb08bff), INK(0x9be3c2), INK(0x4fd6e8),
             INK(0xffd24a), INK(0x70767d) },
};

const ug_sheet_theme *ug_sheet_theme_of(bool dark)
{
    return dark ? &DARK : &LIGHT;
}

ug_ink ug_ink_mix(ug_ink a, ug_ink b, double t)
{
    return (ug_ink){ a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b) };
}

void ug_pen_set(ug_pen *pen, ug_ink ink)
{
    cairo_set_source_rgb(pen, ink.r, ink.g, ink.b);
}

static void choose_type(ug_pen *pen, double size, bool bold)
{
    cairo_select_font_face(pen, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen, size);
}

// cairo's context is dead for good after one ill-formed byte.
static void make_safe(char *out, size_t capacity, const char *text)
{
    const bool cut = (size_t)snprintf(out, capacity, "%s", text) >= capacity;
    size_t length = strlen(out);
    bool utf8 = ug_text_is_utf8(out, length);
    for (int i = 0; cut && i < 3 && length > 0 && !utf8; i++) { // a letter cut in two at the end
        utf8 = ug_text_is_utf8(out, --length);
    }
    if (utf8) {
        out[length] = '\0';
    }
    for (size_t i = 0; out[i]; i++) {
        const unsigned char c = (unsigned char)out[i];
        out[i] = c < 32 || c == 127 || (c > 127 && !utf8) ? '?' : out[i];
    }
}

static double width_of(ug_pen *pen, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(pen, text, &e);
    return e.x_advance;
}

double ug_pen_text_width(ug_pen *pen, double size, bool bold, const char *text)
{
    char safe[512];
    make_safe(safe, sizeof safe, text);
    choose_type(pen, size, bold);
    return width_of(pen, safe);
}

double ug_pen_text(ug_pen *pen, double x, double y, double size, ug_align align, bool bold,
                   double room, const char *text)
{
    char shown[512];
    make_safe(shown, sizeof shown - 8, text);
    choose_type(pen, size, bold);
    double width = width_of(pen, shown);
    size_t length = strlen(shown);
    while (room > 0.0 && width > room && length > 0) {
        do {
            length--;
        } while (length > 0 && ((unsigned char)shown[length] & 0xc0) == 0x80);
        memcpy(shown + length, "…", sizeof "…");
        width = width_of(pen, shown);
    }
    cairo_move_to(pen,
                  align == UG_ALIGN_LEFT     ? x
                  : align == UG_ALIGN_CENTRE ? x - 0.5 * width
                                             : x - width,
                  y);
    cairo_show_text(pen, shown);
    cairo_new_path(pen);
    return width;
}
