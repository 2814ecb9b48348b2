// Springs inside joints: a spiral where the joint turns, a coil along what slides.

import { type BufferGeometry, DynamicDrawUsage, type Group, InstancedMesh } from "three";
import { coil, SPRING, spiral } from "./coils";
import type { Motion } from "./motion";
import { aim, newPose, poseOf, putMatrix, type Pose } from "./pose";
import { surface } from "./skin";
import type { Sizes } from "./solids";
import type { Body, Mount, SceneData, Vector } from "./types";

/** Length of a coil where its joint is at zero, its radius and that of a spiral, in sizes of a marker. */
const REST = 5, WIDTH = 0.7, SPIRAL = 1.6;
/** Shortest coil, relative to its rest: what is pushed together does not turn inside out. */
const SHORTEST = 0.15;

/** Where a joint sits on its two bodies; -1 is the ground. */
interface Place {
  outer: { body: number; mount: Mount };
  inner: { body: number; mount: Mount };
  axis: Vector | null;
  /** On which side of the joint a coil lies, along its axis. */
  side: number;
}

export class JointSprings {
  private readonly turning: Place[] = [];
  private readonly sliding: Place[] = [];
  readonly meshes: InstancedMesh[];
  private readonly ends: [Pose, Pose] = [newPose(), newPose()];

  constructor(group: Group, scene: SceneData, private readonly sizes: Sizes) {
    const tree = scene.joints.map(({ springs, axis, parent, outer, inner }, k) =>
      ({ springs, axis, outer: { body: parent, mount: outer }, inner: { body: k, mount: inner } }));
    const closing = scene.loops.map(({ springs, axis, frames }) => {
      const [outer, inner] = frames.map((f) => ({ body: scene.frames[f].body, mount: scene.frames[f] }));
      return { springs, axis, outer, inner };
    });
    for (const found of [...tree, ...closing]) {
      const place = { ...found, side: sideOf(scene, found) };
      if (place.springs?.[0]) this.sliding.push(place);
      if (place.springs?.[1]) this.turning.push(place);
    }
    // Seen through bodies, as joints are.
    const material = surface(false, { color: SPRING, transparent: true, opacity: 0.75, depthTest: false });
    const add = (form: BufferGeometry, count: number) => {
      const mesh = new InstancedMesh(form, material, count);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      if (count) group.add(mesh);
      return mesh;
    };
    this.meshes = [add(coil(), this.sliding.length), add(spiral(), this.turning.length)];
  }

  set visible(visible: boolean) {
    for (const mesh of this.meshes) mesh.visible = visible;
  }

  place(motion: Motion, hidden: boolean[]): void {
    const [outer, inner] = this.ends, { marker } = this.sizes, [coils, spirals] = this.meshes;
    this.sliding.forEach((place, i) => {
      const length = this.stretch(motion, place), r = gone(place, hidden) ? 0 : WIDTH * marker;
      putMatrix(coils.instanceMatrix.array, i, outer, r, r, r === 0 ? 0 : length);
    });
    this.turning.forEach((place, i) => {
      motion.mountInSpace(inner, place.inner.body, place.inner.mount);
      const [x, y, z] = along(inner, place.axis ?? [0, 0, 1]);
      aim(inner, x, y, z);
      const r = gone(place, hidden) ? 0 : SPIRAL * marker;
      putMatrix(spirals.instanceMatrix.array, i, inner, r, r, r);
    });
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  /** The first of `ends` at the beginning of the coil of a joint and turned along it; its length (m). */
  private stretch(motion: Motion, { outer, inner, axis, side }: Place): number {
    const [from, to] = this.ends, rest = REST * this.sizes.marker;
    motion.mountInSpace(from, outer.body, outer.mount);
    motion.mountInSpace(to, inner.body, inner.mount);
    const gap = [9, 10, 11].map((i) => to[i] - from[i]);
    if (!axis) {
      const length = Math.hypot(...gap);
      if (length > 0) aim(from, gap[0] / length, gap[1] / length, gap[2] / length);
      return length;
    }
    // It begins beside the joint, so that there is something of it where the joint is at zero, and ends at what slides.
    const direction = along(from, axis);
    const slide = gap[0] * direction[0] + gap[1] * direction[1] + gap[2] * direction[2];
    for (let i = 0; i < 3; i++) from[9 + i] += side * rest * direction[i];
    aim(from, -side * direction[0], -side * direction[1], -side * direction[2]);
    return Math.max(SHORTEST * rest, rest - side * slide);
  }
}

/** Coils lie where the body is that carries the joint: above the wheels of a car, not below. On the ground, away from what slides. */
function sideOf(scene: SceneData, { outer, inner, axis }: Omit<Place, "side">): number {
  const [at, towards] = outer.body >= 0 ? [outer, 1] : [inner, -1];
  if (!axis || at.body < 0) return -1;
  const centre = centreOf(scene.bodies[at.body]), direction = along(poseOf(at.mount.position, at.mount.quaternion), axis);
  const ahead = centre.reduce((sum, place, i) => sum + (place - at.mount.position[i]) * direction[i], 0);
  return towards * ahead > 0 ? 1 : -1;
}

/** The middle of what is drawn of a body, in its own frame. */
function centreOf({ nodes, solids }: Body): number[] {
  if (solids.length) return [0, 1, 2].map((i) => solids.reduce((sum, solid) => sum + solid.position[i], 0) / solids.length);
  const sum = [0, 0, 0];
  for (let n = 0; n < 3 * nodes.count; n++) sum[n % 3] += nodes.positions[n] / nodes.count;
  return sum;
}

/** A direction of a mount in space. */
const along = (pose: Pose, [x, y, z]: Vector): Vector =>
  [0, 3, 6].map((row) => pose[row] * x + pose[row + 1] * y + pose[row + 2] * z) as Vector;

/** Whether a joint has no end on a body that is shown. */
const gone = ({ outer, inner }: Place, hidden: boolean[]): boolean =>
  [outer, inner].every(({ body }) => body < 0 || hidden[body]);
