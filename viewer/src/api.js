// SPDX-License-Identifier: MIT
// window.ugoki: what tests, and the curious in the console, may read. Nothing of it changes data.
import { traffic } from './source.js';

export function makeApi(app) {
  const { clock, takes, stage } = app;
  return {
    get frame() { return clock.frame; }, // from 0
    get number() { return clock.sourceNumber; }, // as the source counts
    get playing() { return clock.playing; },
    get loading() { return app.waiting(); },
    get counters() {
      return { draws: stage.draws, bytes: traffic.bytes, requests: traffic.requests, chunks: takes.map((t) => t.records.chunks.size) };
    },
    // Milliseconds from the start of loading to the first picture with a figure in it.
    get firstPaint() { return app.firstPaint; },
    // The same, once the browser had drawn it too; and when WebGL took over, 0 until then.
    get firstSeen() { return app.firstSeen; },
    get firstWebGL() { return app.firstWebGL ?? 0; },
    get withoutWebGL() { return Boolean(app.withoutWebGL); },
    get selected() { return app.selected && { ...app.selected, name: app.selection.title(app.selected) }; },
    get camera() { return { position: [...stage.eye.position], target: [...stage.eye.target] }; },
    get show() { return { ...app.show, apart: app.apart }; },
    get scenes() { return takes.map((t) => ({ name: t.name, frames: t.frameCount, shown: t.shown, colour: t.colour })); },
    manifest: (scene) => takes[scene].manifest,
    // Metres, x y z of each in turn, as read for the frame that is shown; NaN where missing.
    jointPositions: (scene) => Array.from(takes[scene].pose.joints ?? []),
    markerPositions: (scene) => Array.from(takes[scene].pose.markers ?? []),
    // Where a marker is in the window, pixels; null behind the eye or missing.
    markerOnScreen(scene, marker) {
      const place = app.selection.place({ kind: 'marker', scene, index: marker }), out = [0, 0, 0];
      if (!place || !stage.eye.project(out, ...place)) return null;
      const box = stage.canvas.getBoundingClientRect();
      return [out[0] + box.left, out[1] + box.top];
    },
    // Resolves once the frame (from 0) is drawn as it is, not as one near it.
    async seek(frame) {
      clock.play(false);
      clock.seek(frame);
      await Promise.all(takes.filter((t) => t.shown).map((t) => t.records.when(t.recordAt(clock.seconds))));
      app.frameChanged(true);
      stage.draw();
    },
  };
}
