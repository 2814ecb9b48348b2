// Roads under tyres with their profile, planes under contacts, and the ground that a model stands on.

import { BufferAttribute, BufferGeometry, DoubleSide, type Group, LineBasicMaterial, LineSegments, Mesh } from "three";
import { samples } from "./bounds";
import { Motion } from "./motion";
import { compose, invert, newPose, place, type Pose } from "./pose";
import { surface } from "./skin";
import type { Source } from "./source";
import type { Element, SceneData } from "./types";

/** How far a road reaches beyond its tyres or contacts, in radii: along it, and to the sides. */
const BEYOND = 6, BESIDE = 1.2;
/** Points of a road between two edges of its profile. */
const STATIONS = 200;

/** A road or plane fixed to the ground, and where what stands on it goes (m, in its frame). */
interface Strip {
  frame: Pose;
  road: { x: number[]; z: number[] };
  x: [number, number];
  y: [number, number];
}

export class Roads {
  constructor(private readonly strips: Strip[], /** Height of the ground (m), where there is one. */ readonly floor: number | null) {}

  /** Puts the roads on the stage. */
  show(group: Group): void {
    const { strips } = this;
    if (strips.length === 0) return;
    const points: number[] = [], index: number[] = [], edges: number[] = [], at = new Float32Array(3);
    for (const { frame, road, x, y } of strips) {
      const list = stationsOf(road, x);
      list.forEach(([along, height], i) => {
        for (const side of y) {
          place(at, 0, frame, along, side, height);
          points.push(...at);
        }
        const n = points.length / 3;
        if (i > 0) index.push(n - 4, n - 2, n - 3, n - 2, n - 1, n - 3);
        if (i > 0) edges.push(n - 4, n - 2, n - 3, n - 1);
        // Steps are seen from afar.
        if (list[i - 1]?.[0] === along || list[i + 1]?.[0] === along) edges.push(n - 2, n - 1);
      });
    }
    const form = new BufferGeometry();
    form.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    form.setIndex(index);
    form.computeVertexNormals();
    // A little behind what lies in the same plane: the squares of the ground are seen on it.
    const material = surface(true, { color: "#9aa3ae", side: DoubleSide, flatShading: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const border = new BufferGeometry();
    border.setAttribute("position", form.attributes.position);
    border.setIndex(edges);
    const strip = new Mesh(form, material);
    strip.receiveShadow = true;
    group.add(strip, new LineSegments(border, new LineBasicMaterial({ color: "#6b7480" })));
  }
}

/** Places along a road and heights there: even steps and both sides of every edge. */
export function stationsOf(road: { x: number[]; z: number[] }, [start, end]: [number, number]): [number, number][] {
  const list: [number, number][] = [];
  const even = Array.from({ length: STATIONS + 1 }, (_, i) => start + ((end - start) * i) / STATIONS);
  for (const x of even) if (!road.x.includes(x)) list.push([x, heightAt(road, x)]);
  road.x.forEach((x, i) => x > start && x < end && list.push([x, road.z[i]]));
  // Stable: of two heights at one place, that before the step comes first.
  return list.sort((a, b) => a[0] - b[0]);
}

/** Height of a road: straight between its points, level beyond them. */
export function heightAt({ x, z }: { x: number[]; z: number[] }, at: number): number {
  if (x.length === 0) return 0;
  const later = x.findIndex((place) => place > at);
  if (later === 0) return z[0];
  if (later < 0) return z[z.length - 1];
  const share = (at - x[later - 1]) / (x[later] - x[later - 1]);
  return z[later - 1] + share * (z[later] - z[later - 1]);
}

/** Elements that stand on the ground. */
function standing(scene: SceneData): Element[] {
  return scene.elements.filter(({ kind, frames }) => (kind === "tyre" || kind === "contact") && scene.frames[frames[0]].body < 0);
}

/** The roads of a result, as long and wide as its tyres go. */
export async function roadsOf(source: Source): Promise<Roads> {
  const { scene } = source;
  const motion = new Motion(scene), strips = new Map<string, Strip>();
  const list = standing(scene).filter(({ radius }) => radius !== undefined).map((element) => {
    const frame = motion.mountInSpace(newPose(), -1, scene.frames[element.frames[0]]);
    const road = element.road ?? { x: [], z: [] };
    const key = JSON.stringify([element.frames[0], road]);
    const strip = strips.get(key) ?? { frame, road, x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
    strips.set(key, strip);
    return { element, strip, radius: element.radius ?? 0, from: invert(newPose(), frame) };
  });
  if (list.length === 0) return new Roads([], null);
  const pose = newPose();
  await samples(source, motion, () => {
    for (const { element, strip, radius, from } of list) {
      const frame = scene.frames[element.frames[1]];
      compose(pose, from, motion.mountInSpace(pose, frame.body, frame));
      if (!Number.isFinite(pose[9] + pose[10])) continue;
      strip.x = [Math.min(strip.x[0], pose[9] - BEYOND * radius), Math.max(strip.x[1], pose[9] + BEYOND * radius)];
      strip.y = [Math.min(strip.y[0], pose[10] - BESIDE * radius), Math.max(strip.y[1], pose[10] + BESIDE * radius)];
    }
  });
  return new Roads([...strips.values()], floorOf(scene, list.map(({ strip }) => strip)));
}

/** Height of the ground under everything, if all roads and planes look up. */
function floorOf(scene: SceneData, strips: Strip[]): number | null {
  const { up } = scene;
  const heights = strips.map(({ frame, road }) => {
    const upright = frame[2] * up[0] + frame[5] * up[1] + frame[8] * up[2];
    return upright < 0.999 ? NaN : frame[9] * up[0] + frame[10] * up[1] + frame[11] * up[2] + Math.min(0, ...road.z);
  });
  const low = Math.min(...heights);
  return Number.isFinite(low) ? low : null;
}
