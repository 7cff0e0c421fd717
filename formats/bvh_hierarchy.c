// SPDX-License-Identifier: MIT
// The HIERARCHY part of a BVH file: tokens, but for names, which run to the end of their line.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "formats/decimal.h"

#include "motion/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const CHANNEL_NAMES[] = { "",          "Xposition", "Yposition", "Zposition",
                                             "Xrotation", "Yrotation", "Zrotation", "Xscale",
                                             "Yscale",    "Zscale" };

const char *ug_bvh_channel_name(int channel)
{
    return CHANNEL_NAMES[channel >= 0 && channel <= UG_CHANNEL_Z_SCALE ? channel : 0];
}

ug_status ug_bvh_fail(ug_error *err, const ug_bvh_cursor *cursor, const char *at, ug_status status,
                      const char *fmt, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    size_t line = cursor->line;
    for (const char *p = cursor->begin; p < at; p++) {
        line += *p == '\n' || (*p == '\r' && p[1] != '\n');
    }
    const bool named = cursor->name && *cursor->name;
    ug_error_where(err, "%s%sline %zu", named ? cursor->name : "", named ? ":" : "", line);
    return ug_fail(err, status, "%s", message);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool ug_bvh_skip_space(ug_bvh_cursor *cursor)
{
    while (cursor->p < cursor->end && is_space(*cursor->p)) {
        cursor->p++;
    }
    return cursor->p < cursor->end;
}

size_t ug_bvh_token(const ug_bvh_cursor *cursor)
{
    const char *q = cursor->p;
    while (q < cursor->end && !is_space(*q) && *q != '{' && *q != '}') {
        q++;
    }
    return q > cursor->p ? (size_t)(q - cursor->p) : cursor->p < cursor->end;
}

bool ug_bvh_token_is(const char *token, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(token, word, length) == 0;
}

// What a message shows of a token: short, and nothing that upsets a terminal.
static const char *shown(char out[32], const char *token, size_t length)
{
    const size_t n = length < 28 ? length : 28;
    for (size_t i = 0; i < n; i++) {
        out[i] = isprint((unsigned char)token[i]) ? token[i] : '?';
    }
    (void)snprintf(out + n, 4, "%s", n < length ? "..." : "");
    return out;
}

static ug_status add_joint(ug_bvh_hierarchy *h, const ug_bvh_cursor *cursor, ug_error *err)
{
    if (h->joint_count == UG_BVH_JOINTS_MAX) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_UNSUPPORTED, "more than %d joints",
                           UG_BVH_JOINTS_MAX);
    }
    if (h->joint_count == h->capacity) {
        const size_t capacity = h->capacity > 0 ? 2 * h->capacity : 64;
        ug_bvh_joint *grown = realloc(h->joints, capacity * sizeof *grown);
        if (!grown) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        h->joints = grown;
        h->capacity = capacity;
    }
    h->joints[h->joint_count++] = (ug_bvh_joint){ .parent = -1 };
    return UG_OK;
}

// Bytes that are no UTF-8 are taken as Latin-1, control characters become '_'.
static char *clean_name(const char *text, size_t length, bool *changed)
{
    const bool latin1 = !ug_text_is_utf8(text, length);
    char *name = malloc(2 * length + 1), *out = name;
    *changed = latin1;
    for (size_t i = 0; name && i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (latin1 && c >= 0x80) {
            *out++ = (char)(0xC0 | c >> 6);
            *out++ = (char)(0x80 | (c & 0x3F));
        } else {
            *changed = *changed || c < ' ' || c == 0x7F;
            *out++ = c < ' ' || c == 0x7F ? '_' : (char)c;
        }
    }
    if (name) {
        *out = '\0';
    }
    return name;
}

// The rest of the line is the name, blanks and colons included, up to a brace on the same line.
static ug_status read_name(char **name, size_t index, ug_bvh_cursor *cursor, ug_warnings *warnings,
                           ug_error *err)
{
    const char *first = cursor->p;
    while (first < cursor->end && (*first == ' ' || *first == '\t')) {
        first++;
    }
    const char *last = first;
    while (last < cursor->end && *last != '\n' && *last != '\r' && *last != '{') {
        last++;
    }
    cursor->p = last;
    while (last > first && is_space(last[-1])) {
        last--;
    }
    bool changed = false;
    if (last == first) {
        *name = ug_text_format("joint_%zu", index + 1);
        ug_warn(warnings, "bvh_name_changed", "joint %zu has no name: called '%s'", index + 1,
                *name ? *name : "");
    } else {
        *name = clean_name(first, (size_t)(last - first), &changed);
    }
    if (!*name) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (changed) {
        ug_warn(warnings, "bvh_name_changed", "name of joint %zu is not UTF-8: read as '%s'",
                index + 1, *name);
    }
    return UG_OK;
}

static ug_status read_number(double *value, ug_bvh_cursor *cursor, const char *what, ug_error *err)
{
    if (!ug_bvh_skip_space(cursor)) {
        return ug_bvh_fail(err, cursor, cursor->end, UG_E_FORMAT, "the file ends inside %s", what);
    }
    const size_t length = ug_bvh_token(cursor);
    const char *const stop = ug_decimal_read(value, cursor->p, cursor->end);
    if (stop != cursor->p + length || !isfinite(*value)) {
        char text[32];
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT, "%s: '%s' is not a number", what,
                           shown(text, cursor->p, length));
    }
    cursor->p += length;
    return UG_OK;
}

static ug_status read_offset(ug_bvh_joint *joint, ug_bvh_cursor *cursor, ug_error *err)
{
    char what[96];
    (void)snprintf(what, sizeof what, "OFFSET of '%.64s'",
                   joint->end_site ? "End Site" : joint->name);
    if (joint->has_offset) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT, "%s stands there twice", what);
    }
    joint->has_offset = true;
    for (int i = 0; i < 3; i++) {
        const ug_status status = read_number(&joint->offset[i], cursor, what, err);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}

static int channel_from_token(const char *token, size_t length)
{
    for (int c = UG_CHANNEL_X_POSITION; c <= UG_CHANNEL_Z_SCALE; c++) {
        if (ug_bvh_token_is(token, length, CHANNEL_NAMES[c])) {
            return c;
        }
    }
    return UG_CHANNEL_NONE;
}

static ug_status read_channels(ug_bvh_hierarchy *h, ug_bvh_joint *joint, ug_bvh_cursor *cursor,
                               ug_error *err)
{
    const char *const start = cursor->p;
    char what[96], text[32];
    (void)snprintf(what, sizeof what, "CHANNELS of '%.64s'",
                   joint->end_site ? "End Site" : joint->name);
    if (joint->has_channels) {
        return ug_bvh_fail(err, cursor, start, UG_E_FORMAT, "%s stand there twice", what);
    }
    double count = 0;
    const ug_status status = read_number(&count, cursor, what, err);
    if (status != UG_OK) {
        return status;
    }
    if (count != floor(count) || count < 0 || count > UG_CHANNELS_MAX) {
        return ug_bvh_fail(err, cursor, start, UG_E_FORMAT, "%s: %g is not a count from 0 to %d",
                           what, count, UG_CHANNELS_MAX);
    }
    if (joint->end_site && count > 0) {
        return ug_bvh_fail(err, cursor, start, UG_E_FORMAT, "an End Site has no channels");
    }
    joint->has_channels = true;
    joint->column = h->channel_count;
    for (int i = 0; i < (int)count; i++) {
        (void)ug_bvh_skip_space(cursor);
        const size_t length = ug_bvh_token(cursor);
        const int channel = channel_from_token(cursor->p, length);
        if (channel == UG_CHANNEL_NONE) {
            return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT,
                               "%s: '%s' is not a channel (%d of %d names are there)", what,
                               shown(text, cursor->p, length), i, (int)count);
        }
        if (!ug_bvh_is_rotation(channel) && memchr(joint->channels, channel, (size_t)i)) {
            return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT, "%s: %s stands there twice",
                               what, CHANNEL_NAMES[channel]);
        }
        joint->channels[i] = (uint8_t)channel;
        cursor->p += length;
    }
    joint->channel_count = (int)count;
    h->channel_count += (size_t)count;
    return UG_OK;
}

// ROOT, JOINT or End Site: name and opening brace. `*open` becomes the new joint.
static ug_status open_joint(ug_bvh_hierarchy *h, int *open, int depth, bool end_site,
                            ug_bvh_cursor *cursor, ug_warnings *warnings, ug_error *err)
{
    const char *const start = cursor->p;
    if (depth >= UG_BVH_DEPTH_MAX) {
        return ug_bvh_fail(err, cursor, start, UG_E_UNSUPPORTED,
                           "joints are nested more than %d deep", UG_BVH_DEPTH_MAX);
    }
    if (*open >= 0 && h->joints[*open].end_site) {
        return ug_bvh_fail(err, cursor, start, UG_E_FORMAT, "a joint inside an End Site");
    }
    ug_status status = add_joint(h, cursor, err);
    if (status != UG_OK) {
        return status;
    }
    const size_t index = h->joint_count - 1;
    ug_bvh_joint *joint = &h->joints[index];
    joint->parent = *open;
    joint->end_site = end_site;
    if (end_site) { // "Site", and whatever a writer put behind it
        while (cursor->p < cursor->end && *cursor->p != '\n' && *cursor->p != '\r' &&
               *cursor->p != '{') {
            cursor->p++;
        }
    } else {
        status = read_name(&joint->name, index, cursor, warnings, err);
        if (status != UG_OK) {
            return status;
        }
    }
    if (!ug_bvh_skip_space(cursor) || *cursor->p != '{') {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT, "'{' is missing after '%.64s'",
                           end_site ? "End Site" : joint->name);
    }
    cursor->p++;
    *open = (int)index;
    return UG_OK;
}

static ug_status close_joint(const ug_bvh_hierarchy *h, int *open, const ug_bvh_cursor *cursor,
                             ug_error *err)
{
    if (*open < 0) {
        return ug_bvh_fail(err, cursor, cursor->p - 1, UG_E_FORMAT, "one '}' too many");
    }
    const ug_bvh_joint *joint = &h->joints[*open];
    if (!joint->has_offset) {
        return ug_bvh_fail(err, cursor, cursor->p - 1, UG_E_FORMAT, "'%.64s' has no OFFSET",
                           joint->end_site ? "End Site" : joint->name);
    }
    *open = joint->parent;
    return UG_OK;
}

// One statement inside or between joints.
static ug_status read_statement(ug_bvh_hierarchy *h, int *open, int *depth, ug_bvh_cursor *cursor,
                                ug_warnings *warnings, ug_error *err)
{
    const char *const token = cursor->p;
    const size_t length = ug_bvh_token(cursor);
    const bool inside = *open >= 0;
    const bool end_site = ug_bvh_token_is(token, length, "End");
    cursor->p += length;
    if (*token == '}') {
        --*depth;
        return close_joint(h, open, cursor, err);
    }
    if (inside ? end_site || ug_bvh_token_is(token, length, "JOINT")
               : ug_bvh_token_is(token, length, "ROOT")) {
        const ug_status status = open_joint(h, open, *depth, end_site, cursor, warnings, err);
        ++*depth;
        return status;
    }
    if (inside && ug_bvh_token_is(token, length, "OFFSET")) {
        return read_offset(&h->joints[*open], cursor, err);
    }
    if (inside && ug_bvh_token_is(token, length, "CHANNELS")) {
        return read_channels(h, &h->joints[*open], cursor, err);
    }
    char text[32];
    if (inside && ug_bvh_token_is(token, length, "MOTION")) {
        const ug_bvh_joint *joint = &h->joints[*open];
        return ug_bvh_fail(err, cursor, token, UG_E_FORMAT,
                           "MOTION, but '%.64s' has no closing '}'",
                           joint->end_site ? "End Site" : joint->name);
    }
    return ug_bvh_fail(err, cursor, token, UG_E_FORMAT, "'%s' where %s was expected",
                       shown(text, token, length),
                       inside ? "OFFSET, CHANNELS, JOINT, End Site or '}'" : "ROOT or MOTION");
}

ug_status ug_bvh_hierarchy_read(ug_bvh_hierarchy *hierarchy, ug_bvh_cursor *cursor,
                                ug_warnings *warnings, ug_error *err)
{
    if (!ug_bvh_skip_space(cursor) ||
        !ug_bvh_token_is(cursor->p, ug_bvh_token(cursor), "HIERARCHY")) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT,
                           "not a BVH file: it does not start with HIERARCHY");
    }
    cursor->p += strlen("HIERARCHY");
    int open = -1, depth = 0;
    for (;;) {
        if (!ug_bvh_skip_space(cursor)) {
            return ug_bvh_fail(err, cursor, cursor->end, UG_E_FORMAT,
                               "the file ends before MOTION: cut off?");
        }
        const size_t length = ug_bvh_token(cursor);
        if (open < 0 && ug_bvh_token_is(cursor->p, length, "MOTION")) {
            break;
        }
        const ug_status status = read_statement(hierarchy, &open, &depth, cursor, warnings, err);
        if (status != UG_OK) {
            return status;
        }
    }
    if (hierarchy->channel_count == 0) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_FORMAT, "no joint has channels");
    }
    cursor->p += strlen("MOTION");
    return UG_OK;
}

void ug_bvh_hierarchy_fini(ug_bvh_hierarchy *hierarchy)
{
    for (size_t j = 0; j < hierarchy->joint_count; j++) {
        free(hierarchy->joints[j].name);
    }
    free(hierarchy->joints);
    *hierarchy = (ug_bvh_hierarchy){ 0 };
}
