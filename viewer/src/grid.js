// SPDX-License-Identifier: MIT
// The ground: a grid that fades out, its axes, and metres written along them.
import {
  CanvasTexture, Color, Group, InstancedBufferAttribute, InstancedBufferGeometry, Float32BufferAttribute,
  Mesh, ShaderMaterial, Vector2,
} from 'three';
import { Strokes } from './strokes.js';

const VERTEX = `
attribute vec3 place; attribute vec4 cell;
uniform vec2 viewport; uniform vec2 size;
varying vec2 vUv;
void main() {
  vec4 p = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  p.xy += position.xy * size / viewport * 2.0 * p.w;
  gl_Position = p;
  vUv = cell.xy + (position.xy + 0.5) * cell.zw;
}`;
const FRAGMENT = `
uniform sampler2D map; varying vec2 vUv;
void main() { gl_FragColor = texture2D(map, vUv); if (gl_FragColor.a < 0.02) discard; }`;

const CELL = [96, 32]; // of the text, in pixels of its picture, twice that on the screen's

// Texts that face the eye, in one draw call.
class Labels {
  constructor(texts, places, colour) {
    const columns = 8, rows = Math.max(1, Math.ceil(texts.length / columns));
    const picture = document.createElement('canvas');
    picture.width = columns * CELL[0];
    picture.height = rows * CELL[1];
    const pen = picture.getContext('2d');
    pen.font = '500 20px system-ui, "DejaVu Sans", sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = colour;
    const cell = new Float32Array(4 * texts.length);
    texts.forEach((text, i) => {
      const column = i % columns, row = Math.floor(i / columns);
      pen.fillText(text, (column + 0.5) * CELL[0], (row + 0.5) * CELL[1]);
      cell.set([column / columns, 1 - (row + 1) / rows, 1 / columns, 1 / rows], 4 * i);
    });
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute('place', new InstancedBufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute('cell', new InstancedBufferAttribute(cell, 4));
    this.texture = new CanvasTexture(picture);
    this.material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false,
      uniforms: { map: { value: this.texture }, viewport: { value: new Vector2(1, 1) }, size: { value: new Vector2(CELL[0] * 0.55, CELL[1] * 0.55) } },
    });
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  setViewport(w, h) { this.material.uniforms.viewport.value.set(w, h); }

  dispose() {
    this.texture.dispose();
    this.material.dispose();
    this.mesh.geometry.dispose();
  }
}

const LINE = new Color('#7d8aa0'), RED = new Color('#c8505a'), BLUE = new Color('#4f7fd0');

// Metres from one line to the next, so that there are a dozen or two.
function spacing(extent) {
  for (const step of [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100]) if (extent / step <= 20) return step;
  return 200;
}

export class Grid {
  constructor(stage) {
    this.stage = stage;
    this.group = new Group();
    this.lines = new Strokes(512);
    this.lines.mesh.renderOrder = -1;
    stage.addStrokes(this.lines, this.group);
    stage.scene.add(this.group);
    this.labels = null;
  }

  // Lay it under what lies between the corners, m.
  fit(low, high) {
    const extent = Math.max(high.x - low.x, high.z - low.z, 1);
    const step = spacing(extent);
    const x0 = Math.floor(low.x / step) - 1, x1 = Math.ceil(high.x / step) + 1;
    const z0 = Math.floor(low.z / step) - 1, z1 = Math.ceil(high.z / step) + 1;
    this.lines.clear();
    this.rule(x0, x1, z0, z1, step, 'x');
    this.rule(z0, z1, x0, x1, step, 'z');
    this.lines.flush();
    this.write(x0, x1, z0, z1, step);
    this.step = step;
  }

  // Lines across one axis from a0 to a1; beyond the ends they fade over two steps.
  rule(a0, a1, b0, b1, step, axis) {
    const { lines } = this;
    const minor = step >= 1 ? 2 : 1, fade = 2;
    const put = (a, from, to, tint, alpha, width) => {
      if (axis === 'x') lines.add(a, 0, from, a, 0, to, tint, alpha, width);
      else lines.add(from, 0, a, to, 0, a, tint, alpha, width);
    };
    for (let i = (a0 - fade) * minor; i <= (a1 + fade) * minor; i++) {
      const a = i / minor * step, whole = i % minor === 0;
      const out = Math.max(0, a0 - i / minor, i / minor - a1) / fade;
      const axisLine = i === 0;
      const tint = !axisLine ? LINE : axis === 'x' ? BLUE : RED;
      const alpha = (axisLine ? 0.85 : whole ? 0.42 : 0.16) * (1 - out) ** 1.5;
      const width = axisLine ? 1.6 : 1;
      if (alpha < 0.01) continue;
      put(a, b0 * step, b1 * step, tint, alpha, width);
      const pieces = 4;
      for (let k = 0; k < pieces; k++) {
        const near = k / pieces * fade, far = (k + 1) / pieces * fade;
        const dim = alpha * (1 - (k + 0.5) / pieces) ** 1.5;
        put(a, (b0 - near) * step, (b0 - far) * step, tint, dim, width);
        put(a, (b1 + near) * step, (b1 + far) * step, tint, dim, width);
      }
    }
  }

  // Along both axes, which pass where the take is; the last one says the unit.
  write(left, right, far, near, step) {
    const texts = [], places = [], aside = 0.16 * Math.min(1, step);
    const every = step < 1 ? Math.round(1 / step) : 1; // whole metres
    const text = (v, last) => `${Number(v.toFixed(2))}${last ? ' m' : ''}`.replace('-', '−');
    const along = (from, to, put) => {
      const first = Math.ceil(from / every) * every, last = Math.floor(to / every) * every;
      for (let i = first; i <= last; i += every) {
        if (i === 0) continue;
        texts.push(text(i * step, i === last));
        put(i * step);
      }
    };
    along(left, right, (x) => places.push(x, 0, aside));
    along(far, near, (z) => places.push(-aside, 0, z));
    if (this.labels) {
      this.group.remove(this.labels.mesh);
      this.stage.strokes.splice(this.stage.strokes.indexOf(this.labels), 1);
      this.labels.dispose();
    }
    this.labels = new Labels(texts, places, '#9aa6b7');
    this.stage.addStrokes(this.labels, this.group);
  }
}
