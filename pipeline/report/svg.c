// SPDX-License-Identifier: MIT
#include "pipeline/report/svg.h"

#include "motion/text.h"
#include "pipeline/report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NARROWEST = 0.75;

void ug_svg_number(FILE *out, double value)
{
    const double hundredths = rint(100.0 * value);
    const int digits = fmod(hundredths, 10.0) != 0.0 ? 2 : fmod(hundredths, 100.0) != 0.0 ? 1 : 0;
    (void)fprintf(out, "%.*f", digits, hundredths == 0.0 ? 0.0 : hundredths / 100.0);
}

static void attribute(FILE *out, const char *name, double value)
{
    (void)fprintf(out, " %s=\"", name);
    ug_svg_number(out, value);
    (void)fputc('"', out);
}

void ug_svg_open(FILE *out, double width, double height, const char *class, const char *title,
                 const char *attributes)
{
    (void)fprintf(out, "<svg class=\"%s\" role=\"img\" viewBox=\"0 0 ", class);
    ug_svg_number(out, width);
    (void)fputc(' ', out);
    ug_svg_number(out, height);
    (void)fprintf(out, "\"%s><title>", attributes);
    ug_html_text(out, title);
    (void)fputs("</title>\n", out);
}

void ug_svg_close(FILE *out)
{
    (void)fputs("</svg>\n", out);
}

void ug_svg_text(FILE *out, double x, double y, ug_svg_anchor anchor, const char *class,
                 const char *text)
{
    static const char *const ANCHORS[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
    (void)fprintf(out, "<text class=\"%s\"%s", class, ANCHORS[anchor]);
    attribute(out, "x", x);
    attribute(out, "y", y);
    (void)fputc('>', out);
    ug_html_text(out, text);
    (void)fputs("</text>\n", out);
}

// Width of the character that starts with this byte, in units of the size: DejaVu Sans, which is
// wider than most.
static double width_of(unsigned char c)
{
    return c >= 0xe3                        ? 1.0 // CJK and beyond
           : strchr("iljI.,:;|'!()[] -", c) ? 0.4
           : strchr("MWmw@%", c)            ? 0.97
           : c >= 'A' && c <= 'Z'           ? 0.7
                                            : 0.63;
}

void ug_svg_label(FILE *out, double x, double y, ug_svg_anchor anchor, const char *class,
                  const char *text, double width)
{
    static const double SIZE = 11.0, ELLIPSIS = 1.0;
    double wide = 0.0;
    size_t keep = 0; // bytes that leave room for the ellipsis
    for (const char *p = text; *p;) {
        const size_t at = (size_t)(p - text);
        keep = SIZE * (wide + ELLIPSIS) <= width ? at : keep;
        wide += width_of((unsigned char)*p);
        do {
            p++;
        } while (((unsigned char)*p & 0xc0) == 0x80);
    }
    char *cut = SIZE * wide > width ? ug_text_format("%.*s…", (int)keep, text) : NULL;
    ug_svg_text(out, x, y, anchor, class, cut ? cut : text);
    free(cut);
}

void ug_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class)
{
    (void)fprintf(out, "<line class=\"%s\"", class);
    attribute(out, "x1", x1);
    attribute(out, "y1", y1);
    attribute(out, "x2", x2);
    attribute(out, "y2", y2);
    (void)fputs("/>\n", out);
}

void ug_svg_path_begin(FILE *out, const char *class)
{
    (void)fprintf(out, "<path class=\"%s\" d=\"", class);
}

void ug_svg_bar(FILE *out, double x, double y, double width, double height)
{
    const double wide = fmax(width, NARROWEST);
    (void)fputc('M', out);
    ug_svg_number(out, x);
    (void)fputc(' ', out);
    ug_svg_number(out, y);
    (void)fputc('h', out);
    ug_svg_number(out, wide);
    (void)fputc('v', out);
    ug_svg_number(out, height);
    (void)fputc('h', out);
    ug_svg_number(out, -wide);
    (void)fputc('z', out);
}

void ug_svg_path_end(FILE *out)
{
    (void)fputs("\"/>\n", out);
}

void ug_svg_group_begin(FILE *out, const char *class, const char *title)
{
    (void)fprintf(out, "<g class=\"%s\"><title>", class);
    ug_html_text(out, title);
    (void)fputs("</title>", out);
}

void ug_svg_group_end(FILE *out)
{
    (void)fputs("</g>\n", out);
}
