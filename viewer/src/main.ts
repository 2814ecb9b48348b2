// Opens the data and puts the page together.

import "./style.css";
import { App } from "./app";
import { boundsOf } from "./bounds";
import { exportFailed, exportPictures } from "./export";
import { Ghost } from "./ghost";
import { buildPage, find } from "./page";
import { roadsOf } from "./roads";
import { openOther, openSource } from "./source";
import { Viewer } from "./viewer";

async function start(): Promise<void> {
  const wishes = new URLSearchParams(location.search);
  try {
    const source = await openSource();
    const bounds = await boundsOf(source), roads = await roadsOf(source), other = await openOther(source.scene);
    // Both results are to be seen.
    if (other) bounds.box.union((await boundsOf(other)).box);
    const make = (canvas: HTMLCanvasElement, keep: boolean) => {
      const viewer = new Viewer(source, canvas, keep, bounds, roads);
      if (other) viewer.ghost = new Ghost(viewer.stage.group, other, source.scene.other ?? "", viewer.sizes);
      return viewer;
    };
    if (wishes.has("export")) return await exportPictures(make, wishes);
    buildPage(source.scene.title);
    const app = new App(source, make(find<HTMLCanvasElement>("#stage"), wishes.has("keep")));
    // For tests and for curious users at the console.
    Object.assign(window, { flexura: app });
  } catch (error) {
    if (wishes.has("export")) return await exportFailed(error);
    const words = document.createElement("p");
    words.setAttribute("role", "alert");
    words.textContent = `The result cannot be shown: ${error}`;
    document.body.replaceChildren(words);
    throw error;
  }
}

void start();
