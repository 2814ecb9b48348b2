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
  return write(`chain${links}`, text.join("\n"));
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

function write(name, text) {
  writeFileSync(path.join(out, `${name}.toml`), text);
  return `${name}.toml`;
}

/** A cantilever bent by 30 mm, or another deflection (m), as by a force at its tip. */
export function cantilever(deflection = 0.03, name = "cantilever", body = "beam") {
  return write(name, `[model]
name = ${JSON.stringify(body)}
gravity = [0, 0, 0]
[[body]]
name = ${JSON.stringify(body)}
beam = { length = 2.0, density = 2700, young = 70e9, poisson = 0.33, section = { rectangle = [0.02, 0.05] }, shapes = [{ kind = "bending_y", polynomial = [0, 0, 1.5, -0.5] }] }
[[joint]]
name = "clamp"
type = "weld"
between = ["ground.origin", ${JSON.stringify(`${body}.origin`)}]
[simulation]
end = 0.02
[[simulation.initial]]
body = ${JSON.stringify(body)}
modal_position = [${deflection}]
`);
}

/** A steel plate of finite elements, pulled along x by a force at its free edge. */
export function pulled() {
  write("pulled_part", `[[material]]
name = "steel"
young = 2e11
poisson = 0.3
density = 7800
[[plate]]
name = "sheet"
edge_x = [1, 0, 0]
edge_y = [0, 0.1, 0]
cells = [20, 2]
thickness = 0.01
material = "steel"
[[interface]]
name = "root"
set = "sheet.x0"
[[interface]]
name = "tip"
set = "sheet.x1"
[reduction]
modes = 0
`);
  return write("pulled", `[model]
gravity = [0, 0, 0]
[[body]]
name = "strip"
fe = "pulled_part.toml"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground.origin", "strip.origin"]
[simulation]
end = 0.001
output_interval = 1e-4
[[simulation.initial]]
body = "strip"
modal_position = [1e-4, 0, 0, 0, 0, 0]
`);
}

/** A block pushed upwards with twice 6 N for a while. */
export function pushed() {
  return write("pushed", `[[body]]
name = "block"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "float"
type = "free"
between = ["ground.origin", "block.origin"]
[[force]]
name = "push"
at = "block.origin"
force = [0, 0, 6]
scale = { piecewise = { breaks = [0.05], pieces = [2, 0] } }
[simulation]
end = 0.1
[output]
channels = ["energy.*"]
`);
}

/** A run that takes some seconds: a block on a spring with steps far smaller than needed. */
export function growing() {
  return write("growing", `[model]
gravity = [0, 0, 0]
[[body]]
name = "block"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "block.origin"]
axis = [1, 0, 0]
position = 0.1
stiffness = 40
[simulation]
end = 4.0
method = "rk4"
step = 2e-6
output_interval = 0.005
`);
}

/** Bodies that float apart at different speeds, recorded in many rows. */
export function swarm(bodies, rows) {
  const text = [`[model]\nname = "swarm"\ngravity = [0, 0, 0]`];
  for (let k = 0; k < bodies; k++) {
    text.push(`[[body]]\nname = "b${k}"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]`);
    text.push(`[[joint]]\nname = "j${k}"\ntype = "free"\nbetween = ["ground.origin", "b${k}.origin"]`);
    text.push(`position = [${(0.1 * k).toFixed(3)}, ${k % 7}, 0]\nspeed = [0, 0, 0, ${(0.001 * k).toFixed(4)}, 0, 0]`);
  }
  text.push(`[simulation]\nmethod = "rk4"\nstep = 0.01\nend = ${rows / 100}\noutput_interval = 0.01\n[output]\nchannels = ["energy.kinetic"]\npicture = true`);
  return write("swarm", text.join("\n"));
}

/** A wheel with a sprung mass that rolls over a bump and down a step. */
export function rolling() {
  return write("rolling", `[[body]]
name = "carrier"
mass = 30.0
inertia = [2, 2, 2]
frame = [{ name = "upright", rotation = { axis = [1, 0, 0], angle_deg = 90 } }]
[[body]]
name = "wheel"
mass = 15.0
inertia = [0.6, 1.0, 0.6]
[[body]]
name = "load"
mass = 200.0
inertia = [5, 5, 5]
[[joint]]
name = "guide"
type = "planar"
between = ["ground.side", "carrier.upright"]
position = [0, 0.3, 0]
speed = [5, 0, 0]
damping = [0, 0, 400]
stiffness = [0, 0, 2000]
[[joint]]
name = "hub"
type = "revolute"
between = ["carrier.origin", "wheel.origin"]
axis = [0, 1, 0]
speed = 16.7
[[joint]]
name = "strut"
type = "prismatic"
between = ["carrier.origin", "load.origin"]
axis = [0, 0, 1]
position = 0.8
[[ground.frame]]
name = "side"
rotation = { axis = [1, 0, 0], angle_deg = 90 }
[[element]]
name = "tyre"
type = "tyre"
between = ["ground.origin", "wheel.origin"]
radius = 0.3
stiffness = 2e5
damping = 500
brush = { cornering_stiffness = 4e4, friction = 0.9 }
road = [{ cosine_bump = { start = 2, length = 1.5, height = 0.08 } }, { step = { at = 4, height = -0.05 } }]
[[element]]
name = "spring"
type = "spring-damper"
between = ["carrier.origin", "load.origin"]
free_length = 0.9
stiffness = 20000
damping = 1500
[[picture]]
body = "wheel"
cylinder = { radius = 0.3, length = 0.15 }
rotation = { axis = [1, 0, 0], angle_deg = 90 }
[[picture]]
body = "carrier"
box = [0.2, 0.05, 0.2]
[[picture]]
body = "load"
box = [0.8, 0.4, 0.2]
[simulation]
end = 1.0
`);
}

/** A slider on a sprung rail along y, an arm on it on a sprung hinge, a link on that on a free one. */
export function strut() {
  return write("strut", `[model]
name = "a wheel below its car"
gravity = [0, 0, 0]
[[body]]
name = "car"
mass = 100.0
center_of_mass = [0, 0, 0.5]
inertia = [10, 10, 10]
[[joint]]
name = "jack"
type = "weld"
between = ["ground.origin", "car.origin"]
[[body]]
name = "hub"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "travel"
type = "prismatic"
axis = [0, 0, 1]
between = ["car.origin", "hub.origin"]
stiffness = 100
position = -0.1
[simulation]
method = "rk4"
step = 0.001
end = 0.1
`);
}

export function sprung() {
  return write("sprung", `[model]
name = "springs in joints"
gravity = [0, 0, 0]
[[body]]
name = "slider"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
type = "prismatic"
axis = [0, 1, 0]
between = ["ground.origin", "slider.origin"]
stiffness = 100
position = 0.4
[[body]]
name = "arm"
mass = 0.5
center_of_mass = [0.25, 0, 0]
inertia = [0.001, 0.02, 0.02]
frame = [{ name = "tip", position = [0.5, 0, 0] }]
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 0, 1]
between = ["slider.origin", "arm.origin"]
stiffness = 2
[[body]]
name = "link"
mass = 0.5
center_of_mass = [0.25, 0, 0]
inertia = [0.001, 0.02, 0.02]
[[joint]]
name = "free_hinge"
type = "revolute"
axis = [0, 0, 1]
between = ["arm.tip", "link.origin"]
[simulation]
method = "rk4"
step = 0.001
end = 0.5
output_interval = 0.01
[output]
channels = ["rail.*", "hinge.*"]
`);
}

/** A ball over a plane, and a block held by a bushing in a turned frame, a stop along y and a spring that turns about x. */
export function rubber() {
  return write("rubber", `[model]
name = "rubber"
[[ground.frame]]
name = "plane"
position = [0.5, 0, 0]
[[ground.frame]]
name = "mount"
position = [0, 2, 1]
rotation = { axis = [1, 0, 0], angle_deg = 90 }
[[ground.frame]]
name = "wall"
position = [0, 1.5, 1]
[[body]]
name = "ball"
mass = 1.0
inertia = [0.004, 0.004, 0.004]
[[joint]]
name = "fall"
type = "free"
between = ["ground.plane", "ball.origin"]
position = [0, 0, 0.3]
[[body]]
name = "block"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "float"
type = "free"
between = ["ground.origin", "block.origin"]
position = [0, 2, 1]
[[element]]
name = "floor"
type = "contact"
between = ["ground.plane", "ball.origin"]
radius = 0.1
stiffness = 10000
[[element]]
name = "mount"
type = "bushing"
between = ["ground.mount", "block.origin"]
stiffness = [1e4, 1e4, 1e4, 100, 100, 100]
[[element]]
name = "stop"
type = "bump-stop"
between = ["ground.wall", "block.origin"]
axis = [0, 1, 0]
gap = 0.1
stiffness = 1000
[[element]]
name = "winding"
type = "torsion-spring-damper"
between = ["ground.origin", "block.origin"]
axis = [1, 0, 0]
stiffness = 10
[simulation]
end = 0.2
`);
}
