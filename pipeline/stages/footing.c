// SPDX-License-Identifier: MIT
#include "pipeline/stages/footing.h"

#include "solvers/floor.h"
#include "solvers/foot_model.h"

ug_status ug_footing_find(ug_footing *footing, const ug_take *take, ug_error *err)
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
    footing->found = status == UG_OK;
    if (status != UG_OK) {
        *footing = (ug_footing){ 0 };
    }
    return status;
}
