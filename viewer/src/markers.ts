// Joints, frames, force elements and clouds of nodes.

import {
  BufferAttribute, BufferGeometry, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, LineBasicMaterial,
  LineSegments, type Material, Points, PointsMaterial, SphereGeometry,
} from "three";
import type { Motion } from "./motion";
import { crowded, surface } from "./palette";
import { compose, newPose, place, putMatrix, type Pose } from "./pose";
import type { Sizes } from "./solids";
import type { Element, Mount, SceneData, Vector } from "./types";

/** Elements without anything between their frames: a line would show what is not there. */
const WITHOUT_LINE = ["contact", "drag", "tyre"];
const AXES = ["#e5484d", "#30a46c", "#3e7bfa"];

/** A joint: its mount on a body, and the turn of its z axis into its own axis. */
interface Marked {
  body: number;
  mount: Mount;
  turn: Pose;
}

export class Markers {
  private readonly axled: Marked[];
  private readonly round: Marked[];
  private readonly axles: InstancedMesh;
  private readonly balls: InstancedMesh;
  private readonly frames: LineSegments;
  private readonly elements: LineSegments;
  private readonly cloud: Points;
  private readonly clouds: number[];
  private readonly drawn: Element[];
  private readonly pose = newPose();

  constructor(group: Group, private readonly scene: SceneData, private readonly sizes: Sizes) {
    const shown = scene.joints.map((joint, k) => ({ joint, k })).filter(({ joint }) => joint.kind !== "free" && joint.kind !== "weld");
    // Joints of the tree by their body, joints that close loops behind them.
    const first = scene.joints.length;
    const closing = scene.loops.map((joint, l) => ({ joint, k: first + l })).filter(({ joint }) => joint.kind !== "weld");
    const all = [...shown, ...closing];
    this.axled = all.filter(({ joint }) => joint.axis).map(({ k }) => this.marked(k));
    this.round = all.filter(({ joint }) => !joint.axis).map(({ k }) => this.marked(k));
    // Seen through bodies: joints often sit inside them.
    const many = crowded(scene.bodies.length), sides = many ? 6 : 16;
    const material = () => surface(many, { color: "#3d4756", transparent: true, opacity: 0.55, depthTest: false });
    const cylinder = new CylinderGeometry(0.45, 0.45, 2, sides).rotateX(Math.PI / 2);
    this.axles = instanced(cylinder, material(), this.axled.length);
    this.balls = instanced(new SphereGeometry(0.8, sides, sides - 2), material(), this.round.length);
    this.frames = lines(6 * scene.frames.length, true);
    this.frames.visible = false;
    const colours = this.frames.geometry.attributes.color as BufferAttribute;
    for (let i = 0; i < colours.count; i++) {
      const hex = parseInt(AXES[Math.floor(i / 2) % 3].slice(1), 16);
      colours.setXYZ(i, (hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255);
    }
    this.drawn = lined(scene);
    this.elements = lines(2 * this.drawn.length, false);
    this.clouds = scene.bodies.flatMap((body, k) => (body.nodes.count > 0 && !body.lines.length && !body.triangles.length ? [k] : []));
    const count = this.clouds.reduce((sum, k) => sum + scene.bodies[k].nodes.count, 0);
    const points = new BufferGeometry();
    points.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
    this.cloud = new Points(points, new PointsMaterial({ size: 0.4 * sizes.marker, color: "#4f9fd4" }));
    // What is not there is not drawn at all.
    this.elements.visible = this.drawn.length > 0;
    this.cloud.visible = count > 0;
    this.joints = true;
    for (const object of [this.axles, this.balls, this.frames, this.elements, this.cloud]) {
      object.frustumCulled = false;
      group.add(object);
    }
  }

  set joints(visible: boolean) {
    this.axles.visible = visible && this.axled.length > 0;
    this.balls.visible = visible && this.round.length > 0;
  }

  set axes(visible: boolean) {
    this.frames.visible = visible;
  }

  place(motion: Motion, hidden: boolean[]): void {
    this.placeJoints(motion, hidden, this.axled, this.axles);
    this.placeJoints(motion, hidden, this.round, this.balls);
    if (this.frames.visible) this.placeFrames(motion);
    this.placeElements(motion);
    if (this.clouds.length) this.placeCloud(motion, hidden);
  }

  private placeJoints(motion: Motion, hidden: boolean[], list: Marked[], mesh: InstancedMesh): void {
    if (list.length === 0) return;
    const out = mesh.instanceMatrix.array, { pose } = this;
    for (let i = 0; i < list.length; i++) {
      const { body, mount, turn } = list[i];
      compose(pose, motion.mountInSpace(pose, body, mount), turn);
      const size = hidden[body] ? 0 : this.sizes.marker;
      putMatrix(out, i, pose, size, size, size);
    }
    mesh.instanceMatrix.needsUpdate = true;
  }

  /** Where a joint is drawn: joints of the tree by their body, joints that close loops behind them. */
  private marked(k: number): Marked {
    const loop = this.scene.loops[k - this.scene.joints.length];
    const joint = loop ?? this.scene.joints[k];
    const frame = loop && this.scene.frames[loop.frames[1]];
    const turn = newPose(), [x, y, z] = basis(turn, joint.axis ?? [0, 0, 1]);
    for (let i = 0; i < 3; i++) turn.set([x[i], y[i], z[i]], 3 * i);
    return { body: frame ? frame.body : k, mount: frame ?? this.scene.joints[k].inner, turn };
  }

  private placeFrames(motion: Motion): void {
    const attribute = this.frames.geometry.attributes.position as BufferAttribute;
    const out = attribute.array as Float32Array, length = 2.5 * this.sizes.marker;
    this.scene.frames.forEach((frame, f) => {
      const pose = motion.mountInSpace(this.pose, frame.body, frame);
      for (let axis = 0; axis < 3; axis++) {
        const at = 18 * f + 6 * axis;
        place(out, at, pose, 0, 0, 0);
        place(out, at + 3, pose, axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0);
      }
    });
    attribute.needsUpdate = true;
  }

  private placeElements(motion: Motion): void {
    if (this.drawn.length === 0) return;
    const attribute = this.elements.geometry.attributes.position as BufferAttribute;
    const out = attribute.array as Float32Array;
    for (let e = 0; e < this.drawn.length; e++) {
      for (let end = 0; end < 2; end++) {
        const frame = this.scene.frames[this.drawn[e].frames[end]];
        place(out, 6 * e + 3 * end, motion.mountInSpace(this.pose, frame.body, frame), 0, 0, 0);
      }
    }
    attribute.needsUpdate = true;
  }

  private placeCloud(motion: Motion, hidden: boolean[]): void {
    const attribute = this.cloud.geometry.attributes.position as BufferAttribute;
    const out = attribute.array as Float32Array;
    let at = 0;
    for (const k of this.clouds) {
      const body = this.scene.bodies[k];
      for (let n = 0; n < body.nodes.count; n++, at += 3) {
        const p = motion.node(this.pose, body, body.nodes, n, motion.scale);
        if (hidden[k]) out.fill(NaN, at, at + 3);
        else place(out, at, motion.poses[k], p[9], p[10], p[11]);
      }
    }
    attribute.needsUpdate = true;
  }
}

/** Elements drawn as lines between their frames. */
export function lined(scene: SceneData): Element[] {
  return scene.elements.filter(({ kind }) => !WITHOUT_LINE.includes(kind));
}

function instanced(form: BufferGeometry, material: Material, count: number): InstancedMesh {
  const mesh = new InstancedMesh(form, material, Math.max(1, count));
  mesh.count = count;
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  return mesh;
}

function lines(vertices: number, coloured: boolean): LineSegments {
  const form = new BufferGeometry();
  form.setAttribute("position", new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
  if (coloured) form.setAttribute("color", new BufferAttribute(new Float32Array(3 * vertices), 3));
  const material = coloured ? { vertexColors: true } : { color: "#e0672b" };
  return new LineSegments(form, new LineBasicMaterial(material));
}

/** Three unit vectors in space, the last along `axis` of the pose. */
export function basis(pose: Pose, axis: Vector): [number[], number[], number[]] {
  const z = [0, 1, 2].map((i) => pose[3 * i] * axis[0] + pose[3 * i + 1] * axis[1] + pose[3 * i + 2] * axis[2]);
  const side = Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  let x = [side[1] * z[2] - side[2] * z[1], side[2] * z[0] - side[0] * z[2], side[0] * z[1] - side[1] * z[0]];
  const length = Math.hypot(...x) || 1;
  x = x.map((value) => value / length);
  return [x, [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]], z];
}
