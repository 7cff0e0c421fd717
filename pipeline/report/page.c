// SPDX-License-Identifier: MIT
#include "pipeline/report/page.h"

#include "motion/text.h"

#include <string.h>

char *ug_page_view(const char *title, size_t *bytes)
{
    char *page = ug_text_format("<!doctype html>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"
                                "<div id=\"ugoki\"></div>\n",
                                title);
    *bytes = page ? strlen(page) : 0;
    return page;
}
