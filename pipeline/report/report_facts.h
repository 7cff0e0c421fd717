// SPDX-License-Identifier: MIT
// Everything a report says about one take, computed once: JSON and HTML are two printers of this.
//
// Every number is one that the take or a stage defines (docs/figures.md). What is not known is NaN,
// or a list whose `known` is false, which is not the same as an empty one. The facts own all they
// hold, texts as valid UTF-8, so that the take can go when they are made. Frames count from 0.
#pragma once

#include "motion/take.h"
#include "pipeline/report/lane.h"
#include "pipeline/stages/metrics.h"
#include "pipeline/stages/take_spectrum.h"

#include <stdbool.h>
#include <stddef.h>

/// One figure and who says so: "take" where it was counted on the file as it is, else a stage.
typedef struct ug_report_figure {
    char name[96];
    double value; ///< NaN: the stage could not know it
    const char *stage;
} ug_report_figure;

typedef enum ug_gate_state {
    UG_GATE_MET = 0,
    UG_GATE_FAILED,
    UG_GATE_UNKNOWN, ///< there is such a figure, but its value is not known: not met
    UG_GATE_ABSENT,  ///< no stage so far makes this figure
} ug_gate_state;

typedef struct ug_report_gate {
    ug_gate gate;
    bool required; ///< asked for by --require, not one of the defaults
    double value;  ///< NaN when UNKNOWN or ABSENT
    ug_gate_state state;
} ug_report_gate;

/// A point of kind MARKER.
typedef struct ug_report_marker {
    char *label;
    char *subject;                  ///< "" when there is none
    size_t column;                  ///< of /markers
    size_t lanes[UG_LANE_NONE + 1]; ///< samples of each kind; they add up to frame_count
    size_t gap_count, longest_gap, longest_gap_first; ///< frames; none for one never seen
    size_t missing_before; ///< samples missing or filled, and the longest stretch of them
    size_t longest_before, longest_before_first;
    double predicted_error_mm; ///< worst of the filled samples; NaN: none, or not predicted
    size_t predicted_error_frame;
    size_t spike_count;
    bool solved; ///< has residuals: the next five hold
    size_t residual_count, outlier_count;
    double rms_mm, max_mm; ///< NaN: no sample
    size_t max_frame;
} ug_report_marker;

/// A run of samples that were not simply measured. `marker` indexes ug_report_facts.markers,
/// everywhere below.
typedef struct ug_report_run {
    size_t marker, first, end;
    ug_lane lane;
} ug_report_run;

/// A stretch that was filled in one way.
typedef struct ug_report_fill {
    size_t marker, first, end;
    uint8_t method;  ///< ug_fill_method, or a later program's
    double error_mm; ///< largest predicted error in it; NaN: none
} ug_report_fill;

/// All fills of one method.
typedef struct ug_report_method {
    uint8_t method;
    size_t fill_count, sample_count;
    size_t unpredicted;         ///< fills without a predicted error
    double median_mm, worst_mm; ///< of the others' predicted errors; NaN: there are none
} ug_report_method;

/// A stretch whose samples were moved to this label from another.
typedef struct ug_report_repair {
    size_t marker;
    size_t other; ///< the one with which it was exchanged, SIZE_MAX: not known
    size_t first, end;
} ug_report_repair;

typedef struct ug_report_spike {
    size_t marker, frame;
    double mm;
} ug_report_spike;

/// Labels exchanged from `first` to `end`; end 0: only one side of it was seen.
typedef struct ug_report_swap {
    size_t marker, other, first, end;
    size_t ring[2]; ///< further markers of a ring; SIZE_MAX: none
    bool repaired;  ///< put right: the frames say where
} ug_report_swap;

typedef struct ug_report_stray {
    size_t marker, first, end;
    double max_mm;
} ug_report_stray;

/// A frame that fits worse than those half a second around it.
typedef struct ug_report_frame {
    size_t frame;
    double rms_mm;
    size_t marker; ///< of measured samples the one that is farthest off, SIZE_MAX: not known
    double marker_mm;
} ug_report_frame;

/// A run of frames in which one joint wanted to pass a limit; `deg` at most, at `worst`.
typedef struct ug_report_hit {
    size_t joint; ///< of ug_report_facts.joints
    size_t first, end, worst;
    double deg;
} ug_report_hit;

typedef struct ug_report_joint {
    char *name;
    size_t frames, worst_frame;
    double worst_deg;
} ug_report_joint;

typedef struct ug_report_contact {
    ug_contact contact;     ///< without its reason:
    char *reason;           ///< why it was refused, or ""
    double slide_before_mm; ///< before planting; NaN: not known, or nothing has planted it
    double slide_after_mm;  ///< in this motion; NaN: not known
} ug_report_contact;

/// A figure of a stage, and the same one before it.
typedef struct ug_report_change {
    ug_metric metric;
    double before;     ///< NaN: there is none, or it is not known
    const char *since; ///< whose `before` is: a stage, "input", "transfer"; NULL: there is none
    bool key;          ///< worth a line in the summary of stages
} ug_report_change;

typedef struct ug_report_stage {
    char *stage, *version, *started;
    double seconds;
    bool of_subject; ///< about the take the subject was calibrated on, not this one
    char *inputs;    ///< base names, ", " between them
    size_t option_count;
    char **options; ///< "name: value" of each that differs from its default
    size_t change_count;
    ug_report_change *changes;
    bool warnings_known;
    ug_warnings *warnings;
} ug_report_stage;

typedef enum ug_severity {
    UG_SEVERITY_BAD = 0,
    UG_SEVERITY_LOOK = 1,
    UG_SEVERITY_NOTE = 2
} ug_severity;

/// Something to look at, in words, the worst first.
typedef struct ug_report_finding {
    ug_severity severity;
    char code[48]; ///< stable: "never_seen", "stray", …; of a stage's warning its own code
    char *text;
    bool has_frames;
    size_t first, end;
} ug_report_finding;

typedef struct ug_report_facts {
    char *name;
    char *source_format, *source_unit, *source_axes;
    char *source_name;                 ///< base name of what the first stage read; NULL: not known
    bool unit_inferred, axes_inferred; ///< not declared by the source …
    bool unit_stated, axes_stated;     ///< … but given by the user
    char *skeleton;                    ///< its name; NULL: none
    bool has_markers, has_motion, has_residuals, has_contacts, has_skeleton;
    size_t frame_count;
    int64_t first_frame;
    ug_rate rate; ///< {0, 0}: not known
    size_t figure_count;
    ug_report_figure *figures; ///< of the take, then of its stages; a later stage's stands
    size_t gate_count;
    ug_report_gate *gates;
    size_t marker_count;
    ug_report_marker *markers;
    size_t run_count;
    ug_report_run *runs; ///< by marker, then by time
    size_t fill_count;
    ug_report_fill *fills; ///< by marker, then by time
    size_t method_count;
    ug_report_method *methods; ///< those with a fill
    size_t repair_count;
    ug_report_repair *repairs; ///< by marker, then by time
    bool frozen_known;         ///< a stage looked for markers that stand still to the last bit
    size_t frozen_count;
    ug_report_run *frozen;     ///< their lane says nothing
    ug_take_spectrum spectrum; ///< of what smoothing took away; empty where nothing was
    double cutoff_hz;          ///< of the smoothing; NaN: not known, or it has none
    bool spikes_known;         ///< `clean` looked for them
    size_t spike_count;
    ug_report_spike *spikes; ///< by marker, then by time
    bool swaps_known;
    size_t swap_count;
    ug_report_swap *swaps;
    float *frame_rms_mm; ///< (frame_count) NULL: not known
    uint8_t *outcome;    ///< (frame_count) as /quality/frame_outcome, 255 not known; NULL: no solve
    /// (frame_count x marker_count) NaN: none; NULL: no solve
    float *residual_mm;
    uint8_t *residual_counted; ///< the same shape: 1 of a measured sample, which figures count
    size_t worst_count;
    ug_report_frame *worst; ///< the worst first
    size_t stray_count;
    ug_report_stray *strays; ///< the longest first
    bool hits_known;
    size_t joint_count, hit_count;
    ug_report_joint *joints; ///< those with a hit
    ug_report_hit *hits;     ///< by joint, then by time
    bool slides_known;
    bool slides_before_known; ///< of one contact at least
    bool contacts_found;      ///< in no file: found on this motion for the report
    size_t contact_count;
    ug_report_contact *contacts; ///< as in the take
    size_t stage_count;
    ug_report_stage *stages; ///< oldest first
    size_t finding_count;
    ug_report_finding *findings;
} ug_report_facts;

/// The gates a report checks where nobody asked for others; docs/figures.md lists them.
extern const char UG_REPORT_GATES[];

/// Compute all of it.
///
/// @param out   ug_report_facts_fini() it, also after a failure
/// @param name  what the take is called
/// @param require  gates, as `--require` has them; NULL: those above
/// @return UG_E_USAGE for gates that cannot be read; UG_E_NOMEM. O(frames · markers).
UG_CHECKED ug_status ug_report_facts_compute(ug_report_facts *out, const ug_take *take,
                                             const char *name, const char *require, ug_error *err);

/// NULL is fine.
void ug_report_facts_fini(ug_report_facts *facts);

/// The figure of that name, or NULL.
const ug_report_figure *ug_report_figure_find(const ug_report_facts *facts, const char *name);

/// Seconds of a frame on the take's clock; NaN when the rate is not known.
double ug_report_time_s(const ug_report_facts *facts, size_t frame);

/// Per cent of the take's frames; 0 of a take without frames.
double ug_report_share_pct(const ug_report_facts *facts, size_t frames);

/// "cubic", "rigid" … of a ug_fill_method; "method 17" of one that is not known.
const char *ug_report_method_name(char text[32], uint8_t method);
