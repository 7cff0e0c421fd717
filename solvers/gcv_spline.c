// SPDX-License-Identifier: MIT
#include "solvers/gcv_spline.h"

#include "motion/conventions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// With third differences Q' y = c, the B-splines' Gram matrix R and B = R + p Q'Q, the smoothed
// values are y - p Q g where B g = c (Reinsch's form, for any order). R and Q'Q are Toeplitz: the
// rows below, from the diagonal outwards.
enum { BAND = 3 };
static const double GRAM[BAND + 1] = { 66.0 / 120.0, 26.0 / 120.0, 1.0 / 120.0, 0.0 };
static const double PENALTY[BAND + 1] = { 20.0, -15.0, 6.0, -1.0 };
static const double THIRD[BAND + 1] = { -1.0, 3.0, -3.0, 1.0 }; // a third difference

typedef struct problem {
    size_t rows;     ///< third differences: count - BAND
    const double *c; ///< (rows x 3)
    double *g;       ///< (rows x 3)
    double *lower;   ///< (rows x BAND): L[i][i - 1 - k] of B = L D L', unit diagonal
    double *inverse; ///< (rows): 1 / D
} problem;

size_t ug_gcv_work_count(size_t count)
{
    return count * (3 + 3 + BAND + 1);
}

static double gain_slope(double w)
{
    const double q = 2.0 * sin(0.5 * w);
    return q * q * q * q * q * q / ((66.0 + 52.0 * cos(w) + 2.0 * cos(2.0 * w)) / 120.0);
}

double ug_gcv_parameter(double cutoff)
{
    return (sqrt(2.0) - 1.0) / gain_slope(2.0 * UG_PI * cutoff);
}

double ug_gcv_cutoff(double p)
{
    double low = 0.0, high = 0.5; // gain_slope() rises all the way
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        const bool below = p * gain_slope(2.0 * UG_PI * middle) < sqrt(2.0) - 1.0;
        low = below ? middle : low;
        high = below ? high : middle;
    }
    return 0.5 * (low + high);
}

static void factor(const problem *a, double p)
{
    for (size_t i = 0; i < a->rows; i++) {
        double *row = a->lower + BAND * i, scaled[BAND] = { 0 }; // the row of L, and of L D
        double d = GRAM[0] + p * PENALTY[0];
        for (size_t k = BAND; k-- > 0;) { // column i - 1 - k, from the left
            if (i < k + 1) {
                row[k] = 0.0;
                continue;
            }
            const size_t j = i - 1 - k;
            double value = GRAM[k + 1] + p * PENALTY[k + 1];
            for (size_t h = k + 1; h < BAND && h < i; h++) {
                value -= scaled[h] * a->lower[BAND * j + (h - k - 1)];
            }
            scaled[k] = value;
            row[k] = value * a->inverse[j];
            d -= row[k] * value;
        }
        a->inverse[i] = 1.0 / d;
    }
}

// g = inv(B) c
static void solve(const problem *a)
{
    memcpy(a->g, a->c, 3 * a->rows * sizeof *a->g);
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t k = 0; k < BAND && k < i; k++) {
            for (size_t axis = 0; axis < 3; axis++) {
                a->g[3 * i + axis] -= a->lower[BAND * i + k] * a->g[3 * (i - 1 - k) + axis];
            }
        }
    }
    for (size_t i = 0; i < 3 * a->rows; i++) {
        a->g[i] *= a->inverse[i / 3];
    }
    for (size_t i = a->rows; i-- > 0;) {
        for (size_t k = 0; k < BAND && k < i; k++) {
            for (size_t axis = 0; axis < 3; axis++) {
                a->g[3 * (i - 1 - k) + axis] -= a->lower[BAND * i + k] * a->g[3 * i + axis];
            }
        }
    }
}

// tr(inv(B) Q'Q): only the middle bands of the inverse count, and those come from the factors
// alone, last row first.
static double trace(const problem *a)
{
    double z[BAND + 1][BAND + 1] = { { 0 } }; // inv(B)[i + r][i + r + s], a window that moves up
    double sum = 0.0;
    for (size_t i = a->rows; i-- > 0;) {
        for (size_t r = BAND; r > 0; r--) {
            memcpy(z[r], z[r - 1], sizeof z[r]);
        }
        double l[BAND] = { 0 }; // the column of L below i
        for (size_t k = 0; k < BAND && i + 1 + k < a->rows; k++) {
            l[k] = a->lower[BAND * (i + 1 + k) + k];
        }
        double diagonal = a->inverse[i];
        for (size_t s = 1; s <= BAND; s++) {
            double value = 0.0;
            for (size_t k = 1; k <= BAND; k++) {
                value -= l[k - 1] * (k <= s ? z[k][s - k] : z[s][k - s]);
            }
            z[0][s] = value;
            diagonal -= l[s - 1] * value;
        }
        z[0][0] = diagonal;
        sum += z[0][0] * PENALTY[0];
        for (size_t s = 1; s <= BAND && i + s < a->rows; s++) {
            sum += 2.0 * z[0][s] * PENALTY[s];
        }
    }
    return sum;
}

// Element `axis` of row i of Q g.
static double difference_back(const problem *a, size_t i, size_t axis)
{
    double value = 0.0;
    for (size_t k = 0; k <= BAND; k++) {
        if (i >= k && i - k < a->rows) {
            value += THIRD[k] * a->g[3 * (i - k) + axis];
        }
    }
    return value;
}

static double score_of(ug_gcv_fit *fit, const problem *a, double p)
{
    const size_t count = a->rows + BAND;
    factor(a, p);
    solve(a);
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const double residual = p * difference_back(a, i, axis);
            squares += residual * residual;
        }
    }
    const double lost = p * trace(a); // tr(I - A)
    *fit = (ug_gcv_fit){ .p = p,
                         .cutoff = 0.0, // the callers'
                         .noise = sqrt(squares / (3.0 * lost)),
                         .freedom = (double)count - lost };
    return (double)count * squares / (lost * lost);
}

static problem make(const double *values, size_t count, double *work)
{
    const size_t rows = count - BAND;
    double *c = work;
    problem a = { rows, c, work + 3 * rows, work + 6 * rows, work + (6 + BAND) * rows };
    for (size_t i = 0; i < rows; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double value = 0.0;
            for (size_t k = 0; k <= BAND; k++) {
                value += THIRD[k] * values[3 * (i + k) + axis];
            }
            c[3 * i + axis] = value;
        }
    }
    return a;
}

static void smooth(double *values, const problem *a, double p)
{
    for (size_t i = 0; i < a->rows + BAND; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            values[3 * i + axis] -= p * difference_back(a, i, axis);
        }
    }
}

void ug_gcv_smooth_with(ug_gcv_fit *fit, double *score, double *values, size_t count, double p,
                        double *work)
{
    assert(fit && values && work && count >= UG_GCV_RUN_MIN && p > 0.0);
    const problem a = make(values, count, work);
    const double value = score_of(fit, &a, p);
    fit->cutoff = ug_gcv_cutoff(p);
    smooth(values, &a, p);
    if (score) {
        *score = value;
    }
}

void ug_gcv_smooth(ug_gcv_fit *fit, double *values, size_t count, double *work)
{
    // The score may have several minima (a tremor over a slow path): look at all cut-offs first,
    // then close in on the lowest to half a percent.
    enum { STEPS = 14, REFINE = 8 };
    static const double LOW = 0.002, HIGH = 0.45, GOLDEN = 0.6180339887498949;
    assert(fit && values && work && count >= UG_GCV_RUN_MIN);
    const problem a = make(values, count, work);
    const double step = log(HIGH / LOW) / STEPS;
    double best = log(HIGH), best_score = INFINITY;
    for (int i = STEPS; i >= 0; i--) { // of equals the one that changes least
        const double at = log(LOW) + step * i;
        const double score = score_of(fit, &a, ug_gcv_parameter(exp(at)));
        if (score < best_score) {
            best_score = score;
            best = at;
        }
    }
    double low = fmax(best - step, log(LOW)), high = fmin(best + step, log(HIGH));
    double x[2] = { high - GOLDEN * (high - low), low + GOLDEN * (high - low) };
    double y[2] = { score_of(fit, &a, ug_gcv_parameter(exp(x[0]))),
                    score_of(fit, &a, ug_gcv_parameter(exp(x[1]))) };
    for (int i = 0; i < REFINE; i++) {
        const int keep = y[0] < y[1] ? 0 : 1;
        low = keep ? x[0] : low;
        high = keep ? high : x[1];
        x[1 - keep] = x[keep];
        y[1 - keep] = y[keep];
        x[keep] = keep ? low + GOLDEN * (high - low) : high - GOLDEN * (high - low);
        y[keep] = score_of(fit, &a, ug_gcv_parameter(exp(x[keep])));
    }
    const double p = ug_gcv_parameter(exp(fmin(y[0], y[1]) < best_score ? x[y[1] < y[0]] : best));
    (void)score_of(fit, &a, p);
    fit->cutoff = ug_gcv_cutoff(p);
    smooth(values, &a, p);
}
