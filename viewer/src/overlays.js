// SPDX-License-Identifier: MIT
// What is drawn on top of a scene on demand: joint axes, residuals, trails, contacts on the ground.
import { CONTACT_COLOURS, linear, RESIDUAL_STEPS } from './colours.js';
import { Discs, Strokes } from './shapes.js';

const AXES = ['#e5566d', '#7ec46a', '#5b8fe8'].map(linear);
const WHITE = linear('#ffffff'), TRAIL = linear('#ffd68a');
const SOON_S = 0.6;
const TRAIL_S = 1, TRAIL_POINTS = 120;

export class Overlays {
  constructor(take) {
    this.take = take;
    this.lines = new Strokes(256, { renderOrder: 30 });
    this.xray = new Strokes(256, { renderOrder: 31, depthTest: false });
    this.strokes = [this.lines, this.xray];
    this.steps = RESIDUAL_STEPS.map(([mm, colour]) => [mm, linear(colour)]);
    if (take.contacts.length) this.discs = new Discs(take.contacts.length, 2);
    this.tints = Object.fromEntries(Object.entries(CONTACT_COLOURS).map(([k, c]) => [k, linear(c)]));
    this.place = new Float64Array(3);
    this.trail = new Float64Array(3 * (TRAIL_POINTS + 1));
  }

  // `show`: {axes, residuals, residualScale, trails, contacts}; `seconds`: on the take's clock.
  update(show, seconds, selected) {
    this.lines.clear();
    this.xray.clear();
    const { take } = this;
    if (take.pose.record >= 0 && !take.ended) {
      if (show.axes && take.pose.turns) this.addAxes();
      if (show.residuals && take.hasResiduals) this.addResiduals(show.residualScale);
      if (show.trails && selected) this.addTrail(seconds, selected);
    }
    this.updateFeet(show.contacts, seconds);
    this.lines.flush();
    this.xray.flush();
  }

  addAxes() {
    const { pose, joints } = this.take;
    const length = 0.045 * Math.max(0.3, this.take.high[1] - this.take.low[1]);
    const { joints: p, turns: q } = pose;
    for (let j = 0; j < joints.length; j++) {
      const w = q[4 * j], x = q[4 * j + 1], y = q[4 * j + 2], z = q[4 * j + 3];
      const ox = p[3 * j], oy = p[3 * j + 1], oz = p[3 * j + 2], l = length;
      this.xray.add(ox, oy, oz, ox + l * (1 - 2 * (y * y + z * z)), oy + l * 2 * (x * y + w * z), oz + l * 2 * (x * z - w * y), AXES[0], 1, 2);
      this.xray.add(ox, oy, oz, ox + l * 2 * (x * y - w * z), oy + l * (1 - 2 * (x * x + z * z)), oz + l * 2 * (y * z + w * x), AXES[1], 1, 2);
      this.xray.add(ox, oy, oz, ox + l * 2 * (x * z + w * y), oy + l * 2 * (y * z - w * x), oz + l * (1 - 2 * (x * x + y * y)), AXES[2], 1, 2);
    }
  }

  // At each marker the way it is off from where the skeleton has it, so many times as long.
  addResiduals(scale) {
    const { pose, markers } = this.take, p = pose.markers, e = this.place;
    for (let m = 0; m < markers.length; m++) {
      if (!this.take.expected(e, m)) continue;
      const dx = p[3 * m] - e[0], dy = p[3 * m + 1] - e[1], dz = p[3 * m + 2] - e[2];
      const mm = 1000 * Math.hypot(dx, dy, dz);
      if (!(mm < Infinity)) continue;
      const tint = this.steps.find(([below]) => mm < below)[1];
      this.xray.add(p[3 * m], p[3 * m + 1], p[3 * m + 2], p[3 * m] + scale * dx, p[3 * m + 1] + scale * dy, p[3 * m + 2] + scale * dz, tint, 0.95, 2.2);
    }
  }

  addTrail(seconds, { kind, index }) {
    const { take, trail } = this;
    const centre = take.recordAt(seconds);
    const reach = Math.max(1, Math.round(TRAIL_S * take.rate / take.stride));
    const step = Math.max(1, Math.ceil(2 * reach / TRAIL_POINTS));
    let n = 0, at = -1;
    for (let r = centre - Math.floor(reach / step) * step; r <= centre + reach && n <= TRAIL_POINTS; r += step) {
      if (r === centre) at = n;
      if (r < 0 || r >= take.records.count) trail[3 * n] = NaN;
      else if (kind === 'marker') take.readMarker(trail, 3 * n, r, index);
      else take.readJoint(trail, 3 * n, r, index);
      n++;
    }
    for (let i = 1; i < n; i++) {
      const past = i <= at, away = Math.abs(i - at) / Math.max(1, n / 2);
      this.xray.add(trail[3 * i - 3], trail[3 * i - 2], trail[3 * i - 1], trail[3 * i], trail[3 * i + 1], trail[3 * i + 2],
        past ? TRAIL : WHITE, (past ? 0.95 : 0.5) * (1 - 0.8 * away), past ? 2.2 : 1.4);
    }
  }

  // A disc where a foot stands now, a ring where it stood or will stand.
  updateFeet(on, seconds) {
    const { discs } = this;
    if (!discs) return;
    discs.visible = on;
    if (!on) return;
    discs.clear();
    for (const c of this.take.contacts) {
      const now = seconds >= c.start_s && seconds < c.end_s;
      if (!now && (seconds < c.start_s - SOON_S || seconds > c.end_s + SOON_S)) continue;
      if (!c.target || c.target.some((v) => v === null)) continue;
      const y = c.point.endsWith('hand') ? c.target[1] : 0.003; // feet are marked on the ground
      const r = (c.point.endsWith('toe') ? 0.06 : 0.048) * (c.kind === 'load' ? 1.25 : 1);
      const tint = c.accepted ? this.tints[c.kind] : this.tints.refused;
      discs.add(c.target[0], y, c.target[2], r, tint, now ? 0.9 : 0.5, now && c.accepted ? 0 : 0.72);
    }
    discs.flush();
  }
}
