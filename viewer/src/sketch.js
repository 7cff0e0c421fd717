// SPDX-License-Identifier: MIT
// Draws on a 2-D canvas what webgl.js draws with WebGL: the same shapes from the same eye in the same
// light. It is at work at once, where WebGL in software takes a second and more to get up; where there
// is none at all, it stays.
import { cross, dot, unit } from './box.js';
import { NEAR } from './eye.js';
import { cssOf, SCREEN } from './colours.js';
import { ball } from './shapes.js';

const BACKGROUND = '#1b2028';
const GROUND = [0.13, 0.15, 0.19], SKY = [0.50, 0.52, 0.55], BACK = [0.09, 0.10, 0.13];
const KEY = [0.287, 0.766, 0.575], FILL = [-0.77, 0.38, -0.51];

// A picture of one layer: colour and distance of each pixel, in the box of what is drawn into it.
class Layer {
  resize(width, height) {
    if (this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.depth = new Float32Array(width * height);
  }

  clear() {
    this.pixels.fill(0);
    this.depth.fill(0); // 1 / distance
  }
}

export class Sketch {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    this.solid = new Layer();
    this.glass = new Layer();
    this.sheet = document.createElement('canvas');
    this.meshes = new Map();
  }

  // Pixels of the canvas in each direction.
  setSize(width, height) {
    this.canvas.width = this.sheet.width = width;
    this.canvas.height = this.sheet.height = height;
    this.solid.resize(width, height);
    this.glass.resize(width, height);
  }

  // `parts`: {grid: {lines, texts}, views: [{visible, offset, capsules, strokes, discs}]}
  render(parts, eye) {
    const { pen, canvas } = this, { width, height } = canvas;
    if (!width || !height) return;
    this.eye = eye;
    this.ratio = width / eye.width;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = BACKGROUND;
    pen.fillRect(0, 0, width, height);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.strokes(parts.grid.lines, [0, 0, 0]);
    this.texts(parts.grid.texts);
    const views = parts.views.filter((v) => v.visible);
    for (const { discs, offset } of views) if (discs?.visible) this.discs(discs, offset);
    this.solid.clear();
    for (const { capsules, offset } of views) for (const c of capsules) if (c.visible && !c.glass) this.capsules(c, offset, this.solid, 255);
    this.lay(this.solid);
    // each body of glass is seen through as one, over all that is solid
    for (const { capsules, offset } of views) {
      for (const c of capsules) {
        if (!c.visible || !c.glass || !c.count) continue;
        this.glass.pixels.fill(0);
        this.glass.depth.set(this.solid.depth);
        this.capsules(c, offset, this.glass, Math.round(255 * c.opacity));
        this.lay(this.glass);
      }
    }
    for (const { strokes, offset } of views) for (const s of strokes) if (s.visible) this.strokes(s, offset);
  }

  lay({ image }) {
    const { sheet, pen } = this;
    sheet.getContext('2d', { willReadFrequently: true }).putImageData(image, 0, 0);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(sheet, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  // Into `out`: x, y in CSS pixels; the part in front of the eye of the line from a to b.
  line(out, a, b) {
    const { eye } = this, p = eye.position, back = eye.back, near = 2 * NEAR;
    const da = near + dot(back, a) - dot(back, p), db = near + dot(back, b) - dot(back, p); // > 0: too near
    if (da > 0 && db > 0) return false;
    const cut = (from, to, d, e) => (d > 0 ? from.map((v, k) => v + (to[k] - v) * d / (d - e)) : from);
    const s = cut(a, b, da, db), t = cut(b, a, db, da), q = [0, 0, 0];
    if (!eye.project(out, ...s) || !eye.project(q, ...t)) return false;
    out[3] = q[0];
    out[4] = q[1];
    return true;
  }

  strokes({ from, to, tint, width, count }, o) {
    const { pen } = this, q = [0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const a = [from[3 * i] + o[0], from[3 * i + 1] + o[1], from[3 * i + 2] + o[2]];
      const b = [to[3 * i] + o[0], to[3 * i + 1] + o[1], to[3 * i + 2] + o[2]];
      if (!this.line(q, a, b)) continue;
      pen.strokeStyle = cssOf({ r: tint[4 * i], g: tint[4 * i + 1], b: tint[4 * i + 2] }, tint[4 * i + 3]);
      pen.lineWidth = width[i];
      pen.beginPath();
      pen.moveTo(q[0], q[1]);
      pen.lineTo(q[3], q[4]);
      pen.stroke();
    }
  }

  texts({ texts, places, colour }) {
    const { pen, eye } = this, q = [0, 0, 0];
    pen.font = '500 11px system-ui, "DejaVu Sans", sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = colour;
    texts.forEach((text, i) => {
      if (eye.project(q, places[3 * i], places[3 * i + 1], places[3 * i + 2])) pen.fillText(text, q[0], q[1]);
    });
  }

  discs({ place, tint, hole, count }, o) {
    const { pen, eye } = this, q = [0, 0, 0], STEPS = 32;
    for (let i = 0; i < count; i++) {
      const ring = (radius) => {
        for (let k = 0; k < STEPS; k++) {
          const turn = 2 * Math.PI * k / STEPS;
          if (!eye.project(q, place[4 * i] + o[0] + radius * Math.cos(turn), place[4 * i + 1] + o[1], place[4 * i + 2] + o[2] + radius * Math.sin(turn))) return;
          pen[k ? 'lineTo' : 'moveTo'](q[0], q[1]);
        }
        pen.closePath();
      };
      pen.fillStyle = cssOf({ r: tint[4 * i], g: tint[4 * i + 1], b: tint[4 * i + 2] }, tint[4 * i + 3]);
      pen.beginPath();
      ring(place[4 * i + 3]);
      if (hole[i] > 0) ring(place[4 * i + 3] * hole[i]);
      pen.fill('evenodd');
    }
  }

  // Balls of a few pixels need not be as round as a body.
  mesh({ around, rings, glass }) {
    if (!glass) [around, rings] = [Math.min(8, around), Math.min(2, rings)];
    const key = around * 100 + rings;
    if (!this.meshes.has(key)) {
      const mesh = ball(around, rings), n = mesh.end.length;
      this.meshes.set(key, { ...mesh, n, at: new Float32Array(3 * n), light: new Float32Array(3 * n) });
    }
    return this.meshes.get(key);
  }

  // The vertex part of webgl.js's shader, capsule by capsule; then its triangles.
  capsules(shape, o, layer, alpha) {
    const mesh = this.mesh(shape), { a, b, side, radii, tint } = shape;
    const q = [0, 0, 0];
    for (let i = 0; i < shape.count; i++) {
      const n = 3 * i;
      const d = [b[n] - a[n], b[n + 1] - a[n + 1], b[n + 2] - a[n + 2]];
      const y = dot(d, d) > 1e-12 ? unit(d) : [0, 1, 0];
      let s = [side[n], side[n + 1], side[n + 2]], x = s.map((v, k) => v - y[k] * dot(s, y));
      if (dot(x, x) < 1e-4) {
        s = Math.abs(y[0]) < 0.8 ? [1, 0, 0] : [0, 0, 1];
        x = s.map((v, k) => v - y[k] * dot(s, y));
      }
      x = unit(x);
      const z = cross(x, y), flat = radii[n + 2], up = 0.4 + 0.6 * flat;
      const from = [a[n] + o[0], a[n + 1] + o[1], a[n + 2] + o[2]];
      for (let v = 0; v < mesh.n; v++) {
        const px = mesh.position[3 * v], py = mesh.position[3 * v + 1], pz = mesh.position[3 * v + 2], end = mesh.end[v];
        const r = end ? radii[n + 1] : radii[n], lx = px * r, ly = py * r * up, lz = pz * r * flat;
        const wx = from[0] + end * d[0] + lx * x[0] + ly * y[0] + lz * z[0];
        const wy = from[1] + end * d[1] + lx * x[1] + ly * y[1] + lz * z[1];
        const wz = from[2] + end * d[2] + lx * x[2] + ly * y[2] + lz * z[2];
        const seen = this.eye.project(q, wx, wy, wz);
        mesh.at[3 * v] = q[0] * this.ratio;
        mesh.at[3 * v + 1] = q[1] * this.ratio;
        mesh.at[3 * v + 2] = seen ? 1 / q[2] : 0;
        this.light(mesh.light, 3 * v, px * x[0] + py * y[0] + pz / flat * z[0], px * x[1] + py * y[1] + pz / flat * z[1],
          px * x[2] + py * y[2] + pz / flat * z[2], wx, wy, wz, tint, n, shape.rim);
      }
      for (let t = 0; t < mesh.index.length; t += 3) triangle(layer, mesh, mesh.index[t], mesh.index[t + 1], mesh.index[t + 2], alpha);
    }
  }

  // The fragment part, at a vertex: screen colours into out[at..at+2].
  light(out, at, nx, ny, nz, x, y, z, tint, i, rim) {
    const l = Math.hypot(nx, ny, nz) || 1;
    nx /= l; ny /= l; nz /= l;
    const sky = 0.5 + 0.5 * ny;
    const key = 0.62 * Math.max(0, nx * KEY[0] + ny * KEY[1] + nz * KEY[2]);
    const fill = Math.max(0, nx * FILL[0] + ny * FILL[1] + nz * FILL[2]);
    const p = this.eye.position, ex = p[0] - x, ey = p[1] - y, ez = p[2] - z;
    const edge = 1 - Math.abs(nx * ex + ny * ey + nz * ez) / (Math.hypot(ex, ey, ez) || 1);
    const shine = rim * edge * edge * edge;
    for (let k = 0; k < 3; k++) {
      const t = tint[i + k], c = t * (GROUND[k] + (SKY[k] - GROUND[k]) * sky + key + BACK[k] * fill) + shine * (0.35 + 0.65 * t);
      out[at + k] = SCREEN[c >= 1 ? 4096 : (4096 * c) | 0];
    }
  }
}

// Nearer than what is there: colour and 1 / distance go over into the layer, linear across the triangle.
function triangle({ pixels, depth, width, height }, { at, light }, i, j, k, alpha) {
  const x0 = at[3 * i], y0 = at[3 * i + 1], w0 = at[3 * i + 2];
  const x1 = at[3 * j], y1 = at[3 * j + 1], w1 = at[3 * j + 2];
  const x2 = at[3 * k], y2 = at[3 * k + 1], w2 = at[3 * k + 2];
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  if (area >= 0 || !w0 || !w1 || !w2) return; // its back, or behind the eye
  const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5)), bottom = Math.min(height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
  const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5)), right = Math.min(width - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
  const scale = 1 / area;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5 - x0, py = y + 0.5 - y0;
      const s = (px * (y2 - y0) - (x2 - x0) * py) * scale, t = ((x1 - x0) * py - px * (y1 - y0)) * scale, u = 1 - s - t;
      if (s < 0 || t < 0 || u < 0) continue;
      const w = u * w0 + s * w1 + t * w2, n = y * width + x;
      if (w <= depth[n]) continue;
      depth[n] = w;
      const r = u * light[3 * i] + s * light[3 * j] + t * light[3 * k];
      const g = u * light[3 * i + 1] + s * light[3 * j + 1] + t * light[3 * k + 1];
      const b = u * light[3 * i + 2] + s * light[3 * j + 2] + t * light[3 * k + 2];
      pixels[n] = (alpha << 24) | (b << 16) | (g << 8) | r;
    }
  }
}
