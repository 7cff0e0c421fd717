// SPDX-License-Identifier: MIT
// Joint limits and contacts.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>

static void write_limits(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(out, "<section class=\"card\" id=\"limits-%zu\"><h3>Joint limits</h3>\n", index);
    if (!facts->hits_known) {
        (void)fputs("<p class=\"none unknown\">Not known: no solve has noted them in this "
                    "file.</p></section>\n",
                    out);
        return;
    }
    if (facts->hit_count == 0) {
        (void)fputs(
            "<p class=\"none\">No joint wanted to go more than 1° past a limit.</p></section>\n",
            out);
        return;
    }
    (void)fputs("<p class=\"lead\">Where a joint wanted to go more than 1° past a limit, before "
                "the limit was enforced.</p>\n<div class=\"wide\">",
                out);
    ug_chart_limits(out, facts);
    (void)fputs(
        "</div>\n<table class=\"narrow\"><thead><tr><th scope=\"col\">Joint</th><th scope=\"col\" "
        "class=\"num\">Frames</th>"
        "<th scope=\"col\" class=\"num\">At most</th><th scope=\"col\" class=\"num\">at "
        "frame</th></tr></thead><tbody>\n",
        out);
    for (size_t j = 0; j < facts->joint_count; j++) {
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->joints[j].name);
        (void)fprintf(out, "</th><td class=\"num\">%zu</td><td class=\"num\">",
                      facts->joints[j].frames);
        ug_html_figure(out, "limit_deg", facts->joints[j].worst_deg);
        (void)fputs("</td><td class=\"num\">", out);
        ug_section_frame(out, facts->joints[j].worst_frame);
        (void)fputs("</td></tr>\n", out);
    }
    (void)fputs("</tbody></table></section>\n", out);
}

static void write_contact(FILE *out, const ug_report_facts *facts, const ug_report_contact *c)
{
    (void)fprintf(out, "<tr class=\"%s\"><th scope=\"row\">", c->contact.accepted ? "" : "refused");
    for (const char *p = ug_contact_point_name(c->contact.point); *p; p++) {
        (void)fputc(*p == '_' ? ' ' : *p, out);
    }
    (void)fprintf(out, "</th><td>%s</td><td class=\"num\">",
                  c->contact.kind == UG_CONTACT_PLANTED ? "planted" : "load");
    ug_html_figure(out, "start_s", c->contact.start_s);
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "end_s", c->contact.end_s);
    if (facts->slides_before_known) {
        (void)fputs("</td><td class=\"num\">", out);
        ug_html_figure(out, "slide_before_mm", c->slide_before_mm);
    }
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "slide_after_mm", c->slide_after_mm);
    (void)fputs("</td><td>", out);
    if (c->contact.accepted) {
        (void)fputs(facts->contacts_found ? "steady" : "accepted", out);
    } else {
        (void)fputs(facts->contacts_found ? "not steady: " : "<b>refused</b>: ", out);
        ug_html_text(out, c->reason[0] ? c->reason : "no reason is given");
    }
    (void)fputs("</td></tr>\n", out);
}

static void write_contact_legend(FILE *out, const ug_report_facts *facts)
{
    size_t refused = 0, kinds[2] = { 0 };
    for (size_t i = 0; i < facts->contact_count; i++) {
        const ug_contact *c = &facts->contacts[i].contact;
        refused += !c->accepted;
        kinds[c->kind == UG_CONTACT_PLANTED] += c->accepted;
    }
    (void)fputs("<p class=\"legend\">", out);
    (void)fputs(kinds[1] > 0 ? "<span><i class=\"planted\"></i>planted</span>" : "", out);
    (void)fputs(kinds[0] > 0 ? "<span><i class=\"load\"></i>carries weight</span>" : "", out);
    if (refused > 0) {
        (void)fprintf(out,
                      "<span><i class=\"refused\"></i>%s <span class=\"dim\">%zu of "
                      "%zu</span></span>",
                      facts->contacts_found ? "not steady" : "refused", refused,
                      facts->contact_count);
    }
    (void)fputs(facts->slides_before_known
                    ? "<span><i class=\"before\"></i>slide before planting</span>"
                    : "",
                out);
    if (facts->slides_known) {
        (void)fprintf(out, "<span><i class=\"after\"></i>%s</span>",
                      facts->slides_before_known ? "after" : "slide in this motion");
    }
    (void)fputs("</p>\n", out);
}

static void write_contact_table(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<details><summary>Contacts in numbers</summary><div class=\"scroll\"><table>"
                "<thead><tr><th scope=\"col\">Point</th><th scope=\"col\">Kind</th>"
                "<th scope=\"col\" class=\"num\">From</th><th scope=\"col\" "
                "class=\"num\">To</th>",
                out);
    (void)fputs(facts->slides_before_known ? "<th scope=\"col\" class=\"num\">Slide before</th>"
                                             "<th scope=\"col\" class=\"num\">Slide after</th>"
                                           : "<th scope=\"col\" class=\"num\">Slide</th>",
                out);
    (void)fputs("<th scope=\"col\">Verdict</th></tr></thead><tbody>\n", out);
    for (size_t i = 0; i < facts->contact_count; i++) {
        write_contact(out, facts, &facts->contacts[i]);
    }
    (void)fputs("</tbody></table></div></details>\n", out);
}

static void write_contacts(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(out, "<section class=\"card\" id=\"contacts-%zu\"><h3>Contacts</h3>\n", index);
    if (facts->contact_count == 0) {
        (void)fputs("<p class=\"none\">This file holds no contacts, and none can be found on its "
                    "motion.</p></section>\n",
                    out);
        return;
    }
    if (facts->contacts_found) {
        (void)fputs("<p class=\"lead\">Found on this motion for this page, as ugoki retarget would "
                    "find them: the file holds none.</p>\n",
                    out);
    }
    write_contact_legend(out, facts);
    (void)fputs("<div class=\"wide\">", out);
    ug_chart_contacts(out, facts);
    (void)fputs("</div>\n", out);
    write_contact_table(out, facts);
    (void)fputs("</section>\n", out);
}

void ug_section_motion(FILE *out, const ug_report_facts *facts, size_t index)
{
    if (facts->has_residuals || facts->hits_known) {
        write_limits(out, facts, index);
    }
    if (facts->has_motion || facts->contact_count > 0) {
        write_contacts(out, facts, index);
    }
}
