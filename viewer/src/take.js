// SPDX-License-Identifier: MIT
// One scene: its manifest, its records, and the pose that is shown of it now.
import { SCENE_COLOURS } from './colours.js';
import { Pose, readPoint } from './decode.js';
import { Records } from './source.js';

// What a later stage said about a frame: a run of [first, end, code], or -1.
function codeAt(runs, frame) {
  let low = 0, high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle][1] <= frame) low = middle + 1; else high = middle;
  }
  return low < runs.length && runs[low][0] <= frame ? runs[low][2] : -1;
}

export class Take {
  constructor(manifest, index, embedded, arrived, failed) {
    this.manifest = manifest;
    this.index = index;
    this.path = manifest.name || `scene ${index + 1}`;
    this.name = this.path; // what it is called here
    this.frameCount = manifest.frame_count;
    this.sourceFirst = manifest.first_frame ?? 0; // the source's own number of frame 0
    const { num, den } = manifest.rate ?? {};
    this.rate = num > 0 && den > 0 ? num / den : 100; // frames must pass somehow
    this.rateKnown = num > 0 && den > 0;
    this.stride = manifest.stride ?? 1;
    this.markers = manifest.markers ?? [];
    this.severalSubjects = new Set(this.markers.map((m) => m.subject).filter(Boolean)).size > 1;
    this.joints = manifest.joints ?? [];
    this.attachments = manifest.attachments ?? [];
    this.contacts = manifest.contacts ?? [];
    this.lanes = manifest.lanes ?? [];
    this.spikes = manifest.spikes ?? [];
    this.outcomes = manifest.outcomes ?? [];
    this.low = manifest.low ?? [-1, 0, -1];
    this.high = manifest.high ?? [1, 2, 1];
    this.shown = true;
    this.colour = SCENE_COLOURS[index % SCENE_COLOURS.length];
    this.field = Object.fromEntries(manifest.fields.map((f) => [f.name, f]));
    this.records = new Records(manifest, index, embedded, arrived, failed);
    this.pose = new Pose(manifest);
    this.exact = false; // the pose is of the frame asked for, not of one nearby
    this.ended = false; // the time asked for lies behind its last frame
    this.attachmentOf = new Array(this.markers.length).fill(null);
    for (const a of this.attachments) {
      if (a.marker >= 0 && a.joint >= 0 && !this.attachmentOf[a.marker]) this.attachmentOf[a.marker] = a;
    }
    // the box around all there ever is leaves out what is more than 1 km away
    this.boxless = this.low.every((v, k) => v === this.high[k] && v === 0);
    this.hasMotion = Boolean(this.field.joints && this.joints.length);
    this.hasResiduals = this.hasMotion && Boolean(this.field.turns && this.field.markers) &&
      this.attachments.length > 0;
    // a retargeted body carries the markers of its source along, which are not on it
    this.ownMarkers = Boolean(this.field.markers) && (!this.hasMotion || this.attachments.length > 0);
  }

  // Our frame at a time; past the end the last one stays.
  frameAt(seconds) {
    return Math.min(this.frameCount - 1, Math.max(0, Math.round(seconds * this.rate)));
  }

  recordAt(seconds) {
    return Math.min(this.records.count - 1, Math.round(this.frameAt(seconds) / this.stride));
  }

  // Read what is nearest to the time asked for. Returns true when the pose is another one.
  show(seconds, direction) {
    const r = this.recordAt(seconds), ended = seconds * this.rate >= this.frameCount - 1e-6, turned = ended !== this.ended;
    this.ended = ended;
    this.records.want(r, direction);
    const near = this.records.nearest(r);
    this.exact = near === r;
    if (near < 0 || near === this.pose.record) return turned;
    this.pose.read(this.records, near);
    return true;
  }

  // Why there is nothing to see of it; '' when there is.
  get nowhere() {
    if (!this.boxless) return '';
    const some = [this.pose.joints, this.pose.markers].some((p) => p?.some((v) => Math.abs(v) > 1000));
    return some ? 'all of it lies more than 1 km from the origin; is its unit right?' : 'nothing of it was seen in any frame';
  }

  outcomeAt(frame) { return codeAt(this.outcomes, frame); }

  readMarker(out, at, r, marker) { readPoint(out, at, this.records, this.field.markers, r, marker); }
  readJoint(out, at, r, joint) { readPoint(out, at, this.records, this.field.joints, r, joint); }

  // Where the skeleton says marker m is, into out; false when it says nothing.
  expected(out, m) {
    const a = this.attachmentOf[m], p = this.pose;
    if (!a || !p.turns || !p.joints) return false;
    const j = a.joint, w = p.turns[4 * j], x = p.turns[4 * j + 1], y = p.turns[4 * j + 2], z = p.turns[4 * j + 3];
    const [u, v, t] = a.local;
    // v' = v + w q×v·2 + q×(q×v)·2
    const cx = 2 * (y * t - z * v), cy = 2 * (z * u - x * t), cz = 2 * (x * v - y * u);
    out[0] = p.joints[3 * j] + u + w * cx + y * cz - z * cy;
    out[1] = p.joints[3 * j + 1] + v + w * cy + z * cx - x * cz;
    out[2] = p.joints[3 * j + 2] + t + w * cz + x * cy - y * cx;
    return out[0] === out[0];
  }

  // Distance of marker m from where the skeleton has it, mm; NaN when unknown.
  residualMm(m) {
    if (!this.hasResiduals || !this.expected(place, m)) return NaN;
    const p = this.pose.markers;
    return 1000 * Math.hypot(p[3 * m] - place[0], p[3 * m + 1] - place[1], p[3 * m + 2] - place[2]);
  }
}

const place = new Float64Array(3);
