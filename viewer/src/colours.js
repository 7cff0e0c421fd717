// SPDX-License-Identifier: MIT
// Every colour that means something, and their linear values, in which light is reckoned.

export const SCENE_COLOURS = ['#7fa8d9', '#e0a15e', '#8fc48a', '#c48fc0', '#d98a83', '#7cc4c0', '#c9bd6a', '#9a97e0'];
// In the order of decode.js's CLASSES. Missing samples have no place: their colour is for lanes.
export const CLASS_COLOURS = ['#e5566d', '#f3b23e', '#4fd1a5', '#b48cff', '#4aa8ff', '#e9edf3'];
export const UNLABELLED = '#77818f';
export const SPIKE = '#ff7ac6';
export const CONTACT_COLOURS = { planted: '#4fd1a5', load: '#4aa8ff', refused: '#e5566d' };
export const RESIDUAL_STEPS = [[10, '#8fd18a'], [20, '#f3b23e'], [Infinity, '#e5566d']]; // below so many mm
export const OUTCOMES = ['unsolved', 'stopped at the iteration cap', 'under-determined', 'limited', 'converged'];
export const OUTCOME_COLOURS = ['#e5566d', '#f08a4b', '#b48cff', '#4aa8ff', '#39424f'];
// Of the body's own left and right, as on the sheets of `ugoki render`.
export const SIDE_COLOURS = { left: '#4f97e6', right: '#f0924a' };

const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

// Linear {r, g, b} of '#rrggbb'.
export function linear(css) {
  const n = Number.parseInt(css.slice(1), 16);
  return { r: toLinear((n >> 16) / 255), g: toLinear(((n >> 8) & 255) / 255), b: toLinear((n & 255) / 255) };
}

// The share `t` of the way from one to another.
export function mix(a, b, t) {
  return { r: a.r + t * (b.r - a.r), g: a.g + t * (b.g - a.g), b: a.b + t * (b.b - a.b) };
}

// 0 to 255 on the screen, of a linear value in 4096 steps.
export const SCREEN = Uint8ClampedArray.from({ length: 4097 }, (_, i) => {
  const c = i / 4096;
  return 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
});
export const screen = (c) => SCREEN[Math.max(0, Math.min(4096, Math.round(4096 * c)))];
// Of the two sides of a body in colour `css`: `alone` by hue; where hue tells bodies apart, lighter and darker.
export function sidesOf(css, alone) {
  const middle = linear(css), { left, right } = SIDE_COLOURS;
  return alone ? { middle, left: mix(middle, linear(left), 0.72), right: mix(middle, linear(right), 0.72) }
    : { middle, left: mix(middle, linear('#ffffff'), 0.3), right: mix(middle, linear('#000000'), 0.5) };
}

export const cssOf = ({ r, g, b }, alpha = 1) => `rgb(${screen(r)} ${screen(g)} ${screen(b)} / ${alpha})`;
