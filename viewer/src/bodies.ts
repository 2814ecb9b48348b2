// The bodies of one result in one look: as they are, looked through, or laid over another result.

import type { Group, InstancedMesh, Intersection, Mesh, Raycaster } from "three";
import { Flexible } from "./flexible";
import type { Measure } from "./measure";
import type { Motion } from "./motion";
import type { ColourScale } from "./scale";
import { Solids, type Sizes } from "./solids";
import type { SceneData } from "./types";

export type Look = "solid" | "veil" | "ghost";

/** What the pointer is on. */
export interface Hit {
  body: number;
  /** Node of a flexible body, or -1. */
  node: number;
  /** Place in space (m). */
  point: [number, number, number];
}

export class Bodies {
  readonly solids: Solids;
  /** Round tubes; beams with corners and surfaces. */
  readonly flexible: Flexible[];

  constructor(group: Group, scene: SceneData, motion: Motion, sizes: Sizes, readonly look: Look) {
    this.solids = new Solids(group, scene, motion, sizes, look);
    this.flexible = [true, false].map((round) => new Flexible(group, scene, sizes, round, look));
  }

  place(motion: Motion, hidden: boolean[], measure: Measure | null): void {
    this.solids.place(motion, hidden);
    for (const part of this.flexible) part.place(motion, hidden, measure);
  }

  paint(selected: number, scale: ColourScale): void {
    this.solids.paint(selected, scale.measure !== null);
    this.colour(selected, scale);
  }

  /** Only what changes from instant to instant. */
  colour(selected: number, scale: ColourScale): void {
    for (const part of this.flexible) part.paint(selected, scale);
  }

  /** Takes everything off the stage. */
  remove(): void {
    for (const mesh of this.meshes) mesh.removeFromParent();
  }

  get meshes(): Mesh[] {
    return [...this.solids.meshes, ...this.flexible.map((part) => part.mesh)];
  }

  /** What a ray meets, nearest first. */
  intersect(ray: Raycaster): Intersection[] {
    return ray.intersectObjects(this.meshes.filter((mesh) => mesh.visible));
  }

  /** Body and node of what a ray met, or null if it is not of these bodies. */
  identify(found: Intersection): Hit | null {
    const point = found.point.toArray();
    if (found.instanceId !== undefined) {
      const mesh = found.object as InstancedMesh;
      if (!this.solids.meshes.includes(mesh)) return null;
      return { body: this.solids.bodyOf(mesh, found.instanceId), node: -1, point };
    }
    const part = this.flexible.find(({ mesh }) => mesh === found.object);
    if (!part || !found.face) return null;
    const vertex = part.nearest([found.face.a, found.face.b, found.face.c], point);
    return { body: part.bodyOf(vertex), node: part.nodeOf(vertex), point };
  }

  /** Value of what colours show at a node: the largest around it. */
  valueAt(body: number, node: number): number {
    let most = 0;
    for (const part of this.flexible) {
      const [first, end] = part.verticesOf(body, node);
      for (let v = first; v < end; v++) most = Math.max(most, part.values[v]);
    }
    return most;
  }

  /** Where the largest value shown is. */
  worst(): { value: number; body: number; node: number } | null {
    const part = this.flexible[this.flexible[0].peak >= this.flexible[1].peak ? 0 : 1];
    if (part.peakVertex < 0) return null;
    return { value: part.peak, body: part.bodyOf(part.peakVertex), node: part.nodeOf(part.peakVertex) };
  }
}
