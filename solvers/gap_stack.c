// SPDX-License-Identifier: MIT
#include "solvers/gap_stack.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Solve the equations of the members of `in` by Cholesky; what is not a member gets 0.
static void solve_members(double *z, const double *gram, const double *c, const bool *in, size_t n)
{
    double l[UG_GAP_STACK_MAX][UG_GAP_STACK_MAX], b[UG_GAP_STACK_MAX];
    size_t at[UG_GAP_STACK_MAX], k = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] = 0.0;
        if (in[i]) {
            at[k++] = i;
        }
    }
    for (size_t i = 0; i < k; i++) {
        double v = c[at[i]];
        for (size_t j = 0; j <= i; j++) {
            double s = gram[at[i] * n + at[j]];
            for (size_t m = 0; m < j; m++) {
                s -= l[i][m] * l[j][m];
            }
            if (j < i) {
                l[i][j] = s / l[j][j];
                v -= l[i][j] * b[j];
            } else {
                l[i][i] = sqrt(fmax(s, 1e-300));
            }
        }
        b[i] = v / l[i][i];
    }
    for (size_t i = k; i-- > 0;) {
        double v = b[i];
        for (size_t j = i + 1; j < k; j++) {
            v -= l[j][i] * z[at[j]];
        }
        z[at[i]] = v / l[i][i];
    }
}

// The member that most wants to leave 0; n when none does.
static size_t next_member(const double *a, const double *gram, const double *c, const bool *in,
                          size_t n)
{
    size_t best = n;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double w = c[i];
        for (size_t k = 0; k < n; k++) {
            w -= gram[i * n + k] * a[k];
        }
        if (!in[i] && w > 1e-10 * fabs(c[i]) && w > most) {
            most = w;
            best = i;
        }
    }
    return best;
}

// Lawson & Hanson's NNLS on the normal equations.
static void non_negative(double *a, const double *gram, const double *c, size_t n)
{
    bool in[UG_GAP_STACK_MAX] = { false };
    double z[UG_GAP_STACK_MAX];
    memset(a, 0, n * sizeof *a);
    for (size_t round = 0; round < 3 * n; round++) {
        const size_t best = next_member(a, gram, c, in, n);
        if (best == n) {
            return;
        }
        in[best] = true;
        for (size_t inner = 0; inner <= n; inner++) {
            solve_members(z, gram, c, in, n);
            double step = 1.0;
            for (size_t i = 0; i < n; i++) {
                if (in[i] && z[i] <= 0.0) {
                    step = fmin(step, a[i] / (a[i] - z[i] + 1e-300));
                }
            }
            for (size_t i = 0; i < n; i++) {
                a[i] += step * (z[i] - a[i]);
                if (in[i] && step < 1.0 && a[i] <= 1e-12) {
                    in[i] = false;
                    a[i] = 0.0;
                }
            }
            if (step >= 1.0) {
                break;
            }
        }
    }
}

void ug_gap_simplex_least_squares(double *a, const double *gram, const double *c, size_t n)
{
    assert(n > 0 && n <= UG_GAP_STACK_MAX);
    double heavy[UG_GAP_STACK_MAX * UG_GAP_STACK_MAX], right[UG_GAP_STACK_MAX], trace = 0.0;
    for (size_t i = 0; i < n; i++) {
        trace += gram[i * n + i];
    }
    const double row = 1e3 * (trace > 0.0 ? trace : 1.0); // the heavy row that says: sum 1
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            heavy[i * n + k] = gram[i * n + k] + row;
        }
        heavy[i * n + i] += 1e-12 * row;
        right[i] = c[i] + row;
    }
    non_negative(a, heavy, right, n);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i];
    }
    for (size_t i = 0; i < n; i++) {
        a[i] = sum > 0.0 ? a[i] / sum : 1.0 / (double)n;
    }
}

// Sums over the rows of one bin, in terms of what each fill gets wrong: with weights of sum 1 the
// error of the blend is the blend of the errors, and no truth is left on the right side.
static void add_row(double *gram, const double *const *fills, size_t count, const double *truth,
                    size_t row)
{
    double e[UG_GAP_STACK_MAX][3];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++) {
            e[i][k] = fills[i][3 * row + k] - truth[3 * row + k];
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            gram[i * count + j] += e[i][0] * e[j][0] + e[i][1] * e[j][1] + e[i][2] * e[j][2];
        }
    }
}

static void weigh(double *a, double *gram, size_t count)
{
    static const double none[UG_GAP_STACK_MAX];
    double least = gram[0];
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, gram[i * count + i]);
    }
    for (size_t i = 0; i < count; i++) {
        gram[i * count + i] += 0.3 * least;
    }
    ug_gap_simplex_least_squares(a, gram, none, count);
}

static size_t bin_of(double share)
{
    const size_t bin = (size_t)(share * UG_GAP_STACK_BINS);
    return bin < UG_GAP_STACK_BINS ? bin : UG_GAP_STACK_BINS - 1;
}

void ug_gap_stack_sum(ug_gap_stack_sums *sums, const double *const *fills, size_t count,
                      const double *truth, const double *share, const size_t *fold_row)
{
    assert(count > 0 && count <= UG_GAP_STACK_MAX);
    memset(sums, 0, sizeof *sums);
    sums->count = count;
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        for (size_t r = fold_row[f]; r < fold_row[f + 1]; r++) {
            const size_t bin = bin_of(share[r]);
            add_row(sums->gram[f][bin], fills, count, truth, r);
            sums->rows[f][bin]++;
        }
    }
}

void ug_gap_stack_fit(ug_gap_stack *stack, const ug_gap_stack_sums *sums, size_t without)
{
    enum { SQUARE = UG_GAP_STACK_MAX * UG_GAP_STACK_MAX };
    const size_t n = sums->count;
    double whole[SQUARE] = { 0 };
    size_t rows[UG_GAP_STACK_BINS] = { 0 };
    stack->count = n;
    for (size_t b = 0; b < UG_GAP_STACK_BINS; b++) {
        double bin[SQUARE] = { 0 };
        for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
            for (size_t i = 0; f != without && i < n * n; i++) {
                bin[i] += sums->gram[f][b][i];
                whole[i] += sums->gram[f][b][i];
            }
            rows[b] += f != without ? sums->rows[f][b] : 0;
        }
        weigh(stack->bins[b], bin, n);
    }
    weigh(stack->whole, whole, n);
    for (size_t b = 0; b < UG_GAP_STACK_BINS; b++) {
        if (rows[b] == 0) { // a gap of a few frames has no rows there
            memcpy(stack->bins[b], stack->whole, sizeof stack->whole);
        }
    }
}

void ug_gap_stack_weights(double *weights, const ug_gap_stack *stack, double share)
{
    const double at = fmin(fmax(share * UG_GAP_STACK_BINS - 0.5, 0.0), UG_GAP_STACK_BINS - 1.0);
    const size_t bin = at < UG_GAP_STACK_BINS - 1.0 ? (size_t)at : UG_GAP_STACK_BINS - 2;
    const double v = at - (double)bin;
    for (size_t i = 0; i < stack->count; i++) {
        const double here = (1.0 - v) * stack->bins[bin][i] + v * stack->bins[bin + 1][i];
        weights[i] = 0.5 * stack->whole[i] + 0.5 * here;
    }
}
