// SPDX-License-Identifier: MIT
// What is said about a marker or joint: its name in the picture, its figures in the corner.
import { CLASSES } from './decode.js';

const number = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 });

// A hit is {kind: 'marker' | 'joint', scene, index}.
export class Selection {
  constructor(views, names, panel) {
    this.views = views;
    this.names = names;
    this.panel = panel;
  }

  title({ kind, scene, index }) {
    const { take } = this.views[scene];
    if (kind === 'joint') return take.joints[index].name || `joint ${index + 1}`;
    const { label, subject } = take.markers[index];
    return `${subject && take.severalSubjects ? `${subject}:` : ''}${label || `point ${index + 1}`}`;
  }

  points({ kind, scene }) {
    const { pose } = this.views[scene].take;
    return kind === 'joint' ? pose.joints : pose.markers;
  }

  // Where it is now, world; null when it is nowhere.
  place(hit) {
    const p = hit && this.points(hit), i = hit && 3 * hit.index;
    if (!(p?.[i] === p?.[i]) || !p) return null;
    return this.views[hit.scene].offset.map((v, k) => p[i + k] + v);
  }

  describe(hit) {
    if (!hit) {
      this.panel.select(null);
      return;
    }
    const { take, markers } = this.views[hit.scene], p = this.points(hit), i = 3 * hit.index;
    const there = p[i] === p[i];
    const pairs = ['x', 'y', 'z'].map((axis, k) => [axis, there ? `${number.format(p[i + k])} m` : '–']);
    if (hit.kind === 'marker') {
      pairs.push(['sample', CLASSES[markers.classAt(hit.index)]]);
      if (take.hasResiduals) pairs.push(['residual', this.millimetres(take, hit.index) || '–']);
    } else if (take.joints[hit.index].role && take.joints[hit.index].role !== 'none') {
      pairs.push(['role', take.joints[hit.index].role.replaceAll('_', ' ')]);
    }
    if (this.views.length > 1) pairs.push(['of', take.name]);
    this.panel.select(this.title(hit), pairs);
  }

  millimetres(take, marker) {
    const mm = take.residualMm(marker);
    return mm === mm ? `${mm.toFixed(1)} mm` : '';
  }

  // Write names into the picture as it was drawn last.
  name(show, selected, hovered, apart) {
    const { names } = this;
    names.begin();
    const all = () => {
      for (const { take, markers } of this.views) {
        for (let index = 0; index < markers.count && take.shown && take.ownMarkers; index++) this.put({ kind: 'marker', scene: take.index, index }, '');
      }
    };
    if (apart) for (const view of this.views) this.putWhose(view);
    const same = hovered && selected && hovered.kind === selected.kind && hovered.scene === selected.scene && hovered.index === selected.index;
    if (selected && !same) this.put(selected, 'ug-selected');
    if (hovered) this.put(hovered, 'ug-hot');
    if (show.labels && show.markers) all(); // last: they make room for those above
    names.end();
  }

  // Over the highest point of the figure.
  putWhose({ take, offset }) {
    const { pose } = take, p = pose.joints ?? pose.markers;
    if (!take.shown || !p || pose.record < 0) return;
    let top = -1;
    for (let i = 0; i < p.length; i += 3) if (p[i + 1] === p[i + 1] && (top < 0 || p[i + 1] > p[top + 1])) top = i;
    if (top < 0) return;
    const x = pose.joints ? p[0] : p[top], z = pose.joints ? p[2] : p[top + 2];
    const above = 0.08 * (p[top + 1] - take.low[1]);
    this.names.put(take.name, x + offset[0], p[top + 1] + above + offset[1], z + offset[2], 'ug-whose', take.colour);
  }

  put(hit, kind) {
    const { take, offset, markers } = this.views[hit.scene], p = this.points(hit), i = 3 * hit.index;
    if (!take.shown || !p || take.pose.record < 0) return;
    let text = this.title(hit);
    if (kind === 'ug-hot' && hit.kind === 'marker') {
      const mm = this.millimetres(take, hit.index);
      text += ` · ${CLASSES[markers.classAt(hit.index)]}${mm ? ` · ${mm}` : ''}`;
    }
    this.names.put(text, p[i] + offset[0], p[i + 1] + offset[1], p[i + 2] + offset[2], kind);
  }
}
