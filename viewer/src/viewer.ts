// Everything on the stage at one instant.

import { Box3, Raycaster, Vector2, Vector3 } from "three";
import { Arrows } from "./arrows";
import { Bodies, type Hit } from "./bodies";
import { pointsOf, sizesOf, type Bounds } from "./bounds";
import { Connectors } from "./connectors";
import type { Ghost } from "./ghost";
import { Joints } from "./joints";
import { JointSprings } from "./jointsprings";
import { knows, type Measure } from "./measure";
import { Markers } from "./markers";
import { Modes } from "./modes";
import { Motion } from "./motion";
import { newPose } from "./pose";
import { RunRange } from "./range";
import type { Roads } from "./roads";
import { ColourScale } from "./scale";
import type { Sizes } from "./solids";
import { rowBefore, type Source } from "./source";
import { Stage } from "./stage";
import { Traces } from "./traces";
import { formOf } from "./tube";

/** Half the width of what is thinner than a line (pixels). */
const HALF_LINE = 0.75;

/** A model that goes this many times farther than it is long is looked at on its way. */
const FAR = 10;

export class Viewer {
  readonly motion: Motion;
  readonly stage: Stage;
  readonly arrows: Arrows;
  readonly markers: Markers;
  readonly joints: Joints;
  readonly jointSprings: JointSprings;
  readonly connectors: Connectors;
  readonly traces: Traces;
  readonly bodies: Bodies;
  readonly scale = new ColourScale();
  readonly range: RunRange;
  readonly modes: Modes | null;
  readonly sizes: Sizes;
  hidden: boolean[];
  /** Bodies that are looked through. */
  readonly veiled: boolean[];
  /** A second result, laid over this one. */
  ghost: Ghost | null = null;
  time: number;
  row = 0;
  next = 0;
  share = 0;
  selected = -1;
  /** Body the camera goes along with, or -1. */
  followed = -1;
  /** Whether thin beams are drawn as wide as a line; else true to scale at any distance. */
  visible = true;
  /** Pixels of a metre for which bodies were placed last. */
  private scaled = 1;
  /** Bodies that are looked through: drawn once there are any. */
  private veil: Bodies | null = null;
  private readonly opaque: boolean[];
  private readonly glassy: boolean[];
  private readonly work = newPose();
  private readonly place0 = new Vector3();
  private readonly now = new Vector3();

  constructor(readonly source: Source, canvas: HTMLCanvasElement, keepPixels: boolean, private readonly bounds: Bounds, roads: Roads) {
    const { scene } = source;
    this.motion = new Motion(scene);
    this.hidden = scene.bodies.map(() => false);
    [this.veiled, this.opaque, this.glassy] = [0, 1, 2].map(() => scene.bodies.map(() => false));
    this.time = source.times[0];
    // Forms that keep their length have that of the start.
    const first = source.row(0);
    if (first) this.motion.show(first, first, 0);
    this.modes = scene.modes.length ? new Modes(scene.modes, source.times) : null;
    this.scale.relative = this.modes !== null;
    this.stage = new Stage(canvas, keepPixels, bounds.box, scene.up);
    this.stage.model = bounds.model;
    this.stage.floor = roads.floor;
    this.sizes = sizesOf(this.motion, this.extent);
    const { group } = this.stage;
    this.bodies = new Bodies(group, scene, this.motion, this.sizes, "solid");
    this.joints = new Joints(group, scene, this.sizes);
    this.jointSprings = new JointSprings(group, scene, this.sizes);
    this.markers = new Markers(group, scene, this.sizes);
    this.connectors = new Connectors(group, scene, this.motion, this.sizes);
    this.arrows = new Arrows(group, source, 0.22 * this.extent);
    this.traces = new Traces(group, source);
    this.range = new RunRange(source, 0.3 * this.sizes.marker);
    roads.show(group);
    this.paint();
  }

  /** Size of the model (m): what markers and arrows are measured by. */
  private get extent(): number {
    return Math.min(this.bounds.model, this.stage.extent) || this.stage.extent;
  }

  /** Where time ends: mode shapes come back to where they began. */
  get end(): number {
    return this.modes ? this.modes.list.length : this.source.times[this.source.times.length - 1];
  }

  /** A time in words, with as many decimals as short runs need. */
  timeWords(time: number): string {
    const decimals = Math.round(2.7 - Math.log10(this.end - this.source.times[0]));
    return `${time.toFixed(Math.min(12, Math.max(3, Number.isFinite(decimals) ? decimals : 3)))} s`;
  }

  /** Moves to `time` if its rows are at hand; returns whether they were. */
  seek(time: number): boolean {
    this.time = Math.min(this.end, Math.max(this.source.times[0], time));
    this.locate();
    const a = this.source.row(this.row), b = this.source.row(this.next);
    if (!a || !b) return false;
    this.motion.show(a, b, this.share);
    this.goAlong();
    this.place();
    return true;
  }

  /** Lets the camera go along with `body`; -1 leaves it where it is. */
  follow(body: number): void {
    this.followed = body;
    if (body >= 0) this.place0.copy(this.placeOf(body));
  }

  private placeOf(body: number): Vector3 {
    const p = this.motion.poses[body];
    return this.now.set(p[9], p[10], p[11]);
  }

  private goAlong(): void {
    if (this.followed < 0) return;
    const now = this.placeOf(this.followed);
    this.stage.move(this.place0.subVectors(now, this.place0));
    this.place0.copy(now);
  }

  /** Row before the time, the one after it, and how far it is to that. */
  private locate(): void {
    const { times } = this.source, last = times.length - 1;
    const low = rowBefore(times, this.time);
    this.row = low;
    this.next = this.modes ? this.modes.next(low) : Math.min(low + 1, last);
    const after = this.next > low ? times[this.next] : this.modes ? this.modes.at(times[low]) + 1 : times[low];
    const gap = after - times[low];
    this.share = gap > 0 ? Math.min(1, (this.time - times[low]) / gap) : 0;
  }

  place(): void {
    const { motion, scale, selected } = this, { measure } = scale;
    for (let k = 0; k < this.hidden.length; k++) {
      this.opaque[k] = this.hidden[k] || this.veiled[k];
      this.glassy[k] = this.hidden[k] || !this.veiled[k];
    }
    const least = this.visible ? HALF_LINE / this.stage.pixelsPerMetre : 0;
    this.scaled = this.stage.pixelsPerMetre;
    for (const part of this.bodies.flexible) part.least = least;
    if (this.veil) for (const part of this.veil.flexible) part.least = least;
    this.bodies.place(motion, this.opaque, measure);
    this.veil?.place(motion, this.glassy, measure);
    if (measure) {
      this.setRange(measure);
      this.bodies.colour(selected, scale);
      this.veil?.colour(selected, scale);
    }
    this.joints.place(motion, this.hidden);
    this.jointSprings.place(motion, this.hidden);
    this.markers.place(motion, this.hidden);
    this.connectors.place(motion, this.hidden);
    this.arrows.place(motion, this.row, this.next, this.share, this.hidden);
    if (this.stage.shaded) this.stage.light(this.middle());
    if (this.ghost) {
      this.ghost.motion.scale = motion.scale;
      this.ghost.seek(this.time);
    }
    this.stage.invalidate();
  }

  /** The mean place of all bodies. */
  private middle(): Vector3 {
    const { poses } = this.motion, sum = this.now.set(0, 0, 0);
    for (const p of poses) sum.set(sum.x + p[9], sum.y + p[10], sum.z + p[11]);
    return sum.divideScalar(Math.max(1, poses.length));
  }

  /** Lets bodies, joints, springs and tyres throw shadows on the ground. */
  shade(on: boolean): void {
    const { bodies, joints, jointSprings, connectors } = this;
    this.stage.shade(on, [...bodies.meshes, ...joints.meshes, ...jointSprings.meshes, ...connectors.meshes]);
    this.place();
  }

  /** Places everything again where the camera went so far that thin beams are too thick or too thin. */
  keepVisible(): void {
    const { pixelsPerMetre } = this.stage, [round, others] = this.bodies.flexible, thin = Math.min(round.thinnest, others.thinnest);
    const changed = Math.abs(pixelsPerMetre / this.scaled - 1) > 0.05;
    if (changed && thin * Math.min(pixelsPerMetre, this.scaled) < HALF_LINE) this.place();
  }

  /** Ends of the colour scale, and the largest value known. */
  private setRange(measure: Measure): void {
    const { scale } = this, now = this.worst?.value ?? 0;
    const rows: [number, number] = this.modes ? this.modes.rows(this.time) : [0, Infinity];
    scale.largest = Math.max(this.range.worst(measure, ...rows)?.value ?? 0, this.modes ? 0 : now);
    if (scale.kind === "given") return;
    scale.from = 0;
    scale.to = scale.kind === "now" ? now : scale.largest;
  }

  /** Where the largest value shown now is. */
  get worst(): { value: number; body: number; node: number } | null {
    const own = this.bodies.worst(), other = this.veil?.worst() ?? null;
    return own && other ? (own.value >= other.value ? own : other) : (own ?? other);
  }

  /** Value of what colours show at a node. */
  valueAt(body: number, node: number): number {
    return (this.veiled[body] && this.veil ? this.veil : this.bodies).valueAt(body, node);
  }

  /** Whether any flexible body that is drawn has what a measure needs. */
  offers(measure: Measure): boolean {
    return this.source.scene.bodies.some((body) => formOf(body) && knows(body, measure));
  }

  /** Draw calls of the last picture: they must not grow with the number of bodies. */
  get calls(): number {
    return this.stage.renderer.info.render.calls;
  }

  set deformation(scale: number) {
    this.motion.scale = scale;
    this.seek(this.time);
    this.traces.renew(scale);
  }

  /** Lets colours show a measure; resolves when the range of the run is known. */
  async colour(measure: Measure | null, more: () => void = () => {}): Promise<void> {
    this.scale.measure = measure;
    this.place();
    this.paint();
    if (!measure) return;
    await this.range.scan(measure, () => {
      this.place();
      more();
    });
  }

  /** Lets a body be looked through, or not any more. */
  lookThrough(body: number, through: boolean): void {
    this.veiled[body] = through;
    this.veil ??= new Bodies(this.stage.group, this.source.scene, this.motion, this.sizes, "veil");
    this.place();
    this.paint();
  }

  select(body: number): void {
    this.selected = body;
    this.paint();
  }

  paint(): void {
    this.bodies.paint(this.selected, this.scale);
    this.veil?.paint(this.selected, this.scale);
    this.stage.invalidate();
  }

  /** What is under a point of the canvas, from -1 to 1. */
  hit(x: number, y: number): Hit | null {
    const ray = new Raycaster();
    const view = this.stage.viewAt(x, y);
    ray.setFromCamera(new Vector2(view.x, view.y), view.camera);
    for (const layer of [this.bodies, this.veil]) {
      const found = layer?.intersect(ray)[0];
      const hit = found && layer?.identify(found);
      if (hit) return hit;
    }
    return null;
  }

  /** Looks at one body from nearby. */
  zoomOn(body: number): void {
    const box = new Box3(), point = new Vector3();
    pointsOf(this.motion, body, (x, y, z) => void box.expandByPoint(point.set(x, y, z)));
    if (!box.isEmpty()) this.stage.fit(box.expandByScalar(0.05 * box.getSize(point).length() + this.sizes.marker));
  }

  /** The body that carries all others far away, if the model does that: whoever looks on goes along with it. */
  get traveller(): number {
    const { joints } = this.source.scene, roots = joints.flatMap(({ parent }, k) => (parent < 0 ? [k] : []));
    return roots.length === 1 && this.stage.extent > FAR * this.bounds.model ? roots[0] : -1;
  }

  /** Looks at all bodies where they are now. */
  lookAtAll(): void {
    const box = new Box3(), point = new Vector3();
    this.hidden.forEach((_, k) => pointsOf(this.motion, k, (x, y, z) => void box.expandByPoint(point.set(x, y, z))));
    if (!box.isEmpty()) this.stage.fit(box.expandByScalar(0.25 * box.getSize(point).length()));
  }

  /** A point of a body in space. */
  inSpace(out: Vector3, body: number, x: number, y: number, z: number): Vector3 {
    const p = this.motion.poses[body];
    return out.set(p[0] * x + p[1] * y + p[2] * z + p[9], p[3] * x + p[4] * y + p[5] * z + p[10], p[6] * x + p[7] * y + p[8] * z + p[11]);
  }

  /** A node of a body in space, as it is drawn. */
  nodeInSpace(out: Vector3, body: number, node: number): Vector3 {
    const data = this.source.scene.bodies[body];
    const [x, y, z] = this.motion.node(this.work, data, data.nodes, node, this.motion.scale).subarray(9);
    return this.inSpace(out, body, x, y, z);
  }

  /** Where a body, or one of its nodes, is on the canvas, in pixels from its upper left corner. */
  project(body: number, node?: number): [number, number] {
    const { solids, nodes } = this.source.scene.bodies[body];
    const first = 3 * (node ?? nodes.count >> 1);
    const solid = node === undefined ? solids[0]?.position : undefined;
    const [x, y, z] = solid ?? Array.from(nodes.positions.subarray(first, first + 3));
    return this.stage.onCanvas(this.inSpace(new Vector3(), body, x, y, z));
  }
}
