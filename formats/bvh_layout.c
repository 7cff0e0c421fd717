// SPDX-License-Identifier: MIT
#include "formats/bvh_layout.h"

#include "formats/bvh.h"
#include "formats/bvh_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ANGLE_TOLERANCE_RAD = 1e-8;
static const double LENGTH_TOLERANCE = 1e-8; // of the skeleton's size
static const uint8_t POSITIONS[3] = { UG_CHANNEL_X_POSITION, UG_CHANNEL_Y_POSITION,
                                      UG_CHANNEL_Z_POSITION };
static const uint8_t ROTATIONS[3] = { UG_CHANNEL_Z_ROTATION, UG_CHANNEL_X_ROTATION,
                                      UG_CHANNEL_Y_ROTATION };

ug_vec3 ug_bvh_export(const ug_bvh_layout *layout, ug_vec3 ours_m)
{
    return ug_vec3_scale(ug_axes_export(layout->axes, ours_m), 1.0 / layout->unit_m);
}

ug_quat ug_bvh_slot_rotation(const ug_bvh_layout *layout, const ug_bvh_slot *slot, size_t frame)
{
    const ug_quat q = ug_clip_rotations(layout->clip, frame)[slot->joint];
    const ug_vec3 v = ug_axes_export(layout->axes, (ug_vec3){ q.x, q.y, q.z });
    return (ug_quat){ q.w, v.x, v.y, v.z };
}

ug_vec3 ug_bvh_slot_translation(const ug_bvh_layout *layout, const ug_bvh_slot *slot, size_t frame)
{
    return slot->column < 0 ? layout->skeleton->joints[slot->joint].offset_m
                            : ug_clip_translations(layout->clip, frame)[slot->column];
}

// ---- order: depth first, children as they stand in the skeleton

static ug_status order_joints(ug_bvh_layout *layout, ug_error *err)
{
    const ug_skeleton *s = layout->skeleton;
    const size_t n = s->joint_count;
    int *next = malloc((n + 1) * sizeof *next); // sibling
    int *child = malloc((n + 1) * sizeof *child);
    layout->slots = calloc(n + 1, sizeof *layout->slots);
    ug_status status = UG_OK;
    if (!next || !child || !layout->slots) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    int root = -1;
    memset(child, 0xFF, (n + 1) * sizeof *child);
    for (size_t j = n; j-- > 0;) {
        int *head = s->joints[j].parent < 0 ? &root : &child[s->joints[j].parent];
        next[j] = *head;
        *head = (int)j;
    }
    for (int j = root, depth = 0; j >= 0;) {
        if (depth >= UG_BVH_DEPTH_MAX) {
            status = ug_fail(err, UG_E_DATA, "joint '%s' is nested more than %d deep",
                             s->joints[j].name, UG_BVH_DEPTH_MAX);
            goto done;
        }
        const bool leaf = child[j] < 0;
        layout->slots[layout->count++] = (ug_bvh_slot){
            .joint = j,
            .depth = depth,
            .column = ug_clip_translation_column(layout->clip, j),
            .end_site = leaf && depth > 0 && (s->joints[j].flags & UG_JOINT_END_SITE),
        };
        layout->depth = depth > layout->depth ? depth : layout->depth;
        if (!leaf) {
            j = child[j];
            depth++;
            continue;
        }
        while (j >= 0 && next[j] < 0) {
            j = s->joints[j].parent;
            depth--;
        }
        j = j >= 0 ? next[j] : -1;
    }
done:
    free(next);
    free(child);
    return status;
}

// ---- channels

static void list_axes(ug_bvh_slot *slot)
{
    slot->rotation_count = 0;
    for (int i = 0; i < slot->channel_count; i++) {
        if (ug_bvh_is_rotation(slot->channels[i]) && slot->rotation_count < 3) {
            slot->axes[slot->rotation_count++] = ug_bvh_axis(slot->channels[i]);
        }
    }
    if (slot->rotation_count == 2) {
        slot->axes[2] = 3 - slot->axes[0] - slot->axes[1];
    }
}

// At most three rotation channels, about different axes?
static bool has_plain_rotations(const ug_bvh_slot *slot)
{
    int seen[3] = { 0 };
    for (int i = 0; i < slot->channel_count; i++) {
        if (ug_bvh_is_rotation(slot->channels[i]) && seen[ug_bvh_axis(slot->channels[i])]++) {
            return false;
        }
    }
    return true;
}

static double nearest_turn(double angle, double to)
{
    return angle + 2.0 * UG_PI * round((to - angle) / (2.0 * UG_PI));
}

double ug_bvh_slot_fit(double angles_rad[3], const ug_bvh_slot *slot, ug_quat q,
                       const double previous_rad[3])
{
    const int count = slot->rotation_count;
    const double v[3] = { q.x, q.y, q.z };
    if (count == 3) {
        ug_quat_to_euler_nearest(angles_rad, q, slot->axes, previous_rad);
        return 0.0;
    }
    if (count == 1) {
        angles_rad[0] = 2.0 * atan2(v[slot->axes[0]], q.w);
    } else if (count == 2) {
        // q = (ca cb, sa cb, ca sb, ±sa sb): the longer of both pairs tells a, then b follows
        const int i = slot->axes[0], j = slot->axes[1], k = slot->axes[2];
        const double sign = j == (i + 1) % 3 ? 1.0 : -1.0;
        const bool small = hypot(q.w, v[i]) >= hypot(v[j], v[k]);
        const double half = small ? atan2(v[i], q.w) : atan2(sign * v[k], v[j]);
        const double sa = sin(half), ca = cos(half);
        angles_rad[0] = 2.0 * half;
        angles_rad[1] = 2.0 * atan2(v[j] * ca + sign * v[k] * sa, q.w * ca + v[i] * sa);
    }
    const double missed = ug_quat_angle(ug_quat_from_euler(slot->axes, angles_rad, count), q);
    for (int i = 0; i < count; i++) {
        angles_rad[i] = nearest_turn(angles_rad[i], previous_rad[i]);
    }
    return missed;
}

static bool rotations_fit(const ug_bvh_layout *layout, const ug_bvh_slot *slot)
{
    const double previous[3] = { 0 };
    double angles[3];
    for (size_t f = 0; slot->rotation_count < 3 && f < layout->clip->frame_count; f++) {
        const ug_quat q = ug_bvh_slot_rotation(layout, slot, f);
        if (ug_bvh_slot_fit(angles, slot, q, previous) > ANGLE_TOLERANCE_RAD) {
            return false;
        }
    }
    return true;
}

// True when the position channels that are not listed are not needed either.
static bool positions_fit(const ug_bvh_layout *layout, const ug_bvh_slot *slot, double tolerance_m)
{
    const ug_vec3 offset = layout->skeleton->joints[slot->joint].offset_m;
    bool listed[3] = { false, false, false };
    for (int i = 0; i < slot->channel_count; i++) {
        if (ug_bvh_is_position(slot->channels[i])) {
            listed[ug_bvh_axis(slot->channels[i])] = true;
        }
    }
    for (size_t f = 0; slot->column >= 0 && f < layout->clip->frame_count; f++) {
        const ug_vec3 moved = ug_axes_export(
            layout->axes, ug_vec3_sub(ug_bvh_slot_translation(layout, slot, f), offset));
        if ((!listed[0] && fabs(moved.x) > tolerance_m) ||
            (!listed[1] && fabs(moved.y) > tolerance_m) ||
            (!listed[2] && fabs(moved.z) > tolerance_m)) {
            return false;
        }
    }
    return true;
}

static bool is_position(int channel)
{
    return ug_bvh_is_position(channel);
}

static bool is_kept_rotation(int channel)
{
    return ug_bvh_is_rotation(channel);
}

static bool is_kept_scale(int channel)
{
    return channel >= UG_CHANNEL_X_SCALE;
}

static int append_kept(uint8_t *to, int count, const ug_bvh_slot *slot, bool (*keep)(int))
{
    for (int i = 0; i < slot->channel_count; i++) {
        if (keep(slot->channels[i])) {
            to[count++] = slot->channels[i];
        }
    }
    return count;
}

// Positions, rotations, scales; the first two as they were or all three of them.
static void relist(ug_bvh_slot *slot, bool all_positions, bool all_rotations)
{
    uint8_t fresh[3 * UG_CHANNELS_MAX] = { 0 };
    int count = 0;
    if (all_positions) {
        memcpy(fresh, POSITIONS, sizeof POSITIONS);
        count = 3;
    } else {
        count = append_kept(fresh, count, slot, is_position);
    }
    if (all_rotations) {
        memcpy(fresh + count, ROTATIONS, sizeof ROTATIONS);
        count += 3;
    } else {
        count = append_kept(fresh, count, slot, is_kept_rotation);
    }
    count = append_kept(fresh, count, slot, is_kept_scale);
    assert(count <= UG_CHANNELS_MAX);
    memcpy(slot->channels, fresh, sizeof slot->channels);
    slot->channel_count = count;
}

static void choose_channels(ug_bvh_layout *layout, ug_bvh_slot *slot, bool keep_fixed,
                            double tolerance_m, ug_warnings *warnings)
{
    const ug_joint *joint = &layout->skeleton->joints[slot->joint];
    if (slot->end_site) {
        return;
    }
    while (slot->channel_count < UG_CHANNELS_MAX && joint->channels[slot->channel_count]) {
        slot->channels[slot->channel_count] = joint->channels[slot->channel_count];
        slot->channel_count++;
    }
    const bool own = slot->channel_count > 0 || (keep_fixed && joint->type == UG_JOINT_FIXED);
    const bool plain = has_plain_rotations(slot);
    list_axes(slot);
    const bool all_rotations = own ? !plain || !rotations_fit(layout, slot) : true;
    const bool all_positions =
        own || slot->depth > 0 ? !positions_fit(layout, slot, tolerance_m) : true;
    if (all_rotations || all_positions) {
        relist(slot, all_positions, all_rotations);
        list_axes(slot);
        if (own) {
            ug_warn(warnings, "bvh_channels_changed",
                    "joint '%.64s': its %s cannot be written with the channels it had", joint->name,
                    all_rotations ? "rotation" : "translation");
        }
    }
}

ug_status ug_bvh_layout_make(ug_bvh_layout *layout, bool keep_fixed, ug_warnings *warnings,
                             ug_error *err)
{
    const ug_status status = order_joints(layout, err);
    if (status != UG_OK) {
        return status;
    }
    const double tolerance_m = LENGTH_TOLERANCE * ug_skeleton_size_m(layout->skeleton);
    for (size_t i = 0; i < layout->count; i++) {
        choose_channels(layout, &layout->slots[i], keep_fixed, tolerance_m, warnings);
        layout->channel_count += (size_t)layout->slots[i].channel_count;
    }
    return UG_OK;
}

void ug_bvh_layout_fini(ug_bvh_layout *layout)
{
    free(layout->slots);
    layout->slots = NULL;
    layout->count = 0;
}
