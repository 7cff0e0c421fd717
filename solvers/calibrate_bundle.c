// SPDX-License-Identifier: MIT
#include "solvers/calibrate_bundle.h"

#include "solvers/ik_pose.h"
#include "solvers/parallel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 8 }; // frames of one piece of parallel work

ug_bundle_options ug_bundle_default_options(void)
{
    return (ug_bundle_options){ .sigma_m = 0.005,
                                .loss = { UG_LOSS_HUBER, 0.05 },
                                .frames_worth = 25.0,
                                .prior = ug_ik_default_prior(),
                                .max_iterations = 30,
                                .gain = 2e-4,
                                .jobs = 1 };
}

static double frame_weight(const ug_bundle_frames *frames, const ug_bundle_options *options)
{
    return fmin(1.0, options->frames_worth / (double)(frames->count ? frames->count : 1));
}

static double data_cost(const ug_ik_model *model, const ug_ik_frame *frame,
                        const ug_bundle_frames *frames, size_t t, const ug_bundle_options *options)
{
    double cost = 0.0;
    const double unit = 1.0 / (options->sigma_m * options->sigma_m);
    for (size_t m = 0; m < model->marker_count; m++) {
        const size_t i = t * model->marker_count + m;
        const double w = frames->weight[i] * model->markers[m].weight;
        if (w > 0.0) {
            const ug_vec3 r =
                ug_vec3_sub(ug_vec3_of(frames->measured_m + 3 * i), frame->marker_m[m]);
            cost += w * unit * ug_loss_cost(options->loss, ug_vec3_dot(r, r));
        }
    }
    return cost;
}

double ug_bundle_cost(const ug_ik_model *model, const ug_bundle_shape *shape, const double *poses,
                      const ug_bundle_frames *frames, const ug_bundle_options *options,
                      void *memory)
{
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, memory);
    double cost = 0.0;
    for (size_t t = 0; t < frames->count; t++) {
        const double *pose = poses + t * model->pose_size;
        ug_ik_forward(&frame, model, pose);
        cost += data_cost(model, &frame, frames, t, options) +
                ug_ik_prior_add(NULL, NULL, model, pose, &options->prior);
    }
    return frame_weight(frames, options) * cost + ug_bundle_shape_cost(NULL, NULL, shape);
}

// Derivatives of one marker with respect to the parameters: columns, each parameter once.
typedef struct columns {
    int count;
    int *parameter; // room for every joint above the deepest marker and its own place
    ug_vec3 *d;
} columns;

static size_t columns_max(const ug_ik_model *model)
{
    return 3 * (model->joint_count + 1);
}

static void add_columns(columns *c, const ug_bundle_shape *shape, size_t coordinate,
                        const double matrix[9])
{
    for (size_t axis = 0; axis < 3; axis++) {
        const int k = shape->parameter[coordinate + axis];
        if (k < 0) {
            continue;
        }
        int at = 0;
        while (at < c->count && c->parameter[at] != k) {
            at++;
        }
        if (at == c->count) {
            c->parameter[c->count] = k;
            c->d[c->count++] = (ug_vec3){ 0 };
        }
        const ug_vec3 d = { matrix[axis], matrix[3 + axis], matrix[6 + axis] };
        c->d[at] = ug_vec3_madd(c->d[at], shape->slope[coordinate + axis], d);
    }
}

static void marker_columns(columns *c, const ug_ik_model *model, const ug_bundle_shape *shape,
                           const ug_ik_frame *frame, size_t m)
{
    c->count = 0;
    const int s = model->markers[m].joint;
    for (int j = s; j >= 0; j = model->joints[j].parent) {
        const double *matrix = ug_ik_offset_derivative(model, frame, j, m);
        if (matrix) {
            add_columns(c, shape, 3 * (size_t)j, matrix);
        }
    }
    add_columns(c, shape, 3 * (model->joint_count + m), frame->matrix + 9 * (size_t)s);
}

// What a piece of frames adds; S and s of its own, since all pieces add to the same places.
typedef struct build {
    ug_arrow *arrow;
    const ug_ik_model *model;
    const ug_bundle_shape *shape;
    const double *poses;
    const ug_bundle_frames *frames;
    const ug_bundle_options *options;
    double ws;
    double *parts; // (pieces x shared x (shared + 1))
    char *scratch; // (jobs x scratch_bytes): a frame, then rows and columns of one marker
    size_t frame_bytes, scratch_bytes;
} build;

static void add_marker(const build *b, size_t t, size_t m, double w, ug_vec3 r, const columns *c,
                       const double *rows, double *S, double *s)
{
    const ug_ik_joint *joint = &b->model->joints[b->model->markers[m].joint];
    const size_t n = b->arrow->block, p = b->arrow->shared, length = (size_t)joint->chain_length;
    const int *chain = b->model->chains + joint->chain;
    double *A = b->arrow->A + t * n * n, *B = b->arrow->B + t * n * p, *a = b->arrow->a + t * n;
    for (size_t i = 0; i < length; i++) {
        const size_t row = (size_t)chain[i];
        const ug_vec3 ji = { w * rows[i], w * rows[length + i], w * rows[2 * length + i] };
        for (size_t j = 0; j <= i; j++) {
            A[row * n + (size_t)chain[j]] +=
                ji.x * rows[j] + ji.y * rows[length + j] + ji.z * rows[2 * length + j];
        }
        for (int k = 0; k < c->count; k++) {
            B[row * p + (size_t)c->parameter[k]] += ug_vec3_dot(ji, c->d[k]);
        }
        a[row] += ug_vec3_dot(ji, r);
    }
    for (int i = 0; i < c->count; i++) {
        const ug_vec3 ki = ug_vec3_scale(c->d[i], w);
        double *row = S + (size_t)c->parameter[i] * p;
        for (int j = 0; j < c->count; j++) {
            if (c->parameter[j] <= c->parameter[i]) {
                row[c->parameter[j]] += ug_vec3_dot(ki, c->d[j]);
            }
        }
        s[c->parameter[i]] += ug_vec3_dot(ki, r);
    }
}

static void build_frame(const build *b, size_t t, char *scratch, double *S, double *s)
{
    const ug_ik_model *model = b->model;
    const size_t n = b->arrow->block;
    const double *pose = b->poses + t * model->pose_size;
    double *rows = (double *)(void *)(scratch + b->frame_bytes);
    columns c = { .d = (ug_vec3 *)(void *)(rows + 3 * model->dof_count) };
    c.parameter = (int *)(void *)(c.d + columns_max(model));
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, scratch);
    ug_ik_forward(&frame, model, pose);
    // the prior adds with weight 1: put in before the markers, then everything here times ws
    double *A = b->arrow->A + t * n * n, *a = b->arrow->a + t * n;
    (void)ug_ik_prior_add(A, a, model, pose, &b->options->prior);
    for (size_t i = 0; i < n * n; i++) {
        A[i] *= b->ws;
    }
    for (size_t i = 0; i < n; i++) {
        a[i] *= b->ws;
    }
    const double unit = b->ws / (b->options->sigma_m * b->options->sigma_m);
    for (size_t m = 0; m < model->marker_count; m++) {
        const size_t i = t * model->marker_count + m;
        const double w = b->frames->weight[i] * model->markers[m].weight;
        if (w > 0.0) {
            const ug_vec3 r =
                ug_vec3_sub(ug_vec3_of(b->frames->measured_m + 3 * i), frame.marker_m[m]);
            marker_columns(&c, model, b->shape, &frame, m);
            ug_ik_marker_jacobian(rows, model, &frame, m);
            add_marker(b, t, m, unit * w * ug_loss_weight(b->options->loss, ug_vec3_dot(r, r)), r,
                       &c, rows, S, s);
        }
    }
}

static void build_piece(void *context, size_t piece, size_t worker)
{
    const build *b = context;
    const size_t p = b->arrow->shared, begin = piece * PIECE;
    const size_t end = begin + PIECE < b->frames->count ? begin + PIECE : b->frames->count;
    double *S = b->parts + piece * p * (p + 1);
    memset(S, 0, p * (p + 1) * sizeof(double));
    for (size_t t = begin; t < end; t++) {
        build_frame(b, t, b->scratch + worker * b->scratch_bytes, S, S + p * p);
    }
}

// Everything a build needs besides its inputs.
static ug_status build_init(build *b, const ug_ik_model *model, const ug_bundle_shape *shape,
                            const ug_bundle_frames *frames, const ug_bundle_options *options,
                            ug_error *err)
{
    *b = (build){ .model = model, .shape = shape, .frames = frames, .options = options };
    const size_t p = shape->parameter_count, pieces = (frames->count + PIECE - 1) / PIECE;
    b->ws = frame_weight(frames, options);
    b->frame_bytes = ug_ik_frame_bytes(model);
    b->scratch_bytes = b->frame_bytes + 3 * model->dof_count * sizeof(double) +
                       columns_max(model) * (sizeof(ug_vec3) + sizeof(double));
    b->parts = malloc((pieces * p * (p + 1) + 1) * sizeof(double));
    b->scratch = malloc((options->jobs ? options->jobs : 1) * b->scratch_bytes);
    if (!b->parts || !b->scratch) {
        free(b->parts);
        free(b->scratch);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}

static void build_run(build *b, ug_arrow *arrow, const double *poses)
{
    const size_t p = arrow->shared, pieces = (b->frames->count + PIECE - 1) / PIECE;
    b->arrow = arrow;
    b->poses = poses;
    ug_arrow_clear(arrow);
    ug_parallel_for(pieces, b->options->jobs, build_piece, b);
    for (size_t piece = 0; piece < pieces; piece++) {
        const double *S = b->parts + piece * p * (p + 1), *s = S + p * p;
        for (size_t i = 0; i < p * p; i++) {
            arrow->S[i] += S[i];
        }
        for (size_t i = 0; i < p; i++) {
            arrow->s[i] += s[i];
        }
    }
    (void)ug_bundle_shape_cost(arrow->S, arrow->s, b->shape);
}

ug_status ug_bundle_normal(ug_arrow *arrow, const ug_ik_model *model, const ug_bundle_shape *shape,
                           const double *poses, const ug_bundle_frames *frames,
                           const ug_bundle_options *options, ug_error *err)
{
    assert(arrow->count == frames->count && arrow->block == model->dof_count &&
           arrow->shared == shape->parameter_count);
    build b;
    const ug_status status = build_init(&b, model, shape, frames, options, err);
    if (status == UG_OK) {
        build_run(&b, arrow, poses);
        free(b.parts);
        free(b.scratch);
    }
    return status;
}

// What Levenberg–Marquardt keeps between iterations.
typedef struct search {
    double *step;  // (count x dof_count)
    double *shift; // (parameter_count)
    double *poses; // (count x pose_size) where the step leads
    double *value; // (parameter_count) before the step
    double lambda;
} search;

// A step longer than a radian leaves the region where the model means anything.
static double step_share(const double *step, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(step[i]));
    }
    return largest > 1.0 ? 1.0 / largest : 1.0;
}

// Try the step of the current lambda: true, and `cost` lowered, when it is an improvement; else
// everything is as before.
static bool try_step(search *s, double *cost, double *poses, ug_ik_model *model,
                     ug_bundle_shape *shape, ug_arrow *arrow, const build *b)
{
    const size_t p = shape->parameter_count;
    if (!ug_arrow_solve(s->step, s->shift, arrow, s->lambda, 1e-9, b->options->jobs)) {
        return false;
    }
    const double share = step_share(s->step, arrow->count * arrow->block);
    for (size_t i = 0; i < arrow->count * arrow->block; i++) {
        s->step[i] *= share;
    }
    for (size_t t = 0; t < arrow->count; t++) {
        ug_ik_retract(s->poses + t * model->pose_size, model, poses + t * model->pose_size,
                      s->step + t * arrow->block);
    }
    memcpy(s->value, shape->value, p * sizeof(double));
    for (size_t k = 0; k < p; k++) {
        shape->value[k] += share * s->shift[k];
    }
    ug_bundle_shape_apply(model, shape);
    const double trial = ug_bundle_cost(model, shape, s->poses, b->frames, b->options, b->scratch);
    if (!(trial < *cost)) {
        memcpy(shape->value, s->value, p * sizeof(double));
        ug_bundle_shape_apply(model, shape);
        return false;
    }
    memcpy(poses, s->poses, arrow->count * model->pose_size * sizeof(double));
    *cost = trial;
    return true;
}

static void minimise(search *s, double *poses, ug_ik_model *model, ug_bundle_shape *shape,
                     ug_bundle_report *report, ug_arrow *arrow, build *b)
{
    ug_bundle_shape_apply(model, shape);
    double cost = ug_bundle_cost(model, shape, poses, b->frames, b->options, b->scratch);
    s->lambda = 1e-3;
    bool stale = true;
    size_t iteration = 0;
    for (; iteration < b->options->max_iterations && s->lambda < 1e8; iteration++) {
        if (stale) {
            build_run(b, arrow, poses);
        }
        const double before = cost;
        stale = try_step(s, &cost, poses, model, shape, arrow, b);
        s->lambda *= stale ? 0.25 : 6.0;
        if (stale && before - cost < b->options->gain * before) {
            break;
        }
    }
    if (report) {
        *report = (ug_bundle_report){ cost, iteration };
    }
}

ug_status ug_bundle_solve(double *poses, ug_ik_model *model, ug_bundle_shape *shape,
                          ug_bundle_report *report, const ug_bundle_frames *frames,
                          const ug_bundle_options *options, ug_error *err)
{
    ug_arrow arrow = { 0 };
    build b = { 0 };
    const size_t n = model->dof_count, p = shape->parameter_count, count = frames->count;
    const size_t doubles = count * (n + model->pose_size) + 2 * p;
    double *memory = malloc((doubles + 1) * sizeof *memory);
    ug_status status = memory ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK) {
        status = ug_arrow_init(&arrow, count, n, p, err);
    }
    if (status == UG_OK) {
        status = build_init(&b, model, shape, frames, options, err);
    }
    if (status == UG_OK) {
        search s = { .step = memory };
        s.poses = s.step + count * n;
        s.shift = s.poses + count * model->pose_size;
        s.value = s.shift + p;
        minimise(&s, poses, model, shape, report, &arrow, &b);
        free(b.parts);
        free(b.scratch);
    }
    ug_arrow_fini(&arrow);
    free(memory);
    return status;
}
