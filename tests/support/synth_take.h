// SPDX-License-Identifier: MIT
// The built-in template and a marker set, read from the source tree, and a take made of them.
#pragma once

#include "datasets/synth.h"
#include "formats/settings_yaml.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct synth_input {
    ug_skeleton *humanoid;
    ug_marker_set set;
} synth_input;

static inline synth_input read_synth_input(const char *source_file)
{
    char path[2048];
    const char *end = strstr(source_file, "tests/");
    assert(end);
    synth_input in = { 0 };
    (void)snprintf(path, sizeof path, "%.*sdatasets/templates/humanoid.yaml",
                   (int)(end - source_file), source_file);
    ug_status status = ug_template_read(&in.humanoid, path, NULL);
    assert(status == UG_OK);
    (void)snprintf(path, sizeof path, "%.*sdatasets/markersets/cmu_41.yaml",
                   (int)(end - source_file), source_file);
    status = ug_marker_set_read(&in.set, path, NULL);
    assert(status == UG_OK);
    (void)status;
    return in;
}

static inline void free_synth_input(synth_input *in)
{
    ug_skeleton_destroy(in->humanoid);
    ug_marker_set_fini(&in->set);
}

/// Short and straight where only the walk matters.
static inline ug_synth_opts straight_walk(uint64_t seed)
{
    ug_synth_opts opts = ug_synth_default_opts();
    opts.seed = seed;
    opts.turn_deg = 0.0;
    return opts;
}
