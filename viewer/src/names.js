// SPDX-License-Identifier: MIT
// Names beside markers: of the one under the pointer, of the selected one, or of all;
// and of figures that stand side by side.
import { el } from './dom.js';

const spot = new Float64Array(3);

export class Names {
  constructor(eye) {
    this.eye = eye;
    this.root = el('div', { class: 'ug-names', 'aria-hidden': 'true' });
    this.pool = [];
    this.used = 0;
  }

  begin() { this.used = 0; }

  put(text, x, y, z, kind = '', colour = '') {
    if (!(x + y + z < Infinity) || !this.eye.project(spot, x, y, z)) return;
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
    label.style.transform = kind === 'ug-whose'
      ? `translate(${Math.round(spot[0])}px, ${Math.round(spot[1]) - 26}px) translateX(-50%)`
      : `translate(${Math.round(spot[0]) + 11}px, ${Math.round(spot[1]) - 9}px)`;
  }

  end() {
    for (let i = this.used; i < this.pool.length; i++) this.pool[i].style.display = 'none';
  }
}
