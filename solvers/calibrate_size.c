// SPDX-License-Identifier: MIT
#include "solvers/calibrate_size.h"
#include "motion/median.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 400 };

static const double PAIR_MIN_M = 0.080;
static const double SCALE_MIN = 0.4, SCALE_MAX = 1.3; // a small child … a tall adult

typedef struct ratio {
    double value, weight;
} ratio;

static int compare_ratios(const void *a, const void *b)
{
    const ratio *x = a, *y = b;
    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static double weighted_median(ratio *ratios, size_t count)
{
    double total = 0.0, below = 0.0;
    qsort(ratios, count, sizeof *ratios, compare_ratios);
    for (size_t i = 0; i < count; i++) {
        total += ratios[i].weight;
    }
    for (size_t i = 0; i < count; i++) {
        below += ratios[i].weight;
        if (below >= 0.5 * total) {
            return ratios[i].value;
        }
    }
    return 1.0;
}

ug_status ug_size_scale(double *scale, const ug_samples *samples, const ug_attachments *attachments,
                        ug_error *err)
{
    const size_t n = attachments->count;
    ratio *ratios = malloc((n * n / 2 + 1) * sizeof *ratios);
    if (!ratios) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    double scratch[SCRATCH];
    size_t count = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            const ug_attachment *x = &attachments->items[a], *y = &attachments->items[b];
            const double length = ug_vec3_distance(x->local_m, y->local_m);
            if (x->joint != y->joint || length < PAIR_MIN_M || !samples->seen[a] ||
                !samples->seen[b]) {
                continue;
            }
            const double measured = ug_samples_distance_m(samples, a, b, scratch);
            if (isfinite(measured)) {
                ratios[count++] = (ratio){ measured / length, length };
            }
        }
    }
    *scale = fmin(fmax(weighted_median(ratios, count), SCALE_MIN), SCALE_MAX);
    free(ratios);
    return UG_OK;
}

// Letters and digits alone, lower case: "L.ASIS" and "l_asis" are one name.
static void plain(char out[16], const char *label)
{
    size_t n = 0;
    for (; *label && n < 15; label++) {
        if (isalnum((unsigned char)*label)) {
            out[n++] = (char)tolower((unsigned char)*label);
        }
    }
    out[n] = '\0';
}

static ptrdiff_t find_any(const ug_attachments *attachments, const ug_samples *samples, int joint,
                          const char *const names[])
{
    for (size_t i = 0; names[i]; i++) {
        for (size_t a = 0; a < attachments->count; a++) {
            char label[16];
            plain(label, attachments->items[a].label);
            if (attachments->items[a].joint == joint && samples->seen[a] > 0 &&
                strcmp(label, names[i]) == 0) {
                return (ptrdiff_t)a;
            }
        }
    }
    return -1;
}

ug_pelvis_markers ug_pelvis_find(const ug_attachments *attachments, const ug_samples *samples,
                                 int joint)
{
    // waist markers of a belt (LFWT, LBWT) are near the spines of the pelvis, not on them
    static const char *const left_asis[] = { "lasi", "lasis", "lias", "asisl", NULL };
    static const char *const right_asis[] = { "rasi", "rasis", "rias", "asisr", NULL };
    static const char *const left_psis[] = { "lpsi", "lpsis", "lips", "psisl", NULL };
    static const char *const right_psis[] = { "rpsi", "rpsis", "rips", "psisr", NULL };
    static const char *const sacrum[] = { "sacr", "sacrum", "vsacral", NULL };
    return (ug_pelvis_markers){ .left_asis = find_any(attachments, samples, joint, left_asis),
                                .right_asis = find_any(attachments, samples, joint, right_asis),
                                .left_psis = find_any(attachments, samples, joint, left_psis),
                                .right_psis = find_any(attachments, samples, joint, right_psis),
                                .sacrum = find_any(attachments, samples, joint, sacrum) };
}

static ug_vec3 middle(ug_vec3 a, ug_vec3 b)
{
    return ug_vec3_lerp(a, b, 0.5);
}

// Median over the takes of pelvis width and depth; false when never seen together.
static bool pelvis_size(double *width_m, double *depth_m, const ug_samples *s,
                        const ug_pelvis_markers *p)
{
    double widths[SCRATCH], depths[SCRATCH];
    size_t count = 0;
    const size_t stride = s->frame_count / SCRATCH + 1;
    for (size_t t = 0; t < s->frame_count; t += stride) {
        const double *w = s->weight + t * s->marker_count;
        const double *y = s->measured_m + 3 * t * s->marker_count;
        const bool psis = p->left_psis >= 0 && p->right_psis >= 0 && w[p->left_psis] > 0.0 &&
                          w[p->right_psis] > 0.0;
        const bool back = psis || (p->sacrum >= 0 && w[p->sacrum] > 0.0);
        if (w[p->left_asis] > 0.0 && w[p->right_asis] > 0.0 && back) {
            const ug_vec3 l = ug_vec3_of(y + 3 * p->left_asis);
            const ug_vec3 r = ug_vec3_of(y + 3 * p->right_asis);
            const ug_vec3 b =
                psis ? middle(ug_vec3_of(y + 3 * p->left_psis), ug_vec3_of(y + 3 * p->right_psis))
                     : ug_vec3_of(y + 3 * p->sacrum);
            widths[count] = ug_vec3_distance(l, r);
            depths[count++] = ug_vec3_distance(middle(l, r), b);
        }
    }
    *width_m = ug_median(widths, count);
    *depth_m = ug_median(depths, count);
    return count > 0;
}

static void place(ug_attachments *attachments, ptrdiff_t marker, ug_vec3 at, double sigma_m)
{
    if (marker >= 0) {
        attachments->items[marker].local_m = at;
        attachments->items[marker].sigma_m = (ug_vec3){ sigma_m, sigma_m, sigma_m };
    }
}

bool ug_pelvis_regression(ug_skeleton *skeleton, ug_attachments *attachments,
                          const ug_samples *samples)
{
    static const double hip_sigma_m = 0.005, asis_sigma_m = 0.008, back_sigma_m = 0.015;
    const int l = ug_skeleton_find_role(skeleton, UG_ROLE_L_THIGH);
    const int r = ug_skeleton_find_role(skeleton, UG_ROLE_R_THIGH);
    if (l < 0 || r < 0 || skeleton->joints[l].parent != skeleton->joints[r].parent ||
        skeleton->joints[l].parent < 0) {
        return false;
    }
    const ug_pelvis_markers p = ug_pelvis_find(attachments, samples, skeleton->joints[l].parent);
    double width_m, depth_m;
    if (p.left_asis < 0 || p.right_asis < 0 ||
        ((p.left_psis < 0 || p.right_psis < 0) && p.sacrum < 0) ||
        !pelvis_size(&width_m, &depth_m, samples, &p)) {
        return false;
    }
    const ug_attachment *items = attachments->items;
    ug_joint *left = &skeleton->joints[l], *right = &skeleton->joints[r];
    const bool psis = p.left_psis >= 0 && p.right_psis >= 0;
    const ug_vec3 asis = middle(items[p.left_asis].local_m, items[p.right_asis].local_m);
    const ug_vec3 back = psis ? middle(items[p.left_psis].local_m, items[p.right_psis].local_m)
                              : items[p.sacrum].local_m;
    // axes of the pelvis in its segment's frame, from the template: side from the hips, forward
    // from the plane of the spines
    const ug_vec3 side =
        ug_vec3_unit(ug_vec3_sub(left->offset_m, right->offset_m), (ug_vec3){ 1.0, 0.0, 0.0 });
    const ug_vec3 depth = ug_vec3_sub(asis, back);
    const ug_vec3 forward = ug_vec3_unit(ug_vec3_madd(depth, -ug_vec3_dot(depth, side), side),
                                         (ug_vec3){ 0.0, 0.0, 1.0 });
    const ug_vec3 up = ug_vec3_cross(forward, side);
    const ug_vec3 centre = middle(left->offset_m, right->offset_m);
    const double hip_m = 0.33 * width_m + 0.0073;
    left->offset_m = ug_vec3_madd(centre, hip_m, side);
    right->offset_m = ug_vec3_madd(centre, -hip_m, side);
    left->offset_sigma_m = right->offset_sigma_m =
        (ug_vec3){ hip_sigma_m, hip_sigma_m, hip_sigma_m };
    const ug_vec3 front = ug_vec3_madd(ug_vec3_madd(centre, 0.30 * width_m + 0.0109, up),
                                       0.24 * depth_m + 0.0099, forward);
    const ug_vec3 rear = ug_vec3_madd(front, -depth_m, forward);
    place(attachments, p.left_asis, ug_vec3_madd(front, 0.5 * width_m, side), asis_sigma_m);
    place(attachments, p.right_asis, ug_vec3_madd(front, -0.5 * width_m, side), asis_sigma_m);
    if (psis) {
        const double half =
            0.5 * ug_vec3_distance(items[p.left_psis].local_m, items[p.right_psis].local_m);
        place(attachments, p.left_psis, ug_vec3_madd(rear, half, side), back_sigma_m);
        place(attachments, p.right_psis, ug_vec3_madd(rear, -half, side), back_sigma_m);
    }
    place(attachments, p.sacrum, rear, back_sigma_m);
    return true;
}
