// Forces as arrows: joint reactions, force elements and applied forces, where their channels were recorded.

import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, Matrix4, MeshBasicMaterial } from "three";
import { basis } from "./markers";
import type { Motion } from "./motion";
import { newPose } from "./pose";
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

  constructor(group: Group, private readonly source: Source, private readonly longest: number) {
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
    const material = new MeshBasicMaterial({ color: "#7048e8" });
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

  place(motion: Motion, row: number, share: number, hidden: boolean[]): void {
    if (!this.visible) return;
    const pose = newPose(), matrix = new Matrix4();
    this.list.forEach((arrow, i) => {
      const next = Math.min(row + 1, this.source.scene.rows - 1);
      const force = (arrow.values ?? []).map((v) => v[row] + share * (v[next] - v[row]));
      const p = motion.mountInSpace(pose, arrow.body, arrow.mount);
      const size = Math.hypot(...force) || 0;
      const length = hidden[arrow.body] || !this.largest ? 0 : (this.longest * size) / this.largest;
      const unit = (size > 0 ? force.map((f) => f / size) : [0, 0, 1]) as [number, number, number];
      const [x, y, z] = basis(arrow.local ? p : IDENTITY, unit);
      const put = (mesh: InstancedMesh, from: number, wide: number, long: number) => {
        const at = [0, 1, 2].map((k) => p[9 + k] + from * z[k]);
        matrix.set(
          x[0] * wide, y[0] * wide, z[0] * long, at[0], x[1] * wide, y[1] * wide, z[1] * long, at[1],
          x[2] * wide, y[2] * wide, z[2] * long, at[2], 0, 0, 0, 1,
        );
        mesh.setMatrixAt(i, matrix);
      };
      const head = Math.min(0.3 * length, 0.18 * this.longest);
      put(this.shafts, 0, 0.02 * this.longest * Math.min(1, length / (0.2 * this.longest)), length - head);
      put(this.heads, length - head, 0.35 * head, head);
    });
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }
}

const IDENTITY = newPose();
