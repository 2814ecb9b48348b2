//! Implicit integration: order, numerical damping, tangents, stiff chains.

use crate::common::random_model::{Recipe, random_case};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::algorithm::structured_tangent::{StructuredTangent, TangentWeights};
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::integrate::{AlphaCoefficients, ExactTangent, Integrator};
use flexura::model::description::*;
use flexura::{Model, State, Workspace, evaluate};

fn implicit(damping: DampingChoice, step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping, step, tolerance: 0.0 }
}

fn end_state(model: &Model, method: &MethodDescription, end: f64) -> State {
    let mut state = State::initial(model, 0.0);
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, method);
    while state.time < end {
        integrator.step(model, &mut state, &mut work, end).expect("step");
    }
    state
}

fn distance(a: &State, b: &State) -> f64 {
    let square = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
    (square(&a.q, &b.q) + square(&a.v, &b.v)).sqrt()
}

fn reference() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-12,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

/// A free-floating flexible body with a swinging arm: quaternions, translations, modes, springs.
fn satellite() -> Model {
    let section = Section::Rectangle { width_y: 0.05, height_z: 0.01 };
    let counts = ModeCounts { bending_y: 1, bending_z: 1, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e6, 26e6, section).modes(Boundary::ClampedFree, counts);
    let spring = CoordinateDescription { stiffness: 2.0, damping: 0.05, ..Default::default() };
    Description::new("satellite")
        .gravity([0.0; 3])
        .body(BodyDescription::rigid("hub", 3.0, [0.3, 0.4, 0.5]).frame("mount", [0.3, 0.1, 0.0]))
        .body(BodyDescription::beam("boom", beam).station("tip", 1.0))
        .joint(
            JointDescription::free("float", ["ground.origin", "hub.origin"])
                .position(&[1.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
                .speed(&[0.3, -0.5, 0.8, 0.2, 0.1, -0.4]),
        )
        .joint(
            JointDescription::revolute("hinge", ["hub.mount", "boom.origin"], [0.0, 0.0, 1.0])
                .position(&[0.4])
                .coordinates(vec![spring]),
        )
        .build()
        .expect("valid")
        .model
}

/// Trapezoidal, HHT and generalised-α are of second order on SE(3) with modes and springs.
#[test]
fn implicit_methods_are_of_second_order() {
    let model = satellite();
    let exact = end_state(&model, &reference(), 0.5);
    for damping in [DampingChoice::None, DampingChoice::SpectralRadius(0.6), DampingChoice::Hht(0.1)] {
        let error = |h: f64| distance(&end_state(&model, &implicit(damping, h), 0.5), &exact);
        let order = (error(0.002) / error(0.001)).log2();
        assert!((1.85..2.15).contains(&order), "{damping:?}: order {order}");
    }
}

/// Amplification of a fast oscillator per step against the eigenvalues of the method's own recursion.
#[test]
fn generalized_alpha_damps_as_the_theory_says() {
    for rho in [0.0, 0.5, 0.9, 1.0] {
        for omega_h in [0.1, 1.0, 10.0, 1e4] {
            let found = measured_decay(rho, omega_h);
            let theory = spectral_radius(AlphaCoefficients::generalized(rho), omega_h);
            // At infinite frequency the three eigenvalues meet at rho: the decay is n² rhoⁿ, so the mean
            // over some hundred steps lies up to 1 % above.
            let tolerance = if omega_h > 1e3 { 1e-2 } else { 2e-3 };
            assert!(
                (found - theory).abs() < tolerance,
                "rho {rho}, omega h {omega_h}: {found} theory {theory}"
            );
        }
    }
}

/// Mean decay per step of the energy-like norm over the last steps of a long run.
fn measured_decay(rho: f64, omega_h: f64) -> f64 {
    let (h, omega) = (1e-2, omega_h / 1e-2);
    let spring = CoordinateDescription { stiffness: omega * omega, ..Default::default() };
    let model = Description::new("oscillator")
        .gravity([0.0; 3])
        .body(BodyDescription::point_mass("mass", 1.0))
        .joint(
            JointDescription::prismatic("slide", ["ground.origin", "mass.origin"], [1.0, 0.0, 0.0])
                .position(&[1.0])
                .coordinates(vec![spring]),
        )
        .build()
        .unwrap()
        .model;
    let mut integrator = Integrator::new(&model, &implicit(DampingChoice::SpectralRadius(rho), h));
    let (mut state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    let size = |state: &State| state.q[0].hypot(state.v[0] / omega);
    let mut sizes = Vec::new();
    for _ in 0..400 {
        integrator.step(&model, &mut state, &mut work, 1e9).unwrap();
        sizes.push(size(&state));
        if size(&state) < 1e-280 {
            break;
        }
    }
    // Geometric mean over the part after the transient, long enough to average the oscillation.
    let (from, to) = (sizes.len() / 4, sizes.len() - 1);
    (sizes[to] / sizes[from]).powf(1.0 / (to - from) as f64)
}

/// Largest eigenvalue of the amplification matrix of (q, h v, h² a) for q'' = −ω² q.
fn spectral_radius(c: AlphaCoefficients, omega_h: f64) -> f64 {
    let w2 = omega_h * omega_h;
    // Unknown A = h² a_{n+1}: (1−αm) A + αm a = −ω²h² [(1−αf) q₊ + αf q], q₊ = q + v + (½−β) a + β A.
    let denominator = (1.0 - c.alpha_m) + w2 * (1.0 - c.alpha_f) * c.beta;
    let row_a = [
        -w2 / denominator,
        -w2 * (1.0 - c.alpha_f) / denominator,
        (-c.alpha_m - w2 * (1.0 - c.alpha_f) * (0.5 - c.beta)) / denominator,
    ];
    let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
    let row_v: Vec<f64> =
        (0..3).map(|j| unit(1, j) + (1.0 - c.gamma) * unit(2, j) + c.gamma * row_a[j]).collect();
    let row_q: Vec<f64> =
        (0..3).map(|j| unit(0, j) + unit(1, j) + (0.5 - c.beta) * unit(2, j) + c.beta * row_a[j]).collect();
    let matrix = [row_q, row_v, row_a.to_vec()].concat();
    let values = flexura::analysis::eigenvalues(&matrix, 3).unwrap();
    values.iter().fold(0.0, |m, z| m.max(z.0.hypot(z.1)))
}

/// The structured solve inverts M + B exactly: for a system whose only stiffness is modal and joint
/// stiffness at rest, it equals the exact tangent by dual numbers.
#[test]
fn structured_and_exact_tangent_agree_at_rest() {
    let model = satellite();
    let mut state = State::initial(&model, 0.0);
    state.v.fill(0.0);
    state.q[7] = 0.0;
    let mut work = Workspace::new(&model);
    evaluate(&model, &state, &mut work).unwrap();
    let n = model.speed_count();
    let still = vec![0.0; n];
    let weights = TangentWeights { stiffness: 2.5e-3, damping: 0.05 };
    let mut structured = StructuredTangent::new(&model);
    structured
        .factorize(&model, &work.motion.kinematics, &work.inertias, weights, &model.prescribed)
        .unwrap();
    let mut exact = ExactTangent::new(&model).unwrap();
    assert!(exact.factorize(&model, &state, &still, weights));
    let right: Vec<f64> = (0..n).map(|i| (i as f64 * 1.7).sin()).collect();
    let (mut one, mut two) = (vec![0.0; n], vec![0.0; n]);
    structured.solve(&model, &work.motion.kinematics, &model.prescribed, &right, &mut one);
    exact.solve(&right, &mut two);
    let scale = two.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let worst = one.iter().zip(&two).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(worst < 1e-11 * scale, "{worst:e} of {scale:e}");
}

/// Correction of the end of a step by the exact tangent, as the iteration measures it: share of the motion of the step.
fn left_over(
    (exact, c): (&mut ExactTangent, AlphaCoefficients),
    model: &Model,
    (start, end): (&State, &State),
    w: &[f64],
) -> f64 {
    let h = end.time - start.time;
    let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
    let weights = TangentWeights { stiffness: h * h * c.beta * share, damping: h * c.gamma * share };
    assert!(exact.factorize(model, end, w, weights));
    let mut correction = vec![0.0; w.len()];
    exact.solve(&residual(model, end, w), &mut correction);
    let scale = |i: usize| 1e-6 + h * start.v[i].abs() + h * h * w[i].abs();
    (0..w.len()).fold(0.0, |size: f64, i| size.max(weights.stiffness * correction[i].abs() / scale(i)))
}

/// Newton's iteration of trees stops when its own rate says that no more than 1e-10 of the motion of a step is left. What is left is
/// asked of the exact tangent. The rate is one of sizes, each of which may belong to another coordinate: it knows the order of magnitude, so that
/// ten times that is allowed, a sixth of what one correction more would take away. And it stops soon: as many evaluations per step as counted here.
#[test]
fn iterations_end_where_their_rate_says_and_no_later() {
    for (model, step, most) in
        [(satellite(), 0.01, 4.5), (satellite(), 0.002, 3.5), (stiff_chain(), 0.005, 3.5)]
    {
        let damping = DampingChoice::SpectralRadius(0.8);
        let mut integrator = Integrator::new(&model, &implicit(damping, step));
        let mut exact = ExactTangent::new(&model).unwrap();
        let (mut state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
        for _ in 0..100 {
            let start = state.clone();
            integrator.step(&model, &mut state, &mut work, 1e9).unwrap();
            let w = integrator.accelerations().unwrap();
            let route = (&mut exact, AlphaCoefficients::generalized(0.8));
            let left = left_over(route, &model, (&start, &state), w);
            assert!(left < 1e-9, "step {step}, t = {}: {left:e} of the motion left", state.time);
        }
        let taken = integrator.statistics();
        let mean = taken.evaluations as f64 / taken.accepted as f64;
        println!("step {step}: {mean} evaluations per step");
        assert!(mean < most, "step {step}: {mean} evaluations per step");
    }
}

/// Weak gravity: the swing takes seconds while axial waves take microseconds (m/s²).
const SLOW_GRAVITY: [f64; 3] = [0.0, 0.0, -0.2];

/// A pendulum chain of bars with axial modes near 1e5 rad/s, released with a small bend.
fn stiff_chain() -> Model {
    let section = Section::Circle { radius: 0.01 };
    let counts = ModeCounts { axial: 3, ..Default::default() };
    let mut description = Description::new("stiff chain").gravity(SLOW_GRAVITY);
    let mut previous = "ground.origin".to_string();
    for i in 0..4 {
        // c = sqrt(E/ρ) = 1.27e4 m/s, ω = (2n−1) π c / 2L: 8e4, 2.4e5, 4e5 rad/s for L = 0.25 m
        let beam =
            BeamDescription::new(0.25, 1000.0, 1.6e11, 6e10, section).modes(Boundary::ClampedFree, counts);
        let name = format!("bar{i}");
        let pin = JointDescription::revolute(
            &format!("pin{i}"),
            [&previous, &format!("{name}.origin")],
            [0.0, 1.0, 0.0],
        );
        description = description
            .body(BodyDescription::beam(&name, beam).station("end", 0.25))
            .joint(pin.position(&[if i == 0 { 1.0 } else { 0.2 }]));
        previous = format!("{name}.end");
    }
    description.build().expect("valid").model
}

/// The same chain of rigid bars: the slow motion.
fn rigid_chain() -> Model {
    let mut description = Description::new("rigid chain").gravity(SLOW_GRAVITY);
    let mut previous = "ground.origin".to_string();
    let (mass, length) = (1000.0 * std::f64::consts::PI * 1e-4 * 0.25, 0.25_f64);
    let polar = mass * 1e-4 / 2.0;
    let across = mass * (length * length / 12.0 + 1e-4 / 4.0);
    for i in 0..4 {
        let name = format!("bar{i}");
        let pin = JointDescription::revolute(
            &format!("pin{i}"),
            [&previous, &format!("{name}.origin")],
            [0.0, 1.0, 0.0],
        );
        description = description
            .body(
                BodyDescription::rigid(&name, mass, [polar, across, across])
                    .center_of_mass([length / 2.0, 0.0, 0.0])
                    .frame("end", [length, 0.0, 0.0]),
            )
            .joint(pin.position(&[if i == 0 { 1.0 } else { 0.2 }]));
        previous = format!("{name}.end");
    }
    description.build().expect("valid").model
}

/// Axial modes of 1e5 rad/s: the explicit limit is about 2.8/4e5 = 7e-6 s; the implicit method takes steps
/// 1,000 times larger and keeps the slow motion to 1e-4.
#[test]
fn stiff_axial_modes_do_not_limit_the_step() {
    let model = stiff_chain();
    let fastest = fastest_frequency(&model);
    let explicit_limit = 2.8 / fastest;
    let step = 1000.0 * explicit_limit;
    assert!(fastest > 3e5 && step > 5e-3, "fastest {fastest:e}, step {step:e}");
    let slow = end_state(&rigid_chain(), &reference(), 1.0);
    let found = end_state(&model, &implicit(DampingChoice::SpectralRadius(0.9), step), 1.0);
    for k in 0..4 {
        let angle = found.q[model.layout.bodies[k].joint_q().start];
        let expected = slow.q[k];
        assert!((angle - expected).abs() < 1e-4, "pin{k}: {angle} {expected}");
    }
}

fn fastest_frequency(model: &Model) -> f64 {
    let state = State::initial(model, 0.0);
    let system = flexura::analysis::linearize(model, &state, &[], &[]).unwrap();
    let values = flexura::analysis::eigenvalues(&system.a, system.states.len()).unwrap();
    values.iter().fold(0.0, |m, z| m.max(z.1.abs()))
}

/// Error control: the slow motion follows the tolerance, with few steps despite the stiff modes.
#[test]
fn adaptive_implicit_steps_follow_the_tolerance() {
    let model = stiff_chain();
    let slow = end_state(&rigid_chain(), &reference(), 0.5);
    let mut last = f64::INFINITY;
    for tolerance in [1e-3, 1e-5, 1e-7] {
        let damping = DampingChoice::SpectralRadius(0.8);
        let method = MethodDescription::Implicit { damping, step: 1e-4, tolerance };
        let found = end_state(&model, &method, 0.5);
        let error = (0..4)
            .fold(0.0_f64, |m, k| m.max((found.q[model.layout.bodies[k].joint_q().start] - slow.q[k]).abs()));
        assert!(error < last / 3.0 || error < 1e-5, "tolerance {tolerance:e}: {error:e} after {last:e}");
        last = error;
    }
    assert!(last < 1e-4, "{last:e}");
}

/// M w + h(q, v) − T(q, v) over the free speeds.
fn residual(model: &Model, state: &State, w: &[f64]) -> Vec<f64> {
    let mut work = Workspace::<f64>::new(model);
    work.kinematics(model, state);
    work.loads(model, state);
    let mut inverse = InverseDynamics::new(model);
    inverse_dynamics(
        model,
        &work.motion.kinematics,
        &work.inertias,
        w,
        &work.load.wrench,
        Terms::All,
        &mut inverse,
    );
    let free =
        |i: usize| if model.prescribed[i] { 0.0 } else { inverse.generalized[i] - work.load.generalized[i] };
    (0..w.len()).map(free).collect()
}

/// Exact tangent against central differences of the residual along a direction, on random trees with all
/// joints, levels, springs, friction and forces; differences of step 1e-6 are good to about 1e-7.
#[test]
fn exact_tangent_matches_differences() {
    let weights = TangentWeights { stiffness: 0.01, damping: 0.1 };
    for level in [InertiaLevel::Full, InertiaLevel::Consistent, InertiaLevel::Paper, InertiaLevel::Ruthless] {
        for seed in 1..=40 {
            let recipe = Recipe { bodies: 8, ..Recipe::everything(&[level]) };
            let (model, mut state) = random_case(&recipe, seed);
            flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
            let n = model.speed_count();
            let w: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let direction: Vec<f64> =
                (0..n).map(|i| if model.prescribed[i] { 0.0 } else { (i as f64 * 1.3).cos() }).collect();
            let mut tangent = ExactTangent::new(&model).expect("small model");
            assert!(tangent.factorize(&model, &state, &w, weights), "{level:?} seed {seed}");
            let step = 1e-6;
            let at = |sign: f64| {
                let moved = displaced(&model, &state, &direction, sign * step, weights);
                let w: Vec<f64> = (0..n).map(|i| w[i] + sign * step * direction[i]).collect();
                residual(&model, &moved, &w)
            };
            let (plus, minus) = (at(1.0), at(-1.0));
            let product: Vec<f64> = (0..n).map(|i| (plus[i] - minus[i]) / (2.0 * step)).collect();
            let mut back = vec![0.0; n];
            tangent.solve(&product, &mut back);
            let worst = back.iter().zip(&direction).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(worst < 1e-5, "{level:?} seed {seed}: {worst:e}");
        }
    }
}

/// `state` as it follows from a change `size` × `direction` of the accelerations.
fn displaced(model: &Model, state: &State, direction: &[f64], size: f64, weights: TangentWeights) -> State {
    let mut moved = state.clone();
    for (k, part) in model.layout.bodies.iter().enumerate() {
        for r in 0..part.modes {
            moved.q[part.q + r] += size * weights.stiffness * direction[part.v + r];
        }
        let twist: Vec<f64> = part.joint_v().map(|i| size * weights.stiffness * direction[i]).collect();
        let kind = &model.joints[k].joint.kind;
        kind.move_by_twist(&state.q[part.joint_q()], &twist, &mut moved.q[part.joint_q()]);
    }
    for (v, d) in moved.v.iter_mut().zip(direction) {
        *v += size * weights.damping * d;
    }
    moved
}
