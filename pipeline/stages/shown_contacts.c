// SPDX-License-Identifier: MIT
#include "pipeline/stages/shown_contacts.h"

#include "motion/kinematics.h"
#include "solvers/floor.h"
#include "solvers/foot_model.h"
#include "solvers/motion_metrics.h"
#include "solvers/retarget_motion.h"

#include <math.h>
#include <stdlib.h>

// Feet are looked at on a copy that stands level on height 0, as retargeting does.
typedef struct level_motion {
    ug_clip *clip; // owned
    ug_floor floor;
    ug_foot_model feet[2];
    double leg_m;
} level_motion;

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

static bool has_slides(const ug_take *take)
{
    const ug_series *s = ug_quality_find(&take->quality, "contact_slide_mm");
    return s && s->columns == 2 && s->rows == take->contacts.count;
}

static ug_status level_init(level_motion *level, const ug_take *take, const ug_body_map *body,
                            ug_error *err)
{
    ug_foot_model feet[2];
    ug_status status = ug_foot_models_from_clip(feet, take->skeleton, body, take->clip, err);
    if (status == UG_OK) {
        status = ug_floor_find(&level->floor, feet, take->skeleton, take->clip, level->leg_m, err);
    }
    if (status == UG_OK && !(level->clip = ug_clip_copy(take->clip))) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for a copy of %zu frames",
                         take->clip->frame_count);
    }
    if (status == UG_OK && level->floor.found) {
        ug_floor_level(level->clip, take->skeleton, &level->floor);
    }
    return status == UG_OK
               ? ug_foot_models_from_clip(level->feet, take->skeleton, body, level->clip, err)
               : status;
}

static ug_status find_contacts(ug_take *take, const level_motion *level, ug_error *err)
{
    ug_contacts found = { 0 };
    const ug_status status = ug_planted_contacts_detect(&found, take->skeleton, level->clip,
                                                        level->feet, level->leg_m, err);
    for (size_t i = 0; i < found.count && level->floor.found; i++) {
        found.items[i].target_m = ug_floor_raise_m(&level->floor, found.items[i].target_m);
    }
    found.found = found.count > 0;
    if (status == UG_OK) {
        ug_contacts_fini(&take->contacts);
        take->contacts = found;
    }
    return status;
}

static ug_status measure_slides(ug_take *take, const level_motion *level, ug_error *err)
{
    const size_t count = take->contacts.count;
    float *slide_mm = malloc((2 * count + 1) * sizeof *slide_mm);
    if (!slide_mm) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu contacts", count);
    }
    for (size_t i = 0; i < count; i++) {
        slide_mm[2 * i] = NAN;
    }
    ug_status status = ug_contact_slides_measure(slide_mm + 1, 2, take->skeleton, level->clip,
                                                 level->feet, &take->contacts, err);
    if (status == UG_OK) {
        status = ug_quality_set(&take->quality, "contact_slide_mm", "mm", count, 2, slide_mm, err);
    }
    free(slide_mm);
    return status;
}

ug_status ug_shown_contacts_find(ug_take *take, bool find, ug_error *err)
{
    ug_body_map body;
    const bool none = take->contacts.count == 0;
    if (none ? !find : has_slides(take)) {
        return UG_OK;
    }
    if (!take->skeleton || !take->clip || take->clip->frame_count == 0 ||
        !ug_rate_is_valid(take->clip->rate) || !roots_move(take) ||
        ug_body_map_init(&body, take->skeleton, NULL) != UG_OK) {
        return UG_OK;
    }
    level_motion level = { .leg_m = ug_body_leg_m(&body, take->skeleton) };
    if (!(level.leg_m > 1e-9)) {
        return UG_OK;
    }
    ug_status status = level_init(&level, take, &body, err);
    if (status == UG_OK && none) {
        status = find_contacts(take, &level, err);
    }
    if (status == UG_OK && take->contacts.count > 0) {
        status = measure_slides(take, &level, err);
    }
    ug_clip_destroy(level.clip);
    return status;
}
