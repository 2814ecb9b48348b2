// The page at work: time, selection, words.

import type { Ink } from "./annotate";
import { Channels } from "./channels";
import { ColourControls } from "./colours";
import { compose, download, pageInk, pngOf } from "./compose";
import { bindControls } from "./controls";
import { Ghost, readSaved } from "./ghost";
import { bindKeys } from "./keys";
import { Overlay } from "./overlay";
import { deformationPlace, find, offerSpeeds, say } from "./page";
import { bindPointer } from "./pointer";
import { Probe } from "./probe";
import type { Source } from "./source";
import { Tree } from "./tree";
import { Verdicts } from "./verdicts";
import type { Viewer } from "./viewer";

/** Time between pictures from which on fewer pixels are drawn (s), and the least share of them per direction. */
const SLOW = 1 / 25;
const COARSEST = 0.5;
/** Width of the scene below which words over it are small (pixels). */
const NARROW = 600;

export class App {
  playing = false;
  /** Pictures drawn since the start of playing, and for how long (s). */
  drawn = 0;
  elapsed = 0;
  readonly overlay: Overlay;
  readonly probe: Probe;
  readonly channels: Channels;
  readonly colours: ColourControls;
  private last = 0;
  /** Mean time from one picture to the next while playing (s). */
  private pace = 0;
  /** Share of the full resolution: less while a slow machine plays. */
  private sharpness = 1;
  private ink: Ink = { text: "", quiet: "", panel: "", mark: "" };
  private readonly slider = find<HTMLInputElement>("#time");
  private readonly words = find<HTMLCanvasElement>("#words");
  private readonly tree: Tree;
  private readonly verdicts: Verdicts;

  constructor(readonly source: Source, readonly viewer: Viewer) {
    const { times } = source;
    this.slider.min = String(times[0]);
    this.slider.max = String(viewer.end);
    offerSpeeds(viewer.modes ? 0 : viewer.end - times[0]);
    this.tree = new Tree(source.scene, (body) => this.select(body), () => viewer.place());
    viewer.hidden = this.tree.hidden;
    this.verdicts = new Verdicts(source.scene, (body) => this.select(body));
    this.overlay = new Overlay(viewer);
    this.probe = new Probe(viewer, this.overlay);
    this.colours = new ColourControls(viewer, this.overlay, (time) => this.seek(time));
    this.channels = new Channels(source, (time) => this.seek(time), () => this.showTime());
    this.channels.compare(viewer.ghost);
    find("#compare-end").hidden = viewer.ghost === null;
    source.arrived = () => this.seek(viewer.time);
    source.grown = (before) => this.grow(before);
    viewer.traces.found = () => viewer.stage.invalidate();
    bindControls(this);
    bindKeys(this);
    bindPointer(this);
    this.notes();
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches);
    new ResizeObserver(() => this.resize()).observe(find("main"));
    this.resize();
    viewer.stage.look("iso");
    this.seek(times[0]);
    // On its whole way a car would be a dot.
    const traveller = viewer.traveller;
    if (traveller >= 0) {
      viewer.lookAtAll();
      this.follow(traveller);
    }
    requestAnimationFrame((now) => this.tick(now));
  }

  /** More rows came: who looked at the last of them goes on doing so. */
  private grow(before: number): void {
    const end = this.viewer.end;
    this.slider.max = String(end);
    this.channels.grow();
    this.viewer.arrows.forget();
    const { measure } = this.viewer.scale;
    if (measure) void this.viewer.range.scan(measure, () => this.viewer.place());
    if (!this.playing && this.viewer.time >= before) this.seek(end);
    this.notes();
  }

  private tick(now: number): void {
    const passed = (now - this.last) / 1000;
    // After a pause of the browser the motion goes on where it was.
    const gap = Math.min(0.25, passed);
    this.last = now;
    if (this.playing) {
      const [start, end] = this.span;
      let next = this.viewer.time + gap * Number(find<HTMLSelectElement>("#speed").value);
      if (next > end || next < start) next = start;
      this.elapsed += passed;
      this.keepPace(gap);
      this.seek(next);
    }
    this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  /** What is played: everything, or the one mode that was chosen. */
  private get span(): [number, number] {
    const mode = Number(find<HTMLSelectElement>("#mode").value || -1);
    // Just before the next mode begins.
    return mode >= 0 ? [mode, mode + 1 - 1e-6] : [this.source.times[0], this.viewer.end];
  }

  /** Draws the scene if anything changed, and the words over it. */
  draw(): void {
    this.viewer.keepVisible();
    const drawn = this.viewer.stage.draw();
    this.probe.update(drawn);
    if (!drawn) return;
    if (this.playing) this.drawn++;
    const { width, height } = this.viewer.stage.size, ratio = Math.min(2, devicePixelRatio), { words } = this;
    const wide = Math.round(width * ratio), tall = Math.round(height * ratio);
    if (words.width !== wide || words.height !== tall) [words.width, words.height] = [wide, tall];
    const context = words.getContext("2d");
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, wide, tall);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.overlay.draw(context, width < NARROW ? 0.75 : 1, this.ink);
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
    say(this.playing ? "playing" : `paused at ${this.viewer.timeWords(this.viewer.time)}`);
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
    const { time, row, share, modes } = this.viewer;
    this.slider.value = String(time);
    const words = modes ? modes.words(modes.at(time)).slice(0, 2).join(", ") : this.viewer.timeWords(time);
    this.slider.setAttribute("aria-valuetext", modes ? words : words.replace(/s$/, "seconds"));
    find("#clock").textContent = words;
    this.channels?.draw(time, row, share);
    if (this.viewer.selected >= 0) this.describe();
    if (!find("#legend").hidden) this.colours.legend();
  }

  select(body: number): void {
    this.viewer.select(body);
    this.tree.mark(body);
    find("#info").replaceChildren();
    if (body >= 0) this.describe();
    for (const id of ["#zoom", "#veil"]) find<HTMLButtonElement>(id).disabled = body < 0;
    find("#veil").setAttribute("aria-pressed", String(body >= 0 && this.viewer.veiled[body]));
    if (this.viewer.followed < 0) find<HTMLButtonElement>("#follow").disabled = body < 0;
  }

  follow(body: number): void {
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
    const files = new Set(body.solids.flatMap(({ mesh }) => (mesh === undefined ? [] : [scene.meshes[mesh].name])));
    if (files.size) lines.push(`drawn by ${[...files].join(", ")}`);
    const row = this.viewer.motion.row;
    if (body.modes) lines.push(`η = ${Array.from(row.subarray(body.eta, body.eta + Math.min(4, body.modes)), (x) => x.toPrecision(3)).join(", ")}`);
    lines.push(...this.verdicts.about(body.name));
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

  /** Hands the picture with its words to the reader. */
  async savePicture(): Promise<void> {
    const { scene } = this.source, canvas = compose(this.viewer, this.overlay, this.ink);
    download(await pngOf(canvas), `${(scene.title || "model").replace(/[^\p{L}\p{N}]+/gu, "_")}.png`);
  }

  /** Lays the result of a saved page over this one; without a file ends that. */
  async compare(file: File | null): Promise<void> {
    const { viewer } = this, before = viewer.ghost;
    try {
      const source = file && (await readSaved(file));
      viewer.ghost = file && source && new Ghost(viewer.stage.group, source, file.name, viewer.sizes);
      before?.remove();
    } catch (error) {
      return this.notes(String(error instanceof Error ? error.message : error));
    }
    this.channels.compare(viewer.ghost);
    find("#compare-end").hidden = viewer.ghost === null;
    this.notes();
    this.seek(viewer.time);
  }

  private notes(first = ""): void {
    const { scene, streaming } = this.source;
    const list = [first, ...scene.notes];
    if (scene.growing) list.push("The simulation is running.");
    else if (!scene.complete) list.push("The simulation did not reach its end.");
    if (streaming) list.push("Large result: rows are read from the file as they are needed.");
    const notes = find("#notes");
    notes.textContent = list.join(" ").trim();
    notes.hidden = notes.textContent === "";
    this.verdicts.show();
    this.tree.doubt(this.verdicts.doubtful());
  }

  theme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    find("#theme").setAttribute("aria-pressed", String(dark));
    const style = getComputedStyle(document.documentElement);
    this.ink = pageInk();
    this.viewer.stage.theme(style.getPropertyValue("--stage").trim(), style.getPropertyValue("--grid").trim());
    this.showTime();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = find("main");
    this.viewer.stage.resize(clientWidth, clientHeight, this.sharpness * Math.min(2, devicePixelRatio));
    this.showTime();
  }
}
