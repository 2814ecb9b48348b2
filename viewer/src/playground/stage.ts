// The viewer in its frame: a page of its own, made anew for every run, with what was chosen before.

import { find } from "../page";
import type { Run, RunScene } from "./engine";
import { viewerPage } from "./outcome";

/** What is used of the viewer (app.ts), and what is kept from one run to the next. */
interface Inner {
  theme(dark: boolean): void;
  play(playing: boolean): void;
  deformation(factor: number): void;
  source: { scene: { channels: string[]; title: string } };
  channels: { plots: Map<number, unknown> };
  viewer: {
    motion: { scale: number };
    stage: { camera: { position: Copied }; controls: { target: Copied; update(): void }; invalidate(): void };
  };
}
interface Copied {
  toArray(): number[];
  fromArray(values: number[]): void;
}

/** The viewer in less room than its own page has: no title, no list of bodies unless asked for. */
const NARROW = `
#app { grid-template: "top top" auto "stage plots" minmax(0, 1fr) "time time" auto / minmax(0, 1fr) 260px !important; }
h1, #theme, [aria-label="Results"] label, #compare-end { display: none !important; }
header { row-gap: 4px !important; padding: 5px 8px !important; font-size: 13px; }
footer { padding: 5px 8px !important; }
#bodies { display: none !important; position: relative; z-index: 2; grid-area: stage !important; width: 230px; box-shadow: 0 0 20px #0006; }
#bodies.open { display: flex !important; }
.drawer[data-drawer=bodies] { display: inline-block !important; }
@media (max-width: 620px) { #app { grid-template-columns: minmax(0, 1fr) 0 !important; } .drawer { display: inline-block !important; } }
@media (min-width: 621px) { #plots { display: flex !important; position: static !important; width: auto !important; box-shadow: none !important; } }
`;

export class Stage {
  /** Channels plotted beside the scene. */
  plots: string[] = [];
  private dark = false;
  private shown: HTMLIFrameElement | null = null;

  constructor(readonly viewer: { script: string; style: string }) {}

  private get inner(): Inner | null {
    return (this.shown?.contentWindow as unknown as { flexura?: Inner } | null)?.flexura ?? null;
  }

  theme(dark: boolean): void {
    this.dark = dark;
    this.inner?.theme(dark);
  }

  /** Shows a run in place of the one before. */
  show(run: Run, scene: RunScene, rows: Float64Array): void {
    const before = this.inner, same = before?.source.scene.title === scene.title ? before : null;
    this.plots = same ? [...same.channels.plots.keys()].map((index) => same.source.scene.channels[index]) : [];
    const view = same && { eye: same.viewer.stage.camera.position.toArray(), target: same.viewer.stage.controls.target.toArray(), factor: same.viewer.motion.scale };
    const frame = document.createElement("iframe");
    frame.title = `${scene.title}: the run`;
    frame.srcdoc = viewerPage(run, scene, rows, this.viewer, this.plots, NARROW);
    find("#view").replaceChildren(frame);
    this.shown = frame;
    frame.onload = () => this.loaded(frame, view);
  }

  /** The viewer has been read; it is there soon. */
  private loaded(frame: HTMLIFrameElement, view: { eye: number[]; target: number[]; factor: number } | null): void {
    if (this.shown !== frame) return;
    const inner = this.inner;
    if (!inner) return void setTimeout(() => this.loaded(frame, view), 20);
    inner.theme(this.dark);
    if (view) {
      inner.viewer.stage.camera.position.fromArray(view.eye);
      inner.viewer.stage.controls.target.fromArray(view.target);
      inner.viewer.stage.controls.update();
      inner.viewer.stage.invalidate();
      inner.deformation(view.factor);
    }
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) inner.play(true);
    frame.dataset.ready = "yes";
  }
}
