// SPDX-License-Identifier: MIT
#include "pipeline/stages/validate.h"

#include <string.h>

static void check_labels(const ug_markers *m, ug_warnings *warnings)
{
    for (size_t i = 0; i < m->marker_count; i++) {
        for (size_t k = i + 1; k < m->marker_count; k++) {
            if (strcmp(m->labels[i], m->labels[k]) == 0 &&
                strcmp(m->subjects[i], m->subjects[k]) == 0) {
                ug_warn(warnings, "label_doubled", "label '%s' stands twice (markers %zu and %zu)",
                        ug_markers_name(m, i).text, i, k);
            }
        }
    }
}

static void check_samples(const ug_markers *m, ug_warnings *warnings)
{
    for (size_t k = 0; k < m->marker_count; k++) {
        size_t seen = 0;
        for (size_t f = 0; f < m->frame_count; f++) {
            const bool finite = ug_vec3_is_finite(ug_markers_position_m(m, f, k));
            if (ug_markers_present(m, f, k)) {
                seen++;
                if (!finite) {
                    ug_warn(warnings, "sample_not_finite",
                            "marker '%s' is present but not finite at frame %zu",
                            ug_markers_name(m, k).text, f);
                }
            } else if (finite) {
                ug_warn(warnings, "sample_not_flagged",
                        "marker '%s' has a position but is not flagged present at frame %zu",
                        ug_markers_name(m, k).text, f);
            }
        }
        if (seen == 0 && m->kinds[k] == UG_POINT_MARKER && m->frame_count > 0) {
            ug_warn(warnings, "marker_never_seen", "marker '%s' is never seen",
                    ug_markers_name(m, k).text);
        }
    }
}

static ug_status check_motion(const ug_skeleton *skeleton, const ug_clip *clip,
                              ug_warnings *warnings, ug_error *err)
{
    if (!skeleton) {
        return ug_fail(err, UG_E_DATA, "has a motion but no skeleton");
    }
    if (clip->joint_count != skeleton->joint_count) {
        return ug_fail(err, UG_E_DATA, "motion has %zu joints, the skeleton %zu", clip->joint_count,
                       skeleton->joint_count);
    }
    for (size_t f = 0; f < clip->frame_count; f++) {
        const ug_quat *q = ug_clip_rotations(clip, f);
        for (size_t j = 0; j < clip->joint_count; j++) {
            if (!(fabs(ug_quat_dot(q[j], q[j]) - 1.0) < 1e-6)) {
                ug_warn(warnings, "rotation_not_unit",
                        "joint '%s' has no unit rotation at frame %zu", skeleton->joints[j].name,
                        f);
            }
        }
        const ug_vec3 *t = ug_clip_translations(clip, f);
        for (size_t i = 0; i < clip->translated_count; i++) {
            if (!ug_vec3_is_finite(t[i])) {
                ug_warn(warnings, "translation_not_finite",
                        "joint '%s' has no finite translation at frame %zu",
                        skeleton->joints[clip->translated_joints[i]].name, f);
            }
        }
    }
    return UG_OK;
}

ug_status ug_take_validate(const ug_take *take, ug_warnings *warnings, ug_error *err)
{
    if (take->markers) {
        check_labels(take->markers, warnings);
        check_samples(take->markers, warnings);
    }
    ug_status status = UG_OK;
    if (take->skeleton) {
        status = ug_skeleton_check(take->skeleton, err);
    }
    if (status == UG_OK && take->clip) {
        status = check_motion(take->skeleton, take->clip, warnings, err);
    }
    for (size_t i = 0; status == UG_OK && i < take->attachments.count; i++) {
        const ug_attachment *a = &take->attachments.items[i];
        if (!take->skeleton || a->joint < 0 || (size_t)a->joint >= take->skeleton->joint_count) {
            status = ug_fail(err, UG_E_DATA, "marker '%s' is attached to no joint", a->label);
        }
    }
    for (size_t i = 0; i < take->contacts.count; i++) {
        const ug_contact *c = &take->contacts.items[i];
        if (!(c->start_s <= c->end_s)) {
            ug_warn(warnings, "contact_empty", "contact of %s at %.3f s ends before it starts",
                    ug_contact_point_name(c->point), c->start_s);
        }
    }
    return status;
}
