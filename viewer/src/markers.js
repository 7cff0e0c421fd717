// SPDX-License-Identifier: MIT
// Markers as balls, coloured by what was done to the sample; which of them is under the pointer.
import { CLASS_COLOURS, linear, UNLABELLED } from './colours.js';
import { classOf, MEASURED } from './decode.js';
import { Capsules } from './shapes.js';

const GHOST = '#4b5463'; // of a take that has ended
const RADIUS_M = 0.011;
const NEAR_PX = 14;

export class Markers {
  constructor(take) {
    this.take = take;
    this.capsules = [];
    const n = this.count = take.field.markers ? take.markers.length : 0;
    if (!n) return;
    this.balls = new Capsules(n, { around: 12, rings: 3, rim: 0.2, renderOrder: 4 });
    this.capsules.push(this.balls);
    this.colours = CLASS_COLOURS.map(linear);
    this.grey = linear(UNLABELLED);
    this.ghost = linear(GHOST);
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
    const { pose, markers, ended } = this.take;
    balls.clear();
    for (let m = 0; m < this.count; m++) {
      const plain = markers[m].kind !== 'unlabelled';
      const r = this.radius * (m === selected ? 1.7 : m === hovered ? 1.4 : plain ? 1 : 0.75);
      balls.colour = ended ? this.ghost : plain ? this.colours[this.classAt(m)] : this.grey;
      balls.add(pose.markers, m, m, r, r, 1, 1, 0, 0); // missing ones are left out
    }
    balls.flush();
  }
}

// What lies under the pointer: the frontmost of the nearest points within a few pixels.
const spot = new Float64Array(3);

export function pick(eye, px, py, views, show) {
  let best = null, bestScore = Infinity;
  for (const view of views) {
    if (!view.take.shown || view.take.pose.record < 0) continue;
    const { offset } = view, { pose } = view.take;
    const test = (kind, array, count, reach) => {
      for (let i = 0; i < count; i++) {
        const x = array[3 * i] + offset[0], y = array[3 * i + 1] + offset[1], z = array[3 * i + 2] + offset[2];
        if (!(x + y + z < Infinity) || !eye.project(spot, x, y, z)) continue;
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
