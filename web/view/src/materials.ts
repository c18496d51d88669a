// SPDX-License-Identifier: MIT
// What surfaces look like: base colour, its texture and colours of vertices as a material says, else a plain colour per instance.
import * as THREE from 'three';
import type { Material, Model, Packet, Piece, Texture } from './model';

const PALETTE = ['#6f9fd8', '#e0a458', '#7fb685', '#d77a8d', '#a68bd1', '#5fb7b7', '#c9b35b', '#b58970'];
const WRAPS = { repeat: THREE.RepeatWrapping, mirror: THREE.MirroredRepeatWrapping, clamp: THREE.ClampToEdgeWrapping };

export type SurfaceMaterial = THREE.MeshStandardMaterial | THREE.MeshBasicMaterial;
export const plainColour = (instance: number) => PALETTE[instance % PALETTE.length];

export class Materials {
  /** Colours of vertices, rows of four; null: none has any. */
  readonly colours: THREE.BufferAttribute | null;
  readonly texcoords: THREE.BufferAttribute | null;
  private readonly textures = new Map<Texture, THREE.Texture>();
  private readonly images: (ImageBitmap | null)[] = [];

  private constructor(
    private readonly model: Model,
    geometry: Packet,
  ) {
    const rows = (name: string, width: number) => (geometry.arrays.has(name) ? new THREE.BufferAttribute(geometry.arrays.get(name) as Float32Array, width) : null);
    this.colours = rows('colors', 4);
    this.texcoords = rows('texcoords', 2);
  }

  static async load(model: Model, geometry: Packet): Promise<Materials> {
    const made = new Materials(model, geometry);
    for (let image = 0; geometry.arrays.has(`image${image}`); ++image) {
      const file = new Blob([geometry.arrays.get(`image${image}`) as Uint8Array<ArrayBuffer>]);
      // One that the browser cannot read is left out; what is wrong with it stands among the findings.
      made.images.push(await createImageBitmap(file, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }).catch(() => null));
    }
    return made;
  }

  /** The colour of a piece before its texture and the colours of its vertices. */
  colourOf(piece: Piece): THREE.Color {
    const own = this.of(piece);
    if (own) return new THREE.Color().setRGB(own.color[0], own.color[1], own.color[2], THREE.LinearSRGBColorSpace);
    return new THREE.Color(piece.colors ? '#ffffff' : plainColour(piece.instance));
  }

  surface(piece: Piece, flat: boolean): SurfaceMaterial {
    const own = this.of(piece);
    const common = {
      color: this.colourOf(piece),
      vertexColors: piece.colors,
      map: this.texcoords ? this.textureOf(piece) : null,
      side: own && !own.doubleSided ? THREE.FrontSide : THREE.DoubleSide,
      transparent: own?.alpha === 'blend',
      depthWrite: own?.alpha !== 'blend',
      opacity: own && own.alpha !== 'opaque' ? own.color[3] : 1,
      alphaTest: own?.alpha === 'mask' ? own.cutoff : 0,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    };
    if (own?.unlit) return new THREE.MeshBasicMaterial(common);
    return new THREE.MeshStandardMaterial({ ...common, roughness: 0.75, metalness: 0, flatShading: flat });
  }

  /** The texture of a piece's material, made once. */
  textureOf(piece: Piece): THREE.Texture | null {
    const from = this.of(piece)?.texture;
    if (!from) return null;
    const made = this.textures.get(from) ?? this.texture(from);
    if (made) this.textures.set(from, made);
    return made;
  }

  private of(piece: Piece): Material | null {
    return piece.material === null ? null : this.model.materials[piece.material];
  }

  private texture(from: Texture): THREE.Texture | null {
    const image = this.images[from.image];
    if (!image) return null;
    const made = new THREE.Texture(image);
    made.flipY = false;
    made.colorSpace = THREE.SRGBColorSpace;
    made.wrapS = WRAPS[from.wrapS];
    made.wrapT = WRAPS[from.wrapT];
    if (from.nearest) made.magFilter = THREE.NearestFilter;
    made.matrixAutoUpdate = false;
    made.matrix.fromArray(from.transform);
    made.needsUpdate = true;
    return made;
  }
}
