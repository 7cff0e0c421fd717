// SPDX-License-Identifier: MIT
#include "solvers/gap_windows.h"

#include <math.h>
#include <string.h>

enum {
    CANDIDATES_MAX = 1600,
    MARKERS_MAX = 512, // considered as company
    WINDOWS_MIN = 24,  // fewer teach too little: halve the length
    LENGTH_MIN = 4,
    FRAME_MARKERS = 4,
};

static const double FRAME_DISTANCE_COST = 0.03;   // a far marker is less likely on the same bone
static const double FEATURE_DISTANCE_COST = 0.15; // … and less likely to move with it
static const double SOUND_MAX_MM = 3.0;           // error of a fill that is as good as seen
static const double BLOCK_MIN_S = 0.5;            // of a fold
static const double KEEP_SHARE = 0.7; // of the windows must remain when features are added

typedef struct ranked {
    size_t marker;
    double cost;
} ranked;

static bool is_there(const ug_gap_scene *scene, size_t marker, size_t first, size_t last,
                     bool fills)
{
    return fills ? ug_scene_there(scene, marker, first, last)
                 : ug_scene_seen(scene, marker, first, last);
}

// Insertion sort; of equal costs the lower marker comes first.
static void insert(ranked *list, size_t *count, ranked item)
{
    size_t at = *count < MARKERS_MAX ? (*count)++ : *count - 1;
    for (; at > 0 && list[at - 1].cost > item.cost; at--) {
        list[at] = list[at - 1];
    }
    list[at] = item;
}

static double worst_error(const ug_gap_scene *scene, size_t marker, size_t first, size_t last)
{
    double worst = 0.0;
    for (size_t f = first; f <= last; f++) {
        worst = fmax(worst, (double)scene->error_mm[ug_scene_index(scene, f, marker)]);
    }
    return worst;
}

// Everybody there from the frame before the gap to the one after it, with a worst error above
// `above_mm` (-1: from 0) and up to `up_to_mm`.
static size_t rank(ranked *list, const ug_gap_scene *scene, const ug_gap *gap, bool fills,
                   double distance_cost, double above_mm, double up_to_mm)
{
    const size_t from = gap->first - (gap->has_start ? 1 : 0);
    const size_t to = gap->last + (gap->has_end ? 1 : 0);
    size_t count = 0;
    for (size_t m = 0; m < scene->marker_count; m++) {
        const ug_scene_pair pair = scene->pair[gap->marker * scene->marker_count + m];
        if (!isfinite(pair.spread_mm) || !is_there(scene, m, from, to, fills)) {
            continue;
        }
        const double worst = fills ? worst_error(scene, m, from, to) : 0.0;
        if (worst > above_mm && worst <= up_to_mm) {
            insert(list, &count,
                   (ranked){ m, (double)pair.spread_mm + distance_cost * (double)pair.mean_mm });
        }
    }
    return count;
}

static bool choose_frame(ug_gap_company *company, const ug_gap_scene *scene, const ug_gap *gap)
{
    ranked list[MARKERS_MAX];
    size_t markers[MARKERS_MAX];
    const size_t count =
        rank(list, scene, gap, company->fills, FRAME_DISTANCE_COST, -1.0, SOUND_MAX_MM);
    for (size_t i = 0; i < count; i++) {
        markers[i] = list[i].marker;
    }
    return ug_gap_frame_choose(&company->frame, scene, markers, count, FRAME_MARKERS, gap->marker,
                               gap->first);
}

// Where a window can be at all: the marker measured, the frame there, clean beyond the ends.
static size_t list_candidates(size_t *first, const ug_gap_scene *scene, const ug_gap_company *c,
                              size_t length, const ug_gap *gap)
{
    const size_t before = gap->has_start ? UG_GAP_SLOPE_FRAMES + 1 : 0;
    const size_t after = gap->has_end ? UG_GAP_SLOPE_FRAMES + 1 : 0;
    const size_t whole = before + length + after;
    if (scene->frame_count < whole) {
        return 0;
    }
    const size_t places = scene->frame_count - whole + 1;
    size_t stride = length / 8 > 0 ? length / 8 : 1, count = 0;
    stride = places / CANDIDATES_MAX + 1 > stride ? places / CANDIDATES_MAX + 1 : stride;
    for (size_t from = 0; from < places; from += stride) {
        bool good = ug_scene_seen(scene, c->marker, from, from + whole - 1);
        for (size_t i = 0; good && i < c->frame.count; i++) {
            good = is_there(scene, c->frame.markers[i], from, from + whole - 1, c->fills);
        }
        if (good) {
            first[count++] = from + before;
        }
    }
    return count;
}

// Leave only the windows that a marker is there in, when they are enough.
static bool keep_with(size_t *first, size_t *count, size_t enough, const ug_gap_scene *scene,
                      size_t marker, size_t length, const ug_gap *gap, bool fills)
{
    bool good[CANDIDATES_MAX + 1];
    size_t kept = 0;
    for (size_t w = 0; w < *count; w++) {
        const size_t from = first[w] - (gap->has_start ? 1 : 0);
        const size_t to = first[w] + length - (gap->has_end ? 0 : 1);
        good[w] = is_there(scene, marker, from, to, fills);
        kept += good[w];
    }
    if (kept < enough) {
        return false;
    }
    size_t n = 0;
    for (size_t w = 0; w < *count; w++) {
        if (good[w]) {
            first[n++] = first[w];
        }
    }
    *count = n;
    return true;
}

// Add features, the likeliest first, as long as enough windows have them all.
static size_t choose_features(ug_gap_company *c, size_t *first, size_t count,
                              const ug_gap_scene *scene, size_t length, const ug_gap *gap)
{
    const size_t enough = (size_t)(KEEP_SHARE * (double)count);
    c->feature_count = 0;
    for (int sound = 1; sound >= 0; sound--) {
        ranked list[MARKERS_MAX];
        const size_t offered = rank(list, scene, gap, c->fills, FEATURE_DISTANCE_COST,
                                    sound ? -1.0 : SOUND_MAX_MM, sound ? SOUND_MAX_MM : INFINITY);
        for (size_t k = 0; k < offered && c->feature_count < UG_GAP_FEATURES_MAX; k++) {
            if (keep_with(first, &count, enough, scene, list[k].marker, length, gap, c->fills)) {
                c->features[c->feature_count++] = list[k].marker;
            }
        }
        if (sound) {
            c->sound_count = c->feature_count;
        }
    }
    return count;
}

static void spread_positions(ug_gap_windows *w)
{
    w->position_count = w->length < UG_GAP_POSITIONS_MAX ? w->length : UG_GAP_POSITIONS_MAX;
    for (size_t k = 0; k < w->position_count; k++) {
        w->position[k] = (2 * k + 1) * w->length / (2 * w->position_count);
    }
}

// At most UG_GAP_WINDOWS_MAX of them, evenly, by fold.
static void take_windows(ug_gap_windows *w, const size_t *first, size_t count, double hz)
{
    const size_t wanted = count < UG_GAP_WINDOWS_MAX ? count : UG_GAP_WINDOWS_MAX;
    const double least = BLOCK_MIN_S * hz;
    const size_t block = 2.0 * (double)w->length > least ? 2 * w->length : (size_t)(least + 0.5);
    w->count = 0;
    for (size_t fold = 0; fold < UG_GAP_FOLDS; fold++) {
        w->fold_start[fold] = w->count;
        for (size_t k = 0; k < wanted; k++) {
            const size_t at = first[k * count / wanted];
            if (at / block % UG_GAP_FOLDS == fold) {
                w->first[w->count++] = at;
            }
        }
    }
    w->fold_start[UG_GAP_FOLDS] = w->count;
    spread_positions(w);
}

static size_t folds_used(const ug_gap_windows *w)
{
    size_t used = 0;
    for (size_t k = 0; k < UG_GAP_FOLDS; k++) {
        used += w->fold_start[k + 1] > w->fold_start[k];
    }
    return used;
}

bool ug_gap_windows_choose(ug_gap_windows *windows, ug_gap_company *company,
                           const ug_gap_scene *scene, const ug_gap *gap, bool fills)
{
    memset(windows, 0, sizeof *windows);
    company->marker = gap->marker;
    company->fills = fills;
    if (!choose_frame(company, scene, gap)) {
        return false;
    }
    for (size_t length = ug_gap_length(gap);; length /= 2) {

        size_t first[CANDIDATES_MAX + 1];
        size_t count = list_candidates(first, scene, company, length, gap);
        count = choose_features(company, first, count, scene, length, gap);
        windows->length = length;
        take_windows(windows, first, count, scene->hz);
        if (windows->count >= WINDOWS_MIN && folds_used(windows) >= 3) {
            return true;
        }
        if (length / 2 < LENGTH_MIN) {
            windows->count = folds_used(windows) >= 2 ? windows->count : 0;
            return true;
        }
    }
}
