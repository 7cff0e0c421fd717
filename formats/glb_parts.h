// SPDX-License-Identifier: MIT
// What the files of the GLB writer share: a JSON tree and a binary buffer that grow together.
//
// Running out of memory or of the 4 GiB a GLB can hold is noted in the document and asked for once,
// by ug_glb_status; everything in between may be called on regardless.
#pragma once

#include "formats/format.h"
#include "motion/mesh.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

typedef struct ug_glb {
    struct cJSON *root, *views, *accessors;
    uint8_t *bytes; ///< the one buffer
    size_t size, capacity;
    size_t accessor_count;
    bool out_of_memory, too_large;
} ug_glb;

enum {
    UG_GLB_BYTE = 5121, ///< component types, as glTF numbers them; all unsigned
    UG_GLB_SHORT = 5123,
    UG_GLB_INT = 5125,
    UG_GLB_FLOAT = 5126,
    UG_GLB_ANY = 0, ///< targets of a buffer view
    UG_GLB_VERTICES = 34962,
    UG_GLB_TRIANGLES = 34963,
};

/// Start and end. An initialised document is usable even when memory ran out.
void ug_glb_init(ug_glb *glb);
void ug_glb_fini(ug_glb *glb);

/// UG_OK, UG_E_NOMEM or UG_E_UNSUPPORTED (too large).
UG_CHECKED ug_status ug_glb_status(const ug_glb *glb, ug_error *err);

/// Room for `count` elements of `components` numbers each, zeroed, with its accessor. Valid until
/// the next call; NULL when there is no room (count 0 included).
///
/// @param accessor  its index; 0 when NULL is returned
void *ug_glb_reserve(ug_glb *glb, size_t count, int components, int type, int target,
                     size_t *accessor);

/// Give the accessor made last the exact minimum and maximum of its float values.
void ug_glb_bound(ug_glb *glb, const float *values, size_t count, int components);

// JSON: items are fresh and owned by what they are put into; NULL items note the lack of memory.
struct cJSON *ug_glb_object(ug_glb *glb);
struct cJSON *ug_glb_array(ug_glb *glb);
struct cJSON *ug_glb_integer(ug_glb *glb, int64_t value);
struct cJSON *ug_glb_real(ug_glb *glb, double value);     ///< %.17g; null when not finite
struct cJSON *ug_glb_single(ug_glb *glb, double value);   ///< %.9g: what float32 can tell
struct cJSON *ug_glb_text(ug_glb *glb, const char *text); ///< what is no UTF-8 is read as Latin-1
struct cJSON *ug_glb_json(ug_glb *glb, const char *json); ///< as it is; as text when no JSON
struct cJSON *ug_glb_vector(ug_glb *glb, ug_vec3 v);      ///< %.9g
void ug_glb_put(ug_glb *glb, struct cJSON *object, const char *name, struct cJSON *item);
void ug_glb_append(ug_glb *glb, struct cJSON *array, struct cJSON *item);

/// Key times of `frame_count` frames as float32, from 0, strictly increasing: frames whose time
/// is not above the one before are left out ("glb_frames_merged"). That takes 2^23 frames at least.
///
/// @param times    (frame_count) of which *key_count are set
/// @param frames   (frame_count) the frame of each key
void ug_glb_key_times(float *times, size_t *frames, size_t *key_count, ug_rate rate,
                      size_t frame_count, ug_warnings *warnings);

/// The "animations" of a clip with frames. @return UG_E_DATA (rate), UG_E_NOMEM
UG_CHECKED ug_status ug_glb_add_animation(ug_glb *glb, const ug_take *take, bool cubic,
                                          ug_warnings *warnings, ug_error *err);

/// "meshes", "materials" and "skins" for a mesh bound to joints 0 … joint_count − 1.
UG_CHECKED ug_status ug_glb_add_skin(ug_glb *glb, const ug_skeleton *skeleton, const ug_mesh *mesh,
                                     size_t root_node, ug_error *err);

/// The extras of the scene: frames, contacts, provenance.
struct cJSON *ug_glb_scene_extras(ug_glb *glb, const ug_take *take);

/// first_frame, frame_count, rate_num, rate_den.
void ug_glb_put_frames(ug_glb *glb, struct cJSON *object, const ug_clip *clip);

/// Warn "glb_coarse" where neighbouring float32 are more than 0.1 mm apart at the largest
/// coordinate of skeleton and motion (from 1024 m on). O(frames).
void ug_glb_warn_coarse(ug_warnings *warnings, const ug_take *take);
