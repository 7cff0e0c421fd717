// SPDX-License-Identifier: MIT
// When a picture is drawn, and by what: at once on a 2-D canvas, then with WebGL as soon as that is
// ready. Draws when asked to, never by itself.
import { el } from './dom.js';
import { Eye } from './eye.js';
import { Sketch } from './sketch.js';

const PIXEL_RATIO_MAX = 2;
const RELIEF_MIN = 0.5; // fewest pixels while playing, of those at rest and along each side
const SMOOTH_MS = 40;

export class Stage {
  constructor() {
    this.canvas = el('canvas', {
      class: 'ug-canvas', tabindex: '0', 'aria-label': 'The motion in space: drag to turn, arrow keys step through frames',
    });
    this.sheet = el('canvas', { class: 'ug-canvas ug-sheet', 'aria-hidden': 'true' });
    this.root = el('div', { class: 'ug-stage' }, this.canvas, this.sheet);
    this.sketch = this.painter = new Sketch(this.sheet);
    this.before = this.after = () => {}; // ahead of each drawing, and behind it
    this.parts = null; // what there is to draw: sketch.js says what it holds
    this.draws = 0;
    this.draw = this.draw.bind(this);
    this.held = true; // an empty picture would only delay the first one that shows something
    this.pending = 0;
    this.relief = 1;
    this.pace = 0; // milliseconds from one played picture to the next, smoothed
    this.wheel = true; // the wheel zooms
    this.eye = new Eye(() => this.invalidate());
  }

  get webgl() { return this.painter !== this.sketch; }

  invalidate() {
    if (!this.pending && !this.held) this.pending = requestAnimationFrame(this.draw);
  }

  // Draw at once: a frame that is played needs no second callback.
  draw() {
    this.held = false;
    this.before(); // may move the eye
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.painter.render(this.parts, this.eye);
    this.draws++;
    this.after();
  }

  // Another one draws from now on, the same picture first. `painter.setSize`, `.render` as sketch.js has them.
  hand(painter) {
    this.painter = painter;
    this.size();
    this.allowWheel(this.wheel);
    if (!this.held) this.draw();
    this.sheet.remove();
  }

  allowWheel(on) {
    this.wheel = on;
    this.painter.allowWheel?.(on);
  }

  // The next picture of one that plays, due after so many milliseconds. Where drawing cannot keep
  // up (without a graphics card), it gets fewer pixels until it can.
  play(dueMs) {
    const now = performance.now(), gap = now - this.played;
    this.played = now;
    if (gap < 500) this.pace += 0.2 * (gap - this.pace);
    if (this.pace > Math.max(SMOOTH_MS, 1.4 * dueMs) && this.relief > RELIEF_MIN) {
      this.relieve(Math.max(RELIEF_MIN, 0.8 * this.relief));
    }
    this.draw();
  }

  // At rest, all pixels.
  rest() {
    this.played = undefined;
    if (this.relief === 1) return;
    this.relieve(1);
    this.invalidate();
  }

  relieve(relief) {
    this.relief = relief;
    this.pace = 0;
    this.size();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.root;
    if (!w || !h || (w === this.eye.width && h === this.eye.height && this.ratio === devicePixelRatio)) return;
    this.ratio = devicePixelRatio;
    this.eye.resize(w, h);
    this.size();
    this.invalidate();
  }

  size() {
    const { width, height } = this.eye;
    if (!width) return;
    // on the 2-D canvas each pixel costs the most
    const ratio = Math.min(devicePixelRatio, this.webgl ? PIXEL_RATIO_MAX : 1) * this.relief;
    this.painter.setSize(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
  }
}
