// SPDX-License-Identifier: MIT
// Lines of a constant width on the screen, all in one buffer: residuals, trails, axes, the grid.
import {
  DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Float32BufferAttribute, Mesh,
  ShaderMaterial, Vector2,
} from 'three';

const VERTEX = `
attribute vec3 from; attribute vec3 to; attribute vec4 tint; attribute float width;
uniform vec2 viewport;
varying vec4 vTint; varying float vAcross; varying float vHalf;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  const float near = 0.01;               // an end behind the eye is cut off in front of it
  if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  float half_px = 0.5 * width + 0.75;    // room for the soft edge
  vec4 end = position.x < 0.5 ? a : b;
  vec2 aside = vec2(-along.y, along.x) * position.y * half_px;
  end.xy += aside / viewport * 2.0 * end.w;
  gl_Position = end;
  vTint = tint; vAcross = position.y * half_px; vHalf = 0.5 * width;
}`;

const FRAGMENT = `
varying vec4 vTint; varying float vAcross; varying float vHalf;
void main() {
  float cover = clamp(vHalf + 0.5 - abs(vAcross), 0.0, 1.0);
  gl_FragColor = vec4(vTint.rgb, vTint.a * cover);
  #include <colorspace_fragment>
}`;

export class Strokes {
  constructor(capacity, { depthTest = true, renderOrder = 0 } = {}) {
    this.count = 0;
    this.material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, depthTest,
      uniforms: { viewport: { value: new Vector2(1, 1) } },
    });
    this.mesh = new Mesh(undefined, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = renderOrder;
    this.grow(capacity);
  }

  grow(capacity) {
    const old = this.mesh.geometry;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, n] of [['from', 3], ['to', 3], ['tint', 4], ['width', 1]]) {
      const array = new Float32Array(capacity * n);
      if (this[name]) array.set(this[name].array);
      this[name] = new InstancedBufferAttribute(array, n).setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    this.capacity = capacity;
    this.mesh.geometry = geometry;
    old?.dispose();
  }

  clear() { this.count = 0; }

  // Colours are linear r, g, b in `tint`; NaN ends are left out.
  add(ax, ay, az, bx, by, bz, tint, alpha, width) {
    if (!(ax + ay + az + bx + by + bz < Infinity)) return;
    if (this.count === this.capacity) this.grow(2 * this.capacity);
    const i = this.count++;
    this.from.setXYZ(i, ax, ay, az);
    this.to.setXYZ(i, bx, by, bz);
    this.tint.setXYZW(i, tint.r, tint.g, tint.b, alpha);
    this.width.setX(i, width);
  }

  flush() {
    this.mesh.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    for (const name of ['from', 'to', 'tint', 'width']) {
      const attribute = this[name];
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  setViewport(width, height) { this.material.uniforms.viewport.value.set(width, height); }
}
