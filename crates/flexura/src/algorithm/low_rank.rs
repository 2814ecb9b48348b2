//! Elimination of modes with a constant mass block (level `ruthless`).
//!
//! Source: JPL 90-26 eqs 7.7-7.9, with errata A2 (Γ is always singular, so its
//! inverse is never used). The body has a constant D₀ = M_ff' and all children
//! at one point t with Π' = ζ*; their articulated inertia there is Γ and their
//! force z_t. With Λ = D₀⁻¹, Υ = Λζ, Ω = ζ*Υ, U₀ = ΛY₀*, C = phi*(k,t) − ζ*U₀ and
//! S = Γ (1 + ΩΓ)⁻¹, substituting into (7.10)-(7.12) leaves
//!
//! * P_R = (M_rr − Y₀ΛY₀*) + C* S C,
//! * z_r + g ε_f = b_r + U₀* e + C* (z_t + S (Υ*e − Ω z_t)), e = T_f − b_f − Kη,
//! * η̈ = Λe − U₀ α_R − Υ (z_t + S (Υ*e − Ω z_t + C α_R)).
//!
//! The flexibility acts as a compliance Ω in series with the outboard inertia:
//! the cost of the inertias is independent of the number of modes, and vectors
//! cost n² + O(n). S is formed symmetrically from Ω = Q Q*:
//! S = Γ − ΓQ (1 + Q*ΓQ)⁻¹ Q*Γ.

use super::articulated_body::FlexibleRoute;
use super::kinematics::{Kinematics, referred_influence};
use crate::model::Model;
use crate::model::body::InertiaModel;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, SymmetricSpatial, add6, cholesky_in_place, scale6, shift_motion, solve_lower,
    solve_lower_transposed, sub6,
};

/// Number of modes from which the low-rank route is chosen automatically (measured:
/// `cargo bench -p flexura --bench articulated_body` prints both).
pub const CROSSOVER_MODES: usize = 4;

/// Constants and scratch of one body.
#[derive(Clone, Debug)]
pub(super) struct LowRank<S> {
    /// Whether any child hangs on the body.
    has_children: bool,
    /// Λ, row-major.
    compliance: Vec<f64>,
    /// Υ rows, one 6-vector per mode.
    upsilon: Vec<Spatial>,
    /// U₀ rows, one 6-vector per mode.
    gain: Vec<Spatial>,
    /// M_rr − Y₀ΛY₀*.
    rigid: SymmetricSpatial,
    /// Ω.
    omega: SymmetricSpatial,
    /// Columns of Q.
    root: [Spatial; 6],
    /// Rows of C.
    transfer: [Spatial; 6],
    /// Γ accumulated over children.
    gamma: SymmetricSpatial<S>,
    /// z_t accumulated over children.
    point_force: Spatial<S>,
    /// S.
    series: SymmetricSpatial<S>,
    /// z_t + S (Υ*e − Ω z_t).
    transmitted: Spatial<S>,
    /// Λ e.
    response: Vec<S>,
}

impl<S: Scalar> LowRank<S> {
    /// The route for body `k` with children at `points`, where `route` and the body allow it.
    fn new(
        model: &Model,
        kin: &Kinematics<f64>,
        k: usize,
        points: Points,
        route: FlexibleRoute,
    ) -> Option<Self> {
        let InertiaModel::Ruthless(constants) = &model.bodies[k].inertia else { return None };
        let n = model.bodies[k].modes;
        let wanted = match route {
            FlexibleRoute::Direct => false,
            FlexibleRoute::LowRank => true,
            FlexibleRoute::Automatic => n >= CROSSOVER_MODES,
        };
        let (point, has_children) = match points {
            Points::None => (0, false),
            Points::One(point) => (point, true),
            Points::Several => return None,
        };
        // A point that deforms (rules `exact`, `lambda_etad`) has no constant Π': direct route.
        let constant = |index: usize| model.bodies[k].attachments[index].constant;
        let fixed = !has_children || (constant(point) && constant(model.joints[k].inner.attachment));
        if !wanted || !fixed {
            return None;
        }
        // Hinge-referred Π' and position at η = 0; constant for this level.
        let mut influence = referred_influence(model, kin, k, point).to_vec();
        influence.resize(n, [0.0; 6]);
        let position = model.bodies[k].attachments[point].shape.position;
        let compliance = inverse(&constants.modal, n)?;
        let rows = |source: &dyn Fn(usize) -> Spatial| -> Vec<Spatial> {
            (0..n)
                .map(|r| {
                    (0..n).fold([0.0; 6], |sum, s| add6(&sum, &scale6(compliance[r * n + s], &source(s))))
                })
                .collect()
        };
        let upsilon = rows(&|s| influence[s]);
        let gain = rows(&|s| constants.coupling[s]);
        let mut rigid = constants.rigid;
        let mut omega = SymmetricSpatial::ZERO;
        let mut transfer = [[0.0; 6]; 6];
        for (i, row) in transfer.iter_mut().enumerate() {
            // Row i of phi*(k,t): the i-th component of a unit motion carried to the point.
            for (j, entry) in row.iter_mut().enumerate() {
                let unit: Spatial = std::array::from_fn(|c| f64::from(u8::from(c == j)));
                *entry = shift_motion(&position, &unit)[i];
            }
        }
        for r in 0..n {
            rigid.add_outer(&scale6(-1.0, &constants.coupling[r]), &gain[r]);
            omega.add_outer(&influence[r], &upsilon[r]);
            for (i, row) in transfer.iter_mut().enumerate() {
                *row = sub6(row, &scale6(influence[r][i], &gain[r]));
            }
        }
        Some(Self {
            has_children,
            compliance,
            upsilon,
            gain,
            rigid,
            omega,
            root: square_root(&omega),
            transfer,
            gamma: SymmetricSpatial::ZERO,
            point_force: [S::ZERO; 6],
            series: SymmetricSpatial::ZERO,
            transmitted: [S::ZERO; 6],
            response: vec![S::ZERO; n],
        })
    }

    /// Forgets the children of the last evaluation.
    pub fn start(&mut self) {
        self.gamma = SymmetricSpatial::ZERO;
        self.point_force = [S::ZERO; 6];
    }

    /// Adds a child's articulated inertia and force at the point, body components.
    pub fn add_child(&mut self, inertia: &SymmetricSpatial<S>, force: &Spatial<S>) {
        self.gamma.accumulate(inertia);
        self.point_force = add6(&self.point_force, force);
    }

    /// P_R; `force` enters as b_r − wrench and leaves as z_r + g ε_f. `modal_force` is −e.
    pub fn eliminate(&mut self, modal_force: &[S], force: &mut Spatial<S>) -> SymmetricSpatial<S> {
        let n = modal_force.len();
        let mut at_hinge = *force;
        let mut at_point = [S::ZERO; 6];
        for r in 0..n {
            let mut sum = S::ZERO;
            for s in 0..n {
                sum -= modal_force[s] * self.compliance[r * n + s];
            }
            self.response[r] = sum;
            for i in 0..6 {
                at_hinge[i] -= modal_force[r] * self.gain[r][i];
            }
            if self.has_children {
                for i in 0..6 {
                    at_point[i] -= modal_force[r] * self.upsilon[r][i];
                }
            }
        }
        let mut inertia = SymmetricSpatial::lift(&self.rigid);
        if self.has_children {
            self.form_series();
            let sag = sub6(&at_point, &apply_constant(&self.omega, &self.point_force));
            self.transmitted = add6(&self.point_force, &self.series.apply(&sag));
            for (row, &t) in self.transfer.iter().zip(&self.transmitted) {
                for i in 0..6 {
                    at_hinge[i] += t * row[i];
                }
            }
            self.add_congruence(&mut inertia);
        }
        *force = at_hinge;
        inertia
    }

    /// S = Γ − ΓQ (1 + Q*ΓQ)⁻¹ Q*Γ.
    fn form_series(&mut self) {
        let mut columns = [[S::ZERO; 6]; 6];
        for (column, root) in columns.iter_mut().zip(&self.root) {
            *column = apply_to_constant(&self.gamma, root);
        }
        let mut factor = [S::ZERO; 36];
        for i in 0..6 {
            for j in 0..=i {
                factor[i * 6 + j] = dot_constant(&columns[i], &self.root[j]);
            }
            factor[i * 7] += S::ONE;
        }
        // 1 + Q*ΓQ is at least the unit matrix; a failure means NaN, caught downstream.
        let _ = cholesky_in_place(&mut factor, 6);
        self.series = self.gamma;
        for i in 0..6 {
            let mut row = columns[i];
            for j in 0..i {
                for c in 0..6 {
                    row[c] -= factor[i * 6 + j] * columns[j][c];
                }
            }
            columns[i] = scale6(factor[i * 7], &row);
            self.series.subtract_square(&columns[i]);
        }
    }

    /// inertia += C* S C.
    fn add_congruence(&self, inertia: &mut SymmetricSpatial<S>) {
        let full = self.series.full();
        let mut product = [[S::ZERO; 6]; 6]; // S C
        for i in 0..6 {
            for (row, &s) in self.transfer.iter().zip(&full[i]) {
                for j in 0..6 {
                    product[i][j] += s * row[j];
                }
            }
        }
        let entry = |a: usize, b: usize| {
            let mut sum = product[0][b] * self.transfer[0][a];
            for i in 1..6 {
                sum += product[i][b] * self.transfer[i][a];
            }
            sum
        };
        let mut k = 0;
        for i in 0..3 {
            for j in i..3 {
                inertia.angular[k] += entry(i, j);
                inertia.linear[k] += entry(i + 3, j + 3);
                k += 1;
            }
            for j in 0..3 {
                inertia.coupling[i][j] += entry(i, j + 3);
            }
        }
    }

    /// η̈ = Λe − U₀ α_R − Υ (transmitted + S C α_R).
    pub fn modal_acceleration(&self, alpha: &Spatial<S>, out: &mut [S]) {
        let mut at_point = self.transmitted;
        if self.has_children {
            let carried: Spatial<S> = std::array::from_fn(|i| dot_constant(alpha, &self.transfer[i]));
            at_point = add6(&at_point, &self.series.apply(&carried));
        }
        for (r, slot) in out.iter_mut().enumerate() {
            let mut value = self.response[r] - dot_constant(alpha, &self.gain[r]);
            if self.has_children {
                value -= dot_constant(&at_point, &self.upsilon[r]);
            }
            *slot = value;
        }
    }
}

/// Where the children of a body are attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    None,
    One(usize),
    Several,
}

/// The routes of all bodies.
pub(super) fn routes<S: Scalar>(model: &Model, route: FlexibleRoute) -> Vec<Option<Box<LowRank<S>>>> {
    let constant = |body: &crate::model::Body| matches!(body.inertia, InertiaModel::Ruthless(_));
    if !model.bodies.iter().any(constant) {
        return (0..model.body_count()).map(|_| None).collect();
    }
    let mut points = vec![Points::None; model.body_count()];
    for joint in &model.joints {
        if let Some(parent) = joint.parent {
            points[parent] = match points[parent] {
                Points::None => Points::One(joint.outer.attachment),
                Points::One(point) if point == joint.outer.attachment => Points::One(point),
                _ => Points::Several,
            };
        }
    }
    let kin = Kinematics::<f64>::new(model);
    (0..model.body_count()).map(|k| LowRank::new(model, &kin, k, points[k], route).map(Box::new)).collect()
}

/// Inverse of a symmetric positive definite matrix.
fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = matrix.to_vec();
    cholesky_in_place(&mut factor, n).ok()?;
    let mut result = vec![0.0; n * n];
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        solve_lower(&factor, n, &mut column);
        solve_lower_transposed(&factor, n, &mut column);
        for i in 0..n {
            result[i * n + j] = column[i];
        }
    }
    Some(result)
}

/// Columns q_i with Σ q_i q_i* = Ω, by pivoted Cholesky of a positive semidefinite matrix.
fn square_root(omega: &SymmetricSpatial) -> [Spatial; 6] {
    let mut rest = omega.full();
    let scale = (0..6).map(|i| rest[i][i]).fold(0.0, f64::max);
    let mut columns = [[0.0; 6]; 6];
    for column in &mut columns {
        let pivot = (0..6).fold(0, |best, i| if rest[i][i] > rest[best][best] { i } else { best });
        let value = rest[pivot][pivot];
        if value <= 1e-15 * scale || value <= 0.0 {
            break;
        }
        let q: Spatial = std::array::from_fn(|i| rest[i][pivot] / value.sqrt());
        for i in 0..6 {
            for j in 0..6 {
                rest[i][j] -= q[i] * q[j];
            }
        }
        *column = q;
    }
    columns
}

#[inline(always)]
fn dot_constant<S: Scalar>(a: &Spatial<S>, b: &Spatial) -> S {
    let mut sum = a[0] * b[0];
    for i in 1..6 {
        sum += a[i] * b[i];
    }
    sum
}

#[inline(always)]
fn apply_constant<S: Scalar>(m: &SymmetricSpatial, v: &Spatial<S>) -> Spatial<S> {
    let full = m.full();
    std::array::from_fn(|i| dot_constant(v, &full[i]))
}

#[inline(always)]
fn apply_to_constant<S: Scalar>(m: &SymmetricSpatial<S>, v: &Spatial) -> Spatial<S> {
    let (a, c, b) = (&m.angular, &m.linear, &m.coupling);
    let row = |x: [S; 6]| dot_constant(&x, v);
    [
        row([a[0], a[1], a[2], b[0][0], b[0][1], b[0][2]]),
        row([a[1], a[3], a[4], b[1][0], b[1][1], b[1][2]]),
        row([a[2], a[4], a[5], b[2][0], b[2][1], b[2][2]]),
        row([b[0][0], b[1][0], b[2][0], c[0], c[1], c[2]]),
        row([b[0][1], b[1][1], b[2][1], c[1], c[3], c[4]]),
        row([b[0][2], b[1][2], b[2][2], c[2], c[4], c[5]]),
    ]
}
