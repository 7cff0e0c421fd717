// SPDX-License-Identifier: MIT
#include "motion/markers.h"

#include "motion/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *at_least_one(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

// Memory for one value per sample that will be written at once. The first touch of small pages
// costs more than decoding a file does, so large arrays ask for huge ones.
static void *per_sample(size_t count, size_t size)
{
    enum { HUGE_PAGE = 2 << 20 };
    const size_t bytes = count > 0 ? count * size : size;
    if (bytes < 2 * (size_t)HUGE_PAGE) {
        return malloc(bytes);
    }
    const size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *data = aligned_alloc(HUGE_PAGE, rounded);
    if (data) {
        (void)madvise(data, rounded, MADV_HUGEPAGE); // a hint; no harm where refused
    }
    return data;
}

static void fill(float *values, size_t count, float value)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = value;
    }
}

ug_markers *ug_markers_create_unset(size_t frame_count, size_t marker_count, ug_rate rate)
{
    if (marker_count > 0 && frame_count > SIZE_MAX / marker_count / (3 * sizeof(float))) {
        return NULL;
    }
    ug_markers *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    const size_t n = frame_count * marker_count;
    m->frame_count = frame_count;
    m->marker_count = marker_count;
    m->rate = rate;
    m->scale_m = 1.0;
    m->labels = at_least_one(marker_count, sizeof *m->labels);
    m->subjects = at_least_one(marker_count, sizeof *m->subjects);
    m->kinds = at_least_one(marker_count, sizeof *m->kinds);
    m->positions = per_sample(3 * n, sizeof *m->positions);
    m->origin = per_sample(n, sizeof *m->origin);
    m->method = at_least_one(n, sizeof *m->method);
    m->predicted_error_mm = per_sample(n, sizeof *m->predicted_error_mm);
    m->residuals = per_sample(n, sizeof *m->residuals);
    m->cameras = at_least_one(n, sizeof *m->cameras);
    if (!m->labels || !m->subjects || !m->kinds || !m->positions || !m->origin || !m->method ||
        !m->predicted_error_mm || !m->residuals || !m->cameras) {
        ug_markers_destroy(m);
        return NULL;
    }
    return m;
}

ug_markers *ug_markers_create(size_t frame_count, size_t marker_count, ug_rate rate)
{
    ug_markers *m = ug_markers_create_unset(frame_count, marker_count, rate);
    if (m) {
        const size_t n = frame_count * marker_count;
        fill(m->positions, 3 * n, NAN);
        memset(m->origin, 0, n * sizeof *m->origin);
        fill(m->predicted_error_mm, n, NAN);
        fill(m->residuals, n, -1.0f);
    }
    return m;
}

void ug_markers_destroy(ug_markers *markers)
{
    if (markers) {
        ug_text_list_destroy(markers->labels, markers->marker_count);
        ug_text_list_destroy(markers->subjects, markers->marker_count);
        free(markers->kinds);
        free(markers->positions);
        free(markers->origin);
        free(markers->method);
        free(markers->predicted_error_mm);
        free(markers->residuals);
        free(markers->cameras);
        free(markers->unfiltered);
        free(markers);
    }
}

ug_markers *ug_markers_copy(const ug_markers *markers)
{
    assert(markers);
    ug_markers *m =
        ug_markers_create_unset(markers->frame_count, markers->marker_count, markers->rate);
    if (!m) {
        return NULL;
    }
    const size_t n = markers->frame_count * markers->marker_count;
    bool ok = true;
    for (size_t i = 0; i < markers->marker_count; i++) {
        if (markers->labels[i]) {
            m->labels[i] = ug_text_copy(markers->labels[i]);
            ok = ok && m->labels[i];
        }
        if (markers->subjects[i]) {
            m->subjects[i] = ug_text_copy(markers->subjects[i]);
            ok = ok && m->subjects[i];
        }
    }
    if (!ok || (markers->unfiltered && !ug_markers_make_unfiltered(m))) {
        ug_markers_destroy(m);
        return NULL;
    }
    if (markers->unfiltered) {
        memcpy(m->unfiltered, markers->unfiltered, 3 * n * sizeof *m->unfiltered);
    }
    m->first_frame = markers->first_frame;
    m->scale_m = markers->scale_m;
    memcpy(m->kinds, markers->kinds, markers->marker_count * sizeof *m->kinds);
    memcpy(m->positions, markers->positions, 3 * n * sizeof *m->positions);
    memcpy(m->origin, markers->origin, n * sizeof *m->origin);
    memcpy(m->method, markers->method, n * sizeof *m->method);
    memcpy(m->predicted_error_mm, markers->predicted_error_mm, n * sizeof *m->predicted_error_mm);
    memcpy(m->residuals, markers->residuals, n * sizeof *m->residuals);
    memcpy(m->cameras, markers->cameras, n * sizeof *m->cameras);
    return m;
}

bool ug_markers_make_unfiltered(ug_markers *markers)
{
    const size_t n = 3 * markers->frame_count * markers->marker_count;
    if (!markers->unfiltered) {
        markers->unfiltered = per_sample(n, sizeof *markers->unfiltered);
        if (markers->unfiltered) {
            fill(markers->unfiltered, n, NAN);
        }
    }
    return markers->unfiltered != NULL;
}

void ug_markers_note_filtered(ug_markers *markers, size_t frame, size_t marker)
{
    assert(markers->unfiltered);
    const size_t i = ug_markers_index(markers, frame, marker);
    if (!(markers->origin[i] & UG_ORIGIN_FILTERED)) {
        memcpy(markers->unfiltered + 3 * i, markers->positions + 3 * i,
               3 * sizeof *markers->unfiltered);
        markers->origin[i] |= UG_ORIGIN_FILTERED;
    }
}

// A sample that is written anew, or gone, has no past.
static void forget_unfiltered(ug_markers *markers, size_t i)
{
    if (markers->unfiltered) {
        fill(markers->unfiltered + 3 * i, 3, NAN);
    }
}

void ug_markers_set_m(ug_markers *markers, size_t frame, size_t marker, ug_vec3 position_m,
                      uint16_t origin)
{
    assert(frame < markers->frame_count && marker < markers->marker_count);
    const size_t i = ug_markers_index(markers, frame, marker);
    forget_unfiltered(markers, i);
    markers->positions[3 * i] = (float)(position_m.x / markers->scale_m);
    markers->positions[3 * i + 1] = (float)(position_m.y / markers->scale_m);
    markers->positions[3 * i + 2] = (float)(position_m.z / markers->scale_m);
    markers->origin[i] = (uint16_t)(origin | UG_ORIGIN_PRESENT);
}

void ug_markers_clear(ug_markers *markers, size_t frame, size_t marker)
{
    assert(frame < markers->frame_count && marker < markers->marker_count);
    const size_t i = ug_markers_index(markers, frame, marker);
    markers->positions[3 * i] = markers->positions[3 * i + 1] = markers->positions[3 * i + 2] = NAN;
    markers->origin[i] = 0;
    forget_unfiltered(markers, i);
    markers->method[i] = UG_FILL_NONE;
    markers->predicted_error_mm[i] = NAN;
    markers->residuals[i] = -1.0f;
    markers->cameras[i] = 0;
}

ptrdiff_t ug_markers_find(const ug_markers *markers, const char *label)
{
    const char *colon = strrchr(label, ':');
    for (size_t i = 0; i < markers->marker_count; i++) {
        if (!markers->labels[i]) {
            continue;
        }
        if (strcmp(markers->labels[i], label) == 0) {
            return (ptrdiff_t)i;
        }
        if (colon && strcmp(markers->labels[i], colon + 1) == 0 && markers->subjects[i] &&
            strlen(markers->subjects[i]) == (size_t)(colon - label) &&
            strncmp(markers->subjects[i], label, (size_t)(colon - label)) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

size_t ug_markers_missing_count(const ug_markers *markers)
{
    size_t missing = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        for (size_t m = 0; m < markers->marker_count; m++) {
            missing += markers->kinds[m] == UG_POINT_MARKER && !ug_markers_present(markers, f, m);
        }
    }
    return missing;
}

ug_marker_name ug_markers_name(const ug_markers *markers, size_t marker)
{
    ug_marker_name name;
    const char *label = markers->labels[marker], *subject = markers->subjects[marker];
    bool several = false;
    for (size_t i = 0; subject && *subject && i < markers->marker_count && !several; i++) {
        const char *other = markers->subjects[i];
        several = other && *other && strcmp(other, subject) != 0;
    }
    (void)snprintf(name.text, sizeof name.text, "%s%s%s", several ? subject : "",
                   several ? ":" : "", label ? label : "(unnamed)");
    return name;
}

size_t ug_markers_gap_count(const ug_markers *markers, size_t marker, size_t *longest_frames)
{
    assert(marker < markers->marker_count);
    size_t gaps = 0, run = 0, longest = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        run = ug_markers_present(markers, f, marker) ? 0 : run + 1;
        gaps += run == 1;
        longest = run > longest ? run : longest;
    }
    if (longest_frames) {
        *longest_frames = longest;
    }
    return gaps;
}
