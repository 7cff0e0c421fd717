// SPDX-License-Identifier: MIT
#include "motion/recipe.h"

#include "motion/text.h"

#include <stdlib.h>

static void stage_fini(ug_recipe_stage *stage)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        free(stage->options[i].key);
        ug_text_list_destroy(stage->options[i].values, stage->options[i].value_count);
    }
    free(stage->options);
    free(stage->name);
}

void ug_recipe_fini(ug_recipe *recipe)
{
    if (recipe) {
        ug_text_list_destroy(recipe->inputs, recipe->input_count);
        for (size_t i = 0; i < recipe->stage_count; i++) {
            stage_fini(&recipe->stages[i]);
        }
        free(recipe->stages);
        *recipe = (ug_recipe){ 0 };
    }
}

void ug_edits_fini(ug_edits *edits)
{
    if (edits) {
        for (size_t i = 0; i < edits->count; i++) {
            free(edits->items[i].labels[0]);
            free(edits->items[i].labels[1]);
            free(edits->items[i].method);
            free(edits->items[i].said);
        }
        free(edits->items);
        *edits = (ug_edits){ 0 };
    }
}
