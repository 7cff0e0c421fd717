// SPDX-License-Identifier: MIT
// What the parts of the C3D reader and writer share. Not for anybody outside formats/c3d_*.c.
#pragma once

#include "formats/c3d.h"
#include "motion/parameters.h"
#include "motion/take.h"
#include "motion/warnings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    C3D_BLOCK = 512,
    C3D_KEY = 0x50,
    C3D_LIST_MAX = 255,   ///< entries of one parameter: its dimensions are bytes
    C3D_FLAG_MAX = 32768, ///< a 4th word from here on is a negative 16-bit integer
    C3D_COUNT_MAX = 65535,
};

/// Byte offsets of the header words (1-based word n lies at 2(n-1)).
enum {
    C3D_H_PARAMETER_BLOCK = 0,
    C3D_H_KEY = 1,
    C3D_H_POINTS = 2,
    C3D_H_ANALOG = 4, ///< analog values per frame: channels × samples
    C3D_H_FIRST = 6,
    C3D_H_LAST = 8,
    C3D_H_GAP = 10,
    C3D_H_SCALE = 12,
    C3D_H_DATA_START = 16,
    C3D_H_SAMPLES = 18, ///< analog samples per frame
    C3D_H_RATE = 20,
    C3D_H_EVENT_KEY = 298,
    C3D_H_EVENT_COUNT = 300,
    C3D_H_EVENT_TIMES = 304,
    C3D_H_EVENT_FLAGS = 376,
    C3D_H_EVENT_LABELS = 396,
    C3D_H_EVENT_MAX = 18,
};

// --- numbers in the three byte orders: 'I'ntel, 'D'EC, 'M'IPS ---

uint16_t c3d_get_u16(const uint8_t *p, char processor);
float c3d_get_f32(const uint8_t *p, char processor);
void c3d_put_u16(uint8_t *p, char processor, uint16_t value);
void c3d_put_f32(uint8_t *p, char processor, float value);

/// `count` values from or to the file's order. DEC has no infinity: the largest number instead.
void c3d_get_f32_row(float *out, const uint8_t *p, size_t count, char processor);
void c3d_put_f32_row(uint8_t *p, const float *values, size_t count, char processor);

/// In place between the file's order and ours, for parameter data of either element size.
void c3d_parameter_from_file(ug_parameter *parameter, char processor);

/// True when `value` survives in a float of that processor.
bool c3d_float_fits(float value, char processor);

// --- the parameter section ---

/// Parse the section that starts at byte `section` into `tree` (empty).
///
/// @param end  first byte after the last record
UG_CHECKED ug_status c3d_parameters_parse(ug_parameters *tree, size_t *end, const uint8_t *data,
                                          size_t size, size_t section, char processor,
                                          ug_warnings *warnings, ug_error *err);

/// The section as whole blocks, in fresh memory. @return UG_E_DATA when a record is too long
UG_CHECKED ug_status c3d_parameters_format(uint8_t **out, size_t *block_count,
                                           const ug_parameters *tree, char processor,
                                           ug_error *err);

/// Number `index` of NAME, continued in NAME2, NAME3 …; NAN when there is none. A number written
/// as text is read and warned about.
double c3d_number(const ug_parameters *tree, const char *group, const char *name, size_t index,
                  bool is_unsigned, ug_warnings *warnings);

/// Numbers in NAME, NAME2 …
size_t c3d_number_count(const ug_parameters *tree, const char *group, const char *name);

/// The first `count` numbers of NAME, NAME2 … at once; NAN past their end.
/// @return how many there were, at most `count`
size_t c3d_numbers_read(double *out, size_t count, const ug_parameters *tree, const char *group,
                        const char *name, bool is_unsigned);

/// A list of texts, NAME continued in NAME2 …, as UTF-8 (Latin-1 is converted). Release with
/// c3d_texts_fini.
typedef struct c3d_texts {
    size_t count;
    char **items; ///< owned
} c3d_texts;

UG_CHECKED ug_status c3d_texts_read(c3d_texts *texts, const ug_parameters *tree, const char *group,
                                    const char *name, ug_error *err);
void c3d_texts_fini(c3d_texts *texts);

/// The first text of a parameter, trimmed, into `out`; "" when there is none.
void c3d_text(char *out, size_t size, const ug_parameters *tree, const char *group,
              const char *name);

// --- where the samples are ---

typedef struct c3d_layout {
    char processor;
    bool is_integer;
    bool analog_is_unsigned;
    double scale; ///< > 0
    size_t point_count, channel_count, samples_per_frame;
    size_t frame_count;
    int64_t first_frame;
    ug_rate rate;
    size_t data_offset, frame_bytes;
} c3d_layout;

/// @param section_end  first byte after the parameters
UG_CHECKED ug_status c3d_layout_find(c3d_layout *layout, const uint8_t *data, size_t size,
                                     char processor, size_t section_end, const ug_parameters *tree,
                                     ug_rate rate, ug_warnings *warnings, ug_error *err);

/// Single figures of it, the parameter believed before the header block.
UG_CHECKED ug_status c3d_settle_rate(c3d_layout *l, const uint8_t *header_block,
                                     const ug_parameters *tree, ug_rate given,
                                     ug_warnings *warnings, ug_error *err);
void c3d_settle_scale(c3d_layout *l, const uint8_t *header_block, const ug_parameters *tree,
                      ug_warnings *warnings);
void c3d_settle_first_frame(c3d_layout *l, const uint8_t *header_block, const ug_parameters *tree,
                            ug_warnings *warnings);

/// A frame number of the TRIAL group: 32 bits in two words, the low one first. NAN without it.
double c3d_trial_field(const ug_parameters *tree, const char *name);

/// Rate of a float, one unit in its last place forgiven for a whole number.
ug_rate c3d_rate(double hz);

bool c3d_analog_is_unsigned(const ug_parameters *tree);

// --- names ---

/// Labels, subjects and kinds of `count` points from the tree, unique per subject. `labels` and
/// `subjects` hold `count` NULLs on entry.
UG_CHECKED ug_status c3d_labels_read(char **labels, char **subjects, uint8_t *kinds, size_t count,
                                     const ug_parameters *tree, ug_warnings *warnings,
                                     ug_error *err);

/// Labels and units of the analog channels, by the same rules.
UG_CHECKED ug_status c3d_analog_names_read(char **labels, char **units, size_t count,
                                           const ug_parameters *tree, ug_warnings *warnings,
                                           ug_error *err);

/// Make `labels` unique within equal `subjects` (NULL: all of one), "LABEL_2" for the second.
/// @return how many were changed, or SIZE_MAX when out of memory
size_t c3d_names_make_unique(char **labels, char *const *subjects, size_t count);

/// Kinds from POINT:ANGLES …, TYPE_GROUPS, descriptions and well-known names.
UG_CHECKED ug_status c3d_kinds_read(uint8_t *kinds, char *const *labels, char *const *subjects,
                                    size_t count, const ug_parameters *tree, ug_error *err);

/// A set of texts with a small number each, for lists that may hold 65 535 names.
typedef struct c3d_names {
    size_t capacity, count;
    const char **keys; ///< borrowed texts
    uint32_t *values;
} c3d_names;

bool c3d_names_init(c3d_names *names, size_t expected);
void c3d_names_fini(c3d_names *names);
/// The value of `key`, put there with `value` when it is new.
uint32_t *c3d_names_put(c3d_names *names, const char *key, uint32_t value, bool *is_new);
/// NULL when it is not there.
const uint32_t *c3d_names_find(const c3d_names *names, const char *key);

// --- samples ---

/// Write every sample of `markers` (fresh from ug_markers_create_unset, labels and kinds set), its
/// axes permuted by `axes`.
UG_CHECKED ug_status c3d_points_read(ug_markers *markers, const uint8_t *data,
                                     const c3d_layout *layout, ug_axes axes,
                                     const ug_progress *progress, ug_warnings *warnings,
                                     ug_error *err);

UG_CHECKED ug_status c3d_analog_read(ug_analog **analog, const uint8_t *data,
                                     const c3d_layout *layout, const ug_parameters *tree,
                                     ug_warnings *warnings, ug_error *err);

/// Scale and offset of each channel, 1 and 0 where the file has none. @return scales found
size_t c3d_analog_scales_read(double *scale, double *offset, size_t count,
                              const ug_parameters *tree, bool is_unsigned);

UG_CHECKED ug_status c3d_events_read(ug_events *events, const uint8_t *header, char processor,
                                     const ug_parameters *tree, ug_warnings *warnings,
                                     ug_error *err);

// --- unit and axes ---

/// What is given or declared of unit and axes, into `source`; identity axes and mm for the rest.
UG_CHECKED ug_status c3d_frame_declared(ug_source *source, bool *need_unit, bool *need_up,
                                        const ug_read_opts *opts, ug_warnings *warnings,
                                        ug_error *err);

/// Infers the rest from `markers` (axes permuted as declared so far) and turns them; checks what
/// was declared.
UG_CHECKED ug_status c3d_frame_inferred(ug_source *source, ug_markers *markers, bool need_unit,
                                        bool need_up, ug_warnings *warnings, ug_error *err);

// --- writing ---

/// What the file will look like, decided before a byte is written.
typedef struct c3d_plan {
    c3d_layout layout;
    ug_parameters tree; ///< owned
    uint8_t header[C3D_BLOCK];
    uint8_t *section; ///< owned: the tree as it goes into the file
    size_t section_size;
    ug_axes axes;
    float factor; ///< 1, or into the unit asked for
    const ug_progress *progress;
} c3d_plan;

UG_CHECKED ug_status c3d_plan_make(c3d_plan *plan, const ug_take *take, const ug_write_opts *opts,
                                   ug_warnings *warnings, ug_error *err);
void c3d_plan_fini(c3d_plan *plan);

/// Words and times that stay of the source's header block, from one processor's order to another's.
void c3d_header_convert(uint8_t *header, char from, char to);

/// Everything in plan->header that the layout decides.
void c3d_header_fill(c3d_plan *plan, bool is_new, bool has_analog);

/// Header, parameters and samples to `stream`.
UG_CHECKED ug_status c3d_stream_write(FILE *stream, const ug_take *take, const c3d_plan *plan,
                                      ug_warnings *warnings, ug_error *err);

/// Rewrite EVENT (and switch off the header's events) when it no longer says what `events` says.
UG_CHECKED ug_status c3d_events_update(c3d_plan *plan, const ug_events *events, char from_processor,
                                       ug_error *err);
