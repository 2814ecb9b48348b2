// How far the run can be trusted: what the report of `flexura run` says about modes and the rest, beside the bodies it is about.

import { find } from "./page";
import type { SceneData, Verdict } from "./types";

/** Bodies named in one line. */
const MOST_NAMES = 5;

const judged = (found: Verdict[]) => found.filter(({ kind, sufficient }) => kind === "modes" && sufficient !== null);

/** One line that stands above all verdicts. */
export function headline(found: Verdict[]): string {
  const doubts = found.filter(({ sufficient }) => sufficient === false).length;
  if (doubts) return `${doubts} ${doubts === 1 ? "doubt" : "doubts"} about this result`;
  const modes = judged(found);
  if (!modes.length) return found.length ? "Modes were not judged" : "";
  const largest = Math.max(...modes.map(({ missing }) => missing ?? 0));
  return `Modes carry the loads: at most ${(100 * largest).toFixed(1)} % is missing`;
}

/** Lines below it, with the body that each is about: every doubt, or without doubts every family; what was not judged in one line per reason. */
export function lines(found: Verdict[]): { text: string; body: string | null; doubt: boolean }[] {
  const doubts = found.filter(({ sufficient }) => sufficient === false), shown = doubts.length ? doubts : judged(found);
  const list = shown.map(({ text, body }) => ({ text, body, doubt: doubts.length > 0 }));
  const reasons = new Map<string, Set<string>>();
  for (const { sufficient, reason, body } of found) {
    if (sufficient !== null || !body) continue;
    const bodies = reasons.get(reason ?? "") ?? new Set();
    reasons.set(reason ?? "", bodies.add(body));
  }
  const silent = [...reasons].map(([reason, bodies]) => {
    const names = [...bodies], more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
    return { text: `modes not judged, ${reason}: ${names.slice(0, MOST_NAMES).join(", ")}${more}`, body: names.length === 1 ? names[0] : null, doubt: false };
  });
  return [...list, ...silent];
}

/** Verdicts on the page: the list, the marks of doubtful bodies, the words about one body. */
export class Verdicts {
  constructor(private readonly scene: SceneData, private readonly select: (body: number) => void) {}

  private get found(): Verdict[] {
    return this.scene.verdicts?.found ?? [];
  }

  /** Shows what is known by now; a run that goes on has its verdicts at the end. */
  show(): void {
    const place = find<HTMLDetailsElement>("#verdicts"), title = headline(this.found);
    place.hidden = title === "";
    find("#verdicts summary").textContent = title;
    const doubtful = this.found.some(({ sufficient }) => sufficient === false);
    place.classList.toggle("doubt", doubtful);
    // A doubt is read without a click; what is well takes one line.
    place.open = doubtful;
    const entries = lines(this.found).map(({ text, body, doubt }) => this.entry(text, body, doubt));
    const left = this.scene.verdicts?.left_out ?? 0;
    if (left) entries.push(this.entry(`and ${left} more, which the result does not keep`, null, false));
    find("#verdicts ul").replaceChildren(...entries);
  }

  private entry(text: string, body: string | null, doubt: boolean): HTMLLIElement {
    const item = document.createElement("li"), k = body === null ? -1 : this.bodyOf(body);
    const words = document.createElement(k < 0 ? "span" : "button");
    words.textContent = text;
    if (k >= 0) words.onclick = () => this.select(k);
    item.classList.toggle("doubt", doubt);
    item.append(words);
    return item;
  }

  /** Place of a body in the scene; of a beam of several segments the first one. */
  private bodyOf(name: string): number {
    const exact = this.scene.bodies.findIndex((body) => body.name === name);
    return exact >= 0 ? exact : this.scene.bodies.findIndex((body) => body.name.startsWith(`${name}.`));
  }

  /** Bodies with doubts. */
  doubtful(): Set<number> {
    const names = this.found.flatMap(({ sufficient, body }) => (sufficient === false && body ? [this.bodyOf(body)] : []));
    return new Set(names);
  }

  /** What is said about one body, without its name. */
  about(body: string): string[] {
    const own = this.found.filter((verdict) => verdict.body === body);
    return own.map(({ text, sufficient }) => `${sufficient === false ? "▲ " : ""}${text.replace(`body \`${body}\`: `, "")}`);
  }
}
