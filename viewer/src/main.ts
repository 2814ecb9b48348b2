// Puts the page together: data, stage, controls, keys.

import "./style.css";
import { Channels } from "./channels";
import { exportFailed, exportPictures } from "./export";
import { buildPage, deformationFactor, deformationPlace, find, say } from "./page";
import { openSource, type Source } from "./source";
import type { View } from "./stage";
import { Tree } from "./tree";
import { legendOf, type Measure } from "./measure";
import { Viewer, boundsOf } from "./viewer";

const VIEWS: View[] = ["iso", "front", "side", "top"];

/** Time between pictures from which on fewer pixels are drawn (s), and the least share of them per direction. */
const SLOW = 1 / 25;
const COARSEST = 0.5;

class App {
  playing = false;
  /** Pictures drawn since the start of playing, and for how long (s). */
  drawn = 0;
  elapsed = 0;
  private last = 0;
  /** Mean time from one picture to the next while playing (s). */
  private pace = 0;
  /** Share of the full resolution: less while a slow machine plays. */
  private sharpness = 1;
  private readonly slider = find<HTMLInputElement>("#time");
  private readonly channels: Channels;
  private readonly tree: Tree;

  constructor(readonly source: Source, readonly viewer: Viewer) {
    const { times } = source;
    this.slider.min = String(times[0]);
    this.slider.max = String(times[times.length - 1]);
    this.tree = new Tree(source.scene, (body) => this.select(body), () => viewer.place());
    viewer.hidden = this.tree.hidden;
    this.channels = new Channels(source, (time) => this.seek(time), () => this.showTime());
    source.arrived = () => this.seek(viewer.time);
    source.grown = (before) => this.grow(before);
    this.controls();
    this.keys();
    this.pointer();
    this.notes();
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches);
    new ResizeObserver(() => this.resize()).observe(find("main"));
    this.resize();
    viewer.stage.look("iso");
    this.seek(times[0]);
    requestAnimationFrame((now) => this.tick(now));
  }

  /** More rows came: who looked at the last of them goes on doing so. */
  private grow(before: number): void {
    const { times } = this.source;
    const end = times[times.length - 1];
    this.slider.max = String(end);
    this.channels.grow();
    this.viewer.arrows.forget();
    if (!this.playing && this.viewer.time >= before) this.seek(end);
    this.notes();
  }

  private tick(now: number): void {
    const passed = (now - this.last) / 1000;
    // After a pause of the browser the motion goes on where it was.
    const gap = Math.min(0.25, passed);
    this.last = now;
    if (this.playing) {
      const { times } = this.source;
      const end = times[times.length - 1];
      let next = this.viewer.time + gap * Number(find<HTMLSelectElement>("#speed").value);
      if (next > end) next = times[0];
      this.elapsed += passed;
      this.keepPace(gap);
      this.seek(next);
    }
    if (this.viewer.stage.draw() && this.playing) this.drawn++;
    requestAnimationFrame((next) => this.tick(next));
  }

  /** Draws fewer pixels where pictures follow each other too slowly; a still picture is sharp again. */
  private keepPace(gap: number): void {
    this.pace = this.pace === 0 ? gap : 0.8 * this.pace + 0.2 * gap;
    if (this.drawn < 5 || this.pace < SLOW || this.sharpness <= COARSEST) return;
    this.sharpness = Math.max(COARSEST, 0.7 * this.sharpness);
    this.pace = 0;
    this.resize();
  }

  play(playing: boolean): void {
    this.playing = playing && this.source.scene.rows > 1;
    this.drawn = this.elapsed = this.pace = 0;
    if (!this.playing && this.sharpness < 1) {
      this.sharpness = 1;
      this.resize();
    }
    const button = find("#play");
    button.textContent = this.playing ? "❚❚" : "▶";
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    say(this.playing ? "playing" : `paused at ${this.viewer.time.toFixed(3)} s`);
  }

  seek(time: number): void {
    this.viewer.seek(time);
    this.showTime();
  }

  step(rows: number): void {
    const { times } = this.source;
    this.play(false);
    this.seek(times[Math.min(times.length - 1, Math.max(0, this.viewer.row + rows))]);
  }

  private showTime(): void {
    const { time, row, share } = this.viewer;
    this.slider.value = String(time);
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(3)} seconds`);
    find("#clock").textContent = `${time.toFixed(3)} s`;
    this.channels?.draw(time, row, share);
    if (this.viewer.selected >= 0) this.describe();
    if (!find("#legend").hidden) this.legend();
  }

  select(body: number): void {
    this.viewer.select(body);
    this.tree.mark(body);
    find("#info").replaceChildren();
    if (body >= 0) this.describe();
    if (this.viewer.followed < 0) find<HTMLButtonElement>("#follow").disabled = body < 0;
  }

  private follow(body: number): void {
    this.viewer.follow(body);
    const button = find<HTMLButtonElement>("#follow");
    button.setAttribute("aria-pressed", String(body >= 0));
    button.disabled = body < 0 && this.viewer.selected < 0;
    say(body >= 0 ? `the camera follows ${this.source.scene.bodies[body].name}` : "the camera stays");
  }

  private describe(): void {
    const { scene } = this.source, k = this.viewer.selected, body = scene.bodies[k], p = this.viewer.motion.poses[k];
    const lines = [
      body.name, `position ${[p[9], p[10], p[11]].map((x) => x.toPrecision(4)).join(", ")} m`,
      `on joint ${scene.joints[k].name} (${scene.joints[k].kind})`, body.modes ? `${body.modes} modes` : "rigid",
    ];
    const row = this.viewer.motion.row;
    if (body.modes) lines.push(`η = ${Array.from(row.subarray(body.eta, body.eta + Math.min(4, body.modes)), (x) => x.toPrecision(3)).join(", ")}`);
    find("#info").replaceChildren(...lines.map((text, i) => Object.assign(document.createElement(i ? "p" : "h2"), { textContent: text })));
  }

  deformation(factor: number): void {
    this.viewer.deformation = factor;
    const words = `×${Number(factor.toPrecision(3))}`;
    find("#deformation-value").textContent = words;
    const slider = find<HTMLInputElement>("#deformation");
    slider.value = String(deformationPlace(factor));
    slider.setAttribute("aria-valuetext", `${words} of the true deformation`);
  }

  private controls(): void {
    const { viewer } = this;
    find("#play").onclick = () => this.play(!this.playing);
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    const slider = find<HTMLInputElement>("#deformation");
    slider.oninput = () => this.deformation(deformationFactor(Number(slider.value)));
    for (const view of VIEWS) find(`[data-view=${view}]`).onclick = () => viewer.stage.look(view);
    const check = (id: string, use: (checked: boolean) => void) => {
      const box = find<HTMLInputElement>(id);
      box.onchange = () => {
        use(box.checked);
        viewer.place();
      };
    };
    check("#show-joints", (on) => (viewer.markers.joints = on));
    check("#show-frames", (on) => (viewer.markers.axes = on));
    const colours = find<HTMLSelectElement>("#colours");
    colours.onchange = () => {
      viewer.colour((colours.value || null) as Measure | null);
      this.legend();
    };
    for (const option of colours.options) {
      option.disabled = option.value !== "" && !viewer.offers(option.value as Measure);
    }
    find("#follow").onclick = () => this.follow(viewer.followed < 0 ? viewer.selected : -1);
    check("#show-forces", (on) => void viewer.arrows.show(on).then(() => (viewer.place(), this.legend())));
    find<HTMLInputElement>("#show-forces").disabled = !viewer.arrows.available;
    find("#theme").onclick = () => this.theme(document.documentElement.dataset.theme !== "dark");
  }

  private legend(): void {
    const { arrows } = this.viewer;
    const parts = [];
    const measure = find<HTMLSelectElement>("#colours").value as Measure | "";
    if (measure) parts.push(legendOf(measure, this.viewer.largest(measure)));
    if (arrows.visible) parts.push(`longest arrow ${arrows.largest.toPrecision(3)} N`);
    const legend = find("#legend");
    legend.textContent = parts.join(" · ");
    legend.hidden = parts.length === 0;
  }

  private keys(): void {
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.step(this.viewer.share > 0 ? 0 : -1),
      ArrowRight: () => this.step(1),
      Home: () => this.seek(this.source.times[0]),
      End: () => this.seek(this.source.times[this.source.times.length - 1]),
      "1": () => this.viewer.stage.look("iso"),
      "2": () => this.viewer.stage.look("front"),
      "3": () => this.viewer.stage.look("side"),
      "4": () => this.viewer.stage.look("top"),
      d: () => find("#theme").click(),
      f: () => find("#follow").click(),
      "+": () => this.deformation(Math.min(100, this.viewer.motion.scale * 1.5 || 0.5)),
      "-": () => this.deformation(this.viewer.motion.scale / 1.5),
      "/": () => find("#search").focus(),
      Escape: () => this.select(-1),
    };
    addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      // Controls keep their own keys.
      if (target.matches("input, select") || (event.key === " " && target.matches("button"))) return;
      const action = actions[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
  }

  private pointer(): void {
    const canvas = this.viewer.stage.canvas;
    let from: [number, number] = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      // A drag turns the view, a click selects.
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 5) return;
      const box = canvas.getBoundingClientRect();
      const x = (2 * (event.clientX - box.left)) / box.width - 1, y = 1 - (2 * (event.clientY - box.top)) / box.height;
      this.select(this.viewer.pick(x, y));
    });
  }

  private notes(): void {
    const { scene, streaming } = this.source;
    const list = [...scene.notes];
    if (scene.growing) list.push("The simulation is running.");
    else if (!scene.complete) list.push("The simulation did not reach its end.");
    if (streaming) list.push("Large result: rows are read from the file as they are needed.");
    const notes = find("#notes");
    notes.textContent = list.join(" ");
    notes.hidden = list.length === 0;
  }

  private theme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    find("#theme").setAttribute("aria-pressed", String(dark));
    const style = getComputedStyle(document.documentElement);
    this.viewer.stage.theme(style.getPropertyValue("--stage").trim(), style.getPropertyValue("--grid").trim());
    this.showTime();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = find("main");
    this.viewer.stage.resize(clientWidth, clientHeight, this.sharpness * Math.min(2, devicePixelRatio));
    this.showTime();
  }
}

async function start(): Promise<void> {
  const wishes = new URLSearchParams(location.search);
  try {
    const source = await openSource();
    const bounds = await boundsOf(source);
    if (wishes.has("export")) return await exportPictures(source, wishes, bounds);
    buildPage(source.scene.title);
    const viewer = new Viewer(source, find<HTMLCanvasElement>("#stage"), wishes.has("keep"), bounds);
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
