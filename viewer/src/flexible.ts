// Flexible bodies: tubes along lines of nodes and surfaces of triangles.
//
// One mesh holds all round tubes, with normals: the shader's normals of facets flicker
// where a facet is thinner than a pixel. Another holds beams with corners and surfaces.
// Every vertex is computed here once per drawn instant, at nodes × modes multiplications,
// into arrays that are made once.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, type Group, Mesh } from "three";
import { knows, sumRows, valueAt, type Measure } from "./measure";
import type { Motion } from "./motion";
import { SCALE, SCALE_STEPS, SELECTED, bodyColour, surface } from "./palette";
import { newPose, place, type Pose } from "./pose";
import type { Sizes } from "./solids";
import type { Body, SceneData } from "./types";

interface Piece {
  body: number;
  /** First vertex and number of vertices. */
  start: number;
  count: number;
  tube: boolean;
  /** Corners of a tube's section: y and z, one after another. */
  outline: Float64Array;
}

const SIDES = 12;

export class Flexible {
  readonly mesh: Mesh;
  /** Largest deflection (m), stress (Pa) or strain seen, the end of the colour scale. */
  largest: Record<Measure, number> = { deflection: 0, stress: 0, strain: 0 };
  private readonly pieces: Piece[] = [];
  private readonly positions: Float32Array;
  private readonly colours: Float32Array;
  /** What the colours show, of every vertex. */
  private readonly values: Float32Array;
  private readonly ends: [Pose, Pose] = [newPose(), newPose()];
  private readonly normals: Float32Array | null;
  private readonly geometry = new BufferGeometry();
  private selected = -1;
  /** What colours show; `place` computes it. */
  measure: Measure | null = null;

  constructor(group: Group, private readonly scene: SceneData, sizes: Sizes, round: boolean) {
    const index: number[] = [];
    let vertices = 0;
    scene.bodies.forEach((body, k) => {
      const tube = body.triangles.length === 0;
      if (body.nodes.count === 0 || (tube && body.lines.length === 0) || round !== (tube && !body.rectangle)) return;
      const count = tube ? tubeIndex(body, vertices, index) : body.nodes.count;
      if (!tube) for (const node of body.triangles) index.push(vertices + node);
      const outline = Float64Array.from(tube ? outlineOf(body, 0.3 * sizes.marker).flat() : []);
      this.pieces.push({ body: k, start: vertices, count, tube, outline });
      vertices += count;
    });
    this.positions = new Float32Array(3 * vertices);
    this.colours = new Float32Array(3 * vertices);
    this.values = new Float32Array(vertices);
    const dynamic = (values: Float32Array) => new BufferAttribute(values, 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", dynamic(this.positions));
    this.geometry.setAttribute("color", dynamic(this.colours));
    this.normals = round ? new Float32Array(3 * vertices) : null;
    if (this.normals) this.geometry.setAttribute("normal", dynamic(this.normals));
    this.geometry.setIndex(index);
    const material = surface(false, { vertexColors: true, flatShading: !round, side: round ? FrontSide : DoubleSide });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = vertices > 0;
    group.add(this.mesh);
  }

  /** Body of a vertex hit by the pointer. */
  bodyOf(vertex: number): number {
    return this.pieces.find((piece) => vertex < piece.start + piece.count)?.body ?? -1;
  }

  place(motion: Motion, hidden: boolean[]): void {
    if (this.pieces.length === 0) return;
    for (const piece of this.pieces) {
      if (hidden[piece.body]) {
        this.positions.fill(0, 3 * piece.start, 3 * (piece.start + piece.count));
        this.values.fill(0, piece.start, piece.start + piece.count);
      } else if (piece.tube) {
        this.placeTube(motion, piece);
      } else {
        this.placeSurface(motion, piece);
      }
    }
    this.geometry.attributes.position.needsUpdate = true;
    if (this.normals) this.geometry.attributes.normal.needsUpdate = true;
    this.geometry.boundingSphere = null;
    if (this.measure) this.colour();
  }

  private placeSurface(motion: Motion, { body: k, start }: Piece): void {
    const body = this.scene.bodies[k], pose = motion.poses[k];
    const { positions, translations } = body.nodes;
    const { modes, eta } = body, row = motion.row, scale = motion.scale, { measure, values } = this;
    const rows = measure !== null && measure !== "deflection" && knows(body, measure);
    let i = 0;
    for (let n = 0; n < body.nodes.count; n++) {
      let x = 0, y = 0, z = 0;
      for (let r = 0; r < modes; r++, i += 3) {
        const q = row[eta + r];
        x += q * translations[i];
        y += q * translations[i + 1];
        z += q * translations[i + 2];
      }
      if (rows) {
        sumRows(body, measure, n, row);
        values[start + n] = valueAt(body, measure, 0, 0);
      } else if (measure) {
        values[start + n] = measure === "deflection" ? Math.sqrt(x * x + y * y + z * z) : 0;
      }
      const at = 3 * n;
      place(this.positions, 3 * start + at, pose, positions[at] + scale * x, positions[at + 1] + scale * y, positions[at + 2] + scale * z);
    }
  }

  private placeTube(motion: Motion, { body: k, start, outline }: Piece): void {
    const body = this.scene.bodies[k];
    const { ends } = this;
    const swept = body.rectangle !== undefined || body.circle !== undefined;
    let vertex = start;
    for (let e = 0; e < body.lines.length; e += 2) {
      for (let end = 0; end < 2; end++) motion.node(ends[end], body, body.nodes, body.lines[e + end], motion.scale);
      if (!swept) turnAlong(ends[0], ends[1]);
      for (let end = 0; end < 2; end++) {
        this.placeRing(motion, k, body.lines[e + end], ends[end], outline, vertex);
        vertex += outline.length / 2;
      }
    }
  }

  /** The corners around one node, turned as `end`. */
  private placeRing(motion: Motion, k: number, node: number, end: Pose, outline: Float64Array, first: number): void {
    const body = this.scene.bodies[k], pose = motion.poses[k], p = body.nodes.positions, { measure, values } = this;
    const x = end[9] - p[3 * node], y0 = end[10] - p[3 * node + 1], z0 = end[11] - p[3 * node + 2];
    const moved = motion.scale === 0 ? 0 : Math.sqrt(x * x + y0 * y0 + z0 * z0) / motion.scale;
    const rows = measure !== null && measure !== "deflection" && knows(body, measure);
    if (rows) sumRows(body, measure, node, motion.row);
    for (let c = 0, vertex = first; c < outline.length; c += 2, vertex++) {
      const y = outline[c], z = outline[c + 1];
      if (measure) values[vertex] = rows ? valueAt(body, measure, y, z) : measure === "deflection" ? moved : 0;
      place(
        this.positions, 3 * vertex, pose,
        end[1] * y + end[2] * z + end[9], end[4] * y + end[5] * z + end[10], end[7] * y + end[8] * z + end[11],
      );
      if (this.normals) this.outward(vertex, pose, end, y, z);
    }
  }

  /** Normal of a round tube: away from its node. */
  private outward(vertex: number, pose: Pose, end: Pose, y: number, z: number): void {
    if (!this.normals) return;
    const u = end[1] * y + end[2] * z, v = end[4] * y + end[5] * z, w = end[7] * y + end[8] * z;
    for (let i = 0; i < 3; i++) this.normals[3 * vertex + i] = pose[3 * i] * u + pose[3 * i + 1] * v + pose[3 * i + 2] * w;
  }

  paint(selected: number): void {
    this.selected = selected;
    this.colour();
  }

  private colour(): void {
    const { measure, values, colours } = this;
    let most = measure ? this.largest[measure] : 0;
    if (measure) {
      for (let v = 0; v < values.length; v++) if (values[v] > most) most = values[v];
      this.largest[measure] = most;
    }
    const colour = new Color();
    for (const { body, start, count } of this.pieces) {
      const plain = !measure || body === this.selected;
      if (plain) colour.copy(body === this.selected ? SELECTED : bodyColour(body));
      for (let v = start; v < start + count; v++) {
        if (plain) {
          colours[3 * v] = colour.r;
          colours[3 * v + 1] = colour.g;
          colours[3 * v + 2] = colour.b;
          continue;
        }
        const at = 3 * (most > 0 ? Math.min(SCALE_STEPS - 1, Math.floor((values[v] / most) * SCALE_STEPS)) : 0);
        for (let i = 0; i < 3; i++) colours[3 * v + i] = SCALE[at + i];
      }
    }
    this.geometry.attributes.color.needsUpdate = true;
  }
}

function sidesOf(body: Body): number {
  return body.rectangle ? 4 : SIDES;
}

/** Corners of the cross-section, y and z of the node. */
function outlineOf(body: Body, radius: number): [number, number][] {
  if (body.rectangle) {
    const [y, z] = body.rectangle.map((side) => side / 2);
    return [[y, z], [-y, z], [-y, -z], [y, -z]];
  }
  const r = body.circle ?? radius;
  const corner = (i: number): [number, number] => [r * Math.cos((2 * Math.PI * i) / SIDES), r * Math.sin((2 * Math.PI * i) / SIDES)];
  return Array.from({ length: SIDES }, (_, i) => corner(i));
}

/** Faces between the two rings of every line and caps at loose ends; returns the number of vertices. */
function tubeIndex(body: Body, first: number, index: number[]): number {
  const n = sidesOf(body), { lines } = body;
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
function turnAlong(a: Pose, b: Pose): void {
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
