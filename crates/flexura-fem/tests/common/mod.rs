//! Shared by the tests: materials, rotated meshes, comparisons.
#![allow(dead_code)]

pub mod matrix_files;

use flexura_fem::*;
use nalgebra::{Rotation3, Vector3};

/// Steel.
pub fn steel() -> Material {
    Material::isotropic(2.1e11, 0.3, 7800.0)
}

/// Relative difference.
pub fn relative(value: f64, exact: f64) -> f64 {
    ((value - exact) / exact).abs()
}

/// A rotation that favours no axis.
pub fn oblique() -> Rotation3<f64> {
    Rotation3::from_scaled_axis(Vector3::new(0.4, -0.7, 0.9))
}

/// The same mesh in another attitude.
pub fn rotated(mesh: &Mesh, rotation: &Rotation3<f64>) -> Mesh {
    let turn = |x: [f64; 3]| (rotation * Vector3::from(x)).into();
    let mut turned = mesh.clone();
    turned.nodes.iter_mut().for_each(|node| *node = turn(*node));
    for element in &mut turned.elements {
        if let Element::Beam(beam) = element {
            beam.orientation = turn(beam.orientation);
            beam.offsets = beam.offsets.map(turn);
        }
    }
    turned
}

/// Lowest frequencies of a held mesh (Hz).
pub fn held_frequencies(mesh: &Mesh, supports: &Supports, count: usize, mass: MassModel) -> Vec<f64> {
    let system = assemble(mesh, supports, mass).unwrap();
    lowest_modes(system.pencil(), count, &EigenOptions::default()).unwrap().frequencies()
}

/// Lowest elastic frequencies of a free mesh (Hz).
pub fn free_frequencies(mesh: &Mesh, count: usize, mass: MassModel) -> Vec<f64> {
    let system = assemble(mesh, &Supports::none(), mass).unwrap();
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    let mut all = lowest_modes(system.pencil(), count + 6, &options).unwrap().frequencies();
    assert!(all[5] < 1e-3 * all[6], "six rigid motions: {all:?}");
    all.split_off(6)
}

/// A tilted plate on a clamped edge line (linked to `base`), with a stiffening beam
/// and the far edge linked to an interface node off its middle.
pub fn bracket() -> Mesh {
    let mut mesh = generate::plate([0.5, 0.3], [10, 6], 0.004, steel()).unwrap();
    let section = Section::rectangle(0.01, 0.02).constants().unwrap();
    for column in 0..10 {
        let nodes = [33 + column, 34 + column];
        let offsets = [[0.0, 0.0, 0.012]; 2];
        let beam = BeamElement {
            nodes,
            material: 0,
            section,
            orientation: [0.0, 1.0, 0.0],
            offsets,
            pins: [[false; 6]; 2],
        };
        mesh.elements.push(Element::Beam(beam));
    }
    let base = mesh.node([0.0, 0.15, 0.0]);
    let end = mesh.node([0.53, 0.16, 0.02]);
    mesh.links.push(RigidLink::new(base, &mesh.sets["x0"].clone()));
    mesh.links.push(RigidLink::new(end, &mesh.sets["x1"].clone()));
    mesh.name("base", base);
    mesh.name("end", end);
    mesh.masses.push(PointMass { node: 40, mass: 0.3, inertia: [[0.0; 3]; 3], offset: [0.0, 0.0, 0.03] });
    rotated(&mesh, &oblique())
}
