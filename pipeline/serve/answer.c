// SPDX-License-Identifier: MIT
// Answers and the headers every one of them carries.
#include "pipeline/serve/server_parts.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is packed at a time: bounds the memory of a connection, whatever it asks for.
enum { BLOCK_BYTES = 128 * 1024 };

// The page may run its own script and ask its own server, nothing else from anywhere; no other
// page may frame it or read what it got.
static const struct {
    const char *name, *value;
} HEADERS[] = {
    { "Cache-Control", "no-store" },
    { "Content-Security-Policy",
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
      "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Referrer-Policy", "no-referrer" },
    { "X-Content-Type-Options", "nosniff" },
};

// Takes `response` over.
static bool queue(struct MHD_Connection *connection, unsigned code, struct MHD_Response *response,
                  const char *type)
{
    if (!response) {
        return false;
    }
    bool ok = MHD_add_response_header(response, "Content-Type", type) == MHD_YES;
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++) {
        ok = ok && MHD_add_response_header(response, HEADERS[i].name, HEADERS[i].value) == MHD_YES;
    }
    ok = ok && MHD_queue_response(connection, code, response) == MHD_YES;
    MHD_destroy_response(response);
    return ok;
}

bool ug_answer_line(struct MHD_Connection *connection, unsigned code, const char *line,
                    const char *allow)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(line), (void *)(uintptr_t)line, MHD_RESPMEM_MUST_COPY);
    if (response && allow) {
        (void)MHD_add_response_header(response, "Allow", allow);
    }
    if (response) {
        (void)MHD_add_response_header(response, "Connection", "close");
    }
    return queue(connection, code, response, "text/plain; charset=utf-8");
}

bool ug_answer_body(struct MHD_Connection *connection, const char *body, size_t bytes,
                    const char *type)
{
    return queue(
        connection, MHD_HTTP_OK,
        MHD_create_response_from_buffer(bytes, (void *)(uintptr_t)body, MHD_RESPMEM_PERSISTENT),
        type);
}

typedef struct piece {
    ug_served *served;
    ug_range range;
} piece;

static ssize_t read_piece(void *user, uint64_t at, char *out, size_t most)
{
    const piece *p = user;
    if (at >= p->range.count) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    const uint64_t left = p->range.count - at;
    const size_t size = left < most ? (size_t)left : most;
    ug_served_read((uint8_t *)out, p->served, p->range.first + at, size);
    return (ssize_t)size;
}

static bool refuse_range(struct MHD_Connection *connection, const ug_served *served)
{
    static const char LINE[] = "one range of bytes inside the body, please\n";
    char text[64];
    (void)snprintf(text, sizeof text, "bytes */%llu", (unsigned long long)served->bytes);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        sizeof LINE - 1, (void *)(uintptr_t)LINE, MHD_RESPMEM_PERSISTENT);
    if (response) {
        (void)MHD_add_response_header(response, "Content-Range", text);
    }
    return queue(connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, response, "text/plain; charset=utf-8");
}

bool ug_answer_frames(struct MHD_Connection *connection, ug_served *served, const char *range)
{
    ug_range wanted = { 0, served->bytes };
    if (range && !ug_range_parse(&wanted, range, served->bytes)) {
        return refuse_range(connection, served);
    }
    piece *p = malloc(sizeof *p);
    if (!p) {
        return false;
    }
    *p = (piece){ served, wanted };
    struct MHD_Response *response =
        MHD_create_response_from_callback(wanted.count, BLOCK_BYTES, read_piece, p, free);
    if (!response) {
        free(p);
        return false;
    }
    bool ok = MHD_add_response_header(response, "Accept-Ranges", "bytes") == MHD_YES;
    if (range) {
        char text[96];
        (void)snprintf(text, sizeof text, "bytes %llu-%llu/%llu", (unsigned long long)wanted.first,
                       (unsigned long long)(wanted.first + wanted.count - 1),
                       (unsigned long long)served->bytes);
        ok = ok && MHD_add_response_header(response, "Content-Range", text) == MHD_YES;
    }
    if (!ok) {
        MHD_destroy_response(response);
        return false;
    }
    return queue(connection, range ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK, response,
                 "application/octet-stream");
}
