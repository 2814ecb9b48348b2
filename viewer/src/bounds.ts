// What is to be seen over all time.

import { Box3, Vector3 } from "three";
import { lined } from "./connectors";
import { Motion } from "./motion";
import { newPose, poseOf } from "./pose";
import type { Sizes } from "./solids";
import type { Source } from "./source";
import type { Body, SurfaceData } from "./types";

/** What is to be seen: over all time, and how large the model itself is (m). */
export interface Bounds {
  box: Box3;
  model: number;
}

/** A model that goes this many times farther than it is long is measured by itself, not by its way. */
const FAR = 3;
/** Nodes of a body that are looked at. */
const MOST_NODES = 50;

const pose = newPose();

/** Hands some points of a body in space to `visit`: nodes, corners of solids, its joint. */
export function pointsOf(motion: Motion, k: number, visit: (x: number, y: number, z: number) => void): void {
  const { scene } = motion, body = scene.bodies[k], p = motion.poses[k];
  const show = (x: number, y: number, z: number) => {
    const at = [0, 3, 6].map((i) => p[i] * x + p[i + 1] * y + p[i + 2] * z + p[9 + i / 3]);
    if (at.every(Number.isFinite)) visit(at[0], at[1], at[2]);
  };
  const { positions, count } = body.nodes;
  const step = Math.max(1, Math.floor(count / MOST_NODES)), thick = thicknessOf(body);
  for (let n = 0; n < count; n += step) {
    for (const side of thick ? [-thick / 2, thick / 2] : [0]) {
      show(positions[3 * n] + side, positions[3 * n + 1] + side, positions[3 * n + 2] + side);
    }
  }
  for (const solid of body.solids) {
    if (solid.mesh !== undefined) {
      const place = poseOf(solid.position, solid.quaternion);
      for (const [x, y, z] of cornersOf(scene.meshes[solid.mesh])) {
        const at = [0, 3, 6].map((i) => place[i] * x + place[i + 1] * y + place[i + 2] * z + place[9 + i / 3]);
        show(at[0], at[1], at[2]);
      }
      continue;
    }
    const half = Math.max(...(solid.box ?? [0]), 2 * (solid.sphere ?? 0), ...(solid.cylinder ?? [0])) / 2;
    for (const side of [-half, half]) show(solid.position[0] + side, solid.position[1] + side, solid.position[2] + side);
  }
  motion.mount(pose, k, scene.joints[k].inner);
  show(pose[9], pose[10], pose[11]);
}

const thicknesses = new WeakMap<Body, number>();

/** Width of a beam's section where it counts beside its length (m); of slender ones zero. */
function thicknessOf(body: Body): number {
  const known = thicknesses.get(body);
  if (known !== undefined) return known;
  const width = body.lines.length ? Math.max(...(body.rectangle ?? [2 * (body.circle ?? 0)])) : 0;
  const length = new Box3().setFromArray(body.nodes.positions as unknown as number[]).getSize(new Vector3()).length();
  const found = width > 0.2 * length ? width : 0;
  thicknesses.set(body, found);
  return found;
}

const corners = new WeakMap<SurfaceData, [number, number, number][]>();

/** Corners of the box around a surface. */
function cornersOf(mesh: SurfaceData): [number, number, number][] {
  const known = corners.get(mesh);
  if (known) return known;
  const { min, max } = new Box3().setFromArray(mesh.positions as unknown as number[]);
  const found = [0, 1, 2, 3, 4, 5, 6, 7].map((k): [number, number, number] =>
    [k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z]);
  corners.set(mesh, found);
  return found;
}

/** Shows some rows, evenly over the time, to `look`. */
export async function samples(source: Source, motion: Motion, look: (sample: number) => void): Promise<void> {
  const { scene } = source;
  const count = Math.min(scene.rows, source.streaming ? 3 : 40);
  for (let i = 0; i < count; i++) {
    const row = await source.load(count > 1 ? Math.round((i * (scene.rows - 1)) / (count - 1)) : 0);
    motion.show(row, row, 0);
    look(i);
  }
}

/** The box of all bodies over some of the rows at hand. */
export async function boundsOf(source: Source): Promise<Bounds> {
  const { scene } = source;
  const motion = new Motion(scene), box = new Box3(), point = new Vector3();
  const grow = (x: number, y: number, z: number) => void box.expandByPoint(point.set(x, y, z));
  let first = 0;
  await samples(source, motion, (sample) => {
    scene.bodies.forEach((_, k) => pointsOf(motion, k, grow));
    if (sample === 0) first = box.isEmpty() ? 0 : box.getSize(point).length();
    // Springs reach to where no body is: their ends on the ground belong to the picture.
    for (const { frames } of lined(scene)) {
      for (const frame of frames.map((f) => scene.frames[f])) {
        motion.mountInSpace(pose, frame.body, frame);
        grow(pose[9], pose[10], pose[11]);
      }
    }
  });
  if (box.isEmpty() || first === 0) first = Infinity;
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const size = box.getSize(point).length();
  return { box: box.expandByScalar(size > 0 ? 0.02 * size : 0.5), model: size > FAR * first ? first : size };
}

/** Markers are small beside the model and beside the distance between bodies. */
export function sizesOf(motion: Motion, extent: number): Sizes {
  const { joints } = motion.scene, arms: number[] = [];
  joints.forEach((joint, k) => {
    if (joint.parent < 0) return;
    motion.mount(pose, joint.parent, joint.outer, 0);
    const from = joints[joint.parent].inner.position;
    const length = Math.hypot(pose[9] - from[0], pose[10] - from[1], pose[11] - from[2]);
    if (length > 0 && k > 0) arms.push(length);
  });
  arms.sort((a, b) => a - b);
  const usual = arms.length ? arms[Math.floor(arms.length / 2)] : Infinity;
  return { scene: extent, marker: Math.min(0.014 * extent, Math.max(0.16 * usual, 0.0015 * extent)) };
}
