// SPDX-License-Identifier: MIT
// Left, right or neither: of joints and of names.
#include "pipeline/report/sheet_body.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static ug_sheet_side side_of_role(ug_role role)
{
    return role >= UG_ROLE_R_CLAVICLE   ? UG_SHEET_RIGHT
           : role >= UG_ROLE_L_CLAVICLE ? UG_SHEET_LEFT
                                        : UG_SHEET_MIDDLE;
}

// The name with `length` bytes at `at` replaced by `word`.
static void replace(char *out, size_t capacity, const char *name, size_t at, size_t length,
                    const char *word)
{
    if (out) {
        (void)snprintf(out, capacity, "%.*s%s%s", (int)at, name, word, name + at + length);
    }
}

static bool is_edge(char c)
{
    return c == '\0' || c == '_' || c == '.' || c == ' ' || c == ':' || c == '-' || c == '|';
}

ug_sheet_side ug_sheet_side_of_name(const char *name, char *mirror, size_t capacity)
{
    static const struct {
        const char *word, *other;
        ug_sheet_side side;
    } WORDS[] = {
        { "Left", "Right", UG_SHEET_LEFT },  { "left", "right", UG_SHEET_LEFT },
        { "LEFT", "RIGHT", UG_SHEET_LEFT },  { "Right", "Left", UG_SHEET_RIGHT },
        { "right", "left", UG_SHEET_RIGHT }, { "RIGHT", "LEFT", UG_SHEET_RIGHT },
    };
    for (size_t k = 0; k < sizeof WORDS / sizeof WORDS[0]; k++) {
        const char *found = strstr(name, WORDS[k].word);
        if (found) {
            replace(mirror, capacity, name, (size_t)(found - name), strlen(WORDS[k].word),
                    WORDS[k].other);
            return WORDS[k].side;
        }
    }
    // a letter that stands alone ("hand_l", "L Thigh"), or else the first one ("LFHD")
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; name[i]; i++) {
            const char letter = (char)tolower((unsigned char)name[i]);
            const bool starts = i == 0 || is_edge(name[i - 1]);
            const bool stands = pass == 0 ? starts && is_edge(name[i + 1]) : i == 0;
            if (stands && (letter == 'l' || letter == 'r')) {
                const bool upper = isupper((unsigned char)name[i]) != 0;
                const char other[2] = { letter == 'l' ? (upper ? 'R' : 'r') : (upper ? 'L' : 'l'),
                                        '\0' };
                replace(mirror, capacity, name, i, 1, other);
                return letter == 'l' ? UG_SHEET_LEFT : UG_SHEET_RIGHT;
            }
        }
    }
    return UG_SHEET_MIDDLE;
}

void ug_sheet_sides(ug_sheet_side *sides, const ug_skeleton *skeleton)
{
    const size_t count = skeleton->joint_count;
    bool any = false;
    for (size_t j = 0; j < count; j++) {
        sides[j] = side_of_role(skeleton->joints[j].role);
        any = any || skeleton->joints[j].role != UG_ROLE_NONE;
    }
    if (!any) {
        for (size_t j = 0; j < count; j++) {
            char mirror[128];
            const char *name = skeleton->joints[j].name ? skeleton->joints[j].name : "";
            const int parent = skeleton->joints[j].parent;
            const ug_sheet_side side = ug_sheet_side_of_name(name, mirror, sizeof mirror);
            const bool paired = side != UG_SHEET_MIDDLE && ug_skeleton_find(skeleton, mirror) >= 0;
            sides[j] = paired ? side : parent >= 0 ? sides[parent] : UG_SHEET_MIDDLE;
        }
        return;
    }
    // a joint without a role between the pelvis and a leg belongs to the leg …
    for (size_t j = count; j-- > 1;) {
        const ug_joint *joint = &skeleton->joints[j];
        const int p = joint->parent;
        if (p >= 0 && skeleton->joints[p].role == UG_ROLE_NONE && sides[p] == UG_SHEET_MIDDLE &&
            joint->role != UG_ROLE_NONE) {
            sides[p] = sides[j];
        }
    }
    // … and what hangs on a limb to the limb
    for (size_t j = 1; j < count; j++) {
        const int p = skeleton->joints[j].parent;
        if (p >= 0 && skeleton->joints[j].role == UG_ROLE_NONE && sides[j] == UG_SHEET_MIDDLE) {
            sides[j] = sides[p];
        }
    }
}

ug_vec3 ug_sheet_facing(ug_vec3 left_m, ug_vec3 right_m)
{
    const ug_vec3 across = ug_vec3_sub(left_m, right_m);
    return ug_vec3_cross((ug_vec3){ across.x, 0, across.z }, (ug_vec3){ 0, 1, 0 });
}
