// Poses as twelve numbers: rotation row by row, then position.

import type { Quaternion, Vector } from "./types";

export type Pose = Float64Array;

export function newPose(): Pose {
  return new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
}

export function setPose(out: Pose, p: ArrayLike<number>, q: ArrayLike<number>, at = 0, turn = 0): Pose {
  const length = Math.sqrt(q[turn] * q[turn] + q[turn + 1] * q[turn + 1] + q[turn + 2] * q[turn + 2] + q[turn + 3] * q[turn + 3]) || 1;
  const w = q[turn] / length, x = q[turn + 1] / length, y = q[turn + 2] / length, z = q[turn + 3] / length;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
  out[9] = p[at];
  out[10] = p[at + 1];
  out[11] = p[at + 2];
  return out;
}

/** Writes the pose with its axes times three lengths as the instance `index` of a list of 4×4 matrices, column by column. */
export function putMatrix(out: ArrayLike<number> & { [at: number]: number }, index: number, p: Pose, a: number, b: number, c: number): void {
  const at = 16 * index;
  for (let i = 0; i < 3; i++) {
    out[at + i] = p[3 * i] * a;
    out[at + 4 + i] = p[3 * i + 1] * b;
    out[at + 8 + i] = p[3 * i + 2] * c;
    out[at + 12 + i] = p[9 + i];
  }
  out[at + 3] = out[at + 7] = out[at + 11] = 0;
  out[at + 15] = 1;
}

export function poseOf(position: Vector, quaternion: Quaternion): Pose {
  return setPose(newPose(), position, quaternion);
}

/** out = a b: first b, then a. */
export function compose(out: Pose, a: Pose, b: Pose): Pose {
  const r = scratch;
  for (let i = 0; i < 3; i++) {
    const x = a[3 * i], y = a[3 * i + 1], z = a[3 * i + 2];
    for (let j = 0; j < 3; j++) r[3 * i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
    r[9 + i] = x * b[9] + y * b[10] + z * b[11] + a[9 + i];
  }
  out.set(r);
  return out;
}
const scratch = new Float64Array(12);

export function invert(out: Pose, a: Pose): Pose {
  const r = scratch;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) r[3 * i + j] = a[3 * j + i];
    r[9 + i] = -(a[i] * a[9] + a[3 + i] * a[10] + a[6 + i] * a[11]);
  }
  out.set(r);
  return out;
}

/** Rotation by the vector (x, y, z), into the first nine numbers. */
export function setRotation(out: Pose, x: number, y: number, z: number): Pose {
  const angle = Math.hypot(x, y, z);
  const s = angle < 1e-9 ? 1 : Math.sin(angle) / angle;
  const c = angle < 1e-9 ? 0.5 : (1 - Math.cos(angle)) / (angle * angle);
  out[0] = 1 - c * (y * y + z * z);
  out[1] = c * x * y - s * z;
  out[2] = c * x * z + s * y;
  out[3] = c * x * y + s * z;
  out[4] = 1 - c * (x * x + z * z);
  out[5] = c * y * z - s * x;
  out[6] = c * x * z - s * y;
  out[7] = c * y * z + s * x;
  out[8] = 1 - c * (x * x + y * y);
  return out;
}

/** Point (x, y, z) of the moved frame into `out` at `at`. */
export function place(out: Float32Array, at: number, a: Pose, x: number, y: number, z: number): void {
  out[at] = a[0] * x + a[1] * y + a[2] * z + a[9];
  out[at + 1] = a[3] * x + a[4] * y + a[5] * z + a[10];
  out[at + 2] = a[6] * x + a[7] * y + a[8] * z + a[11];
}

/** Axes into the first nine numbers, the last along the unit vector (x, y, z). */
export function aim(out: Pose, x: number, y: number, z: number): void {
  // The first axis is across the last and that axis of space which is farther from it.
  const flat = Math.abs(x) < 0.9;
  out[0] = flat ? 0 : z;
  out[3] = flat ? -z : 0;
  out[6] = flat ? y : -x;
  const long = Math.sqrt(out[0] * out[0] + out[3] * out[3] + out[6] * out[6]) || 1;
  for (let i = 0; i < 3; i++) out[3 * i] /= long;
  out[1] = y * out[6] - z * out[3];
  out[4] = z * out[0] - x * out[6];
  out[7] = x * out[3] - y * out[0];
  out[2] = x;
  out[5] = y;
  out[8] = z;
}
