// SPDX-License-Identifier: MIT
// Boxes along the axes, and the few things that are done with three numbers.

export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const along = (a, d, t) => [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => { const l = Math.hypot(...a); return l > 0 ? a.map((v) => v / l) : [0, 0, 0]; };

export class Box {
  constructor() { this.clear(); }

  get empty() { return !(this.low[0] <= this.high[0]); }
  get middle() { return this.low.map((v, k) => (v + this.high[k]) / 2); }
  get size() { return this.low.map((v, k) => (this.empty ? 0 : this.high[k] - v)); }

  clear() {
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
    return this;
  }

  add(x, y, z) {
    const { low, high } = this;
    low[0] = Math.min(low[0], x); low[1] = Math.min(low[1], y); low[2] = Math.min(low[2], z);
    high[0] = Math.max(high[0], x); high[1] = Math.max(high[1], y); high[2] = Math.max(high[2], z);
  }

  grow(by) {
    for (let k = 0; k < 3; k++) {
      this.low[k] -= by;
      this.high[k] += by;
    }
  }

  // What both have; never empty where `other` is inside.
  meet(other) {
    for (let k = 0; k < 3; k++) {
      this.low[k] = Math.max(this.low[k], other.low[k]);
      this.high[k] = Math.min(this.high[k], other.high[k]);
    }
  }
}
