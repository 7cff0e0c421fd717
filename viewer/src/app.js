// SPDX-License-Identifier: MIT
// The player: the scenes, what is shown of them, and what happens when frame or choice changes.
import { Clock } from './clock.js';
import { el } from './dom.js';
import { Figure } from './figure.js';
import { Framing } from './framing.js';
import { Grid } from './grid.js';
import { listen, makeHelp } from './keys.js';
import { Lanes } from './lanes.js';
import { Markers, pick } from './markers.js';
import { Names } from './names.js';
import { Overlays } from './overlays.js';
import { Panel } from './panel.js';
import { Selection } from './selection.js';
import { Timeline } from './timeline.js';
import { Transport } from './transport.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class App {
  constructor(root, stage, takes) {
    this.root = root;
    this.stage = stage;
    this.eye = stage.eye;
    this.canvas = stage.canvas;
    this.stageBox = stage.root;
    // resolves with the first picture that has a figure in it
    this.first = new Promise((done) => { this.firstDone = done; });
    this.takes = takes;
    this.active = 0;
    this.apart = false;
    this.selected = null; // {kind: 'marker' | 'joint', scene, index}
    this.hovered = null;
    const onlyMarkers = !takes.some((t) => t.hasMotion);
    this.show = {
      body: true, bones: !onlyMarkers, markers: true, contacts: true, residuals: false, residualScale: 10,
      axes: false, trails: true, labels: false, follow: false,
    };
    stage.before = () => this.fill();
    stage.after = () => this.drawn();
    this.names = new Names(stage.eye);
    this.grid = new Grid();
    this.clock = new Clock(takes, {
      changed: () => this.frameChanged(), state: () => this.stateChanged(), ready: (frame) => this.ready(frame),
    });
    this.makeParts();
    this.views = takes.map((take) => this.makeView(take));
    stage.parts = { views: this.views, grid: this.grid };
    this.framing = new Framing(stage.eye, this.grid, this.views);
    this.selection = new Selection(this.views, this.names, this.panel);
    this.framing.place(false);
    this.resize();
    this.framing.all('free');
    this.frameChanged(true);
    this.lanes.open(takes[0]);
    new ResizeObserver(() => this.resize()).observe(root);
  }

  makeParts() {
    const { clock, stageBox } = this;
    this.transport = new Transport(clock, this.takes[0].rateKnown);
    this.timeline = new Timeline(clock, () => this.lanes.draw());
    this.lanes = new Lanes(this.timeline, clock, (m) => this.select({ kind: 'marker', scene: this.active, index: m }));
    this.panel = new Panel(this);
    this.helpPage = makeHelp();
    this.note = el('p', { class: 'ug-note', role: 'alert', hidden: true });
    stageBox.append(this.names.root, this.panel.left, this.panel.right, this.panel.info, this.panel.legend, this.note);
    this.dock = el('div', { class: 'ug-dock' }, this.transport.root,
      el('div', { class: 'ug-tracks' }, this.timeline.canvas, this.lanes.root, this.lanes.more, this.timeline.head), this.lanes.tip);
    this.root.append(this.dock, this.helpPage);
    // a page of its own has the keyboard to itself; in a report the player must have been clicked
    const alone = document.documentElement.classList.contains('ug-page');
    listen(alone ? document : this.root, this);
    if (!alone) {
      const inside = () => { this.stage.allowWheel(this.root.contains(document.activeElement)); };
      this.root.addEventListener('focusin', inside);
      this.root.addEventListener('focusout', () => setTimeout(inside));
      inside();
    }
    this.listenToPointer();
  }

  listenToPointer() {
    const { canvas } = this;
    let down = null;
    canvas.addEventListener('pointerdown', (e) => {
      canvas.focus({ preventScroll: true });
      down = [e.offsetX, e.offsetY];
      this.hover(null);
    });
    canvas.addEventListener('pointermove', (e) => { if (!e.buttons) this.hover(this.pick(e)); });
    canvas.addEventListener('pointerleave', () => this.hover(null));
    canvas.addEventListener('pointerup', (e) => {
      if (!down || e.button !== 0 || Math.hypot(e.offsetX - down[0], e.offsetY - down[1]) > 4) return;
      this.select(this.pick(e));
    });
  }

  pick(e) { return pick(this.stage.eye, e.offsetX, e.offsetY, this.views, this.show); }

  makeView(take) {
    const figure = new Figure(take, this.takes.length === 1), markers = new Markers(take), overlays = new Overlays(take);
    return {
      take, figure, markers, overlays, offset: [0, 0, 0], visible: false,
      capsules: [...figure.capsules, ...markers.capsules], strokes: overlays.strokes, discs: overlays.discs,
    };
  }

  // ---- what changes with the frame

  ready(frame) {
    const seconds = frame / this.clock.rate;
    return this.takes.every((t) => {
      if (!t.shown) return true;
      const r = t.recordAt(seconds);
      t.records.want(r, 1);
      return t.records.has(r);
    });
  }

  frameChanged(force = false) {
    const { clock } = this;
    const direction = clock.frame >= (this.lastFrame ?? 0) ? 1 : -1;
    this.lastFrame = clock.frame;
    let changed = force;
    for (const take of this.takes) if (take.shown && take.show(clock.seconds, direction)) changed = true;
    this.transport.update();
    this.timeline.update();
    this.transport.waiting(this.waiting());
    if (!changed) return;
    this.dirty = true;
    const first = this.stage.held && this.takes.every((t) => !t.shown || t.pose.record >= 0);
    if (clock.playing) this.stage.play(1000 / (clock.rate * clock.speed));
    else if (first) this.stage.draw();
    else this.stage.invalidate();
  }

  // What is odd about what is shown, in a line under the picture; empty when nothing is.
  oddity() {
    const empty = this.takes.filter((t) => t.shown && t.pose.record >= 0 && t.nowhere);
    if (empty.length) return `${empty.map((t) => t.name).join(', ')}: ${empty[0].nowhere}`;
    const ended = this.takes.filter((t) => t.shown && t.ended);
    if (!ended.length && this.withoutWebGL) return 'This browser gives the page no WebGL: it is drawn without, slowly, and turned by key. Hardware acceleration, or another browser, helps.';
    return ended.map((t) => `${t.name} has ended: its last frame, ${t.frameCount - 1}, stays as a shadow`).join('; ');
  }

  waiting() { return this.takes.some((t) => t.shown && !t.exact); }

  arrived() {
    this.note.hidden = true;
    if (this.waiting() || (this.selected && this.show.trails)) this.frameChanged(true);
  }

  failed(error) {
    this.say(`No frames: ${error.message}. Is ugoki view still running?`);
    this.clock.play(false);
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = false;
  }

  stateChanged() {
    if (!this.clock.playing) this.stage.rest();
    this.transport.state();
    this.timeline.draw();
    this.transport.waiting(this.clock.stalled || this.waiting());
  }

  // Ahead of a drawing: poses into buffers, once for each change.
  fill() {
    if (!this.dirty) return;
    this.dirty = false;
    if (!this.started && this.takes.every((t) => !t.shown || t.pose.record >= 0)) {
      this.started = true;
      this.framing.start(this.show, false);
      this.panel.update();
    }
    this.framing.follow(this.show.follow);
    const { show, selected, hovered, clock } = this;
    for (const view of this.views) {
      view.visible = view.take.shown && view.take.pose.record >= 0;
      if (!view.visible) continue;
      const { take } = view, scene = take.index;
      view.figure.update(show);
      for (const c of view.markers.capsules) c.visible = show.markers && take.ownMarkers && (!take.ended || !take.hasMotion);
      view.markers.update(selected?.kind === 'marker' && selected.scene === scene ? selected.index : -1,
        hovered?.kind === 'marker' && hovered.scene === scene ? hovered.index : -1);
      view.overlays.update(show, clock.seconds, selected?.scene === scene ? selected : null);
    }
    this.selection.describe(this.selected);
  }

  drawn() {
    if (this.started && !this.firstPaint) {
      this.firstPaint = performance.now();
      this.firstDone();
    }
    this.selection.name(this.show, this.selected, this.hovered, this.apart);
    this.panel.odd(this.oddity());
  }

  redraw() {
    this.dirty = true;
    this.stage.invalidate();
  }

  frameAll() { this.framing.all(); }
  frameSelected() { this.framing.selected(this.selection.place(this.selected)); }
  view(name) { this.stage.eye.look(name); }

  // ---- choices

  setApart(on) {
    if (this.takes.length < 2) return;
    this.apart = on;
    this.framing.start(this.show, on);
    this.changedChoice();
  }

  changedChoice() {
    this.panel.update();
    this.frameChanged(true);
  }

  toggle(key) {
    this.show[key] = !this.show[key];
    this.changedChoice();
  }

  setShown(i, on) {
    this.takes[i].shown = on;
    this.changedChoice();
  }

  showAll() {
    for (const take of this.takes) take.shown = true;
    this.changedChoice();
  }

  setColour(i, css) {
    this.takes[i].colour = css;
    this.views[i].figure.setColour(css);
    this.panel.update();
    this.redraw();
  }

  setResidualScale(scale) {
    this.show.residualScale = scale;
    this.redraw();
  }

  activate(i) {
    this.active = i;
    this.lanes.selected = this.selected?.kind === 'marker' && this.selected.scene === i ? this.selected.index : -1;
    this.lanes.open(this.takes[i]);
    this.panel.update();
    this.resize();
  }

  changeSpeed(by) {
    const i = SPEEDS.indexOf(this.clock.speed) + by;
    if (SPEEDS[i]) this.clock.setSpeed(SPEEDS[i]);
  }

  nextGap(direction) {
    const take = this.takes[this.active], { clock, selected } = this;
    const only = selected?.kind === 'marker' && selected.scene === this.active ? selected.index : -1;
    let best = Infinity;
    for (const [marker, first] of take.lanes) {
      const f = Math.round(first / take.rate * clock.rate), d = (f - clock.frame) * direction;
      if ((only < 0 || marker === only) && d > 0 && d < best) best = d;
    }
    if (best < Infinity) clock.step(best * direction);
  }

  help() { this.helpPage.showModal(); }

  // ---- selecting

  hover(hit) {
    const same = hit?.kind === this.hovered?.kind && hit?.index === this.hovered?.index && hit?.scene === this.hovered?.scene;
    if (same) return;
    this.hovered = hit;
    this.canvas.style.cursor = hit ? 'pointer' : '';
    this.redraw();
  }

  select(hit) {
    this.selected = hit && { kind: hit.kind, scene: hit.scene, index: hit.index };
    if (hit && hit.scene !== this.active) this.activate(hit.scene);
    this.lanes.select(hit?.kind === 'marker' ? hit.index : -1);
    this.resize();
    this.redraw();
  }

  selectNothing() { this.select(null); }

  // ---- size

  resize() {
    this.stage.resize();
    const width = this.root.clientWidth;
    if (width && (width !== this.timeline.total || devicePixelRatio !== this.ratio)) {
      this.ratio = devicePixelRatio;
      this.timeline.resize(width);
    }
    this.lanes.draw();
  }
}
