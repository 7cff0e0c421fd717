// SPDX-License-Identifier: MIT
// The server's life, and which request gets which answer.
#include "pipeline/serve/server.h"

#include "pipeline/serve/server_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// A browser opens about six connections a page. Idle ones go, so that they cannot keep others out.
enum { CONNECTIONS_MAX = 128, IDLE_S = 15, HEADER_BYTES_MAX = 32 * 1024 };

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// "/scenes/I/frames" with I written as a plain number; NULL for any other path.
static ug_served *find_frames(const ug_server *server, const char *path)
{
    static const char BEFORE[] = "/scenes/", AFTER[] = "/frames";
    if (strncmp(path, BEFORE, sizeof BEFORE - 1) != 0) {
        return NULL;
    }
    const char *p = path + sizeof BEFORE - 1, *digits = p;
    size_t index = 0;
    for (; *p >= '0' && *p <= '9' && p - digits < 9; p++) {
        index = index * 10 + (size_t)(*p - '0');
    }
    const bool plain = p > digits && (digits[0] != '0' || p - digits == 1);
    return plain && strcmp(p, AFTER) == 0 && index < server->scene_count ? &server->scenes[index]
                                                                         : NULL;
}

// Refusals come in this order, so that who has no business here learns nothing, not even which
// paths there are.
static bool answer(const ug_server *server, struct MHD_Connection *connection, const char *path,
                   const char *method, bool has_body)
{
    if (!ug_guard_host(&server->guard, header(connection, "Host"))) {
        return ug_answer_line(connection, MHD_HTTP_MISDIRECTED_REQUEST, "wrong Host\n", NULL);
    }
    if (!ug_guard_origin(&server->guard, header(connection, "Origin"))) {
        return ug_answer_line(connection, MHD_HTTP_FORBIDDEN, "wrong Origin\n", NULL);
    }
    const bool is_page = strcmp(path, "/") == 0;
    const char *token = header(connection, "X-Ugoki-Token");
    if (is_page && !token) {
        token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "t");
    }
    if (!ug_guard_token(&server->guard, token)) {
        return ug_answer_line(connection, MHD_HTTP_FORBIDDEN, "wrong token\n", NULL);
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
        return ug_answer_line(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n",
                              "GET, HEAD");
    }
    if (has_body) {
        return ug_answer_line(connection, MHD_HTTP_CONTENT_TOO_LARGE, "no body, please\n", NULL);
    }
    if (is_page) {
        return ug_answer_body(connection, server->page, server->page_bytes,
                              "text/html; charset=utf-8");
    }
    if (strcmp(path, "/scenes") == 0) {
        return ug_answer_body(connection, server->manifests, server->manifests_bytes,
                              "application/json");
    }
    ug_served *served = find_frames(server, path);
    return served ? ug_answer_frames(connection, served, header(connection, "Range"))
                  : ug_answer_line(connection, MHD_HTTP_NOT_FOUND, "not found\n", NULL);
}

static bool announces_body(struct MHD_Connection *connection)
{
    const char *length = header(connection, "Content-Length");
    return header(connection, "Transfer-Encoding") || (length && strcmp(length, "0") != 0);
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *body,
                                  size_t *body_bytes, void **state)
{
    static int seen;
    (void)version;
    (void)body;
    if (*body_bytes > 0) {
        return MHD_NO; // not reached: no body is ever waited for
    }
    // the first call comes after the headers, before a body: one that is announced is refused
    // there and then, and with it the connection, since what follows must not be read as a request
    const bool is_first = *state == NULL, has_body = announces_body(connection);
    *state = &seen;
    if (is_first && !has_body) {
        return MHD_YES;
    }
    return answer(user, connection, path, method, has_body) ? MHD_YES : MHD_NO;
}

// Escapes stay as they are: none of our paths has one, so that nothing can be written in two ways.
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

// A socket on the loopback, listening; its port in *port.
static int listen_on(uint16_t *port, ug_error *err)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(*port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    const int one = 1; // a port of a moment ago may be used again
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(fd, (const struct sockaddr *)&address, size) == 0 && listen(fd, 64) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    if (*port != 0) {
        (void)ug_fail(err, UG_E_USAGE, "cannot listen on port %u: %s; leave it to us with --port 0",
                      (unsigned)*port, strerror(errno));
    } else {
        (void)ug_fail(err, UG_E_INTERNAL, "cannot listen on 127.0.0.1: %s", strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return -1;
}

// [manifest, manifest …]
static char *join_manifests(ug_scene *const *scenes, size_t count)
{
    char *all = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&all, &bytes);
    if (!stream) {
        return NULL;
    }
    bool ok = fputc('[', stream) != EOF;
    for (size_t i = 0; ok && i < count; i++) {
        char *one = ug_scene_manifest(scenes[i]);
        ok = one && fprintf(stream, "%s%s", i > 0 ? "," : "", one) > 0;
        free(one);
    }
    ok = ok && fputc(']', stream) != EOF;
    if (fclose(stream) != 0 || !ok) {
        free(all);
        return NULL;
    }
    return all;
}

static bool fill(ug_server *server, ug_scene *const *scenes, size_t count, const char *page,
                 size_t page_bytes)
{
    server->page = malloc(page_bytes + 1);
    server->manifests = join_manifests(scenes, count);
    server->scenes = calloc(count + 1, sizeof *server->scenes);
    if (!server->page || !server->manifests || !server->scenes) {
        return false;
    }
    memcpy(server->page, page, page_bytes);
    server->page_bytes = page_bytes;
    server->manifests_bytes = strlen(server->manifests);
    server->scene_count = count;
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = ug_scene_record_bytes(scenes[i]);
        server->scenes[i] =
            (ug_served){ .scene = scenes[i],
                         .bytes = (uint64_t)bytes * ug_scene_record_count(scenes[i]),
                         .record_bytes = bytes,
                         .record = malloc(bytes),
                         .held = SIZE_MAX };
        if (!server->scenes[i].record) {
            return false;
        }
    }
    return true;
}

// Which socket a number stands for: libmicrohttpd closes what it was given on some failures only,
// and the number may be somebody else's by then.
static bool is_socket(int fd, const struct stat *which)
{
    struct stat now;
    return fstat(fd, &now) == 0 && now.st_dev == which->st_dev && now.st_ino == which->st_ino;
}

static ug_status start(ug_server *server, ug_error *err)
{
    const int fd = listen_on(&server->port, err);
    if (fd < 0) {
        return err ? err->status : UG_E_INTERNAL;
    }
    struct stat listening;
    if (fstat(fd, &listening) != 0 || !ug_guard_init(&server->guard, server->port)) {
        (void)close(fd);
        return ug_fail(err, UG_E_INTERNAL, "no random bytes from the system");
    }
    (void)snprintf(server->url, sizeof server->url, "http://%s/?t=%s", server->guard.hosts[0],
                   server->guard.token);
    // poll(), since with epoll libmicrohttpd 0.9.75 overlooks the end of a connection that comes
    // together with the last bytes, and keeps it until it has been idle for too long
    server->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, on_request, server,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES_MAX, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
    if (!server->daemon) {
        if (is_socket(fd, &listening)) {
            (void)close(fd);
        }
        return ug_fail(err, UG_E_INTERNAL, "the server does not start");
    }
    return UG_OK;
}

ug_status ug_server_start(ug_server **server, ug_scene *const *scenes, size_t scene_count,
                          const char *page, size_t page_bytes, uint16_t port, ug_error *err)
{
    ug_status status;
    ug_server *made = calloc(1, sizeof *made);
    *server = NULL;
    if (!made || !fill(made, scenes, scene_count, page, page_bytes)) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else {
        made->port = port;
        status = start(made, err);
    }
    if (status != UG_OK) {
        ug_server_stop(made);
        return status;
    }
    *server = made;
    return UG_OK;
}

const char *ug_server_url(const ug_server *server)
{
    return server->url;
}

uint16_t ug_server_port(const ug_server *server)
{
    return server->port;
}

void ug_server_stop(ug_server *server)
{
    if (!server) {
        return;
    }
    if (server->daemon) {
        MHD_stop_daemon(server->daemon);
    }
    for (size_t i = 0; server->scenes && i < server->scene_count; i++) {
        free(server->scenes[i].record);
    }
    free(server->scenes);
    free(server->page);
    free(server->manifests);
    free(server);
}
