// Forces as arrows: joint reactions, force elements and applied forces, where their channels were recorded.

import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, MeshBasicMaterial } from "three";
import { ARROW_COLOUR } from "./annotate";
import type { Motion } from "./motion";
import { aim, newPose, putMatrix, type Pose } from "./pose";
import type { Source } from "./source";
import type { Mount, Vector } from "./types";

/** Most arrows drawn: each needs three channels over the whole time. */
const MOST = 300;

interface Arrow {
  body: number;
  mount: Mount;
  /** Whether the components are those of the mount, not of space. */
  local: boolean;
  channels: number[];
  /** Components that one channel scales, in place of three channels. */
  fixed?: Vector;
  values?: Float32Array[];
}

export class Arrows {
  /** Largest force over all time (N): the longest arrow. */
  largest = 0;
  visible = false;
  private readonly list: Arrow[] = [];
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private loaded: Promise<void> | null = null;
  private readonly pose = newPose();
  private readonly shown = newPose();
  private readonly force = new Float64Array(3);

  /** `longest`: the longest arrow (m). */
  constructor(group: Group, private readonly source: Source, readonly longest: number) {
    const { scene } = source;
    const find = (name: string) => ["x", "y", "z"].map((axis) => scene.channels.indexOf(`${name}.force.${axis}`));
    const add = (name: string, body: number, mount: Mount, local: boolean) => {
      const channels = find(name);
      if (!channels.includes(-1) && this.list.length < MOST) this.list.push({ body, mount, local, channels });
    };
    scene.joints.forEach((joint, k) => {
      // The channels are components in the second named frame.
      if (joint.swapped) add(joint.name, joint.parent, joint.outer, true);
      else add(joint.name, k, joint.inner, true);
    });
    for (const element of scene.elements) {
      const frame = scene.frames[element.frames[1]];
      add(element.name, frame.body, frame, false);
    }
    for (const { name, frame, force, inertial } of scene.forces) {
      const channel = scene.channels.indexOf(`${name}.force_scale`), at = scene.frames[frame];
      if (channel < 0 || Math.hypot(...force) === 0 || this.list.length >= MOST) continue;
      this.list.push({ body: at.body, mount: at, local: !inertial, channels: [channel], fixed: force });
    }
    const material = new MeshBasicMaterial({ color: ARROW_COLOUR });
    const shaft = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new InstancedMesh(shaft, material, Math.max(1, this.list.length));
    this.heads = new InstancedMesh(head, material, Math.max(1, this.list.length));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.list.length;
      mesh.visible = false;
      mesh.frustumCulled = false;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      group.add(mesh);
    }
  }

  get available(): boolean {
    return this.list.length > 0;
  }

  async show(visible: boolean): Promise<void> {
    this.loaded ??= visible ? this.load() : null;
    await this.loaded;
    this.visible = this.shafts.visible = this.heads.visible = visible;
  }

  /** Values of a growing result are read again. */
  forget(): void {
    if (!this.loaded) return;
    this.loaded = this.load();
  }

  private async load(): Promise<void> {
    for (const arrow of this.list) {
      arrow.values = await Promise.all(arrow.channels.map((index) => this.source.channel(index)));
      const { fixed } = arrow;
      if (fixed) {
        const scale = arrow.values[0];
        arrow.values = fixed.map((component) => scale.map((factor) => factor * component));
      }
      const [x, y, z] = arrow.values;
      for (let i = 0; i < x.length; i++) this.largest = Math.max(this.largest, Math.hypot(x[i], y[i], z[i]));
    }
  }

  place(motion: Motion, row: number, next: number, share: number, hidden: boolean[]): void {
    if (!this.visible) return;
    const { pose, shown, force, longest } = this;
    const shafts = this.shafts.instanceMatrix.array, heads = this.heads.instanceMatrix.array;
    for (let i = 0; i < this.list.length; i++) {
      const { values, body, mount, local } = this.list[i];
      for (let c = 0; c < 3; c++) force[c] = values ? values[c][row] + share * (values[c][next] - values[c][row]) : 0;
      motion.mountInSpace(pose, body, mount);
      const size = Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) || 0;
      const length = hidden[body] || !this.largest ? 0 : (longest * size) / this.largest;
      alongForce(shown, local ? pose : IDENTITY, force, size);
      const head = Math.min(0.3 * length, 0.18 * longest), tail = length - head;
      const wide = 0.02 * longest * Math.min(1, length / (0.2 * longest));
      for (let k = 0; k < 3; k++) shown[9 + k] = pose[9 + k];
      putMatrix(shafts, i, shown, wide, wide, tail);
      for (let k = 0; k < 3; k++) shown[9 + k] += tail * shown[3 * k + 2];
      putMatrix(heads, i, shown, 0.35 * head, 0.35 * head, head);
    }
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }
}

const IDENTITY = newPose();

/** Axes into `out`, the last along a force of the given size in the axes of `pose`. */
function alongForce(out: Pose, pose: Pose, force: Float64Array, size: number): void {
  if (size === 0) return aim(out, 0, 0, 1);
  const along = (i: number) => (pose[i] * force[0] + pose[i + 1] * force[1] + pose[i + 2] * force[2]) / size;
  aim(out, along(0), along(3), along(6));
}
