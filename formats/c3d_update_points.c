// SPDX-License-Identifier: MIT
// Brings labels, descriptions and the lists of model outputs of a copied parameter tree up to what
// the take says. Asked the way the reader would ask; rewritten only where the answer is wrong.
#include "formats/c3d_edit.h"
#include "formats/c3d_update.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool c3d_same_texts(char *const *a, char *const *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_text(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

// What the reader would make of the tree.
typedef struct naming {
    size_t count;
    char **labels, **subjects;
    uint8_t *kinds;
} naming;

static void naming_fini(naming *n)
{
    ug_text_list_destroy(n->labels, n->count);
    ug_text_list_destroy(n->subjects, n->count);
    free(n->kinds);
}

static ug_status naming_read(naming *n, size_t count, const ug_parameters *tree, ug_error *err)
{
    const size_t some = count > 0 ? count : 1;
    *n = (naming){ .count = count };
    n->labels = ug_text_list_create(some);
    n->subjects = ug_text_list_create(some);
    n->kinds = calloc(some, sizeof *n->kinds);
    if (!n->labels || !n->subjects || !n->kinds) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return c3d_labels_read(n->labels, n->subjects, n->kinds, count, tree, NULL, err);
}

// "subject:label"; fresh memory.
static char *full_label(const ug_markers *m, size_t i)
{
    const char *subject = m->subjects[i] ? m->subjects[i] : "";
    const char *label = m->labels[i] ? m->labels[i] : "";
    return subject[0] != '\0' ? ug_text_format("%s:%s", subject, label) : ug_text_copy(label);
}

// Descriptions follow their labels to the new places.
static ug_status move_descriptions(ug_parameters *tree, const ug_markers *m, const naming *old,
                                   ug_warnings *warnings, ug_error *err)
{
    c3d_texts texts = { 0 };
    c3d_names index = { 0 };
    ug_status status = c3d_texts_read(&texts, tree, "POINT", "DESCRIPTIONS", err);
    char **moved = calloc(m->marker_count + 1, sizeof *moved);
    if (status == UG_OK && texts.count > 0) {
        if (!moved || !c3d_names_init(&index, old->count)) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            goto done;
        }
        bool is_new;
        for (size_t i = 0; i < old->count; i++) {
            c3d_names_put(&index, old->labels[i], (uint32_t)i, &is_new);
        }
        for (size_t i = 0; i < m->marker_count; i++) {
            const uint32_t *at = c3d_names_find(&index, m->labels[i] ? m->labels[i] : "");
            moved[i] = at && *at < texts.count ? texts.items[*at] : (char *)"";
        }
        status =
            c3d_set_texts(tree, "POINT", "DESCRIPTIONS", moved, m->marker_count, warnings, err);
    }
done:
    free(moved);
    c3d_names_fini(&index);
    c3d_texts_fini(&texts);
    return status;
}

static ug_status update_labels(ug_parameters *tree, const ug_markers *m, size_t old_count,
                               ug_warnings *warnings, ug_error *err)
{
    naming now = { 0 }, old = { 0 };
    const size_t n = m->marker_count;
    char **full = ug_text_list_create(n + 1);
    ug_status status =
        full ? naming_read(&now, n, tree, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status != UG_OK || (c3d_same_texts(now.labels, m->labels, n) &&
                            c3d_same_texts(now.subjects, m->subjects, n))) {
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        if (!(full[i] = full_label(m, i))) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            goto done;
        }
    }
    if ((status = naming_read(&old, old_count, tree, err)) == UG_OK &&
        (status = move_descriptions(tree, m, &old, warnings, err)) == UG_OK) {
        status = c3d_set_texts(tree, "POINT", "LABELS", full, n, warnings, err);
    }
done:
    naming_fini(&now);
    naming_fini(&old);
    ug_text_list_destroy(full, n + 1);
    return status;
}

static const struct {
    uint8_t kind;
    const char *list, *type;
} LISTS[] = { { UG_POINT_ANGLE, "ANGLES", "ANGLE" },
              { UG_POINT_FORCE, "FORCES", "FORCE" },
              { UG_POINT_MOMENT, "MOMENTS", "MOMENT" },
              { UG_POINT_POWER, "POWERS", "POWER" },
              { UG_POINT_SCALAR, "SCALARS", "SCALAR" },
              { UG_POINT_VIRTUAL, "MODELED_MARKERS", "MODELED_MARKER" } };

// Append `extra` to a list of texts that may not exist yet.
static ug_status extend_list(ug_parameters *tree, const char *name, char *const *extra,
                             size_t count, ug_warnings *warnings, ug_error *err)
{
    c3d_texts texts;
    ug_status status = c3d_texts_read(&texts, tree, "POINT", name, err);
    if (status != UG_OK) {
        return status;
    }
    char **all = calloc(texts.count + count + 1, sizeof *all);
    if (all) {
        for (size_t i = 0; i < texts.count; i++) {
            all[i] = texts.items[i];
        }
        memcpy(all + texts.count, extra, count * sizeof *all);
        status = c3d_set_texts(tree, "POINT", name, all, texts.count + count, warnings, err);
    } else {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    free(all);
    c3d_texts_fini(&texts);
    return status;
}

// TYPE_GROUPS is a table of pairs, (width x 2 x n).
static ug_status extend_type_groups(ug_parameters *tree, const char *list, const char *type,
                                    ug_error *err)
{
    char *const pair[2] = { (char *)list, (char *)type };
    ug_status status = extend_list(tree, "TYPE_GROUPS", pair, 2, NULL, err);
    ug_parameter *p = ug_parameters_find(tree, "POINT", "TYPE_GROUPS");
    if (status == UG_OK && p && p->dimension_count == 2) {
        p->dimensions[2] = p->dimensions[1] / 2;
        p->dimensions[1] = 2;
        p->dimension_count = 3;
    }
    return status;
}

static ug_status update_kinds(ug_parameters *tree, const ug_markers *m, ug_warnings *warnings,
                              ug_error *err)
{
    naming now = { 0 };
    char **extra = calloc(m->marker_count + 1, sizeof *extra);
    ug_status status = extra ? naming_read(&now, m->marker_count, tree, err)
                             : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (size_t l = 0; status == UG_OK && l < sizeof LISTS / sizeof LISTS[0]; l++) {
        size_t count = 0;
        for (size_t i = 0; i < m->marker_count; i++) {
            if (m->kinds[i] == LISTS[l].kind && now.kinds[i] != m->kinds[i]) {
                extra[count++] = m->labels[i] ? m->labels[i] : (char *)"";
            }
        }
        if (count == 0) {
            continue;
        }
        const bool is_new = !ug_parameters_find(tree, "POINT", LISTS[l].list);
        status = extend_list(tree, LISTS[l].list, extra, count, warnings, err);
        if (status == UG_OK && is_new) {
            status = extend_type_groups(tree, LISTS[l].list, LISTS[l].type, err);
        }
    }
    free(extra);
    naming_fini(&now);
    return status;
}

ug_status c3d_update_points(ug_parameters *tree, const ug_markers *m, size_t old_count,
                            ug_warnings *warnings, ug_error *err)
{
    ug_status status = update_labels(tree, m, old_count, warnings, err);
    return status == UG_OK ? update_kinds(tree, m, warnings, err) : status;
}
