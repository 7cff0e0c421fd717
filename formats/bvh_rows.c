// SPDX-License-Identifier: MIT
// The MOTION part of a BVH file: rows of numbers, each turned into a pose as soon as it is read.
//
// Speed: one pass, no array of the raw values, numbers by formats/decimal_row.h, poses straight
// into the clip by formats/bvh_pose.h.
#include "formats/bvh_parts.h"
#include "formats/bvh_pose.h"
#include "formats/decimal.h"
#include "formats/decimal_row.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How much more room poses may take than their text: at once, and at all. Usual files need 2 to 5.
enum { ROOM_AT_ONCE = 8, ROOM_AT_ALL = 100, ROOM_FREE = 1 << 26 };

static const double ROW_TAME = 1e9; // the limit of ug_decimal_row_read

// What reading the rows goes by.
typedef struct row_reader {
    ug_bvh_cursor *cursor;
    const ug_bvh_hierarchy *hierarchy;
    size_t channel_count;
    ug_bvh_poser *poser;
    double *row; // (channel_count) the poser's
} row_reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_line(const char *p, const char *end)
{
    return p >= end || *p == '\n' || *p == '\r';
}

static ug_status bad_value(const row_reader *r, const char *at, size_t frame, size_t column,
                           ug_error *err)
{
    const ug_bvh_cursor *c = r->cursor;
    char words[128], text[24];
    size_t n = 0;
    while (at + n < c->end && n < sizeof text - 1 && (unsigned char)at[n] > ' ') {
        text[n] = isprint((unsigned char)at[n]) ? at[n] : '?';
        n++;
    }
    text[n] = '\0';
    double value = 0.0;
    const bool reads = ug_decimal_read(&value, at, c->end) > at && !isfinite(value);
    return ug_bvh_fail(err, c, at, UG_E_DATA, "frame %zu, channel '%s': '%s' is not a %snumber",
                       frame, ug_bvh_channel_words(words, r->hierarchy, column), text,
                       reads ? "finite " : "");
}

// Where value `column` of the line at `line` stands.
static const char *find_value(const row_reader *r, const char *line, size_t column)
{
    size_t count;
    bool tame;
    const char *p = ug_decimal_row_read(r->row, &count, &tame, column, line, r->cursor->end);
    while (is_blank(*p)) {
        p++;
    }
    return p;
}

static ug_status check_finite(const row_reader *r, const char *line, size_t frame, ug_error *err)
{
    for (size_t c = 0; c < r->channel_count; c++) {
        if (!isfinite(r->row[c])) {
            return bad_value(r, find_value(r, line, c), frame, c, err);
        }
    }
    return UG_OK;
}

// Refuse what is not finite, say what is beyond all sense, reduce such angles.
static ug_status tame_row(const row_reader *r, const char *line, size_t frame,
                          ug_warnings *warnings, ug_error *err)
{
    const ug_status status = check_finite(r, line, frame, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t c = 0; c < r->channel_count; c++) {
        if (fabs(r->row[c]) >= ROW_TAME) {
            char words[128];
            ug_warn(warnings, "bvh_value_absurd", "frame %zu, channel '%s': %g can hardly be meant",
                    frame, ug_bvh_channel_words(words, r->hierarchy, c), r->row[c]);
        }
    }
    ug_bvh_poser_reduce(r->poser);
    return UG_OK;
}

static ug_status reserve_frames(ug_clip *clip, size_t *capacity, size_t wanted,
                                const ug_bvh_cursor *cursor, ug_error *err)
{
    if (wanted <= *capacity) {
        return UG_OK;
    }
    const size_t more = *capacity + *capacity / 2 + 16;
    if (more * clip->joint_count * sizeof(ug_quat) > ROOM_AT_ALL * cursor->passed + ROOM_FREE) {
        return ug_fail(err, UG_E_UNSUPPORTED,
                       "more than %zu frames of %zu joints with hardly a channel among them",
                       *capacity, clip->joint_count);
    }
    ug_quat *q = realloc(clip->rotations, more * clip->joint_count * sizeof *q);
    clip->rotations = q ? q : clip->rotations;
    ug_vec3 *t = realloc(clip->translations, more * clip->translated_count * sizeof *t);
    clip->translations = t ? t : clip->translations;
    if (!q || !t) {
        return ug_fail(err, UG_E_NOMEM, "%zu frames do not fit in memory", more);
    }
    *capacity = more;
    return UG_OK;
}

// A line that holds less than a row: cut off at the end of the file, wrong before it.
static ug_status short_row(const row_reader *r, const char *line, const char *stop, size_t frame,
                           size_t count, ug_warnings *warnings, ug_error *err)
{
    const ug_bvh_cursor *c = r->cursor;
    const char *p = stop;
    while (p < c->end && isspace((unsigned char)*p)) {
        p++;
    }
    if (p < c->end) {
        return ug_bvh_fail(err, c, line, UG_E_FORMAT, "row of frame %zu has %zu of %zu values",
                           frame, count, r->channel_count);
    }
    ug_warn(warnings, "bvh_incomplete_row",
            "the last row (frame %zu) has %zu of %zu values: left out", frame, count,
            r->channel_count);
    return UG_OK;
}

// Does the text end within a number? "-" or "1.5e" may have been the start of one.
static bool is_cut_number(const char *p, const char *end)
{
    while (p < end && *p && strchr("+-.0123456789eE", *p)) {
        p++;
    }
    return p == end;
}

// A line that is no row, or may not be whole yet.
static ug_status odd_row(const row_reader *r, const char *line, const char *stop, size_t frame,
                         size_t count, ug_warnings *warnings, ug_error *err)
{
    const ug_bvh_cursor *c = r->cursor;
    if (count == r->channel_count) {
        return ug_bvh_fail(err, c, stop, UG_E_FORMAT, "row of frame %zu has more than %zu values",
                           frame, r->channel_count);
    }
    if (is_cut_number(stop, c->end)) {
        return short_row(r, line, c->end, frame, count, warnings, err);
    }
    return ends_line(stop, c->end) ? short_row(r, line, stop, frame, count, warnings, err)
                                   : bad_value(r, stop, frame, count, err);
}

// Is the line's end in sight, and something behind it? Then no text to come can change it.
static bool is_settled(const ug_bvh_cursor *cursor, const char *line)
{
    const char *p = line;
    while (!ends_line(p, cursor->end)) {
        p++;
    }
    while (p < cursor->end && isspace((unsigned char)*p)) {
        p++;
    }
    return p < cursor->end || !ug_bvh_has_more(cursor);
}

static const char *skip_to_row(const ug_bvh_cursor *cursor, const char *p, size_t *line_number)
{
    for (; p < cursor->end && (is_blank(*p) || ends_line(p, cursor->end)); p++) {
        *line_number += *p == '\n' || (*p == '\r' && p[1] != '\n');
    }
    return p;
}

// Number of the line at the cursor.
static size_t line_at(const ug_bvh_cursor *cursor)
{
    size_t line = cursor->line;
    for (const char *p = cursor->begin; p < cursor->p; p++) {
        line += *p == '\n' || (*p == '\r' && p[1] != '\n');
    }
    return line;
}

static ug_status read_rows(const row_reader *r, ug_clip *clip, size_t capacity,
                           ug_warnings *warnings, ug_error *err)
{
    ug_bvh_cursor *c = r->cursor;
    const char *p = c->p;
    size_t line_number = line_at(c);
    ug_status status = UG_OK;
    clip->frame_count = 0;
    while (status == UG_OK) {
        const char *line = p = skip_to_row(c, p, &line_number);
        const size_t frame = clip->frame_count;
        size_t count;
        bool tame = true;
        p = ug_decimal_row_read(r->row, &count, &tame, r->channel_count, p, c->end);
        while (is_blank(*p)) { // the text is followed by zeros
            p++;
        }
        const bool whole = count == r->channel_count && ends_line(p, c->end);
        if ((!whole || p >= c->end) && !is_settled(c, line)) {
            status = ug_bvh_more(c, &line, err);
            c->line = line_number;
            p = line;
            continue;
        }
        if (line == c->end) {
            break;
        }
        if (!whole) {
            status = odd_row(r, line, p, frame, count, warnings, err);
            if (status == UG_OK) {
                break; // cut off, and left out
            }
            continue;
        }
        status = reserve_frames(clip, &capacity, frame + 1, c, err);
        if (status == UG_OK && !tame) {
            status = tame_row(r, line, frame, warnings, err);
        }
        if (status == UG_OK) {
            ug_bvh_pose(ug_clip_rotations(clip, frame), ug_clip_translations(clip, frame), r->poser,
                        frame);
            clip->frame_count++;
        }
    }
    return status;
}

// Roots, and joints with position channels.
static size_t list_translated(int *translated, const ug_bvh_hierarchy *h)
{
    size_t count = 0;
    for (size_t j = 0; j < h->joint_count; j++) {
        bool moves = h->joints[j].parent < 0;
        for (int i = 0; i < h->joints[j].channel_count; i++) {
            moves = moves || ug_bvh_is_position(h->joints[j].channels[i]);
        }
        if (moves) {
            translated[count++] = (int)j;
        }
    }
    return count;
}

// As many frames as declared, but never more than the bytes can hold, nor memory for a liar.
static size_t expected_frames(const ug_bvh_cursor *cursor, const ug_bvh_hierarchy *h,
                              int64_t declared)
{
    const size_t room = ROOM_AT_ONCE * cursor->size + ROOM_FREE;
    const size_t modest = room / (h->joint_count * sizeof(ug_quat)) + 1;
    const size_t size = cursor->size > 0 ? cursor->size : ROOM_FREE;
    const size_t most = size / (2 * h->channel_count) + 1;
    const size_t frames = declared > 0 && (uint64_t)declared < most ? (size_t)declared : most;
    return frames < modest ? frames : modest;
}

ug_status ug_bvh_rows_read(ug_clip **clip, ug_bvh_cursor *cursor, const ug_bvh_hierarchy *hierarchy,
                           int64_t declared, ug_rate rate, bool offset_add, ug_warnings *warnings,
                           ug_error *err)
{
    assert(hierarchy->channel_count > 0);
    ug_status status = UG_OK;
    ug_bvh_poser *poser = NULL;
    ug_clip *made = NULL;
    const size_t capacity = expected_frames(cursor, hierarchy, declared);
    int *translated = malloc(hierarchy->joint_count * sizeof *translated);
    if (translated) {
        const size_t count = list_translated(translated, hierarchy);
        poser = ug_bvh_poser_create(hierarchy, translated, count, offset_add);
        made = ug_clip_create_unset(capacity, hierarchy->joint_count, translated, count, rate);
    }
    if (!poser || !made) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    row_reader reader = { cursor, hierarchy, hierarchy->channel_count, poser, poser->row };
    status = read_rows(&reader, made, capacity, warnings, err);
    ug_bvh_poser_report(poser, warnings);
    if (status != UG_OK) {
        goto done;
    }
    if (declared >= 0 && (uint64_t)declared != made->frame_count) {
        ug_warn(warnings, "bvh_frames_disagree",
                "'Frames: %lld', but the file has %zu whole rows: these are used",
                (long long)declared, made->frame_count);
    }
    *clip = made;
    made = NULL; // handed over
done:
    ug_clip_destroy(made);
    ug_bvh_poser_destroy(poser);
    free(translated);
    return status;
}
