// SPDX-License-Identifier: MIT
// Many tapered capsules in one draw call. Each has two ends, two radii, a flattening (a torso is
// wider than deep) and a colour. The mannequin, bones and markers are all drawn by this one short
// program: three's own materials take seconds to compile where WebGL is software.
import {
  BufferAttribute, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial,
} from 'three';

// A unit ball cut at its equator: the third number of each vertex says which end it belongs to.
function ball(around, rings) {
  const position = [], index = [];
  for (let half = 0; half < 2; half++) {
    for (let i = 0; i <= rings; i++) {
      const angle = half === 0 ? -Math.PI / 2 * (1 - i / rings) : Math.PI / 2 * (i / rings);
      for (let k = 0; k <= around; k++) {
        const turn = 2 * Math.PI * k / around;
        position.push(Math.cos(angle) * Math.cos(turn), Math.sin(angle), Math.cos(angle) * Math.sin(turn));
      }
    }
  }
  const row = around + 1;
  for (let i = 0; i < 2 * rings + 1; i++) {
    for (let k = 0; k < around; k++) {
      const a = i * row + k, b = a + row;
      index.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  const end = new Float32Array(position.length / 3);
  end.fill(1, (rings + 1) * row);
  return { position: new Float32Array(position), end, index };
}

// radii: at a, at b, depth as a share of width. The position of a ball of radius 1 is its normal.
const VERTEX = `
attribute float end; attribute vec3 a; attribute vec3 b; attribute vec3 side; attribute vec3 radii; attribute vec3 tint;
varying vec3 vNormal; varying vec3 vEye; varying vec3 vTint;
void main() {
  vec3 y = b - a;
  y = dot(y, y) > 1e-12 ? normalize(y) : vec3(0.0, 1.0, 0.0);
  vec3 x = side - y * dot(side, y);
  if (dot(x, x) < 1e-4) { x = abs(y.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0); x -= y * dot(x, y); }
  x = normalize(x);
  mat3 basis = mat3(x, y, cross(x, y));
  float radius = mix(radii.x, radii.y, end);
  vec4 place = modelMatrix * vec4(mix(a, b, end) + basis * (position * radius * vec3(1.0, 0.4 + 0.6 * radii.z, radii.z)), 1.0);
  vNormal = basis * (position / vec3(1.0, 1.0, radii.z));
  vEye = cameraPosition - place.xyz;
  vTint = tint;
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

// Sky and ground, a key light from the front and above, and a rim that parts a body from the dark.
const FRAGMENT = `
uniform float opacity; uniform float rim;
varying vec3 vNormal; varying vec3 vEye; varying vec3 vTint;
void main() {
  vec3 n = normalize(vNormal);
  vec3 light = mix(vec3(0.13, 0.15, 0.19), vec3(0.50, 0.52, 0.55), 0.5 + 0.5 * n.y);
  light += 0.62 * max(0.0, dot(n, vec3(0.287, 0.766, 0.575)));
  light += vec3(0.09, 0.10, 0.13) * max(0.0, dot(n, vec3(-0.77, 0.38, -0.51)));
  float edge = 1.0 - abs(dot(n, normalize(vEye)));
  gl_FragColor = vec4(vTint * light + rim * edge * edge * edge * (0.35 + 0.65 * vTint), opacity);
  #include <colorspace_fragment>
}`;

const ATTRIBUTES = ['a', 'b', 'side', 'radii', 'tint'];

export class Capsules {
  // `glass`: seen through as one body, whatever parts of it overlap.
  constructor(capacity, { around = 20, rings = 6, glass = 0, rim = 0.35, renderOrder = 0 } = {}) {
    const { position, end, index } = ball(around, rings);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('end', new BufferAttribute(end, 1));
    geometry.setIndex(index);
    for (const name of ATTRIBUTES) {
      this[name] = new InstancedBufferAttribute(new Float32Array(capacity * 3), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    geometry.instanceCount = 0;
    this.geometry = geometry;
    this.count = 0;
    this.colour = new Color();
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: glass > 0, depthWrite: glass === 0,
      uniforms: { opacity: { value: glass > 0 ? glass : 1 }, rim: { value: rim } },
    });
    this.meshes = [new Mesh(geometry, material)];
    if (glass > 0) { // depth first, so that only the outermost surface is coloured
      const depth = material.clone();
      depth.colorWrite = false;
      depth.depthWrite = true;
      this.meshes.unshift(new Mesh(geometry, depth));
    }
    this.meshes.forEach((mesh, i) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = renderOrder + 0.1 * i;
    });
  }

  set visible(on) { for (const mesh of this.meshes) mesh.visible = on; }

  clear() { this.count = 0; }

  // In the colour that is set. p is an array of places, i and j index points in it; NaN places are left out. Places at the
  // ends are moved by the share s of the way (0: from i, 1: to j).
  add(p, i, j, ra, rb, depth, sx, sy, sz, s0 = 0, s1 = 1) {
    const ax = p[3 * i], ay = p[3 * i + 1], az = p[3 * i + 2];
    const dx = p[3 * j] - ax, dy = p[3 * j + 1] - ay, dz = p[3 * j + 2] - az;
    if (!(ax + ay + az + dx + dy + dz < Infinity) || this.count >= this.a.count) return;
    const n = this.count++;
    this.a.setXYZ(n, ax + s0 * dx, ay + s0 * dy, az + s0 * dz);
    this.b.setXYZ(n, ax + s1 * dx, ay + s1 * dy, az + s1 * dz);
    this.side.setXYZ(n, sx, sy, sz);
    this.radii.setXYZ(n, ra, rb, depth);
    this.tint.setXYZ(n, this.colour.r, this.colour.g, this.colour.b);
  }

  flush() {
    this.geometry.instanceCount = this.count;
    for (const name of ATTRIBUTES) this[name].needsUpdate = true;
  }
}
