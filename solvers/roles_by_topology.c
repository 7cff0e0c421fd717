// SPDX-License-Identifier: MIT
#include "solvers/roles_by_topology.h"

#include "motion/kinematics.h"
#include "motion/role_dictionary.h"

#include <assert.h>
#include <stdlib.h>

static const double REACH_SLACK = 0.15;   // a pair's reaches differ by no more
static const double REACH_SHARE = 0.3;    // of the largest pair's: fingers are no arms
static const double STUB_SHARE = 0.5;     // a bone shorter than this of the longest is a stub
static const double SIDE_CERTAINTY = 0.1; // cosine below which left and right are a guess

enum { PATH_MAX_JOINTS = 64, LIMB_DEPTH_MIN = 3 };

// the subtree below a joint, along its longest path
typedef struct branch {
    int depth;    // real joints on the longest path, the joint itself included
    double reach; // metres from the joint to the end of that path
    int next;     // child on that path, -1 at its end
} branch;

typedef struct pair {
    int joint, a, b; // a and b are children of joint
    double reach;
} pair;

typedef struct path {
    size_t count;
    int joint[PATH_MAX_JOINTS];
    double bone_m[PATH_MAX_JOINTS]; // from joint[i] to the next point of the path
} path;

static bool is_end(const ug_joint *joint)
{
    return (joint->flags & UG_JOINT_END_SITE) != 0;
}

static void measure(branch *branches, const ug_skeleton *skeleton)
{
    const size_t n = skeleton->joint_count;
    for (size_t j = 0; j < n; j++) {
        branches[j] = (branch){ .depth = is_end(&skeleton->joints[j]) ? 0 : 1, .next = -1 };
    }
    for (size_t j = n; j-- > 0;) { // children stand behind their parents: they are finished here
        const int parent = skeleton->joints[j].parent;
        if (parent < 0) {
            continue;
        }
        branch *up = &branches[parent];
        const double reach = branches[j].reach + ug_vec3_norm(skeleton->joints[j].offset_m);
        if (up->next < 0 || reach >= up->reach) {
            up->reach = reach;
            up->next = (int)j;
        }
        const int own = is_end(&skeleton->joints[parent]) ? 0 : 1;
        if (branches[j].depth + own > up->depth) {
            up->depth = branches[j].depth + own;
        }
    }
}

// the farthest-reaching pair of like children of `joint`
static pair best_pair(const branch *branches, const ug_skeleton *skeleton, int joint)
{
    pair best = { .joint = -1 };
    const int n = (int)skeleton->joint_count;
    for (int a = joint + 1; a < n; a++) {
        if (skeleton->joints[a].parent != joint || branches[a].depth < LIMB_DEPTH_MIN) {
            continue;
        }
        for (int b = a + 1; b < n; b++) {
            if (skeleton->joints[b].parent != joint || branches[a].depth != branches[b].depth) {
                continue;
            }
            const double low = fmin(branches[a].reach, branches[b].reach);
            const double high = fmax(branches[a].reach, branches[b].reach);
            if (high - low <= REACH_SLACK * high && low > best.reach) {
                best = (pair){ joint, a, b, low };
            }
        }
    }
    return best;
}

static int depth_of(const ug_skeleton *skeleton, int joint)
{
    int depth = 0;
    while (joint >= 0) {
        joint = skeleton->joints[joint].parent;
        depth++;
    }
    return depth;
}

// legs = pair nearest to the root, arms = the next one outside the legs
static void find_pairs(pair *legs, pair *arms, const branch *branches, const ug_skeleton *skeleton)
{
    const int n = (int)skeleton->joint_count;
    double largest = 0.0;
    *legs = *arms = (pair){ .joint = -1 };
    for (int j = 0; j < n; j++) {
        largest = fmax(largest, best_pair(branches, skeleton, j).reach);
    }
    for (int pass = 0; pass < 2; pass++) {
        pair *found = pass == 0 ? legs : arms;
        int found_depth = 0;
        for (int j = 0; j < n; j++) {
            const pair p = best_pair(branches, skeleton, j);
            if (p.joint < 0 || p.reach <= REACH_SHARE * largest) {
                continue;
            }
            if (pass == 1 && (legs->joint < 0 || j == legs->joint ||
                              ug_skeleton_is_ancestor(skeleton, legs->a, j) ||
                              ug_skeleton_is_ancestor(skeleton, legs->b, j))) {
                continue;
            }
            const int depth = depth_of(skeleton, j);
            if (found->joint < 0 || depth < found_depth) {
                *found = p;
                found_depth = depth;
            }
        }
    }
}

static path follow(const branch *branches, const ug_skeleton *skeleton, int joint)
{
    path p = { 0 };
    while (joint >= 0 && p.count < PATH_MAX_JOINTS && !is_end(&skeleton->joints[joint])) {
        const int next = branches[joint].next;
        p.joint[p.count] = joint;
        p.bone_m[p.count] = next < 0 ? 0.0 : ug_vec3_norm(skeleton->joints[next].offset_m);
        p.count++;
        joint = next;
    }
    return p;
}

// index of the limb's first long bone; the two sides' lengths are averaged
static size_t first_bone(const path *a, const path *b, bool arm)
{
    const size_t n = a->count < b->count ? a->count : b->count;
    double mean[PATH_MAX_JOINTS];
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        mean[i] = 0.5 * (a->bone_m[i] + b->bone_m[i]);
        longest = mean[i] > mean[longest] ? i : longest;
    }
    if (arm) { // the longest bone is the upper arm, unless what follows is only a hand
        const bool upper = longest + 1 < n && mean[longest + 1] >= STUB_SHARE * mean[longest];
        return upper || longest == 0 ? longest : longest - 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (mean[i] >= STUB_SHARE * mean[longest]) {
            return i;
        }
    }
    return 0;
}

// roles in order along the limb, from its first long bone on; `before` names the joint above it
static void name_limb(ug_role *roles, const path *p, size_t first, const ug_role_part parts[],
                      size_t part_count, ug_side side)
{
    for (size_t k = 0; k < part_count && first + k < p->count; k++) {
        roles[p->joint[first + k]] = ug_role_of_part(parts[k], side);
    }
    if (parts[0] == UG_BODY_UPPER_ARM && first > 0) {
        roles[p->joint[first - 1]] = ug_role_of_part(UG_BODY_CLAVICLE, side);
    }
}

static void name_trunk(ug_role *roles, const branch *branches, const ug_skeleton *skeleton,
                       const pair *legs, const pair *arms)
{
    roles[legs->joint] = UG_ROLE_PELVIS;
    const int chest = arms->joint;
    if (chest < 0 || !ug_skeleton_is_ancestor(skeleton, legs->joint, chest)) {
        return;
    }
    for (int j = chest; j != legs->joint; j = skeleton->joints[j].parent) {
        roles[j] = UG_ROLE_SPINE;
    }
    int neck = -1;
    for (int j = chest + 1; j < (int)skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent == chest && j != arms->a && j != arms->b &&
            !is_end(&skeleton->joints[j]) &&
            (neck < 0 || branches[j].reach > branches[neck].reach)) {
            neck = j;
        }
    }
    while (neck >= 0) { // up to where the chain ends or branches into a face
        int child = -1, children = 0;
        for (int j = neck + 1; j < (int)skeleton->joint_count; j++) {
            if (skeleton->joints[j].parent == neck && !is_end(&skeleton->joints[j])) {
                child = j;
                children++;
            }
        }
        roles[neck] = children == 1 ? UG_ROLE_NECK : UG_ROLE_HEAD;
        neck = children == 1 ? child : -1;
    }
}

// which of two points lies on the body's left, judged by the feet's heading
typedef struct side_vote {
    int a, b;     // joints compared
    int ankle[2]; // of both legs, and what they point at
    int ball[2];
    double sum, size; // sum of (P_a - P_b) . left, and of the lengths
} side_vote;

static void vote(side_vote *v, const ug_vec3 *at)
{
    ug_vec3 forward = { 0, 0, 0 };
    for (int s = 0; s < 2; s++) {
        forward = ug_vec3_add(forward, ug_vec3_sub(at[v->ball[s]], at[v->ankle[s]]));
    }
    forward.y = 0.0;
    forward = ug_vec3_unit(forward, (ug_vec3){ 0, 0, 0 });
    const ug_vec3 left = ug_vec3_cross((ug_vec3){ 0, 1, 0 }, forward);
    const ug_vec3 apart = ug_vec3_sub(at[v->a], at[v->b]);
    v->sum += ug_vec3_dot(apart, left);
    v->size += ug_vec3_norm(apart);
}

static ug_status count_votes(side_vote *legs, side_vote *arms, const ug_skeleton *skeleton,
                             const ug_clip *clip, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    ug_quat *turn = malloc(n * sizeof *turn);
    ug_vec3 *at = malloc(n * sizeof *at);
    ug_status status = UG_OK;
    if (!turn || !at) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else if (clip && clip->frame_count > 0) {
        for (size_t f = 0; f < clip->frame_count; f++) {
            ug_clip_forward(turn, at, skeleton, clip, f);
            vote(legs, at);
            vote(arms, at);
        }
    } else {
        ug_rest_forward(turn, at, skeleton);
        vote(legs, at);
        vote(arms, at);
    }
    free(turn);
    free(at);
    return status;
}

static void name_limbs(ug_role *roles, const path p[2], const ug_role_part parts[],
                       size_t part_count, bool a_is_left)
{
    const size_t first = first_bone(&p[0], &p[1], parts[0] == UG_BODY_UPPER_ARM);
    for (int s = 0; s < 2; s++) {
        const bool left = (s == 0) == a_is_left;
        name_limb(roles, &p[s], first, parts, part_count, left ? UG_SIDE_LEFT : UG_SIDE_RIGHT);
    }
}

static int point_after(const path *p, size_t index, const branch *branches)
{
    const size_t last = p->count - 1;
    if (index < last) {
        return p->joint[index + 1];
    }
    const int next = branches[p->joint[last]].next; // an End Site, if anything
    return next >= 0 ? next : p->joint[last];
}

static ug_status name_body(ug_role *roles, ug_topology_report *seen, const branch *branches,
                           const ug_skeleton *skeleton, const ug_clip *clip, ug_error *err)
{
    static const ug_role_part LEG[] = { UG_BODY_THIGH, UG_BODY_SHIN, UG_BODY_FOOT, UG_BODY_TOE };
    static const ug_role_part ARM[] = { UG_BODY_UPPER_ARM, UG_BODY_FOREARM, UG_BODY_HAND };
    pair legs, arms;
    find_pairs(&legs, &arms, branches, skeleton);
    if (legs.joint < 0) {
        return UG_OK;
    }
    const path leg[2] = { follow(branches, skeleton, legs.a), follow(branches, skeleton, legs.b) };
    path arm[2] = { 0 };
    side_vote leg_vote = { .a = legs.a, .b = legs.b };
    side_vote arm_vote = { .a = legs.a, .b = legs.b };
    const size_t thigh = first_bone(&leg[0], &leg[1], false);
    for (int s = 0; s < 2; s++) {
        const size_t foot = thigh + 2 < leg[s].count ? thigh + 2 : leg[s].count - 1;
        leg_vote.ankle[s] = arm_vote.ankle[s] = leg[s].joint[foot];
        leg_vote.ball[s] = arm_vote.ball[s] = point_after(&leg[s], foot, branches);
    }
    leg_vote.a = leg[0].joint[thigh];
    leg_vote.b = leg[1].joint[thigh];
    if (arms.joint >= 0) { // by the hands: shoulders coincide in some skeletons
        for (int s = 0; s < 2; s++) {
            arm[s] = follow(branches, skeleton, s == 0 ? arms.a : arms.b);
        }
        const size_t upper = first_bone(&arm[0], &arm[1], true);
        arm_vote.a = arm[0].joint[upper + 2 < arm[0].count ? upper + 2 : arm[0].count - 1];
        arm_vote.b = arm[1].joint[upper + 2 < arm[1].count ? upper + 2 : arm[1].count - 1];
    }
    const ug_status status = count_votes(&leg_vote, &arm_vote, skeleton, clip, err);
    if (status != UG_OK) {
        return status;
    }
    name_trunk(roles, branches, skeleton, &legs, &arms);
    name_limbs(roles, leg, LEG, 4, leg_vote.sum >= 0.0);
    seen->legs_found = true;
    seen->legs_sided = fabs(leg_vote.sum) > SIDE_CERTAINTY * leg_vote.size;
    if (arms.joint >= 0) {
        name_limbs(roles, arm, ARM, 3, arm_vote.sum >= 0.0);
        seen->arms_found = true;
        seen->arms_sided = fabs(arm_vote.sum) > SIDE_CERTAINTY * arm_vote.size;
    }
    return UG_OK;
}

ug_status ug_roles_by_topology(ug_role *roles, ug_topology_report *report,
                               const ug_skeleton *skeleton, const ug_clip *clip, ug_error *err)
{
    assert(roles && skeleton && (!clip || clip->joint_count == skeleton->joint_count));
    const size_t n = skeleton->joint_count;
    ug_topology_report seen = { 0 };
    ug_status status = UG_OK;
    for (size_t j = 0; j < n; j++) {
        roles[j] = UG_ROLE_NONE;
    }
    branch *branches = calloc(n > 0 ? n : 1, sizeof *branches);
    if (!branches) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else {
        measure(branches, skeleton);
        status = name_body(roles, &seen, branches, skeleton, clip, err);
    }
    free(branches);
    if (report) {
        *report = seen;
    }
    return status;
}
