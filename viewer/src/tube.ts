// Tubes along lines of nodes: sections, faces and turns.

import type { Pose } from "./pose";
import type { Body } from "./types";

const SIDES = 12;

/** Corners of the cross-section one after another, y and z of the node; `radius` where the body has no section. */
export function outlineOf(body: Body, radius: number): Float64Array {
  if (body.rectangle) {
    const [y, z] = body.rectangle.map((side) => side / 2);
    return Float64Array.of(y, z, -y, z, -y, -z, y, -z);
  }
  const r = body.circle ?? radius;
  return Float64Array.from({ length: 2 * SIDES }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / SIDES;
    return r * (i & 1 ? Math.sin(angle) : Math.cos(angle));
  });
}

/** Whether a body is drawn as a tube, as a surface, or not by its nodes at all. */
export function formOf(body: Body): "tube" | "surface" | null {
  if (body.nodes.count === 0) return null;
  if (body.triangles.length > 0) return "surface";
  return body.lines.length > 0 ? "tube" : null;
}

/** Faces between the two rings of `corners` of every line and caps at loose ends; returns the number of vertices. */
export function tubeIndex(body: Body, corners: number, first: number, index: number[]): number {
  const n = corners, { lines } = body;
  const degree = new Map<number, number>();
  for (const node of lines) degree.set(node, (degree.get(node) ?? 0) + 1);
  let start = first;
  for (let e = 0; e < lines.length; e += 2, start += 2 * n) {
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      index.push(start + i, start + j, start + n + i, start + j, start + n + j, start + n + i);
    }
    for (const end of [0, 1]) {
      if (degree.get(lines[e + end]) !== 1) continue;
      for (let i = 1; i + 1 < n; i++) index.push(start + end * n, start + end * n + i, start + end * n + i + 1);
    }
  }
  return start - first;
}

/** Turns the x axes of two nodes along the line between them. */
export function turnAlong(a: Pose, b: Pose): void {
  let x = b[9] - a[9], y = b[10] - a[10], z = b[11] - a[11];
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  x /= length;
  y /= length;
  z /= length;
  // Across the line: side × x, with side along z, or along y where the line is nearly upright.
  const upright = Math.abs(z) >= 0.9;
  let u = upright ? z : -y, v = upright ? 0 : x, w = upright ? -x : 0;
  const norm = Math.sqrt(u * u + v * v + w * w) || 1;
  u /= norm;
  v /= norm;
  w /= norm;
  for (let end = 0; end < 2; end++) {
    const pose = end === 0 ? a : b;
    pose[0] = x;
    pose[3] = y;
    pose[6] = z;
    pose[1] = u;
    pose[4] = v;
    pose[7] = w;
    pose[2] = y * w - z * v;
    pose[5] = z * u - x * w;
    pose[8] = x * v - y * u;
  }
}
