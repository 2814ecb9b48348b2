//! Inertia of a flexible body at level `gram`, rederived for the frame X = [r₀ u v w].
//!
//! Source: book/src/theory/inertia.md (IN.11) to (IN.16). The carriers are k points of unit mass with weights (e_c, z_c(η)):
//! their velocity is Ẋ (e_c, z_c) + A Z_rc η̇_r, so that they enter like nodes. Their functions are the
//! eigenvectors of the scaled moments W, the residual fields' second-order motion is R = m'⁺ D: other
//! choices than those of the recursions, with the same mass block. The linear rest of the body is
//! [`Invariants`] at ζ = η + ½ R(η, η), carried back by T = 1 + R η:
//! N_s += Σ_r N'_r T_rs, M += T*m'T, forces by T* with ζ̈ = R(η̇, η̇) at η̈ = 0.
//!
//! Cost O(k modes² + modes³ where R ≠ 0), no nodes.

use super::frame::{NO_FRAME, accumulate, push, turn, turn_back};
use super::inertia::{InertiaWork, Motion};
use super::invariants::Invariants;
use crate::linear::symmetric_part;
use crate::model::Body;
use crate::model::description::Carriers;
use crate::model::invariants::ModalInvariants;
use crate::model::mass_sums::{MassSums, pair};
use crate::spatial::{Matrix3, Vector3, add, axpy, dot, scale};
use nalgebra::{DMatrix, DVector};

/// Eigenvalues of the scaled moments below this share of the largest belong to directions without extent.
const NO_EXTENT: f64 = 1e-10;
/// Eigenvalues of the residual mass below this share carry no field.
const NO_FIELD: f64 = 1e-9;

/// Second-order motion of residual fields below this share of that of the carriers is rounding.
const ROUNDING: f64 = 1e-10;

/// One carrier: e, Z0, Z1 and Z2.
#[derive(Clone, Debug)]
struct Carrier {
    weight: f64,
    origin: Vector3,
    slopes: Vec<Vector3>,
    /// Row-major, symmetric.
    curves: Vec<Vector3>,
}

/// Constants and scratch of one body.
#[derive(Clone, Debug)]
pub(super) struct GramCarriers {
    modes: usize,
    carriers: Vec<Carrier>,
    residual: Invariants,
    /// R_r,st at (r × modes + s) × modes + t; empty if zero.
    lift: Vec<f64>,
    /// T, row-major.
    turn: Vec<f64>,
    zeta: Vec<f64>,
    zeta_rate: Vec<f64>,
    zeta_second: Vec<f64>,
    slides: Vec<Vector3>,
    inner: InertiaWork,
}

impl GramCarriers {
    /// The constants of `body`.
    pub fn new(body: &Body) -> Self {
        let n = body.modes;
        let mut whole = Invariants::new(&body.nodes, n);
        body.sums.iter().for_each(|sums| whole.add_sums(sums));
        let mut sums = MassSums::of_mass_nodes(&body.nodes, n, body.carriers.degree());
        if let Some(Ok(given)) = body.sums.as_deref().map(ModalInvariants::gram_sums) {
            sums.add(&given);
        }
        let carriers = carriers(&sums);
        let residual = residual(&sums, &carriers, whole.modal_mass());
        let lift = match body.carriers {
            Carriers::Affine => Vec::new(),
            _ => lift(&sums, &carriers, residual.modal_mass(), whole.modal_mass()),
        };
        Self {
            modes: n,
            carriers,
            residual,
            lift,
            turn: vec![0.0; n * n],
            zeta: vec![0.0; n],
            zeta_rate: vec![0.0; n],
            zeta_second: vec![0.0; n],
            slides: vec![[0.0; 3]; n],
            inner: InertiaWork::new(n),
        }
    }

    /// Inertia and bias.
    pub fn evaluate(&mut self, motion: &Motion<'_>, work: &mut InertiaWork) {
        if self.lift.is_empty() {
            work.modal.copy_from_slice(self.residual.modal_mass());
            self.residual.evaluate(motion, work);
        } else {
            self.lift_modes(motion.eta, motion.eta_rate);
            let lifted = Motion { eta: &self.zeta, eta_rate: &self.zeta_rate, ..*motion };
            self.residual.evaluate(&lifted, &mut self.inner);
            self.carry_back(work);
        }
        let slides = &mut self.slides;
        for carrier in &self.carriers {
            carrier.add(motion, slides, work);
        }
        let n = self.modes;
        for r in 0..n {
            for s in 0..r {
                work.modal[s * n + r] = work.modal[r * n + s];
            }
        }
    }

    /// ζ, ζ̇, the part of ζ̈ without η̈, and T.
    fn lift_modes(&mut self, eta: &[f64], rate: &[f64]) {
        let n = self.modes;
        for r in 0..n {
            let (mut place, mut speed, mut second) = (eta[r], rate[r], 0.0);
            for s in 0..n {
                let row = &self.lift[(r * n + s) * n..(r * n + s + 1) * n];
                let slope: f64 = row.iter().zip(eta).map(|(x, y)| x * y).sum();
                let stir: f64 = row.iter().zip(rate).map(|(x, y)| x * y).sum();
                self.turn[r * n + s] = slope + f64::from(u8::from(r == s));
                place += 0.5 * slope * eta[s];
                speed += slope * rate[s];
                second += stir * rate[s];
            }
            (self.zeta[r], self.zeta_rate[r], self.zeta_second[r]) = (place, speed, second);
        }
    }

    fn carry_back(&mut self, work: &mut InertiaWork) {
        let (n, inner, mass) = (self.modes, &mut self.inner, self.residual.modal_mass());
        work.g = inner.g;
        work.bias = inner.bias;
        work.coupling.fill(NO_FRAME);
        work.modal.fill(0.0);
        work.bias_modal.fill(0.0);
        for r in 0..n {
            accumulate(&mut work.bias, self.zeta_second[r], &inner.coupling[r]);
            let row = &mass[r * n..(r + 1) * n];
            inner.bias_modal[r] += row.iter().zip(&self.zeta_second).map(|(x, y)| x * y).sum::<f64>();
        }
        for s in 0..n {
            for r in 0..n {
                let share = self.turn[r * n + s];
                accumulate(&mut work.coupling[s], share, &inner.coupling[r]);
                work.bias_modal[s] += share * inner.bias_modal[r];
                let carried: f64 = (0..n).map(|u| mass[r * n + u] * self.turn[u * n + s]).sum();
                for u in s..n {
                    work.modal[u * n + s] += self.turn[r * n + u] * carried;
                }
            }
        }
    }
}

impl Carrier {
    fn add(&self, motion: &Motion<'_>, slides: &mut [Vector3], work: &mut InertiaWork) {
        let (x, n) = (motion.frame, motion.eta.len());
        let (mut place, mut rate, mut bias) = (self.origin, [0.0; 3], [0.0; 3]);
        for r in 0..n {
            let (mut slide, mut stir) = (self.slopes[r], [0.0; 3]);
            axpy(&mut place, 0.5 * motion.eta[r], &slide);
            for s in 0..n {
                axpy(&mut slide, motion.eta[s], &self.curves[r * n + s]);
                axpy(&mut stir, motion.eta_rate[s], &self.curves[r * n + s]);
            }
            axpy(&mut place, 0.5 * motion.eta[r], &slide);
            axpy(&mut rate, motion.eta_rate[r], &slide);
            axpy(&mut bias, motion.eta_rate[r], &stir);
            slides[r] = slide;
        }
        let weights = [self.weight, place[0], place[1], place[2]];
        for i in 0..4 {
            (0..4).for_each(|j| work.g[i][j] += weights[i] * weights[j]);
        }
        let force = add(&scale(2.0, &turn(motion.rate, &rate)), &turn(x, &bias));
        push(&mut work.bias, &force, &weights);
        let local = turn_back(x, &force);
        for r in 0..n {
            push(&mut work.coupling[r], &turn(x, &slides[r]), &weights);
            work.bias_modal[r] += dot(&slides[r], &local);
            for s in 0..=r {
                work.modal[r * n + s] += dot(&slides[r], &slides[s]);
            }
        }
    }
}

/// Mass-orthonormal functions from the eigenvectors of the scaled moments.
fn carriers(sums: &MassSums) -> Vec<Carrier> {
    let (n, q) = (sums.modes, sums.functions);
    let size: Vec<f64> =
        (0..q).map(|a| sums.moments[a * q + a]).map(|w| if w > 0.0 { w.sqrt() } else { 1.0 }).collect();
    let scaled = DMatrix::from_fn(q, q, |a, b| sums.moments[a * q + b] / (size[a] * size[b]));
    let Some((eigenvalues, eigenvectors)) = symmetric_part(&scaled) else {
        // Sums that are no numbers: the first step must fail, not go on without mass.
        let lost = [f64::NAN; 3];
        return vec![Carrier {
            weight: f64::NAN,
            origin: lost,
            slopes: vec![lost; n],
            curves: vec![lost; n * n],
        }];
    };
    let largest = eigenvalues.max();
    let kept = (0..q).filter(|i| eigenvalues[*i] > NO_EXTENT * largest);
    let carrier = |i: usize| {
        let root = eigenvalues[i].sqrt();
        let function: DVector<f64> = DVector::from_fn(q, |a, _| eigenvectors[(a, i)] / (root * size[a]));
        let project = |list: &[f64], first: usize| -> Vector3 {
            std::array::from_fn(|axis| {
                let row = &list[(first + axis) * q..(first + axis + 1) * q];
                row.iter().zip(&function).map(|(x, y)| x * y).sum()
            })
        };
        let weight = sums.moments[..q].iter().zip(&function).map(|(x, y)| x * y).sum();
        Carrier {
            weight,
            origin: project(&sums.moments, 1),
            slopes: (0..n).map(|r| project(&sums.linear, 3 * r)).collect(),
            curves: (0..n * n).map(|k| project(&sums.quadratic, 3 * pair(k / n, k % n))).collect(),
        }
    };
    kept.map(carrier).collect()
}

/// Σ over carriers of a b*.
fn carried(
    carriers: &[Carrier],
    a: impl Fn(&Carrier) -> Vector3,
    b: impl Fn(&Carrier) -> Vector3,
) -> Matrix3 {
    let mut sum = [[0.0; 3]; 3];
    for carrier in carriers {
        let (a, b) = (a(carrier), b(carrier));
        (0..3).for_each(|i| axpy(&mut sum[i], a[i], &b));
    }
    sum
}

fn without(whole: impl Fn(usize, usize) -> f64, part: &Matrix3) -> Matrix3 {
    std::array::from_fn(|i| std::array::from_fn(|j| whole(i, j) - part[i][j]))
}

/// What the carriers leave of the linear body.
fn residual(sums: &MassSums, carriers: &[Carrier], modal: &[f64]) -> Invariants {
    let (n, q) = (sums.modes, sums.functions);
    let second =
        without(|i, j| sums.moments[(i + 1) * q + j + 1], &carried(carriers, |c| c.origin, |c| c.origin));
    let slopes: Vec<Matrix3> = (0..n)
        .map(|r| {
            let part = carried(carriers, |c| c.slopes[r], |c| c.origin);
            without(|i, j| sums.linear[(3 * r + i) * q + j + 1], &part)
        })
        .collect();
    let fields: Vec<Matrix3> = (0..n * n)
        .map(|k| {
            let (r, s) = (k / n, k % n);
            let whole = &sums.bilinear[pair(r, s)];
            let part = carried(carriers, |c| c.slopes[r], |c| c.slopes[s]);
            without(|i, j| if r <= s { whole[i][j] } else { whole[j][i] }, &part)
        })
        .collect();
    let mass: Vec<f64> = (0..n * n)
        .map(|k| {
            let part: f64 = carriers.iter().map(|c| dot(&c.slopes[k / n], &c.slopes[k % n])).sum();
            modal[k] - part
        })
        .collect();
    Invariants::of_fields(&second, &slopes, &fields, mass)
}

/// R = m'⁺ (D − Z1:Z2); empty if zero.
fn lift(sums: &MassSums, carriers: &[Carrier], mass: &[f64], whole: &[f64]) -> Vec<f64> {
    let n = sums.modes;
    let work = DMatrix::from_fn(n, n * n, |r, k| {
        let part: f64 = carriers.iter().map(|c| dot(&c.slopes[r], &c.curves[k])).sum();
        sums.triple[pair(k / n, k % n) * n + r] - part
    });
    let size: Vec<f64> = (0..n).map(|r| whole[r * n + r].max(f64::MIN_POSITIVE).sqrt()).collect();
    let scaled = DMatrix::from_fn(n, n, |r, s| mass[r * n + s] / (size[r] * size[s]));
    let Some((eigenvalues, eigenvectors)) = symmetric_part(&scaled) else {
        return vec![f64::NAN; n * n * n];
    };
    let mut lift = vec![0.0; n * n * n];
    for i in (0..n).filter(|i| eigenvalues[*i] > NO_FIELD) {
        let shape: Vec<f64> = (0..n).map(|r| eigenvectors[(r, i)] / size[r]).collect();
        for k in 0..n * n {
            let amount: f64 = (0..n).map(|r| shape[r] * work[(r, k)]).sum::<f64>() / eigenvalues[i];
            (0..n).for_each(|r| lift[r * n * n + k] += shape[r] * amount);
        }
    }
    let relative = |k: usize| lift[k].abs() * size[k / (n * n)] / (size[k / n % n] * size[k % n]);
    let scale = carriers.iter().flat_map(|c| c.curves.iter().enumerate()).fold(0.0, |most: f64, (k, v)| {
        v.iter().fold(most, |most, x| most.max(x.abs() / (size[k / n] * size[k % n])))
    });
    let largest = (0..n * n * n).map(relative).fold(0.0, f64::max);
    if largest > ROUNDING * scale { lift } else { Vec::new() }
}
