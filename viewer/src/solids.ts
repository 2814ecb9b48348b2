// Rigid solids of all bodies: one instanced mesh per form, however many bodies there are.

import {
  BoxGeometry, Color, CylinderGeometry, DoubleSide, DynamicDrawUsage, type BufferGeometry, type Group, InstancedMesh, SphereGeometry,
} from "three";
import type { Look } from "./bodies";
import { aim, compose, newPose, poseOf, putMatrix, type Pose } from "./pose";
import type { Motion } from "./motion";
import { GHOST, SELECTED, WITHOUT_VALUE, bodyColour, crowded } from "./palette";
import { skin } from "./skin";
import { smoothed } from "./smooth";
import type { Mount, SceneData, Solid, Vector } from "./types";

interface Part {
  body: number;
  local: Pose;
  size: Vector;
  /** Where it sits on a body that bends; `local` then is not used. */
  mount?: Mount;
  /** What the model gives. */
  colour?: Color;
}

/** Lengths of what has no size of its own. */
export interface Sizes {
  scene: number;
  marker: number;
}

export class Solids {
  readonly meshes: InstancedMesh[] = [];
  private readonly parts: Part[][];
  private readonly pose = newPose();

  constructor(group: Group, scene: SceneData, motion: Motion, sizes: Sizes, private readonly look: Look) {
    this.parts = [[], [], [], ...scene.meshes.map(() => [])];
    let heaviest = 1e-300;
    for (const { mass } of [...scene.masses, ...scene.bodies.flatMap((body) => body.solids)]) heaviest = Math.max(heaviest, mass ?? 0);
    scene.bodies.forEach((body, k) => {
      for (const solid of body.solids) this.add(k, solid, sizes, heaviest);
    });
    for (const { frame, mass } of scene.masses) {
      const mount = scene.frames[frame], radius = ballRadius(mass, heaviest, sizes);
      this.parts[1].push({ body: mount.body, local: newPose(), size: [radius, radius, radius], mount });
    }
    this.addArms(scene, motion, sizes);
    // Many bodies are small on the screen: fewer facets do.
    const many = crowded(scene.bodies.length), sides = many ? 8 : 20;
    // Arms end inside bodies and joints: nobody sees their caps.
    const open = many && !scene.bodies.some((body) => body.solids.some((solid) => solid.cylinder));
    const cylinder = new CylinderGeometry(1, 1, 1, sides, 1, open).rotateX(Math.PI / 2);
    const files = scene.meshes.map((mesh) => smoothed(mesh));
    const forms: BufferGeometry[] = [new BoxGeometry(1, 1, 1), new SphereGeometry(1, sides, sides - 2), cylinder, ...files];
    forms.forEach((form, i) => {
      const mesh = new InstancedMesh(form, skin(many, look, i > 2 ? { side: DoubleSide } : {}), Math.max(1, this.parts[i].length));
      mesh.count = this.parts[i].length;
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.setColorAt(0, new Color());
      group.add(mesh);
      this.meshes.push(mesh);
    });
  }

  private add(body: number, solid: Solid, sizes: Sizes, heaviest: number): void {
    const local = poseOf(solid.position, solid.quaternion), colour = solid.colour ? new Color(solid.colour) : undefined;
    const least = 0.25 * sizes.marker;
    if (solid.mesh !== undefined) {
      this.parts[3 + solid.mesh].push({ body, local, colour, size: [1, 1, 1] });
    } else if (solid.box) {
      this.parts[0].push({ body, local, colour, size: solid.box.map((edge) => Math.max(edge, least)) as Vector });
    } else if (solid.cylinder) {
      const [radius, length] = solid.cylinder;
      this.parts[2].push({ body, local, colour, size: [radius, radius, length] });
    } else {
      const radius = solid.sphere ?? ballRadius(solid.mass ?? 0, heaviest, sizes);
      this.parts[1].push({ body, local, colour, size: [radius, radius, radius] });
    }
  }

  /** Thin arms from the solid of a rigid body to its joints, so that mechanisms hang together. */
  private addArms(scene: SceneData, motion: Motion, sizes: Sizes): void {
    const pose = newPose();
    const arm = (body: number, mount: SceneData["frames"][0] | SceneData["joints"][0]["inner"]) => {
      const { solids } = scene.bodies[body] ?? { solids: [] };
      if (solids.length !== 1 || !solids[0].equivalent) return;
      motion.mount(pose, body, mount, 0);
      const from = solids[0].position;
      const gap = [pose[9] - from[0], pose[10] - from[1], pose[11] - from[2]];
      const length = Math.hypot(...gap);
      if (length < 0.5 * sizes.marker) return;
      const local = alignedPose(from, gap as Vector, length);
      const radius = 0.22 * sizes.marker;
      this.parts[2].push({ body, local, size: [radius, radius, length] });
    };
    scene.joints.forEach((joint, k) => {
      arm(k, joint.inner);
      if (joint.parent >= 0) arm(joint.parent, joint.outer);
    });
  }

  /** Body of an instance hit by the pointer. */
  bodyOf(mesh: InstancedMesh, instance: number): number {
    return this.parts[this.meshes.indexOf(mesh)][instance].body;
  }

  place(motion: Motion, hidden: boolean[]): void {
    const { pose } = this;
    for (let form = 0; form < this.meshes.length; form++) {
      const mesh = this.meshes[form], parts = this.parts[form], out = mesh.instanceMatrix.array;
      if (parts.length === 0) continue;
      for (let i = 0; i < parts.length; i++) {
        const { body, local, size, mount } = parts[i];
        if (mount) motion.mountInSpace(pose, body, mount);
        else compose(pose, motion.poses[body], local);
        if (hidden[body]) putMatrix(out, i, pose, 0, 0, 0);
        else putMatrix(out, i, pose, size[0], size[1], size[2]);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  /** Colours of bodies; quiet ones while colours mean values. */
  paint(selected: number, measured: boolean): void {
    this.meshes.forEach((mesh, form) => {
      this.parts[form].forEach(({ body, mount, colour }, i) => {
        // A mass on a body differs from it.
        const own = measured ? WITHOUT_VALUE : colour ?? bodyColour(mount ? body + 1 : body);
        mesh.setColorAt(i, this.look === "ghost" ? GHOST : body === selected ? SELECTED : own);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    });
  }
}

/** Radius of the ball that stands for a mass without extent (m). */
function ballRadius(mass: number, heaviest: number, sizes: Sizes): number {
  return 1.4 * sizes.marker * Math.max(0.4, Math.cbrt(mass / heaviest));
}

/** The middle of an arm from `from` along `gap`, its z axis along it. */
function alignedPose(from: Vector, gap: Vector, length: number): Pose {
  const pose = newPose();
  aim(pose, gap[0] / length, gap[1] / length, gap[2] / length);
  for (let i = 0; i < 3; i++) pose[9 + i] = from[i] + 0.5 * gap[i];
  return pose;
}
