// Axes of frames and clouds of nodes.

import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, type Group, LineBasicMaterial, LineSegments, Points, PointsMaterial,
} from "three";
import type { Motion } from "./motion";
import { newPose, place } from "./pose";
import type { Sizes } from "./solids";
import type { SceneData } from "./types";

/** Colours of the axes x, y and z. */
export const AXES = ["#e5484d", "#30a46c", "#3e7bfa"];

export class Markers {
  private readonly frames: LineSegments;
  private readonly cloud: Points;
  private readonly clouds: number[];
  private readonly pose = newPose();

  constructor(group: Group, private readonly scene: SceneData, private readonly sizes: Sizes) {
    this.frames = this.axesOfFrames();
    this.frames.visible = false;
    this.clouds = scene.bodies.flatMap((body, k) => (body.nodes.count > 0 && !body.lines.length && !body.triangles.length ? [k] : []));
    const count = this.clouds.reduce((sum, k) => sum + scene.bodies[k].nodes.count, 0);
    const points = new BufferGeometry();
    points.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
    this.cloud = new Points(points, new PointsMaterial({ size: 0.4 * sizes.marker, color: "#4f9fd4" }));
    // What is not there is not drawn at all.
    this.cloud.visible = count > 0;
    for (const object of [this.frames, this.cloud]) {
      object.frustumCulled = false;
      group.add(object);
    }
  }

  private axesOfFrames(): LineSegments {
    const vertices = 6 * this.scene.frames.length, form = new BufferGeometry();
    form.setAttribute("position", new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
    const colours = new BufferAttribute(new Float32Array(3 * vertices), 3);
    for (let i = 0; i < vertices; i++) {
      const hex = parseInt(AXES[Math.floor(i / 2) % 3].slice(1), 16);
      colours.setXYZ(i, (hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255);
    }
    form.setAttribute("color", colours);
    return new LineSegments(form, new LineBasicMaterial({ vertexColors: true }));
  }

  set axes(visible: boolean) {
    this.frames.visible = visible;
  }

  place(motion: Motion, hidden: boolean[]): void {
    if (this.frames.visible) this.placeFrames(motion);
    if (this.clouds.length) this.placeCloud(motion, hidden);
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
