// SPDX-License-Identifier: MIT
// The body of a scene: bones, and a mannequin of capsules whose sizes follow the roles of its joints.
import { linear, mix, sidesOf } from './colours.js';
import { Capsules } from './shapes.js';

// Radius at the joint and at its child as shares of the figure's height, depth over width, and what
// the width lies along: the line between the hips, between the shoulders, or the spine.
const BUILD = {
  spine: [0.074, 0.086, 0.66, 'shoulders'], neck: [0.029, 0.027, 1], clavicle: [0.044, 0.042, 0.9, 'spine'],
  upper_arm: [0.034, 0.026, 1], forearm: [0.026, 0.019, 1], hand: [0.022, 0.016, 1],
  thigh: [0.052, 0.034, 1], shin: [0.034, 0.022, 1], foot: [0.024, 0.022, 1], toe: [0.021, 0.014, 1],
  hip: [0.068, 0.060, 0.92, 'spine'], trunk: [0.084, 0.072, 0.7, 'hips'],
  chest: [0.086, 0.072, 0.66, 'shoulders'],
};

const WHITE = linear('#ffffff');
const GLASS = 0.62, GHOST = 0.16; // opacity of the body; of one whose take has ended

function sideOf(role) {
  return /^(left|right)_/.exec(role ?? '')?.[1] ?? 'middle';
}

function bare(role) {
  return (role ?? 'none').replace(/^(left|right)_/, '');
}

// Height of the figure from the lengths of its bones: the longest way from one leaf to another is
// about 1.6 heights in a body, and says something in any other chain.
function heightOf(joints, lengths) {
  const down = new Float64Array(joints.length);
  let longest = 0;
  for (let j = joints.length - 1; j > 0; j--) {
    const p = joints[j].parent;
    if (p < 0) continue;
    const d = down[j] + lengths[j];
    longest = Math.max(longest, down[p] + d);
    down[p] = Math.max(down[p], d);
  }
  return longest / 1.35 || 1;
}

// Left, right or middle of each joint: its own role's, else that of its parent (toes, fingers, ends).
function tonesOf(joints) {
  const tones = [];
  for (const { role, parent } of joints) {
    tones.push(!bare(role) || bare(role) === 'none' ? tones[parent] ?? 'middle' : sideOf(role));
  }
  return tones;
}

export class Figure {
  // `alone`: there is no other body whose colour it must be told from.
  constructor(take, alone) {
    this.take = take;
    this.alone = alone;
    this.capsules = [];
    this.parts = null; // laid out with the first pose, whose bones have lengths
    const n = take.joints.length;
    if (!n) return;
    this.body = new Capsules(2 * n + 4, { around: 16, rings: 4, glass: GLASS, renderOrder: 10 + take.index });
    this.bones = new Capsules(n, { around: 6, rings: 1, renderOrder: 5 });
    this.dots = new Capsules(n, { around: 8, rings: 2, renderOrder: 5 });
    this.capsules.push(this.bones, this.dots, this.body);
    this.setColour(take.colour);
  }

  setColour(css) {
    if (!this.body) return;
    this.colours = sidesOf(css, this.alone);
    this.pale = {};
    for (const side in this.colours) this.pale[side] = mix(this.colours[side], WHITE, side === 'middle' ? 0.6 : 0.35);
    this.dots.colour = WHITE;
  }

  layOut(p) {
    const { joints } = this.take;
    const lengths = joints.map((j, i) => (j.parent < 0 ? 0
      : Math.hypot(p[3 * i] - p[3 * j.parent], p[3 * i + 1] - p[3 * j.parent + 1], p[3 * i + 2] - p[3 * j.parent + 2])));
    const height = heightOf(joints, lengths);
    if (!(height > 0 && height < 1e3)) return;
    this.height = height;
    const parts = this.parts = [], tones = this.tones = tonesOf(joints);
    joints.forEach((joint, i) => {
      const { parent } = joint;
      if (parent < 0) return;
      const from = bare(joints[parent].role), to = bare(joint.role);
      let build = BUILD[from];
      if (to === 'thigh') build = BUILD.hip;
      else if (from === 'pelvis' && to === 'spine') build = BUILD.trunk;
      else if (from === 'spine' && to === 'clavicle') return; // inside the chest
      else if (from === 'spine' && (to === 'neck' || to === 'head')) build = BUILD.chest;
      else if (from === 'head') return; // drawn as a ball below
      else if (from === 'none' || !build) { // no roles: as thick as it is long, within reason
        const r = Math.min(0.22 * lengths[i], 0.045 * height) / height;
        build = [r, 0.8 * r, 1];
      }
      if (lengths[i] < 1e-4) return;
      // a long bone never gets thicker than a third of its length, so that small limbs stay limbs
      const most = build[3] || joint.end_site ? Infinity : 0.42 * lengths[i] / height;
      const scale = height * Math.min(1, most / build[0]);
      parts.push({ a: parent, b: i, tone: build === BUILD.hip ? 'middle' : tones[i], ra: build[0] * scale, rb: build[1] * scale, depth: build[2], along: build[3], end: build === BUILD.chest ? 0.8 : 1 });
    });
    this.findLines(joints);
    this.head = joints.findIndex((j) => bare(j.role) === 'head');
    this.headEnd = joints.findIndex((j) => j.parent === this.head && this.head >= 0);
    this.headUp = this.headEnd >= 0 && lengths[this.headEnd] > 0.02 * height;
  }

  // Pairs of joints that say which way the body faces, whatever axes its joints have.
  findLines(joints) {
    const find = (role) => joints.findIndex((j) => j.role === role);
    const spine = joints.reduce((last, j, i) => (bare(j.role) === 'spine' ? i : last), -1);
    this.lines = {
      hips: [find('right_thigh'), find('left_thigh')], shoulders: [find('right_upper_arm'), find('left_upper_arm')],
      spine: [find('pelvis'), spine],
    };
    this.sides = { hips: new Float64Array(3), shoulders: new Float64Array(3), spine: new Float64Array(3) };
  }

  // Fill the buffers from the pose. `show`: {body, bones}.
  update(show) {
    const { pose, joints, ended } = this.take;
    if (!this.body) return;
    const p = pose.joints;
    if (!this.parts && pose.record >= 0) this.layOut(p);
    // a take that has ended stands there as a ghost, whatever else is shown of it
    this.body.visible = show.body || ended;
    this.body.opacity = ended ? GHOST : GLASS;
    this.bones.visible = this.dots.visible = show.bones && !ended;
    if (!this.parts) return;
    if (this.body.visible) this.fillBody(p);
    if (this.bones.visible) this.fillBones(p, joints);
  }

  fillBody(p) {
    const { body, lines, sides } = this;
    for (const name in lines) {
      const [from, to] = lines[name];
      for (let k = 0; k < 3; k++) sides[name][k] = from >= 0 && to >= 0 ? p[3 * to + k] - p[3 * from + k] : 0;
    }
    body.clear();
    for (const part of this.parts) {
      const side = sides[part.along];
      body.colour = this.colours[part.tone];
      body.add(p, part.a, part.b, part.ra, part.rb, part.depth, side ? side[0] : 1, side ? side[1] : 0, side ? side[2] : 0, 0, part.end);
    }
    if (this.head >= 0) this.fillHead(p);
    body.flush();
  }

  fillHead(p) {
    const h = this.head, r = 0.050 * this.height;
    this.body.colour = this.colours.middle;
    const parent = this.take.joints[h].parent;
    if (this.headUp) {
      this.body.add(p, h, this.headEnd, 0.82 * r, r, 1, 1, 0, 0, 0.3, 0.68);
    } else if (parent >= 0) { // on, in the direction in which the neck points
      const long = Math.hypot(p[3 * h] - p[3 * parent], p[3 * h + 1] - p[3 * parent + 1], p[3 * h + 2] - p[3 * parent + 2]) || 1;
      this.body.add(p, parent, h, 0.85 * r, r, 1, 1, 0, 0, 1 + 0.4 * r / long, 1 + 1.4 * r / long);
    }
  }

  fillBones(p, joints) {
    const { bones, dots } = this;
    const r = 0.0075 * this.height;
    bones.clear();
    dots.clear();
    for (let j = 0; j < joints.length; j++) {
      const { parent } = joints[j];
      bones.colour = this.pale[this.tones[j]];
      if (parent >= 0) bones.add(p, parent, j, r, 0.35 * r, 1, 1, 0, 0, 0, 1);
      if (!joints[j].end_site) dots.add(p, j, j, 0.8 * r, 0.8 * r, 1, 1, 0, 0);
    }
    bones.flush();
    dots.flush();
  }
}
