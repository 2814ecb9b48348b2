//! Loads spread over bodies, actuators between frames and forces as functions of channels: closed
//! forms, the same load written another way, power against energy, tangents against differences.

use flexura::analysis::{EquilibriumOptions, equilibrium, linearize};
use flexura::build::Built;
use flexura::file::build_text;
use flexura::{State, Workspace, evaluate};

fn built(text: &str) -> Built {
    match build_text(text, "loads.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => panic!("{errors}"),
    }
}

/// A cantilever whose polynomial shapes hold the exact deflections; EI = 1e3 N m², EA = 1e6 N.
const CANTILEVER: &str = r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "beam"
[body.beam]
length = 2.0
density = 1000
young = 1e9
poisson = 0.3
section = { area = 1e-3, inertia_y = 1e-6, inertia_z = 2e-6, torsion = 1e-6 }
foreshortening = false
shapes = [
  { kind = "bending_z", polynomial = [0, 0, 1] }, { kind = "bending_z", polynomial = [0, 0, 0, 1] },
  { kind = "bending_z", polynomial = [0, 0, 0, 0, 1] }, { kind = "bending_z", polynomial = [0, 0, 0, 0, 0, 1] },
  { kind = "bending_y", polynomial = [0, 0, 1] }, { kind = "axial", polynomial = [0, 1] },
]
[[body.frame]]
name = "tip"
station = "tip"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground.origin", "beam.origin"]
"#;

/// Tip displacement (axial, y, z) of the cantilever at rest under `load`.
fn tip_at_rest(load: &str) -> [f64; 3] {
    let model = built(&format!("{CANTILEVER}\n{load}")).model;
    let found =
        equilibrium(&model, &State::initial(&model, 0.0), &EquilibriumOptions::default()).expect("rest");
    let q = &found.state.q;
    [q[5], q[4], q[0] + q[1] + q[2] + q[3]]
}

/// Euler-Bernoulli: q L⁴/8EI, and 11 q L⁴/120 EI for a load that grows linearly from the root.
#[test]
fn line_loads_bend_a_cantilever_as_the_textbook_says() {
    let uniform =
        tip_at_rest("[[load]]\nname = \"q\"\nbody = \"beam\"\ntype = \"line\"\nforce = [0, 0, 0.5]");
    let exact = 0.5 * 16.0 / (8.0 * 1e3);
    assert!((uniform[2] / exact - 1.0).abs() < 1e-10, "{} {exact}", uniform[2]);
    let growing = "force = [0, 0, 0]\nend_force = [0, 0, 0.5]\naxes = \"body\"";
    let growing =
        tip_at_rest(&format!("[[load]]\nname = \"q\"\nbody = \"beam\"\ntype = \"line\"\n{growing}"));
    let exact = 11.0 * 0.5 * 16.0 / (120.0 * 1e3);
    assert!((growing[2] / exact - 1.0).abs() < 1e-10, "{} {exact}", growing[2]);
}

/// Modal forces of a load on the inner half: its work on each shape.
#[test]
fn a_line_load_on_part_of_a_beam() {
    let text = "[[load]]\nname = \"q\"\nbody = \"beam\"\ntype = \"line\"\nforce = [0, 0, 0.5]\nto = 1.0";
    let model = built(&format!("{CANTILEVER}\n{text}")).model;
    let mut work = Workspace::new(&model);
    evaluate(&model, &State::initial(&model, 0.0), &mut work).expect("dynamics");
    // ∫₀¹ q (x/2)ⁿ dx = q 2 (1/2)ⁿ⁺¹/(n + 1)
    for (r, n) in [2, 3, 4, 5].into_iter().enumerate() {
        let exact = 0.5 * 2.0 * 0.5_f64.powi(n + 1) / f64::from(n + 1);
        assert!((work.load.generalized[r] - exact).abs() < 1e-14, "{n}");
    }
}

/// Free expansion α T L and the deflection −α g L²/2 of a gradient.
#[test]
fn temperature_stretches_and_bends() {
    let load = "[[load]]\nname = \"sun\"\nbody = \"beam\"\ntype = \"thermal\"\nexpansion = 2e-5\ntemperature = 30\n\
                gradient_y = 4\ngradient_z = -5";
    let tip = tip_at_rest(load);
    let exact = [2e-5 * 30.0 * 2.0, -2e-5 * 4.0 * 2.0, 2e-5 * 5.0 * 2.0];
    for (found, exact) in tip.iter().zip(exact) {
        assert!((found / exact - 1.0).abs() < 1e-9, "{tip:?} {exact}");
    }
}

/// A floating plate of nodes and modes; loads are appended.
const PLATE: &str = r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "plate"
level = "full"
[body.modal]
stiffness = [120.0, 480.0]
[[body.modal.node]]
name = "edge"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
slopes = [[0.1, 0, 0], [0, 0.05, 0]]
translations = [[0, 0, 0.05], [0, 0.02, 0.1]]
[[body.modal.node]]
name = "far"
mass = 1.5
inertia = [0.02, 0.02, 0.03]
position = [0.5, 0.2, 0.0]
slopes = [[0.0, -0.8, 0.1], [0.2, -0.2, 0.0]]
translations = [[0.0, 0.0, 0.3], [0.0, 0.1, -0.4]]
quadratic = [[[-1.2, 0, 0], [0.7, 0, 0]], [[0.7, 0, 0], [-2.5, 0, 0]]]
[[body.frame]]
name = "far"
node = "far"
[[body.frame]]
name = "edge"
node = "edge"
[[joint]]
name = "float"
type = "free"
between = ["ground.origin", "plate.edge"]
orientation = { axis = [1, 2, 0], angle = 0.7 }
speed = [0.4, -0.3, 0.5, 0.2, 0.1, -0.1]
[[simulation.initial]]
body = "plate"
modal_position = [0.2, -0.15]
modal_speed = [0.5, 0.3]
"#;

fn accelerations(text: &str) -> (Vec<f64>, f64) {
    let model = built(text).model;
    let mut work = Workspace::new(&model);
    evaluate(&model, &State::initial(&model, 0.0), &mut work).expect("dynamics");
    (work.accelerations.chidot.clone(), work.power.total())
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// Pressure is a force −p A n that turns with its node; the joint holds a deforming node, so the
/// referral to the hinge counts.
#[test]
fn pressure_is_the_same_as_forces_at_nodes() {
    let pressure = |axes: &str| {
        format!(
            "{PLATE}\n[[load]]\nname = \"p\"\nbody = \"plate\"\ntype = \"pressure\"\npressure = 40\naxes = \"{axes}\"\n\
             patches = [{{ node = \"far\", area = 0.1, normal = [0, 3, 4] }}, {{ node = \"edge\", area = 0.2, normal = [1, 0, 0] }}]"
        )
    };
    let forces = "[[force]]\nname = \"a\"\nat = \"plate.far\"\naxes = \"frame\"\nforce = [0, -2.4, -3.2]\n\
                  [[force]]\nname = \"b\"\nat = \"plate.edge\"\naxes = \"frame\"\nforce = [-8, 0, 0]";
    let (loaded, power) = accelerations(&pressure("follower"));
    let (forced, same_power) = accelerations(&format!("{PLATE}\n{forces}"));
    assert!(largest_difference(&loaded, &forced) < 1e-11, "{loaded:?} {forced:?}");
    assert!((power - same_power).abs() < 1e-12, "{power} {same_power}");
    // Body axes differ: nodes are turned by up to 0.2 rad.
    let (body, _) = accelerations(&pressure("body"));
    assert!(largest_difference(&loaded, &body) > 1e-2);
}

/// A line load equals forces at its own integration points, on a beam whose root deforms.
#[test]
fn a_line_load_is_the_sum_of_forces_along_the_beam() {
    let beam = |boundary: &str, frames: &str, loads: &str| {
        format!(
            "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"boom\"\nlevel = \"full\"\n[body.beam]\nlength = 1.5\ndensity = 2700\n\
             young = 7e10\npoisson = 0.3\nsection = {{ circle = 0.01 }}\nboundary = \"{boundary}\"\nbending_y = 2\n\
             bending_z = 2\ntorsion = 1\n[[body.frame]]\nname = \"root\"\nstation = \"root\"\n{frames}[[joint]]\n\
             name = \"j\"\ntype = \"spherical\"\nbetween = [\"ground.origin\", \"boom.root\"]\nspeed = [0.3, 0.4, 1.0]\n\
             orientation = {{ axis = [0, 1, 0], angle = 0.6 }}\n{loads}\n[[simulation.initial]]\nbody = \"boom\"\n\
             modal_position = [0.001, 0.0004, -0.002, 0.0003, 0.01]\nmodal_speed = [0.2, 0.1, 0.3, -0.2, 0.5]\n"
        )
    };
    for boundary in ["clamped-free", "free-free"] {
        for (axes, other) in [("inertial", "inertial"), ("follower", "frame")] {
            let load = format!(
                "[[load]]\nname = \"q\"\nbody = \"boom\"\ntype = \"line\"\nforce = [1, 2, -3]\nend_force = [0, -2, 5]\n\
                 from = 0.2\naxes = \"{axes}\"\n"
            );
            let text = beam(boundary, "", &load);
            let points = built(&text).model.loads[0].points.clone();
            let (mut frames, mut forces) = (String::new(), String::new());
            for (i, point) in points.iter().enumerate() {
                let (x, f) = (point.attachment.shape.position[0], point.force);
                frames += &format!("[[body.frame]]\nname = \"p{i}\"\nstation = {x:?}\n");
                forces += &format!(
                    "[[force]]\nname = \"f{i}\"\nat = \"boom.p{i}\"\naxes = \"{other}\"\nforce = [{:?}, {:?}, {:?}]\n",
                    f[0], f[1], f[2]
                );
            }
            let (line, power) = accelerations(&text);
            let (sum, same_power) = accelerations(&beam(boundary, &frames, &forces));
            let size = sum.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(largest_difference(&line, &sum) < 1e-11 * size, "{boundary} {axes}: {line:?} {sum:?}");
            assert!((power / same_power - 1.0).abs() < 1e-11, "{power} {same_power}");
            // The weights integrate the load: 0.2 m to 1.5 m, mean of both ends.
            let total: f64 = points.iter().map(|point| point.force[2]).sum();
            assert!((total - 1.3).abs() < 1e-12, "{total}");
        }
    }
}

/// Everything that drives the plate at once, over time and from channels.
const DRIVEN: &str = r#"
[[body]]
name = "block"
mass = 1.0
inertia = [0.1, 0.2, 0.3]
[[joint]]
name = "rail"
type = "cylindrical"
axis = [0, 1, 0]
between = ["ground.origin", "block.origin"]
position = [0.3, 0.4]
[[load]]
name = "p"
body = "plate"
type = "pressure"
pressure = 40
patches = [{ node = "far", area = 0.1, normal = [0, 3, 4] }]
scale = { harmonic = { amplitude = 1.0, frequency = 2.0, phase = 0.4 } }
[[load]]
name = "m"
body = "plate"
type = "modal"
forces = [3.0, -2.0]
scale = { harmonic = { amplitude = 1.0, frequency = 1.0, offset = 0.5 } }
[[element]]
name = "jack"
type = "actuator"
between = ["block.origin", "plate.far"]
effort = { harmonic = { amplitude = 5.0, frequency = 3.0, phase = 1.0 } }
[[element]]
name = "motor"
type = "actuator"
axis = [0, 1, 0]
between = ["block.origin", "plate.edge"]
[[controller]]
name = "soft"
type = "function"
sensors = ["jack.length"]
actuators = ["motor"]
table = { inputs = [0, 0.5, 1, 2], outputs = [0, 1.5, 1, 4] }
[[controller]]
name = "bend"
type = "function"
sensors = ["plate.far.velocity.z"]
actuators = ["m"]
polynomial = [0.1, -0.4, 0.2]
"#;

/// Work and energy agree over a run: what the loads push with is what their power says.
#[test]
fn energy_balance_of_driven_bodies() {
    for method in ["", "method = \"trapezoidal\"\nstep = 2e-4\n"] {
        let settings = if method.is_empty() {
            "[simulation]\nend = 1.0\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n".to_string()
        } else {
            format!("[simulation]\nend = 1.0\n{method}")
        };
        let text = format!(
            "{}\n{DRIVEN}",
            PLATE.replace("[[simulation.initial]]", &format!("{settings}[[simulation.initial]]"))
        );
        let result = built(&text).simulate().expect("run");
        let balance = result.channel("energy.balance").expect("channel").to_vec();
        let largest = balance.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let total = result.channel("energy.total").expect("channel").to_vec();
        let change = total.iter().fold(0.0_f64, |m, x| m.max((x - total[0]).abs()));
        // The trapezoidal rule has an error of second order: (2e-4)² times the energy and its rates.
        let limit = if method.is_empty() { 1e-8 } else { 1e-3 };
        assert!(change > 0.5 && largest < limit * change, "{method}: {largest:e} of {change}");
    }
}

/// A from dual numbers against differences of accelerations of order four, with all inputs as columns of B;
/// displacements are twists.
#[test]
fn tangents_of_driven_bodies_agree_with_differences() {
    let model = built(&format!("{PLATE}\n{DRIVEN}")).model;
    let state = State::initial(&model, 0.0);
    let inputs = ["p", "m", "jack", "motor"].map(String::from);
    let system = linearize(&model, &state, &inputs, &["jack.length".to_string()]).expect("linear system");
    let (n, m) = (system.states.len(), model.speed_count());
    let mut work = Workspace::new(&model);
    let mut at = |direction: usize, step: f64| -> Vec<f64> {
        let mut moved = state.clone();
        let mut increment = vec![0.0; m];
        if direction < m {
            increment[direction] = step;
        } else {
            moved.v[direction - m] += step;
        }
        for (k, part) in model.layout.bodies.iter().enumerate() {
            for r in 0..part.modes {
                moved.q[part.q + r] += increment[part.v + r];
            }
            let (q, v) = (part.joint_q(), part.joint_v());
            model.joints[k].joint.kind.move_by_twist(&state.q[q.clone()], &increment[v], &mut moved.q[q]);
        }
        evaluate(&model, &moved, &mut work).expect("dynamics");
        work.accelerations.chidot.clone()
    };
    let size = system.a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    let h = 1e-3;
    let mut worst = 0.0_f64;
    for j in 0..2 * m {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| at(j, k * h));
        for i in 0..m {
            let difference = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            worst = worst.max((system.a[(m + i) * n + j] - difference).abs() / size);
        }
    }
    println!("worst difference {worst:e} of {size}");
    assert!(worst < 1e-9, "{worst:e}");
}

/// An actuator with an axis along a hinge is the effort of that hinge, and reacts on the carrier.
#[test]
fn a_torque_actuator_is_a_joint_effort() {
    let text = |effort: &str, element: &str| {
        format!(
            "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"a\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[[body]]\nname = \"b\"\n\
             mass = 1\ninertia = [0.1, 0.1, 0.2]\ncenter_of_mass = [0.3, 0, 0]\n[[joint]]\nname = \"f\"\ntype = \"free\"\n\
             between = [\"ground.origin\", \"a.origin\"]\nspeed = [0.1, 0.2, 0.3, 0, 0, 0]\n[[joint]]\nname = \"h\"\n\
             type = \"revolute\"\naxis = [0, 1, 0]\nbetween = [\"a.origin\", \"b.origin\"]\nposition = 0.4\nspeed = 2.0\n{effort}\n{element}"
        )
    };
    let (joint, power) = accelerations(&text("effort = 1.7", ""));
    let element = "[[element]]\nname = \"m\"\ntype = \"actuator\"\naxis = [0, 1, 0]\nbetween = [\"a.origin\", \"b.origin\"]\neffort = 1.7";
    let (actuator, same) = accelerations(&text("", element));
    assert!(largest_difference(&joint, &actuator) < 1e-13, "{joint:?} {actuator:?}");
    assert!((power - 3.4).abs() < 1e-14 && (same - 3.4).abs() < 1e-14, "{power} {same}");
}

/// A spring written as a force over a channel is that spring, for explicit and implicit steps, in the
/// frequency and in the channels of the actuator.
#[test]
fn a_force_over_a_channel_is_a_spring() {
    let text = |spring: &str, method: &str| {
        format!(
            "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"block\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"rail\"\n\
             type = \"prismatic\"\naxis = [1, 0, 0]\nbetween = [\"ground.origin\", \"block.origin\"]\nposition = 0.5\n{spring}\n\
             [simulation]\nend = 1.0\n{method}"
        )
    };
    let element = "[[element]]\nname = \"jack\"\ntype = \"actuator\"\nbetween = [\"ground.origin\", \"block.origin\"]\n\
                   [[controller]]\nname = \"law\"\ntype = \"function\"\nsensors = [\"rail.displacement\"]\n\
                   reference = 0.3\nactuators = [\"jack\"]\npolynomial = [0, -25]";
    for method in ["method = \"rk4\"\nstep = 1e-3", "method = \"trapezoidal\"\nstep = 1e-3"] {
        let driven = built(&text(element, method));
        let spring = built(&text("stiffness = 25\nrest = 0.3", method)).simulate().expect("run");
        let run = driven.simulate().expect("run");
        let last = |name: &str| run.last(name).expect("channel");
        let same = spring.last("rail.displacement").expect("channel");
        assert!((last("rail.displacement") - same).abs() < 1e-9, "{} {same}", last("rail.displacement"));
        assert!((last("jack.force.x") + 25.0 * (last("rail.displacement") - 0.3)).abs() < 1e-12);
        let state = State::initial(&driven.model, 0.0);
        let system = linearize(&driven.model, &state, &["jack".into()], &[]).expect("linear system");
        assert!((system.a[2] + 25.0).abs() < 1e-12 && (system.b[1] - 1.0).abs() < 1e-12);
    }
}

/// A preloaded bushing rests where its stiffness carries the preload.
#[test]
fn a_bushing_rests_at_its_preload() {
    let text = "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"a\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[[joint]]\nname = \"f\"\n\
                type = \"free\"\nbetween = [\"ground.origin\", \"a.origin\"]\n[[element]]\nname = \"e\"\ntype = \"bushing\"\n\
                between = [\"ground.origin\", \"a.origin\"]\nstiffness = [10, 10, 10, 100, 100, 100]\n\
                preload = [0.5, 0, 0, 0, 20, 0]";
    let model = built(text).model;
    let found =
        equilibrium(&model, &State::initial(&model, 0.0), &EquilibriumOptions::default()).expect("rest");
    assert!((found.state.q[5] + 0.2).abs() < 1e-12 && (found.state.q[1] + 0.025_f64.sin()).abs() < 1e-12);
}
