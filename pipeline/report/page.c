// SPDX-License-Identifier: MIT
#include "pipeline/report/page.h"

#include "pipeline/report/html.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(UG_HAVE_PLAYER)

// player.S; each text is followed by a zero
extern const char ug_player_js[], ug_player_js_end[];
extern const char ug_player_webgl[], ug_player_webgl_end[];
extern const char ug_player_css[], ug_player_css_end[];

const char *ug_page_player_js(size_t *bytes)
{
    *bytes = (size_t)(ug_player_js_end - ug_player_js);
    return ug_player_js;
}

const char *ug_page_player_webgl(size_t *bytes)
{
    *bytes = (size_t)(ug_player_webgl_end - ug_player_webgl);
    return ug_player_webgl;
}

const char *ug_page_player_css(size_t *bytes)
{
    *bytes = (size_t)(ug_player_css_end - ug_player_css);
    return ug_player_css;
}

#else

const char *ug_page_player_js(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

const char *ug_page_player_webgl(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

const char *ug_page_player_css(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

#endif

void ug_page_write_player(FILE *out)
{
    size_t js_bytes, webgl_bytes;
    const char *js = ug_page_player_js(&js_bytes);
    const char *webgl = ug_page_player_webgl(&webgl_bytes);
    if (!js || !webgl) {
        return;
    }
    (void)fputs("<script>", out);
    (void)fwrite(js, 1, js_bytes, out);
    (void)fputs("</script>\n<script type=\"text/plain\" id=\"ugoki-webgl\">", out);
    (void)fwrite(webgl, 1, webgl_bytes, out);
    (void)fputs("</script>\n", out);
}

// viewer/README.md says how the page reads these. False when out of memory.
static bool put_scenes(FILE *out, ug_scene *const *scenes, size_t count)
{
    bool ok = true;
    (void)fputs("<script type=\"application/json\" id=\"ugoki-served\">[", out);
    for (size_t i = 0; ok && i < count; i++) {
        char *manifest = ug_scene_manifest(scenes[i]);
        ok = manifest != NULL;
        (void)fprintf(out, "%s%s", i > 0 ? "," : "", ok ? manifest : "");
        free(manifest);
    }
    (void)fputs("]</script>\n", out);
    for (size_t i = 0; ok && i < count; i++) {
        const size_t bytes = ug_scene_record_bytes(scenes[i]);
        uint8_t *record = malloc(bytes);
        ok = record != NULL;
        if (ok) {
            ug_scene_pack(record, scenes[i], 0, 1);
            (void)fprintf(out, "<script type=\"application/octet-stream\" id=\"ugoki-first-%zu\">",
                          i);
            ug_html_base64(out, record, bytes);
            (void)fputs("</script>\n", out);
        }
        free(record);
    }
    return ok;
}

// The class tells the player that the page, and so the keyboard, is all its own. The empty icon
// keeps the browser from asking for one.
static bool put_page(FILE *out, const char *title, ug_scene *const *scenes, size_t scene_count)
{
    size_t css_bytes;
    const char *css = ug_page_player_css(&css_bytes);
    (void)fputs("<!doctype html>\n<html lang=\"en\" class=\"ug-page\">\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
                "connect-src 'self'; base-uri 'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<link rel=\"icon\" href=\"data:,\">\n<title>",
                out);
    ug_html_text(out, title);
    (void)fputs(" · ugoki</title>\n<style>", out);
    (void)fwrite(css, 1, css_bytes, out);
    (void)fputs("</style>\n<div id=\"ugoki\"><p>This page needs JavaScript.</p></div>\n", out);
    const bool ok = put_scenes(out, scenes, scene_count);
    ug_page_write_player(out);
    (void)fputs("</html>\n", out);
    return ok;
}

char *ug_page_view(const char *title, ug_scene *const *scenes, size_t scene_count, size_t *bytes)
{
    size_t js_bytes;
    *bytes = 0;
    if (!ug_page_player_js(&js_bytes)) {
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return NULL;
    }
    const bool ok = put_page(stream, title, scenes, scene_count);
    const int bad = ferror(stream);
    if (fclose(stream) != 0 || bad || !ok) {
        free(text);
        return NULL;
    }
    *bytes = size;
    return text;
}
