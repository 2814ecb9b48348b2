// The pointer on the scene: a drag turns the view, a click selects, with Shift it pins a point, a double click looks closely.

import type { App } from "./app";

/** Way of the pointer from which on a click is a drag (pixels). */
const DRAG = 5;

export function bindPointer(app: App): void {
  const { viewer, probe } = app, { canvas } = viewer.stage;
  let from: [number, number] = [0, 0];
  canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
  canvas.addEventListener("pointerup", (event) => {
    if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > DRAG) return;
    if (event.shiftKey) return probe.pin(event.clientX, event.clientY);
    app.select(viewer.hit(...probe.relative(event.clientX, event.clientY))?.body ?? -1);
  });
  canvas.addEventListener("dblclick", (event) => {
    const hit = viewer.hit(...probe.relative(event.clientX, event.clientY));
    if (!hit) return viewer.stage.look("iso");
    app.select(hit.body);
    viewer.zoomOn(hit.body);
  });
}
