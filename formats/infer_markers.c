// SPDX-License-Identifier: MIT
// Which way is up and how long a unit is, from markers alone.
//
// Three witnesses, each a vector whose largest component names the axis and its sign:
//   labels  the direction in which the markers' places on an upright body rise (head above hips
//           above feet), per frame, averaged over the take; length 1 when it never turns
//   floor   along the vertical, the lowest point of the body is steady and the highest is not
//   rest    what does not move while the rest does, stands on the floor: low on the body
// Labels count as much as the other two together, so that somebody who crawls is ambiguous rather
// than upright. The unit is the one that makes the body as tall as people are.
#include "formats/infer.h"

#include "motion/median.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 200, LABEL_MAX = 48 };

// Without labels the other two must agree more: somebody who lifts boxes in front of himself moves
// one side of the body only. Tried on some sixty takes with what they declare hidden.
static const double UP_MARGIN_MIN = 0.25, UP_MARGIN_UNLABELLED_MIN = 0.35, UNIT_MARGIN_MIN = 0.1;

// Height of a landmark as a share of stature; from Drillis & Contini 1966, Wu et al. 2005 (ISB: IJ,
// PX, T8) and, where those are silent, by proportion. Arms are left out: hands go anywhere. The
// first that fits counts, so that what only contains another word stands before it: the head of a
// humerus (HeadHum), the end of a metacarpal (D5M1; D5M is of the foot), the angle of an acromion
// (AngulusAcromio holds SAC). After '=' it must be the whole label.
static const struct {
    const char *part;
    double height;
} LANDMARKS[] = {
    { "HEADHUM", NAN }, { "D5M1", NAN },   { "ACROM", 0.82 }, { "=IJ", 0.82 },  { "=PX", 0.72 },
    { "=T8", 0.73 },    { "FHEA", 0.97 },  { "THEA", 1.00 },  { "RHEA", 0.97 }, { "HEAD", 0.95 },
    { "ARIEL", 1.00 },  { "FHD", 0.95 },   { "BHD", 0.95 },   { "HDF", 0.95 },  { "HDB", 0.95 },
    { "KOPF", 0.95 },   { "HEE", 0.02 },   { "TOE", 0.02 },   { "FOOT", 0.03 }, { "MALL", 0.04 },
    { "ANK", 0.05 },    { "MET", 0.02 },   { "MT1", 0.02 },   { "MT5", 0.02 },  { "MT_", 0.02 },
    { "FCC", 0.03 },    { "FM1", 0.02 },   { "FM2", 0.02 },   { "FM5", 0.02 },  { "FAL", 0.04 },
    { "TAM", 0.04 },    { "D5M", 0.02 },   { "P5M", 0.02 },   { "P1M", 0.02 },  { "HLX", 0.02 },
    { "FT1", 0.03 },    { "FT2", 0.03 },   { "FT3", 0.03 },   { "CALC", 0.02 }, { "LFOO", 0.03 },
    { "RFOO", 0.03 },   { "KNE", 0.28 },   { "FLE", 0.28 },   { "FME", 0.28 },  { "FAX", 0.25 },
    { "TTC", 0.25 },    { "TIB", 0.17 },   { "SHANK", 0.17 }, { "SHA", 0.17 },  { "SHN", 0.17 },
    { "SHIN", 0.17 },   { "SK1", 0.17 },   { "SK2", 0.17 },   { "SK3", 0.17 },  { "SK4", 0.17 },
    { "THI", 0.40 },    { "TH1", 0.40 },   { "TH2", 0.40 },   { "TH3", 0.40 },  { "TH4", 0.40 },
    { "FTC", 0.52 },    { "ASI", 0.57 },   { "PSI", 0.57 },   { "IAS", 0.57 },  { "IPS", 0.57 },
    { "SAC", 0.57 },    { "FWT", 0.57 },   { "BWT", 0.57 },   { "PELV", 0.57 }, { "HIP", 0.53 },
    { "STRN", 0.75 },   { "STERN", 0.75 }, { "T10", 0.70 },   { "TV8", 0.73 },  { "SXS", 0.72 },
    { "CHEST", 0.75 },  { "CLAV", 0.82 },  { "SNJ", 0.82 },   { "CV7", 0.85 },  { "SHO", 0.82 },
    { "SAJ", 0.82 },    { "NECK", 0.86 },  { "C7", 0.85 },
};

static double landmark_height(const char *label)
{
    char upper[LABEL_MAX];
    size_t n = 0;
    for (; label[n] && n < sizeof upper - 1; n++) {
        upper[n] = (char)toupper((unsigned char)label[n]);
    }
    upper[n] = '\0';
    const char *colon = strrchr(upper, ':'), *bare = colon ? colon + 1 : upper; // without a subject
    for (size_t i = 0; i < sizeof LANDMARKS / sizeof LANDMARKS[0]; i++) {
        const char *part = LANDMARKS[i].part;
        if (part[0] == '=' ? strcmp(bare, part + 1) == 0 : strstr(upper, part) != NULL) {
            return LANDMARKS[i].height;
        }
    }
    return NAN;
}

typedef struct scene {
    const ug_markers *markers;
    size_t stride, count, step; // every stride-th frame, `count` of them; speeds over `step` frames
    uint8_t kind;               // which points are looked at
    double *heights;            // (marker_count), NAN where the label says nothing
    double *low, *high;         // (3 x count), NAN without points
    double *slope;              // (count) source units per stature
    size_t slope_count;
    double labels[3], rest[3];
} scene;

static const float *sample(const scene *s, size_t frame, size_t marker)
{
    const ug_markers *m = s->markers;
    if (m->kinds[marker] != s->kind || !ug_markers_present(m, frame, marker)) {
        return NULL;
    }
    return m->positions + 3 * ug_markers_index(m, frame, marker);
}

// Regression of place on landmark height in one frame.
static void look_at_labels(scene *s, size_t frame, double sum[3])
{
    double n = 0, h_mean = 0, x_mean[3] = { 0 }, hh = 0, hx[3] = { 0 };
    for (size_t i = 0; i < s->markers->marker_count; i++) {
        const float *x = isnan(s->heights[i]) ? NULL : sample(s, frame, i);
        if (!x) {
            continue;
        }
        // running means and co-moments: no cancellation far from the origin
        n += 1;
        const double dh = s->heights[i] - h_mean;
        h_mean += dh / n;
        hh += dh * (s->heights[i] - h_mean);
        for (int a = 0; a < 3; a++) {
            hx[a] += dh * ((double)x[a] - x_mean[a]) * (n - 1) / n;
            x_mean[a] += ((double)x[a] - x_mean[a]) / n;
        }
    }
    const double length = hypot(hypot(hx[0], hx[1]), hx[2]);
    // at least the spread from knee to hip of four markers, else a frame says nothing
    if (n < 4 || hh < 0.04 || !(length > 0)) {
        return;
    }
    s->slope[s->slope_count++] = length / hh;
    for (int a = 0; a < 3; a++) {
        sum[a] += hx[a] / length;
    }
}

static void look_at_extent(scene *s, size_t k, size_t frame)
{
    for (size_t i = 0; i < s->markers->marker_count; i++) {
        const float *x = sample(s, frame, i);
        for (int a = 0; x && a < 3; a++) {
            double *low = &s->low[(size_t)a * s->count + k];
            double *high = &s->high[(size_t)a * s->count + k];
            *low = !(*low <= (double)x[a]) ? (double)x[a] : *low;
            *high = !(*high >= (double)x[a]) ? (double)x[a] : *high;
        }
    }
}

static double distance(const float *a, const float *b)
{
    const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1];
    const double z = (double)b[2] - (double)a[2];
    return sqrt(x * x + y * y + z * z);
}

// Place on the body, −1 at the top to 1 at the bottom of each axis, of points that stand still
// while the body moves.
static void look_at_rest(scene *s, size_t k, size_t frame, double sum[3], double *count)
{
    const ug_markers *m = s->markers;
    if (frame + s->step >= m->frame_count) {
        return;
    }
    double total = 0, points = 0;
    for (int pass = 0; pass < 2; pass++) {
        const double mean = points > 0 ? total / points : 0;
        for (size_t i = 0; i < m->marker_count; i++) {
            const float *x = sample(s, frame, i), *y = sample(s, frame + s->step, i);
            if (!x || !y) {
                continue;
            }
            const double moved = distance(x, y);
            if (pass == 0) {
                total += moved;
                points += 1;
                continue;
            }
            const double size = s->high[2 * s->count + k] - s->low[2 * s->count + k] +
                                s->high[s->count + k] - s->low[s->count + k] + s->high[k] -
                                s->low[k];
            if (moved > 0.15 * mean || mean < 0.005 * size) {
                continue;
            }
            *count += 1;
            for (int a = 0; a < 3; a++) {
                const double low = s->low[(size_t)a * s->count + k];
                const double high = s->high[(size_t)a * s->count + k];
                sum[a] += high > low ? 1 - 2 * ((double)x[a] - low) / (high - low) : 0;
            }
        }
    }
}

// Sorts `values` (NAN first to go) and returns the given quantile; NAN when there is none.
static double quantile(double *values, size_t count, double share)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            values[n++] = values[i];
        }
    }
    if (n == 0) {
        return NAN;
    }
    ug_sort_ascending(values, n);
    return values[(size_t)(share * (double)(n - 1) + 0.5)];
}

// How much a series moves, the extreme twentieths left out.
static double spread(const double *series, size_t count, double *scratch)
{
    memcpy(scratch, series, count * sizeof *series);
    const double high = quantile(scratch, count, 0.95);
    memcpy(scratch, series, count * sizeof *series);
    return high - quantile(scratch, count, 0.05);
}

static double typical_extent(const scene *s, int axis, double *scratch)
{
    for (size_t k = 0; k < s->count; k++) {
        scratch[k] = s->high[(size_t)axis * s->count + k] - s->low[(size_t)axis * s->count + k];
    }
    return quantile(scratch, s->count, 0.75);
}

static void look(scene *s)
{
    double labels[3] = { 0 }, rest[3] = { 0 }, rest_count = 0;
    for (size_t k = 0; k < s->count; k++) {
        const size_t frame = k * s->stride;
        look_at_labels(s, frame, labels);
        look_at_extent(s, k, frame);
        look_at_rest(s, k, frame, rest, &rest_count);
    }
    for (int a = 0; a < 3; a++) {
        s->labels[a] = s->slope_count > 0 ? labels[a] / (double)s->slope_count : 0;
        // a handful of samples at rest is chance
        s->rest[a] = rest_count > 0 ? rest[a] / (rest_count + 10) : 0;
    }
}

static void judge_up(ug_inferred_frame *out, const scene *s, double *scratch)
{
    double total[3], size = 0;
    for (int a = 0; a < 3; a++) {
        size = fmax(size, typical_extent(s, a, scratch));
    }
    const double weight = s->slope_count > 0 ? 4.0 : 2.0;
    for (int a = 0; a < 3; a++) {
        const double low = spread(s->low + (size_t)a * s->count, s->count, scratch);
        const double high = spread(s->high + (size_t)a * s->count, s->count, scratch);
        const double floor = (high - low) / (high + low + 0.02 * size);
        total[a] = (2 * s->labels[a] + (isnan(floor) ? 0 : floor) + s->rest[a]) / weight;
    }
    int best = 0;
    for (int a = 1; a < 3; a++) {
        best = fabs(total[a]) > fabs(total[best]) ? a : best;
    }
    double second = 0;
    for (int a = 0; a < 3; a++) {
        second = a != best ? fmax(second, fabs(total[a])) : second;
    }
    (void)snprintf(out->up, sizeof out->up, "%c%c", total[best] < 0 ? '-' : '+', 'X' + best);
    out->up_margin = fmin(1, fabs(total[best]) - second);
}

static void judge_unit(ug_inferred_frame *out, scene *s, double *scratch)
{
    const bool has_labels = 2 * s->slope_count > s->count;
    double size = quantile(s->slope, s->slope_count, 0.75); // bent bodies are shorter
    double expected = 1.7;
    if (!has_labels) {
        // somebody of whom we may see the legs only
        size = 0;
        for (int a = 0; a < 3; a++) {
            size = fmax(size, typical_extent(s, a, scratch));
        }
        expected = 1.3;
    }
    static const struct {
        const char *name;
        double metres;
    } UNITS[] = { { "mm", 0.001 }, { "cm", 0.01 }, { "m", 1.0 } };
    out->unit_margin = 0;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        const double off = fabs(log10(size * UNITS[i].metres / expected));
        const double margin = 1 - off / 0.5;
        if (margin > out->unit_margin) {
            out->unit_margin = margin;
            (void)snprintf(out->unit, sizeof out->unit, "%s", UNITS[i].name);
        }
    }
    // 67 is a small child in centimetres or an adult in inches
    const double inches = size * 0.0254;
    if (has_labels && inches > 1.4 && inches < 2.1) {
        (void)snprintf(out->unit, sizeof out->unit, "in");
        out->unit_margin = 0.3;
    }
}

static ug_status verdict(const ug_inferred_frame *out, bool has_labels, bool need_up,
                         bool need_unit, ug_error *err)
{
    const double least = has_labels ? UP_MARGIN_MIN : UP_MARGIN_UNLABELLED_MIN;
    const bool up = !need_up || out->up_margin >= least;
    const bool unit = !need_unit || out->unit_margin >= UNIT_MARGIN_MIN;
    if (up && unit) {
        return UG_OK;
    }
    return ug_fail(err, UG_E_AMBIGUOUS,
                   "the file declares no %s and the markers do not tell; give %s",
                   !up && !unit ? "vertical and no unit" : (!up ? "vertical" : "unit"),
                   !up && !unit ? "--up and --unit" : (!up ? "--up" : "--unit"));
}

// Points of the kind MARKER, or where there are none the unlabelled ones.
static uint8_t kind_to_look_at(const ug_markers *markers)
{
    for (size_t i = 0; i < markers->marker_count; i++) {
        if (markers->kinds[i] == UG_POINT_MARKER) {
            return UG_POINT_MARKER;
        }
    }
    return UG_POINT_UNLABELLED;
}

ug_status ug_infer_from_markers(ug_inferred_frame *out, const ug_markers *markers, bool need_up,
                                bool need_unit, ug_error *err)
{
    *out = (ug_inferred_frame){ .up = "+Y", .unit = "mm" };
    const size_t frames = markers->frame_count, n = markers->marker_count;
    if (frames == 0 || n == 0) {
        return verdict(out, false, need_up, need_unit, err);
    }
    scene s = { .markers = markers, .kind = kind_to_look_at(markers) };
    s.stride = (frames + FRAMES_MAX - 1) / FRAMES_MAX;
    s.count = (frames + s.stride - 1) / s.stride;
    s.step = (size_t)fmax(1, 0.05 * ug_rate_hz(markers->rate));
    s.heights = malloc(n * sizeof *s.heights);
    double *series = malloc(8 * s.count * sizeof *series);
    if (!s.heights || !series) {
        free(s.heights);
        free(series);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        s.heights[i] = landmark_height(markers->labels[i] ? markers->labels[i] : "");
    }
    for (size_t k = 0; k < 8 * s.count; k++) {
        series[k] = NAN;
    }
    s.low = series;
    s.high = series + 3 * s.count;
    s.slope = series + 6 * s.count;
    look(&s);
    judge_up(out, &s, series + 7 * s.count);
    judge_unit(out, &s, series + 7 * s.count);
    free(s.heights);
    free(series);
    return verdict(out, s.slope_count > 0, need_up, need_unit, err);
}
