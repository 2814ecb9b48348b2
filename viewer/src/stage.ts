// Renderer, camera, lights and ground.

import {
  AmbientLight, Box3, Color, DirectionalLight, GridHelper, Group, HemisphereLight, PerspectiveCamera, Scene, Vector3,
  Quaternion, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type View = "iso" | "front" | "side" | "top";

const DIRECTIONS: Record<View, [number, number, number]> = {
  iso: [0.8, -1, 0.6],
  front: [0, -1, 0],
  side: [1, 0, 0],
  // Not straight down: the camera needs to know which way is up.
  top: [0, -0.001, 1],
};

/** Share of the picture that the model may fill. */
const MARGIN = 0.94;

export class Stage {
  readonly group = new Group();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private grid: GridHelper | null = null;
  private wanted = true;
  /** Size of the model itself (m), which may go far: the ground lies a little below it. */
  model = Infinity;
  /** Turns the upright views and the ground so that z points up. */
  private readonly upright: Quaternion;
  private readonly up: Vector3;

  constructor(readonly canvas: HTMLCanvasElement, keepPixels: boolean, private readonly bounds: Box3, up: [number, number, number]) {
    this.up = new Vector3(...up);
    this.upright = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: keepPixels });
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    const sun = new DirectionalLight("#ffffff", 2.2);
    sun.position.set(1, -2, 3).applyQuaternion(this.upright);
    const back = new DirectionalLight("#ffffff", 0.7);
    back.position.set(-2, 1.5, 1).applyQuaternion(this.upright);
    const sky = new HemisphereLight("#ffffff", "#667788", 0.8);
    sky.position.copy(this.up);
    this.scene.add(this.group, new AmbientLight("#ffffff", 0.7), sky, sun, back);
    this.look("iso");
  }

  /** The longest way through what is shown (m). */
  get extent(): number {
    return this.bounds.getSize(new Vector3()).length() || 1;
  }

  theme(background: string, lines: string): void {
    this.renderer.setClearColor(new Color(background));
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    // Squares of 1, 2 or 5 times a power of ten, about twenty across.
    const rough = (2 * this.extent) / 20;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * (rough / power < 2 ? 1 : rough / power < 5 ? 2 : 5);
    this.grid = new GridHelper(24 * step, 24, lines, lines);
    // A grid lies in x-z; its normal goes up.
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const centre = this.bounds.getCenter(new Vector3()), half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    const middle = centre.clone().divideScalar(step).round().multiplyScalar(step);
    const along = (v: Vector3) => this.up.clone().multiplyScalar(v.dot(this.up));
    const low = centre.dot(this.up) - Math.abs(half.dot(this.up)) - 0.03 * Math.min(this.extent, this.model);
    this.grid.position.copy(middle.sub(along(middle))).addScaledVector(this.up, low);
    this.scene.add(this.grid);
    this.invalidate();
  }

  set ground(visible: boolean) {
    if (this.grid) this.grid.visible = visible;
    this.invalidate();
  }

  look(view: View): void {
    const centre = this.bounds.getCenter(new Vector3());
    const direction = new Vector3(...DIRECTIONS[view]).normalize().applyQuaternion(this.upright);
    const fit = this.distance(direction);
    this.camera.near = fit / 100;
    this.camera.far = fit * 50;
    this.camera.position.copy(centre).addScaledVector(direction, fit);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.invalidate();
  }

  /** From how far along `direction` the whole box is inside the picture, near corners included (m). */
  private distance(direction: Vector3): number {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tall = MARGIN * Math.tan((0.5 * this.camera.fov * Math.PI) / 180), wide = tall * this.camera.aspect;
    const half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5), corner = new Vector3();
    let far = 0;
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      far = Math.max(far, corner.dot(direction) + Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall));
    }
    return far || 1;
  }

  /** Moves camera and target, so that what moves alike stays where it is on the screen. */
  move(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.invalidate();
  }

  /** Looks from a fraction of the distance. */
  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  /** Looks at a point from the same direction. */
  aim(at: Vector3): void {
    this.move(at.clone().sub(this.controls.target));
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  invalidate(): void {
    this.wanted = true;
  }

  /** Draws if anything changed. */
  draw(): boolean {
    if (!this.wanted) return false;
    this.wanted = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
