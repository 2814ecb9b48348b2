// What colours mean: the measure, its range and where the range comes from.

import { TITLES, type Measure } from "./measure";
import { SCALE_STEPS } from "./palette";
import { unitOf, type Unit } from "./units";

/** The range of the whole run, of the instant shown, or given by the user. */
export type RangeKind = "run" | "now" | "given";

export class ColourScale {
  measure: Measure | null = null;
  kind: RangeKind = "run";
  /** Ends of the scale (m, Pa, 1). */
  from = 0;
  to = 0;
  /** Largest value of the run as far as it is known: it chooses the unit. */
  largest = 0;
  /** Amplitudes of mode shapes are free: values are shares of the largest, without a unit. */
  relative = false;

  /** Step of the palette for a value. */
  step(value: number): number {
    const share = (value - this.from) / (this.to - this.from);
    return share > 0 ? Math.min(SCALE_STEPS - 1, Math.floor(share * SCALE_STEPS)) : 0;
  }

  /** How values are shown. */
  get unit(): Unit {
    if (!this.measure || this.relative) return { factor: this.largest > 0 ? 1 / this.largest : 1, unit: "" };
    return unitOf(this.measure, this.largest);
  }

  /** What the colours show. */
  get title(): string {
    return this.measure ? `${TITLES[this.measure]}${this.relative ? ", relative" : ""}` : "";
  }
}
