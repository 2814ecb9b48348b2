// Joints, frames, force elements and clouds of nodes.

import {
  BufferAttribute, BufferGeometry, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, LineBasicMaterial,
  LineSegments, Matrix4, MeshStandardMaterial, Points, PointsMaterial, SphereGeometry,
} from "three";
import type { Motion } from "./motion";
import { newPose, place, type Pose } from "./pose";
import type { Sizes } from "./solids";
import type { Element, SceneData, Vector } from "./types";

/** Elements without anything between their frames: a line would show what is not there. */
const WITHOUT_LINE = ["contact", "drag", "tyre"];
const AXES = ["#e5484d", "#30a46c", "#3e7bfa"];

export class Markers {
  private readonly axled: number[];
  private readonly round: number[];
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
    this.axled = all.filter(({ joint }) => joint.axis).map(({ k }) => k);
    this.round = all.filter(({ joint }) => !joint.axis).map(({ k }) => k);
    // Seen through bodies: joints often sit inside them.
    const material = () =>
      new MeshStandardMaterial({ color: "#3d4756", roughness: 0.5, transparent: true, opacity: 0.55, depthTest: false });
    const sides = scene.bodies.length > 200 ? 6 : 16;
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
    for (const object of [this.axles, this.balls, this.frames, this.elements, this.cloud]) {
      object.frustumCulled = false;
      group.add(object);
    }
  }

  set joints(visible: boolean) {
    this.axles.visible = this.balls.visible = visible;
  }

  set axes(visible: boolean) {
    this.frames.visible = visible;
  }

  place(motion: Motion, hidden: boolean[]): void {
    this.axled.forEach((k, i) => this.axles.setMatrixAt(i, this.jointMatrix(motion, k, hidden)));
    this.round.forEach((k, i) => this.balls.setMatrixAt(i, this.jointMatrix(motion, k, hidden)));
    this.axles.instanceMatrix.needsUpdate = this.balls.instanceMatrix.needsUpdate = true;
    if (this.frames.visible) this.placeFrames(motion);
    this.placeElements(motion);
    if (this.clouds.length) this.placeCloud(motion, hidden);
  }

  private jointMatrix(motion: Motion, k: number, hidden: boolean[]): Matrix4 {
    const loop = this.scene.loops[k - this.scene.joints.length];
    const joint = loop ?? this.scene.joints[k];
    const frame = loop && this.scene.frames[loop.frames[1]];
    const body = frame ? frame.body : k;
    const size = hidden[body] ? 0 : this.sizes.marker;
    const p = motion.mountInSpace(this.pose, body, frame ?? this.scene.joints[k].inner);
    const [x, y, z] = basis(p, joint.axis ?? [0, 0, 1]);
    return new Matrix4().set(
      x[0] * size, y[0] * size, z[0] * size, p[9], x[1] * size, y[1] * size, z[1] * size, p[10],
      x[2] * size, y[2] * size, z[2] * size, p[11], 0, 0, 0, 1,
    );
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
    const attribute = this.elements.geometry.attributes.position as BufferAttribute;
    const out = attribute.array as Float32Array;
    this.drawn.forEach((element, e) => {
      element.frames.forEach((f, end) => {
        const frame = this.scene.frames[f];
        place(out, 6 * e + 3 * end, motion.mountInSpace(this.pose, frame.body, frame), 0, 0, 0);
      });
    });
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

function instanced(form: BufferGeometry, material: MeshStandardMaterial, count: number): InstancedMesh {
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
