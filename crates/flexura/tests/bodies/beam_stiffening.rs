//! Quadratic displacements and assembled beams against independent solutions.

use flexura::beam::{
    BeamInput, BeamMode, Boundary, ModeCounts, ModeKind, SectionProperties, Shape, assemble, composite,
    standard_modes, station_at,
};

/// A beam with E = G = rho = A = I = J = L = 1.
fn unit_beam(modes: Vec<BeamMode>) -> BeamInput {
    BeamInput {
        length: 1.0,
        properties: SectionProperties {
            axial: 1.0,
            torsion: 1.0,
            bending_y: 1.0,
            bending_z: 1.0,
            shear: [None; 2],
            mass: 1.0,
            rotary: [2.0, 0.0, 0.0],
        },
        modes,
        foreshortening: true,
        finite_turns: false,
        mass_stations: None,
    }
}

/// Eigenvalues of a symmetric n x n matrix by cyclic Jacobi rotations, ascending.
fn eigenvalues(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    for _ in 0..50 {
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, n, p, q);
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| a[i * n + i]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// One Jacobi rotation that makes entry (p, q) zero.
fn rotate(a: &mut [f64], n: usize, p: usize, q: usize) {
    let angle = 0.5 * (2.0 * a[p * n + q]).atan2(a[q * n + q] - a[p * n + p]);
    let (s, c) = angle.sin_cos();
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
    }
}

/// Eigenvalues of K v = value M v with M positive definite, ascending.
fn generalised(k: &[f64], m: &[f64], n: usize) -> Vec<f64> {
    // Cholesky M = L L*, then C = L^-1 K L^-*.
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let rest: f64 = (0..j).map(|s| l[i * n + s] * l[j * n + s]).sum();
            let value = m[i * n + j] - rest;
            l[i * n + j] = if i == j { value.sqrt() } else { value / l[j * n + j] };
        }
    }
    let half = solve_lower(&l, k, n);
    let transposed: Vec<f64> = (0..n * n).map(|i| half[(i % n) * n + i / n]).collect();
    eigenvalues(solve_lower(&l, &transposed, n), n)
}

/// L^-1 B for a lower triangular L.
fn solve_lower(l: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut x = b.to_vec();
    for column in 0..n {
        for i in 0..n {
            let rest: f64 = (0..i).map(|s| l[i * n + s] * x[s * n + column]).sum();
            x[i * n + column] = (x[i * n + column] - rest) / l[i * n + i];
        }
    }
    x
}

/// Lowest frequency [rad/s] of a cantilever with n clamped-free modes that rotates about z at `speed`.
fn rotating_frequencies(kind: ModeKind, n: usize, speed: f64, stiffened: bool) -> Vec<f64> {
    let shape = Shape::ClampedFreeBending;
    let modes = (1..=n).map(|i| BeamMode { kind, shape: shape(i) });
    let data = assemble(&unit_beam(modes.collect())).unwrap();
    let mut k = data.stiffness.clone();
    for station in data.stations.iter().filter(|_| stiffened) {
        // K_geo = sum m Gamma2 . (w x (w x l0)), w x (w x l0) = -speed^2 x e_x.
        let factor = -station.mass * speed * speed * station.position[0];
        for (k, gamma) in k.iter_mut().zip(station.quadratic.as_ref().unwrap()) {
            *k += factor * gamma[0];
        }
    }
    if kind == ModeKind::BendingY {
        // In-plane (lag) motion: centrifugal softening.
        for (k, m) in k.iter_mut().zip(&data.modal_mass) {
            *k -= speed * speed * m;
        }
    }
    let squares = generalised(&k, &data.modal_mass, n);
    squares.iter().map(|s| s.signum() * s.abs().sqrt()).collect()
}

#[test]
fn rotating_cantilever_stiffens() {
    let flap = |n, stiffened| rotating_frequencies(ModeKind::BendingZ, n, 6.0, stiffened);
    assert!((flap(1, false)[0] - 3.516_015_268_5).abs() < 1e-9);
    assert!((flap(1, true)[0] - 7.438).abs() < 1e-3);
    assert!((flap(4, true)[0] - 7.361).abs() < 1e-3);
    // Converged reference values for speed 6, from above.
    let many = flap(12, true);
    for (computed, exact) in many.iter().zip([7.360_373_019, 26.809_081_678_8]) {
        assert!(*computed > exact && computed - exact < 2e-5 * exact, "{computed}");
    }
    let lag = |stiffened| rotating_frequencies(ModeKind::BendingY, 4, 6.0, stiffened)[0];
    assert!(lag(false) < 0.0, "without the quadratic terms lag is unstable");
    assert!((lag(true) - (flap(4, true)[0].powi(2) - 36.0).sqrt()).abs() < 1e-9);
}

/// Lateral buckling of a cantilever strip under a transverse tip load:
/// P = 4.0126 sqrt(EI GJ)/L^2 (Timoshenko & Gere, chapter 6).
#[test]
fn strip_buckles_laterally() {
    let n = 10;
    let counts = ModeCounts { bending_z: n, torsion: n, ..ModeCounts::default() };
    let input = unit_beam(standard_modes(Boundary::ClampedFree, counts));
    let stiffness = assemble(&input).unwrap().stiffness;
    let tip = station_at(&input, 1.0).unwrap().quadratic.unwrap();
    // Load P e_y: K - P Gamma2_y singular; largest eigenvalue of Gamma2_y by K is 1/P.
    let load: Vec<f64> = tip.iter().map(|gamma| gamma[1]).collect();
    let inverse = generalised(&load, &stiffness, 2 * n);
    let critical = 1.0 / inverse[2 * n - 1];
    assert!((critical - 4.0126).abs() < 2e-3, "{critical}");
}

/// Bar of length 4 made of four welded unit bars with four clamped-free modes each.
#[test]
fn four_welded_bars() {
    let counts = ModeCounts { axial: 4, ..ModeCounts::default() };
    let input = unit_beam(standard_modes(Boundary::ClampedFree, counts));
    let data = assemble(&input).unwrap();
    let tip = station_at(&input, 1.0).unwrap();
    let (mut k, mut m) = (vec![0.0; 256], vec![0.0; 256]);
    for body in 0..4 {
        for (r, s) in (0..16).map(|i| (i / 4, i % 4)) {
            k[(4 * body + r) * 16 + 4 * body + s] = data.stiffness[4 * r + s];
        }
        for station in &data.stations {
            // The frame of a body is carried by the tips of all bodies before it.
            let mut motion = [0.0; 16];
            for r in 0..4 {
                (0..body).for_each(|before| motion[4 * before + r] = tip.translations[r][0]);
                motion[4 * body + r] = station.translations[r][0];
            }
            for (i, entry) in m.iter_mut().enumerate() {
                *entry += station.mass * motion[i / 16] * motion[i % 16];
            }
        }
    }
    let reference = [
        0.400_351_912_193_144_7,
        1.200_571_250_904_869_4,
        2.000_453_388_125_402,
        2.801_670_809_103_024,
        3.609_114_672_669_671_5,
        4.418_587_387_877_142,
    ];
    for (square, exact) in generalised(&k, &m, 16).iter().zip(reference) {
        assert!((square.sqrt() - exact).abs() < 1e-9, "{}", square.sqrt());
    }
}

type Matrix = [[f64; 3]; 3];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// Rotation exp(v~).
fn exponential(v: [f64; 3]) -> Matrix {
    let cross = [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]];
    let square = product(&cross, &cross);
    let x = v.iter().map(|c| c * c).sum::<f64>();
    let angle = x.sqrt();
    let (a, b) = if angle < 1e-6 {
        (1.0 - x / 6.0, 0.5 - x / 24.0)
    } else {
        (angle.sin() / angle, 2.0 * (angle / 2.0).sin().powi(2) / x)
    };
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j) + a * cross[i][j] + b * square[i][j]))
}

/// Tip of an inextensible rod with curvatures of the modes, by exact rotations of short pieces.
fn rod_tip(input: &BeamInput, amplitudes: &[f64]) -> [f64; 3] {
    let shapes: Vec<_> = input.modes.iter().map(|mode| mode.shape.prepare(input.length).unwrap()).collect();
    let curvature = |x: f64| {
        let mut kappa = [0.0; 3];
        for ((mode, shape), eta) in input.modes.iter().zip(&shapes).zip(amplitudes) {
            let f = shape.at(x);
            match mode.kind {
                ModeKind::BendingY => kappa[2] += eta * f.curvature,
                ModeKind::BendingZ => kappa[1] -= eta * f.curvature,
                ModeKind::Torsion => kappa[0] += eta * f.slope,
                ModeKind::Axial => {}
            }
        }
        kappa
    };
    let start = station_at(input, 0.0).unwrap();
    let combine = |columns: &[[f64; 3]]| -> [f64; 3] {
        std::array::from_fn(|i| columns.iter().zip(amplitudes).map(|(c, eta)| c[i] * eta).sum())
    };
    let mut rotation = exponential(combine(&start.slopes));
    let mut position = combine(&start.translations);
    let h = input.length / 4000.0;
    for i in 0..4000 {
        let kappa = curvature((f64::from(i) + 0.5) * h);
        let middle = product(&rotation, &exponential(kappa.map(|c| 0.5 * h * c)));
        (0..3).for_each(|j| position[j] += h * middle[j][0]);
        rotation = product(&rotation, &exponential(kappa.map(|c| h * c)));
    }
    position
}

/// The quadratic terms are the second-order part of an inextensible rod, also
/// when the section at x = 0 turns.
#[test]
fn quadratic_terms_match_an_exact_rod() {
    for boundary in
        [Boundary::ClampedFree, Boundary::FreeFree, Boundary::PinnedPinned, Boundary::InterfaceStatic]
    {
        let counts = ModeCounts { axial: 0, bending_y: 2, bending_z: 2, torsion: 2 };
        let mut input = unit_beam(standard_modes(boundary, counts));
        input.length = 1.5;
        let amplitudes = [1e-3, -4e-4, 7e-4, 5e-4, -1.2e-3, 6e-4];
        let opposite = amplitudes.map(|eta| -eta);
        let (plus, minus) = (rod_tip(&input, &amplitudes), rod_tip(&input, &opposite));
        let terms = station_at(&input, 1.5).unwrap().quadratic.unwrap();
        for i in 0..3 {
            let place = if i == 0 { 1.5 } else { 0.0 };
            let exact = 0.5 * (plus[i] + minus[i]) - place;
            let pairs = (0..36).map(|p| terms[p][i] * amplitudes[p / 6] * amplitudes[p % 6]);
            let computed = 0.5 * pairs.sum::<f64>();
            assert!(exact.abs() > 1e-8, "{boundary:?} {i} is not tested");
            let error = (computed - exact).abs();
            assert!(error < 1e-4 * exact.abs(), "{boundary:?} {i} {computed} {exact}");
        }
    }
}

#[test]
fn quadratic_terms_are_symmetric_and_vanish_where_they_must() {
    let counts = ModeCounts { axial: 1, bending_y: 1, bending_z: 1, torsion: 1 };
    let input = unit_beam(standard_modes(Boundary::ClampedFree, counts));
    let terms = station_at(&input, 0.7).unwrap().quadratic.unwrap();
    for (r, s) in (0..16).map(|i| (i / 4, i % 4)) {
        assert_eq!(terms[4 * r + s], terms[4 * s + r]);
    }
    assert!((0..4).all(|s| terms[s] == [0.0; 3]), "axial modes have none");
    assert_eq!(terms[4 + 2], [0.0; 3], "planes do not couple");
    let quarter = BeamMode { kind: ModeKind::BendingY, shape: Shape::Polynomial(vec![0.0, 0.0, 1.0]) };
    let twist = BeamMode { kind: ModeKind::Torsion, shape: Shape::Linear };
    // f = x^2, phi = x: -int 4 u^2 = -4 x^3/3 and int (x-u) u 2 = x^3/3.
    let terms = station_at(&unit_beam(vec![quarter, twist]), 0.6).unwrap();
    let terms = terms.quadratic.unwrap();
    assert!((terms[0][0] + 4.0 * 0.216 / 3.0).abs() < 1e-15);
    assert!((terms[1][2] - 0.216 / 3.0).abs() < 1e-15);
}

/// Integrals of the highest shapes agree with many short panels, also inside the beam.
#[test]
fn quadratic_terms_of_high_modes_are_exact() {
    let mode = |kind, shape| BeamMode { kind, shape };
    let input = unit_beam(vec![
        mode(ModeKind::BendingY, Shape::ClampedFreeBending(30)),
        mode(ModeKind::BendingY, Shape::FreeFreeBending(29)),
        mode(ModeKind::Torsion, Shape::QuarterSine(30)),
    ]);
    let shapes = input.modes.iter().map(|m| m.shape.prepare(1.0).unwrap());
    let f: Vec<_> = shapes.collect();
    for x in [0.01, 0.37, 0.83, 1.0] {
        let terms = station_at(&input, x).unwrap().quadratic.unwrap();
        let rule = composite(20, 60, 0.0, x);
        let check = |computed: f64, scale: f64, exact: f64| {
            assert!((computed - exact).abs() < 1e-13 * scale, "{computed} {exact}");
        };
        for (r, s) in [(0, 0), (0, 1), (1, 1)] {
            let exact = -rule.integrate(|u| f[r].at(u).slope * f[s].at(u).slope);
            let scale = (terms[4 * r][0] * terms[4 * s][0]).sqrt();
            check(terms[3 * r + s][0], scale, exact);
        }
        let swing = |u: f64| (x - u) * f[2].at(u).value * f[0].at(u).curvature;
        let scale = rule.integrate(|u| swing(u).abs());
        check(terms[2][2], scale, rule.integrate(swing));
    }
}
