// A second result laid over the first: the same time, grey and seen through.

import type { Group } from "three";
import { Bodies } from "./bodies";
import { Motion } from "./motion";
import { ColourScale } from "./scale";
import type { Sizes } from "./solids";
import { embedded, rowBefore, type Source } from "./source";

export class Ghost {
  readonly motion: Motion;
  private readonly bodies: Bodies;
  private readonly hidden: boolean[];

  constructor(group: Group, readonly source: Source, readonly name: string, sizes: Sizes) {
    this.motion = new Motion(source.scene);
    this.bodies = new Bodies(group, source.scene, this.motion, sizes, "ghost");
    this.bodies.paint(-1, new ColourScale());
    this.hidden = source.scene.bodies.map(() => false);
  }

  /** Shows the time, or the nearest one this result has. */
  seek(time: number): void {
    const { times, scene } = this.source;
    const at = Math.min(times[times.length - 1], Math.max(times[0], time));
    const low = rowBefore(times, at), next = Math.min(low + 1, scene.rows - 1);
    const a = this.source.row(low), b = this.source.row(next);
    if (!a || !b) return;
    const gap = times[next] - times[low];
    this.motion.show(a, b, gap > 0 ? (at - times[low]) / gap : 0);
    this.bodies.place(this.motion, this.hidden, null);
  }

  /** Takes it off the stage. */
  remove(): void {
    this.bodies.remove();
  }
}

/** Largest saved page that is read (bytes). */
const LARGEST = 400 << 20;

/** The result inside a page that `flexura view RESULT --save` wrote. */
export async function readSaved(file: File): Promise<Source> {
  if (file.size > LARGEST) throw new Error(`${file.name} is larger than ${LARGEST >> 20} MB`);
  // A parsed document runs nothing and fetches nothing.
  const inside = new DOMParser().parseFromString(await file.text(), "text/html").getElementById("flexura-data");
  if (!inside) throw new Error(`${file.name} holds no result: save one with \`flexura view RESULT --save page.html\``);
  return embedded(JSON.parse(inside.textContent ?? "{}"));
}
