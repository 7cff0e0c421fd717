// SPDX-License-Identifier: MIT
// Everything one file between two stages can hold; each part may be absent.
//
// A reader fills the parts its format has, a stage rewrites some, a writer uses what it can. The
// take owns all of it.
#pragma once

#include "motion/analog.h"
#include "motion/attachments.h"
#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/conventions.h"
#include "motion/markers.h"
#include "motion/parameters.h"
#include "motion/skeleton.h"

#include <stdint.h>

/// Where the take came from, enough to give it back in the same frame and unit.
typedef struct ug_source {
    char format[16];    ///< "c3d", "trc", "bvh", "csv", "vsk", "synth", ""
    char unit[16];      ///< as written by the source ("mm"), or as inferred
    double unit_m;      ///< metres per source unit, > 0
    ug_axes axes;       ///< source axes -> ours
    bool unit_inferred; ///< not declared: found by statistics or given by the user
    bool axes_inferred;
    bool unit_stated; ///< of an inferred one: the user gave it
    bool axes_stated;
    uint8_t header[512];      ///< C3D header block as read; zero for other formats
    char processor;           ///< C3D: 'I'ntel, 'D'EC, 'M'IPS; 0 elsewhere
    bool integer_samples;     ///< C3D: 16-bit integer points and analog
    double point_scale;       ///< C3D: POINT:SCALE magnitude of integer points
    ug_parameters parameters; ///< C3D parameter tree
} ug_source;

/// One figure series of the stage that wrote the file, for reports.
typedef struct ug_series {
    char *name; ///< owned: "marker_residual_mm"
    char *unit; ///< owned: "mm"
    size_t rows, columns;
    float *values; ///< owned, NaN = not known     (rows x columns)
} ug_series;

typedef struct ug_quality {
    size_t count;
    ug_series *items; ///< owned
} ug_quality;

/// One entry of the file's history. All texts owned; JSON texts are complete JSON values.
typedef struct ug_provenance_entry {
    char *stage;   ///< "import"
    char *version; ///< of the program
    char *command_line;
    char *options_json; ///< resolved options
    char *inputs_json;  ///< [{"name": base name, "xxh3": hex}]
    char *started;      ///< ISO 8601, UTC
    char *metrics_json;
    char *warnings_json;
    uint64_t seed;
    double seconds;
} ug_provenance_entry;

typedef struct ug_provenance {
    size_t count;
    ug_provenance_entry *items; ///< owned, oldest first
} ug_provenance;

typedef struct ug_take {
    ug_source source;
    ug_markers *markers; ///< owned, NULL when absent (as are the other pointers)
    ug_analog *analog;
    ug_events events;
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_clip *clip; ///< the motion of `skeleton`
    ug_contacts contacts;
    ug_quality quality;
    ug_provenance provenance;
} ug_take;

/// An empty take: source unit metres, identity axes.
void ug_take_init(ug_take *take);

/// Releases every part and leaves an empty take. NULL is fine.
void ug_take_fini(ug_take *take);

/// Append a series; `values` is copied (rows x columns). Replaces one of the same name.
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_quality_set(ug_quality *quality, const char *name, const char *unit,
                                    size_t rows, size_t columns, const float *values,
                                    ug_error *err);

/// NULL when there is none. Borrowed.
const ug_series *ug_quality_find(const ug_quality *quality, const char *name);

/// Releases the texts of one entry and leaves an empty one. NULL is fine.
void ug_provenance_entry_fini(ug_provenance_entry *entry);

/// Append a deep copy. @return UG_E_NOMEM
UG_CHECKED ug_status ug_provenance_add(ug_provenance *provenance, const ug_provenance_entry *entry,
                                       ug_error *err);

/// Append every entry of `from` that `to` does not have yet. @return UG_E_NOMEM
UG_CHECKED ug_status ug_provenance_merge(ug_provenance *to, const ug_provenance *from,
                                         ug_error *err);
