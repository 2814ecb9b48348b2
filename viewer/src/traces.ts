// Paths of points over the whole run: of points that were pinned to bodies.

import { BufferAttribute, BufferGeometry, type Group, LineBasicMaterial, LineSegments } from "three";
import { Motion } from "./motion";
import { newPose } from "./pose";
import type { Source } from "./source";

/** A point fixed to a body: a node of it, or a place in its frame (m). */
export interface Pin {
  body: number;
  node: number;
  local: [number, number, number];
}

/** Most points of one path. */
const MOST_POINTS = 2000;
/** Time spent before the page may answer (ms). */
const SPELL = 12;

export class Traces {
  readonly pins: Pin[] = [];
  /** Whether paths are wanted. */
  visible = false;
  /** Called when paths have been found. */
  found: () => void = () => {};
  private readonly lines: LineSegments;
  private readonly motion: Motion;
  private readonly pose = newPose();
  /** The latest search: earlier ones stop. */
  private turn = 0;

  constructor(group: Group, private readonly source: Source) {
    this.motion = new Motion(source.scene);
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: "#d6336c" }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    group.add(this.lines);
  }

  /** Number of points of all paths. */
  get points(): number {
    return this.lines.visible ? (this.lines.geometry.attributes.position?.count ?? 0) : 0;
  }

  /** Finds the paths again, with deformations drawn `scale` times as large. */
  async renew(scale = this.motion.scale): Promise<void> {
    const turn = ++this.turn;
    this.motion.scale = scale;
    if (!this.visible || this.pins.length === 0) {
      this.lines.visible = false;
      this.found();
      return;
    }
    const pins = [...this.pins], rows = await this.paths(turn, pins);
    if (turn !== this.turn) return;
    // Line segments: from every instant to the next, pin after pin.
    const count = rows.length / (3 * pins.length), out = new Float32Array(6 * Math.max(0, count - 1) * pins.length);
    let to = 0;
    for (let pin = 0; pin < pins.length; pin++) {
      for (let i = 0; i + 1 < count; i++) {
        for (const instant of [i, i + 1]) for (let c = 0; c < 3; c++) out[to++] = rows[3 * (instant * pins.length + pin) + c];
      }
    }
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    this.lines.geometry.setAttribute("position", new BufferAttribute(out, 3));
    this.lines.visible = true;
    this.found();
  }

  /** Places of all pins at instants over the whole time, instant after instant. */
  private async paths(turn: number, pins: Pin[]): Promise<number[]> {
    const { motion } = this, { rows } = this.source.scene, out: number[] = [];
    const count = Math.min(rows, MOST_POINTS);
    let start = performance.now();
    for (let i = 0; i < count && turn === this.turn; i++) {
      const row = await this.source.load(count > 1 ? Math.round((i * (rows - 1)) / (count - 1)) : 0);
      motion.show(row, row, 0);
      for (const pin of pins) out.push(...placeOf(motion, pin, this.pose));
      if (performance.now() - start < SPELL) continue;
      await new Promise((done) => setTimeout(done));
      start = performance.now();
    }
    return out;
  }
}

/** A pinned point in space (m). */
export function placeOf(motion: Motion, { body, node, local }: Pin, work: Float64Array): [number, number, number] {
  const data = motion.scene.bodies[body], p = motion.poses[body];
  let [x, y, z] = local;
  if (node >= 0) [x, y, z] = motion.node(work, data, data.nodes, node, motion.scale).subarray(9);
  return [p[0] * x + p[1] * y + p[2] * z + p[9], p[3] * x + p[4] * y + p[5] * z + p[10], p[6] * x + p[7] * y + p[8] * z + p[11]];
}
