// SPDX-License-Identifier: MIT
// Any bytes as each kind of settings file; a template that reads must survive its own writer.
#include "formats/settings_yaml.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(ug_status status, const ug_error *err)
{
    assert(status == UG_OK || (err->message[0] != '\0' && err->status == status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const int fd = memfd_create("settings", 0); // the readers take paths
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        abort();
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ug_skeleton *skeleton = NULL;
    ug_marker_set set;
    ug_recipe recipe;
    ug_edits edits;
    ug_error err[4] = { { 0 }, { 0 }, { 0 }, { 0 } };
    check(ug_template_read(&skeleton, path, &err[0]), &err[0]);
    check(ug_marker_set_read(&set, path, &err[1]), &err[1]);
    check(ug_recipe_read(&recipe, path, &err[2]), &err[2]);
    check(ug_edits_read(&edits, path, &err[3]), &err[3]);
    if (skeleton) {
        char out[64];
        ug_skeleton *back = NULL;
        ug_error again = { 0 };
        (void)snprintf(out, sizeof out, "/tmp/fuzz_yaml.%ld", (long)getpid());
        assert(ug_template_write(out, skeleton, &again) == UG_OK);
        assert(ug_template_read(&back, out, &again) == UG_OK);
        assert(back->joint_count == skeleton->joint_count);
        ug_skeleton_destroy(back);
        (void)unlink(out);
    }
    ug_skeleton_destroy(skeleton);
    ug_marker_set_fini(&set);
    ug_recipe_fini(&recipe);
    ug_edits_fini(&edits);
    close(fd);
    return 0;
}
