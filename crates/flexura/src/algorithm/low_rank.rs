//! Elimination of modes with a constant mass block (level `ruthless`).
//!
//! Source: JPL 90-26 eqs 7.7-7.9, with errata A2 (Γ is always singular, so its
//! inverse is never used). The body has a constant D₀ = M_ff' and all children
//! at one point t with Π' = ζ*; their articulated inertia there is Γ and their
//! force z_t. With Λ = D₀⁻¹, Υ = Λζ, Ω = ζ*Υ, U₀ = ΛY₀*, C = phi*(k,t) − ζ*U₀ and
//! S = (1 + ΓΩ)⁻¹ Γ, substituting into (7.10)-(7.12) leaves
//!
//! * P_R = (M_rr − Y₀ΛY₀*) + C* S C,
//! * z_r + g ε_f = b_r + U₀* e + C* (S Υ*e + (1 + ΓΩ)⁻¹ z_t), e = T_f − b_f − Kη,
//! * η̈ = Λe − U₀ α_R − Υ (S (Υ*e + C α_R) + (1 + ΓΩ)⁻¹ z_t).
//!
//! The flexibility acts as a compliance Ω in series with the outboard inertia:
//! the cost of the inertias is independent of the number of modes, and vectors
//! cost n² + O(n). S and (1 + ΓΩ)⁻¹ z_t come from one elimination.
//!
//! Typeset: book/src/theory/low_rank.md (LR.1) to (LR.4).

use super::articulated_body::FlexibleRoute;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::Model;
use crate::model::body::InertiaModel;
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, scale6, shift_motion, sub6};

/// Number of modes from which the low-rank route is chosen automatically: where its operations
/// become fewer (test `operation_counts`); times cross near there (bench `articulated_body`).
pub const CROSSOVER_MODES: usize = 8;

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
    /// Rows of Ω.
    omega: [Spatial; 6],
    /// Rows of C.
    transfer: [Spatial; 6],
    /// Γ accumulated over children.
    gamma: SymmetricSpatial<S>,
    /// z_t accumulated over children.
    point_force: Spatial<S>,
    /// S.
    series: SymmetricSpatial<S>,
    /// S Υ*e + (1 + ΓΩ)⁻¹ z_t.
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
            omega: omega.full(),
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
        self.response.fill(S::ZERO);
        for (s, &minus_e) in modal_force.iter().enumerate() {
            // Λ is symmetric: row s serves as column s.
            for (slot, &compliance) in self.response.iter_mut().zip(&self.compliance[s * n..(s + 1) * n]) {
                *slot -= minus_e * compliance;
            }
            for i in 0..6 {
                at_hinge[i] -= minus_e * self.gain[s][i];
            }
            if self.has_children {
                for i in 0..6 {
                    at_point[i] -= minus_e * self.upsilon[s][i];
                }
            }
        }
        let mut inertia = SymmetricSpatial::lift(&self.rigid);
        if self.has_children {
            let arriving = self.form_series();
            self.transmitted = add6(&arriving, &self.series.apply(&at_point));
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

    /// Solves (1 + ΓΩ) S = Γ for S and (1 + ΓΩ) f = z_t for the force returned.
    ///
    /// Elimination with row pivoting keeps the residual at the rounding of Γ. The
    /// symmetric form S = Γ − ΓQ (1 + Q*ΓQ)⁻¹ Q*Γ with Ω = QQ* would lose as many digits
    /// as Γ exceeds Ω⁻¹: many, where a soft mode carries a heavy subtree.
    fn form_series(&mut self) -> Spatial<S> {
        let mut system =
            System { matrix: [[S::ZERO; 6]; 6], right: self.gamma.full(), force: self.point_force };
        for i in 0..6 {
            let row = &system.right[i];
            system.matrix[i] = std::array::from_fn(|j| dot_constant(row, &self.omega[j]));
            system.matrix[i][i] += S::ONE;
        }
        system.eliminate::<0>();
        system.eliminate::<1>();
        system.eliminate::<2>();
        system.eliminate::<3>();
        system.eliminate::<4>();
        system.eliminate::<5>();
        system.substitute::<5>();
        system.substitute::<4>();
        system.substitute::<3>();
        system.substitute::<2>();
        system.substitute::<1>();
        system.substitute::<0>();
        self.series = SymmetricSpatial::from_lower(&system.right);
        system.force
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

/// Six linear equations with the right sides Γ and z_t.
struct System<S> {
    matrix: [[S; 6]; 6],
    right: [[S; 6]; 6],
    force: Spatial<S>,
}

// Row numbers are parameters of the type so that all loops have fixed lengths.
impl<S: Scalar> System<S> {
    /// Clears column `K` below the diagonal; keeps the reciprocal pivot.
    #[inline(always)]
    fn eliminate<const K: usize>(&mut self) {
        let size = |row: usize| self.matrix[row][K].value().abs();
        let pivot = (K + 1..6).fold(K, |best, row| if size(row) > size(best) { row } else { best });
        if pivot != K {
            self.matrix.swap(K, pivot);
            self.right.swap(K, pivot);
            self.force.swap(K, pivot);
        }
        // The matrix is regular: ΓΩ has no negative eigenvalue. NaN is caught downstream.
        let inverse = S::ONE / self.matrix[K][K];
        self.matrix[K][K] = inverse;
        let (row, right, force) = (self.matrix[K], self.right[K], self.force[K]);
        for i in K + 1..6 {
            let factor = self.matrix[i][K] * inverse;
            for j in K + 1..6 {
                self.matrix[i][j] -= factor * row[j];
            }
            for j in 0..6 {
                self.right[i][j] -= factor * right[j];
            }
            self.force[i] -= factor * force;
        }
    }

    /// Solution of row `I`, the rows below being solved. S is symmetric: its lower triangle is enough.
    #[inline(always)]
    fn substitute<const I: usize>(&mut self) {
        let inverse = self.matrix[I][I];
        let (mut row, mut force) = (self.right[I], self.force[I]);
        for k in I + 1..6 {
            let factor = self.matrix[I][k];
            for j in 0..=I {
                row[j] -= factor * self.right[k][j];
            }
            force -= factor * self.force[k];
        }
        for j in 0..=I {
            self.right[I][j] = row[j] * inverse;
        }
        self.force[I] = force * inverse;
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

#[inline(always)]
fn dot_constant<S: Scalar>(a: &Spatial<S>, b: &Spatial) -> S {
    let mut sum = a[0] * b[0];
    for i in 1..6 {
        sum += a[i] * b[i];
    }
    sum
}
