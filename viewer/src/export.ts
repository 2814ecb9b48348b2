// Pictures for a film: drawn one by one and sent back to the program that asked for them.

import { Vector3 } from "three";
import { legendWords } from "./colours";
import { PAPER, compose, pngOf } from "./compose";
import { FilmEncoder } from "./encode";
import type { Measure } from "./measure";
import { Overlay } from "./overlay";
import { speedFor } from "./page";
import { PALETTE_NAMES, usePalette } from "./palette";
import type { Viewer } from "./viewer";

async function send(path: string, body: BodyInit): Promise<void> {
  const response = await fetch(path, { method: "POST", body });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** Moves to `time`, waiting for its rows. */
async function show(viewer: Viewer, time: number): Promise<void> {
  if (viewer.seek(time)) return;
  const { source } = viewer;
  await source.load(viewer.row);
  await source.load(viewer.next);
  viewer.seek(time);
}

/** Colours as wished: measure, palette, and a range in the unit that is shown. */
async function paint(viewer: Viewer, wishes: URLSearchParams): Promise<void> {
  const measure = (wishes.get("colours") || null) as Measure | null;
  if (measure && !viewer.offers(measure)) throw new Error(`no body of this result knows its ${measure}`);
  const palette = PALETTE_NAMES.find((name) => name === wishes.get("palette"));
  if (palette) usePalette(palette);
  // The range of the run is known before the first picture is drawn.
  await viewer.colour(measure);
  const range = wishes.get("range")?.split(":").map(Number);
  if (!range) return;
  const { scale } = viewer, { factor } = scale.unit;
  scale.kind = "given";
  [scale.from, scale.to] = [range[0] / factor, range[1] / factor];
}

/** Draws the result at a steady rate of simulated time. */
export async function exportPictures(make: (canvas: HTMLCanvasElement, keep: boolean) => Viewer, wishes: URLSearchParams): Promise<void> {
  const number = (key: string, usual: number) => Number(wishes.get(key) ?? usual);
  const canvas = document.createElement("canvas");
  document.body.replaceChildren(canvas);
  const viewer = make(canvas, true), { times, scene } = viewer.source;
  viewer.motion.scale = number("deformation", 1);
  viewer.stage.resize(number("width", 1280), number("height", 720), 1);
  viewer.stage.theme("#ffffff", "#dfe3ea");
  const camera = wishes.get("camera") ?? "iso";
  if (camera === "front" || camera === "side" || camera === "top" || camera === "iso") viewer.stage.look(camera);
  viewer.stage.quad = camera === "quad";
  if (wishes.has("shadows")) viewer.shade(true);
  if (wishes.has("forces")) await viewer.arrows.show(true);
  // One instant, or the whole time.
  const at = wishes.get("at");
  const start = at === null ? times[0] : Number(at), span = viewer.end - start;
  // Short runs are shown slower than they are, as on the page; a mode takes a second.
  const speed = number("speed", viewer.modes ? 1 : speedFor(span)), rate = number("fps", 25) / speed;
  const count = at === null ? Math.floor(span * rate * (1 + 1e-12)) + 1 : 1;
  await show(viewer, start);
  await paint(viewer, wishes);
  const followed = scene.bodies.findIndex(({ name }) => name === wishes.get("track"));
  if (followed >= 0) {
    const pose = viewer.motion.poses[followed];
    viewer.stage.aim(new Vector3(pose[9], pose[10], pose[11]));
    viewer.follow(followed);
  }
  viewer.stage.zoom(number("zoom", 1));
  const overlay = wishes.has("bare") ? null : new Overlay(viewer);
  let sent = 0;
  const film = wishes.get("film") === "mp4"
    ? await FilmEncoder.open(number("width", 1280), number("height", 720), number("fps", 25), (bytes) => send(`picture?number=${sent++}`, bytes as BodyInit)) : null;
  for (let i = 0; i < count; i++) {
    await show(viewer, start + i / rate);
    const canvas = compose(viewer, overlay, PAPER);
    await (film ? film.add(canvas) : send(`picture?number=${i}`, await pngOf(canvas)));
  }
  await film?.end();
  const pace = at === null && speed !== 1 ? [`${speed} times as fast as real time (--speed)`] : [];
  await send("done", [...legendWords(viewer).split(" · "), ...pace].filter((words) => words).join("\n"));
}

/** Tells the program why there are no more pictures. */
export async function exportFailed(error: unknown): Promise<void> {
  await send("failed", String(error));
}
