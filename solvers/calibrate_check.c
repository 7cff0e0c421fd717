// SPDX-License-Identifier: MIT
#include "solvers/calibrate_check.h"

#include "solvers/blas_threads.h"
#include "solvers/ik_pose.h"
#include "solvers/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 3000,
    PIECE = 50, // rows a worker follows from a start of its own
    STRAY_ROWS = 5,
};

static const double OUTLIER_M = 0.060, STRAY_M = 0.100;

typedef struct check {
    const ug_fit *fit;
    const ug_samples *samples;
    size_t count;
    const size_t *usable;
    size_t stride;   // row i of the check is usable[i * stride]
    float *residual; // (count x marker_count) NAN where not seen
    char *memory;    // (jobs x bytes)
    size_t bytes, solve_bytes, frame_bytes;
} check;

static void keep_residuals(const check *c, size_t i, const ug_ik_target *target,
                           const ug_ik_frame *frame)
{
    const size_t n = c->samples->marker_count;
    const double *weight = c->samples->weight + c->usable[i * c->stride] * n;
    for (size_t m = 0; m < n; m++) {
        const double r =
            ug_vec3_distance(ug_vec3_of(target->measured_m + 3 * m), frame->marker_m[m]);
        c->residual[i * n + m] = weight[m] > 0.0    ? (float)r
                                 : weight[m] == 0.0 ? (float)NAN
                                                    : (float)INFINITY;
    }
}

// Follow the markers through one piece; where the cost jumps, the library is asked again.
static void check_piece(void *context, size_t piece, size_t worker)
{
    const check *c = context;
    const ug_ik_model *model = c->fit->model;
    const size_t n = c->samples->marker_count, begin = piece * PIECE;
    const size_t end = begin + PIECE < c->count ? begin + PIECE : c->count;
    char *solve = c->memory + worker * c->bytes, *shown = solve + c->solve_bytes;
    double *pose = (double *)(void *)(shown + c->frame_bytes), *other = pose + model->pose_size;
    double *weight = other + model->pose_size;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, shown);
    ug_ik_options options = ug_ik_default_options();
    double last = 0.0;
    for (size_t i = begin; i < end; i++) {
        const size_t row = c->usable[i * c->stride];
        const ug_ik_target target = { c->samples->measured_m + 3 * row * n, weight };
        for (size_t m = 0; m < n; m++) {
            weight[m] = fmax(c->samples->weight[row * n + m], 0.0);
        }
        options.loss = (ug_loss){ UG_LOSS_HUBER, 0.02 };
        ug_ik_result result = { .cost = INFINITY };
        if (i > begin) {
            result = ug_ik_solve_frame(pose, model, &target, &options, solve);
        }
        if (!(result.cost < 1.5 * last + 50.0)) {
            (void)ug_ik_cold_solve(other, model, &target, &c->fit->library, &options, 2, solve);
            const ug_ik_result again = ug_ik_solve_frame(other, model, &target, &options, solve);
            if (!(result.cost <= again.cost)) {
                memcpy(pose, other, model->pose_size * sizeof *pose);
                result = again;
            }
        }
        last = result.cost;
        options.loss = (ug_loss){ UG_LOSS_GEMAN_MCCLURE, 0.04 };
        (void)ug_ik_solve_frame(pose, model, &target, &options, solve);
        ug_ik_forward(&frame, model, pose);
        keep_residuals(c, i, &target, &frame);
    }
}

// A run of rows in which a marker is far off, hidden rows between them not counted.
typedef struct run {
    size_t first, last, length;
    bool certain; // out of reach, or long enough
} run;

static void end_run(ug_calibrate_marker *marker, size_t *longest, run *r, const check *c)
{
    const ug_samples *s = c->samples;
    if (r->length > 0 && (r->certain || r->length >= STRAY_ROWS)) {
        marker->stray_count += r->length * c->stride;
        if (r->length > *longest) {
            *longest = r->length;
            marker->stray_take = s->take[c->usable[r->first * c->stride]];
            marker->stray_first = s->frame[c->usable[r->first * c->stride]];
            marker->stray_last = s->frame[c->usable[r->last * c->stride]];
        }
    }
    *r = (run){ 0 };
}

static void find_strays(ug_calibrate_marker *marker, const check *c, size_t m)
{
    const size_t n = c->samples->marker_count;
    run r = { 0 };
    size_t longest = 0;
    for (size_t i = 0; i < c->count; i++) {
        const float residual = c->residual[i * n + m];
        const size_t *take = c->samples->take;
        if (r.length > 0 &&
            (residual <= (float)STRAY_M ||
             take[c->usable[i * c->stride]] != take[c->usable[r.first * c->stride]])) {
            end_run(marker, &longest, &r, c);
        }
        if (residual > (float)STRAY_M) {
            r.first = r.length == 0 ? i : r.first;
            r.last = i;
            r.length++;
            r.certain = r.certain || isinf(residual);
        }
    }
    end_run(marker, &longest, &r, c);
}

static void sum_up(ug_calibrate_report *report, const check *c)
{
    const size_t n = c->samples->marker_count;
    double total = 0.0;
    size_t inside = 0, all = 0;
    for (size_t m = 0; m < n; m++) {
        ug_calibrate_marker *marker = &report->markers[m];
        double sum = 0.0;
        size_t good = 0, seen = 0;
        for (size_t i = 0; i < c->count; i++) {
            const double r = (double)c->residual[i * n + m];
            seen += !isnan(r);
            if (r < OUTLIER_M) {
                sum += r * r;
                good++;
            }
        }
        marker->checked_count = seen;
        marker->rms_m = good > 0 ? sqrt(sum / (double)good) : NAN;
        marker->outlier_pct = seen > 0 ? 100.0 * (double)(seen - good) / (double)seen : 0.0;
        total += sum;
        inside += good;
        all += seen;
        find_strays(marker, c, m);
    }
    report->checked_frames = c->count;
    report->rms_m = inside > 0 ? sqrt(total / (double)inside) : NAN;
    report->outlier_pct = all > 0 ? 100.0 * (double)(all - inside) / (double)all : 0.0;
}

ug_status ug_check_takes(ug_calibrate_report *report, const ug_fit *fit, const ug_samples *samples,
                         const size_t *usable, size_t usable_count, ug_error *err)
{
    const size_t jobs = fit->options->jobs ? fit->options->jobs : 1;
    const ug_ik_options options = ug_ik_default_options();
    const size_t stride = usable_count / ROWS_MAX + 1;
    check c = { .fit = fit,
                .samples = samples,
                .count = (usable_count + stride - 1) / stride,
                .usable = usable,
                .stride = stride };
    const size_t cold = ug_ik_cold_bytes(fit->model, &fit->library, options.stepper);
    const size_t warm = ug_ik_solve_bytes(fit->model, options.stepper);
    c.solve_bytes = cold > warm ? cold : warm;
    c.frame_bytes = ug_ik_frame_bytes(fit->model);
    c.bytes = c.solve_bytes + c.frame_bytes +
              (2 * fit->model->pose_size + samples->marker_count) * sizeof(double);
    c.residual = malloc((c.count * samples->marker_count + 1) * sizeof *c.residual);
    c.memory = malloc(jobs * c.bytes);
    ug_status status = UG_OK;
    if (c.residual && c.memory) {
        ug_blas_single_thread();
        ug_parallel_for((c.count + PIECE - 1) / PIECE, jobs, check_piece, &c);
        sum_up(report, &c);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(c.residual);
    free(c.memory);
    return status;
}
