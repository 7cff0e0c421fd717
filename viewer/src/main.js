// SPDX-License-Identifier: MIT
// Mounts the player on <div id="ugoki"> and ties its parts together. viewer/README.md has the contract.
import { openScenes } from './source.js';
import { Take } from './take.js';
import { App } from './app.js';
import { el } from './dom.js';

async function mount(root) {
  root.classList.add('ug');
  const message = root.querySelector('p') ?? root.appendChild(el('p'));
  message.className = 'ug-message';
  message.textContent = 'Loading …';
  try {
    const { manifests, embedded } = await openScenes();
    if (!manifests.length) throw new Error('there is nothing to show');
    let app = null;
    const takes = manifests.map((manifest, i) => new Take(manifest, i, embedded,
      () => app?.arrived(), (error) => app?.failed(error)));
    root.replaceChildren();
    app = new App(root, takes);
    window.ugoki = app.api();
  } catch (error) {
    root.replaceChildren(message);
    message.className = 'ug-message ug-error';
    message.textContent = /WebGL/i.test(error.message)
      ? 'This browser gives the page no WebGL, which it needs to draw: switch on hardware acceleration, or try another browser.'
      : `The page cannot show this: ${error.message}`;
    window.ugoki = { error: error.message };
  }
}

const root = document.getElementById('ugoki');
if (root) mount(root);
