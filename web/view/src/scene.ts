// SPDX-License-Identifier: MIT
// The picture: pieces of the model, its bones, wireframe and heat map. Draws when something has changed, not all the time.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Model, Packet, Piece } from './model';
import { heat, hidden } from './colours';
import { Lines } from './lines';
import { Marks } from './marks';
import { plainColour, type Materials, type SurfaceMaterial } from './materials';

export interface Looks {
  bones: boolean;
  wireframe: boolean;
  surface: boolean;
}

interface Drawn {
  piece: Piece;
  /** At the time of the frame. */
  shown: boolean;
  indices: Uint32Array;
  mesh?: THREE.Mesh<THREE.BufferGeometry, SurfaceMaterial>;
  /** Of the material, while the heat map hides it. */
  map?: THREE.Texture | null;
  wire?: THREE.LineSegments;
  lines?: Lines;
  points?: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  /** Of a slice: made anew for every frame. */
  section?: THREE.Mesh<THREE.BufferGeometry, SurfaceMaterial>;
}

export class Scene {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  private readonly colours: THREE.BufferAttribute;
  private readonly drawn: Drawn[] = [];
  private readonly bones: Lines;
  private readonly marks: Marks;
  private box: Lines | null = null;
  private readonly joints: THREE.Points;
  private readonly jointColours: THREE.BufferAttribute;
  private heads: Float32Array = new Float32Array();
  private tails: Float32Array = new Float32Array();
  private readonly boneEnds: { from: number; to: number | null }[] = [];
  private readonly jointNodes: number[];
  private looks: Looks = { bones: true, wireframe: false, surface: true };
  private framed = false;
  private wanted = false;
  private sliced = false;
  private frame: Packet | null = null;
  /** What has the places of all vertices: the frame, or the whole around a slice. */
  private whole: Packet | null = null;
  private weights: Float32Array | null = null;
  /** The brightness of the grey for hidden coordinates, linear. */
  middle = 0.3;
  private selectedNode: number | null = null;

  /** A joint was clicked. */
  onPick: (node: number) => void = () => undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly model: Model,
    geometry: Packet,
    private readonly materials: Materials,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.positions = new THREE.BufferAttribute(new Float32Array(model.rows * 3), 3).setUsage(THREE.DynamicDrawUsage);
    this.normals = new THREE.BufferAttribute(new Float32Array(model.rows * 3), 3).setUsage(THREE.DynamicDrawUsage);
    this.colours = new THREE.BufferAttribute(new Float32Array(model.rows * 3), 3);
    model.pieces.forEach((piece, p) => this.addPiece(piece, geometry.arrays.get(`piece${p}`) as Uint32Array));

    const key = new THREE.DirectionalLight('#fff7ec', 2.2);
    key.position.set(-0.6, 1, 1.4);
    this.camera.add(key, key.target);
    key.target.position.set(0, 0, -1);
    this.scene.add(this.camera, new THREE.HemisphereLight('#f4f8ff', '#6b5f55', 1.5));

    this.jointNodes = model.nodes.flatMap((node, n) => (node.joint && node.reached ? [n] : []));
    for (const n of this.jointNodes) {
      if (model.nodes[n].tail) this.boneEnds.push({ from: n, to: null });
      else for (const c of this.jointNodes) if (model.nodes[c].parent === n) this.boneEnds.push({ from: n, to: c });
    }
    this.bones = new Lines(this.boneEnds.length * 12, '#ffd166', 1.6, true);
    this.jointColours = new THREE.BufferAttribute(new Float32Array(this.jointNodes.length * 3), 3);
    this.joints = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ size: 9, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true, alphaTest: 0.4, map: disc() }),
    );
    this.joints.frustumCulled = false;
    this.joints.renderOrder = 3;
    this.marks = new Marks(this.positions, disc());
    this.scene.add(this.bones.object, this.joints, this.marks.object);
    this.paintJoints();

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.draw());
    this.listen();
  }

  /** New places of everything; `whole`: what is shown around a slice. */
  show(frame: Packet, whole: Packet | null): void {
    this.sliced = [...frame.arrays.keys()].some((name) => name === 'above' || name.startsWith('cut')) || (this.model.dimension > 3 && !frame.arrays.has('hidden'));
    this.whole = this.sliced ? whole : frame;
    if (this.whole) {
      this.positions.array.set(this.whole.arrays.get('positions') as Float32Array);
      this.positions.needsUpdate = true;
    }
    this.frame = frame;
    const shown = frame.arrays.get('shown');
    this.drawn.forEach((drawn, piece) => {
      drawn.shown = shown === undefined || shown[piece] !== 0;
      this.place(drawn);
    });
    const normals = frame.arrays.get('normals');
    if (normals) {
      this.normals.array.set(normals);
      this.normals.needsUpdate = true;
    }
    this.heads = frame.arrays.get('heads') as Float32Array;
    this.tails = frame.arrays.get('tails') as Float32Array;
    this.placeBones();
    this.placeBox(frame.arrays.get('box') as Float32Array | undefined);
    if (!this.framed) this.frameAll();
    this.framed = true;
    this.draw();
  }

  setLooks(looks: Looks): void {
    this.looks = looks;
    this.bones.object.visible = this.joints.visible = looks.bones;
    for (const drawn of this.drawn) {
      if (drawn.section) drawn.section.visible = drawn.shown && looks.surface;
      if (!drawn.mesh) continue;
      drawn.mesh.visible = drawn.shown && looks.surface && !this.sliced;
      if (looks.wireframe) drawn.wire ??= this.addWire(drawn.indices);
      if (drawn.wire) drawn.wire.visible = drawn.shown && looks.wireframe && this.whole !== null;
    }
    this.draw();
  }

  /** Colours the surface by a number from 0 to 1 of each vertex; null: plain again. */
  setHeat(weights: Float32Array | null): void {
    this.weights = weights;
    if (weights) {
      const colour = new THREE.Color();
      for (let v = 0; v < weights.length; ++v) {
        colour.setRGB(...heat(weights[v]), THREE.SRGBColorSpace);
        this.colours.setXYZ(v, colour.r, colour.g, colour.b);
      }
      this.colours.needsUpdate = true;
    }
    for (const drawn of this.drawn) {
      for (const material of [drawn.mesh?.material, drawn.section?.material, drawn.points?.material]) {
        if (!material) continue;
        material.vertexColors = weights !== null || drawn.piece.colors;
        material.color.set(weights ? '#ffffff' : this.materials.colourOf(drawn.piece));
        material.needsUpdate = true;
      }
      if (drawn.mesh) {
        drawn.map ??= drawn.mesh.material.map;
        drawn.mesh.material.map = weights ? null : drawn.map;
      }
      for (const object of [drawn.mesh, drawn.points]) object?.geometry.setAttribute('color', this.coloursOf(drawn.piece));
      this.place(drawn);
    }
    this.draw();
  }

  select(node: number | null, instance: number | null): void {
    this.selectedNode = node;
    this.paintJoints();
    for (const { piece, mesh, section } of this.drawn)
      for (const material of [mesh?.material, section?.material])
        if (material instanceof THREE.MeshStandardMaterial) material.emissive.set(piece.instance === instance ? '#3a2a00' : '#000000');
    this.draw();
  }

  /** Marks rows of the frame in a signal colour; none: no marks. */
  mark(rows: number[]): void {
    this.marks.set(rows, this.surfaces());
    this.draw();
  }

  /** Moves the camera to marked rows, to where least hides them; `worst`: those in the middle. */
  lookAtRows(worst: number[], rows: number[]): void {
    if (!rows.length || !this.whole) return;
    const [center, size] = [new THREE.Vector3(), this.extent().getSize(new THREE.Vector3()).length()];
    const sphere = this.marks.sphere(worst, size);
    center.copy(sphere.center);
    const angle = (Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) / 2) * (Math.PI / 180);
    const distance = (2 * sphere.radius) / Math.sin(angle);
    const now = this.camera.position.clone().sub(this.controls.target);
    const front = new THREE.Vector3(0, 0, this.model.facesBack ? -1 : 1);
    const direction = this.model.dimension < 3 ? front : this.marks.bestDirection(center, distance, this.surfaces(), now);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.camera.near = Math.min(this.camera.near, distance / 50);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** The triangles that are shown. */
  private surfaces(): Uint32Array[] {
    return this.drawn.flatMap((drawn) => (drawn.mesh && drawn.shown ? [drawn.indices] : []));
  }

  /** Looks at all of the model from the front. */
  frameAll(): void {
    const box = this.extent();
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(sphere.radius, 1e-6);
    const flat = this.model.dimension < 3;
    const angle = (Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) / 2) * (Math.PI / 180);
    const front = this.model.facesBack ? -1 : 1;
    const direction = flat ? new THREE.Vector3(0, 0, front) : new THREE.Vector3(0.45 * front, 0.28, front).normalize();
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, (1.04 * radius) / Math.sin(angle));
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** The box around what is drawn. */
  private extent(): THREE.Box3 {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    if (!this.whole) {
      const positions = this.frame!.arrays.get('positions')!;
      for (let at = 0; at < positions.length; at += 3) box.expandByPoint(point.fromArray(positions, at));
    } else {
      for (const { indices } of this.drawn) for (const v of indices) box.expandByPoint(point.fromBufferAttribute(this.positions, v));
    }
    if (box.isEmpty()) for (const n of this.jointNodes) box.expandByPoint(point.fromArray(this.heads, n * 3));
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    return box;
  }

  setBackground(colour: string): void {
    const background = new THREE.Color(colour);
    this.scene.background = background;
    this.middle = background.r > 0.5 ? 0.22 : 0.72;
    this.drawn.forEach((drawn) => this.place(drawn));
    this.draw();
  }

  /** Once, before the next picture of the screen. */
  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.renderer.render(this.scene, this.camera);
    });
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    for (const lines of [this.bones, ...(this.box ? [this.box] : []), ...this.drawn.flatMap((drawn) => drawn.lines ?? [])]) lines.resize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  private coloursOf(piece: Piece): THREE.BufferAttribute {
    return piece.colors && !this.weights ? this.materials.colours! : this.colours;
  }

  private addPiece(piece: Piece, indices: Uint32Array): void {
    const drawn: Drawn = { piece, indices, shown: true };
    this.drawn.push(drawn);
    if (piece.corners === 2) {
      drawn.lines = new Lines(indices.length / 2, plainColour(piece.instance), 2, false);
      this.scene.add(drawn.lines.object);
      if (piece.cut === null) return;
      drawn.section = new THREE.Mesh(new THREE.BufferGeometry(), this.materials.surface(piece, true));
      drawn.section.frustumCulled = false;
      this.scene.add(drawn.section);
      return;
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('color', this.coloursOf(piece));
    if (this.materials.texcoords) geometry.setAttribute('uv', this.materials.texcoords);
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    if (piece.corners === 3) {
      drawn.mesh = new THREE.Mesh(geometry, this.materials.surface(piece, !piece.normals));
      drawn.mesh.frustumCulled = false;
      this.scene.add(drawn.mesh);
    } else {
      const material = new THREE.PointsMaterial({ color: this.materials.colourOf(piece), vertexColors: piece.colors, size: 6, sizeAttenuation: false, map: disc(), alphaTest: 0.4 });
      drawn.points = new THREE.Points(geometry, material);
      drawn.points.frustumCulled = false;
      this.scene.add(drawn.points);
    }
  }

  private addWire(triangles: Uint32Array): THREE.LineSegments {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setIndex(new THREE.BufferAttribute(edgesOf(triangles), 1));
    const wire = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: '#101418', transparent: true, opacity: 0.55 }));
    wire.frustumCulled = false;
    this.scene.add(wire);
    return wire;
  }

  /** Lines and slices follow the frame; surfaces and points share its positions. */
  private place(drawn: Drawn): void {
    if (drawn.points) drawn.points.visible = drawn.shown && this.whole !== null;
    if (drawn.mesh) drawn.mesh.visible = drawn.shown && this.looks.surface && !this.sliced;
    if (drawn.wire) drawn.wire.visible = drawn.shown && this.looks.wireframe && this.whole !== null;
    if (drawn.lines) {
      drawn.lines.object.visible = drawn.shown && this.whole !== null;
      drawn.lines.fade(this.sliced);
      const coordinates = this.whole?.arrays.get('hidden') as Float32Array | undefined;
      const paint = (out: Float32Array, at: number, vertex: number) => {
        if (this.weights) out.set(this.colours.array.subarray(vertex * 3, vertex * 3 + 3), at);
        else hidden(coordinates![vertex], this.middle, out, at);
      };
      drawn.lines.set(this.positions.array as Float32Array, drawn.indices, coordinates || this.weights ? paint : undefined);
    }
    if (!drawn.section) return;
    drawn.section.geometry.dispose();
    drawn.section.geometry = new THREE.BufferGeometry();
    const triangles = this.sliced ? this.frame?.arrays.get(`cut${drawn.piece.cut}`) : undefined;
    drawn.section.visible = drawn.shown && this.looks.surface && triangles !== undefined && triangles.length > 0;
    if (!drawn.section.visible) return;
    const positions = new THREE.BufferAttribute(this.frame!.arrays.get('positions')!, 3);
    const heat = this.sectionColours();
    // Each corner of a triangle may have a colour and texture coordinates of its own.
    const paint = heat ? null : this.ofCorners('paint', drawn.piece, 4);
    const places = heat ? null : this.ofCorners('map', drawn.piece, 2);
    drawn.section.geometry.setAttribute('position', positions);
    drawn.section.geometry.setIndex(new THREE.BufferAttribute(triangles!, 1));
    if (paint || places) drawn.section.geometry = drawn.section.geometry.toNonIndexed();
    const material = drawn.section.material;
    material.vertexColors = Boolean(heat || paint);
    material.color.set(heat ? '#ffffff' : this.materials.colourOf(drawn.piece));
    material.map = places ? this.materials.textureOf(drawn.piece) : null;
    material.needsUpdate = true;
    if (heat || paint) drawn.section.geometry.setAttribute('color', heat ?? paint!);
    if (places) drawn.section.geometry.setAttribute('uv', places);
  }

  /** Rows for the corners of a slice's triangles, where it has any. */
  private ofCorners(name: string, piece: Piece, width: number): THREE.BufferAttribute | null {
    const rows = this.frame!.arrays.get(`${name}${piece.cut}`);
    return rows ? new THREE.BufferAttribute(rows, width) : null;
  }

  /** The heat map on a slice: between those of the ends of each edge that was cut. */
  private sectionColours(): THREE.BufferAttribute | null {
    const [above, below, part] = ['above', 'below', 'part'].map((name) => this.frame!.arrays.get(name));
    if (!this.weights || !above || !below || !part) return null;
    const colours = new THREE.BufferAttribute(new Float32Array(above.length * 3), 3);
    const colour = new THREE.Color();
    for (let v = 0; v < above.length; ++v) {
      const weight = this.weights[above[v]] + part[v] * (this.weights[below[v]] - this.weights[above[v]]);
      colour.setRGB(...heat(weight), THREE.SRGBColorSpace);
      colours.setXYZ(v, colour.r, colour.g, colour.b);
    }
    return colours;
  }

  private placeBones(): void {
    const head = (n: number) => new THREE.Vector3().fromArray(this.heads, n * 3);
    const lines: number[] = [];
    for (const { from, to } of this.boneEnds) octahedron(head(from), to === null ? new THREE.Vector3().fromArray(this.tails, from * 3) : head(to), lines);
    this.bones.setSegments(lines);
    const points = this.jointNodes.flatMap((n) => Array.from(this.heads.subarray(n * 3, n * 3 + 3)));
    this.joints.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    this.joints.geometry.setAttribute('color', this.jointColours);
  }

  /** The edges of a box from its 2^N corners. */
  private placeBox(corners: Float32Array | undefined): void {
    if (this.box) this.box.object.visible = corners !== undefined;
    if (!corners) return;
    const count = corners.length / 3;
    const ends: number[] = [];
    for (let corner = 0; corner < count; ++corner)
      for (let bit = 1; bit < count; bit *= 2) if (!(corner & bit)) for (const end of [corner, corner | bit]) ends.push(...corners.subarray(end * 3, end * 3 + 3));
    if (!this.box) {
      this.box = new Lines(ends.length / 6, '#1f9e89', 1.6, false);
      this.box.resize(this.canvas.clientWidth, this.canvas.clientHeight);
      this.scene.add(this.box.object);
    }
    this.box.setSegments(ends);
  }

  private paintJoints(): void {
    const colour = new THREE.Color();
    this.jointNodes.forEach((n, i) => {
      colour.set(n === this.selectedNode ? '#ff3d6e' : '#ffd166');
      this.jointColours.setXYZ(i, colour.r, colour.g, colour.b);
    });
    this.jointColours.needsUpdate = true;
  }

  private listen(): void {
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    let down = [0, 0];
    this.canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]));
    this.canvas.addEventListener('pointerup', (event) => {
      const finger = event.pointerType === 'touch' ? 2.5 : 1;
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4 * finger) this.pick(event.offsetX, event.offsetY, 12 * finger);
    });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
  }

  private pick(x: number, y: number, reach: number): void {
    if (!this.looks.bones) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const point = new THREE.Vector3();
    let [best, nearest] = [reach, -1];
    for (const n of this.jointNodes) {
      point.fromArray(this.heads, n * 3).project(this.camera);
      const distance = Math.hypot(((point.x + 1) / 2) * width - x, ((1 - point.y) / 2) * height - y);
      if (distance < best) [best, nearest] = [distance, n];
    }
    if (nearest >= 0) this.onPick(nearest);
  }

  private key(event: KeyboardEvent): void {
    const turn = (around: number, up: number) => {
      const offset = this.camera.position.clone().sub(this.controls.target);
      const sphere = new THREE.Spherical().setFromVector3(offset);
      sphere.theta += around;
      sphere.phi = Math.min(Math.PI - 0.01, Math.max(0.01, sphere.phi + up));
      this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(sphere));
    };
    const zoom = (factor: number) => this.camera.position.lerp(this.controls.target, factor);
    const actions: Record<string, () => void> = {
      ArrowLeft: () => turn(0.1, 0),
      ArrowRight: () => turn(-0.1, 0),
      ArrowUp: () => turn(0, 0.1),
      ArrowDown: () => turn(0, -0.1),
      '+': () => zoom(0.1),
      '=': () => zoom(0.1),
      '-': () => zoom(-0.1),
      f: () => this.frameAll(),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
    this.controls.update();
    this.draw();
  }
}

/** Each edge of the triangles once. */
function edgesOf(triangles: Uint32Array): Uint32Array {
  const edges: number[] = [];
  const seen = new Set<number>();
  for (let t = 0; t + 2 < triangles.length; t += 3)
    for (let side = 0; side < 3; ++side) {
      const a = triangles[t + side];
      const b = triangles[t + ((side + 1) % 3)];
      const key = Math.min(a, b) * 0x4000000 + Math.max(a, b);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(a, b);
    }
  return Uint32Array.from(edges);
}

/** The edges of a bone's octahedron, thickest near its head. */
function octahedron(head: THREE.Vector3, tail: THREE.Vector3, into: number[]): void {
  const along = tail.clone().sub(head);
  const length = along.length();
  if (!(length > 0)) return;
  const side = Math.abs(along.y) < 0.9 * length ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
  const u = side.cross(along).setLength(0.1 * length);
  const v = u.clone().cross(along).setLength(0.1 * length);
  const middle = head.clone().addScaledVector(along, 0.15);
  const ring = [u, v, u.clone().negate(), v.clone().negate()].map((offset) => middle.clone().add(offset));
  ring.forEach((corner, i) => {
    for (const other of [head, tail, ring[(i + 1) % 4]]) into.push(...corner.toArray(), ...other.toArray());
  });
}

function disc(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#ffffff';
  pen.arc(32, 32, 30, 0, 2 * Math.PI);
  pen.fill();
  return new THREE.CanvasTexture(canvas);
}
