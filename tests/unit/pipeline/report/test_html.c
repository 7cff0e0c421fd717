// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/html.c and svg.c: nothing of a file becomes markup.
#include "pipeline/report/html.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text_of; // of the stream below
static size_t text_bytes;

static FILE *begin(void)
{
    FILE *out = open_memstream(&text_of, &text_bytes);
    assert_non_null(out);
    return out;
}

static void expect(FILE *out, const char *wanted)
{
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text_of, wanted);
    free(text_of);
}

static void test_text_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } CASES[] = {
        { "plain, 膝 Köpfchen", "plain, 膝 Köpfchen" },
        { "<script>\"a\" & 'b'</script>",
          "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;" },
        { "a\xff\xfe"
          "b",
          "a\uFFFD\uFFFDb" },
        { "cut \xe8\x86", "cut \uFFFD\uFFFD" },           // in the middle of a character
        { "\xc0\xbcscript", "\uFFFD\uFFFDscript" },       // an overlong '<'
        { "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD" },         // half a surrogate pair
        { "\x01\x1b[31m\x7f", "\uFFFD\uFFFD[31m\uFFFD" }, // control characters
        { "\xe2\x80<b>", "\uFFFD\uFFFD&lt;b&gt;" },       // what follows is still looked at
        { "", "" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        FILE *out = begin();
        ug_html_text(out, CASES[i].in);
        expect(out, CASES[i].out);
    }
    FILE *out = begin();
    ug_html_text(out, NULL);
    expect(out, "");
}

static void test_json_cannot_end_its_script(void **state)
{
    (void)state;
    FILE *out = begin();
    ug_html_json(out, "[\"</script><!--\"]");
    expect(out, "[\"\\u003c/script>\\u003c!--\"]");
}

static void test_base64(void **state)
{
    (void)state;
    static const char *const WANTED[] = {
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
    }; // RFC 4648, section 10
    for (size_t n = 0; n < 7; n++) {
        FILE *out = begin();
        ug_html_base64(out, (const uint8_t *)"foobar", n);
        expect(out, WANTED[n]);
    }
    FILE *out = begin();
    ug_html_base64(out, (const uint8_t[]){ 0xff, 0xef, 0xbe }, 3);
    expect(out, "/+++");
}

static void test_figures(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *text;
    } CASES[] = {
        { "marker_rms_mm", 7.16321, "7.16\u00a0mm" },
        { "marker_rms_mm", 12.345, "12.3\u00a0mm" },
        { "marker_rms_mm", 830.4, "830\u00a0mm" },
        { "float_mm", 0.0123, "0.012\u00a0mm" },
        { "frame_count", 1101, "1101" },
        { "missing_pct", 1e-12, "0\u00a0%" }, // rounding noise of an exact zero
        { "floor_tilt_deg", 1.5, "1.50°" },
        { "marker_rms_mm_of/LASI", 3, "3\u00a0mm" },
        { "foot_slide_mm", (double)NAN, "not known" },
        { "foot_slide_mm", (double)INFINITY, "not known" },
        { "knee_accel_ratio", -0.25, "-0.25" },
        { "x", 1e300, NULL }, // must only fit
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[64];
        ug_figure_to_text(text, CASES[i].name, CASES[i].value);
        if (CASES[i].text) {
            assert_string_equal(text, CASES[i].text);
        }
    }
    FILE *out = begin();
    ug_html_figure(out, "marker_rms_mm", 0.1);
    expect(out, "<data value=\"0.1\" data-figure=\"marker_rms_mm\">0.10\u00a0mm</data>");
    out = begin();
    ug_html_figure(out, "a\"b", (double)NAN);
    expect(out, "<span class=\"unknown\" data-figure=\"a&quot;b\">not known</span>");
}

static void test_drawings(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } NUMBERS[] = { { 1, "1" },     { 0.5, "0.5" },   { -3.254, "-3.25" },
                    { 2.999, "3" }, { 1e-9, "0" },    { -0.001, "0" },
                    { 10, "10" },   { 0.07, "0.07" }, { 1079.9, "1079.9" } };
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        FILE *out = begin();
        ug_svg_number(out, NUMBERS[i].value);
        expect(out, NUMBERS[i].text);
    }
    FILE *out = begin();
    ug_svg_path_begin(out, "l0");
    ug_svg_bar(out, 10, 5, 20.5, 10);
    ug_svg_bar(out, 40, 5, 0.01, 10); // one frame of a long take stays visible
    ug_svg_path_end(out);
    expect(out, "<path class=\"l0\" d=\"M10 5h20.5v10h-20.5zM40 5h0.75v10h-0.75z\"/>\n");
    out = begin();
    ug_svg_text(out, 1, 2, UG_SVG_END, "label", "<b>&");
    expect(out,
           "<text class=\"label\" text-anchor=\"end\" x=\"1\" y=\"2\">&lt;b&gt;&amp;</text>\n");
    out = begin();
    ug_svg_group_begin(out, "row", "a<b");
    ug_svg_group_end(out);
    expect(out, "<g class=\"row\"><title>a&lt;b</title></g>\n");
}

static void test_labels_are_cut_to_their_width(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
        double width;
    } CASES[] = {
        // 11 a size: capitals take 7.7 each, the ellipsis 11
        { "ABCDEFGHIJKLM", "ABCDEFGHIJKLM", 110 },
        { "ABCDEFGHKLNOPQRS", "ABCDEFGHKLNO…", 110 },
        { "ÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜ", "ÄÖÜÄÖÜÄÖÜÄÖÜÄÖ…", 110 }, // never within a character
        { "左足首外側踵骨", "左足首外側踵骨", 110 },
        { "左足首外側踵骨左足首外側踵骨", "左足首外側踵骨左足…", 110 },
        { "", "", 110 },
        { "A", "…", 5 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char wanted[256];
        FILE *out = begin();
        ug_svg_label(out, 1, 2, UG_SVG_START, "label", CASES[i].text, CASES[i].width);
        (void)snprintf(wanted, sizeof wanted, "<text class=\"label\" x=\"1\" y=\"2\">%s</text>\n",
                       CASES[i].shown);
        expect(out, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_json_cannot_end_its_script),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_labels_are_cut_to_their_width),
    };
    return cmocka_run_group_tests_name("pipeline/report/html", tests, NULL, NULL);
}
