//! Controllers in the loop: continuous, sampled, by callback.

use flexura::analysis::{eigenvalues, linearize, modes};
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::control::{Block, Callback};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Recording, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn pid(proportional: f64, integral: f64, derivative: f64, filter: f64) -> Block {
    Block::Pid { proportional, integral, derivative, filter }
}

fn controller(block: Block, sensor: &str, actuator: &str, sample_time: f64) -> ControllerDescription {
    ControllerDescription {
        name: "servo".into(),
        block,
        sensors: vec![sensor.into()],
        references: Vec::new(),
        actuators: vec![actuator.into()],
        limit: f64::INFINITY,
        sample_time,
    }
}

/// A 2 kg cart on a rail, 0.3 m from where it should be.
fn cart(servo: ControllerDescription) -> Description {
    let mut description = Description::new("cart")
        .gravity([0.0; 3])
        .body(BodyDescription::point_mass("cart", 2.0))
        .joint(
            JointDescription::prismatic("rail", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0])
                .position(&[0.3]),
        )
        .run_for(1.0);
    description.controllers.push(servo);
    description
}

fn simulate(description: Description) -> Recording {
    description.build().expect("valid").simulate().expect("run")
}

/// A continuous PID with filtered derivative has the poles of its transfer function:
/// m s² (τ s + 1) s + kp s (τ s + 1) + ki (τ s + 1) + kd s² = 0.
#[test]
fn continuous_pid_has_the_poles_of_its_transfer_function() {
    let (m, kp, ki, kd, tau) = (2.0, 50.0, 20.0, 8.0, 0.01);
    let model = cart(controller(pid(kp, ki, kd, tau), "rail.displacement", "rail.effort", 0.0))
        .build()
        .unwrap()
        .model;
    let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
    let coefficients = [m * tau, m, kp * tau + kd, kp + ki * tau, ki];
    let found = eigenvalues(&system.a, system.states.len()).unwrap();
    assert_eq!(found.len(), 4);
    for (re, im) in found {
        // Horner in complex numbers, relative to the size of its terms.
        let (mut value, mut size) = ((0.0, 0.0), 0.0);
        for c in coefficients {
            value = (value.0 * re - value.1 * im + c, value.0 * im + value.1 * re);
            size = size * re.hypot(im) + c.abs();
        }
        assert!(value.0.hypot(value.1) < 1e-9 * size, "{re} {im}");
    }
    assert!(modes(&system).unwrap().iter().all(|mode| mode.real < 0.0));
}

/// The simulated closed loop follows the linear solution of its own poles (proportional control).
#[test]
fn proportional_control_is_a_spring() {
    let result =
        simulate(cart(controller(pid(50.0, 0.0, 0.0, 0.0), "rail.displacement", "rail.effort", 0.0)));
    let x = result.channel("rail.displacement").unwrap();
    for (time, value) in result.time().iter().zip(x) {
        assert!((value - 0.3 * (5.0 * time).cos()).abs() < 1e-7, "{time}: {value}");
    }
    assert!(result.last("energy.balance").unwrap().abs() < 1e-8);
}

/// Integral action removes the error a constant force leaves; the reference is tracked.
#[test]
fn integral_action_and_reference() {
    let mut servo = controller(pid(80.0, 60.0, 20.0, 0.005), "rail.displacement", "rail.effort", 0.0);
    servo.references = vec![TimeFunction::Constant(0.5)];
    let mut description = cart(servo).run_for(20.0);
    description.forces.push(ForceDescription {
        name: "wind".into(),
        at: "cart.origin".into(),
        inertial: true,
        force: [-7.0, 0.0, 0.0],
        moment: [0.0; 3],
        scale: None,
    });
    let result = simulate(description);
    assert!((result.last("rail.displacement").unwrap() - 0.5).abs() < 1e-5);
    assert!((result.last("servo.output.1").unwrap() - 7.0).abs() < 1e-3);
}

/// A sampled state-space block equals the sampled PD law written by hand, and a callback equals both.
#[test]
fn sampled_blocks_and_callback_agree() {
    let (kp, kd, interval) = (40.0, 6.0, 0.02);
    let pd = simulate(cart(controller(pid(kp, 0.0, kd, 0.0), "rail.displacement", "rail.effort", interval)));
    // x = last error: u = (kp + kd/T) e − kd/T x
    let gain = kd / interval;
    let block = Block::StateSpace { a: vec![0.0], b: vec![1.0], c: vec![-gain], d: vec![kp + gain] };
    let space = simulate(cart(controller(block, "rail.displacement", "rail.effort", interval)));
    let calls = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&calls);
    let function = Callback(Arc::new(move |_, error: &[f64], memory: &mut [f64], output: &mut [f64]| {
        counter.fetch_add(1, Ordering::Relaxed);
        output[0] = kp * error[0] + kd * (error[0] - memory[0]) / interval;
        memory[0] = error[0];
        Ok(())
    }));
    let block = Block::Callback(function, 1);
    let called = simulate(cart(controller(block, "rail.displacement", "rail.effort", interval)));
    // 0, 0.02, …, 1.0: the last sample falls on the end of the run.
    assert_eq!(calls.load(Ordering::Relaxed), 51);
    for channel in ["rail.displacement", "rail.speed"] {
        let (a, b, c) =
            (pd.channel(channel).unwrap(), space.channel(channel).unwrap(), called.channel(channel).unwrap());
        for i in 0..a.len() {
            assert!((a[i] - b[i]).abs() < 1e-9 && (a[i] - c[i]).abs() < 1e-9);
        }
    }
}

/// A hub with a flexible arm, turned by a sampled PD controller on the hub angle.
/// A sampled controller may measure what its own output causes: u' = K (r − u/m), sample after sample.
#[test]
fn a_sampled_controller_measures_accelerations_and_forces() {
    let (m, gain, wanted, interval) = (2.0, 0.6, 1.5, 0.1);
    for (sensor, factor) in
        [("cart.acceleration.x", 1.0 / m), ("rail.speed_acceleration", 1.0 / m), ("rail.force.x", 1.0)]
    {
        let mut servo = controller(pid(gain, 0.0, 0.0, 0.0), sensor, "rail.effort", interval);
        servo.references = vec![TimeFunction::Constant(wanted)];
        let result = simulate(cart(servo));
        let (times, output) = (result.channel("time").unwrap(), result.channel("servo.output.1").unwrap());
        let mut expected = 0.0;
        for sample in 0..9 {
            expected = gain * (wanted - factor * expected);
            let middle = interval * (sample as f64 + 0.5);
            let row = times.iter().position(|&t| t > middle).expect("a row in every interval");
            assert!((output[row] - expected).abs() < 1e-12, "{sensor}: {} {expected}", output[row]);
        }
    }
}

fn flexible_arm(gain: f64, interval: f64) -> Description {
    let section = Section::Rectangle { width_y: 0.003, height_z: 0.04 };
    let counts = ModeCounts { bending_y: 2, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e9, 26e9, section)
        .modes(Boundary::ClampedFree, counts)
        .damping(DampingDescription::Ratios(vec![0.005; 2]));
    let mut description = Description::new("arm")
        .gravity([0.0; 3])
        .body(BodyDescription::rigid("hub", 1.0, [0.05, 0.05, 0.08]))
        .body(BodyDescription::beam("arm", beam).station("tip", 1.0))
        .joint(
            JointDescription::revolute("motor", ["ground.origin", "hub.origin"], [0.0, 0.0, 1.0])
                .position(&[1e-3]),
        )
        .joint(JointDescription::weld("clamp", ["hub.origin", "arm.origin"]))
        .output_interval(0.0);
    if gain > 0.0 {
        let law = pid(gain, 0.0, 0.15 * gain, 0.0);
        description.controllers.push(controller(law, "motor.angle", "motor.effort", interval));
    }
    description
}

/// Spectral radius of the sampled closed loop: zero-order hold of the linearised plant with the PD law.
fn loop_radius(gain: f64, interval: f64) -> f64 {
    let model = flexible_arm(0.0, interval).build().unwrap().model;
    let state = State { q: vec![0.0; model.coordinate_count()], ..State::initial(&model, 0.0) };
    let plant = linearize(&model, &state, &["motor.effort".into()], &["motor.angle".into()]).unwrap();
    let n = plant.states.len();
    // exp([A B; 0 0] T) by scaling and squaring of the Taylor series.
    let size = n + 1;
    let mut block = vec![0.0; size * size];
    for i in 0..n {
        for j in 0..n {
            block[i * size + j] = plant.a[i * n + j] * interval;
        }
        block[i * size + n] = plant.b[i] * interval;
    }
    let step = matrix_exponential(&block, size);
    // x₊ = Φ x + Γ u, u = −(kp + kd/T) y + kd/T y₋; state (x, y₋)
    let (kp, rate) = (gain, 0.15 * gain / interval);
    let mut closed = vec![0.0; size * size];
    for i in 0..n {
        for j in 0..n {
            closed[i * size + j] = step[i * size + j] - step[i * size + n] * (kp + rate) * plant.c[j];
        }
        closed[i * size + n] = step[i * size + n] * rate;
    }
    closed[n * size..n * size + n].copy_from_slice(&plant.c);
    eigenvalues(&closed, size).unwrap().iter().fold(0.0, |m, z| m.max(z.0.hypot(z.1)))
}

fn matrix_exponential(a: &[f64], n: usize) -> Vec<f64> {
    let multiply = |x: &[f64], y: &[f64]| -> Vec<f64> {
        let entry = |k: usize| (0..n).map(|i| x[(k / n) * n + i] * y[i * n + k % n]).sum();
        (0..n * n).map(entry).collect()
    };
    let norm = a.iter().fold(0.0_f64, |m, x| m.max(x.abs())) * n as f64;
    let squarings = norm.log2().ceil().max(0.0) as i32 + 4;
    let scaled: Vec<f64> = a.iter().map(|x| x / 2f64.powi(squarings)).collect();
    let unit = |k: usize| f64::from(u8::from(k / n == k % n));
    let mut sum: Vec<f64> = (0..n * n).map(unit).collect();
    let mut term = sum.clone();
    for order in 1..20 {
        term = multiply(&term, &scaled).iter().map(|x| x / f64::from(order)).collect();
        sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
    }
    (0..squarings).for_each(|_| sum = multiply(&sum, &sum));
    sum
}

/// Growth of the hub angle over a run too short for an unstable loop to leave the linear range: last fifth
/// against second fifth.
fn growth(gain: f64, interval: f64) -> f64 {
    let mut description = flexible_arm(gain, interval).run_for(0.8);
    description.output.channels = vec!["motor.angle".into()];
    // A loop that blows up ends the run: that is growth too.
    let Ok(result) = description.build().expect("valid").simulate() else { return f64::INFINITY };
    let (time, angle) = (result.time(), result.channel("motor.angle").unwrap());
    let largest = |from: f64, to: f64| {
        let inside = time.iter().zip(&angle).filter(|(t, _)| **t >= from && **t < to);
        inside.fold(0.0_f64, |m, (_, x)| m.max(x.abs()))
    };
    largest(0.64, 0.8) / largest(0.16, 0.32)
}

/// Discrete PD control of a flexible one-link arm: stable below and unstable above the gain at which the
/// sampled linear loop has spectral radius one.
#[test]
fn sampled_control_of_a_flexible_arm_is_stable_where_theory_says() {
    let interval = 0.004;
    let (mut low, mut high) = (1.0, 1e5);
    assert!(loop_radius(low, interval) < 1.0 && loop_radius(high, interval) > 1.0);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if loop_radius(middle, interval) < 1.0 { low = middle } else { high = middle }
    }
    let critical = low;
    let (below, above) = (growth(0.97 * critical, interval), growth(1.03 * critical, interval));
    assert!(below < 1.0 && above > 1.5, "critical gain {critical}: growth {below} below, {above} above");
}

/// Wrong names and impossible loops are refused with the item named.
#[test]
fn bad_controllers_are_explained() {
    let refused = |servo: ControllerDescription| cart(servo).build().unwrap_err().to_string();
    let p = || pid(1.0, 0.0, 0.0, 0.0);
    assert!(refused(controller(p(), "rail.displacemen", "rail.effort", 0.0)).contains("rail.displacement"));
    assert!(refused(controller(p(), "rail.displacement", "rial.effort", 0.0)).contains("JOINT.effort"));
    assert!(refused(controller(p(), "rail.speed_acceleration", "rail.effort", 0.0)).contains("own output"));
    let derivative = pid(1.0, 0.0, 1.0, 0.0);
    assert!(refused(controller(derivative, "rail.displacement", "rail.effort", 0.0)).contains("filter"));
}

/// Three samples of 0.1 s end one rounding after a break of the reference at 0.3 s.
#[test]
fn a_break_one_rounding_before_a_sample_is_passed() {
    for method in ["radau", "dormand-prince"] {
        let text = format!(
            r#"
[model]
name = "sampled"
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 2.0
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "cart.origin"]
axis = [1, 0, 0]
[[controller]]
name = "servo"
type = "pid"
sensors = ["rail.displacement"]
reference = {{ piecewise = {{ breaks = [0.3], pieces = [0.0, 1.0] }} }}
actuators = ["rail.effort"]
proportional = 5.0
derivative = 1.0
sample_time = 0.1
[simulation]
end = 1.0
output_interval = 0.1
method = "{method}"
"#
        );
        let built = flexura::file::build_text(&text, "sampled.toml").expect("valid").built;
        let moved = built.simulate().unwrap_or_else(|error| panic!("{method}: {error}"));
        assert!(moved.last("rail.displacement").expect("channel") > 0.1);
    }
}
