// What buttons, boxes and lists do.

import type { App } from "./app";
import { modeTitle } from "./modes";
import { deformationFactor, find } from "./page";
import type { View } from "./stage";

const VIEWS: View[] = ["iso", "front", "side", "top"];

/** Gives every control of the page its work. */
export function bindControls(app: App): void {
  const { viewer } = app;
  find("#play").onclick = () => app.play(!app.playing);
  const time = find<HTMLInputElement>("#time"), deformation = find<HTMLInputElement>("#deformation");
  time.oninput = () => app.seek(Number(time.value));
  deformation.oninput = () => app.deformation(deformationFactor(Number(deformation.value)));
  for (const view of VIEWS) find(`[data-view=${view}]`).onclick = () => viewer.stage.look(view);
  find("#quad").onclick = () => {
    viewer.stage.quad = !viewer.stage.quad;
    find("#quad").setAttribute("aria-pressed", String(viewer.stage.quad));
  };
  find("#theme").onclick = () => app.theme(document.documentElement.dataset.theme !== "dark");
  find("#follow").onclick = () => app.follow(viewer.followed < 0 ? viewer.selected : -1);
  find("#zoom").onclick = () => viewer.selected >= 0 && viewer.zoomOn(viewer.selected);
  find("#veil").onclick = () => {
    const body = viewer.selected;
    if (body < 0) return;
    viewer.lookThrough(body, !viewer.veiled[body]);
    find("#veil").setAttribute("aria-pressed", String(viewer.veiled[body]));
  };
  find("#save-picture").onclick = () => void app.savePicture();
  const compared = find<HTMLInputElement>("#compare");
  compared.onchange = () => {
    const file = compared.files?.[0];
    if (file) void app.compare(file).then(() => (compared.value = ""));
  };
  find("#compare-end").onclick = () => void app.compare(null);
  bindBoxes(app);
  offerModes(app);
}

function bindBoxes(app: App): void {
  const { viewer } = app;
  const check = (id: string, use: (checked: boolean) => void) => {
    const box = find<HTMLInputElement>(id);
    box.onchange = () => {
      use(box.checked);
      viewer.place();
    };
  };
  check("#show-joints", (on) => (viewer.joints.visible = viewer.jointSprings.visible = on));
  check("#show-frames", (on) => (viewer.markers.axes = on));
  check("#show-ground", (on) => (viewer.stage.ground = on));
  check("#show-forces", (on) => void viewer.arrows.show(on).then(() => (viewer.place(), app.colours.legend())));
  check("#show-shadows", (on) => viewer.shade(on));
  check("#show-traces", (on) => {
    viewer.traces.visible = on;
    void viewer.traces.renew();
  });
  find<HTMLInputElement>("#show-forces").disabled = !viewer.arrows.available;
}

/** Mode shapes: a list of them with their frequencies; one that is chosen is played over and over. */
function offerModes(app: App): void {
  const { modes } = app.viewer, list = find<HTMLSelectElement>("#mode");
  find("#mode-label").hidden = modes === null;
  if (!modes) return;
  const entries = modes.list.map((mode, i) => new Option(modeTitle(mode), String(i)));
  list.replaceChildren(new Option("all, one after another", ""), ...entries);
  list.onchange = () => list.value !== "" && app.seek(Number(list.value));
}
