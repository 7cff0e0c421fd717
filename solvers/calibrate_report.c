// SPDX-License-Identifier: MIT
#include "solvers/calibrate_report.h"

#include "solvers/calibrate_body.h"
#include "solvers/ik_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STATIC_RAD = 6.0 * UG_DEG; // no joint spreads more: one pose
static const double MOVED_SIGMA = 3.0, ASYMMETRY_PCT = 5.0;

static double axis_of(ug_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void count_fit(ug_calibrate_report *report, const ug_fit *fit)
{
    const size_t n = fit->model->marker_count;
    for (size_t i = 0; i < fit->count * n; i++) {
        report->markers[i % n].fit_count += fit->weight[i] > 0.0;
    }
}

// σ of a coordinate in the last bundle, 0 when it was fixed.
static double sigma_of(const ug_fit *fit, size_t coordinate)
{
    const int k = fit->shape.parameter ? fit->shape.parameter[coordinate] : -1;
    return k >= 0 ? fit->shape.sigma[k] : 0.0;
}

static void fill_markers(ug_calibrate_report *report, const ug_fit *fit, const int *partner)
{
    for (size_t m = 0; m < report->marker_count; m++) {
        ug_calibrate_marker *marker = &report->markers[m];
        marker->moved_m =
            ug_vec3_sub(fit->model->markers[m].local_m, fit->attachments.items[m].local_m);
        marker->exchanged = partner[m];
        for (int axis = 0; axis < 3; axis++) {
            const double sigma = sigma_of(fit, 3 * (fit->model->joint_count + m) + (size_t)axis);
            if (sigma > 0.0) {
                marker->moved_sigma =
                    fmax(marker->moved_sigma, fabs(axis_of(marker->moved_m, axis)) / sigma);
            }
        }
        report->markers_calibrated += marker->fit_count > 0 && isfinite(marker->rms_m);
    }
}

static void fill_joints(ug_calibrate_report *report, const ug_fit *fit, int *mirror)
{
    ug_body_mirrors(mirror, fit->skeleton);
    for (size_t j = 0; j < report->joint_count; j++) {
        ug_calibrate_joint *joint = &report->joints[j];
        const ug_vec3 offset = fit->model->joints[j].offset_m;
        const ug_vec3 prior = fit->skeleton->joints[j].offset_m;
        const double was = ug_vec3_norm(prior);
        double sum = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double sigma = sigma_of(fit, 3 * j + (size_t)axis);
            const double d = axis_of(offset, axis) - axis_of(prior, axis);
            sum += sigma > 0.0 ? d * d / (sigma * sigma) : 0.0;
        }
        joint->length_m = ug_vec3_norm(offset);
        joint->change_pct = was > 0.0 ? 100.0 * (joint->length_m / was - 1.0) : 0.0;
        joint->moved_sigma = sqrt(sum / 3.0);
        joint->mirror = mirror[j];
        joint->from_prior = fit->model->joints[j].dof_count == 0;
    }
    for (size_t j = 0; j < report->joint_count; j++) {
        ug_calibrate_joint *joint = &report->joints[j];
        const double other = joint->mirror >= 0 ? report->joints[joint->mirror].length_m : 0.0;
        joint->difference_pct = other > 0.0 ? 100.0 * (joint->length_m / other - 1.0) : 0.0;
    }
}

ug_status ug_calibrate_report_fill(ug_calibrate_report *report, const ug_fit *fit,
                                   const int *partner, ug_error *err)
{
    int *mirror = malloc((report->joint_count + 1) * sizeof *mirror);
    ug_status status = UG_OK;
    if (mirror) {
        report->fit_frames = fit->chosen_count;
        report->stature_m = fit->skeleton->stature_m;
        count_fit(report, fit);
        fill_markers(report, fit, partner);
        fill_joints(report, fit, mirror);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(mirror);
    return status;
}

// What is said of a marker: how bad it is (0 = nothing to say).
typedef double (*badness_fn)(const ug_calibrate_report *report, size_t m);

static double badness_stray(const ug_calibrate_report *report, size_t m)
{
    return (double)report->markers[m].stray_count;
}

static double badness_unseen(const ug_calibrate_report *report, size_t m)
{
    return report->markers[m].fit_count == 0 ? 1.0 : 0.0;
}

static double badness_exchanged(const ug_calibrate_report *report, size_t m)
{
    return report->markers[m].exchanged > (int)m ? 1.0 : 0.0;
}

static double badness_moved(const ug_calibrate_report *report, size_t m)
{
    const ug_calibrate_marker *marker = &report->markers[m];
    return marker->fit_count > 0 && marker->moved_sigma > MOVED_SIGMA ? marker->moved_sigma : 0.0;
}

// The worst marker of a kind, how many there are, and the others by name as far as they fit.
typedef struct culprits {
    size_t worst, count;
    char others[96]; // "; also LSHO, RTHI", or empty
} culprits;

static culprits find_culprits(const ug_calibrate_report *report, const ug_fit *fit,
                              badness_fn badness)
{
    culprits c = { 0 };
    double most = 0.0;
    for (size_t pass = 0; pass < 2; pass++) {
        size_t used = 0;
        for (size_t m = 0; m < report->marker_count; m++) {
            const ug_attachment *item = &fit->attachments.items[m];
            const bool used_one = item->kind != UG_MARKER_COMPUTED && item->weight > 0.0;
            const double bad = used_one ? badness(report, m) : 0.0;
            if (pass == 0 && bad > 0.0) {
                c.count++;
                c.worst = bad > most ? m : c.worst;
                most = fmax(most, bad);
            } else if (pass == 1 && bad > 0.0 && m != c.worst &&
                       used + strlen(item->label) + 16 < sizeof c.others) {
                used += (size_t)snprintf(c.others + used, sizeof c.others - used, "%s%s",
                                         used ? ", " : "; also ", item->label);
            }
        }
    }
    return c;
}

static void warn_markers(ug_warnings *warnings, const ug_calibrate_report *report,
                         const ug_fit *fit, const ug_calibrate_take *takes)
{
    const ug_attachment *items = fit->attachments.items;
    culprits c = find_culprits(report, fit, badness_stray);
    const ug_calibrate_marker *marker = &report->markers[c.worst];
    const char *name = takes[marker->stray_take].name;
    ug_warn_times(warnings, c.count, "marker_stray",
                  "marker '%s' is not on %s in %zu frames (%zu to %zu of %s): it follows something "
                  "else there, clear or relabel it%s",
                  items[c.worst].label, items[c.worst].segment, marker->stray_count,
                  marker->stray_first, marker->stray_last, name ? name : "the take", c.others);
    c = find_culprits(report, fit, badness_unseen);
    ug_warn_times(warnings, c.count, "marker_unseen",
                  "marker '%s' is never seen: its place on %s is the template's%s",
                  items[c.worst].label, items[c.worst].segment, c.others);
    c = find_culprits(report, fit, badness_exchanged);
    const int other = c.count > 0 ? report->markers[c.worst].exchanged : 0;
    ug_warn_times(warnings, c.count, "labels_exchanged",
                  "labels '%s' and '%s' on %s are exchanged: each was given the other's place%s",
                  items[c.worst].label, items[other].label, items[c.worst].segment, c.others);
    c = find_culprits(report, fit, badness_moved);
    marker = &report->markers[c.worst];
    ug_warn_times(
        warnings, c.count, "marker_moved",
        "marker '%s' on %s was moved by %.0f mm, %.1f sigma of its prior: check its label "
        "and the marker set%s",
        items[c.worst].label, items[c.worst].segment, 1e3 * ug_vec3_norm(marker->moved_m),
        marker->moved_sigma, c.others);
}

// True when no angle of any joint spreads in the candidate frames.
static bool is_static(const ug_fit *fit)
{
    const ug_ik_model *model = fit->model;
    double *angles = malloc((3 * model->dof_count + 1) * sizeof *angles);
    if (!angles) {
        return false;
    }
    double *sum = angles + model->dof_count, *square = sum + model->dof_count, spread = 0.0;
    memset(sum, 0, 2 * model->dof_count * sizeof *sum);
    for (size_t t = 0; t < fit->count; t++) {
        ug_ik_angles(angles, model, fit->poses + t * model->pose_size);
        for (size_t i = 0; i < model->dof_count; i++) {
            sum[i] += angles[i];
            square[i] += angles[i] * angles[i];
        }
    }
    for (size_t i = 0; i < model->dof_count; i++) {
        const double mean = sum[i] / (double)fit->count;
        const double variance = square[i] / (double)fit->count - mean * mean;
        if (model->joints[model->dof_joint[i]].type != UG_JOINT_FREE) {
            spread = fmax(spread, variance);
        }
    }
    free(angles);
    return sqrt(fmax(spread, 0.0)) < STATIC_RAD;
}

void ug_calibrate_report_warn(ug_warnings *warnings, const ug_calibrate_report *report,
                              const ug_fit *fit, const ug_calibrate_take *takes)
{
    warn_markers(warnings, report, fit, takes);
    for (size_t j = 0; j < report->joint_count; j++) {
        const ug_calibrate_joint *joint = &report->joints[j];
        const char *name = fit->skeleton->joints[j].name;
        const ug_joint_type type = fit->skeleton->joints[j].type;
        if (joint->from_prior && type != UG_JOINT_FIXED && type != UG_JOINT_FREE) {
            ug_warn(warnings, "joint_from_prior",
                    "no marker on or below '%s' is seen: its bone is the template's", name);
        }
        if (joint->difference_pct > ASYMMETRY_PCT && joint->length_m > 0.1 && !joint->from_prior) {
            ug_warn(warnings, "bones_asymmetric",
                    "bone to '%s' is %.1f %% longer than on the other side: check the labels", name,
                    joint->difference_pct);
        }
    }
    if (is_static(fit)) {
        ug_warn(warnings, "static_only",
                "all frames show one pose: joint centres are the template's, add a moving take");
    }
}

ug_status ug_calibrate_result(ug_skeleton **skeleton, ug_attachments *attachments,
                              const ug_fit *fit, const ug_calibrate_report *report, ug_error *err)
{
    ug_skeleton *copy = ug_skeleton_copy(fit->skeleton);
    if (!copy) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    const ug_status status = ug_attachments_copy(attachments, &fit->attachments, err);
    if (status != UG_OK) {
        ug_skeleton_destroy(copy);
        return status;
    }
    for (size_t j = 0; j < copy->joint_count; j++) {
        copy->joints[j].offset_m = fit->model->joints[j].offset_m;
    }
    for (size_t m = 0; m < attachments->count; m++) {
        attachments->items[m].local_m = fit->model->markers[m].local_m;
        attachments->items[m].calibrated =
            report->markers[m].fit_count > 0 && isfinite(report->markers[m].rms_m);
    }
    *skeleton = copy;
    return UG_OK;
}
