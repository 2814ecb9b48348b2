// A channel over time with a cursor at the instant shown; a click or drag moves the instant.

import { labels, nice, powerWords } from "./ticks";

export interface PlotData {
  name: string;
  unit: string;
  times: Float64Array;
  values: Float32Array;
}

/** Least room on the left: more where numbers are long. */
const LEFT = 52;
const RIGHT = 8, TOP = 26, BOTTOM = 18;

export class Plot {
  readonly element = document.createElement("figure");
  private readonly canvas = document.createElement("canvas");
  private readonly caption = document.createElement("figcaption");
  /** Axes and curve, the same at every instant. */
  private readonly behind = document.createElement("canvas");
  private drawn = "";
  private version = 0;
  private cursor = "";
  private low = Infinity;
  private high = -Infinity;
  private left = LEFT;
  /** The same channel of a second result. */
  private other: { times: Float64Array; values: Float32Array } | null = null;
  /** Words along the vertical axis. */
  words: string[] = [];

  constructor(private readonly data: PlotData, seek: (time: number) => void, close: () => void) {
    this.measure();
    const button = document.createElement("button");
    button.textContent = "×";
    button.title = "Remove this plot";
    button.setAttribute("aria-label", `Remove the plot of ${data.name}`);
    button.onclick = close;
    this.canvas.setAttribute("role", "img");
    this.element.append(this.canvas, this.caption, button);
    this.element.className = "plot";
    const move = (event: PointerEvent) => {
      if (event.buttons !== 1) return;
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - this.left) / (box.width - this.left - RIGHT);
      const { times } = this.data;
      seek(times[0] + Math.min(1, Math.max(0, share)) * (times[times.length - 1] - times[0]));
    };
    this.canvas.onpointerdown = (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    };
    this.canvas.onpointermove = move;
  }

  /** Other values of the same channel. */
  renew(times: Float64Array, values: Float32Array): void {
    Object.assign(this.data, { times, values });
    this.version++;
    this.measure();
  }

  /** Lays the same channel of another result over this one, or takes it away. */
  compare(other: { times: Float64Array; values: Float32Array } | null): void {
    this.other = other;
    this.version++;
    this.measure();
  }

  /** Range of the values. */
  private measure(): void {
    [this.low, this.high] = [Infinity, -Infinity];
    for (const values of [this.data.values, this.other?.values ?? []]) {
      for (const value of values) {
        if (!Number.isFinite(value)) continue;
        this.low = Math.min(this.low, value);
        this.high = Math.max(this.high, value);
      }
    }
    if (!(this.high > this.low)) {
      const middle = Number.isFinite(this.low) ? this.low : 0;
      const half = Math.abs(middle) * 0.1 || 1;
      [this.low, this.high] = [middle - half, middle + half];
    }
  }

  draw(time: number, row: number, share: number): void {
    const { times, values, name, unit } = this.data;
    const next = Math.min(row + 1, values.length - 1);
    const now = values[row] + share * (values[next] - values[row]);
    const words = `${now.toPrecision(5)}${unit && unit !== "1" ? ` ${unit}` : ""}`;
    this.caption.textContent = `${name}: ${words}`;
    this.canvas.setAttribute("aria-label", `${name} over time, from ${this.low.toPrecision(4)} to ${this.high.toPrecision(4)} ${unit}; now ${words}`);
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, ratio = devicePixelRatio;
    if (!width || !height) return;
    const key = `${width} ${height} ${ratio} ${document.documentElement.dataset.theme} ${times.length} ${this.version}`;
    if (key !== this.drawn) this.drawCurve(width, height, ratio);
    this.drawn = key;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.behind, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { x, y } = this.scales(width, height);
    context.strokeStyle = context.fillStyle = this.cursor;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x(time), TOP);
    context.lineTo(x(time), height - BOTTOM);
    context.stroke();
    context.beginPath();
    context.arc(x(time), y(now), 3, 0, 7);
    context.fill();
  }

  /** From times and values to the canvas. */
  private scales(width: number, height: number) {
    const { times } = this.data;
    const start = times[0], span = times[times.length - 1] - start || 1;
    const pad = 0.06 * (this.high - this.low), low = this.low - pad, range = this.high - this.low + 2 * pad;
    const x = (t: number) => this.left + ((t - start) / span) * (width - this.left - RIGHT);
    const y = (v: number) => height - BOTTOM - ((v - low) / range) * (height - TOP - BOTTOM);
    return { x, y, start, span, low, range };
  }

  /** Axes and curve: drawn once, then copied behind the cursor. */
  private drawCurve(width: number, height: number, ratio: number): void {
    const { times, values } = this.data;
    for (const canvas of [this.canvas, this.behind]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = this.behind.getContext("2d");
    if (!context) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (key: string) => style.getPropertyValue(key).trim();
    this.cursor = colour("--cursor");
    context.scale(ratio, ratio);
    context.font = "11px system-ui, sans-serif";
    this.ticks(context, colour, width, height);
    const { x, y } = this.scales(width, height);
    const curve = (data: { times: Float64Array; values: Float32Array }) => {
      context.beginPath();
      // Two points per pixel show all that can be seen.
      const step = Math.max(1, Math.floor(data.values.length / (4 * width)));
      for (let i = 0; i < data.values.length; i += step) context.lineTo(x(data.times[i]), y(data.values[i]));
      context.stroke();
    };
    context.save();
    context.beginPath();
    context.rect(this.left, 0, width - this.left - RIGHT + 1, height);
    context.clip();
    context.lineWidth = 1.5;
    if (this.other) {
      context.strokeStyle = colour("--quiet");
      context.setLineDash([5, 3]);
      curve(this.other);
      context.setLineDash([]);
    }
    context.strokeStyle = colour("--curve");
    curve({ times, values });
    context.restore();
  }

  private ticks(context: CanvasRenderingContext2D, colour: (key: string) => string, width: number, height: number): void {
    const { low, range, start, span } = this.scales(width, height);
    const values = nice(low, range, 4), upright = labels(values);
    this.words = upright.words;
    this.left = Math.max(LEFT, 10 + Math.max(...upright.words.map((text) => context.measureText(text).width)));
    const { x, y } = this.scales(width, height);
    context.strokeStyle = colour("--line");
    context.fillStyle = colour("--quiet");
    context.lineWidth = 1;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(powerWords(upright.power), this.left - 5, TOP - 5);
    values.forEach((value, i) => {
      context.beginPath();
      context.moveTo(this.left, y(value));
      context.lineTo(width - RIGHT, y(value));
      context.stroke();
      context.fillText(upright.words[i], this.left - 5, y(value));
    });
    context.textAlign = "center";
    context.textBaseline = "top";
    const times = nice(start, span, Math.max(2, Math.floor(width / 80))), along = labels(times);
    times.forEach((t, i) => {
      const unit = i === times.length - 1 ? ` ${powerWords(along.power)}${along.power ? " " : ""}s` : "", words = `${along.words[i]}${unit}`;
      context.fillText(words, Math.min(x(t), width - 1 - context.measureText(words).width / 2), height - BOTTOM + 4);
    });
  }
}
