// SPDX-License-Identifier: MIT
// What lies over the picture: scenes, what to show, the legend, and what is selected.
import { button, el, icon } from './dom.js';
import { CLASS_COLOURS, CONTACT_COLOURS, cssOf, OUTCOME_COLOURS, OUTCOMES, RESIDUAL_STEPS, sidesOf, SPIKE, UNLABELLED } from './colours.js';
import { CLASSES } from './decode.js';

const LAYERS = [
  ['body', 'Mannequin', 'M'], ['bones', 'Bones', 'B'], ['markers', 'Markers', 'K'], ['contacts', 'Contacts', 'C'],
  ['residuals', 'Residuals', 'R'], ['axes', 'Joint axes', 'X'], ['trails', 'Trail', 'T'], ['labels', 'Names', 'L'],
];
const LAYER_HINTS = {
  residuals: 'From each marker, how far it is off from where the skeleton has it',
  trails: 'One second before and after, of the selected marker or joint', labels: 'Names of all markers',
};
const VIEWS = [['free', 'Free', '0'], ['front', 'Front', '1'], ['right', 'Side', '3'], ['top', 'Top', '7']];
const SCALES = [1, 5, 10, 20];

// What a set of takes can show at all.
function possible(takes) {
  const any = (test) => takes.some(test);
  return {
    body: any((t) => t.hasMotion), bones: any((t) => t.hasMotion), markers: any((t) => t.ownMarkers),
    contacts: any((t) => t.contacts.length), residuals: any((t) => t.hasResiduals),
    axes: any((t) => t.field.turns), trails: true, labels: any((t) => t.ownMarkers),
  };
}

export class Panel {
  // `app`: takes, show, active, sideBySide, and what is done on a click (see main.js).
  constructor(app) {
    this.app = app;
    this.layers = {};
    const can = possible(app.takes);
    this.scenes = el('ul', { class: 'ug-scenes' });
    this.rows = app.takes.map((take, i) => this.sceneRow(take, i));
    this.scenes.append(...this.rows.map((r) => r.root));
    const several = app.takes.length > 1;
    this.apart = several ? el('div', { class: 'ug-segments', role: 'group', 'aria-label': 'Placement' },
      button('Overlaid', 'Overlaid', () => app.setApart(false), { class: 'ug-word' }),
      button('Side by side (S)', 'Side by side', () => app.setApart(true), { class: 'ug-word' })) : null;
    const layers = LAYERS.filter(([key]) => can[key]).map(([key, label, letter]) => {
      this.layers[key] = button(`${label} (${letter})`, label, () => app.toggle(key), {
        class: 'ug-chip', 'aria-pressed': 'false', title: LAYER_HINTS[key] ? `${LAYER_HINTS[key]} (${letter})` : `${label} (${letter})`,
      });
      return this.layers[key];
    });
    this.scale = el('select', {
      class: 'ug-scale', 'aria-label': 'Scale of residuals', title: 'Residuals are drawn so many times as long',
      onchange: () => app.setResidualScale(Number(this.scale.value)),
    }, ...SCALES.map((s) => el('option', { value: s, text: `residuals ×${s}`, selected: s === app.show.residualScale })));
    this.left = el('div', { class: 'ug-left' },
      el('section', { class: 'ug-card', 'aria-label': 'Scenes' }, this.scenes, this.apart),
      el('section', { class: 'ug-card ug-layers', 'aria-label': 'Show' }, ...layers, this.scale));
    this.views = VIEWS.map(([name, label, key]) => button(`${label} view (${key})`, label, () => app.view(name), { class: 'ug-word' }));
    this.followButton = button('Follow the figure (F)', 'Follow', () => app.toggle('follow'), { class: 'ug-word', 'aria-pressed': 'false' });
    this.right = el('div', { class: 'ug-right' },
      el('div', { class: 'ug-segments', role: 'group', 'aria-label': 'View' }, ...this.views),
      el('div', { class: 'ug-segments' }, this.followButton,
        button('Frame all (Home)', 'Frame all', () => app.frameAll(), { class: 'ug-word' }),
        button('Keys (?)', '?', () => app.help(), { class: 'ug-word' })));
    this.info = el('section', { class: 'ug-card ug-info', 'aria-label': 'Selected', hidden: true });
    this.keys = el('div', { class: 'ug-keys' });
    this.oddity = el('p', { class: 'ug-odd', role: 'status', hidden: true });
    this.legend = el('div', { class: 'ug-legend' }, this.oddity, this.keys);
    this.update();
  }

  sceneRow(take, i) {
    const { app } = this, several = app.takes.length > 1;
    const swatch = el('input', {
      type: 'color', value: take.colour, 'aria-label': `Colour of ${take.name}`, title: 'Colour',
      oninput: () => app.setColour(i, swatch.value),
    });
    const name = several
      ? button(`Lanes of ${take.name}`, take.name, () => app.activate(i), { class: 'ug-name', title: `${take.path}: show its lanes` })
      : el('span', { class: 'ug-name', text: take.name, title: take.path });
    const eye = several ? button(`Show ${take.name}`, icon('eye'), () => app.setShown(i, !take.shown), { class: 'ug-eye', 'aria-pressed': 'true' }) : null;
    return { root: el('li', {}, swatch, name, eye), swatch, name, eye };
  }

  update() {
    const { app } = this, { show } = app;
    this.rows.forEach(({ root, eye }, i) => {
      root.classList.toggle('ug-active', app.takes.length > 1 && i === app.active);
      root.classList.toggle('ug-off', !app.takes[i].shown);
      eye?.setAttribute('aria-pressed', String(app.takes[i].shown));
    });
    for (const [key, chip] of Object.entries(this.layers)) chip.setAttribute('aria-pressed', String(show[key]));
    this.scale.hidden = !show.residuals || !this.layers.residuals;
    this.followButton.setAttribute('aria-pressed', String(show.follow));
    if (this.apart) [...this.apart.children].forEach((b, i) => b.setAttribute('aria-pressed', String(app.apart === (i === 1))));
    this.updateLegend();
  }

  // Only what occurs in these takes.
  updateLegend() {
    const { takes, show } = this.app, entries = [];
    const shown = takes.filter((t) => t.shown);
    const add = (colour, text, shape = 'dot') => entries.push(el('span', { class: `ug-key ug-${shape}`, colour }, text));
    const dots = show.markers && shown.some((t) => t.ownMarkers);
    const occurs = new Set(shown.flatMap((t) => t.lanes.map((l) => l[3]))); // also under the timeline
    if (dots) add(CLASS_COLOURS[5], 'measured');
    for (const kind of [1, 2, 3, 4]) if (occurs.has(kind)) add(CLASS_COLOURS[kind], CLASSES[kind]);
    if (occurs.has(0)) add(CLASS_COLOURS[0], 'missing', 'bar');
    if (shown.some((t) => t.spikes.length)) add(SPIKE, 'spike', 'peak');
    if (dots && shown.some((t) => t.markers.some((m) => m.kind === 'unlabelled'))) add(UNLABELLED, 'unlabelled');
    if (show.contacts) {
      const contacts = shown.flatMap((t) => t.contacts);
      for (const kind of ['planted', 'load']) if (contacts.some((c) => c.accepted && c.kind === kind)) add(CONTACT_COLOURS[kind], kind, 'disc');
      if (contacts.some((c) => !c.accepted)) add(CONTACT_COLOURS.refused, 'refused contact', 'ring');
    }
    if (show.residuals && shown.some((t) => t.hasResiduals)) {
      RESIDUAL_STEPS.forEach(([mm, colour], i) => add(colour,
        Number.isFinite(mm) ? `< ${mm} mm` : `≥ ${RESIDUAL_STEPS[i - 1][0]} mm off`, 'line'));
    }
    if (shown.some((t) => t.joints.some((j) => j.role?.startsWith('left_'))) && (show.body || show.bones)) {
      const alone = takes.length === 1, { left, right } = sidesOf(takes[this.app.active].colour, alone);
      add(cssOf(left), alone ? 'its left' : 'its left, lighter');
      add(cssOf(right), alone ? 'its right' : 'its right, darker');
    }
    const { outcomes } = takes[this.app.active], codes = new Set(outcomes.map((run) => run[2]));
    for (const code of codes) if (OUTCOMES[code]) add(OUTCOME_COLOURS[code], `frame ${OUTCOMES[code]}`, 'bar');
    this.keys.replaceChildren(...entries);
  }

  // A line about what is shown; '' takes it away.
  odd(text) {
    if (this.oddity.textContent === text) return;
    this.oddity.textContent = text;
    this.oddity.hidden = !text;
    this.rows.forEach(({ root }, i) => root.classList.toggle('ug-ended', this.app.takes[i].ended));
  }

  // `lines`: title, then pairs of words and values; null: nothing is selected.
  select(title, pairs) {
    this.info.hidden = !title;
    if (!title) return;
    if (this.info.dataset.title !== title || this.values?.length !== pairs.length) {
      this.info.dataset.title = title;
      this.values = pairs.map(() => el('dd'));
      this.info.replaceChildren(el('h2', { text: title }),
        el('dl', {}, ...pairs.flatMap(([word], i) => [el('dt', { text: word }), this.values[i]])));
    }
    pairs.forEach(([, value], i) => { if (this.values[i].textContent !== value) this.values[i].textContent = value; });
  }
}
