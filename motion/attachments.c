// SPDX-License-Identifier: MIT
#include "motion/attachments.h"

#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ug_attachments_fini(ug_attachments *attachments)
{
    if (attachments) {
        for (size_t i = 0; i < attachments->count; i++) {
            free(attachments->items[i].label);
            free(attachments->items[i].segment);
        }
        free(attachments->items);
        *attachments = (ug_attachments){ 0 };
    }
}

void ug_marker_set_fini(ug_marker_set *set)
{
    if (set) {
        free(set->name);
        ug_attachments_fini(&set->markers);
        *set = (ug_marker_set){ 0 };
    }
}

ug_status ug_attachments_add(ug_attachments *attachments, const ug_attachment *item, ug_error *err)
{
    ug_attachment a = *item;
    a.label = ug_text_copy(item->label);
    a.segment = ug_text_copy(item->segment ? item->segment : "");
    ug_attachment *grown = realloc(attachments->items, (attachments->count + 1) * sizeof *grown);
    if (grown) {
        attachments->items = grown;
    }
    if (!grown || !a.label || !a.segment) {
        free(a.label);
        free(a.segment);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    attachments->items[attachments->count++] = a;
    return UG_OK;
}

ug_status ug_attachments_copy(ug_attachments *to, const ug_attachments *from, ug_error *err)
{
    assert(to && from && to->count == 0);
    for (size_t i = 0; i < from->count; i++) {
        const ug_status status = ug_attachments_add(to, &from->items[i], err);
        if (status != UG_OK) {
            ug_attachments_fini(to);
            return status;
        }
    }
    return UG_OK;
}

ptrdiff_t ug_attachments_find(const ug_attachments *attachments, const char *label)
{
    for (size_t i = 0; i < attachments->count; i++) {
        if (strcmp(attachments->items[i].label, label) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

ug_status ug_marker_set_attach(ug_attachments *out, const ug_marker_set *set,
                               const ug_skeleton *skeleton, ug_error *err)
{
    assert(out && set && skeleton && out->count == 0);
    const bool scaled = set->stature_m > 0.0 && skeleton->stature_m > 0.0;
    const double scale = scaled ? skeleton->stature_m / set->stature_m : 1.0;
    for (size_t i = 0; i < set->markers.count; i++) {
        ug_attachment a = set->markers.items[i];
        a.joint = ug_skeleton_find(skeleton, a.segment);
        if (a.joint < 0) {
            ug_attachments_fini(out);
            return ug_fail(err, UG_E_DATA,
                           "marker '%s' sits on segment '%s', which the skeleton does not have; "
                           "use a marker set made for this template",
                           a.label, a.segment);
        }
        a.local_m = ug_vec3_scale(a.local_m, scale);
        a.sigma_m = ug_vec3_scale(a.sigma_m, scale);
        const ug_status status = ug_attachments_add(out, &a, err);
        if (status != UG_OK) {
            ug_attachments_fini(out);
            return status;
        }
    }
    return UG_OK;
}
