// SPDX-License-Identifier: MIT
// Records to arrays that are made once and filled again for each frame.

const MISSING = -32768;
const BYTES = { f32: 4, i16: 2, u8: 1 };

function size(shape) {
  return shape.reduce((product, n) => product * n, 1);
}

// What is shown of a scene in one frame. `record` is -1 until there is one.
export class Pose {
  constructor(manifest) {
    this.fields = manifest.fields;
    this.record = -1;
    this.markers = this.joints = this.turns = this.origin = this.outcome = null;
    for (const field of this.fields) {
      if (!BYTES[field.type]) throw new Error(`field ${field.name} has the unknown type ${field.type}`);
      const n = size(field.shape);
      this[field.name] = field.type === 'u8' ? new Uint8Array(n) : new Float32Array(n);
    }
  }

  // Fill from record `r` of `records`, which has it at hand.
  read(records, r) {
    const view = records.chunkOf(r), start = records.offsetOf(r);
    for (const field of this.fields) readField(this[field.name], view, start + field.offset, field);
    this.record = r;
  }
}

function readField(out, view, start, field) {
  const n = out.length;
  if (field.type === 'f32') {
    for (let i = 0; i < n; i++) out[i] = view.getFloat32(start + 4 * i, true);
  } else if (field.type === 'u8') {
    for (let i = 0; i < n; i++) out[i] = view.getUint8(start + i);
  } else {
    const last = field.shape[field.shape.length - 1], { scale, origin } = field;
    for (let i = 0; i < n; i++) {
      const stored = view.getInt16(start + 2 * i, true);
      out[i] = stored === MISSING ? NaN : scale * stored + (origin ? origin[i % last] ?? 0 : 0);
    }
  }
}

// One point of a field into out[at..at+2], without the rest of the record; NaN where not at hand.
export function readPoint(out, at, records, field, r, point) {
  if (!field || !records.has(r)) {
    out[at] = out[at + 1] = out[at + 2] = NaN;
    return;
  }
  const view = records.chunkOf(r);
  const start = records.offsetOf(r) + field.offset + 3 * point * BYTES[field.type];
  for (let k = 0; k < 3; k++) {
    if (field.type === 'f32') {
      out[at + k] = view.getFloat32(start + 4 * k, true);
    } else {
      const stored = view.getInt16(start + 2 * k, true);
      out[at + k] = stored === MISSING ? NaN : field.scale * stored + (field.origin?.[k] ?? 0);
    }
  }
}

// Origin bits, and the one thing to say about a sample: what is last done to it counts most.
export const ORIGIN = { present: 1, measured: 2, computed: 4, filled: 8, repaired: 16, filtered: 32, edited: 64 };
export const CLASSES = ['missing', 'filled', 'repaired', 'edited', 'computed', 'measured'];
export const MEASURED = 5;

export function classOf(bits) {
  if (!(bits & ORIGIN.present)) return 0;
  if (bits & ORIGIN.edited) return 3;
  if (bits & ORIGIN.repaired) return 2;
  if (bits & ORIGIN.filled) return 1;
  return bits & ORIGIN.computed ? 4 : MEASURED;
}
