// SPDX-License-Identifier: MIT
#include "solvers/roles_find.h"

#include "solvers/body_map.h"
#include "solvers/roles_by_name.h"
#include "solvers/roles_by_topology.h"

#include <assert.h>
#include <stdlib.h>

static bool has_role(const ug_role *roles, size_t count, ug_role role)
{
    for (size_t j = 0; j < count; j++) {
        if (roles[j] == role) {
            return true;
        }
    }
    return false;
}

static bool has_all(const ug_role *roles, size_t count, const ug_role needed[], size_t needed_count)
{
    bool all = true;
    for (size_t i = 0; i < needed_count; i++) {
        all = all && has_role(roles, count, needed[i]);
    }
    return all;
}

static bool has_legs(const ug_role *roles, size_t count)
{
    static const ug_role LEGS[] = {
        UG_ROLE_PELVIS,  UG_ROLE_L_THIGH, UG_ROLE_L_SHIN, UG_ROLE_L_FOOT,
        UG_ROLE_R_THIGH, UG_ROLE_R_SHIN,  UG_ROLE_R_FOOT,
    };
    return has_all(roles, count, LEGS, sizeof LEGS / sizeof *LEGS);
}

static bool has_arms(const ug_role *roles, size_t count)
{
    static const ug_role ARMS[] = { UG_ROLE_L_UPPER_ARM, UG_ROLE_L_FOREARM, UG_ROLE_R_UPPER_ARM,
                                    UG_ROLE_R_FOREARM };
    return has_all(roles, count, ARMS, sizeof ARMS / sizeof *ARMS);
}

static bool is_arm(ug_role role)
{
    return (role >= UG_ROLE_L_CLAVICLE && role <= UG_ROLE_L_HAND) ||
           (role >= UG_ROLE_R_CLAVICLE && role <= UG_ROLE_R_HAND);
}

// take the tree's word for the whole body, or for the arms of a body whose legs have names
static void merge(ug_role *named, const ug_role *tree, size_t count, bool arms_only,
                  ug_roles_report *seen)
{
    for (size_t j = 0; j < count; j++) {
        if (!arms_only) {
            named[j] = tree[j];
            seen->topology_count += tree[j] != UG_ROLE_NONE;
            continue;
        }
        if (is_arm(named[j])) {
            named[j] = UG_ROLE_NONE;
        }
        if (is_arm(tree[j]) && named[j] == UG_ROLE_NONE) {
            named[j] = tree[j];
            seen->topology_count++;
        }
    }
}

static ug_status find(ug_role *roles, ug_role *tree, ug_roles_report *seen,
                      const ug_skeleton *skeleton, const ug_clip *clip,
                      const ug_role_dictionary *dictionary, ug_warnings *warnings, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    ug_status status = ug_roles_by_name(roles, skeleton, dictionary, err);
    const bool legs = status == UG_OK && has_legs(roles, n);
    if (status != UG_OK || (legs && has_arms(roles, n))) {
        return status;
    }
    ug_topology_report topology;
    status = ug_roles_by_topology(tree, &topology, skeleton, clip, err);
    if (status != UG_OK || !(legs ? topology.arms_found : topology.legs_found)) {
        return status;
    }
    seen->by_topology = true;
    merge(roles, tree, n, legs, seen);
    ug_warn(warnings, "roles_by_topology",
            "%s found by the skeleton's tree, since names do not tell: check with --roles",
            legs ? "arms" : "the body");
    if (!(legs ? topology.arms_sided : topology.legs_sided)) {
        ug_warn(warnings, "roles_side_guessed",
                "left and right are a guess: the feet point nowhere in particular");
    }
    return UG_OK;
}

ug_status ug_roles_find(ug_skeleton *skeleton, ug_roles_report *report, const ug_clip *clip,
                        const ug_role_dictionary *dictionary, ug_warnings *warnings, ug_error *err)
{
    assert(skeleton && dictionary);
    const size_t n = skeleton->joint_count;
    ug_roles_report seen = { 0 };
    ug_status status = UG_OK;
    ug_role *roles = calloc(n > 0 ? 3 * n : 1, sizeof *roles);
    if (!roles) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_role *before = roles + 2 * n;
    for (size_t j = 0; j < n; j++) {
        before[j] = skeleton->joints[j].role;
        seen.preset_count += before[j] != UG_ROLE_NONE;
    }
    if (seen.preset_count == 0) {
        status = find(roles, roles + n, &seen, skeleton, clip, dictionary, warnings, err);
        for (size_t j = 0; j < n && status == UG_OK; j++) {
            skeleton->joints[j].role = roles[j];
            seen.named_count += roles[j] != UG_ROLE_NONE;
        }
        seen.named_count -= status == UG_OK ? seen.topology_count : 0;
    }
    ug_body_map body;
    if (status == UG_OK) {
        status = ug_body_map_init(&body, skeleton, err);
    }
    for (size_t j = 0; j < n && status != UG_OK; j++) {
        skeleton->joints[j].role = before[j];
    }
    if (report) {
        *report = seen;
    }
    free(roles);
    return status;
}
