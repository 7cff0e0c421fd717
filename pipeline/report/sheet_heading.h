// SPDX-License-Identifier: MIT
// What a contact sheet says in words: about a take, a pose, a height.
#pragma once

#include "pipeline/report/sheet_actor.h"

/// "motion of 29 joints · 41 markers · 1551 frames from 0 · 120 Hz · 12.917 s"
void ug_sheet_say_take(char *out, size_t capacity, const ug_sheet_actor *actor);

/// The figures of its history that tell how good it is, by stage; "" when there are none.
void ug_sheet_say_figures(char *out, size_t capacity, const ug_take *take);

/// What to know when looking at feet: which ground, which contacts.
void ug_sheet_say_ground(char *out, size_t capacity, const ug_sheet_actor *actor);

/// Length in the unit that reads best: "0.5 m", "20 cm", "3 mm", "2 km".
void ug_sheet_say_length(char *out, size_t capacity, double length_m);
