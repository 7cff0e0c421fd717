// SPDX-License-Identifier: MIT
// Take -> GLB.
#include "formats/glb.h"

#include "formats/file.h"
#include "formats/glb_parts.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS_MAX = 65536, MAGIC = 0x46546C67, CHUNK_JSON = 0x4E4F534A, CHUNK_BIN = 0x004E4942 };

static ug_status check_opts(const ug_write_opts *opts, ug_error *err)
{
    if (opts->unit && ug_unit_to_metres(opts->unit) != 1.0) {
        return ug_fail(err, UG_E_USAGE, "glTF is in metres: --unit %.32s is not possible",
                       opts->unit);
    }
    ug_axes axes = UG_AXES_IDENTITY;
    const ug_status status = opts->up ? ug_axes_from_names(&axes, opts->up, NULL, err) : UG_OK;
    const ug_axes ours = UG_AXES_IDENTITY;
    if (status == UG_OK && memcmp(&axes, &ours, sizeof axes) != 0) {
        return ug_fail(err, UG_E_USAGE, "glTF has Y up: --up %.32s is not possible", opts->up);
    }
    return status;
}

static ug_status check_take(const ug_take *take, const ug_mesh *mesh, ug_error *err)
{
    const ug_skeleton *skeleton = take->skeleton;
    if (!skeleton || skeleton->joint_count == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "there is no skeleton to write as GLB: solve first");
    }
    if (skeleton->joint_count > JOINTS_MAX) {
        return ug_fail(err, UG_E_UNSUPPORTED, "a skin of glTF has %d joints at most, not %zu",
                       JOINTS_MAX, skeleton->joint_count);
    }
    if (take->clip && take->clip->joint_count != skeleton->joint_count) {
        return ug_fail(err, UG_E_DATA, "motion of %zu joints, skeleton of %zu",
                       take->clip->joint_count, skeleton->joint_count);
    }
    const ug_status status = ug_skeleton_check(skeleton, err);
    return status == UG_OK && mesh ? ug_mesh_check(mesh, skeleton->joint_count, err) : status;
}

// ---- nodes

static cJSON *make_rotation(ug_glb *glb, ug_quat q)
{
    cJSON *array = ug_glb_array(glb);
    ug_glb_append(glb, array, ug_glb_single(glb, q.x));
    ug_glb_append(glb, array, ug_glb_single(glb, q.y));
    ug_glb_append(glb, array, ug_glb_single(glb, q.z));
    ug_glb_append(glb, array, ug_glb_single(glb, q.w));
    return array;
}

static cJSON *make_joint(ug_glb *glb, const ug_joint *joint)
{
    cJSON *node = ug_glb_object(glb);
    ug_glb_put(glb, node, "name", ug_glb_text(glb, joint->name));
    ug_glb_put(glb, node, "translation", ug_glb_vector(glb, joint->offset_m));
    if (joint->rest.x != 0.0 || joint->rest.y != 0.0 || joint->rest.z != 0.0) {
        ug_glb_put(glb, node, "rotation", make_rotation(glb, ug_quat_normalize(joint->rest)));
    }
    if (joint->role != UG_ROLE_NONE || (joint->flags & UG_JOINT_END_SITE)) {
        cJSON *extras = ug_glb_object(glb);
        if (joint->role != UG_ROLE_NONE) {
            ug_glb_put(glb, extras, "role", ug_glb_text(glb, ug_role_name(joint->role)));
        }
        if (joint->flags & UG_JOINT_END_SITE) {
            ug_glb_put(glb, extras, "end_site", cJSON_CreateTrue());
        }
        ug_glb_put(glb, node, "extras", extras);
    }
    return node;
}

// A node that stands above several roots, since a skin's joints need a common one.
static cJSON *make_group(ug_glb *glb, const ug_skeleton *skeleton)
{
    cJSON *node = ug_glb_object(glb), *roots = ug_glb_array(glb);
    const bool named = skeleton->name && skeleton->name[0];
    ug_glb_put(glb, node, "name", ug_glb_text(glb, named ? skeleton->name : "skeleton"));
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent < 0) {
            ug_glb_append(glb, roots, ug_glb_integer(glb, (int64_t)j));
        }
    }
    ug_glb_put(glb, node, "children", roots);
    return node;
}

// Nodes 0 … joint_count − 1 are the joints. `children` holds one list a joint, NULL to begin with.
static void add_joints(ug_glb *glb, cJSON *nodes, const ug_skeleton *skeleton, cJSON **children)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const int parent = skeleton->joints[j].parent;
        if (parent >= 0) {
            children[parent] = children[parent] ? children[parent] : ug_glb_array(glb);
            ug_glb_append(glb, children[parent], ug_glb_integer(glb, (int64_t)j));
        }
    }
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        cJSON *node = make_joint(glb, &skeleton->joints[j]);
        if (children[j]) {
            ug_glb_put(glb, node, "children", children[j]);
        }
        ug_glb_append(glb, nodes, node);
    }
}

static size_t count_roots(const ug_skeleton *skeleton)
{
    size_t roots = 0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        roots += skeleton->joints[j].parent < 0;
    }
    return roots;
}

static ug_status add_nodes(ug_glb *glb, const ug_take *take, const ug_mesh *mesh, ug_error *err)
{
    const ug_skeleton *skeleton = take->skeleton;
    cJSON **children = calloc(skeleton->joint_count, sizeof *children);
    if (!children) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    cJSON *nodes = ug_glb_array(glb), *top = ug_glb_array(glb), *scene = ug_glb_object(glb);
    add_joints(glb, nodes, skeleton, children);
    free(children);
    size_t count = skeleton->joint_count, root = 0;
    if (count_roots(skeleton) > 1) {
        ug_glb_append(glb, nodes, make_group(glb, skeleton));
        root = count++;
    }
    ug_glb_append(glb, top, ug_glb_integer(glb, (int64_t)root));
    ug_status status = UG_OK;
    if (mesh) {
        cJSON *node = ug_glb_object(glb); // at the root and without a transform, as skins want it
        ug_glb_put(glb, node, "name", ug_glb_text(glb, "mannequin"));
        ug_glb_put(glb, node, "mesh", ug_glb_integer(glb, 0));
        ug_glb_put(glb, node, "skin", ug_glb_integer(glb, 0));
        ug_glb_append(glb, nodes, node);
        ug_glb_append(glb, top, ug_glb_integer(glb, (int64_t)count));
        status = ug_glb_add_skin(glb, skeleton, mesh, root, err);
    }
    ug_glb_put(glb, glb->root, "nodes", nodes);
    ug_glb_put(glb, scene, "nodes", top);
    ug_glb_put(glb, scene, "extras", ug_glb_scene_extras(glb, take));
    cJSON *scenes = ug_glb_array(glb);
    ug_glb_append(glb, scenes, scene);
    ug_glb_put(glb, glb->root, "scenes", scenes);
    ug_glb_put(glb, glb->root, "scene", ug_glb_integer(glb, 0));
    return status;
}

// ---- the file

static void add_asset(ug_glb *glb, const ug_write_opts *opts)
{
    cJSON *asset = ug_glb_object(glb);
    ug_glb_put(glb, asset, "version", ug_glb_text(glb, "2.0"));
    ug_glb_put(glb, asset, "generator", ug_glb_text(glb, opts->program ? opts->program : "ugoki"));
    ug_glb_put(glb, glb->root, "asset", asset);
}

static void add_buffer(ug_glb *glb)
{
    if (glb->size == 0) {
        return; // a skeleton that does not move, without a skin
    }
    cJSON *buffer = ug_glb_object(glb), *buffers = ug_glb_array(glb);
    ug_glb_put(glb, buffer, "byteLength", ug_glb_integer(glb, (int64_t)glb->size));
    ug_glb_append(glb, buffers, buffer);
    ug_glb_put(glb, glb->root, "buffers", buffers);
    ug_glb_put(glb, glb->root, "bufferViews", glb->views);
    ug_glb_put(glb, glb->root, "accessors", glb->accessors);
    glb->views = glb->accessors = NULL; // the tree's now
}

static void print_word(FILE *stream, size_t word)
{
    const uint32_t value = (uint32_t)word;
    fwrite(&value, sizeof value, 1, stream);
}

static ug_status print_file(FILE *stream, const ug_glb *glb, const char *json, ug_error *err)
{
    const size_t length = strlen(json), padded = (length + 3) / 4 * 4;
    const size_t total = 12 + 8 + padded + (glb->size > 0 ? 8 + glb->size : 0);
    if (total > UINT32_MAX) {
        return ug_fail(err, UG_E_UNSUPPORTED, "is larger than the 4 GiB that a GLB can hold");
    }
    print_word(stream, MAGIC);
    print_word(stream, 2);
    print_word(stream, total);
    print_word(stream, padded);
    print_word(stream, CHUNK_JSON);
    fwrite(json, 1, length, stream);
    fwrite("   ", 1, padded - length, stream);
    if (glb->size > 0) {
        print_word(stream, glb->size); // a multiple of four: every view is
        print_word(stream, CHUNK_BIN);
        fwrite(glb->bytes, 1, glb->size, stream);
    }
    return UG_OK; // a failed write is found when the file is committed
}

static ug_status build(ug_glb *glb, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    add_asset(glb, opts);
    ug_status status = add_nodes(glb, take, opts->mesh, err);
    if (status == UG_OK && take->clip && take->clip->frame_count > 0) {
        status = ug_glb_add_animation(glb, take, opts->cubic, warnings, err);
    } else if (status == UG_OK) {
        ug_warn(warnings, "glb_rest_pose", "there is no motion: wrote the rest pose");
    }
    add_buffer(glb);
    ug_glb_warn_coarse(warnings, take);
    return status == UG_OK ? ug_glb_status(glb, err) : status;
}

static ug_status write_file(const char *path, const ug_glb *glb, ug_error *err)
{
    char *json = cJSON_PrintUnformatted(glb->root);
    if (!json) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_outfile out;
    ug_status status = ug_outfile_open(&out, path, err);
    if (status == UG_OK) {
        status = print_file(out.stream, glb, json, err);
        if (status == UG_OK) {
            status = ug_outfile_commit(&out, err);
        } else {
            ug_outfile_discard(&out);
        }
    }
    cJSON_free(json);
    return status;
}

ug_status ug_glb_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(path && take);
    const ug_write_opts none = { 0 };
    opts = opts ? opts : &none;
    ug_status status = check_opts(opts, err);
    status = status == UG_OK ? check_take(take, opts->mesh, err) : status;
    if (status == UG_OK) {
        ug_glb glb;
        ug_glb_init(&glb);
        status = build(&glb, take, opts, warnings, err);
        status = status == UG_OK ? write_file(path, &glb, err) : status;
        ug_glb_fini(&glb);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    return size >= 4 && memcmp(head, "glTF", 4) == 0;
}

const ug_format ug_format_glb = {
    .name = "glb",
    .extensions = ".glb",
    .summary = "GLB, skeleton, motion and a mannequin as binary glTF",
    .matches = matches,
    .is_motion = true,
    .write = ug_glb_write,
};
