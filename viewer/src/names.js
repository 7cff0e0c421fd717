// SPDX-License-Identifier: MIT
// Names beside markers: of the one under the pointer, of the selected one, or of all;
// and of figures that stand side by side.
import { el, FONT } from './dom.js';

// Left and top of a name so wide, from its marker: right, left, above, below of it.
const HIGH = 14;
const SIDES = [() => [9, -7], (w) => [-9 - w, -7], (w) => [-w / 2, -22], (w) => [-w / 2, 8]];

const spot = new Float64Array(3);

export class Names {
  constructor(eye) {
    this.eye = eye;
    this.root = el('div', { class: 'ug-names', 'aria-hidden': 'true' });
    this.pool = [];
    this.used = 0;
    this.taken = [];
    this.sides = new Map();
    this.widths = new Map();
  }

  begin() {
    this.used = 0;
    this.taken = []; // boxes of the names that are there: left, top, right, bottom
  }

  // Pixels, as long as the font is that of the style sheet.
  width(text) {
    this.pen ??= document.createElement('canvas').getContext('2d');
    if (!this.widths.has(text)) {
      this.pen.font = FONT;
      this.widths.set(text, Math.ceil(this.pen.measureText(text).width));
    }
    return this.widths.get(text);
  }

  // Beside the spot where nothing stands yet, the side it had before first; null where all are taken.
  room(text, x, y) {
    const w = this.width(text), before = this.sides.get(text) ?? 0;
    for (let k = 0; k < SIDES.length; k++) {
      const side = (before + k) % SIDES.length, left = x + SIDES[side](w)[0], top = y + SIDES[side](w)[1];
      const box = [left, top, left + w, top + HIGH];
      if (this.taken.some((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1])) continue;
      this.sides.set(text, side);
      this.taken.push(box);
      return box;
    }
    return null;
  }

  // Names of figures one over the other where they would overlap: the height that is free.
  stack(text, px, py) {
    const half = 0.62 * this.width(text); // they are larger and bold
    for (;;) {
      const box = [px - half, py - 26, px + half, py - 8];
      const hit = this.taken.find((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1]);
      if (!hit) {
        this.taken.push(box);
        return py;
      }
      py = hit[1] + 7;
    }
  }

  // Names without a kind give way to those that are there already.
  put(text, x, y, z, kind = '', colour = '') {
    if (!(x + y + z < Infinity) || !this.eye.project(spot, x, y, z)) return;
    const px = Math.round(spot[0]);
    let py = Math.round(spot[1]);
    if (kind === 'ug-whose') py = this.stack(text, px, py);
    const box = kind ? null : this.room(text, px, py);
    if (!kind && !box) return;
    let label = this.pool[this.used];
    if (!label) {
      label = el('span');
      this.pool.push(label);
      this.root.append(label);
    }
    this.used++;
    if (label.textContent !== text) label.textContent = text;
    if (label.className !== kind) label.className = kind;
    label.style.display = '';
    label.style.color = colour;
    if (kind && kind !== 'ug-whose') this.taken.push([px + 11, py - 9, px + 27 + this.width(text), py + 9]);
    label.style.transform = kind === 'ug-whose' ? `translate(${px}px, ${py - 26}px) translateX(-50%)`
      : box ? `translate(${box[0]}px, ${box[1] - 2}px)` : `translate(${px + 11}px, ${py - 9}px)`;
  }

  end() {
    for (let i = this.used; i < this.pool.length; i++) this.pool[i].style.display = 'none';
  }
}
