// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_text.c: letters that fit, whatever bytes they come from.
#include "pipeline/report/sheet_paint.h"

#include <cairo.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_pen *open_pen(void)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 400, 40);
    cairo_t *pen = cairo_create(surface);
    cairo_surface_destroy(surface);
    cairo_set_source_rgb(pen, 1, 1, 1);
    cairo_paint(pen);
    cairo_set_source_rgb(pen, 0, 0, 0);
    return pen;
}

// Columns of the picture with any ink: first and last, or -1.
static void find_ink(ug_pen *pen, int *first, int *last)
{
    cairo_surface_t *surface = cairo_get_target(pen);
    cairo_surface_flush(surface);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    *first = *last = -1;
    for (int x = 0; x < 400; x++) {
        for (int y = 0; y < 40; y++) {
            if (data[y * stride + 4 * x] < 128) {
                *first = *first < 0 ? x : *first;
                *last = x;
            }
        }
    }
}

static void test_alignment(void **state)
{
    (void)state;
    static const double EXPECTED[] = { 200, 200, 200 };
    for (int align = UG_ALIGN_LEFT; align <= UG_ALIGN_RIGHT; align++) {
        ug_pen *pen = open_pen();
        const double width =
            ug_pen_text(pen, EXPECTED[align], 30, 20, (ug_align)align, false, 0, "HMMH");
        assert_true(width > 40 && width < 120);
        int first, last;
        find_ink(pen, &first, &last);
        const double at[] = { first, 0.5 * (first + last), last };
        assert_true(fabs(at[align] - 200.0) < 4.0);
        cairo_destroy(pen);
    }
}

static void test_cut_to_fit(void **state)
{
    (void)state;
    ug_pen *pen = open_pen();
    const double full = ug_pen_text_width(pen, 20, true, "a rather long name.h5");
    const double cut =
        ug_pen_text(pen, 10, 30, 20, UG_ALIGN_LEFT, true, 100, "a rather long name.h5");
    assert_true(full > 150 && cut <= 100 && cut > 60);
    int first, last;
    find_ink(pen, &first, &last);
    assert_true(first >= 10 && last <= 111);
    // two-byte letters are cut between letters; no room at all is no crash
    assert_true(ug_pen_text(pen, 0, 30, 20, UG_ALIGN_LEFT, false, 60, "ééééééééééé") <= 60);
    (void)ug_pen_text(pen, 0, 30, 20, UG_ALIGN_LEFT, false, 1, "éé");
    assert_int_equal(cairo_status(pen), CAIRO_STATUS_SUCCESS);
    cairo_destroy(pen);
}

static void test_any_bytes(void **state)
{
    (void)state;
    ug_pen *pen = open_pen();
    char longest[2000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    char wide[1001]; // letters of two bytes, so that a buffer's end falls inside one
    for (int i = 0; i < 500; i++) {
        memcpy(wide + 2 * i, "é", 2);
    }
    wide[1000] = '\0';
    const char *texts[] = { "",      "caf\xe9.bvh", "\xff\xfe", "tab\there",
                            longest, wide + 0,      "x\xc3",    "\x7f" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        (void)ug_pen_text(pen, 0, 30, 12, UG_ALIGN_LEFT, false, 300, texts[i]);
        assert_int_equal(cairo_status(pen), CAIRO_STATUS_SUCCESS);
    }
    assert_true(ug_pen_text_width(pen, 12, false, "caf\xe9") ==
                ug_pen_text_width(pen, 12, false, "caf?"));
    assert_true(ug_pen_text_width(pen, 12, false, "café") <
                ug_pen_text_width(pen, 12, false, "caf??"));
    cairo_destroy(pen);
}

static int forget_fonts(void **state)
{
    (void)state;
    ug_sheet_forget_fonts();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_cut_to_fit),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests_name("report/sheet_text", tests, NULL, forget_fonts);
}
