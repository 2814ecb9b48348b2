// Colours of bodies and of deflections, chosen to be told apart by colour-blind readers.

import { Color } from "three";

// After Okabe and Ito (2008), softened for surfaces.
const BODIES = ["#4f9fd4", "#e0a030", "#3fae8c", "#c97aa8", "#d9743f", "#8a9a4a", "#7d8fd0", "#b98a6a"];

export const SELECTED = new Color("#ff3b6b");

export function bodyColour(index: number): Color {
  return new Color(BODIES[index % BODIES.length]);
}

const STOPS = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"].map((text) => new Color(text));

/** Colour of a share between none and the largest deflection. */
export function scaleColour(share: number, out: Color): Color {
  const x = Math.min(0.9999, Math.max(0, share)) * (STOPS.length - 1);
  return out.copy(STOPS[Math.floor(x)]).lerp(STOPS[Math.floor(x) + 1], x % 1);
}
