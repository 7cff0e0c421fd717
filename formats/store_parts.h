// SPDX-License-Identifier: MIT
// The groups of a store, each with one writer and one reader. Internal to formats/store*.c.
//
// A reader leaves the part absent when its group is absent; a writer writes no group for an absent
// part. Failures stick in the file (formats/store_h5.h).
#pragma once

#include "formats/store_h5.h"
#include "motion/progress.h"
#include "motion/take.h"

typedef void ug_part_writer(const ug_h5_group *root, const ug_take *take);
typedef void ug_part_reader(ug_take *take, const ug_h5_group *root);

ug_part_writer ug_store_put_source, ug_store_put_markers, ug_store_put_analog,
    ug_store_put_skeleton, ug_store_put_attachments, ug_store_put_motion, ug_store_put_contacts,
    ug_store_put_quality, ug_store_put_provenance;

ug_part_reader ug_store_get_source, ug_store_get_markers, ug_store_get_analog,
    ug_store_get_skeleton, ug_store_get_attachments, ug_store_get_motion, ug_store_get_contacts,
    ug_store_get_quality, ug_store_get_provenance;

/// /source/parameters: the C3D parameter tree (formats/store_parameters.c).
void ug_store_put_parameters(const ug_h5_group *source, const ug_parameters *parameters);
void ug_store_get_parameters(ug_parameters *parameters, const ug_h5_group *source);

/// Joints of /skeleton; SIZE_MAX when there is none (or after a failure).
size_t ug_store_joint_count(const ug_h5_group *root);

/// rate_num, rate_den and first_frame of a group. { 0, 0 } is "not known".
void ug_store_put_rate(const ug_h5_group *group, ug_rate rate, int64_t first_frame);
void ug_store_get_rate(ug_rate *rate, int64_t *first_frame, const ug_h5_group *group);

/// Fail unless `value` is finite and > 0: a scale or unit that cannot be used is never stored.
void ug_store_check_scale(const ug_h5_group *group, const char *name, double value);

/// Fail when one of `count` codes is above `most`.
void ug_store_check_codes(const ug_h5_group *group, const char *dataset, const uint8_t *codes,
                          size_t count, int most);

/// Read the parts into `take`, root attributes checked first. The result is the file's status.
UG_CHECKED ug_status ug_store_get_parts(ug_take *take, ug_h5_file *file, unsigned parts);

/// Write root attributes, then what `base` (may be NULL) has and `parts` does not name, then the
/// parts. Failures are in the file's status.
void ug_store_put_parts(ug_h5_file *file, const ug_take *take, unsigned parts,
                        const ug_h5_file *base, const ug_progress *progress);

/// Root attributes: schema, its version, and the conventions every number follows.
void ug_store_put_root(const ug_h5_group *root);
void ug_store_check_root(const ug_h5_group *root);
