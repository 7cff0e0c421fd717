// SPDX-License-Identifier: MIT
#include "pipeline/stages/footing.h"

#include "motion/kinematics.h"
#include "solvers/floor.h"
#include "solvers/foot_model.h"
#include "solvers/retarget_motion.h"

// Contacts are looked for on a copy that stands level on height 0, as retargeting does.
static ug_status detect_contacts(ug_footing *footing, const ug_take *take, const ug_body_map *body,
                                 const ug_floor *floor, double leg_m, ug_error *err)
{
    ug_foot_model feet[2];
    ug_clip *level = ug_clip_copy(take->clip);
    if (!level) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (floor->found) {
        ug_floor_level(level, take->skeleton, floor);
    }
    ug_status status = ug_foot_models_from_clip(feet, take->skeleton, body, level, err);
    if (status == UG_OK) {
        status =
            ug_planted_contacts_detect(&footing->contacts, take->skeleton, level, feet, leg_m, err);
    }
    ug_clip_destroy(level);
    return status;
}

static bool roots_move(const ug_take *take)
{
    for (size_t j = 0; j < take->skeleton->joint_count; j++) {
        if (take->skeleton->joints[j].parent < 0 &&
            ug_clip_translation_column(take->clip, (int)j) < 0) {
            return false;
        }
    }
    return true;
}

ug_status ug_footing_find(ug_footing *footing, const ug_take *take, bool detect, ug_error *err)
{
    *footing = (ug_footing){ 0 };
    ug_body_map body;
    ug_foot_model feet[2];
    if (!take->skeleton || !take->clip || take->clip->frame_count == 0 ||
        ug_body_map_init(&body, take->skeleton, NULL) != UG_OK) {
        return UG_OK;
    }
    const double leg_m = ug_body_leg_m(&body, take->skeleton);
    if (!(leg_m > 1e-9)) {
        return UG_OK;
    }
    ug_status status = ug_foot_models_from_clip(feet, take->skeleton, &body, take->clip, err);
    ug_floor floor = { 0 };
    if (status == UG_OK && ug_rate_is_valid(take->clip->rate)) {
        status = ug_floor_find(&floor, feet, take->skeleton, take->clip, leg_m, err);
    }
    for (int side = 0; status == UG_OK && side < 2; side++) {
        footing->ankle[side] = feet[side].ankle;
        footing->heel_m[side] = feet[side].heel_m;
        footing->ball_m[side] = feet[side].ball_m;
        footing->ball_height_m[side] = feet[side].ball_height_m;
        footing->tip_height_m[side] = feet[side].tip_height_m;
    }
    footing->floor_found = floor.found;
    footing->floor_m = floor.found ? floor.height_m : 0.0;
    footing->slope_x = floor.found ? floor.slope_x : 0.0;
    footing->slope_z = floor.found ? floor.slope_z : 0.0;
    if (status == UG_OK && detect && ug_rate_is_valid(take->clip->rate) && roots_move(take)) {
        status = detect_contacts(footing, take, &body, &floor, leg_m, err);
    }
    footing->found = status == UG_OK;
    if (status != UG_OK) {
        ug_footing_fini(footing);
    }
    return status;
}

void ug_footing_fini(ug_footing *footing)
{
    if (footing) {
        ug_contacts_fini(&footing->contacts);
        *footing = (ug_footing){ 0 };
    }
}
