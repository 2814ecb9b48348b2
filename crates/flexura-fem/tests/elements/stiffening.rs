//! Geometric stiffening of beam models: spin, buckling, and the rod they stand for.

use crate::common::*;
use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura_fem::linear::generalized_eigen;
use flexura_fem::*;
use nalgebra::DMatrix;

fn held(mesh: &Mesh, modes: usize) -> ReducedModel {
    Reduction::new("root", ReductionKind::Clamped { modes }).run(mesh).unwrap()
}

/// Unit beam (E I = rho A = L = 1) without shear and nearly without rotary inertia.
fn unit_beam(elements: usize) -> Mesh {
    let section = BeamSection {
        area: 1.0,
        inertia_y: 1e-8,
        inertia_z: 1.0001e-8,
        torsion: 1e-8,
        shear_area_y: 0.0,
        shear_area_z: 0.0,
        outline: None,
    };
    generate::beam(1.0, elements, Material::isotropic(1e8, 0.25, 1.0), Section::General(section)).unwrap()
}

/// Lowest frequencies (rad/s) of a mesh that turns about z at a speed.
fn spinning(mesh: &Mesh, speed: f64, stiffening: Stiffening) -> Result<Vec<f64>, String> {
    let reduced = held(mesh, 12);
    let body = BodyDescription::modal("blade", modal_description(mesh, &reduced, stiffening).unwrap());
    let hub = JointDescription::revolute("hub", ["ground.origin", "blade.origin"], [0.0, 0.0, 1.0])
        .motion(TimeFunction::Polynomial { coefficients: vec![0.0, speed] });
    let model = Description::new("blade").gravity([0.0; 3]).body(body).joint(hub).build().unwrap().model;
    let start = State::initial(&model, 0.0);
    let state = equilibrium(&model, &start, &EquilibriumOptions::default()).map_err(|e| e.to_string())?.state;
    let list = modes(&linearize(&model, &state, &[], &[]).unwrap()).unwrap();
    if let Some(mode) = list.iter().find(|mode| mode.real > 1e-6) {
        return Err(format!("unstable: growth {:.3} 1/s", mode.real));
    }
    let mut found: Vec<f64> = list.iter().map(|mode| mode.frequency()).collect();
    found.sort_by(f64::total_cmp);
    Ok(found)
}

/// Flap and chord frequencies of the rotating cantilever (converged Ritz values).
#[test]
fn rotating_cantilever() {
    let mesh = unit_beam(16);
    for (speed, flap, chord) in [(2.0, 4.13732, 3.62180), (6.0, 7.36037, 4.26323), (10.0, 11.20233, 5.04897)]
    {
        let found = spinning(&mesh, speed, Stiffening::Beams).unwrap();
        let errors = [relative(found[0], chord), relative(found[1], flap)];
        println!("speed {speed}: chord {:.5} flap {:.5}, errors {errors:.6?}", found[0], found[1]);
        assert!(errors.iter().all(|error| *error < 5e-3));
    }
    let without = spinning(&mesh, 6.0, Stiffening::None);
    println!("without the terms at speed 6: {without:.4?}");
    assert!(without.is_err());
}

/// Smallest load factor at which K - P X is singular, X the tip's terms in one direction.
fn critical_load(mesh: &Mesh, modes: usize, direction: usize, sign: f64) -> f64 {
    let reduced = held(mesh, modes);
    let body = modal_description(mesh, &reduced, Stiffening::Beams).unwrap();
    let tip = body.nodes.iter().find(|node| node.name == "tip").unwrap();
    let load = DMatrix::from_fn(modes, modes, |r, s| sign * tip.quadratic[r * modes + s][direction]);
    let (inverse, _) = generalized_eigen(&load, &reduced.stiffness).unwrap();
    1.0 / inverse[modes - 1]
}

/// P = 4.013 sqrt(EI GJ)/L^2 (S. P. Timoshenko, J. M. Gere, "Theory of Elastic Stability", chapter 6).
#[test]
fn strip_buckles_laterally() {
    let section = Section::rectangle(0.001, 0.05);
    let constants = section.constants().unwrap();
    let mesh = generate::beam(1.0, 20, steel(), section).unwrap();
    let exact = 4.0126 * steel().young * constants.inertia_z * steel().shear() * constants.torsion;
    let exact = exact / (steel().young * constants.inertia_z * steel().shear() * constants.torsion).sqrt();
    for modes in [20, 40] {
        let found = critical_load(&mesh, modes, 2, 1.0);
        println!("lateral buckling, {modes} modes: {found:.5} N, ratio {:.5}", found / exact);
    }
    assert!(relative(critical_load(&mesh, 40, 2, 1.0), exact) < 0.01);
}

#[test]
fn strip_buckles_under_axial_load() {
    let mesh = generate::beam(1.0, 10, steel(), Section::rectangle(0.01, 0.005)).unwrap();
    let bending = 2.1e11 * 0.01 * 0.005_f64.powi(3) / 12.0;
    let found = critical_load(&mesh, 20, 0, -1.0);
    let exact = std::f64::consts::PI.powi(2) * bending / 4.0;
    println!("axial buckling: {found:.4} N, ratio {:.6}", found / exact);
    assert!(relative(found, exact) < 1e-3);
}

/// A rod bent at a right angle, against the same strains integrated by finite
/// rotations of many short pieces: second differences give the terms.
#[test]
fn bent_frame_follows_the_exact_rod() {
    let section = Section::rectangle(0.02, 0.03);
    let mut mesh = generate::beam(0.5, 2, steel(), section).unwrap();
    let corner = mesh.nodes.len() - 1;
    let Element::Beam(pattern) = mesh.elements[0] else { unreachable!() };
    for (index, y) in [0.2, 0.45].into_iter().enumerate() {
        mesh.node([0.5, y, 0.1 * y]);
        // The last one runs towards the corner: both directions are walked.
        let nodes = if index == 0 { [corner, corner + 1] } else { [corner + 2, corner + 1] };
        mesh.elements.push(Element::Beam(BeamElement { nodes, orientation: [1.0, 0.0, 0.0], ..pattern }));
    }
    mesh.name("tip", corner + 2);
    let reduced = held(&mesh, 5);
    let body = modal_description(&mesh, &reduced, Stiffening::Beams).unwrap();
    let tip = body.nodes.iter().find(|node| node.name == "tip").unwrap();
    let mut worst = 0.0_f64;
    for trial in 0..4 {
        let eta: Vec<f64> = (0..5).map(|r| ((7 * r + 3 * trial) % 5) as f64 - 1.7).collect();
        let (h, expected) = (1e-3, quadratic(&tip.quadratic, &eta));
        let at = |factor: f64| rod_tip(&mesh, &reduced, &eta, factor * h);
        let second = (at(1.0) + at(-1.0) - at(0.0) * 2.0) / (h * h);
        worst = worst.max((second - expected).norm() / expected.norm());
    }
    println!("bent frame against the exact rod: {worst:.2e}");
    assert!(worst < 1e-3);
}

fn quadratic(terms: &[[f64; 3]], eta: &[f64]) -> nalgebra::Vector3<f64> {
    let n = eta.len();
    (0..n * n).map(|i| nalgebra::Vector3::from(terms[i]) * (eta[i / n] * eta[i % n])).sum()
}

/// Tip of the rod with the strains of the shapes, elements in the order of the mesh.
fn rod_tip(mesh: &Mesh, reduced: &ReducedModel, eta: &[f64], scale: f64) -> nalgebra::Vector3<f64> {
    let amplitudes = nalgebra::DVector::from_iterator(eta.len(), eta.iter().map(|e| e * scale));
    let nodal = &reduced.shapes * amplitudes;
    let (mut rotation, mut position) = (nalgebra::Rotation3::identity(), nalgebra::Vector3::zeros());
    for (index, element) in mesh.elements.iter().enumerate() {
        let Element::Beam(element) = element else { unreachable!() };
        let beam = element::beam::Beam::new(mesh, index, element).unwrap();
        let local = nodal.select_rows(&mesh::freedoms_of(&element.nodes));
        let forward = element.nodes[0] < element.nodes[1];
        let pieces = 400;
        let step = beam.length() / pieces as f64 * if forward { 1.0 } else { -1.0 };
        for piece in 0..pieces {
            let s = (piece as f64 + 0.5) / pieces as f64;
            let (strain, curvature) = beam.strains(if forward { s } else { 1.0 - s });
            let (strain, turn) = (strain * &local, curvature * &local * step);
            let half = rotation * nalgebra::Rotation3::from_scaled_axis(turn.fixed_rows::<3>(0) * 0.5);
            position += half * (beam.axes().column(0) + strain.fixed_rows::<3>(0)) * step;
            rotation *= nalgebra::Rotation3::from_scaled_axis(turn.fixed_rows::<3>(0).into_owned());
        }
    }
    position
}

#[test]
fn loops_and_shells_are_refused() {
    let mut ring = generate::beam(1.0, 2, steel(), Section::circle(0.01)).unwrap();
    ring.nodes[1][1] = 0.5;
    let Element::Beam(pattern) = ring.elements[0] else { unreachable!() };
    ring.elements.push(Element::Beam(BeamElement { nodes: [2, 0], ..pattern }));
    println!("{}", modal_description(&ring, &held(&ring, 2), Stiffening::Beams).unwrap_err());
    let mut plate = generate::plate([1.0, 1.0], [2, 2], 0.01, steel()).unwrap();
    plate.name("root", 0);
    println!("{}", modal_description(&plate, &held(&plate, 2), Stiffening::Beams).unwrap_err());
}
