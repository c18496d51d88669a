// SPDX-License-Identifier: MIT
// Places in the picture: marked vertices with what is around them, and from where they can be seen.
import * as THREE from 'three';

const SIGNAL = new THREE.Color('#ff1e00');
const TURNS = [0, 60, -60, 120, -120, 180]; // degrees around the place, in this order
const LEVEL = 0.2; // radians above the horizon: the second choice
const MOST_TESTS = 4_000_000; // of rays with triangles

/** A surface of the picture: three rows of positions for each triangle. */
export type Triangles = Uint32Array[];

export class Marks {
  readonly object = new THREE.Group();
  private rows: number[] = [];
  private readonly strength: THREE.BufferAttribute;

  constructor(
    private readonly positions: THREE.BufferAttribute,
    private readonly disc: THREE.Texture,
  ) {
    this.strength = new THREE.BufferAttribute(new Float32Array(positions.count * 4), 4);
    this.object.renderOrder = 4;
  }

  /** Marks these rows, and the parts of the triangles next to them. */
  set(rows: number[], surfaces: Triangles): void {
    for (const child of this.object.children) ((child as THREE.Mesh).geometry.dispose(), ((child as THREE.Mesh).material as THREE.Material).dispose());
    this.object.clear();
    this.rows = rows;
    if (!rows.length) return;
    this.strength.array.fill(0);
    for (let row = 0; row < this.positions.count; ++row) this.strength.setXYZW(row, SIGNAL.r, SIGNAL.g, SIGNAL.b, 0);
    for (const row of rows) this.strength.setW(row, 1);
    this.strength.needsUpdate = true;
    const near: number[] = [];
    for (const triangles of surfaces)
      for (let t = 0; t + 2 < triangles.length; t += 3)
        if (this.strength.getW(triangles[t]) || this.strength.getW(triangles[t + 1]) || this.strength.getW(triangles[t + 2])) near.push(triangles[t], triangles[t + 1], triangles[t + 2]);
    if (near.length) {
      const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide });
      this.add(new THREE.Mesh(this.geometry(near), material));
    }
    // Twice: in front of everything they are faint, so that a place inside of the model is found.
    for (const hidden of [true, false]) {
      const material = new THREE.PointsMaterial({ size: rows.length > 200 ? 4 : 9, sizeAttenuation: false, vertexColors: true, transparent: true, opacity: hidden ? 0.6 : 1, depthTest: !hidden, depthWrite: false, map: this.disc, alphaTest: 0.1 });
      this.add(new THREE.Points(this.geometry(rows), material));
    }
  }

  /** A sphere around the worst rows, with some of what is around them. */
  sphere(worst: number[], size: number): THREE.Sphere {
    const center = new THREE.Vector3();
    const point = new THREE.Vector3();
    const first = worst.length ? worst : this.rows;
    center.fromBufferAttribute(this.positions, first[0]);
    let radius = 0.06 * size;
    for (const row of this.rows) radius = Math.max(radius, Math.min(1.3 * point.fromBufferAttribute(this.positions, row).distanceTo(center), 0.2 * size));
    return new THREE.Sphere(center, radius);
  }

  /** The direction from which the fewest triangles hide the marks, at a distance; `fallback`: where the surface has no side. */
  bestDirection(center: THREE.Vector3, distance: number, surfaces: Triangles, fallback: THREE.Vector3): THREE.Vector3 {
    const out = this.outwards(surfaces);
    const first = out.lengthSq() > 0 ? out.normalize() : fallback.clone().normalize();
    const flat = Math.hypot(first.x, first.z);
    const pitch = Math.min(1.3, Math.max(-1.3, Math.atan2(first.y, flat)));
    const yaw = flat > 1e-6 ? Math.atan2(first.x, first.z) : Math.atan2(fallback.x, fallback.z);
    const triangles = surfaces.reduce((sum, each) => sum + each.length / 3, 0);
    const count = Math.max(1, Math.min(12, this.rows.length, Math.floor(MOST_TESTS / (2 * TURNS.length * (triangles + 1)))));
    const seen = Array.from({ length: count }, (_, i) => this.rows[Math.floor((i * this.rows.length) / count)]);
    let best = first;
    let least = Infinity;
    for (const [up, turn] of [pitch, LEVEL].flatMap((up) => TURNS.map((turn) => [up, turn]))) {
      const angle = yaw + (turn * Math.PI) / 180;
      const direction = new THREE.Vector3(Math.sin(angle) * Math.cos(up), Math.sin(up), Math.cos(angle) * Math.cos(up));
      const eye = center.clone().addScaledVector(direction, distance);
      const between = seen.reduce((sum, row) => sum + this.between(row, eye, surfaces), 0);
      if (between < least) [best, least] = [direction, between];
      if (least === 0) break;
    }
    return best;
  }

  /** The sum of the areas of triangles with a mark. */
  private outwards(surfaces: Triangles): THREE.Vector3 {
    const [a, b, c, sum] = Array.from({ length: 4 }, () => new THREE.Vector3());
    const marked = new Set(this.rows);
    for (const triangles of surfaces)
      for (let t = 0; t + 2 < triangles.length; t += 3) {
        if (![0, 1, 2].some((i) => marked.has(triangles[t + i]))) continue;
        [a, b, c].forEach((each, i) => each.fromBufferAttribute(this.positions, triangles[t + i]));
        sum.add(b.sub(a).cross(c.sub(a)));
      }
    return sum;
  }

  /** How many triangles stand between a row and an eye. Those that end at the row do not. */
  private between(row: number, eye: THREE.Vector3, surfaces: Triangles): number {
    let count = 0;
    const p = this.positions.array;
    const [x, y, z] = [p[row * 3], p[row * 3 + 1], p[row * 3 + 2]];
    const [dx, dy, dz] = [eye.x - x, eye.y - y, eye.z - z];
    for (const triangles of surfaces)
      for (let t = 0; t + 2 < triangles.length; t += 3) {
        const [a, b, c] = [triangles[t] * 3, triangles[t + 1] * 3, triangles[t + 2] * 3];
        const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
        const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
        // Möller and Trumbore, 1997.
        const [nx, ny, nz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
        const determinant = ux * nx + uy * ny + uz * nz;
        if (determinant === 0) continue;
        const [sx, sy, sz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
        const u = (sx * nx + sy * ny + sz * nz) / determinant;
        if (u < 0 || u > 1) continue;
        const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
        const v = (dx * qx + dy * qy + dz * qz) / determinant;
        if (v < 0 || u + v > 1) continue;
        const along = (vx * qx + vy * qy + vz * qz) / determinant;
        if (along > 1e-3 && along < 1) ++count;
      }
    return count;
  }

  private geometry(indices: number[]): THREE.BufferGeometry {
    const made = new THREE.BufferGeometry();
    made.setAttribute('position', this.positions);
    made.setAttribute('color', this.strength);
    made.setIndex(indices);
    return made;
  }

  private add(object: THREE.Object3D): void {
    object.frustumCulled = false;
    object.renderOrder = 4;
    this.object.add(object);
  }
}
