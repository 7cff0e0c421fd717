// SPDX-License-Identifier: MIT
// The groups of a store, each with one writer and one reader. Internal to formats/store*.c.
//
// A reader leaves the part absent when its group is absent; a writer writes no group for an absent
// part. Units and shapes are those of docs/store.md and motion/take.h. Failures stick in the file
// (formats/store_h5.h): UG_E_FORMAT for what is missing or has another shape, UG_E_DATA for a value
// that cannot be, UG_E_NOMEM; after one, every call here does nothing. What a reader put into the
// take stays the take's, to be released with it, also after a failure.
// When NOT: from outside the store, see formats/store.h. Cost: one copy of the part's numbers.
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

/// /source/parameters: the C3D parameter tree (formats/store_parameters.c). `parameters` is empty
/// on entry of the reader, and the caller's to release.
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

/// Read the parts (UG_PART_ bits) into `take`, initialised and empty, root attributes checked
/// first.
///
/// @return the file's status: UG_E_FORMAT, UG_E_DATA, UG_E_UNSUPPORTED (schema), UG_E_NOMEM. `take`
///         may hold some of the parts then
UG_CHECKED ug_status ug_store_get_parts(ug_take *take, ug_h5_file *file, unsigned parts);

/// Write root attributes, then what `base` (may be NULL) has and `parts` does not name, then the
/// parts, with a report to `progress` (may be NULL) before each. Failures are in the file's status:
/// UG_E_DATA for what could not be read back, UG_E_INTERRUPTED, UG_E_NOMEM.
void ug_store_put_parts(ug_h5_file *file, const ug_take *take, unsigned parts,
                        const ug_h5_file *base, const ug_progress *progress);

/// Root attributes: schema, its version, and the conventions every number follows. The check fails
/// the file with UG_E_FORMAT, or UG_E_UNSUPPORTED for another version.
void ug_store_put_root(const ug_h5_group *root);
void ug_store_check_root(const ug_h5_group *root);
