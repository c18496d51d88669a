// SPDX-License-Identifier: MIT
// A model with its clips inside the page (sinew view --export): frames are looked up and mixed, not computed.
import { findingsOf, readPacket, type Comparison, type Finding, type Model, type Packet, type Source, type State } from './model';

interface Content {
  model: Model;
  findings: Parameters<typeof findingsOf>[0];
  geometry: string;
  clips: { clip: number | null; data: string }[];
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;

export class Baked implements Source {
  readonly live = false;
  private readonly content: Content;
  private readonly clips = new Map<number | null, Packet>();

  constructor(text: string) {
    this.content = JSON.parse(text);
  }

  async model(): Promise<Model> {
    const { model, clips } = this.content;
    const here = new Set(clips.map((each) => each.clip));
    const first = model.clip ?? (here.has(null) ? null : clips[0].clip);
    return { ...model, clip: first, clips: model.clips.map((clip, c) => ({ ...clip, usable: clip.usable && here.has(c) })) };
  }

  async geometry(): Promise<Packet> {
    return readPacket(bytesOf(this.content.geometry));
  }

  async frame(state: State): Promise<Packet> {
    const baked = this.clip(state.clip);
    const about = baked.about as { frames: number; positions: [number, number]; hidden?: [number, number] };
    const duration = state.clip === null ? 0 : this.content.model.clips[state.clip].duration;
    const place = duration > 0 ? Math.min(1, Math.max(0, state.time / duration)) * (about.frames - 1) : 0;
    const before = Math.min(Math.floor(place), Math.max(0, about.frames - 2));
    const part = place - before;
    const mixed = (name: string, [low, step]: [number, number]) => {
      const all = baked.arrays.get(name)!;
      const size = all.length / about.frames;
      const after = about.frames > 1 ? size : 0;
      const out = new Float32Array(size);
      for (let i = 0, at = before * size; i < size; ++i, ++at) out[i] = low + step * (all[at] + part * (all[at + after] - all[at]));
      return out;
    };
    const arrays: Packet['arrays'] = new Map([['positions', mixed('positions', about.positions)]]);
    if (about.hidden) arrays.set('hidden', mixed('hidden', about.hidden));
    if (baked.arrays.has('normals')) arrays.set('normals', mixed('normals', [0, 1 / 127]));
    for (const name of ['heads', 'tails']) arrays.set(name, mixed(name, [0, 1]));
    return { arrays, about: {} };
  }

  async findings(): Promise<Finding[]> {
    return findingsOf(this.content.findings);
  }

  async comparison(): Promise<Comparison | null> {
    return null;
  }
  distances(): Promise<Float32Array> {
    return Promise.reject(new Error('This page contains only frames.'));
  }
  weights(): Promise<Float32Array> {
    return Promise.reject(new Error('This page contains only frames.'));
  }
  pose(): Promise<string> {
    return Promise.reject(new Error('This page contains only frames.'));
  }

  private clip(clip: number | null): Packet {
    const own = this.content.clips.find((each) => each.clip === clip) ?? this.content.clips[0];
    let packet = this.clips.get(own.clip);
    if (!packet) this.clips.set(own.clip, (packet = readPacket(bytesOf(own.data))));
    return packet;
  }
}
