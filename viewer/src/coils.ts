// Forms of springs.

import { BufferAttribute, type BufferGeometry, CatmullRomCurve3, TubeGeometry, Vector3 } from "three";

/** Colour of springs. */
export const SPRING = "#d1752d";
/** Turns of a coil. */
const TURNS = 7;

/** A coil of unit radius along z from 0 to 1, with straight ends; its wire is thinner along z, as it will be drawn longer. */
export function coil(): BufferGeometry {
  const points = [new Vector3(0, 0, 0)];
  const steps = 10 * TURNS;
  for (let i = 0; i <= steps; i++) {
    const angle = (2 * Math.PI * TURNS * i) / steps;
    points.push(new Vector3(0.85 * Math.cos(angle), 0.85 * Math.sin(angle), 0.1 + (0.8 * i) / steps));
  }
  points.push(new Vector3(0, 0, 1));
  const form = new TubeGeometry(new CatmullRomCurve3(points), 14 * TURNS, 0.15, 6);
  // Drawn about seven times longer than wide: the wire is made flat along z and comes out round.
  const at = form.attributes.position as BufferAttribute;
  const line = new TubeGeometry(new CatmullRomCurve3(points), 14 * TURNS, 1e-9, 6).attributes.position;
  for (let i = 0; i < at.count; i++) at.setZ(i, line.getZ(i) + (at.getZ(i) - line.getZ(i)) / 7);
  form.computeVertexNormals();
  return form;
}

/** A flat spiral of unit radius about z: a spring that turns. */
export function spiral(): BufferGeometry {
  const points = Array.from({ length: 61 }, (_, i) => {
    const angle = (2 * Math.PI * 3 * i) / 60, r = 0.2 + (0.8 * i) / 60;
    return new Vector3(r * Math.cos(angle), r * Math.sin(angle), 0);
  });
  return new TubeGeometry(new CatmullRomCurve3(points), 150, 0.07, 6);
}
