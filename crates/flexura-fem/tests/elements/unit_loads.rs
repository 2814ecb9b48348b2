//! Geometric stiffening from unit load cases: rotating cantilevers and buckling of beam, shell
//! and solid models.

use crate::common::*;
use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::linear::generalized_eigen;
use flexura_fem::*;
use nalgebra::DMatrix;

const LENGTH: f64 = 1.0;
const WIDTH: f64 = 0.02;
const THICKNESS: f64 = 0.01;

/// Without contraction, so that the root does not matter.
fn material() -> Material {
    Material::isotropic(2.1e11, 0.0, 7800.0)
}

/// Straight strips along x, thickness along z, with nodes `root` and `tip` at their ends.
fn strip(kind: &str, sides: [f64; 2]) -> Mesh {
    let [width, thickness] = sides;
    let section = Section::rectangle(width, thickness);
    let mut mesh = match kind {
        "beam" => return generate::beam(LENGTH, 20, material(), section).unwrap(),
        "shell" => generate::plate([LENGTH, width], [40, 2], thickness, material()).unwrap(),
        "fine shell" => generate::plate([LENGTH, width], [60, 4], thickness, material()).unwrap(),
        "finer shell" => generate::plate([LENGTH, width], [60, 8], thickness, material()).unwrap(),
        "hexahedra" => block([LENGTH, width, thickness], [40, 1, 1], SolidKind::Hex8, material()).unwrap(),
        _ => block([LENGTH, width, thickness], [30, 1, 1], SolidKind::Tet10, material()).unwrap(),
    };
    let middle = [width / 2.0, if kind.ends_with("shell") { 0.0 } else { thickness / 2.0 }];
    for (name, set, x) in [("root", "x0", 0.0), ("tip", "x1", LENGTH)] {
        let node = mesh.node([x, middle[0], middle[1]]);
        mesh.links.push(RigidLink::new(node, &mesh.sets[set].clone()));
        mesh.name(name, node);
    }
    mesh
}

fn held(mesh: &Mesh, modes: usize) -> ReducedModel {
    Reduction::new("root", ReductionKind::Clamped { modes }).run(mesh).unwrap()
}

/// Frequencies of shapes x^(k+2) (converged): flap 1 + S, chord 1 + S - M at unit beam and speed.
fn ritz(speed: f64, chord: bool) -> f64 {
    let n = 8;
    let power = |i: usize| (i + 2) as f64;
    let k = DMatrix::from_fn(n, n, |i, j| {
        let (p, q) = (power(i), power(j));
        let bending = p * (p - 1.0) * q * (q - 1.0) / (p + q - 3.0);
        let tension = 0.5 * p * q * (1.0 / (p + q - 1.0) - 1.0 / (p + q + 1.0));
        let inertia = if chord { 1.0 / (p + q + 1.0) } else { 0.0 };
        bending + speed * speed * (tension - inertia)
    });
    let m = DMatrix::from_fn(n, n, |i, j| 1.0 / (power(i) + power(j) + 1.0));
    generalized_eigen(&k, &m).unwrap().0[0].sqrt()
}

/// Frequencies (rad/s) of a strip that turns about z, or what is wrong with its motion.
fn spinning(mesh: &Mesh, speed: f64, stiffening: Stiffening) -> Result<Vec<f64>, String> {
    let reduced = held(mesh, 10);
    let body = BodyDescription::modal("blade", modal_description(mesh, &reduced, stiffening).unwrap());
    let hub = JointDescription::revolute("hub", ["ground.origin", "blade.origin"], [0.0, 0.0, 1.0])
        .motion(TimeFunction::Polynomial { coefficients: vec![0.0, speed] });
    let model = Description::new("blade").gravity([0.0; 3]).body(body).joint(hub).build().unwrap().model;
    let start = State::initial(&model, 0.0);
    let state = equilibrium(&model, &start, &EquilibriumOptions::default()).map_err(|e| e.to_string())?.state;
    let list = modes(&linearize(&model, &state, &[], &[]).unwrap()).unwrap();
    if let Some(mode) = list.iter().find(|mode| mode.real > 1e-6 * speed) {
        return Err(format!("unstable: growth {:.3} 1/s", mode.real));
    }
    let mut found: Vec<f64> = list.iter().map(|mode| mode.frequency()).collect();
    found.sort_by(f64::total_cmp);
    Ok(found)
}

#[test]
fn rotating_cantilevers_of_beams_shells_and_solids() {
    // The classical values of the dimensionless problem.
    for (speed, flap, chord) in [(2.0, 4.13732, 3.62180), (10.0, 11.20233, 5.04897)] {
        assert!(relative(ritz(speed, false), flap) < 1e-5 && relative(ritz(speed, true), chord) < 1e-5);
    }
    let rate =
        |side: f64| (material().young * side * side / 12.0 / material().density).sqrt() / LENGTH.powi(2);
    let (flap_rate, chord_rate) = (rate(THICKNESS), rate(WIDTH));
    for kind in ["beam", "shell", "hexahedra", "tetrahedra"] {
        let mesh = strip(kind, [WIDTH, THICKNESS]);
        for speed in [2.0, 6.0, 10.0] {
            let real = speed * flap_rate;
            let found = spinning(&mesh, real, Stiffening::UnitLoads).unwrap();
            let mut exact = [ritz(speed, false) * flap_rate, ritz(real / chord_rate, true) * chord_rate];
            exact.sort_by(f64::total_cmp);
            let errors = [relative(found[0], exact[0]), relative(found[1], exact[1])];
            println!("{kind}, speed {speed}: {:.3} {:.3} rad/s, errors {errors:.5?}", found[0], found[1]);
            assert!(errors.iter().all(|error| *error < 5e-3), "{kind}");
        }
    }
    for kind in ["shell", "hexahedra"] {
        let fast = 10.0 * flap_rate * WIDTH / THICKNESS;
        let (mesh, with) = (strip(kind, [WIDTH, THICKNESS]), Stiffening::UnitLoads);
        assert!(spinning(&mesh, fast, with).is_ok());
        let without = spinning(&mesh, fast, Stiffening::None);
        println!("{kind}, chord speed 10, without the terms: {:?}", without.as_ref().err());
        assert!(without.is_err());
    }
}

/// Smallest load factor at which K - P Gamma2 is singular for a force at the tip.
fn critical_load(mesh: &Mesh, modes: usize, direction: usize, sign: f64, stiffening: Stiffening) -> f64 {
    let reduced = held(mesh, modes);
    let body = compact_description(mesh, &reduced, InvariantSource::Pieces, stiffening).unwrap();
    let tip = body.nodes.iter().find(|node| node.name == "tip").unwrap();
    if tip.quadratic.is_empty() {
        return f64::INFINITY;
    }
    let load = DMatrix::from_fn(modes, modes, |r, s| sign * tip.quadratic[r * modes + s][direction]);
    let (inverse, _) = generalized_eigen(&load, &reduced.stiffness).unwrap();
    1.0 / inverse[modes - 1]
}

/// P = 4.0126 sqrt(EI GJ)/L^2 for a narrow strip loaded across its width at the tip.
#[test]
fn beam_strip_buckles_laterally() {
    let (width, thickness) = (0.05, 0.001);
    let section = Section::rectangle(width, thickness).constants().unwrap();
    let rigidity = material().young * section.inertia_y * material().shear() * section.torsion;
    let exact = 4.0126 * rigidity.sqrt();
    let mesh = strip("beam", [width, thickness]);
    // The chain of beams and the unit load cases are different routes to one result.
    for way in [Stiffening::Beams, Stiffening::UnitLoads] {
        let found = critical_load(&mesh, 30, 1, 1.0, way);
        println!("beam, {way:?}: lateral buckling at {found:.4} N, ratio {:.5}", found / exact);
        assert!(relative(found, exact) < 0.01);
    }
    // Without the terms a tip load never bends the strip sideways.
    assert!(critical_load(&mesh, 30, 1, 1.0, Stiffening::None).is_infinite());
}

/// A plate model holds its ends against warping: P grows by 1/(1 - sqrt(E C_w/(G J L^2)))^2,
/// C_w = b^3 h^3/144 (S. P. Timoshenko, J. M. Gere, "Theory of Elastic Stability", section 6.3),
/// and thin-plate torsion is J = b h^3/3.
#[test]
fn shell_strip_buckles_laterally() {
    let (width, thickness) = (0.05_f64, 0.001_f64);
    let (young, shear) = (material().young, material().shear());
    let (inertia, torsion) = (width * thickness.powi(3) / 12.0, width * thickness.powi(3) / 3.0);
    let warping = young * (width * thickness).powi(3) / 144.0;
    let held = (1.0 - (warping / (shear * torsion)).sqrt()).powi(-2);
    let exact = 4.0126 * (young * inertia * shear * torsion).sqrt() * held;
    let errors = ["shell", "fine shell", "finer shell"].map(|kind| {
        let found = critical_load(&strip(kind, [width, thickness]), 20, 1, 1.0, Stiffening::UnitLoads);
        println!("{kind}: lateral buckling at {found:.4} N, ratio {:.5}", found / exact);
        relative(found, exact)
    });
    assert!(errors[2] < 0.01 && errors[1] < errors[0] / 3.0 && errors[2] < errors[1] / 3.0);
}

#[test]
fn strips_buckle_under_axial_load() {
    let bending = material().young * WIDTH * THICKNESS.powi(3) / 12.0;
    let exact = std::f64::consts::PI.powi(2) * bending / (4.0 * LENGTH * LENGTH);
    for kind in ["beam", "shell", "hexahedra", "tetrahedra"] {
        let found = critical_load(&strip(kind, [WIDTH, THICKNESS]), 20, 0, -1.0, Stiffening::UnitLoads);
        println!("{kind}: axial buckling at {found:.2} N, ratio {:.5}", found / exact);
        assert!(relative(found, exact) < 5e-3, "{kind}");
    }
}

/// The body of a reduced mesh by sums from unit loads, on its own.
fn floating(mesh: &Mesh, reduced: &ReducedModel, level: InertiaLevel) -> flexura::model::Body {
    let modal = modal_description(mesh, reduced, Stiffening::UnitLoads).unwrap();
    let body = BodyDescription::modal("part", modal).level(level);
    let joint = JointDescription::free("float", ["ground.origin", "part.origin"]);
    Description::new("part").body(body).joint(joint).build().unwrap().model.bodies[0].clone()
}

/// Whether the mass block at `eta`, scaled to a unit diagonal, has a Cholesky factor.
fn is_definite(body: &flexura::model::Body, eta: &[f64]) -> bool {
    let (mass, _) = body.mass_and_bias(eta, &vec![0.0; eta.len()], &[0.0; 3]);
    let n = eta.len() + 6;
    let size: Vec<f64> = (0..n).map(|i| mass[i * (n + 1)].sqrt()).collect();
    let scaled = DMatrix::from_fn(n, n, |i, j| mass[i * n + j] / (size[i] * size[j]));
    scaled.iter().all(|x| x.is_finite()) && scaled.cholesky().is_some()
}

/// Shells and solids with second-order displacements from unit loads, to half their length: definite at level `gram`,
/// often not at level `consistent`.
#[test]
fn mass_blocks_of_meshes_are_definite() {
    let (mut states, mut failures, mut before) = (0, 0, 0);
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    for (kind, counts) in
        [("shell", &[1, 3, 6, 12, 24, 40][..]), ("hexahedra", &[2, 8, 20, 30]), ("tetrahedra", &[4, 10])]
    {
        let mesh = strip(kind, [0.1, THICKNESS]);
        for &count in counts {
            let reduced = held(&mesh, count);
            let body = floating(&mesh, &reduced, InertiaLevel::Gram);
            let consistent = floating(&mesh, &reduced, InertiaLevel::Consistent);
            let shift = |eta: &[f64]| {
                let moved = &reduced.shapes * nalgebra::DVector::from_column_slice(eta);
                (0..mesh.nodes.len()).map(|node| moved.fixed_rows::<3>(6 * node).norm()).fold(0.0, f64::max)
            };
            for _ in 0..100 {
                let raw: Vec<f64> = (0..count)
                    .map(|r| {
                        let unit: Vec<f64> = (0..count).map(|s| f64::from(u8::from(r == s))).collect();
                        random() / shift(&unit)
                    })
                    .collect();
                let scale = 0.5 * random().abs() * LENGTH / shift(&raw);
                let eta: Vec<f64> = raw.iter().map(|x| x * scale).collect();
                states += 1;
                failures += usize::from(!is_definite(&body, &eta));
                before += usize::from(!is_definite(&consistent, &eta));
            }
        }
    }
    println!("{states} states of meshes: {failures} not definite, at level consistent {before}");
    assert_eq!(failures, 0);
    assert!(before > states / 4, "{before}");
}

/// Second-order sums of a beam of elements, by integration along it and by unit loads: those with places approach each
/// other with the square of the element size. Those with the shapes themselves (stretch, twist and bending in
/// both planes) keep a difference of the order of the sections' rotary inertia: moments of the inertia forces work
/// on a second-order turning of the sections, which the integration leaves out.
#[test]
fn both_routes_give_the_same_second_order_sums() {
    let apart = [20, 40].map(|elements| {
        let section = Section::rectangle(WIDTH, THICKNESS);
        let mesh = generate::beam(LENGTH, elements, material(), section).unwrap();
        let reduced = held(&mesh, 14);
        let sums = [Stiffening::Beams, Stiffening::UnitLoads].map(|stiffening| {
            let modal = compact_description(&mesh, &reduced, InvariantSource::Pieces, stiffening).unwrap();
            modal.invariants.unwrap().sums.unwrap()
        });
        [[&sums[0].quadratic, &sums[1].quadratic], [&sums[0].triple, &sums[1].triple]].map(|[a, b]| {
            let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(size > 0.0);
            a.iter().zip(b.iter()).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
        })
    });
    println!("second-order sums with places and shapes, 20 and 40 elements: {apart:?}");
    assert!(apart[1][0] < 0.3 * apart[0][0], "{apart:?}");
    let slenderness = (8.0 * std::f64::consts::PI * WIDTH / LENGTH).powi(2) / 12.0; // of the shortest wave
    assert!(apart[1][1] < 2.0 * slenderness, "{apart:?}, share of rotary inertia {slenderness}");
}
