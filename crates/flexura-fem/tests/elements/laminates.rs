//! Composite shells: against integrals through the thickness, two-layer strips by hand, plates by Navier's series.

use crate::common::*;
use flexura_fem::recovery::{Layer, Quantity, StressModes, StressPlace};
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::{DVector, Matrix2, Matrix3, Vector2, Vector3};
use std::f64::consts::{PI, TAU};

const FIBRE: OrthotropicShell =
    OrthotropicShell { young_1: 140e9, young_2: 10e9, poisson_12: 0.3, shear_12: 5e9 };

fn ply(material: usize, thickness: f64, degrees: f64) -> Ply {
    Ply { material, thickness, angle: degrees.to_radians() }
}

/// Fibres, and a denser isotropic layer.
fn materials() -> Vec<Material> {
    vec![Material::orthotropic_shell(FIBRE, 1600.0), Material::isotropic(70e9, 0.33, 2700.0)]
}

/// A plate whose elements all have one layup, first axis x.
fn laminated(mut mesh: Mesh, materials: Vec<Material>, layup: Layup) -> Mesh {
    mesh.materials = materials;
    mesh.layups = vec![layup];
    for element in &mut mesh.elements {
        if let Element::Shell(shell) = element {
            (shell.layup, shell.material_axis) = (Some(0), Some([1.0, 0.0, 0.0]));
        }
    }
    mesh
}

/// Stress of one layer from a strain xx, yy, xy: tensors turned into the layer's axes, through its law, and back.
fn layer_stress(material: &Material, angle: f64, strain: Vector3<f64>) -> Vector3<f64> {
    let turn = Matrix2::new(angle.cos(), -angle.sin(), angle.sin(), angle.cos());
    let tensor = Matrix2::new(strain.x, strain.z / 2.0, strain.z / 2.0, strain.y);
    let own = turn.transpose() * tensor * turn;
    let (young_1, young_2, poisson, shear) = match &material.orthotropic {
        Some(c) => (c.young_1, c.young_2, c.poisson_12, c.shear_12),
        None => (material.young, material.young, material.poisson, material.shear()),
    };
    // Strain from stress, the way constants are measured, solved for the stress.
    let compliance = Matrix2::new(1.0 / young_1, -poisson / young_1, -poisson / young_1, 1.0 / young_2);
    let direct = compliance.try_inverse().unwrap() * Vector2::new(own[(0, 0)], own[(1, 1)]);
    let sheared = 2.0 * shear * own[(0, 1)];
    let back = turn * Matrix2::new(direct.x, sheared, sheared, direct.y) * turn.transpose();
    Vector3::new(back[(0, 0)], back[(1, 1)], back[(0, 1)])
}

/// A layup that couples everything, off the nodes.
fn mixed() -> Layup {
    let plies = vec![ply(0, 0.6e-3, 30.0), ply(1, 1.1e-3, 0.0), ply(0, 0.4e-3, -45.0), ply(0, 0.7e-3, 90.0)];
    Layup { middle: 0.35e-3, additional: 0.8, ..Layup::new(plies) }
}

/// Displacements of u = eps0 x, w with constant curvatures kappa, on all nodes of a flat mesh.
fn field(mesh: &Mesh, strain: Vector3<f64>, kappa: Vector3<f64>) -> DVector<f64> {
    let mut all = DVector::zeros(6 * mesh.nodes.len());
    for (node, [x, y, _]) in mesh.nodes.iter().enumerate() {
        // b_x = -w,x and b_y = -w,y turn the normals; kappa = [b_x,x, b_y,y, b_x,y + b_y,x].
        let w = -0.5 * (kappa.x * x * x + kappa.y * y * y + kappa.z * x * y);
        let (w_x, w_y) = (-(kappa.x * x + 0.5 * kappa.z * y), -(kappa.y * y + 0.5 * kappa.z * x));
        let values =
            [strain.x * x + 0.5 * strain.z * y, strain.y * y + 0.5 * strain.z * x, w, w_y, -w_x, 0.0];
        all.rows_mut(6 * node, 6).copy_from_slice(&values);
    }
    all
}

fn states() -> [(Vector3<f64>, Vector3<f64>); 3] {
    [
        (Vector3::new(1e-4, -3e-4, 2e-4), Vector3::zeros()),
        (Vector3::zeros(), Vector3::new(0.3, -0.2, 0.5)),
        (Vector3::new(2e-4, 1e-4, -3e-4), Vector3::new(-0.1, 0.4, 0.2)),
    ]
}

/// Energy of strains and curvatures that are constant: the integral over all layers, two Gauss points in each, exact for its parabola.
#[test]
fn energy_is_the_integral_through_the_layers() {
    let (materials, layup) = (materials(), mixed());
    let mesh = laminated(
        generate::plate([0.5, 0.4], [4, 3], 0.001, steel()).unwrap(),
        materials.clone(),
        layup.clone(),
    );
    for (strain, kappa) in states() {
        let mut exact = 0.0;
        for (ply, [bottom, top]) in layup.places() {
            for side in [-1.0, 1.0] {
                let z = 0.5 * (bottom + top) + side * (top - bottom) / 12.0_f64.sqrt();
                let here = strain + kappa * z;
                let stress = layer_stress(&materials[ply.material], ply.angle, here);
                exact += 0.5 * stress.dot(&here) * ply.thickness / 2.0 * 0.5 * 0.4;
            }
        }
        let all = field(&mesh, strain, kappa);
        let mut energy = 0.0;
        for (index, element) in mesh.elements.iter().enumerate() {
            let own = all.select_rows(&element::freedoms(element));
            energy += 0.5 * own.dot(&(element::stiffness(&mesh, index).unwrap() * &own));
        }
        println!("energy {energy:.9e}, through the thickness {exact:.9e}");
        assert!(relative(energy, exact) < 1e-11);
    }
}

/// The same states: stresses of the outermost layers and of the one in the middle, at every node.
#[test]
fn stresses_are_those_of_the_layers() {
    let (materials, layup) = (materials(), mixed());
    let plain = generate::plate([0.5, 0.4], [4, 3], 0.001, steel()).unwrap();
    let mesh = laminated(plain, materials.clone(), layup.clone());
    let places: Vec<_> = layup.places().map(|(ply, between)| (*ply, between)).collect();
    let held = |z: f64| places.iter().find(|(_, [b, t])| *b < z && z <= *t).unwrap().0;
    let half = layup.thickness() / 2.0;
    for (strain, kappa) in states() {
        let modes = StressModes::new(
            &mesh,
            &field(&mesh, strain, kappa)
                .reshape_generic(nalgebra::Dyn(6 * mesh.nodes.len()), nalgebra::Dyn(1)),
            Quantity::Stress,
        )
        .unwrap();
        let found = modes.evaluate(&DVector::from_element(1, 1.0)).unwrap();
        let faces = [
            (Layer::Bottom, layup.middle - half, places[0].0),
            (Layer::Middle, layup.middle, held(layup.middle)),
            (Layer::Top, layup.middle + half, places[3].0),
        ];
        for (layer, z, ply) in faces {
            let exact = layer_stress(&materials[ply.material], ply.angle, strain + kappa * z);
            for node in 0..mesh.nodes.len() {
                let place = modes.find(StressPlace { node, layer: Some(layer), side: 0 }).unwrap();
                let [xx, yy, zz, xy, ..] = found[place];
                let error = (Vector3::new(xx, yy, xy) - exact).amax();
                assert!(error < 1e-9 * exact.amax() && zz == 0.0, "{layer:?} of node {node}: {error:.1e}");
            }
        }
    }
}

/// Equal layers are one layer, whichever way it lies in the mesh.
#[test]
fn equal_layers_are_one() {
    let plain = generate::plate([0.5, 0.4], [4, 3], 0.003, steel()).unwrap();
    let layers = Layup::new(vec![ply(0, 0.001, 20.0), ply(0, 0.0005, 0.0), ply(0, 0.0015, -70.0)]);
    let many = laminated(plain.clone(), vec![steel()], layers);
    for index in 0..plain.elements.len() {
        let (a, b) = (element::stiffness(&plain, index).unwrap(), element::stiffness(&many, index).unwrap());
        assert!((&a - &b).amax() < 1e-12 * a.amax());
        for model in [MassModel::Consistent, MassModel::Linear, MassModel::Lumped] {
            let mass = |mesh| element::mass_matrix(&element::samples(mesh, index, model).unwrap(), 18);
            let (a, b) = (mass(&plain), mass(&many));
            assert!((&a - &b).amax() < 1e-12 * a.amax(), "{model:?}");
        }
    }
}

/// Mass, centre and inertia about it of a laminated plate that lies askew, summed over its layers as boxes.
#[test]
fn mass_is_that_of_the_layers() {
    let (materials, layup) = (materials(), mixed());
    let flat = laminated(
        generate::plate([0.5, 0.4], [4, 3], 0.001, steel()).unwrap(),
        materials.clone(),
        layup.clone(),
    );
    let rotation = oblique();
    let mut mesh = rotated(&flat, &rotation);
    for element in &mut mesh.elements {
        if let Element::Shell(shell) = element {
            shell.material_axis = Some((rotation * Vector3::x()).into());
        }
    }
    let middle = Vector3::new(0.25, 0.2, 0.0);
    let (mut total, mut first, mut exact) = (0.0, Vector3::zeros(), Matrix3::zeros());
    let slabs = layup
        .places()
        .map(|(ply, [b, t])| (materials[ply.material].density * (t - b) * 0.2, 0.5 * (b + t), t - b));
    for (mass, z, height) in slabs.chain([(layup.additional * 0.2, layup.middle, 0.0)]) {
        let at = middle + Vector3::new(0.0, 0.0, z);
        let square = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
        // Layers are discs without the inertia of the thickness about the normal, boxes about the other axes.
        let own = Vector3::new(square(0.4, height), square(0.5, height), square(0.5, 0.4));
        exact +=
            Matrix3::from_diagonal(&own) + (Matrix3::identity() * at.dot(&at) - at * at.transpose()) * mass;
        (total, first) = (total + mass, first + at * mass);
    }
    let exact = rotation.matrix() * exact * rotation.matrix().transpose();
    for model in [MassModel::Consistent, MassModel::Linear] {
        let samples: Vec<MassSample> = (0..mesh.elements.len())
            .flat_map(|index| element::samples(&mesh, index, model).unwrap())
            .collect();
        let sum: f64 = samples.iter().map(|sample| sample.mass).sum();
        let moment: Vector3<f64> = samples.iter().map(|sample| sample.position * sample.mass).sum();
        let about: Matrix3<f64> = samples
            .iter()
            .map(|s| {
                let x = s.position;
                s.inertia + (Matrix3::identity() * x.dot(&x) - x * x.transpose()) * s.mass
            })
            .sum();
        assert!(relative(sum, total) < 1e-12);
        assert!((moment - rotation * first).amax() < 1e-12 * first.amax());
        assert!((about - exact).amax() < 1e-9 * exact.amax(), "{model:?}: {about} {exact}");
    }
    // A slow turn about each axis has the kinetic energy of that inertia: the pieces beside the nodes move as they should.
    for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
        let mut energy = 0.0;
        for (index, element) in mesh.elements.iter().enumerate() {
            let mass =
                element::mass_matrix(&element::samples(&mesh, index, MassModel::Consistent).unwrap(), 18);
            let mut speed = DVector::zeros(18);
            for (corner, node) in element.nodes().iter().enumerate() {
                let u = axis.cross(&Vector3::from(mesh.nodes[*node]));
                speed.rows_mut(6 * corner, 3).copy_from(&u);
                speed.rows_mut(6 * corner + 3, 3).copy_from(&axis);
            }
            energy += speed.dot(&(mass * &speed));
        }
        assert!(relative(energy, axis.dot(&(exact * axis))) < 1e-9);
    }
}

/// Two layers without contraction under a moment at the end (S. Timoshenko, 1925, without heat): the strip bends with
/// M/(D - B²/A) and stretches along the nodes by -B/A of that. Constant strains and curvatures: the elements have them exactly.
#[test]
fn two_layers_bend_and_stretch_as_by_hand() {
    let (length, width, young, heights) = (0.4, 0.05, [2e11, 0.7e11], [0.001, 0.0015]);
    let materials = young.map(|young| Material::isotropic(young, 0.0, 3000.0)).to_vec();
    let layup = Layup::new(vec![ply(0, heights[0], 0.0), ply(1, heights[1], 0.0)]);
    let half = 0.5 * (heights[0] + heights[1]);
    let mesh = laminated(generate::plate([length, width], [8, 2], 0.001, steel()).unwrap(), materials, layup);
    let z = [-half, heights[0] - half, half];
    let sum = |power: i32| -> f64 {
        let part = |i: usize| young[i] * (z[i + 1].powi(power) - z[i].powi(power)) / f64::from(power);
        part(0) + part(1)
    };
    let (a, b, d) = (sum(1), sum(2), sum(3));
    let system =
        assemble(&mesh, &Supports::none().clamp(mesh.set("x0").unwrap()), MassModel::Consistent).unwrap();
    // A moment of 1 N m per metre about -y bends the end upwards; the middle of the edge carries half.
    let end = mesh.set("x1").unwrap().to_vec();
    let mut load = Loads::none(mesh.nodes.len());
    for (place, node) in end.iter().enumerate() {
        let share = if place == 1 { 0.5 } else { 0.25 };
        load = load.at(*node, [0.0; 3], [0.0, -width * share, 0.0]).unwrap();
    }
    let found = solve(&system, &load).unwrap();
    let kappa = -1.0 / (d - b * b / a);
    let (w, u) = (found[6 * end[1] + 2], found[6 * end[1]]);
    println!("deflection {w:.9e}, stretch {u:.9e}");
    assert!(relative(w, -0.5 * kappa * length * length) < 1e-8);
    assert!(relative(u, -b / a * kappa * length) < 1e-8);
}

/// Simply supported cross-ply plates: w² ρh = K33 - [K13 K23] K⁻¹ [K13; K23] for every half wave (Navier's series with the edges
/// free to slide along their normal; J. N. Reddy, *Mechanics of Laminated Composite Plates and Shells*, 2004, chapter 5).
#[test]
fn cross_ply_plates_vibrate_as_by_series() {
    let (side, height) = (1.0, 1e-3);
    let density = 1600.0;
    for angles in [vec![0.0, 90.0, 90.0, 0.0], vec![0.0, 90.0]] {
        let thickness = height / angles.len() as f64;
        let layup = Layup::new(angles.iter().map(|angle| ply(0, thickness, *angle)).collect());
        let mut sums = [Matrix3::zeros(); 3];
        for (ply, [bottom, top]) in layup.places() {
            let columns = [0, 1, 2].map(|i| layer_stress(&materials()[0], ply.angle, Vector3::ith(i, 1.0)));
            for (power, sum) in sums.iter_mut().enumerate() {
                let power = power as i32 + 1;
                *sum += Matrix3::from_columns(&columns) * (top.powi(power) - bottom.powi(power))
                    / f64::from(power);
            }
        }
        let [a, b, d] = sums;
        let wave = |m: usize, n: usize| {
            let (p, q) = (PI * m as f64 / side, PI * n as f64 / side);
            let k12 = (a[(0, 1)] + a[(2, 2)]) * p * q;
            let membrane = Matrix2::new(
                a[(0, 0)] * p * p + a[(2, 2)] * q * q,
                k12,
                k12,
                a[(2, 2)] * p * p + a[(1, 1)] * q * q,
            );
            let mixed = Vector2::new(-b[(0, 0)] * p.powi(3), -b[(1, 1)] * q.powi(3));
            let bending = d[(0, 0)] * p.powi(4)
                + 2.0 * (d[(0, 1)] + 2.0 * d[(2, 2)]) * p * p * q * q
                + d[(1, 1)] * q.powi(4);
            let stiffness = bending - mixed.dot(&(membrane.try_inverse().unwrap() * mixed));
            (stiffness / (density * height)).sqrt() / TAU
        };
        let mut exact: Vec<f64> = (1..5).flat_map(|m| (1..5).map(move |n| wave(m, n))).collect();
        exact.sort_by(f64::total_cmp);
        let worst = |cells: usize| {
            let plain = generate::plate([side, side], [cells, cells], height, steel()).unwrap();
            let mesh = laminated(plain, materials(), layup.clone());
            let (along_y, along_x) =
                ([false, true, true, true, false, false], [true, false, true, false, true, false]);
            let supports = Supports::none()
                .hold(mesh.set("x0").unwrap(), along_y)
                .hold(mesh.set("x1").unwrap(), along_y)
                .hold(mesh.set("y0").unwrap(), along_x)
                .hold(mesh.set("y1").unwrap(), along_x);
            let found = held_frequencies(&mesh, &supports, 4, MassModel::Consistent);
            found.iter().zip(&exact).map(|(a, b)| relative(*a, *b)).fold(0.0, f64::max)
        };
        let (coarse, fine) = (worst(8), worst(16));
        println!("{angles:?}: worst error {:.3} %, {:.3} %", 100.0 * coarse, 100.0 * fine);
        assert!(fine < 0.015 && fine < 0.4 * coarse);
        // Without the coupling the unsymmetric plate would be far too stiff.
        let stiff = (d[(0, 0)] / (d[(0, 0)] - b[(0, 0)].powi(2) / a[(0, 0)])).sqrt();
        assert_eq!(angles.len() == 2, stiff > 1.3, "{stiff}");
    }
}

#[test]
fn bad_layers_are_refused() {
    let refused = |layup: Layup| {
        laminated(generate::plate([0.5, 0.4], [1, 1], 0.001, steel()).unwrap(), materials(), layup)
            .validate()
            .unwrap_err()
            .to_string()
    };
    for (layup, said) in [
        (Layup::new(Vec::new()), "a layer"),
        (Layup::new(vec![ply(7, 0.001, 0.0)]), "material 7"),
        (Layup::new(vec![ply(0, 0.0, 0.0)]), "thickness"),
        (Layup::new(vec![ply(0, 0.001, f64::NAN)]), "angle"),
        (Layup { middle: f64::INFINITY, ..mixed() }, "middle"),
        (Layup { additional: -1.0, ..mixed() }, "additional"),
    ] {
        let message = refused(layup);
        assert!(message.contains(said), "{message}");
    }
    let mut mesh =
        laminated(generate::plate([0.5, 0.4], [1, 1], 0.001, steel()).unwrap(), materials(), mixed());
    mesh.layups.clear();
    assert!(mesh.validate().unwrap_err().to_string().contains("layup 0"));
}
