// SPDX-License-Identifier: MIT
// The dense marker solve, two iterations a frame, against Simbody's Assembler (the engine inside
// OpenSim's inverse kinematics) at its usual accuracy of 1e-5, on the same file and machine.
//
// The problem: a walking humanoid of 21 segments, 66 degrees of freedom, 53 markers with 1 mm of
// noise, 2 000 frames, in $UGOKI_DATA/problems/ik_walk. The peer is built by peers/ik.sh and found
// in $UGOKI_PEER_IK or beside this program. CPU time of the solve alone, best of the rounds.
#include "motion/text.h"
#include "solvers/blas_threads.h"
#include "solvers/ik_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, ITERATIONS = 2, CELLS_MAX = 1024 };

typedef struct problem {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    double *measured_m; // (frame_count x marker_count x 3)
    double *weight;     // (marker_count)
    double *start;      // (pose_size)
    size_t frame_count;
} problem;

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/problems/ik_walk/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

static void die(const char *what)
{
    fprintf(stderr, "bench_ik: %s\n", what);
    exit(1);
}

// numbers after the frame and time cells; returns how many
static size_t read_cells(double *cells, char *line)
{
    size_t count = 0;
    char *in, *cell = strtok_r(line, ",\r\n", &in);
    for (size_t i = 0; cell && count < CELLS_MAX; i++) {
        if (i >= 2) {
            cells[count++] = strtod(cell, NULL);
        }
        cell = strtok_r(NULL, ",\r\n", &in);
    }
    return count;
}

// "name index x y z" rows under a comment and a count
static void read_body(problem *p, const char *folder)
{
    char line[512], name[64];
    int count, index;
    ug_vec3 v;
    FILE *f = open_file(folder, "skeleton.txt");
    if (!fgets(line, sizeof line, f) || fscanf(f, "%d", &count) != 1) {
        die("skeleton.txt is damaged");
    }
    p->skeleton = ug_skeleton_create((size_t)count);
    for (int j = 0; j < count; j++) {
        if (fscanf(f, "%63s %d %lf %lf %lf", name, &index, &v.x, &v.y, &v.z) != 5) {
            die("skeleton.txt is damaged");
        }
        ug_joint *joint = &p->skeleton->joints[j];
        joint->name = ug_text_copy(name);
        joint->parent = index;
        joint->offset_m = v;
        joint->type = index < 0 ? UG_JOINT_FREE : UG_JOINT_BALL;
    }
    fclose(f);
    f = open_file(folder, "marker_set.txt");
    if (!fgets(line, sizeof line, f) || fscanf(f, "%d", &count) != 1) {
        die("marker_set.txt is damaged");
    }
    for (int m = 0; m < count; m++) {
        if (fscanf(f, "%63s %d %lf %lf %lf", name, &index, &v.x, &v.y, &v.z) != 5) {
            die("marker_set.txt is damaged");
        }
        const ug_attachment item = { .label = name,
                                     .segment = p->skeleton->joints[index].name,
                                     .joint = index,
                                     .local_m = v,
                                     .weight = 1.0 };
        if (ug_attachments_add(&p->attachments, &item, NULL) != UG_OK) {
            die("out of memory");
        }
    }
    fclose(f);
}

// Both solvers start from the true pose of the first frame.
static void read_start(problem *p, const char *folder)
{
    double cells[CELLS_MAX];
    char *line = NULL;
    size_t capacity = 0;
    FILE *f = open_file(folder, "truth_quats.csv");
    if (getline(&line, &capacity, f) < 0 || getline(&line, &capacity, f) < 0 ||
        read_cells(cells, line) != 3 + 4 * p->model->joint_count) {
        die("truth_quats.csv is damaged");
    }
    fclose(f);
    free(line);
    ug_vec3 *at = calloc(p->model->joint_count, sizeof *at);
    ug_quat *q = calloc(p->model->joint_count, sizeof *q);
    p->start = malloc(p->model->pose_size * sizeof *p->start);
    at[0] = ug_vec3_of(cells);
    memcpy(q, cells + 3, p->model->joint_count * sizeof *q);
    ug_ik_pose_from_local(p->start, p->model, q, at);
    free(at);
    free(q);
}

static void read_markers(problem *p, const char *folder)
{
    const size_t row = 3 * p->attachments.count;
    double cells[CELLS_MAX];
    char *line = NULL;
    size_t capacity = 0;
    FILE *f = open_file(folder, "markers.csv");
    if (getline(&line, &capacity, f) < 0) {
        die("markers.csv is empty");
    }
    while (getline(&line, &capacity, f) > 0) {
        if (read_cells(cells, line) != row) {
            die("markers.csv is damaged");
        }
        p->measured_m = realloc(p->measured_m, (p->frame_count + 1) * row * sizeof(double));
        memcpy(p->measured_m + p->frame_count++ * row, cells, row * sizeof(double));
    }
    fclose(f);
    free(line);
    p->weight = malloc(p->attachments.count * sizeof *p->weight);
    for (size_t m = 0; m < p->attachments.count; m++) {
        p->weight[m] = 1.0;
    }
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One pass over the take; seconds, and the rms of the markers' distances over all frames.
static double run(double *rms_mm, const problem *p, void *workspace, double *poses)
{
    ug_ik_options options = ug_ik_default_options();
    options.loss = (ug_loss){ .kind = UG_LOSS_SQUARE };
    options.prior = (ug_ik_prior){ .pose = false };
    options.lambda = 1e-7;
    options.max_iterations = ITERATIONS;
    options.gain_tolerance = options.step_tolerance = 0.0;
    const size_t markers = p->attachments.count, size = p->model->pose_size;
    double square = 0.0;
    const double start = cpu_s();
    for (size_t f = 0; f < p->frame_count; f++) {
        const ug_ik_target target = { p->measured_m + 3 * markers * f, p->weight };
        memcpy(poses + f * size, f ? poses + (f - 1) * size : p->start, size * sizeof *poses);
        const ug_ik_result r =
            ug_ik_solve_frame(poses + f * size, p->model, &target, &options, workspace);
        square += r.cost * options.sigma_m * options.sigma_m; // least squares: E is Σ r²/σ²
    }
    const double seconds = cpu_s() - start;
    *rms_mm = 1e3 * sqrt(square / (double)(p->frame_count * markers));
    return seconds;
}

// "frames_per_s rms_mm" from the peer, or 0 when there is none
static double run_peer(double *rms_mm, const char *program, const char *folder)
{
    char command[9000];
    double rate = 0.0;
    (void)snprintf(command, sizeof command, "'%s' '%s/problems/ik_walk' 1e-5", program, folder);
    FILE *f = popen(command, "r");
    if (!f || fscanf(f, "%lf %lf", &rate, rms_mm) != 2) {
        rate = 0.0;
    }
    if (f) {
        pclose(f);
    }
    return rate;
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *folder = getenv("UGOKI_DATA");
    if (!folder) {
        fprintf(stderr, "skipped: bench_ik needs $UGOKI_DATA/problems/ik_walk\n");
        return 0;
    }
    char beside[4096];
    const char *program = getenv("UGOKI_PEER_IK");
    if (!program) {
        (void)snprintf(beside, sizeof beside, "%s_simbody", argv[0]);
        program = beside;
    }
    problem p = { 0 };
    read_body(&p, folder);
    if (ug_ik_model_create(&p.model, p.skeleton, &p.attachments, NULL, NULL) != UG_OK) {
        die("the problem has no model");
    }
    read_start(&p, folder);
    read_markers(&p, folder);
    ug_blas_single_thread();
    void *workspace = malloc(ug_ik_solve_bytes(p.model, &ug_ik_dense_stepper));
    double *poses = malloc(p.frame_count * p.model->pose_size * sizeof *poses);
    const bool has_peer = access(program, X_OK) == 0;
    double ours = 0.0, peer = 0.0, rms_mm = 0.0, peer_mm = 0.0;
    for (int i = 0; i < ROUNDS; i++) {
        ours = fmax(ours, (double)p.frame_count / run(&rms_mm, &p, workspace, poses));
        if (has_peer) {
            peer = fmax(peer, run_peer(&peer_mm, program, folder));
        }
    }
    printf("{\"name\": \"ik_dense\", \"value\": %.0f, \"unit\": \"frames/s/core\", ", ours);
    if (peer > 0.0) {
        printf("\"peer\": \"Simbody 1e-5 %.1f\", \"ratio\": %.1f}\n", peer, ours / peer);
    } else {
        fprintf(stderr, "bench_ik: no peer at %s (peers/ik.sh builds it)\n", program);
        printf("\"peer\": null, \"ratio\": null}\n");
    }
    printf("{\"name\": \"ik_dense_rms\", \"value\": %.5f, \"unit\": \"mm\", ", rms_mm);
    if (peer > 0.0) {
        printf("\"peer\": \"Simbody 1e-5 %.5f\", \"ratio\": %.4f}\n", peer_mm, rms_mm / peer_mm);
    } else {
        printf("\"peer\": null, \"ratio\": null}\n");
    }
    free(workspace);
    free(poses);
    free(p.measured_m);
    free(p.weight);
    free(p.start);
    ug_ik_model_destroy(p.model);
    ug_attachments_fini(&p.attachments);
    ug_skeleton_destroy(p.skeleton);
    return 0;
}
