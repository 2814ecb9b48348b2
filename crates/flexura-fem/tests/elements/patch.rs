//! Patch tests, locking and objectivity of the elements.

use crate::common::*;
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector, Vector3};

/// Unequal elements in an oblique direction under all six end loads.
#[test]
fn beam_constant_strain_and_end_loads() {
    let section = Section::rectangle(0.03, 0.05).constants().unwrap();
    let mut mesh = generate::beam(1.0, 4, steel(), Section::General(section)).unwrap();
    for (node, x) in [0.0, 0.13, 0.55, 0.61, 1.0].into_iter().enumerate() {
        mesh.nodes[node][0] = x;
    }
    let rotation = oblique();
    let mesh = rotated(&mesh, &rotation);
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let (e, g) = (steel().young, steel().shear());
    let (iy, iz, j) = (section.inertia_y, section.inertia_z, section.torsion);
    // Load direction, and the tip displacement along it under a unit load.
    let shear = |area: f64| 1.0 / (g * area);
    let cases = [
        (0, 1.0 / (e * section.area)),
        (1, 1.0 / (3.0 * e * iz) + shear(section.shear_area_y)),
        (2, 1.0 / (3.0 * e * iy) + shear(section.shear_area_z)),
        (3, 1.0 / (g * j)),
        (4, 1.0 / (e * iy)),
        (5, 1.0 / (e * iz)),
    ];
    let mut worst = 0.0_f64;
    for (direction, exact) in cases {
        let mut unit = Vector3::zeros();
        unit[direction % 3] = 1.0;
        let axis: [f64; 3] = (rotation * unit).into();
        let load = Loads::none(5);
        let load = if direction < 3 { load.at(4, axis, [0.0; 3]) } else { load.at(4, [0.0; 3], axis) };
        let tip = solve(&system, &load.unwrap()).unwrap();
        let first = 24 + 3 * (direction / 3);
        let moved: f64 = (0..3).map(|i| tip[first + i] * axis[i]).sum();
        worst = worst.max(relative(moved, exact));
    }
    println!("beam end loads: worst relative error {worst:.2e}");
    assert!(worst < 1e-10);
}

#[test]
fn very_thin_cantilever_does_not_lock() {
    let (length, thickness) = (1.0, 1e-4);
    let mesh = generate::beam(length, 1, steel(), Section::rectangle(0.01, thickness)).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let load = Loads::none(2).at(1, [0.0, 0.0, 1e-6], [0.0; 3]).unwrap();
    let tip = solve(&system, &load).unwrap()[8];
    let bending = steel().young * 0.01 * thickness.powi(3) / 12.0;
    let error = relative(tip, 1e-6 / (3.0 * bending));
    println!("thin cantilever, L/h = 1e4, one element: relative error {error:.2e}");
    assert!(error < 1e-3);
}

/// A distorted patch with interior nodes, tilted in space.
fn patch() -> Mesh {
    let mut mesh = generate::plate([2.0, 1.6], [3, 3], 0.05, steel()).unwrap();
    for (node, shift) in [(5, [0.11, -0.07]), (6, [-0.13, 0.09]), (9, [0.05, 0.12]), (10, [0.1, -0.08])] {
        mesh.nodes[node][0] += shift[0];
        mesh.nodes[node][1] += shift[1];
    }
    mesh
}

/// Forces of a nodal field on the interior nodes, largest relative to the
/// largest force anywhere; and the strain energy.
fn patch_response(field: impl Fn(f64, f64) -> [f64; 6]) -> (f64, f64) {
    let flat = patch();
    let rotation = oblique();
    let mesh = rotated(&flat, &rotation);
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let mut nodal = DVector::zeros(6 * flat.nodes.len());
    for (node, position) in flat.nodes.iter().enumerate() {
        let local = field(position[0], position[1]);
        for half in 0..2 {
            let part = rotation * Vector3::new(local[3 * half], local[3 * half + 1], local[3 * half + 2]);
            nodal.rows_mut(6 * node + 3 * half, 3).copy_from(&part);
        }
    }
    let column = DMatrix::from_column_slice(nodal.len(), 1, nodal.as_slice());
    let force = system.stiffness.multiply(&column).column(0).into_owned();
    let inside = [5, 6, 9, 10].iter().map(|node| force.rows(6 * node, 6).amax()).fold(0.0, f64::max);
    (inside / force.amax(), 0.5 * force.dot(&nodal))
}

#[test]
fn membrane_patch() {
    let (a, b, c, d) = (1e-3, -4e-4, 7e-4, 2e-4);
    let field = |x: f64, y: f64| [a * x + b * y, c * x + d * y, 0.0, 0.0, 0.0, 0.5 * (c - b)];
    let (inside, energy) = patch_response(field);
    let stress = element::membrane::plane_stress(2.1e11, 0.3);
    let strain = Vector3::new(a, d, b + c);
    let exact = 0.5 * strain.dot(&(stress * strain)) * 2.0 * 1.6 * 0.05;
    println!("membrane patch: inner force {inside:.2e}, energy error {:.2e}", relative(energy, exact));
    assert!(inside < 1e-12 && relative(energy, exact) < 1e-12);
}

#[test]
fn bending_patch() {
    let (a, b, c) = (1e-3, -6e-4, 4e-4);
    // w = (a x^2 + b y^2)/2 + c x y; theta_x = w,y, theta_y = -w,x.
    let field = |x: f64, y: f64| {
        [0.0, 0.0, (a * x * x + b * y * y) / 2.0 + c * x * y, b * y + c * x, -a * x - c * y, 0.0]
    };
    let (inside, energy) = patch_response(field);
    let rigidity = element::membrane::plane_stress(2.1e11, 0.3) * (0.05_f64.powi(3) / 12.0);
    let curvature = Vector3::new(a, b, 2.0 * c);
    let exact = 0.5 * curvature.dot(&(rigidity * curvature)) * 2.0 * 1.6;
    println!("bending patch: inner force {inside:.2e}, energy error {:.2e}", relative(energy, exact));
    // Rounding of the membrane's far larger entries, mixed in by the tilt.
    assert!(inside < 1e-10 && relative(energy, exact) < 1e-11);
}

#[test]
fn rigid_motions_cost_nothing() {
    for (motion, name) in
        [([1.0, 2.0, 3.0, 0.0, 0.0, 0.0], "translation"), ([0.0, 0.0, 0.0, 0.3, -0.2, 0.5], "rotation")]
    {
        let spin = Vector3::new(motion[3], motion[4], motion[5]);
        let (_, energy) = patch_response(|x, y| {
            let turn = spin.cross(&Vector3::new(x, y, 0.0));
            [motion[0] + turn.x, motion[1] + turn.y, motion[2] + turn.z, spin.x, spin.y, spin.z]
        });
        println!("{name}: strain energy {energy:.2e} J");
        assert!(energy.abs() < 1e-3, "against 1e9 J for strains of that size");
    }
}

/// Energy of the exact in-plane bending field on a strip one cell high: the
/// higher-order part of the membrane makes it exact at every aspect ratio.
#[test]
fn membrane_bends_in_its_plane() {
    for aspect in [1.0, 4.0, 16.0] {
        let (height, thickness, curvature) = (0.1, 0.01, 1e-3);
        let mesh = generate::plate([2.0 * height * aspect, height], [2, 1], thickness, steel()).unwrap();
        let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
        let mut nodal = DMatrix::zeros(6 * mesh.nodes.len(), 1);
        for (node, [x, y, _]) in mesh.nodes.iter().enumerate() {
            nodal[6 * node] = -curvature * x * (y - height / 2.0);
            nodal[6 * node + 1] = curvature * x * x / 2.0;
            nodal[6 * node + 5] = curvature * x;
        }
        let energy = 0.5 * system.stiffness.congruence(&nodal)[(0, 0)];
        let volume_moment = thickness * height.powi(3) / 12.0 * 2.0 * height * aspect;
        let exact = 0.5 * steel().young * curvature * curvature * volume_moment;
        println!("in-plane bending, aspect {aspect}: energy ratio {:.9}", energy / exact);
        assert!(relative(energy, exact) < 1e-9);
    }
}

#[test]
fn attitude_leaves_frequencies() {
    let section = Section::I { width_y: 0.04, height_z: 0.06, flange: 0.004, web: 0.003 };
    let beam = generate::beam(0.8, 6, steel(), section).unwrap();
    let plate = generate::plate([0.5, 0.3], [5, 3], 0.004, steel()).unwrap();
    for (mesh, held) in [(beam, vec![0]), (plate, vec![0, 6, 12, 18])] {
        let supports = Supports::none().clamp(&held);
        let still = held_frequencies(&mesh, &supports, 8, MassModel::Consistent);
        let turned = held_frequencies(&rotated(&mesh, &oblique()), &supports, 8, MassModel::Consistent);
        let worst = still.iter().zip(&turned).map(|(a, b)| relative(*b, *a)).fold(0.0, f64::max);
        println!("objectivity: worst frequency difference {worst:.2e}");
        assert!(worst < 1e-8);
    }
}
