// SPDX-License-Identifier: MIT
// Unit and vertical of a skeleton and its motion, from what human bodies look like.
//
// Up: over a clip a head is above the feet, whatever the person does. Unit: thigh and shin of a
// grown person, with the way from the pelvis' joint to the hip, are 0.93 m or so long. Metres,
// centimetres and millimetres lie so far apart that children and giants fit; inches and the CMU
// database's 1/0.45 inch only where the body would be a grown person's.
#include "formats/infer.h"

#include "motion/kinematics.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEG_M = 0.93; // pelvis' joint to ankle, along the bones
enum { SAMPLES_MAX = 256 };

// The three points that both questions are about; -1 where not found.
typedef struct body {
    int head, feet[2];
    int pelvis; // where the two legs meet
} body;

// The name without namespace, lower case, letters only.
static void plain_name(char out[64], const char *name)
{
    for (const char *p = name; *p; p++) {
        name = *p == ':' || *p == '|' ? p + 1 : name;
    }
    size_t n = 0;
    for (; *name && n < 63; name++) {
        if (isalpha((unsigned char)*name)) {
            out[n++] = (char)tolower((unsigned char)*name);
        }
    }
    out[n] = '\0';
}

static bool is_foot(const char *plain)
{
    static const char *const WORDS[] = { "foot", "ankle", "talus", "calcn", "toe" };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strstr(plain, WORDS[i])) {
            return strncmp(plain, "ik", 2) != 0 && !strstr(plain, "footik");
        }
    }
    return false;
}

static bool has_foot_above(const ug_skeleton *skeleton, const bool *foot, int joint)
{
    for (int p = skeleton->joints[joint].parent; p >= 0; p = skeleton->joints[p].parent) {
        if (foot[p]) {
            return true;
        }
    }
    return false;
}

// Exactly two topmost feet, and a topmost head; else -1.
static void find_by_name(body *b, const ug_skeleton *skeleton, bool *foot)
{
    int count = 0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        char plain[64];
        const bool site = skeleton->joints[j].flags & UG_JOINT_END_SITE;
        plain_name(plain, skeleton->joints[j].name);
        foot[j] = !site && is_foot(plain);
        if (foot[j] && !has_foot_above(skeleton, foot, (int)j)) {
            b->feet[count < 2 ? count : 1] = (int)j;
            count++;
        }
        if (b->head < 0 && !site && strstr(plain, "head")) {
            b->head = (int)j;
        }
    }
    if (count != 2) {
        b->feet[0] = b->feet[1] = -1;
    }
}

static void find_by_role(body *b, const ug_skeleton *skeleton)
{
    b->head = ug_skeleton_find_role(skeleton, UG_ROLE_HEAD);
    b->feet[0] = ug_skeleton_find_role(skeleton, UG_ROLE_L_FOOT);
    b->feet[1] = ug_skeleton_find_role(skeleton, UG_ROLE_R_FOOT);
}

static double bone(const ug_skeleton *skeleton, int joint)
{
    return ug_vec3_norm(skeleton->joints[joint].offset_m);
}

static int common_ancestor(const ug_skeleton *skeleton, int a, int b)
{
    while (a != b && a >= 0 && b >= 0) {
        if (a > b) {
            a = skeleton->joints[a].parent;
        } else {
            b = skeleton->joints[b].parent;
        }
    }
    return a == b ? a : -1;
}

static double path_length(const ug_skeleton *skeleton, int from, int to)
{
    double length = 0.0;
    for (int j = to; j > from; j = skeleton->joints[j].parent) {
        length += bone(skeleton, j);
    }
    return length;
}

// ---- without names: two equal legs at the first fork, two equal arms at the next

typedef struct limb {
    int deepest;  // last joint of the longest path below (End Sites among them)
    double reach; // its length
    int depth;    // its joints
} limb;

static void measure_limbs(limb *limbs, const ug_skeleton *skeleton)
{
    for (size_t j = skeleton->joint_count; j-- > 0;) {
        limb *own = &limbs[j];
        if (own->depth == 0) {
            *own = (limb){ (int)j, 0.0, 1 };
        }
        const int parent = skeleton->joints[j].parent;
        const double reach = own->reach + bone(skeleton, (int)j);
        if (parent >= 0 && (limbs[parent].depth == 0 || reach > limbs[parent].reach)) {
            limbs[parent] = (limb){ own->deepest, reach, own->depth + 1 };
        }
    }
}

// Two children of `joint` whose limbs are as good as equal and at least 3 joints long.
static bool find_pair(int pair[2], const ug_skeleton *skeleton, const limb *limbs, int joint,
                      double shortest)
{
    const size_t n = skeleton->joint_count;
    for (size_t a = (size_t)joint + 1; a < n; a++) {
        if (skeleton->joints[a].parent != joint || limbs[a].depth < 3) {
            continue;
        }
        const double ra = limbs[a].reach + bone(skeleton, (int)a);
        for (size_t b = a + 1; b < n && ra > shortest; b++) {
            if (skeleton->joints[b].parent != joint || limbs[b].depth != limbs[a].depth) {
                continue;
            }
            const double rb = limbs[b].reach + bone(skeleton, (int)b);
            if (fabs(ra - rb) <= 0.15 * fmax(ra, rb)) {
                pair[0] = (int)a;
                pair[1] = (int)b;
                return true;
            }
        }
    }
    return false;
}

// The ankle: behind the longest two bones in a row.
static int ankle_of(const ug_skeleton *skeleton, const limb *limbs, int leg)
{
    const int top = skeleton->joints[leg].parent;
    int best = limbs[leg].deepest;
    double longest = 0.0;
    for (int j = limbs[leg].deepest; j != leg && j != top; j = skeleton->joints[j].parent) {
        const int above = skeleton->joints[j].parent;
        const double both = bone(skeleton, j) + (above == leg ? 0.0 : bone(skeleton, above));
        if (both > longest) {
            longest = both;
            best = j;
        }
    }
    return best;
}

static void find_by_shape(body *b, const ug_skeleton *skeleton, limb *limbs)
{
    measure_limbs(limbs, skeleton);
    double reach = 0.0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        reach = skeleton->joints[j].parent < 0 ? fmax(reach, limbs[j].reach) : reach;
    }
    int pair[2], legs = -1;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (!find_pair(pair, skeleton, limbs, (int)j, 0.3 * reach)) {
            continue;
        }
        if (legs < 0) {
            legs = (int)j;
            b->feet[0] = ankle_of(skeleton, limbs, pair[0]);
            b->feet[1] = ankle_of(skeleton, limbs, pair[1]);
        } else if (ug_skeleton_is_ancestor(skeleton, legs, (int)j) &&
                   !ug_skeleton_is_ancestor(skeleton, (int)j, b->feet[0])) {
            b->head = (int)j; // the chest will do for up
            return;
        }
    }
    *b = (body){ -1, { -1, -1 }, -1 };
}

static bool is_found(const body *b)
{
    return b->head >= 0 && b->feet[0] >= 0 && b->feet[1] >= 0;
}

static ug_status find_body(body *b, const ug_skeleton *skeleton, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    bool *foot = calloc(n + 1, sizeof *foot);
    limb *limbs = calloc(n + 1, sizeof *limbs);
    ug_status status = UG_OK;
    *b = (body){ -1, { -1, -1 }, -1 };
    if (!foot || !limbs) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else {
        find_by_role(b, skeleton);
        if (!is_found(b)) {
            *b = (body){ -1, { -1, -1 }, -1 };
            find_by_name(b, skeleton, foot);
        }
        if (!is_found(b)) {
            *b = (body){ -1, { -1, -1 }, -1 };
            find_by_shape(b, skeleton, limbs);
        }
        if (is_found(b)) {
            b->pelvis = common_ancestor(skeleton, b->feet[0], b->feet[1]);
        }
    }
    free(foot);
    free(limbs);
    return status;
}

// ---- up

static ug_vec3 body_axis(const body *b, const ug_vec3 *world)
{
    const ug_vec3 feet = ug_vec3_lerp(world[b->feet[0]], world[b->feet[1]], 0.5);
    return ug_vec3_unit(ug_vec3_sub(world[b->head], feet), (ug_vec3){ 0, 0, 0 });
}

// The largest component of `mean`, and by how much it leads the next.
static double choose_up(char up[3], ug_vec3 mean)
{
    const double m[3] = { mean.x, mean.y, mean.z };
    int best = 0;
    for (int i = 1; i < 3; i++) {
        best = fabs(m[i]) > fabs(m[best]) ? i : best;
    }
    double next = 0.0;
    for (int i = 0; i < 3; i++) {
        next = i != best ? fmax(next, fabs(m[i])) : next;
    }
    (void)snprintf(up, 3, "%c%c", m[best] < 0 ? '-' : '+', 'X' + best);
    return fabs(m[best]) - next;
}

static ug_status infer_up(ug_inferred_frame *out, const body *b, const ug_skeleton *skeleton,
                          const ug_clip *clip, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *world = malloc(n * sizeof *world);
    ug_status status = UG_OK;
    if (!q || !world) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    const size_t frames = clip ? clip->frame_count : 0;
    const size_t step = frames / SAMPLES_MAX + 1;
    ug_vec3 sum = { 0, 0, 0 };
    size_t count = 0;
    for (size_t f = 0; f < frames; f += step) {
        ug_clip_forward(q, world, skeleton, clip, f);
        sum = ug_vec3_add(sum, body_axis(b, world));
        count++;
    }
    if (count > 0) {
        out->up_margin = choose_up(out->up, ug_vec3_scale(sum, 1.0 / (double)count));
    }
    if (out->up_margin < 0.3) { // nobody stands: how was the rig drawn?
        ug_rest_forward(q, world, skeleton);
        out->up_margin = choose_up(out->up, body_axis(b, world)) > 0.8 ? 0.3 : 0.0;
    }
    if (out->up_margin < 0.3) {
        status = ug_fail(err, UG_E_AMBIGUOUS,
                         "the vertical is not declared, and head and feet do not show it: say it "
                         "with --up, e.g. --up +Y");
    }
done:
    free(q);
    free(world);
    return status;
}

// ---- unit

static const struct {
    const char *name;
    double metres;
    double low, high; // leg in metres for which the unit is believed
    double margin;
} UNITS[] = {
    { "m", 1.0, 0.42, 1.60, 1.0 },
    { "cm", 0.01, 0.42, 1.60, 1.0 },
    { "mm", 0.001, 0.42, 1.60, 1.0 },
    { "in", 0.0254, 0.78, 1.06, 0.5 },
    { "in/0.45", 0.0254 / 0.45, 0.72, 1.20, 0.5 },
};

static ug_status infer_unit(ug_inferred_frame *out, const body *b, const ug_skeleton *skeleton,
                            ug_error *err)
{
    const double leg = 0.5 * (path_length(skeleton, b->pelvis, b->feet[0]) +
                              path_length(skeleton, b->pelvis, b->feet[1]));
    if (!(leg > 1e-9) || leg > 1e9) {
        return ug_fail(err, UG_E_AMBIGUOUS,
                       "the unit is not declared, and legs of length %g do not show it: say it "
                       "with --unit, e.g. --unit cm",
                       leg);
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        const double leg_m = leg * UNITS[i].metres;
        if (leg_m >= UNITS[i].low && leg_m <= UNITS[i].high) {
            (void)snprintf(out->unit, sizeof out->unit, "%s", UNITS[i].name);
            out->unit_margin = UNITS[i].margin;
            return UG_OK;
        }
    }
    // three digits, so that rigs of one family get one scale
    char text[32];
    (void)snprintf(text, sizeof text, "%.2e", LEG_M / leg);
    (void)snprintf(out->unit, sizeof out->unit, "scaled");
    out->unit_m = strtod(text, NULL);
    out->unit_margin = 0.2;
    return UG_OK;
}

ug_status ug_infer_from_motion(ug_inferred_frame *out, const ug_skeleton *skeleton,
                               const ug_clip *clip, bool need_up, bool need_unit, ug_error *err)
{
    assert(out && skeleton);
    *out = (ug_inferred_frame){ .up = "", .unit = "" };
    body b;
    ug_status status = find_body(&b, skeleton, err);
    if (status == UG_OK && !is_found(&b)) {
        return ug_fail(err, UG_E_AMBIGUOUS,
                       "%s not declared, and no body with head and feet shows it: say it with %s",
                       need_up && need_unit ? "unit and vertical are"
                       : need_up            ? "the vertical is"
                                            : "the unit is",
                       need_up && need_unit ? "--unit and --up, e.g. --unit cm --up +Y"
                       : need_up            ? "--up, e.g. --up +Y"
                                            : "--unit, e.g. --unit cm");
    }
    if (status == UG_OK && need_up) {
        status = infer_up(out, &b, skeleton, clip, err);
    }
    if (status == UG_OK && need_unit) {
        status = infer_unit(out, &b, skeleton, err);
    }
    return status;
}
