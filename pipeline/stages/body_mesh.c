// SPDX-License-Identifier: MIT
#include "pipeline/stages/body_mesh.h"

#include "pipeline/stages/library.h"
#include "solvers/mannequin.h"
#include "solvers/roles_find.h"

static bool has_roles(const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].role != UG_ROLE_NONE) {
            return true;
        }
    }
    return false;
}

ug_status ug_body_mesh_create(ug_mesh **mesh, const ug_take *take, const char *data_dir,
                              ug_error *err)
{
    const ug_clip *clip = take->clip && take->clip->frame_count > 0 ? take->clip : NULL;
    *mesh = NULL;
    if (has_roles(take->skeleton)) {
        return ug_mannequin_create(mesh, take->skeleton, clip, err);
    }
    ug_skeleton *copy = ug_skeleton_copy(take->skeleton);
    if (!copy) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_role_dictionary dictionary = { 0 };
    ug_status status = ug_library_roles(&dictionary, data_dir, err);
    if (status == UG_OK) {
        // what is no body keeps no roles, and is shown as the bones it has
        (void)!ug_roles_find(copy, NULL, clip, &dictionary, NULL, NULL);
        status = ug_mannequin_create(mesh, copy, clip, err);
    }
    ug_role_dictionary_fini(&dictionary);
    ug_skeleton_destroy(copy);
    return status;
}
