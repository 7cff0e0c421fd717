// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"
#include "formats/template_words.h"
#include "formats/yaml_fields.h"
#include "motion/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const TOP_KEYS[] = { "name",      "unit",    "stature_m", "axes",
                                        "rest_pose", "markers", NULL };
static const char *const TOP_NEEDED[] = { "name", "stature_m", "markers", NULL };
static const char *const MARKER_KEYS[] = { "label",  "segment", "position_m", "sigma_m",
                                           "weight", "kind",    "note",       NULL };
static const char *const MARKER_NEEDED[] = { "label", "segment", "position_m", NULL };
static const char *const KINDS[] = { "bony", "technical", "computed", NULL }; // ug_marker_kind

enum { MARKERS_MAX = 4096 };

// A landmark is found within this by hand; the default where a file gives no sigma.
static const double DEFAULT_SIGMA_M = 0.025;

static ug_status read_place(ug_attachment *a, const ug_yaml *map, const char *what, ug_error *err)
{
    double v[3] = { 0 };
    ug_status status = ug_yaml_numbers(v, 3, ug_yaml_get(map, "position_m"), "position_m", err);
    a->local_m = ug_vec3_of(v);
    const ug_yaml *node = ug_yaml_get(map, "sigma_m");
    if (node && status == UG_OK) {
        status = ug_yaml_numbers(v, 3, node, "sigma_m", err);
        a->sigma_m = ug_vec3_of(v);
        if (status == UG_OK && (v[0] <= 0 || v[1] <= 0 || v[2] <= 0)) {
            return ug_yaml_fail(node, node->line, err, "%s: sigma_m must be above 0", what);
        }
    }
    node = ug_yaml_get(map, "weight");
    if (node && status == UG_OK) {
        status = ug_yaml_number(&a->weight, node, "weight", err);
        if (status == UG_OK && a->weight < 0) {
            return ug_yaml_fail(node, node->line, err, "%s: weight is negative", what);
        }
    }
    node = ug_yaml_get(map, "kind");
    if (node && status == UG_OK) {
        int kind = 0;
        status = ug_yaml_choice(&kind, node, "kind", KINDS, err);
        a->kind = (ug_marker_kind)kind;
    }
    return status;
}

static ug_status read_marker(ug_marker_set *set, size_t index, const ug_yaml *map, ug_error *err)
{
    char what[96];
    const char *label = NULL, *segment = NULL;
    const double s = DEFAULT_SIGMA_M;
    ug_attachment a = { .joint = -1, .sigma_m = { s, s, s }, .weight = 1.0 };
    (void)snprintf(what, sizeof what, "marker %zu", index);
    ug_status status = ug_yaml_check_keys(map, what, MARKER_KEYS, MARKER_NEEDED, err);
    if (status == UG_OK) {
        status = ug_yaml_text(&label, ug_yaml_get(map, "label"), "label", err);
    }
    if (status == UG_OK) {
        status = ug_yaml_text(&segment, ug_yaml_get(map, "segment"), "segment", err);
    }
    if (status != UG_OK) {
        return status;
    }
    (void)snprintf(what, sizeof what, "marker '%.80s'", label);
    if (ug_attachments_find(&set->markers, label) >= 0) {
        return ug_yaml_fail(map, map->line, err, "%s stands twice", what);
    }
    status = read_place(&a, map, what, err);
    if (status != UG_OK) {
        return status;
    }
    a.label = (char *)label; // borrowed: the set keeps copies
    a.segment = (char *)segment;
    return ug_attachments_add(&set->markers, &a, err);
}

static ug_status read_top(ug_marker_set *out, const ug_yaml *root, ug_error *err)
{
    const char *name = NULL;
    ug_status status = ug_yaml_check_keys(root, "marker set", TOP_KEYS, TOP_NEEDED, err);
    status = status == UG_OK ? ug_yaml_check_frame(root, "marker set", err) : status;
    if (status == UG_OK) {
        status = ug_yaml_text(&name, ug_yaml_get(root, "name"), "name", err);
    }
    if (status != UG_OK) {
        return status;
    }
    out->name = ug_text_copy(name);
    if (!out->name) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    const ug_yaml *stature = ug_yaml_get(root, "stature_m");
    status = ug_yaml_number(&out->stature_m, stature, "stature_m", err);
    if (status == UG_OK && out->stature_m <= 0) {
        return ug_yaml_fail(stature, stature->line, err, "stature_m must be above 0");
    }
    const ug_yaml *pose = ug_yaml_get(root, "rest_pose");
    if (pose && status == UG_OK) {
        int index = 0;
        status = ug_yaml_choice(&index, pose, "rest_pose",
                                (const char *const[]){ "t_pose_palms_down", NULL }, err);
    }
    const ug_yaml *markers = ug_yaml_get(root, "markers");
    status = status == UG_OK ? ug_yaml_sequence(markers, "markers", err) : status;
    if (status == UG_OK && (markers->count == 0 || markers->count > MARKERS_MAX)) {
        return ug_yaml_fail(markers, markers->line, err,
                            "a marker set has 1 to %d markers, here are %zu", MARKERS_MAX,
                            markers->count);
    }
    for (size_t i = 0; status == UG_OK && i < markers->count; i++) {
        status = read_marker(out, i, &markers->items[i], err);
    }
    return status;
}

ug_status ug_marker_set_read(ug_marker_set *out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = (ug_marker_set){ 0 };
    ug_yaml_document document;
    ug_status status = ug_yaml_read(&document, path, err);
    if (status == UG_OK) {
        status = read_top(out, &document.root, err);
        ug_yaml_fini(&document);
    }
    if (status != UG_OK) {
        ug_marker_set_fini(out);
    }
    return status;
}
