// SPDX-License-Identifier: MIT
// Any bytes as marker CSV files: read or refused with a message, never worse.
#include "formats/marker_csv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ug_read_opts GIVEN = { .unit = "mm", .up = "+Z", .rate = { 100, 1 } };
    ug_bytes bytes = { .data = calloc(1, size + 64), .size = size };
    if (!bytes.data) {
        return 0;
    }
    if (size > 0) {
        memcpy(bytes.data, data, size);
    }
    // once as the file says, inference included; once with everything given
    for (int pass = 0; pass < 2; pass++) {
        ug_take take;
        ug_error err = { 0 };
        ug_warnings warnings = { 0 };
        ug_take_init(&take);
        const ug_status status =
            ug_csv_parse(&take, &bytes, "x", pass == 0 ? NULL : &GIVEN, &warnings, &err);
        assert(status == UG_OK || (err.message[0] != '\0' && err.status == status));
        assert(status == UG_OK || (!take.markers && !take.skeleton));
        ug_take_fini(&take);
    }
    ug_bytes_fini(&bytes);
    return 0;
}
