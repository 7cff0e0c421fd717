// SPDX-License-Identifier: MIT
// What the page is told about a scene before it sees a record: viewer/README.md lists the keys.
#include "motion/text.h"
#include "pipeline/report/scene.h"
#include "pipeline/report/scene_parts.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A chart cannot show more, and the page must not choke on a take that flickers throughout.
enum { LANES_MAX = 100000, ERROR_BINS_MAX = 2000 };

static cJSON *vector(ug_vec3 v)
{
    return cJSON_CreateDoubleArray((double[]){ v.x, v.y, v.z }, 3);
}

// JSON text of the take itself, or null where it is none.
static cJSON *parsed(const char *text)
{
    cJSON *value = text ? cJSON_Parse(text) : NULL;
    return value ? value : cJSON_CreateNull();
}

static const char *kind_name(uint8_t kind)
{
    static const char *const NAMES[] = { "marker", "unlabelled", "angle",  "force",
                                         "moment", "power",      "scalar", "virtual" };
    return kind < sizeof NAMES / sizeof NAMES[0] ? NAMES[kind] : "marker";
}

static void add_field(cJSON *list, const ug_scene *scene, ug_scene_field field)
{
    static const char *const NAMES[UG_SCENE_FIELD_COUNT] = { "markers", "joints", "turns", "origin",
                                                             "outcome" };
    if (!scene->has[field]) {
        return;
    }
    const bool is_number = field <= UG_SCENE_TURNS, is_i16 = scene->precision == UG_SCENE_INT16;
    const bool is_turn = field == UG_SCENE_TURNS;
    const bool of_joint = field == UG_SCENE_JOINTS || is_turn;
    const size_t rows = field == UG_SCENE_OUTCOME ? 1
                        : of_joint                ? scene->skeleton->joint_count
                                                  : scene->markers->marker_count;
    const int shape[2] = { (int)rows, is_turn ? 4 : 3 };
    const bool is_moved = is_number && is_i16 && !is_turn;
    const double zero[4] = { 0 }, middle[3] = { scene->middle.x, scene->middle.y, scene->middle.z };
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", NAMES[field]);
    cJSON_AddStringToObject(o, "type", !is_number ? "u8" : is_i16 ? "i16" : "f32");
    cJSON_AddNumberToObject(o, "offset", (double)scene->offset[field]);
    cJSON_AddItemToObject(o, "shape", cJSON_CreateIntArray(shape, is_number ? 2 : 1));
    if (is_number) {
        cJSON_AddNumberToObject(o, "scale",
                                !is_i16   ? 1.0
                                : is_turn ? 1.0 / 32767.0
                                          : scene->step_m);
        cJSON_AddItemToObject(o, "origin",
                              cJSON_CreateDoubleArray(is_moved ? middle : zero, shape[1]));
    }
    cJSON_AddItemToArray(list, o);
}

static void add_markers(cJSON *list, const ug_markers *m)
{
    for (size_t i = 0; m && i < m->marker_count; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "label", m->labels[i] ? m->labels[i] : "");
        cJSON_AddStringToObject(o, "subject", m->subjects[i] ? m->subjects[i] : "");
        cJSON_AddStringToObject(o, "kind", kind_name(m->kinds[i]));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_joints(cJSON *list, const ug_skeleton *s)
{
    for (size_t j = 0; s && j < s->joint_count; j++) {
        const ug_joint *joint = &s->joints[j];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", joint->name ? joint->name : "");
        cJSON_AddNumberToObject(o, "parent", joint->parent);
        cJSON_AddStringToObject(o, "role", ug_role_name(joint->role));
        cJSON_AddBoolToObject(o, "end_site", (joint->flags & UG_JOINT_END_SITE) != 0);
        cJSON_AddItemToArray(list, o);
    }
}

// Those whose marker and joint are both shown.
static void add_attachments(cJSON *list, const ug_scene *scene)
{
    const ug_attachments *attachments = &scene->take->attachments;
    for (size_t i = 0; scene->markers && scene->skeleton && i < attachments->count; i++) {
        const ug_attachment *a = &attachments->items[i];
        const ptrdiff_t marker = a->label ? ug_markers_find(scene->markers, a->label) : -1;
        if (marker >= 0 && a->joint >= 0 && (size_t)a->joint < scene->skeleton->joint_count) {
            cJSON *o = cJSON_CreateObject();
            cJSON_AddNumberToObject(o, "marker", (double)marker);
            cJSON_AddNumberToObject(o, "joint", a->joint);
            cJSON_AddItemToObject(o, "local", vector(a->local_m));
            cJSON_AddItemToArray(list, o);
        }
    }
}

static void add_contacts(cJSON *list, const ug_scene *scene)
{
    static const ug_role ROLES[UG_CONTACT_POINT_COUNT] = { UG_ROLE_L_FOOT, UG_ROLE_L_FOOT,
                                                           UG_ROLE_R_FOOT, UG_ROLE_R_FOOT,
                                                           UG_ROLE_L_HAND, UG_ROLE_R_HAND };
    const ug_contacts *contacts = &scene->take->contacts;
    for (size_t i = 0; i < contacts->count; i++) {
        const ug_contact *c = &contacts->items[i];
        if ((unsigned)c->point >= UG_CONTACT_POINT_COUNT) {
            continue;
        }
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "point", ug_contact_point_name(c->point));
        cJSON_AddNumberToObject(
            o, "joint",
            scene->skeleton ? ug_skeleton_find_role(scene->skeleton, ROLES[c->point]) : -1);
        cJSON_AddStringToObject(o, "kind", c->kind == UG_CONTACT_PLANTED ? "planted" : "load");
        cJSON_AddNumberToObject(o, "start_s", c->start_s);
        cJSON_AddNumberToObject(o, "end_s", c->end_s);
        cJSON_AddItemToObject(o, "target", vector(c->target_m));
        cJSON_AddBoolToObject(o, "accepted", c->accepted);
        cJSON_AddStringToObject(o, "reason", c->reason);
        cJSON_AddItemToArray(list, o);
    }
}

// `clean` keeps what it found as rows of marker, frame of the markers, height in mm.
static void add_spikes(cJSON *list, const ug_scene *scene)
{
    const ug_series *spikes = ug_quality_find(&scene->take->quality, "spikes");
    const ug_markers *m = scene->markers;
    if (!spikes || spikes->columns != 3 || !m) {
        return;
    }
    const bool same = ug_rate_equal(m->rate, scene->rate) || !ug_rate_is_valid(m->rate) ||
                      !ug_rate_is_valid(scene->rate);
    const double ratio = same ? 1.0 : ug_rate_hz(scene->rate) / ug_rate_hz(m->rate);
    for (size_t i = 0; i < spikes->rows && i < LANES_MAX; i++) {
        const float *row = spikes->values + 3 * i;
        if (row[0] >= 0.0f && row[0] < (float)m->marker_count && row[1] >= 0.0f) {
            const double triple[3] = { (double)row[0], floor((double)row[1] * ratio + 0.5),
                                       (double)row[2] };
            cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(triple, 3));
        }
    }
}

static void add_frame_errors(cJSON *root, const ug_scene *scene)
{
    const ug_series *rms = ug_scene_series(scene, "frame_rms_mm");
    if (!rms) {
        return;
    }
    const size_t bin = (scene->frame_count - 1) / ERROR_BINS_MAX + 1;
    cJSON *o = cJSON_AddObjectToObject(root, "frame_rms_mm");
    cJSON_AddNumberToObject(o, "bin_frames", (double)bin);
    cJSON *list = cJSON_AddArrayToObject(o, "max");
    for (size_t first = 0; first < scene->frame_count; first += bin) {
        double worst = (double)NAN;
        for (size_t f = first; f < first + bin && f < scene->frame_count; f++) {
            worst = fmax(worst, (double)rms->values[f]); // fmax passes NaN by
        }
        cJSON_AddItemToArray(list, cJSON_CreateNumber(worst));
    }
}

static int outcome_at(const ug_scene *scene, size_t frame)
{
    const float code = scene->outcome->values[frame];
    return code >= 0.0f && code < 255.0f ? (int)code : UG_SCENE_OUTCOME_UNKNOWN;
}

static void add_outcomes(cJSON *list, const ug_scene *scene)
{
    size_t first = 0;
    for (size_t f = 1; scene->outcome && f <= scene->frame_count; f++) {
        const int code = outcome_at(scene, first);
        if (f == scene->frame_count || outcome_at(scene, f) != code) {
            if (code != UG_SCENE_CONVERGED) {
                const int run[3] = { (int)first, (int)f, code };
                cJSON_AddItemToArray(list, cJSON_CreateIntArray(run, 3));
            }
            first = f;
        }
    }
}

static void add_provenance(cJSON *list, const ug_provenance *provenance)
{
    for (size_t i = 0; i < provenance->count; i++) {
        const ug_provenance_entry *e = &provenance->items[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "stage", e->stage ? e->stage : "");
        cJSON_AddStringToObject(o, "version", e->version ? e->version : "");
        cJSON_AddStringToObject(o, "started", e->started ? e->started : "");
        cJSON_AddNumberToObject(o, "seconds", e->seconds);
        cJSON_AddItemToObject(o, "options", parsed(e->options_json));
        cJSON_AddItemToObject(o, "metrics", parsed(e->metrics_json));
        cJSON_AddItemToObject(o, "warnings", parsed(e->warnings_json));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_timeline(cJSON *root, const ug_scene *scene)
{
    cJSON_AddStringToObject(root, "name", scene->name);
    cJSON_AddNumberToObject(root, "frame_count", (double)scene->frame_count);
    cJSON_AddNumberToObject(root, "first_frame", (double)scene->first_frame);
    cJSON *rate = cJSON_AddObjectToObject(root, "rate");
    cJSON_AddNumberToObject(rate, "num", (double)scene->rate.num);
    cJSON_AddNumberToObject(rate, "den", (double)scene->rate.den);
    cJSON_AddNumberToObject(root, "stride", (double)scene->stride);
    cJSON_AddNumberToObject(root, "record_count", (double)scene->record_count);
    cJSON_AddNumberToObject(root, "record_bytes", (double)scene->record_bytes);
}

// A '<' stands only inside a string, where it may be written in another way: so that no label
// can end the <script> this text may be put in.
static char *without_tags(char *text)
{
    size_t tags = 0;
    for (const char *p = text; (p = strchr(p, '<')) != NULL; p++) {
        tags++;
    }
    char *safe = malloc(strlen(text) + 5 * tags + 1);
    if (safe) {
        char *to = safe;
        for (const char *p = text; *p; p++) {
            if (*p == '<') {
                memcpy(to, "\\u003c", 6);
                to += 6;
            } else {
                *to++ = *p;
            }
        }
        *to = '\0';
    }
    free(text);
    return safe;
}

char *ug_scene_manifest(const ug_scene *scene)
{
    cJSON *root = cJSON_CreateObject();
    char *lanes = ug_scene_lanes(scene, LANES_MAX);
    char *text = NULL;
    if (root && lanes) {
        add_timeline(root, scene);
        cJSON *fields = cJSON_AddArrayToObject(root, "fields");
        for (int i = 0; i < UG_SCENE_FIELD_COUNT; i++) {
            add_field(fields, scene, (ug_scene_field)i);
        }
        add_markers(cJSON_AddArrayToObject(root, "markers"), scene->markers);
        add_joints(cJSON_AddArrayToObject(root, "joints"), scene->skeleton);
        add_attachments(cJSON_AddArrayToObject(root, "attachments"), scene);
        add_contacts(cJSON_AddArrayToObject(root, "contacts"), scene);
        cJSON_AddBoolToObject(root, "contacts_found", scene->take->contacts.found);
        cJSON_AddRawToObject(root, "lanes", lanes);
        add_spikes(cJSON_AddArrayToObject(root, "spikes"), scene);
        add_frame_errors(root, scene);
        add_outcomes(cJSON_AddArrayToObject(root, "outcomes"), scene);
        cJSON_AddItemToObject(root, "low", vector(scene->low));
        cJSON_AddItemToObject(root, "high", vector(scene->high));
        add_provenance(cJSON_AddArrayToObject(root, "provenance"), &scene->take->provenance);
        text = cJSON_PrintUnformatted(root);
    }
    free(lanes);
    cJSON_Delete(root);
    return text ? without_tags(text) : NULL;
}
