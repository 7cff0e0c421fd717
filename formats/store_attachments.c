// SPDX-License-Identifier: MIT
// /attachments of the store: where markers sit on the skeleton of the same file.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

#define PER_ROW "attachment", "(attachment_count)"
#define PER_ROW_3 "attachment xyz", "(attachment_count x 3)"

static const ug_h5_spec MARKER = { "marker", UG_H5_TEXT, PER_ROW, "1", "label without subject",
                                   false };
static const ug_h5_spec SEGMENT = {
    "segment", UG_H5_TEXT, PER_ROW, "1", "name of the joint", false
};
static const ug_h5_spec JOINT = {
    "joint", UG_H5_I32, PER_ROW, "1", "index of the joint in /skeleton; -1 for none", false
};
static const ug_h5_spec LOCAL = {
    "local", UG_H5_F64, PER_ROW_3, "m", "place of the marker in the joint's frame", false
};
static const ug_h5_spec SIGMA = {
    "sigma", UG_H5_F64, PER_ROW_3, "m", "standard deviation of the prior on that place", false
};
static const ug_h5_spec WEIGHT = {
    "weight", UG_H5_F64, PER_ROW, "1", "1 as a rule; 0 known but not used", false
};
static const ug_h5_spec KIND = { "kind", UG_H5_U8, PER_ROW, "1", "0 bony, 1 technical, 2 computed",
                                 false };
static const ug_h5_spec CALIBRATED = {
    "calibrated", UG_H5_U8, PER_ROW, "1", "1: the place was seen in data; 0: from the prior", false
};

typedef struct columns {
    double *local, *sigma, *weight;
    int32_t *joint;
    uint8_t *kind, *calibrated;
    void *memory;
} columns;

static bool columns_init(columns *c, size_t n)
{
    *c = (columns){ .memory = calloc(n > 0 ? n : 1, 7 * sizeof(double) + 4 + 2) };
    if (!c->memory) {
        return false;
    }
    c->local = c->memory;
    c->sigma = c->local + 3 * n;
    c->weight = c->sigma + 3 * n;
    c->joint = (int32_t *)(c->weight + n);
    c->kind = (uint8_t *)(c->joint + n);
    c->calibrated = c->kind + n;
    return true;
}

static void check_joints(const ug_h5_group *root, const int32_t *joint, size_t count)
{
    const size_t joints = ug_store_joint_count(root);
    for (size_t i = 0; ug_h5_ok(root) && i < count; i++) {
        if (joint[i] < -1 || (joint[i] >= 0 && (size_t)joint[i] >= joints)) {
            ug_h5_fail(root->file, UG_E_DATA,
                       "dataset 'attachments/joint': row %zu points at joint %d, which the "
                       "skeleton does not have",
                       i, (int)joint[i]);
        }
    }
}

static void put_rows(const ug_h5_group *group, const ug_attachments *from, columns *c,
                     char **labels, char **segments)
{
    const size_t n = from->count;
    for (size_t i = 0; i < n; i++) {
        const ug_attachment *a = &from->items[i];
        labels[i] = a->label;
        segments[i] = a->segment;
        c->joint[i] = a->joint;
        memcpy(c->local + 3 * i, &a->local_m, sizeof a->local_m);
        memcpy(c->sigma + 3 * i, &a->sigma_m, sizeof a->sigma_m);
        c->weight[i] = a->weight;
        c->kind[i] = (uint8_t)a->kind;
        c->calibrated[i] = a->calibrated;
    }
    ug_store_check_codes(group, KIND.name, c->kind, n, UG_MARKER_COMPUTED);
    ug_h5_put_texts(group, &MARKER, n, labels);
    ug_h5_put_texts(group, &SEGMENT, n, segments);
    ug_h5_put(group, &JOINT, &n, c->joint);
    ug_h5_put(group, &LOCAL, (size_t[]){ n, 3 }, c->local);
    ug_h5_put(group, &SIGMA, (size_t[]){ n, 3 }, c->sigma);
    ug_h5_put(group, &WEIGHT, &n, c->weight);
    ug_h5_put(group, &KIND, &n, c->kind);
    ug_h5_put(group, &CALIBRATED, &n, c->calibrated);
}

void ug_store_put_attachments(const ug_h5_group *root, const ug_take *take)
{
    const size_t n = take->attachments.count;
    if (n == 0 || !ug_h5_ok(root)) {
        return;
    }
    columns c;
    char **texts = calloc(2 * n, sizeof *texts);
    ug_h5_group group = ug_h5_group_make(root, "attachments");
    ug_h5_put_text(&group, NULL, "meaning", "where markers sit on the skeleton");
    if (columns_init(&c, n) && texts) {
        put_rows(&group, &take->attachments, &c, texts, texts + n);
        check_joints(root, c.joint, n);
    } else {
        ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
    }
    ug_h5_group_close(&group);
    free(texts);
    free(c.memory);
}

static void get_rows(ug_attachments *to, const ug_h5_group *group, columns *c)
{
    const size_t n = to->count;
    ug_h5_get(c->joint, group, &JOINT, &n);
    ug_h5_get(c->local, group, &LOCAL, (size_t[]){ n, 3 });
    ug_h5_get(c->sigma, group, &SIGMA, (size_t[]){ n, 3 });
    ug_h5_get(c->weight, group, &WEIGHT, &n);
    ug_h5_get(c->kind, group, &KIND, &n);
    ug_h5_get(c->calibrated, group, &CALIBRATED, &n);
    ug_store_check_codes(group, KIND.name, c->kind, n, UG_MARKER_COMPUTED);
    ug_store_check_codes(group, CALIBRATED.name, c->calibrated, n, 1);
    char **labels = ug_h5_get_texts(group, &MARKER, n);
    char **segments = ug_h5_get_texts(group, &SEGMENT, n);
    for (size_t i = 0; i < n; i++) {
        ug_attachment *a = &to->items[i];
        a->label = labels ? labels[i] : NULL;
        a->segment = segments ? segments[i] : NULL;
        a->joint = c->joint[i];
        memcpy(&a->local_m, c->local + 3 * i, sizeof a->local_m);
        memcpy(&a->sigma_m, c->sigma + 3 * i, sizeof a->sigma_m);
        a->weight = c->weight[i];
        a->kind = (ug_marker_kind)c->kind[i];
        a->calibrated = c->calibrated[i] != 0;
    }
    free(labels);
    free(segments);
}

void ug_store_get_attachments(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    size_t n = 0;
    if (ug_h5_group_open(&group, root, "attachments") && ug_h5_shape(&n, &group, &JOINT) && n > 0) {
        columns c = { 0 };
        take->attachments.items = calloc(n, sizeof *take->attachments.items);
        if (take->attachments.items && columns_init(&c, n)) {
            take->attachments.count = n;
            get_rows(&take->attachments, &group, &c);
            check_joints(root, c.joint, n);
        } else {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
        }
        free(c.memory);
    }
    ug_h5_group_close(&group);
}
