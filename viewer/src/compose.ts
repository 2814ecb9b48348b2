// A picture with its words: scene and annotations in one canvas.

import { letterScale, type Ink } from "./annotate";
import type { Overlay } from "./overlay";
import type { Viewer } from "./viewer";

/** Ink for pictures on white paper. */
export const PAPER: Ink = { text: "#1c2430", quiet: "#556070", panel: "#ffffff", mark: "#d6336c" };

/** Ink of the theme of the page. */
export function pageInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const colour = (key: string) => style.getPropertyValue(key).trim();
  return { text: colour("--text"), quiet: colour("--quiet"), panel: colour("--panel"), mark: colour("--cursor") };
}

/** Draws the scene, and the words over it, into a canvas of the same size. */
export function compose(viewer: Viewer, overlay: Overlay | null, ink: Ink): HTMLCanvasElement {
  const { stage } = viewer, { canvas } = stage;
  viewer.keepVisible();
  stage.invalidate();
  stage.draw();
  const out = document.createElement("canvas");
  out.width = canvas.width;
  out.height = canvas.height;
  const context = out.getContext("2d");
  if (!context) throw new Error("no picture could be drawn");
  context.drawImage(canvas, 0, 0);
  if (!overlay) return out;
  const ratio = canvas.width / stage.size.width;
  context.scale(ratio, ratio);
  overlay.draw(context, letterScale(stage.size.width, stage.size.height), ink);
  return out;
}

/** The PNG file of a canvas. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture could be drawn");
  return blob;
}

/** Hands a file to the reader. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
