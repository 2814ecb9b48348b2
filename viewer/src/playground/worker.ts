// The engine in a worker: reads a text, runs it, hands rows over while it goes on. The page ends a run by ending the worker: a
// run takes no messages, and no step is too long to be stopped.

interface Calls {
  memory: WebAssembly.Memory;
  flexura_room(length: number): number;
  flexura_about(): void;
  flexura_check(): void;
  flexura_run(): void;
}

/** Time between two messages of a run (ms). */
const PACE = 100;

let calls: Calls | null = null;
let last = 0;
const post = (message: unknown, transfer: Transferable[] = []) => (self as unknown as Worker).postMessage(message, transfer);
const decoder = new TextDecoder();

/** What the module asks of the page (crates/flexura-web/src/calls.rs). */
const page = {
  say: (place: number, length: number) => {
    const text = decoder.decode(new Uint8Array(calls!.memory.buffer, place >>> 0, length >>> 0));
    post({ said: JSON.parse(text) });
  },
  watch: (time: number, fraction: number, steps: number, place: number, count: number) => {
    const now = performance.now();
    // The end of a run, and its failure, which has no fraction, are told at once.
    if (now - last < PACE && fraction < 1) return 0;
    last = now;
    const rows = new Float64Array(calls!.memory.buffer, place >>> 0, count >>> 0).slice();
    post({ rows, time, fraction, steps }, [rows.buffer]);
    return 1;
  },
};

self.onmessage = async ({ data }: MessageEvent<{ module?: WebAssembly.Module; task: "check" | "run"; text: string }>) => {
  try {
    if (data.module) {
      calls = (await WebAssembly.instantiate(data.module, { page })).exports as unknown as Calls;
      calls.flexura_about();
    }
    const bytes = new TextEncoder().encode(data.text), place = calls!.flexura_room(bytes.length) >>> 0;
    new Uint8Array(calls!.memory.buffer, place, bytes.length).set(bytes);
    const start = (last = performance.now());
    if (data.task === "run") calls!.flexura_run();
    else calls!.flexura_check();
    post({ done: (performance.now() - start) / 1000 });
  } catch (fault) {
    post({ lost: String(fault) });
  }
};
