// Materials of surfaces.

import { type MeshLambertMaterialParameters, MeshLambertMaterial, MeshStandardMaterial } from "three";
import type { Look } from "./bodies";

/** How opaque bodies are that are looked through, and those of a second result. */
const OPACITY = { solid: 1, veil: 0.25, ghost: 0.55 };

/** The material of a surface; the simpler one has no gloss, which shows how large surfaces bend. */
export function surface(simple: boolean, options: MeshLambertMaterialParameters): MeshLambertMaterial | MeshStandardMaterial {
  return simple ? new MeshLambertMaterial(options) : new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, ...options });
}

/** The material of bodies; `truth` is the share of a colour that light does not change. */
export function skin(simple: boolean, look: Look, options: MeshLambertMaterialParameters, truth = { value: 0 }) {
  const glass = look === "solid" ? {} : { transparent: true, opacity: OPACITY[look], depthWrite: false };
  const material = surface(simple, { ...options, ...glass });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.truth = truth;
    shader.fragmentShader = shader.fragmentShader
      .replace("void main() {", "uniform float truth;\nvoid main() {")
      .replace("#include <opaque_fragment>", "outgoingLight = mix(outgoingLight, diffuseColor.rgb, truth);\n#include <opaque_fragment>");
  };
  return material;
}
