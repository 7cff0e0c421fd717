// SPDX-License-Identifier: MIT
// A YAML document as a plain tree of mappings, sequences and texts that know their line.
//
// The strict part of YAML that people write settings in: one document, no tags, no anchors or
// aliases (so no bombs), keys are texts and never doubled, bounded size and depth. Scalars stay
// text: formats/yaml_fields.h turns them into numbers. libyaml stays behind this header.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Limits of a document; beyond them it is refused.
enum {
    UG_YAML_BYTES_MAX = 4 << 20,
    UG_YAML_NODES_MAX = 100000,
    UG_YAML_DEPTH_MAX = 16,
    UG_YAML_KEYS_MAX = 256, ///< of one mapping
};

typedef enum ug_yaml_kind { UG_YAML_TEXT, UG_YAML_SEQUENCE, UG_YAML_MAPPING } ug_yaml_kind;

typedef struct ug_yaml {
    ug_yaml_kind kind;
    int line;              ///< 1-based
    const char *file;      ///< the document's path, for messages; owned by the document
    char *text;            ///< TEXT: owned, UTF-8 without NUL; NULL otherwise
    bool quoted;           ///< TEXT: written in quotes or as a block, so "~" is not null
    size_t count;          ///< items of a SEQUENCE, values of a MAPPING
    struct ug_yaml *items; ///< (count) owned
    char **keys;           ///< MAPPING: (count) owned
    int *key_lines;        ///< MAPPING: (count) owned
} ug_yaml;

typedef struct ug_yaml_document {
    ug_yaml root;
    char *path; ///< owned
} ug_yaml_document;

/// Read a file. `document` is overwritten; ug_yaml_fini() it.
///
/// @return UG_E_IO; UG_E_FORMAT with err->where = "path:line" (no YAML, empty, a second document,
///         tag, anchor, doubled key, too large); UG_E_NOMEM. `document` is empty then.
UG_CHECKED ug_status ug_yaml_read(ug_yaml_document *document, const char *path, ug_error *err);

/// The same from memory; `path` only names it in messages.
UG_CHECKED ug_status ug_yaml_parse(ug_yaml_document *document, const char *text, size_t size,
                                   const char *path, ug_error *err);

/// Releases what is below. NULL and a zeroed document are fine.
void ug_yaml_fini(ug_yaml_document *document);
