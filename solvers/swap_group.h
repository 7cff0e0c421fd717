// SPDX-License-Identifier: MIT
// Two or three markers whose labels may have been exchanged, and what each frame says about it.
// For solvers/swap*.c only.
//
// A state of a group is a permutation: which label holds which marker's sample. Costs are minus
// log-likelihoods up to a constant, of three kinds:
//   motion  a marker goes where its last two samples lead. What the whole group does together
//           (it accelerates, the person is thrown) is taken out: an exchange changes the places
//           within a group and leaves its centre alone.
//   return  markers that were out of sight come back where their neighbours carry them.
//   place   a marker keeps its distances to the markers around. Calibrated on the take itself: by
//           what these distances say, as a rule, of the label that is right.
// The first two say that labels change; the third on which side of the change they are wrong.
#pragma once

#include "solvers/swap_space.h"

enum { UG_SWAP_GROUP_MAX = 3, UG_SWAP_STATE_MAX = 6, UG_SWAP_NEIGHBOUR_MAX = 8 };

/// Indices in an ug_swap_space, ascending.
typedef struct ug_swap_group {
    size_t count; ///< 2 or 3
    size_t members[UG_SWAP_GROUP_MAX];
} ug_swap_group;

/// Scales of a stretch of a group's own motion, metres; the others of the samples that are there.
typedef struct ug_swap_scale {
    float turn_m, step_m;             ///< second and first difference, centre taken out
    float alone_turn_m, alone_step_m; ///< of single markers
} ug_swap_scale;

/// Does the distance of label `l`'s sample fit member `i`: LLR = gain · (delta - centre).
typedef struct ug_swap_leaning {
    double gain, centre; ///< gain 0: they cannot be told apart
} ug_swap_leaning;

typedef struct ug_swap_model {
    const ug_swap_space *space; ///< borrowed
    ug_swap_group group;
    size_t state_count;
    const uint8_t (*states)[UG_SWAP_GROUP_MAX]; ///< [s][i]: label that holds member i; static
    size_t neighbour_count;
    size_t neighbours[UG_SWAP_NEIGHBOUR_MAX];
    ug_swap_leaning leanings[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX]; ///< [label][member]
    double frame_weight; ///< of a frame's word on places: frames in a row say the same
    size_t block, block_count;
    ug_swap_scale *scales; ///< owned (block_count)
} ug_swap_model;

/// The states of a group of 2 or 3, the first without exchange: [s][i] is the label that holds
/// member i. Static; `count` may be NULL.
const uint8_t (*ug_swap_states(size_t member_count, size_t *count))[UG_SWAP_GROUP_MAX];

/// @return UG_E_NOMEM. ug_swap_model_fini() it in any case.
UG_CHECKED ug_status ug_swap_model_init(ug_swap_model *model, const ug_swap_space *space,
                                        const ug_swap_group *group, ug_error *err);

/// NULL is fine.
void ug_swap_model_fini(ug_swap_model *model);

enum { UG_SWAP_COMPANY_MAX = UG_SWAP_NEIGHBOUR_MAX + UG_SWAP_GROUP_MAX * UG_SWAP_CARRIER_MAX };

/// The markers whose samples a verdict on this group rests on, its own not among them: its
/// neighbours, and what would carry its members if everything were seen.
/// @param out  room for UG_SWAP_COMPANY_MAX
/// @return how many; some may be there twice
size_t ug_swap_model_company(size_t *out, const ug_swap_model *model);

/// Mean squared misfit, in sigmas and capped, of a place to every member's distances.
/// @param out  (group.count)
/// @return false when no neighbour is seen
bool ug_swap_misfits(double *out, const ug_swap_model *model, size_t frame, ug_vec3 place_m);

/// A group's samples in one frame.
typedef struct ug_swap_look {
    ug_vec3 place_m[UG_SWAP_GROUP_MAX];
    bool seen[UG_SWAP_GROUP_MAX];
    size_t seen_count;
} ug_swap_look;

ug_swap_look ug_swap_look_at(const ug_swap_model *model, size_t frame);

/// What the step from the frames before to `frame` speaks against, for given states there.
typedef struct ug_swap_moment {
    size_t frame;
    ug_swap_look now, before, first; ///< frame, frame - 1, frame - 2
    bool has_before, has_first;
    const ug_swap_scale *scale;
    double place_cost[UG_SWAP_STATE_MAX];
    bool any_return;
    double return_cost[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX]; ///< [label now][label last seen]
} ug_swap_moment;

/// `frame` may follow the moment's own frame: what is known is then kept.
void ug_swap_moment_set(ug_swap_moment *moment, const ug_swap_model *model, size_t frame);

/// Cost of the states at frame - 2, frame - 1 and frame; place_cost of the last included.
double ug_swap_moment_cost(const ug_swap_moment *moment, const ug_swap_model *model, size_t first,
                           size_t before, size_t now);
