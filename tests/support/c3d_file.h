// SPDX-License-Identifier: MIT
// Builds C3D files byte by byte for tests, from the format's description and not with our own
// writer, so that reader and writer cannot share a misunderstanding.
#pragma once

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct grown_bytes {
    uint8_t *data;
    size_t size, capacity;
} grown_bytes;

typedef struct c3d_file {
    char processor; // 'I', 'D' or 'M'
    uint8_t header[512];
    grown_bytes section, samples, whole;
    int group_count;
    char groups[32][32];
} c3d_file;

static inline void grown_put(grown_bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size) + 64;
        b->data = realloc(b->data, b->capacity);
        assert(b->data);
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static inline void encode_word(uint8_t out[2], char processor, int value)
{
    const int low = value & 0xff, high = value >> 8 & 0xff;
    out[0] = (uint8_t)(processor == 'M' ? high : low);
    out[1] = (uint8_t)(processor == 'M' ? low : high);
}

// VAX F float by its definition: value = ± 0.1mmm… · 2^(e − 128)
static inline void encode_vax(uint8_t out[4], double value)
{
    int exponent = 128;
    double m = fabs(value);
    memset(out, 0, 4);
    if (!(m > 0)) {
        return;
    }
    while (m >= 1.0) {
        m /= 2;
        exponent++;
    }
    while (m < 0.5) {
        m *= 2;
        exponent--;
    }
    const long fraction = lround((m - 0.5) * 16777216.0);
    const long first = (value < 0 ? 0x8000 : 0) | exponent << 7 | fraction >> 16;
    encode_word(out, 'I', (int)first);
    encode_word(out + 2, 'I', (int)(fraction & 0xffff));
}

static inline void encode_real(uint8_t out[4], char processor, double value)
{
    const float f = (float)value;
    uint8_t b[4];
    memcpy(b, &f, sizeof b); // the tests run on little-endian machines
    if (processor == 'D') {
        encode_vax(out, (double)f);
    } else if (processor == 'M') {
        out[0] = b[3], out[1] = b[2], out[2] = b[1], out[3] = b[0];
    } else {
        memcpy(out, b, sizeof b);
    }
}

static inline void file_word(c3d_file *f, grown_bytes *to, int value)
{
    uint8_t b[2];
    encode_word(b, f->processor, value);
    grown_put(to, b, sizeof b);
}

static inline void file_real(c3d_file *f, grown_bytes *to, double value)
{
    uint8_t b[4];
    encode_real(b, f->processor, value);
    grown_put(to, b, sizeof b);
}

static inline void file_record(c3d_file *f, const char *name, int id, size_t body)
{
    const uint8_t head[2] = { (uint8_t)strlen(name), (uint8_t)id };
    grown_put(&f->section, head, sizeof head);
    grown_put(&f->section, name, strlen(name));
    file_word(f, &f->section, (int)(2 + body));
}

static inline int file_group(c3d_file *f, const char *name)
{
    for (int g = 0; g < f->group_count; g++) {
        if (strcmp(f->groups[g], name) == 0) {
            return g + 1;
        }
    }
    (void)strncpy(f->groups[f->group_count], name, sizeof f->groups[0] - 1);
    f->group_count++;
    file_record(f, name, -f->group_count, 1);
    grown_put(&f->section, "", 1);
    return f->group_count;
}

static inline void file_shape(c3d_file *f, const char *group, const char *name, int type,
                              size_t value_bytes, int dimension_count, const int *dimensions)
{
    const int id = file_group(f, group);
    file_record(f, name, id, 2 + (size_t)dimension_count + value_bytes + 1);
    const uint8_t head[2] = { (uint8_t)type, (uint8_t)dimension_count };
    grown_put(&f->section, head, sizeof head);
    for (int i = 0; i < dimension_count; i++) {
        const uint8_t d = (uint8_t)dimensions[i];
        grown_put(&f->section, &d, 1);
    }
}

// Dimensions { 0 } as a NULL pointer: a scalar.
static inline void file_words(c3d_file *f, const char *group, const char *name, int count,
                              const int *values, int dimension_count, const int *dimensions)
{
    file_shape(f, group, name, 2, 2 * (size_t)count, dimension_count, dimensions);
    for (int i = 0; i < count; i++) {
        file_word(f, &f->section, values[i]);
    }
    grown_put(&f->section, "", 1);
}

static inline void file_reals(c3d_file *f, const char *group, const char *name, int count,
                              const double *values, int dimension_count, const int *dimensions)
{
    file_shape(f, group, name, 4, 4 * (size_t)count, dimension_count, dimensions);
    for (int i = 0; i < count; i++) {
        file_real(f, &f->section, values[i]);
    }
    grown_put(&f->section, "", 1);
}

static inline void file_number(c3d_file *f, const char *group, const char *name, int value)
{
    file_words(f, group, name, 1, &value, 0, NULL);
}

static inline void file_float(c3d_file *f, const char *group, const char *name, double value)
{
    file_reals(f, group, name, 1, &value, 0, NULL);
}

static inline void file_texts(c3d_file *f, const char *group, const char *name, int width,
                              int count, const char *const *texts)
{
    const int dimensions[2] = { width, count };
    file_shape(f, group, name, -1, (size_t)width * (size_t)count, 2, dimensions);
    for (int i = 0; i < count; i++) {
        char row[256];
        memset(row, ' ', sizeof row);
        memcpy(row, texts[i], strlen(texts[i]) < (size_t)width ? strlen(texts[i]) : (size_t)width);
        grown_put(&f->section, row, (size_t)width);
    }
    grown_put(&f->section, "", 1);
}

static inline void file_text(c3d_file *f, const char *group, const char *name, const char *text)
{
    file_texts(f, group, name, (int)strlen(text), 1, &text);
}

static inline void header_word(c3d_file *f, int word, int value)
{
    encode_word(f->header + 2 * (word - 1), f->processor, value);
}

static inline void header_real(c3d_file *f, int word, double value)
{
    encode_real(f->header + 2 * (word - 1), f->processor, value);
}

static inline void file_begin(c3d_file *f, char processor)
{
    *f = (c3d_file){ .processor = processor };
    f->header[0] = 2;
    f->header[1] = 0x50;
    const uint8_t head[4] = { 1, 0x50, 0,
                              (uint8_t)(processor == 'I'   ? 84
                                        : processor == 'D' ? 85
                                                           : 86) };
    grown_put(&f->section, head, sizeof head);
}

// Header and POINT of a plain file: negative scale for float, "mm", axes as ours.
static inline void file_basics(c3d_file *f, int points, int frames, double scale, double rate)
{
    header_word(f, 2, points);
    header_word(f, 4, 1);
    header_word(f, 5, frames < 65535 ? frames : 65535);
    header_real(f, 7, scale);
    header_real(f, 11, rate);
    file_number(f, "POINT", "USED", points);
    file_float(f, "POINT", "SCALE", scale);
    file_float(f, "POINT", "RATE", rate);
    file_text(f, "POINT", "UNITS", "mm");
    file_text(f, "POINT", "X_SCREEN", "+X");
    file_text(f, "POINT", "Y_SCREEN", "+Y");
}

static inline void file_point(c3d_file *f, bool is_integer, double x, double y, double z,
                              double flag)
{
    const double v[4] = { x, y, z, flag };
    for (int i = 0; i < 4; i++) {
        if (is_integer) {
            file_word(f, &f->samples, (int)lround(v[i]));
        } else {
            file_real(f, &f->samples, v[i]);
        }
    }
}

// Header, section and samples in f->whole, padded to whole blocks; the header's data start is set.
static inline void file_finish(c3d_file *f)
{
    static const uint8_t zeros[512];
    grown_put(&f->section, zeros, 1);
    grown_put(&f->section, zeros, (512 - f->section.size % 512) % 512);
    f->section.data[2] = (uint8_t)(f->section.size / 512);
    if (f->header[16] == 0 && f->header[17] == 0) {
        header_word(f, 9, (int)(f->section.size / 512) + 2);
    }
    grown_put(&f->whole, f->header, sizeof f->header);
    grown_put(&f->whole, f->section.data, f->section.size);
    if (f->samples.size > 0) {
        grown_put(&f->whole, f->samples.data, f->samples.size);
    }
    grown_put(&f->whole, zeros, (512 - f->whole.size % 512) % 512);
}

static inline void file_end(c3d_file *f)
{
    free(f->section.data);
    free(f->samples.data);
    free(f->whole.data);
}
