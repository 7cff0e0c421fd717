// SPDX-License-Identifier: MIT
// A small take with something in every part, and a comparison of two takes bit for bit.
//
// For tests of everything that stores or passes on takes. Include after cmocka.h.
#pragma once

#include "motion/take.h"
#include "motion/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FULL_FRAMES = 37,
    FULL_MARKERS = 4,
    FULL_JOINTS = 5,
    FULL_CHANNELS = 3,
    FULL_SUBFRAMES = 10
};

// xorshift: the same take from the same seed everywhere
static inline double full_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static inline void full_source(ug_take *take, uint64_t *seed)
{
    ug_source *s = &take->source;
    strcpy(s->format, "c3d");
    strcpy(s->unit, "mm");
    s->unit_m = 0.001;
    assert_int_equal(ug_axes_from_names(&s->axes, "+Z", "-Y", NULL), UG_OK);
    s->unit_inferred = s->unit_stated = true;
    s->processor = 'D';
    s->integer_samples = true;
    s->point_scale = 0.1 + full_random(seed) * 1e-3;
    for (size_t i = 0; i < sizeof s->header; i++) {
        s->header[i] = (uint8_t)(i * 7);
    }
    ug_parameters *p = &s->parameters;
    assert_int_equal(ug_parameters_set(p, "POINT", "RATE", UG_PARAMETER_FLOAT, 0, NULL,
                                       &(float){ 119.88f }, NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(p, "POINT", "LABELS", UG_PARAMETER_CHAR, 2,
                                       (uint8_t[]){ 4, 3 }, "ab  \0\0\0\0c d ", NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(p, "POINT", "A/B.%", UG_PARAMETER_BYTE, 3,
                                       (uint8_t[]){ 2, 1, 3 }, "\x01\x80\xff\x7f\x00\x05", NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(p, "FORCE_PLATFORM", "ZERO", UG_PARAMETER_INT16, 1,
                                       (uint8_t[]){ 2 }, (int16_t[]){ -1, 32767 }, NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(p, "FORCE_PLATFORM", "EMPTY", UG_PARAMETER_CHAR, 2,
                                       (uint8_t[]){ 0, 5 }, "", NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(p, "FORCE_PLATFORM", "NONE", UG_PARAMETER_FLOAT, 2,
                                       (uint8_t[]){ 3, 0 }, "", NULL),
                     UG_OK);
    assert_int_equal(
        ug_parameters_set(p, "FORCE_PLATFORM", "LETTER", UG_PARAMETER_CHAR, 0, NULL, "\xe9", NULL),
        UG_OK);
    ug_parameter *rate = ug_parameters_find(p, "POINT", "RATE");
    rate->locked = true;
    free(rate->description);
    rate->description = ug_text_copy("Fréquence d'images");
    p->groups[1].id = 9;
    p->groups[1].locked = true;
    free(p->groups[1].description);
    p->groups[1].description = ug_text_copy("plates \xfc latin-1");
}

static inline void full_markers(ug_take *take, uint64_t *seed)
{
    static const char *const LABELS[FULL_MARKERS] = { "LASI", "膝", "Köpfchen", "" };
    static const char *const SUBJECTS[FULL_MARKERS] = { "", "Jörg", "Jörg", "s" };
    ug_markers *m = ug_markers_create(FULL_FRAMES, FULL_MARKERS, (ug_rate){ 120000, 1001 });
    assert_non_null(m);
    m->first_frame = -4001;
    m->scale_m = 0.001;
    for (size_t i = 0; i < FULL_MARKERS; i++) {
        m->labels[i] = ug_text_copy(LABELS[i]);
        m->subjects[i] = ug_text_copy(SUBJECTS[i]);
        m->kinds[i] = (uint8_t)(i * 2);
    }
    for (size_t i = 0; i < FULL_FRAMES * FULL_MARKERS; i++) {
        if (i % 7 == 3) {
            continue; // missing
        }
        for (size_t k = 0; k < 3; k++) {
            m->positions[3 * i + k] = (float)(1000.0 * full_random(seed));
        }
        m->origin[i] = (uint16_t)(1 + i % 127);
        m->method[i] = (uint8_t)(i % 9);
        m->predicted_error_mm[i] = i % 2 ? (float)full_random(seed) : NAN;
        m->residuals[i] = (float)full_random(seed);
        m->cameras[i] = (uint8_t)i;
    }
    assert_true(ug_markers_make_unfiltered(m));
    for (size_t i = 0; i < 3 * FULL_FRAMES * FULL_MARKERS; i++) {
        if (m->origin[i / 3] & UG_ORIGIN_FILTERED) {
            m->unfiltered[i] = m->positions[i] + 1.0f / 3.0f;
        }
    }
    take->markers = m;
}

static inline void full_analog(ug_take *take, uint64_t *seed)
{
    static const char *const LABELS[FULL_CHANNELS] = { "Fz1", "Électrode", "" };
    ug_analog *a = ug_analog_create(FULL_FRAMES, FULL_SUBFRAMES, FULL_CHANNELS);
    assert_non_null(a);
    a->gen_scale = 0.25;
    for (size_t c = 0; c < FULL_CHANNELS; c++) {
        a->labels[c] = ug_text_copy(LABELS[c]);
        a->units[c] = ug_text_copy(c == 0 ? "N" : "µV");
        a->scale[c] = full_random(seed);
        a->offset[c] = full_random(seed);
    }
    for (size_t i = 0; i < (size_t)FULL_FRAMES * FULL_SUBFRAMES * FULL_CHANNELS; i++) {
        a->raw[i] = (float)full_random(seed);
    }
    take->analog = a;
    assert_int_equal(ug_events_add(&take->events, "Foot Strike", "Left", "Jörg", -0.25), 0);
    assert_int_equal(ug_events_add(&take->events, "Foot Off", "", "", 1.0 / 3.0), 0);
}

static inline void full_skeleton(ug_take *take, uint64_t *seed)
{
    static const char *const NAMES[FULL_JOINTS] = { "Hüfte", "spine:1", "head", "head_end",
                                                    "prop" };
    static const int PARENTS[FULL_JOINTS] = { -1, 0, 1, 2, -1 };
    static const ug_joint_type TYPES[FULL_JOINTS] = { UG_JOINT_FREE, UG_JOINT_HINGE,
                                                      UG_JOINT_UNIVERSAL, UG_JOINT_FIXED,
                                                      UG_JOINT_BALL };
    ug_skeleton *s = ug_skeleton_create(FULL_JOINTS);
    assert_non_null(s);
    s->name = ug_text_copy("Trollkörper");
    s->stature_m = 1.73;
    for (size_t j = 0; j < FULL_JOINTS; j++) {
        ug_joint *joint = &s->joints[j];
        joint->name = ug_text_copy(NAMES[j]);
        joint->parent = PARENTS[j];
        joint->type = TYPES[j];
        joint->offset_m = (ug_vec3){ full_random(seed), full_random(seed), full_random(seed) };
        joint->rest = ug_quat_normalize(
            (ug_quat){ 1.0, full_random(seed), full_random(seed), full_random(seed) });
        joint->role = (ug_role)(j * 5);
        joint->flags = (uint32_t)j | UG_JOINT_HAS_LIMITS;
        for (int k = 0; k < 3; k++) {
            joint->limits_rad[k][0] = -1.0 + 0.1 * full_random(seed);
            joint->limits_rad[k][1] = 1.0 + 0.1 * full_random(seed);
            joint->pose_sigma_rad[k] = full_random(seed);
        }
        for (int k = 0; k < UG_CHANNELS_MAX; k++) {
            joint->channels[k] = (uint8_t)((j + (size_t)k) % 10);
        }
        joint->offset_sigma_m = (ug_vec3){ 0.01, full_random(seed), 1e-300 };
    }
    take->skeleton = s;
    for (int i = 0; i < 3; i++) {
        const ug_attachment a = { .label = i == 1 ? "膝" : "LASI",
                                  .segment = (char *)NAMES[i],
                                  .joint = i - 1,
                                  .local_m = { full_random(seed), full_random(seed), -0.0 },
                                  .sigma_m = { 0.01, 0.02, full_random(seed) },
                                  .weight = full_random(seed),
                                  .kind = (ug_marker_kind)i,
                                  .calibrated = i == 1 };
        assert_int_equal(ug_attachments_add(&take->attachments, &a, NULL), UG_OK);
    }
}

static inline void full_motion(ug_take *take, uint64_t *seed)
{
    ug_clip *c =
        ug_clip_create(FULL_FRAMES, FULL_JOINTS, (int[]){ 0, 4 }, 2, (ug_rate){ 30000, 1001 });
    assert_non_null(c);
    c->first_frame = 70000;
    double *numbers = (double *)c->rotations;
    for (size_t i = 0; i < FULL_FRAMES * FULL_JOINTS * 4; i++) {
        numbers[i] = full_random(seed);
    }
    numbers = (double *)c->translations;
    for (size_t i = 0; i < FULL_FRAMES * 2 * 3; i++) {
        numbers[i] = i == 5 ? NAN : full_random(seed);
    }
    c->origin = calloc(FULL_FRAMES * FULL_JOINTS, sizeof *c->origin);
    assert_non_null(c->origin);
    for (size_t i = 0; i < FULL_FRAMES * FULL_JOINTS; i++) {
        c->origin[i] = (uint16_t)(i % 127);
    }
    take->clip = c;
    for (int i = 0; i < 4; i++) {
        ug_contact contact = { .point = (ug_contact_point)(i + 1),
                               .kind = (ug_contact_kind)(i % 2),
                               .start_s = full_random(seed),
                               .end_s = 2.0 + full_random(seed),
                               .target_m = { full_random(seed), 0.0, full_random(seed) },
                               .accepted = i != 2 };
        strcpy(contact.reason, i == 2 ? "zu kurz: 12 ms – übergangen" : "");
        assert_int_equal(ug_contacts_add(&take->contacts, &contact, NULL), UG_OK);
    }
}

static inline void full_history(ug_take *take, uint64_t *seed)
{
    float values[2 * FULL_FRAMES];
    for (size_t i = 0; i < 2 * FULL_FRAMES; i++) {
        values[i] = i % 5 ? (float)full_random(seed) : NAN;
    }
    assert_int_equal(
        ug_quality_set(&take->quality, "zz_residual_mm", "mm", FULL_FRAMES, 2, values, NULL),
        UG_OK);
    assert_int_equal(ug_quality_set(&take->quality, "a/b", "", 1, 1, values + 1, NULL), UG_OK);
    assert_int_equal(ug_quality_set(&take->quality, "empty", "s", 0, 3, values, NULL), UG_OK);
    const ug_provenance_entry import = { .stage = "import",
                                         .version = "0.1.0",
                                         .command_line = "ugoki import 'Läufer 1.c3d' -o a.h5",
                                         .options_json = "{\"unit\": null}",
                                         .inputs_json = "[{\"name\": \"Läufer 1.c3d\"}]",
                                         .started = "2024-02-29T23:59:60Z",
                                         .metrics_json = "{}",
                                         .warnings_json = "[]",
                                         .seed = UINT64_MAX,
                                         .seconds = 0.1 };
    const ug_provenance_entry clean = { .stage = "clean", .seed = 1 };
    assert_int_equal(ug_provenance_add(&take->provenance, &import, NULL), UG_OK);
    assert_int_equal(ug_provenance_add(&take->provenance, &clean, NULL), UG_OK);
}

/// Fill an uninitialised take. ug_take_fini() it.
static inline void full_take_init(ug_take *take, uint64_t seed)
{
    seed = seed * 2654435761u + 88172645463325252u;
    ug_take_init(take);
    full_source(take, &seed);
    full_markers(take, &seed);
    full_analog(take, &seed);
    full_skeleton(take, &seed);
    full_motion(take, &seed);
    full_history(take, &seed);
}

// --- comparison: every `same_` returns NULL, or the name of the first part that differs

#define SAME(condition, what)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return what;                                                                           \
        }                                                                                          \
    } while (0)

static inline bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline bool same_texts(char *const *a, char *const *b, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        same = same && same_text(a[i], b[i]);
    }
    return same;
}

static inline bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static inline const char *same_parameters(const ug_parameters *a, const ug_parameters *b)
{
    SAME(a->count == b->count, "parameter groups");
    for (size_t g = 0; g < a->count; g++) {
        const ug_parameter_group *x = &a->groups[g], *y = &b->groups[g];
        SAME(same_text(x->name, y->name) && same_text(x->description, y->description) &&
                 x->id == y->id && x->locked == y->locked && x->count == y->count,
             "parameter group");
        for (size_t i = 0; i < x->count; i++) {
            const ug_parameter *p = &x->items[i], *q = &y->items[i];
            SAME(same_text(p->name, q->name) && same_text(p->description, q->description) &&
                     p->locked == q->locked && p->type == q->type &&
                     p->dimension_count == q->dimension_count &&
                     same_bytes(p->dimensions, q->dimensions, (size_t)p->dimension_count),
                 "parameter");
            SAME(p->size == q->size && same_bytes(p->data, q->data, p->size), "parameter data");
        }
    }
    return NULL;
}

static inline const char *same_source(const ug_source *a, const ug_source *b)
{
    SAME(same_text(a->format, b->format) && same_text(a->unit, b->unit), "source texts");
    SAME(a->unit_m == b->unit_m && a->point_scale == b->point_scale, "source scales");
    SAME(same_bytes(&a->axes, &b->axes, sizeof a->axes), "source axes");
    SAME(a->unit_inferred == b->unit_inferred && a->axes_inferred == b->axes_inferred &&
             a->unit_stated == b->unit_stated && a->axes_stated == b->axes_stated &&
             a->integer_samples == b->integer_samples && a->processor == b->processor,
         "source flags");
    SAME(same_bytes(a->header, b->header, sizeof a->header), "source header");
    return same_parameters(&a->parameters, &b->parameters);
}

static inline const char *same_markers(const ug_markers *a, const ug_markers *b)
{
    SAME(!a == !b, "markers");
    if (!a) {
        return NULL;
    }
    const size_t m = a->marker_count, n = a->frame_count * m;
    SAME(a->frame_count == b->frame_count && m == b->marker_count, "marker counts");
    SAME(a->rate.num == b->rate.num && a->rate.den == b->rate.den &&
             a->first_frame == b->first_frame && a->scale_m == b->scale_m,
         "marker rate");
    SAME(same_texts(a->labels, b->labels, m) && same_texts(a->subjects, b->subjects, m), "labels");
    SAME(same_bytes(a->kinds, b->kinds, m), "marker kinds");
    SAME(same_bytes(a->positions, b->positions, 3 * n * sizeof(float)), "positions");
    SAME(!a->unfiltered == !b->unfiltered, "unfiltered");
    SAME(!a->unfiltered || same_bytes(a->unfiltered, b->unfiltered, 3 * n * sizeof(float)),
         "unfiltered positions");
    SAME(same_bytes(a->origin, b->origin, n * sizeof *a->origin), "marker origin");
    SAME(same_bytes(a->method, b->method, n), "method");
    SAME(same_bytes(a->predicted_error_mm, b->predicted_error_mm, n * sizeof(float)), "error");
    SAME(same_bytes(a->residuals, b->residuals, n * sizeof(float)), "residuals");
    SAME(same_bytes(a->cameras, b->cameras, n), "cameras");
    return NULL;
}

static inline const char *same_analog(const ug_take *x, const ug_take *y)
{
    const ug_analog *a = x->analog, *b = y->analog;
    SAME(!a == !b, "analog");
    if (a) {
        const size_t c = a->channel_count, n = a->frame_count * a->samples_per_frame * c;
        SAME(a->frame_count == b->frame_count && c == b->channel_count &&
                 a->samples_per_frame == b->samples_per_frame && a->gen_scale == b->gen_scale,
             "analog counts");
        SAME(same_texts(a->labels, b->labels, c) && same_texts(a->units, b->units, c),
             "analog texts");
        SAME(same_bytes(a->scale, b->scale, c * sizeof(double)) &&
                 same_bytes(a->offset, b->offset, c * sizeof(double)),
             "analog scales");
        SAME(same_bytes(a->raw, b->raw, n * sizeof(float)), "analog samples");
    }
    SAME(x->events.count == y->events.count, "events");
    for (size_t i = 0; i < x->events.count; i++) {
        const ug_event *e = &x->events.items[i], *f = &y->events.items[i];
        SAME(same_text(e->label, f->label) && same_text(e->context, f->context) &&
                 same_text(e->subject, f->subject) && e->time_s == f->time_s,
             "event");
    }
    return NULL;
}

static inline const char *same_skeleton(const ug_take *x, const ug_take *y)
{
    const ug_skeleton *a = x->skeleton, *b = y->skeleton;
    SAME(!a == !b, "skeleton");
    for (size_t j = 0; a && j < a->joint_count; j++) {
        SAME(a->joint_count == b->joint_count && a->stature_m == b->stature_m &&
                 same_text(a->name, b->name),
             "skeleton head");
        const ug_joint *p = &a->joints[j], *q = &b->joints[j];
        SAME(same_text(p->name, q->name) && p->parent == q->parent && p->type == q->type &&
                 p->role == q->role && p->flags == q->flags &&
                 same_bytes(p->channels, q->channels, sizeof p->channels),
             "joint");
        SAME(same_bytes(&p->offset_m, &q->offset_m, sizeof p->offset_m) &&
                 same_bytes(&p->rest, &q->rest, sizeof p->rest) &&
                 same_bytes(p->axes, q->axes, sizeof p->axes) &&
                 same_bytes(p->limits_rad, q->limits_rad, sizeof p->limits_rad) &&
                 same_bytes(&p->offset_sigma_m, &q->offset_sigma_m, sizeof p->offset_sigma_m) &&
                 same_bytes(p->pose_sigma_rad, q->pose_sigma_rad, sizeof p->pose_sigma_rad),
             "joint numbers");
    }
    SAME(x->attachments.count == y->attachments.count, "attachments");
    for (size_t i = 0; i < x->attachments.count; i++) {
        const ug_attachment *p = &x->attachments.items[i], *q = &y->attachments.items[i];
        SAME(same_text(p->label, q->label) && same_text(p->segment, q->segment) &&
                 p->joint == q->joint && p->kind == q->kind && p->calibrated == q->calibrated &&
                 p->weight == q->weight &&
                 same_bytes(&p->local_m, &q->local_m, sizeof p->local_m) &&
                 same_bytes(&p->sigma_m, &q->sigma_m, sizeof p->sigma_m),
             "attachment");
    }
    return NULL;
}

static inline const char *same_motion(const ug_take *x, const ug_take *y)
{
    const ug_clip *a = x->clip, *b = y->clip;
    SAME(!a == !b, "motion");
    if (a) {
        const size_t f = a->frame_count, n = f * a->joint_count, t = a->translated_count;
        SAME(f == b->frame_count && a->joint_count == b->joint_count && t == b->translated_count &&
                 a->rate.num == b->rate.num && a->rate.den == b->rate.den &&
                 a->first_frame == b->first_frame,
             "motion counts");
        SAME(same_bytes(a->rotations, b->rotations, n * sizeof *a->rotations), "rotations");
        SAME(same_bytes(a->translated_joints, b->translated_joints, t * sizeof(int)), "translated");
        SAME(same_bytes(a->translations, b->translations, f * t * sizeof *a->translations),
             "translations");
        SAME(!a->origin == !b->origin, "motion origin");
        SAME(!a->origin || same_bytes(a->origin, b->origin, n * sizeof *a->origin),
             "motion origin bits");
    }
    SAME(x->contacts.count == y->contacts.count, "contacts");
    for (size_t i = 0; i < x->contacts.count; i++) {
        const ug_contact *p = &x->contacts.items[i], *q = &y->contacts.items[i];
        SAME(p->point == q->point && p->kind == q->kind && p->start_s == q->start_s &&
                 p->end_s == q->end_s && p->accepted == q->accepted &&
                 same_bytes(&p->target_m, &q->target_m, sizeof p->target_m) &&
                 same_text(p->reason, q->reason),
             "contact");
    }
    return NULL;
}

static inline const char *same_history(const ug_take *x, const ug_take *y)
{
    SAME(x->quality.count == y->quality.count, "quality");
    for (size_t i = 0; i < x->quality.count; i++) {
        const ug_series *a = &x->quality.items[i], *b = &y->quality.items[i];
        SAME(same_text(a->name, b->name) && same_text(a->unit, b->unit) && a->rows == b->rows &&
                 a->columns == b->columns &&
                 same_bytes(a->values, b->values, a->rows * a->columns * sizeof(float)),
             "series");
    }
    SAME(x->provenance.count == y->provenance.count, "provenance");
    for (size_t i = 0; i < x->provenance.count; i++) {
        const ug_provenance_entry *a = &x->provenance.items[i], *b = &y->provenance.items[i];
        SAME(same_text(a->stage, b->stage) && same_text(a->version, b->version) &&
                 same_text(a->command_line, b->command_line) &&
                 same_text(a->options_json, b->options_json) &&
                 same_text(a->inputs_json, b->inputs_json) && same_text(a->started, b->started) &&
                 same_text(a->metrics_json, b->metrics_json) &&
                 same_text(a->warnings_json, b->warnings_json) && a->seed == b->seed &&
                 a->seconds == b->seconds,
             "provenance entry");
    }
    return NULL;
}

/// NULL when both takes hold the same bits, else what differs first.
static inline const char *full_take_difference(const ug_take *a, const ug_take *b)
{
    const char *what = same_source(&a->source, &b->source);
    what = what ? what : same_markers(a->markers, b->markers);
    what = what ? what : same_analog(a, b);
    what = what ? what : same_skeleton(a, b);
    what = what ? what : same_motion(a, b);
    return what ? what : same_history(a, b);
}
