// What a run leaves: rows as the viewer takes them, the viewer's page around them, and files to keep.

import type { Run, RunScene } from "./engine";

/** Values that the picture is given at most; longer runs are shown with fewer instants. */
const MOST_SHOWN = 8e6;

/** All rows of a run, one after the other. */
export function joined(run: Run): Float64Array {
  const rows = new Float64Array(run.pieces.reduce((sum, piece) => sum + piece.length, 0));
  let place = 0;
  for (const piece of run.pieces) {
    rows.set(piece, place);
    place += piece.length;
  }
  return rows;
}

/** Numbers in a row of a run. */
export const widthOf = (scene: RunScene) => scene.channels.length + 1;

function base64(values: Float32Array | Float64Array): string {
  const bytes = new Uint8Array(values.buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** What is doubtful about a run, as a result file says it (crates/flexura-output/src/verdicts.rs). */
function verdictsOf(run: Run): unknown {
  const doubt = (text: string) => ({ kind: "run", body: /body `([^`]+)`/.exec(text)?.[1] ?? null, sufficient: false, text });
  return run.ended && { version: 1, found: run.ended.warnings.map(doubt), left_out: 0 };
}

/** The data of a page, as `flexura view --save` puts it there (crates/flexura-output/src/page.rs). */
function pageData(run: Run, scene: RunScene, rows: Float64Array, plots: string[]): unknown {
  const { columns, ...rest } = scene, width = widthOf(scene), all = rows.length / width;
  const step = Math.max(1, Math.ceil((all * (columns.length + width)) / MOST_SHOWN)), kept: number[] = [];
  for (let row = 0; row < all; row += step) kept.push(row);
  // Both ends stay.
  if (kept[kept.length - 1] !== all - 1) kept.push(all - 1);
  const pick = (column: number) => Float32Array.from(kept, (row) => rows[row * width + column]);
  const frames = new Float32Array(kept.length * columns.length);
  kept.forEach((row, i) => columns.forEach((column, j) => (frames[i * columns.length + j] = rows[row * width + column])));
  const notes = step > 1 ? [`${kept.length} of ${all} instants are shown; the table has all.`] : [];
  return {
    scene: { ...rest, rows: kept.length, complete: run.ended !== null, notes, plots, verdicts: verdictsOf(run) },
    times: base64(Float64Array.from(kept, (row) => rows[row * width])),
    frames: base64(frames),
    channels: scene.channels.map((_, i) => base64(pick(i + 1))),
  };
}

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The viewer's page of a run: one file that asks nothing of the network. */
export function viewerPage(run: Run, scene: RunScene, rows: Float64Array, viewer: { script: string; style: string }, plots: string[], style = ""): string {
  // In JSON `<` stands in texts only; there it might end the element.
  const data = JSON.stringify(pageData(run, scene, rows, plots)).replaceAll("<", "\\u003c");
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(scene.title)} – Flexura</title>` +
    `<link rel="icon" href="data:,"><style>${viewer.style}${style}</style></head><body><div id="app"></div>` +
    `<script id="flexura-data" type="application/json">${data}</script><script>${viewer.script}</script></body></html>\n`
  );
}

/** A number as `flexura export` writes it: the shortest that reads back as the same value. */
function written(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const size = Math.abs(value);
  if (Number.isNaN(value)) return "NaN";
  if (size === Infinity) return value > 0 ? "inf" : "-inf";
  if (value !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace("e+", "e");
  return size < 1e-6 || size >= 1e21 ? value.toExponential() : String(value);
}

/** A text as a cell, never computed by a spreadsheet (crates/flexura-results/src/csv.rs). */
function cell(text: string): string {
  const safe = (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "\ufffd");
  return /[,"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** All rows as comma-separated text, as `flexura export` writes them. */
export function table(scene: RunScene, rows: Float64Array): string {
  const heading = (name: string, unit: string) => cell(unit ? `${name} [${unit}]` : name);
  const width = widthOf(scene), lines = [[heading("time", "s"), ...scene.channels.map((name, i) => heading(name, scene.units[i]))].join(",")];
  for (let start = 0; start < rows.length; start += width) lines.push(Array.from(rows.subarray(start, start + width), written).join(","));
  return `${lines.join("\n")}\n`;
}

/** Hands a text to the reader as a file. */
export function keep(text: string, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
