// Load, validate, pose and deform rigged meshes of glTF 2.0 and G4MF.
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
  readonly meshes: readonly { readonly name: string; /** number of blend shapes */ readonly shapes: number }[];
  readonly animations: readonly { readonly name: string; /** seconds */ readonly duration: number }[];
  /** Finds the index of an item by name ("name:7" for an item with the name 7). */
  find(kind: Kind, name: string): number;
  /** Creates a pose, initially the pose stored in the file. */
  pose(): Pose;
  /** Prepares the drawn meshes of a scene for any number of poses. */
  deformer(options?: DeformerOptions): Deformer;
  /** Returns a copy of the positions at one moment, one row per vertex, in world space. For many poses, use a pose and a deformer. */
  deform(options?: DeformOptions): Float32Array<ArrayBuffer>;
}

export interface DeformerOptions {
  normals?: boolean;
  /** Includes the normals. */
  tangents?: boolean;
  /** Use only the first influences of each vertex, renormalised. Default: all. */
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
}

/** A drawn mesh and its rows. */
export interface Instance {
  readonly node: number;
  readonly mesh: number;
  readonly first: number;
  readonly vertices: number;
}

/** Views of the module's memory, one row per vertex. They are valid until the next call of any function of this instance; upload or copy
 *  them (`.slice()`) before. Rows of meshes without normals or tangents are zero. */
export interface Vertices {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer> | undefined;
  /** Four numbers per row. */
  readonly tangents: Float32Array<ArrayBuffer> | undefined;
}

export interface Deformer extends Handle {
  /** Number of rows: vertices, instance after instance. */
  readonly vertices: number;
  readonly instances: readonly Instance[];
  deform(pose: Pose): Vertices;
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
