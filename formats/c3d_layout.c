// SPDX-License-Identifier: MIT
// Where the samples lie and how many there are, when header and parameters disagree.
//
// Every figure is stated two to five times in a C3D file, and real files contradict themselves. So
// each figure gets its list of candidates, the most trusted first, and the first combination that
// the size of the file confirms is taken. What was overruled is warned about.
#include "formats/c3d_internal.h"

#include <math.h>
#include <string.h>

enum { CHOICES = 6 };

// Candidates for one figure, the most trusted first, none twice.
typedef struct choice {
    size_t count;
    double value[CHOICES];
    const char *source[CHOICES];
} choice;

typedef struct finder {
    const uint8_t *data;
    size_t size;
    char processor;
    const ug_parameters *tree;
    ug_warnings *warnings;
    double saturated; // frames by the header when its last frame is the largest 16 bits hold
    choice points, channels, samples, starts, integers, frames;
} finder;

static void offer(choice *c, double value, double low, double high, const char *source)
{
    if (!(value >= low && value <= high) || value != floor(value) || c->count == CHOICES) {
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->value[i] == value) {
            return;
        }
    }
    c->value[c->count] = value;
    c->source[c->count++] = source;
}

static double header_word(const finder *f, size_t at)
{
    return c3d_get_u16(f->data + at, f->processor);
}

static double parameter(const finder *f, const char *group, const char *name)
{
    return c3d_number(f->tree, group, name, 0, true, f->warnings);
}

static void offer_frames(finder *f)
{
    const double most = 2147483647.0;
    const double start = c3d_trial_field(f->tree, "ACTUAL_START_FIELD");
    const double end = c3d_trial_field(f->tree, "ACTUAL_END_FIELD");
    const double first = header_word(f, C3D_H_FIRST), last = header_word(f, C3D_H_LAST);
    offer(&f->frames, parameter(f, "POINT", "LONG_FRAMES"), 1, most, "POINT:LONG_FRAMES");
    if (end > 0) {
        offer(&f->frames, end - start + 1, 1, most, "TRIAL:ACTUAL_END_FIELD");
    }
    offer(&f->frames, parameter(f, "POINT", "FRAMES"), 1, most, "POINT:FRAMES");
    if (last > 0) {
        offer(&f->frames, last - first + 1, 1, most, "the header");
    }
    f->saturated = last == C3D_COUNT_MAX ? last - first + 1 : C3D_COUNT_MAX;
}

static void offer_analog(finder *f, double rate_hz)
{
    const double total = header_word(f, C3D_H_ANALOG);
    double samples = header_word(f, C3D_H_SAMPLES);
    const double used = parameter(f, "ANALOG", "USED");
    const double by_rate = parameter(f, "ANALOG", "RATE") / rate_hz;
    // the header's total is 16 bits: many channels at a high rate wrap it
    if (used > 0 && samples > 0 && fmod(used * samples, 65536.0) == total) {
        offer(&f->channels, used, 0, C3D_COUNT_MAX, "ANALOG:USED");
        offer(&f->samples, samples, 1, C3D_COUNT_MAX, "the header");
        return;
    }
    if (total > 0) {
        samples = samples > 0 ? samples : 1;
        offer(&f->channels, floor(total / samples), 0, C3D_COUNT_MAX, "the header");
        offer(&f->samples, samples, 1, C3D_COUNT_MAX, "the header");
    } else {
        offer(&f->channels, 0, 0, 0, "the header");
    }
    offer(&f->channels, used, 0, C3D_COUNT_MAX, "ANALOG:USED");
    if (fabs(by_rate - round(by_rate)) < 1e-3 * by_rate) {
        offer(&f->samples, round(by_rate), 1, C3D_COUNT_MAX, "ANALOG:RATE");
    }
    offer(&f->samples, 1, 1, 1, "default");
}

static double header_scale(const finder *f)
{
    return (double)c3d_get_f32(f->data + C3D_H_SCALE, f->processor);
}

static void offer_all(finder *f, size_t section_end, double rate_hz)
{
    const double blocks = (double)f->size / C3D_BLOCK;
    offer(&f->points, header_word(f, C3D_H_POINTS), 0, C3D_COUNT_MAX, "the header");
    offer(&f->points, parameter(f, "POINT", "USED"), 0, C3D_COUNT_MAX, "POINT:USED");
    offer_analog(f, rate_hz);

    offer(&f->starts, header_word(f, C3D_H_DATA_START), 2, blocks + 1, "the header");
    offer(&f->starts, parameter(f, "POINT", "DATA_START"), 3, blocks + 1, "POINT:DATA_START");
    offer(&f->starts, ceil((double)section_end / C3D_BLOCK) + 1, 2, blocks + 2,
          "the end of the parameters");

    const double scale = parameter(f, "POINT", "SCALE");
    if (scale != 0.0 && isfinite(scale)) {
        offer(&f->integers, scale > 0.0, 0, 1, "POINT:SCALE");
    }
    if (header_scale(f) != 0.0 && isfinite(header_scale(f))) {
        offer(&f->integers, header_scale(f) > 0.0, 0, 1, "the header");
    }
    offer(&f->integers, 0, 0, 0, "default");
    offer_frames(f);
}

// One combination of candidates, by index.
typedef struct pick {
    size_t points, channels, samples, starts, integers, frames;
} pick;

static void apply(c3d_layout *l, const finder *f, pick p)
{
    l->point_count = (size_t)f->points.value[p.points];
    l->channel_count = (size_t)f->channels.value[p.channels];
    l->samples_per_frame = (size_t)f->samples.value[p.samples];
    l->is_integer = f->integers.value[p.integers] > 0.0;
    l->data_offset = ((size_t)f->starts.value[p.starts] - 1) * C3D_BLOCK;
    l->frame_bytes =
        (4 * l->point_count + l->channel_count * l->samples_per_frame) * (l->is_integer ? 2u : 4u);
    l->frame_count = f->frames.count > 0 ? (size_t)f->frames.value[p.frames] : 0;
}

static size_t room(const c3d_layout *l, size_t size)
{
    return size > l->data_offset && l->frame_bytes > 0 ? (size - l->data_offset) / l->frame_bytes
                                                       : 0;
}

// 2: the data end within one block of the file's end; 1: they fit; 0: the file is too short
static int fit(const c3d_layout *l, size_t size)
{
    if (l->frame_bytes == 0) {
        return l->data_offset <= size ? 2 : 1;
    }
    if (l->data_offset > size || room(l, size) < l->frame_count) {
        return 0;
    }
    const size_t rest = size - l->data_offset - l->frame_count * l->frame_bytes;
    return rest < C3D_BLOCK ? 2 : 1;
}

// The next combination in order of trust (the last figure varies fastest); false after the last.
static bool advance(pick *p, const finder *f)
{
    const size_t counts[] = { f->frames.count,   f->integers.count, f->points.count,
                              f->channels.count, f->samples.count,  f->starts.count };
    size_t *at[] = { &p->frames, &p->integers, &p->points, &p->channels, &p->samples, &p->starts };
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        if (*at[i] + 1 < counts[i]) {
            (*at[i])++;
            return true;
        }
        *at[i] = 0;
    }
    return false;
}

static pick choose(c3d_layout *l, const finder *f)
{
    pick best = { 0 };
    int best_fit = -1;
    pick p = { 0 };
    do {
        c3d_layout trial = *l;
        apply(&trial, f, p);
        const int now = fit(&trial, f->size);
        if (now > best_fit) {
            best_fit = now;
            best = p;
        }
    } while (best_fit < 2 && advance(&p, f));
    apply(l, f, best);
    return best;
}

static void warn_overruled(const finder *f, const choice *c, size_t taken, const char *code,
                           const char *what)
{
    for (size_t i = 0; i < c->count; i++) {
        if (i != taken && strcmp(c->source[i], "default") != 0 &&
            strcmp(c->source[i], "the end of the parameters") != 0) {
            ug_warn(f->warnings, code, "%s: %s says %.0f, %s says %.0f; %.0f is used", what,
                    c->source[i], c->value[i], c->source[taken], c->value[taken], c->value[taken]);
        }
    }
}

static void warn_disagreements(const finder *f, pick p)
{
    warn_overruled(f, &f->points, p.points, "c3d_points_disagree", "number of points");
    warn_overruled(f, &f->channels, p.channels, "c3d_analog_disagree", "analog channels");
    if (f->channels.value[p.channels] > 0) {
        warn_overruled(f, &f->samples, p.samples, "c3d_analog_disagree",
                       "analog samples per frame");
    }
    const double start = parameter(f, "POINT", "DATA_START");
    if (!isnan(start) && start != f->starts.value[p.starts]) {
        ug_warn(f->warnings, "c3d_data_start",
                "POINT:DATA_START says block %.0f; the samples begin at block %.0f", start,
                f->starts.value[p.starts]);
    } else if (p.starts > 0) {
        ug_warn(f->warnings, "c3d_data_start",
                "the header says the samples begin at block %.0f, %s says %.0f, which is used",
                f->starts.value[0], f->starts.source[p.starts], f->starts.value[p.starts]);
    }
    if (f->integers.count > 1 && strcmp(f->integers.source[1], "default") != 0) {
        ug_warn(f->warnings, "c3d_scale_disagrees",
                "POINT:SCALE and the header disagree on integer or float; %s is used",
                f->integers.value[p.integers] > 0.0 ? "integer" : "float");
    }
    for (size_t i = 0; i < f->frames.count; i++) {
        // 65535 is how 16 bits say "more": not a contradiction
        const double v = f->frames.value[i];
        const bool says_more = v == C3D_COUNT_MAX || v == f->saturated;
        if (i != p.frames && !(says_more && f->frames.value[p.frames] > v)) {
            ug_warn(f->warnings, "c3d_frames_disagree", "frames: %s says %.0f, %s says %.0f",
                    f->frames.source[i], v, f->frames.source[p.frames], f->frames.value[p.frames]);
        }
    }
}

static bool all_zero(const uint8_t *p, size_t size)
{
    return size == 0 || (p[0] == 0 && memcmp(p, p + 1, size - 1) == 0);
}

// The data hold more frames than any count says: 16-bit counts stop at 65535 or wrap.
static void extend_by_size(c3d_layout *l, const finder *f, size_t stated)
{
    const size_t held = room(l, f->size);
    size_t count = 0;
    if (stated == C3D_COUNT_MAX || (double)stated == f->saturated || stated == 0) {
        count = held;
        // what fills up the last block is not a frame
        while (count > stated && (held - count + 1) * l->frame_bytes < C3D_BLOCK &&
               all_zero(f->data + l->data_offset + (count - 1) * l->frame_bytes, l->frame_bytes)) {
            count--;
        }
    } else if (held > stated) {
        const size_t wrapped = stated + (held - stated) / 65536 * 65536;
        const size_t rest = f->size - l->data_offset - wrapped * l->frame_bytes;
        count = rest < C3D_BLOCK ? wrapped : 0;
    }
    if (count > stated) {
        ug_warn(f->warnings, "c3d_frames_from_size",
                "the counts say %zu frames, the data hold %zu, which are read", stated, count);
        l->frame_count = count;
    }
}

static ug_status settle_frames(c3d_layout *l, const finder *f, ug_error *err)
{
    if (l->frame_bytes == 0) {
        return UG_OK;
    }
    const size_t held = room(l, f->size);
    const size_t stated = l->frame_count;
    if (held == 0) {
        return ug_fail(err, UG_E_FORMAT,
                       "no samples: the header promises %zu frames of %zu bytes from byte %zu on, "
                       "the file ends at %zu",
                       stated, l->frame_bytes, l->data_offset, f->size);
    }
    if (held > stated) {
        extend_by_size(l, f, stated);
    } else if (held < stated) {
        ug_warn(f->warnings, "c3d_truncated",
                "%zu frames are promised, the file holds %zu: it was cut short", stated, held);
        l->frame_count = held;
    }
    const size_t end = l->data_offset + l->frame_count * l->frame_bytes;
    const size_t rest = f->size - end;
    if (rest >= C3D_BLOCK && !all_zero(f->data + end, rest)) {
        ug_warn(f->warnings, "c3d_trailing_data", "%zu bytes after the last frame are not read",
                rest);
    }
    return UG_OK;
}

ug_status c3d_layout_find(c3d_layout *layout, const uint8_t *data, size_t size, char processor,
                          size_t section_end, const ug_parameters *tree, ug_rate rate,
                          ug_warnings *warnings, ug_error *err)
{
    finder f = {
        .data = data, .size = size, .processor = processor, .tree = tree, .warnings = warnings
    };
    *layout = (c3d_layout){ .processor = processor };
    ug_status status = c3d_settle_rate(layout, data, tree, rate, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    offer_all(&f, section_end, ug_rate_hz(layout->rate));
    const pick taken = choose(layout, &f);
    warn_disagreements(&f, taken);
    if ((status = settle_frames(layout, &f, err)) != UG_OK) {
        return status;
    }
    if (layout->channel_count == 0) {
        layout->samples_per_frame = 1;
    }
    layout->analog_is_unsigned = c3d_analog_is_unsigned(tree);
    c3d_settle_first_frame(layout, data, tree, warnings);
    c3d_settle_scale(layout, data, tree, warnings);
    return UG_OK;
}
