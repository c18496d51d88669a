// SPDX-License-Identifier: MIT
// The JavaScript of the package, on the C interface (sinew.h) as module.js calls it. Types are in sinew.d.ts.
// @ts-check
import { checkOptions, Handle, SinewError, usage, Wasm } from './module.js';

export { SinewError };

/** @typedef {import('./sinew.d.ts').Bytes} Bytes */
/** @typedef {import('./sinew.d.ts').FileOptions} FileOptions */

// sinew_kind
const kinds = /** @type {const} */ (['node', 'mesh', 'skin', 'animation', 'material', 'scene']);
const kindOf = (/** @type {string} */ name) => /** @type {readonly string[]} */ (kinds).indexOf(name);

/** @param {Wasm} wasm @param {number} model @param {string} kind @param {number} index */
const nameOf = (wasm, model, kind, index) => wasm.text(wasm.call('sinew_model_name', model, kindOf(kind), index));

/** @param {unknown} value @param {string} what */
function index(value, what) {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) >= 2 ** 32) throw usage(`${what}: expected an index or a name`);
  return Number(value);
}

const none = 0xffffffff; // SINEW_NONE
const given = (/** @type {number} */ number) => (number >>> 0 === none ? undefined : number >>> 0);

/** A finite number, or an error. @param {unknown} value @param {string} what */
function finite(value, what) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw usage(`${what}: expected a finite number`);
  return value;
}
/** @param {unknown} values @param {number} count @param {string} what @returns {ArrayLike<number>} */
function listed(values, count, what) {
  const list = /** @type {ArrayLike<number> | undefined} */ (values);
  if (typeof list?.length !== 'number') throw usage(`${what}: expected an array of numbers`);
  if (list.length !== count) throw usage(`${what}: expected ${count} numbers, found ${list.length}`);
  return list;
}

class Model extends Handle {
  /** @type {{scene: number | undefined, deformer: Deformer} | undefined} the one of the last deform() */ #deformer;

  /** @param {Wasm} wasm @param {number} at */
  constructor(wasm, at) {
    super(wasm, 'model', at);
    /** @template T @param {string} kind @param {(name: string, index: number) => T} make @returns {readonly T[]} */
    const list = (kind, make) =>
      Object.freeze(Array.from({ length: wasm.call('sinew_model_count', at, kindOf(kind)) }, (_, i) => make(nameOf(wasm, at, kind, i), i)));
    const name = (/** @type {string} */ text) => text;
    this.format = wasm.text(wasm.call('sinew_model_format', at));
    this.revision = wasm.text(wasm.call('sinew_model_revision', at));
    this.dimension = wasm.call('sinew_model_dimension', at);
    this.nodes = list('node', name);
    this.skins = list('skin', name);
    this.materials = list('material', name);
    this.scenes = list('scene', name);
    this.meshes = list('mesh', (name, mesh) => {
      const shapes = wasm.call('sinew_mesh_shapes', at, mesh);
      const shapeNames = Array.from({ length: shapes }, (_, i) => wasm.text(wasm.call('sinew_mesh_shape_name', at, mesh, i)));
      return Object.freeze({ name, shapes, shapeNames: Object.freeze(shapeNames) });
    });
    this.animations = list('animation', (name, i) => Object.freeze({ name, duration: wasm.call('sinew_animation_duration', at, i) }));
  }

  /** @param {string} kind @param {string} name */
  find(kind, name) {
    if (kindOf(kind) < 0) throw usage(`unknown kind "${kind}"; expected ${kinds.join(', ')}`);
    return this._wasm.withText(name, (at) => this._wasm.make('sinew_model_find', this._at, kindOf(kind), at));
  }
  /** @param {string} kind @param {string | number} which */
  _index(kind, which) {
    return typeof which === 'string' ? this.find(kind, which) : index(which, kind);
  }

  /** @param {string | number} node */
  parent(node) {
    return given(this._wasm.call('sinew_node_parent', this._at, this._node(node)));
  }
  /** @param {string | number} skin */
  joints(skin) {
    const at = this._index('skin', skin);
    if (at >= this.skins.length) throw usage(`skin ${at} does not exist`);
    const length = this._wasm.call('sinew_skin_joints', this._at, at);
    return Array.from({ length }, (_, slot) => given(this._wasm.call('sinew_skin_joint', this._at, at, slot)));
  }
  /** @param {string | number} node */
  _node(node) {
    const at = this._index('node', node);
    if (at >= this.nodes.length) throw usage(`node ${at} does not exist`);
    return at;
  }

  pose() {
    return new Pose(this, this._wasm.make('sinew_pose_create', this._at));
  }

  /** @param {readonly (string | number | import('./sinew.d.ts').PlayedClip)[]} clips @param {import('./sinew.d.ts').PlayerOptions} [options] */
  player(clips, options = {}) {
    checkOptions(options, 'player', ['root']);
    if (!Array.isArray(clips)) throw usage('clips: expected an array of names, indices or objects');
    return new Player(this, clips, options.root === undefined ? none : this._node(options.root));
  }

  /** @param {import('./sinew.d.ts').DeformerOptions} options */
  deformer(options = {}) {
    checkOptions(options, 'deformer', ['normals', 'tangents', 'maxInfluences', 'scene']);
    const { tangents = false, maxInfluences = 0, scene } = options;
    const wanted = options.normals || tangents; // whoever asks for tangents gets both
    if (typeof wanted !== 'boolean' && wanted !== 'computed') throw usage('normals: expected true, false or "computed"');
    const normals = wanted !== false;
    const wasm = this._wasm;
    const chosen = scene === undefined ? [0, 0] : [1, index(scene, 'scene')];
    const how = wasm.structure(wanted === 'computed' ? 2 : normals ? 1 : 0, tangents ? 1 : 0, index(maxInfluences, 'maxInfluences'), ...chosen);
    return new Deformer(this, wasm.make('sinew_deformer_create', this._at, how), normals, tangents);
  }

  /** @param {{animation?: string | number, time?: number, pose?: Pose, scene?: number}} options */
  deform(options = {}) {
    checkOptions(options, 'deform', ['animation', 'time', 'pose', 'scene']);
    const { animation, time, pose, scene } = options;
    if (time !== undefined && animation === undefined) throw usage('deform: time needs an animation');
    if (pose && animation !== undefined) throw usage('deform: expected an animation or a pose, not both');
    if (!this.#deformer || this.#deformer.scene !== scene) {
      this.#deformer?.deformer.free();
      this.#deformer = undefined;
      this.#deformer = { scene, deformer: this.deformer({ scene }) };
    }
    const { deformer } = this.#deformer;
    if (pose) return deformer.deform(pose).positions.slice();
    const now = this.pose();
    try {
      if (animation !== undefined) now.sample(animation, time ?? 0);
      return deformer.deform(now).positions.slice();
    } finally {
      now.free();
    }
  }

  free() {
    this.#deformer?.deformer.free();
    this.#deformer = undefined;
    super.free();
  }
}

class Pose extends Handle {
  #model;
  /** @param {Model} model @param {number} at */
  constructor(model, at) {
    super(model._wasm, 'pose', at);
    this.#model = model;
  }
  reset() {
    this._wasm.attempt('sinew_pose_reset', this._at);
    return this;
  }
  /** @param {string | number} animation @param {number} seconds */
  sample(animation, seconds) {
    this._wasm.attempt('sinew_pose_sample', this._at, this.#model._index('animation', animation), seconds);
    return this;
  }
  /** @param {string | number} node @param {import('./sinew.d.ts').NodePose} parts */
  set(node, parts) {
    const at = this.#model._index('node', node);
    const n = this.#model.dimension;
    checkOptions(parts, 'set', ['translation', 'scale', 'quaternion', 'rotor', 'basis', 'amounts']);
    const { translation, scale, quaternion, rotor, basis, amounts } = parts;
    this.#change(at, 'translation', translation, n);
    this.#change(at, 'scale', scale, n);
    this.#change(at, 'quaternion', quaternion, 4);
    this.#change(at, 'rotor', rotor);
    this.#change(at, 'basis', basis, n * n);
    this.#change(at, 'amounts', amounts);
    return this;
  }
  /** @param {string | number} node @param {ArrayLike<number>} rotor */
  turn(node, rotor) {
    const name = typeof node === 'string' ? node : String(index(node, 'node'));
    if (typeof rotor?.length !== 'number') throw usage('rotor: expected an array of numbers');
    this._wasm.withText(name, (text) => this._wasm.withNumbers(rotor, (numbers, count) => this._wasm.attempt('sinew_pose_turn', this._at, text, numbers, count)));
    return this;
  }
  /** @param {string | number} shape @param {number} amount */
  blend(shape, amount) {
    const name = typeof shape === 'string' ? shape : String(index(shape, 'shape'));
    this._wasm.withText(name, (text) => this._wasm.attempt('sinew_pose_blend', this._at, text, finite(amount, 'amount')));
    return this;
  }
  /** @param {Readonly<Record<string, number>>} expressions */
  express(expressions) {
    if (typeof expressions !== 'object' || expressions === null) throw usage('express: expected an object of names and amounts');
    const names = Object.keys(expressions);
    const wasm = this._wasm;
    const amounts = names.map((name) => finite(expressions[name], name));
    /** @param {number[]} texts */
    const apply = (texts) =>
      wasm.withBytes(new Uint8Array(Uint32Array.from(texts).buffer), (list) =>
        wasm.withNumbers(amounts, (numbers, count) => wasm.attempt('sinew_pose_express', this._at, list, numbers, count)),
      );
    /** All names in the memory of the module at once. @param {number[]} texts */
    const collect = (texts) => {
      if (texts.length === names.length) apply(texts);
      else wasm.withText(names[texts.length], (text) => collect([...texts, text]));
    };
    collect([]);
    return this;
  }

  /** @param {string | number} node */
  translation(node) {
    return this.#read('translation', node, this.#model.dimension);
  }
  /** @param {string | number} node */
  scale(node) {
    return this.#read('scale', node, this.#model.dimension);
  }
  /** @param {string | number} node */
  rotor(node) {
    return this.#read('rotor', node, 2 ** (this.#model.dimension - 1));
  }
  /** @param {string | number} node */
  matrix(node) {
    return this.#read('matrix', node, this.#model.dimension * (this.#model.dimension + 1));
  }
  /** @param {string | number} node */
  amounts(node) {
    const at = this.#model._node(node);
    const mesh = given(this._wasm.call('sinew_node_mesh', this.#model._at, at));
    const count = mesh === undefined ? 0 : this.#model.meshes[mesh].shapes;
    return this._wasm.filled(Float64Array, count, (numbers) => this._wasm.attempt('sinew_pose_get_amounts', this._at, at, numbers, count));
  }
  worlds() {
    const n = this.#model.dimension;
    return this._wasm.filled(Float64Array, this.#model.nodes.length * n * (n + 1), (numbers) =>
      this._wasm.attempt('sinew_pose_get_world', this._at, numbers),
    );
  }
  /** @param {string} what @param {string | number} node @param {number} count */
  #read(what, node, count) {
    const at = this.#model._node(node);
    return this._wasm.filled(Float64Array, count, (numbers) => this._wasm.attempt(`sinew_pose_get_${what}`, this._at, at, numbers));
  }

  /** Numbers of which the C interface wants to know how many (no `wanted`), or knows. @param {number} node @param {string} what @param {ArrayLike<number> | undefined} values @param {number} [wanted] */
  #change(node, what, values, wanted) {
    if (values === undefined) return;
    this._wasm.withNumbers(listed(values, wanted ?? values?.length, what), (numbers, count) =>
      this._wasm.attempt(`sinew_pose_set_${what}`, this._at, node, numbers, ...(wanted === undefined ? [count] : [])),
    );
  }
}

/** Plays clips together; its pose belongs to it. */
class Player extends Handle {
  #model;
  #root;
  /** @type {Pose} */ #pose;
  /** @type {Float64Array<ArrayBuffer>} */ #motion = new Float64Array();
  /** @type {number} */ #count;

  /** @param {Model} model @param {readonly (string | number | import('./sinew.d.ts').PlayedClip)[]} clips @param {number} root */
  constructor(model, clips, root) {
    const wasm = model._wasm;
    const size = 48; // of sinew_played_clip: size_t animation; double weight, speed, seconds; int holds, additive; const float* mask
    /** @type {{ numbers: number[], flags: number[], mask: Float32Array | undefined, animation: number }[]} */
    const list = clips.map((clip) => readClip(model, clip));
    const masks = list.flatMap(({ mask }) => (mask ? [...mask] : []));
    const made = wasm.withBytes(new Uint8Array(Float32Array.from(masks).buffer), (at) => {
      const bytes = new DataView(new ArrayBuffer(size * list.length));
      let next = at;
      for (const [i, { animation, numbers, flags, mask }] of list.entries()) {
        bytes.setUint32(i * size, animation, true);
        for (const [k, number] of numbers.entries()) bytes.setFloat64(i * size + 8 + 8 * k, number, true);
        for (const [k, flag] of flags.entries()) bytes.setInt32(i * size + 32 + 4 * k, flag, true);
        bytes.setUint32(i * size + 40, mask ? next : 0, true);
        if (mask) next += mask.byteLength;
      }
      return wasm.withBytes(new Uint8Array(bytes.buffer), (clipsAt) => wasm.make('sinew_player_create', model._at, clipsAt, list.length, root));
    });
    super(wasm, 'player', made);
    this.#model = model;
    this.#root = root;
    this.#count = list.length;
    try {
      this.#pose = model.pose();
      this.advance(0);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  get pose() {
    return this.#pose;
  }
  get rootMotion() {
    return this.#motion;
  }
  /** @param {number} clip */
  seconds(clip) {
    return this._wasm.call('sinew_player_seconds', this._at, this.#clip(clip));
  }
  /** @param {number} clip @param {number} weight */
  setWeight(clip, weight) {
    return this.#change('set_weight', clip, finite(weight, 'weight'));
  }
  /** @param {number} clip @param {number} speed */
  setSpeed(clip, speed) {
    return this.#change('set_speed', clip, finite(speed, 'speed'));
  }
  /** @param {number} clip @param {number} seconds */
  seek(clip, seconds) {
    return this.#change('seek', clip, finite(seconds, 'seconds'));
  }
  /** @param {number} seconds */
  advance(seconds) {
    const by = finite(seconds, 'seconds');
    this.#motion = this._wasm.filled(Float64Array, this.#model.dimension, (motion) =>
      this._wasm.attempt('sinew_player_advance', this._at, by, this.#pose._at, motion),
    );
    return this;
  }
  /** @param {string | number} node */
  world(node) {
    const n = this.#model.dimension;
    const name = typeof node === 'string' ? node : String(index(node, 'node'));
    return this._wasm.withText(name, (text) =>
      this._wasm.filled(Float64Array, n * (n + 1), (matrix) => this._wasm.attempt('sinew_player_get_socket', this._at, text, matrix)),
    );
  }
  free() {
    this.#pose?.free();
    super.free();
  }

  /** @param {number} clip */
  #clip(clip) {
    if (!Number.isInteger(clip) || clip < 0 || clip >= this.#count) throw usage(`clip: expected an index below ${this.#count}`);
    return clip;
  }
  /** @param {string} what @param {number} clip @param {number} number */
  #change(what, clip, number) {
    this._wasm.attempt(`sinew_player_${what}`, this._at, this.#clip(clip), number);
    return this;
  }
}

/** A clip as the module takes it. @param {Model} model @param {string | number | import('./sinew.d.ts').PlayedClip} clip */
function readClip(model, clip) {
  if (typeof clip !== 'object') return { animation: model._index('animation', clip), numbers: [1, 1, 0], flags: [0, 0], mask: undefined };
  checkOptions(clip, 'clips', ['animation', 'weight', 'speed', 'seconds', 'loops', 'additive', 'mask']);
  const { animation, weight = 1, speed = 1, seconds = 0, loops = true, additive = false, mask } = clip;
  return {
    animation: model._index('animation', animation),
    numbers: [finite(weight, 'weight'), finite(speed, 'speed'), finite(seconds, 'seconds')],
    flags: [loops ? 0 : 1, additive ? 1 : 0],
    mask: mask && Float32Array.from(listed(mask, model.nodes.length, 'mask')),
  };
}

class Deformer extends Handle {
  #model;
  #deformed = false;
  /** @type {[number, number, number]} where positions, normals and tangents lie; 0: not wanted */ #outputs = [0, 0, 0];
  /** @type {[number, number, number]} numbers per row */ #widths;

  /** @param {Model} model @param {number} at @param {boolean} normals @param {boolean} tangents */
  constructor(model, at, normals, tangents) {
    const wasm = model._wasm;
    super(wasm, 'deformer', at);
    this.#model = model;
    this.vertices = wasm.call('sinew_deformer_vertices', at);
    this.#widths = [model.dimension, model.dimension, 4];
    this.instances = Object.freeze(
      Array.from({ length: wasm.call('sinew_deformer_instances', at) }, (_, i) => {
        const found = wasm.structure(0, 0, 0, 0);
        wasm.attempt('sinew_deformer_instance', at, i, found);
        const [node, mesh, first, vertices] = wasm.numbers(Uint32Array, found, 4);
        return Object.freeze({ node, mesh, first, vertices });
      }),
    );
    try {
      for (const [i, wanted] of [true, normals, tangents].entries()) {
        if (!wanted) continue;
        const size = this.vertices * this.#widths[i] * 4;
        this.#outputs[i] = wasm.allocate(size);
        wasm.bytes(this.#outputs[i], size).fill(0);
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** @param {Pose} pose */
  deform(pose) {
    const wasm = this._wasm;
    const [positions, normals, tangents] = this.#outputs;
    if (!(pose instanceof Pose) || pose._wasm !== wasm) throw usage('pose: expected a pose of the same model');
    const output = wasm.structure(positions, 0, normals, 0, tangents, 0);
    this.#deformed = false;
    wasm.attempt('sinew_deform', this._at, pose._at, output, 1);
    this.#deformed = true;
    const rows = (/** @type {number} */ at, /** @type {number} */ width) => wasm.numbers(Float32Array, at, this.vertices * width);
    return {
      positions: rows(positions, this.#widths[0]),
      normals: normals === 0 ? undefined : rows(normals, this.#widths[1]),
      tangents: tangents === 0 ? undefined : rows(tangents, this.#widths[2]),
    };
  }

  triangles() {
    const [at, count] = this._wasm.list('sinew_deformer_triangles', this._at);
    return this._wasm.copied(Uint32Array, at, count);
  }
  triangleRanges() {
    const [at, count] = this._wasm.list('sinew_deformer_triangle_ranges', this._at);
    const numbers = this._wasm.copied(Uint32Array, at, 5 * count);
    return Array.from({ length: count }, (_, i) => {
      const [first, triangles, instance, surface, material] = numbers.subarray(5 * i);
      return { first, count: triangles, instance, surface, material: given(material) };
    });
  }
  influences() {
    const wasm = this._wasm;
    const found = wasm.structure(0, 0, 0);
    wasm.attempt('sinew_deformer_influences', this._at, found);
    const [firstAt, nodes, weights] = wasm.numbers(Uint32Array, found, 3).slice();
    const first = wasm.copied(Uint32Array, firstAt, this.vertices + 1);
    const count = first[this.vertices];
    return { first, nodes: wasm.copied(Uint32Array, nodes, count), weights: wasm.copied(Float32Array, weights, count) };
  }
  /** @param {Pose} pose @param {number} [set] */
  textureCoordinates(pose, set = 0) {
    const wasm = this._wasm;
    const at = index(set, 'set');
    if (!(pose instanceof Pose) || pose._wasm !== wasm) throw usage('pose: expected a pose of the same model');
    return wasm.filled(Float32Array, 2 * this.vertices, (numbers) =>
      wasm.attempt('sinew_deformer_texture_coordinates', this._at, pose._at, at, numbers),
    );
  }
  /** @param {number} [above] */
  boneBoxes(above = 0) {
    const positions = this.#positions();
    return this._wasm.filled(Float32Array, this.#model.nodes.length * 2 * this.#model.dimension, (boxes) =>
      this._wasm.attempt('sinew_deformer_bone_boxes', this._at, positions, finite(above, 'above'), boxes),
    );
  }
  /** @param {ArrayLike<number>} origin @param {ArrayLike<number>} direction */
  hit(origin, direction) {
    const wasm = this._wasm;
    const positions = this.#positions();
    const ray = [...Array.from(listed(origin, 3, 'origin')), ...Array.from(listed(direction, 3, 'direction'))];
    return wasm.withNumbers(ray, (numbers) => {
      const met = wasm.structure(...new Array(11).fill(0)); // sinew_ray_hit in 40 bytes, and `found`
      wasm.attempt('sinew_deformer_hit', this._at, positions, numbers, numbers + 24, met, met + 40);
      if (wasm.numbers(Uint32Array, met + 40, 1)[0] === 0) return undefined;
      const [instance, triangle] = wasm.numbers(Uint32Array, met, 2);
      const [a, b, c, distance] = wasm.numbers(Float64Array, met + 8, 4);
      return { instance, triangle, barycentric: /** @type {[number, number, number]} */ ([a, b, c]), distance };
    });
  }
  #positions() {
    if (!this.#deformed) throw usage('expected a call of deform() before');
    return this.#outputs[0];
  }

  free() {
    for (const [i, at] of this.#outputs.entries()) {
      if (at !== 0) this._wasm.release(at);
      this.#outputs[i] = 0;
    }
    super.free();
  }
}

class Sinew {
  #wasm;
  /** @param {Wasm} wasm */
  constructor(wasm) {
    this.#wasm = wasm;
    this.version = wasm.text(wasm.call('sinew_version'));
  }
  get memory() {
    return this.#wasm.size;
  }

  /** @param {Bytes} bytes @param {import('./sinew.d.ts').OpenOptions} [options] */
  open(bytes, options = {}) {
    const wasm = this.#wasm;
    checkOptions(options, 'open', ['name', 'files', 'maxMemory', 'force', 'revision']);
    const { maxMemory = 2 ** 30, force = false, revision } = options;
    if (!Number.isInteger(maxMemory) || maxMemory < 1 || maxMemory >= 2 ** 32) throw usage('maxMemory: expected a number of bytes below 4 GiB');
    const read = (/** @type {number} */ wanted) =>
      wasm.withFile(bytes, options, (name) =>
        // uint64 max_memory; force, allow_outside, copy; const char* revision
        wasm.make('sinew_load', name, wasm.structure(maxMemory, 0, force ? 1 : 0, 0, 1, wanted)),
      );
    return new Model(wasm, revision === undefined ? read(0) : wasm.withText(revision, read));
  }

  /** @param {Bytes} bytes @param {FileOptions} [options] */
  validate(bytes, options = {}) {
    const wasm = this.#wasm;
    checkOptions(options, 'validate', ['name', 'files']);
    const report = wasm.withFile(bytes, options, (name) => {
      const result = wasm.structure(0);
      wasm.attempt('sinew_validate', name, result, 0);
      return wasm.numbers(Uint32Array, result, 1)[0];
    });
    try {
      return JSON.parse(wasm.text(report));
    } finally {
      wasm.call('sinew_string_free', report);
    }
  }
}

/** @param {unknown} wasm @returns {Promise<WebAssembly.Module>} */
async function compile(wasm) {
  const source = await wasm;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(/** @type {BufferSource} */ (source));
  if (typeof source === 'string' || source instanceof URL) {
    const url = new URL(source, import.meta.url);
    if (url.protocol === 'file:') {
      const node = 'node:fs/promises'; // a variable, so that bundlers for browsers leave it alone
      const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ node);
      return WebAssembly.compile(await readFile(url));
    }
    return compile(fetch(url));
  }
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw usage(`${source.url}: ${source.status} ${source.statusText}`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  throw usage('load: expected a URL, bytes, a Response or a WebAssembly.Module');
}

/** @param {unknown} [wasm] */
export async function load(wasm = new URL('sinew.wasm', import.meta.url)) {
  return new Sinew(new Wasm(await compile(wasm)));
}
