// SPDX-License-Identifier: MIT
// What the files of the server share; not for anyone else.
#pragma once

#include "pipeline/serve/guard.h"
#include "pipeline/serve/range.h"
#include "pipeline/serve/server.h"

struct MHD_Connection;
struct MHD_Daemon;

/// A scene as a row of bytes.
typedef struct ug_served {
    ug_scene *scene; ///< borrowed
    uint64_t bytes;  ///< all its records
    size_t record_bytes;
    uint8_t *record; ///< of the record number `held`: for blocks that begin or end inside one
    size_t held;     ///< SIZE_MAX: none yet
} ug_served;

struct ug_server {
    struct MHD_Daemon *daemon;
    ug_guard guard;
    uint16_t port;
    char url[96];
    char *page, *manifests; ///< owned; whole bodies
    size_t page_bytes, manifests_bytes;
    size_t scene_count;
    ug_served *scenes; ///< owned
};

// Each queues one answer. False when even that is impossible: the connection is closed.

/// A refusal: a line of plain text, and the connection ends. `allow` (may be NULL) is the header
/// of that name.
bool ug_answer_line(struct MHD_Connection *connection, unsigned code, const char *line,
                    const char *allow);

/// A body that outlives the server's answers.
bool ug_answer_body(struct MHD_Connection *connection, const char *body, size_t bytes,
                    const char *type);

/// The records of a scene: the piece that is asked for by `range` (the header; NULL: all).
bool ug_answer_frames(struct MHD_Connection *connection, ug_served *served, const char *range);

/// Bytes [at, at + size) of the scene's records; what the answers are made of. The range must lie
/// inside. Packs whole records straight into `out` where it can.
void ug_served_read(uint8_t *out, ug_served *served, uint64_t at, size_t size);
