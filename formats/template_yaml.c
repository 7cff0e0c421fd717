// SPDX-License-Identifier: MIT
// Skeleton templates and characters: the reader; formats/template_joint.c reads one joint and
// formats/template_write.c is the inverse.
#include "formats/settings_yaml.h"
#include "formats/template_words.h"
#include "formats/yaml_fields.h"
#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const TOP_KEYS[] = { "name", "stature_m", "unit", "axes", "joints", NULL };
static const char *const TOP_NEEDED[] = { "joints", NULL };

ug_status ug_yaml_check_frame(const ug_yaml *map, const char *what, ug_error *err)
{
    static const char *const AXES[] = { "x", "y", "z", NULL };
    static const char *const MEANING[] = { "left", "up", "forward" };
    const ug_yaml *unit = ug_yaml_get(map, "unit"), *axes = ug_yaml_get(map, "axes");
    if (unit && (unit->kind != UG_YAML_TEXT || strcmp(unit->text, "m") != 0)) {
        return ug_yaml_fail(unit, unit->line, err, "%s: unit must be m (metres)", what);
    }
    if (!axes) {
        return UG_OK;
    }
    const ug_status status = ug_yaml_check_keys(axes, "axes", AXES, AXES, err);
    for (int i = 0; status == UG_OK && i < 3; i++) {
        const ug_yaml *node = ug_yaml_get(axes, AXES[i]);
        if (node->kind != UG_YAML_TEXT || strcmp(node->text, MEANING[i]) != 0) {
            return ug_yaml_fail(node, node->line, err,
                                "%s: axes must be {x: left, y: up, z: forward}", what);
        }
    }
    return status;
}

static ug_status read_top(ug_skeleton **out, const ug_yaml *root, ug_error *err)
{
    ug_status status = ug_yaml_check_keys(root, "template", TOP_KEYS, TOP_NEEDED, err);
    status = status == UG_OK ? ug_yaml_check_frame(root, "template", err) : status;
    const ug_yaml *joints = status == UG_OK ? ug_yaml_get(root, "joints") : NULL;
    status = joints ? ug_yaml_sequence(joints, "joints", err) : status;
    if (status != UG_OK) {
        return status;
    }
    if (joints->count == 0 || joints->count > UG_TEMPLATE_JOINTS_MAX) {
        return ug_yaml_fail(joints, joints->line, err,
                            "a template has 1 to %d joints, here are "
                            "%zu",
                            UG_TEMPLATE_JOINTS_MAX, joints->count);
    }
    ug_skeleton *s = *out = ug_skeleton_create(joints->count);
    if (!s) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    const ug_yaml *node = ug_yaml_get(root, "stature_m");
    if (node) {
        status = ug_yaml_number(&s->stature_m, node, "stature_m", err);
        if (status == UG_OK && s->stature_m < 0) {
            return ug_yaml_fail(node, node->line, err, "stature_m is negative");
        }
    }
    node = ug_yaml_get(root, "name");
    if (node && status == UG_OK) {
        const char *name = NULL;
        status = ug_yaml_text(&name, node, "name", err);
        s->name = status == UG_OK ? ug_text_copy(name) : NULL;
        if (status == UG_OK && !s->name) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    for (size_t j = 0; status == UG_OK && j < s->joint_count; j++) {
        status = ug_template_joint_read(s, j, &joints->items[j], err);
    }
    return status;
}

ug_status ug_template_read(ug_skeleton **out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = NULL;
    ug_yaml_document document;
    ug_status status = ug_yaml_read(&document, path, err);
    if (status == UG_OK) {
        status = read_top(out, &document.root, err);
        ug_yaml_fini(&document);
    }
    if (status == UG_OK) {
        status = ug_skeleton_check(*out, err); // what no single line is to blame for
        if (status != UG_OK) {
            ug_error_where(err, "%s", path);
        }
    }
    if (status != UG_OK) {
        ug_skeleton_destroy(*out);
        *out = NULL;
    }
    return status;
}
