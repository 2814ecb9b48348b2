// The engine as the page sees it: findings of a text, and one run at a time.

import WORKER from "worker:./worker";
import { brokenOff, type Finding } from "./findings";

/** The scene of a run before its first row, and which values of a row a picture takes. */
export interface RunScene {
  channels: string[];
  units: string[];
  columns: number[];
  title: string;
  [other: string]: unknown;
}

/** How a run ended. */
export interface Ended {
  time: number;
  rows: number;
  steps: number;
  rejected: number;
  evaluations: number;
  energyUnaccounted: number;
  energyShare: number;
  events: { name: string; time: number }[];
  stoppedBy: string | null;
  warnings: string[];
}

/** Which engine it is. */
export interface About {
  version: string;
  commit: string;
}

interface Message {
  said?: { about?: About; findings?: Finding[]; scene?: RunScene; ended?: Ended; failed?: string };
  rows?: Float64Array;
  time?: number;
  fraction?: number;
  steps?: number;
  done?: number;
  lost?: string;
}

/** A run: what came of it so far. */
export interface Run {
  text: string;
  findings: Finding[];
  scene: RunScene | null;
  /** Rows as they came, time first. */
  pieces: Float64Array[];
  ended: Ended | null;
  failed: string | null;
  stopped: boolean;
  /** Computing time (s); `null` where it did not come to an end. */
  seconds: number | null;
}

/** The compressed module inside the page. */
async function inflate(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export class Engine {
  /** Bytes of the module as it is run. */
  readonly size: number;
  private readonly address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  private checker: Worker | null = null;
  private runner: Worker | null = null;
  private waiting: string | null = null;
  private checking = false;
  private end: (() => void) | null = null;

  private constructor(private readonly module: WebAssembly.Module, size: number) {
    this.size = size;
  }

  static async of(base64: string): Promise<Engine> {
    const bytes = await inflate(base64);
    return new Engine(await WebAssembly.compile(bytes), bytes.byteLength);
  }

  /** Called with the findings of a text that was checked. */
  found: (text: string, findings: Finding[]) => void = () => {};

  /** Called when the engine has said what it is. */
  about: (about: About) => void = () => {};

  /** Looks for what is wrong with a text; of several that wait the last one counts. */
  check(text: string): void {
    this.waiting = text;
    if (!this.checking) this.next();
  }

  private next(): void {
    const text = this.waiting;
    if (text === null) return;
    [this.waiting, this.checking] = [null, true];
    const first = this.checker === null, worker = (this.checker ??= new Worker(this.address));
    let told = false;
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.said?.about) this.about(data.said.about);
      if (data.said?.findings) this.found(text, data.said.findings);
      if (data.lost !== undefined) {
        worker.terminate();
        this.checker = null;
      }
      // A check that breaks off says so: marks of the text before would pass for its own.
      const broken = data.said?.failed ?? data.lost;
      if (broken !== undefined && !told) this.found(text, [brokenOff(broken)]);
      told ||= broken !== undefined;
      if (data.done === undefined && data.lost === undefined) return;
      this.checking = false;
      this.next();
    };
    worker.postMessage({ module: first ? this.module : undefined, task: "check", text });
  }

  /** Runs the model of a text; `told` is called as it goes on. Resolves at its end, however it ended. */
  run(text: string, told: (fraction: number, time: number, steps: number) => void): Promise<Run> {
    this.stop();
    const run: Run = { text, findings: [], scene: null, pieces: [], ended: null, failed: null, stopped: true, seconds: null };
    const worker = (this.runner = new Worker(this.address));
    return new Promise((done) => {
      const end = () => {
        worker.terminate();
        if (this.runner === worker) this.runner = null;
        done(run);
      };
      this.end = end;
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        const { said } = data;
        if (said?.findings) run.findings = said.findings;
        if (said?.scene) run.scene = said.scene;
        if (said?.ended) run.ended = said.ended;
        if (said?.failed !== undefined) run.failed = said.failed;
        if (data.rows) {
          if (data.rows.length) run.pieces.push(data.rows);
          told(data.fraction ?? 0, data.time ?? 0, data.steps ?? 0);
        }
        // The words of a fault of the program came before.
        if (data.lost !== undefined) run.failed ??= `the engine was lost: ${data.lost}`;
        if (data.done === undefined && data.lost === undefined) return;
        Object.assign(run, { stopped: false, seconds: data.done ?? null });
        end();
      };
      worker.onerror = (fault) => {
        Object.assign(run, { stopped: false, failed: `the engine was lost: ${fault.message}` });
        end();
      };
      worker.postMessage({ module: this.module, task: "run", text });
    });
  }

  get running(): boolean {
    return this.runner !== null;
  }

  /** Ends the run under way; what it gave so far is kept. */
  stop(): void {
    if (this.runner) this.end?.();
  }
}
