// SPDX-License-Identifier: MIT
// /contacts of the store.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_ROW "contact", "(contact_count)"

static const ug_h5_spec NAMES = {
    "names", UG_H5_TEXT, "point", "(point_count)", "1", "what `point` counts in", false
};
static const ug_h5_spec POINT = { "point", UG_H5_U8, PER_ROW, "1", "index into names", false };
static const ug_h5_spec KIND = {
    "kind", UG_H5_U8, PER_ROW, "1", "0 load: carries weight, 1 planted: does not move", false
};
static const ug_h5_spec START = { "start_s", UG_H5_F64, PER_ROW, "s", "from frame 0", false };
static const ug_h5_spec END = { "end_s", UG_H5_F64, PER_ROW, "s", "from frame 0, excluded", false };
static const ug_h5_spec TARGET = { "target",      UG_H5_F64,
                                   "contact xyz", "(contact_count x 3)",
                                   "m",           "world place of the point while it touches",
                                   false };
static const ug_h5_spec ACCEPTED = {
    "accepted", UG_H5_U8, PER_ROW, "1", "0: kept for the record, not used", false
};
static const ug_h5_spec REASON = { "reason", UG_H5_TEXT, PER_ROW, "1", "why not accepted", false };

typedef struct columns {
    double *start_s, *end_s, *target;
    uint8_t *point, *kind, *accepted;
    void *memory;
} columns;

static bool columns_init(columns *c, size_t n)
{
    *c = (columns){ .memory = calloc(n > 0 ? n : 1, 5 * sizeof(double) + 3) };
    if (!c->memory) {
        return false;
    }
    c->start_s = c->memory;
    c->end_s = c->start_s + n;
    c->target = c->end_s + n;
    c->point = (uint8_t *)(c->target + 3 * n);
    c->kind = c->point + n;
    c->accepted = c->kind + n;
    return true;
}

static void put_rows(const ug_h5_group *group, const ug_contacts *from, columns *c, char **reasons)
{
    const size_t n = from->count;
    for (size_t i = 0; i < n; i++) {
        const ug_contact *contact = &from->items[i];
        c->point[i] = (uint8_t)contact->point;
        c->kind[i] = (uint8_t)contact->kind;
        c->start_s[i] = contact->start_s;
        c->end_s[i] = contact->end_s;
        memcpy(c->target + 3 * i, &contact->target_m, sizeof contact->target_m);
        c->accepted[i] = contact->accepted;
        reasons[i] = (char *)contact->reason;
    }
    char *names[UG_CONTACT_POINT_COUNT];
    for (int i = 0; i < UG_CONTACT_POINT_COUNT; i++) {
        names[i] = (char *)ug_contact_point_name((ug_contact_point)i);
    }
    ug_store_check_codes(group, POINT.name, c->point, n, UG_CONTACT_POINT_COUNT - 1);
    ug_store_check_codes(group, KIND.name, c->kind, n, UG_CONTACT_PLANTED);
    ug_h5_put_texts(group, &NAMES, UG_CONTACT_POINT_COUNT, names);
    ug_h5_put(group, &POINT, &n, c->point);
    ug_h5_put(group, &KIND, &n, c->kind);
    ug_h5_put(group, &START, &n, c->start_s);
    ug_h5_put(group, &END, &n, c->end_s);
    ug_h5_put(group, &TARGET, (size_t[]){ n, 3 }, c->target);
    ug_h5_put(group, &ACCEPTED, &n, c->accepted);
    ug_h5_put_texts(group, &REASON, n, reasons);
}

void ug_store_put_contacts(const ug_h5_group *root, const ug_take *take)
{
    const size_t n = take->contacts.count;
    if (n == 0 || !ug_h5_ok(root)) {
        return;
    }
    columns c;
    char **reasons = calloc(n, sizeof *reasons);
    ug_h5_group group = ug_h5_group_make(root, "contacts");
    ug_h5_put_text(&group, NULL, "meaning", "when a point of the body touches");
    if (columns_init(&c, n) && reasons) {
        put_rows(&group, &take->contacts, &c, reasons);
    } else {
        ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
    }
    ug_h5_group_close(&group);
    free(reasons);
    free(c.memory);
}

// The points the file counts in, as ours: another writer may list them in another order.
static size_t get_points(ug_contact_point points[UG_CONTACT_POINT_COUNT], const ug_h5_group *group)
{
    size_t count = 0;
    if (!ug_h5_shape(&count, group, &NAMES)) {
        return 0;
    }
    if (count > UG_CONTACT_POINT_COUNT) {
        ug_h5_fail(group->file, UG_E_DATA,
                   "dataset 'contacts/names' has %zu points, at most %d are "
                   "known",
                   count, UG_CONTACT_POINT_COUNT);
        return 0;
    }
    char **names = ug_h5_get_texts(group, &NAMES, count);
    for (size_t i = 0; names && i < count; i++) {
        if (!ug_contact_point_from_name(&points[i], names[i])) {
            ug_h5_fail(group->file, UG_E_DATA,
                       "dataset 'contacts/names' has the unknown point '%.60s'", names[i]);
        }
    }
    ug_text_list_destroy(names, count);
    return ug_h5_ok(group) ? count : 0;
}

static void get_rows(ug_contacts *to, const ug_h5_group *group, columns *c)
{
    const size_t n = to->count;
    ug_contact_point points[UG_CONTACT_POINT_COUNT];
    const size_t point_count = get_points(points, group);
    ug_h5_get(c->point, group, &POINT, &n);
    ug_h5_get(c->kind, group, &KIND, &n);
    ug_h5_get(c->start_s, group, &START, &n);
    ug_h5_get(c->end_s, group, &END, &n);
    ug_h5_get(c->target, group, &TARGET, (size_t[]){ n, 3 });
    ug_h5_get(c->accepted, group, &ACCEPTED, &n);
    ug_store_check_codes(group, POINT.name, c->point, n, (int)point_count - 1);
    ug_store_check_codes(group, KIND.name, c->kind, n, UG_CONTACT_PLANTED);
    ug_store_check_codes(group, ACCEPTED.name, c->accepted, n, 1);
    char **reasons = ug_h5_get_texts(group, &REASON, n);
    for (size_t i = 0; reasons && ug_h5_ok(group) && i < n; i++) {
        ug_contact *contact = &to->items[i];
        contact->point = points[c->point[i]];
        contact->kind = (ug_contact_kind)c->kind[i];
        contact->start_s = c->start_s[i];
        contact->end_s = c->end_s[i];
        memcpy(&contact->target_m, c->target + 3 * i, sizeof contact->target_m);
        contact->accepted = c->accepted[i] != 0;
        if (strlen(reasons[i]) >= sizeof contact->reason) {
            ug_h5_fail(group->file, UG_E_DATA,
                       "dataset 'contacts/reason': row %zu is longer than %zu bytes", i,
                       sizeof contact->reason - 1);
        }
        (void)snprintf(contact->reason, sizeof contact->reason, "%s", reasons[i]);
    }
    ug_text_list_destroy(reasons, n);
}

void ug_store_get_contacts(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    size_t n = 0;
    if (ug_h5_group_open(&group, root, "contacts") && ug_h5_shape(&n, &group, &POINT) && n > 0) {
        columns c = { 0 };
        take->contacts.items = calloc(n, sizeof *take->contacts.items);
        if (take->contacts.items && columns_init(&c, n)) {
            take->contacts.count = n;
            get_rows(&take->contacts, &group, &c);
        } else {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
        }
        free(c.memory);
    }
    ug_h5_group_close(&group);
}
