// Everything on the stage at one instant.

import { Box3, Raycaster, Vector2, Vector3, type InstancedMesh } from "three";
import { Arrows } from "./arrows";
import { Flexible } from "./flexible";
import { knows, type Measure } from "./measure";
import { Markers, lined } from "./markers";
import { Motion } from "./motion";
import { newPose } from "./pose";
import { Solids, type Sizes } from "./solids";
import type { Source } from "./source";
import { Stage } from "./stage";

export class Viewer {
  readonly motion: Motion;
  readonly stage: Stage;
  readonly arrows: Arrows;
  readonly markers: Markers;
  /** Round tubes; beams with corners and surfaces. */
  readonly flexible: Flexible[];
  readonly solids: Solids;
  hidden: boolean[];
  time: number;
  row = 0;
  share = 0;
  selected = -1;
  /** Body the camera goes along with, or -1. */
  followed = -1;
  private measure: Measure | null = null;
  private readonly place0 = new Vector3();
  private readonly now = new Vector3();

  constructor(readonly source: Source, canvas: HTMLCanvasElement, keepPixels: boolean, private readonly bounds: Bounds) {
    const { scene } = source;
    this.motion = new Motion(scene);
    this.hidden = scene.bodies.map(() => false);
    this.time = source.times[0];
    this.stage = new Stage(canvas, keepPixels, bounds.box, scene.up);
    this.stage.model = bounds.model;
    const sizes = this.sizes();
    this.solids = new Solids(this.stage.group, scene, this.motion, sizes);
    this.flexible = [true, false].map((round) => new Flexible(this.stage.group, scene, sizes, round));
    this.markers = new Markers(this.stage.group, scene, sizes);
    this.arrows = new Arrows(this.stage.group, source, 0.22 * this.extent);
    this.paint();
  }

  /** Size of the model (m): what markers and arrows are measured by. */
  private get extent(): number {
    return Math.min(this.bounds.model, this.stage.extent) || this.stage.extent;
  }

  /** Markers are small beside the model and beside the distance between bodies. */
  private sizes(): Sizes {
    const { scene } = this.source;
    const arms: number[] = [];
    const pose = newPose();
    scene.joints.forEach((joint, k) => {
      if (joint.parent < 0) return;
      this.motion.mount(pose, joint.parent, joint.outer, 0);
      const from = scene.joints[joint.parent].inner.position;
      const length = Math.hypot(pose[9] - from[0], pose[10] - from[1], pose[11] - from[2]);
      if (length > 0 && k > 0) arms.push(length);
    });
    arms.sort((a, b) => a - b);
    const usual = arms.length ? arms[Math.floor(arms.length / 2)] : Infinity;
    const { extent } = this;
    return { scene: extent, marker: Math.min(0.014 * extent, Math.max(0.16 * usual, 0.0015 * extent)) };
  }

  /** Moves to `time` if its rows are at hand; returns whether they were. */
  seek(time: number): boolean {
    const { times, scene } = this.source;
    this.time = Math.min(times[times.length - 1], Math.max(times[0], time));
    this.locate();
    const a = this.source.row(this.row), b = this.source.row(Math.min(this.row + 1, scene.rows - 1));
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

  /** Row before the time, and how far it is to the next. */
  private locate(): void {
    const { times } = this.source;
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= this.time) low = middle;
      else high = middle;
    }
    const gap = times.length > 1 ? times[low + 1] - times[low] : 0;
    this.row = low;
    this.share = gap > 0 ? (this.time - times[low]) / gap : 0;
    if (this.share >= 1) [this.row, this.share] = [low + 1, 0];
  }

  place(): void {
    this.solids.place(this.motion, this.hidden);
    for (const part of this.flexible) part.place(this.motion, this.hidden);
    // Both meshes have one colour scale.
    if (this.measure) for (const part of this.flexible) part.largest[this.measure] = this.largest(this.measure);
    this.markers.place(this.motion, this.hidden);
    this.arrows.place(this.motion, this.row, this.share, this.hidden);
    this.stage.invalidate();
  }

  /** Largest deflection (m), stress (Pa) or strain seen so far. */
  largest(measure: Measure): number {
    return Math.max(...this.flexible.map((part) => part.largest[measure]));
  }

  /** Whether any flexible body that is drawn has what a measure needs. */
  offers(measure: Measure): boolean {
    return this.flexible.some(({ mesh }) => mesh.visible) && this.source.scene.bodies.some((body) => knows(body, measure));
  }

  /** Draw calls of the last picture: they must not grow with the number of bodies. */
  get calls(): number {
    return this.stage.renderer.info.render.calls;
  }

  set deformation(scale: number) {
    this.motion.scale = scale;
    this.seek(this.time);
  }

  colour(measure: Measure | null): void {
    this.measure = measure;
    // Values are computed only while they are shown: first they, then the colours.
    for (const part of this.flexible) part.measure = measure;
    this.place();
    this.paint();
  }

  select(body: number): void {
    this.selected = body;
    this.paint();
  }

  private paint(): void {
    this.solids.paint(this.selected);
    for (const part of this.flexible) part.paint(this.selected);
    this.stage.invalidate();
  }

  /** Body under a point of the canvas, from -1 to 1; -1 if there is none. */
  pick(x: number, y: number): number {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.stage.camera);
    const hits = ray.intersectObjects([...this.solids.meshes, ...this.flexible.map((part) => part.mesh)].filter((mesh) => mesh.visible));
    const hit = hits[0];
    if (!hit) return -1;
    if (hit.instanceId !== undefined) return this.solids.bodyOf(hit.object as InstancedMesh, hit.instanceId);
    const part = this.flexible.find(({ mesh }) => mesh === hit.object);
    return hit.face && part ? part.bodyOf(hit.face.a) : -1;
  }

  /** Where a body, or one of its nodes, is on the canvas, in pixels from its upper left corner. */
  project(body: number, node?: number): [number, number] {
    const { solids, nodes } = this.source.scene.bodies[body];
    const first = 3 * (node ?? nodes.count >> 1);
    const solid = node === undefined ? solids[0]?.position : undefined;
    const local = solid ?? Array.from(nodes.positions.subarray(first, first + 3));
    const p = this.motion.poses[body];
    const at = new Vector3(
      p[0] * local[0] + p[1] * local[1] + p[2] * local[2] + p[9],
      p[3] * local[0] + p[4] * local[1] + p[5] * local[2] + p[10],
      p[6] * local[0] + p[7] * local[1] + p[8] * local[2] + p[11],
    ).project(this.stage.camera);
    const { clientWidth, clientHeight } = this.stage.canvas;
    return [((at.x + 1) / 2) * clientWidth, ((1 - at.y) / 2) * clientHeight];
  }
}

/** What is to be seen: over all time, and how large the model itself is (m). */
export interface Bounds {
  box: Box3;
  model: number;
}

/** A model that goes this many times farther than it is long is measured by itself, not by its way. */
const FAR = 3;

/** The box of all bodies over some of the rows at hand. */
export async function boundsOf(source: Source): Promise<Bounds> {
  const { scene } = source;
  const motion = new Motion(scene);
  const box = new Box3(), point = new Vector3(), pose = newPose();
  let first = 0;
  const samples = Math.min(scene.rows, source.streaming ? 3 : 40);
  const grow = (k: number, x: number, y: number, z: number) => {
    const p = motion.poses[k];
    point.set(p[0] * x + p[1] * y + p[2] * z + p[9], p[3] * x + p[4] * y + p[5] * z + p[10], p[6] * x + p[7] * y + p[8] * z + p[11]);
    if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
  };
  for (let i = 0; i < samples; i++) {
    const row = await source.load(samples > 1 ? Math.round((i * (scene.rows - 1)) / (samples - 1)) : 0);
    motion.show(row, row, 0);
    scene.bodies.forEach((body, k) => {
      const step = Math.max(1, Math.floor(body.nodes.count / 50));
      for (let n = 0; n < body.nodes.count; n += step) grow(k, body.nodes.positions[3 * n], body.nodes.positions[3 * n + 1], body.nodes.positions[3 * n + 2]);
      for (const solid of body.solids) {
        const half = Math.max(...(solid.box ?? [0]), solid.sphere ?? 0, ...(solid.cylinder ?? [0])) / 2;
        for (const side of [-half, half]) grow(k, solid.position[0] + side, solid.position[1] + side, solid.position[2] + side);
      }
      motion.mount(pose, k, scene.joints[k].inner);
      grow(k, pose[9], pose[10], pose[11]);
    });
    if (i === 0) first = box.isEmpty() ? 0 : box.getSize(point).length();
    // Springs reach to where no body is: their ends on the ground belong to the picture.
    for (const { frames } of lined(scene)) {
      for (const frame of frames.map((f) => scene.frames[f])) {
        motion.mountInSpace(pose, frame.body, frame);
        box.expandByPoint(point.set(pose[9], pose[10], pose[11]));
      }
    }
  }
  if (box.isEmpty() || first === 0) first = Infinity;
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const size = box.getSize(point).length();
  return { box: box.expandByScalar(size > 0 ? 0.02 * size : 0.5), model: size > FAR * first ? first : size };
}
