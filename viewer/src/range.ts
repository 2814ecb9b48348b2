// The largest value of every row of a run: colours keep their meaning, whatever was shown before.
//
// All rows are looked at once per measure, in short spells between which the page answers; cost: rows × nodes × modes.

import { knows, sumRows, valueAt, type Measure } from "./measure";
import { Motion } from "./motion";
import type { Source } from "./source";
import { formOf, outlineOf } from "./tube";
import type { Body } from "./types";

/** Where and how large. */
export interface Worst {
  value: number;
  body: number;
  node: number;
  row: number;
}

/** Time spent before the page may answer (ms). */
const SPELL = 12;

/** Largest value of a row, and where. */
interface Table {
  rows: number;
  values: number[];
  bodies: number[];
  nodes: number[];
}

export class RunRange {
  private readonly tables = new Map<Measure, Table>();
  private readonly motion: Motion;
  private readonly drawn: { body: Body; k: number; outline: Float64Array }[];
  /** The latest scan: earlier ones stop. */
  private turn = 0;

  constructor(private readonly source: Source, thin: number) {
    const { scene } = source;
    this.motion = new Motion(scene);
    this.drawn = scene.bodies.flatMap((body, k) => {
      const form = formOf(body);
      // A surface has one value at a node, the fibre in the middle.
      return form ? [{ body, k, outline: form === "tube" ? outlineOf(body, thin) : new Float64Array(2) }] : [];
    });
  }

  /** Share of the rows that were looked at. */
  share(measure: Measure): number {
    return (this.tables.get(measure)?.rows ?? 0) / this.source.scene.rows;
  }

  /** Looks at all rows that were not looked at yet; `more` is called now and then. Returns false if another scan began. */
  async scan(measure: Measure, more: () => void): Promise<boolean> {
    const turn = ++this.turn;
    const table = this.tables.get(measure) ?? { rows: 0, values: [], bodies: [], nodes: [] };
    this.tables.set(measure, table);
    let start = performance.now();
    while (table.rows < this.source.scene.rows) {
      const row = await this.source.load(table.rows);
      if (turn !== this.turn) return false;
      this.look(measure, row, table);
      if (performance.now() - start < SPELL) continue;
      more();
      await new Promise((done) => setTimeout(done));
      start = performance.now();
    }
    more();
    return turn === this.turn;
  }

  private look(measure: Measure, row: Float32Array, table: Table): void {
    const { motion } = this;
    motion.row.set(row);
    let most = 0, where = -1, at = -1;
    for (const { body, k, outline } of this.drawn) {
      if (!knows(body, measure)) continue;
      for (let node = 0; node < body.nodes.count; node++) {
        // Rounded as the drawn values are: both say the same number.
        const value = Math.fround(largestAt(motion, body, measure, node, outline));
        if (value > most || where < 0) [most, where, at] = [value, k, node];
      }
    }
    table.values.push(most);
    table.bodies.push(where);
    table.nodes.push(at);
    table.rows++;
  }

  /** The largest value of the rows from `first` up to `end`, of those looked at. */
  worst(measure: Measure, first = 0, end = Infinity): Worst | null {
    const table = this.tables.get(measure);
    if (!table) return null;
    let found: Worst | null = null;
    for (let row = first; row < Math.min(end, table.rows); row++) {
      if (table.bodies[row] < 0 || (found && !(table.values[row] > found.value))) continue;
      found = { value: table.values[row], body: table.bodies[row], node: table.nodes[row], row };
    }
    return found;
  }
}

/** Largest value over the section of a node, of the row in `motion`. */
function largestAt(motion: Motion, body: Body, measure: Measure, node: number, outline: Float64Array): number {
  if (measure === "deflection") {
    motion.displace(body, body.nodes, node);
    return motion.deflection;
  }
  sumRows(body, measure, node, motion.row);
  let most = 0;
  for (let c = 0; c < outline.length; c += 2) most = Math.max(most, valueAt(body, measure, outline[c], outline[c + 1]));
  return most;
}
