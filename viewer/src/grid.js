// SPDX-License-Identifier: MIT
// The ground: a grid that fades out, its axes, and metres written along them.
import { linear } from './colours.js';
import { Strokes, Texts } from './shapes.js';

const LINE = linear('#7d8aa0'), RED = linear('#c8505a'), BLUE = linear('#4f7fd0');

// Metres from one line to the next, so that there are a dozen or two.
function spacing(extent) {
  for (const step of [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100]) if (extent / step <= 20) return step;
  return 200;
}

export class Grid {
  constructor() {
    this.lines = new Strokes(512, { renderOrder: -1 });
    this.texts = new Texts('#9aa6b7', 1);
    this.level = 0;
  }

  // Lay it under what lies between the corners, m, `level` over the ground.
  fit(low, high, level = 0) {
    this.level = level;
    const extent = Math.max(high[0] - low[0], high[2] - low[2], 1);
    const step = spacing(extent);
    const x0 = Math.floor(low[0] / step) - 1, x1 = Math.ceil(high[0] / step) + 1;
    const z0 = Math.floor(low[2] / step) - 1, z1 = Math.ceil(high[2] / step) + 1;
    this.lines.clear();
    this.rule(x0, x1, z0, z1, step, 'x');
    this.rule(z0, z1, x0, x1, step, 'z');
    this.lines.flush();
    this.write(x0, x1, z0, z1, step);
    this.step = step;
  }

  // Lines across one axis from a0 to a1; beyond the ends they fade over two steps.
  rule(a0, a1, b0, b1, step, axis) {
    const { lines, level: y } = this;
    const minor = step >= 1 ? 2 : 1, fade = 2;
    const put = (a, from, to, tint, alpha, width) => {
      if (axis === 'x') lines.add(a, y, from, a, y, to, tint, alpha, width);
      else lines.add(from, y, a, to, y, a, tint, alpha, width);
    };
    for (let i = (a0 - fade) * minor; i <= (a1 + fade) * minor; i++) {
      const a = i / minor * step, whole = i % minor === 0;
      const out = Math.max(0, a0 - i / minor, i / minor - a1) / fade;
      const axisLine = i === 0;
      const tint = !axisLine ? LINE : axis === 'x' ? BLUE : RED;
      const alpha = (axisLine ? 0.85 : whole ? 0.42 : 0.16) * (1 - out) ** 1.5;
      const width = axisLine ? 1.6 : 1;
      if (alpha < 0.01) continue;
      put(a, b0 * step, b1 * step, tint, alpha, width);
      const pieces = 4;
      for (let k = 0; k < pieces; k++) {
        const near = k / pieces * fade, far = (k + 1) / pieces * fade;
        const dim = alpha * (1 - (k + 0.5) / pieces) ** 1.5;
        put(a, (b0 - near) * step, (b0 - far) * step, tint, dim, width);
        put(a, (b1 + near) * step, (b1 + far) * step, tint, dim, width);
      }
    }
  }

  // Along both axes, which pass where the take is; the last one says the unit.
  write(left, right, far, near, step) {
    const texts = [], places = [], aside = 0.16 * Math.min(1, step);
    const every = step < 1 ? Math.round(1 / step) : 1; // whole metres
    const text = (v, last) => `${Number(v.toFixed(2))}${last ? ' m' : ''}`.replace('-', '−');
    const along = (from, to, put) => {
      const first = Math.ceil(from / every) * every, last = Math.floor(to / every) * every;
      for (let i = first; i <= last; i += every) {
        if (i === 0) continue;
        texts.push(text(i * step, i === last));
        put(i * step);
      }
    };
    along(left, right, (x) => places.push(x, this.level, aside));
    along(far, near, (z) => places.push(-aside, this.level, z));
    if (this.level !== 0) { // not the ground itself: say so
      texts.push(`y = ${text(this.level, true)}`);
      places.push((left + 0.5) * step, this.level, (near - 0.5) * step);
    }
    this.texts.set(texts, places);
  }
}
