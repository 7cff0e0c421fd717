// SPDX-License-Identifier: MIT
// Any bytes as BVH: refused, or a sound take that survives being written and read again.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "motion/kinematics.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

static void check_take(const ug_take *take)
{
    ug_error err = { 0 };
    demand(ug_skeleton_check(take->skeleton, &err) == UG_OK, err.message);
    const ug_clip *clip = take->clip;
    demand(clip->joint_count == take->skeleton->joint_count, "joint counts agree");
    demand(ug_rate_is_valid(clip->rate), "rate");
    for (size_t i = 0; i < clip->frame_count * clip->joint_count; i++) {
        const ug_quat q = clip->rotations[i];
        demand(fabs(ug_quat_dot(q, q) - 1.0) < 1e-12, "unit rotations");
    }
    for (size_t i = 0; i < clip->frame_count * clip->translated_count; i++) {
        demand(ug_vec3_is_finite(clip->translations[i]), "finite translations");
    }
    for (size_t i = 1; i < clip->translated_count; i++) {
        demand(clip->translated_joints[i - 1] < clip->translated_joints[i], "ascending");
    }
}

// Same frames and joints, same rotations. The writer goes depth first, as the reader did.
static void check_round_trip(const ug_take *take)
{
    ug_bytes text = { 0 };
    ug_error err = { 0 };
    ug_take back;
    ug_take_init(&back);
    FILE *stream = open_memstream((char **)&text.data, &text.size);
    demand(stream != NULL, "a stream");
    ug_warnings warnings = { 0 };
    demand(ug_bvh_print(stream, take, NULL, &warnings, &err) == UG_OK, err.message);
    static const char zeros[64];
    demand(fwrite(zeros, 1, sizeof zeros, stream) == sizeof zeros, "padding");
    fclose(stream);
    text.size -= sizeof zeros;
    const ug_read_opts opts = { .unit = "m", .up = "+Y" };
    demand(ug_bvh_parse(&back, &text, NULL, &opts, NULL, &err) == UG_OK, err.message);
    free(text.data);
    const ug_clip *a = take->clip, *b = back.clip;
    demand(a->frame_count == b->frame_count && a->joint_count == b->joint_count, "counts");
    demand(ug_rate_equal(a->rate, b->rate) || ug_warnings_count(&warnings, "bvh_rate_rounded"),
           "rate");
    for (size_t i = 0; i < a->frame_count * a->joint_count; i++) {
        demand(ug_quat_angle(a->rotations[i], b->rotations[i]) < 1e-7, "rotations");
    }
    ug_take_fini(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ug_bytes bytes = { calloc(1, size + 64), size, size + 64 };
    if (!bytes.data) {
        return 0;
    }
    memcpy(bytes.data, data, size);
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    ug_take_init(&take);
    const ug_read_opts opts = { .unit = "m", .up = "+Y" };
    if (ug_bvh_parse(&take, &bytes, NULL, &opts, &warnings, &err) == UG_OK) {
        check_take(&take);
        check_round_trip(&take);
        ug_take_fini(&take);
        // and what unit and vertical would be inferred
        err = (ug_error){ 0 };
        if (ug_bvh_parse(&take, &bytes, NULL, NULL, &warnings, &err) == UG_OK) {
            check_take(&take);
            ug_take_fini(&take);
        } else {
            demand(err.status == UG_E_AMBIGUOUS || err.status == UG_E_DATA, err.message);
        }
    } else {
        demand(err.message[0] != '\0', "a refusal has a message");
        demand(!take.skeleton && !take.clip, "nothing is left of it");
    }
    free(bytes.data);
    return 0;
}
