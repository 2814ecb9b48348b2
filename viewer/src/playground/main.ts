// The playground: a model as text, the engine beside it, the viewer in a frame of its own.

import "./style.css";
import EXAMPLES from "examples:";
import { find, say } from "../page";
import { Editor } from "./editor";
import { Engine, type Run } from "./engine";
import { showEnd, showFindings, type Place } from "./findings";
import { joined, keep, table, viewerPage, widthOf } from "./outcome";
import { buildPlayground } from "./page";
import { Stage } from "./stage";

/** A text that the page was built with, by the name of its element. */
const inside = (id: string) => document.getElementById(id)?.textContent ?? "";

class Playground {
  /** The last run that gave rows, with all of them. */
  run: Run | null = null;
  rows: Float64Array = new Float64Array();
  readonly editor: Editor;
  readonly stage = new Stage({ script: JSON.parse(inside("viewer-script")), style: JSON.parse(inside("viewer-style")) });
  private checked = 0;

  constructor(readonly engine: Engine) {
    this.editor = new Editor(() => this.edited());
    engine.about = ({ version, commit }) => (find("h1").title = `Flexura ${version}, engine of ${commit}`);
    engine.found = (text, findings) => {
      if (text !== this.editor.text) return;
      showFindings(findings, this.go);
      this.editor.mark(findings);
      this.checked++;
    };
    this.bind();
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches);
    const asked = EXAMPLES.findIndex(({ name }) => encodeURIComponent(name) === location.hash.slice(1));
    this.example(Math.max(0, asked));
    // The model that `flexura playground MODEL` was given.
    const given: string | null = JSON.parse(inside("model"));
    if (given !== null) this.own(given);
  }

  /** Texts checked so far, for tests. */
  get checks(): number {
    return this.checked;
  }

  /** All rows of the last run as comma-separated text. */
  get table(): string {
    return this.run?.scene ? table(this.run.scene, this.rows) : "";
  }

  private readonly go = (place: Place) => this.editor.go(place);

  private edited(): void {
    this.engine.check(this.editor.text);
  }

  example(index: number): void {
    const { name, text } = EXAMPLES[index];
    find<HTMLSelectElement>("#example").value = String(index);
    history.replaceState(null, "", `#${name}`);
    this.editor.text = text;
    find("#about").textContent = text.split("\n\n")[0].split("\n").filter((line) => line.startsWith("#")).map((line) => line.slice(1).trim()).join(" ");
  }

  /** A text that is none of the examples. */
  private own(text: string): void {
    find<HTMLSelectElement>("#example").value = "";
    find("#about").textContent = "A model of your own. It stays in this page: keep it with Model.";
    this.editor.text = text;
  }

  async start(): Promise<void> {
    const text = this.editor.text;
    this.busy(true);
    say("running");
    const run = await this.engine.run(text, (fraction, time, steps) => this.progress(fraction, time, steps));
    if (this.engine.running) return; // another run has taken its place
    this.busy(false);
    if (text === this.editor.text) {
      showFindings(run.findings, this.go);
      this.editor.mark(run.findings);
    }
    const rows = joined(run), count = run.scene ? rows.length / widthOf(run.scene) : 0;
    showEnd(run, count);
    say(run.ended ? "the run has ended" : run.failed !== null ? "the run failed" : run.stopped ? "stopped" : "the model has errors");
    if (count > 0) {
      [this.run, this.rows] = [run, rows];
      this.stage.show(run, run.scene!, rows);
    }
    for (const id of ["#keep-table", "#keep-page"]) find<HTMLButtonElement>(id).disabled = !this.run;
  }

  private busy(busy: boolean): void {
    find<HTMLButtonElement>("#stop").disabled = !busy;
    find("#run").classList.toggle("busy", busy);
    find("#progress").hidden = !busy;
    if (busy) this.progress(0, NaN, 0);
  }

  private progress(fraction: number, time: number, steps: number): void {
    if (Number.isFinite(fraction)) find<HTMLProgressElement>("#bar").value = fraction;
    find("#reached").textContent = Number.isFinite(time) ? `${time.toPrecision(4)} s, ${steps} steps` : "starting";
  }

  theme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    find("#theme").setAttribute("aria-pressed", String(dark));
    this.stage.theme(dark);
  }

  /** Name of files that the reader keeps. */
  private get name(): string {
    return (this.run?.scene?.title || "model").replace(/[^\p{L}\p{N}]+/gu, "_");
  }

  private bind(): void {
    find<HTMLSelectElement>("#example").onchange = (event) => this.example(Number((event.target as HTMLSelectElement).value));
    find("#run").onclick = () => void this.start();
    find("#stop").onclick = () => this.engine.stop();
    find("#theme").onclick = () => this.theme(document.documentElement.dataset.theme !== "dark");
    find("#keep-model").onclick = () => keep(this.editor.text, `${/^\s*name\s*=\s*"([\w -]+)"/m.exec(this.editor.text)?.[1].replaceAll(" ", "_") ?? "model"}.toml`, "text/plain");
    find("#keep-table").onclick = () => keep(this.table, `${this.name}.csv`, "text/csv");
    find("#keep-page").onclick = () =>
      this.run?.scene && keep(viewerPage(this.run, this.run.scene, this.rows, this.stage.viewer, this.stage.plots), `${this.name}.html`, "text/html");
    const file = find<HTMLInputElement>("#open");
    file.onchange = () => void file.files?.[0]?.text().then((text) => (this.own(text), (file.value = "")));
    addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.start();
      if (event.key === "Escape" && this.engine.running) this.engine.stop();
    });
  }
}

async function begin(): Promise<void> {
  buildPlayground(EXAMPLES.map(({ title }) => title));
  try {
    const playground = new Playground(await Engine.of(inside("engine")));
    // For tests and for curious users at the console.
    Object.assign(window, { flexura: playground });
    find<HTMLButtonElement>("#run").disabled = false;
    if (new URLSearchParams(location.search).has("run")) void playground.start();
  } catch (error) {
    const words = document.createElement("p");
    words.className = "finding error";
    words.setAttribute("role", "alert");
    words.textContent = `The engine could not be started: ${error}. The page needs a browser of 2023 or newer.`;
    find("#outcome").replaceChildren(words);
    throw error;
  }
}

void begin();
