// SPDX-License-Identifier: MIT
// Parts of the VSK reader: attributes (vsk_xml.c), joints, markers. Private to it.
#pragma once

#include "formats/vsk_parameters.h"
#include "motion/take.h"
#include "motion/warnings.h"

#include <stdbool.h>

/// One XML element; libxml2's xmlNode behind a name of ours.
typedef struct _xmlNode vsk_node;

enum { VSK_NUMBERS_MAX = 36 };

#define VSK_MM 0.001          ///< metres per unit of the file
#define VSK_LENGTH_MAX_MM 1e6 ///< a kilometre is no bone

typedef struct vsk_reader {
    ug_take *take;
    const char *path;
    ug_vsk_parameters parameters;
    ug_skeleton *skeleton; ///< the take's, with room for every segment; joint_count grows
    ug_vec3 *shift_m;      ///< (joints) segment's origin in its joint's frame
    ug_warnings *warnings;
    ug_error *err;
} vsk_reader;

/// UG_E_FORMAT at the element's line.
ug_status vsk_refuse(vsk_reader *r, const vsk_node *node, const char *fmt, ...) UG_PRINTF(3, 4);

bool vsk_is_element(const vsk_node *node, const char *name);

/// Fresh text, NULL when there is no such attribute (or no memory: then it reads as missing).
char *vsk_attribute(const vsk_node *node, const char *name);

/// Numbers of an attribute; *count is 0 when it is not there. `what` names the element in
/// messages: "segment 'Hips'".
UG_CHECKED ug_status vsk_numbers(vsk_reader *r, double values[VSK_NUMBERS_MAX], size_t *count,
                                 const vsk_node *node, const char *name, const char *what);

/// Exactly three numbers; *out stays when the attribute is not there.
UG_CHECKED ug_status vsk_vector(vsk_reader *r, ug_vec3 *out, const vsk_node *node, const char *name,
                                const char *what);

/// The Parameter elements below `list`.
UG_CHECKED ug_status vsk_read_parameters(vsk_reader *r, const vsk_node *list);

/// Segment elements below `node`, at any depth.
size_t vsk_count_segments(const vsk_node *node);

/// Append the segments below `node` as joints below `parent`.
UG_CHECKED ug_status vsk_read_segments(vsk_reader *r, const vsk_node *node, int parent);

/// Markers with a segment and a place, wherever they stand below `node`.
UG_CHECKED ug_status vsk_read_markers(vsk_reader *r, const vsk_node *node);

/// Count the markers that have none.
void vsk_warn_unattached(vsk_reader *r, const vsk_node *node);
