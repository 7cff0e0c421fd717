// SPDX-License-Identifier: MIT
// Under the timeline: what happened to which marker when, how well each frame was solved, and when
// feet touched. Of one scene, the chosen one. Only the rows in sight are drawn.
import { el, fitCanvas, FONT } from './dom.js';
import { GUTTER, MARGIN } from './timeline.js';
import { CLASS_COLOURS, CONTACT_COLOURS, OUTCOME_COLOURS, OUTCOMES, SPIKE } from './colours.js';
import { CLASSES } from './decode.js';

const BASE = '#323b48', TEXT = '#98a3b3';
const ROW = 13;

export class Lanes {
  // `chosen(marker)`: a row was clicked.
  constructor(timeline, clock, chosen) {
    this.timeline = timeline;
    this.clock = clock;
    this.chosen = chosen;
    this.canvas = el('canvas', { role: 'img', 'aria-label': 'Gap lanes: click to go to a frame' });
    this.spacer = el('div', { class: 'ug-lanes-all' }, this.canvas);
    this.tip = el('div', { class: 'ug-tip', hidden: true });
    this.root = el('div', { class: 'ug-lanes', tabindex: '-1' }, this.spacer);
    this.more = el('div', { class: 'ug-more', 'aria-hidden': 'true', hidden: true });
    this.rows = [];
    this.selected = -1;
    this.root.addEventListener('scroll', () => this.draw());
    this.canvas.addEventListener('pointerdown', (e) => this.press(e));
    this.canvas.addEventListener('pointermove', (e) => this.hover(e));
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.canvas.addEventListener('wheel', (e) => { if (e.ctrlKey || e.shiftKey || e.deltaX) timeline.wheel(e); }, { passive: false });
  }

  // Rows of another scene.
  open(take) {
    this.take = take;
    this.byMarker = new Map();
    for (const lane of take.lanes) {
      if (!this.byMarker.has(lane[0])) this.byMarker.set(lane[0], []);
      this.byMarker.get(lane[0]).push(lane);
    }
    this.spikesOf = new Map();
    for (const spike of take.spikes) {
      if (!this.spikesOf.has(spike[0])) this.spikesOf.set(spike[0], []);
      this.spikesOf.get(spike[0]).push(spike);
    }
    this.layOut();
  }

  layOut() {
    const { take } = this, rows = this.rows = [];
    const worst = take.manifest.frame_rms_mm?.max?.reduce((w, v) => Math.max(w, v ?? -1), -1) ?? -1;
    if (worst >= 0) rows.push({ type: 'rms', label: `rms ≤ ${worst.toFixed(worst < 10 ? 1 : 0)} mm`, worst, height: 32 });
    if (take.outcomes.length) rows.push({ type: 'outcome', label: 'outcome', height: ROW });
    for (const point of new Set(take.contacts.map((c) => c.point))) {
      rows.push({ type: 'contact', label: point.replace('_', ' '), point, height: ROW });
    }
    take.markers.forEach((marker, m) => {
      if (this.byMarker.has(m) || this.spikesOf.has(m) || m === this.selected) {
        rows.push({ type: 'marker', label: marker.label || `point ${m + 1}`, marker: m, height: ROW });
      }
    });
    let y = 4;
    for (const row of rows) {
      row.y = y;
      y += row.height;
    }
    this.height = rows.length ? y + 4 : 0;
    this.spacer.style.height = `${this.height}px`;
    this.root.hidden = this.height === 0;
    this.draw();
  }

  select(marker) {
    if (marker === this.selected) return;
    this.selected = marker;
    if (!this.take) return;
    this.layOut();
    const row = this.rows.find((r) => r.marker === marker);
    if (!row) return;
    const { scrollTop, clientHeight } = this.root;
    if (row.y < scrollTop || row.y + ROW > scrollTop + clientHeight) this.root.scrollTop = row.y - clientHeight / 2;
  }

  // The take's frame to the clock's: scenes may have other rates.
  x(frame) { return this.timeline.x(frame / this.take.rate * this.clock.rate); }

  draw() {
    const height = Math.min(this.root.clientHeight, this.height), width = this.timeline.total;
    if (!width || !height || !this.take) return;
    this.canvas.style.height = `${height}px`;
    this.cue(height);
    const pen = this.pen = fitCanvas(this.canvas, width, height), top = this.root.scrollTop;
    pen.font = FONT;
    pen.textBaseline = 'middle';
    for (const row of this.rows) {
      const y = row.y - top;
      if (y + row.height < 0 || y > height) continue;
      this.drawLabel(row, y);
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER, y, this.timeline.width + 1, row.height);
      pen.clip();
      this[row.type](row, y);
      pen.restore();
    }
  }

  // That there are rows below, and how many.
  cue(height) {
    const below = this.rows.filter((r) => r.y + r.height / 2 > this.root.scrollTop + height).length;
    this.more.hidden = below === 0;
    this.more.textContent = `${below} more below`;
  }

  drawLabel(row, y) {
    const { pen } = this, chosen = row.type === 'marker' && row.marker === this.selected;
    if (chosen) {
      pen.fillStyle = '#2a3342';
      pen.fillRect(0, y, this.timeline.total - MARGIN, row.height);
    }
    pen.fillStyle = chosen ? '#ffffff' : TEXT;
    pen.textAlign = 'right';
    let text = row.label;
    while (text.length > 3 && pen.measureText(text).width > GUTTER - 24) text = `${text.slice(0, -2)}…`;
    pen.fillText(text, GUTTER - 14, y + row.height / 2 + 0.5);
    pen.textAlign = 'left';
  }

  bar(first, end, y, height, colour) {
    const a = this.x(first), b = this.x(end);
    if (b < GUTTER || a > GUTTER + this.timeline.width) return;
    this.pen.fillStyle = colour;
    this.pen.fillRect(a, y, Math.max(1.5, b - a), height);
  }

  marker(row, y) {
    this.bar(0, this.take.frameCount, y + 5, 3, BASE);
    for (const [, first, end, kind] of this.byMarker.get(row.marker) ?? []) {
      this.bar(first, end, y + 2, ROW - 4, CLASS_COLOURS[kind] ?? BASE);
    }
    for (const [, frame] of this.spikesOf.get(row.marker) ?? []) this.spike(frame, y);
  }

  spike(frame, y) {
    const { pen } = this, x = this.x(frame);
    pen.fillStyle = SPIKE;
    pen.beginPath();
    pen.moveTo(x, y + 2);
    pen.lineTo(x + 3.5, y + ROW - 2);
    pen.lineTo(x - 3.5, y + ROW - 2);
    pen.fill();
  }

  outcome(row, y) {
    this.bar(0, this.take.frameCount, y + 5, 3, BASE);
    for (const [first, end, code] of this.take.outcomes) this.bar(first, end, y + 2, ROW - 4, OUTCOME_COLOURS[code] ?? BASE);
  }

  contact(row, y) {
    this.bar(0, this.take.frameCount, y + 6, 1, BASE);
    for (const c of this.take.contacts) {
      if (c.point !== row.point) continue;
      const colour = c.accepted ? CONTACT_COLOURS[c.kind] : CONTACT_COLOURS.refused;
      const planted = c.kind === 'planted';
      this.bar(c.start_s * this.take.rate, c.end_s * this.take.rate, y + (planted ? 3 : 5), planted ? ROW - 6 : 3, colour);
    }
  }

  rms(row, y) {
    const { bin_frames: bin, max } = this.take.manifest.frame_rms_mm, { pen } = this;
    const { from, to } = this.timeline, factor = this.take.rate / this.clock.rate;
    const low = Math.max(0, Math.floor(from * factor / bin) - 1);
    const high = Math.min(max.length - 1, Math.ceil(to * factor / bin) + 1);
    const worst = row.worst || 1, h = row.height - 6, base = y + row.height - 3;
    pen.fillStyle = '#3c5475';
    pen.strokeStyle = '#7fa8d9';
    pen.lineWidth = 1;
    // the worst of each column of pixels
    const columns = new Float32Array(Math.ceil(this.timeline.width) + 1).fill(-1);
    for (let i = low; i <= high; i++) {
      if (max[i] === null) continue;
      const a = Math.max(0, Math.floor(this.x(i * bin) - GUTTER));
      const b = Math.min(columns.length - 1, Math.max(a, Math.ceil(this.x((i + 1) * bin) - GUTTER) - 1));
      for (let c = a; c <= b; c++) columns[c] = Math.max(columns[c], max[i]);
    }
    columns.forEach((v, c) => { if (v >= 0) pen.fillRect(GUTTER + c, base - v / worst * h, 1, v / worst * h); });
    pen.beginPath();
    let open = false;
    columns.forEach((v, c) => {
      if (v < 0) { open = false; return; }
      pen[open ? 'lineTo' : 'moveTo'](GUTTER + c + 0.5, base - v / worst * h);
      open = true;
    });
    pen.stroke();
  }

  rowAt(offsetY) {
    const y = offsetY + this.root.scrollTop;
    return this.rows.find((r) => y >= r.y && y < r.y + r.height);
  }

  press(e) {
    if (e.button !== 0) return;
    const row = this.rowAt(e.offsetY);
    if (row?.type === 'marker') this.chosen(row.marker);
    if (e.offsetX < GUTTER - 4) return;
    this.timeline.drag(this.canvas, e, (event) => this.clock.seek(this.timeline.frameOf(event.offsetX)));
  }

  hover(e) {
    const text = this.describe(this.rowAt(e.offsetY), this.timeline.frameOf(e.offsetX));
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    const box = this.canvas.getBoundingClientRect(), parent = this.tip.offsetParent?.getBoundingClientRect() ?? box;
    const x = Math.min(e.clientX - parent.left + 12, parent.width - this.tip.offsetWidth - 8);
    this.tip.style.transform = `translate(${x}px, ${e.clientY - parent.top - 34}px)`;
  }

  describe(row, clockFrame) {
    if (!row || clockFrame < 0) return '';
    const { take } = this, frame = Math.floor(clockFrame / this.clock.rate * take.rate + 1e-6);
    const near = Math.max(0.5, 3 / this.timeline.width * (this.timeline.to - this.timeline.from));
    const within = ([a, b]) => frame >= a - near && frame < b + near;
    if (row.type === 'marker') {
      const spike = this.spikesOf.get(row.marker)?.find(([, f]) => Math.abs(f - frame) <= near);
      if (spike) return `${row.label}: spike of ${spike[2].toFixed(0)} mm at ${spike[1]}`;
      const lane = this.byMarker.get(row.marker)?.find((l) => within([l[1], l[2]]));
      return lane ? `${row.label}: ${CLASSES[lane[3]]}, ${lane[1]} to ${lane[2] - 1}` : '';
    }
    if (row.type === 'outcome') {
      const run = take.outcomes.find(within);
      return run ? `${OUTCOMES[run[2]] ?? 'unknown'}, ${run[0]} to ${run[1] - 1}` : '';
    }
    if (row.type === 'contact') {
      const c = take.contacts.find((k) => k.point === row.point && within([k.start_s * take.rate, k.end_s * take.rate]));
      return c ? `${row.label} ${c.kind}, ${c.start_s.toFixed(2)} to ${c.end_s.toFixed(2)} s${c.accepted ? '' : `, refused: ${c.reason}`}` : '';
    }
    const { bin_frames: bin, max } = take.manifest.frame_rms_mm, v = max[Math.floor(frame / bin)];
    return v === null || v === undefined ? '' : `rms ${v.toFixed(2)} mm at ${frame}`;
  }
}
