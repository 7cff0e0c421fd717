// SPDX-License-Identifier: MIT
// The writer of skeleton templates: every number goes out so that it reads back as the same bits.
#include "formats/decimal_write.h"
#include "formats/file.h"
#include "formats/settings_yaml.h"
#include "formats/template_words.h"

#include <assert.h>
#include <stdbool.h>

// Double-quoted YAML: every byte that could mean something is escaped.
static void write_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            fprintf(f, "\\%c", *p);
        } else if (*p < 0x20 || *p == 0x7f) {
            fprintf(f, "\\x%02X", *p);
        } else {
            fputc(*p, f);
        }
    }
    fputc('"', f);
}

static void write_number(FILE *f, double value)
{
    char text[UG_DECIMAL_TEXT];
    ug_decimal_write(text, value);
    fputs(text, f);
}

static void write_numbers(FILE *f, const double *values, size_t count)
{
    fputc('[', f);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", f);
        write_number(f, values[i]);
    }
    fputc(']', f);
}

static void write_vector(FILE *f, ug_vec3 v)
{
    write_numbers(f, (const double[]){ v.x, v.y, v.z }, 3);
}

// Degrees that read back as exactly `rad`: the nearest short decimal, else a neighbour of the
// quotient. Some radians have no such double; then false.
static bool to_degrees(double *deg, double rad)
{
    const double quotient = rad / UG_DEG;
    char text[UG_DECIMAL_TEXT];
    (void)snprintf(text, sizeof text, "%.12g", quotient);
    if (sscanf(text, "%lf", deg) == 1 && *deg * UG_DEG == rad) {
        return true;
    }
    double below = quotient, above = quotient;
    for (int i = 0; i < 4; i++) {
        if (below * UG_DEG == rad || above * UG_DEG == rad) {
            *deg = below * UG_DEG == rad ? below : above;
            return true;
        }
        below = nextafter(below, -INFINITY);
        above = nextafter(above, INFINITY);
    }
    return false;
}

// One list of angles as `key`_deg, or as `key`_rad where degrees would lose a bit.
static void write_angles(FILE *f, const char *key, const double *rad, size_t count, bool pairs)
{
    double deg[6];
    bool exact = true;
    assert(count <= 6);
    for (size_t i = 0; i < count; i++) {
        exact = to_degrees(&deg[i], rad[i]) && exact;
    }
    const double *values = exact ? deg : rad;
    fprintf(f, ", %s_%s: ", key, exact ? "deg" : "rad");
    if (!pairs) {
        write_numbers(f, values, count);
        return;
    }
    fputc('[', f);
    for (size_t i = 0; i < count; i += 2) {
        fputs(i > 0 ? ", " : "", f);
        write_numbers(f, values + i, 2);
    }
    fputc(']', f);
}

static void write_axes(FILE *f, const ug_joint *joint, int dof)
{
    static const ug_vec3 UNIT[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    fputs(", axes: [", f);
    for (int k = 0; k < dof; k++) {
        fputs(k > 0 ? ", " : "", f);
        int letter = -1;
        for (int i = 0; i < 3; i++) {
            letter = ug_vec3_distance(joint->axes[k], UNIT[i]) == 0.0 ? i : letter;
        }
        if (letter >= 0) {
            fputc('x' + letter, f);
        } else {
            write_vector(f, joint->axes[k]);
        }
    }
    fputc(']', f);
}

static void write_joint(FILE *f, const ug_skeleton *s, const ug_joint *joint)
{
    const int dof = ug_joint_rotation_dof(joint->type);
    const ug_quat q = joint->rest;
    fputs("  - {name: ", f);
    write_text(f, joint->name);
    fputs(", parent: ", f);
    if (joint->parent < 0) {
        fputc('~', f);
    } else {
        write_text(f, s->joints[joint->parent].name);
    }
    fputs(", offset_m: ", f);
    write_vector(f, joint->offset_m);
    if (q.w != 1.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0) {
        fputs(", rest_wxyz: ", f);
        write_numbers(f, (const double[]){ q.w, q.x, q.y, q.z }, 4);
    }
    fprintf(f, ", type: %s", UG_TEMPLATE_TYPES[joint->type]);
    if (dof > 0) {
        write_axes(f, joint, dof);
    }
    if ((joint->flags & UG_JOINT_HAS_LIMITS) && dof > 0) {
        write_angles(f, "limits", joint->limits_rad[0], 2 * (size_t)dof, true);
    }
    if (joint->flags & UG_JOINT_HAS_PRIOR) {
        write_angles(f, "pose_sigma", joint->pose_sigma_rad, (size_t)dof, false);
        fputs(", offset_sigma_m: ", f);
        write_vector(f, joint->offset_sigma_m);
    }
    if (joint->role != UG_ROLE_NONE) {
        fprintf(f, ", role: %s", ug_role_name(joint->role));
    }
    if (joint->channels[0] != UG_CHANNEL_NONE) {
        fputs(", channels: [", f);
        for (int k = 0; k < UG_CHANNELS_MAX && joint->channels[k] != UG_CHANNEL_NONE; k++) {
            fprintf(f, "%s%s", k > 0 ? ", " : "", UG_TEMPLATE_CHANNELS[joint->channels[k]]);
        }
        fputc(']', f);
    }
    fputs(joint->flags & UG_JOINT_END_SITE ? ", end_site: true" : "", f);
    fputs(joint->flags & UG_JOINT_LOCKED ? ", locked: true" : "", f);
    fputs("}\n", f);
}

ug_status ug_template_write(const char *path, const ug_skeleton *skeleton, ug_error *err)
{
    assert(path && skeleton);
    ug_status status = ug_skeleton_check(skeleton, err);
    ug_outfile out = { 0 };
    status = status == UG_OK ? ug_outfile_open(&out, path, err) : status;
    if (status != UG_OK) {
        return status;
    }
    FILE *f = out.stream;
    fputs("# Skeleton template: joint centres in the parent's frame, metres; local rotation = "
          "rest * turn.\n",
          f);
    if (skeleton->name) {
        fputs("name: ", f);
        write_text(f, skeleton->name);
        fputc('\n', f);
    }
    if (skeleton->stature_m > 0.0) {
        fputs("stature_m: ", f);
        write_number(f, skeleton->stature_m);
        fputc('\n', f);
    }
    fputs("unit: m\naxes: {x: left, y: up, z: forward}\njoints:\n", f);
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        write_joint(f, skeleton, &skeleton->joints[j]);
    }
    return ug_outfile_commit(&out, err);
}
