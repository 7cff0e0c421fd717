// SPDX-License-Identifier: MIT
// Telling markers from what models wrote into the same table: angles, forces, moments, powers,
// scalars, joint centres.
//
// The file's own lists come first (POINT:ANGLES …, and whatever TYPE_GROUPS names). They are often
// incomplete, so well-known names decide for the rest: endings of output names, the quadruples of
// segment axes (xxxO xxxA xxxL xxxP) and virtual points of Plug-in Gait and the Oxford foot model,
// and descriptions that begin with "V_".
#include "formats/c3d_internal.h"

#include "motion/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_LISTED = -1 };

static int kind_of_type(const char *type)
{
    static const struct {
        const char *start;
        int kind;
    } TYPES[] = { { "ANGLE", UG_POINT_ANGLE },   { "FORCE", UG_POINT_FORCE },
                  { "MOMENT", UG_POINT_MOMENT }, { "POWER", UG_POINT_POWER },
                  { "SCALAR", UG_POINT_SCALAR }, { "REACTION", UG_POINT_FORCE },
                  { "MODEL", UG_POINT_VIRTUAL }, { "VIRTUAL", UG_POINT_VIRTUAL } };
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (strncasecmp(type, TYPES[i].start, strlen(TYPES[i].start)) == 0) {
            return TYPES[i].kind;
        }
    }
    return NOT_LISTED;
}

// Does `label` end in `word`, as a word of its own ("LHipAngles", "KNEE_ANGLE", "knee angle")?
static bool ends_in_word(const char *label, const char *word)
{
    const size_t n = strlen(label), w = strlen(word);
    if (n <= w || strcasecmp(label + n - w, word) != 0) {
        return false;
    }
    const unsigned char before = (unsigned char)label[n - w - 1];
    const unsigned char first = (unsigned char)label[n - w];
    return !isalpha(before) || (isupper(first) && islower(before)) ||
           (isupper(first) && islower((unsigned char)label[n - w + 1]));
}

static int kind_of_ending(const char *label)
{
    static const struct {
        const char *word;
        int kind;
    } WORDS[] = { { "Angles", UG_POINT_ANGLE },
                  { "Angle", UG_POINT_ANGLE },
                  { "Force", UG_POINT_FORCE },
                  { "Forces", UG_POINT_FORCE },
                  { "Moment", UG_POINT_MOMENT },
                  { "Moments", UG_POINT_MOMENT },
                  { "Torque", UG_POINT_MOMENT },
                  { "Power", UG_POINT_POWER },
                  { "Powers", UG_POINT_POWER },
                  { "CentreOfMass", UG_POINT_VIRTUAL },
                  { "CenterOfMass", UG_POINT_VIRTUAL },
                  { "CentreOfMassFloor", UG_POINT_VIRTUAL },
                  { "CenterOfMassFloor", UG_POINT_VIRTUAL },
                  { "HipCenter", UG_POINT_VIRTUAL },
                  { "HipCentre", UG_POINT_VIRTUAL } };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (ends_in_word(label, WORDS[i].word) || strcasecmp(label, WORDS[i].word) == 0) {
            return WORDS[i].kind;
        }
    }
    const size_t n = strlen(label);
    if (n > 4 && strcmp(label + n - 3, "GRF") == 0 && islower((unsigned char)label[n - 4])) {
        return UG_POINT_FORCE; // LNormalisedGRF
    }
    // LHJC, RKJC …: joint centres of Plug-in Gait
    if (n == 4 && (label[0] == 'L' || label[0] == 'R') && strchr("HKASEW", label[1]) &&
        strcmp(label + 2, "JC") == 0) {
        return UG_POINT_VIRTUAL;
    }
    return NOT_LISTED;
}

// Virtual points of the Oxford foot model, without the leading L or R.
static bool is_oxford_virtual(const char *label)
{
    static const char *const NAMES[] = { "FOF0", "FOF1", "FOF2", "FOF3", "HDF0",   "HDF1",
                                         "HDF2", "HDF3", "HLX0", "HLX1", "HLX2",   "HLX3",
                                         "TIB0", "TIB1", "TIB2", "TIB3", "HE1",    "D1M0",
                                         "D5M0", "P1M0", "P5M0", "TOE0", "PROXFF", "ArchHeight" };
    if (label[0] != 'L' && label[0] != 'R') {
        return false;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(label + 1, NAMES[i]) == 0) {
            return true;
        }
    }
    return false;
}

// All names of all lists, and the kind each list gives.
typedef struct listed {
    size_t count;
    char **names; ///< owned
    int *kinds;
} listed;

static void listed_fini(listed *l)
{
    ug_text_list_destroy(l->names, l->count);
    free(l->kinds);
}

static ug_status add_list(listed *l, const ug_parameters *tree, const char *name, int kind,
                          ug_error *err)
{
    c3d_texts texts;
    ug_status status = c3d_texts_read(&texts, tree, "POINT", name, err);
    if (status != UG_OK || texts.count == 0) {
        c3d_texts_fini(&texts);
        return status;
    }
    char **names = realloc(l->names, (l->count + texts.count) * sizeof *names);
    l->names = names ? names : l->names;
    int *kinds = realloc(l->kinds, (l->count + texts.count) * sizeof *kinds);
    l->kinds = kinds ? kinds : l->kinds;
    if (!names || !kinds) {
        c3d_texts_fini(&texts);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < texts.count; i++) {
        names[l->count] = texts.items[i];
        kinds[l->count++] = kind;
    }
    free(texts.items); // the texts have moved
    return UG_OK;
}

static ug_status read_lists(listed *l, const ug_parameters *tree, ug_error *err)
{
    static const char *const LISTS[] = { "ANGLES",  "FORCES",    "MOMENTS",        "POWERS",
                                         "SCALARS", "REACTIONS", "MODELED_MARKERS" };
    ug_status status = UG_OK;
    for (size_t i = 0; status == UG_OK && i < sizeof LISTS / sizeof LISTS[0]; i++) {
        status = add_list(l, tree, LISTS[i], kind_of_type(LISTS[i]), err);
    }
    c3d_texts groups = { 0 };
    if (status == UG_OK) {
        status = c3d_texts_read(&groups, tree, "POINT", "TYPE_GROUPS", err);
    }
    // pairs: name of the list, name of the type
    for (size_t i = 0; status == UG_OK && i + 1 < groups.count; i += 2) {
        const int kind = kind_of_type(groups.items[i + 1]);
        if (kind != NOT_LISTED && kind_of_type(groups.items[i]) == NOT_LISTED) {
            status = add_list(l, tree, groups.items[i], kind, err);
        }
    }
    c3d_texts_fini(&groups);
    return status;
}

// The lists name outputs with or without the subject.
static int listed_kind(const c3d_names *index, const listed *l, const char *label,
                       const char *subject)
{
    const uint32_t *at = c3d_names_find(index, label);
    if (!at && subject[0] != '\0') {
        char *full = ug_text_format("%s:%s", subject, label);
        at = full ? c3d_names_find(index, full) : NULL;
        free(full);
    }
    if (!at || *at >= l->count) {
        return NOT_LISTED;
    }
    return l->kinds[*at];
}

static bool has(const c3d_names *all, const char *label, char last)
{
    char name[8];
    (void)snprintf(name, sizeof name, "%.3s%c", label, last);
    return c3d_names_find(all, name) != NULL;
}

// xxxO xxxA xxxL xxxP: origin and axes of a segment
static bool is_segment_axis(const c3d_names *all, const char *label)
{
    return strlen(label) == 4 && strchr("OALP", label[3]) && has(all, label, 'O') &&
           has(all, label, 'A') && has(all, label, 'L') && has(all, label, 'P');
}

ug_status c3d_kinds_read(uint8_t *kinds, char *const *labels, char *const *subjects, size_t count,
                         const ug_parameters *tree, ug_error *err)
{
    listed lists = { 0 };
    c3d_names index = { 0 }, all = { 0 };
    c3d_texts descriptions = { 0 };
    ug_status status = read_lists(&lists, tree, err);
    if (status == UG_OK) {
        status = c3d_texts_read(&descriptions, tree, "POINT", "DESCRIPTIONS", err);
    }
    if (status != UG_OK) {
        goto done;
    }
    if (!c3d_names_init(&index, lists.count) || !c3d_names_init(&all, count)) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    bool is_new;
    for (size_t i = 0; i < lists.count; i++) {
        c3d_names_put(&index, lists.names[i], (uint32_t)i, &is_new);
    }
    for (size_t i = 0; i < count; i++) {
        c3d_names_put(&all, labels[i], (uint32_t)i, &is_new);
    }
    const bool has_oxford = c3d_names_find(&all, "LFOF0") || c3d_names_find(&all, "RFOF0");
    for (size_t i = 0; i < count; i++) {
        if (kinds[i] == UG_POINT_UNLABELLED) {
            continue;
        }
        int kind = listed_kind(&index, &lists, labels[i], subjects[i]);
        kind = kind == NOT_LISTED ? kind_of_ending(labels[i]) : kind;
        const bool is_virtual =
            is_segment_axis(&all, labels[i]) || (has_oxford && is_oxford_virtual(labels[i])) ||
            (i < descriptions.count && strncmp(descriptions.items[i], "V_", 2) == 0);
        if (kind == NOT_LISTED && is_virtual) {
            kind = UG_POINT_VIRTUAL;
        }
        if (kind != NOT_LISTED) {
            kinds[i] = (uint8_t)kind;
        }
    }
done:
    listed_fini(&lists);
    c3d_names_fini(&index);
    c3d_names_fini(&all);
    c3d_texts_fini(&descriptions);
    return status;
}
