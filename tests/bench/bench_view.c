// SPDX-License-Identifier: MIT
// How soon `ugoki view` has a long take on the air, and how soon a piece of it arrives.
//
// The take (100 000 frames, 53 markers, 60 joints, every one moving, a gap now and then) is written
// to $TMPDIR or /tmp and removed. Packing is CPU time; the rest is of the wall clock, the server
// being another process. Peers: a plain read() of the same warm file; memcpy() of as many bytes out
// of the take; as many bytes written to a socket of the loopback out of one buffer, which is as
// fast as any server can be.
#include "formats/store.h"
#include "motion/text.h"
#include "pipeline/report/scene.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 100000, POINTS = 53, JOINTS = 60, ROUNDS = 5, PIECE = 256, SEEKS = 400 };
enum { BUFFER = 1 << 20 };

static double clock_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

static double cpu_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_view: %s\n", what);
    exit(1);
}

static void make_markers(ug_take *take)
{
    ug_markers *m = ug_markers_create(FRAMES, POINTS, ug_rate_make(120, 1));
    take->markers = m;
    for (size_t i = 0; m && i < POINTS; i++) {
        m->labels[i] = ug_text_format("M%zu", i);
        m->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < FRAMES; f++) {
            if ((f / 40 + i) % 61 != 0) {
                const double t = 0.01 * (double)f + (double)i;
                ug_markers_set_m(m, f, i, (ug_vec3){ sin(t), 1, cos(t) }, UG_ORIGIN_MEASURED);
            }
        }
    }
}

static void make_take(ug_take *take)
{
    ug_take_init(take);
    make_markers(take);
    take->skeleton = ug_skeleton_create(JOINTS);
    take->clip = ug_clip_create(FRAMES, JOINTS, (int[]){ 0 }, 1, ug_rate_make(120, 1));
    if (!take->markers || !take->skeleton || !take->clip) {
        fail("out of memory");
    }
    for (size_t j = 0; j < JOINTS; j++) {
        take->skeleton->joints[j].name = ug_text_format("joint %zu", j);
        take->skeleton->joints[j].parent = j == 0 ? -1 : (int)(j - 1) / 2; // a bush six deep
        take->skeleton->joints[j].offset_m = (ug_vec3){ 0, 0.1, 0 };
    }
    for (size_t f = 0; f < FRAMES; f++) {
        ug_clip_translations(take->clip, f)[0] = (ug_vec3){ 1e-4 * (double)f, 1, 0 };
        for (size_t j = 0; j < JOINTS; j++) {
            ug_clip_rotations(take->clip, f)[j] = ug_quat_from_axis_angle(
                (ug_vec3){ 0, 0, 1 }, 0.5 * sin(0.01 * (double)f + (double)j));
        }
    }
}

// --- packing alone

static void bench_pack(const ug_take *take)
{
    double open_s = INFINITY, pack_s = INFINITY, copy_s = INFINITY;
    size_t bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_s();
        ug_scene *scene = ug_scene_create(take, "bench", UG_SCENE_FLOAT32, 1, NULL);
        char *manifest = scene ? ug_scene_manifest(scene) : NULL;
        if (!manifest) {
            fail("no scene");
        }
        free(manifest);
        open_s = fmin(open_s, cpu_s() - start);
        const size_t piece = PIECE * ug_scene_record_bytes(scene);
        bytes = ug_scene_record_bytes(scene) * ug_scene_record_count(scene);
        uint8_t *a = malloc(piece), *b = malloc(piece);
        if (!a || !b) {
            fail("out of memory");
        }
        const uint8_t *turns = (const uint8_t *)take->clip->rotations;
        const size_t all = sizeof(ug_quat) * FRAMES * JOINTS;
        memset(a, 1, piece);
        memset(b, 2, piece);
        start = cpu_s();
        for (size_t r = 0; r + PIECE <= ug_scene_record_count(scene); r += PIECE) {
            ug_scene_pack(a, scene, r, PIECE);
        }
        pack_s = fmin(pack_s, cpu_s() - start);
        start = cpu_s();
        for (size_t r = 0; r + PIECE <= ug_scene_record_count(scene); r += PIECE) {
            memcpy(b, turns + r * (all - piece) / FRAMES, piece);
            a[r % piece] ^= b[r % piece]; // or all but one would be left out
        }
        copy_s = fmin(copy_s, cpu_s() - start);
        free(a);
        free(b);
        ug_scene_destroy(scene);
    }
    printf("{\"name\": \"view_scene\", \"value\": %.0f, \"unit\": \"ms\"}\n", 1e3 * open_s);
    printf(
        "{\"name\": \"view_pack\", \"value\": %.0f, \"unit\": \"MB/s\", \"peer\": \"memcpy, %.0f "
        "MB/s\", \"ratio\": %.3f}\n",
        1e-6 * (double)bytes / pack_s, 1e-6 * (double)bytes / copy_s, copy_s / pack_s);
}

// --- the server as a process

typedef struct served {
    pid_t process;
    unsigned port;
    char token[64];
    double started_s; ///< from the call to the address
} served;

static void start_server(served *s, const char *file)
{
    extern char **environ;
    char program[600];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 16);
    if (length <= 0) {
        fail("who am I?");
    }
    program[length] = '\0';
    (void)strcpy(strstr(program, "/tests/bench_view"), "/ugoki");
    int pipes[2];
    posix_spawn_file_actions_t files;
    if (pipe(pipes) != 0 || posix_spawn_file_actions_init(&files) != 0 ||
        posix_spawn_file_actions_adddup2(&files, pipes[1], STDOUT_FILENO) != 0) {
        fail("no pipe");
    }
    char *words[] = { program, "view", (char *)(uintptr_t)file, "--no-open", "-q", NULL };
    const double start = now_s();
    if (posix_spawn(&s->process, program, &files, NULL, words, environ) != 0) {
        fail("ugoki does not start");
    }
    close(pipes[1]);
    FILE *said = fdopen(pipes[0], "r");
    if (!said || fscanf(said, "http://127.0.0.1:%u/?t=%63s", &s->port, s->token) != 2) {
        fail("ugoki view gave no address");
    }
    s->started_s = now_s() - start;
    (void)fclose(said);
    (void)posix_spawn_file_actions_destroy(&files);
}

static void stop_server(const served *s)
{
    int status = 0;
    (void)kill(s->process, SIGINT);
    (void)waitpid(s->process, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail("ugoki view did not end well");
    }
}

static long resident_kb(const served *s)
{
    char path[64], line[256];
    long kb = -1;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)s->process);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        (void)sscanf(line, "VmRSS: %ld", &kb);
    }
    if (f) {
        (void)fclose(f);
    }
    return kb;
}

static int connect_to(unsigned port)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        fail("cannot connect");
    }
    return fd;
}

// One answer, read to its end. Returns the bytes of its body; seconds to its first byte in *first.
static size_t fetch(int fd, const served *s, const char *path, const char *range, char *buffer,
                    double *first_s)
{
    char *head = ug_text_format("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nX-Ugoki-Token: %s\r\n"
                                "%s%s%s\r\n",
                                path, s->port, s->token, range ? "Range: bytes=" : "",
                                range ? range : "", range ? "\r\n" : "");
    const double start = now_s();
    if (!head || send(fd, head, strlen(head), MSG_NOSIGNAL) != (ssize_t)strlen(head)) {
        fail("cannot ask");
    }
    free(head);
    size_t got = 0, all = SIZE_MAX, body = 0;
    while (got < all) {
        const ssize_t n = body == 0 ? recv(fd, buffer + got, BUFFER - 1 - got, 0)
                                    : recv(fd, buffer, BUFFER - 1, 0);
        if (n <= 0) {
            fail("the answer ends too early");
        }
        if (got == 0 && first_s) {
            *first_s = now_s() - start;
        }
        got += (size_t)n;
        if (body == 0) {
            buffer[got] = '\0';
            const char *blank = strstr(buffer, "\r\n\r\n");
            const char *length = strstr(buffer, "Content-Length: ");
            if (blank && length) {
                body = strtoul(length + 16, NULL, 10);
                all = body + (size_t)(blank + 4 - buffer);
            }
            if (strncmp(buffer, "HTTP/1.1 20", 11) != 0) {
                fail("refused");
            }
        }
    }
    return body;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Pieces from all over the take, each place for the first time, as one who drags the time line.
static void bench_seek(const served *s, size_t record_bytes, char *buffer)
{
    double whole_ms[SEEKS];
    const int fd = connect_to(s->port);
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < SEEKS; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char range[64];
        const size_t first = seed % (FRAMES - PIECE) * record_bytes;
        (void)snprintf(range, sizeof range, "%zu-%zu", first, first + PIECE * record_bytes - 1);
        const double start = now_s();
        if (fetch(fd, s, "/scenes/0/frames", range, buffer, NULL) != PIECE * record_bytes) {
            fail("not what was asked for");
        }
        whole_ms[i] = 1e3 * (now_s() - start);
    }
    close(fd);
    qsort(whole_ms, SEEKS, sizeof whole_ms[0], by_size);
    static const struct {
        const char *name;
        size_t at;
    } RANKS[] = { { "median", SEEKS / 2 }, { "p95", SEEKS * 95 / 100 }, { "worst", SEEKS - 1 } };
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; i++) {
        const double ms = whole_ms[RANKS[i].at];
        printf("{\"name\": \"view_seek_%s\", \"value\": %.2f, \"unit\": \"ms\", \"peer\": \"limit "
               "of 100 ms\", \"ratio\": %.4f}\n",
               RANKS[i].name, ms, ms / 100);
    }
}

typedef struct sender {
    int listener;
    size_t bytes;
} sender;

static void *send_all(void *user)
{
    const sender *s = user;
    char *buffer = calloc(1, BUFFER);
    const int fd = accept(s->listener, NULL, NULL);
    for (size_t left = s->bytes; buffer && left > 0;) {
        const ssize_t n = send(fd, buffer, left < BUFFER / 8 ? left : BUFFER / 8, MSG_NOSIGNAL);
        if (n <= 0) {
            break;
        }
        left -= (size_t)n;
    }
    close(fd);
    free(buffer);
    return NULL;
}

// As many bytes through the loopback from a program that has them ready.
static double time_loopback(size_t bytes, char *buffer)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    sender s = { socket(AF_INET, SOCK_STREAM, 0), bytes };
    pthread_t thread;
    if (bind(s.listener, (struct sockaddr *)&at, size) != 0 || listen(s.listener, 1) != 0 ||
        getsockname(s.listener, (struct sockaddr *)&at, &size) != 0 ||
        pthread_create(&thread, NULL, send_all, &s) != 0) {
        fail("no sender");
    }
    const int fd = connect_to(ntohs(at.sin_port));
    const double start = now_s();
    size_t got = 0;
    for (ssize_t n; (n = recv(fd, buffer, BUFFER - 1, 0)) > 0;) {
        got += (size_t)n;
    }
    const double seconds = now_s() - start;
    (void)pthread_join(thread, NULL);
    close(fd);
    close(s.listener);
    if (got != bytes) {
        fail("the loopback lost something");
    }
    return seconds;
}

static void bench_stream(const served *s, char *buffer)
{
    double stream_s = INFINITY, peer_s = INFINITY, page_ms = INFINITY, scenes_ms = INFINITY;
    size_t bytes = 0;
    const int fd = connect_to(s->port);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_s();
        (void)fetch(fd, s, "/", NULL, buffer, NULL);
        page_ms = fmin(page_ms, 1e3 * (now_s() - start));
        start = now_s();
        (void)fetch(fd, s, "/scenes", NULL, buffer, NULL);
        scenes_ms = fmin(scenes_ms, 1e3 * (now_s() - start));
        start = now_s();
        bytes = fetch(fd, s, "/scenes/0/frames", NULL, buffer, NULL);
        stream_s = fmin(stream_s, now_s() - start);
        peer_s = fmin(peer_s, time_loopback(bytes, buffer));
    }
    close(fd);
    printf("{\"name\": \"view_page\", \"value\": %.2f, \"unit\": \"ms\"}\n", page_ms);
    printf("{\"name\": \"view_manifest\", \"value\": %.2f, \"unit\": \"ms\"}\n", scenes_ms);
    printf(
        "{\"name\": \"view_stream\", \"value\": %.0f, \"unit\": \"MB/s\", \"peer\": \"write() to "
        "the loopback, %.0f MB/s\", \"ratio\": %.3f}\n",
        1e-6 * (double)bytes / stream_s, 1e-6 * (double)bytes / peer_s, peer_s / stream_s);
}

static double time_read(const char *path, char *buffer)
{
    const double start = now_s();
    const int fd = open(path, O_RDONLY);
    if (fd < 0) {
        fail("the file cannot be read");
    }
    while (read(fd, buffer, BUFFER) > 0) {
    }
    close(fd);
    return now_s() - start;
}

int main(void)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/bench_view.%ld.h5", folder ? folder : "/tmp",
                   (long)getpid());
    char *buffer = malloc(BUFFER);
    ug_take take;
    make_take(&take);
    bench_pack(&take);
    ug_error err = { 0 };
    if (!buffer || ug_store_write(path, &take, UG_PART_ALL, NULL, &err) != UG_OK) {
        fail(err.message);
    }
    ug_scene *scene = ug_scene_create(&take, "bench", UG_SCENE_FLOAT32, 1, NULL);
    const size_t record_bytes = scene ? ug_scene_record_bytes(scene) : 0;
    ug_scene_destroy(scene);
    ug_take_fini(&take);

    struct stat file;
    double open_s = INFINITY, read_s = INFINITY;
    for (int round = 0; round < ROUNDS && stat(path, &file) == 0; round++) {
        served s;
        read_s = fmin(read_s, time_read(path, buffer));
        start_server(&s, path);
        open_s = fmin(open_s, s.started_s);
        if (round == ROUNDS - 1) {
            const long before = resident_kb(&s);
            bench_seek(&s, record_bytes, buffer);
            bench_stream(&s, buffer);
            printf("{\"name\": \"view_memory\", \"value\": %.1f, \"unit\": \"MB\", \"peer\": \"the "
                   "file, %.1f MB\", \"ratio\": %.3f}\n",
                   1e-3 * (double)resident_kb(&s), 1e-6 * (double)file.st_size,
                   1e3 * (double)resident_kb(&s) / (double)file.st_size);
            printf("{\"name\": \"view_memory_grown\", \"value\": %.2f, \"unit\": \"MB\"}\n",
                   1e-3 * (double)(resident_kb(&s) - before));
        }
        stop_server(&s);
    }
    printf("{\"name\": \"view_open\", \"value\": %.0f, \"unit\": \"ms\", \"peer\": \"read() of the "
           "warm file, %.0f ms\", \"ratio\": %.2f}\n",
           1e3 * open_s, 1e3 * read_s, open_s / read_s);
    (void)unlink(path);
    free(buffer);
    return 0;
}
