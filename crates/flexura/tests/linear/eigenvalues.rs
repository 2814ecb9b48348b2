//! Eigenvalues of matrices that are hard on an iteration: random, defective, badly scaled, and of spinning tops.
//!
//! Every eigenvalue λ found must make A − λ singular to rounding: the smallest singular value is no more than a few
//! roundings of the size of A, whatever the condition of λ. Sum and product of all settle multiplicities.

use flexura::State;
use flexura::analysis::{eigenvalues, linearize, modes};
use flexura::file::build_text;
use nalgebra::{Complex, DMatrix};

/// A number between −1 and 1, the same in every run.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Rounding errors allowed, in units of n ε ‖A‖: QR steps are backward stable with a small factor.
const ROUNDINGS: f64 = 50.0;

fn judge(a: &DMatrix<f64>, what: &str) {
    let n = a.nrows();
    let rows: Vec<f64> = a.transpose().as_slice().to_vec();
    let found = eigenvalues(&rows, n).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(found.len(), n, "{what}");
    let unit = ROUNDINGS * n as f64 * f64::EPSILON * a.norm().max(f64::MIN_POSITIVE);
    for &(re, im) in &found {
        let shifted = a.map(|x| Complex::new(x, 0.0)) - DMatrix::identity(n, n) * Complex::new(re, im);
        let smallest = shifted.singular_values().min();
        assert!(smallest <= unit, "{what}: {re} + {im}i is off by {smallest:e} of {unit:e}");
        let mirrored = found.iter().any(|z| z.0 == re && z.1 == -im);
        assert!(mirrored, "{what}: {re} + {im}i has no conjugate");
    }
    let sum: f64 = found.iter().map(|z| z.0).sum();
    assert!((sum - a.trace()).abs() <= unit * n as f64, "{what}: trace {sum} {}", a.trace());
}

#[test]
fn random_matrices_of_every_small_size() {
    let mut random = Random(7);
    for n in 1..=12 {
        for case in 0..15 {
            let a = DMatrix::from_fn(n, n, |_, _| random.signed());
            judge(&a, &format!("full {n} {case}"));
            let thin = a.map(|x| if x.abs() < 0.7 { 0.0 } else { x });
            judge(&thin, &format!("thin {n} {case}"));
            judge(&(&a - a.transpose()), &format!("skew {n} {case}"));
            let whole = a.map(|x| (3.0 * x).round());
            judge(&whole, &format!("whole numbers {n} {case}"));
        }
    }
}

#[test]
fn defective_and_cyclic_matrices() {
    for n in 1..=16 {
        let jordan =
            DMatrix::from_fn(n, n, |i, j| if i == j { 0.5 } else { f64::from(u8::from(j == i + 1)) });
        judge(&jordan, &format!("one chain of {n}"));
        let nilpotent = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j + 1)));
        judge(&nilpotent, &format!("nilpotent {n}"));
        // Ordinary double steps map this matrix onto itself: it needs an exceptional shift.
        let cyclic = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == (j + 1) % n)));
        judge(&cyclic, &format!("cyclic {n}"));
        judge(&DMatrix::zeros(n, n), &format!("zero {n}"));
        judge(&DMatrix::identity(n, n), &format!("one {n}"));
    }
}

/// (0 1; −K −G) with skew G, as rotors have it: pairs of pairs on the imaginary axis, and rigid motions.
#[test]
fn gyroscopic_systems_of_second_order() {
    let mut random = Random(3);
    for n in 1..=8 {
        for case in 0..40 {
            let half = DMatrix::from_fn(n, n, |_, _| random.signed());
            let mut stiffness = &half * half.transpose() * 4.0;
            if case % 3 == 0 {
                stiffness.fill(0.0);
            }
            let g = DMatrix::from_fn(n, n, |_, _| random.signed()) * 10.0_f64.powi(case % 5 - 2);
            let g = &g - g.transpose();
            let a = DMatrix::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
                (true, true) => 0.0,
                (true, false) => f64::from(u8::from(i == j - n)),
                (false, true) => -stiffness[(i - n, j)],
                (false, false) => -g[(i - n, j - n)],
            });
            judge(&a, &format!("gyroscopic {n} {case}"));
        }
    }
}

/// Units must not matter: D⁻¹AD has the eigenvalues of A, from 1e-280 to 1e280.
#[test]
fn scales_of_coordinates_and_of_the_whole_do_not_matter() {
    let mut random = Random(11);
    for case in 0..30 {
        let n = 2 + case % 6;
        let a = DMatrix::from_fn(n, n, |_, _| random.signed());
        let a = &a + a.transpose();
        let sizes: Vec<f64> = (0..n).map(|_| (40.0 * random.signed()).exp2()).collect();
        for whole in [1e-280, 1.0, 1e280] {
            let scaled: Vec<f64> =
                (0..n * n).map(|e| whole * a[(e / n, e % n)] * sizes[e / n] / sizes[e % n]).collect();
            let found = eigenvalues(&scaled, n).unwrap();
            let mut exact: Vec<f64> = a.symmetric_eigenvalues().iter().copied().collect();
            exact.sort_by(|x, y| x.abs().total_cmp(&y.abs()));
            for (z, exact) in found.iter().zip(&exact) {
                assert!((z.0 / whole - exact).abs() < 1e-12, "{case} {whole}: {z:?} {exact}");
                assert!((z.1 / whole).abs() < 1e-12, "{case} {whole}: {z:?} {exact}");
            }
        }
    }
}

/// Numbers that are none are refused, not searched for ever.
#[test]
fn infinite_entries_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = eigenvalues(&[1.0, bad, 0.0, 2.0], 2).expect_err("not finite");
        assert!(error.to_string().contains("not finite"), "{error}");
    }
    assert_eq!(eigenvalues(&[], 0).unwrap(), []);
}

fn sleeping_top(spin: f64) -> String {
    format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1.0\ncenter_of_mass = [0, 0, 0.5]\n\
         inertia = [0.05, 0.05, 0.05]\n[[joint]]\nname = \"pivot\"\ntype = \"spherical\"\n\
         between = [\"ground.origin\", \"top.origin\"]\nspeed = [0, 0, {spin:?}]\n[simulation]\nend = 1\n"
    )
}

/// Upright top, A about the pivot, C about its axis: in axes that turn with the body, nutation and precession
/// are s = i(CΩ/2A − Ω) ± √(m g l/A − (CΩ/2A)²) and conjugates (Goldstein, section 5.7).
#[test]
fn a_sleeping_top_falls_below_its_critical_spin_and_sleeps_above_it() {
    let (a, c, weight) = (0.3, 0.05, 9.81 * 0.5);
    for spin in [0.01, 0.3, 1.0, 2.0, 5.0, 7.5, 10.0, 13.0, 20.0, 33.0, 40.0, 48.0, 49.0, 60.0, 200.0] {
        let model = build_text(&sleeping_top(spin), "top.toml").expect("model").built.model;
        let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
        let list = modes(&system).unwrap_or_else(|error| panic!("{spin} rad/s: {error}"));
        let half: f64 = 0.5 * c * spin / a;
        let inside = weight / a - half * half;
        let growth = list.iter().fold(f64::NEG_INFINITY, |m, mode| m.max(mode.real));
        assert!((growth - inside.max(0.0).sqrt()).abs() < 1e-5 * spin.max(1.0), "{spin} rad/s: {growth}");
        let turning = (half - spin).abs();
        let split = (-inside).max(0.0).sqrt();
        for frequency in [turning - split, turning + split].map(f64::abs) {
            let met = list.iter().any(|mode| (mode.imaginary - frequency).abs() < 1e-5 * spin.max(1.0));
            assert!(met, "{spin} rad/s: {frequency} not in {list:?}");
        }
    }
}
