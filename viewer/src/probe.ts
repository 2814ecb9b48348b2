// Reading a value off a body: under the pointer, and at points pinned to it.

import { find } from "./page";
import type { Overlay } from "./overlay";
import { brief } from "./units";
import type { Viewer } from "./viewer";

/** Most points that may be pinned. */
const MOST_PINS = 12;

export class Probe {
  private readonly words = find("#probe");
  private wanted: [number, number] | null = null;
  private moved = false;

  constructor(private readonly viewer: Viewer, private readonly overlay: Overlay) {
    const canvas = viewer.stage.canvas;
    const want = (at: [number, number] | null) => {
      this.wanted = at;
      this.moved = true;
    };
    canvas.addEventListener("pointermove", (event) => want(event.buttons ? null : [event.clientX, event.clientY]));
    canvas.addEventListener("pointerleave", () => want(null));
    canvas.addEventListener("pointerdown", () => want(null));
  }

  /** Looks under the pointer if it moved or the picture is a new one. */
  update(drawn: boolean): void {
    if (!drawn && !this.moved) return;
    this.moved = false;
    if (!this.wanted) {
      this.words.hidden = true;
      return;
    }
    const [x, y] = this.wanted, hit = this.viewer.hit(...this.relative(x, y));
    this.words.hidden = hit === null;
    if (!hit) return;
    const box = this.viewer.stage.canvas.getBoundingClientRect();
    const at = `${hit.point.map((value) => brief(value)).join(", ")} m`;
    const time = this.viewer.modes ? "" : `\nt = ${this.viewer.timeWords(this.viewer.time)}`;
    this.words.textContent = `${this.overlay.words(hit.body, hit.node)}\nat ${at}${time}`;
    // On that side of the pointer where there is room.
    const left = x - box.left, top = y - box.top;
    this.words.style.left = left < 0.6 * box.width ? `${left + 16}px` : "";
    this.words.style.right = left < 0.6 * box.width ? "" : `${box.width - left + 12}px`;
    this.words.style.top = top < 0.7 * box.height ? `${top + 16}px` : `${top - 70}px`;
  }

  /** From the page to -1 … 1 of the canvas. */
  relative(clientX: number, clientY: number): [number, number] {
    const box = this.viewer.stage.canvas.getBoundingClientRect();
    return [(2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height];
  }

  /** Pins the point under the pointer to its body, or takes a pin away that is there. */
  pin(clientX: number, clientY: number): void {
    const hit = this.viewer.hit(...this.relative(clientX, clientY)), { pins } = this.viewer.traces;
    if (!hit) return;
    const same = pins.findIndex(({ body, node }) => node >= 0 && body === hit.body && node === hit.node);
    if (same >= 0) pins.splice(same, 1);
    else if (pins.length < MOST_PINS) pins.push({ body: hit.body, node: hit.node, local: this.local(hit.body, hit.point) });
    this.renew();
  }

  /** Takes all pins away. */
  clear(): void {
    this.viewer.traces.pins.length = 0;
    this.renew();
  }

  private renew(): void {
    void this.viewer.traces.renew();
    this.viewer.stage.invalidate();
  }

  /** A place in space in the frame of a body. */
  private local(body: number, [x, y, z]: [number, number, number]): [number, number, number] {
    const p = this.viewer.motion.poses[body], [a, b, c] = [x - p[9], y - p[10], z - p[11]];
    return [p[0] * a + p[3] * b + p[6] * c, p[1] * a + p[4] * b + p[7] * c, p[2] * a + p[5] * b + p[8] * c];
  }
}
