// SPDX-License-Identifier: MIT
// What three.js makes of a BVH that we wrote, against our own joint positions.
#pragma once

#include "formats/bvh.h"
#include "motion/kinematics.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Folder of the node tests, from the path of the test's own source ("…/tests/real/test_x.c").
static inline void three_folder(char out[4096], const char *source)
{
    const char *tests = strstr(source, "/tests/");
    const char *next;
    while (tests && (next = strstr(tests + 1, "/tests/"))) {
        tests = next;
    }
    (void)snprintf(out, 4096, "%.*s/tests/node", tests ? (int)(tests - source) : 0, source);
}

/// Are node and the packages there? Says what is missing when not.
static inline bool three_is_here(const char *folder)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/node_modules/three/package.json", folder);
    if (system("node --version >/dev/null 2>&1") != 0) {
        printf("skipped: node is not installed\n");
        return false;
    }
    if (access(path, R_OK) != 0) {
        printf("skipped: run `npm ci` in tests/node\n");
        return false;
    }
    return true;
}

/// Write `take` to `path`, let three.js read it, and return the largest distance between a joint's
/// position there and here, of the skeleton's size; HUGE_VAL when anything fails.
///
/// The skeleton must be in the order of the file (depth first) and have one root, since that is
/// all three.js reads.
static inline double three_distance(const ug_take *take, const char *path, bool offset_add,
                                    const char *folder)
{
    const ug_write_opts opts = { .unit = "m", .up = "+Y", .bvh_offset_add = offset_add };
    ug_error err = { 0 };
    if (ug_bvh_write(path, take, &opts, NULL, &err) != UG_OK) {
        printf("%s\n", err.message);
        return HUGE_VAL;
    }
    const size_t joints = take->skeleton->joint_count, frames = take->clip->frame_count;
    const size_t step = frames / 200 + 1;
    char command[9000];
    (void)snprintf(command, sizeof command, "cd '%s' && node bvh_positions.mjs '%s' %zu", folder,
                   path, step);
    FILE *pipe = popen(command, "r");
    ug_quat *q = malloc(joints * sizeof *q);
    ug_vec3 *world = malloc(joints * sizeof *world);
    double worst = pipe && q && world ? 0.0 : HUGE_VAL;
    for (size_t f = 0; f < frames && worst < HUGE_VAL; f += step) {
        ug_clip_forward(q, world, take->skeleton, take->clip, f);
        for (size_t j = 0; j < joints; j++) {
            ug_vec3 there;
            if (fscanf(pipe, "%lf %lf %lf", &there.x, &there.y, &there.z) != 3) {
                printf("three.js: nothing at frame %zu, joint %zu\n", f, j);
                worst = HUGE_VAL;
                break;
            }
            worst = fmax(worst, ug_vec3_distance(there, world[j]));
        }
    }
    double extra;
    if (worst < HUGE_VAL && fscanf(pipe, "%lf", &extra) == 1) {
        printf("three.js: more positions than joints\n");
        worst = HUGE_VAL;
    }
    if (pipe) {
        pclose(pipe);
    }
    free(q);
    free(world);
    return worst / ug_skeleton_size_m(take->skeleton);
}
