//! What it would cost to spare the factorisation of bodies whose modes move their inboard point, counted beside what the program does.
//!
//! Source: the handle equations of Mukherjee & Anderson (54-67) in the form (DC.17), (DC.18) of book/src/theory/divide_and_conquer.md: modes are not
//! referred to the inboard point, so that their mass stays constant, and the inboard joint acts on them as on a second moving point.
//! Built here only: the tests say from how many modes on it would need fewer operations.

use crate::divide_and_conquer::{chain_of_beams, counts};
use flexura::algorithm::FlexibleRoute;
use flexura::model::description::InertiaLevel;
use flexura::scalar::{Counting, OperationCount, Scalar};
use flexura_samples::chains::{clamped_chain, flexible_chain, model};

type Vector<S> = [S; 6];
/// Rows, or columns that stand side by side.
type Matrix<S> = [[S; 6]; 6];

/// One body at one instant, what the route for points at rest has of it too: W, V of the outboard point, y, S = M_rr − W*W,
/// A_t = φ_t − V*W and r.
struct Body<S> {
    factor: Vec<S>,
    inboard: Vec<Vector<S>>,
    w: Vec<Vector<S>>,
    v: Vec<Vector<S>>,
    y: Vec<S>,
    rest: Matrix<S>,
    reach: Matrix<S>,
    pull: Vector<S>,
    compliance: Matrix<S>,
    bias: Vector<S>,
}

/// The body without its modes.
#[derive(Debug)]
struct Handles<S> {
    inertia: Matrix<S>,
    transfer: Matrix<S>,
    compliance: Matrix<S>,
    force: Vector<S>,
    bias: Vector<S>,
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).skip(1).fold(a[0] * b[0], |sum, (&x, &y)| sum + x * y)
}

/// L of L L* = `matrix`, of which the lower half is read.
fn lower<S: Scalar>(matrix: &Matrix<S>) -> Matrix<S> {
    let mut l = [[S::ZERO; 6]; 6];
    for i in 0..6 {
        for j in 0..i {
            let known = (0..j).fold(matrix[i][j], |sum, k| sum - l[i][k] * l[j][k]);
            l[i][j] = known / l[j][j];
        }
        l[i][i] = (0..i).fold(matrix[i][i], |sum, k| sum - l[i][k] * l[i][k]).sqrt();
    }
    l
}

/// x ← L⁻¹ x; entries before `first` are zero.
fn forward<S: Scalar>(l: &Matrix<S>, x: &mut Vector<S>, first: usize) {
    for i in first..6 {
        x[i] = (first..i).fold(x[i], |sum, k| sum - l[i][k] * x[k]) / l[i][i];
    }
}

/// x ← L⁻* x.
fn backward<S: Scalar>(l: &Matrix<S>, x: &mut Vector<S>) {
    for i in (0..6).rev() {
        x[i] = (i + 1..6).fold(x[i], |sum, k| sum - l[k][i] * x[k]) / l[i][i];
    }
}

/// a* b of two lists of rows; of a symmetric one the lower half.
fn products<S: Scalar>(a: &[Vector<S>], b: &[Vector<S>], symmetric: bool) -> Matrix<S> {
    let mut sums = [[S::ZERO; 6]; 6];
    for i in 0..6 {
        for j in 0..if symmetric { i + 1 } else { 6 } {
            let (first, rest) = ((a[0][i] * b[0][j]), a.iter().zip(b).skip(1));
            sums[i][j] = rest.fold(first, |sum, (a, b)| sum + a[i] * b[j]);
        }
    }
    sums
}

/// rows ← L⁻¹ rows for the factor of the modal mass.
fn solve_rows<S: Scalar>(factor: &[S], rows: &mut [Vector<S>]) {
    let n = rows.len();
    for r in 0..n {
        for i in 0..6 {
            rows[r][i] =
                (0..r).fold(rows[r][i], |sum, s| sum - factor[r * n + s] * rows[s][i]) / factor[r * n + r];
        }
    }
}

/// What comes beside W, V, y and their sums: (DC.17), and what accelerations need on the way out (DC.18) for one α and g.
fn update<S: Scalar>(body: &Body<S>, (alpha, g): (&Vector<S>, &Vector<S>)) -> (Handles<S>, Vec<S>) {
    let mut v = body.inboard.clone();
    solve_rows(&body.factor, &mut v);
    let (own, cross) = (products(&v, &v, true), products(&v, &body.v, false));
    let coupled = products(&v, &body.w, false);
    let met: Vector<S> = std::array::from_fn(|i| {
        v.iter().zip(&body.y).skip(1).fold(v[0][i] * body.y[0], |sum, (v, &y)| sum + v[i] * y)
    });
    // A_d, S = L L*, L⁻¹ A_d*, L⁻¹ A_t*, L⁻¹ r.
    let root = lower(&body.rest);
    let mut near: Matrix<S> = std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { S::ONE - coupled[i][j] } else { -coupled[i][j] })
    });
    let (mut far, mut pull) = (body.reach, body.pull);
    near.iter_mut().chain(&mut far).for_each(|row| forward(&root, row, 0));
    forward(&root, &mut pull, 0);
    // Inverse inertias seen from both handles, and their biases.
    let lower_half = |sums: &Matrix<S>, rows: &Matrix<S>| -> Matrix<S> {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| if j <= i { sums[i][j] + dot(&rows[i], &rows[j]) } else { S::ZERO })
        })
    };
    let (first, last) = (lower_half(&own, &near), lower_half(&body.compliance, &far));
    let between: Matrix<S> =
        std::array::from_fn(|i| std::array::from_fn(|j| cross[j][i] + dot(&near[j], &far[i])));
    let start: Vector<S> = std::array::from_fn(|i| met[i] + dot(&near[i], &pull));
    let end: Vector<S> = std::array::from_fn(|i| body.bias[i] + dot(&far[i], &pull));
    // P = ζ₁₁⁻¹ = K⁻* K⁻¹, C = ζ₂₁ P, Ω = ζ₂₂ − ζ₂₁ P ζ₁₂.
    let kernel = lower(&first);
    let mut inverse = [[S::ZERO; 6]; 6];
    for (j, column) in inverse.iter_mut().enumerate() {
        column[j] = S::ONE;
        forward(&kernel, column, j);
    }
    // Column j of K⁻¹ has no entries before j.
    let inertia: Matrix<S> = std::array::from_fn(|i| {
        std::array::from_fn(|j| if j <= i { dot(&inverse[i][i..], &inverse[j][i..]) } else { S::ZERO })
    });
    let inertia: Matrix<S> = std::array::from_fn(|i| std::array::from_fn(|j| inertia[i.max(j)][i.min(j)]));
    let (mut seen, mut rest) = (between, start);
    seen.iter_mut().for_each(|row| forward(&kernel, row, 0));
    forward(&kernel, &mut rest, 0);
    let compliance: Matrix<S> = std::array::from_fn(|i| {
        std::array::from_fn(|j| if j <= i { last[i][j] - dot(&seen[i], &seen[j]) } else { S::ZERO })
    });
    let bias = std::array::from_fn(|i| end[i] - dot(&seen[i], &rest));
    let mut transfer = seen;
    transfer.iter_mut().for_each(|row| backward(&kernel, row));
    backward(&kernel, &mut rest);
    let force: Vector<S> = rest.map(|x| -x);
    // On the way out: the force at the inboard point, the acceleration of the frame, and what the force adds to each mode.
    let f: Vector<S> = std::array::from_fn(|i| {
        (0..6).fold(force[i] + dot(&inertia[i], alpha), |sum, j| sum - transfer[j][i] * g[j])
    });
    let mut frame: Vector<S> =
        std::array::from_fn(|i| (0..6).fold(pull[i], |sum, j| sum + near[j][i] * f[j] + far[j][i] * g[j]));
    backward(&root, &mut frame);
    let mut modes: Vec<S> =
        v.iter().zip(&body.y).map(|(v, &y)| (0..6).fold(y, |sum, i| sum + v[i] * f[i])).collect();
    modes.extend(frame);
    (Handles { inertia, transfer, compliance, force, bias }, modes)
}

/// A stream of numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn rows(&mut self, n: usize, size: f64) -> Vec<[f64; 6]> {
        (0..n).map(|_| std::array::from_fn(|_| size * self.next())).collect()
    }
}

/// Mass block, inboard and outboard influences, forces on modes and frame, lever of the outboard point.
struct Plain {
    n: usize,
    mass: Vec<f64>,
    inboard: Vec<[f64; 6]>,
    outboard: Vec<[f64; 6]>,
    force: Vec<f64>,
    reach: [[f64; 6]; 6],
}

impl Plain {
    /// A definite mass block of n modes and six motions of the frame.
    fn random(n: usize) -> Self {
        let mut random = Random(n as u64);
        let size = n + 6;
        let roots: Vec<f64> = (0..size * size).map(|_| random.next()).collect();
        let mass = (0..size * size)
            .map(|at| {
                let (i, j) = (at / size, at % size);
                let sum =
                    (0..size).map(|k| roots[i * size + k] * roots[j * size + k]).sum::<f64>() / size as f64;
                if i == j { sum + 0.2 } else { sum }
            })
            .collect();
        let force = (0..size).map(|_| random.next()).collect();
        let reach = random.rows(6, 1.0).try_into().expect("six rows");
        Self { n, mass, inboard: random.rows(n, 0.5), outboard: random.rows(n, 0.5), force, reach }
    }

    /// The accelerations of modes and frame under forces at both points, by elimination in the whole block.
    fn accelerations(&self, f: &[f64; 6], g: &[f64; 6]) -> Vec<f64> {
        let (n, size) = (self.n, self.n + 6);
        let mut matrix = self.mass.clone();
        let mut right: Vec<f64> = (0..size)
            .map(|i| match i.checked_sub(n) {
                None => self.force[i] + dot(&self.inboard[i], f) + dot(&self.outboard[i], g),
                Some(j) => self.force[i] + f[j] + (0..6).map(|k| self.reach[k][j] * g[k]).sum::<f64>(),
            })
            .collect();
        for k in 0..size {
            for i in k + 1..size {
                let factor = matrix[i * size + k] / matrix[k * size + k];
                (k..size).for_each(|j| matrix[i * size + j] -= factor * matrix[k * size + j]);
                right[i] -= factor * right[k];
            }
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|j| matrix[i * size + j] * right[j]).sum();
            right[i] = (right[i] - known) / matrix[i * size + i];
        }
        right
    }

    /// Accelerations of both points.
    fn seen(&self, found: &[f64]) -> [[f64; 6]; 2] {
        let modes =
            |rows: &[[f64; 6]], i: usize| rows.iter().zip(found).map(|(row, a)| row[i] * a).sum::<f64>();
        let frame = &found[self.n..];
        [
            std::array::from_fn(|i| frame[i] + modes(&self.inboard, i)),
            std::array::from_fn(|i| dot(&self.reach[i], frame) + modes(&self.outboard, i)),
        ]
    }

    /// What the route for points at rest has of the body.
    fn body<S: Scalar>(&self) -> Body<S> {
        let (n, size) = (self.n, self.n + 6);
        let mut factor = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let known = (0..j)
                    .fold(self.mass[i * size + j], |sum, k| sum - factor[i * n + k] * factor[j * n + k]);
                factor[i * n + j] = if i == j { known.sqrt() } else { known / factor[j * n + j] };
            }
        }
        let mut w: Vec<[f64; 6]> =
            (0..n).map(|r| std::array::from_fn(|j| self.mass[r * size + n + j])).collect();
        let mut v = self.outboard.clone();
        let mut y: Vec<[f64; 6]> = (0..n).map(|r| [self.force[r]; 6]).collect();
        for rows in [&mut w, &mut v, &mut y] {
            solve_rows(&factor, rows);
        }
        let y: Vec<f64> = y.iter().map(|row| row[0]).collect();
        let (square, coupled, compliance) =
            (products(&w, &w, false), products(&v, &w, false), products(&v, &v, false));
        let sums = |rows: &[[f64; 6]], i: usize| rows.iter().zip(&y).map(|(row, y)| row[i] * y).sum::<f64>();
        let lift = |rows: &[[f64; 6]]| rows.iter().map(|row| row.map(S::from_f64)).collect::<Vec<_>>();
        let block = |of: &dyn Fn(usize, usize) -> f64| -> Matrix<S> {
            std::array::from_fn(|i| std::array::from_fn(|j| S::from_f64(of(i, j))))
        };
        Body {
            factor: factor.iter().map(|&x| S::from_f64(x)).collect(),
            inboard: lift(&self.inboard),
            w: lift(&w),
            v: lift(&v),
            rest: block(&|i, j| self.mass[(n + i) * size + n + j] - square[i][j]),
            reach: block(&|i, j| self.reach[i][j] - coupled[i][j]),
            pull: std::array::from_fn(|i| S::from_f64(self.force[n + i] - sums(&w, i))),
            compliance: block(&|i, j| compliance[i][j]),
            bias: std::array::from_fn(|i| S::from_f64(sums(&v, i))),
            y: y.iter().map(|&y| S::from_f64(y)).collect(),
        }
    }
}

/// The update finds the forces and accelerations of an elimination in the whole mass block.
#[test]
fn a_body_without_its_modes_is_that_of_an_elimination() {
    for n in [1, 7, 20] {
        let plain = Plain::random(n);
        let mut random = Random(99);
        let (f, g): ([f64; 6], [f64; 6]) =
            (std::array::from_fn(|_| random.next()), std::array::from_fn(|_| random.next()));
        let known = plain.accelerations(&f, &g);
        let [alpha, far] = plain.seen(&known);
        let (handles, found) = update(&plain.body::<f64>(), (&alpha, &g));
        let whole = |m: &Matrix<f64>, i: usize, j: usize| m[i.max(j)][i.min(j)];
        for i in 0..6 {
            let back: f64 = (0..6).map(|j| handles.transfer[j][i] * g[j]).sum();
            let force = dot(&handles.inertia[i], &alpha) - back + handles.force[i];
            assert!((force - f[i]).abs() < 1e-11, "{n} modes: force {force} instead of {}", f[i]);
            let slack: f64 = (0..6).map(|j| whole(&handles.compliance, i, j) * g[j]).sum();
            let reached = dot(&handles.transfer[i], &alpha) + slack + handles.bias[i];
            assert!((reached - far[i]).abs() < 1e-11, "{n} modes: {reached} instead of {}", far[i]);
            assert!((found[n + i] - known[n + i]).abs() < 1e-11, "{n} modes: frame");
        }
    }
}

/// Operations that come on top of those for an inboard point at rest.
fn added(modes: usize) -> u64 {
    let body = Plain::random(modes).body::<Counting>();
    let zero = [Counting(0.0); 6];
    let count = OperationCount::of(|| {
        update(&body, (&zero, &zero));
    });
    count.products + count.additions
}

/// Operations with which the update of `rank` rows of level `gram` corrects six more right sides: Q* of (DC.12).
fn corrected(rank: u64, modes: u64) -> u64 {
    6 * (4 * rank * modes + 2 * rank * rank)
}

/// Where the update would need fewer operations than a factorisation in every evaluation, and how many fewer. At level `consistent`, whose mass block
/// is indefinite from 0.3 % of deflection on with 30 modes, from 32 modes on; at the default level far beyond.
#[test]
fn an_update_for_moving_inboard_points_pays_late() {
    println!(
        "operations per body and sweep pair, modes that move the inboard point: factorised in every evaluation, updated, saved"
    );
    let mut saved = Vec::new();
    for modes in [26, 32, 38] {
        let of = |description| counts(&model(description), FlexibleRoute::Automatic)[2];
        let factorised = of(flexible_chain(256, modes, InertiaLevel::Consistent));
        let updated = of(clamped_chain(256, modes, InertiaLevel::Consistent)) + added(modes);
        saved.push(share(factorised, updated));
        println!("consistent, {modes} modes: {factorised}, {updated}, {:.3}", saved[saved.len() - 1]);
    }
    assert!(saved[0] < -0.1 && saved[1] > 0.0 && saved[1] < 0.05 && saved[2] < 0.15, "{saved:?}");
    for (planes, list) in [(1, [56, 64]), (2, [64, 80])] {
        let mut saved = Vec::new();
        for modes in list {
            let of =
                |ends: &str| counts(&chain_of_beams(3, modes, planes, ends), FlexibleRoute::Automatic)[2];
            let factorised = of("free-free");
            let updated = of("clamped-free") + added(modes) + corrected(3 * planes as u64, modes as u64);
            saved.push(share(factorised, updated));
            println!(
                "gram, {planes} planes, {modes} modes: {factorised}, {updated}, {:.3}",
                saved[saved.len() - 1]
            );
        }
        assert!(saved[0] < 0.0 && saved[1] > 0.1, "{planes} planes: {saved:?}");
    }
}

/// Share of the operations that is saved.
fn share(factorised: u64, updated: u64) -> f64 {
    1.0 - updated as f64 / factorised as f64
}
