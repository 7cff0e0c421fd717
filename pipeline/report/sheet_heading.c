// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_heading.h"

#include "motion/markers.h"
#include "pipeline/stages/metrics.h"

#include <stdio.h>
#include <string.h>

// Append, silently cut at the end: a heading, not a record.
static void say(char *out, size_t capacity, const char *fmt, ...) UG_PRINTF(3, 4);

static void say(char *out, size_t capacity, const char *fmt, ...)
{
    const size_t length = strlen(out);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(out + length, capacity - length, fmt, args);
    va_end(args);
}

static size_t count_markers(const ug_markers *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->marker_count; i++) {
        count += m->kinds[i] == UG_POINT_MARKER;
    }
    return count;
}

void ug_sheet_say_take(char *out, size_t capacity, const ug_sheet_actor *actor)
{
    const ug_take *take = actor->in.take;
    out[0] = '\0';
    if (actor->has_motion) {
        say(out, capacity, "motion of %zu joints", take->skeleton->joint_count);
    }
    if (take->markers && take->markers->marker_count > 0) {
        say(out, capacity, "%s%zu markers%s", actor->has_motion ? " · " : "",
            count_markers(take->markers),
            actor->has_markers  ? ""
            : actor->has_motion ? " (of its source, not shown)"
                                : "");
    }
    say(out, capacity, " · %zu frame%s", actor->frame_count, actor->frame_count == 1 ? "" : "s");
    if (actor->first_frame != 0) {
        say(out, capacity, " (frame 0 is the source's %lld)", (long long)actor->first_frame);
    }
    if (ug_rate_is_valid(actor->rate)) {
        say(out, capacity, " · %.6g Hz · %.3f s", ug_rate_hz(actor->rate),
            ug_rate_time_s(actor->rate, (double)(actor->frame_count - 1)));
    } else {
        say(out, capacity, " · rate not known");
    }
}

void ug_sheet_say_figures(char *out, size_t capacity, const ug_take *take)
{
    static const struct {
        const char *stage, *metric, *before;
        int digits;
        const char *after;
    } SHOWN[] = {
        { "import", "missing_pct", "", 2, " % missing" },
        { "clean", "filled_count", "", 0, " samples filled" },
        { "clean", "spike_count", "", 0, " spikes" },
        { "calibrate", "stature_m", "stature ", 2, " m" },
        { "solve", "marker_rms_mm", "markers ", 2, " mm rms" },
        { "solve", "outlier_pct", "", 2, " % outliers" },
        { "solve", "unsolved_frames", "", 0, " frames unsolved" },
        { "retarget", "contact_count", "", 0, " contacts" },
        { "retarget", "foot_slide_mm", "feet slide ", 2, " mm" },
        { "retarget", "penetration_mm", "sink ", 2, " mm" },
    };
    out[0] = '\0';
    for (size_t i = 0; i < take->provenance.count; i++) {
        const ug_provenance_entry *e = &take->provenance.items[i];
        ug_metrics metrics = { 0 };
        bool first = true;
        if (!e->stage || !e->metrics_json || !ug_metrics_from_json(&metrics, e->metrics_json)) {
            ug_metrics_fini(&metrics);
            continue;
        }
        for (size_t k = 0; k < sizeof SHOWN / sizeof SHOWN[0]; k++) {
            double value;
            if (strcmp(SHOWN[k].stage, e->stage) == 0 &&
                ug_metrics_get(&metrics, SHOWN[k].metric, &value) && isfinite(value) &&
                (value > 0.0 || strcmp(SHOWN[k].metric, "stature_m") != 0)) {
                say(out, capacity, "%s%s%s", first && out[0] ? "   " : "", first ? e->stage : "",
                    first ? ": " : ", ");
                say(out, capacity, "%s%.*f%s", SHOWN[k].before, SHOWN[k].digits, value,
                    SHOWN[k].after);
                first = false;
            }
        }
        ug_metrics_fini(&metrics);
    }
}

void ug_sheet_say_length(char *out, size_t capacity, double length_m)
{
    const double a = fabs(length_m);
    const double unit = a >= 1000.0 ? 1000.0 : a >= 0.5 ? 1.0 : a >= 0.01 ? 0.01 : 0.001;
    const char *name = a >= 1000.0 ? "km" : a >= 0.5 ? "m" : a >= 0.01 ? "cm" : "mm";
    (void)snprintf(out, capacity, "%.3g %s", length_m / unit, name);
}

void ug_sheet_say_ground(char *out, size_t capacity, const ug_sheet_actor *actor)
{
    char height[32];
    out[0] = '\0';
    ug_sheet_say_length(height, sizeof height, actor->ground_m);
    if (actor->ground == UG_SHEET_GROUND_FLOOR) {
        say(out, capacity, "ground line where the feet rest, at height %s", height);
    } else if (actor->ground == UG_SHEET_GROUND_LOWEST) {
        say(out, capacity, "ground line at the lowest point shown, height %s", height);
    }
    if (actor->in.take->contacts.found) {
        say(out, capacity, "%scontacts found for this sheet, the file has none",
            out[0] ? "; " : "");
    }
}
