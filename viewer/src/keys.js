// SPDX-License-Identifier: MIT
// The keyboard, as in Blender where Blender has the thing, and the page that lists it.
import { button, el } from './dom.js';

const LIST = [
  ['Time', [
    ['Space', 'play, pause'], ['← →', 'one frame'], ['Shift ← →', 'first, last frame'],
    ['↑ ↓', 'ten frames on, back'], ['Shift ↑ ↓', 'one second on, back'], ['I  O', 'loop from, to here'],
    ['Backspace', 'whole take again'], ['− +', 'slower, faster'], ['[ ]', 'last, next gap'],
  ]],
  ['View', [
    ['1  Ctrl 1', 'front, back'], ['3  Ctrl 3', 'right, left: from +x, −x'], ['7  Ctrl 7', 'above, below'], ['9', 'the other side'], ['0', 'three-quarter'],
    ['4 6 8 2', 'turn'], ['Home', 'frame all'], ['.', 'frame what is selected'], ['F', 'follow the figure'],
  ]],
  ['Show', [
    ['M', 'mannequin'], ['B', 'bones'], ['K', 'markers'], ['C', 'contacts'], ['R', 'residuals'], ['X', 'joint axes'],
    ['T', 'trail'], ['L', 'names'], ['S', 'side by side'], ['A  Alt A', 'all scenes; select nothing'], ['H  Alt H', 'hide the active scene; show all'],
  ]],
];
const MOUSE = 'Drag turns, right drag or Shift drag moves, the wheel zooms. On the ruler: drag scrubs, Shift drag sets the range, the wheel zooms time.';

// What a key does; `app` is main.js's. Numpad and digits do the same.
function action(app, e) {
  const { clock } = app, key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const digit = /^(?:Numpad|Digit)(\d)$/.exec(e.code)?.[1];
  if (e.code === 'NumpadDecimal') return () => app.frameSelected();
  if (digit && !e.altKey && !e.shiftKey) {
    const opposite = e.ctrlKey || e.metaKey, step = Math.PI / 12;
    const views = {
      0: 'free', 1: opposite ? 'back' : 'front', 3: opposite ? 'left' : 'right', 7: opposite ? 'bottom' : 'top',
    };
    if (views[digit]) return () => app.view(views[digit]);
    if (digit === '9') return () => app.eye.opposite();
    const turns = { 4: [-step, 0], 6: [step, 0], 8: [0, -step], 2: [0, step] };
    return turns[digit] && !opposite ? () => app.eye.orbit(...turns[digit]) : null;
  }
  if (e.ctrlKey || e.metaKey) return null;
  if (e.altKey) return { KeyA: () => app.selectNothing(), KeyH: () => app.showAll() }[e.code] ?? null;
  const second = Math.round(clock.rate);
  const plain = {
    ' ': () => clock.play(),
    ArrowLeft: () => (e.shiftKey ? clock.seek(clock.range[0]) : clock.step(-1)),
    ArrowRight: () => (e.shiftKey ? clock.seek(clock.range[1]) : clock.step(1)),
    ArrowUp: () => clock.step(e.shiftKey ? second : 10),
    ArrowDown: () => clock.step(e.shiftKey ? -second : -10),
    Home: () => app.frameAll(),
    '.': () => app.frameSelected(),
    i: () => clock.setRange(clock.frame, Math.max(clock.frame, clock.range[1])),
    o: () => clock.setRange(Math.min(clock.frame, clock.range[0]), clock.frame),
    Backspace: () => clock.setRange(),
    '-': () => app.changeSpeed(-1), '+': () => app.changeSpeed(1), '=': () => app.changeSpeed(1),
    '[': () => app.nextGap(-1), ']': () => app.nextGap(1),
    m: () => app.toggle('body'), b: () => app.toggle('bones'), k: () => app.toggle('markers'),
    c: () => app.toggle('contacts'), r: () => app.toggle('residuals'), x: () => app.toggle('axes'),
    t: () => app.toggle('trails'), l: () => app.toggle('labels'), f: () => app.toggle('follow'),
    s: () => app.setApart(!app.apart), a: () => app.showAll(), h: () => app.setShown(app.active, !app.takes[app.active].shown),
    '?': () => app.help(),
  };
  return Object.hasOwn(plain, key) ? plain[key] : null;
}

// Listen on `target`: the document where the page is ours, else the player itself.
export function listen(target, app) {
  target.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.isComposing) return;
    if (e.target.matches?.('input:not([type=color]), select, textarea')) return;
    if (app.helpPage.open) return; // closes itself
    const act = action(app, e);
    if (!act) return;
    e.preventDefault(); // Space would press the button that has the focus
    act();
  });
  target.addEventListener('keyup', (e) => {
    if (e.key === ' ' && e.target.matches?.('.ug button')) e.preventDefault();
  });
}

export function makeHelp() {
  const page = el('dialog', { class: 'ug-help', 'aria-label': 'Keys' },
    el('div', { class: 'ug-columns' }, ...LIST.map(([title, keys]) => el('section', {}, el('h2', { text: title }),
      el('dl', {}, ...keys.flatMap(([k, what]) => [el('dt', {}, ...k.split('  ').map((part) => el('kbd', { text: part }))), el('dd', { text: what })]))))),
    el('p', { text: MOUSE }),
    button('Close', 'Close', () => page.close(), { class: 'ug-word' }));
  page.addEventListener('click', (e) => { if (e.target === page) page.close(); });
  page.addEventListener('keydown', (e) => { if (e.key === '?') { e.preventDefault(); page.close(); } });
  return page;
}
