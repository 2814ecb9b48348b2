// Pictures for a film: drawn one by one and sent back to the program that asked for them.

import { Box3 } from "three";
import type { Source } from "./source";
import { Viewer } from "./viewer";

async function send(path: string, body: BodyInit): Promise<void> {
  const response = await fetch(path, { method: "POST", body });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** Draws the result at a steady rate of simulated time. */
export async function exportPictures(source: Source, wishes: URLSearchParams, bounds: Box3): Promise<void> {
  const number = (key: string, usual: number) => Number(wishes.get(key) ?? usual);
  const canvas = document.createElement("canvas");
  document.body.replaceChildren(canvas);
  const viewer = new Viewer(source, canvas, true, bounds);
  viewer.motion.scale = number("deformation", 1);
  viewer.stage.resize(number("width", 1280), number("height", 720), 1);
  viewer.stage.theme("#ffffff", "#dfe3ea");
  viewer.stage.look("iso");
  const { times, scene } = source;
  const start = times[0], span = times[times.length - 1] - start;
  const count = Math.floor(span * number("fps", 25) * (1 + 1e-12)) + 1;
  for (let i = 0; i < count; i++) {
    const time = start + i / number("fps", 25);
    if (!viewer.seek(time)) {
      await source.load(viewer.row);
      await source.load(Math.min(viewer.row + 1, scene.rows - 1));
      viewer.seek(time);
    }
    viewer.stage.draw();
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture could be drawn");
    await send(`picture?number=${i}`, blob);
  }
  await send("done", "");
}

/** Tells the program why there are no more pictures. */
export async function exportFailed(error: unknown): Promise<void> {
  await send("failed", String(error));
}
