// SPDX-License-Identifier: MIT
// How fast a float C3D becomes a take, next to a plain read() of the same warm file.
//
// The file (54 points, 16 analog values a frame, a third of the markers with gaps) is generated in
// $TMPDIR or /tmp and removed. Times are CPU time of this one thread. The peer reads into one
// buffer that is reused. "reused": the file buffer is reused and the allocator keeps freed memory,
// so the take lands in pages that were touched before, as the peer's do. "fresh": all memory comes
// from the kernel every time, as in a program that reads one take; clearing it is half of that
// time.
#include "formats/c3d.h"
#include "formats/file.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 90000, POINTS = 54, CHANNELS = 4, SAMPLES = 4, ROUNDS = 9 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_c3d: %s\n", what);
    exit(1);
}

static char *name_of(const char *stem, size_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%s%zu", stem, number);
    char *copy = strdup(text);
    if (!copy) {
        fail("out of memory");
    }
    return copy;
}

static void make_take(ug_take *take)
{
    ug_take_init(take);
    take->markers = ug_markers_create(FRAMES, POINTS, ug_rate_make(120, 1));
    take->analog = ug_analog_create(FRAMES, SAMPLES, CHANNELS);
    ug_markers *m = take->markers;
    if (!m || !take->analog) {
        fail("out of memory");
    }
    m->first_frame = 1;
    for (size_t i = 0; i < POINTS; i++) {
        m->labels[i] = name_of("M", i);
        m->subjects[i] = strdup("");
    }
    for (size_t c = 0; c < CHANNELS; c++) {
        take->analog->labels[c] = name_of("A", c);
        take->analog->units[c] = strdup("V");
    }
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t i = 0; i < POINTS; i++) {
            if (i % 3 != 0 || (f / 40 + i) % 11 != 0) {
                const double t = 0.01 * (double)f + (double)i;
                const ug_vec3 p = { sin(t), 1.0 + 0.01 * (double)i, cos(t) };
                ug_markers_set_m(m, f, i, p, UG_ORIGIN_MEASURED);
                m->residuals[f * POINTS + i] = 0.0f;
            }
        }
    }
}

static double time_read(const char *path, ug_bytes *buffer)
{
    const double start = now_s();
    const int fd = open(path, O_RDONLY);
    size_t got = 0;
    for (ssize_t n; fd >= 0 && (n = read(fd, buffer->data + got, buffer->size - got)) > 0;) {
        got += (size_t)n;
    }
    const double seconds = now_s() - start;
    if (fd < 0 || got != buffer->size) {
        fail("the file cannot be read");
    }
    close(fd);
    return seconds;
}

static double time_parse(const char *path, ug_bytes *buffer)
{
    ug_take take;
    ug_take_init(&take);
    const double start = now_s();
    ug_status status = ug_bytes_read(buffer, path, NULL);
    if (status == UG_OK) {
        status = ug_c3d_parse(&take, buffer->data, buffer->size, NULL, NULL, NULL);
    }
    const double seconds = now_s() - start;
    if (status != UG_OK || take.markers->frame_count != FRAMES) {
        fail("the file does not parse");
    }
    ug_take_fini(&take);
    return seconds;
}

static double time_whole(const char *path)
{
    ug_take take;
    ug_take_init(&take);
    const double start = now_s();
    if (ug_c3d_read(&take, path, NULL, NULL, NULL) != UG_OK) {
        fail("the file does not parse");
    }
    const double seconds = now_s() - start;
    ug_take_fini(&take);
    return seconds;
}

static double time_write(const char *path, const ug_take *take)
{
    const double start = now_s();
    if (ug_c3d_write(path, take, NULL, NULL, NULL) != UG_OK) {
        fail("the file cannot be written");
    }
    return now_s() - start;
}

static void print(const char *name, double megabytes, double seconds, double peer_s)
{
    printf("{\"name\": \"%s\", \"value\": %.1f, \"unit\": \"MB/s\", \"peer\": \"read() of the warm "
           "file, %.1f MB/s\", \"ratio\": %.3f}\n",
           name, megabytes / seconds, megabytes / peer_s, peer_s / seconds);
}

// From here on free() gives nothing back to the kernel.
static void keep_freed_memory(void)
{
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

int main(void)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/bench_c3d.%ld.c3d", folder ? folder : "/tmp",
                   (long)getpid());
    ug_take take;
    make_take(&take);
    const double write_s = time_write(path, &take);
    ug_take_fini(&take);
    ug_bytes buffer = { 0 };
    if (ug_bytes_read(&buffer, path, NULL) != UG_OK) {
        fail("the file cannot be read");
    }
    double read_s = INFINITY, parse_s = INFINITY, whole_s = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        read_s = fmin(read_s, time_read(path, &buffer));
        whole_s = fmin(whole_s, time_whole(path));
    }
    keep_freed_memory();
    for (int round = 0; round < ROUNDS; round++) {
        read_s = fmin(read_s, time_read(path, &buffer));
        parse_s = fmin(parse_s, time_parse(path, &buffer));
    }
    const double megabytes = (double)buffer.size / 1e6;
    print("c3d_float_read_reused", megabytes, parse_s, read_s);
    print("c3d_float_read_fresh", megabytes, whole_s, read_s);
    print("c3d_float_write_once_with_fsync", megabytes, write_s, read_s);
    ug_bytes_fini(&buffer);
    (void)unlink(path);
    return 0;
}
