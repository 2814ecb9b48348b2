//! A, B, C and D against simulations: small motions of the nonlinear engine follow the linear system in time,
//! and the steady answer of the linear system to a sine is its frequency response.

use flexura::analysis::{
    EquilibriumOptions, LinearSystem, equilibrium, frequency_response, linearize, modes,
};
use flexura::build::Built;
use flexura::file::build_text;
use flexura::record::{Recorder, Recording};
use flexura::simulate::run_from;
use flexura::{Model, State};
use std::f64::consts::TAU;

/// A sagging boom on a sprung ball joint with a motor, a push at its tip and a continuous controller; inputs
/// of size `size`.
fn machine(size: f64) -> Built {
    let text = format!(
        r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "boom"
[body.beam]
length = 1.0
density = 2700
young = 7e10
poisson = 0.33
section = {{ circle = 0.01 }}
boundary = "clamped-free"
bending_y = 1
bending_z = 2
damping = {{ ratios = [0.05, 0.05, 0.05] }}
[[body.frame]]
name = "tip"
station = "tip"
[[body]]
name = "head"
mass = 0.4
inertia = [0.002, 0.003, 0.004]
center_of_mass = [0.05, 0.02, 0.1]
[[joint]]
name = "ball"
type = "spherical"
between = ["ground.origin", "boom.origin"]
stiffness = [60, 80, 70]
damping = [3, 4, 4]
effort = ["free", {{ harmonic = {{ amplitude = {size:?}, angular_frequency = 9.0 }} }}, "free"]
[[joint]]
name = "neck"
type = "revolute"
axis = [0, 1, 0]
between = ["boom.tip", "head.origin"]
stiffness = 5
damping = 0.1
[[force]]
name = "push"
at = "boom.tip"
force = [0, 1, 2]
scale = {{ harmonic = {{ amplitude = {:?}, angular_frequency = 15.0, phase = 0.5 }} }}
[[controller]]
name = "hold"
sensors = ["neck.angle"]
actuators = ["neck.effort"]
proportional = 2.0
integral = 4.0
derivative = 0.05
filter = 0.02
reference = 0.3
[simulation]
end = 0.6
method = "rk4"
step = 2.5e-4
output_interval = 0.02
"#,
        2.0 * size
    );
    build_text(&text, "machine.toml").expect("model").built
}

const INPUTS: [&str; 2] = ["ball.effort.2", "push"];
const OUTPUTS: [&str; 4] = ["boom.tip.position.z", "head.acceleration.x", "ball.moment.y", "hold.output.1"];

fn inputs(time: f64) -> [f64; 2] {
    [(9.0 * time).sin(), 2.0 * (15.0 * time + 0.5).sin()]
}

/// Rest without inputs, the controller's integral included: iterates the controller state until its errors
/// vanish, which the equilibrium holds fixed.
fn rest(model: &Model) -> State {
    let mut state = State::initial(model, 0.0);
    let mut work = flexura::Workspace::new(model);
    for _ in 0..200 {
        state = equilibrium(model, &state, &EquilibriumOptions::default()).expect("rest").state;
        flexura::evaluate(model, &state, &mut work).expect("dynamics");
        let (error, slope) = (work.control.rates[0], work.control.rates[1]);
        if error.abs() < 1e-13 && slope.abs() < 1e-13 {
            break;
        }
        // Sensors see a stiffness of 5 N m/rad and gravity: a step of error × (5 + 2)/4 nearly ends it.
        state.z[0] += error * 7.0 / 4.0;
        state.z[1] += slope * 0.02;
    }
    state
}

/// A direction of the linear state: increments, speeds, controller states.
fn direction(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 37 % 11) as f64 - 5.0) / 50.0).collect()
}

/// `state` moved by `size` along the direction.
fn moved(model: &Model, state: &State, size: f64) -> State {
    let (n, m) = (model.speed_count(), state.z.len());
    let d = direction(2 * n + m);
    let mut out = state.clone();
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for r in 0..part.modes {
            // Modal units are metres here: a tenth of the joint angles keeps all motions of one size.
            out.q[part.q + r] += 0.1 * size * d[part.v + r];
        }
        let step: Vec<f64> = part.joint_v().map(|i| size * d[i]).collect();
        model.joints[k].joint.kind.retract(&state.q[part.joint_q()], &step, &mut out.q[part.joint_q()]);
    }
    for i in 0..n {
        out.v[i] += size * d[n + i];
    }
    for i in 0..m {
        out.z[i] += size * d[2 * n + i];
    }
    out
}

fn linear_direction(model: &Model, states: usize) -> Vec<f64> {
    let mut d = direction(states);
    for part in &model.layout.bodies {
        for r in part.modal_v() {
            d[r] *= 0.1;
        }
    }
    d
}

/// ẋ = A x + B u.
fn rate(system: &LinearSystem, x: &[f64], u: &[f64]) -> Vec<f64> {
    let (n, m) = (system.states.len(), u.len());
    let row = |i: usize| {
        let states: f64 = (0..n).map(|j| system.a[i * n + j] * x[j]).sum();
        states + (0..m).map(|j| system.b[i * m + j] * u[j]).sum::<f64>()
    };
    (0..n).map(row).collect()
}

/// y = C x + D u.
fn output(system: &LinearSystem, x: &[f64], u: &[f64]) -> Vec<f64> {
    let (n, m) = (system.states.len(), u.len());
    let row = |o: usize| {
        let states: f64 = (0..n).map(|j| system.c[o * n + j] * x[j]).sum();
        states + (0..m).map(|j| system.d[o * m + j] * u[j]).sum::<f64>()
    };
    (0..system.outputs.len()).map(row).collect()
}

/// One Runge-Kutta step of the linear system.
fn advance(system: &LinearSystem, x: &mut [f64], time: f64, h: f64, u: &dyn Fn(f64) -> Vec<f64>) {
    let stage = |x: &[f64], k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<f64>>();
    let k1 = rate(system, x, &u(time));
    let k2 = rate(system, &stage(x, &k1, 0.5 * h), &u(time + 0.5 * h));
    let k3 = rate(system, &stage(x, &k2, 0.5 * h), &u(time + 0.5 * h));
    let k4 = rate(system, &stage(x, &k3, h), &u(time + h));
    for (i, slot) in x.iter_mut().enumerate() {
        *slot += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| name.to_string()).collect()
}

/// Half the difference of two runs, displaced and driven to either side, leaves the linear part to third order.
#[test]
fn small_motions_follow_the_linear_system() {
    let size = 1e-4;
    let still = machine(0.0);
    let base = rest(&still.model);
    let system = linearize(&still.model, &base, &names(&INPUTS), &names(&OUTPUTS)).expect("linear system");
    let run = |size: f64| -> Recording {
        let built = machine(size);
        let mut recorder = Recorder::new(&built.model, &names(&OUTPUTS)).expect("channels");
        let mut recording = Recording::new(recorder.channels());
        let start = moved(&built.model, &base, size);
        let settings = &built.description.simulation;
        run_from(&built.model, settings, start, &mut recorder, &mut recording, &mut |_| true).expect("run");
        recording
    };
    let (plus, minus) = (run(size), run(-size));
    let h = 2.5e-4;
    let mut x = linear_direction(&still.model, system.states.len());
    let (mut worst, mut step) = (0.0_f64, 0usize);
    let largest: Vec<f64> = system
        .outputs
        .iter()
        .map(|name| {
            let pair = (plus.channel(name).expect("channel"), minus.channel(name).expect("channel"));
            pair.0.iter().zip(pair.1).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs() / (2.0 * size)))
        })
        .collect();
    for row in 0..31 {
        while step < row * 80 {
            advance(&system, &mut x, step as f64 * h, h, &|t| inputs(t).to_vec());
            step += 1;
        }
        let y = output(&system, &x, &inputs(step as f64 * h));
        for (o, name) in system.outputs.iter().enumerate() {
            let pair = (plus.channel(name).expect("channel"), minus.channel(name).expect("channel"));
            let found = (pair.0[row] - pair.1[row]) / (2.0 * size);
            worst = worst.max((found - y[o]).abs() / largest[o]);
            assert!((found - y[o]).abs() < 1e-6 * largest[o], "{name}, row {row}: {found} {}", y[o]);
        }
    }
    // Every matrix takes part: outputs that jump with the inputs make D count.
    assert!(system.b.iter().any(|b| b.abs() > 0.1) && system.d.iter().any(|d| d.abs() > 0.1));
    println!("worst difference {worst:.1e} of the largest value of each output");
}

/// Fourier coefficients over a period, once everything else has died away.
#[test]
fn the_frequency_response_is_the_steady_answer() {
    let still = machine(0.0);
    let base = rest(&still.model);
    let system = linearize(&still.model, &base, &names(&INPUTS), &names(&OUTPUTS)).expect("linear system");
    let decay = modes(&system).expect("modes").iter().fold(f64::INFINITY, |m, mode| m.min(-mode.real));
    let mut worst = 0.0_f64;
    for omega in [6.0, 40.0] {
        let exact = frequency_response(&system, omega).expect("no eigenvalue there");
        // The head turns about the boom with a time constant of a few ms: 0.13 ms leave 1e-7 of the fourth order.
        let steps = (TAU / omega / 1.3e-4).ceil() as usize;
        let h = TAU / omega / steps as f64;
        // The slowest part has died away by e^-25.
        let periods = (25.0 / decay * omega / TAU).ceil() as usize;
        for input in 0..2 {
            let u = |t: f64| {
                (0..2).map(|i| if i == input { (omega * t).sin() } else { 0.0 }).collect::<Vec<f64>>()
            };
            let mut x = vec![0.0; system.states.len()];
            let mut sums = vec![(0.0, 0.0); OUTPUTS.len()];
            for period in 0..=periods {
                for i in 0..steps {
                    let time = (period * steps + i) as f64 * h;
                    if period == periods {
                        let (sin, cos) = (omega * time).sin_cos();
                        for (sum, y) in sums.iter_mut().zip(output(&system, &x, &u(time))) {
                            *sum =
                                (sum.0 + y * sin * 2.0 / steps as f64, sum.1 + y * cos * 2.0 / steps as f64);
                        }
                    }
                    advance(&system, &mut x, time, h, &u);
                }
            }
            for (o, (re, im)) in sums.into_iter().enumerate() {
                let (a, b) = exact[o * 2 + input];
                let apart = (re - a).hypot(im - b) / a.hypot(b);
                worst = worst.max(apart);
                assert!(apart < 1e-6, "{} at {omega}: ({re}, {im}) ({a}, {b})", OUTPUTS[o]);
            }
        }
    }
    println!("worst relative difference {worst:.1e}");
}
