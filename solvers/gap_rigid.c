// SPDX-License-Identifier: MIT
#include "solvers/gap_rigid.h"

#include "solvers/kabsch.h"

#include <assert.h>
#include <math.h>

enum { STATISTICS_FRAMES_MAX = 2000, SHAPE_FRAMES_MAX = 300, CO_VISIBLE_MIN = 8 };

static const double BREADTH_MIN_M = 0.015;   // of the first three …
static const double BREADTH_MIN_SHARE = 0.1; // … and as a share of their length
static const double SPREAD_FLOOR_M = 0.001;  // measurement noise: no neighbour is better than this
static const double SLOPE_DECAY_S = 0.2;

static size_t first_needed(const ug_gap *gap)
{
    return gap->has_start ? gap->first - 1 : gap->first;
}

static size_t last_needed(const ug_gap *gap)
{
    return gap->has_end ? gap->last + 1 : gap->last;
}

static bool present_through(const ug_markers *markers, size_t marker, const ug_gap *gap)
{
    for (size_t f = first_needed(gap); f <= last_needed(gap); f++) {
        if (!ug_markers_present(markers, f, marker)) {
            return false;
        }
    }
    return true;
}

// Mean and standard deviation of the distance between two markers over the take, the gap's frames
// left out. @return false when they were hardly ever seen together
static bool distance_statistics(double *mean_m, double *spread_m, const ug_markers *markers,
                                const ug_gap *gap, size_t other)
{
    const size_t stride = markers->frame_count / STATISTICS_FRAMES_MAX + 1;
    double mean = 0.0, squares = 0.0;
    size_t n = 0;
    for (size_t f = 0; f < markers->frame_count; f += stride) {
        if ((f >= gap->first && f <= gap->last) || !ug_markers_present(markers, f, gap->marker) ||
            !ug_markers_present(markers, f, other)) {
            continue;
        }
        const double d = ug_vec3_distance(ug_markers_position_m(markers, f, gap->marker),
                                          ug_markers_position_m(markers, f, other));
        const double delta = d - mean;
        mean += delta / (double)++n; // Welford 1962
        squares += delta * (d - mean);
    }
    *mean_m = mean;
    *spread_m = n > 0 ? sqrt(squares / (double)n) : 0.0;
    return n >= CO_VISIBLE_MIN;
}

size_t ug_rigid_neighbours(ug_rigid_neighbour *list, const ug_markers *markers, const ug_gap *gap)
{
    size_t count = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        ug_rigid_neighbour n = { .marker = m };
        if (m != gap->marker && markers->kinds[m] == UG_POINT_MARKER &&
            present_through(markers, m, gap) &&
            distance_statistics(&n.mean_m, &n.spread_m, markers, gap, m)) {
            list[count++] = n;
        }
    }
    return count;
}

// Insertion sort; of equal costs the lower marker comes first, whatever order the list had.
static void sort_by_cost(ug_rigid_neighbour *list, size_t count, double distance_cost)
{
    for (size_t i = 1; i < count; i++) {
        const ug_rigid_neighbour n = list[i];
        const double cost = n.spread_m + distance_cost * n.mean_m;
        size_t at = i;
        for (; at > 0; at--) {
            const double other = list[at - 1].spread_m + distance_cost * list[at - 1].mean_m;
            if (other < cost || (other == cost && list[at - 1].marker < n.marker)) {
                break;
            }
            list[at] = list[at - 1];
        }
        list[at] = n;
    }
}

static void add_to_cluster(ug_rigid_cluster *cluster, const ug_rigid_neighbour *n)
{
    const double s = 1.0 + n->spread_m / SPREAD_FLOOR_M;
    cluster->markers[cluster->count] = n->marker;
    cluster->weights[cluster->count++] = 1.0 / (s * s * s);
}

static void cluster_positions(ug_vec3 *out_m, const ug_rigid_cluster *cluster,
                              const ug_markers *markers, size_t frame)
{
    for (size_t i = 0; i < cluster->count; i++) {
        out_m[i] = ug_markers_position_m(markers, frame, cluster->markers[i]);
    }
}

// A thin triangle leaves the turn about its long side to noise. Length and breadth are the
// singular values of the three points about their mean; Cauchy-Binet gives their product.
static bool is_broad(const ug_rigid_cluster *cluster, const ug_markers *markers, size_t frame)
{
    ug_vec3 p[UG_CLUSTER_MAX];
    cluster_positions(p, cluster, markers, frame);
    const ug_vec3 a = ug_vec3_sub(p[1], p[0]), b = ug_vec3_sub(p[2], p[0]), c = ug_vec3_sub(b, a);
    const double sum = (ug_vec3_dot(a, a) + ug_vec3_dot(b, b) + ug_vec3_dot(c, c)) / 3.0;
    const double area2 = ug_vec3_norm(ug_vec3_cross(a, b)); // twice the area
    const double product = area2 * area2 / 3.0;
    const double length2 = 0.5 * (sum + sqrt(fmax(0.0, sum * sum - 4.0 * product)));
    const double breadth = length2 > 0.0 ? sqrt(product / length2) : 0.0;
    return breadth > BREADTH_MIN_M && breadth > BREADTH_MIN_SHARE * sqrt(length2);
}

static bool cluster_present(const ug_rigid_cluster *cluster, const ug_markers *markers,
                            size_t frame)
{
    for (size_t i = 0; i < cluster->count; i++) {
        if (!ug_markers_present(markers, frame, cluster->markers[i])) {
            return false;
        }
    }
    return true;
}

static ug_vec3 apply(const ug_rigid *fit, ug_vec3 from)
{
    return ug_vec3_add(ug_quat_rotate(fit->q, from), fit->t);
}

static ug_vec3 invert(const ug_rigid *fit, ug_vec3 to)
{
    return ug_quat_unrotate(fit->q, ug_vec3_sub(to, fit->t));
}

// Mean shape over the take, every frame turned onto the shape at `reference`: one pass of
// generalised Procrustes (Gower 1975); a second one changes nothing worth having.
static void mean_shape(ug_rigid_cluster *cluster, const ug_markers *markers, size_t reference)
{
    ug_vec3 start[UG_CLUSTER_MAX], at[UG_CLUSTER_MAX], sum[UG_CLUSTER_MAX] = { 0 };
    const size_t stride = markers->frame_count / SHAPE_FRAMES_MAX + 1;
    size_t n = 0;
    cluster_positions(start, cluster, markers, reference);
    for (size_t f = reference % stride; f < markers->frame_count; f += stride) {
        if (!cluster_present(cluster, markers, f)) {
            continue;
        }
        cluster_positions(at, cluster, markers, f);
        const ug_rigid fit =
            ug_kabsch((const double *)at, (const double *)start, cluster->weights, cluster->count);
        for (size_t i = 0; i < cluster->count; i++) {
            sum[i] = ug_vec3_add(sum[i], apply(&fit, at[i]));
        }
        n++;
    }
    for (size_t i = 0; i < cluster->count; i++) { // n >= 1: the reference itself
        cluster->shape_m[i] = ug_vec3_scale(sum[i], 1.0 / (double)n);
    }
}

bool ug_rigid_cluster_choose(ug_rigid_cluster *cluster, ug_rigid_neighbour *list, size_t count,
                             size_t size, double distance_cost, const ug_markers *markers,
                             const ug_gap *gap)
{
    assert(size >= UG_CLUSTER_MIN && size <= UG_CLUSTER_MAX);
    const size_t reference = first_needed(gap);
    *cluster = (ug_rigid_cluster){ 0 };
    sort_by_cost(list, count, distance_cost);
    for (size_t i = 0; i < count && cluster->count < size; i++) {
        add_to_cluster(cluster, &list[i]);
        if (cluster->count == UG_CLUSTER_MIN && !is_broad(cluster, markers, reference)) {
            cluster->count--; // try the next as the third
        }
    }
    if (cluster->count < size) {
        return false;
    }
    mean_shape(cluster, markers, reference);
    return true;
}

static ug_rigid fit_frame(const ug_rigid_cluster *cluster, const ug_markers *markers, size_t frame)
{
    ug_vec3 at[UG_CLUSTER_MAX];
    cluster_positions(at, cluster, markers, frame);
    return ug_kabsch((const double *)cluster->shape_m, (const double *)at, cluster->weights,
                     cluster->count);
}

// The marker's places in the cluster's frame, from `frame` away from the gap.
static size_t collect_local(ug_vec3 *local, size_t capacity, const ug_markers *markers,
                            size_t marker, const ug_rigid_cluster *cluster, size_t frame, int step)
{
    size_t count = 0;
    for (size_t f = frame; count < capacity && f < markers->frame_count; f += (size_t)step) {
        if (!ug_markers_present(markers, f, marker) || !cluster_present(cluster, markers, f)) {
            break;
        }
        const ug_rigid fit = fit_frame(cluster, markers, f);
        local[count++] = invert(&fit, ug_markers_position_m(markers, f, marker));
    }
    return count;
}

// Weight of an end's slope `distance` frames into the gap: slope 1 at the end, gone with slope 0
// after `decay` frames.
static double slope_bump(double distance, double decay)
{
    const double v = 1.0 - distance / decay;
    return v > 0.0 ? distance * v * v : 0.0;
}

bool ug_gap_rigid_fill(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap,
                       const ug_rigid_cluster *cluster)
{
    if (cluster->count < UG_CLUSTER_MIN || (!gap->has_start && !gap->has_end)) {
        return false;
    }
    const size_t support = ug_gap_support(markers->rate), length = ug_gap_length(gap);
    ug_vec3 before[UG_GAP_SUPPORT_MAX], after[UG_GAP_SUPPORT_MAX];
    size_t n0 = 0, n1 = 0;
    if (gap->has_start) {
        n0 = collect_local(before, support, markers, gap->marker, cluster, gap->first - 1, -1);
    }
    if (gap->has_end) {
        n1 = collect_local(after, support, markers, gap->marker, cluster, gap->last + 1, 1);
    }
    if ((gap->has_start && n0 == 0) || (gap->has_end && n1 == 0)) {
        return false;
    }
    const double span = (double)length + 1.0;
    const ug_vec3 p0 = n0 > 0 ? before[0] : after[0], p1 = n1 > 0 ? after[0] : before[0];
    const ug_vec3 line = ug_vec3_scale(ug_vec3_sub(p1, p0), 1.0 / span);
    // what each end's slope has beyond the line, pointing into the gap
    ug_vec3 d0 = { 0 }, d1 = { 0 };
    if (n0 >= 2) {
        d0 = ug_vec3_sub(ug_vec3_scale(ug_gap_slope(before, n0), -1.0), line);
    }
    if (n1 >= 2) {
        d1 = ug_vec3_add(ug_vec3_scale(ug_gap_slope(after, n1), -1.0), line);
    }
    const double decay = fmin(span, fmax(2.0, SLOPE_DECAY_S * ug_rate_hz(markers->rate)));
    for (size_t i = 0; i < length; i++) {
        if (!cluster_present(cluster, markers, gap->first + i)) {
            return false;
        }
        const double s = (double)(i + 1);
        ug_vec3 local = ug_vec3_madd(p0, s, line);
        local = ug_vec3_madd(local, slope_bump(s, decay), d0);
        local = ug_vec3_madd(local, slope_bump(span - s, decay), d1);
        const ug_rigid fit = fit_frame(cluster, markers, gap->first + i);
        out_m[i] = apply(&fit, local);
    }
    return true;
}
