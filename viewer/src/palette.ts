// Colours of bodies and of deflections, chosen to be told apart by colour-blind readers.

import { Color, type MeshLambertMaterialParameters, MeshLambertMaterial, MeshStandardMaterial } from "three";

// After Okabe and Ito (2008), softened for surfaces.
const BODIES = ["#4f9fd4", "#e0a030", "#3fae8c", "#c97aa8", "#d9743f", "#8a9a4a", "#7d8fd0", "#b98a6a"];

export const SELECTED = new Color("#ff3b6b");

export function bodyColour(index: number): Color {
  return new Color(BODIES[index % BODIES.length]);
}

/** Bodies from which on they are shaded more simply, so that pictures follow each other faster. */
const MANY_BODIES = 200;

/** Whether there are too many bodies for facets that nobody sees. */
export function crowded(bodies: number): boolean {
  return bodies > MANY_BODIES;
}

/** The material of a surface; the simpler one has no gloss, which shows how large surfaces bend. */
export function surface(simple: boolean, options: MeshLambertMaterialParameters): MeshLambertMaterial | MeshStandardMaterial {
  return simple ? new MeshLambertMaterial(options) : new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, ...options });
}

const STOPS = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"].map((text) => new Color(text));

/** Steps of the colour scale from none to the largest value. */
export const SCALE_STEPS = 256;

/** Red, green and blue of every step. */
export const SCALE = new Float32Array(3 * SCALE_STEPS);
for (let k = 0; k < SCALE_STEPS; k++) {
  const x = (k / SCALE_STEPS) * (STOPS.length - 1);
  STOPS[Math.floor(x)].clone().lerp(STOPS[Math.floor(x) + 1], x % 1).toArray(SCALE, 3 * k);
}
