// SPDX-License-Identifier: MIT
// What the program says of a model, and how it is asked.

export interface ModelNode {
  name: string;
  parent: number | null;
  joint: boolean;
  reached: boolean;
  tail: boolean;
  pointer: string;
  /** Its name in a humanoid (VRM 1.0). */
  bone?: string;
}

/** A face that is turned on by name; the program knows what it moves and what it turns down. */
export interface Expression {
  index: number;
  /** As VRM 1.0 calls it, and as the file does. */
  name: string;
  stored: string;
  /** On or off: above 0.5. */
  binary: boolean;
  amount: number;
}

export interface Clip {
  name: string;
  duration: number;
  usable: boolean;
  pointer: string;
}

export interface Instance {
  node: number;
  name: string;
  visible: boolean;
  first: number;
  vertices: number;
  skinned: boolean;
  pointer: string;
  shapes: { name: string; amount: number }[];
}

export interface Texture {
  image: number;
  wrapS: 'repeat' | 'mirror' | 'clamp';
  wrapT: 'repeat' | 'mirror' | 'clamp';
  nearest: boolean;
  /** Columns of a 3 × 3 matrix. */
  transform: number[];
}

export interface Material {
  color: number[];
  alpha: 'opaque' | 'mask' | 'blend';
  cutoff: number;
  doubleSided: boolean;
  unlit: boolean;
  texture?: Texture;
}

export interface Piece {
  instance: number;
  surface: number;
  corners: 1 | 2 | 3;
  material: number | null;
  /** Its vertices have colours of their own. */
  colors: boolean;
  normals: boolean;
  cut: number | null;
}

export interface Model {
  file: string;
  format: string;
  revision: string;
  dimension: number;
  /** Whether its front looks along −Z. */
  facesBack: boolean;
  /** Of the file. */
  vertices: number;
  /** Of a frame: where corners have values of their own there are more. */
  rows: number;
  clip: number | null;
  center: number[];
  radius: number;
  /** A frame can have the box of its whole clip. */
  boxes: boolean;
  nodes: ModelNode[];
  clips: Clip[];
  expressions: Expression[];
  /** It has eyes that can look somewhere. */
  gaze: boolean;
  instances: Instance[];
  materials: Material[];
  pieces: Piece[];
}

export interface Finding {
  code: string;
  message: string;
  severity: number;
  pointer?: string;
  offset?: number;
  line?: number;
  column?: number;
}

/** What `sinew compare --json` says, as far as the page shows it. */
export interface Comparison {
  b: string;
  verdict: string;
  equal: boolean;
  everyPose: { proved: boolean; bound: number | null; why?: string };
  diagonal: number | null;
  max: Distance | null;
  instances: { name: string; why?: string; parts?: ComparedPart[] }[];
  onlyA: { kind: string; name: string }[];
  onlyB: { kind: string; name: string }[];
}
export interface ComparedPart {
  kind: 'rest' | 'animation' | 'stress' | 'shown' | 'blendShape';
  name?: string;
  a?: number;
  max: Distance;
}
export type Distance = number | 'Infinity';

/** What `sinew flex` found, and how to show it. */
export interface Flex {
  summary: { error: number; warning: number; info: number };
  skipped: { code: string; reason: string }[];
  notCovered: { pointer: string; what: string }[];
  /** Seconds of a clip before the moment of a finding that lead to it. */
  lead: number;
  findings: FlexFinding[];
}
export interface FlexFinding {
  code: string;
  severity: number;
  /** The joint, blend shape or clip; empty: none. */
  subject: string;
  node: number | null;
  message: string;
  /** To mark: how many, and their rows of a frame. */
  vertices: number;
  rows: number[];
  /** The worst of them first. */
  worst: number[];
  state: { bound: boolean; clip: number | null; time: number; swing?: Swing; amounts: State['amounts'] };
  /** Of a page that cannot compute: how many it has. */
  frames?: number;
}
/** A node turned in the world. */
export interface Swing {
  node: number;
  from: number[];
  to: number[];
  degrees: number;
}

export interface Look {
  kind: 'perspective' | 'orthographic' | 'slice';
  turns: number[];
  offsets: number[];
}

/** What the page asks a frame for; the program's read_state says what the members mean. */
export interface State {
  clip: number | null;
  time: number;
  turns: Record<number, number[]>;
  amounts: Record<number, Record<number, number>>;
  /** By index; empty: as the command or the clip has them. */
  expressions: Record<number, number>;
  /** Degrees to its left, and down. */
  gaze?: [left: number, down: number];
  look?: Look;
  box?: boolean;
  /** Starts from the rest pose of findings instead of the clip. */
  bound?: boolean;
  swing?: Swing;
  /** The finding whose worst pose this is, and how much of the way to it is done, for pages that cannot compute. */
  finding?: number;
  share?: number;
}

export const AXES = ['x', 'y', 'z', 'w', 'v', 'u', 't', 's', 'r', 'q', 'p', 'o', 'n', 'm', 'l', 'k'];

/** Planes of rotation in the program's order: xy, xz, yz, xw, … */
export function planesOf(dimension: number): [from: number, to: number][] {
  const planes: [number, number][] = [];
  for (let to = 1; to < dimension; ++to) for (let from = 0; from < to; ++from) planes.push([from, to]);
  return planes;
}

export type Numbers = Float32Array | Uint32Array | Uint8Array;
const ARRAYS = { uint8: Uint8Array, float32: Float32Array, uint32: Uint32Array };
export interface Packet {
  arrays: Map<string, Numbers>;
  about: Record<string, unknown>;
}

/** The binary form of answers: length of the header, header, arrays (Packet in the program). */
export function readPacket(bytes: ArrayBuffer): Packet {
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const arrays = new Map<string, Numbers>();
  for (const [name, array] of Object.entries<{ type: keyof typeof ARRAYS; width: number; rows: number; offset: number }>(header.arrays)) {
    arrays.set(name, new ARRAYS[array.type](bytes, 4 + length + array.offset, array.width * array.rows));
  }
  return { arrays, about: header.about };
}

/** Where models and frames come from. */
export interface Source {
  /** Poses can be made and played. */
  readonly live: boolean;
  /** What the page lacks; empty: nothing. */
  readonly notice: string;
  model(): Promise<Model>;
  geometry(): Promise<Packet>;
  frame(state: State): Promise<Packet>;
  weights(node: number): Promise<Float32Array>;
  pose(state: State): Promise<string>;
  /** Of the file; null: it was not checked. */
  findings(): Promise<Finding[] | null>;
  /** null: nobody asked for them. */
  flex(): Promise<Flex | null>;
  /** With another model; null: none was asked for. */
  comparison(): Promise<Comparison | null>;
  /** Of each vertex: how far it is from its counterpart, as a part of the largest distance. */
  distances(): Promise<Float32Array>;
}

interface Report {
  issues: { messages: Finding[] };
  modelIssues: { messages: Finding[] };
}
export const findingsOf = (report: Report | null) => (report ? [...report.issues.messages, ...report.modelIssues.messages] : null);

/** The program that serves this page. */
export class Program implements Source {
  readonly live = true;
  readonly notice = '';
  private readonly page = crypto.randomUUID();

  constructor() {
    const say = (name: string) => void fetch(name, { method: 'POST', body: this.page, keepalive: true }).catch(() => undefined);
    say('alive');
    setInterval(() => say('alive'), 5000);
    addEventListener('pagehide', () => navigator.sendBeacon('closed', this.page));
    addEventListener('pageshow', (event) => event.persisted && say('alive'));
  }

  async model(): Promise<Model> {
    return (await this.ask('model')).json();
  }
  async geometry(): Promise<Packet> {
    return readPacket(await (await this.ask('geometry')).arrayBuffer());
  }
  async frame(state: State): Promise<Packet> {
    return readPacket(await (await this.ask('frame', state)).arrayBuffer());
  }
  async weights(node: number): Promise<Float32Array> {
    return readPacket(await (await this.ask(`weights/${node}`)).arrayBuffer()).arrays.get('weights') as Float32Array;
  }
  async pose(state: State): Promise<string> {
    return (await this.ask('pose', state)).text();
  }
  async findings(): Promise<Finding[] | null> {
    return findingsOf(await (await this.ask('findings')).json());
  }
  async flex(): Promise<Flex | null> {
    return (await this.ask('flex')).json();
  }

  async comparison(): Promise<Comparison | null> {
    return (await this.ask('comparison')).json();
  }
  async distances(): Promise<Float32Array> {
    return readPacket(await (await this.ask('distances')).arrayBuffer()).arrays.get('distances') as Float32Array;
  }

  /** What to know about the files that were dropped; null: it takes none. */
  async motion(): Promise<string[] | null> {
    return (await this.ask('motion')).json();
  }
  /** Gives the model the animations of a file. */
  async take(file: File): Promise<void> {
    await answered(fetch('motion', { method: 'POST', body: file }));
  }

  private async ask(name: string, state?: State): Promise<Response> {
    return answered(fetch(name, state && { method: 'POST', body: JSON.stringify(state) }));
  }
}

async function answered(asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  if (!answer.ok) throw new Error((await answer.text()).trim() || answer.statusText);
  return answer;
}
