// SPDX-License-Identifier: MIT
// The JavaScript of the package: it calls the C interface (sinew.h) through the exports of sinew.wasm. Types are in sinew.d.ts.
// @ts-check

/** @typedef {import('./sinew.d.ts').Bytes} Bytes */
/** @typedef {import('./sinew.d.ts').FileOptions} FileOptions */
/** @typedef {Record<string, (...values: (number | bigint)[]) => number>} Functions */

// sinew_status and sinew_kind
const failures = /** @type {const} */ ({ 2: 'usage', 3: 'input', 4: 'output', 5: 'unsupported', 6: 'limit', 7: 'deadline', 8: 'cancelled' });
const kinds = /** @type {const} */ (['node', 'mesh', 'skin', 'animation', 'material', 'scene']);
const kindOf = (/** @type {string} */ name) => /** @type {readonly string[]} */ (kinds).indexOf(name);
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose'); // before 2023

export class SinewError extends Error {
  /** @param {string} failure @param {string} code @param {string} message @param {{file?: string, pointer?: string, offset?: number}} [place] */
  constructor(failure, code, message, { file = '', pointer, offset } = {}) {
    super(message);
    this.name = 'SinewError';
    this.failure = failure;
    this.code = code;
    this.file = file;
    this.pointer = pointer;
    this.offset = offset;
  }
}

const usage = (/** @type {string} */ message) => new SinewError('usage', 'SINEW_USAGE', message);
const outOfMemory = () => new SinewError('limit', 'SINEW_NO_MEMORY', 'not enough memory');

/** Throws for an unknown option, so that a spelling mistake is not ignored. @param {unknown} given @param {string} where @param {readonly string[]} known */
function checkOptions(given, where, known) {
  if (typeof given !== 'object' || given === null) throw usage(`${where}: expected an object with ${known.join(', ')}`);
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw usage(`${where}: unknown option "${name}"; expected ${known.join(', ')}`);
}

/** @param {unknown} bytes @param {string} [what] @returns {Uint8Array} */
function view(bytes, what = 'bytes') {
  if (bytes instanceof Uint8Array) return bytes;
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  const instead = bytes instanceof Promise ? ', found a promise: await it first' : '';
  throw usage(`${what}: expected an ArrayBuffer or a view of one${instead}`);
}

/** What is found under a name among the files that the caller gives. */
function lookUp(/** @type {FileOptions['files']} */ files, /** @type {string} */ name) {
  if (!files) return undefined;
  if (typeof files === 'function') return files(name);
  if (files instanceof Map) return files.get(name);
  return Object.hasOwn(files, name) ? /** @type {Record<string, Bytes>} */ (files)[name] : undefined;
}

/** The module and its memory. All calls go through here. */
class Wasm {
  /** @type {Functions} */ #functions = {};
  /** @type {WebAssembly.Memory} */ #memory;
  /** @type {WebAssembly.Global} */ #stack;
  /** @type {number} for results, options and structures: no call nests another */ #scratch;
  /** @type {{name: string, bytes: Uint8Array, files: FileOptions['files']} | undefined} */ #job;
  /** @type {Uint8Array} */ #opened = new Uint8Array();
  /** @type {{thrown: unknown} | undefined} what the caller's own function threw */ #failed;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const imports = {
      open_file: (/** @type {number} */ name, /** @type {number} */ length) => this.#open(new TextDecoder().decode(this.bytes(name, length))),
      read_file: (/** @type {number} */ to) => this.bytes(to, this.#opened.length).set(this.#opened),
      out_of_memory: () => {
        throw outOfMemory();
      },
    };
    // What the C library asks an operating system for; nothing that is called here depends on the answers.
    const unavailable = 52; // ENOSYS
    const wasi = new Proxy({}, { get: () => () => unavailable });
    const { exports } = new WebAssembly.Instance(module, { sinew: imports, wasi_snapshot_preview1: wasi });
    this.#functions = /** @type {Functions} */ (/** @type {unknown} */ (exports));
    this.#memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#stack = /** @type {WebAssembly.Global} */ (exports.__stack_pointer);
    this.call('_initialize');
    this.#scratch = this.allocate(128);
  }

  get size() {
    return this.#memory.buffer.byteLength;
  }

  /** @param {string} name */
  #open(name) {
    const job = this.#job;
    if (!job) return -1;
    const folder = job.name.slice(0, job.name.lastIndexOf('/') + 1);
    try {
      const found = name === job.name ? job.bytes : lookUp(job.files, name.startsWith(folder) ? name.slice(folder.length) : name);
      if (found === undefined) return -1;
      this.#opened = view(found, name);
      return this.#opened.length;
    } catch (thrown) {
      this.#failed = { thrown };
      return -1;
    }
  }

  /** Calls a function that fails only if memory runs out. Restores the stack in that case. @param {string} name @param {...number} values */
  call(name, ...values) {
    const stack = this.#stack.value;
    try {
      return this.#functions[name](...values);
    } catch (thrown) {
      this.#stack.value = stack;
      throw thrown;
    }
  }

  /** Calls a function that returns a status and takes an error last. @param {string} name @param {...number} values */
  attempt(name, ...values) {
    const error = this.#scratch;
    this.numbers(Uint32Array, error, 1)[0] = 0;
    const status = this.call(name, ...values, error);
    if (status !== 0) throw this.#error(status, this.numbers(Uint32Array, error, 1)[0]);
  }

  /** The same with a place for its result before the error. @param {string} name @param {...number} values */
  make(name, ...values) {
    const result = this.#scratch + 8;
    this.attempt(name, ...values, result);
    return this.numbers(Uint32Array, result, 1)[0];
  }

  /** Does work that may ask for the file and for what it names. @template T @param {Bytes} bytes @param {FileOptions} options @param {(name: number) => T} work @returns {T} */
  withFile(bytes, { name = 'model', files }, work) {
    if (typeof name !== 'string') throw usage('name: expected a string');
    if (files && typeof files !== 'object' && typeof files !== 'function') throw usage('files: expected an object, a Map or a function');
    this.#job = { name, bytes: view(bytes), files };
    try {
      const result = this.withText(name, work);
      if (!this.#failed) return result;
    } catch (error) {
      if (!this.#failed) throw error;
    } finally {
      this.#job = undefined;
      this.#opened = new Uint8Array();
    }
    const { thrown } = this.#failed;
    this.#failed = undefined;
    throw thrown;
  }

  /** @param {number} status @param {number} error */
  #error(status, error) {
    if (error === 0) return outOfMemory();
    const failure = failures[/** @type {keyof typeof failures} */ (status)];
    const text = (/** @type {string} */ what) => this.text(this.call(`sinew_error_${what}`, error));
    const pointer = this.call('sinew_error_pointer', error) === 0 ? undefined : text('pointer');
    const cell = this.#scratch + 8;
    const offset = this.call('sinew_error_offset', error, cell) === 0 ? undefined : Number(this.numbers(BigUint64Array, cell, 1)[0]);
    const message = text('message').replace(/^sinew_\w+: /, ''); // which function of the C interface it was
    const result = new SinewError(failure, text('code'), message, { file: text('file'), pointer, offset });
    this.call('sinew_error_free', error);
    return result;
  }

  /** A structure of 32-bit numbers, as sinew.h declares it. @param {...number} fields */
  structure(...fields) {
    const at = this.#scratch + 32;
    this.numbers(Uint32Array, at, fields.length).set(fields);
    return at;
  }

  /** @template {Uint32ArrayConstructor | Float32ArrayConstructor | Float64ArrayConstructor | BigUint64ArrayConstructor} T @param {T} Type @param {number} at @param {number} count @returns {InstanceType<T>} */
  numbers(Type, at, count) {
    return /** @type {InstanceType<T>} */ (new Type(this.#memory.buffer, at, count));
  }
  /** @param {number} at @param {number} count */
  bytes(at, count) {
    return new Uint8Array(this.#memory.buffer, at, count);
  }

  /** @param {number} size */
  allocate(size) {
    const at = this.call('malloc', Math.max(size, 1)) >>> 0;
    if (at === 0) throw outOfMemory();
    return at;
  }
  /** @param {number} at */
  release(at) {
    this.call('free', at);
  }

  /** The text that ends in 0. @param {number} at */
  text(at) {
    const start = at >>> 0;
    const all = new Uint8Array(this.#memory.buffer);
    return new TextDecoder().decode(all.subarray(start, all.indexOf(0, start)));
  }
  /** @template T @param {string} text @param {(at: number) => T} work @returns {T} */
  withText(text, work) {
    const encoded = new TextEncoder().encode(`${text}\0`);
    if (encoded.indexOf(0) !== encoded.length - 1) throw usage('a name contains a NUL character');
    return this.withBytes(encoded, work);
  }
  /** @template T @param {ArrayLike<number>} values @param {(at: number, count: number) => T} work @returns {T} */
  withNumbers(values, work) {
    const numbers = Float64Array.from(values);
    return this.withBytes(new Uint8Array(numbers.buffer), (at) => work(at, numbers.length));
  }
  /** @template T @param {Uint8Array} bytes @param {(at: number) => T} work @returns {T} */
  withBytes(bytes, work) {
    const at = this.allocate(bytes.length);
    try {
      this.bytes(at, bytes.length).set(bytes);
      return work(at);
    } finally {
      this.release(at);
    }
  }
}

/** Something of the module that has to be given back. */
class Handle {
  /** @type {number} */ #at;
  /** @type {string} */ #kind;

  /** @param {Wasm} wasm @param {string} kind @param {number} at */
  constructor(wasm, kind, at) {
    this._wasm = wasm;
    this.#kind = kind;
    this.#at = at;
  }
  get _at() {
    if (this.#at === 0) throw usage(`the ${this.#kind} was freed`);
    return this.#at;
  }
  free() {
    if (this.#at !== 0) this._wasm.call(`sinew_${this.#kind}_free`, this.#at);
    this.#at = 0;
  }
  [dispose]() {
    this.free();
  }
}

/** @param {Wasm} wasm @param {number} model @param {string} kind @param {number} index */
const nameOf = (wasm, model, kind, index) => wasm.text(wasm.call('sinew_model_name', model, kindOf(kind), index));

/** @param {unknown} value @param {string} what */
function index(value, what) {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) >= 2 ** 32) throw usage(`${what}: expected an index or a name`);
  return Number(value);
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
    this.meshes = list('mesh', (name, i) => Object.freeze({ name, shapes: wasm.call('sinew_mesh_shapes', at, i) }));
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

  pose() {
    return new Pose(this, this._wasm.make('sinew_pose_create', this._at));
  }

  /** @param {import('./sinew.d.ts').DeformerOptions} options */
  deformer(options = {}) {
    checkOptions(options, 'deformer', ['normals', 'tangents', 'maxInfluences', 'scene']);
    const { tangents = false, maxInfluences = 0, scene } = options;
    const normals = options.normals || tangents; // whoever asks for tangents gets both
    const wasm = this._wasm;
    const chosen = scene === undefined ? [0, 0] : [1, index(scene, 'scene')];
    const how = wasm.structure(normals ? 1 : 0, tangents ? 1 : 0, index(maxInfluences, 'maxInfluences'), ...chosen);
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
  /** Numbers of which the C interface wants to know how many (no `wanted`), or knows. @param {number} node @param {string} what @param {ArrayLike<number> | undefined} values @param {number} [wanted] */
  #change(node, what, values, wanted) {
    if (values === undefined) return;
    if (typeof values?.length !== 'number') throw usage(`${what}: expected an array of numbers`);
    if (wanted !== undefined && values.length !== wanted) throw usage(`${what}: expected ${wanted} numbers, found ${values.length}`);
    this._wasm.withNumbers(values, (numbers, count) =>
      this._wasm.attempt(`sinew_pose_set_${what}`, this._at, node, numbers, ...(wanted === undefined ? [count] : [])),
    );
  }
}

class Deformer extends Handle {
  /** @type {[number, number, number]} where positions, normals and tangents lie; 0: not wanted */ #outputs = [0, 0, 0];
  /** @type {[number, number, number]} numbers per row */ #widths;

  /** @param {Model} model @param {number} at @param {boolean} normals @param {boolean} tangents */
  constructor(model, at, normals, tangents) {
    const wasm = model._wasm;
    super(wasm, 'deformer', at);
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
    wasm.attempt('sinew_deform', this._at, pose._at, output, 1);
    const rows = (/** @type {number} */ at, /** @type {number} */ width) => wasm.numbers(Float32Array, at, this.vertices * width);
    return {
      positions: rows(positions, this.#widths[0]),
      normals: normals === 0 ? undefined : rows(normals, this.#widths[1]),
      tangents: tangents === 0 ? undefined : rows(tangents, this.#widths[2]),
    };
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
