// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_select.h"

#include "motion/kinematics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { CANDIDATES = 600 };

size_t ug_sheet_select_even(size_t *frames, size_t count, size_t first, size_t last)
{
    assert(first <= last);
    const size_t there = last - first + 1;
    count = count < there ? count : there;
    for (size_t k = 0; k < count; k++) {
        const double share = count > 1 ? (double)k / (double)(count - 1) : 0.5;
        frames[k] = first + (size_t)(share * (double)(last - first) + 0.5);
    }
    return count;
}

// Joints of one frame as seen from the root, heights from the floor. @return false: not finite
static bool describe(ug_vec3 *pose, ug_quat *q, const ug_skeleton *skeleton, const ug_clip *clip,
                     size_t frame)
{
    ug_clip_forward(q, pose, skeleton, clip, frame);
    const ug_vec3 root = pose[0];
    bool finite = true;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        pose[j].x -= root.x;
        pose[j].z -= root.z;
        finite = finite && ug_vec3_is_finite(pose[j]);
    }
    return finite;
}

static double apart(const ug_vec3 *a, const ug_vec3 *b, size_t count)
{
    double square = 0.0;
    for (size_t j = 0; j < count; j++) {
        const ug_vec3 d = ug_vec3_sub(a[j], b[j]);
        square += ug_vec3_dot(d, d);
    }
    return square;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// Farthest first. gap[c]: squared distance to the nearest chosen one, negative for no candidate.
static size_t farthest_first(size_t *frames, size_t count, double *gap, const ug_vec3 *poses,
                             const size_t *at, size_t candidates, size_t joints)
{
    size_t n = 0;
    while (n < count) {
        size_t best = candidates;
        for (size_t c = 0; c < candidates; c++) {
            if (gap[c] >= 0.0 && (best == candidates || gap[c] > gap[best])) {
                best = c;
            }
        }
        if (best == candidates || (n > 0 && gap[best] <= 0.0)) {
            break;
        }
        frames[n++] = at[best];
        for (size_t c = 0; c < candidates; c++) {
            const double d = apart(poses + c * joints, poses + best * joints, joints);
            // the first gaps were only to find the first frame
            gap[c] = gap[c] < 0.0 ? -1.0 : n == 1 ? d : fmin(gap[c], d);
        }
    }
    return n;
}

ug_status ug_sheet_select_keys(size_t *frames, size_t *found, size_t count,
                               const ug_skeleton *skeleton, const ug_clip *clip, size_t first,
                               size_t last, ug_error *err)
{
    assert(first <= last && last < clip->frame_count && skeleton->joint_count > 0);
    const size_t joints = skeleton->joint_count;
    size_t at[CANDIDATES];
    double gap[CANDIDATES];
    const size_t candidates = ug_sheet_select_even(at, CANDIDATES, first, last);
    ug_vec3 *poses = malloc((candidates + 1) * joints * sizeof *poses);
    ug_quat *q = malloc(joints * sizeof *q);
    ug_status status = UG_OK;
    *found = 0;
    if (!poses || !q) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    ug_vec3 *mean = poses + candidates * joints;
    size_t usable = 0;
    for (size_t j = 0; j < joints; j++) {
        mean[j] = (ug_vec3){ 0 };
    }
    for (size_t c = 0; c < candidates; c++) {
        ug_vec3 *pose = poses + c * joints;
        gap[c] = describe(pose, q, skeleton, clip, at[c]) ? 0.0 : -1.0;
        for (size_t j = 0; j < joints && gap[c] >= 0.0; j++) {
            mean[j] = ug_vec3_add(mean[j], pose[j]);
        }
        usable += gap[c] >= 0.0;
    }
    for (size_t j = 0; j < joints && usable > 0; j++) {
        mean[j] = ug_vec3_scale(mean[j], 1.0 / (double)usable);
    }
    for (size_t c = 0; c < candidates; c++) {
        gap[c] = gap[c] < 0.0 ? -1.0 : apart(poses + c * joints, mean, joints);
    }
    *found = farthest_first(frames, count, gap, poses, at, candidates, joints);
    qsort(frames, *found, sizeof *frames, ascending);
done:
    free(poses);
    free(q);
    return status;
}
