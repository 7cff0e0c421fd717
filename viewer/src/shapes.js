// SPDX-License-Identifier: MIT
// What is to be drawn, as plain arrays that are filled anew for each frame: tapered capsules (bodies,
// bones, markers), lines, discs on the ground. sketch.js draws them on a 2-D canvas, webgl.js with
// WebGL; both read the same arrays. `version` counts how often they were filled.

class Shapes {
  constructor(capacity, arrays, renderOrder) {
    this.sizes = arrays;
    this.names = Object.keys(arrays);
    this.renderOrder = renderOrder;
    this.visible = true;
    this.count = 0;
    this.version = 0;
    this.grow(capacity);
  }

  grow(capacity) {
    for (const name of this.names) {
      const array = new Float32Array(capacity * this.sizes[name]);
      if (this[name]) array.set(this[name]);
      this[name] = array;
    }
    this.capacity = capacity;
  }

  clear() { this.count = 0; }
  flush() { this.version++; }
}

// Each has two ends, two radii, a flattening (a torso is wider than deep) and a colour.
export class Capsules extends Shapes {
  // `around` and `rings`: facets of a ball. `glass`: seen through as one body, whatever parts of it
  // overlap, with that opacity; 0 is solid.
  constructor(capacity, { around = 20, rings = 6, glass = 0, rim = 0.35, renderOrder = 0 } = {}) {
    super(capacity, { a: 3, b: 3, side: 3, radii: 3, tint: 3 }, renderOrder);
    Object.assign(this, { around, rings, glass, rim });
    this.opacity = glass > 0 ? glass : 1;
    this.colour = { r: 1, g: 1, b: 1 };
  }

  // In the colour that is set. p is an array of places, i and j index points in it; NaN places are left
  // out. Places at the ends are moved by the share s of the way (0: from i, 1: to j).
  add(p, i, j, ra, rb, depth, sx, sy, sz, s0 = 0, s1 = 1) {
    const ax = p[3 * i], ay = p[3 * i + 1], az = p[3 * i + 2];
    const dx = p[3 * j] - ax, dy = p[3 * j + 1] - ay, dz = p[3 * j + 2] - az;
    if (!(ax + ay + az + dx + dy + dz < Infinity) || this.count >= this.capacity) return;
    const n = 3 * this.count++;
    const { a, b, side, radii, tint, colour } = this;
    a[n] = ax + s0 * dx; a[n + 1] = ay + s0 * dy; a[n + 2] = az + s0 * dz;
    b[n] = ax + s1 * dx; b[n + 1] = ay + s1 * dy; b[n + 2] = az + s1 * dz;
    side[n] = sx; side[n + 1] = sy; side[n + 2] = sz;
    radii[n] = ra; radii[n + 1] = rb; radii[n + 2] = depth;
    tint[n] = colour.r; tint[n + 1] = colour.g; tint[n + 2] = colour.b;
  }
}

// Of a constant width on the screen: residuals, trails, axes, the grid.
export class Strokes extends Shapes {
  constructor(capacity, { depthTest = true, renderOrder = 0 } = {}) {
    super(capacity, { from: 3, to: 3, tint: 4, width: 1 }, renderOrder);
    this.depthTest = depthTest;
  }

  // Colours are linear r, g, b in `colour`; NaN ends are left out.
  add(ax, ay, az, bx, by, bz, colour, alpha, width) {
    if (!(ax + ay + az + bx + by + bz < Infinity)) return;
    if (this.count === this.capacity) this.grow(2 * this.capacity);
    const i = this.count++, { from, to, tint } = this;
    from[3 * i] = ax; from[3 * i + 1] = ay; from[3 * i + 2] = az;
    to[3 * i] = bx; to[3 * i + 1] = by; to[3 * i + 2] = bz;
    tint[4 * i] = colour.r; tint[4 * i + 1] = colour.g; tint[4 * i + 2] = colour.b; tint[4 * i + 3] = alpha;
    this.width[i] = width;
  }
}

// Discs and rings that lie on the ground.
export class Discs extends Shapes {
  constructor(capacity, renderOrder) {
    super(capacity, { place: 4, tint: 4, hole: 1 }, renderOrder);
  }

  // `hole`: inner radius as a share of the outer one; 0 is a disc.
  add(x, y, z, radius, colour, alpha, hole) {
    const i = this.count++, n = 4 * i, { place, tint } = this;
    place[n] = x; place[n + 1] = y; place[n + 2] = z; place[n + 3] = radius;
    tint[n] = colour.r; tint[n + 1] = colour.g; tint[n + 2] = colour.b; tint[n + 3] = alpha;
    this.hole[i] = hole;
  }
}

// Texts that face the eye: `texts`, and x y z of each in `places`.
export class Texts {
  constructor(colour, renderOrder) {
    this.colour = colour;
    this.renderOrder = renderOrder;
    this.version = 0;
    this.set([], []);
  }

  set(texts, places) {
    this.texts = texts;
    this.places = places;
    this.version++;
  }
}

// A unit ball cut at its equator: `end` says which end of the capsule a vertex belongs to.
export function ball(around, rings) {
  const position = [], index = [];
  for (let half = 0; half < 2; half++) {
    for (let i = 0; i <= rings; i++) {
      const angle = half === 0 ? -Math.PI / 2 * (1 - i / rings) : Math.PI / 2 * (i / rings);
      for (let k = 0; k <= around; k++) {
        const turn = 2 * Math.PI * k / around;
        position.push(Math.cos(angle) * Math.cos(turn), Math.sin(angle), Math.cos(angle) * Math.sin(turn));
      }
    }
  }
  const row = around + 1;
  for (let i = 0; i < 2 * rings + 1; i++) {
    for (let k = 0; k < around; k++) {
      const a = i * row + k, b = a + row;
      index.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  const end = new Float32Array(position.length / 3);
  end.fill(1, (rings + 1) * row);
  return { position: new Float32Array(position), end, index };
}
