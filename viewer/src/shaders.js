// SPDX-License-Identifier: MIT
// The four short programs that draw everything: three's own materials take seconds to compile where
// WebGL is software.

// radii: at a, at b, depth as a share of width. The position of a ball of radius 1 is its normal.
export const CAPSULE_VERTEX = `
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
// sketch.js has the same.
export const CAPSULE_FRAGMENT = `
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

export const STROKE_VERTEX = `
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

export const STROKE_FRAGMENT = `
varying vec4 vTint; varying float vAcross; varying float vHalf;
void main() {
  float cover = clamp(vHalf + 0.5 - abs(vAcross), 0.0, 1.0);
  gl_FragColor = vec4(vTint.rgb, vTint.a * cover);
  #include <colorspace_fragment>
}`;

export const DISC_VERTEX = `
attribute vec4 place; attribute vec4 tint; attribute float hole;
varying vec2 vAt; varying vec4 vTint; varying float vHole;
void main() {
  vAt = position.xy; vTint = tint; vHole = hole;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xyz + vec3(position.x, 0.0, position.y) * place.w, 1.0);
}`;

export const DISC_FRAGMENT = `
varying vec2 vAt; varying vec4 vTint; varying float vHole;
void main() {
  float r = length(vAt), soft = fwidth(r);
  float cover = 1.0 - smoothstep(1.0 - soft, 1.0, r);
  if (vHole > 0.0) cover *= smoothstep(vHole - soft, vHole, r);
  gl_FragColor = vec4(vTint.rgb, vTint.a * cover);
  #include <colorspace_fragment>
}`;

export const TEXT_VERTEX = `
attribute vec3 place; attribute vec4 cell;
uniform vec2 viewport; uniform vec2 size;
varying vec2 vUv;
void main() {
  vec4 p = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  p.xy += position.xy * size / viewport * 2.0 * p.w;
  gl_Position = p;
  vUv = cell.xy + (position.xy + 0.5) * cell.zw;
}`;

export const TEXT_FRAGMENT = `
uniform sampler2D map; varying vec2 vUv;
void main() { gl_FragColor = texture2D(map, vUv); if (gl_FragColor.a < 0.02) discard; }`;
