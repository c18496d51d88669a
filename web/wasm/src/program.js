#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The command line of the package: runs program.wasm, the program of the project, on the files of this machine.
// @ts-check
import fs from 'node:fs';
import { randomFillSync } from 'node:crypto';

// Errors of the C library in program.wasm (WASI).
const errors = /** @type {Record<string, number>} */ ({
  EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EDQUOT: 19, EEXIST: 20, EFBIG: 22, EINTR: 27, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32,
  EMFILE: 33, ENAMETOOLONG: 37, ENFILE: 41, ENODEV: 43, ENOENT: 44, ENOMEM: 48, ENOSPC: 51, ENOSYS: 52, ENOTDIR: 54, ENOTEMPTY: 55,
  ENOTSUP: 58, ENXIO: 60, EPERM: 63, EPIPE: 64, EROFS: 69, ETXTBSY: 74, EXDEV: 75,
}); // prettier-ignore

/** How the program ends. */
class Exit {
  /** @param {number} status */
  constructor(status) {
    this.status = status;
  }
}

/** The number of an error of node:fs. @param {any} error */
function numberOf(error) {
  if (typeof error?.code !== 'string') throw error;
  return errors[error.code] ?? errors.EIO;
}

const failedOutput = 4; // Exit::output
const standardOutput = 1;

/** @type {WebAssembly.Memory} */ let memory;
const bytesAt = (/** @type {number} */ at, /** @type {number} */ size) => new Uint8Array(memory.buffer, at >>> 0, size);
const textAt = (/** @type {number} */ at, /** @type {number} */ size) => Buffer.from(bytesAt(at, size)).toString();

/** Writes all of it. @param {number} file @param {Uint8Array} bytes @param {number | null} offset */
function writeAll(file, bytes, offset) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(file, bytes, done, bytes.length - done, offset === null ? null : offset + done);
    } catch (/** @type {any} */ error) {
      if (error.code === 'EPIPE' && file === standardOutput) throw new Exit(failedOutput); // as "sinew … | head": nobody needs a message
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // a pipe that is full
    }
  }
  return bytes.length;
}

/** Reads what there is: 0 at the end. @param {number} file @param {Uint8Array} to */
function readSome(file, to) {
  for (;;) {
    try {
      return fs.readSync(file, to, 0, to.length, null);
    } catch (/** @type {any} */ error) {
      if (error.code === 'EOF') return 0;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** @param {fs.Stats} stats @param {number} to where host::Status is */
function storeStatus(stats, to) {
  const kinds = [stats.isFile(), stats.isDirectory(), stats.isCharacterDevice() || stats.isBlockDevice(), stats.isSocket(), stats.isFIFO(), stats.isSymbolicLink()];
  new Float64Array(memory.buffer, to, 5).set([Math.max(kinds.indexOf(true), 0), stats.size, stats.mode & 0o7777, stats.dev, stats.ino]);
  return 0;
}

/** The number of an error, or what `work` returns. @param {() => number} work @param {1 | -1} sign */
function attempt(work, sign) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Exit) throw error;
    return sign * numberOf(error);
  }
}
const status = (/** @type {() => unknown} */ work) => attempt(() => (work(), 0), 1);
const result = (/** @type {() => number} */ work) => attempt(work, -1);

/** What a call found, until the program takes it. */
let kept = Buffer.alloc(0);

// host.hpp
const pathWorks = [fs.renameSync, fs.unlinkSync, fs.rmdirSync, (/** @type {string} */ path) => fs.rmSync(path, { recursive: true }), fs.mkdirSync,
  (/** @type {string} */ path) => fs.accessSync(path, fs.constants.W_OK)]; // prettier-ignore
const pathTexts = [fs.realpathSync.native, fs.readlinkSync, () => process.cwd(), (/** @type {string} */ path) => fs.readdirSync(path).map((name) => `${name}\0`).join('')];
const openings = ['r', 'r+', 'wx'];
const sinew = {
  status: (/** @type {number} */ path, /** @type {number} */ length, /** @type {number} */ follow, /** @type {number} */ to) =>
    status(() => storeStatus((follow ? fs.statSync : fs.lstatSync)(textAt(path, length)), to)),
  status_of: (/** @type {number} */ file, /** @type {number} */ to) => status(() => storeStatus(fs.fstatSync(file), to)),
  path_work: (/** @type {number} */ work, /** @type {number} */ path, /** @type {number} */ length, /** @type {number} */ other, /** @type {number} */ otherLength) =>
    status(() => /** @type {any} */ (pathWorks[work])(textAt(path, length), ...(otherLength ? [textAt(other, otherLength)] : []))),
  close: (/** @type {number} */ file) => status(() => fs.closeSync(file)),
  store: (/** @type {number} */ file) => status(() => fs.fsyncSync(file)),
  permissions: (/** @type {number} */ file, /** @type {number} */ mode) => status(() => fs.fchmodSync(file, mode)),
  open: (/** @type {number} */ path, /** @type {number} */ length, /** @type {number} */ how, /** @type {number} */ mode) =>
    result(() => fs.openSync(textAt(path, length), openings[how], mode)),
  read: (/** @type {number} */ file, /** @type {number} */ to, /** @type {number} */ size) => result(() => readSome(file, bytesAt(to, size >>> 0))),
  write: (/** @type {number} */ file, /** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ offset) =>
    result(() => writeAll(file, bytesAt(from, size >>> 0), offset < 0 ? null : offset)),
  path_text: (/** @type {number} */ what, /** @type {number} */ path, /** @type {number} */ length) =>
    result(() => {
      kept = Buffer.from(/** @type {any} */ (pathTexts[what])(textAt(path, length)));
      return kept.length;
    }),
  take: (/** @type {number} */ to) => bytesAt(to, kept.length).set(kept),
};

/** Texts that end in 0, and where each begins. @param {string[]} texts */
function lists(texts) {
  const bytes = texts.map((text) => Buffer.from(`${text}\0`));
  return {
    sizes: (/** @type {number} */ count, /** @type {number} */ size) => {
      new Uint32Array(memory.buffer, count, 1)[0] = bytes.length;
      new Uint32Array(memory.buffer, size, 1)[0] = bytes.reduce((sum, text) => sum + text.length, 0);
      return 0;
    },
    get: (/** @type {number} */ begins, /** @type {number} */ to) => {
      let at = to;
      for (const [i, text] of bytes.entries()) {
        new Uint32Array(memory.buffer, begins, bytes.length)[i] = at;
        bytesAt(at, text.length).set(text);
        at += text.length;
      }
      return 0;
    },
  };
}
const words = lists(['sinew', ...process.argv.slice(2)]);
const environment = lists(['NO_COLOR', 'TERM'].flatMap((name) => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`])));

// What the C library asks a system for: standard streams, words, time.
const wasi = {
  args_sizes_get: words.sizes,
  args_get: words.get,
  environ_sizes_get: environment.sizes,
  environ_get: environment.get,
  clock_time_get: (/** @type {number} */ clock, /** @type {bigint} */ _precision, /** @type {number} */ to) => {
    const now = clock === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint();
    new DataView(memory.buffer).setBigUint64(to, now, true);
    return 0;
  },
  random_get: (/** @type {number} */ to, /** @type {number} */ size) => (randomFillSync(bytesAt(to, size)), 0),
  fd_write: (/** @type {number} */ file, /** @type {number} */ parts, /** @type {number} */ count, /** @type {number} */ written) =>
    status(() => {
      const list = new Uint32Array(memory.buffer, parts, 2 * count);
      let sum = 0;
      for (let i = 0; i < count; ++i) sum += writeAll(file, bytesAt(list[2 * i], list[2 * i + 1]), null);
      new Uint32Array(memory.buffer, written, 1)[0] = sum;
    }),
  fd_fdstat_get: (/** @type {number} */ file, /** @type {number} */ to) =>
    status(() => {
      bytesAt(to, 24).fill(0);
      const terminal = 2; // __WASI_FILETYPE_CHARACTER_DEVICE
      if (fs.fstatSync(file).isCharacterDevice() && isTerminal(file)) bytesAt(to, 1)[0] = terminal;
    }),
  fd_prestat_get: () => errors.EBADF, // no folder is open from the start: files are opened by the functions above
  proc_exit: (/** @type {number} */ code) => {
    throw new Exit(code);
  },
};
const isTerminal = (/** @type {number} */ file) => [process.stdin, process.stdout, process.stderr][file]?.isTTY === true;
const unavailable = () => errors.ENOSYS;
const system = new Proxy(wasi, { get: (known, name) => /** @type {any} */ (known)[name] ?? unavailable });

/** Returns the exit status. */
async function run() {
  const module = await WebAssembly.compile(fs.readFileSync(new URL('program.wasm', import.meta.url)));
  const { exports } = await WebAssembly.instantiate(module, { sinew, wasi_snapshot_preview1: system });
  memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  try {
    /** @type {() => void} */ (exports._start)();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    fs.writeSync(2, `sinew: internal error: ${error.message}\n`);
    return 3; // Exit::input
  }
}

process.exitCode = await run();
