// Joints, each kind with its own form: what turns is round, what slides is a rail.

import {
  BoxGeometry, type BufferGeometry, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, SphereGeometry, TorusGeometry,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Motion } from "./motion";
import { crowded } from "./palette";
import { aim, compose, newPose, putMatrix, type Pose } from "./pose";
import { surface } from "./skin";
import type { Sizes } from "./solids";
import type { Mount, SceneData } from "./types";

/** A joint: its mount on a body, and the turn of its z axis into its own axis. */
interface Marked {
  body: number;
  mount: Mount;
  turn: Pose;
}

/** Kinds of which nothing is to be seen. */
const UNSEEN = ["free", "weld"];

export class Joints {
  readonly kinds: string[];
  private readonly marked: Marked[][];
  readonly meshes: InstancedMesh[];
  private readonly pose = newPose();

  constructor(group: Group, scene: SceneData, private readonly sizes: Sizes) {
    const tree = scene.joints.map((joint, k) => ({ joint, body: k, mount: joint.inner }));
    const closing = scene.loops.map((joint) => ({ joint, body: scene.frames[joint.frames[1]].body, mount: scene.frames[joint.frames[1]] }));
    const seen = [...tree, ...closing].filter(({ joint }) => !UNSEEN.includes(joint.kind));
    this.kinds = [...new Set(seen.map(({ joint }) => joint.kind))].sort();
    this.marked = this.kinds.map((kind) =>
      seen.filter(({ joint }) => joint.kind === kind).map(({ joint, body, mount }) => {
        const turn = newPose(), [x, y, z] = joint.axis ?? [0, 0, 1];
        aim(turn, x, y, z);
        return { body, mount, turn };
      }));
    // Seen through bodies: joints often sit inside them.
    const many = crowded(scene.bodies.length);
    const material = surface(many, { color: "#3d4756", transparent: true, opacity: 0.55, depthTest: false });
    this.meshes = this.kinds.map((kind, i) => {
      const mesh = new InstancedMesh(formOf(kind, many ? 6 : 16), material, this.marked[i].length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      group.add(mesh);
      return mesh;
    });
  }

  set visible(visible: boolean) {
    for (const mesh of this.meshes) mesh.visible = visible;
  }

  place(motion: Motion, hidden: boolean[]): void {
    const { pose } = this;
    for (let kind = 0; kind < this.meshes.length; kind++) {
      const list = this.marked[kind], out = this.meshes[kind].instanceMatrix.array;
      for (let i = 0; i < list.length; i++) {
        const { body, mount, turn } = list[i];
        compose(pose, motion.mountInSpace(pose, body, mount), turn);
        const size = hidden[body] ? 0 : this.sizes.marker;
        putMatrix(out, i, pose, size, size, size);
      }
      this.meshes[kind].instanceMatrix.needsUpdate = true;
    }
  }
}

/** A cylinder about z. */
const round = (radius: number, length: number, sides: number) => new CylinderGeometry(radius, radius, length, sides).rotateX(Math.PI / 2);

/** The form of a kind, its axis along z, in units of a marker. */
function formOf(kind: string, sides: number): BufferGeometry {
  switch (kind) {
    case "revolute":
      return round(0.45, 2, sides);
    case "prismatic":
      return mergeGeometries([new BoxGeometry(0.5, 0.5, 3.6), new BoxGeometry(1.1, 1.1, 1.1)]);
    case "cylindrical":
      return mergeGeometries([round(0.3, 3.6, sides), round(0.65, 1.3, sides)]);
    case "helical":
      return mergeGeometries([round(0.3, 3.6, sides), ...[-0.75, -0.25, 0.25, 0.75].map((z) => new TorusGeometry(0.45, 0.2, 6, sides).translate(0, 0, z))]);
    case "universal":
      return mergeGeometries([round(0.3, 2.2, sides), round(0.3, 2.2, sides).rotateY(Math.PI / 2), new SphereGeometry(0.45, sides, sides)]);
    case "planar":
      return round(1.5, 0.16, sides);
    case "translational":
      return new BoxGeometry(1.2, 1.2, 1.2);
    default:
      return new SphereGeometry(0.8, sides, Math.max(4, sides - 2));
  }
}
