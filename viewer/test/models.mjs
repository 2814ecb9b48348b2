// Large models for the viewer, written as model files.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { out } from "./browser.mjs";

/** A hanging chain of rigid links that starts from a spiral. */
export function chain(links) {
  const text = [`[model]\nname = "chain of ${links}"\n`];
  for (let k = 0; k < links; k++) {
    text.push(`[[body]]\nname = "link${k}"\nmass = 1.0\ncenter_of_mass = [0.05, 0, 0]\ninertia = [0.0001, 0.001, 0.001]`);
    text.push(`[[body.frame]]\nname = "end"\nposition = [0.1, 0, 0]`);
    text.push(`[[joint]]\nname = "hinge${k}"\ntype = "revolute"\naxis = [0, 1, 0]\nposition = ${k % 60 === 0 ? 0.5 : 0.11}`);
    text.push(`between = ["${k ? `link${k - 1}.end` : "ground.origin"}", "link${k}.origin"]`);
  }
  text.push(`[simulation]\nmethod = "rk4"\nstep = 0.001\nend = 0.1\n[output]\nchannels = ["energy.*", "hinge0.angle"]`);
  writeFileSync(path.join(out, "chain.toml"), text.join("\n"));
  return "chain.toml";
}

/** A square plate of `side` × `side` nodes in its first two bending shapes, on a hinge. */
export function plate(side) {
  const text = [`[model]\nname = "plate of ${side * side} nodes"\ngravity = [0, 0, 0]`];
  text.push(`[[body]]\nname = "plate"\nlevel = "ruthless"\n[body.modal]\nstiffness = [400.0, 900.0]`);
  const triangles = [];
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const x = i / (side - 1), y = j / (side - 1) - 0.5;
      const bend = (0.5 * x * x).toFixed(6), twist = (x * y).toFixed(6);
      text.push(`[[body.modal.node]]\nmass = ${1 / (side * side)}\nposition = [${x}, ${y}, 0]`);
      text.push(`slopes = [[0, ${-x}, 0], [${x}, ${-y}, 0]]\ntranslations = [[0, 0, ${bend}], [0, 0, ${twist}]]`);
      const n = i * side + j + 1;
      if (i + 1 < side && j + 1 < side) triangles.push(`[${n},${n + side},${n + 1}],[${n + 1},${n + side},${n + side + 1}]`);
    }
  }
  text.push(`[[joint]]\nname = "hinge"\ntype = "revolute"\naxis = [0, 0, 1]\nspeed = 1.0\nbetween = ["ground.origin", "plate.origin"]`);
  text.push(`[[picture]]\nbody = "plate"\ntriangles = [${triangles.join(",")}]`);
  text.push(`[[simulation.initial]]\nbody = "plate"\nmodal_position = [0.15, 0.1]`);
  text.push(`[simulation]\nmethod = "rk4"\nstep = 0.002\nend = 0.2`);
  // A table must come before its sub-tables.
  const at = text.findIndex((part) => part.startsWith("[[simulation.initial]]"));
  text.push(text.splice(at, 1)[0]);
  writeFileSync(path.join(out, "plate.toml"), text.join("\n"));
  return "plate.toml";
}
