// SPDX-License-Identifier: MIT
#include "solvers/calibrate_samples.h"

#include "motion/median.h"
#include "motion/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISTANCE_FRAMES = 400 };

// Column of `label` in a take, for the wanted subject; only what cameras saw.
static ptrdiff_t find_marker(const ug_markers *markers, const char *label, const char *subject)
{
    for (size_t m = 0; m < markers->marker_count; m++) {
        if (markers->kinds[m] == UG_POINT_MARKER && strcmp(markers->labels[m], label) == 0 &&
            (!subject || strcmp(markers->subjects[m], subject) == 0)) {
            return (ptrdiff_t)m;
        }
    }
    return -1;
}

// The labels the takes have, as far as they fit into a message.
static void list_labels(char *text, size_t size, const ug_calibrate_take *takes, size_t take_count,
                        size_t *count)
{
    size_t used = 0;
    *count = 0;
    text[0] = '\0';
    for (size_t i = 0; i < take_count; i++) {
        const ug_markers *markers = takes[i].markers;
        for (size_t m = 0; m < markers->marker_count; m++) {
            if (markers->kinds[m] != UG_POINT_MARKER) {
                continue;
            }
            ++*count;
            const char *label = markers->labels[m];
            if (used + strlen(label) + 6 < size) {
                used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", label);
            } else if (used + 5 < size) {
                used += (size_t)snprintf(text + used, size - used, ", …");
                used = size;
            }
        }
        if (*count > 0) {
            return;
        }
    }
}

static size_t labels_in_take(const ug_attachments *table, const ug_calibrate_take *takes,
                             size_t take_count, const char *subject)
{
    size_t count = 0;
    for (size_t a = 0; a < table->count; a++) {
        bool found = false;
        for (size_t i = 0; i < take_count && !found; i++) {
            found = find_marker(takes[i].markers, table->items[a].label, subject) >= 0;
        }
        count += found;
    }
    return count;
}

// The known set with most of the takes' labels, and how many; NULL when none has any.
static const ug_marker_set *best_set(size_t *best, const ug_calibrate_take *takes,
                                     size_t take_count, const ug_calibrate_options *options)
{
    const ug_marker_set *found = NULL;
    *best = 0;
    for (size_t k = 0; k < options->known_count; k++) {
        const ug_marker_set *set = &options->known_sets[k];
        const size_t n = labels_in_take(&set->markers, takes, take_count, options->subject);
        if (n > *best) {
            *best = n;
            found = set;
        }
    }
    return found;
}

void ug_samples_suggest(char *hint, size_t size, const ug_calibrate_take *takes, size_t take_count,
                        const ug_calibrate_options *options)
{
    size_t best;
    const ug_marker_set *set = best_set(&best, takes, take_count, options);
    if (set) {
        (void)snprintf(hint, size, "%zu of the take's labels are in the marker set '%s', try it",
                       best, set->name);
    } else {
        (void)snprintf(hint, size, "name the marker set these labels belong to");
    }
}

static bool is_in_table(const ug_attachments *table, const char *label)
{
    for (size_t a = 0; a < table->count; a++) {
        if (strcmp(table->items[a].label, label) == 0) {
            return true;
        }
    }
    return false;
}

// A marker of take `i` that the table does not have and no earlier take has shown.
static bool is_unused(const ug_attachments *table, const ug_calibrate_take *takes, size_t i,
                      size_t marker, const char *subject)
{
    const ug_markers *m = takes[i].markers;
    if (m->kinds[marker] != UG_POINT_MARKER || is_in_table(table, m->labels[marker]) ||
        (subject && strcmp(m->subjects[marker], subject) != 0)) {
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        if (find_marker(takes[k].markers, m->labels[marker], m->subjects[marker]) >= 0) {
            return false;
        }
    }
    return true;
}

void ug_samples_warn_unused(ug_warnings *warnings, const ug_attachments *table,
                            const ug_calibrate_take *takes, size_t take_count,
                            const ug_calibrate_options *options)
{
    char names[160] = "";
    size_t count = 0, used = 0, named = 0, best;
    for (size_t i = 0; i < take_count; i++) {
        for (size_t m = 0; m < takes[i].markers->marker_count; m++) {
            if (!is_unused(table, takes, i, m, options->subject)) {
                continue;
            }
            const ug_marker_name name = ug_markers_name(takes[i].markers, m);
            count++;
            if (named + 1 == count && used + strlen(name.text) + 3 < sizeof names) {
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         used ? ", " : "", name.text);
                named++;
            }
        }
    }
    ug_warn_times(warnings, count, "marker_unused",
                  "%zu markers of the take are not in the marker set and not used: %s%s", count,
                  names, named < count ? ", …" : "");
    const size_t own = labels_in_take(table, takes, take_count, options->subject);
    const ug_marker_set *set = best_set(&best, takes, take_count, options);
    if (set && best >= own + 3 && 5 * best >= 6 * own) {
        ug_warn(warnings, "marker_set_doubtful",
                "the marker set has %zu of the take's labels, '%s' has %zu: try --markers %s", own,
                set->name, best, set->name);
    }
}

static ug_status no_marker(const ug_attachments *attachments, const ug_calibrate_take *takes,
                           size_t take_count, const ug_calibrate_options *options, ug_error *err)
{
    char labels[96], hint[96];
    size_t count;
    list_labels(labels, sizeof labels, takes, take_count, &count);
    ug_samples_suggest(hint, sizeof hint, takes, take_count, options);
    return ug_fail(err, UG_E_NOT_ENOUGH,
                   "none of the %zu labels of the marker set (%s, …) is in the take%s%s%s, which "
                   "has %zu markers: %s; %s",
                   attachments->count, attachments->count ? attachments->items[0].label : "none",
                   options->subject ? " for subject '" : "",
                   options->subject ? options->subject : "", options->subject ? "'" : "", count,
                   count ? labels : "none", hint);
}

static ug_status allocate(ug_samples *s, size_t frame_count, size_t marker_count, ug_error *err)
{
    *s = (ug_samples){ .frame_count = frame_count, .marker_count = marker_count };
    s->measured_m = calloc(3 * frame_count * marker_count + 1, sizeof *s->measured_m);
    s->weight = calloc(frame_count * marker_count + 1, sizeof *s->weight);
    s->take = calloc(frame_count + 1, sizeof *s->take);
    s->frame = calloc(frame_count + 1, sizeof *s->frame);
    s->visible = calloc(frame_count + 1, sizeof *s->visible);
    s->seen = calloc(marker_count + 1, sizeof *s->seen);
    if (!s->measured_m || !s->weight || !s->take || !s->frame || !s->visible || !s->seen) {
        ug_samples_fini(s);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}

void ug_samples_fini(ug_samples *s)
{
    if (s) {
        free(s->measured_m);
        free(s->weight);
        free(s->take);
        free(s->frame);
        free(s->visible);
        free(s->seen);
        *s = (ug_samples){ 0 };
    }
}

void ug_samples_count(ug_samples *s)
{
    memset(s->seen, 0, s->marker_count * sizeof *s->seen);
    for (size_t t = 0; t < s->frame_count; t++) {
        s->visible[t] = 0;
        for (size_t m = 0; m < s->marker_count; m++) {
            const bool seen = s->weight[t * s->marker_count + m] > 0.0;
            s->visible[t] += seen;
            s->seen[m] += seen;
        }
    }
}

static size_t take_frames(const ug_calibrate_take *take)
{
    return take->count ? take->count : take->markers->frame_count - take->first;
}

static void copy_marker(ug_samples *s, size_t column, const ug_calibrate_take *take, size_t marker,
                        size_t row)
{
    const uint16_t invented = UG_ORIGIN_FILLED | UG_ORIGIN_COMPUTED;
    const size_t count = take_frames(take);
    for (size_t f = 0; f < count; f++) {
        const size_t from = ug_markers_index(take->markers, take->first + f, marker);
        const uint16_t origin = take->markers->origin[from];
        const ug_vec3 p = ug_markers_position_m(take->markers, take->first + f, marker);
        if ((origin & UG_ORIGIN_PRESENT) && !(origin & invented) && ug_vec3_is_finite(p)) {
            const size_t to = (row + f) * s->marker_count + column;
            s->measured_m[3 * to] = p.x;
            s->measured_m[3 * to + 1] = p.y;
            s->measured_m[3 * to + 2] = p.z;
            s->weight[to] = 1.0;
        }
    }
}

ug_status ug_samples_gather(ug_samples *s, const ug_attachments *attachments,
                            const ug_calibrate_take *takes, size_t take_count,
                            const ug_calibrate_options *options, ug_error *err)
{
    size_t frame_count = 0;
    *s = (ug_samples){ 0 };
    for (size_t i = 0; i < take_count; i++) {
        const size_t have = takes[i].markers->frame_count;
        if (takes[i].first > have || takes[i].count > have - takes[i].first) {
            return ug_fail(err, UG_E_USAGE,
                           "frames %zu to %zu are asked for of %s, which has %zu frames",
                           takes[i].first, takes[i].first + takes[i].count - 1,
                           takes[i].name ? takes[i].name : "a take", have);
        }
        frame_count += take_frames(&takes[i]);
    }
    if (labels_in_take(attachments, takes, take_count, options->subject) == 0) {
        return no_marker(attachments, takes, take_count, options, err);
    }
    const ug_status status = allocate(s, frame_count, attachments->count, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t i = 0, row = 0; i < take_count; row += take_frames(&takes[i]), i++) {
        for (size_t f = 0; f < take_frames(&takes[i]); f++) {
            s->take[row + f] = i;
            s->frame[row + f] = takes[i].first + f;
        }
        for (size_t a = 0; a < attachments->count; a++) {
            const ug_attachment *item = &attachments->items[a];
            const ptrdiff_t m = find_marker(takes[i].markers, item->label, options->subject);
            if (m >= 0 && item->weight > 0.0 && item->kind != UG_MARKER_COMPUTED) {
                copy_marker(s, a, &takes[i], (size_t)m, row);
            }
        }
    }
    ug_samples_count(s);
    return UG_OK;
}

double ug_samples_distance_m(const ug_samples *s, size_t a, size_t b, double *scratch)
{
    size_t both = 0, count = 0;
    for (size_t t = 0; t < s->frame_count; t++) {
        const double *w = s->weight + t * s->marker_count;
        both += w[a] > 0.0 && w[b] > 0.0;
    }
    const size_t stride = both / DISTANCE_FRAMES + 1;
    for (size_t t = 0, k = 0; t < s->frame_count; t++) {
        const double *w = s->weight + t * s->marker_count;
        if (w[a] > 0.0 && w[b] > 0.0 && k++ % stride == 0 && count < DISTANCE_FRAMES) {
            const double *y = s->measured_m + 3 * t * s->marker_count;
            scratch[count++] = ug_vec3_distance(ug_vec3_of(y + 3 * a), ug_vec3_of(y + 3 * b));
        }
    }
    return ug_median(scratch, count);
}

size_t ug_samples_usable(size_t *rows, const ug_samples *s)
{
    // a histogram of "markers seen" instead of sorting all rows
    size_t shown = 0, median = 0, below = 0;
    for (size_t t = 0; t < s->frame_count; t++) {
        shown += s->visible[t] > 0;
    }
    for (size_t k = 1; k <= s->marker_count && below * 2 < shown; k++) {
        for (size_t t = 0; t < s->frame_count; t++) {
            below += s->visible[t] == k;
        }
        median = k;
    }
    size_t count = 0;
    for (size_t t = 0; t < s->frame_count; t++) {
        if (s->visible[t] >= 3 && 2 * s->visible[t] >= median) {
            rows[count++] = t;
        }
    }
    return count;
}
