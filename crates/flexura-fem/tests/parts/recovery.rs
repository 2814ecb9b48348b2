//! Section forces, fibre stresses, and stresses of shells and solids.

use crate::common::*;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::recovery::{
    Fibre, Layer, Quantity, StressModes, StressPlace, fibre_stress_rows, section_forces, von_mises,
};
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

#[test]
fn cantilever_section_forces() {
    let (force, moment) = (Vector3::new(300.0, 20.0, -50.0), Vector3::new(7.0, 4.0, -3.0));
    let thick = Section::rectangle(0.03, 0.05).constants().unwrap();
    for section in [thick, thick.without_shear()] {
        let mesh = generate::beam(1.0, 4, steel(), Section::General(section)).unwrap();
        let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
        let load = Loads::none(5).at(4, force.into(), moment.into()).unwrap();
        let displacements = solve(&system, &load).unwrap();
        let mut worst = 0.0_f64;
        for (index, s) in (0..4).flat_map(|index| [0.0, 0.3, 1.0].map(|s| (index, s))) {
            let found = section_forces(&mesh, index, s, &displacements).unwrap();
            let arm = Vector3::new(1.0 - (index as f64 + s) / 4.0, 0.0, 0.0);
            worst = worst.max((found.force - force).norm() / force.norm());
            worst = worst.max((found.moment - moment - arm.cross(&force)).norm() / moment.norm());
        }
        println!("section forces: worst relative error {worst:.1e}");
        assert!(worst < 1e-8);
    }
    let mesh = generate::beam(1.0, 4, steel(), Section::General(thick)).unwrap();
    assert!(section_forces(&mesh, 9, 0.5, &DVector::zeros(30)).is_err());
    assert!(section_forces(&mesh, 0, 0.5, &DVector::zeros(3)).is_err());
}

fn as_column(values: &DVector<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(values.len(), 1, values.as_slice())
}

fn one() -> DVector<f64> {
    DVector::from_element(1, 1.0)
}

#[test]
fn fibres_of_a_cantilever() {
    let (radius, length) = (0.01_f64, 1.0);
    let mesh = generate::beam(length, 5, steel(), Section::circle(radius)).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let load = Loads::none(6).at(5, [100.0, 3.0, -2.0], [5.0, 0.0, 0.0]).unwrap();
    let moved = as_column(&solve(&system, &load).unwrap());
    let pi = std::f64::consts::PI;
    let (area, inertia) = (pi * radius.powi(2), pi * radius.powi(4) / 4.0);
    // A tip force along +z stretches the lower fibres, one along +y the right ones.
    for ([y, z], bending) in [([0.0, radius], -2.0 * 0.7 * -radius), ([radius, 0.0], -3.0 * 0.7 * radius)] {
        let fibre = Fibre { place: [y, z], torsion_radius: radius };
        let found = fibre_stress_rows(&mesh, 1, 0.5, fibre, &moved).unwrap();
        let exact = [100.0 / area + bending / inertia, 5.0 * radius / (2.0 * inertia)];
        assert!(relative(found[0], exact[0]) < 1e-9 && relative(found[1], exact[1]) < 1e-9, "{found}");
    }
}

/// A field of constant strain gives the exact stress at every node.
#[test]
fn uniform_strain() {
    let slope = Matrix3::new(1e-3, -4e-4, 2e-4, 7e-4, 5e-4, -3e-4, 1e-4, 6e-4, -8e-4);
    let field = |mesh: &Mesh, slope: Matrix3<f64>| {
        let mut values = DVector::zeros(6 * mesh.nodes.len());
        for (node, x) in mesh.nodes.iter().enumerate() {
            values.rows_mut(6 * node, 3).copy_from(&(slope * Vector3::from(*x)));
            let spin = Vector3::new(
                slope[(2, 1)] - slope[(1, 2)],
                slope[(0, 2)] - slope[(2, 0)],
                slope[(1, 0)] - slope[(0, 1)],
            );
            values.rows_mut(6 * node + 3, 3).copy_from(&(spin / 2.0));
        }
        as_column(&values)
    };
    let s = slope + slope.transpose();
    let strain = [slope[(0, 0)], slope[(1, 1)], slope[(2, 2)], s[(0, 1)], s[(1, 2)], s[(2, 0)]];
    let stress = hooke(2.1e11, 0.3) * nalgebra::Vector6::from(strain);
    for kind in [SolidKind::Hex8, SolidKind::Tet4, SolidKind::Tet10] {
        let mut mesh = block([1.0, 0.8, 0.6], [2, 2, 2], kind, steel()).unwrap();
        mesh.nodes.iter_mut().for_each(|node| node[0] += 0.2 * node[1] + 0.1 * node[2]);
        let shapes = field(&mesh, slope);
        let modes = StressModes::new(&mesh, &shapes, Quantity::Stress).unwrap();
        assert_eq!(modes.places.len(), mesh.nodes.len());
        for value in modes.evaluate(&one()).unwrap() {
            assert!((nalgebra::Vector6::from(value) - stress).amax() < 1e-10 * stress.amax());
        }
        let strains = StressModes::new(&mesh, &shapes, Quantity::Strain).unwrap().evaluate(&one()).unwrap();
        assert!((0..6).all(|i| (strains[3][i] - strain[i]).abs() < 1e-15));
    }
    // In the plane of a tilted shell: rotate the strain with it.
    let plane = Matrix3::new(1e-3, -4e-4, 0.0, 7e-4, 5e-4, 0.0, 0.0, 0.0, 0.0);
    let turn = *oblique().matrix();
    let mesh = rotated(&generate::plate([0.5, 0.4], [3, 2], 0.01, steel()).unwrap(), &oblique());
    let shapes = field(&mesh, turn * plane * turn.transpose());
    let local = element::membrane::plane_stress(2.1e11, 0.3) * Vector3::new(1e-3, 5e-4, 3e-4);
    let tensor =
        turn * Matrix3::new(local.x, local.z, 0.0, local.z, local.y, 0.0, 0.0, 0.0, 0.0) * turn.transpose();
    let modes = StressModes::new(&mesh, &shapes, Quantity::Stress).unwrap();
    for (place, value) in modes.places.iter().zip(modes.evaluate(&one()).unwrap()) {
        assert!(place.side == 0 && (value[0] - tensor[(0, 0)]).abs() < 1e-9 * local.amax());
        assert!((value[5] - tensor[(2, 0)]).abs() < 1e-9 * local.amax());
        let mises = (local.x.powi(2) - local.x * local.y + local.y.powi(2) + 3.0 * local.z.powi(2)).sqrt();
        assert!(relative(von_mises(value), mises) < 1e-9);
    }
}

/// Stress at a node of a strip 1 m long, 0.1 m wide, 0.02 m thick under a tip force of 1 N.
fn strip_stress(mesh: &Mesh, direction: [f64; 3], at: [f64; 3], layer: Option<Layer>) -> [f64; 6] {
    let supports = Supports::none().clamp(&mesh.sets["x0"]);
    let system = assemble(mesh, &supports, MassModel::Consistent).unwrap();
    let tip = &mesh.sets["x1"];
    let share = direction.map(|x| x / tip.len() as f64);
    let load =
        tip.iter().fold(Loads::none(mesh.nodes.len()), |l, node| l.at(*node, share, [0.0; 3]).unwrap());
    let moved = as_column(&solve(&system, &load).unwrap());
    let distance = |node: &[f64; 3]| (Vector3::from(*node) - Vector3::from(at)).norm();
    let node = mesh.nodes.iter().position(|node| distance(node) < 1e-9).unwrap();
    let modes = StressModes::new(mesh, &moved, Quantity::Stress).unwrap();
    let place = modes.find(StressPlace { node, layer, side: 0 }).unwrap();
    modes.evaluate(&one()).unwrap()[place]
}

/// Navier's stresses at mid-length: across the thickness and across the width.
#[test]
fn bending_stresses_of_strips() {
    let material = Material::isotropic(2.1e11, 0.3, 7800.0);
    let (b, h) = (0.1, 0.02_f64);
    let flat = 0.5 * (h / 2.0) / (b * h.powi(3) / 12.0);
    let edge = 0.5 * (b / 2.0) / (h * b.powi(3) / 12.0);
    let shell = generate::plate([1.0, b], [40, 4], h, material).unwrap();
    let fine = generate::plate([1.0, b], [80, 8], h, material).unwrap();
    let hex = block([1.0, b, h], [40, 4, 2], SolidKind::Hex8, material).unwrap();
    let tet = block([1.0, b, h], [20, 2, 1], SolidKind::Tet10, material).unwrap();
    let (up, side) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    let cases = [
        ("shell, top", strip_stress(&shell, up, [0.5, b / 2.0, 0.0], Some(Layer::Top)), -flat),
        ("shell, bottom", strip_stress(&shell, up, [0.5, b / 2.0, 0.0], Some(Layer::Bottom)), flat),
        ("shell, in plane", strip_stress(&fine, side, [0.5, b, 0.0], Some(Layer::Middle)), -edge),
        ("hexahedra, top", strip_stress(&hex, up, [0.5, b / 2.0, h], None), -flat),
        ("hexahedra, side", strip_stress(&hex, side, [0.5, b, h / 2.0], None), -edge),
        ("tetrahedra, top", strip_stress(&tet, up, [0.5, b / 2.0, h], None), -flat),
    ];
    // The fit over triangles at an edge errs by a share of the element size.
    let errors = [&shell, &fine]
        .map(|mesh| relative(strip_stress(mesh, side, [0.5, b, 0.0], Some(Layer::Middle))[0], -edge));
    println!("shell, in plane, 4 and 8 elements across: {:.2e}, {:.2e}", errors[0], errors[1]);
    assert!(errors[1] < 0.6 * errors[0]);
    for (name, found, exact) in cases {
        println!("{name}: {:.1} Pa against {exact:.1}, error {:.2e}", found[0], relative(found[0], exact));
        assert!(relative(found[0], exact) < 0.02, "{name}");
        assert!(found[2].abs() < 0.02 * exact.abs(), "{name}: {found:?}");
    }
}
