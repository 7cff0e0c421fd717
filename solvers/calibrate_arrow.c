// SPDX-License-Identifier: MIT
#include "solvers/calibrate_arrow.h"

#include "solvers/parallel.h"

#include <assert.h>
#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

// Blocks per piece of parallel work: fixed, so that sums run in the same order for any thread
// count.
enum { PIECE = 8 };

static size_t piece_count(const ug_arrow *arrow)
{
    return (arrow->count + PIECE - 1) / PIECE;
}

// work: L (count x block x block), W (count x block x shared), z (count x block), then per piece
// its part of the Schur complement and of the right-hand side and its failure, then one
// factorisation of S
static size_t work_size(const ug_arrow *arrow)
{
    const size_t block = arrow->block, shared = arrow->shared;
    return arrow->count * block * (block + shared + 1) +
           (piece_count(arrow) + 1) * (shared * (shared + 1) + 1);
}

ug_status ug_arrow_init(ug_arrow *arrow, size_t count, size_t block, size_t shared, ug_error *err)
{
    *arrow = (ug_arrow){ .count = count, .block = block, .shared = shared };
    arrow->A = calloc(count * block * block + 1, sizeof(double));
    arrow->B = calloc(count * block * shared + 1, sizeof(double));
    arrow->a = calloc(count * block + 1, sizeof(double));
    arrow->S = calloc(shared * shared + 1, sizeof(double));
    arrow->s = calloc(shared + 1, sizeof(double));
    arrow->work = malloc((work_size(arrow) + 1) * sizeof(double));
    if (!arrow->A || !arrow->B || !arrow->a || !arrow->S || !arrow->s || !arrow->work) {
        ug_arrow_fini(arrow);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}

void ug_arrow_fini(ug_arrow *arrow)
{
    if (arrow) {
        free(arrow->A);
        free(arrow->B);
        free(arrow->a);
        free(arrow->S);
        free(arrow->s);
        free(arrow->work);
        *arrow = (ug_arrow){ 0 };
    }
}

void ug_arrow_clear(ug_arrow *arrow)
{
    memset(arrow->A, 0, arrow->count * arrow->block * arrow->block * sizeof(double));
    memset(arrow->B, 0, arrow->count * arrow->block * arrow->shared * sizeof(double));
    memset(arrow->a, 0, arrow->count * arrow->block * sizeof(double));
    memset(arrow->S, 0, arrow->shared * arrow->shared * sizeof(double));
    memset(arrow->s, 0, arrow->shared * sizeof(double));
}

typedef struct layout {
    ug_arrow *arrow;
    double *L, *W, *z; // per block
    double *part;      // per piece: (shared x shared) and (shared)
    double *S;         // (shared x shared), then the factor
    double lambda, floor;
    double *failed; // per piece: 1 when a pivot was not positive
} layout;

static layout layout_of(ug_arrow *arrow)
{
    const size_t block = arrow->block, shared = arrow->shared;
    layout l = { .arrow = arrow };
    l.L = arrow->work;
    l.W = l.L + arrow->count * block * block;
    l.z = l.W + arrow->count * block * shared;
    l.part = l.z + arrow->count * block;
    l.failed = l.part + piece_count(arrow) * shared * (shared + 1);
    l.S = l.failed + piece_count(arrow);
    return l;
}

// Cholesky of a row-major symmetric matrix: its lower triangle is LAPACK's upper one. Only that
// triangle is read and written. n = 0 is fine.
static bool factor(double *m, size_t n)
{
    return n == 0 ||
           LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (lapack_int)n, m, (lapack_int)n) == 0;
}

static void damp(double *m, size_t n, double lambda, double floor)
{
    for (size_t i = 0; i < n; i++) {
        m[i * n + i] += lambda * m[i * n + i] + floor;
    }
}

// L L' = A,  W = L^-1 B,  z = L^-1 a
static bool eliminate_block(layout *l, size_t t)
{
    const ug_arrow *arrow = l->arrow;
    const size_t n = arrow->block, p = arrow->shared;
    double *L = l->L + t * n * n, *W = l->W + t * n * p, *z = l->z + t * n;
    memcpy(L, arrow->A + t * n * n, n * n * sizeof(double));
    memcpy(W, arrow->B + t * n * p, n * p * sizeof(double));
    memcpy(z, arrow->a + t * n, n * sizeof(double));
    damp(L, n, l->lambda, l->floor);
    if (!factor(L, n)) {
        return false;
    }
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, L, (int)n, z, 1);
    if (p > 0) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n,
                    (int)p, 1.0, L, (int)n, W, (int)p);
    }
    return true;
}

static void eliminate_piece(void *context, size_t piece, size_t worker)
{
    (void)worker;
    layout *l = context;
    const ug_arrow *arrow = l->arrow;
    const size_t n = arrow->block, p = arrow->shared;
    const size_t begin = piece * PIECE;
    const size_t end = begin + PIECE < arrow->count ? begin + PIECE : arrow->count;
    double *S = l->part + piece * p * (p + 1), *s = S + p * p;
    memset(S, 0, p * (p + 1) * sizeof(double));
    bool ok = true;
    for (size_t t = begin; t < end && ok; t++) {
        ok = eliminate_block(l, t);
    }
    if (ok && p > 0) {
        // the blocks of a piece lie below each other: one product for all of them
        const int rows = (int)((end - begin) * n);
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)p, rows, 1.0, l->W + begin * n * p,
                    (int)p, 0.0, S, (int)p);
        cblas_dgemv(CblasRowMajor, CblasTrans, rows, (int)p, 1.0, l->W + begin * n * p, (int)p,
                    l->z + begin * n, 1, 0.0, s, 1);
    }
    l->failed[piece] = ok ? 0.0 : 1.0;
}

// S - sum of the pieces, in order; y = S^-1 s
static bool solve_shared(double *y, layout *l)
{
    const ug_arrow *arrow = l->arrow;
    const size_t p = arrow->shared;
    memcpy(l->S, arrow->S, p * p * sizeof(double));
    memcpy(y, arrow->s, p * sizeof(double));
    damp(l->S, p, l->lambda, l->floor);
    for (size_t piece = 0; piece < piece_count(arrow); piece++) {
        const double *S = l->part + piece * p * (p + 1), *s = S + p * p;
        for (size_t i = 0; i < p; i++) {
            for (size_t j = 0; j <= i; j++) {
                l->S[i * p + j] -= S[i * p + j];
            }
            y[i] -= s[i];
        }
    }
    if (!factor(l->S, p)) {
        return false;
    }
    if (p > 0) {
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)p, l->S, (int)p, y,
                    1);
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)p, l->S, (int)p, y,
                    1);
    }
    return true;
}

bool ug_arrow_solve(double *x, double *y, ug_arrow *arrow, double lambda, double floor, size_t jobs)
{
    assert(x && y && arrow && lambda >= 0.0 && floor >= 0.0);
    const size_t n = arrow->block, p = arrow->shared;
    layout l = layout_of(arrow);
    l.lambda = lambda;
    l.floor = floor;
    if (n > 0) {
        ug_parallel_for(piece_count(arrow), jobs, eliminate_piece, &l);
    } else {
        memset(l.part, 0, piece_count(arrow) * p * (p + 1) * sizeof(double));
        memset(l.failed, 0, piece_count(arrow) * sizeof(double));
    }
    for (size_t piece = 0; piece < piece_count(arrow); piece++) {
        if (l.failed[piece] != 0.0) {
            return false;
        }
    }
    if (!solve_shared(y, &l)) {
        return false;
    }
    for (size_t t = 0; t < arrow->count && n > 0; t++) {
        double *z = l.z + t * n;
        if (p > 0) {
            cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)n, (int)p, -1.0, l.W + t * n * p, (int)p,
                        y, 1, 1.0, z, 1);
        }
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, l.L + t * n * n,
                    (int)n, z, 1);
    }
    memcpy(x, l.z, arrow->count * n * sizeof(double));
    return true;
}
