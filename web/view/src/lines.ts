// SPDX-License-Identifier: MIT
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { InterleavedBuffer, InterleavedBufferAttribute } from 'three';

/** Line segments thicker than one pixel (which is all that WebGL's own lines can be). */
export class Lines {
  readonly object: LineSegments2;
  private readonly material: LineMaterial;
  private readonly positions: InterleavedBuffer;
  private readonly colours: InterleavedBuffer;

  constructor(
    segments: number,
    private readonly colour: string,
    width: number,
    onTop: boolean,
  ) {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(new Float32Array(segments * 6));
    geometry.setColors(new Float32Array(segments * 6));
    this.positions = (geometry.attributes.instanceStart as InterleavedBufferAttribute).data;
    this.colours = (geometry.attributes.instanceColorStart as InterleavedBufferAttribute).data;
    this.material = new LineMaterial({ color: colour, linewidth: width, depthTest: !onTop, transparent: onTop });
    this.object = new LineSegments2(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = onTop ? 2 : 0;
  }

  /** The ends of each segment: rows of `positions` by index; `paint` writes a vertex's colour (linear RGB). */
  set(positions: Float32Array, indices: Uint32Array, paint?: (out: Float32Array, at: number, vertex: number) => void): void {
    const places = this.positions.array as Float32Array;
    const colours = this.colours.array as Float32Array;
    for (let i = 0; i < indices.length; ++i) {
      for (let axis = 0; axis < 3; ++axis) places[i * 3 + axis] = positions[indices[i] * 3 + axis];
      paint?.(colours, i * 3, indices[i]);
    }
    this.positions.needsUpdate = true;
    this.colours.needsUpdate = true;
    if (this.material.vertexColors === (paint !== undefined)) return;
    this.material.vertexColors = paint !== undefined;
    this.material.color.set(paint ? '#ffffff' : this.colour);
    this.material.needsUpdate = true;
  }

  setSegments(ends: number[]): void {
    (this.positions.array as Float32Array).fill(0);
    (this.positions.array as Float32Array).set(ends);
    this.positions.needsUpdate = true;
  }

  /** Lets through what is behind, and hides nothing. */
  fade(on: boolean): void {
    if (this.material.depthWrite !== on) return;
    this.material.opacity = on ? 0.3 : 1;
    this.material.transparent = on;
    this.material.depthWrite = !on;
    this.material.needsUpdate = true;
  }

  resize(width: number, height: number): void {
    this.material.resolution.set(width, height);
  }
}
