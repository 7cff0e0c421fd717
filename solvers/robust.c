// SPDX-License-Identifier: MIT
#include "solvers/robust.h"

#include <math.h>

double ug_loss_cost(ug_loss loss, double square)
{
    const double c2 = loss.scale * loss.scale;
    switch (loss.kind) {
    case UG_LOSS_HUBER:
        return square <= c2 ? square : 2.0 * loss.scale * sqrt(square) - c2;
    case UG_LOSS_GEMAN_MCCLURE:
        return square * (c2 / (c2 + square));
    case UG_LOSS_SQUARE:
        break;
    }
    return square;
}

double ug_loss_weight(ug_loss loss, double square)
{
    const double c2 = loss.scale * loss.scale;
    switch (loss.kind) {
    case UG_LOSS_HUBER:
        return square <= c2 ? 1.0 : loss.scale / sqrt(square);
    case UG_LOSS_GEMAN_MCCLURE: {
        const double u = c2 / (c2 + square);
        return u * u;
    }
    case UG_LOSS_SQUARE:
        break;
    }
    return 1.0;
}
