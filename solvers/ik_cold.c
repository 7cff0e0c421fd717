// SPDX-License-Identifier: MIT
#include "solvers/ik_cold.h"

#include "solvers/ik_postures.h"
#include "solvers/kabsch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ug_ik_library_fini(ug_ik_library *library)
{
    if (library) {
        free(library->poses);
        *library = (ug_ik_library){ 0 };
    }
}

ug_status ug_ik_library_add(ug_ik_library *library, const double *pose, ug_error *err)
{
    const size_t size = library->pose_size;
    if (library->count == library->capacity) {
        const size_t capacity = library->capacity ? 2 * library->capacity : 32;
        double *poses = realloc(library->poses, capacity * size * sizeof *poses);
        if (!poses) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for a library of %zu poses", capacity);
        }
        library->poses = poses;
        library->capacity = capacity;
    }
    memcpy(library->poses + library->count * size, pose, size * sizeof *pose);
    library->count++;
    return UG_OK;
}

// every limited hinge in the middle of its range: a start where nothing is stretched out straight
static void bend_hinges(double *pose, const ug_ik_model *model)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double low = model->low_rad[joint->dof], high = model->high_rad[joint->dof];
        if (joint->type == UG_JOINT_HINGE && isfinite(low) && isfinite(high)) {
            pose[joint->state] = 0.5 * (low + high);
        }
    }
}

ug_status ug_ik_library_create(ug_ik_library *out, const ug_ik_model *model,
                               const ug_skeleton *skeleton, ug_error *err)
{
    assert(out->count == 0 && skeleton->joint_count == model->joint_count);
    *out = (ug_ik_library){ .pose_size = model->pose_size };
    double *pose = malloc(model->pose_size * sizeof *pose);
    ug_quat *quats = malloc(4 * model->joint_count * sizeof *quats);
    ug_status status = UG_OK;
    if (!pose || !quats) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for a library of poses");
        goto done;
    }
    for (size_t p = 0; status == UG_OK && p < ug_posture_count(); p++) {
        ug_posture_apply(quats, p, skeleton, quats + model->joint_count);
        ug_ik_pose_from_local(pose, model, quats, NULL);
        status = ug_ik_library_add(out, pose, err);
    }
    ug_ik_pose_rest(pose, model);
    if (status == UG_OK) {
        status = ug_ik_library_add(out, pose, err);
    }
    bend_hinges(pose, model);
    if (status == UG_OK) {
        status = ug_ik_library_add(out, pose, err);
    }
done:
    free(pose);
    free(quats);
    if (status != UG_OK) {
        ug_ik_library_fini(out);
    }
    return status;
}

size_t ug_ik_place_doubles(const ug_ik_model *model)
{
    return model->marker_count;
}

double ug_ik_place(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                   ug_ik_frame *frame, double *scratch)
{
    ug_ik_forward(frame, model, pose);
    for (size_t m = 0; m < model->marker_count; m++) {
        scratch[m] = target->weight[m] * model->markers[m].weight;
    }
    const double *predicted = &frame->marker_m[0].x;
    const ug_rigid fit = ug_kabsch(predicted, target->measured_m, scratch, model->marker_count);
    if (!(fit.weight_sum > 0.0)) {
        return (double)INFINITY;
    }
    bool moved = false;
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        if (joint->parent >= 0 || joint->type != UG_JOINT_FREE) {
            continue;
        }
        double *state = pose + joint->state;
        const ug_vec3 at = ug_vec3_add(ug_quat_rotate(fit.q, ug_vec3_of(state)), fit.t);
        const ug_quat q = ug_quat_normalize(
            ug_quat_mul(ug_quat_conj(joint->rest), ug_quat_mul(fit.q, frame->world_q[j])));
        memcpy(state, (double[]){ at.x, at.y, at.z, q.w, q.x, q.y, q.z }, 7 * sizeof *state);
        moved = true;
    }
    if (moved) {
        return fit.square / fit.weight_sum;
    }
    double square = 0.0;
    for (size_t m = 0; m < model->marker_count; m++) {
        if (scratch[m] > 0.0) {
            const ug_vec3 r =
                ug_vec3_sub(ug_vec3_of(target->measured_m + 3 * m), frame->marker_m[m]);
            square += scratch[m] * ug_vec3_dot(r, r);
        }
    }
    return square / fit.weight_sum;
}

typedef struct work {
    ug_ik_frame frame;
    double *place;   // scratch of ug_ik_place
    double *pose;    // (pose_size)
    double *squares; // (library->count)
    void *solve;
} work;

size_t ug_ik_cold_bytes(const ug_ik_model *model, const ug_ik_library *library,
                        const ug_ik_stepper *stepper)
{
    return ug_ik_frame_bytes(model) + ug_ik_solve_bytes(model, stepper) +
           (ug_ik_place_doubles(model) + model->pose_size + library->count) * sizeof(double);
}

static work work_at(const ug_ik_model *model, const ug_ik_library *library, void *memory)
{
    work w;
    ug_ik_frame_init(&w.frame, model, memory);
    w.place = (double *)((char *)memory + ug_ik_frame_bytes(model));
    w.pose = w.place + ug_ik_place_doubles(model);
    w.squares = w.pose + model->pose_size;
    w.solve = w.squares + library->count;
    return w;
}

// Loss by loss from far to near, then the one that ranks.
static ug_ik_result refine(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                           const ug_ik_options *options, void *workspace)
{
    static const double SCALE_M[] = { 0.100, 0.020, 0.050 };
    static const size_t ITERATIONS[] = { 8, 15, 15 };
    ug_ik_options o = *options;
    ug_ik_result result = { 0 };
    size_t iterations = 0;
    o.gain_tolerance = 1e-4;
    for (size_t i = 0; i < 3; i++) {
        o.loss = (ug_loss){ UG_LOSS_HUBER, SCALE_M[i] };
        o.max_iterations = ITERATIONS[i];
        result = ug_ik_solve_frame(pose, model, target, &o, workspace);
        iterations += result.iterations;
    }
    result.iterations = iterations;
    return result;
}

ug_ik_result ug_ik_cold_solve(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                              const ug_ik_library *library, const ug_ik_options *options,
                              size_t keep, void *workspace)
{
    assert(keep >= 1 && keep <= UG_IK_COLD_KEEP && library->count > 0);
    const size_t size = model->pose_size;
    work w = work_at(model, library, workspace);
    ug_ik_result best = { .cost = (double)INFINITY };
    size_t iterations = 0;

    memcpy(pose, library->poses, size * sizeof *pose);
    for (size_t p = 0; p < library->count; p++) {
        memcpy(w.pose, library->poses + p * size, size * sizeof *w.pose);
        w.squares[p] = ug_ik_place(w.pose, model, target, &w.frame, w.place);
    }
    for (size_t k = 0; k < keep && k < library->count; k++) {
        size_t p = 0;
        for (size_t i = 1; i < library->count; i++) {
            p = w.squares[i] < w.squares[p] ? i : p;
        }
        if (!isfinite(w.squares[p])) {
            break;
        }
        w.squares[p] = (double)INFINITY; // taken
        memcpy(w.pose, library->poses + p * size, size * sizeof *w.pose);
        (void)ug_ik_place(w.pose, model, target, &w.frame, w.place);
        const ug_ik_result result = refine(w.pose, model, target, options, w.solve);
        iterations += result.iterations;
        if (result.cost < best.cost) {
            best = result;
            memcpy(pose, w.pose, size * sizeof *pose);
        }
    }
    best.iterations = iterations;
    return best;
}
