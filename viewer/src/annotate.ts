// Words over the scene, in the page and in saved pictures: time, colour bar, axes, scales of grid and arrows, marks.

import { AXES } from "./markers";
import { SCALE_STEPS, SCALE_WORDS } from "./palette";

/** Colours of letters and lines. */
export interface Ink {
  text: string;
  quiet: string;
  panel: string;
  /** Of what stands out. */
  mark: string;
}

/** A mark at a place of the picture. */
export interface Label {
  x: number;
  y: number;
  words: string;
  /** The worst node stands out from points that were pinned. */
  worst: boolean;
}

export interface Bar {
  title: string;
  /** Places from 0 to 1 and words there. */
  ticks: [number, string][];
  /** Lines below the bar. */
  notes: string[];
}

export interface Annotations {
  /** Lines at the upper right, the first one large. */
  head: string[];
  bar: Bar | null;
  /** Length of an arrow (pixels), and what force it stands for. */
  arrow: { length: number; words: string } | null;
  /** Side of the squares of the ground, in words. */
  grid: string;
  /** Directions of x, y and z on the picture: right, up, and towards the reader. */
  axes: [number, number, number][];
  labels: Label[];
}

export const ARROW_COLOUR = "#7048e8";
const FONT = "system-ui, sans-serif";
/** Room at the right for the bar and its notes. */
const BAR_ROOM = 165;

type Context = CanvasRenderingContext2D;

/** Size of letters relative to that on an ordinary page, for pictures of any size. */
export function letterScale(width: number, height: number): number {
  return Math.min(3, Math.max(0.62, Math.min(width / 800, height / 500)));
}

/** Draws everything onto a picture of `width` by `height`; `u` is the size of the letters relative to usual ones. */
export function annotate(context: Context, width: number, height: number, u: number, ink: Ink, what: Annotations): void {
  context.lineCap = context.lineJoin = "round";
  // Words of marks keep clear of the colour bar.
  for (const label of what.labels) drawLabel(context, width - (what.bar ? BAR_ROOM * u : 0), u, ink, label);
  const below = drawHead(context, width, u, ink, what.head);
  if (what.bar) drawBar(context, width, height, below, u, ink, what.bar);
  drawAxes(context, 40 * u, height - 40 * u, u, ink, what.axes);
  const left = 88 * u;
  write(context, what.grid, left, height - 16 * u, u, ink.quiet, 12);
  if (!what.arrow) return;
  const { length, words } = what.arrow, y = height - 44 * u;
  drawArrow(context, left, y, left + length, y, ARROW_COLOUR, u);
  write(context, words, left, y - 10 * u, u, ink.text, 12);
}

/** Lines between several views, their names, and the axes of those that have no other words. */
export function divide(context: Context, u: number, ink: Ink, panes: { name: string; x: number; y: number; width: number; height: number; axes: Annotations["axes"] }[]): void {
  panes.forEach(({ name, x, y, width, height, axes }, i) => {
    context.strokeStyle = ink.quiet;
    context.lineWidth = 1;
    context.strokeRect(x, y, width, height);
    write(context, name, x + 12 * u, y + 22 * u, u, ink.quiet, 13);
    if (i > 0) drawAxes(context, x + 40 * u, y + height - 40 * u, u, ink, axes);
  });
}

function write(context: Context, words: string, x: number, y: number, u: number, colour: string, size: number, align: CanvasTextAlign = "left", bold = false): void {
  context.font = `${bold ? "600 " : ""}${size * u}px ${FONT}`;
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

/** Lines at the upper right; returns where they end. */
function drawHead(context: Context, width: number, u: number, ink: Ink, lines: string[]): number {
  let y = 12 * u;
  lines.forEach((line, i) => {
    y += (i ? 17 : 18) * u;
    write(context, line, width - 14 * u, y, u, i ? ink.quiet : ink.text, i ? 12.5 : 16, "right", i === 0);
  });
  return y;
}

function drawBar(context: Context, width: number, height: number, top: number, u: number, ink: Ink, { title, ticks, notes }: Bar): void {
  const wide = 15 * u, right = width - 14 * u;
  context.font = `${12 * u}px ${FONT}`;
  const words = Math.max(...ticks.map(([, text]) => context.measureText(text).width));
  const x = right - words - 7 * u - wide, y = top + 30 * u;
  const tall = Math.max(40 * u, Math.min(260 * u, 0.55 * height, height - y - (24 + 15 * notes.length) * u));
  write(context, title, right, top + 20 * u, u, ink.text, 12.5, "right");
  const colours = context.createLinearGradient(0, y + tall, 0, y);
  for (let k = 0; k < SCALE_STEPS; k += 5) colours.addColorStop(k / (SCALE_STEPS - 1), SCALE_WORDS[k]);
  context.fillStyle = colours;
  context.fillRect(x, y, wide, tall);
  context.strokeStyle = ink.quiet;
  context.lineWidth = 1;
  context.strokeRect(x, y, wide, tall);
  for (const [place, text] of ticks) {
    const at = y + tall * (1 - place);
    context.beginPath();
    context.moveTo(x + wide, at);
    context.lineTo(x + wide + 4 * u, at);
    context.stroke();
    write(context, text, x + wide + 7 * u, at + 4 * u, u, ink.text, 12);
  }
  notes.forEach((line, i) => write(context, line, right, y + tall + (20 + 15 * i) * u, u, ink.quiet, 11.5, "right"));
}

function drawAxes(context: Context, x: number, y: number, u: number, ink: Ink, axes: [number, number, number][]): void {
  const long = 27 * u;
  // What points away from the reader lies behind.
  for (const i of [0, 1, 2].sort((a, b) => axes[a][2] - axes[b][2])) {
    const [right, up] = axes[i];
    drawArrow(context, x, y, x + long * right, y - long * up, AXES[i], u);
    write(context, "xyz"[i], x + (long + 8 * u) * right, y - (long + 8 * u) * up + 4 * u, u, ink.text, 12, "center");
  }
}

function drawArrow(context: Context, x: number, y: number, toX: number, toY: number, colour: string, u: number): void {
  const length = Math.hypot(toX - x, toY - y), head = Math.min(7 * u, 0.6 * length);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 2 * u;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
  if (length < 1) return;
  const a = (toX - x) / length, b = (toY - y) / length;
  context.beginPath();
  context.moveTo(toX + 2 * a * u, toY + 2 * b * u);
  context.lineTo(toX - head * a - 0.45 * head * b, toY - head * b + 0.45 * head * a);
  context.lineTo(toX - head * a + 0.45 * head * b, toY - head * b - 0.45 * head * a);
  context.fill();
}

/** A ring at the place and words beside it, inside the picture. */
function drawLabel(context: Context, width: number, u: number, ink: Ink, { x, y, words, worst }: Label): void {
  const colour = worst ? ink.mark : ink.text;
  context.strokeStyle = colour;
  context.lineWidth = 1.8 * u;
  context.beginPath();
  context.arc(x, y, (worst ? 6 : 4) * u, 0, 7);
  context.stroke();
  context.font = `${worst ? "600 " : ""}${12 * u}px ${FONT}`;
  const wide = context.measureText(words).width + 10 * u, tall = 19 * u;
  // On that side of the place where there is room.
  const after = x + 14 * u + wide < width, left = Math.max(4 * u, after ? x + 14 * u : x - 14 * u - wide), top = Math.max(4 * u, y - 34 * u);
  const side = after ? 1 : -1;
  context.lineWidth = u;
  context.beginPath();
  context.moveTo(x + side * 4.5 * u, y - 4.5 * u);
  context.lineTo(after ? left + 4 * u : left + wide - 4 * u, top + tall);
  context.stroke();
  context.globalAlpha = 0.88;
  context.fillStyle = ink.panel;
  context.fillRect(left, top, wide, tall);
  context.globalAlpha = 1;
  context.strokeRect(left, top, wide, tall);
  write(context, words, left + 5 * u, top + 13.5 * u, u, colour, 12, "left", worst);
}
