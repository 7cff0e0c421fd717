// SPDX-License-Identifier: MIT
// Where scenes stand, and what the eye looks at.
import { along, Box } from './box.js';

const LEAST_M = 0.8; // for a figure side by side with others
const WIDE = 2.2; // a way so many heights long is looked at figure by figure
const STRAY_M = 25; // what lies farther off is not what one wants to see
const HIGH = 1.5; // heights over the ground from which on the grid is taken up to the take

export class Framing {
  constructor(eye, grid, views) {
    this.eye = eye;
    this.grid = grid;
    this.views = views;
    this.followed = null;
    this.direction = 'free';
  }

  get shown() { return this.views.filter((v) => v.take.shown); }

  // One over the other, or shoulder to shoulder in the order of the list.
  place(apart) {
    const { axis, sign } = this.aside();
    // three-quarter over one place; more from the front where figures stand in a row
    const [left, ahead] = apart ? [0.3, 1] : [0.62, 1];
    this.direction = axis === 0 ? [sign * left, 0.28, sign * ahead] : [-sign * ahead, 0.28, sign * left];
    for (const view of this.views) view.offset = [0, 0, 0];
    if (apart) this.row(axis, sign);
    this.followed = null;
    const box = this.everything();
    this.grid.fit(box.low, box.high, this.level(box));
  }

  // In a row where the first one is: wherever each was captured, as it is now.
  row(axis, sign) {
    const widths = this.views.map((view) => Math.max(LEAST_M, this.width(view)));
    const boxes = this.views.map((view) => this.body(view, new Box()));
    const first = boxes.find((b) => !b.empty);
    let at = -widths.reduce((sum, w) => sum + w, 0) / 2;
    this.views.forEach((view, i) => {
      const slot = sign * (at + widths[i] / 2);
      at += widths[i];
      const here = boxes[i].empty ? null : boxes[i].middle;
      for (const k of [0, 2]) view.offset[k] = (here ? first.middle[k] - here[k] : 0) + (k === axis ? slot : 0);
    });
  }

  // The ground, but where all is far above or below it a whole metre that is in sight.
  level(box) {
    const now = this.now(), tall = now.empty ? 2 : Math.max(0.5, now.size[1]);
    if (box.low[1] > HIGH * tall) return Math.floor(box.low[1]);
    return box.high[1] < -0.5 * tall ? Math.floor(box.low[1]) : 0;
  }

  // The axis, and the way along it, that is most to the left of the first body: scenes then stand
  // from its right to its left, which is from left to right for who looks at its face.
  aside() {
    const { take } = this.views[0], p = take.pose.joints;
    const find = (role) => take.joints.findIndex((j) => j.role === role);
    const right = find('right_thigh'), left = find('left_thigh');
    if (!p || take.pose.record < 0 || right < 0 || left < 0) return { axis: 0, sign: 1 };
    const dx = p[3 * left] - p[3 * right], dz = p[3 * left + 2] - p[3 * right + 2];
    return Math.abs(dx) >= Math.abs(dz) ? { axis: 0, sign: Math.sign(dx) || 1 } : { axis: 2, sign: Math.sign(dz) || 1 };
  }

  // Room for a figure whose arms are out: its height.
  width(view) {
    const box = this.body(view, new Box());
    return box.empty || !box.size[1] ? LEAST_M : 0.85 * box.size[1];
  }

  // All that is ever shown.
  everything() {
    const out = new Box();
    for (const { take, offset } of this.shown) {
      if (take.low.every((v, k) => v === take.high[k])) continue;
      out.add(...along(take.low, offset, 1));
      out.add(...along(take.high, offset, 1));
    }
    if (out.empty) {
      out.add(-1, 0, -1);
      out.add(1, 2, 1);
    }
    const near = this.now();
    if (!near.empty) { // one point far out must not make all else a speck
      near.grow(STRAY_M);
      out.meet(near);
    }
    return out;
  }

  // The body of a view as it is now, or its markers where there is none.
  body({ take, offset }, out) {
    const { pose } = take, p = pose.joints ?? pose.markers;
    for (let i = 0; pose.record >= 0 && p && i + 2 < p.length; i += 3) {
      if (p === pose.markers && take.markers[i / 3].kind === 'unlabelled') continue;
      const x = p[i] + offset[0], y = p[i + 1] + offset[1], z = p[i + 2] + offset[2];
      if (Math.abs(x) + Math.abs(y) + Math.abs(z) < 3000) out.add(x, y, z);
    }
    return out;
  }

  // What is shown in this frame; empty when nothing is.
  now() {
    const out = new Box(), going = this.shown.filter((v) => !v.take.ended);
    for (const view of going.length ? going : this.shown) this.body(view, out);
    return out;
  }

  all(view) {
    const box = this.everything();
    box.low[1] = Math.min(box.low[1], Math.max(this.grid.level, box.low[1] - box.size[1]));
    this.eye.frame(box.low, box.high, view);
  }

  // At first: all, or, where the way is long, the figures alone, and the eye goes with them.
  start(show, apart) {
    this.place(apart);
    const all = this.everything(), now = this.now(), box = now.empty ? all : now;
    const size = Math.max(...box.size);
    show.follow = Math.max(all.size[0], all.size[2]) > WIDE * size;
    if (!show.follow) {
      this.all(this.direction);
      return;
    }
    box.low[1] = Math.min(box.low[1], this.grid.level);
    box.grow(0.02 * size);
    box.high[1] += 0.06 * size;
    this.eye.frame(box.low, box.high, this.direction);
  }

  // A place, or the figures as they are now.
  selected(place) {
    const box = place ? new Box() : this.now();
    if (place) {
      box.add(...place);
      box.grow(0.35);
    }
    if (!box.empty) this.eye.frame(box.low, box.high);
  }

  // Go along with the figures, over the ground.
  follow(on) {
    const box = this.now();
    if (box.empty) return;
    const here = box.middle;
    if (on && this.followed) this.eye.shift(here[0] - this.followed[0], 0, here[2] - this.followed[2]);
    this.followed = here;
  }
}
