// SPDX-License-Identifier: MIT
// Hands and feet of solvers/mannequin.h. Tables are fractions of the stature, set by eye.
#include "solvers/mannequin_body.h"

#include <math.h>

enum { HAND_AROUND = 16, FOOT_AROUND = 18 };

typedef struct hand_row {
    double at, width, thickness; ///< `at` of the length; half axes
} hand_row;

static const hand_row MITTEN[] = {
    { -0.06, 0, 0 },        { -0.03, 0.009, 0.009 },  { 0.02, 0.014, 0.0125 },
    { 0.18, 0.019, 0.012 }, { 0.40, 0.0225, 0.0115 }, { 0.60, 0.022, 0.0095 },
    { 0.78, 0.019, 0.008 }, { 0.91, 0.014, 0.0065 },  { 0.98, 0.007, 0.004 },
    { 1.00, 0, 0 },
};
static const hand_row PALM[] = {
    { -0.10, 0, 0 },         { -0.05, 0.009, 0.009 }, { 0.05, 0.014, 0.0125 },
    { 0.35, 0.019, 0.0115 }, { 0.75, 0.0225, 0.010 }, { 0.95, 0.022, 0.009 },
    { 1.05, 0.016, 0.006 },  { 1.08, 0, 0 },
};
enum {
    MITTEN_ROWS = sizeof MITTEN / sizeof MITTEN[0],
    PALM_ROWS = sizeof PALM / sizeof PALM[0],
    HAND_ROWS_MAX = MITTEN_ROWS
};

static const double HAND_LENGTH = 0.100;

// A row's place along the sole, from the ankle: a part of the stature (behind it), of the foot up
// to the ball, and of the toes.
typedef struct foot_row {
    double behind, foot, toes;
    double width, height; ///< half width, whole height over the sole
} foot_row;

static const foot_row FOOT[] = {
    { -0.038, 0, 0, 0, 0.022 },      { -0.036, 0, 0, 0.011, 0.030 }, { -0.030, 0, 0, 0.018, 0.038 },
    { -0.016, 0, 0, 0.0225, 0.048 }, { 0, 0.04, 0, 0.0235, 0.053 },  { 0, 0.30, 0, 0.024, 0.048 },
    { 0, 0.60, 0, 0.0265, 0.036 },   { 0, 0.85, 0, 0.029, 0.027 },   { 0, 1, 0.10, 0.029, 0.022 },
    { 0, 1, 0.45, 0.027, 0.018 },    { 0, 1, 0.75, 0.0215, 0.014 },  { 0, 1, 0.93, 0.012, 0.010 },
    { 0, 1, 1, 0, 0.006 },
};
enum { FOOT_ROWS = sizeof FOOT / sizeof FOOT[0] };

static const double BALL = 0.077, TOES = 0.040, BALL_HEIGHT = 0.0105, ANKLE_HEIGHT = 0.039;

// ---- hands

typedef struct hand {
    int joint;
    bool has_fingers;
    ug_vec3 along; ///< unit, from the wrist
    ug_vec3 wide;  ///< unit, towards the thumb
    double length_m;
} hand;

// Where its children are: knuckles when fingers follow, else the tip.
static hand find_hand(ug_mannequin *body, int joint, int forearm)
{
    const ug_skeleton *s = body->skeleton;
    const ug_vec3 wrist = body->world_m[joint];
    ug_vec3 knuckles = { 0, 0, 0 };
    double length = 0.0;
    int count = 0;
    for (size_t j = (size_t)joint + 1; j < s->joint_count; j++) {
        if (s->joints[j].parent == joint && body->reach_m[j] > 0.0) {
            knuckles = ug_vec3_add(knuckles, ug_vec3_sub(body->world_m[j], wrist));
            length = fmax(length, ug_mannequin_bone_m(body, (int)j));
            count++;
        }
    }
    hand h = { .joint = joint, .has_fingers = count >= 3 && length > 0.02 * body->size_m };
    h.along = ug_mannequin_direction(body, forearm, joint, ug_vec3_scale(body->up, -1.0));
    h.length_m = HAND_LENGTH * body->size_m;
    const int tip = ug_mannequin_tip(body, joint);
    if (h.has_fingers) {
        h.along = ug_vec3_unit(knuckles, h.along);
        h.length_m = fmin(length, 1.5 * h.length_m);
    } else if (tip >= 0) {
        const double far = ug_mannequin_bone_m(body, tip);
        h.along = ug_mannequin_direction(body, joint, tip, h.along);
        h.length_m = far > 0.3 * h.length_m && far < 2.0 * h.length_m ? far : h.length_m;
        body->shaped[tip] = far < 2.0 * h.length_m;
    }
    for (size_t j = (size_t)joint + 1; h.has_fingers && j < s->joint_count; j++) {
        body->shaped[j] = body->shaped[j] || s->joints[j].parent == joint;
    }
    ug_vec3 wide = ug_vec3_madd(body->forward, -ug_vec3_dot(body->forward, h.along), h.along);
    if (ug_vec3_norm(wide) < 0.2) { // held out in front: palms down
        wide = ug_vec3_cross(h.along, body->up);
    }
    h.wide = ug_vec3_unit(wide, body->left);
    return h;
}

static ug_status add_thumb(ug_mannequin *body, const hand *h, double large, ug_error *err)
{
    const ug_vec3 wrist = body->world_m[h->joint];
    const ug_vec3 root =
        ug_vec3_madd(ug_vec3_madd(wrist, 0.16 * h->length_m, h->along), 0.010 * large, h->wide);
    const ug_vec3 tip =
        ug_vec3_madd(ug_vec3_madd(wrist, 0.50 * h->length_m, h->along), 0.031 * large, h->wide);
    const ug_girth girth[] = { { 0.0, 0.0085 * large },
                               { 0.5, 0.0075 * large },
                               { 1.0, 0.0055 * large } };
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, h->joint, 0.0, 0.0);
    return ug_loft_add_limb(&body->loft, root, tip, girth, 3, &chain, err);
}

static ug_status add_hand(ug_mannequin *body, int joint, int forearm, ug_error *err)
{
    const hand h = find_hand(body, joint, forearm);
    const double large =
        body->size_m *
        (h.has_fingers ? 1.0 : fmin(fmax(h.length_m / (HAND_LENGTH * body->size_m), 0.7), 1.5));
    const hand_row *rows = h.has_fingers ? PALM : MITTEN;
    const size_t count = h.has_fingers ? PALM_ROWS : MITTEN_ROWS;
    const ug_vec3 flat = ug_vec3_cross(h.along, h.wide);
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, body->skeleton->joints[joint].parent, 0.0, 0.0);
    ug_chain_add(&chain, joint, 0.0, ug_mannequin_blend_m(body, joint, 0.0155 * body->size_m));
    ug_ring rings[HAND_ROWS_MAX];
    for (size_t i = 0; i < count; i++) {
        const double at = rows[i].at * h.length_m;
        rings[i] = (ug_ring){ .centre_m = ug_vec3_madd(body->world_m[joint], at, h.along),
                              .u = ug_vec3_scale(h.wide, rows[i].width * large),
                              .v = ug_vec3_scale(flat, rows[i].thickness * large),
                              .skin = ug_chain_skin(&chain, at) };
    }
    const ug_status status = ug_loft_add(&body->loft, rings, count, HAND_AROUND, err);
    return status != UG_OK || h.has_fingers ? status : add_thumb(body, &h, large, err);
}

ug_status ug_mannequin_add_hands(ug_mannequin *body, ug_error *err)
{
    ug_status status = UG_OK;
    for (int side = 0; side < 2 && status == UG_OK; side++) {
        const int joint = body->role[side ? UG_ROLE_R_HAND : UG_ROLE_L_HAND];
        const int forearm = body->role[side ? UG_ROLE_R_FOREARM : UG_ROLE_L_FOREARM];
        if (joint >= 0) {
            status = add_hand(body, joint, forearm, err);
        }
    }
    return status;
}

// ---- feet

typedef struct foot {
    int joint, toe;            ///< toe: −1 without
    ug_vec3 forward, up, left; ///< of the sole, unit; left × up = forward
    double ball_m, toes_m;     ///< from the ankle to the ball, from there to the tip
    double ankle_m;            ///< height over the sole
} foot;

static foot find_foot(ug_mannequin *body, int joint, int toe, int shin)
{
    const double size = body->size_m;
    foot f = { .joint = joint, .toe = toe, .ball_m = BALL * size, .toes_m = TOES * size };
    f.ankle_m = ANKLE_HEIGHT * size;
    f.up = ug_mannequin_direction(body, joint, shin, body->up);
    const int tip = toe >= 0 ? ug_mannequin_tip(body, toe) : ug_mannequin_tip(body, joint);
    const int ahead = toe >= 0 ? toe : tip; // where the foot points
    ug_vec3 along = body->forward;
    if (ahead >= 0) {
        const ug_vec3 to = ug_vec3_sub(body->world_m[ahead], body->world_m[joint]);
        const ug_vec3 level = ug_vec3_madd(to, -ug_vec3_dot(to, f.up), f.up);
        const double far = ug_vec3_norm(level);
        if (far > 0.3 * ug_vec3_norm(to) && far > 0.02 * size) {
            along = level;
            f.ball_m = toe >= 0 ? far : fmax(far - f.toes_m, 0.5 * far);
            f.toes_m = toe >= 0 ? f.toes_m : fmin(f.toes_m, 0.5 * far);
            f.ankle_m =
                fmin(fmax(BALL_HEIGHT * size - ug_vec3_dot(to, f.up), 0.02 * size), 0.08 * size);
        }
        (void)ug_mannequin_claim(body, ahead, joint);
    }
    if (toe >= 0 && tip >= 0) {
        const double far = ug_mannequin_bone_m(body, tip);
        f.toes_m = far > 0.3 * f.toes_m && far < 3.0 * f.toes_m ? far : f.toes_m;
        body->shaped[tip] = true;
    }
    const ug_vec3 level = ug_vec3_madd(along, -ug_vec3_dot(along, f.up), f.up);
    f.left = ug_vec3_unit(ug_vec3_cross(f.up, level), body->left);
    f.left = ug_vec3_unit(ug_vec3_madd(f.left, -ug_vec3_dot(f.left, f.up), f.up), body->left);
    f.forward = ug_vec3_cross(f.left, f.up);
    return f;
}

static ug_status add_foot(ug_mannequin *body, int joint, int toe, int shin, ug_error *err)
{
    const foot f = find_foot(body, joint, toe, shin);
    const double size = body->size_m;
    const double large = size * fmin(fmax(f.ball_m / (BALL * size), 0.7), 1.6);
    const double high = f.ankle_m / ANKLE_HEIGHT;
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, joint, 0.0, 0.0);
    ug_chain_add(&chain, toe, f.ball_m, fmin(0.02 * size, 0.45 * f.ball_m));
    ug_ring rings[FOOT_ROWS];
    for (int i = 0; i < FOOT_ROWS; i++) {
        const foot_row *row = &FOOT[i];
        const double at = row->behind * large + row->foot * f.ball_m + row->toes * f.toes_m;
        const double half = 0.5 * row->height * high;
        ug_vec3 centre = ug_vec3_madd(body->world_m[joint], half - f.ankle_m, f.up);
        centre = ug_vec3_madd(centre, at, f.forward);
        rings[i] = (ug_ring){ .centre_m = centre,
                              .u = ug_vec3_scale(f.left, row->width * large),
                              .v = ug_vec3_scale(f.up, half),
                              .skin = ug_chain_skin(&chain, at) };
    }
    return ug_loft_add(&body->loft, rings, FOOT_ROWS, FOOT_AROUND, err);
}

ug_status ug_mannequin_add_feet(ug_mannequin *body, ug_error *err)
{
    ug_status status = UG_OK;
    for (int side = 0; side < 2 && status == UG_OK; side++) {
        const int joint = body->role[side ? UG_ROLE_R_FOOT : UG_ROLE_L_FOOT];
        const int shin = body->role[side ? UG_ROLE_R_SHIN : UG_ROLE_L_SHIN];
        int toe = body->role[side ? UG_ROLE_R_TOE : UG_ROLE_L_TOE];
        if (toe >= 0 && !ug_skeleton_is_ancestor(body->skeleton, joint, toe)) {
            toe = -1;
        }
        if (joint >= 0) {
            status = add_foot(body, joint, toe, shin, err);
        }
    }
    return status;
}
