// Flexible bodies: tubes along lines of nodes and surfaces of triangles.
//
// One mesh holds all round tubes, with normals: the shader's normals of facets flicker
// where a facet is thinner than a pixel. Another holds beams with corners and surfaces.
// Every vertex is computed here once per drawn instant, at nodes × modes multiplications,
// into arrays that are made once.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, type Group, Mesh } from "three";
import type { Look } from "./bodies";
import { knows, sumRows, valueAt, type Measure } from "./measure";
import type { Motion } from "./motion";
import { GHOST, SCALE, SELECTED, WITHOUT_VALUE, bodyColour } from "./palette";
import { newPose, place, type Pose } from "./pose";
import type { ColourScale } from "./scale";
import { skin } from "./skin";
import type { Sizes } from "./solids";
import { formOf, outlineOf, tubeIndex, turnAlong } from "./tube";
import type { SceneData } from "./types";

interface Piece {
  body: number;
  /** First vertex and number of vertices. */
  start: number;
  count: number;
  /** Corners of a tube's section: y and z, one after another; none of a surface. */
  outline: Float64Array;
  /** Half its sides along y and z (m). */
  wide: number;
  high: number;
}

/** Half the sides of a section along y and z. */
function halves(outline: Float64Array): [number, number] {
  // A rectangle begins with a corner; a circle with its largest y, and a quarter further is its largest z.
  if (outline.length === 0) return [Infinity, Infinity];
  return outline.length === 8 ? [outline[0], outline[1]] : [outline[0], outline[outline.length / 4 + 1]];
}

/** Share of a colour that light does not change while it means a value: shading still shows the form. */
const TRUE_COLOUR = 0.8;

export class Flexible {
  readonly mesh: Mesh;
  /** Largest value of what colours show now, and its vertex. */
  peak = 0;
  peakVertex = -1;
  /** What the colours show, of every vertex. */
  readonly values: Float32Array;
  private readonly pieces: Piece[] = [];
  private readonly positions: Float32Array;
  private readonly colours: Float32Array;
  private readonly ends: [Pose, Pose] = [newPose(), newPose()];
  private readonly normals: Float32Array | null;
  private readonly geometry = new BufferGeometry();
  private readonly truth = { value: 0 };
  private readonly paintOf = new Color();
  private selected = -1;
  /** Half the width that a beam has at least in the picture (m): thinner ones would not be seen. */
  least = 0;
  /** Half the smallest side of a beam's section (m). */
  thinnest = Infinity;

  constructor(group: Group, private readonly scene: SceneData, sizes: Sizes, round: boolean, private readonly look: Look) {
    const index: number[] = [];
    let vertices = 0;
    scene.bodies.forEach((body, k) => {
      const form = formOf(body), tube = form === "tube";
      if (!form || round !== (tube && !body.rectangle)) return;
      const outline = tube ? outlineOf(body, 0.3 * sizes.marker) : new Float64Array(0);
      const count = tube ? tubeIndex(body, outline.length / 2, vertices, index) : body.nodes.count;
      if (!tube) for (const node of body.triangles) index.push(vertices + node);
      const [wide, high] = halves(outline);
      if (tube) this.thinnest = Math.min(this.thinnest, wide, high);
      this.pieces.push({ body: k, start: vertices, count, outline, wide, high });
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
    const options = { vertexColors: true, flatShading: !round, side: round ? FrontSide : DoubleSide };
    this.mesh = new Mesh(this.geometry, skin(false, look, options, this.truth));
    this.mesh.frustumCulled = false;
    this.mesh.visible = vertices > 0;
    group.add(this.mesh);
  }

  private pieceOf(vertex: number): Piece | undefined {
    return this.pieces.find((piece) => vertex < piece.start + piece.count);
  }

  /** Body of a vertex hit by the pointer. */
  bodyOf(vertex: number): number {
    return this.pieceOf(vertex)?.body ?? -1;
  }

  /** Node of a vertex in its body. */
  nodeOf(vertex: number): number {
    const piece = this.pieceOf(vertex);
    if (!piece) return -1;
    const corners = piece.outline.length / 2, within = vertex - piece.start;
    return corners ? this.scene.bodies[piece.body].lines[Math.floor(within / corners)] : within;
  }

  /** The vertex of some that is nearest to a place in space. */
  nearest(vertices: number[], [x, y, z]: [number, number, number]): number {
    const p = this.positions;
    const away = (v: number) => Math.hypot(p[3 * v] - x, p[3 * v + 1] - y, p[3 * v + 2] - z);
    return vertices.reduce((best, vertex) => (away(vertex) < away(best) ? vertex : best));
  }

  /** First vertex at a node, and one behind the last; [0, 0] where the body is not in this mesh. */
  verticesOf(body: number, node: number): [number, number] {
    const piece = this.pieces.find((found) => found.body === body);
    if (!piece) return [0, 0];
    const corners = piece.outline.length / 2;
    if (!corners) return [piece.start + node, piece.start + node + 1];
    const first = piece.start + corners * Math.max(0, this.scene.bodies[body].lines.indexOf(node));
    return [first, first + corners];
  }

  place(motion: Motion, hidden: boolean[], measure: Measure | null): void {
    for (const piece of this.pieces) {
      if (hidden[piece.body]) {
        this.positions.fill(0, 3 * piece.start, 3 * (piece.start + piece.count));
        this.values.fill(0, piece.start, piece.start + piece.count);
      } else if (piece.outline.length) {
        this.placeTube(motion, piece, measure);
      } else {
        this.placeSurface(motion, piece, measure);
      }
    }
    this.geometry.attributes.position.needsUpdate = true;
    if (this.normals) this.geometry.attributes.normal.needsUpdate = true;
    this.geometry.boundingSphere = null;
    if (measure) this.findPeak();
  }

  private findPeak(): void {
    const { values } = this;
    this.peak = 0;
    this.peakVertex = -1;
    for (let v = 0; v < values.length; v++) {
      if (!(values[v] > this.peak)) continue;
      this.peak = values[v];
      this.peakVertex = v;
    }
  }

  private placeSurface(motion: Motion, { body: k, start }: Piece, measure: Measure | null): void {
    const body = this.scene.bodies[k], pose = motion.poses[k];
    const { positions, translations } = body.nodes;
    const { modes, eta } = body, row = motion.row, scale = motion.scale, { values } = this;
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

  private placeTube(motion: Motion, piece: Piece, measure: Measure | null): void {
    const { body: k, start, outline } = piece;
    const body = this.scene.bodies[k], { ends } = this;
    const swept = body.rectangle !== undefined || body.circle !== undefined;
    const rows = measure !== null && measure !== "deflection" && knows(body, measure);
    let vertex = start;
    for (let e = 0; e < body.lines.length; e += 2) {
      motion.node(ends[0], body, body.nodes, body.lines[e], motion.scale);
      const first = motion.deflection;
      motion.node(ends[1], body, body.nodes, body.lines[e + 1], motion.scale);
      const second = motion.deflection;
      if (!swept) turnAlong(ends[0], ends[1]);
      for (let end = 0; end < 2; end++, vertex += outline.length / 2) {
        const moved = measure === "deflection" ? (end === 0 ? first : second) : 0;
        if (measure) this.valueRing(motion, k, body.lines[e + end], outline, vertex, rows ? measure : null, moved);
        this.placeRing(motion.poses[k], ends[end], piece, vertex);
      }
    }
  }

  /** Values of the corners around one node: of its fibres, or `moved` for all of them. */
  private valueRing(motion: Motion, k: number, node: number, outline: Float64Array, first: number, fibres: Measure | null, moved: number): void {
    const body = this.scene.bodies[k];
    if (fibres) sumRows(body, fibres, node, motion.row);
    for (let c = 0, vertex = first; c < outline.length; c += 2, vertex++) {
      this.values[vertex] = fibres ? valueAt(body, fibres, outline[c], outline[c + 1]) : moved;
    }
  }

  /** The corners around one node, turned as `end`. */
  private placeRing(pose: Pose, end: Pose, { outline, wide, high }: Piece, first: number): void {
    const alongY = Math.max(1, this.least / wide), alongZ = Math.max(1, this.least / high);
    for (let c = 0, vertex = first; c < outline.length; c += 2, vertex++) {
      const y = alongY * outline[c], z = alongZ * outline[c + 1];
      const u = end[1] * y + end[2] * z, v = end[4] * y + end[5] * z, w = end[7] * y + end[8] * z;
      place(this.positions, 3 * vertex, pose, u + end[9], v + end[10], w + end[11]);
      if (!this.normals) continue;
      // Away from the node.
      for (let i = 0; i < 3; i++) this.normals[3 * vertex + i] = pose[3 * i] * u + pose[3 * i + 1] * v + pose[3 * i + 2] * w;
    }
  }

  private plainColour(body: number, measured: boolean): Color {
    if (this.look === "ghost") return GHOST;
    if (body === this.selected) return SELECTED;
    return measured ? WITHOUT_VALUE : bodyColour(body);
  }

  /** Colours of bodies, or of the values last placed. */
  paint(selected: number, scale: ColourScale): void {
    this.selected = selected;
    const { values, colours, paintOf } = this, measured = scale.measure !== null && this.look !== "ghost";
    this.truth.value = measured ? TRUE_COLOUR : 0;
    for (let p = 0; p < this.pieces.length; p++) {
      const { body, start, count } = this.pieces[p];
      const plain = !measured || !knows(this.scene.bodies[body], scale.measure ?? "deflection");
      if (plain) paintOf.copy(this.plainColour(body, measured));
      for (let v = start; v < start + count; v++) {
        const at = plain ? 0 : 3 * scale.step(values[v]);
        colours[3 * v] = plain ? paintOf.r : SCALE[at];
        colours[3 * v + 1] = plain ? paintOf.g : SCALE[at + 1];
        colours[3 * v + 2] = plain ? paintOf.b : SCALE[at + 2];
      }
    }
    this.geometry.attributes.color.needsUpdate = true;
  }
}
