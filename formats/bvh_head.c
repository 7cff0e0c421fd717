// SPDX-License-Identifier: MIT
// The two lines between MOTION and the rows of a BVH file.
#include "formats/bvh_parts.h"
#include "formats/decimal.h"

#include <ctype.h>
#include <math.h>

// Text of the line at the cursor behind its key ("Frames", "Frame Time"), colon and blanks cut;
// NULL when the line has another key.
static const char *value_of(size_t *length, const ug_bvh_cursor *cursor, const char *key)
{
    const char *p = cursor->p;
    for (; *key; key++) {
        if (*key == ' ') { // any blanks, or none
            while (p < cursor->end && (*p == ' ' || *p == '\t')) {
                p++;
            }
        } else if (p < cursor->end && tolower((unsigned char)*p) == *key) {
            p++;
        } else {
            return NULL;
        }
    }
    if (p < cursor->end && *p != ':' && !isspace((unsigned char)*p)) {
        return NULL;
    }
    while (p < cursor->end && (*p == ' ' || *p == '\t' || *p == ':')) {
        p++;
    }
    const char *last = p;
    while (last < cursor->end && *last != '\n' && *last != '\r') {
        last++;
    }
    while (last > p && isspace((unsigned char)last[-1])) {
        last--;
    }
    *length = (size_t)(last - p);
    return p;
}

static ug_status read_frames(int64_t *declared, const char *text, size_t length,
                             const ug_bvh_cursor *cursor, ug_error *err)
{
    double value = -1.0;
    const char *const stop = length > 0 ? ug_decimal_read(&value, text, text + length) : text;
    if (stop != text + length || !(value >= 0.0) || value > 1e15 || value != floor(value)) {
        return ug_bvh_fail(err, cursor, text, UG_E_FORMAT, "'Frames: %.*s' is not a count",
                           length < 40 ? (int)length : 40, text);
    }
    *declared = (int64_t)value;
    return UG_OK;
}

static bool is_zero(const char *text, size_t length)
{
    double value = 1.0;
    return length > 0 && ug_decimal_read(&value, text, text + length) == text + length &&
           value == 0.0;
}

static ug_status read_frame_time(ug_rate *rate, const char *text, size_t length,
                                 const ug_bvh_cursor *cursor, ug_error *err)
{
    if (length == 0 || is_zero(text, length)) {
        return ug_bvh_fail(err, cursor, text, UG_E_DATA, "Frame Time is %s: import it with --fps",
                           length ? "0" : "empty");
    }
    ug_error inner = { 0 };
    if (ug_rate_from_frame_time_text(rate, text, length < 64 ? length : 64, &inner) != UG_OK) {
        return ug_bvh_fail(err, cursor, text, UG_E_DATA, "%s: import it with --fps", inner.message);
    }
    return UG_OK;
}

ug_status ug_bvh_motion_head_read(int64_t *declared, ug_rate *rate, ug_bvh_cursor *cursor,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    *declared = -1;
    *rate = opts->rate;
    bool timed = ug_rate_is_valid(opts->rate);
    while (ug_bvh_skip_space(cursor)) {
        size_t length = 0;
        const char *text = value_of(&length, cursor, "frame time");
        ug_status status = UG_OK;
        if (text) {
            if (!ug_rate_is_valid(opts->rate)) {
                status = read_frame_time(rate, text, length, cursor, err);
                timed = true;
            }
        } else if ((text = value_of(&length, cursor, "frames"))) {
            status = read_frames(declared, text, length, cursor, err);
        } else {
            break;
        }
        if (status != UG_OK) {
            return status;
        }
        cursor->p = text + length;
    }
    if (!timed) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_DATA,
                           "there is no Frame Time: import it with --fps");
    }
    if (*declared < 0) {
        ug_warn(warnings, "bvh_frames_disagree", "there is no 'Frames:': the rows are counted");
    }
    return UG_OK;
}
