//! Shapes, frequencies and orthogonality of the analytic beam modes.

use flexura::beam::{
    BeamData, BeamError, BeamInput, BeamMode, Boundary, ModeCounts, ModeKind, Section, SectionConstants,
    SectionProperties, Shape, assemble, standard_modes, station_at,
};
use std::f64::consts::PI;

const LENGTH: f64 = 1.3;

fn section() -> SectionConstants {
    let (width_y, height_z) = (0.02, 0.05);
    Section::Rectangle { width_y, height_z }.constants().unwrap()
}

const DENSITY: f64 = 7800.0;
const YOUNG: f64 = 2.1e11;
const SHEAR: f64 = 8.0e10;

fn properties() -> SectionProperties {
    SectionProperties::homogeneous(DENSITY, YOUNG, SHEAR, &section())
}

/// A steel beam without rotary inertia, so that Euler-Bernoulli formulas are exact.
fn beam(modes: Vec<BeamMode>) -> BeamInput {
    BeamInput {
        length: LENGTH,
        properties: SectionProperties { rotary: [DENSITY * section().polar(), 0.0, 0.0], ..properties() },
        modes,
        foreshortening: false,
        finite_turns: false,
        mass_stations: None,
    }
}

fn counts(axial: usize, bending: usize, torsion: usize) -> ModeCounts {
    ModeCounts { axial, bending_y: bending, bending_z: bending, torsion }
}

/// Frequency of mode r from the diagonals [rad/s].
fn frequency(data: &BeamData, modes: usize, r: usize) -> f64 {
    (data.stiffness[r * modes + r] / data.modal_mass[r * modes + r]).sqrt()
}

fn close(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs(), "{a} against {b}");
}

/// Compares all frequencies of a boundary with (betaL)^2 and kL of its modes.
fn check_frequencies(boundary: Boundary, beta: &[f64], wave: impl Fn(usize) -> f64) {
    let n = beta.len();
    let input = beam(standard_modes(boundary, counts(n, n, n)));
    let data = assemble(&input).unwrap();
    let (c, rho, total) = (section(), DENSITY, 4 * n);
    let bending = |inertia: f64| (YOUNG * inertia / (rho * c.area)).sqrt() / LENGTH.powi(2);
    let torsion = (SHEAR * c.torsion / (rho * c.polar())).sqrt() / LENGTH;
    let axial = (YOUNG / rho).sqrt() / LENGTH;
    for (i, beta) in beta.iter().enumerate() {
        let square = beta * beta;
        close(frequency(&data, total, i), axial * wave(i + 1), 1e-10);
        let planes = [(n, c.inertia_z), (2 * n, c.inertia_y)];
        for (first, inertia) in planes {
            let exact = bending(inertia) * square;
            close(frequency(&data, total, first + i), exact, 1e-10);
        }
        let exact = torsion * wave(i + 1);
        close(frequency(&data, total, 3 * n + i), exact, 1e-10);
    }
}

#[test]
fn clamped_free_frequencies() {
    let beta = [
        1.875_104_068_711_961_1,
        4.694_091_132_974_175,
        7.854_757_438_237_613,
        10.995_540_734_875_467,
        14.137_168_391_046_47,
        17.278_759_532_088_237,
    ];
    check_frequencies(Boundary::ClampedFree, &beta, |n| (n as f64 - 0.5) * PI);
}

#[test]
fn free_free_frequencies() {
    let beta = [
        4.730_040_744_862_704,
        7.853_204_624_095_837,
        10.995_607_838_001_671,
        14.137_165_491_257_464,
        17.278_759_657_399_48,
        20.420_352_245_626_06,
    ];
    check_frequencies(Boundary::FreeFree, &beta, |n| n as f64 * PI);
}

#[test]
fn pinned_pinned_frequencies() {
    let beta: Vec<f64> = (1..=6).map(|n| f64::from(n) * PI).collect();
    check_frequencies(Boundary::PinnedPinned, &beta, |n| n as f64 * PI);
}

#[test]
fn twelve_modes_are_orthogonal() {
    let boundaries = [Boundary::ClampedFree, Boundary::FreeFree, Boundary::PinnedPinned];
    for boundary in boundaries {
        let data = assemble(&beam(standard_modes(boundary, counts(12, 12, 12)))).unwrap();
        for matrix in [&data.stiffness, &data.modal_mass] {
            let entry = |r: usize, s: usize| matrix[r * 48 + s];
            for r in 0..48 {
                for s in 0..r {
                    let scale = (entry(r, r) * entry(s, s)).sqrt();
                    assert!(entry(r, s).abs() < 1e-11 * scale, "{boundary:?} {r} {s}");
                    assert_eq!(entry(r, s), entry(s, r));
                }
            }
        }
    }
}

#[test]
fn all_shapes_have_consistent_derivatives() {
    let shapes = [
        Shape::ClampedFreeBending(30),
        Shape::FreeFreeBending(30),
        Shape::ClampedClampedBending(30),
        Shape::ClampedFreeBending(1),
        Shape::Sine(30),
        Shape::QuarterSine(30),
        Shape::Cosine(30),
        Shape::Polynomial(vec![0.3, -1.0, 2.0, 0.5, -4.0]),
        Shape::TipDisplacement,
        Shape::TipRotation,
        Shape::Linear,
    ];
    let h = 1e-4 * LENGTH;
    for shape in shapes {
        let f = shape.prepare(LENGTH).unwrap();
        let scale = f.phase_length().max(1.0) / LENGTH;
        for i in 0..=50 {
            let x = LENGTH * (0.01 + 0.98 * f64::from(i) / 50.0);
            let at = |steps: f64| f.at(x + steps * h);
            // Five-point formula, error h^4 f^(5)/30.
            let slope = 8.0 * (at(1.0).value - at(-1.0).value) - (at(2.0).value - at(-2.0).value);
            let curvature = 8.0 * (at(1.0).slope - at(-1.0).slope) - (at(2.0).slope - at(-2.0).slope);
            let here = f.at(x);
            assert!((slope / (12.0 * h) - here.slope).abs() < 1e-8 * scale);
            let difference = curvature / (12.0 * h) - here.curvature;
            assert!(difference.abs() < 1e-8 * scale * scale, "{shape:?} {x}");
        }
    }
}

#[test]
fn static_shapes_have_unit_tips() {
    let tip = |shape: Shape| shape.prepare(LENGTH).unwrap().at(LENGTH);
    let displaced = tip(Shape::TipDisplacement);
    assert!((displaced.value - 1.0).abs() < 1e-15 && displaced.slope.abs() < 1e-14);
    let rotated = tip(Shape::TipRotation);
    assert!(rotated.value.abs() < 1e-15 && (rotated.slope - 1.0).abs() < 1e-14);
    assert_eq!(tip(Shape::Linear).value, 1.0);
}

/// Stiffness of the two static bending shapes is that of the cubic beam element.
#[test]
fn interface_stiffness_is_the_beam_element() {
    let bending_y = ModeCounts { bending_y: 2, ..ModeCounts::default() };
    let input = beam(standard_modes(Boundary::InterfaceStatic, bending_y));
    let data = assemble(&input).unwrap();
    let rigidity = input.properties.bending_y;
    let element = [12.0 / LENGTH.powi(3), -6.0 / LENGTH.powi(2), -6.0 / LENGTH.powi(2), 4.0 / LENGTH];
    for (k, exact) in data.stiffness.iter().zip(element) {
        close(*k, rigidity * exact, 1e-13);
    }
    // Consistent mass of the element: 13/35, -11 L/210, L^2/105 of the mass.
    let mass = DENSITY * section().area * LENGTH;
    close(data.modal_mass[0], mass * 13.0 / 35.0, 1e-13);
    close(data.modal_mass[1], -mass * 11.0 * LENGTH / 210.0, 1e-13);
    close(data.modal_mass[3], mass * LENGTH * LENGTH / 105.0, 1e-13);
}

/// The rule for the number of points: doubling the points changes nothing.
#[test]
fn the_default_number_of_stations_is_exact() {
    for boundary in [Boundary::ClampedFree, Boundary::InterfaceStatic] {
        let mut input = beam(standard_modes(boundary, counts(3, 8, 3)));
        input.properties = properties();
        let data = assemble(&input).unwrap();
        input.mass_stations = Some(2 * data.stations.len());
        let finer = assemble(&input).unwrap();
        let n = input.modes.len();
        for r in 0..n {
            for s in 0..n {
                let scale = (data.modal_mass[r * n + r] * data.modal_mass[s * n + s]).sqrt();
                let change = data.modal_mass[r * n + s] - finer.modal_mass[r * n + s];
                assert!(change.abs() < 1e-13 * scale, "{boundary:?} {r} {s} {change}");
            }
        }
        let inertia = |data: &BeamData| -> f64 {
            let moment = |s: &flexura::beam::Station| s.mass * s.position[0].powi(2);
            data.stations.iter().map(moment).sum()
        };
        let mass = DENSITY * section().area * LENGTH;
        close(inertia(&data), mass * LENGTH * LENGTH / 3.0, 1e-13);
    }
}

#[test]
fn rotary_inertia_and_polar_part() {
    let mut input = beam(Vec::new());
    let total = |input: &BeamInput, axis: usize| -> f64 {
        let data = assemble(input).unwrap();
        data.stations.iter().map(|s| s.inertia[axis][axis]).sum()
    };
    let (c, length_density) = (section(), 7800.0 * LENGTH);
    close(total(&input, 0), length_density * c.polar(), 1e-13);
    assert_eq!(total(&input, 1) + total(&input, 2), 0.0);
    input.properties = properties();
    close(total(&input, 1), length_density * c.inertia_y, 1e-13);
    close(total(&input, 2), length_density * c.inertia_z, 1e-13);
}

#[test]
fn attachment_stations_follow_the_sign_conventions() {
    let input = beam(standard_modes(Boundary::InterfaceStatic, counts(1, 2, 1)));
    let tip = station_at(&input, LENGTH).unwrap();
    assert_eq!((tip.mass, tip.position), (0.0, [LENGTH, 0.0, 0.0]));
    let near = |a: [f64; 3], b: [f64; 3]| (0..3).for_each(|i| assert!((a[i] - b[i]).abs() < 1e-14));
    near(tip.translations[0], [1.0, 0.0, 0.0]);
    near(tip.translations[1], [0.0, 1.0, 0.0]);
    near(tip.slopes[2], [0.0, 0.0, 1.0]);
    near(tip.translations[3], [0.0, 0.0, 1.0]);
    near(tip.slopes[4], [0.0, -1.0, 0.0]);
    near(tip.slopes[5], [1.0, 0.0, 0.0]);
    assert!(tip.quadratic.is_none());
}

#[test]
fn bad_input_is_refused_with_its_cause() {
    let mode = |kind, shape| vec![BeamMode { kind, shape }];
    let input = beam(mode(ModeKind::BendingY, Shape::ClampedFreeBending(0)));
    let error = assemble(&input).unwrap_err();
    assert_eq!(error.to_string(), "mode 1: eigenfunction number must be 1 to 1000, got 0");
    let input = beam(mode(ModeKind::Axial, Shape::Polynomial(Vec::new())));
    assert!(matches!(assemble(&input), Err(BeamError::BadShape { mode: 0, .. })));
    let mut input = beam(mode(ModeKind::Torsion, Shape::QuarterSine(1)));
    input.properties.rotary[0] = 0.0;
    assert_eq!(assemble(&input), Err(BeamError::ModeWithoutMass { mode: 0 }));
    let mut input = beam(Vec::new());
    assert!(matches!(station_at(&input, 2.0 * LENGTH), Err(BeamError::OutsideBeam { .. })));
    input.mass_stations = Some(0);
    assert_eq!(assemble(&input), Err(BeamError::NoStations));
    input.length = f64::NAN;
    assert!(assemble(&input).is_err());
}
