// SPDX-License-Identifier: MIT
// A scene as a row of bytes, any piece of which can be read.
#include "pipeline/serve/server_parts.h"

#include <assert.h>
#include <string.h>

void ug_served_read(uint8_t *out, ug_served *served, uint64_t at, size_t size)
{
    assert(at <= served->bytes && size <= served->bytes - at);
    const size_t bytes = served->record_bytes;
    size_t record = (size_t)(at / bytes), inside = (size_t)(at % bytes);
    while (size > 0) {
        if (inside == 0 && size >= bytes) {
            const size_t count = size / bytes;
            ug_scene_pack(out, served->scene, record, count);
            out += count * bytes;
            size -= count * bytes;
            record += count;
            continue;
        }
        // one that is not wanted whole; the next block most often wants the rest of it
        if (served->held != record) {
            ug_scene_pack(served->record, served->scene, record, 1);
            served->held = record;
        }
        const size_t part = bytes - inside < size ? bytes - inside : size;
        memcpy(out, served->record + inside, part);
        out += part;
        size -= part;
        inside = 0;
        record++;
    }
}
