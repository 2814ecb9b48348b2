// Colours of bodies and of values, chosen to be told apart by colour-blind readers.
//
// Viridis and cividis rise evenly in lightness, for readers of every kind of colour vision and in grey print; cividis
// looks the same to readers with and without red and green (Nuñez, Anderton and Renslow, PLoS ONE 13 (2018) e0199239).

import { Color } from "three";

// After Okabe and Ito (2008), softened for surfaces.
const BODIES = ["#4f9fd4", "#e0a030", "#3fae8c", "#c97aa8", "#d9743f", "#8a9a4a", "#7d8fd0", "#b98a6a"].map((text) => new Color(text));

export const SELECTED = new Color("#ff3b6b");
/** A second result laid over the first. */
export const GHOST = new Color("#8891a0");
/** Bodies without values while colours mean values. */
export const WITHOUT_VALUE = new Color("#b9c0ca");

export function bodyColour(index: number): Color {
  return BODIES[index % BODIES.length];
}

/** Bodies from which on they are shaded more simply, so that pictures follow each other faster. */
const MANY_BODIES = 200;

/** Whether there are too many bodies for facets that nobody sees. */
export function crowded(bodies: number): boolean {
  return bodies > MANY_BODIES;
}

/** Colours of values at equal distances, as sRGB. */
const PALETTES = {
  viridis: "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1f9f88 27ad81 3dbc74 5cc863 81d34d aadc32 d5e21a fde725",
  cividis: "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8b8778 9a9376 aaa073 bbad6d ccba64 ddc858 efd748 fee838",
  grey: "262626 fafafa",
};
export type Palette = keyof typeof PALETTES;
export const PALETTE_NAMES = Object.keys(PALETTES) as Palette[];

/** Steps of the colour scale from the least to the largest value. */
export const SCALE_STEPS = 256;

/** Red, green and blue (linear) of every step of the palette in use. */
export const SCALE = new Float32Array(3 * SCALE_STEPS);

/** Colours of the steps for style sheets and canvases. */
export const SCALE_WORDS: string[] = [];

/** Takes another palette for all that is coloured from now on. */
export function usePalette(name: Palette): void {
  const stops = PALETTES[name].split(" ").map((text) => [0, 2, 4].map((at) => parseInt(text.slice(at, at + 2), 16)));
  const colour = new Color();
  for (let k = 0; k < SCALE_STEPS; k++) {
    const x = (k / (SCALE_STEPS - 1)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(x));
    const levels = stops[i].map((from, c) => Math.round(from + (x - i) * (stops[i + 1][c] - from)));
    SCALE_WORDS[k] = `rgb(${levels.join(",")})`;
    colour.set(SCALE_WORDS[k]).toArray(SCALE, 3 * k);
  }
}
usePalette("viridis");
