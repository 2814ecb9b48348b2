// Renderer, camera, lights and ground.

import {
  AmbientLight, Box3, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, Group, HemisphereLight, LineBasicMaterial,
  LineSegments, type Object3D, PerspectiveCamera, Quaternion, Scene, Vector3, WebGLRenderer, type Camera,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type Pane, Panes } from "./panes";
import { Shadows } from "./shadows";

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
/** A model that goes farther than so many of its lengths has squares for its size, not for its way. */
const WAY = 4;
/** Squares beyond the model on every side, and the most of them in a row. */
const MARGIN_SQUARES = 8, MOST_SQUARES = 400;
/** Squares of one piece of a line. */
const PIECE = 8;

export class Stage {
  readonly group = new Group();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private grid: LineSegments | null = null;
  private wanted = true;
  /** Size of the canvas on the page. */
  readonly size = { width: 1, height: 1 };
  /** Size of the model itself (m), which may go far: the ground lies a little below it. */
  model = Infinity;
  /** Height of the ground that the model stands on (m), where it has one. */
  floor: number | null = null;
  /** Side of the squares of the grid (m). */
  square = 1;
  /** Turns the upright views and the ground so that z points up. */
  private readonly upright: Quaternion;
  private readonly up: Vector3;
  private readonly four: Panes;
  private readonly shadows: Shadows;
  /** Towards the sun. */
  private readonly sunward: Vector3;
  /** Whether four views are drawn beside each other. */
  private divided = false;

  constructor(readonly canvas: HTMLCanvasElement, keepPixels: boolean, private readonly bounds: Box3, up: [number, number, number]) {
    this.up = new Vector3(...up);
    this.upright = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: keepPixels });
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    const sun = new DirectionalLight("#ffffff", 2.2);
    sun.position.set(1, -2, 3).applyQuaternion(this.upright);
    this.sunward = sun.position.clone().normalize();
    this.four = new Panes(this.upright);
    this.shadows = new Shadows(this.scene, sun, this.upright);
    this.renderer.shadowMap.enabled = true;
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
    this.grid?.removeFromParent();
    this.grid?.geometry.dispose();
    const visible = this.grid?.visible ?? true;
    // Squares of 1, 2 or 5 times a power of ten, about twenty across; smaller ones along a long way.
    const rough = (2 * Math.min(this.extent, WAY * this.model)) / 20;
    const power = 10 ** Math.floor(Math.log10(rough));
    this.square = power * (rough / power < 2 ? 1 : rough / power < 5 ? 2 : 5);
    const size = this.bounds.getSize(new Vector3()).applyQuaternion(this.upright.clone().invert());
    const reach = (length: number) => {
      const needed = Math.max(0.6 * this.extent, Math.abs(length) / 2 + MARGIN_SQUARES * this.square);
      return Math.min(MOST_SQUARES / 2, Math.ceil(needed / this.square));
    };
    this.grid = gridLines(reach(size.x), reach(size.y), this.square, lines);
    this.grid.quaternion.copy(this.upright);
    this.grid.visible = visible;
    const centre = this.bounds.getCenter(new Vector3()), half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    const middle = centre.clone().divideScalar(this.square).round().multiplyScalar(this.square);
    const along = (v: Vector3) => this.up.clone().multiplyScalar(v.dot(this.up));
    const below = centre.dot(this.up) - Math.abs(half.dot(this.up)) - 0.03 * Math.min(this.extent, this.model);
    this.grid.position.copy(middle.sub(along(middle))).addScaledVector(this.up, this.floor ?? below);
    this.scene.add(this.grid);
    const light = new Color(background).getHSL({ h: 0, s: 0, l: 0 }).l;
    this.shadows.ground(this.grid.position, 8 * this.extent, light < 0.5);
    this.invalidate();
  }

  /** Lets `casters` throw shadows on the ground, or not any more. */
  shade(on: boolean, casters: Object3D[]): void {
    this.shadows.show(on, casters);
    this.light(this.bounds.getCenter(new Vector3()));
  }

  /** Lights the model where it is now; one that goes far takes its light along. */
  light(now: Vector3): void {
    if (!this.shadows.visible) return;
    const far = this.model < 0.5 * this.extent;
    this.shadows.light(far ? now : this.bounds.getCenter(new Vector3()), far ? 1.5 * this.model : 0.75 * this.extent, this.sunward);
    this.invalidate();
  }

  get shaded(): boolean {
    return this.shadows.visible;
  }

  /** Whether four views are drawn: top, front and side beside the one that can be turned. */
  get quad(): boolean {
    return this.divided;
  }

  set quad(on: boolean) {
    this.divided = on;
    this.invalidate();
  }

  /** Parts of the canvas with what looks into them; the first can be turned. */
  get panes(): Pane[] {
    const { width, height } = this.size, { camera } = this, { target } = this.controls;
    if (!this.divided) return [{ name: "", camera, x: 0, y: 0, width, height }];
    const direction = camera.position.clone().sub(target), away = direction.length();
    return this.four.list(width, height, camera, target, this.bounds, this.distance(this.bounds, direction.normalize()) / away);
  }

  /** What looks at a point of the canvas, from -1 to 1, and the point in its own view. */
  viewAt(x: number, y: number): { camera: Camera; x: number; y: number } {
    const { width, height } = this.size, px = ((x + 1) / 2) * width, py = ((1 - y) / 2) * height;
    const inside = (p: Pane) => px >= p.x && px <= p.x + p.width && py >= p.y && py <= p.y + p.height;
    const { panes } = this, pane = panes.find(inside) ?? panes[0];
    return { camera: pane.camera, x: (2 * (px - pane.x)) / pane.width - 1, y: 1 - (2 * (py - pane.y)) / pane.height };
  }

  /** Whether the ground is to be seen. */
  get grounded(): boolean {
    return this.grid?.visible ?? false;
  }

  set ground(visible: boolean) {
    if (this.grid) this.grid.visible = visible;
    this.invalidate();
  }

  look(view: View): void {
    this.fit(this.bounds, new Vector3(...DIRECTIONS[view]).normalize().applyQuaternion(this.upright));
  }

  /** Shows a box as large as it goes, from `direction` or from where the camera is. */
  fit(box: Box3, direction = this.camera.position.clone().sub(this.controls.target).normalize()): void {
    const centre = box.getCenter(new Vector3()), far = this.distance(box, direction);
    this.camera.near = far / 100;
    this.camera.far = Math.max(far * 50, 5 * this.extent);
    this.camera.position.copy(centre).addScaledVector(direction, far);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.invalidate();
  }

  /** Where a point in space is on the canvas, in pixels from its upper left corner. */
  onCanvas(point: Vector3): [number, number] {
    const at = point.project(this.camera), { x, y, width, height } = this.panes[0];
    return [x + ((at.x + 1) / 2) * width, y + ((1 - at.y) / 2) * height];
  }

  /** Pixels of a metre where the camera looks. */
  get pixelsPerMetre(): number {
    const away = this.camera.position.distanceTo(this.controls.target);
    return (this.size.height / (this.divided ? 2 : 1)) / (2 * away * Math.tan((0.5 * this.camera.fov * Math.PI) / 180));
  }

  /** From how far along `direction` the whole box is inside the picture, near corners included (m). */
  private distance(box: Box3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tall = MARGIN * Math.tan((0.5 * this.camera.fov * Math.PI) / 180), wide = tall * this.camera.aspect;
    const half = box.getSize(new Vector3()).multiplyScalar(0.5), corner = new Vector3();
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
    this.size.width = width;
    this.size.height = height;
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
    const { renderer, scene } = this, { width, height } = this.size;
    if (!this.divided) {
      renderer.render(scene, this.camera);
      return true;
    }
    renderer.setScissorTest(true);
    for (const pane of this.panes) {
      // Of drawing, the lower left corner is the origin.
      const bottom = height - pane.y - pane.height;
      renderer.setViewport(pane.x, bottom, pane.width, pane.height);
      renderer.setScissor(pane.x, bottom, pane.width, pane.height);
      renderer.render(scene, pane.camera);
    }
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    return true;
  }
}

/** Lines of squares in the plane x-y, so many to either side of the middle. */
function gridLines(along: number, across: number, square: number, colour: string): LineSegments {
  const points: number[] = [];
  // In pieces: lines that reach from far behind the camera to far in front of it are lost to some renderers.
  const pieces = (reach: number, add: (from: number, to: number) => void) => {
    for (let from = -reach; from < reach; from += PIECE) add(from * square, Math.min(reach, from + PIECE) * square);
  };
  for (let i = -along; i <= along; i++) pieces(across, (from, to) => points.push(i * square, from, 0, i * square, to, 0));
  for (let j = -across; j <= across; j++) pieces(along, (from, to) => points.push(from, j * square, 0, to, j * square, 0));
  const form = new BufferGeometry();
  form.setAttribute("position", new Float32BufferAttribute(points, 3));
  return new LineSegments(form, new LineBasicMaterial({ color: colour }));
}
