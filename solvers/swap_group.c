// SPDX-License-Identifier: MIT
#include "solvers/swap_group.h"

#include "motion/median.h"

#include <math.h>
#include <stdlib.h>

enum { CALIBRATION_MAX = 400, CALIBRATION_MIN = 20, BLOCK_MAX = 64 };

static const double MAD_TO_SIGMA = 1.4826;
static const double SPREAD_FLOOR_M = 0.003; // of a distance: marker noise and skin
static const double CAP = 16.0;             // squared sigmas that one distance can say
static const double TELLING_MIN = 0.5;      // sigmas between two members' distances
static const double SAME_WORD_S = 0.1;      // poses closer in time than this are one observation
static const double BLOCK_S = 0.5;
static const float SCALE_FLOOR_M = 0.0005f; // sub-millimetre steps are camera noise

void ug_swap_model_fini(ug_swap_model *model)
{
    if (model) {
        free(model->scales);
        model->scales = NULL;
    }
}

const uint8_t (*ug_swap_states(size_t member_count, size_t *count))[UG_SWAP_GROUP_MAX]
{
    static const uint8_t TWO[2][UG_SWAP_GROUP_MAX] = { { 0, 1, 2 }, { 1, 0, 2 } };
    static const uint8_t THREE[6][UG_SWAP_GROUP_MAX] = { { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 },
                                                         { 2, 1, 0 }, { 1, 2, 0 }, { 2, 0, 1 } };
    if (count) {
        *count = member_count == 2 ? 2 : 6;
    }
    return member_count == 2 ? TWO : THREE;
}

static double pair_stat(const ug_swap_space *s, const float *table, size_t a, size_t b)
{
    return (double)table[a * s->count + b];
}

// How well the distance to `n` tells two members of the group apart.
static double telling(const ug_swap_model *m, size_t n)
{
    const ug_swap_space *s = m->space;
    double best = 0.0;
    for (size_t i = 0; i < m->group.count; i++) {
        for (size_t k = 0; k < i; k++) {
            const size_t a = m->group.members[i], b = m->group.members[k];
            const double apart =
                fabs(pair_stat(s, s->median_m, a, n) - pair_stat(s, s->median_m, b, n));
            const double spread = pair_stat(s, s->spread_m, a, n) +
                                  pair_stat(s, s->spread_m, b, n) + 2.0 * SPREAD_FLOOR_M;
            best = fmax(best, apart / spread); // fmax passes NaN by
        }
    }
    return best;
}

static void choose_neighbours(ug_swap_model *m)
{
    double values[UG_SWAP_NEIGHBOUR_MAX];
    for (size_t n = 0; n < m->space->count; n++) {
        bool usable = true;
        for (size_t i = 0; i < m->group.count; i++) {
            usable = usable && n != m->group.members[i] &&
                     !isnan(pair_stat(m->space, m->space->median_m, m->group.members[i], n));
        }
        const double value = usable ? telling(m, n) : 0.0;
        size_t at = m->neighbour_count;
        while (at > 0 && values[at - 1] < value) {
            at--;
        }
        if (value < TELLING_MIN || at == UG_SWAP_NEIGHBOUR_MAX) {
            continue;
        }
        m->neighbour_count += m->neighbour_count < UG_SWAP_NEIGHBOUR_MAX;
        for (size_t i = m->neighbour_count - 1; i > at; i--) {
            values[i] = values[i - 1];
            m->neighbours[i] = m->neighbours[i - 1];
        }
        values[at] = value;
        m->neighbours[at] = n;
    }
}

bool ug_swap_misfits(double *out, const ug_swap_model *m, size_t frame, ug_vec3 place_m)
{
    double sum[UG_SWAP_GROUP_MAX] = { 0 };
    size_t seen = 0;
    for (size_t k = 0; k < m->neighbour_count; k++) {
        const size_t n = m->neighbours[k];
        if (!ug_swap_seen(m->space, frame, n)) {
            continue;
        }
        const double d = ug_vec3_distance(place_m, ug_swap_place_m(m->space, frame, n));
        for (size_t i = 0; i < m->group.count; i++) {
            const double z =
                (d - pair_stat(m->space, m->space->median_m, m->group.members[i], n)) /
                (pair_stat(m->space, m->space->spread_m, m->group.members[i], n) + SPREAD_FLOOR_M);
            sum[i] += z * z / (1.0 + z * z / CAP);
        }
        seen++;
    }
    for (size_t i = 0; i < m->group.count; i++) {
        out[i] = seen > 0 ? sum[i] / (double)seen : 0.0;
    }
    return seen > 0;
}

typedef struct calibration {
    double delta[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX][CALIBRATION_MAX];
    size_t count[UG_SWAP_GROUP_MAX];
} calibration;

static void collect(calibration *c, const ug_swap_model *m)
{
    const size_t frames = m->space->markers->frame_count;
    const size_t looks = frames < CALIBRATION_MAX ? frames : CALIBRATION_MAX;
    for (size_t j = 0; j < looks; j++) {
        const size_t f = j * frames / looks;
        for (size_t l = 0; l < m->group.count; l++) {
            double u[UG_SWAP_GROUP_MAX];
            if (!ug_swap_seen(m->space, f, m->group.members[l]) ||
                !ug_swap_misfits(u, m, f, ug_swap_place_m(m->space, f, m->group.members[l]))) {
                continue;
            }
            for (size_t i = 0; i < m->group.count; i++) {
                c->delta[l][i][c->count[l]] = u[i] - u[l];
            }
            c->count[l]++;
        }
    }
}

// Two normal distributions of one width: the sample under label l is l's own (mean of delta as
// seen), or i's (minus the mean of what i's own samples say).
static ug_status calibrate(ug_swap_model *m, ug_error *err)
{
    calibration *c = calloc(1, sizeof *c);
    if (!c) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for the distances of a group");
    }
    collect(c, m);
    double mean[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX], sigma[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX];
    for (size_t l = 0; l < m->group.count; l++) {
        for (size_t i = 0; i < m->group.count; i++) {
            double *d = c->delta[l][i];
            mean[l][i] = ug_median(d, c->count[l]);
            for (size_t j = 0; j < c->count[l]; j++) {
                d[j] = fabs(d[j] - mean[l][i]);
            }
            sigma[l][i] = MAD_TO_SIGMA * ug_median(d, c->count[l]);
        }
    }
    for (size_t l = 0; l < m->group.count; l++) {
        for (size_t i = 0; i < m->group.count; i++) {
            const double apart = mean[l][i] + mean[i][l];
            if (l == i || c->count[l] < CALIBRATION_MIN || c->count[i] < CALIBRATION_MIN ||
                !(apart > 0.0)) {
                m->leanings[l][i] = (ug_swap_leaning){ 0 };
                continue;
            }
            const double s2 = 0.5 * (sigma[l][i] * sigma[l][i] + sigma[i][l] * sigma[i][l]) +
                              0.01 * apart * apart;
            m->leanings[l][i] =
                (ug_swap_leaning){ .gain = apart / s2, .centre = 0.5 * (mean[l][i] - mean[i][l]) };
        }
    }
    free(c);
    return UG_OK;
}

ug_swap_look ug_swap_look_at(const ug_swap_model *model, size_t frame)
{
    ug_swap_look look = { 0 };
    for (size_t i = 0; i < model->group.count; i++) {
        look.seen[i] = ug_swap_seen(model->space, frame, model->group.members[i]);
        if (look.seen[i]) {
            look.place_m[i] = ug_swap_place_m(model->space, frame, model->group.members[i]);
            look.seen_count++;
        }
    }
    return look;
}

static float median_or_floor(double *values, size_t count)
{
    const float value = count > 0 ? (float)ug_median(values, count) : 0.0f;
    return value > SCALE_FLOOR_M ? value : SCALE_FLOOR_M;
}

static double centred_m(const ug_vec3 *d, size_t n)
{
    ug_vec3 mean = { 0 };
    double square = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean = ug_vec3_madd(mean, 1.0 / (double)n, d[i]);
    }
    for (size_t i = 0; i < n; i++) {
        const ug_vec3 r = ug_vec3_sub(d[i], mean);
        square += ug_vec3_dot(r, r);
    }
    return sqrt(square / (double)n);
}

static ug_swap_scale measure_block(const ug_swap_model *m, size_t first, size_t end)
{
    double turn[BLOCK_MAX], step[BLOCK_MAX];
    double alone_turn[BLOCK_MAX * UG_SWAP_GROUP_MAX], alone_step[BLOCK_MAX * UG_SWAP_GROUP_MAX];
    size_t turns = 0, steps = 0, alone_turns = 0, alone_steps = 0;
    const size_t k = m->group.count;
    for (size_t f = first; f < end; f++) {
        if (f < 2) {
            continue;
        }
        const ug_swap_look a = ug_swap_look_at(m, f), b = ug_swap_look_at(m, f - 1),
                           c = ug_swap_look_at(m, f - 2);
        ug_vec3 d1[UG_SWAP_GROUP_MAX] = { { 0 } }, d2[UG_SWAP_GROUP_MAX] = { { 0 } };
        for (size_t i = 0; i < k; i++) {
            if (a.seen[i] && b.seen[i]) {
                d1[i] = ug_vec3_sub(a.place_m[i], b.place_m[i]);
                alone_step[alone_steps++] = ug_vec3_norm(d1[i]);
                if (c.seen[i]) {
                    d2[i] = ug_vec3_sub(d1[i], ug_vec3_sub(b.place_m[i], c.place_m[i]));
                    alone_turn[alone_turns++] = ug_vec3_norm(d2[i]);
                }
            }
        }
        if (a.seen_count == k && b.seen_count == k) {
            step[steps++] = centred_m(d1, k);
            if (c.seen_count == k) {
                turn[turns++] = centred_m(d2, k);
            }
        }
    }
    return (ug_swap_scale){ median_or_floor(turn, turns), median_or_floor(step, steps),
                            median_or_floor(alone_turn, alone_turns),
                            median_or_floor(alone_step, alone_steps) };
}

static ug_swap_scale larger(ug_swap_scale a, ug_swap_scale b)
{
    return (ug_swap_scale){ fmaxf(a.turn_m, b.turn_m), fmaxf(a.step_m, b.step_m),
                            fmaxf(a.alone_turn_m, b.alone_turn_m),
                            fmaxf(a.alone_step_m, b.alone_step_m) };
}

// Each block takes the largest of its own and both neighbours': a kick starts within a block.
static ug_status measure_scales(ug_swap_model *m, ug_error *err)
{
    const size_t frames = m->space->markers->frame_count;
    const double block = BLOCK_S * ug_rate_hz(m->space->markers->rate);
    m->block = block < 8.0 ? 8 : block > (double)BLOCK_MAX ? BLOCK_MAX : (size_t)block;
    m->block_count = frames / m->block + 1;
    m->scales = malloc(m->block_count * sizeof *m->scales);
    if (!m->scales) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for the motion of a group");
    }
    ug_swap_scale before = { 0 }, own = { 0 };
    for (size_t b = 0; b < m->block_count + 1; b++) {
        const size_t first = b * m->block, end = first + m->block;
        const ug_swap_scale next =
            first < frames
                ? measure_block(m, first, end < frames ? end : frames)
                : (ug_swap_scale){ SCALE_FLOOR_M, SCALE_FLOOR_M, SCALE_FLOOR_M, SCALE_FLOOR_M };
        if (b > 0) {
            m->scales[b - 1] = larger(larger(before, own), next);
        }
        before = own;
        own = next;
    }
    return UG_OK;
}

size_t ug_swap_model_company(size_t *out, const ug_swap_model *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->neighbour_count; i++) {
        out[count++] = model->neighbours[i];
    }
    for (size_t i = 0; i < model->group.count; i++) {
        ug_swap_carriers carriers;
        ug_swap_carriers_choose(&carriers, model->space, model->group.members[i], SIZE_MAX,
                                SIZE_MAX, model->group.members, model->group.count);
        for (size_t k = 0; k < carriers.count; k++) {
            out[count++] = carriers.members[k];
        }
    }
    return count;
}

ug_status ug_swap_model_init(ug_swap_model *model, const ug_swap_space *space,
                             const ug_swap_group *group, ug_error *err)
{
    *model = (ug_swap_model){ .space = space, .group = *group };
    const double rate_hz = ug_rate_hz(space->markers->rate);
    model->frame_weight = fmin(1.0, 1.0 / (SAME_WORD_S * rate_hz));
    model->states = ug_swap_states(group->count, &model->state_count);
    choose_neighbours(model);
    const ug_status status = calibrate(model, err);
    return status == UG_OK ? measure_scales(model, err) : status;
}
