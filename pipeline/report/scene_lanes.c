// SPDX-License-Identifier: MIT
// The gap chart of a scene: runs of samples that were not simply measured.
#include "pipeline/report/scene_parts.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum lane_class {
    LANE_MISSING = 0,
    LANE_FILLED = 1,
    LANE_REPAIRED = 2,
    LANE_EDITED = 3,
    LANE_COMPUTED = 4,
    LANE_NONE = 5, ///< measured: not in the list
} lane_class;

typedef struct lane {
    size_t marker, first, end;
    lane_class class;
} lane;

typedef struct lane_list {
    size_t count, most;
    lane *items;
} lane_list;

// A hand's edit says most about a sample, its making least.
static lane_class classify(uint16_t origin)
{
    if (!(origin & UG_ORIGIN_PRESENT)) {
        return LANE_MISSING;
    }
    if (origin & UG_ORIGIN_EDITED) {
        return LANE_EDITED;
    }
    if (origin & UG_ORIGIN_REPAIRED) {
        return LANE_REPAIRED;
    }
    if (origin & UG_ORIGIN_FILLED) {
        return LANE_FILLED;
    }
    return origin & UG_ORIGIN_COMPUTED ? LANE_COMPUTED : LANE_NONE;
}

// Per marker, what most needs to be seen of the frames [first, end).
static void classify_block(lane_class *worst, const ug_scene *scene, size_t first, size_t end)
{
    const ug_markers *m = scene->markers;
    for (size_t i = 0; i < m->marker_count; i++) {
        worst[i] = LANE_NONE;
    }
    for (size_t f = first; f < end; f++) {
        const size_t row = ug_scene_marker_frame(scene, f);
        for (size_t i = 0; i < m->marker_count; i++) {
            const lane_class c = !ug_scene_is_place(m, i) ? LANE_NONE
                                 : row < m->frame_count
                                     ? classify(m->origin[ug_markers_index(m, row, i)])
                                     : LANE_MISSING;
            worst[i] = c < worst[i] ? c : worst[i];
        }
    }
}

static bool add(lane_list *list, lane run)
{
    if (run.class == LANE_NONE) {
        return true;
    }
    if (list->count == list->most) {
        return false;
    }
    list->items[list->count++] = run;
    return true;
}

// Time is the outer loop, since that is how the samples lie in memory. False: more than fit.
static bool collect(lane_list *list, lane *open, lane_class *now, const ug_scene *scene,
                    size_t block)
{
    const ug_markers *m = scene->markers;
    list->count = 0;
    for (size_t i = 0; i < m->marker_count; i++) {
        open[i] = (lane){ .marker = i, .class = LANE_NONE };
    }
    for (size_t f = 0; f < scene->frame_count; f += block) {
        const size_t end = block < scene->frame_count - f ? f + block : scene->frame_count;
        classify_block(now, scene, f, end);
        for (size_t i = 0; i < m->marker_count; i++) {
            if (now[i] != open[i].class) {
                if (!add(list, open[i])) {
                    return false;
                }
                open[i] = (lane){ .marker = i, .first = f, .class = now[i] };
            }
            open[i].end = end;
        }
    }
    for (size_t i = 0; i < m->marker_count; i++) {
        if (!add(list, open[i])) {
            return false;
        }
    }
    return true;
}

static int by_marker(const void *a, const void *b)
{
    const lane *x = a, *y = b;
    if (x->marker != y->marker) {
        return x->marker < y->marker ? -1 : 1;
    }
    return x->first < y->first ? -1 : x->first > y->first;
}

static char *to_text(const lane_list *list)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return NULL;
    }
    (void)fputc('[', stream);
    for (size_t i = 0; i < list->count; i++) {
        const lane *l = &list->items[i];
        (void)fprintf(stream, "%s[%zu,%zu,%zu,%d]", i > 0 ? "," : "", l->marker, l->first, l->end,
                      (int)l->class);
    }
    (void)fputc(']', stream);
    const bool whole = ferror(stream) == 0;
    if (fclose(stream) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
}

char *ug_scene_lanes(const ug_scene *scene, size_t most)
{
    const size_t markers = scene->markers ? scene->markers->marker_count : 0;
    // at least one lane a marker must fit, or putting frames together would never end
    lane_list list = { .most = most > markers ? most : markers };
    list.items = calloc(list.most + 1, sizeof *list.items);
    lane *open = calloc(markers + 1, sizeof *open);
    lane_class *now = calloc(markers + 1, sizeof *now);
    char *text = NULL;
    if (list.items && open && now) {
        size_t block = 1;
        while (markers > 0 && !collect(&list, open, now, scene, block)) {
            block *= 2;
        }
        qsort(list.items, list.count, sizeof *list.items, by_marker);
        text = to_text(&list);
    }
    free(list.items);
    free(open);
    free(now);
    return text;
}
