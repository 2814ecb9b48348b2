// What colours show of a flexible body: deflections, von Mises' stresses, principal strains.
//
// Rows act on the modal coordinates (book/src/result_file.md): four numbers of a beam's section, E u', E v'', E w'', G θ', or
// six components of a tensor on a surface. Nothing here allocates: it runs for every vertex of every picture.

import type { Body } from "./types";

/** What colours may show. */
export type Measure = "deflection" | "stress" | "strain";

/** What the measures are called. */
export const TITLES: Record<Measure, string> = {
  deflection: "deflection", stress: "von Mises stress", strain: "largest principal strain",
};

/** Numbers of a beam's stress row. */
const BEAM_ROWS = 4;
const sums = new Float64Array(6);
/** The rows summed up last belong to a beam. */
let ofBeam = false;

/** Whether a body has what a measure needs. */
export function knows(body: Body, measure: Measure): boolean {
  if (measure === "deflection") return body.modes > 0;
  if (measure === "stress") return body.stress.length > 0;
  return body.strain.length > 0 || (body.stress.length > 0 && body.moduli !== undefined);
}

/** Sums up the rows of a node; `valueAt` then gives the value anywhere in its section. */
export function sumRows(body: Body, measure: Measure, node: number, row: Float32Array): void {
  const { modes, eta } = body;
  const rows = measure === "strain" && body.strain.length > 0 ? body.strain : body.stress;
  const width = rows.length / Math.max(1, modes * body.nodes.count);
  ofBeam = width === BEAM_ROWS;
  sums.fill(0);
  let at = node * modes * width;
  for (let r = 0; r < modes; r++) {
    const q = row[eta + r];
    for (let i = 0; i < width; i++) sums[i] += q * rows[at++];
  }
}

/** Stress (Pa) or strain of the node summed up last, at (y, z) of its section if it is a beam. */
export function valueAt(body: Body, measure: Measure, y: number, z: number): number {
  if (ofBeam) {
    const sigma = sums[0] - y * sums[1] - z * sums[2], tau = sums[3] * Math.sqrt(y * y + z * z);
    return measure === "stress" ? Math.sqrt(sigma * sigma + 3 * tau * tau) : fibreStrain(body, sigma, tau);
  }
  return measure === "stress" ? vonMises() : largestPrincipal();
}

function vonMises(): number {
  const a = sums[0] - sums[1], b = sums[1] - sums[2], c = sums[2] - sums[0];
  return Math.sqrt(0.5 * (a * a + b * b + c * c) + 3 * (sums[3] * sums[3] + sums[4] * sums[4] + sums[5] * sums[5]));
}

/** Principal strain of largest magnitude of a fibre: ε = σ/E along it, -νε across it, γ = τ/G. */
function fibreStrain(body: Body, sigma: number, tau: number): number {
  const young = body.moduli ? body.moduli[0] : 1, shear = body.moduli ? body.moduli[1] : 1;
  const strain = sigma / young, poisson = young / (2 * shear) - 1, half = (0.5 * tau) / shear;
  const mean = 0.5 * (1 - poisson) * strain, across = 0.5 * (1 + poisson) * strain;
  const radius = Math.sqrt(across * across + half * half);
  return Math.max(Math.abs(mean + radius), Math.abs(mean - radius));
}

/** Eigenvalue of largest magnitude of the strain summed up (Cardano's formula in its trigonometric form). */
function largestPrincipal(): number {
  const mean = (sums[0] + sums[1] + sums[2]) / 3;
  const a = sums[0] - mean, b = sums[1] - mean, c = sums[2] - mean;
  const xy = 0.5 * sums[3], yz = 0.5 * sums[4], zx = 0.5 * sums[5];
  const p = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + yz * yz + zx * zx)) / 6);
  if (p === 0) return Math.abs(mean);
  const determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
  const angle = Math.acos(Math.min(1, Math.max(-1, determinant / (2 * p * p * p)))) / 3;
  const most = mean + 2 * p * Math.cos(angle), least = mean + 2 * p * Math.cos(angle + (2 * Math.PI) / 3);
  return Math.max(Math.abs(most), Math.abs(least));
}
