// SPDX-License-Identifier: MIT
// Elements by hand. Text from files only ever goes in as text.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else if (name === 'colour') element.style.setProperty('--c', value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  first: 'M3 3h1.6v10H3zM13 3v10L5.6 8z',
  last: 'M11.4 3H13v10h-1.6zM3 3v10l7.4-5z',
  back: 'M10.5 3v10L4 8z',
  next: 'M5.5 3v10L12 8z',
  loop: 'M4.5 4h6A3.5 3.5 0 0 1 12.7 10l-1-1.1A2 2 0 0 0 10.5 5.5h-6v2L1.5 4.75 4.5 2zM11.5 12h-6A3.5 3.5 0 0 1 3.3 6l1 1.1a2 2 0 0 0 1.2 3.4h6v-2l3 2.75-3 2.75z',
  eye: 'M8 3C4.4 3 1.9 5.7 1 8c.9 2.3 3.4 5 7 5s6.1-2.7 7-5c-.9-2.3-3.4-5-7-5zm0 8a3 3 0 1 1 0-6 3 3 0 0 1 0 6zm0-1.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(label, content, onclick, extra = {}) {
  return el('button', { type: 'button', 'aria-label': label, title: label, onclick, ...extra }, content);
}

// A canvas as sharp as the screen, and its pen in CSS pixels.
export function fitCanvas(canvas, width, height) {
  const ratio = Math.min(devicePixelRatio, 2);
  const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const pen = canvas.getContext('2d', { willReadFrequently: true }); // drawn here, not by a GPU that may be none
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

export const FONT = '11px system-ui, "DejaVu Sans", sans-serif';
