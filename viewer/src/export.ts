// Pictures for a film: drawn one by one and sent back to the program that asked for them.

import { Vector3 } from "three";
import { legendOf, type Measure } from "./measure";
import type { Source } from "./source";
import { Viewer, type Bounds } from "./viewer";

async function send(path: string, body: BodyInit): Promise<void> {
  const response = await fetch(path, { method: "POST", body });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** Moves to `time`, waiting for its rows. */
async function show(viewer: Viewer, time: number): Promise<void> {
  if (viewer.seek(time)) return;
  const { source } = viewer;
  await source.load(viewer.row);
  await source.load(Math.min(viewer.row + 1, source.scene.rows - 1));
  viewer.seek(time);
}

/** Draws the result at a steady rate of simulated time. */
export async function exportPictures(source: Source, wishes: URLSearchParams, bounds: Bounds): Promise<void> {
  const number = (key: string, usual: number) => Number(wishes.get(key) ?? usual);
  const canvas = document.createElement("canvas");
  document.body.replaceChildren(canvas);
  const viewer = new Viewer(source, canvas, true, bounds);
  viewer.motion.scale = number("deformation", 1);
  viewer.stage.resize(number("width", 1280), number("height", 720), 1);
  viewer.stage.theme("#ffffff", "#dfe3ea");
  const camera = wishes.get("camera") ?? "iso";
  if (camera === "front" || camera === "side" || camera === "top" || camera === "iso") viewer.stage.look(camera);
  if (wishes.has("forces")) await viewer.arrows.show(true);
  const measure = (wishes.get("colours") || null) as Measure | null;
  if (measure && !viewer.offers(measure)) throw new Error(`no body of this result knows its ${measure}`);
  viewer.colour(measure);
  const { times, scene } = source;
  // One instant, or the whole time.
  const at = wishes.get("at");
  const start = at === null ? times[0] : Number(at), span = times[times.length - 1] - start;
  const count = at === null ? Math.floor(span * number("fps", 25) * (1 + 1e-12)) + 1 : 1;
  await show(viewer, start);
  const followed = scene.bodies.findIndex(({ name }) => name === wishes.get("track"));
  if (followed >= 0) {
    const pose = viewer.motion.poses[followed];
    viewer.stage.aim(new Vector3(pose[9], pose[10], pose[11]));
    viewer.follow(followed);
  }
  viewer.stage.zoom(number("zoom", 1));
  const timeOf = (i: number) => start + i / number("fps", 25);
  // One colour scale for all pictures: the largest value is known before the first is drawn.
  if (measure) for (let i = 0; i < count; i++) await show(viewer, timeOf(i));
  for (let i = 0; i < count; i++) {
    await show(viewer, timeOf(i));
    viewer.stage.draw();
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture could be drawn");
    await send(`picture?number=${i}`, blob);
  }
  const legend = [measure ? legendOf(measure, viewer.largest(measure)) : "", wishes.has("forces") ? `longest arrow ${viewer.arrows.largest.toPrecision(3)} N` : ""];
  await send("done", legend.filter((words) => words).join("\n"));
}

/** Tells the program why there are no more pictures. */
export async function exportFailed(error: unknown): Promise<void> {
  await send("failed", String(error));
}
