// SPDX-License-Identifier: MIT
// What the fuzz programs of text formats share: any bytes through a parser, once as the file says
// and once with everything given; read, or refused with a message and an empty take.
#pragma once

#include "formats/file.h"
#include "formats/format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// The shape of ug_trc_parse and its like.
typedef ug_status fuzz_parser(ug_take *take, const ug_bytes *bytes, const char *name,
                              const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

static inline void fuzz_text(const uint8_t *data, size_t size, fuzz_parser *parse)
{
    static const ug_read_opts GIVEN = { .unit = "mm", .up = "+Z", .rate = { 100, 1 } };
    ug_bytes bytes = { .data = calloc(1, size + 64), .size = size };
    if (!bytes.data) {
        return;
    }
    if (size > 0) {
        memcpy(bytes.data, data, size);
    }
    for (int pass = 0; pass < 2; pass++) {
        ug_take take;
        ug_error err = { 0 };
        ug_warnings warnings = { 0 };
        ug_take_init(&take);
        const ug_status status =
            parse(&take, &bytes, "x", pass == 0 ? NULL : &GIVEN, &warnings, &err);
        assert(status == UG_OK || (err.message[0] != '\0' && err.status == status));
        assert(status == UG_OK || (!take.markers && !take.skeleton));
        ug_take_fini(&take);
    }
    ug_bytes_fini(&bytes);
}
