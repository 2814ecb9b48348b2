// Four views beside each other, as on a drawing: top above front, the side beside it, and the view that can be turned.

import { type Box3, type Camera, OrthographicCamera, type PerspectiveCamera, type Quaternion, Vector3 } from "three";

/** A part of the canvas, in pixels from its upper left corner, and what looks into it. */
export interface Pane {
  name: string;
  camera: Camera;
  x: number;
  y: number;
  width: number;
  height: number;
}

type Flat = "top" | "front" | "side";

/** Where a flat view stands, and what is up in it. */
const FLAT: Record<Flat, [[number, number, number], [number, number, number]]> = {
  top: [[0, 0, 1], [0, 1, 0]],
  front: [[0, -1, 0], [0, 0, 1]],
  side: [[1, 0, 0], [0, 0, 1]],
};
/** Share of a pane that the model may fill. */
const MARGIN = 0.88;

export class Panes {
  private readonly cameras: Record<Flat, OrthographicCamera>;

  constructor(upright: Quaternion) {
    const make = (view: Flat) => {
      const camera = new OrthographicCamera(), [from, up] = FLAT[view].map((v) => new Vector3(...v).applyQuaternion(upright));
      camera.up.copy(up);
      camera.userData.from = from;
      return camera;
    };
    this.cameras = { top: make("top"), front: make("front"), side: make("side") };
  }

  /** The panes of a canvas; flat views look where the other one looks, `zoom` times as near, all at one scale. */
  list(width: number, height: number, main: PerspectiveCamera, target: Vector3, box: Box3, zoom: number): Pane[] {
    const wide = width / 2, tall = height / 2, half = this.halfHeight(box, wide / Math.max(1, tall)) / zoom;
    const size = box.getSize(new Vector3()).length() || 1;
    for (const camera of Object.values(this.cameras)) {
      camera.top = half;
      camera.bottom = -half;
      camera.right = (half * wide) / Math.max(1, tall);
      camera.left = -camera.right;
      camera.near = 0;
      camera.far = 8 * size + 8 * half;
      camera.position.copy(target).addScaledVector(camera.userData.from as Vector3, 4 * size + 4 * half);
      camera.lookAt(target);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
    }
    const pane = (name: string, camera: Camera, x: number, y: number): Pane => ({ name, camera, x, y, width: wide, height: tall });
    return [
      pane("iso", main, wide, 0), pane("top", this.cameras.top, 0, 0), pane("front", this.cameras.front, 0, tall), pane("side", this.cameras.side, wide, tall),
    ];
  }

  /** Half the height that every flat view needs so that all of them hold the box (m). */
  private halfHeight(box: Box3, aspect: number): number {
    const size = box.getSize(new Vector3());
    let half = 0;
    for (const camera of Object.values(this.cameras)) {
      const from = camera.userData.from as Vector3, right = new Vector3().crossVectors(camera.up, from);
      const along = (v: Vector3) => Math.abs(v.x) * size.x + Math.abs(v.y) * size.y + Math.abs(v.z) * size.z;
      half = Math.max(half, along(camera.up) / 2, along(right) / 2 / aspect);
    }
    return half / MARGIN || 1;
  }
}
