//! Shared by the tests: materials, rotated meshes, comparisons.
#![allow(dead_code)]

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
