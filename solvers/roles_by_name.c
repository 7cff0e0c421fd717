// SPDX-License-Identifier: MIT
#include "solvers/roles_by_name.h"

#include <assert.h>
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- patterns ----------------------------------------------------------------------------------

typedef struct compiled_list {
    size_t count;
    regex_t *items;
} compiled_list;

// every list of the dictionary, ready to match
typedef struct lexicon {
    compiled_list prefixes, suffixes, ignore, parts[UG_ROLE_PART_COUNT];
} lexicon;

static void compiled_fini(compiled_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        regfree(&list->items[i]);
    }
    free(list->items);
    *list = (compiled_list){ 0 };
}

static void lexicon_fini(lexicon *lex)
{
    compiled_fini(&lex->prefixes);
    compiled_fini(&lex->suffixes);
    compiled_fini(&lex->ignore);
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        compiled_fini(&lex->parts[p]);
    }
}

// `head` and `tail` stand around each pattern: anchors, and case for the raw names
static ug_status compile(compiled_list *list, const ug_pattern_list *from, const char *head,
                         const char *tail, const char *what, ug_error *err)
{
    list->items = calloc(from->count > 0 ? from->count : 1, sizeof *list->items);
    if (!list->items) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < from->count; i++) {
        char text[256], why[96];
        const int length = snprintf(text, sizeof text, "%s(%s)%s", head, from->items[i], tail);
        if (length < 0 || (size_t)length >= sizeof text) {
            return ug_fail(err, UG_E_DATA, "role dictionary, %s: pattern %zu is too long", what,
                           i + 1);
        }
        const int bad = regcomp(&list->items[i], text, REG_EXTENDED | REG_ICASE);
        if (bad != 0) {
            regerror(bad, NULL, why, sizeof why);
            return ug_fail(err, UG_E_DATA, "role dictionary, %s: pattern '%s': %s", what,
                           from->items[i], why);
        }
        list->count = i + 1;
    }
    return UG_OK;
}

static ug_status lexicon_init(lexicon *lex, const ug_role_dictionary *d, ug_error *err)
{
    *lex = (lexicon){ 0 };
    ug_status status = compile(&lex->prefixes, &d->prefixes, "^", "", "prefixes", err);
    if (status == UG_OK) {
        status = compile(&lex->suffixes, &d->suffixes, "[-_. ]", "$", "suffixes", err);
    }
    if (status == UG_OK) {
        status = compile(&lex->ignore, &d->ignore, "", "", "ignore", err);
    }
    for (int p = 0; p < UG_ROLE_PART_COUNT && status == UG_OK; p++) {
        status = compile(&lex->parts[p], &d->parts[p], "^", "$", ug_role_part_name((ug_role_part)p),
                         err);
    }
    if (status != UG_OK) {
        lexicon_fini(lex);
    }
    return status;
}

// position of the first pattern that matches, or -1
static int first_match(const compiled_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (regexec(&list->items[i], text, 0, NULL, 0) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_limb_word(const lexicon *lex, const char *rest)
{
    for (int p = UG_BODY_CLAVICLE; p < UG_ROLE_PART_COUNT; p++) {
        if (first_match(&lex->parts[p], rest) >= 0) {
            return true;
        }
    }
    return false;
}

// ---- names -------------------------------------------------------------------------------------

static bool is_separator(char c)
{
    return c != '\0' && strchr("-_. ", c) != NULL;
}

static void normalise(char *out, const char *from, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < UG_ROLE_NAME_MAX; i++) {
        const unsigned char c = (unsigned char)from[i];
        if (c < 128 && isalnum(c)) {
            out[n++] = (char)tolower(c);
        }
    }
    out[n] = '\0';
}

// "mixamorig:LeftArm" -> "LeftArm", "Bip01 L Thigh" -> "L Thigh", "hip_jnt" -> "hip"; in place
static const char *strip_ends(const lexicon *lex, char *name)
{
    char *start = name;
    for (char *c = name; *c; c++) {
        if (*c == ':' || *c == '|') {
            start = c + 1;
        }
    }
    for (size_t i = 0; i < lex->prefixes.count; i++) {
        regmatch_t hit;
        if (regexec(&lex->prefixes.items[i], start, 1, &hit, 0) != 0 || hit.rm_eo == 0) {
            continue;
        }
        char *rest = start + hit.rm_eo;
        const bool apart = is_separator(*rest);
        if (!apart && !isupper((unsigned char)*rest)) {
            continue; // "definition" does not start with "def"
        }
        while (is_separator(*rest)) {
            rest++;
        }
        if (*rest) {
            start = rest;
            break;
        }
    }
    for (size_t i = 0; i < lex->suffixes.count; i++) {
        regmatch_t hit;
        if (regexec(&lex->suffixes.items[i], start, 1, &hit, 0) == 0 && hit.rm_so > 0) {
            start[hit.rm_so] = '\0';
            break;
        }
    }
    return start;
}

static ug_side side_of_letter(char c)
{
    switch (tolower((unsigned char)c)) {
    case 'l':
        return UG_SIDE_LEFT;
    case 'r':
        return UG_SIDE_RIGHT;
    default:
        return UG_SIDE_NONE;
    }
}

// a side written as a word or a letter of its own, at either end or between separators
static bool take_written_side(ug_role_word *word, const char *name)
{
    static const char *const WORDS[2] = { "left", "right" };
    const size_t n = strlen(name);
    for (int s = 0; s < 2; s++) {
        const size_t w = strlen(WORDS[s]);
        if (n > w && strncasecmp(name, WORDS[s], w) == 0) {
            normalise(word->rest, name + w, n - w);
            word->side = (ug_side)s;
            return word->rest[0] != '\0';
        }
        if (n > w && strcasecmp(name + n - w, WORDS[s]) == 0) {
            normalise(word->rest, name, n - w);
            word->side = (ug_side)s;
            return word->rest[0] != '\0';
        }
    }
    for (size_t i = 0; i < n; i++) {
        const bool before = i == 0 || is_separator(name[i - 1]);
        const bool after = i + 1 == n || is_separator(name[i + 1]);
        const ug_side side = side_of_letter(name[i]);
        if (!before || !after || side == UG_SIDE_NONE || n == 1) {
            continue;
        }
        if (i + 1 == n) {
            normalise(word->rest, name, i);
        } else {
            normalise(word->rest, name + i, n - i); // what stood before was somebody's prefix
            memmove(word->rest, word->rest + 1, strlen(word->rest));
        }
        word->side = side;
        return word->rest[0] != '\0';
    }
    return false;
}

static void split(ug_role_word *word, const char *name, const lexicon *lex)
{
    *word = (ug_role_word){ .side = UG_SIDE_NONE };
    char copy[UG_ROLE_NAME_MAX];
    if (strlen(name) >= sizeof copy) {
        return;
    }
    strcpy(copy, name);
    const char *core = strip_ends(lex, copy);
    if (take_written_side(word, core)) {
        return;
    }
    const size_t n = strlen(core);
    if (n > 1 && side_of_letter(core[0]) != UG_SIDE_NONE) { // "lfemur"
        normalise(word->rest, core + 1, n - 1);
        if (is_limb_word(lex, word->rest)) {
            word->side = side_of_letter(core[0]);
            return;
        }
    }
    if (n > 1 && (core[n - 1] == 'L' || core[n - 1] == 'R')) { // "ThighL"
        normalise(word->rest, core, n - 1);
        if (is_limb_word(lex, word->rest)) {
            word->side = side_of_letter(core[n - 1]);
            return;
        }
    }
    normalise(word->rest, core, n);
}

ug_status ug_role_word_split(ug_role_word *word, const char *name,
                             const ug_role_dictionary *dictionary, ug_error *err)
{
    lexicon lex;
    const ug_status status = lexicon_init(&lex, dictionary, err);
    if (status == UG_OK) {
        split(word, name, &lex);
        lexicon_fini(&lex);
    }
    return status;
}

// ---- limbs -------------------------------------------------------------------------------------

enum { LIMB_PARTS = 4 };

static const ug_role_part ARM[LIMB_PARTS] = { UG_BODY_CLAVICLE, UG_BODY_UPPER_ARM, UG_BODY_FOREARM,
                                              UG_BODY_HAND };
static const ug_role_part LEG[LIMB_PARTS] = { UG_BODY_THIGH, UG_BODY_SHIN, UG_BODY_FOOT,
                                              UG_BODY_TOE };

// what each joint's name could mean
typedef struct meaning {
    int position[UG_ROLE_PART_COUNT]; // of the pattern, -1 when the part does not fit
    ug_side side;
    int depth;
} meaning;

// the best way to end a limb with a given part at a given joint
typedef struct chain {
    int filled, essential, position, depth; // filled 0: no such chain
    int joint, from_joint, from_part;
} chain;

static bool is_better(const chain *a, const chain *b)
{
    if (a->filled != b->filled) {
        return a->filled > b->filled;
    }
    if (a->essential != b->essential) {
        return a->essential > b->essential;
    }
    if (a->position != b->position) {
        return a->position < b->position;
    }
    return a->filled > 0 && a->depth < b->depth;
}

static chain extend(const meaning *m, const ug_role_part parts[], int part, int joint,
                    const chain above[LIMB_PARTS])
{
    chain best = { .from_joint = -1, .from_part = -1 };
    for (int k = 0; k < part; k++) {
        if (above[k].filled > 0 && is_better(&above[k], &best)) {
            best = above[k];
            best.from_joint = above[k].joint;
            best.from_part = k;
        }
    }
    best.filled++;
    best.essential += parts[part] != UG_BODY_CLAVICLE && parts[part] != UG_BODY_TOE;
    best.position += m->position[parts[part]];
    best.depth += m->depth;
    best.joint = joint;
    return best;
}

// Dynamic programming over the tree, parents first: `ends` (joint_count x LIMB_PARTS) are chains
// that end at the joint, `above` those that end at some ancestor of it.
static void assign_limb(ug_role *roles, const ug_skeleton *skeleton, const meaning *meanings,
                        const ug_role_part parts[LIMB_PARTS], ug_side side, chain *ends,
                        chain *above)
{
    chain best = { 0 };
    int best_part = 0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const int parent = skeleton->joints[j].parent;
        for (int k = 0; k < LIMB_PARTS; k++) {
            chain *a = &above[j * LIMB_PARTS + (size_t)k];
            *a = (chain){ 0 };
            if (parent >= 0) {
                const size_t p = (size_t)parent * LIMB_PARTS + (size_t)k;
                *a = is_better(&ends[p], &above[p]) ? ends[p] : above[p];
            }
        }
        for (int k = 0; k < LIMB_PARTS; k++) {
            chain *e = &ends[j * LIMB_PARTS + (size_t)k];
            *e = (chain){ 0 };
            if (meanings[j].side == side && meanings[j].position[parts[k]] >= 0) {
                *e = extend(&meanings[j], parts, k, (int)j, &above[j * LIMB_PARTS]);
                if (is_better(e, &best)) {
                    best = *e;
                    best_part = k;
                }
            }
        }
    }
    int joint = best.filled > 0 ? best.joint : -1;
    for (int part = best_part; joint >= 0;) {
        const chain *link = &ends[(size_t)joint * LIMB_PARTS + (size_t)part];
        roles[joint] = ug_role_of_part(parts[part], side);
        joint = link->from_joint;
        part = link->from_part;
    }
}

// ---- trunk -------------------------------------------------------------------------------------

static int joint_of(const ug_role *roles, size_t count, ug_role role)
{
    for (size_t j = 0; j < count; j++) {
        if (roles[j] == role) {
            return (int)j;
        }
    }
    return -1;
}

static int common_ancestor(const ug_skeleton *skeleton, int a, int b)
{
    while (a != b && a >= 0 && b >= 0) {
        if (a > b) {
            a = skeleton->joints[a].parent;
        } else {
            b = skeleton->joints[b].parent;
        }
    }
    return a == b ? a : -1;
}

static int find_pelvis(const ug_role *roles, const ug_skeleton *skeleton, const meaning *meanings)
{
    const size_t n = skeleton->joint_count;
    const int left = joint_of(roles, n, UG_ROLE_L_THIGH);
    const int right = joint_of(roles, n, UG_ROLE_R_THIGH);
    int best = -1;
    for (size_t j = 0; j < n; j++) {
        const int position = meanings[j].position[UG_BODY_PELVIS];
        if (position < 0 || meanings[j].side != UG_SIDE_NONE || roles[j] != UG_ROLE_NONE ||
            (left >= 0 && !ug_skeleton_is_ancestor(skeleton, (int)j, left)) ||
            (right >= 0 && !ug_skeleton_is_ancestor(skeleton, (int)j, right))) {
            continue;
        }
        if (best < 0 || position < meanings[best].position[UG_BODY_PELVIS]) {
            best = (int)j;
        }
    }
    return best < 0 && left >= 0 && right >= 0 ? common_ancestor(skeleton, left, right) : best;
}

// the unsided joint below the pelvis that fits `part` best; of equals the first
static int find_below(const ug_role *roles, const ug_skeleton *skeleton, const meaning *meanings,
                      ug_role_part part, int pelvis)
{
    int best = -1;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const int position = meanings[j].position[part];
        if (position >= 0 && meanings[j].side == UG_SIDE_NONE && roles[j] == UG_ROLE_NONE &&
            (pelvis < 0 || ug_skeleton_is_ancestor(skeleton, pelvis, (int)j)) &&
            (best < 0 || position < meanings[best].position[part])) {
            best = (int)j;
        }
    }
    return best;
}

static void assign_trunk(ug_role *roles, const ug_skeleton *skeleton, const meaning *meanings)
{
    const size_t n = skeleton->joint_count;
    const int pelvis = find_pelvis(roles, skeleton, meanings);
    if (pelvis >= 0) {
        roles[pelvis] = UG_ROLE_PELVIS;
    }
    int end = find_below(roles, skeleton, meanings, UG_BODY_HEAD, pelvis);
    if (end >= 0) {
        roles[end] = UG_ROLE_HEAD;
        end = skeleton->joints[end].parent;
    } else {
        end = find_below(roles, skeleton, meanings, UG_BODY_NECK, pelvis);
    }
    if (end < 0) {
        const int left = joint_of(roles, n, UG_ROLE_L_UPPER_ARM);
        const int right = joint_of(roles, n, UG_ROLE_R_UPPER_ARM);
        end = left >= 0 && right >= 0 ? common_ancestor(skeleton, left, right) : -1;
    }
    for (int j = end; j > pelvis; j = skeleton->joints[j].parent) {
        if (roles[j] != UG_ROLE_NONE || meanings[j].side != UG_SIDE_NONE) {
            continue;
        }
        if (meanings[j].position[UG_BODY_NECK] >= 0) {
            roles[j] = UG_ROLE_NECK;
        } else if (meanings[j].position[UG_BODY_SPINE] >= 0) {
            roles[j] = UG_ROLE_SPINE;
        }
    }
}

// ---- all ---------------------------------------------------------------------------------------

static void understand(meaning *out, const ug_joint *joint, int depth, const lexicon *lex)
{
    ug_role_word word;
    split(&word, joint->name ? joint->name : "", lex);
    out->side = word.side;
    out->depth = depth;
    const bool body = word.rest[0] && !(joint->flags & UG_JOINT_END_SITE) &&
                      first_match(&lex->ignore, word.rest) < 0;
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        out->position[p] = body ? first_match(&lex->parts[p], word.rest) : -1;
    }
}

ug_status ug_roles_by_name(ug_role *roles, const ug_skeleton *skeleton,
                           const ug_role_dictionary *dictionary, ug_error *err)
{
    assert(roles && skeleton && dictionary);
    const size_t n = skeleton->joint_count;
    lexicon lex = { 0 };
    meaning *meanings = calloc(n > 0 ? n : 1, sizeof *meanings);
    chain *chains = calloc(n > 0 ? 2 * n * LIMB_PARTS : 1, sizeof *chains);
    ug_status status = UG_OK;
    if (!meanings || !chains) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    status = lexicon_init(&lex, dictionary, err);
    if (status != UG_OK) {
        goto done;
    }
    for (size_t j = 0; j < n; j++) {
        const int parent = skeleton->joints[j].parent;
        roles[j] = UG_ROLE_NONE;
        understand(&meanings[j], &skeleton->joints[j], parent < 0 ? 0 : meanings[parent].depth + 1,
                   &lex);
    }
    for (int side = 0; side < 2; side++) {
        assign_limb(roles, skeleton, meanings, LEG, (ug_side)side, chains, chains + n * LIMB_PARTS);
        assign_limb(roles, skeleton, meanings, ARM, (ug_side)side, chains, chains + n * LIMB_PARTS);
    }
    assign_trunk(roles, skeleton, meanings);
done:
    lexicon_fini(&lex);
    free(chains);
    free(meanings);
    return status;
}
