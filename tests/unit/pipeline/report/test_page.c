// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/page.c, in a program built with the viewer and in one without.
#include "pipeline/report/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool built_in(void)
{
    size_t bytes = 7;
    const bool there = ug_page_player_js(&bytes) != NULL;
    assert_int_equal(there, bytes > 0);
    return there;
}

static void script_and_style_come_together(void **state)
{
    (void)state;
    size_t bytes = 7;
    const char *css = ug_page_player_css(&bytes);
    assert_int_equal(css != NULL, built_in());
    assert_int_equal(css != NULL, bytes > 0);
}

static void texts_can_stand_inside_a_page(void **state)
{
    (void)state;
    if (!built_in()) {
        skip();
    }
    size_t bytes;
    const char *js = ug_page_player_js(&bytes);
    assert_int_equal(strlen(js), bytes); // ends with a zero, and has none before
    assert_null(strcasestr(js, "</script"));
    assert_null(strstr(js, "<!--"));
    assert_non_null(strstr(js, "ugoki-scenes"));
    const char *css = ug_page_player_css(&bytes);
    assert_int_equal(strlen(css), bytes);
    assert_null(strcasestr(css, "</style"));
    assert_non_null(strstr(css, ".ug"));
}

static void page_holds_everything_once(void **state)
{
    (void)state;
    size_t bytes = 7;
    ug_markers *markers = ug_markers_create(2, 3, (ug_rate){ 100, 1 });
    assert_non_null(markers);
    ug_take take = { .markers = markers };
    ug_error err = { 0 };
    ug_scene *scene = ug_scene_create(&take, "one</script>", UG_SCENE_FLOAT32, 1, &err);
    assert_non_null(scene);
    char *page = ug_page_view("a <b> & \"c\"", &scene, 1, &bytes);
    if (!built_in()) {
        assert_null(page);
        assert_int_equal(bytes, 0);
        ug_scene_destroy(scene);
        ug_markers_destroy(markers);
        return;
    }
    assert_non_null(page);
    assert_int_equal(strlen(page), bytes);
    assert_non_null(strstr(page, "<title>a &lt;b&gt; &amp; &quot;c&quot; · ugoki</title>"));
    assert_null(strstr(page, "<b>"));
    size_t length;
    const char *js = ug_page_player_js(&length);
    const char *script = strstr(page, "<script>");
    const char *webgl = ug_page_player_webgl(&length);
    assert_non_null(strstr(page, webgl)); // which nothing runs but the player
    assert_null(strstr(page, "<script>/* With"));
    js = ug_page_player_js(&length);
    assert_non_null(script);
    assert_memory_equal(script + strlen("<script>"), js, length);
    assert_memory_equal(script + strlen("<script>") + length, "</script>", strlen("</script>"));
    assert_non_null(strstr(page, "default-src 'none'"));
    // the script mounts on these when it runs
    assert_true(strstr(page, "id=\"ugoki\"") < script);
    assert_true(strstr(page, "id=\"ugoki-served\">[{\"name\":\"one\\u003c/script>\"") < script);
    const char *first = strstr(page, "id=\"ugoki-first-0\">");
    assert_true(first && first < script);
    const size_t text = (ug_scene_record_bytes(scene) + 2) / 3 * 4;
    assert_memory_equal(first + strlen("id=\"ugoki-first-0\">") + text, "</script>", 9);
    free(page);
    ug_scene_destroy(scene);
    ug_markers_destroy(markers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_and_style_come_together),
        cmocka_unit_test(texts_can_stand_inside_a_page),
        cmocka_unit_test(page_holds_everything_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
