//! Elimination of modes with a constant mass block (level `ruthless`).
//!
//! Source: JPL 90-26 eqs 7.7-7.9, with errata A2 (Γ is always singular, so its
//! inverse is never used; the points of several children are stacked). The body has a constant
//! D₀ = M_ff' and its children at m points t with Π' = ζ*, 6m rows; their articulated inertias there are
//! the blocks of Γ and their forces z_t. With Λ = D₀⁻¹, Υ = Λζ, Ω = ζ*Υ, U₀ = ΛY₀*, C = phi*(k,t) − ζ*U₀ and
//! S = (1 + ΓΩ)⁻¹ Γ, substituting into (7.10)-(7.12) leaves
//!
//! * P_R = (M_rr − Y₀ΛY₀*) + C* S C,
//! * z_r + g ε_f = b_r + U₀* e + C* (S Υ*e + (1 + ΓΩ)⁻¹ z_t), e = T_f − b_f − Kη,
//! * η̈ = Λe − U₀ α_R − Υ (S (Υ*e + C α_R) + (1 + ΓΩ)⁻¹ z_t).
//!
//! The flexibility acts as a compliance Ω in series with the outboard inertias:
//! the cost of the inertias is independent of the number of modes, and vectors
//! cost n² + O(m n).
//!
//! | what | file |
//! |---|---|
//! | Λ, Υ, Ω, U₀, C of a body | `constants` |
//! | S and (1 + ΓΩ)⁻¹ of one point, by elimination in rows of fixed length | `one_point` |
//! | the same of stacked points, by the root of Ω | `stacked` |
//!
//! Typeset: book/src/theory/low_rank.md (LR.1) to (LR.6).

mod constants;
mod one_point;
mod stacked;

use super::articulated_body::FlexibleRoute;
use crate::model::body::InertiaModel;
use crate::model::{Model, TreeJoint};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6};
use constants::{Compliance, Constants, dot_constant};
use one_point::OnePoint;
use stacked::Stacked;

/// Number of modes from which the low-rank route is chosen automatically, for children at no or one point, at two, three, …
/// points: where its operations become fewer with one child at each (tests `operation_counts`,
/// `stacked_routes_cross_where_the_automatic_choice_changes`); times cross near there (bench `articulated_body`).
const CROSSOVER_MODES: [usize; 4] = [8, 19, 26, 32];

/// Number of modes from which the route is chosen for children at `points` points.
fn crossover(points: usize) -> usize {
    let last = CROSSOVER_MODES.len() - 1;
    let from = points.saturating_sub(1);
    CROSSOVER_MODES[from.min(last)] + 7 * from.saturating_sub(last)
}

/// Constants, inertias and scratch of one body.
#[derive(Clone, Debug)]
pub(super) struct LowRank<S> {
    constants: Constants,
    /// Γ accumulated over the children of each point.
    gamma: Vec<SymmetricSpatial<S>>,
    /// z_t accumulated over children, then S Υ*e + (1 + ΓΩ)⁻¹ z_t.
    transmitted: Vec<Spatial<S>>,
    /// Scratch of the points.
    at_points: Vec<Spatial<S>>,
    series: Series<S>,
    /// Λ e.
    response: Vec<S>,
}

/// S and what solves with 1 + ΓΩ.
#[derive(Clone, Debug)]
enum Series<S> {
    Nothing,
    OnePoint(Box<OnePoint<S>>),
    Stacked(Box<Stacked<S>>),
}

impl<S: Scalar> Series<S> {
    fn new(points: usize, constants: &Constants) -> Self {
        match points {
            0 => Self::Nothing,
            1 => Self::OnePoint(Box::new(OnePoint::new(&constants.omega, &constants.transfer))),
            _ => Self::Stacked(Box::new(Stacked::new(Compliance::of(&constants.omega, points)))),
        }
    }

    /// Factorises 1 + ΓΩ, finds S, and adds C* S C to `inertia`.
    fn form(
        &mut self,
        gamma: &[SymmetricSpatial<S>],
        constants: &Constants,
        inertia: &mut SymmetricSpatial<S>,
    ) {
        match self {
            Self::Nothing => {}
            Self::OnePoint(one) => {
                one.form(&gamma[0]);
                one.add_congruence(inertia);
            }
            Self::Stacked(stacked) => {
                stacked.form(gamma, &constants.transfer);
                stacked.add_congruence(&constants.transfer, inertia);
            }
        }
    }

    /// z ← S x + (1 + ΓΩ)⁻¹ z; x is lost.
    fn pass(&self, gamma: &[SymmetricSpatial<S>], x: &mut [Spatial<S>], z: &mut [Spatial<S>]) {
        match self {
            Self::Nothing => {}
            Self::OnePoint(one) => {
                one.solve(&mut z[0]);
                z[0] = add6(&z[0], &one.apply(&x[0]));
            }
            Self::Stacked(stacked) => stacked.pass(gamma, x, z),
        }
    }

    /// Rows of point `p` of S C α.
    fn carried(&self, p: usize, alpha: &Spatial<S>) -> Spatial<S> {
        match self {
            Self::Nothing => [S::ZERO; 6],
            Self::OnePoint(one) => one.carried(alpha),
            Self::Stacked(stacked) => stacked.carried(p, alpha),
        }
    }
}

impl<S: Scalar> LowRank<S> {
    /// The route for body `k` with children at `points`, where `route` and the body allow it.
    fn new(
        model: &Model,
        kin: &Kinematics<f64>,
        k: usize,
        points: &[usize],
        route: FlexibleRoute,
    ) -> Option<Self> {
        let InertiaModel::Ruthless(ruthless) = &model.bodies[k].inertia else { return None };
        let modes = model.bodies[k].modes;
        let wanted = match route {
            FlexibleRoute::Direct => false,
            FlexibleRoute::LowRank => true,
            FlexibleRoute::Automatic => modes >= crossover(points.len()),
        };
        // A point that deforms (rules `exact`, `lambda_etad`) has no constant Π': direct route.
        let constant = |index: usize| model.bodies[k].attachments[index].constant;
        let inner = model.joints[k].inner.attachment;
        let fixed = points.is_empty() || (points.iter().all(|&point| constant(point)) && constant(inner));
        if !wanted || !fixed {
            return None;
        }
        let count = points.len();
        let constants = Constants::new(model, kin, k, points, ruthless)?;
        Some(Self {
            series: Series::new(count, &constants),
            constants,
            gamma: vec![SymmetricSpatial::ZERO; count],
            transmitted: vec![[S::ZERO; 6]; count],
            at_points: vec![[S::ZERO; 6]; count],
            response: vec![S::ZERO; modes],
        })
    }

    /// Forgets the children of the last evaluation.
    pub fn start(&mut self) {
        self.gamma.fill(SymmetricSpatial::ZERO);
        self.transmitted.fill([S::ZERO; 6]);
    }

    /// Adds a child's articulated inertia and force at its point, body components.
    pub fn add_child(&mut self, point: usize, inertia: &SymmetricSpatial<S>, force: &Spatial<S>) {
        self.gamma[point].accumulate(inertia);
        self.transmitted[point] = add6(&self.transmitted[point], force);
    }

    /// P_R; `force` enters as b_r − wrench and leaves as z_r + g ε_f. `modal_force` is −e. A call of its own: inside the recursion it
    /// would take registers from bodies on the direct route.
    #[inline(never)]
    pub fn eliminate(&mut self, modal_force: &[S], force: &mut Spatial<S>) -> SymmetricSpatial<S> {
        let mut inertia = SymmetricSpatial::lift(&self.constants.rigid);
        self.series.form(&self.gamma, &self.constants, &mut inertia);
        let modal = modal_force.iter().map(|&minus_e| -minus_e);
        *force = carry(
            (&self.constants, &self.series, &self.gamma),
            modal,
            *force,
            (&mut self.transmitted, &mut self.at_points),
            &mut self.response,
        );
        inertia
    }

    /// η̈ = Λe − U₀ α_R − Υ (transmitted + S C α_R) for the acceleration α_R of the hinge.
    pub fn modal_acceleration(&self, alpha: &Spatial<S>, out: &mut [S]) {
        out.copy_from_slice(&self.response);
        self.answer(alpha, &self.transmitted, out);
    }

    /// Force on the hinge under other modal forces `modal` and forces at the points with the factors of the last evaluation;
    /// `points` enters as z_t with scratch behind it, and leaves as what [`Self::answer`] takes, like `response`.
    pub fn carry(
        &self,
        modal: impl Iterator<Item = S> + Clone,
        points: (&mut [Spatial<S>], &mut [Spatial<S>]),
        response: &mut [S],
    ) -> Spatial<S> {
        carry((&self.constants, &self.series, &self.gamma), modal, [S::ZERO; 6], points, response)
    }

    /// Turns Λe in `out` into the modal accelerations.
    pub fn answer(&self, alpha: &Spatial<S>, transmitted: &[Spatial<S>], out: &mut [S]) {
        let constants = &self.constants;
        for (slot, gain) in out.iter_mut().zip(&constants.gain) {
            *slot -= dot_constant(alpha, gain);
        }
        let points = transmitted.len();
        for (p, &transmitted) in transmitted.iter().enumerate() {
            let carried = self.series.carried(p, alpha);
            let at_point = add6(&transmitted, &carried);
            for (r, slot) in out.iter_mut().enumerate() {
                *slot -= dot_constant(&at_point, &constants.upsilon[r * points + p]);
            }
        }
    }
}

/// `force` + U₀*e + C* (S Υ*e + (1 + ΓΩ)⁻¹ z_t): z_t enters in the first list of the points, which leaves as what C* is applied to;
/// `response` leaves as Λe.
fn carry<S: Scalar>(
    (constants, series, gamma): (&Constants, &Series<S>, &[SymmetricSpatial<S>]),
    modal: impl Iterator<Item = S> + Clone,
    mut force: Spatial<S>,
    (transmitted, at_points): (&mut [Spatial<S>], &mut [Spatial<S>]),
    response: &mut [S],
) -> Spatial<S> {
    let (n, points) = (response.len(), transmitted.len());
    response.fill(S::ZERO);
    for (s, e) in modal.clone().enumerate() {
        // Λ is symmetric: row s serves as column s.
        for (slot, &compliance) in response.iter_mut().zip(&constants.compliance[s * n..(s + 1) * n]) {
            *slot += e * compliance;
        }
        add_scaled(&mut force, e, &constants.gain[s]);
    }
    for (p, slot) in at_points.iter_mut().enumerate() {
        let mut sum = [S::ZERO; 6];
        for (e, upsilon) in modal.clone().zip(constants.upsilon[p..].iter().step_by(points)) {
            add_scaled(&mut sum, e, upsilon);
        }
        *slot = sum;
    }
    series.pass(gamma, at_points, transmitted);
    for (transmitted, rows) in transmitted.iter().zip(constants.transfer.chunks_exact(6)) {
        for (row, &t) in rows.iter().zip(transmitted) {
            add_scaled(&mut force, t, row);
        }
    }
    force
}

/// sum += x row.
#[inline(always)]
fn add_scaled<S: Scalar>(sum: &mut Spatial<S>, x: S, row: &Spatial) {
    for i in 0..6 {
        sum[i] += x * row[i];
    }
}

/// The routes of all bodies.
#[derive(Clone, Debug)]
pub(super) struct Routes<S> {
    /// Per body: the low-rank route, where used.
    pub bodies: Vec<Option<Box<LowRank<S>>>>,
    /// Per body: number of the point that carries it among those of its parent.
    pub point: Vec<usize>,
    /// Per body: where its points begin in a list of the points of all.
    first: Vec<usize>,
}

impl<S: Scalar> Routes<S> {
    /// The routes of `model` where `route` leaves a choice.
    pub fn new(model: &Model, route: FlexibleRoute) -> Self {
        let count = model.body_count();
        let constant = |body: &crate::model::Body| matches!(body.inertia, InertiaModel::Ruthless(_));
        if !model.bodies.iter().any(constant) {
            let bodies = (0..count).map(|_| None).collect();
            return Self { bodies, point: vec![0; count], first: vec![0; count] };
        }
        let (points, point) = points_of(model);
        let kin = Kinematics::<f64>::new(model);
        let body = |k: usize| LowRank::new(model, &kin, k, &points[k], route).map(Box::new);
        let begin = |next: &mut usize, points: &Vec<usize>| {
            *next += points.len();
            Some(*next - points.len())
        };
        let first = points.iter().scan(0, begin).collect();
        Self { bodies: (0..count).map(body).collect(), point, first }
    }

    /// Whether any body takes the route.
    pub fn any(&self) -> bool {
        self.bodies.iter().any(Option::is_some)
    }

    /// Points of body `k`, which takes the route, in a list of the points of all: no longer than the list of bodies.
    pub fn points(&self, k: usize) -> std::ops::Range<usize> {
        let count = self.bodies[k].as_ref().map_or(0, |low_rank| low_rank.gamma.len());
        self.first[k]..self.first[k] + count
    }
}

/// The points of every body that carry others, and for every body which of them carries it.
fn points_of(model: &Model) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut points = vec![Vec::new(); model.body_count()];
    let place = |joint: &TreeJoint| {
        let Some(parent) = joint.parent else { return 0 };
        let (found, point): (&mut Vec<usize>, _) = (&mut points[parent], joint.outer.attachment);
        found.iter().position(|&other| other == point).unwrap_or_else(|| {
            found.push(point);
            found.len() - 1
        })
    };
    let point = model.joints.iter().map(place).collect();
    (points, point)
}
