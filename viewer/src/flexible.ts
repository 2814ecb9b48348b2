// Flexible bodies: tubes along lines of nodes and surfaces of triangles.
//
// One mesh holds all round tubes, with normals: the shader's normals of facets flicker
// where a facet is thinner than a pixel. Another holds beams with corners and surfaces.
// Every vertex is computed here once per drawn instant, at nodes × modes multiplications.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, type Group, Mesh, MeshStandardMaterial } from "three";
import type { Motion } from "./motion";
import { SELECTED, bodyColour, scaleColour } from "./palette";
import { newPose, place, type Pose } from "./pose";
import type { Sizes } from "./solids";
import type { Body, SceneData } from "./types";

/** What colours may show. */
export type Measure = "deflection" | "stress";

/** Numbers of a beam's stress row: E u', E v'', E w'', G θ' (docs/result_format.md). */
const BEAM_ROWS = 4;

/** Von Mises' stress of a node, at (y, z) of its section if it is a beam (Pa); 0 where none is known. */
function vonMises(body: Body, node: number, row: Float32Array, y: number, z: number): number {
  const { stress, modes, nodes, eta } = body;
  const width = stress.length / Math.max(1, modes * nodes.count);
  const s = [0, 0, 0, 0, 0, 0];
  for (let r = 0, at = node * modes * width; r < modes; r++) {
    for (let i = 0; i < width; i++, at++) s[i] += row[eta + r] * stress[at];
  }
  if (width === BEAM_ROWS) {
    const sigma = s[0] - y * s[1] - z * s[2];
    return Math.sqrt(sigma * sigma + 3 * s[3] * s[3] * (y * y + z * z));
  }
  const normal = (s[0] - s[1]) ** 2 + (s[1] - s[2]) ** 2 + (s[2] - s[0]) ** 2;
  return Math.sqrt(0.5 * normal + 3 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2));
}

interface Piece {
  body: number;
  /** First vertex and number of vertices. */
  start: number;
  count: number;
  tube: boolean;
}

const SIDES = 12;

export class Flexible {
  readonly mesh: Mesh;
  /** Largest deflection (m) or stress (Pa) seen, the end of the colour scale. */
  largest: Record<Measure, number> = { deflection: 0, stress: 0 };
  private readonly pieces: Piece[] = [];
  private readonly positions: Float32Array;
  private readonly colours: Float32Array;
  /** Deflection of every vertex (m). */
  private readonly deflections: Float32Array;
  /** Von Mises' stress of every vertex (Pa). */
  private readonly stresses: Float32Array;
  private readonly normals: Float32Array | null;
  private readonly geometry = new BufferGeometry();
  private selected = -1;
  private measure: Measure | null = null;

  constructor(group: Group, private readonly scene: SceneData, private readonly sizes: Sizes, round: boolean) {
    const index: number[] = [];
    let vertices = 0;
    scene.bodies.forEach((body, k) => {
      const tube = body.triangles.length === 0;
      if (body.nodes.count === 0 || (tube && body.lines.length === 0) || round !== (tube && !body.rectangle)) return;
      const count = tube ? tubeIndex(body, vertices, index) : body.nodes.count;
      if (!tube) for (const node of body.triangles) index.push(vertices + node);
      this.pieces.push({ body: k, start: vertices, count, tube });
      vertices += count;
    });
    this.positions = new Float32Array(3 * vertices);
    this.colours = new Float32Array(3 * vertices);
    this.deflections = new Float32Array(vertices);
    this.stresses = new Float32Array(vertices);
    const dynamic = (values: Float32Array) => new BufferAttribute(values, 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", dynamic(this.positions));
    this.geometry.setAttribute("color", dynamic(this.colours));
    this.normals = round ? new Float32Array(3 * vertices) : null;
    if (this.normals) this.geometry.setAttribute("normal", dynamic(this.normals));
    this.geometry.setIndex(index);
    const material = new MeshStandardMaterial({
      vertexColors: true, flatShading: !round, side: round ? FrontSide : DoubleSide, roughness: 0.6, metalness: 0.05,
    });
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
    for (const piece of this.pieces) {
      if (hidden[piece.body]) {
        this.positions.fill(0, 3 * piece.start, 3 * (piece.start + piece.count));
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
    const { modes, eta } = body, row = motion.row, scale = motion.scale;
    let i = 0;
    for (let n = 0; n < body.nodes.count; n++) {
      let x = 0, y = 0, z = 0;
      for (let r = 0; r < modes; r++, i += 3) {
        const q = row[eta + r];
        x += q * translations[i];
        y += q * translations[i + 1];
        z += q * translations[i + 2];
      }
      this.deflections[start + n] = Math.hypot(x, y, z);
      if (this.measure === "stress") this.stresses[start + n] = vonMises(body, n, row, 0, 0);
      const at = 3 * n;
      place(this.positions, 3 * start + at, pose, positions[at] + scale * x, positions[at + 1] + scale * y, positions[at + 2] + scale * z);
    }
  }

  private placeTube(motion: Motion, { body: k, start }: Piece): void {
    const body = this.scene.bodies[k], pose = motion.poses[k];
    const outline = outlineOf(body, 0.3 * this.sizes.marker);
    const a = newPose(), b = newPose();
    const swept = body.rectangle !== undefined || body.circle !== undefined;
    let vertex = start;
    for (let e = 0; e < body.lines.length; e += 2) {
      const ends: [Pose, number][] = [[a, body.lines[e]], [b, body.lines[e + 1]]];
      for (const [out, node] of ends) motion.node(out, body, body.nodes, node, motion.scale);
      if (!swept) turnAlong(a, b);
      for (const [end, node] of ends) {
        const p = body.nodes.positions;
        const moved = Math.hypot(end[9] - p[3 * node], end[10] - p[3 * node + 1], end[11] - p[3 * node + 2]);
        for (const [y, z] of outline) {
          this.deflections[vertex] = motion.scale === 0 ? 0 : moved / motion.scale;
          if (this.measure === "stress") this.stresses[vertex] = vonMises(body, node, motion.row, y, z);
          place(
            this.positions, 3 * vertex, pose,
            end[1] * y + end[2] * z + end[9], end[4] * y + end[5] * z + end[10], end[7] * y + end[8] * z + end[11],
          );
          if (this.normals) this.outward(vertex, pose, end, y, z);
          vertex++;
        }
      }
    }
  }

  /** Normal of a round tube: away from its node. */
  private outward(vertex: number, pose: Pose, end: Pose, y: number, z: number): void {
    if (!this.normals) return;
    const u = end[1] * y + end[2] * z, v = end[4] * y + end[5] * z, w = end[7] * y + end[8] * z;
    for (let i = 0; i < 3; i++) this.normals[3 * vertex + i] = pose[3 * i] * u + pose[3 * i + 1] * v + pose[3 * i + 2] * w;
  }

  paint(selected: number, measure: Measure | null): void {
    this.selected = selected;
    this.measure = measure;
    this.colour();
  }

  private colour(): void {
    const colour = new Color();
    const { measure } = this;
    const values = measure === "stress" ? this.stresses : this.deflections;
    if (measure) for (const value of values) this.largest[measure] = Math.max(this.largest[measure], value);
    const most = measure ? this.largest[measure] : 0;
    for (const { body, start, count } of this.pieces) {
      if (body === this.selected) colour.copy(SELECTED);
      else colour.copy(bodyColour(body));
      for (let v = start; v < start + count; v++) {
        if (measure && body !== this.selected) scaleColour(most > 0 ? values[v] / most : 0, colour);
        colour.toArray(this.colours, 3 * v);
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
  const gap = [b[9] - a[9], b[10] - a[10], b[11] - a[11]];
  const length = Math.hypot(...gap) || 1;
  const x = gap.map((value) => value / length);
  const side = Math.abs(x[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0];
  let y = [side[1] * x[2] - side[2] * x[1], side[2] * x[0] - side[0] * x[2], side[0] * x[1] - side[1] * x[0]];
  const norm = Math.hypot(...y) || 1;
  y = y.map((value) => value / norm);
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  for (const pose of [a, b]) {
    for (let i = 0; i < 3; i++) {
      pose[3 * i] = x[i];
      pose[3 * i + 1] = y[i];
      pose[3 * i + 2] = z[i];
    }
  }
}
