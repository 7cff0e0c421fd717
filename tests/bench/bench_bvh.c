// SPDX-License-Identifier: MIT
// BVH whole load (file -> take) against the same loader with its numbers read by strtod.
//
// The peer is not another program: it is formats/bvh_rows.c and formats/bvh_read.c compiled once
// more below, with one function exchanged. Both must give the same take, bit for bit.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "formats/decimal_row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The plain row: blanks, strtod, again.
static const char *read_row_by_strtod(double *row, size_t *count, bool *tame, size_t wanted,
                                      const char *p, const char *end)
{
    size_t n = 0;
    while (n < wanted && p < end) {
        while (*p == ' ' || *p == '\t') {
            p++;
        }
        if (*p == '\n' || *p == '\r') {
            break;
        }
        char *stop;
        row[n] = strtod(p, &stop);
        if (stop == p) {
            break;
        }
        *tame = *tame && fabs(row[n]) < 1e9;
        p = stop;
        n++;
    }
    *count = n;
    return p;
}

#define ug_decimal_row_read read_row_by_strtod
#define ug_bvh_rows_read peer_rows_read
#define ug_bvh_unit_to_metres peer_unit_to_metres
#define ug_bvh_parse peer_parse
#define ug_bvh_read peer_read
#define ug_format_bvh peer_format
ug_status peer_rows_read(ug_clip **clip, ug_bvh_cursor *cursor, const ug_bvh_hierarchy *hierarchy,
                         int64_t declared, ug_rate rate, bool offset_add, ug_warnings *warnings,
                         ug_error *err);
double peer_unit_to_metres(const char *unit);
ug_status peer_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                     const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);
ug_status peer_read(ug_take *take, const char *path, const ug_read_opts *opts,
                    ug_warnings *warnings, ug_error *err);
extern const ug_format peer_format;
#include "formats/bvh_read.c"
#include "formats/bvh_rows.c"
#undef ug_bvh_read
#undef ug_decimal_row_read

enum { JOINTS = 70, ROUNDS = 7 };

static const size_t TARGET_BYTES = 66000000;

// Processor time of user and kernel: the file is warm and nothing waits, so it is the wall time of
// an idle machine, and fair on a busy one.
static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seven chains of ten joints; every angle a sum of two waves, printed as recorders do.
static size_t write_file(FILE *f)
{
    fprintf(f, "HIERARCHY\nROOT joint_0\n{\nOFFSET 0 0 0\n"
               "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n");
    for (int j = 1; j < JOINTS; j++) {
        fprintf(f,
                "JOINT joint_%d\n{\nOFFSET 1.5 %d.25 -0.125\n"
                "CHANNELS 3 Zrotation Xrotation Yrotation\n",
                j, j % 10);
        if (j % 10 == 9) {
            fprintf(f, "End Site\n{\nOFFSET 0 2 0\n}\n");
            for (int k = j; k % 10 != (j < 10 ? 0 : 9) || k == j; k--) {
                fprintf(f, "}\n");
            }
        }
    }
    fprintf(f, "}\nMOTION\n");
    const long head = ftell(f);
    fprintf(f, "Frames: %10d\nFrame Time: 0.008333\n", 0);
    size_t frames = 0;
    for (; (size_t)ftell(f) < TARGET_BYTES; frames++) {
        const double t = (double)frames / 120.0;
        fprintf(f, "%.6f %.6f %.6f", 40.0 * sin(0.3 * t), 92.0 + 3.0 * sin(5.0 * t), 120.0 * t);
        for (int c = 0; c < 3 * JOINTS; c++) {
            const double a = 10.0 + 3.0 * (c % 23);
            fprintf(f, " %.6f", a * sin(0.7 * t + c) + 0.4 * a * sin(2.9 * t + 2.0 * c));
        }
        fputc('\n', f);
    }
    const long size = ftell(f);
    fseek(f, head, SEEK_SET);
    fprintf(f, "Frames: %10zu\n", frames);
    return (size_t)size;
}

typedef ug_status read_function(ug_take *take, const char *path, const ug_read_opts *opts,
                                ug_warnings *warnings, ug_error *err);

static double load(ug_take *take, read_function *read, const char *path)
{
    const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
    ug_error err = { 0 };
    ug_take_init(take);
    const double start = now_s();
    const ug_status status = read(take, path, &opts, NULL, &err);
    const double seconds = now_s() - start;
    if (status != UG_OK) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
        exit(1);
    }
    return seconds;
}

static bool same(const ug_take *a, const ug_take *b)
{
    const ug_clip *x = a->clip, *y = b->clip;
    return x->frame_count == y->frame_count && x->joint_count == y->joint_count &&
           memcmp(x->rotations, y->rotations,
                  x->frame_count * x->joint_count * sizeof *x->rotations) == 0 &&
           memcmp(x->translations, y->translations,
                  x->frame_count * x->translated_count * sizeof *x->translations) == 0;
}

int main(void)
{
    char path[4096];
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/bench_bvh_XXXXXX", tmp && *tmp ? tmp : "/tmp");
    const int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!f) {
        perror(path);
        return 1;
    }
    const size_t size = write_file(f);
    fclose(f);

    double ours = HUGE_VAL, peer = HUGE_VAL;
    bool identical = true;
    for (int i = 0; i < ROUNDS; i++) {
        ug_take a, b;
        ours = fmin(ours, load(&a, ug_bvh_read, path));
        peer = fmin(peer, load(&b, peer_read, path));
        identical = identical && same(&a, &b);
        ug_take_fini(&a);
        ug_take_fini(&b);
    }
    unlink(path);
    const double mb = (double)size / 1e6;
    printf(
        "{\"name\": \"bvh_load\", \"value\": %.1f, \"unit\": \"MB/s\", \"peer\": \"strtod %.1f\", "
        "\"ratio\": %.2f}\n",
        mb / ours, mb / peer, peer / ours);
    printf("{\"name\": \"bvh_load_identical\", \"value\": %d, \"unit\": \"bool\", \"peer\": "
           "\"strtod\", \"ratio\": %d}\n",
           identical, identical);
    return identical ? 0 : 1;
}
