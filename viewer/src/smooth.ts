// Surfaces of geometry files: round where neighbouring triangles are nearly in one plane, with edges where they are not.

import { BufferAttribute, BufferGeometry } from "three";
import type { SurfaceData } from "./types";

/** Triangles that meet at a smaller angle than this are one round surface. */
const CREASE = Math.cos((35 * Math.PI) / 180);

/** A corner has the mean normal of the triangles around its point that are nearly in its own plane, by their areas. */
export function smoothed({ positions, triangles }: SurfaceData): BufferGeometry {
  const count = triangles.length / 3, areas = new Float32Array(3 * count), units = new Float32Array(3 * count);
  for (let t = 0; t < count; t++) areaOf(positions, triangles, t, areas, units);
  // Triangles around every point, one list after the other.
  const starts = new Uint32Array(positions.length / 3 + 1);
  for (const point of triangles) starts[point + 1]++;
  for (let p = 1; p < starts.length; p++) starts[p] += starts[p - 1];
  const around = new Uint32Array(triangles.length), filled = starts.slice();
  triangles.forEach((point, k) => (around[filled[point]++] = Math.floor(k / 3)));
  const points = new Float32Array(3 * triangles.length), normals = new Float32Array(3 * triangles.length);
  for (let k = 0; k < triangles.length; k++) {
    const point = triangles[k], own = 3 * Math.floor(k / 3);
    let x = 0, y = 0, z = 0;
    for (let i = starts[point]; i < starts[point + 1]; i++) {
      const other = 3 * around[i];
      const along = units[own] * units[other] + units[own + 1] * units[other + 1] + units[own + 2] * units[other + 2];
      if (other !== own && along < CREASE) continue;
      x += areas[other];
      y += areas[other + 1];
      z += areas[other + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * k);
    points.set(positions.subarray(3 * point, 3 * point + 3), 3 * k);
  }
  const form = new BufferGeometry();
  form.setAttribute("position", new BufferAttribute(points, 3));
  form.setAttribute("normal", new BufferAttribute(normals, 3));
  return form;
}

/** Normal of a triangle, as long as its area and of length one. */
function areaOf(positions: Float32Array, triangles: Uint32Array, t: number, areas: Float32Array, units: Float32Array): void {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
  const at = (to: number, k: number) => positions[to + k] - positions[a + k];
  const x = at(b, 1) * at(c, 2) - at(b, 2) * at(c, 1);
  const y = at(b, 2) * at(c, 0) - at(b, 0) * at(c, 2);
  const z = at(b, 0) * at(c, 1) - at(b, 1) * at(c, 0);
  const length = Math.hypot(x, y, z) || 1;
  areas.set([x, y, z], 3 * t);
  units.set([x / length, y / length, z / length], 3 * t);
}
