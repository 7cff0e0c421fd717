// SPDX-License-Identifier: MIT
// The data of the player inside a report, as text of the page, thinned out to the space there is.
// The player itself is pipeline/report/page.h's.
#pragma once

#include "motion/take.h"

#include <stdio.h>

/// The data of one take, ready to be written.
typedef struct ug_player_data {
    char *manifest;      ///< owned; NULL: nothing to show
    uint8_t *records;    ///< owned
    size_t record_bytes; ///< of all of them
    size_t stride;       ///< 0: nothing to show, or no space for it
} ug_player_data;

/// Lay out `take` so that it takes `bytes` of the page at most. No player data is no failure: see
/// `stride`.
///
/// @param out  ug_player_data_fini() it
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_player_data_make(ug_player_data *out, const ug_take *take, const char *name,
                                         size_t bytes, ug_error *err);
void ug_player_data_fini(ug_player_data *data);

/// Bytes that the data will take in the page.
size_t ug_player_data_size(const ug_player_data *data);

/// The elements that viewer/README.md asks for, with the data of every take that has some.
void ug_player_write(FILE *out, const ug_player_data *data, size_t count);
