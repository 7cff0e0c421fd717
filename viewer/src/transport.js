// SPDX-License-Identifier: MIT
// The row of buttons above the ruler: play, step, frame, seconds, speed, loop and range.
import { button, el, icon } from './dom.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

function rateText(rate) {
  return Number(rate.toFixed(3)).toString();
}

export class Transport {
  constructor(clock, rateKnown) {
    this.clock = clock;
    this.play = button('Play', icon('play'), () => clock.play(), { class: 'ug-play' });
    this.frame = el('input', {
      class: 'ug-frame', 'aria-label': 'Frame', title: 'Frame, counted from 0; type a number to go there',
      inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false',
      onchange: () => this.go(), onfocus: () => this.frame.select(),
      onkeydown: (e) => { if (e.key === 'Enter') this.frame.blur(); if (e.key === 'Escape') { this.update(); this.frame.blur(); } },
    });
    this.total = el('span', { class: 'ug-dim', text: `/ ${clock.count - 1}` });
    this.source = el('span', { class: 'ug-dim', hidden: clock.sourceFirst === 0, title: 'The same frame in the source\'s own counting' });
    this.seconds = el('span', { class: 'ug-seconds' });
    this.speed = el('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => clock.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((s) => el('option', { value: s, text: `${s}×`, selected: s === 1 })));
    this.loop = button('Loop', icon('loop'), () => clock.setLoop(!clock.loop), { 'aria-pressed': 'true' });
    this.in = button('Loop from here (I)', 'In', () => clock.setRange(clock.frame, Math.max(clock.frame, clock.range[1])), { class: 'ug-word' });
    this.out = button('Loop to here (O)', 'Out', () => clock.setRange(Math.min(clock.frame, clock.range[0]), clock.frame), { class: 'ug-word' });
    this.range = button('Whole take again (Backspace)', '', () => clock.setRange(), { class: 'ug-word ug-range', hidden: true });
    this.wait = el('span', { class: 'ug-wait', role: 'status', hidden: true, text: 'loading' });
    this.root = el('div', { class: 'ug-transport', role: 'toolbar', 'aria-label': 'Playback' },
      el('div', { class: 'ug-group' },
        button('First frame (Home of the range)', icon('first'), () => clock.seek(clock.range[0])),
        button('One frame back (Left)', icon('back'), () => clock.step(-1)),
        this.play,
        button('One frame on (Right)', icon('next'), () => clock.step(1)),
        button('Last frame', icon('last'), () => clock.seek(clock.range[1]))),
      el('div', { class: 'ug-group ug-count' }, this.frame, this.total, this.source),
      this.seconds,
      el('span', { class: 'ug-dim', text: rateKnown ? `${rateText(clock.rate)} fps` : 'rate unknown' }),
      this.wait,
      el('span', { class: 'ug-gap' }),
      el('div', { class: 'ug-group' }, this.in, this.out, this.range),
      this.speed, this.loop);
    this.state();
    this.update();
  }

  go() {
    const n = Number.parseFloat(this.frame.value);
    if (Number.isFinite(n)) this.clock.seek(n);
    this.update(true);
  }

  update(force = false) {
    if (force || document.activeElement !== this.frame || this.clock.playing) this.frame.value = String(this.clock.frame);
    if (!this.source.hidden) this.source.textContent = `source ${this.clock.sourceNumber}`;
    const all = (this.clock.count - 1) / this.clock.rate;
    this.seconds.textContent = `${this.clock.seconds.toFixed(2)} s`;
    this.seconds.title = `of ${all.toFixed(2)} s`;
  }

  // What does not change with every frame.
  state() {
    const { clock } = this, playing = clock.playing;
    if (this.shown !== playing) {
      this.shown = playing;
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      this.play.title = playing ? 'Pause (Space)' : 'Play (Space)';
      this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    }
    this.loop.setAttribute('aria-pressed', String(clock.loop));
    this.range.hidden = !clock.ranged;
    this.range.textContent = `${clock.range[0]}–${clock.range[1]} ×`;
    const speed = String(clock.speed);
    if (this.speed.value !== speed) this.speed.value = speed;
    this.frame.style.width = `${String(clock.count).length + 2.5}ch`;
  }

  waiting(on) { this.wait.hidden = !on; }
}
