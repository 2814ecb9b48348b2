// What the words over the scene say at one instant.

import { type Camera, Vector3 } from "three";
import { annotate, divide, type Annotations, type Bar, type Ink, type Label } from "./annotate";
import { newPose } from "./pose";
import { labels, nice, powerWords, stepOf } from "./ticks";
import { placeOf } from "./traces";
import { brief, forceUnit, lengthWords } from "./units";
import type { Viewer } from "./viewer";

export class Overlay {
  /** Whether the worst node is marked. */
  worst = true;
  /** What was written last: for those who do not see it, and for tests. */
  last: Annotations | null = null;
  private readonly at = new Vector3();
  private readonly pose = newPose();

  constructor(private readonly viewer: Viewer) {}

  /** Writes onto a canvas of the size of the picture. */
  draw(context: CanvasRenderingContext2D, u: number, ink: Ink): void {
    const { panes } = this.viewer.stage, [main] = panes;
    this.last = this.annotations();
    context.save();
    context.translate(main.x, main.y);
    annotate(context, main.width, main.height, u, ink, this.last);
    context.restore();
    if (panes.length > 1) divide(context, u, ink, panes.map((pane) => ({ ...pane, axes: this.axesOf(pane.camera) })));
  }

  /** Directions of x, y and z as a camera sees them. */
  private axesOf(camera: Camera): Annotations["axes"] {
    return [0, 1, 2].map((axis): [number, number, number] => {
      const v = this.at.set(0, 0, 0).setComponent(axis, 1).transformDirection(camera.matrixWorldInverse);
      return [v.x, v.y, v.z];
    });
  }

  /** Where a point in space is in the pane of the words. */
  private onPane(point: Vector3): [number, number] {
    const { stage } = this.viewer, [main] = stage.panes, [x, y] = stage.onCanvas(point);
    return [x - main.x, y - main.y];
  }

  private annotations(): Annotations {
    const { stage, source } = this.viewer;
    const axes = this.axesOf(stage.camera);
    const ground = source.scene.rows > 0 && stage.grounded ? `1 square = ${lengthWords(stage.square)}` : "";
    return { head: this.head(), bar: this.bar(), arrow: this.arrow(), grid: ground, axes, labels: this.labels() };
  }

  /** Time, or what mode is shown. */
  private head(): string[] {
    const { modes, time, motion, ghost, source } = this.viewer;
    const lines = modes ? modes.words(modes.at(time)) : source.scene.rows > 1 ? [`t = ${this.viewer.timeWords(time)}`] : [];
    const drawn = Number(motion.scale.toPrecision(3));
    if (drawn !== 1 && source.scene.bodies.some(({ modes }) => modes > 0)) lines.push(`deformation ×${drawn}`);
    if (ghost) lines.push(`grey: ${ghost.name}`);
    return lines;
  }

  private bar(): Bar | null {
    const { scale, range, modes, source, time } = this.viewer, { measure } = scale;
    if (!measure) return null;
    const { factor, unit } = scale.unit, from = scale.from * factor, to = scale.to * factor;
    const notes: string[] = [];
    const rows: [number, number] = modes ? modes.rows(time) : [0, Infinity];
    const worst = range.worst(measure, ...rows), share = range.share(measure);
    if (share < 1) notes.push(`range so far: ${Math.floor(100 * share)} % of the run`);
    else if (scale.kind === "now") notes.push("range of this instant");
    else if (scale.kind === "given") notes.push("range as given");
    if (worst && !modes && source.scene.rows > 1) {
      notes.push(`largest of the run ${brief(worst.value * factor)} ${unit}`, `${source.scene.bodies[worst.body].name}, node ${worst.node + 1}`, `at ${this.viewer.timeWords(source.times[worst.row])}`);
    }
    return { title: unit ? `${scale.title} (${unit})` : scale.title, ticks: barTicks(from, to, scale.largest * factor), notes };
  }

  /** An arrow of a round force, about as long as a thumb. */
  private arrow(): Annotations["arrow"] {
    const { arrows, stage } = this.viewer;
    if (!arrows.visible || !(arrows.largest > 0)) return null;
    const pixels = (arrows.longest / arrows.largest) * stage.pixelsPerMetre;
    const force = stepOf(Math.min(arrows.largest, 0.16 * stage.panes[0].width / pixels), 1);
    const { factor, unit } = forceUnit(force);
    return { length: force * pixels, words: `${Number((force * factor).toPrecision(3))} ${unit}` };
  }

  private labels(): Label[] {
    const { viewer } = this, { scale, source, traces } = viewer;
    const { factor, unit } = scale.unit, list: Label[] = [];
    for (const pin of traces.pins) {
      const [x, y] = this.onPane(this.at.set(...placeOf(viewer.motion, pin, this.pose)));
      list.push({ x, y, words: this.words(pin.body, pin.node), worst: false });
    }
    const worst = this.worst && scale.measure ? viewer.worst : null;
    if (worst && worst.value > 0) {
      const [x, y] = this.onPane(viewer.nodeInSpace(this.at, worst.body, worst.node));
      const name = source.scene.bodies[worst.body].name;
      list.push({ x, y, words: `max ${brief(worst.value * factor)}${unit && ` ${unit}`} · ${name}, node ${worst.node + 1}`, worst: true });
    }
    return list;
  }

  /** Body, node and value there. */
  words(body: number, node: number): string {
    const { scale, source } = this.viewer, { factor, unit } = scale.unit;
    const name = source.scene.bodies[body].name;
    if (node < 0) return name;
    const value = scale.measure ? ` · ${brief(this.viewer.valueAt(body, node) * factor)}${unit && ` ${unit}`}` : "";
    return `${name}, node ${node + 1}${value}`;
  }
}

/** Both ends of a bar and round numbers between them; a value beyond the end is told by "≥". */
export function barTicks(from: number, to: number, largest: number): [number, string][] {
  const range = to - from;
  if (!(range > 0)) return [[0, brief(from)]];
  const inside = nice(from, range, 5).filter((tick) => tick > from + 0.07 * range && tick < to - 0.07 * range);
  const { words, power } = labels(inside);
  // Numbers of a bar have their unit: a power of ten is written out where one is left.
  const list = inside.map((tick, i): [number, string] => [(tick - from) / range, `${words[i]}${powerWords(power)}`]);
  return [[0, brief(from)], ...list, [1, `${largest > to * (1 + 1e-6) ? "≥ " : ""}${brief(to)}`]];
}
