// Mode shapes: results whose every second is one period of a mode, with its frequency and damping.

import type { ModeData } from "./types";
import { brief } from "./units";

export class Modes {
  /** First row of every mode. */
  private readonly first: number[] = [];

  /** The m-th mode takes the times from m − 1 to m, also in a page that kept fewer rows. */
  constructor(readonly list: ModeData[], private readonly times: Float64Array) {
    times.forEach((time, row) => (this.first[Math.floor(time + 1e-9)] ??= row));
  }

  /** Place in the list of the mode shown at a time. */
  at(time: number): number {
    return Math.min(this.list.length - 1, Math.max(0, Math.floor(time + 1e-9)));
  }

  /** The row after `row`: a period ends where it began. */
  next(row: number): number {
    const mode = this.at(this.times[row]);
    const after = row + 1 < this.times.length && this.at(this.times[row + 1]) === mode;
    return after ? row + 1 : (this.first[mode] ?? row);
  }

  /** Rows of the mode at a time: the first, and one behind the last. */
  rows(time: number): [number, number] {
    const mode = this.at(time);
    return [this.first[mode] ?? 0, this.first[mode + 1] ?? this.times.length];
  }

  /** Number, frequency and damping. */
  words(mode: number): string[] {
    const { number, frequency_hz: frequency, damping_ratio: damping } = this.list[mode], count = this.list.length;
    // Modes without vibration have numbers but no shapes.
    const which = number === mode + 1 ? `mode ${number} of ${count}` : `mode ${number} (${mode + 1} of ${count})`;
    const lines = [which, frequencyWords(frequency)];
    if (damping !== undefined) lines.push(`damping ${percent(damping)}${damping < -1e-9 ? ", grows" : ""}`);
    return lines;
  }
}

/** Number and frequency, for a list. */
export function modeTitle({ number, frequency_hz: frequency }: ModeData): string {
  return `mode ${number}: ${frequencyWords(frequency)}`;
}

function percent(ratio: number): string {
  return Math.abs(ratio) < 5e-8 ? "0 %" : `${brief(100 * ratio)} %`;
}

function frequencyWords(hertz: number): string {
  return hertz >= 1e5 ? `${brief(hertz / 1e3)} kHz` : `${Number(hertz.toPrecision(4))} Hz`;
}
