// SPDX-License-Identifier: MIT
// The eye: where it is, what it looks at, and where a place of space lies in the picture. Whatever
// draws takes its view from here, so that one picture can follow another without a jump.
import { along, cross, dot, sub, unit } from './box.js';

export const FOV = 35, NEAR = 0.05, FAR = 400; // degrees, top to bottom; metres
const UP = [0, 1, 0];
// As Blender names them: right is from where the right of the front view is.
const VIEWS = {
  front: [0, 0.06, 1], back: [0, 0.06, -1], right: [1, 0.06, 0], left: [-1, 0.06, 0],
  top: [0, 1, 0.0001], bottom: [0, -1, 0.0001], free: [0.62, 0.30, 1],
};

export class Eye {
  // `changed()`: it sees something else now.
  constructor(changed) {
    this.changed = changed;
    this.width = this.height = 0;
    this.tan = Math.tan(FOV * Math.PI / 360);
    this.set([2, 2, 4], [0, 1, 0]);
  }

  get aspect() { return this.height ? this.width / this.height : 1; }
  get distance() { return Math.hypot(...sub(this.position, this.target)); }

  set(position, target) {
    this.position = [...position];
    this.target = [...target];
    this.back = unit(sub(position, target));
    this.right = unit(cross(UP, this.back));
    if (!dot(this.right, this.right)) this.right = [1, 0, 0];
    this.up = cross(this.back, this.right);
    this.changed();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.changed();
  }

  // Look at a box from a named direction, a given one, or from where we are.
  frame(low, high, view) {
    const middle = low.map((v, k) => (v + high[k]) / 2), half = low.map((v, k) => (high[k] - v) / 2);
    const direction = unit(view ? VIEWS[view] ?? view : sub(this.position, this.target));
    // the box as the eye sees it: along the picture's two directions, and towards the eye
    let right = cross(UP, direction);
    right = Math.hypot(...right) < 1e-3 ? [1, 0, 0] : unit(right);
    const up = cross(direction, right);
    const extent = (v) => Math.abs(v[0]) * half[0] + Math.abs(v[1]) * half[1] + Math.abs(v[2]) * half[2];
    const distance = Math.max(extent(up) / this.tan, extent(right) / (this.tan * this.aspect)) * 1.08 + 0.7 * extent(direction);
    this.set(along(middle, direction, Math.max(distance, 0.4)), middle);
  }

  // From a named direction, at the distance that we have.
  look(view) { this.set(along(this.target, unit(VIEWS[view]), this.distance), this.target); }

  // From the other side.
  opposite() {
    const d = sub(this.position, this.target);
    this.set([this.target[0] - d[0], this.target[1] + d[1], this.target[2] - d[2]], this.target);
  }

  // Move along with what is looked at.
  shift(dx, dy, dz) { this.set(along(this.position, [dx, dy, dz], 1), along(this.target, [dx, dy, dz], 1)); }

  // Sideways and up, by shares of the picture's height.
  pan(aside, up) {
    const d = 2 * this.tan * this.distance;
    this.shift(...along(along([0, 0, 0], this.right, aside * d), this.up, up * d));
  }

  // Turn around the upright, and over the top, radians.
  orbit(around, over) {
    const [x, y, z] = sub(this.position, this.target), far = Math.hypot(x, y, z);
    const turn = Math.atan2(x, z) + around;
    const tilt = Math.min(Math.PI - 0.01, Math.max(0.01, Math.acos(y / far) + over));
    const flat = far * Math.sin(tilt);
    this.set(along(this.target, [flat * Math.sin(turn), far * Math.cos(tilt), flat * Math.cos(turn)], 1), this.target);
  }

  zoom(factor) {
    const far = Math.min(300, Math.max(0.1, this.distance * factor));
    this.set(along(this.target, this.back, far), this.target);
  }

  // Place on the screen, in pixels of the canvas, into out; its third number is the depth. False
  // behind the eye.
  project(out, x, y, z) {
    const { position: p, right, up, back } = this;
    const dx = x - p[0], dy = y - p[1], dz = z - p[2];
    const depth = -(dx * back[0] + dy * back[1] + dz * back[2]);
    if (depth < NEAR) return false;
    const scale = this.height / (2 * this.tan * depth);
    out[0] = this.width / 2 + scale * (dx * right[0] + dy * right[1] + dz * right[2]);
    out[1] = this.height / 2 - scale * (dx * up[0] + dy * up[1] + dz * up[2]);
    out[2] = depth;
    return true;
  }
}
