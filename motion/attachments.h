// SPDX-License-Identifier: MIT
// Where markers sit on a skeleton: the marker table of a subject, and the marker sets it is made
// of.
//
// An ug_marker_set names segments by text and belongs to no skeleton; ug_attachments point at
// the joints of one. A "segment" is a joint's frame: the bone below the joint moves with it.
#pragma once

#include "motion/skeleton.h"
#include "motion/status.h"
#include "motion/vec3.h"

#include <stddef.h>

/// How well a marker's place is known before any data is seen.
typedef enum ug_marker_kind {
    UG_MARKER_BONY = 0,      ///< on a landmark
    UG_MARKER_TECHNICAL = 1, ///< wand or cluster: free along the bone
    UG_MARKER_COMPUTED = 2,  ///< made by a model: never solved with
} ug_marker_kind;

typedef struct ug_attachment {
    char *label;     ///< owned; the marker's label without subject
    char *segment;   ///< owned; the joint's name. In ug_attachments `joint` is its index
    int joint;       ///< -1 in a marker set
    ug_vec3 local_m; ///< place in the joint's frame
    ug_vec3 sigma_m; ///< standard deviation of the prior on that place, per axis
    double weight;   ///< 1 as a rule; 0 = known but not used
    ug_marker_kind kind;
    bool calibrated; ///< the place was seen in data, not only taken from the prior
} ug_attachment;

typedef struct ug_attachments {
    size_t count;
    ug_attachment *items; ///< owned
} ug_attachments;

/// A named marker set: default places for a body of `stature_m`.
typedef struct ug_marker_set {
    char *name; ///< owned
    double stature_m;
    ug_attachments markers; ///< joint == -1 throughout
} ug_marker_set;

/// Releases what is below. NULL is fine.
void ug_attachments_fini(ug_attachments *attachments);
void ug_marker_set_fini(ug_marker_set *set);

/// Append a deep copy. @return UG_E_NOMEM
UG_CHECKED ug_status ug_attachments_add(ug_attachments *attachments, const ug_attachment *item,
                                        ug_error *err);

/// Deep copy into `to`, which must be empty. @return UG_E_NOMEM, `to` empty then
UG_CHECKED ug_status ug_attachments_copy(ug_attachments *to, const ug_attachments *from,
                                         ug_error *err);

/// Index of `label`, or -1.
ptrdiff_t ug_attachments_find(const ug_attachments *attachments, const char *label);

/// Tie a marker set to a skeleton: segments become joint indices, places and sigmas of the set
/// are scaled by skeleton->stature_m / set->stature_m where both are known.
///
/// @param out  must be empty; ug_attachments_fini() it
/// @return UG_E_DATA, naming marker and segment, when the skeleton has no such joint; UG_E_NOMEM
UG_CHECKED ug_status ug_marker_set_attach(ug_attachments *out, const ug_marker_set *set,
                                          const ug_skeleton *skeleton, ug_error *err);
