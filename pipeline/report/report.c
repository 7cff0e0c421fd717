// SPDX-License-Identifier: MIT
#include "pipeline/report/report.h"

#include "formats/file.h"
#include "pipeline/report/html.h"
#include "pipeline/report/page.h"
#include "pipeline/report/player.h"
#include "pipeline/report/report_facts.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_sections.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Head, navigation and what stands between the takes.
enum { PAGE_RESERVE = 32 * 1024, COMPARISON_RESERVE = 8 * 1024 };

struct ug_report {
    ug_report_opts opts;
    size_t count;
    ug_report_facts *facts; // (file_count)
    char **sections;        // (file_count) HTML of each take
    size_t *summary_bytes;  // (file_count) of it up to the end of its summary
    size_t *section_bytes;  // (file_count)
    ug_player_data *data;   // (file_count)
    size_t used;            // bytes of sections and data so far
};

ug_report *ug_report_create(const ug_report_opts *opts, ug_error *err)
{
    assert(opts && opts->paths && opts->file_count > 0 && opts->max_mb > 0.0);
    ug_gate *gates = NULL;
    size_t gate_count = 0;
    if (opts->require && ug_gates_parse(&gates, &gate_count, opts->require, err) != UG_OK) {
        return NULL;
    }
    free(gates);
    ug_report *r = calloc(1, sizeof *r);
    if (r) {
        r->opts = *opts;
        r->facts = calloc(opts->file_count, sizeof *r->facts);
        r->sections = calloc(opts->file_count, sizeof *r->sections);
        r->summary_bytes = calloc(opts->file_count, sizeof *r->summary_bytes);
        r->section_bytes = calloc(opts->file_count, sizeof *r->section_bytes);
        r->data = calloc(opts->file_count, sizeof *r->data);
    }
    if (!r || !r->facts || !r->sections || !r->summary_bytes || !r->section_bytes || !r->data) {
        (void)ug_fail(err, UG_E_NOMEM, "out of memory");
        ug_report_destroy(r);
        return NULL;
    }
    return r;
}

void ug_report_destroy(ug_report *report)
{
    if (!report) {
        return;
    }
    for (size_t i = 0; i < report->count; i++) {
        ug_report_facts_fini(&report->facts[i]);
        ug_player_data_fini(&report->data[i]);
        free(report->sections[i]);
    }
    free(report->facts);
    free(report->sections);
    free(report->summary_bytes);
    free(report->section_bytes);
    free(report->data);
    free(report);
}

static bool has_player(void)
{
    size_t bytes;
    return ug_page_player_js(&bytes) != NULL;
}

// Takes that the player shows.
static size_t player_count(const ug_report *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        count += r->data[i].stride > 0;
    }
    return count;
}

static size_t fixed_bytes(const ug_report *r)
{
    size_t script, webgl, style;
    (void)ug_page_player_js(&script);
    (void)ug_page_player_webgl(&webgl);
    (void)ug_page_player_css(&style);
    return PAGE_RESERVE + strlen(ug_report_css) + strlen(ug_report_js) + script + webgl + style +
           COMPARISON_RESERVE * r->opts.file_count;
}

// What this take's player may take: an equal share of what is left, the section itself taken off.
static size_t player_room(const ug_report *r, size_t section_bytes)
{
    const double cap = 1e6 * r->opts.max_mb;
    const double left = cap - (double)fixed_bytes(r) - (double)r->used;
    const double share = left / (double)(r->opts.file_count - r->count) - (double)section_bytes;
    return share > 0.0 ? (size_t)share : 0;
}

static ug_status print_section(ug_report *r, const ug_report_facts *facts, ug_error *err)
{
    FILE *out = open_memstream(&r->sections[r->count], &r->section_bytes[r->count]);
    if (!out) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_section_open(out, facts, r->count);
    ug_section_summary(out, facts, r->count);
    (void)fflush(out); // which is when the size is told
    r->summary_bytes[r->count] = r->section_bytes[r->count];
    ug_section_markers(out, facts, r->count);
    ug_section_cleaning(out, facts, r->count);
    ug_section_residuals(out, facts, r->count);
    ug_section_motion(out, facts, r->count);
    ug_section_stages(out, facts, r->count);
    ug_section_close(out);
    const bool whole = !ferror(out);
    return fclose(out) == 0 && whole ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
}

// The path of the next take from its last folder on where its base name alone is not its own.
static const char *name_of(const ug_report *r)
{
    const char *path = r->opts.paths[r->count], *base = ug_path_base(path);
    for (size_t i = 0; i < r->opts.file_count; i++) {
        if (i != r->count && strcmp(ug_path_base(r->opts.paths[i]), base) == 0) {
            const char *folder = base > path ? base - 1 : base;
            while (folder > path && folder[-1] != '/') {
                folder--;
            }
            return folder;
        }
    }
    return base;
}

ug_status ug_report_add(ug_report *r, const ug_take *take, ug_error *err)
{
    assert(r && take && r->count < r->opts.file_count);
    ug_report_facts *facts = &r->facts[r->count];
    ug_status status = ug_report_facts_compute(facts, take, name_of(r), r->opts.require, err);
    if (status == UG_OK) {
        status = print_section(r, facts, err);
    }
    if (status == UG_OK && has_player() && !r->opts.without_player) {
        status = ug_player_data_make(&r->data[r->count], take, facts->name,
                                     player_room(r, r->section_bytes[r->count]), err);
    }
    // drawn: the largest part by far is not needed for the JSON
    free(facts->residual_mm);
    free(facts->residual_counted);
    facts->residual_mm = NULL;
    facts->residual_counted = NULL;
    if (status == UG_OK) {
        r->used += r->section_bytes[r->count] + ug_player_data_size(&r->data[r->count]);
        r->count++;
        return UG_OK;
    }
    ug_report_facts_fini(facts);
    ug_player_data_fini(&r->data[r->count]);
    free(r->sections[r->count]);
    r->sections[r->count] = NULL;
    return status;
}

// ---- gates -------------------------------------------------------------------------------------

ug_status ug_report_check(const ug_report *r, ug_error *err)
{
    for (size_t g = 0; r->opts.require && r->count > 0 && g < r->facts[0].gate_count; g++) {
        bool known = false;
        for (size_t i = 0; i < r->count; i++) {
            known = known || r->facts[i].gates[g].state != UG_GATE_ABSENT;
        }
        if (!known) {
            return ug_fail(err, UG_E_USAGE, "--require: no stage of %s has a figure '%s'",
                           r->count == 1 ? "this file" : "these files",
                           r->facts[0].gates[g].gate.name);
        }
    }
    return UG_OK;
}

ug_status ug_report_verdict(const ug_report *r, ug_error *err)
{
    char failed[320] = "";
    for (size_t i = 0; r->opts.require && i < r->count; i++) {
        for (size_t g = 0; g < r->facts[i].gate_count; g++) {
            const ug_report_gate *gate = &r->facts[i].gates[g];
            if (gate->state == UG_GATE_MET) {
                continue;
            }
            char value[32];
            (void)snprintf(value, sizeof value, "%.4g", gate->value);
            const size_t used = strlen(failed);
            (void)snprintf(failed + used, sizeof failed - used, "%s%s%s%s is %s, wanted %s",
                           used > 0 ? "; " : "", r->count > 1 ? r->facts[i].name : "",
                           r->count > 1 ? ": " : "", gate->gate.name,
                           gate->state == UG_GATE_FAILED ? value : "not known",
                           gate->gate.text + strlen(gate->gate.name));
        }
    }
    return failed[0] ? ug_fail(err, UG_E_GATE, "quality gate: %s", failed) : UG_OK;
}

// ---- the page ----------------------------------------------------------------------------------

static void write_head(FILE *out, const ug_report *r)
{
    (void)fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
                "base-uri 'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta name=\"generator\" content=\"ugoki\">\n<title>",
                out);
    if (r->count == 1) {
        ug_html_text(out, r->facts[0].name);
    } else {
        (void)fprintf(out, "%zu takes", r->count);
    }
    (void)fputs(" – ugoki report</title>\n<style>", out);
    (void)fputs(ug_report_css, out);
    (void)fputs("</style>\n", out);
    size_t bytes;
    const char *style = ug_page_player_css(&bytes);
    if (style && player_count(r) > 0) {
        (void)fputs("<style>", out);
        (void)fwrite(style, 1, bytes, out);
        (void)fputs("</style>\n", out);
    }
    (void)fputs("</head>\n", out);
}

static void write_navigation(FILE *out, const ug_report *r)
{
    static const struct {
        const char *id, *name;
    } PARTS[] = { { "summary", "Summary" },   { "markers", "Markers" },
                  { "cleaning", "Cleaning" }, { "residuals", "Residuals" },
                  { "limits", "Limits" },     { "contacts", "Contacts" },
                  { "stages", "Stages" } };
    (void)fputs("<nav aria-label=\"Contents\"><b>ugoki</b> report", out);
    if (r->count > 1) {
        (void)fputs("<a href=\"#comparison\">Side by side</a>", out);
        for (size_t i = 0; i < r->count; i++) {
            (void)fprintf(out, "<a href=\"#take-%zu\">", i);
            ug_html_text(out, r->facts[i].name);
            (void)fputs("</a>", out);
        }
    } else {
        for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
            char id[32];
            (void)snprintf(id, sizeof id, "id=\"%s-0\"", PARTS[i].id);
            if (strstr(r->sections[0], id)) {
                (void)fprintf(out, "<a href=\"#%s-0\">%s</a>", PARTS[i].id, PARTS[i].name);
            }
        }
    }
    (void)fputs("<a href=\"#player\">Player</a></nav>\n", out);
}

// What the player shows of each take, and why less than all.
static void write_player_note(FILE *out, const ug_report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const size_t stride = r->data[i].stride;
        if (stride == 1) {
            continue;
        }
        (void)fputs("<p class=\"note\">", out);
        if (r->count > 1) {
            ug_html_text(out, r->facts[i].name);
            (void)fputs(": ", out);
        }
        if (stride > 1) {
            (void)fprintf(out,
                          "one frame in %zu is in this page, to keep it below %g MB; charts and "
                          "tables are of all frames.</p>\n",
                          stride, r->opts.max_mb);
        } else {
            (void)fprintf(
                out, "%s.</p>\n",
                r->facts[i].frame_count == 0
                    ? "there is nothing to play"
                    : "there is no room for it in the size this page may have (--max-mb)");
        }
    }
}

static void write_player(FILE *out, const ug_report *r)
{
    (void)fputs("<section class=\"card player\" id=\"player\"><h2>Player</h2>\n", out);
    if (!has_player()) {
        (void)fputs(
            "<p class=\"none\">The program that wrote this report was built without its viewer: "
            "no player here. Everything else is complete.</p>\n",
            out);
    } else if (r->opts.without_player) {
        (void)fputs("<p class=\"none\">Left out (--no-player).</p>\n", out);
    } else {
        if (player_count(r) > 0) {
            (void)fputs("<div id=\"ugoki\"><p>The player needs JavaScript.</p></div>\n", out);
        }
        write_player_note(out, r);
    }
    (void)fputs("</section>\n", out);
}

static void write_page(FILE *out, const ug_report *r)
{
    write_head(out, r);
    (void)fputs("<body>\n", out);
    write_navigation(out, r);
    (void)fputs("<main>\n", out);
    if (r->count > 1) { // the player shows all of them
        ug_section_comparison(out, r->facts, r->count);
        write_player(out, r);
        for (size_t i = 0; i < r->count; i++) {
            (void)fwrite(r->sections[i], 1, r->section_bytes[i], out);
        }
    } else {
        const size_t summary = r->summary_bytes[0];
        (void)fwrite(r->sections[0], 1, summary, out);
        write_player(out, r);
        (void)fwrite(r->sections[0] + summary, 1, r->section_bytes[0] - summary, out);
    }
    (void)fputs(
        "</main>\n<footer>Frames count from 0. What every figure means, and what to do when it is "
        "off: docs/figures.md of ugoki.</footer>\n",
        out);
    if (has_player() && player_count(r) > 0) {
        ug_player_write(out, r->data, r->count);
        ug_page_write_player(out);
    }
    (void)fprintf(out, "<script>%s</script>\n</body>\n</html>\n", ug_report_js);
}

bool ug_report_can_write(const char *path)
{
    char ending[16];
    ug_path_extension(ending, path);
    return strcmp(ending, ".html") == 0 || strcmp(ending, ".htm") == 0;
}

ug_status ug_report_write(size_t *bytes, const ug_report *r, const char *path, ug_error *err)
{
    assert(r && path && r->count > 0);
    ug_outfile file;
    ug_status status = ug_outfile_open(&file, path, err);
    if (status != UG_OK) {
        return status;
    }
    write_page(file.stream, r);
    const long end = ftell(file.stream);
    if (bytes) {
        *bytes = end > 0 ? (size_t)end : 0;
    }
    return ug_outfile_commit(&file, err);
}

size_t ug_report_stride(const ug_report *r, size_t take)
{
    assert(take < r->count);
    return r->data[take].stride;
}

char *ug_report_to_json(const ug_report *r)
{
    return ug_report_json(r->facts, r->count);
}
