// SPDX-License-Identifier: MIT
#include "pipeline/report/page.h"

#include "pipeline/report/html.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(UG_HAVE_PLAYER)

// player.S; each text is followed by a zero
extern const char ug_player_js[], ug_player_js_end[];
extern const char ug_player_css[], ug_player_css_end[];

const char *ug_page_player_js(size_t *bytes)
{
    *bytes = (size_t)(ug_player_js_end - ug_player_js);
    return ug_player_js;
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

const char *ug_page_player_css(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

#endif

// The class tells the player that the page, and so the keyboard, is all its own. The empty icon
// keeps the browser from asking for one.
static void put_page(FILE *out, const char *title)
{
    size_t js_bytes, css_bytes;
    const char *js = ug_page_player_js(&js_bytes);
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
    (void)fputs("</style>\n<div id=\"ugoki\"><p>This page needs JavaScript.</p></div>\n<script>",
                out);
    (void)fwrite(js, 1, js_bytes, out);
    (void)fputs("</script>\n</html>\n", out);
}

char *ug_page_view(const char *title, size_t *bytes)
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
    put_page(stream, title);
    const int bad = ferror(stream);
    if (fclose(stream) != 0 || bad) {
        free(text);
        return NULL;
    }
    *bytes = size;
    return text;
}
