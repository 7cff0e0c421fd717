// SPDX-License-Identifier: MIT
#include "formats/bvh_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void ug_bvh_poser_destroy(ug_bvh_poser *poser)
{
    if (poser) {
        free(poser->row);
        free(poser->half);
        free(poser->joints);
        free(poser->positions);
        free(poser->offsets);
        free(poser->scale_columns);
        free(poser);
    }
}

static void plan_joint(ug_bvh_poser *poser, size_t index, uint32_t slot, bool offset_add)
{
    const ug_bvh_joint *joint = &poser->hierarchy->joints[index];
    ug_bvh_joint_plan *plan = &poser->joints[index];
    *plan = (ug_bvh_joint_plan){ .sign = 1.0 };
    for (int i = 0; i < joint->channel_count; i++) {
        const int channel = joint->channels[i], axis = ug_bvh_axis(channel);
        const uint32_t column = (uint32_t)joint->column + (uint32_t)i;
        if (ug_bvh_is_rotation(channel)) {
            plan->axes[plan->rotation_count] = axis;
            plan->columns[plan->rotation_count++] = column;
        } else if (ug_bvh_is_position(channel)) {
            const double base = offset_add ? joint->offset[axis] : 0.0;
            poser->positions[poser->position_count++] =
                (ug_bvh_position_plan){ column, slot, axis, base };
        } else {
            poser->scale_columns[poser->scale_count++] = column;
        }
    }
    const int *a = plan->axes;
    plan->three = plan->rotation_count == 3 && a[0] != a[1] && a[1] != a[2] && a[0] != a[2];
    plan->sign = a[1] == (a[0] + 1) % 3 ? 1.0 : -1.0;
}

ug_bvh_poser *ug_bvh_poser_create(const ug_bvh_hierarchy *h, const int *translated,
                                  size_t translated_count, bool offset_add)
{
    ug_bvh_poser *poser = calloc(1, sizeof *poser);
    if (!poser) {
        return NULL;
    }
    poser->hierarchy = h;
    poser->channel_count = h->channel_count;
    poser->translated_count = translated_count;
    poser->row = malloc(h->channel_count * sizeof *poser->row);
    poser->half = malloc(2 * h->channel_count * sizeof *poser->half);
    poser->joints = malloc(h->joint_count * sizeof *poser->joints);
    poser->positions = malloc(h->channel_count * sizeof *poser->positions);
    poser->scale_columns = malloc(h->channel_count * sizeof *poser->scale_columns);
    poser->offsets = malloc((translated_count + 1) * sizeof *poser->offsets);
    if (!poser->row || !poser->half || !poser->joints || !poser->positions ||
        !poser->scale_columns || !poser->offsets) {
        ug_bvh_poser_destroy(poser);
        return NULL;
    }
    ug_turn_table_init(&poser->turns);
    for (size_t j = 0, slot = 0; j < h->joint_count; j++) {
        plan_joint(poser, j, (uint32_t)slot, offset_add);
        if (slot < translated_count && translated[slot] == (int)j) {
            poser->offsets[slot++] = ug_vec3_of(h->joints[j].offset);
        }
    }
    return poser;
}

const char *ug_bvh_channel_words(char out[128], const ug_bvh_hierarchy *h, size_t column)
{
    size_t j = 0;
    while (column >= h->joints[j].column + (size_t)h->joints[j].channel_count ||
           column < h->joints[j].column) {
        j++;
    }
    const ug_bvh_joint *joint = &h->joints[j];
    (void)snprintf(out, 128, "%.80s %s", joint->name,
                   ug_bvh_channel_name(joint->channels[column - joint->column]));
    return out;
}

static void check_scales(ug_bvh_poser *poser, size_t frame)
{
    for (size_t i = 0; i < poser->scale_count; i++) {
        const double value = poser->row[poser->scale_columns[i]];
        if (value != 1.0 && poser->scale_odd_count++ == 0) {
            poser->scale_odd_column = poser->scale_columns[i];
            poser->scale_odd_frame = frame;
            poser->scale_odd_value = value;
        }
    }
}

void ug_bvh_pose(ug_quat *pose, ug_vec3 *moved, ug_bvh_poser *poser, size_t frame)
{
    const double *row = poser->row, *half = poser->half;
    ug_turn_halves(poser->half, &poser->turns, row, poser->channel_count);
    for (size_t j = 0; j < poser->hierarchy->joint_count; j++) {
        const ug_bvh_joint_plan *plan = &poser->joints[j];
        const uint32_t *column = plan->columns;
        if (plan->three) {
            ug_turn_three(&pose[j].w, plan->axes, plan->sign, half + 2 * column[0],
                          half + 2 * column[1], half + 2 * column[2]);
        } else {
            ug_quat q = UG_QUAT_IDENTITY;
            for (int i = 0; i < plan->rotation_count; i++) {
                q = ug_turn_append(q, plan->axes[i], half + 2 * column[i]);
            }
            pose[j] = q;
        }
    }
    for (size_t t = 0; t < poser->translated_count; t++) {
        moved[t] = poser->offsets[t];
    }
    for (size_t i = 0; i < poser->position_count; i++) {
        const ug_bvh_position_plan *plan = &poser->positions[i];
        const double value = row[plan->column] + plan->base;
        ug_vec3 *to = &moved[plan->slot];
        *(plan->axis == 0 ? &to->x : plan->axis == 1 ? &to->y : &to->z) = value;
    }
    check_scales(poser, frame);
}

void ug_bvh_poser_reduce(ug_bvh_poser *poser)
{
    for (size_t j = 0; j < poser->hierarchy->joint_count; j++) {
        const ug_bvh_joint_plan *plan = &poser->joints[j];
        for (int i = 0; i < plan->rotation_count; i++) {
            poser->row[plan->columns[i]] = fmod(poser->row[plan->columns[i]], 720.0);
        }
    }
}

void ug_bvh_poser_report(const ug_bvh_poser *poser, ug_warnings *warnings)
{
    if (poser->scale_odd_count > 0) {
        char words[128];
        ug_warn_times(warnings, poser->scale_odd_count, "bvh_scale_ignored",
                      "frame %zu: %s is %g, read as 1", poser->scale_odd_frame,
                      ug_bvh_channel_words(words, poser->hierarchy, poser->scale_odd_column),
                      poser->scale_odd_value);
    }
}
