// SPDX-License-Identifier: MIT
// A model inside the page (sinew view --export). The library's WebAssembly module, which the page carries too, answers what the program
// would answer.
import { findingsOf, readPacket, type Comparison, type Finding, type Flex, type Model, type Packet, type Source, type State } from './model';

/** Bytes in the page; `deflate`: in zlib's format. */
interface Stored {
  deflate: boolean;
  base64: string;
}
type Files = Packet['arrays'];

async function bytesOf({ deflate, base64 }: Stored): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  if (!deflate) return bytes.buffer;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

/** One of several models of a page: where it is, or why it is not there. */
export interface Choice {
  name: string;
  id: string;
  why: string;
}
export async function readChoices(text: string): Promise<Choice[]> {
  return JSON.parse(new TextDecoder().decode(await bytesOf(JSON.parse(text))));
}

/** `carried`, `module`: the texts of what the page carries; `module` is null if the program that wrote the page had none. */
export async function openCarried(carried: string, module: string | null | undefined): Promise<Source> {
  const files = readPacket(await bytesOf(JSON.parse(carried))).arrays;
  if (!module) return new StoredPose(files, 'The program that wrote this page had no WebAssembly module.');
  let compiled: WebAssembly.Module;
  try {
    compiled = await WebAssembly.compile(await bytesOf(JSON.parse(module)));
  } catch {
    return new StoredPose(files, 'This browser does not allow WebAssembly here.');
  }
  const host = new Host(files);
  const { exports } = await WebAssembly.instantiate(compiled, host.imports);
  host.memory = exports.memory as WebAssembly.Memory;
  return new Carried(files, exports as unknown as Functions, host.memory);
}

const textOf = (files: Files, name: string) => new TextDecoder().decode(files.get(name) as Uint8Array);

/** The exports of web/wasm/src/page.cpp. */
interface Functions {
  _initialize(): void;
  malloc(size: number): number;
  free(at: number): void;
  page_open(): number;
  page_ask(page: number, name: number, nameSize: number, body: number, bodySize: number): number;
  page_answer(page: number): number;
  page_answer_size(page: number): number;
}

abstract class InPage {
  constructor(protected readonly files: Files) {}
  async findings(): Promise<Finding[] | null> {
    return findingsOf(JSON.parse(textOf(this.files, '/findings')));
  }
  async flex(): Promise<Flex | null> {
    return this.files.has('/flex') ? JSON.parse(textOf(this.files, '/flex')) : null;
  }
  async comparison(): Promise<Comparison | null> {
    return null;
  }
  distances(): Promise<Float32Array> {
    return Promise.reject(new Error('This page has no other model.'));
  }
}

class Carried extends InPage implements Source {
  readonly live = true;
  readonly notice = '';
  private readonly page: number;

  constructor(
    files: Files,
    private readonly functions: Functions,
    private readonly memory: WebAssembly.Memory,
  ) {
    super(files);
    functions._initialize();
    this.page = functions.page_open();
  }

  async model(): Promise<Model> {
    return JSON.parse(this.text('model'));
  }
  async geometry(): Promise<Packet> {
    return readPacket(this.ask('geometry'));
  }
  async frame(state: State): Promise<Packet> {
    return readPacket(this.ask('frame', JSON.stringify(state)));
  }
  async weights(node: number): Promise<Float32Array> {
    return readPacket(this.ask(`weights/${node}`)).arrays.get('weights') as Float32Array;
  }
  async pose(state: State): Promise<string> {
    return this.text('pose', JSON.stringify(state));
  }

  private text(name: string, body = ''): string {
    return new TextDecoder().decode(this.ask(name, body));
  }

  private ask(name: string, body = ''): ArrayBuffer {
    const { functions, memory, page } = this;
    const [question, posted] = [name, body].map((text) => new TextEncoder().encode(text));
    const at = functions.malloc(question.length + posted.length + 1) >>> 0;
    if (!at) throw new Error('The browser does not give this page enough memory.');
    new Uint8Array(memory.buffer, at, question.length).set(question);
    new Uint8Array(memory.buffer, at + question.length, posted.length).set(posted);
    const done = functions.page_ask(page, at, question.length, at + question.length, posted.length);
    functions.free(at);
    const start = functions.page_answer(page) >>> 0;
    const answer = memory.buffer.slice(start, start + functions.page_answer_size(page));
    if (!done) throw new Error(new TextDecoder().decode(answer));
    return answer;
  }
}

/** The frames on the way to a finding, as the program stores them. */
const WAY = 12;

/** Poses that the program has computed, for want of WebAssembly. */
class StoredPose extends InPage implements Source {
  readonly live = false;
  readonly notice: string;
  private readonly packet: Packet;

  constructor(files: Files, reason: string) {
    super(files);
    const shown = files.has('/flex') ? 'the stored pose and the worst poses of the findings, without textures and other motion' : 'only the stored pose, without textures and motion';
    this.notice = `${reason} The page shows ${shown}.`;
    this.packet = this.packetOf('/stored');
  }

  private packetOf(name: string): Packet {
    return readPacket((this.files.get(name) as Uint8Array).slice().buffer);
  }

  async model(): Promise<Model> {
    const model: Model = JSON.parse(textOf(this.files, '/model'));
    return {
      ...model,
      boxes: false,
      clip: null,
      clips: model.clips.map((clip) => ({ ...clip, usable: false })),
      materials: model.materials.map(({ texture, ...material }) => ({ ...material, unlit: material.unlit && !texture })), // a plain colour needs light
      pieces: model.pieces.map((piece) => ({ ...piece, colors: false, normals: false })),
    };
  }
  async geometry(): Promise<Packet> {
    return this.packet;
  }
  /** The stored pose, or the nearest frame on the way to a finding: what differs from the rest pose. */
  async frame({ finding, share = 1 }: State): Promise<Packet> {
    if (finding === undefined) return this.packet;
    const flex = (await this.flex())!;
    const count = flex.findings[finding].frames!;
    const all = this.packetOf('/played');
    const step = Math.round(share * WAY);
    if (!count || step < (count > 1 ? 1 : WAY)) return all;
    const part = this.packetOf(`/played ${finding} ${step - 1}`).arrays;
    const rows = part.get('rows') as Uint32Array;
    for (const [name, width] of [['positions', 3], ['hidden', 1]] as const) {
      const [from, to] = [part.get(name), all.arrays.get(name)];
      if (from && to) rows.forEach((row, i) => to.set(from.subarray(i * width, (i + 1) * width), row * width));
    }
    for (const name of ['heads', 'tails']) all.arrays.set(name, part.get(name)!);
    return all;
  }
  weights(): Promise<Float32Array> {
    return Promise.reject(new Error(this.notice));
  }
  pose(): Promise<string> {
    return Promise.reject(new Error(this.notice));
  }
}

/** What the module asks for: the files in the page (web/wasm/src/host.cpp). */
class Host {
  memory!: WebAssembly.Memory;
  private opened: Uint8Array = new Uint8Array();

  constructor(private readonly files: Files) {}

  readonly imports: WebAssembly.Imports = {
    sinew: {
      open_file: (name: number, length: number) => {
        const found = this.files.get(new TextDecoder().decode(new Uint8Array(this.memory.buffer, name >>> 0, length)));
        if (!found) return -1;
        this.opened = found as Uint8Array;
        return found.length;
      },
      read_file: (to: number) => new Uint8Array(this.memory.buffer, to >>> 0, this.opened.length).set(this.opened),
      out_of_memory: () => {
        throw new Error('The browser does not give this page enough memory.');
      },
    },
    // What the C library asks an operating system for; nothing here depends on the answers.
    wasi_snapshot_preview1: new Proxy({}, { get: () => () => 52 /* ENOSYS */ }),
  };
}
