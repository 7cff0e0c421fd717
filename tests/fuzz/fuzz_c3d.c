// SPDX-License-Identifier: MIT
// Any bytes at all as a C3D file: refused with one line or read; and what was read, once written,
// reads back the same.
#include "formats/c3d.h"
#include "formats/c3d_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds) {
        abort();
    }
}

static void require_same_markers(const ug_markers *a, const ug_markers *b)
{
    require(a->frame_count == b->frame_count && a->marker_count == b->marker_count);
    for (size_t i = 0; i < a->frame_count * a->marker_count; i++) {
        require(a->origin[i] == b->origin[i]);
        if (a->origin[i] & UG_ORIGIN_PRESENT) {
            require(memcmp(a->positions + 3 * i, b->positions + 3 * i, 3 * sizeof(float)) == 0);
        }
    }
    for (size_t i = 0; i < a->marker_count; i++) {
        require(a->labels[i] && b->labels[i] && strcmp(a->labels[i], b->labels[i]) == 0);
    }
}

static void write_and_read_back(const ug_take *take, const ug_read_opts *opts)
{
    char *bytes = NULL;
    size_t size = 0;
    c3d_plan plan;
    ug_take again;
    ug_error err = { 0 };
    ug_take_init(&again);
    if (c3d_plan_make(&plan, take, NULL, NULL, &err) != UG_OK) {
        require(err.message[0] != '\0');
        return;
    }
    FILE *stream = open_memstream(&bytes, &size);
    require(stream != NULL);
    require(c3d_stream_write(stream, take, &plan, NULL, &err) == UG_OK);
    (void)fclose(stream);
    const bool has_data = plan.layout.frame_count > 0 && plan.layout.frame_bytes > 0;
    c3d_plan_fini(&plan);
    if (has_data) {
        require(ug_c3d_parse(&again, (const uint8_t *)bytes, size, opts, NULL, &err) == UG_OK);
        require_same_markers(take->markers, again.markers);
        require((take->analog != NULL) == (again.analog != NULL));
        require(take->events.count == again.events.count);
    }
    ug_take_fini(&again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    ug_take_init(&take);
    ug_status status = ug_c3d_parse(&take, data, size, NULL, &warnings, &err);
    require(status == UG_OK || (err.message[0] != '\0' && !take.markers && !take.analog));
    ug_take_fini(&take);

    const ug_read_opts opts = { .unit = "mm", .up = "Y" }; // nothing left to infer
    err = (ug_error){ 0 };
    status = ug_c3d_parse(&take, data, size, &opts, &warnings, &err);
    require(status == UG_OK || err.message[0] != '\0');
    if (status == UG_OK) {
        write_and_read_back(&take, &opts);
    }
    ug_take_fini(&take);
    return 0;
}
