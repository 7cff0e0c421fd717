// SPDX-License-Identifier: MIT
// Where scenes stand, and what the camera looks at.
import { Box3, Vector3 } from 'three';

const LEAST_M = 0.8; // for a figure side by side with others
const WIDE = 2.2; // a way so many heights long is looked at figure by figure
const STRAY_M = 25; // what lies farther off is not what one wants to see

const point = new Vector3(), box = new Box3(), near = new Box3();

export class Framing {
  constructor(stage, grid, views) {
    this.stage = stage;
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
    const widths = this.views.map((view) => Math.max(LEAST_M, this.width(view)));
    let at = -widths.reduce((sum, w) => sum + w, 0) / 2;
    this.views.forEach(({ group }, i) => {
      group.position.set(0, 0, 0);
      if (apart) group.position.setComponent(axis, sign * (at + widths[i] / 2));
      at += widths[i];
    });
    this.followed = null;
    this.everything(box);
    this.grid.fit(box.min, box.max);
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
  width({ take }) {
    const { pose } = take, p = pose.joints ?? pose.markers;
    let low = Infinity, high = -Infinity;
    for (let i = 1; p && i < p.length; i += 3) {
      low = Math.min(low, p[i]);
      high = Math.max(high, p[i]);
    }
    return high > low ? 0.85 * (high - low) : LEAST_M;
  }

  // All that is ever shown.
  everything(out) {
    out.makeEmpty();
    for (const { take, group } of this.shown) {
      if (take.low.every((v, k) => v === take.high[k])) continue;
      out.expandByPoint(point.fromArray(take.low).add(group.position));
      out.expandByPoint(point.fromArray(take.high).add(group.position));
    }
    if (out.isEmpty()) out.min.set(-1, 0, -1), out.max.set(1, 2, 1);
    if (this.now(near)) { // one point far out must not make all else a speck
      near.expandByScalar(STRAY_M);
      out.intersect(near);
    }
    return out;
  }

  // What is shown in this frame: bodies, or markers where there is none. False when nothing is.
  now(out) {
    out.makeEmpty();
    for (const { take, group } of this.shown) {
      const { pose } = take, p = pose.joints ?? pose.markers;
      if (pose.record < 0 || !p) continue;
      for (let i = 0; i + 2 < p.length; i += 3) {
        if (p === pose.markers && take.markers[i / 3].kind === 'unlabelled') continue;
        if (p[i] + p[i + 1] + p[i + 2] < Infinity) out.expandByPoint(point.set(p[i], p[i + 1], p[i + 2]).add(group.position));
      }
    }
    return !out.isEmpty();
  }

  all(view) {
    this.everything(box);
    this.stage.frame(box.min, box.max, view);
  }

  // At first: all, or, where the way is long, the figures alone, and the camera goes with them.
  start(show, apart) {
    this.place(apart);
    this.everything(box);
    const all = box.getSize(new Vector3()), figures = this.now(box) ? box.getSize(new Vector3()) : all;
    const size = Math.max(figures.x, figures.y, figures.z);
    show.follow = Math.max(all.x, all.z) > WIDE * size;
    if (!show.follow) {
      this.all(this.direction);
      return;
    }
    box.min.y = Math.min(box.min.y, 0);
    box.expandByScalar(0.02 * size);
    box.max.y += 0.06 * size;
    this.stage.frame(box.min, box.max, this.direction);
  }

  // A place, or the figures as they are now.
  selected(place) {
    if (place) box.set(place.clone().subScalar(0.35), place.clone().addScalar(0.35));
    else if (!this.now(box)) return;
    this.stage.frame(box.min, box.max);
  }

  // Go along with the figures, over the ground.
  follow(on) {
    if (!this.now(box)) return;
    box.getCenter(point);
    if (on && this.followed) this.stage.shift(point.x - this.followed.x, 0, point.z - this.followed.z);
    this.followed = (this.followed ?? new Vector3()).copy(point);
  }
}
