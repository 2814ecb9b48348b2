//! Motions with known solutions, simulated end to end.

use flexura::Recording;
use flexura::beam::{Boundary, ModeCounts, Section, SectionConstants};
use flexura::model::description::*;

/// Tight Dormand-Prince for comparisons near rounding.
fn tight() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-12,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

fn simulate(description: Description) -> Recording {
    description.build().expect("valid model").simulate().expect("simulation")
}

/// Value of a channel at the row nearest to `time`.
fn at(result: &Recording, channel: &str, time: f64) -> f64 {
    let times = result.time();
    let row = (0..times.len()).min_by(|&a, &b| (times[a] - time).abs().total_cmp(&(times[b] - time).abs()));
    let row = row.expect("rows");
    assert!((times[row] - time).abs() < 1e-9, "no row at {time}");
    result.channel(channel).expect("channel")[row]
}

fn close(label: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{label}: {found:.12} expected {expected:.12}");
}

/// IFToMM A01 simple pendulum: L = 1, m = 1, from (−1, 0) at rest. Exact values by
/// elliptic functions (`ref_rigid.json` of the benchmark set, trust T1).
#[test]
fn pendulum_a01() {
    let result = simulate(
        Description::new("A01")
            .gravity([0.0, -9.81, 0.0])
            .body(BodyDescription::point_mass("bob", 1.0))
            .body(BodyDescription::rigid("rod", 1e-12, [1e-12, 1e-12, 1e-12]).frame("end", [-1.0, 0.0, 0.0]))
            .joint(JointDescription::revolute("pin", ["ground.origin", "rod.origin"], [0.0, 0.0, 1.0]))
            .joint(JointDescription::weld("glue", ["rod.end", "bob.origin"]))
            .run_for(10.0)
            .method(tight())
            .output_interval(1.0),
    );
    let exact = [(1.0, 0.986291751132, -0.165010853126), (10.0, -0.275087462577, -0.961419205099)];
    for (time, x, y) in exact {
        close("x", at(&result, "rod.end.position.x", time), x, 1e-8);
        close("y", at(&result, "rod.end.position.y", time), y, 1e-8);
    }
}

/// Heavy top: converged reference of the benchmark set (section 2.7, trust T1), quoted to 9 digits.
#[test]
fn heavy_top() {
    let (mass, own) = (15.0, [0.234375, 0.46875, 0.234375]);
    let result = simulate(
        Description::new("heavy top")
            .body(
                BodyDescription::rigid("top", mass, own)
                    .center_of_mass([0.0, 1.0, 0.0])
                    .frame("center", [0.0, 1.0, 0.0]),
            )
            .joint(
                JointDescription::spherical("tip", ["ground.origin", "top.origin"])
                    .position(&[1.0, 0.0, 0.0, 0.0])
                    .speed(&[0.0, 150.0, -4.61538]),
            )
            .run_for(1.0)
            .method(tight())
            .output_interval(0.1),
    );
    let reference =
        [(0.1, [0.421296659, 0.894571974, -0.149164701]), (1.0, [0.173343964, 0.640088592, -0.748490791])];
    for (time, expected) in reference {
        for (axis, value) in ["x", "y", "z"].iter().zip(expected) {
            close("heavy top", at(&result, &format!("top.center.position.{axis}"), time), value, 1e-8);
        }
    }
}

/// A mass on a spring and damper: x = exp(−ζωt)(cos + …), exact.
#[test]
fn damped_spring_mass() {
    let (m, k, c, x0) = (2.0, 50.0, 1.2, 0.3);
    let spring = CoordinateDescription { stiffness: k, damping: c, ..Default::default() };
    let result = simulate(
        Description::new("oscillator")
            .gravity([0.0; 3])
            .body(BodyDescription::point_mass("mass", m))
            .joint(
                JointDescription::prismatic("slide", ["ground.origin", "mass.origin"], [1.0, 0.0, 0.0])
                    .position(&[x0])
                    .coordinates(vec![spring]),
            )
            .run_for(3.0)
            .method(tight())
            .output_interval(0.5),
    );
    let (decay, natural) = (c / (2.0 * m), k / m);
    let damped = (natural - decay * decay).sqrt();
    for i in 0..=6 {
        let t = 0.5 * f64::from(i);
        let phase = (damped * t).cos() + decay / damped * (damped * t).sin();
        close("x", at(&result, "slide.displacement", t), x0 * (-decay * t).exp() * phase, 1e-10);
        close("energy balance", at(&result, "energy.balance", t), 0.0, 1e-10);
    }
}

/// Torque-free asymmetric body: Euler's equations have Jacobi elliptic solutions; checked through the
/// invariants 2T = Σ I ω² and H² = Σ I² ω² and the period of ω₂, K(m) by the arithmetic-geometric mean.
#[test]
fn torque_free_asymmetric_body() {
    let inertia = [1.0, 2.0, 2.8];
    let start = [1.1, 0.0, 0.4];
    let period = euler_period(inertia, start);
    let result = simulate(
        Description::new("tennis racket")
            .gravity([0.0; 3])
            .body(BodyDescription::rigid("racket", 1.5, inertia))
            .joint(
                JointDescription::free("fly", ["ground.origin", "racket.origin"])
                    .position(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
                    .speed(&[start[0], start[1], start[2], 0.2, -0.1, 0.3]),
            )
            .run_for(period)
            .method(tight())
            .output_interval(period / 8.0),
    );
    for (axis, value) in ["wx", "wy", "wz"].iter().zip(start) {
        close("spin after one period", result.last(&format!("fly.{axis}")).unwrap(), value, 1e-8);
    }
    let half = at(&result, "fly.wz", period / 2.0);
    close("spin after half a period", half.abs(), start[2], 1e-8);
    for channel in ["momentum.angular.x", "momentum.angular.y", "momentum.angular.z"] {
        let values = result.channel(channel).unwrap();
        close(channel, values[values.len() - 1], values[0], 1e-10);
    }
}

/// Period of the free spin of a body with principal inertias `i` from `w` (ω₂ = 0 at the start).
fn euler_period(i: [f64; 3], w: [f64; 3]) -> f64 {
    let twice_energy: f64 = (0..3).map(|k| i[k] * w[k] * w[k]).sum();
    let momentum2: f64 = (0..3).map(|k| i[k] * i[k] * w[k] * w[k]).sum();
    // Choose the labelling with H² > 2T I₂ (rotation about the largest axis) or its mirror.
    let (a, c) = if momentum2 > twice_energy * i[1] { (i[0], i[2]) } else { (i[2], i[0]) };
    let rate = ((c - i[1]) * (momentum2 - twice_energy * a) / (a * i[1] * c)).sqrt();
    let m = (i[1] - a) * (twice_energy * c - momentum2) / ((c - i[1]) * (momentum2 - twice_energy * a));
    4.0 * elliptic_k(m) / rate
}

/// Complete elliptic integral K(m) by the arithmetic-geometric mean.
fn elliptic_k(m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

fn unit_bar(modes: usize) -> BeamDescription {
    let section =
        Section::General(SectionConstants { area: 1.0, inertia_y: 1.0, inertia_z: 1.0, torsion: 1.0 });
    let counts = ModeCounts { axial: modes, ..Default::default() };
    BeamDescription::new(1.0, 1.0, 1.0, 1.0, section).modes(Boundary::ClampedFree, counts)
}

/// Undamped frequencies of a model at rest: det(K − ω² M) through the mass matrix and the stiffness read
/// off the accelerations, solved by Jacobi iteration.
fn frequencies(description: Description) -> Vec<f64> {
    use flexura::algorithm::composite_body::{CompositeBody, mass_matrix};
    use flexura::{State, Workspace, evaluate};
    let model = description.build().expect("valid model").model;
    let n = model.speed_count();
    let mut work = Workspace::new(&model);
    let mut state = State::initial(&model, 0.0);
    evaluate(&model, &state, &mut work).unwrap();
    let mut composite = CompositeBody::new(&model).unwrap();
    mass_matrix(&model, &work.motion.kinematics, &work.inertias, &mut composite);
    let mass = composite.mass.clone();
    // A small deflection of each coordinate gives a column of M⁻¹K.
    let step = 1e-6;
    let mut dynamic = vec![0.0; n * n];
    for (coordinate, j) in moving_coordinates(&model) {
        let mut column = [vec![0.0; n], vec![0.0; n]];
        for (sign, values) in [1.0, -1.0].iter().zip(&mut column) {
            state.q[coordinate] += sign * step;
            evaluate(&model, &state, &mut work).unwrap();
            values.copy_from_slice(&work.accelerations.chidot);
            state.q[coordinate] -= sign * step;
        }
        for i in 0..n {
            dynamic[i * n + j] = (column[1][i] - column[0][i]) / (2.0 * step);
        }
    }
    eigenvalues(&mass, &dynamic, n).iter().map(|x| x.max(0.0).sqrt()).collect()
}

/// (coordinate, speed) of every direction that can have stiffness: quaternion joints have none here.
fn moving_coordinates(model: &flexura::Model) -> Vec<(usize, usize)> {
    let parts = model.layout.bodies.iter();
    parts
        .flat_map(|part| {
            let count = if part.joint_q == part.joint_v { part.modes + part.joint_v } else { part.modes };
            (0..count).map(|i| (part.q + i, part.v + i))
        })
        .collect()
}

/// Eigenvalues of M⁻¹K: L* (M⁻¹K) L⁻* is symmetric for M = L L*.
fn eigenvalues(mass: &[f64], dynamic: &[f64], n: usize) -> Vec<f64> {
    use flexura::linear::{cholesky_in_place, solve_lower};
    let mut factor = mass.to_vec();
    cholesky_in_place(&mut factor, n).unwrap();
    let lower = |i: usize, j: usize| if i == j { 1.0 / factor[i * n + i] } else { factor[i * n + j] };
    // S = L* D L⁻*: columns of D L⁻* are rows of L⁻¹ D*.
    let mut symmetric = vec![0.0; n * n];
    for i in 0..n {
        let mut row: Vec<f64> =
            (0..n).map(|j| (i..n).map(|k| lower(k, i) * dynamic[k * n + j]).sum()).collect();
        solve_lower(&factor, n, &mut row);
        symmetric[i * n..(i + 1) * n].copy_from_slice(&row);
    }
    jacobi(symmetric, n)
}

fn jacobi(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    for _ in 0..50 {
        for p in 0..n {
            for q in p + 1..n {
                let apq = 0.5 * (a[p * n + q] + a[q * n + p]);
                if apq == 0.0 {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| a[i * (n + 1)]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Mukherjee & Anderson (divide-and-conquer for flexible bodies), section 5: four welded unit bars with four clamped-free axial modes each.
#[test]
fn substructured_bar_of_mukherjee_and_anderson() {
    let mut description = Description::new("bar").gravity([0.0; 3]);
    let mut previous = "ground.origin".to_string();
    for i in 0..4 {
        let name = format!("bar{i}");
        description = description
            .body(BodyDescription::beam(&name, unit_bar(4)).station("tip", 1.0))
            .joint(JointDescription::weld(&format!("weld{i}"), [&previous, &format!("{name}.origin")]));
        previous = format!("{name}.tip");
    }
    let found = frequencies(description);
    for (value, expected) in found.iter().zip([0.400352, 1.200571, 2.000453]) {
        close("omega", *value, expected, 1e-6);
    }
}

fn slender(boundary: Boundary, counts: ModeCounts) -> BeamDescription {
    let section =
        Section::General(SectionConstants { area: 1.0, inertia_y: 1e-4, inertia_z: 2e-4, torsion: 1e-4 });
    let mut beam = BeamDescription::new(2.0, 3.0, 5e4, 2e4, section).modes(boundary, counts);
    beam.rotary_inertia = false;
    beam
}

/// Clamped-free and free-free Euler-Bernoulli beams: ω = (βL)² sqrt(EI / ρAL⁴).
#[test]
fn clamped_and_free_beam_frequencies() {
    let counts = ModeCounts { bending_y: 3, bending_z: 2, ..Default::default() };
    let clamped = frequencies(
        Description::new("clamped")
            .gravity([0.0; 3])
            .body(BodyDescription::beam("beam", slender(Boundary::ClampedFree, counts)))
            .joint(JointDescription::weld("wall", ["ground.origin", "beam.origin"])),
    );
    let scale = |inertia: f64| (5e4 * inertia / (3.0 * 16.0)).sqrt();
    let beta = |roots: &[f64], inertia: f64| roots.iter().map(|b| b * b * scale(inertia)).collect::<Vec<_>>();
    let mut expected = beta(&[1.875104068711961, 4.694091132974175, 7.854757438237613], 2e-4);
    expected.extend(beta(&[1.875104068711961, 4.694091132974175], 1e-4));
    expected.sort_by(f64::total_cmp);
    for (value, expected) in clamped.iter().zip(&expected) {
        close("clamped", *value, *expected, 1e-6 * expected);
    }
    let counts = ModeCounts { bending_y: 2, axial: 1, ..Default::default() };
    let free = frequencies(
        Description::new("free")
            .gravity([0.0; 3])
            .body(BodyDescription::beam("beam", slender(Boundary::FreeFree, counts)).station("mid", 1.0))
            // Held at a deforming point: the inboard attachment moves with the modes.
            .joint(JointDescription::free("float", ["ground.origin", "beam.mid"])),
    );
    let mut expected = beta(&[4.730040744862704, 7.853204624095838], 2e-4);
    expected.push(std::f64::consts::PI / 2.0 * (5e4_f64 / 3.0).sqrt());
    expected.sort_by(f64::total_cmp);
    assert!(free[..6].iter().all(|w| *w < 1e-3), "six rigid-body modes: {free:?}");
    for (value, expected) in free[6..].iter().zip(&expected) {
        close("free", *value, *expected, 1e-6 * expected);
    }
}

/// A flexible pendulum conserves energy over 10⁴ RK4 steps at the integrator's order: halving the step
/// divides the drift by about 2⁴ (or better).
#[test]
fn flexible_pendulum_conserves_energy_at_fourth_order() {
    let drift = |step: f64, steps: f64| {
        let section = Section::Rectangle { width_y: 0.02, height_z: 0.02 };
        let counts = ModeCounts { bending_z: 2, ..Default::default() };
        let beam =
            BeamDescription::new(1.0, 2700.0, 7e9, 2.6e9, section).modes(Boundary::ClampedFree, counts);
        let result = simulate(
            Description::new("flexible pendulum")
                .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
                .joint(JointDescription::revolute("hinge", ["ground.origin", "beam.origin"], [0.0, 1.0, 0.0]))
                .run_for(step * steps)
                .method(MethodDescription::Rk4 { step })
                .output_interval(step * steps / 10.0),
        );
        let total = result.channel("energy.total").unwrap();
        let scale = result.channel("energy.kinetic").unwrap().iter().fold(0.0_f64, |m, x| m.max(*x));
        total.iter().map(|e| (e - total[0]).abs()).fold(0.0, f64::max) / scale
    };
    let (coarse, fine) = (drift(2e-4, 1e4), drift(1e-4, 2e4));
    assert!(coarse < 1e-5, "drift {coarse:e}");
    assert!(coarse / fine > 12.0, "order: {coarse:e} -> {fine:e}");
}

/// Prescribed motion: the driving torque equals inverse dynamics of a rigid arm, I θ̈ + m g r cos θ.
#[test]
fn prescribed_motion_needs_the_torque_of_inverse_dynamics() {
    use flexura::time_function::TimeFunction;
    let (mass, inertia, radius) = (2.0, 0.3, 0.4);
    let motion = TimeFunction::Cycloidal { from: 0.0, to: 1.0, start: 0.2, duration: 1.5 };
    let result = simulate(
        Description::new("arm")
            .gravity([0.0, -9.81, 0.0])
            .body(BodyDescription::rigid("arm", mass, [inertia; 3]).center_of_mass([radius, 0.0, 0.0]))
            .joint(
                JointDescription::revolute("motor", ["ground.origin", "arm.origin"], [0.0, 0.0, 1.0])
                    .motion(motion.clone()),
            )
            .run_for(2.0)
            .method(tight())
            .output_interval(0.1),
    );
    for i in 0..=20 {
        let time = 0.1 * f64::from(i);
        let s = motion.sample(time);
        let torque =
            (inertia + mass * radius * radius) * s.acceleration + mass * 9.81 * radius * s.value.cos();
        close("torque", at(&result, "motor.rate_driving", time), torque, 1e-10);
        close("balance", at(&result, "energy.balance", time), 0.0, 1e-9);
    }
}
