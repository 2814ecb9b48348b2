// Round numbers along an axis, and words for them that differ from each other.

/** 1, 2 or 5 times a power of ten, about `range / count`. */
export function stepOf(range: number, count: number): number {
  const rough = range / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
}

/** Round numbers within [low, low + range], about `count` of them. */
export function nice(low: number, range: number, count: number): number[] {
  const step = stepOf(range, count), list = [];
  // A range below the spacing of floating-point numbers has no round numbers of its own.
  if (!(step > Number.EPSILON * Math.abs(low))) return [low];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= low + range * (1 + 1e-9); k++) list.push(k * step);
  return list;
}

/** Words of ticks, and the power of ten that all of them leave out. */
export interface Labels {
  words: string[];
  power: number;
}

/** As many decimals as the distance between ticks needs; large and small numbers leave out a common power of ten. */
export function labels(ticks: number[]): Labels {
  let largest = 0, step = Infinity;
  ticks.forEach((tick, i) => {
    largest = Math.max(largest, Math.abs(tick));
    if (i > 0) step = Math.min(step, tick - ticks[i - 1]);
  });
  if (!Number.isFinite(step)) return { words: ticks.map((tick) => String(Number(tick.toPrecision(6)))), power: 0 };
  const power = largest >= 99_999.5 || largest < 1e-3 ? 3 * Math.floor(Math.log10(largest) / 3 + 1e-12) : 0;
  const decimals = Math.min(20, Math.max(0, Math.ceil(-Math.log10(step) + power - 1e-9)));
  const zero = 1e-9 * step;
  return { words: ticks.map((tick) => (Math.abs(tick) < zero ? "0" : (tick / 10 ** power).toFixed(decimals))), power };
}

/** "×10³" in letters that stand high, or nothing. */
export function powerWords(power: number): string {
  const high = (digit: string) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? "⁻";
  return power === 0 ? "" : `×10${[...String(power)].map(high).join("")}`;
}
