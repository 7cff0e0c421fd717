// SPDX-License-Identifier: MIT
// Unit tests for pipeline/serve/server.c and answer.c: one request at a time over a real socket.
// What many clients and broken ones do to it is in tests/cli/test_view.sh.
#include "pipeline/serve/server.h"

#include "motion/text.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

static const char PAGE[] = "<!doctype html>\n<div id=ugoki>\0</div>"; // a NUL ends nothing

typedef struct served_take {
    ug_take take;
    ug_scene *scene;
    ug_server *server;
    char token[64];
} served_take;

static int setup(void **state)
{
    served_take *s = calloc(1, sizeof *s);
    full_take_init(&s->take, 1);
    s->scene = ug_scene_create(&s->take, "one", UG_SCENE_FLOAT32, 1, NULL);
    ug_scene *scenes[2] = { s->scene, s->scene };
    assert_int_equal(ug_server_start(&s->server, scenes, 2, PAGE, sizeof PAGE, 0, NULL), UG_OK);
    const char *t = strstr(ug_server_url(s->server), "/?t=");
    assert_non_null(t);
    (void)snprintf(s->token, sizeof s->token, "%s", t + 4);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    served_take *s = *state;
    ug_server_stop(s->server);
    ug_scene_destroy(s->scene);
    ug_take_fini(&s->take);
    free(s);
    return 0;
}

// Send, read to the end of the connection. Returns the status; the whole answer in *reply.
static int ask(const served_take *s, char **reply, size_t *bytes, const char *head)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons(ug_server_port(s->server)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(fd, head, strlen(head), MSG_NOSIGNAL), strlen(head));
    size_t size = 0, room = 1 << 20;
    *reply = calloc(1, room);
    ssize_t n;
    while ((n = recv(fd, *reply + size, room - size - 1, 0)) > 0) {
        size += (size_t)n;
    }
    close(fd);
    if (bytes) {
        *bytes = size;
    }
    int status = 0;
    assert_int_equal(sscanf(*reply, "HTTP/1.1 %d", &status), 1);
    return status;
}

// A request like the page's; `more` are further lines of its head.
static int get(const served_take *s, char **reply, size_t *bytes, const char *line,
               const char *more)
{
    char *head = ug_text_format("%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n"
                                "X-Ugoki-Token: %s\r\n%s\r\n",
                                line, (unsigned)ug_server_port(s->server), s->token, more);
    const int status = ask(s, reply, bytes, head);
    free(head);
    return status;
}

static const char *body_of(const char *reply)
{
    const char *blank = strstr(reply, "\r\n\r\n");
    assert_non_null(blank);
    return blank + 4;
}

static void test_the_page_and_its_headers(void **state)
{
    const served_take *s = *state;
    char *reply, *head;
    size_t bytes;
    head = ug_text_format("GET /?t=%s HTTP/1.1\r\nHost: localhost:%u\r\nConnection: close\r\n\r\n",
                          s->token, (unsigned)ug_server_port(s->server));
    assert_int_equal(ask(s, &reply, &bytes, head), 200);
    const char *body = body_of(reply);
    assert_int_equal(bytes - (size_t)(body - reply), sizeof PAGE);
    assert_memory_equal(body, PAGE, sizeof PAGE);
    assert_non_null(strstr(reply, "Content-Type: text/html; charset=utf-8\r\n"));
    assert_non_null(strstr(reply, "Cache-Control: no-store\r\n"));
    assert_non_null(strstr(reply, "Content-Security-Policy: default-src 'none';"));
    assert_non_null(strstr(reply, "X-Content-Type-Options: nosniff\r\n"));
    assert_non_null(strstr(reply, "Referrer-Policy: no-referrer\r\n"));
    free(reply);
    free(head);
}

static void test_scenes_and_their_records(void **state)
{
    const served_take *s = *state;
    char *reply;
    size_t bytes;
    assert_int_equal(get(s, &reply, NULL, "GET /scenes", ""), 200);
    char *one = ug_scene_manifest(s->scene);
    char *two = ug_text_format("[%s,%s]", one, one);
    assert_string_equal(body_of(reply), two);
    free(reply);
    free(one);
    free(two);

    const size_t size = ug_scene_record_bytes(s->scene), count = ug_scene_record_count(s->scene);
    uint8_t *records = malloc(size * count);
    ug_scene_pack(records, s->scene, 0, count);
    assert_int_equal(get(s, &reply, &bytes, "GET /scenes/1/frames", ""), 200);
    assert_int_equal(bytes - (size_t)(body_of(reply) - reply), size * count);
    assert_memory_equal(body_of(reply), records, size * count);
    free(reply);
    assert_int_equal(get(s, &reply, &bytes, "GET /scenes/0/frames", "Range: bytes=7-1000\r\n"),
                     206);
    char *range = ug_text_format("Content-Range: bytes 7-1000/%zu\r\n", size * count);
    assert_non_null(strstr(reply, range));
    assert_int_equal(bytes - (size_t)(body_of(reply) - reply), 994);
    assert_memory_equal(body_of(reply), records + 7, 994);
    free(range);
    free(reply);
    assert_int_equal(get(s, &reply, &bytes, "HEAD /scenes/0/frames", ""), 200);
    assert_string_equal(body_of(reply), "");
    range = ug_text_format("Content-Length: %zu\r\n", size * count);
    assert_non_null(strstr(reply, range));
    free(reply);
    free(range);
    range = ug_text_format("Content-Range: bytes */%zu\r\n", size * count);
    assert_int_equal(get(s, &reply, &bytes, "GET /scenes/0/frames", "Range: bytes=9-3\r\n"), 416);
    assert_non_null(strstr(reply, range));
    free(reply);
    free(range);
    free(records);
}

static void test_everything_else_is_refused(void **state)
{
    const served_take *s = *state;
    static const struct {
        const char *line, *more;
        int status;
    } CASES[] = {
        { "GET /nowhere", "", 404 },
        { "GET /scenes/2/frames", "", 404 },
        { "GET /scenes/00/frames", "", 404 },
        { "GET /scenes//frames", "", 404 },
        { "GET /scenes/0", "", 404 },
        { "GET /scenes/0/frames/", "", 404 },
        { "GET /scenes/-1/frames", "", 404 },
        { "GET /scenes/4294967296/frames", "", 404 },
        { "GET /%73cenes", "", 404 },
        { "GET /scenes", "Origin: http://evil.example\r\n", 403 },
        { "POST /scenes", "Content-Length: 0\r\n", 405 },
        { "DELETE /", "", 405 },
        { "GET /scenes", "Content-Length: 5\r\n", 413 },
        { "GET /scenes", "Transfer-Encoding: chunked\r\n", 413 },
        { "POST /scenes", "Content-Length: 500000\r\n", 405 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *reply;
        const int status = get(s, &reply, NULL, CASES[i].line, CASES[i].more);
        if (status != CASES[i].status) {
            fail_msg("%s: %d", CASES[i].line, status);
        }
        assert_null(strstr(reply, "frame_count"));
        free(reply);
    }
    static const char *const HEADS[] = {
        "GET /scenes?t=%2$s HTTP/1.1\r\nHost: 127.0.0.1:%1$u\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:%1$u\r\nConnection: close\r\n\r\n",
        "GET /?t=%2$.31s HTTP/1.1\r\nHost: 127.0.0.1:%1$u\r\nConnection: close\r\n\r\n",
        "GET /?t=%2$s HTTP/1.1\r\nHost: evil.example:%1$u\r\nConnection: close\r\n\r\n",
    };
    static const int WANTED[] = { 403, 403, 403, 421 };
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++) {
        char head[512], *reply;
        // the formats are the four above
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        (void)snprintf(head, sizeof head, HEADS[i], (unsigned)ug_server_port(s->server), s->token);
#pragma GCC diagnostic pop
        assert_int_equal(ask(s, &reply, NULL, head), WANTED[i]);
        free(reply);
    }
}

static void test_a_port_that_is_taken(void **state)
{
    const served_take *s = *state;
    ug_server *other = (ug_server *)1;
    ug_error err = { 0 };
    ug_scene *scenes[1] = { s->scene };
    assert_int_equal(
        ug_server_start(&other, scenes, 1, PAGE, sizeof PAGE, ug_server_port(s->server), &err),
        UG_E_USAGE);
    assert_null(other);
    assert_non_null(strstr(err.message, "--port 0"));
    ug_server_stop(NULL);
}

static size_t open_files(void)
{
    size_t count = 0;
    for (int fd = 0; fd < 1024; fd++) {
        count += fcntl(fd, F_GETFD) >= 0;
    }
    return count;
}

// No file number is left for what the daemon needs beside the socket.
static void test_a_failed_start_leaves_no_socket(void **state)
{
    served_take *s = *state;
    struct rlimit usual, tight;
    ug_server *second = NULL;
    ug_error err = { 0 };
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = dup(0);
    assert_true(next >= 0);
    const size_t before = open_files();
    tight = usual;
    tight.rlim_cur = (rlim_t)next + 2; // the socket, unless a gap below takes it
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
    const ug_status status = ug_server_start(&second, &s->scene, 1, PAGE, sizeof PAGE, 0, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(status, UG_E_INTERNAL);
    assert_string_equal(err.message, "the server does not start");
    assert_null(second);
    assert_int_equal(open_files(), before);
    (void)close(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_page_and_its_headers),
        cmocka_unit_test(test_scenes_and_their_records),
        cmocka_unit_test(test_everything_else_is_refused),
        cmocka_unit_test(test_a_port_that_is_taken),
        cmocka_unit_test(test_a_failed_start_leaves_no_socket),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
