// SPDX-License-Identifier: MIT
// Mounts the player on <div id="ugoki">. viewer/README.md has the contract.
import { makeApi } from './api.js';
import { App } from './app.js';
import { el } from './dom.js';
import { openScenes } from './source.js';
import { Stage } from './stage3d.js';
import { Take } from './take.js';

function makeStage(root) {
  const antialias = new URLSearchParams(location.search).get('aa') !== '0';
  const canvas = el('canvas', {
    class: 'ug-canvas', tabindex: '0', 'aria-label': 'The motion in space: drag to turn, arrow keys step through frames',
  });
  root.append(el('div', { class: 'ug-stage' }, canvas));
  try {
    return new Stage(canvas, antialias);
  } catch {
    throw new Error('this browser gives it no WebGL, which it needs to draw; switch on hardware acceleration, or try another browser');
  }
}

async function mount(root) {
  root.classList.add('ug');
  root.replaceChildren();
  try {
    const opening = openScenes();
    opening.catch(() => {}); // said below
    const stage = makeStage(root);
    const { manifests, embedded } = await opening;
    if (!manifests.length) throw new Error('there is nothing to show');
    let app = null;
    const takes = manifests.map((manifest, i) => new Take(manifest, i, embedded,
      () => app?.arrived(), (error) => app?.failed(error)));
    app = new App(root, stage, takes);
    window.ugoki = makeApi(app);
  } catch (error) {
    root.replaceChildren(el('p', { class: 'ug-message ug-error', text: `The page cannot show this: ${error.message}.` }));
    window.ugoki = { error: error.message };
  }
}

const root = document.getElementById('ugoki');
if (root) mount(root);
