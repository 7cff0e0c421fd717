// SPDX-License-Identifier: MIT
// Draws shapes with WebGL, through three.js; and turns the eye with the mouse. Loaded last: see stage.js.
import {
  BufferAttribute, CanvasTexture, DynamicDrawUsage, Float32BufferAttribute, Group, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, MOUSE, PerspectiveCamera, Scene, ShaderMaterial, Vector2, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { FAR, FOV, NEAR } from './eye.js';
import * as shaders from './shaders.js';
import { ball } from './shapes.js';

const SQUARE = { strokes: [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], discs: [-1, -1, 0, -1, 1, 0, 1, 1, 0, 1, -1, 0], texts: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0] };
const CELL = [96, 32]; // of a text, in pixels of its picture

function square(kind) {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(SQUARE[kind], 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

function facets({ around, rings }) {
  const { position, end, index } = ball(around, rings), geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('end', new BufferAttribute(end, 1));
  geometry.setIndex(index);
  return geometry;
}

// The meshes of one set of shapes, which share its arrays.
class Batch {
  // `base()`: the geometry of one of them.
  constructor(shapes, base, meshes) {
    this.shapes = shapes;
    this.base = base;
    this.meshes = meshes;
    meshes.forEach((mesh, i) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = shapes.renderOrder + 0.1 * i;
    });
    this.version = -1;
  }

  attach() {
    const geometry = this.base(), { shapes } = this;
    for (const name of shapes.names) {
      geometry.setAttribute(name, new InstancedBufferAttribute(shapes[name], shapes.sizes[name]).setUsage(DynamicDrawUsage));
    }
    this.geometry?.dispose();
    this.geometry = geometry;
    this.capacity = shapes.capacity;
    for (const mesh of this.meshes) mesh.geometry = geometry;
  }

  update() {
    const { shapes, meshes } = this;
    for (const mesh of meshes) mesh.visible = shapes.visible && shapes.count > 0;
    if (this.capacity !== shapes.capacity) this.attach();
    if (this.version === shapes.version) return;
    this.version = shapes.version;
    const { geometry } = this;
    geometry.instanceCount = shapes.count;
    for (const name of shapes.names) {
      const attribute = geometry.attributes[name];
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, shapes.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }
}

class CapsuleBatch extends Batch {
  constructor(shapes) {
    const glass = shapes.glass > 0;
    const material = new ShaderMaterial({
      vertexShader: shaders.CAPSULE_VERTEX, fragmentShader: shaders.CAPSULE_FRAGMENT, transparent: glass, depthWrite: !glass,
      uniforms: { opacity: { value: 1 }, rim: { value: shapes.rim } },
    });
    const meshes = [new Mesh(undefined, material)];
    if (glass) { // depth first, so that only the outermost surface is coloured
      const depth = material.clone();
      depth.colorWrite = false;
      depth.depthWrite = true;
      meshes.unshift(new Mesh(undefined, depth));
    }
    super(shapes, () => facets(shapes), meshes);
    this.material = material;
  }

  update() {
    this.material.uniforms.opacity.value = this.shapes.opacity;
    super.update();
  }
}

const flat = (vertexShader, fragmentShader, more) => new ShaderMaterial({ vertexShader, fragmentShader, transparent: true, depthWrite: false, ...more });

function strokeBatch(shapes, viewport) {
  return new Batch(shapes, () => square('strokes'), [new Mesh(undefined, flat(shaders.STROKE_VERTEX, shaders.STROKE_FRAGMENT, {
    depthTest: shapes.depthTest, uniforms: { viewport },
  }))]);
}

function discBatch(shapes) {
  return new Batch(shapes, () => square('discs'), [new Mesh(undefined, flat(shaders.DISC_VERTEX, shaders.DISC_FRAGMENT))]);
}

// Texts that face the eye, in one draw call.
class TextBatch {
  constructor(texts, viewport) {
    this.texts = texts;
    this.map = { value: null };
    this.mesh = new Mesh(undefined, flat(shaders.TEXT_VERTEX, shaders.TEXT_FRAGMENT, {
      uniforms: { map: this.map, viewport, size: { value: new Vector2(CELL[0] * 0.55, CELL[1] * 0.55) } },
    }));
    this.meshes = [this.mesh];
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = texts.renderOrder;
    this.version = -1;
  }

  update() {
    const { texts, places, colour, version } = this.texts;
    if (this.version === version) return;
    this.version = version;
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
    const geometry = square('texts');
    geometry.setAttribute('place', new InstancedBufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute('cell', new InstancedBufferAttribute(cell, 4));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.map.value?.dispose();
    this.map.value = new CanvasTexture(picture);
  }
}

export class WebGL {
  // Throws where the browser has no WebGL. `lost()`: the picture must be drawn again.
  constructor(canvas, parts, eye, { antialias, lost }) {
    this.renderer = new WebGLRenderer({ canvas, antialias, alpha: false, powerPreference: 'high-performance' });
    this.renderer.setClearColor(0x1b2028, 1);
    // asking after each shader waits for it to be compiled
    this.renderer.debug.checkShaderErrors = false;
    this.eye = eye;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(FOV, 1, NEAR, FAR);
    this.viewport = { value: new Vector2(1, 1) };
    this.batches = [];
    this.groups = parts.views.map(({ capsules, strokes, discs }) => {
      const batches = [...capsules.map((c) => new CapsuleBatch(c)), ...strokes.map((s) => strokeBatch(s, this.viewport))];
      if (discs) batches.push(discBatch(discs));
      return this.add(batches);
    });
    this.add([strokeBatch(parts.grid.lines, this.viewport), new TextBatch(parts.grid.texts, this.viewport)]);
    this.listen(canvas);
    // a lost context comes back empty: three fills it again with the next drawing
    canvas.addEventListener('webglcontextrestored', lost);
  }

  add(batches) {
    const group = new Group();
    for (const batch of batches) group.add(...batch.meshes);
    this.batches.push(...batches);
    this.scene.add(group);
    return group;
  }

  listen(canvas) {
    const controls = this.controls = new OrbitControls(this.camera, canvas);
    controls.enableDamping = false; // it would go on drawing
    controls.zoomSpeed = 1.4;
    controls.maxDistance = 300;
    controls.minDistance = 0.1;
    controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.ROTATE, RIGHT: MOUSE.PAN };
    controls.addEventListener('change', () => {
      if (!this.taking) this.eye.set(this.camera.position.toArray(), controls.target.toArray());
    });
  }

  allowWheel(on) { this.controls.enableZoom = on; }

  setSize(width, height) {
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
  }

  take() {
    const { eye, camera, controls } = this;
    this.taking = true;
    camera.position.fromArray(eye.position);
    controls.target.fromArray(eye.target);
    camera.aspect = eye.aspect;
    camera.updateProjectionMatrix();
    controls.update();
    this.taking = false;
    this.viewport.value.set(eye.width, eye.height);
  }

  fill(parts) {
    this.take();
    parts.views.forEach(({ visible, offset }, i) => {
      this.groups[i].visible = visible;
      this.groups[i].position.fromArray(offset);
    });
    for (const batch of this.batches) batch.update();
  }

  // Resolves when all shaders are ready; where the browser can, without blocking the page meanwhile.
  async ready(parts) {
    this.fill(parts);
    const aside = this.renderer.getContext().getExtension('KHR_parallel_shader_compile');
    if (aside) await this.renderer.compileAsync(this.scene, this.camera);
    else this.renderer.compile(this.scene, this.camera);
  }

  render(parts) {
    this.fill(parts);
    this.renderer.render(this.scene, this.camera);
  }
}
