// SPDX-License-Identifier: MIT
// Time: which frame is shown, and when the next one is. Runs only while it plays.

// Frames are counted from 0, as everywhere in ugoki, in the first scene's timeline;
// every scene is asked for its frame at the same time. `changed()` is called for a new frame,
// `state()` when playing, speed, loop or range changed, `ready(frame)` says whether it is at hand.
export class Clock {
  constructor(scenes, { changed, state, ready }) {
    const main = scenes[0];
    this.rate = main.rate;
    this.sourceFirst = main.sourceFirst;
    this.count = 1;
    for (const s of scenes) {
      const seconds = (s.frameCount - 1) / s.rate;
      this.count = Math.max(this.count, Math.round(seconds * this.rate) + 1);
    }
    this.frame = 0;
    this.playing = false;
    this.stalled = false;
    this.loop = true;
    this.speed = 1;
    this.direction = 1;
    this.range = [0, this.count - 1];
    this.changed = changed;
    this.state = state;
    this.ready = ready;
    this.tick = this.tick.bind(this);
  }

  get seconds() { return this.frame / this.rate; }
  get sourceNumber() { return this.frame + this.sourceFirst; }
  get ranged() { return this.range[0] > 0 || this.range[1] < this.count - 1; }

  seek(frame) {
    const f = Math.min(this.count - 1, Math.max(0, Math.round(frame)));
    if (!Number.isFinite(f)) return;
    this.start();
    if (f === this.frame) return;
    this.frame = f;
    this.changed();
  }

  step(frames) { this.seek(this.frame + frames); }

  play(on = !this.playing) {
    if (on === this.playing) return;
    this.playing = on;
    if (on) {
      if (this.frame >= this.range[1]) this.seek(this.range[0]);
      this.start();
      requestAnimationFrame(this.tick);
    } else {
      this.stalled = false;
    }
    this.state();
  }

  // Count time from here on.
  start() {
    this.startFrame = undefined;
  }

  setSpeed(speed) {
    this.speed = speed;
    this.start();
    this.state();
  }

  setLoop(on) {
    this.loop = on;
    this.state();
  }

  // Both ends included; without arguments the whole take.
  setRange(first = 0, last = this.count - 1) {
    const low = Math.min(this.count - 1, Math.max(0, Math.round(Math.min(first, last))));
    const high = Math.min(this.count - 1, Math.max(0, Math.round(Math.max(first, last))));
    this.range = [low, high];
    this.start();
    this.state();
  }

  tick(now) {
    if (!this.playing) return;
    requestAnimationFrame(this.tick);
    if (this.startFrame === undefined) {
      this.startFrame = this.frame;
      this.startTime = now;
    }
    let next = this.startFrame + Math.floor((now - this.startTime) / 1000 * this.rate * this.speed);
    const [low, high] = this.range;
    if (next > high) {
      if (!this.loop) {
        this.frame = high;
        this.changed();
        this.play(false);
        return;
      }
      // a pass starts anew: what was late in the last one is not made up for
      next = low;
      this.startFrame = low;
      this.startTime = now;
    }
    if (next === this.frame) return;
    const stalled = !this.ready(next);
    if (stalled !== this.stalled) {
      this.stalled = stalled;
      this.state();
    }
    if (stalled) {
      this.start();
      return;
    }
    this.frame = next;
    this.changed();
  }
}
