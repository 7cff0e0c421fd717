// SPDX-License-Identifier: MIT
// The gap chart of a scene: runs of samples that were not simply measured.
#include "pipeline/report/lane.h"
#include "pipeline/report/scene_parts.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct lane {
    size_t marker, first, end;
    ug_lane class;
} lane;

typedef struct lane_list {
    size_t count, most;
    lane *items;
} lane_list;

// Per marker, what most needs to be seen of the frames [first, end).
static void classify_block(ug_lane *worst, const ug_scene *scene, size_t first, size_t end)
{
    const ug_markers *m = scene->markers;
    for (size_t i = 0; i < m->marker_count; i++) {
        worst[i] = UG_LANE_NONE;
    }
    for (size_t f = first; f < end; f++) {
        const size_t row = ug_scene_marker_frame(scene, f);
        for (size_t i = 0; i < m->marker_count; i++) {
            const ug_lane c = !ug_scene_is_place(m, i) ? UG_LANE_NONE
                              : row < m->frame_count
                                  ? ug_lane_of(m->origin[ug_markers_index(m, row, i)])
                                  : UG_LANE_MISSING;
            worst[i] = c < worst[i] ? c : worst[i];
        }
    }
}

static bool add(lane_list *list, lane run)
{
    if (run.class == UG_LANE_NONE) {
        return true;
    }
    if (list->count == list->most) {
        return false;
    }
    list->items[list->count++] = run;
    return true;
}

// Time is the outer loop, since that is how the samples lie in memory. False: more than fit.
static bool collect(lane_list *list, lane *open, ug_lane *now, const ug_scene *scene, size_t block)
{
    const ug_markers *m = scene->markers;
    list->count = 0;
    for (size_t i = 0; i < m->marker_count; i++) {
        open[i] = (lane){ .marker = i, .class = UG_LANE_NONE };
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
    ug_lane *now = calloc(markers + 1, sizeof *now);
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
