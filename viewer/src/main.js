// SPDX-License-Identifier: MIT
// Mounts the player on <div id="ugoki">. viewer/README.md has the contract.
import { makeApi } from './api.js';
import { App } from './app.js';
import { el } from './dom.js';
import { openScenes } from './source.js';
import { Stage } from './stage.js';
import { Take } from './take.js';

const turn = () => new Promise((done) => { setTimeout(done); }); // let the page answer in between
// Until the browser has shown what it was given: getting WebGL up would keep it from that.
const painted = () => new Promise((done) => {
  const seen = () => requestAnimationFrame(() => setTimeout(done));
  if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) { seen(); return; }
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntriesByName('first-contentful-paint').length) return;
    observer.disconnect();
    done();
  });
  observer.observe({ type: 'paint', buffered: true });
  setTimeout(seen, 1000); // a page that is not in sight is not painted
});

// WebGL takes over from the sketch, step by step, each of which may take long without a graphics card.
async function upgrade(stage, app) {
  // three.js lies in the page as a text, which may still be on its way; only here is it read
  if (document.readyState === 'loading') await new Promise((done) => { document.addEventListener('DOMContentLoaded', done); });
  const script = el('script');
  script.text = document.getElementById('ugoki-webgl').textContent;
  document.head.append(script);
  script.remove();
  const { WebGL } = window.ugokiWebGL;
  await turn();
  const antialias = new URLSearchParams(location.search).get('aa') !== '0';
  let painter;
  try {
    painter = new WebGL(stage.canvas, stage.parts, stage.eye, { antialias, lost: () => stage.invalidate() });
  } catch {
    app.withoutWebGL = true;
    app.redraw(); // and says so
    return;
  }
  await turn();
  await painter.ready(stage.parts);
  stage.hand(painter);
  app.firstWebGL = performance.now();
}

// Files of the same name come with their folders: those that they share say nothing.
function nameApart(takes) {
  const ways = takes.map((t) => t.path.split('/'));
  let shared = 0;
  while (takes.length > 1 && ways.every((w) => w.length > shared + 1 && w[shared] === ways[0][shared])) shared++;
  takes.forEach((take, i) => { take.name = ways[i].slice(shared).join('/'); });
}

async function mount(root) {
  root.classList.add('ug');
  root.replaceChildren();
  try {
    const { manifests, embedded } = await openScenes();
    if (!manifests.length) throw new Error('there is nothing to show');
    let app = null;
    const takes = manifests.map((manifest, i) => new Take(manifest, i, embedded,
      () => app?.arrived(), (error) => app?.failed(error)));
    nameApart(takes);
    const stage = new Stage();
    root.append(stage.root);
    app = new App(root, stage, takes);
    window.ugoki = makeApi(app);
    await app.first;
    await painted();
    app.firstSeen = performance.now();
    await upgrade(stage, app);
  } catch (error) {
    root.replaceChildren(el('p', { class: 'ug-message ug-error', text: `The page cannot show this: ${error.message}.` }));
    window.ugoki = { error: error.message };
  }
}

const root = document.getElementById('ugoki');
if (root) mount(root);
