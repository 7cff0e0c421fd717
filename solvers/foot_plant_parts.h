// SPDX-License-Identifier: MIT
// What the files of solvers/foot_plant.h share: both legs over time, and the steps on them.
// Not for anybody else.
#pragma once

#include "solvers/foot_plant.h"

#include <stdint.h>

enum { UG_PLANT_HEEL = 0, UG_PLANT_BALL = 1 };

// one leg over time; arrays of frame_count
typedef struct ug_plant_leg {
    const ug_foot_model *foot;
    int thigh, shin, ankle;
    double length_m;
    ug_vec3 hinge;                 // in the thigh's frame
    ug_vec3 *hip, *knee, *ankle_m; // as they come in
    ug_quat *foot_q;
    ug_vec3 *point[2]; // heel, ball: as they come in, lifted
    ug_vec3 *d[2];     // their displacements
    uint8_t *planted[2];
    double *anchor; // 1: the ball holds the foot, 0: the heel
    ug_vec3 *goal;  // of the ankle
    ug_quat *turn;  // of the foot, in the world
} ug_plant_leg;

typedef struct ug_plant_job {
    ug_clip *clip;
    ug_contacts *contacts;
    const ug_skeleton *skeleton;
    const ug_foot_plant_opts *opts;
    size_t count, first; // frames, and the first that is smoothed
    double rate_hz;
    ug_plant_leg legs[2];
    double *drop, *work[3];
    ug_quat *q;
    ug_vec3 *m;
    void *block; // of all the arrays
} ug_plant_job;

static inline double ug_plant_rest_height_m(const ug_plant_leg *l, int which)
{
    return which == UG_PLANT_HEEL ? 0.0 : l->foot->ball_height_m;
}

static inline bool ug_plant_is_used(const ug_contact *c)
{
    return c->kind == UG_CONTACT_PLANTED && c->accepted && c->point <= UG_POINT_RIGHT_TOE;
}

static inline bool ug_plant_is_planted(const ug_plant_leg *l, size_t f)
{
    return l->planted[UG_PLANT_HEEL][f] || l->planted[UG_PLANT_BALL][f];
}

// ---- solvers/foot_plant_legs.c -----------------------------------------------------------------

/// All arrays of the job in one block. @return UG_E_NOMEM
UG_CHECKED ug_status ug_plant_allocate(ug_plant_job *j, size_t joint_count, ug_error *err);

/// Smooth pelvis and feet where the rate allows, then fill what comes in. @return UG_E_NOMEM
UG_CHECKED ug_status ug_plant_gather(ug_plant_job *j, int root, int pelvis, ug_error *err);

/// Raise feet that dip under the floor, by a smooth curve that is nowhere too low.
void ug_plant_lift(ug_plant_job *j);

// ---- solvers/foot_plant_contacts.c -------------------------------------------------------------

/// Where each contact rests; those that ask for too much are refused.
void ug_plant_place_contacts(ug_plant_job *j, ug_foot_plant_report *seen, ug_warnings *warnings);

/// Give heel and ball targets that overlap the foot's own length. @return UG_E_NOMEM
UG_CHECKED ug_status ug_plant_align_contacts(ug_plant_job *j, ug_error *err);

/// Planted frames and their displacements.
void ug_plant_mark(ug_plant_job *j);

// ---- solvers/foot_plant_feet.c -----------------------------------------------------------------

/// Displacements of all frames, then where the ankle goes and how the foot is turned: exact where a
/// point is planted, out of the floor elsewhere.
void ug_plant_plan_feet(ug_plant_job *j);

// ---- solvers/foot_plant_reach.c ----------------------------------------------------------------

/// `fade` (count): 0 on planted frames, smoothly 1 from 60 ms away from them.
void ug_plant_fade(double *fade, const ug_plant_leg *l, size_t count, double rate_hz);

/// Fill j->drop: how far the pelvis sinks so that planted feet are in reach.
void ug_plant_lower_pelvis(ug_plant_job *j, ug_foot_plant_report *seen);

/// Bring the goals of free feet that are still out of reach nearer, smoothly.
void ug_plant_draw_in(ug_plant_job *j);

// ---- solvers/foot_plant_toes.c -----------------------------------------------------------------

/// Is there a tip on a toe joint that hangs on the ankle?
bool ug_plant_has_toes(const ug_plant_job *j, const ug_foot_model *foot);

/// Bend the toes up, never down and never by more than 110 degrees, to bring their tip out of the
/// floor. Continuous in all it reads, through a foot that rolls over its toes too; there, and where
/// the limit is reached, the tip stays under the floor.
///
/// @param toe     in and out: rotation of the toe joint, local
/// @param foot_q  of the ankle in the world
/// @param ball_m  height of the ball over the floor
/// @return height of the tip then
double ug_plant_bend_toes(ug_quat *toe, const ug_foot_model *foot, ug_quat foot_q, double ball_m,
                          double soft_m);
