// Force elements between two frames: springs as coils, dampers as cylinders, rods, tyres, rubber for bushings and stops, spirals for
// springs that turn; other kinds as lines.

import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, type Group, InstancedMesh, LatheGeometry, LineBasicMaterial,
  LineSegments, SphereGeometry, Vector2,
} from "three";
import { coil, SPRING, spiral } from "./coils";
import type { Motion } from "./motion";
import { aim, newPose, place, putMatrix, type Pose } from "./pose";
import { surface } from "./skin";
import type { Sizes } from "./solids";
import type { Element, SceneData } from "./types";

/** Elements without anything between their frames: a line would show what is not there. */
const WITHOUT_LINE = ["contact", "drag", "tyre"];
/** Width of a tyre relative to its radius. */
const TYRE_WIDTH = 0.62;
/** Share of the length of a damper at the start that its barrel takes. */
const BARREL = 0.55;
/** Colour of bushings and stops. */
const RUBBER = "#2f343b";

/** Elements with something between their frames. */
export function lined(scene: SceneData): Element[] {
  return scene.elements.filter(({ kind }) => !WITHOUT_LINE.includes(kind));
}

/** Instances of one form between the frames of elements. */
interface Kind {
  mesh: InstancedMesh;
  list: Element[];
  /** Radius of every instance, and its length if that stays (m). */
  radius: Float64Array;
  fixed: Float64Array | null;
}

export class Connectors {
  private readonly kinds: Kind[] = [];
  private readonly others: Element[];
  private readonly lines: LineSegments;
  private readonly tyres: Element[];
  private readonly wheels: InstancedMesh | null = null;
  /** Widths of the tyres relative to the usual one: they cover the cylinder that stands for their wheel. */
  private readonly widths: number[];
  private readonly ends: [Pose, Pose] = [newPose(), newPose()];

  constructor(group: Group, private readonly scene: SceneData, motion: Motion, sizes: Sizes) {
    const all = lined(scene);
    const springs = all.filter(({ kind, spring }) => kind === "spring-damper" && spring !== false);
    const dampers = all.filter(({ kind, damper }) => kind === "actuator" || (kind === "spring-damper" && damper === true));
    const rods = all.filter(({ kind }) => kind === "rod");
    const round = (open: boolean) => new CylinderGeometry(1, 1, 1, 14, 1, open).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const stops = all.filter(({ kind }) => kind === "bump-stop"), bushings = all.filter(({ kind }) => kind === "bushing");
    const spirals = all.filter(({ kind }) => kind === "torsion-spring-damper");
    const barrel = (length: number) => BARREL * length, rubber = (_: number, radius: number) => 1.5 * radius;
    const ofRadius = (_: number, radius: number) => radius;
    this.add(group, motion, sizes, coil(), SPRING, springs, 1, null);
    this.add(group, motion, sizes, round(false), "#59636f", dampers, 0.5, barrel);
    this.add(group, motion, sizes, round(true), "#aab2bd", [...dampers, ...rods, ...stops], 0.22, null);
    this.add(group, motion, sizes, round(false), RUBBER, stops, 2.2, rubber);
    this.add(group, motion, sizes, new SphereGeometry(1, 20, 14), RUBBER, bushings, 1.8, ofRadius, true);
    this.add(group, motion, sizes, spiral(), SPRING, spirals, 4, ofRadius, true);
    const drawn = new Set([...springs, ...dampers, ...rods, ...stops, ...bushings, ...spirals]);
    this.others = all.filter((element) => !drawn.has(element));
    const form = new BufferGeometry();
    form.setAttribute("position", new BufferAttribute(new Float32Array(6 * this.others.length), 3).setUsage(DynamicDrawUsage));
    this.lines = new LineSegments(form, new LineBasicMaterial({ color: "#e0672b" }));
    this.lines.frustumCulled = false;
    // What is not there is not drawn at all.
    if (this.others.length) group.add(this.lines);
    this.tyres = scene.elements.filter(({ kind, radius }) => kind === "tyre" && radius !== undefined);
    this.widths = this.tyres.map(({ frames, radius }) => {
      const { solids } = scene.bodies[scene.frames[frames[1]].body] ?? { solids: [] };
      const lengths = solids.map(({ cylinder }) => (cylinder ? cylinder[1] : 0));
      return Math.max(1, (1.22 * Math.max(0, ...lengths)) / (TYRE_WIDTH * (radius ?? 1)));
    });
    if (this.tyres.length) {
      this.wheels = instanced(tyre(), surface(false, { vertexColors: true, side: 2 }), this.tyres.length);
      group.add(this.wheels);
    }
  }

  /** One instance per element; the length of a form that keeps its own comes from that at the start and the radius. */
  private add(
    group: Group, motion: Motion, sizes: Sizes, form: BufferGeometry, colour: string, list: Element[], thick: number, kept: ((length: number, radius: number) => number) | null,
    inside = false,
  ): void {
    if (list.length === 0) return;
    const lengths = list.map((element) => this.line(motion, element));
    const radius = Float64Array.from(lengths, (length) => thick * Math.min(1.3 * sizes.marker, Math.max(0.5 * sizes.marker, 0.1 * length)));
    const fixed = kept && Float64Array.from(lengths, (length, i) => kept(length, radius[i]));
    // Seen through bodies, as joints are, where they sit inside them.
    const mesh = instanced(form, surface(false, { color: colour, ...(inside ? { transparent: true, opacity: 0.75, depthTest: false } : {}) }), list.length);
    group.add(mesh);
    this.kinds.push({ mesh, list, radius, fixed });
  }

  /** What can throw a shadow. */
  get meshes(): InstancedMesh[] {
    return [...this.kinds.map(({ mesh }) => mesh), ...(this.wheels ? [this.wheels] : [])];
  }

  /** Places of the two frames into `ends`, the first turned along the line between them; its length (m). */
  private line(motion: Motion, { frames }: Element): number {
    const { ends, scene } = this;
    for (let end = 0; end < 2; end++) motion.mountInSpace(ends[end], scene.frames[frames[end]].body, scene.frames[frames[end]]);
    const [a, b] = ends, x = b[9] - a[9], y = b[10] - a[10], z = b[11] - a[11];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) aim(a, x / length, y / length, z / length);
    return length;
  }

  place(motion: Motion, hidden: boolean[]): void {
    for (let k = 0; k < this.kinds.length; k++) {
      const { mesh, list, radius, fixed } = this.kinds[k], out = mesh.instanceMatrix.array;
      for (let i = 0; i < list.length; i++) {
        const length = this.line(motion, list[i]);
        if (fixed) this.turn(motion, list[i]);
        const r = this.gone(list[i], hidden) ? 0 : radius[i];
        putMatrix(out, i, this.ends[0], r, r, r === 0 ? 0 : fixed ? fixed[i] : length);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
    if (this.others.length) this.placeLines(motion);
    if (this.wheels) this.placeTyres(motion, hidden, this.wheels);
  }

  /** Turns the first of `ends` as the form of an element asks: along its axis, or as its frame where it has no direction. */
  private turn(motion: Motion, { kind, axis, frames }: Element): void {
    const unaimed = kind === "bushing" || kind === "torsion-spring-damper";
    if (!axis && !unaimed) return;
    const pose = this.ends[0], [x, y, z] = axis ?? [0, 0, 1];
    motion.mountInSpace(pose, this.scene.frames[frames[0]].body, this.scene.frames[frames[0]]);
    const along = [0, 3, 6].map((row) => pose[row] * x + pose[row + 1] * y + pose[row + 2] * z);
    aim(pose, along[0], along[1], along[2]);
  }

  /** Whether an element has no end on a body that is shown. */
  private gone({ frames }: Element, hidden: boolean[]): boolean {
    const first = this.scene.frames[frames[0]].body, second = this.scene.frames[frames[1]].body;
    return (first < 0 || hidden[first]) && (second < 0 || hidden[second]);
  }

  private placeLines(motion: Motion): void {
    const attribute = this.lines.geometry.attributes.position as BufferAttribute;
    const out = attribute.array as Float32Array;
    for (let e = 0; e < this.others.length; e++) {
      this.line(motion, this.others[e]);
      for (let end = 0; end < 2; end++) place(out, 6 * e + 3 * end, this.ends[end], 0, 0, 0);
    }
    attribute.needsUpdate = true;
  }

  private placeTyres(motion: Motion, hidden: boolean[], wheels: InstancedMesh): void {
    const pose = this.ends[0];
    for (let i = 0; i < this.tyres.length; i++) {
      const { frames, radius } = this.tyres[i], frame = this.scene.frames[frames[1]];
      const size = frame.body >= 0 && hidden[frame.body] ? 0 : (radius ?? 0);
      putMatrix(wheels.instanceMatrix.array, i, motion.mountInSpace(pose, frame.body, frame), size, size * this.widths[i], size);
    }
    wheels.instanceMatrix.needsUpdate = true;
  }
}

function instanced(form: BufferGeometry, material: ReturnType<typeof surface>, count: number): InstancedMesh {
  const mesh = new InstancedMesh(form, material, count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  return mesh;
}

/** A tyre of unit radius about y with rim; light marks on its sides show how it turns. */
function tyre(): BufferGeometry {
  const half = TYRE_WIDTH / 2;
  // The tread lies just outside a cylinder of the same radius, which may be the picture of the wheel.
  const side = [[0.58, 0.85], [0.62, 1], [0.88, 1], [0.97, 0.95], [1.006, 0.84], [1.006, 0.3]];
  const profile = [...side.map(([r, y]) => [r, -y]), ...side.reverse()];
  const form = new LatheGeometry(profile.map(([r, y]) => new Vector2(r, half * y)), 40);
  const { position } = form.attributes, dark = new Color("#2f343b"), light = new Color("#c9ced6");
  const colours = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    const x = position.getX(i), z = position.getZ(i), r = Math.hypot(x, z);
    const sector = Math.floor((((Math.atan2(z, x) / (2 * Math.PI) + 1) % 1) * 40 + 0.5) % 8);
    (sector === 0 && r < 0.9 && r > 0.6 ? light : dark).toArray(colours, 3 * i);
  }
  form.setAttribute("color", new BufferAttribute(colours, 3));
  return form;
}
