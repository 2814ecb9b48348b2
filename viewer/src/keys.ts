// Keys.

import type { App } from "./app";
import { find } from "./page";

/** Gives the keys their work; controls keep their own. */
export function bindKeys(app: App): void {
  const { viewer, source } = app;
  const press = (id: string) => () => find(id).click();
  const actions: Record<string, () => void> = {
    " ": () => app.play(!app.playing),
    ArrowLeft: () => app.step(viewer.share > 0 ? 0 : -1),
    ArrowRight: () => app.step(1),
    Home: () => app.seek(source.times[0]),
    End: () => app.seek(source.times[source.times.length - 1]),
    "1": () => viewer.stage.look("iso"),
    "2": () => viewer.stage.look("front"),
    "3": () => viewer.stage.look("side"),
    "4": () => viewer.stage.look("top"),
    "5": press("#quad"),
    d: press("#theme"),
    s: press("#show-shadows"),
    f: press("#follow"),
    z: press("#zoom"),
    t: press("#veil"),
    p: press("#save-picture"),
    w: press("#go-worst"),
    "+": () => app.deformation(Math.min(100, viewer.motion.scale * 1.5 || 0.5)),
    "-": () => app.deformation(viewer.motion.scale / 1.5),
    "/": () => find("#search").focus(),
    Escape: () => {
      app.select(-1);
      app.probe.clear();
    },
  };
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("input, select") || (event.key === " " && target.matches("button"))) return;
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}
