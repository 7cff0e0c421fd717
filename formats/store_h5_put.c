// SPDX-License-Identifier: MIT
// Datasets of the store, written with their words: shape, unit, meaning, names of the dimensions.
#include "formats/store_h5.h"
#include "formats/store_h5_type.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

// About 650 kB is the fastest unfiltered chunk; a filtered one above malloc's mmap threshold of
// 128 kB costs page faults for every chunk.
enum { CHUNK_BYTES = 640 << 10, FILTERED_CHUNK_BYTES = 96 << 10, DEFLATE_LEVEL = 1 };

// The names of the dimensions, as H5DSset_label and h5py's `dims[i].label` keep them.
static bool put_labels(hid_t dataset, const ug_h5_spec *spec, int rank)
{
    char words[128];
    assert(strlen(spec->axes) < sizeof words);
    memcpy(words, spec->axes, strlen(spec->axes) + 1);
    const char *labels[UG_H5_RANK_MAX];
    char *rest = words;
    for (int i = 0; i < rank; i++) {
        labels[i] = strtok_r(rest, " ", &rest);
    }
    const hsize_t count = (hsize_t)rank;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t type = ug_h5_text_type(0, H5T_STR_NULLTERM, H5T_CSET_UTF8);
    const hid_t attribute =
        H5Acreate2(dataset, "DIMENSION_LABELS", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, labels) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Tclose(type);
    H5Sclose(space);
    return ok;
}

// Chunks along time, as even as possible so that the last one wastes little.
static bool set_layout(hid_t create, const ug_h5_spec *spec, int rank, const size_t dims[],
                       size_t element, bool compress)
{
    size_t row = element;
    for (int i = 1; i < rank; i++) {
        row *= dims[i];
    }
    if (!spec->timed || rank == 0 || dims[0] == 0 || row == 0 || row > UINT32_MAX / 2) {
        return true; // contiguous: libhdf5 has no empty chunks
    }
    const size_t target = compress ? FILTERED_CHUNK_BYTES : CHUNK_BYTES;
    const size_t most = target / row > 0 ? target / row : 1;
    const size_t pieces = (dims[0] + most - 1) / most;
    hsize_t chunk[UG_H5_RANK_MAX] = { (dims[0] + pieces - 1) / pieces };
    for (int i = 1; i < rank; i++) {
        chunk[i] = dims[i];
    }
    return H5Pset_chunk(create, rank, chunk) >= 0 &&
           (!compress ||
            (H5Pset_shuffle(create) >= 0 && H5Pset_deflate(create, DEFLATE_LEVEL) >= 0));
}

static void put_typed(const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[],
                      const void *data, hid_t stored, hid_t memory)
{
    const int rank = ug_h5_rank(spec);
    hsize_t extent[UG_H5_RANK_MAX];
    size_t count = 1;
    for (int i = 0; i < rank; i++) {
        extent[i] = dims[i];
        count *= dims[i];
    }
    const hid_t space = rank > 0 ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_char_encoding(links, H5T_CSET_UTF8);
    (void)H5Pset_attr_phase_change(create, UG_H5_COMPACT, 0);
    (void)H5Pset_obj_track_times(create, false);
    hid_t dataset = H5I_INVALID_HID;
    if (set_layout(create, spec, rank, dims, H5Tget_size(stored), group->file->compress)) {
        dataset = H5Dcreate2(group->id, spec->name, stored, space, links, create, H5P_DEFAULT);
    }
    if (dataset < 0 ||
        (count > 0 && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) ||
        (rank > 0 && !put_labels(dataset, spec, rank))) {
        ug_h5_fail(group->file, UG_E_WRITE, "dataset '%s/%s' cannot be written", group->path,
                   spec->name);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    H5Pclose(links);
    H5Pclose(create);
    H5Sclose(space);
    ug_h5_put_text(group, spec->name, "shape", spec->shape);
    ug_h5_put_text(group, spec->name, "unit", spec->unit);
    ug_h5_put_text(group, spec->name, "meaning", spec->meaning);
}

void ug_h5_put(const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[],
               const void *data)
{
    if (ug_h5_ok(group)) {
        put_typed(group, spec, dims, data, ug_h5_file_type(spec->type),
                  ug_h5_memory_type(spec->type));
    }
}

void ug_h5_put_cells(const ug_h5_group *group, const ug_h5_spec *spec, size_t width,
                     const size_t dims[], const void *data)
{
    if (ug_h5_ok(group)) {
        assert(spec->type == UG_H5_TEXT && width > 0);
        const hid_t type = ug_h5_text_type(width, H5T_STR_SPACEPAD, H5T_CSET_ASCII);
        put_typed(group, spec, dims, data, type, type);
        H5Tclose(type);
    }
}

void ug_h5_put_texts(const ug_h5_group *group, const ug_h5_spec *spec, size_t count,
                     char *const *texts)
{
    if (!ug_h5_ok(group)) {
        return;
    }
    size_t width = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t length = texts[i] ? strlen(texts[i]) : 0;
        width = length > width ? length : width;
    }
    char *cells = calloc(count > 0 ? count : 1, width);
    if (!cells) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (texts[i]) {
            memcpy(cells + i * width, texts[i], strlen(texts[i]));
        }
    }
    const hid_t type = ug_h5_text_type(width, H5T_STR_NULLPAD, H5T_CSET_UTF8);
    put_typed(group, spec, &count, cells, type, type);
    H5Tclose(type);
    free(cells);
}
