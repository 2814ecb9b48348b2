//! Beam frequencies against exact tables.

use crate::common::*;
use flexura_fem::*;

const IN_PLANE: [bool; 6] = [true, true, false, true, false, true];

/// A square beam of unit length that only bends in the x-z plane.
fn planar(elements: usize, height: f64, shear: bool) -> (Mesh, Supports) {
    let section = Section::rectangle(height, height).constants().unwrap();
    let section = if shear { section } else { section.without_shear() };
    let mesh = generate::beam(1.0, elements, steel(), Section::General(section)).unwrap();
    let all: Vec<usize> = (0..=elements).collect();
    (mesh, Supports::none().hold(&all, IN_PLANE))
}

fn ends(supports: Supports, kind: &str, tip: usize) -> Supports {
    let pinned = [false, false, true, false, false, false];
    match kind {
        "CF" => supports.clamp(&[0]),
        "CC" => supports.clamp(&[0, tip]),
        "PP" => supports.hold(&[0, tip], pinned),
        _ => supports.clamp(&[0]).hold(&[tip], pinned),
    }
}

/// omega sqrt(rho A L^4 / E I) of the lowest modes.
fn parameters(mesh: &Mesh, supports: &Supports, height: f64, count: usize) -> Vec<f64> {
    let scale = (7800.0 * 12.0 / (2.1e11 * height * height)).sqrt() * std::f64::consts::TAU;
    held_frequencies(mesh, supports, count, MassModel::Consistent).iter().map(|f| f * scale).collect()
}

fn worst(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(a, b)| relative(*a, *b)).fold(0.0, f64::max)
}

fn bernoulli(kind: &str, roots: &[f64], elements: usize, tip_mass: bool) -> f64 {
    let height = 1e-3;
    let (mut mesh, supports) = planar(elements, height, false);
    if tip_mass {
        let mass = 7800.0 * height * height;
        mesh.masses.push(PointMass { node: elements, mass, inertia: [[0.0; 3]; 3], offset: [0.0; 3] });
    }
    let exact: Vec<f64> = roots.iter().map(|root| root * root).collect();
    worst(&parameters(&mesh, &ends(supports, kind, elements), height, roots.len()), &exact)
}

#[test]
#[allow(clippy::approx_constant)] // roots of one table among others
fn euler_bernoulli_tables() {
    let tables: [(&str, bool, [f64; 6]); 5] = [
        (
            "CF",
            false,
            [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910, 17.2787595321],
        ),
        (
            "CC",
            false,
            [4.7300407449, 7.8532046241, 10.9956078380, 14.1371654913, 17.2787596574, 20.4203522456],
        ),
        (
            "PP",
            false,
            [3.1415926536, 6.2831853072, 9.4247779608, 12.5663706144, 15.7079632679, 18.8495559215],
        ),
        (
            "CP",
            false,
            [3.9266023120, 7.0685827456, 10.2101761228, 13.3517687778, 16.4933614313, 19.6349540849],
        ),
        ("CF", true, [1.2479174096, 4.0311394367, 7.1341322409, 10.2566210737, 13.3877563260, 16.5227254829]),
    ];
    for (kind, tip_mass, roots) in tables {
        let error = bernoulli(kind, &roots, 20, tip_mass);
        let label = if tip_mass { "CF + tip mass" } else { kind };
        println!("Euler-Bernoulli {label}: worst of six modes, 20 elements: {:.2e}", error);
        assert!(error < 1e-3);
        let errors = [8, 16].map(|elements| bernoulli(kind, &roots[..3], elements, tip_mass));
        let order = (errors[0] / errors[1]).log2();
        println!("   observed order (three modes, 8 -> 16 elements) {order:.2}");
        assert!(order > 3.5);
    }
}

/// Square section, shear factor 5/6, nu = 0.3, including all rotary inertia.
#[test]
fn timoshenko_tables() {
    let tables: [(&str, f64, &[f64]); 4] = [
        ("CF", 0.1, &[3.4883549195, 20.9069104663, 54.9883135068, 99.7468696177, 151.8415707690]),
        ("PP", 0.1, &[9.7074772349, 37.0961588477, 78.1547362898, 128.6660038155]),
        ("CF", 0.2, &[3.4097830679, 18.3636941172, 43.7089957884, 72.5667310079]),
        ("PP", 0.2, &[9.2740397119, 32.1665009539, 61.4580633042, 93.2594183133]),
    ];
    for (kind, height, exact) in tables {
        let error = |elements| {
            let (mesh, supports) = planar(elements, height, true);
            worst(&parameters(&mesh, &ends(supports, kind, elements), height, exact.len()), exact)
        };
        let (mesh, supports) = planar(20, height, true);
        let found = parameters(&mesh, &ends(supports, kind, 20), height, exact.len());
        let each: Vec<f64> = found.iter().zip(exact).map(|(a, b)| 100.0 * (a / b - 1.0)).collect();
        println!("errors, mode by mode, 20 elements (%): {each:.4?}");
        println!("Timoshenko {kind} L/h {:.0}: worst, 20 elements {:.2e}", 1.0 / height, error(20));
        assert!(error(20) < 1e-3);
        // Errors of higher modes change sign on the way; the second one shows the order.
        let second = |elements| {
            let (mesh, supports) = planar(elements, height, true);
            relative(parameters(&mesh, &ends(supports, kind, elements), height, 2)[1], exact[1])
        };
        let order = (second(16) / second(32)).log2();
        println!("   observed order of mode 2 (16 -> 32 elements) {order:.2}");
        assert!(order > 1.8);
    }
}

#[test]
fn timoshenko_free_free() {
    let tables: [(f64, &[f64]); 2] = [
        (0.1, &[21.6084851823, 56.2078223165, 102.5255817031]),
        (0.2, &[19.7987546083, 46.2749707069, 76.9631811863]),
    ];
    for (height, exact) in tables {
        let section = Section::rectangle(height, height);
        let mesh = generate::beam(1.0, 20, steel(), section).unwrap();
        let scale = (7800.0 * 12.0 / (2.1e11 * height * height)).sqrt() * std::f64::consts::TAU;
        let all: Vec<f64> =
            free_frequencies(&mesh, 14, MassModel::Consistent).iter().map(|f| f * scale).collect();
        // Bending modes come in pairs, among axial and torsional ones.
        for value in exact {
            let near = all.iter().filter(|found| relative(**found, *value) < 1e-3).count();
            println!("Timoshenko FF L/h {:.0}: {value:.5} found {near} times", 1.0 / height);
            assert_eq!(near, 2);
        }
    }
}

#[test]
fn axial_and_torsion() {
    let section = Section::circle(0.01);
    let mesh = generate::beam(1.0, 20, steel(), section).unwrap();
    let all: Vec<usize> = (0..=20).collect();
    for (held, speed) in [
        ([false, true, true, true, true, true], (2.1e11_f64 / 7800.0).sqrt()),
        ([true, true, true, false, true, true], (steel().shear() / 7800.0).sqrt()),
    ] {
        let supports = Supports::none().hold(&all, held).clamp(&[0]);
        let found = held_frequencies(&mesh, &supports, 2, MassModel::Consistent);
        let error = relative(found[0], speed / 4.0);
        println!("bar mode 1: {error:.2e}");
        assert!(error < 1e-5);
    }
}

/// Offsets move the centroid line off the nodes: the mode of a beam is the same.
#[test]
fn offset_ends() {
    let mesh = generate::beam(0.7, 8, steel(), Section::tube(0.02, 0.015)).unwrap();
    let supports = Supports::none().clamp(&[0]);
    let plain = held_frequencies(&mesh, &supports, 4, MassModel::Consistent);
    let mut shifted = mesh.clone();
    let arm = [0.01, -0.03, 0.02];
    for node in &mut shifted.nodes {
        (0..3).for_each(|i| node[i] -= arm[i]);
    }
    for element in &mut shifted.elements {
        if let Element::Beam(beam) = element {
            beam.offsets = [arm; 2];
        }
    }
    let moved = held_frequencies(&shifted, &supports, 4, MassModel::Consistent);
    println!("offsets: worst difference {:.2e}", worst(&moved, &plain));
    assert!(worst(&moved, &plain) < 1e-8);
}
