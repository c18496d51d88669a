// Rigged, deformable meshes of glTF 2.0 and G4MF: load, validate, pose, deform.
// Units are metres, seconds and radians. Matrices are stored column by column.
/// <reference lib="esnext.disposable" />

/** Bytes of a file. Buffers of another kind (SharedArrayBuffer) have to be copied first. */
export type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** The files that a model names: buffers and images of a .gltf or .g4tf. By their name as the model gives it, decoded ("%20" is a space)
 *  and relative to the model's folder; or a function of it. What is missing is an error of whoever needs it. */
export type Files = Readonly<Record<string, Bytes>> | ReadonlyMap<string, Bytes> | ((name: string) => Bytes | undefined);

export type Revision = '2025-08' | '2026-01' | '2026-07';

export interface FileOptions {
  /** What messages and reports call the file. Default: "model". */
  name?: string;
  files?: Files;
}

export interface OpenOptions extends FileOptions {
  /** Bytes for decoded data. Default: 1 GiB; the address space ends at 4 GiB. */
  maxMemory?: number;
  /** Read G4MF files with certain mistakes all the same. */
  force?: boolean;
  /** Take a G4MF file for one of that revision. */
  revision?: Revision;
}

export type Failure = 'usage' | 'input' | 'output' | 'unsupported' | 'limit';

/** Why a call did not deliver. */
export class SinewError extends Error {
  readonly name: 'SinewError';
  readonly failure: Failure;
  /** A name of the findings catalogue, such as "GLB_UNEXPECTED_MAGIC". */
  readonly code: string;
  /** As the caller named it; "": there is no file. */
  readonly file: string;
  /** JSON pointer into the file. */
  readonly pointer: string | undefined;
  /** Bytes from the start of the file. */
  readonly offset: number | undefined;
}

/** Compiles the module. Default: the sinew.wasm beside this file. Each instance has a memory of its own. */
export function load(wasm?: URL | string | Bytes | WebAssembly.Module | Response | PromiseLike<Response>): Promise<Sinew>;

export interface Sinew {
  /** MAJOR.MINOR.PATCH */
  readonly version: string;
  /** Bytes that the module's memory has grown to. */
  readonly memory: number;
  /** Reads a model; the bytes are copied. Throws SinewError. */
  open(bytes: Bytes, options?: OpenOptions): Model;
  /** Checks every rule of the file's format. Broken files have a report, too. */
  validate(bytes: Bytes, options?: FileOptions): Report;
}

export type Kind = 'node' | 'mesh' | 'skin' | 'animation' | 'material' | 'scene';

/** Keeps memory of the module until free(), or the end of the block of a `using` declaration. */
export interface Handle extends Disposable {
  /** What was made from a freed model works on, but finds no node or animation by its name. */
  free(): void;
}

export interface Model extends Handle {
  readonly format: 'glTF' | 'G4MF';
  readonly revision: string;
  /** Numbers per position. */
  readonly dimension: number;
  /** Names; "" where there is none. */
  readonly nodes: readonly string[];
  readonly skins: readonly string[];
  readonly materials: readonly string[];
  readonly scenes: readonly string[];
  readonly meshes: readonly { readonly name: string; /** number of blend shapes */ readonly shapes: number }[];
  readonly animations: readonly { readonly name: string; /** seconds */ readonly duration: number }[];
  /** The index of a thing by its name ("name:7" for one that is called 7). */
  find(kind: Kind, name: string): number;
  /** The file's own state. */
  pose(): Pose;
  /** Packs the drawn meshes of a scene once, for any number of poses. */
  deformer(options?: DeformerOptions): Deformer;
  /** The positions of one moment, a row per vertex, in world space: a copy. For many poses, make a pose and a deformer. */
  deform(options?: DeformOptions): Float32Array<ArrayBuffer>;
}

export interface DeformerOptions {
  normals?: boolean;
  /** Brings the normals, too. */
  tangents?: boolean;
  /** Only so many of each vertex, the first ones as stored, renormalised. Default: all. */
  maxInfluences?: number;
  /** Default: the file's own. */
  scene?: number;
}

export interface DeformOptions {
  /** By name or index. Default: the file's own state. */
  animation?: string | number;
  /** Seconds, of the animation; clamped to its keys. Default: 0. */
  time?: number;
  /** In place of an animation. */
  pose?: Pose;
  scene?: number;
}

/** Parts of a node's local transform. A rotation is a quaternion, a rotor, or part of the basis. */
export interface NodePose {
  translation?: ArrayLike<number>;
  scale?: ArrayLike<number>;
  /** x, y, z, w; in three dimensions. */
  quaternion?: ArrayLike<number>;
  /** Scalar first: s, xy, xz, yz in three dimensions. */
  rotor?: ArrayLike<number>;
  /** N × N numbers, column by column, in place of rotation and scale. */
  basis?: ArrayLike<number>;
  /** One per blend shape of the mesh that the node carries. */
  amounts?: ArrayLike<number>;
}

export interface Pose extends Handle {
  /** Back to the file's own state. */
  reset(): this;
  /** The state of an animation at a time, on top of what the pose holds. */
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

/** Views of the module's memory, a row per vertex: they hold until the next call of anything of this instance, so upload or copy them
 *  (`.slice()`) first. Rows of meshes without normals or tangents are zero. */
export interface Vertices {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer> | undefined;
  /** Four numbers per row. */
  readonly tangents: Float32Array<ArrayBuffer> | undefined;
}

export interface Deformer extends Handle {
  /** Rows: vertices, instance after instance. */
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

/** In the shape of the Khronos glTF-Validator's reports. */
export interface Report {
  readonly uri: string;
  readonly mimeType?: string;
  readonly validatorVersion: string;
  /** What the format's rules say. */
  readonly issues: Issues;
  /** Rules of Sinew's own: GLTF_… and SINEW_… */
  readonly modelIssues: Issues;
  readonly info?: Readonly<Record<string, unknown>>;
}
