// SPDX-License-Identifier: MIT
// Discs and rings that lie on the ground, in one draw call.
import {
  DynamicDrawUsage, Float32BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial,
} from 'three';

const VERTEX = `
attribute vec4 place; attribute vec4 tint; attribute float hole;
varying vec2 vAt; varying vec4 vTint; varying float vHole;
void main() {
  vAt = position.xy; vTint = tint; vHole = hole;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xyz + vec3(position.x, 0.0, position.y) * place.w, 1.0);
}`;
const FRAGMENT = `
varying vec2 vAt; varying vec4 vTint; varying float vHole;
void main() {
  float r = length(vAt), soft = fwidth(r);
  float cover = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  if (vHole > 0.0) cover *= smoothstep(vHole - soft, vHole, r);
  gl_FragColor = vec4(vTint.rgb, vTint.a * cover);
  #include <colorspace_fragment>
}`;

export class Discs {
  constructor(capacity, renderOrder) {
    const geometry = this.geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, -1, 1, 0, 1, 1, 0, 1, -1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, n] of [['place', 4], ['tint', 4], ['hole', 1]]) {
      this[name] = new InstancedBufferAttribute(new Float32Array(capacity * n), n).setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    this.mesh = new Mesh(geometry, new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = renderOrder;
    this.count = 0;
  }

  clear() { this.count = 0; }

  // `hole`: inner radius as a share of the outer one; 0 is a disc.
  add(x, y, z, radius, tint, alpha, hole) {
    const i = this.count++;
    this.place.setXYZW(i, x, y, z, radius);
    this.tint.setXYZW(i, tint.r, tint.g, tint.b, alpha);
    this.hole.setX(i, hole);
  }

  flush() {
    this.geometry.instanceCount = this.count;
    this.place.needsUpdate = this.tint.needsUpdate = this.hole.needsUpdate = true;
  }
}
