// SPDX-License-Identifier: MIT
// Markers as balls, coloured by what was done to the sample; which of them is under the pointer.
import { Color, Group } from 'three';
import { Capsules } from './capsules.js';
import { classOf, MEASURED } from './decode.js';

// In the order of decode.js's CLASSES. Missing samples have no place: their colour is for lanes.
export const CLASS_COLOURS = ['#e5566d', '#f3b23e', '#4fd1a5', '#b48cff', '#4aa8ff', '#e9edf3'];
export const UNLABELLED = '#77818f';
const RADIUS_M = 0.011;
const NEAR_PX = 14;

export class Markers {
  constructor(take) {
    this.take = take;
    this.group = new Group();
    const n = this.count = take.field.markers ? take.markers.length : 0;
    if (!n) return;
    this.balls = new Capsules(n, { around: 12, rings: 3, rim: 0.2, renderOrder: 4 });
    this.group.add(...this.balls.meshes);
    this.colours = CLASS_COLOURS.map((c) => new Color(c));
    this.grey = new Color(UNLABELLED);
    this.radius = RADIUS_M * Math.min(1.6, Math.max(0.4, (take.high[1] - take.low[1]) / 1.8));
  }

  classAt(m) {
    const { pose } = this.take;
    if (!(pose.markers[3 * m] === pose.markers[3 * m])) return 0;
    return pose.origin ? classOf(pose.origin[m]) : MEASURED;
  }

  update(selected, hovered) {
    const { balls } = this;
    if (!balls) return;
    const { pose, markers } = this.take;
    balls.clear();
    for (let m = 0; m < this.count; m++) {
      const plain = markers[m].kind !== 'unlabelled';
      const r = this.radius * (m === selected ? 1.7 : m === hovered ? 1.4 : plain ? 1 : 0.75);
      balls.colour = plain ? this.colours[this.classAt(m)] : this.grey;
      balls.add(pose.markers, m, m, r, r, 1, 1, 0, 0); // missing ones are left out
    }
    balls.flush();
  }
}

// What lies under the pointer: the frontmost of the nearest points within a few pixels.
// `points(visit)` calls visit(kind, view, index, x, y, z) for each candidate.
const spot = new Float64Array(3);

export function pick(stage, px, py, views, show) {
  let best = null, bestScore = Infinity;
  for (const view of views) {
    if (!view.take.shown || view.take.pose.record < 0) continue;
    const { position } = view.group, { pose } = view.take;
    const test = (kind, array, count, reach) => {
      for (let i = 0; i < count; i++) {
        const x = array[3 * i] + position.x, y = array[3 * i + 1] + position.y, z = array[3 * i + 2] + position.z;
        if (!(x + y + z < Infinity) || !stage.project(spot, x, y, z)) continue;
        const d = Math.hypot(spot[0] - px, spot[1] - py);
        if (d > reach) continue;
        const score = d + 0.5 * spot[2]; // nearer ones in front
        if (score < bestScore) {
          bestScore = score;
          best = { kind, view, index: i, scene: view.take.index };
        }
      }
    };
    if (show.markers && pose.markers && view.take.ownMarkers) test('marker', pose.markers, view.markers.count, NEAR_PX);
    if (show.bones && pose.joints) test('joint', pose.joints, view.take.joints.length, NEAR_PX - 5);
  }
  return best;
}
