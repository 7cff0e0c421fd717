// SPDX-License-Identifier: MIT
#include "solvers/gap_methods.h"

#include "solvers/gap_alone.h"

#include <assert.h>
#include <string.h>

bool ug_gap_method_from_name(ug_fill_method *method, const char *name)
{
    static const struct {
        const char *name;
        ug_fill_method method;
    } NAMES[] = { { "auto", UG_FILL_STACKED }, { "linear", UG_FILL_LINEAR },
                  { "cubic", UG_FILL_CUBIC },  { "spline", UG_FILL_CUBIC },
                  { "rigid", UG_FILL_RIGID },  { "pattern", UG_FILL_PATTERN },
                  { "pca", UG_FILL_PCA } };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(name, NAMES[i].name) == 0) {
            *method = NAMES[i].method;
            return true;
        }
    }
    return false;
}

const char *ug_gap_method_name(ug_fill_method method)
{
    static const char *const NAMES[] = { "none", "linear",   "cubic",    "rigid",  "pattern",
                                         "pca",  "low_rank", "skeleton", "stacked" };
    assert(method < sizeof NAMES / sizeof *NAMES);
    return NAMES[method];
}

bool ug_gap_method_fill(ug_gap_workspace *workspace, const ug_gap_scene *scene, const ug_gap *gap,
                        ug_fill_method method, bool fills)
{
    if (method == UG_FILL_LINEAR || method == UG_FILL_CUBIC) {
        workspace->used = method;
        workspace->check = (ug_gap_check){ 0 };
        return ug_gap_alone_fill(workspace->mm, workspace->error_mm, workspace->answer[0], scene,
                                 gap, method);
    }
    return ug_gap_regress(workspace, scene, gap, method, fills);
}
