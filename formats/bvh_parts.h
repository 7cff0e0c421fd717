// SPDX-License-Identifier: MIT
// What the files of the BVH reader and writer share. Not for others: see formats/bvh.h.
#pragma once

#include "formats/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// The part of an open file that is in memory.
typedef struct ug_bvh_window {
    int fd;
    char *memory;    ///< owned
    char *data;      ///< in `memory`, with room in front and behind
    size_t capacity; ///< of `data`, padding aside
    bool ended;      ///< the file has no more
} ug_bvh_window;

/// Text on its way through the reader.
typedef struct ug_bvh_cursor {
    const char *begin, *p, *end; ///< at least 64 zero bytes behind `end`
    size_t line;                 ///< number of the line at `begin`, from 1
    size_t size;                 ///< bytes of the whole text, 0 when not known
    size_t passed;               ///< bytes of the text up to `end`
    const char *name;            ///< of the file, or NULL
    ug_bvh_window *window;       ///< NULL: all of the text is there
    const ug_progress *progress; ///< hears of every window
} ug_bvh_cursor;

/// Open `path` and set `cursor` on its first bytes. ug_bvh_window_close() it, also after a failure.
///
/// @return UG_E_IO; UG_E_NOMEM
ug_status ug_bvh_window_open(ug_bvh_window *window, ug_bvh_cursor *cursor, const char *path,
                             ug_error *err);
void ug_bvh_window_close(ug_bvh_window *window);

/// Is there text behind cursor->end?
bool ug_bvh_has_more(const ug_bvh_cursor *cursor);

/// Drop the text before `*keep` (NULL: all of it) and read more behind the rest; the window grows
/// when that is most of it. `*keep` and `p` become the new begin, whose line the caller sets.
/// Reports progress. @return UG_E_IO; UG_E_INTERRUPTED; UG_E_NOMEM
ug_status ug_bvh_more(ug_bvh_cursor *cursor, const char **keep, ug_error *err);

/// One ROOT, JOINT or End Site as written.
typedef struct ug_bvh_joint {
    char *name; ///< owned
    int parent; ///< -1: a root
    bool end_site, has_offset, has_channels;
    double offset[3]; ///< in the file's unit
    int channel_count;
    uint8_t channels[UG_CHANNELS_MAX]; ///< ug_channel
    size_t column;                     ///< of its first channel in a row
} ug_bvh_joint;

typedef struct ug_bvh_hierarchy {
    size_t joint_count, capacity;
    ug_bvh_joint *joints;
    size_t channel_count; ///< of a whole row
} ug_bvh_hierarchy;

/// Fail at byte `at` of the text: "name:line 12" becomes the where.
ug_status ug_bvh_fail(ug_error *err, const ug_bvh_cursor *cursor, const char *at, ug_status status,
                      const char *fmt, ...) UG_PRINTF(5, 6);

/// Skip blanks and line ends. False at the end of the text.
bool ug_bvh_skip_space(ug_bvh_cursor *cursor);

/// Length of the token at the cursor: up to a blank, a line end or a brace; a brace by itself.
size_t ug_bvh_token(const ug_bvh_cursor *cursor);

/// Is the token of `length` bytes `word`, in any case?
bool ug_bvh_token_is(const char *token, size_t length, const char *word);

/// From the start of the text to just behind MOTION. `hierarchy` starts as { 0 } and is the
/// caller's to release, also after a failure.
ug_status ug_bvh_hierarchy_read(ug_bvh_hierarchy *hierarchy, ug_bvh_cursor *cursor,
                                ug_warnings *warnings, ug_error *err);

void ug_bvh_hierarchy_fini(ug_bvh_hierarchy *hierarchy);

/// "Frames:" and "Frame Time:". `declared` is -1 when the file does not say.
ug_status ug_bvh_motion_head_read(int64_t *declared, ug_rate *rate, ug_bvh_cursor *cursor,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// The rows, to the end of the text, as a clip in the file's unit and axes. Every root and every
/// joint with position channels is translated.
ug_status ug_bvh_rows_read(ug_clip **clip, ug_bvh_cursor *cursor, const ug_bvh_hierarchy *hierarchy,
                           int64_t declared, ug_rate rate, bool offset_add, ug_warnings *warnings,
                           ug_error *err);

/// Skeleton of the hierarchy, whose names it takes over; made unique, with a warning.
ug_status ug_bvh_skeleton_make(ug_skeleton **out, ug_bvh_hierarchy *hierarchy,
                               ug_warnings *warnings, ug_error *err);

/// Drop the translations of joints that only repeat their OFFSET, within 1e-7 of all bones
/// together; the others become FREE.
void ug_bvh_drop_still(ug_clip *clip, ug_skeleton *skeleton);

/// ug_bvh_write() to a stream whose errors the caller looks for.
ug_status ug_bvh_print(FILE *stream, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err);

/// A unit by name, the CMU database's by its own ("in/0.45"), or metres as a number; 0 when none.
double ug_bvh_unit_to_metres(const char *unit);

/// Message for a text that is no unit.
#define UG_BVH_NO_UNIT "'%s' is not a unit; write m, cm, mm, in, in/0.45 or metres as a number"

/// "Zrotation"; "" for UG_CHANNEL_NONE. Static.
const char *ug_bvh_channel_name(int channel);

static inline bool ug_bvh_is_position(int channel)
{
    return channel >= UG_CHANNEL_X_POSITION && channel <= UG_CHANNEL_Z_POSITION;
}

static inline bool ug_bvh_is_rotation(int channel)
{
    return channel >= UG_CHANNEL_X_ROTATION && channel <= UG_CHANNEL_Z_ROTATION;
}

/// 0, 1, 2 for x, y, z.
static inline int ug_bvh_axis(int channel)
{
    return (channel - 1) % 3;
}
