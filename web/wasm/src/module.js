// SPDX-License-Identifier: MIT
// The module and its memory: calls of the C interface (sinew.h), errors, and numbers in and out. sinew.js makes the interface of it.
// @ts-check

/** @typedef {import('./sinew.d.ts').Bytes} Bytes */
/** @typedef {import('./sinew.d.ts').FileOptions} FileOptions */
/** @typedef {Record<string, (...values: (number | bigint)[]) => number>} Functions */

// sinew_status
const failures = /** @type {const} */ ({ 2: 'usage', 3: 'input', 4: 'output', 5: 'unsupported', 6: 'limit', 7: 'deadline', 8: 'cancelled' });
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

export const usage = (/** @type {string} */ message) => new SinewError('usage', 'SINEW_USAGE', message);
const outOfMemory = () => new SinewError('limit', 'SINEW_NO_MEMORY', 'not enough memory');

/** Throws for an unknown option, so that a spelling mistake is not ignored. @param {unknown} given @param {string} where @param {readonly string[]} known */
export function checkOptions(given, where, known) {
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
export class Wasm {
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
  /** A copy of numbers of the module, or an empty array at 0. @template {Uint32ArrayConstructor | Float32ArrayConstructor} T @param {T} Type @param {number} at @param {number} count @returns {InstanceType<T>} */
  copied(Type, at, count) {
    return /** @type {InstanceType<T>} */ (at === 0 ? new Type(0) : this.numbers(Type, at >>> 0, count).slice());
  }
  /** Numbers that `fill` has the module write. @template {Float32ArrayConstructor | Float64ArrayConstructor} T @param {T} Type @param {number} count @param {(at: number) => void} fill @returns {InstanceType<T>} */
  filled(Type, count, fill) {
    const at = this.allocate(count * Type.BYTES_PER_ELEMENT);
    try {
      fill(at);
      return /** @type {InstanceType<T>} */ (this.numbers(Type, at, count).slice());
    } finally {
      this.release(at);
    }
  }
  /** A list that a function returns, whose last argument is where it writes the size. @param {string} name @param {...number} values @returns {[at: number, count: number]} */
  list(name, ...values) {
    const count = this.#scratch + 8;
    const at = this.call(name, ...values, count);
    return [at, this.numbers(Uint32Array, count, 1)[0]];
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
export class Handle {
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
