// SPDX-License-Identifier: MIT
// Renderer and camera. Draws when asked to, never by itself.
import { MOUSE, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const PIXEL_RATIO_MAX = 2;
const RELIEF_MIN = 0.5; // fewest pixels while playing, of those at rest and along each side
const SMOOTH_MS = 40;
const VIEWS = {
  front: [0, 0.06, 1], back: [0, 0.06, -1], left: [1, 0.06, 0], right: [-1, 0.06, 0],
  top: [0, 1, 0.0001], free: [0.62, 0.30, 1],
};

export class Stage {
  constructor(canvas, antialias) {
    this.renderer = new WebGLRenderer({ canvas, antialias, alpha: false, powerPreference: 'high-performance' });
    this.renderer.setClearColor(0x1b2028, 1);
    // asking after each shader waits for it to be compiled
    this.renderer.debug.checkShaderErrors = false;
    this.canvas = canvas;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(35, 1, 0.05, 400);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false; // it would go on drawing
    this.controls.zoomSpeed = 1.4;
    this.controls.maxDistance = 300;
    this.controls.minDistance = 0.1;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.ROTATE, RIGHT: MOUSE.PAN };
    this.controls.addEventListener('change', () => this.invalidate());
    this.before = this.after = () => {}; // ahead of each drawing, and behind it
    this.draws = 0;
    this.held = true; // an empty picture would only delay the first one that shows something
    this.strokes = []; // told the size of the picture
    this.pending = 0;
    this.relief = 1;
    this.pace = 0; // milliseconds from one played picture to the next, smoothed
    this.draw = this.draw.bind(this);
    // a lost context comes back empty: three fills it again with the next drawing
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
  }

  invalidate() {
    if (!this.pending && !this.held) this.pending = requestAnimationFrame(this.draw);
  }

  // Draw at once: a frame that is played needs no second callback.
  draw() {
    cancelAnimationFrame(this.pending);
    this.held = false;
    this.before();
    this.pending = 0;
    this.renderer.render(this.scene, this.camera);
    this.draws++;
    this.after();
  }

  // The next picture of one that plays, due after so many milliseconds. Where drawing cannot keep
  // up (without a graphics card), it gets fewer pixels until it can.
  play(dueMs) {
    const now = performance.now(), gap = now - this.played;
    this.played = now;
    if (gap < 500) this.pace += 0.2 * (gap - this.pace);
    if (this.pace > Math.max(SMOOTH_MS, 1.4 * dueMs) && this.relief > RELIEF_MIN) {
      this.relieve(Math.max(RELIEF_MIN, 0.8 * this.relief));
    }
    this.draw();
  }

  // At rest, all pixels.
  rest() {
    this.played = undefined;
    if (this.relief === 1) return;
    this.relieve(1);
    this.invalidate();
  }

  relieve(relief) {
    this.relief = relief;
    this.pace = 0;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, PIXEL_RATIO_MAX) * relief);
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (!w || !h || (w === this.width && h === this.height && this.ratio === devicePixelRatio)) return;
    this.width = w;
    this.height = h;
    this.ratio = devicePixelRatio;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, PIXEL_RATIO_MAX) * this.relief);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    for (const s of this.strokes) s.setViewport(w, h);
    this.invalidate();
  }

  addStrokes(strokes, parent = this.scene) {
    this.strokes.push(strokes);
    if (this.width) strokes.setViewport(this.width, this.height);
    parent.add(strokes.mesh);
  }

  // Look at a box from a named direction, a given one, or from where we are.
  frame(low, high, view) {
    const middle = new Vector3().addVectors(low, high).multiplyScalar(0.5);
    const direction = new Vector3();
    if (view) direction.fromArray(VIEWS[view] ?? view); else direction.subVectors(this.camera.position, this.controls.target);
    direction.normalize();
    this.camera.up.set(0, 1, 0);
    // the box as the eye sees it: along the picture's two directions, and towards the eye
    const right = new Vector3(0, 1, 0).cross(direction);
    if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const up = new Vector3().crossVectors(direction, right);
    const half = new Vector3().subVectors(high, low).multiplyScalar(0.5);
    const extent = (v) => Math.abs(v.x) * half.x + Math.abs(v.y) * half.y + Math.abs(v.z) * half.z;
    const tan = Math.tan(this.camera.fov * Math.PI / 360);
    const distance = Math.max(extent(up) / tan, extent(right) / (tan * this.camera.aspect)) * 1.08 + 0.7 * extent(direction);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, Math.max(distance, 0.4));
    this.controls.update();
    this.invalidate();
  }

  // From a named direction, at the distance that we have.
  look(view) {
    const { camera, controls } = this, distance = camera.position.distanceTo(controls.target);
    camera.position.fromArray(VIEWS[view]).normalize().multiplyScalar(distance).add(controls.target);
    controls.update();
    this.invalidate();
  }

  // Move the eye along with what it looks at.
  shift(dx, dy, dz) {
    this.camera.position.x += dx; this.camera.position.y += dy; this.camera.position.z += dz;
    this.controls.target.x += dx; this.controls.target.y += dy; this.controls.target.z += dz;
    this.controls.update();
  }

  orbit(around, over) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 1, 0), around);
    const axis = new Vector3().crossVectors(new Vector3(0, 1, 0), offset).normalize();
    if (over && axis.lengthSq() > 0.5) {
      const angle = Math.acos(offset.y / offset.length());
      const next = Math.min(Math.PI - 0.01, Math.max(0.01, angle + over));
      offset.applyAxisAngle(axis, next - angle);
    }
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  // Place on the screen, in pixels of the canvas, into out; its third number is the depth. False
  // behind the eye.
  project(out, x, y, z) {
    point.set(x, y, z).applyMatrix4(this.camera.matrixWorldInverse);
    if (point.z > -this.camera.near) return false;
    const depth = -point.z;
    point.applyMatrix4(this.camera.projectionMatrix);
    out[0] = (point.x + 1) / 2 * this.width;
    out[1] = (1 - point.y) / 2 * this.height;
    out[2] = depth;
    return true;
  }
}

const point = new Vector3();
