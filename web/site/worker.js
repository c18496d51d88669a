// SPDX-License-Identifier: MIT
// Runs program.wasm, the program of the project, on files in memory: what web/wasm/src/program.js does in Node.
// A message {module, words, files: [[NAME, BLOB]…]} is answered by {status, out, err, made: [[NAME, BLOB]…]}, or by {failed: TEXT}.
// @ts-check

// Errors of the C library in program.wasm (WASI).
const [EBADF, EEXIST, EINVAL, EIO, EISDIR, ENOENT, ENOSYS, ENOTDIR, ENOTEMPTY] = [8, 20, 28, 29, 31, 44, 52, 54, 55];

/** How the program ends. */
class Exit {
  /** @param {number} status */
  constructor(status) {
    this.status = status;
  }
}

/** What a call answers instead of a result. */
class Refused {
  /** @param {number} number */
  constructor(number) {
    this.number = number;
  }
}
const refuse = (/** @type {number} */ number) => {
  throw new Refused(number);
};

/** A file: the bytes that were given, read when they are asked for, or bytes that the program writes. */
class Node {
  static count = 0;
  /** @param {Blob | null} blob null: a folder, or a new file */
  constructor(blob, folder = false) {
    this.number = ++Node.count;
    this.blob = blob;
    this.folder = folder;
    this.bytes = new Uint8Array(0);
    this.size = blob ? blob.size : 0;
    this.written = false;
  }

  /** The bytes, in an array that may be longer. @param {number} room */
  content(room = 0) {
    if (this.blob) {
      this.bytes = new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.blob));
      this.blob = null;
    }
    if (this.bytes.length < room) {
      const longer = new Uint8Array(Math.max(room, 2 * this.bytes.length));
      longer.set(this.bytes.subarray(0, this.size));
      this.bytes = longer;
    }
    return this.bytes;
  }
}

/** The folder "/", in which all files are. */
class Files {
  /** @param {[string, Blob][]} given */
  constructor(given) {
    this.nodes = /** @type {Map<string, Node>} */ (new Map([['/', new Node(null, true)]]));
    for (const [name, blob] of given) {
      const path = this.path(name);
      for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
        if (!this.nodes.has(path.slice(0, at))) this.nodes.set(path.slice(0, at), new Node(null, true));
      }
      this.nodes.set(path, new Node(blob));
    }
    this.opened = /** @type {({ node: Node, at: number } | null)[]} */ ([null, null, null]);
  }

  /** From "/", without "." and "..". @param {string} text */
  path(text) {
    const parts = /** @type {string[]} */ ([]);
    for (const part of text.split('/')) {
      if (part === '..') parts.pop();
      else if (part && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }
  /** @param {string} text */
  find(text) {
    if (!text) refuse(ENOENT);
    const node = this.nodes.get(this.path(text));
    if (!node) return refuse(this.nodes.get(this.parent(text))?.folder === false ? ENOTDIR : ENOENT);
    return node;
  }
  /** @param {string} text */
  parent(text) {
    const path = this.path(text);
    return path.slice(0, path.lastIndexOf('/')) || '/';
  }
  /** @param {string} text */
  names(text) {
    if (!this.find(text).folder) refuse(ENOTDIR);
    const from = this.path(text).replace(/\/$/, '') + '/';
    return [...this.nodes.keys()].filter((path) => path.startsWith(from) && path !== from && !path.includes('/', from.length)).map((path) => path.slice(from.length));
  }
  /** @param {string} text @param {Node} node */
  add(text, node) {
    if (this.nodes.has(this.path(text))) refuse(EEXIST);
    if (!this.find(this.parent(text)).folder) refuse(ENOTDIR);
    this.nodes.set(this.path(text), node);
    return node;
  }
  /** @param {string} text @param {boolean} folder */
  remove(text, folder) {
    const node = this.find(text);
    if (node.folder !== folder) refuse(folder ? ENOTDIR : EISDIR);
    if (folder && this.names(text).length) refuse(ENOTEMPTY);
    this.nodes.delete(this.path(text));
  }
  /** @param {string} text */
  removeAll(text) {
    const path = this.path(text);
    for (const each of [...this.nodes.keys()]) if (each === path || each.startsWith(`${path}/`)) this.nodes.delete(each);
  }
  /** @param {string} from @param {string} to */
  rename(from, to) {
    const node = this.find(from);
    if (node.folder || this.nodes.get(this.path(to))?.folder) refuse(EISDIR);
    this.find(this.parent(to));
    this.nodes.delete(this.path(from));
    this.nodes.set(this.path(to), node);
  }

  /** @param {string} text @param {number} how host::Opening */
  open(text, how) {
    const node = how === 2 ? this.add(text, new Node(null)) : this.find(text);
    if (node.folder && how !== 0) refuse(EISDIR);
    return this.opened.push({ node, at: 0 }) - 1;
  }
  /** @param {number} file */
  at(file) {
    return this.opened[file] ?? refuse(EBADF);
  }
  /** @param {number} file @param {Uint8Array} to */
  read(file, to) {
    if (file === 0) return 0; // nobody types here
    const open = this.at(file);
    if (open.node.folder) refuse(EISDIR);
    const part = open.node.content().subarray(open.at, Math.min(open.node.size, open.at + to.length));
    to.set(part);
    open.at += part.length;
    return part.length;
  }
  /** @param {number} file @param {Uint8Array} from @param {number} offset negative: where the last one ended */
  write(file, from, offset) {
    const open = this.at(file);
    const start = offset < 0 ? open.at : offset;
    open.node.content(start + from.length).set(from, start);
    open.node.size = Math.max(open.node.size, start + from.length);
    open.node.written = true;
    if (offset < 0) open.at = start + from.length;
    return from.length;
  }
  /** What the program wrote and did not remove. @returns {[string, Blob][]} */
  made() {
    return [...this.nodes].filter(([, node]) => node.written).map(([path, node]) => [path.slice(1), new Blob([node.bytes.subarray(0, node.size)])]);
  }
}

/** One run: the functions that program.wasm imports, and what it says. */
class Run {
  /** @param {string[]} words @param {[string, Blob][]} given */
  constructor(words, given) {
    this.files = new Files(given);
    this.words = ['sinew', ...words].map((text) => new TextEncoder().encode(`${text}\0`));
    this.said = /** @type {Uint8Array[][]} */ ([[], [], []]);
    this.kept = new Uint8Array(0);
    this.memory = /** @type {WebAssembly.Memory} */ (/** @type {unknown} */ (null));
  }

  bytes(/** @type {number} */ at, /** @type {number} */ size) {
    return new Uint8Array(this.memory.buffer, at >>> 0, size >>> 0);
  }
  text(/** @type {number} */ at, /** @type {number} */ size) {
    return new TextDecoder().decode(this.bytes(at, size));
  }
  numbers(/** @type {number} */ at, /** @type {number} */ count) {
    return new Uint32Array(this.memory.buffer, at >>> 0, count);
  }
  store(/** @type {Node} */ node, /** @type {number} */ to) {
    new Float64Array(this.memory.buffer, to >>> 0, 5).set([node.folder ? 1 : 0, node.size, node.folder ? 0o755 : 0o644, 1, node.number]);
  }
  /** To a file, or to a standard stream. */
  write(/** @type {number} */ file, /** @type {Uint8Array} */ from, /** @type {number} */ offset) {
    if (file !== 1 && file !== 2) return this.files.write(file, from, offset);
    this.said[file].push(from.slice());
    return from.length;
  }

  /** host.hpp */
  host() {
    const { files } = this;
    const works = [(/** @type {string} */ path, /** @type {string} */ other) => files.rename(path, other), (/** @type {string} */ path) => files.remove(path, false),
      (/** @type {string} */ path) => files.remove(path, true), (/** @type {string} */ path) => files.removeAll(path),
      (/** @type {string} */ path) => files.add(path, new Node(null, true)), (/** @type {string} */ path) => files.find(path)]; // prettier-ignore
    const texts = [(/** @type {string} */ path) => (files.find(path), files.path(path)), (/** @type {string} */ path) => (files.find(path), refuse(EINVAL)),
      () => '/', (/** @type {string} */ path) => files.names(path).map((name) => `${name}\0`).join('')]; // prettier-ignore
    return {
      status: status((path, length, _follow, to) => this.store(files.find(this.text(path, length)), to)),
      status_of: status((file, to) => this.store(files.at(file).node, to)),
      path_work: status((work, path, length, other, otherLength) => works[work](this.text(path, length), this.text(other, otherLength))),
      close: status((file) => (files.at(file), (files.opened[file] = null))),
      store: status((file) => files.at(file)),
      permissions: status((file) => files.at(file)),
      open: result((path, length, how) => files.open(this.text(path, length), how)),
      read: result((file, to, size) => files.read(file, this.bytes(to, size))),
      write: result((file, from, size, offset) => this.write(file, this.bytes(from, size), offset)),
      path_text: result((what, path, length) => {
        this.kept = new TextEncoder().encode(texts[what](this.text(path, length)));
        return this.kept.length;
      }),
      take: (/** @type {number} */ to) => this.bytes(to, this.kept.length).set(this.kept),
    };
  }

  /** What the C library asks a system for: standard streams, words, time. */
  system() {
    const known = {
      args_sizes_get: status((count, size) => {
        this.numbers(count, 1)[0] = this.words.length;
        this.numbers(size, 1)[0] = this.words.reduce((sum, word) => sum + word.length, 0);
      }),
      args_get: status((begins, to) => {
        for (const [i, word] of this.words.entries()) {
          this.numbers(begins, this.words.length)[i] = to;
          this.bytes(to, word.length).set(word);
          to += word.length;
        }
      }),
      environ_sizes_get: status((count, size) => (this.numbers(count, 1)[0] = this.numbers(size, 1)[0] = 0)),
      environ_get: () => 0,
      clock_time_get: status((clock, _precision, to) => {
        const now = clock === 0 ? BigInt(Date.now()) * 1_000_000n : BigInt(Math.round(performance.now() * 1e6));
        new DataView(this.memory.buffer).setBigUint64(to >>> 0, now, true);
      }),
      random_get: status((to, size) => {
        const most = 65536; // of getRandomValues
        for (let at = 0; at < size; at += most) crypto.getRandomValues(this.bytes(to + at, Math.min(most, size - at)));
      }),
      fd_write: status((file, parts, count, written) => {
        const list = this.numbers(parts, 2 * count);
        let sum = 0;
        for (let i = 0; i < count; ++i) sum += this.write(file, this.bytes(list[2 * i], list[2 * i + 1]), -1);
        this.numbers(written, 1)[0] = sum;
      }),
      fd_fdstat_get: status((_file, to) => this.bytes(to, 24).fill(0)),
      fd_prestat_get: () => EBADF, // no folder is open from the start
      proc_exit: (/** @type {number} */ code) => {
        throw new Exit(code);
      },
    };
    return new Proxy(known, { get: (all, name) => /** @type {any} */ (all)[name] ?? (() => ENOSYS) });
  }

  /** Returns the exit status. @param {WebAssembly.Module} module */
  async start(module) {
    const { exports } = await WebAssembly.instantiate(module, { sinew: this.host(), wasi_snapshot_preview1: this.system() });
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    try {
      /** @type {() => void} */ (exports._start)();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.said[2].push(new TextEncoder().encode(`sinew: internal error: ${error.message}\n`));
      return 3; // Exit::input
    }
  }
}

/** The number of an error, or what `work` returns. @param {() => number} work @param {1 | -1} sign */
function attempt(work, sign) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return sign * error.number;
    if (error instanceof DOMException) return sign * EIO; // the file has changed since it was dropped
    throw error;
  }
}
/** @param {(...words: any[]) => unknown} work */
function status(work) {
  return (/** @type {any[]} */ ...words) => attempt(() => (work(...words), 0), 1);
}
/** @param {(...words: any[]) => number} work */
function result(work) {
  return (/** @type {any[]} */ ...words) => attempt(() => work(...words), -1);
}

onmessage = async ({ data: { module, words, files } }) => {
  try {
    const run = new Run(words, files);
    const ended = await run.start(module);
    const text = (/** @type {Uint8Array[]} */ parts) => new Blob(/** @type {BlobPart[]} */ (parts)).text();
    postMessage({ status: ended, out: await text(run.said[1]), err: await text(run.said[2]), made: run.files.made() });
  } catch (error) {
    postMessage({ failed: String(error instanceof Error ? error.message : error) });
  }
};
