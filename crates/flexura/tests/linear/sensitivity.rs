//! Parameter sensitivities: a double pendulum with a PID controller written independently in complex
//! numbers (complex step), and central differences of whole simulations of a flexible arm.

use crate::models::{FLEXIBLE, PENDULUM};
use flexura::State;
use flexura::analysis::{Parameter, SensitivityError, acceleration_sensitivity, sensitivity};
use flexura::file::{build_text, set_parameter};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Complex numbers for the complex step: f'(p) = Im f(p + ih)/h without cancellation.
#[derive(Clone, Copy, Debug)]
struct C(f64, f64);

impl Add for C {
    type Output = C;
    fn add(self, o: C) -> C {
        C(self.0 + o.0, self.1 + o.1)
    }
}
impl Sub for C {
    type Output = C;
    fn sub(self, o: C) -> C {
        C(self.0 - o.0, self.1 - o.1)
    }
}
impl Mul for C {
    type Output = C;
    fn mul(self, o: C) -> C {
        C(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}
impl Div for C {
    type Output = C;
    fn div(self, o: C) -> C {
        let d = o.0 * o.0 + o.1 * o.1;
        C((self.0 * o.0 + self.1 * o.1) / d, (self.1 * o.0 - self.0 * o.1) / d)
    }
}
impl Neg for C {
    type Output = C;
    fn neg(self) -> C {
        C(-self.0, -self.1)
    }
}

fn sin(z: C) -> C {
    C(z.0.sin() * z.1.cosh(), z.0.cos() * z.1.sinh())
}

fn cos(z: C) -> C {
    C(z.0.cos() * z.1.cosh(), -z.0.sin() * z.1.sinh())
}

/// Parameters of the pendulum in the order of [`PATHS`].
const PATHS: [&str; 11] = [
    "upper.mass",
    "upper.inertia.2",
    "lower.center_of_mass.3",
    "upper.elbow.position.3",
    "gravity.3",
    "elbow.stiffness",
    "elbow.damping",
    "shoulder.position",
    "elbow.speed",
    "pid.proportional",
    "pid.derivative",
];
const VALUES: [f64; 11] = [1.3, 0.02, -0.25, -0.6, -9.81, 4.0, 0.05, 0.8, -1.5, 3.0, 0.4];
const FILTER: f64 = 0.05;
const STEP: f64 = 1e-3;
const ROWS: usize = 4;
const STEPS_PER_ROW: usize = 250;

/// Accelerations of the absolute angles and rates of the controller states, by Lagrange's equations.
fn rates(p: &[C; 11], y: &[C; 6]) -> [C; 6] {
    let r = |x: f64| C(x, 0.0);
    let [m1, j1, com2, elbow, g, k, d, _, _, kp, kd] = *p;
    let (c1, m2, j2, ki) = (r(0.3), r(0.7), r(0.015), r(1.5));
    let (l1, c2, g) = (-elbow, -com2, -g);
    let [a, b, u, w, integral, filtered] = *y;
    let (s, c) = (sin(a - b), cos(a - b));
    let (m11, m12, m22) = (j1 + m1 * c1 * c1 + m2 * l1 * l1, m2 * l1 * c2 * c, j2 + m2 * c2 * c2);
    let elbow_torque = -(k * (b - a)) - d * (w - u);
    let error = r(0.2) - a;
    let slope = (error - filtered) / r(FILTER);
    let control = kp * error + ki * integral + kd * slope;
    let f1 = -(m2 * l1 * c2 * s * w * w) - (m1 * c1 + m2 * l1) * g * sin(a) - elbow_torque + control;
    let f2 = m2 * l1 * c2 * s * u * u - m2 * c2 * g * sin(b) + elbow_torque;
    let det = m11 * m22 - m12 * m12;
    [u, w, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det, error, slope]
}

fn start(p: &[C; 11]) -> [C; 6] {
    let zero = C(0.0, 0.0);
    [p[7], p[7] + C(0.4, 0.0), zero, p[8], zero, zero]
}

/// States at the rows: Runge-Kutta with the step of the engine.
fn simulate(p: &[C; 11]) -> Vec<[C; 6]> {
    let moved = |y: &[C; 6], k: &[C; 6], h: f64| std::array::from_fn(|i| y[i] + k[i] * C(h, 0.0));
    let mut y = start(p);
    let mut list = vec![y];
    for _ in 0..ROWS {
        for _ in 0..STEPS_PER_ROW {
            let k1 = rates(p, &y);
            let k2 = rates(p, &moved(&y, &k1, 0.5 * STEP));
            let k3 = rates(p, &moved(&y, &k2, 0.5 * STEP));
            let k4 = rates(p, &moved(&y, &k3, STEP));
            let two = C(2.0, 0.0);
            y = std::array::from_fn(|i| y[i] + C(STEP / 6.0, 0.0) * (k1[i] + two * (k2[i] + k3[i]) + k4[i]));
        }
        list.push(y);
    }
    list
}

fn with_step(index: usize, h: f64) -> [C; 11] {
    std::array::from_fn(|i| C(VALUES[i], if i == index { h } else { 0.0 }))
}

fn parameters(text: &str) -> Vec<Parameter<'_>> {
    PATHS.iter().map(|path| Parameter::of_file(text, "pendulum.toml", path).expect("path")).collect()
}

/// Simulated angles and rates: every derivative agrees with the complex step to 1e-8 of the largest of
/// its kind (measured: 3e-11).
#[test]
fn simulated_outputs_agree_with_the_complex_step() {
    let built = build_text(PENDULUM, "pendulum.toml").expect("model").built;
    let outputs = ["shoulder.angle", "elbow.angle", "shoulder.rate", "elbow.rate"].map(String::from);
    let found = sensitivity(&built, &parameters(PENDULUM), &outputs).expect("sensitivity");
    assert_eq!(found.times.len(), ROWS + 1);
    let mut worst = 0.0_f64;
    for (j, path) in PATHS.iter().enumerate() {
        let exact = simulate(&with_step(j, 1e-40));
        for (row, y) in exact.iter().enumerate() {
            let state = [y[0], y[1] - y[0], y[2], y[3] - y[2]];
            let slopes = state.map(|z| z.1 / 1e-40);
            let largest = slopes.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (name, (slope, value)) in outputs.iter().zip(slopes.iter().zip(state)) {
                let channel = found.channels.iter().position(|c| c.name == *name).expect("channel");
                let got = found.derivative(row, channel, j);
                let value_error = found.values[row * found.channels.len() + channel] - value.0;
                assert!(value_error.abs() < 1e-10, "{name} at row {row}: {value_error:e}");
                if largest > 0.0 {
                    worst = worst.max((got - slope).abs() / largest);
                }
                assert!((got - slope).abs() <= 1e-8 * largest, "d {name}/d {path}: {got} {slope}");
            }
        }
        assert!(found.errors[j] < 1e-7, "{path}: estimate {:e}", found.errors[j]);
    }
    println!("worst relative difference {worst:e}, estimates {:?}", found.errors);
}

/// Accelerations at a fixed state.
#[test]
fn accelerations_agree_with_the_complex_step() {
    let built = build_text(PENDULUM, "pendulum.toml").expect("model").built;
    let mut state = State::initial(&built.model, 0.0);
    (state.q[0], state.q[1], state.v[0], state.v[1]) = (0.3, 0.9, 2.0, -1.0);
    (state.z[0], state.z[1]) = (0.1, -0.05);
    let found = acceleration_sensitivity(&built, &state, &parameters(PENDULUM)).expect("sensitivity");
    let y = [0.3, 1.2, 2.0, 1.0, 0.1, -0.05].map(|x| C(x, 0.0));
    let mut worst = 0.0_f64;
    for j in 0..PATHS.len() {
        let exact = rates(&with_step(j, 1e-40), &y);
        let slopes = [exact[2].1 / 1e-40, (exact[3].1 - exact[2].1) / 1e-40];
        let largest = slopes[0].abs().max(slopes[1].abs());
        for (got, slope) in found[j].iter().zip(slopes) {
            assert!((got - slope).abs() <= 1e-10 * largest, "{}: {got} {slope}", PATHS[j]);
            if largest > 0.0 {
                worst = worst.max((got - slope).abs() / largest);
            }
        }
    }
    println!("worst relative difference {worst:e}");
}

/// A flexible arm with quaternions, a prescribed joint and a sampled controller: derivatives against
/// central differences of whole simulations (Richardson, order four).
#[test]
fn flexible_arm_agrees_with_differences_of_simulations() {
    let paths = ["arm.young", "arm.length", "arm.density", "load.mass", "wrist.amplitude", "hold.derivative"];
    let outputs = ["arm.tip.position.z", "arm.eta.2", "energy.total", "base.force.x"].map(String::from);
    let built = build_text(FLEXIBLE, "arm.toml").expect("model").built;
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(FLEXIBLE, "arm.toml", path).expect("path")).collect();
    let found = sensitivity(&built, &list, &outputs).expect("sensitivity");
    let last = found.times.len() - 1;
    let mut worst = 0.0_f64;
    for (j, parameter) in list.iter().enumerate() {
        let run = |value: f64| -> Vec<f64> {
            let text = set_parameter(FLEXIBLE, paths[j], &format!("{value:?}")).expect("set");
            let result = build_text(&text, "arm.toml").expect("model").built.simulate().expect("run");
            let value = |name: &str| *result.channel(name).expect("channel").last().expect("row");
            found.channels.iter().map(|channel| value(&channel.name)).collect()
        };
        // The axial mode turns through 700 rad: larger steps would see the curvature of its phase.
        let h = 4e-5 * parameter.value;
        let at: Vec<Vec<f64>> = [-2.0, -1.0, 1.0, 2.0].iter().map(|k| run(parameter.value + k * h)).collect();
        for (c, channel) in found.channels.iter().enumerate() {
            let difference = (at[0][c] - 8.0 * at[1][c] + 8.0 * at[2][c] - at[3][c]) / (12.0 * h);
            let got = found.derivative(last, c, j);
            let scale = difference.abs().max(1e-3 * at[1][c].abs() / parameter.value.abs());
            worst = worst.max((got - difference).abs() / scale);
            assert!(
                (got - difference).abs() < 1e-6 * scale,
                "d {}/d {}: {got} {difference}",
                channel.name,
                paths[j]
            );
        }
    }
    println!("worst relative difference {worst:e}, estimates {:?}", found.errors);
}

/// What has no sensitivity is refused with the reason.
#[test]
fn refusals_say_why() {
    let built = build_text(FLEXIBLE, "arm.toml").expect("model").built;
    let modes = Parameter::of_file(FLEXIBLE, "arm.toml", "arm.bending_z").expect("path");
    let outputs = ["arm.eta.1".to_string()];
    let error = sensitivity(&built, &[modes], &outputs).expect_err("a count is no parameter");
    assert!(matches!(&error, SensitivityError::Build { .. }) && error.to_string().contains("whole number"));
    let text = FLEXIBLE.replace(
        "harmonic = { amplitude = 0.4, angular_frequency = 3.0 }",
        "cycloidal = { to = 1, start = 0.02, duration = 0.05 }",
    );
    let built = build_text(&text, "arm.toml").expect("model").built;
    let start = Parameter::of_file(&text, "arm.toml", "wrist.start").expect("path");
    let error = sensitivity(&built, &[start], &outputs).expect_err("a moving break point");
    assert!(matches!(error, SensitivityError::BreakPoint { .. }), "{error}");
}
