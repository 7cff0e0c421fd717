// SPDX-License-Identifier: MIT
// What a figure on a contact sheet is made of: rounded shapes on the joints of a skeleton.
//
// A part is the hull of a few spheres that are fixed to joints: two for a limb, more for trunk and
// feet. Of a biped (roles are set) the widths are those of a mannequin; anything else gets bones
// as wide as they are long. Only for looking at: widths are made up, joints are where they are.
#pragma once

#include "motion/skeleton.h"
#include "pipeline/stages/footing.h"

enum { UG_SHEET_SPHERES_MAX = 4 };

typedef enum ug_sheet_side { UG_SHEET_MIDDLE = 0, UG_SHEET_LEFT, UG_SHEET_RIGHT } ug_sheet_side;

typedef struct ug_sheet_part {
    int count;
    int joint[UG_SHEET_SPHERES_MAX];
    ug_vec3 local_m[UG_SHEET_SPHERES_MAX]; ///< sphere's centre in the joint's frame
    double radius_m[UG_SHEET_SPHERES_MAX];
    ug_sheet_side side;
} ug_sheet_part;

typedef struct ug_sheet_body {
    size_t part_count;
    ug_sheet_part *parts; ///< owned
    bool is_biped;
    double size_m; ///< about the height of a biped; else the extent of the pose
} ug_sheet_body;

/// @param world_m  (joint_count) joint centres of some pose of the motion: bones are as long as
///                 there, since animated translations may replace the skeleton's offsets
/// @param footing  NULL or not found: feet are plain bones
/// @return         ug_sheet_body_destroy() it; NULL on failure (UG_E_NOMEM)
ug_sheet_body *ug_sheet_body_create(const ug_skeleton *skeleton, const ug_vec3 *world_m,
                                    const ug_footing *footing, ug_error *err);

/// NULL is fine.
void ug_sheet_body_destroy(ug_sheet_body *body);

/// Side of every joint: by its role, else by what hangs on it or it hangs on, else by its name.
///
/// @param sides  (joint_count) written
void ug_sheet_sides(ug_sheet_side *sides, const ug_skeleton *skeleton);

/// Side that a name tells ("LFHD", "RightArm", "hand_l"), and the name of its counterpart. A
/// leading L or R counts only with a counterpart, which the caller looks for.
///
/// @param mirror  (capacity) written: the other side's name; may be NULL
UG_CHECKED ug_sheet_side ug_sheet_side_of_name(const char *name, char *mirror, size_t capacity);

/// The way a pose faces, from pairs of left and right points: horizontal and as long as the pairs
/// are apart; 0 when there are none.
///
/// @param left_m, right_m  sums over the pairs
ug_vec3 ug_sheet_facing(ug_vec3 left_m, ug_vec3 right_m);
