//! Linearisation about motion, for every kind of joint: small disturbances of a run follow ẋ = A(t) x, where A is the
//! linear system about the run as it goes on.
//!
//! A constant matrix cannot see a wrong chart at rest: every model here turns, slides and is out of balance. The
//! differences of two runs are measured as twists in the axes of the speeds.

use flexura::analysis::linearize;
use flexura::file::build_text;
use flexura::integrate::Integrator;
use flexura::model::description::MethodDescription;
use flexura::model::joint::JointKind;
use flexura::spatial::{matrix_from_quaternion, transposed_matrix_vector};
use flexura::{Model, State, Workspace};

/// Duration (s) and fixed steps.
const END: f64 = 0.2;
const STEPS: usize = 200;
/// Size of a disturbance: curvature leaves 1e-5 of it, and central differences 1e-10.
const SIZE: f64 = 1e-5;

/// A number between −1 and 1, the same in every run.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn runs_of(model: &Model, start: &State) -> Vec<State> {
    let method = MethodDescription::Rk4 { step: END / STEPS as f64 };
    let mut integrator = Integrator::new(model, &method);
    let (mut state, mut work) = (start.clone(), Workspace::new(model));
    let mut states = vec![state.clone()];
    for _ in 0..STEPS {
        integrator.step(model, &mut state, &mut work, f64::INFINITY).expect("step");
        states.push(state.clone());
    }
    states
}

/// `start` moved along x = (twists, speeds) of the free coordinates.
fn moved(model: &Model, start: &State, free: &[usize], x: &[f64], size: f64) -> State {
    let mut twist = vec![0.0; model.speed_count()];
    let mut out = start.clone();
    for (i, &speed) in free.iter().enumerate() {
        twist[speed] = size * x[i];
        out.v[speed] += size * x[free.len() + i];
    }
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for r in 0..part.modes {
            out.q[part.q + r] += twist[part.v + r];
        }
        let kind = &model.joints[k].joint.kind;
        kind.move_by_twist(&start.q[part.joint_q()], &twist[part.joint_v()], &mut out.q[part.joint_q()]);
    }
    out
}

/// x from `a` to `b`, to first order.
fn difference(model: &Model, a: &State, b: &State, free: &[usize]) -> Vec<f64> {
    let mut twist = vec![0.0; model.speed_count()];
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for r in 0..part.modes {
            twist[part.v + r] = b.q[part.q + r] - a.q[part.q + r];
        }
        let (p, q) = (&a.q[part.joint_q()], &b.q[part.joint_q()]);
        let out = &mut twist[part.joint_v()];
        match model.joints[k].joint.kind {
            JointKind::Spherical => turn(p, q, out),
            JointKind::Free => {
                turn(p, q, out);
                let shift = [q[4] - p[4], q[5] - p[5], q[6] - p[6]];
                let rotation = matrix_from_quaternion(&[p[0], p[1], p[2], p[3]]);
                out[3..].copy_from_slice(&transposed_matrix_vector(&rotation, &shift));
            }
            _ => (0..out.len()).for_each(|i| out[i] = q[i] - p[i]),
        }
    }
    let places = free.iter().map(|&i| twist[i]);
    places.chain(free.iter().map(|&i| b.v[i] - a.v[i])).collect()
}

/// Rotation vector 2 (p* q) of a small turn.
fn turn(p: &[f64], q: &[f64], out: &mut [f64]) {
    let sign = (0..4).map(|i| p[i] * q[i]).sum::<f64>().signum();
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let part = p[0] * q[1 + i] - q[0] * p[1 + i] - (p[1 + j] * q[1 + k] - p[1 + k] * q[1 + j]);
        out[i] = 2.0 * sign * part;
    }
}

fn rate(model: &Model, state: &State, x: &[f64]) -> Vec<f64> {
    let system = linearize(model, state, &[], &[]).expect("linear system");
    let n = x.len();
    assert_eq!(system.states.len(), n);
    (0..n).map(|i| (0..n).map(|j| system.a[i * n + j] * x[j]).sum()).collect()
}

/// ẋ = A(t) x over the run by the classical Runge-Kutta method with steps of two of the run's.
fn linear_run(model: &Model, states: &[State], mut x: Vec<f64>) -> Vec<f64> {
    let h = 2.0 * END / STEPS as f64;
    let add =
        |x: &[f64], k: &[f64], f: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + f * k).collect() };
    for i in (0..states.len() - 1).step_by(2) {
        let k1 = rate(model, &states[i], &x);
        let k2 = rate(model, &states[i + 1], &add(&x, &k1, 0.5 * h));
        let k3 = rate(model, &states[i + 1], &add(&x, &k2, 0.5 * h));
        let k4 = rate(model, &states[i + 2], &add(&x, &k3, h));
        for (j, x) in x.iter_mut().enumerate() {
            *x += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
        }
    }
    x
}

/// Largest difference between the linear and the nonlinear disturbance, relative to the largest entry.
fn check(text: &str, what: &str, seed: u64) {
    let model = build_text(text, "model.toml").unwrap_or_else(|error| panic!("{what}: {error}")).built.model;
    let start = State::initial(&model, 0.0);
    let free = linearize(&model, &start, &[], &[]).unwrap_or_else(|error| panic!("{what}: {error}")).speeds;
    let mut random = Random(seed);
    let x: Vec<f64> = (0..2 * free.len()).map(|_| random.signed()).collect();
    let found = linear_run(&model, &runs_of(&model, &start), x.clone());
    let end = |size: f64| runs_of(&model, &moved(&model, &start, &free, &x, size)).pop().expect("a state");
    let (plus, minus) = (end(SIZE), end(-SIZE));
    let middle = runs_of(&model, &start).pop().expect("a state");
    let ahead = difference(&model, &middle, &plus, &free);
    let behind = difference(&model, &middle, &minus, &free);
    let expected: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * SIZE)).collect();
    let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        // Both runs are of fourth order with steps of a few milliseconds.
        assert!((found - expected).abs() < 1e-6 * largest, "{what}, entry {i}: {found} {expected}");
    }
}

/// A lopsided body on `joint`, which moves, carries a second on a turning hinge.
fn carried(joint: &str) -> String {
    format!(
        r#"
[model]
gravity = [1.0, 2.0, -9.81]
[[body]]
name = "first"
mass = 2.0
center_of_mass = [0.1, 0.2, 0.3]
inertia = [0.3, 0.4, 0.5]
frame = [{{ name = "far", position = [0.4, -0.1, 0.2] }}]
[[body]]
name = "second"
mass = 0.7
center_of_mass = [-0.2, 0.1, 0.1]
inertia = [0.02, 0.03, 0.04]
[[joint]]
name = "hinge"
type = "revolute"
axis = [0.6, 0, 0.8]
between = ["first.far", "second.origin"]
speed = 2.5
stiffness = 3
[[joint]]
name = "tested"
{joint}
[simulation]
end = 1
"#
    )
}

#[test]
fn disturbances_of_every_joint_follow_the_linear_system() {
    let forward = r#"between = ["ground.origin", "first.origin"]"#;
    let backward = r#"between = ["first.origin", "ground.origin"]"#;
    let kinds = [
        ("revolute", "axis = [0, 0.6, 0.8]\nposition = 0.4\nspeed = 6"),
        ("prismatic", "axis = [0.6, 0, 0.8]\nposition = 0.2\nspeed = 3"),
        ("cylindrical", "axis = [0, 0.6, 0.8]\nposition = [0.3, 0.2]\nspeed = [5, 2]"),
        ("helical", "axis = [0, 0.6, 0.8]\npitch = 0.1\nposition = 0.3\nspeed = 5"),
        ("universal", "axis = [1, 0, 0]\naxis2 = [0, 1, 0]\nposition = [0.3, 0.5]\nspeed = [4, -5]"),
        ("spherical", "speed = [3, -5, 7]\nstiffness = [20, 30, 40]"),
        ("planar", "position = [0.1, 0.2, 0.3]\nspeed = [1, 2, 6]"),
        ("translational", "position = [0.1, 0.2, 0.3]\nspeed = [1, 2, 3]"),
        ("free", "position = [0.1, 0.2, 0.3]\nspeed = [3, -5, 7, 1, 2, -3]"),
    ];
    for (i, (kind, rest)) in kinds.iter().enumerate() {
        for (side, between) in [("forward", forward), ("backward", backward)] {
            let text = carried(&format!("type = \"{kind}\"\n{between}\n{rest}"));
            check(&text, &format!("{kind}, {side}"), 10 + i as u64);
        }
    }
}

/// A position that is prescribed while the body turns freely: the speeds in its axes turn with the disturbance.
#[test]
fn disturbances_follow_where_part_of_a_free_joint_is_prescribed() {
    let place = r#"motion = ["free", "free", "free", { polynomial = [0, 2, 1.5] }, { harmonic = { amplitude = 0.4, angular_frequency = 7 } }, { polynomial = [0.1, -1] }]"#;
    let text = carried(&format!(
        "type = \"free\"\nbetween = [\"ground.origin\", \"first.origin\"]\nspeed = [3, -5, 7, 0, 0, 0]\n{place}"
    ));
    check(&text, "free with a prescribed position", 3);
}

/// A ball joint and a free joint inside closed loops, spinning.
#[test]
fn disturbances_of_closed_loops_follow_the_linear_system() {
    let text = r#"
[model]
gravity = [0.5, 1.0, -9.81]
[[ground.frame]]
name = "wall"
position = [1.1, 0.3, 0.1]
[[body]]
name = "crank"
mass = 1.0
center_of_mass = [0.15, 0, 0.05]
inertia = [0.01, 0.02, 0.03]
frame = [{ name = "end", position = [0.3, 0, 0.1] }]
[[body]]
name = "rod"
mass = 0.8
center_of_mass = [0.4, 0.1, 0]
inertia = [0.02, 0.05, 0.06]
frame = [{ name = "end", position = [0.9, 0, 0] }]
[[body]]
name = "rocker"
mass = 1.2
center_of_mass = [0, 0.2, 0]
inertia = [0.02, 0.01, 0.03]
frame = [{ name = "end", position = [0, 0.5, 0] }]
[[joint]]
name = "drive"
type = "revolute"
axis = [0, 0, 1]
between = ["ground.origin", "crank.origin"]
speed = 3
[[joint]]
name = "ball"
type = "spherical"
between = ["crank.end", "rod.origin"]
speed = [4, 0, 0]
[[joint]]
name = "swing"
type = "revolute"
axis = [1, 0, 0.2]
between = ["ground.wall", "rocker.origin"]
[[joint]]
name = "shut"
type = "spherical"
between = ["rod.end", "rocker.end"]
[simulation]
end = 1
"#;
    check_loops(text);
    // A lopsided top whose point is followed by a mass on three slides: the turns of the ball are independent.
    let text = r#"
[graph]
cut = "shut"
[model]
gravity = [0.5, 1.0, -9.81]
[[body]]
name = "top"
mass = 1.0
center_of_mass = [0.05, 0.1, 0.2]
inertia = [0.02, 0.03, 0.04]
frame = [{ name = "end", position = [0.1, 0, 0.25] }]
[[body]]
name = "follower"
mass = 0.3
inertia = [0.02, 0.05, 0.06]
[[joint]]
name = "ball"
type = "spherical"
between = ["ground.origin", "top.origin"]
speed = [3, -5, 7]
[[joint]]
name = "slides"
type = "translational"
between = ["ground.origin", "follower.origin"]
position = [0.1, 0, 0.25]
[[joint]]
name = "shut"
type = "spherical"
between = ["top.end", "follower.origin"]
[simulation]
end = 1
"#;
    check_loops(text);
}

/// Loops: disturbances start on the constraints, so they are made by runs from projected states.
fn check_loops(text: &str) {
    use flexura::constraint::project;
    let model = build_text(text, "loop.toml").expect("model").built.model;
    let start = State::initial(&model, 0.0);
    let free = linearize(&model, &start, &[], &[]).expect("linear system").speeds;
    let mut random = Random(5);
    let x: Vec<f64> = (0..2 * free.len()).map(|_| random.signed()).collect();
    let states = runs_of(&model, &start);
    let disturbed = |size: f64| {
        let mut state = moved(&model, &start, &free, &x, size);
        project(&model, &mut state, &mut Workspace::new(&model)).expect("closed");
        state
    };
    let ends = [SIZE, -SIZE].map(|size| {
        let begin = disturbed(size);
        let end = runs_of(&model, &begin).pop().expect("a state");
        (difference(&model, &start, &begin, &free), difference(&model, &states[STEPS], &end, &free))
    });
    let mean =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * SIZE)).collect() };
    let begin = mean(&ends[0].0, &ends[1].0);
    let expected = mean(&ends[0].1, &ends[1].1);
    let found = linear_run(&model, &states, begin);
    let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-6 * largest, "entry {i}: {found} {expected}");
    }
}
