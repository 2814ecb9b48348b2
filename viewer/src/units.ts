// Units people read: chosen once from the largest value of a run, so that they do not change while it is shown.

import type { Measure } from "./measure";

/** Numbers are multiplied by `factor` to be shown in `unit`. */
export interface Unit {
  factor: number;
  unit: string;
}

/** From which size on (SI) a unit is used, its own size and its name; the last one is for everything smaller. */
type Row = [from: number, size: number, unit: string];

const STRESS: Row[] = [[1e10, 1e9, "GPa"], [1e5, 1e6, "MPa"], [1e2, 1e3, "kPa"], [0, 1, "Pa"]];
const LENGTH: Row[] = [[1000, 1000, "km"], [1, 1, "m"], [1e-3, 1e-3, "mm"], [0, 1e-6, "µm"]];
const FORCE: Row[] = [[1e6, 1e6, "MN"], [1e3, 1e3, "kN"], [1, 1, "N"], [0, 1e-3, "mN"]];

function choose(largest: number, rows: Row[]): Unit {
  // A value that rounding would show as 1000 already has the larger unit.
  const [, size, unit] = rows.find(([from]) => largest >= 0.9995 * from) ?? rows[rows.length - 1];
  return { factor: 1 / size, unit };
}

/** The unit of a measure whose largest value in the run is `largest`. */
export function unitOf(measure: Measure, largest: number): Unit {
  if (measure === "strain") return { factor: 1e6, unit: "µm/m" };
  return choose(largest, measure === "stress" ? STRESS : LENGTH);
}

/** The unit of forces up to `largest` (N). */
export function forceUnit(largest: number): Unit {
  return choose(largest, FORCE);
}

/** A length (m) in words: tenths of a metre stay metres. */
export function lengthWords(metres: number): string {
  const { factor, unit } = choose(metres >= 0.0999 && metres < 1 ? 1 : metres, LENGTH);
  return `${Number((metres * factor).toPrecision(6))} ${unit}`;
}

/** Three digits, without an exponent where that is short. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2);
  return size >= 999.5 ? value.toFixed(0) : value.toPrecision(3);
}
