// Poses of bodies, mounts and nodes at one instant, with exaggerated deformation.
//
// A node is at l0 + s (γη + ½ η*Γ2η), turned by exp(s λη), with the scale s. With
// s = 1 the recorded poses of the bodies are used as they are. Otherwise bodies are
// carried along so that joints stay closed: with the recorded poses T, the joint
// motion is J = O⁻¹ Tp⁻¹ T I (mounts O, I at s = 1), and T(s) = Tp(s) O(s) J I(s)⁻¹.

import { compose, invert, newPose, poseOf, setPose, setRotation, type Pose } from "./pose";
import { POSE, type Body, type Mount, type SceneData, type Shapes } from "./types";

const GROUND = newPose();

export class Motion {
  readonly poses: Pose[];
  /** The row shown, interpolated between recorded ones. */
  readonly row: Float32Array;
  scale = 1;
  /** Displacement (m) and turn (rad) of the point last asked for, in the frame of its body. */
  private readonly moved = new Float64Array(6);
  private readonly recorded: Pose[];
  private readonly mounts = new Map<Mount, Pose>();
  private readonly work = [newPose(), newPose(), newPose(), newPose()];

  constructor(readonly scene: SceneData) {
    this.poses = scene.bodies.map(newPose);
    this.recorded = scene.bodies.map(newPose);
    this.row = new Float32Array(scene.width);
    const mounts = [...scene.joints.flatMap((j) => [j.outer, j.inner]), ...scene.frames];
    for (const mount of mounts) this.mounts.set(mount, poseOf(mount.position, mount.quaternion));
  }

  /** Mixes two rows: positions and modal coordinates linearly, quaternions along the shorter way. */
  show(a: Float32Array, b: Float32Array, share: number): void {
    const { row, scene } = this;
    const bodies = scene.bodies.length;
    for (let i = 0; i < row.length; i++) row[i] = a[i] + share * (b[i] - a[i]);
    for (let k = 0; k < bodies; k++) {
      const at = POSE * k + 3;
      let dot = 0;
      for (let i = at; i < at + 4; i++) dot += a[i] * b[i];
      if (dot < 0) for (let i = at; i < at + 4; i++) row[i] = a[i] - share * (b[i] + a[i]);
      setPose(this.recorded[k], row, row, POSE * k, at);
    }
    this.carry();
  }

  private carry(): void {
    const { scene, poses, recorded } = this;
    const [outer, inner, joint, from] = this.work;
    for (let k = 0; k < poses.length; k++) {
      if (this.scale === 1) {
        poses[k].set(recorded[k]);
        continue;
      }
      const { parent, outer: o, inner: i } = scene.joints[k];
      this.mount(outer, parent, o, 1);
      this.mount(inner, k, i, 1);
      compose(from, parent < 0 ? GROUND : recorded[parent], outer);
      compose(joint, invert(joint, from), recorded[k]);
      compose(joint, joint, inner);
      this.mount(outer, parent, o, this.scale);
      this.mount(inner, k, i, this.scale);
      compose(poses[k], parent < 0 ? GROUND : poses[parent], outer);
      compose(poses[k], poses[k], joint);
      compose(poses[k], poses[k], invert(inner, inner));
    }
  }

  /** A mount in the frame of its body; -1 is the ground. */
  mount(out: Pose, body: number, mount: Mount, scale = this.scale): Pose {
    const own = this.mounts.get(mount) ?? GROUND;
    if (body < 0) {
      out.set(own);
      return out;
    }
    const { attachments } = this.scene.bodies[body];
    this.node(out, this.scene.bodies[body], attachments, mount.attachment, scale);
    return compose(out, out, own);
  }

  /** A mount in space. */
  mountInSpace(out: Pose, body: number, mount: Mount): Pose {
    this.mount(out, body, mount);
    return body < 0 ? out : compose(out, this.poses[body], out);
  }

  /** A node in the frame of its body. */
  node(out: Pose, body: Body, shapes: Shapes, index: number, scale: number): Pose {
    const { moved } = this, { positions } = shapes;
    this.displace(body, shapes, index);
    setRotation(out, scale * moved[3], scale * moved[4], scale * moved[5]);
    for (let i = 0; i < 3; i++) out[9 + i] = positions[3 * index + i] + scale * moved[i];
    return out;
  }

  /** The true deflection of the point last asked for (m). */
  get deflection(): number {
    const { moved } = this;
    return Math.sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]);
  }

  /** Displacement and turn of a point by the modes, into `moved`. */
  displace(body: Body, shapes: Shapes, index: number): void {
    const { modes, eta } = body, { row, moved } = this;
    const at = 3 * index * modes;
    let x = 0, y = 0, z = 0, u = 0, v = 0, w = 0;
    const { translations: t, slopes: l } = shapes;
    for (let r = 0; r < modes; r++) {
      const q = row[eta + r], i = at + 3 * r;
      x += q * t[i];
      y += q * t[i + 1];
      z += q * t[i + 2];
      if (l) {
        u += q * l[i];
        v += q * l[i + 1];
        w += q * l[i + 2];
      }
    }
    if (shapes.quadratic) {
      const g = shapes.quadratic;
      let i = 3 * index * modes * modes;
      for (let r = 0; r < modes; r++) {
        for (let s = 0; s < modes; s++, i += 3) {
          const q = 0.5 * row[eta + r] * row[eta + s];
          x += q * g[i];
          y += q * g[i + 1];
          z += q * g[i + 2];
        }
      }
    }
    moved[0] = x;
    moved[1] = y;
    moved[2] = z;
    moved[3] = u;
    moved[4] = v;
    moved[5] = w;
  }
}
