// Where rows and channels come from: the page itself, or the local server in blocks.

import { bytesOf, readScene, readVerdicts, type SceneData } from "./types";

/** Bytes of rows fetched at once, and up to which everything is fetched. */
const BLOCK_BYTES = 2 << 20;
const WHOLE_BYTES = 40 << 20;
/** Blocks kept in memory. */
const MOST_BLOCKS = 40;

export interface Source {
  scene: SceneData;
  times: Float64Array;
  /** Whether rows are fetched as they are needed. */
  streaming: boolean;
  /** The row if it is at hand; otherwise it is fetched and `arrived` is called. */
  row(index: number): Float32Array | null;
  /** Waits for a row. */
  load(index: number): Promise<Float32Array>;
  channel(index: number): Promise<Float32Array>;
  arrived: () => void;
  /** Called when a growing result has more rows; `before` was the last time. */
  grown: (before: number) => void;
}

/** Time between two looks at a growing result (ms). */
const LOOK = 500;

/** The data inside a saved page, or of the local server. */
export async function openSource(): Promise<Source> {
  const inside = document.getElementById("flexura-data");
  return inside ? embedded(JSON.parse(inside.textContent ?? "{}")) : served();
}

/** The last row that is not after `time`. */
export function rowBefore(times: Float64Array, time: number): number {
  let low = 0, high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

function whole(scene: SceneData, times: Float64Array, frames: Float32Array) {
  const row = (index: number) => frames.subarray(index * scene.width, (index + 1) * scene.width);
  return { scene, times, streaming: false, row, load: async (index: number) => row(index), arrived: () => {}, grown: () => {} };
}

/** The data of a saved page. */
export function embedded(data: any): Source {
  const scene = readScene(data.scene);
  const frames = new Float32Array(bytesOf(data.frames));
  const channel = async (index: number) => new Float32Array(bytesOf(data.channels[index]));
  return { ...whole(scene, new Float64Array(bytesOf(data.times)), frames), channel };
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** The second result that the local server has, if any. */
export async function openOther(scene: SceneData): Promise<Source | null> {
  return scene.other === undefined ? null : served("other/");
}

/** A result of the local server; `at` is its folder there. */
async function served(at = ""): Promise<Source> {
  const scene = readScene(await (await fetched(`${at}scene`)).json());
  const times = new Float64Array(await (await fetched(`${at}times`)).arrayBuffer());
  const cache = new Map<number, Promise<Float32Array>>();
  const channel = (index: number) => {
    let values = cache.get(index);
    if (!values) {
      values = fetched(`${at}channel?index=${index}`).then(async (r) => new Float32Array(await r.arrayBuffer()));
      cache.set(index, values);
    }
    return values;
  };
  if (scene.growing) return watch(new Blocks(scene, times, channel, at), cache);
  if (scene.rows * scene.width * 4 <= WHOLE_BYTES) {
    const frames = new Float32Array(await (await fetched(`${at}frames`)).arrayBuffer());
    return { ...whole(scene, times, frames), channel };
  }
  return new Blocks(scene, times, channel, at);
}

/** Looks again and again whether a result has grown. */
function watch(source: Blocks, cache: Map<number, Promise<Float32Array>>): Source {
  const { scene } = source;
  const look = async () => {
    try {
      const state = await (await fetched("growth")).json();
      if (state.rows > scene.rows) {
        const before = source.times[source.times.length - 1];
        source.times = new Float64Array(await (await fetched("times")).arrayBuffer());
        source.grow(source.times.length);
        cache.clear();
        source.grown(before);
      }
      if (state.growing !== scene.growing) {
        Object.assign(scene, { growing: state.growing, complete: state.complete, verdicts: readVerdicts(state.verdicts) ?? scene.verdicts });
        source.grown(Infinity);
      }
    } catch {
      return; // the program has ended; what is here stays
    }
    if (scene.growing) setTimeout(() => void look(), LOOK);
  };
  setTimeout(() => void look(), LOOK);
  return source;
}

/** Rows in blocks, the least recently used of which are forgotten. */
class Blocks implements Source {
  streaming = true;
  arrived = () => {};
  grown = (_: number) => {};
  private readonly rows: number;
  private readonly blocks = new Map<number, Float32Array>();
  private readonly pending = new Map<number, Promise<Float32Array>>();

  constructor(
    readonly scene: SceneData,
    public times: Float64Array,
    readonly channel: (index: number) => Promise<Float32Array>,
    private readonly at: string,
  ) {
    this.rows = Math.max(1, Math.floor(BLOCK_BYTES / (4 * scene.width)));
  }

  /** More rows: the last block was not whole. */
  grow(rows: number): void {
    this.blocks.delete(Math.floor((this.scene.rows - 1) / this.rows));
    this.pending.clear();
    this.scene.rows = rows;
  }

  row(index: number): Float32Array | null {
    const block = Math.floor(index / this.rows);
    const found = this.blocks.get(block);
    void this.fetch(block);
    if ((block + 1) * this.rows < this.scene.rows) void this.fetch(block + 1);
    return found ? this.cut(found, index) : null;
  }

  async load(index: number): Promise<Float32Array> {
    return this.cut(await this.fetch(Math.floor(index / this.rows)), index);
  }

  private cut(block: Float32Array, index: number): Float32Array {
    const start = (index % this.rows) * this.scene.width;
    return block.subarray(start, start + this.scene.width);
  }

  private fetch(block: number): Promise<Float32Array> {
    const found = this.blocks.get(block);
    if (found) {
      this.blocks.delete(block);
      this.blocks.set(block, found);
      return Promise.resolve(found);
    }
    let promise = this.pending.get(block);
    if (!promise) {
      promise = fetched(`${this.at}frames?start=${block * this.rows}&count=${this.rows}`).then(async (response) => {
        const values = new Float32Array(await response.arrayBuffer());
        this.blocks.set(block, values);
        this.pending.delete(block);
        const oldest = this.blocks.keys().next().value;
        if (this.blocks.size > MOST_BLOCKS && oldest !== undefined) this.blocks.delete(oldest);
        this.arrived();
        return values;
      });
      this.pending.set(block, promise);
    }
    return promise;
  }
}
