// SPDX-License-Identifier: MIT
// The page of `view` and the scenes it shows, over HTTP, for one person on this machine.
//
// Listens on 127.0.0.1 alone. Answers `/` (the page), `/scenes` (a list of manifests) and
// `/scenes/I/frames` (records, by byte range) to whoever knows the token, and nothing else;
// viewer/README.md lists requests and answers. Not a web server: no files, no state, no writing.
// One thread answers everybody; records are packed as they are sent, in blocks of bounded size,
// so that memory does not depend on what is asked for.
#pragma once

#include "motion/status.h"
#include "pipeline/report/scene.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ug_server ug_server;

/// Start answering in a thread of its own, where signals may arrive as in any other.
///
/// @param server  ug_server_stop() it; NULL on failure
/// @param scenes  (scene_count) owned by the caller, left alone by him until the server has stopped
/// @param page    HTML text, copied
/// @param port    0: any free one
/// @return UG_E_USAGE when the port is taken or not ours to take; UG_E_NOMEM; UG_E_INTERNAL
UG_CHECKED ug_status ug_server_start(ug_server **server, ug_scene *const *scenes,
                                     size_t scene_count, const char *page, size_t page_bytes,
                                     uint16_t port, ug_error *err);

/// Where the page is, token included: to be given to nobody but the user. Borrowed.
const char *ug_server_url(const ug_server *server);

uint16_t ug_server_port(const ug_server *server);

/// Close every connection, join the thread, release everything. NULL is fine.
void ug_server_stop(ug_server *server);
