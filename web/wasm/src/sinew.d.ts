// Load, validate, pose, play, deform and pick rigged meshes of glTF 2.0 and G4MF.
// Units are metres, seconds and radians. Matrices are column-major.
/// <reference lib="esnext.disposable" />

/** Bytes of a file. Copy other kinds of buffers (SharedArrayBuffer) first. */
export type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** The files that a model refers to, such as the buffers and images of a .gltf. Keys are names as in the model, relative to its folder and
 *  decoded ("%20" is a space); or pass a function of the name. A missing file is an error only when it is needed. */
export type Files = Readonly<Record<string, Bytes>> | ReadonlyMap<string, Bytes> | ((name: string) => Bytes | undefined);

export type Revision = '2025-08' | '2026-01' | '2026-07';

export interface FileOptions {
  /** Name of the file in messages and reports. Default: "model". */
  name?: string;
  files?: Files;
}

export interface OpenOptions extends FileOptions {
  /** Limit for decoded data in bytes. Default: 1 GiB. The address space ends at 4 GiB. */
  maxMemory?: number;
  /** Read G4MF files despite certain errors (docs/semantics.md). */
  force?: boolean;
  /** Read a G4MF file as this revision. */
  revision?: Revision;
}

export type Failure = 'usage' | 'input' | 'output' | 'unsupported' | 'limit' | 'deadline' | 'cancelled';

/** A failed call. */
export class SinewError extends Error {
  readonly name: 'SinewError';
  readonly failure: Failure;
  /** The code of the finding, for example "GLB_UNEXPECTED_MAGIC". */
  readonly code: string;
  /** The name as the caller passed it; "" without a file. */
  readonly file: string;
  /** JSON pointer into the file. */
  readonly pointer: string | undefined;
  /** Bytes from the start of the file. */
  readonly offset: number | undefined;
}

/** Compiles the module. Default: the sinew.wasm beside this file. Each instance has its own memory. */
export function load(wasm?: URL | string | Bytes | WebAssembly.Module | Response | PromiseLike<Response>): Promise<Sinew>;

export interface Sinew {
  /** MAJOR.MINOR.PATCH */
  readonly version: string;
  /** Current size of the module's memory in bytes. */
  readonly memory: number;
  /** Reads a model and copies its bytes. Throws SinewError. */
  open(bytes: Bytes, options?: OpenOptions): Model;
  /** Checks a file against the rules of its format. Broken files have a report too. */
  validate(bytes: Bytes, options?: FileOptions): Report;
}

export type Kind = 'node' | 'mesh' | 'skin' | 'animation' | 'material' | 'scene';

/** Uses memory of the module until free(), or until the end of the block of a `using` declaration. */
export interface Handle extends Disposable {
  /** Poses and deformers of a freed model still work, but cannot find nodes or animations by name. */
  free(): void;
}

export interface Model extends Handle {
  readonly format: 'glTF' | 'G4MF';
  readonly revision: string;
  /** Numbers per position. */
  readonly dimension: number;
  /** Names; "" for unnamed items. */
  readonly nodes: readonly string[];
  readonly skins: readonly string[];
  readonly materials: readonly string[];
  readonly scenes: readonly string[];
  readonly meshes: readonly {
    readonly name: string;
    /** number of blend shapes */
    readonly shapes: number;
    readonly shapeNames: readonly string[];
  }[];
  readonly animations: readonly { readonly name: string; /** seconds */ readonly duration: number }[];
  /** Finds the index of an item by name ("name:7" for an item with the name 7). */
  find(kind: Kind, name: string): number;
  /** Index of the node above; undefined: a root. */
  parent(node: string | number): number | undefined;
  /** Nodes of the joint slots of a skin; undefined: an empty slot. */
  joints(skin: string | number): (number | undefined)[];
  /** Creates a pose, initially the pose stored in the file. */
  pose(): Pose;
  /** Creates a player of animations (names, indices or objects), with the pose of their times. */
  player(clips: readonly (string | number | PlayedClip)[], options?: PlayerOptions): Player;
  /** Prepares the drawn meshes of a scene for any number of poses. */
  deformer(options?: DeformerOptions): Deformer;
  /** Returns a copy of the positions at one moment, one row per vertex, in world space. For many poses, use a pose and a deformer. */
  deform(options?: DeformOptions): Float32Array<ArrayBuffer>;
}

export interface DeformerOptions {
  /** true: those that the file stores; "computed": also the others, from the deformed triangles. Default: false. */
  normals?: boolean | 'computed';
  /** Those that the file stores. Includes the normals. */
  tangents?: boolean;
  /** Use only the strongest influences of each vertex, renormalised. Default: all. */
  maxInfluences?: number;
  /** Default: the default scene of the file. */
  scene?: number;
}

export interface DeformOptions {
  /** By name or index. Default: the pose stored in the file. */
  animation?: string | number;
  /** Time in the animation in seconds, clamped to its keys. Default: 0. */
  time?: number;
  /** A pose instead of an animation. */
  pose?: Pose;
  scene?: number;
}

/** Parts of a node's local transform. Give a rotation as a quaternion, a rotor, or a basis. */
export interface NodePose {
  translation?: ArrayLike<number>;
  scale?: ArrayLike<number>;
  /** x, y, z, w; three dimensions only. */
  quaternion?: ArrayLike<number>;
  /** Scalar first: s, xy, xz, yz in three dimensions. */
  rotor?: ArrayLike<number>;
  /** N × N numbers, column-major; replaces rotation and scale. */
  basis?: ArrayLike<number>;
  /** One amount per blend shape of the node's mesh. */
  amounts?: ArrayLike<number>;
}

export interface Pose extends Handle {
  /** Restores the pose stored in the file. */
  reset(): this;
  /** Applies an animation at a time. Nodes without keys keep their transform. */
  sample(animation: string | number, seconds: number): this;
  set(node: string | number, parts: NodePose): this;
  /** Turns a node about its own origin, in its own axes: first this rotation, then the rotation of the pose. Rotor: scalar first. */
  turn(node: string | number, rotor: ArrayLike<number>): this;
  /** Sets the amount of a blend shape: "SHAPE" in every mesh that has it, or "NODE:SHAPE"; by name or index. */
  blend(shape: string | number, amount: number): this;
  /** Turns on expressions of an avatar (VRM, KHR_character) together, and all others off: names ("happy") and amounts from 0 to 1. */
  express(expressions: Readonly<Record<string, number>>): this;

  // Copies of what the pose has. N is the dimension.
  /** N numbers. */
  translation(node: string | number): Float64Array<ArrayBuffer>;
  /** N numbers. Throws for a node that has a basis; read its matrix. */
  scale(node: string | number): Float64Array<ArrayBuffer>;
  /** 2^(N−1) numbers, scalar first. Throws for a node that has a basis. */
  rotor(node: string | number): Float64Array<ArrayBuffer>;
  /** The local transform: N · (N + 1) numbers, column-major, the translation last. */
  matrix(node: string | number): Float64Array<ArrayBuffer>;
  /** One amount per blend shape of the node's mesh. */
  amounts(node: string | number): Float64Array<ArrayBuffer>;
  /** The world transforms of all nodes, each as in `matrix`. */
  worlds(): Float64Array<ArrayBuffer>;
}

/** How an animation takes part in what a player shows. */
export interface PlayedClip {
  /** By name or index. */
  animation: string | number;
  /** At least 0. Default: 1. */
  weight?: number;
  /** Seconds of the animation per second; negative: backwards. Default: 1. */
  speed?: number;
  /** The time in the animation. Default: 0. */
  seconds?: number;
  /** false: it stays at the end that it reaches. Default: true. */
  loops?: boolean;
  /** Adds its difference from its state at 0 seconds to the blend of the others. Default: false. */
  additive?: boolean;
  /** A number from 0 to 1 per node: the part of the weight that counts there. */
  mask?: ArrayLike<number>;
}

export interface PlayerOptions {
  /** A node (name or index) whose translation stays as stored; its movement is `rootMotion` instead. */
  root?: string | number;
}

/** Plays animations of a model together, frame by frame. For each property of a node, the animations that move it share it by their weights.
 *  If these sum to less than 1, the stored state takes the rest; if to more, they are divided by their sum. */
export interface Player extends Handle {
  /** The pose of the last `advance`, which sets all of it again. It is freed with the player. */
  readonly pose: Pose;
  /** By how much the animations moved the root in the last `advance`, in the space of its parent: one number per dimension. Loops go on. */
  readonly rootMotion: Float64Array<ArrayBuffer>;
  /** The time in an animation; `clip` is its place in the list, here and below. */
  seconds(clip: number): number;
  /** These count from the next `advance`. */
  setWeight(clip: number, weight: number): this;
  setSpeed(clip: number, speed: number): this;
  seek(clip: number, seconds: number): this;
  /** Moves all animations on and computes the pose; 0: computes it only. */
  advance(seconds: number): this;
  /** The world transform of one node by name or index, such as a hand that holds a sword: as in Pose.matrix. */
  world(node: string | number): Float64Array<ArrayBuffer>;
}

/** A drawn mesh and its rows. */
export interface Instance {
  readonly node: number;
  readonly mesh: number;
  readonly first: number;
  readonly vertices: number;
}

/** Views of the module's memory, one row per vertex. They are valid until the next call of any function of this instance; upload or copy
 *  them (`.slice()`) before. Rows of meshes without normals or tangents are NaN. */
export interface Vertices {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer> | undefined;
  /** Four numbers per row. */
  readonly tangents: Float32Array<ArrayBuffer> | undefined;
}

/** The triangles of one surface of a drawn mesh. */
export interface TriangleRange {
  /** Of `triangles()`, counted in triangles; ranges follow each other without gaps. */
  readonly first: number;
  readonly count: number;
  /** Of `instances`. */
  readonly instance: number;
  /** Of the mesh; glTF: the primitive. */
  readonly surface: number;
  /** undefined: none. */
  readonly material: number | undefined;
}

/** The influences of all rows, compressed: row r has the entries first[r] to first[r + 1] - 1. A node occurs once in a row. glTF: weights
 *  as stored; G4MF: their sum is 1. Vertices that no joint moves follow the node of their mesh, with the weight 1. */
export interface Influences {
  readonly first: Uint32Array<ArrayBuffer>;
  readonly nodes: Uint32Array<ArrayBuffer>;
  readonly weights: Float32Array<ArrayBuffer>;
}

/** Where a ray meets a deformed mesh. */
export interface RayHit {
  /** Of `instances`. */
  readonly instance: number;
  /** Its corners are numbers 3 · triangle and following of `triangles()`. */
  readonly triangle: number;
  /** Weights of the corners; their sum is 1. */
  readonly barycentric: readonly [number, number, number];
  /** From the origin, in lengths of the direction. */
  readonly distance: number;
}

export interface Deformer extends Handle {
  /** Number of rows: vertices, instance after instance. */
  readonly vertices: number;
  readonly instances: readonly Instance[];
  deform(pose: Pose): Vertices;
  /** Three rows per triangle, for all instances; a copy. In other dimensions: simplexes of max(N, 3) rows. */
  triangles(): Uint32Array<ArrayBuffer>;
  /** Which surface and material the triangles have, in their order. */
  triangleRanges(): TriangleRange[];
  /** The nodes that each row follows; `maxInfluences` counts. */
  influences(): Influences;
  /** Two numbers per row (TEXCOORD_n with n = `set`, by default 0), NaN where a mesh has none. Blend shapes move them by the amounts of
   *  the pose. Throws for G4MF, which stores them by corner. */
  textureCoordinates(pose: Pose, set?: number): Float32Array<ArrayBuffer>;
  /** A box for each node of the model, at the last `deform`: around the rows that have a weight of more than `above` (default: 0) for it.
   *  N minima, then N maxima, in world space; NaN if no row follows the node. */
  boneBoxes(above?: number): Float32Array<ArrayBuffer>;
  /** The nearest triangle of the last `deform` that a ray in world space meets, from either side; three dimensions only. */
  hit(origin: ArrayLike<number>, direction: ArrayLike<number>): RayHit | undefined;
}

export interface Message {
  readonly code: string;
  readonly message: string;
  /** 0: error, 1: warning, 2: information, 3: hint */
  readonly severity: 0 | 1 | 2 | 3;
  readonly pointer?: string;
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
  readonly byte?: number;
}

export interface Issues {
  readonly numErrors: number;
  readonly numWarnings: number;
  readonly numInfos: number;
  readonly numHints: number;
  readonly messages: readonly Message[];
  readonly truncated: boolean;
}

/** A report in the format of the Khronos glTF-Validator. */
export interface Report {
  readonly uri: string;
  readonly mimeType?: string;
  readonly validatorVersion: string;
  /** Findings under the rules of the format. */
  readonly issues: Issues;
  /** Findings under Sinew's own rules: GLTF_… and SINEW_… */
  readonly modelIssues: Issues;
  readonly info?: Readonly<Record<string, unknown>>;
}
