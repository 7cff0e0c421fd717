// SPDX-License-Identifier: MIT
#include "formats/bvh.h"

ug_status ug_bvh_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    (void)path, (void)take, (void)opts, (void)warnings;
    return ug_fail(err, UG_E_UNAVAILABLE, "BVH cannot be written yet");
}
