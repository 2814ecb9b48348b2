// Opens the data and puts the page together.

import "./style.css";
import { App } from "./app";
import { boundsOf } from "./bounds";
import { exportFailed, exportPictures } from "./export";
import { buildPage, find } from "./page";
import { roadsOf } from "./roads";
import { openSource } from "./source";
import { Viewer } from "./viewer";

async function start(): Promise<void> {
  const wishes = new URLSearchParams(location.search);
  try {
    const source = await openSource();
    const bounds = await boundsOf(source), roads = await roadsOf(source);
    if (wishes.has("export")) return await exportPictures(source, wishes, bounds, roads);
    buildPage(source.scene.title);
    const viewer = new Viewer(source, find<HTMLCanvasElement>("#stage"), wishes.has("keep"), bounds, roads);
    const app = new App(source, viewer);
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
