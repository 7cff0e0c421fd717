// SPDX-License-Identifier: MIT
#include "pipeline/report/html.h"

#include "motion/text.h"
#include "pipeline/stages/metrics.h"

#include <math.h>
#include <string.h>

static const char *reference(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

// Bytes of the character at `p`, 0 when it is none.
static size_t character(const char *p)
{
    const size_t left = strnlen(p, 4);
    for (size_t n = 1; n <= left; n++) {
        if (ug_text_is_utf8(p, n)) {
            return n;
        }
    }
    return 0;
}

void ug_html_text(FILE *out, const char *text)
{
    for (const char *p = text; p && *p;) {
        const char *known = reference(*p);
        const size_t n = character(p);
        const bool control = ((unsigned char)*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f;
        if (known) {
            (void)fputs(known, out);
        } else if (n == 0 || control) {
            (void)fputs("\xEF\xBF\xBD", out);
        } else {
            (void)fwrite(p, 1, n, out);
        }
        p += n > 0 ? n : 1;
    }
}

void ug_html_json(FILE *out, const char *json)
{
    for (const char *p = json; *p; p++) {
        if (*p == '<') {
            (void)fputs("\\u003c", out);
        } else {
            (void)fputc(*p, out);
        }
    }
}

void ug_html_base64(FILE *out, const uint8_t *bytes, size_t count)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        const char four[4] = { DIGITS[three >> 18], DIGITS[three >> 12 & 63],
                               left > 1 ? DIGITS[three >> 6 & 63] : '=',
                               left > 2 ? DIGITS[three & 63] : '=' };
        (void)fwrite(four, 1, sizeof four, out);
    }
}

static bool ends_with(const char *name, const char *suffix)
{
    const size_t n = strlen(name), s = strlen(suffix);
    return n >= s && strcmp(name + n - s, suffix) == 0;
}

static const char *unit_of(const char *name)
{
    static const struct {
        const char *suffix, *unit;
    } UNITS[] = { { "_mm", "mm" }, { "_m", "m" },   { "_s", "s" },    { "_deg", "°" },
                  { "_pct", "%" }, { "_hz", "Hz" }, { "_mb", "MiB" }, { "_per_s", "/s" } };
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (ends_with(name, UNITS[i].suffix)) {
            return UNITS[i].unit;
        }
    }
    // "marker_rms_mm_of/LASI", "bone_mm/l_thigh-l_shank"
    return strstr(name, "_mm_of/") || strncmp(name, "bone_mm/", 8) == 0 ? "mm"
           : strncmp(name, "rest_correction_deg/", 20) == 0             ? "°"
           : strcmp(name, "seconds") == 0                               ? "s"
                                                                        : "";
}

void ug_figure_to_text(char text[64], const char *name, double value)
{
    if (!isfinite(value)) {
        (void)snprintf(text, 64, "not known");
        return;
    }
    const double size = fabs(value);
    const double shown = size < 1e-6 ? 0.0 : value; // rounding noise of an exact zero
    const int digits = shown == rint(shown) ? 0
                       : size >= 99.95      ? 0
                       : size >= 9.995      ? 1
                       : size >= 0.0995     ? 2
                                            : 3;
    const char *unit = unit_of(name);
    if (size >= 1e15) {
        (void)snprintf(text, 64, "%.4g", value);
        return;
    }
    (void)snprintf(text, 64, "%.*f%s%s", digits, shown,
                   unit[0] && strcmp(unit, "°") != 0 ? "\u00a0" : "", unit);
}

void ug_html_figure(FILE *out, const char *name, double value)
{
    char exact[40], text[64];
    ug_metric_to_text(exact, value);
    ug_figure_to_text(text, name, value);
    if (isfinite(value)) {
        (void)fprintf(out, "<data value=\"%s\" data-figure=\"", exact);
        ug_html_text(out, name);
        (void)fprintf(out, "\">%s</data>", text);
    } else {
        (void)fputs("<span class=\"unknown\" data-figure=\"", out);
        ug_html_text(out, name);
        (void)fprintf(out, "\">%s</span>", text);
    }
}

const char *ug_figure_title(const char *name)
{
    static const struct {
        const char *name, *title;
    } TITLES[] = {
        { "frame_count", "Frames" },
        { "duration_s", "Duration" },
        { "rate_hz", "Rate" },
        { "marker_count", "Markers" },
        { "unlabelled_count", "Unlabelled points" },
        { "joint_count", "Joints" },
        { "missing_pct", "Samples missing" },
        { "gap_count", "Gaps" },
        { "longest_gap_s", "Longest gap" },
        { "never_seen_count", "Markers never seen" },
        { "filled_count", "Samples filled" },
        { "spike_count", "Spikes" },
        { "swap_count", "Label exchanges found" },
        { "swap_candidates", "Label exchanges left" },
        { "edit_count", "Edits by hand" },
        { "filtered_count", "Samples smoothed" },
        { "unchecked_gaps", "Fills without a predicted error" },
        { "predicted_error_worst_mm", "Worst expected error of a fill" },
        { "scale_ratio", "Scale" },
        { "stature_m", "Stature" },
        { "markers_found", "Markers of the set found" },
        { "markers_calibrated", "Markers calibrated" },
        { "marker_rms_mm", "Marker residual, rms" },
        { "marker_p95_mm", "Marker residual, 95 %" },
        { "outlier_pct", "Samples 60 mm off or more" },
        { "leave_out_rms_mm", "Hidden samples, rms" },
        { "exchanged_labels", "Labels exchanged throughout" },
        { "left_right_worst_pct", "Worst left–right difference of a bone" },
        { "stray_samples", "Stray samples" },
        { "unsolved_frames", "Frames not solved" },
        { "limit_hits", "Frames past a joint limit" },
        { "dof_count", "Degrees of freedom" },
        { "contact_count", "Contacts planted" },
        { "contacts_refused", "Contacts refused" },
        { "contact_share", "Share of time in contact" },
        { "foot_slide_mm", "Foot slide, median" },
        { "foot_slide_pinned_mm", "Foot slide of planted contacts, worst" },
        { "penetration_mm", "Deepest point below the floor" },
        { "float_mm", "Height over the floor in contact" },
        { "pelvis_drop_mm", "Pelvis lowered by" },
        { "pose_change_mm", "Pose changed by planting" },
        { "knee_accel_ratio", "Knee acceleration against the source" },
        { "floor_tilt_deg", "Floor tilt" },
        { "floor_height_m", "Floor height" },
        { "event_count", "Events" },
        { "analog_channel_count", "Analog channels" },
        { "gap_faults", "Gaps made" },
        { "swap_faults", "Label swaps made" },
        { "ghost_faults", "Ghosts made" },
    };
    for (size_t i = 0; i < sizeof TITLES / sizeof TITLES[0]; i++) {
        if (strcmp(name, TITLES[i].name) == 0) {
            return TITLES[i].title;
        }
    }
    return name;
}
