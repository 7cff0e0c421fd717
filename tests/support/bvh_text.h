// SPDX-License-Identifier: MIT
// BVH text in a test's own source, parsed as if it were a file.
#pragma once

#include "formats/bvh.h"

#include <stdlib.h>
#include <string.h>

/// Unit and vertical of test rigs, which are no bodies.
static const ug_read_opts IN_METRES = { .unit = "m", .up = "+Y" };

static inline ug_status parse_bytes(ug_take *take, const void *text, size_t size,
                                    const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    ug_bytes bytes = { calloc(1, size + 64), size, size + 64 };
    if (!bytes.data) {
        abort();
    }
    memcpy(bytes.data, text, size);
    ug_take_init(take);
    const ug_status status = ug_bvh_parse(take, &bytes, "t.bvh", opts, warnings, err);
    free(bytes.data);
    return status;
}

static inline ug_status parse_text(ug_take *take, const char *text, const ug_read_opts *opts,
                                   ug_warnings *warnings, ug_error *err)
{
    return parse_bytes(take, text, strlen(text), opts, warnings, err);
}

#define ASSERT_VEC3(v, ex, ey, ez, tolerance)                                                      \
    do {                                                                                           \
        const ug_vec3 seen = (v);                                                                  \
        if (ug_vec3_distance(seen, (ug_vec3){ ex, ey, ez }) > (tolerance) ||                       \
            !ug_vec3_is_finite(seen)) {                                                            \
            fail_msg("%s = (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", #v, seen.x, seen.y,        \
                     seen.z, (double)(ex), (double)(ey), (double)(ez));                            \
        }                                                                                          \
    } while (0)
