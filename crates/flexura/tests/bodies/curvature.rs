//! Beams that bend far: curvature and rotation of sections to third order.
//!
//! References: the curvature of a curve, followed numerically with a frame that does not twist; the elastica under a
//! tip force (Bisshopp & Drucker, Quart. Appl. Math. 3 (1945)), integrated here from its differential equation.

use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium};
use flexura::beam::{
    BeamInput, BeamMode, Boundary, ModeCounts, ModeKind, SectionProperties, Shape, bending_samples,
};
use flexura::model::body::CurvatureEnergy;
use flexura::model::description::*;

/// A beam with two modes in each plane; EI along y and z.
fn beam(rigidity: [f64; 2]) -> BeamInput {
    let mode = |kind, n| BeamMode { kind, shape: Shape::ClampedFreeBending(n) };
    BeamInput {
        length: 1.3,
        properties: SectionProperties {
            axial: 1.0,
            torsion: 1.0,
            bending_y: rigidity[0],
            bending_z: rigidity[1],
            shear: [None; 2],
            mass: 1.0,
            rotary: [0.0; 3],
        },
        modes: vec![
            mode(ModeKind::BendingY, 1),
            mode(ModeKind::BendingZ, 2),
            mode(ModeKind::BendingY, 2),
            mode(ModeKind::BendingZ, 1),
        ],
        foreshortening: true,
        finite_turns: true,
        mass_stations: None,
    }
}

/// V4 of a beam at modal coordinates `eta`, its forces, and slopes and curvatures of the same modes at any x.
fn quartic(input: &BeamInput, eta: &[f64]) -> (f64, Vec<f64>) {
    let energy = CurvatureEnergy::new(&bending_samples(input).unwrap()).unwrap();
    let mut force = vec![0.0; eta.len()];
    energy.accumulate(eta, &mut force);
    (energy.energy(eta), force)
}

fn slope_and_curvature(input: &BeamInput, eta: &[f64], x: f64) -> [[f64; 2]; 2] {
    let mut out = [[0.0; 2]; 2];
    for (mode, amplitude) in input.modes.iter().zip(eta) {
        let shape = mode.shape.prepare(input.length).unwrap().at(x);
        let plane = usize::from(mode.kind == ModeKind::BendingZ);
        out[0][plane] += amplitude * shape.slope;
        out[1][plane] += amplitude * shape.curvature;
    }
    out
}

/// ½ ∫ κ*EI κ of the line with the given transverse displacement, minus its quadratic part.
///
/// The axes of the section are carried along without twist: d′ = −(d·t′) t, by Heun's method.
fn beyond_quadratic(input: &BeamInput, eta: &[f64]) -> f64 {
    const STEPS: usize = 40_000;
    let tangent = |x: f64| {
        let [p, c] = slope_and_curvature(input, eta, x);
        let along = (1.0 - p[0] * p[0] - p[1] * p[1]).sqrt();
        let rate = -(p[0] * c[0] + p[1] * c[1]) / along;
        ([along, p[0], p[1]], [rate, c[0], c[1]], c)
    };
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let rigidity = [input.properties.bending_y, input.properties.bending_z];
    let h = input.length / STEPS as f64;
    let mut axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut sum = 0.0;
    for i in 0..=STEPS {
        let x = i as f64 * h;
        let (t, bend, c) = tangent(x.min(input.length));
        let weight = if i == 0 || i == STEPS { 0.5 * h } else { h };
        for k in 0..2 {
            let curvature = dot(&axes[k], &bend);
            sum += 0.5 * weight * rigidity[k] * (curvature * curvature - c[k] * c[k]);
        }
        if i == STEPS {
            break;
        }
        let (next, next_bend, _) = tangent(x + h);
        for axis in &mut axes {
            let slope: [f64; 3] = std::array::from_fn(|j| -dot(axis, &bend) * t[j]);
            let guess: [f64; 3] = std::array::from_fn(|j| axis[j] + h * slope[j]);
            let other: [f64; 3] = std::array::from_fn(|j| -dot(&guess, &next_bend) * next[j]);
            for j in 0..3 {
                axis[j] += 0.5 * h * (slope[j] + other[j]);
            }
        }
    }
    sum
}

/// What V4 leaves out is of sixth order: halving the deflection divides the relative error by four. The turn of
/// the sections is summed with a step of one quadrature point, hence the floor where the planes differ.
#[test]
fn quartic_energy_is_that_of_a_curve() {
    for (rigidity, floor) in [([2.0, 2.0], 1e-4), ([5.0, 1.0], 5e-3)] {
        let input = beam(rigidity);
        let error = |scale: f64| {
            let eta = [0.06, -0.02, 0.015, 0.05].map(|x: f64| x * scale);
            let exact = beyond_quadratic(&input, &eta);
            (quartic(&input, &eta).0 - exact).abs() / exact.abs()
        };
        let (coarse, fine) = (error(1.0), error(0.5));
        println!("EI {rigidity:?}: relative errors of V4 {coarse:.2e}, {fine:.2e}");
        assert!(coarse < 0.05 && fine < 0.3 * coarse + floor, "{rigidity:?}: {coarse} {fine}");
    }
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    for (rigidity, plane) in [([2.0, 2.0], false), ([5.0, 1.0], false), ([5.0, 1.0], true)] {
        let mut input = beam(rigidity);
        let eta = [0.2, -0.07, 0.05, 0.11];
        if plane {
            input.modes.iter_mut().for_each(|mode| mode.kind = ModeKind::BendingZ);
            input.modes[1].shape = Shape::ClampedFreeBending(3);
            input.modes[3].shape = Shape::ClampedFreeBending(4);
        }
        let force = quartic(&input, &eta).1;
        for r in 0..eta.len() {
            let at = |step: f64| {
                let mut moved = eta;
                moved[r] += step;
                quartic(&input, &moved).0
            };
            // Central differences, extrapolated once: an error of h⁴ times the fifth derivative of the energy.
            let difference = |h: f64| (at(h) - at(-h)) / (2.0 * h);
            let slope = (4.0 * difference(5e-4) - difference(1e-3)) / 3.0;
            assert!((slope - force[r]).abs() < 1e-8 * force[r].abs().max(1.0), "{r}: {slope} {}", force[r]);
        }
    }
}

/// Tip displacement and rotation of a cantilever of unit length and EI, eight modes, under a force and a moment there.
fn tip_at_rest(curvature: Curvature, force: f64, moment: f64) -> (f64, f64) {
    let properties = SectionProperties {
        axial: 1e9,
        torsion: 1.0,
        bending_y: 1.0,
        bending_z: 1.0,
        shear: [None; 2],
        mass: 1.0,
        rotary: [2e-4, 1e-4, 1e-4],
    };

    // Shapes of the tip carry force and moment exactly at first order; the others what bending far adds.
    let mut beam = BeamDescription::with_properties(1.0, properties)
        .modes(Boundary::InterfaceStatic, ModeCounts { bending_y: 2, ..ModeCounts::default() });
    beam.modes.extend((4..8).map(|degree| {
        let mut coefficients = vec![0.0; degree + 1];
        coefficients[degree] = 1.0;
        BeamMode { kind: ModeKind::BendingY, shape: Shape::Polynomial(coefficients) }
    }));
    beam.curvature = Some(curvature);
    let mut built = Description::new("cantilever")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
        .joint(JointDescription::weld("clamp", ["ground.origin", "beam.origin"]))
        .force("load", "beam.tip", [0.0, force, 0.0], None);
    built.forces[0].moment = [0.0, 0.0, moment];
    let built = built.build().expect("builds");
    let start = State::initial(&built.model, 0.0);
    let state = equilibrium(&built.model, &start, &EquilibriumOptions::default()).expect("equilibrium").state;
    let tip = built.model.frame("beam.tip").expect("the tip");
    // The body's frame stands at the wall: its modes give slope and displacement at once.
    let frame = &built.model.frames[tip.0];
    let part = &built.model.layout.bodies[0];
    let attachment = &built.model.bodies[0].attachments[frame.mount.attachment];
    let (rotation, position) = attachment.deformed_frame(&state.q[part.modal_q()]);
    (position[1], rotation[1][0].atan2(rotation[0][0]))
}

/// Tip displacement and rotation of the elastica: θ″ = −P cos θ, θ(0) = 0, θ′(1) = M, by shooting.
fn elastica(force: f64, moment: f64) -> (f64, f64) {
    const STEPS: usize = 4000;
    let h = 1.0 / STEPS as f64;
    let shoot = |start: f64| {
        let rate = |[angle, curvature, _]: [f64; 3]| [curvature, -force * angle.cos(), angle.sin()];
        let along = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
        (0..STEPS).fold([0.0, start, 0.0], |x, _| {
            let k1 = rate(x);
            let k2 = rate(along(x, k1, 0.5 * h));
            let k3 = rate(along(x, k2, 0.5 * h));
            let k4 = rate(along(x, k3, h));
            std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
        })
    };
    let (mut low, mut high) = (0.0, 2.0 * (force + moment));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > moment { high = middle } else { low = middle }
    }
    let end = shoot(low);
    (end[2], end[0])
}

#[test]
fn elastica_of_one_body() {
    use Curvature::{Linear, ThirdOrder};
    for (force, moment) in [(0.5, 0.0), (1.0, 0.0), (1.5, 0.0), (0.0, 0.3), (0.0, 0.6), (0.0, 0.9)] {
        let exact = elastica(force, moment);
        let errors = [Linear, ThirdOrder].map(|curvature| {
            let found = tip_at_rest(curvature, force, moment);
            [found.0 / exact.0 - 1.0, found.1 / exact.1 - 1.0]
        });
        let [linear, third] = errors;
        println!(
            "P {force} M {moment}: w {:.4} angle {:.4}, errors {linear:+.4?} and {third:+.4?}",
            exact.0, exact.1
        );
        // What is left is of the next odd order: a fifth of the linear model's error at most, and far less when small.
        for (linear, third) in linear.iter().zip(&third) {
            assert!(third.abs() < 0.2 * linear.abs() + 2e-4, "P {force} M {moment}: {errors:?}");
        }
    }
}

/// A beam that bends in two unlike planes, twists and stretches on a ball joint: the energy stays, by forces and
/// rotations that belong together, also with a body welded to its tip.
#[test]
fn energy_is_kept_far_from_straight() {
    let properties = SectionProperties {
        axial: 400.0,
        torsion: 0.6,
        bending_y: 1.0,
        bending_z: 4.0,
        shear: [None; 2],
        mass: 1.0,
        rotary: [2e-3, 1e-3, 1e-3],
    };
    let counts = ModeCounts { axial: 1, bending_y: 3, bending_z: 2, torsion: 1 };
    for boundary in [Boundary::ClampedFree, Boundary::InterfaceStatic] {
        let mut beam = BeamDescription::with_properties(1.0, properties).modes(boundary, counts);
        beam.curvature = Some(Curvature::ThirdOrder);
        let result = Description::new("far")
            .gravity([0.0, 0.0, -1.0])
            .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
            .body(BodyDescription::point_mass("load", 0.3))
            .joint(
                JointDescription::spherical("ball", ["ground.origin", "beam.origin"])
                    .speed(&[1.0, 2.0, -1.5]),
            )
            .joint(JointDescription::weld("grip", ["beam.tip", "load.origin"]))
            .initial_modal("beam", &[0.0, 0.2, 0.02, 0.0, 0.08, 0.0, 0.3], &[])
            .run_for(1.0)
            .output_interval(0.02)
            .build()
            .expect("builds")
            .simulate()
            .expect("runs");
        let [total, kinetic] = ["energy.balance", "energy.kinetic"]
            .map(|name| result.channel(name).expect("recorded").iter().fold(0.0_f64, |m, x| m.max(x.abs())));
        let tip = result.channel("beam.eta.2").expect("recorded").iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        println!("{boundary:?}: balance {total:.1e} of {kinetic:.2} J, bending {tip:.3}");
        assert!(total < 2e-6 * kinetic && tip > 0.1, "{boundary:?}: {total:e} of {kinetic}, {tip}");
    }
}

/// The energy of eight modes, low ones with large and high ones with small amplitudes, against three times the points.
#[test]
fn energy_does_not_depend_on_the_points() {
    let mut input = beam([2.0, 2.0]);
    input.modes =
        (1..=8).map(|n| BeamMode { kind: ModeKind::BendingY, shape: Shape::ClampedFreeBending(n) }).collect();
    let eta: Vec<f64> = (1..=8).map(|n| 0.2 / f64::powi(f64::from(n), 4)).collect();
    let few = quartic(&input, &eta).0;
    // A mode of high number that does not move brings its points along.
    input.modes.push(BeamMode { kind: ModeKind::BendingY, shape: Shape::ClampedFreeBending(40) });
    let many = quartic(&input, &[&eta[..], &[0.0]].concat()).0;
    println!("V4 {few:.6e}, with more points {many:.6e}");
    assert!((few / many - 1.0).abs() < 1e-4, "{few} {many}");
}
