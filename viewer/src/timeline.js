// SPDX-License-Identifier: MIT
// The ruler: which stretch of time is on the screen, the playhead, the range that loops.
import { el, fitCanvas, FONT } from './dom.js';

export const GUTTER = 104, MARGIN = 16;
const HEIGHT = 30;

// Frames from one written number to the next: 1, 2, 5, 10 …
export function niceStep(span, most) {
  const rough = span / Math.max(1, most), power = 10 ** Math.floor(Math.log10(Math.max(1e-9, rough)));
  for (const k of [1, 2, 5, 10]) if (k * power >= rough) return Math.max(1, k * power);
  return 10 * power;
}

export class Timeline {
  // `moved()`: the stretch on the screen is another one.
  constructor(clock, moved) {
    this.clock = clock;
    this.moved = moved;
    this.from = 0;
    this.to = Math.max(1, clock.count - 1);
    this.width = 1;
    this.canvas = el('canvas', { class: 'ug-ruler', tabindex: '0', role: 'slider', 'aria-label': 'Timeline' });
    this.head = el('div', { class: 'ug-head', 'aria-hidden': 'true' }, el('span'));
    this.bubble = this.head.firstChild;
    this.canvas.addEventListener('pointerdown', (e) => this.press(e));
    this.canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.canvas.addEventListener('dblclick', () => this.setView(0, clock.count - 1));
    this.canvas.addEventListener('pointermove', (e) => {
      if (!e.buttons) this.canvas.style.cursor = this.handleAt(e.offsetX) >= 0 ? 'ew-resize' : 'pointer';
    });
  }

  x(frame) { return GUTTER + (frame - this.from) / (this.to - this.from) * this.width; }
  frameOf(x) { return this.from + (x - GUTTER) / this.width * (this.to - this.from); }

  setView(from, to) {
    const all = Math.max(1, this.clock.count - 1), least = Math.min(all, 10);
    const span = Math.min(all, Math.max(least, to - from));
    this.from = Math.min(all - span, Math.max(0, from));
    this.to = this.from + span;
    this.draw();
    this.moved();
  }

  // Zoom around the pointer; sideways, or with Shift, along time.
  wheel(e) {
    e.preventDefault();
    const span = this.to - this.from;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      const by = (e.deltaX || e.deltaY) / this.width * span;
      this.setView(this.from + by, this.to + by);
      return;
    }
    const at = this.frameOf(e.offsetX), factor = Math.exp(Math.min(60, Math.max(-60, e.deltaY)) * 0.004);
    const to = at + (this.to - at) * factor, from = at + (this.from - at) * factor;
    this.setView(from, to);
  }

  handleAt(x) {
    const [a, b] = this.clock.range;
    if (!this.clock.ranged) return -1;
    if (Math.abs(this.x(a) - x) < 6) return 0;
    return Math.abs(this.x(b) - x) < 6 ? 1 : -1;
  }

  press(e) {
    if (e.button !== 0) return;
    const handle = this.handleAt(e.offsetX), { clock, canvas } = this;
    const start = this.frameOf(e.offsetX);
    const move = (event) => {
      const frame = this.frameOf(event.offsetX);
      if (e.shiftKey) clock.setRange(start, frame);
      else if (handle < 0) clock.seek(frame);
      else if (handle === 0) clock.setRange(Math.min(frame, clock.range[1]), clock.range[1]);
      else clock.setRange(clock.range[0], Math.max(frame, clock.range[0]));
    };
    this.drag(canvas, e, move);
  }

  drag(target, e, move) {
    target.setPointerCapture(e.pointerId);
    if (!e.shiftKey) move(e);
    const end = () => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', end);
      target.removeEventListener('pointercancel', end);
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', end);
    target.addEventListener('pointercancel', end);
  }

  resize(width) {
    this.total = width;
    this.width = Math.max(10, width - GUTTER - MARGIN);
    this.draw();
    this.update();
  }

  draw() {
    if (!this.total) return;
    const pen = fitCanvas(this.canvas, this.total, HEIGHT), { clock } = this;
    const [low, high] = clock.range;
    pen.font = FONT;
    pen.textBaseline = 'alphabetic';
    pen.save();
    pen.beginPath();
    pen.rect(GUTTER - 1, 0, this.width + MARGIN, HEIGHT);
    pen.clip();
    const a = Math.max(GUTTER, this.x(low)), b = Math.min(GUTTER + this.width, this.x(high));
    pen.fillStyle = '#262d38';
    pen.fillRect(GUTTER, HEIGHT - 7, this.width, 3);
    pen.fillStyle = clock.ranged ? '#6f86a8' : '#3a4454';
    pen.fillRect(a, HEIGHT - 7, Math.max(1, b - a), 3);
    if (clock.ranged) {
      pen.fillStyle = '#a9bbd6';
      for (const f of [low, high]) pen.fillRect(this.x(f) - 1.5, HEIGHT - 12, 3, 12);
    }
    const step = niceStep(this.to - this.from, this.width / 80), minor = step / 5 >= 1 ? step / 5 : step;
    const first = Math.ceil(this.from / minor) * minor;
    for (let n = first; n <= this.to + 1e-9; n += minor) {
      const x = this.x(n), whole = Math.abs(n / step - Math.round(n / step)) < 1e-6;
      pen.fillStyle = whole ? '#566173' : '#343d4b';
      pen.fillRect(Math.round(x), whole ? 14 : 18, 1, whole ? 9 : 5);
      if (!whole) continue;
      pen.fillStyle = '#8d98a9';
      const text = String(n), w = pen.measureText(text).width;
      pen.fillText(text, Math.min(GUTTER + this.width - w + 8, Math.max(GUTTER, x - w / 2)), 11);
    }
    pen.restore();
    pen.fillStyle = '#6b7687';
    pen.textAlign = 'right';
    pen.fillText('frame', GUTTER - 14, 11);
    pen.textAlign = 'left';
    this.update();
  }

  // The playhead alone: this is all that moves while it plays.
  update() {
    const { clock } = this, x = this.x(clock.frame);
    const inside = x >= GUTTER - 1 && x <= GUTTER + this.width + 1;
    this.head.style.display = inside ? '' : 'none';
    if (inside) this.head.style.transform = `translateX(${Math.round(x * 2) / 2}px)`;
    this.bubble.textContent = String(clock.frame);
    // wholly inside the window, whatever the line below it points at
    const half = 3.5 * this.bubble.textContent.length + 8, aside = Math.min(0, this.total - x - half);
    this.bubble.style.marginLeft = `${Number.isFinite(aside) ? aside : 0}px`;
    this.canvas.setAttribute('aria-valuemin', 0);
    this.canvas.setAttribute('aria-valuemax', clock.count - 1);
    this.canvas.setAttribute('aria-valuenow', clock.frame);
    this.canvas.setAttribute('aria-valuetext', `frame ${clock.frame}, ${clock.seconds.toFixed(2)} seconds`);
  }
}
