// SPDX-License-Identifier: MIT
// Markers as balls, coloured by what was done to the sample; which of them is under the pointer.
import { Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshLambertMaterial, SphereGeometry } from 'three';
import { classOf, MEASURED } from './decode.js';

// In the order of decode.js's CLASSES. Missing samples have no place: their colour is for lanes.
export const CLASS_COLOURS = ['#e5566d', '#f3b23e', '#4fd1a5', '#b48cff', '#4aa8ff', '#e9edf3'];
export const UNLABELLED = '#77818f';
const SELECTED = new Color('#ffffff');
const RADIUS_M = 0.011;
const NEAR_PX = 14;

export class Markers {
  constructor(take) {
    this.take = take;
    this.group = new Group();
    const n = this.count = take.field.markers ? take.markers.length : 0;
    if (!n) return;
    const material = new MeshLambertMaterial({ emissive: new Color('#ffffff'), emissiveIntensity: 0.1 });
    this.mesh = new InstancedMesh(new SphereGeometry(1, 14, 10), material, n);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.colours = CLASS_COLOURS.map((c) => new Color(c));
    this.grey = new Color(UNLABELLED);
    for (let m = 0; m < n; m++) this.mesh.setColorAt(m, this.grey);
    this.mesh.instanceColor.setUsage(DynamicDrawUsage);
    this.group.add(this.mesh);
    this.matrix = new Matrix4();
    this.radius = RADIUS_M * Math.min(1.6, Math.max(0.4, (take.high[1] - take.low[1]) / 1.8));
  }

  classAt(m) {
    const { pose } = this.take;
    if (!(pose.markers[3 * m] === pose.markers[3 * m])) return 0;
    return pose.origin ? classOf(pose.origin[m]) : MEASURED;
  }

  update(selected, hovered) {
    if (!this.mesh) return;
    const { pose, markers } = this.take, p = pose.markers, { matrix, mesh } = this;
    for (let m = 0; m < this.count; m++) {
      const there = pose.record >= 0 && p[3 * m] === p[3 * m];
      const plain = markers[m].kind !== 'unlabelled';
      const r = !there ? 0 : this.radius * (m === selected ? 1.7 : m === hovered ? 1.4 : plain ? 1 : 0.75);
      const e = matrix.elements;
      e[0] = e[5] = e[10] = r;
      e[12] = there ? p[3 * m] : 0;
      e[13] = there ? p[3 * m + 1] : 0;
      e[14] = there ? p[3 * m + 2] : 0;
      mesh.setMatrixAt(m, matrix);
      mesh.setColorAt(m, !plain ? this.grey : this.colours[this.classAt(m)] ?? SELECTED);
    }
    mesh.instanceMatrix.needsUpdate = true;
    mesh.instanceColor.needsUpdate = true;
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
