//! Mass by linear interpolation between the nodes (Richard 2012, eqs 50, 51, 58): closed forms, frequencies of a chain of
//! elements known exactly, and what all three mass models share.

use crate::common::*;
use flexura_fem::assemble::mass_properties;
use flexura_fem::*;
use nalgebra::DMatrix;

fn mass_of(mesh: &Mesh, index: usize, model: MassModel) -> DMatrix<f64> {
    let freedoms = element::freedoms(&mesh.elements[index]).len();
    element::mass_matrix(&element::samples(mesh, index, model).unwrap(), freedoms)
}

/// Beam: mass/6 [2 1; 1 2] for every translation, the section's inertia in its place for every rotation, nothing between them.
#[test]
fn a_beam_has_the_integrals_of_linear_functions() {
    let (width, height, length) = (0.03_f64, 0.02_f64, 0.25);
    let mesh = generate::beam(2.0 * length, 2, steel(), Section::rectangle(width, height)).unwrap();
    let found = mass_of(&mesh, 1, MassModel::Linear);
    let line = 7800.0 * length;
    let [about_y, about_z] = [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0];
    let area = width * height;
    let weights = [area, area, area, about_y + about_z, about_y, about_z].map(|weight| line * weight);
    let exact = DMatrix::from_fn(12, 12, |i, j| match (i % 6 == j % 6, i == j) {
        (true, true) => weights[i % 6] / 3.0,
        (true, false) => weights[i % 6] / 6.0,
        _ => 0.0,
    });
    assert!((&found - &exact).amax() < 1e-14 * exact.amax(), "{found:.3e}");
    assert!((mass_of(&mesh, 1, MassModel::Consistent) - exact).amax() > 1e-3 * weights[0]);
}

/// Shell: mass/12 (1 + delta) for translations, in any attitude; rotary inertia of the normals alike.
#[test]
fn a_shell_has_the_integrals_of_area_coordinates() {
    let thickness = 0.01;
    let plain = generate::plate([0.4, 0.3], [1, 1], thickness, steel()).unwrap();
    for (mesh, turn) in
        [(plain.clone(), nalgebra::Rotation3::identity()), (rotated(&plain, &oblique()), oblique())]
    {
        let found = mass_of(&mesh, 0, MassModel::Linear);
        let mass = 7800.0 * thickness * 0.5 * 0.4 * 0.3;
        let turn = turn.matrix();
        let flat = nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(1.0, 1.0, 0.0));
        let normal = turn * flat * turn.transpose() * (thickness * thickness / 12.0);
        let exact = DMatrix::from_fn(18, 18, |i, j| {
            let share = mass / 12.0 * if i / 6 == j / 6 { 2.0 } else { 1.0 };
            match (i % 6, j % 6) {
                (a, b) if a < 3 && b < 3 => share * f64::from(a == b),
                (a, b) if a >= 3 && b >= 3 => share * normal[(a - 3, b - 3)],
                _ => 0.0,
            }
        });
        assert!((&found - &exact).amax() < 1e-14 * exact.amax(), "{:e}", (&found - &exact).amax());
    }
}

/// A held bar of n linear elements stretches at w = (c/l) sqrt(6 (1 - cos kl)/(2 + cos kl)), k = (2j - 1) pi/(2L).
#[test]
fn a_bar_of_linear_elements_has_its_own_exact_frequencies() {
    let (length, count) = (1.0, 6);
    let mesh = generate::beam(length, count, steel(), Section::rectangle(0.02, 0.02)).unwrap();
    let all: Vec<usize> = (0..=count).collect();
    let held = Supports::none().hold(&all, [false, true, true, true, true, true]).clamp(&[0]);
    let found = held_frequencies(&mesh, &held, 4, MassModel::Linear);
    let (speed, step) = ((2.1e11_f64 / 7800.0).sqrt(), length / count as f64);
    for (mode, frequency) in found.iter().enumerate() {
        let phase = (2 * mode + 1) as f64 * std::f64::consts::FRAC_PI_2 / length * step;
        let exact =
            speed / step * (6.0 * (1.0 - phase.cos()) / (2.0 + phase.cos())).sqrt() / std::f64::consts::TAU;
        assert!(relative(*frequency, exact) < 1e-10, "{frequency} {exact}");
    }
}

/// Mass and centre do not depend on how mass is spread. The first mode of a beam between hinges, sin kx at its nodes, has with linear
/// interpolation the share (2 + cos kl)/3 of its mass: its frequency is (kl)^2/12 too high and of order two, where the element's
/// own field has order four.
#[test]
fn linear_mass_is_too_high_by_a_known_share() {
    let beam =
        |elements: usize| generate::beam(1.0, elements, steel(), Section::rectangle(0.01, 0.01)).unwrap();
    let [(one, first, _), (two, second, _)] =
        [MassModel::Consistent, MassModel::Linear].map(|model| mass_properties(&beam(5), model).unwrap());
    assert!(relative(one, two) < 1e-14 && (first - second).norm() < 1e-14);
    let lowest = |elements: usize, model| {
        let pinned = Supports::none().hold(&[0], [true, true, true, true, false, false]);
        held_frequencies(
            &beam(elements),
            &pinned.hold(&[elements], [false, true, true, false, false, false]),
            1,
            model,
        )[0]
    };
    let exact = lowest(64, MassModel::Consistent);
    for elements in [8, 16] {
        let known = (std::f64::consts::PI / elements as f64).powi(2) / 12.0;
        let [linear, own] =
            [MassModel::Linear, MassModel::Consistent].map(|model| lowest(elements, model) / exact - 1.0);
        println!("{elements} elements: {linear:.3e} too high, {known:.3e} known; own field {own:.1e}");
        // The next term of the series is (kl)^2/8 of the first.
        assert!(relative(linear, known) < 0.03 && own.abs() < 0.01 * known);
    }
}
