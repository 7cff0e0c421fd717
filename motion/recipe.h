// SPDX-License-Identifier: MIT
// What a recipe file asks for, as text: which stages, with which options, on which takes; and the
// hand edits that can be replayed on a take. Values stay text: the stage's option table parses
// them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// One `key: value`; a YAML list becomes several values.
typedef struct ug_recipe_option {
    char *key;     ///< owned, snake_case ("max_gap_s")
    char **values; ///< owned
    size_t value_count;
    int line; ///< in the recipe file, 1-based; 0 when unknown
} ug_recipe_option;

typedef struct ug_recipe_stage {
    char *name; ///< owned: "clean"
    size_t option_count;
    ug_recipe_option *options; ///< owned
    int line;
} ug_recipe_stage;

typedef struct ug_recipe {
    size_t input_count;
    char **inputs; ///< owned paths or globs, relative to the recipe's folder
    size_t stage_count;
    ug_recipe_stage *stages; ///< owned
} ug_recipe;

/// Releases what is below. NULL is fine.
void ug_recipe_fini(ug_recipe *recipe);

typedef enum ug_edit_kind {
    UG_EDIT_FILL = 0,    ///< labels[0], frames, method
    UG_EDIT_SWAP = 1,    ///< labels[0] <-> labels[1], frames
    UG_EDIT_CLEAR = 2,   ///< labels[0], frames: make missing
    UG_EDIT_RENAME = 3,  ///< labels[0] becomes labels[1]
    UG_EDIT_CONTACT = 4, ///< point, from_s … to_s, kind
    UG_EDIT_MERGE =
        5,            ///< what labels[0] misses comes from labels[1]; frames, or all: then [1] goes
    UG_EDIT_DROP = 6, ///< labels[0] and its samples go
    UG_EDIT_SPLIT = 7, ///< labels[0] hands its frames to a new labels[1]
    UG_EDIT_KEEP = 8,  ///< labels[0], labels[1]: right as they are; frames, or all
} ug_edit_kind;

/// One hand edit. Frames are counted from 0, both ends included.
typedef struct ug_edit {
    ug_edit_kind kind;
    char *labels[2]; ///< owned, NULL when unused; the contact point's name for CONTACT
    long first, last;
    bool whole_take; ///< of MERGE and KEEP: no frames were given
    char *method;    ///< owned: fill method or contact kind
    double from_s, to_s;
    int line;
    char *said; ///< owned: who asked for it if not a line of a file ("--drop LASI"); NULL else
} ug_edit;

typedef struct ug_edits {
    size_t count;
    ug_edit *items; ///< owned
} ug_edits;

/// Releases what is below. NULL is fine.
void ug_edits_fini(ug_edits *edits);
