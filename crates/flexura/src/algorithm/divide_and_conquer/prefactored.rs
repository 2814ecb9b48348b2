//! Modes whose mass block never changes: factorised once, for the whole run.
//!
//! Source: Mukherjee & Anderson eqs 55-67 (Γ_FF⁻¹ of every body, found beforehand), in the
//! form of `low_rank` (JPL 90-26 eqs 7.7-7.9 with errata A2) and extended by the second
//! handle. All that hangs on a moving point t of the body enters as an inertia Γ, a force z
//! and, on a path, the transfer X of its outboard handle. With D₀ = L L*, W = L⁻¹ P_fr,
//! V = L⁻¹ Π'*, y = L⁻¹ ε_f, Ω₀ = V* V, C = phi*(t) − V* W, u = V* y and
//! T = (1 + Γ Ω₀)⁻¹, S = T Γ, t = T (Γ u + z), the body without its modes has
//!
//! ```text
//! P = M_rr − W* W + C* S C     z_r += W* y + C* t
//! X → C* T X                   Ω += X* Ω₀ T X        c += X* (u − Ω₀ t)
//! η̈ = L⁻* (y − W α_R − V (t + S C α_R + T X g))
//! ```
//!
//! The modes act as a compliance in series with what hangs on them. T comes from an
//! elimination with pivots, which keeps its residual at the rounding of Γ; the form
//! D₀⁻¹ − D₀⁻¹ V* (…)⁻¹ V D₀⁻¹ would cancel where a soft mode carries a heavy subtree.
//!
//! | block | where | products |
//! |---|---|---|
//! | all constant | level `ruthless`, frozen points | n² + about 40 n + 1,700 |
//! | M_ff constant | levels `paper`, `consistent`, inboard point at rest in the body | 7 n² + about 120 n + 1,700 |
//! | M_ff a constant and rank c | level `gram` without modal carriers, inboard point at rest (`updated`) | (7 + c/2) n² + … |
//! | direct | all others (inboard point moves, level `full`, several moving points, loops) | n³/6 + 9 n² + about 200 n |
//!
//! A moving inboard point changes M_ff by a matrix of rank 12 that depends on the deformation; its update, (DC.17), would cost less
//! than the factorisation from 32 modes of one body on (test `an_update_for_moving_inboard_points_pays_late`), and is not built.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.10), (DC.11).

use super::Context;
use super::assembly_tree::AssemblyTree;
use super::element::{Matrix6, Outer, times, transposed_times};
use super::storage::{Offsets, Piece, Storage};
use super::updated::{self, Update};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_bodies};
use crate::linear::{cholesky_in_place, solve_lower_transposed};
use crate::model::body::InertiaModel;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{Kinematics, inboard_deforms, outward_velocity, referred_influence};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, lift3, scale6, shift_motion, sub6};
use crate::state::State;

/// Number of modes from which the route needs fewer operations (test `work_grows_with_the_square_of_modes`):
/// with everything constant, and with a constant M_ff only.
const CROSSOVER_MODES: [usize; 2] = [8, 12];

/// How the modes of one body are eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// D_f is factorised in every evaluation.
    Direct,
    /// M_ff was factorised once.
    Prefactored {
        /// W, V, Ω₀ and C are constant too.
        fixed: bool,
        /// The point that carries others.
        point: Option<usize>,
        /// What changes of M_ff.
        update: Option<Updating>,
    },
}

/// M_ff as a constant and a matrix of low rank (`updated`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Updating {
    /// Rows with curvature.
    rank: usize,
    /// Place of the factor of the constant in [`Context::factors`].
    factor: usize,
}

/// What hangs on the moving point of one body, and how it is seen through the modes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series<S> {
    /// Γ and z.
    pub inertia: SymmetricSpatial<S>,
    pub force: Spatial<S>,
    /// W* W.
    square: SymmetricSpatial<S>,
    /// Ω₀.
    compliance: SymmetricSpatial<S>,
    /// C.
    transfer: Matrix6<S>,
    /// t, S C and T X.
    transmitted: Spatial<S>,
    carried: Matrix6<S>,
    passed: Matrix6<S>,
}

impl<S: Scalar> Series<S> {
    pub const ZERO: Self = {
        let zero = [[S::ZERO; 6]; 6];
        Self {
            inertia: SymmetricSpatial::ZERO,
            force: [S::ZERO; 6],
            square: SymmetricSpatial::ZERO,
            compliance: SymmetricSpatial::ZERO,
            transfer: zero,
            transmitted: [S::ZERO; 6],
            carried: zero,
            passed: zero,
        }
    };

    /// W* W, Ω₀ and C from W, V and the position of the point.
    fn relate(&mut self, w: &[Spatial<S>], v: &[Spatial<S>], lever: &[S; 3]) {
        self.square = SymmetricSpatial::ZERO;
        self.compliance = SymmetricSpatial::ZERO;
        for j in 0..6 {
            let mut unit = [S::ZERO; 6];
            unit[j] = S::ONE;
            let column = shift_motion(lever, &unit);
            for i in 0..6 {
                self.transfer[i][j] = column[i];
            }
        }
        for (w, v) in w.iter().zip(v) {
            self.square.add_outer(w, w);
            self.compliance.add_outer(v, v);
            for i in 0..6 {
                self.transfer[i] = sub6(&self.transfer[i], &scale6(v[i], w));
            }
        }
    }
}

/// The route of every position.
pub(super) fn routes(model: &Model, tree: &AssemblyTree) -> Vec<Route> {
    if !model.loops.is_empty() || model.layout.modal == 0 {
        return vec![Route::Direct; tree.order.len()];
    }
    let kin = Kinematics::<f64>::new(model);
    let mut points = vec![None; model.body_count()];
    let mut several = vec![false; model.body_count()];
    for joint in &model.joints {
        let Some(p) = joint.parent else { continue };
        let point = joint.outer.attachment;
        if !referred_influence(model, &kin, p, point).is_empty() {
            several[p] |= points[p].is_some_and(|other| other != point);
            points[p] = Some(point);
        }
    }
    let of = |&body: &usize| if several[body] { Route::Direct } else { route(model, body, points[body]) };
    tree.order.iter().map(of).collect()
}

fn route(model: &Model, k: usize, point: Option<usize>) -> Route {
    let body = &model.bodies[k];
    let constant = |index: usize| body.attachments[index].constant;
    if let Some(gram) = updated::constants(&body.inertia) {
        let rank = gram.curved_rows();
        let (worth, update) = match rank {
            0 => (CROSSOVER_MODES[1], None),
            _ => (updated::crossover(rank), Some(Updating { rank, factor: 0 })),
        };
        return match !inboard_deforms(model, k) && body.modes >= worth {
            true => Route::Prefactored { fixed: false, point, update },
            false => Route::Direct,
        };
    }
    let (block, fixed) = match &body.inertia {
        InertiaModel::Ruthless(_) => {
            (true, constant(model.joints[k].inner.attachment) && point.is_none_or(constant))
        }
        InertiaModel::Paper(_) | InertiaModel::Consistent(_) => (!inboard_deforms(model, k), false),
        _ => (false, false),
    };
    if block && body.modes >= CROSSOVER_MODES[usize::from(!fixed)] {
        Route::Prefactored { fixed, point, update: None }
    } else {
        Route::Direct
    }
}

/// Writes the constant factors into `storage`, those of updated bodies into the list returned; bodies whose block is
/// singular, or nearly so, go the direct way.
pub(super) fn prepare<S: Scalar>(
    model: &Model,
    tree: &AssemblyTree,
    offsets: &[Offsets],
    routes: &mut [Route],
    storage: &mut Storage<S>,
) -> Vec<S> {
    let mut factors = Vec::new();
    if routes.iter().all(|route| *route == Route::Direct) {
        return factors;
    }
    let state = State::initial(model, 0.0);
    let (mut kin, mut inertias) = (Kinematics::<f64>::new(model), BodyInertias::new(model));
    outward_velocity(model, &state, &mut kin);
    evaluate_bodies(model, &state, &kin, &mut inertias);
    for (i, route) in routes.iter_mut().enumerate() {
        let Route::Prefactored { point, update, .. } = route else { continue };
        let (body, at) = (tree.order[i], &offsets[i]);
        let part = layout_of(model, body);
        let n = part.modes;
        if let (Some(update), Some(gram)) = (update, updated::constants(&model.bodies[body].inertia)) {
            match updated::constant_factor(gram, &inertias.modal[part.modal_square()], n) {
                Some(factor) => {
                    update.factor = factors.len();
                    factors.extend(factor.into_iter().map(S::from_f64));
                }
                None => *route = Route::Direct,
            }
            continue;
        }
        let mut factor = inertias.modal[part.modal_square()].to_vec();
        if cholesky_in_place(&mut factor, n).is_err() {
            *route = Route::Direct;
            continue;
        }
        let lift = |list: &[Spatial]| list.iter().map(|x| x.map(S::from_f64)).collect::<Vec<_>>();
        let factor: Vec<S> = factor.into_iter().map(S::from_f64).collect();
        let mut w = lift(&inertias.coupling[part.modal()]);
        solve_rows(&factor, n, &mut w);
        let mut v = lift(point.map_or(&[], |index| referred_influence(model, &kin, body, index)));
        v.resize(n, [S::ZERO; 6]);
        solve_rows(&factor, n, &mut v);
        let position =
            point.map_or([0.0; 3], |index| kin.attachments[part.attachment + index].state.position);
        storage.series[at.body].relate(&w, &v, &lift3(&position));
        storage.coupling[at.modal..at.modal + n].copy_from_slice(&w);
        storage.outer_modal[at.modal..at.modal + n].copy_from_slice(&v);
        storage.modal[at.modal_square..at.modal_square + n * n].copy_from_slice(&factor);
    }
    factors
}

/// rows ← L⁻¹ rows.
fn solve_rows<S: Scalar>(factor: &[S], n: usize, rows: &mut [Spatial<S>]) {
    for r in 0..n {
        let (done, rest) = rows.split_at_mut(r);
        let mut row = rest[0];
        for (&l, other) in factor[r * n..r * n + r].iter().zip(&*done) {
            for i in 0..6 {
                row[i] -= l * other[i];
            }
        }
        rest[0] = scale6(factor[r * n + r], &row);
    }
}

/// What remains of inertia, force and handle of position `i` without its modes.
///
/// `at_point`: X stands at the moving point, not at the frame of the body.
pub(super) fn eliminate<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    at: &Offsets,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    outer: Option<&mut Outer<S>>,
    at_point: bool,
) {
    let Route::Prefactored { fixed, point, update } = context.routes[i] else { return };
    let body = context.tree.order[i];
    let part = layout_of(context.model, body);
    let n = part.modes;
    let room = &mut piece.modal[at.modal_square..at.modal_square + n * n];
    let (factor, update) = match update {
        None => (&*room, None),
        Some(of) => {
            let factor = &context.factors[of.factor..of.factor + n * n];
            let mut update = Update::in_room(room, of.rank, n);
            update.prepare(context.model, body, context.inertias.scratch_of(context.model, body), factor);
            (factor, Some(update))
        }
    };
    let correct = |rows: &mut [Spatial<S>]| {
        if let Some(update) = &update {
            update.apply_transposed_rows(rows);
        }
    };
    let w = &mut piece.coupling[at.modal..at.modal + n];
    let v = &mut piece.outer_modal[at.modal..at.modal + n];
    let series = &mut piece.series[at.body];
    if !fixed {
        solve_rows(factor, n, w);
        correct(w);
        let mut lever = [S::ZERO; 3];
        if let Some(index) = point {
            v.copy_from_slice(referred_influence(context.model, context.kin, body, index));
            solve_rows(factor, n, v);
            correct(v);
            lever = context.kin.attachments[part.attachment + index].state.position;
        }
        series.relate(w, v, &lever);
    }
    let y = &mut piece.modal_force[at.modal..at.modal + n];
    let mut u = [S::ZERO; 6];
    for r in 0..n {
        let mut value = -y[r];
        for s in 0..r {
            value -= factor[r * n + s] * y[s];
        }
        y[r] = value * factor[r * n + r];
    }
    if let Some(update) = &update {
        update.apply_transposed(y);
    }
    for r in 0..n {
        *force = add6(force, &scale6(y[r], &w[r]));
        if point.is_some() {
            u = add6(&u, &scale6(y[r], &v[r]));
        }
    }
    inertia.subtract(&series.square);
    if point.is_some() {
        pass_point(series, &u, inertia, force, outer, at_point);
    }
}

/// Γ, z and X of the moving point seen through the modes.
fn pass_point<S: Scalar>(
    series: &mut Series<S>,
    u: &Spatial<S>,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    outer: Option<&mut Outer<S>>,
    at_point: bool,
) {
    let gamma = series.inertia.full();
    let compliance = series.compliance.full();
    let mut matrix: Matrix6<S> = std::array::from_fn(|i| times(&compliance, &gamma[i]));
    let pull = add6(&series.force, &series.inertia.apply(u));
    let mut right = [[S::ZERO; 13]; 6];
    for i in 0..6 {
        matrix[i][i] += S::ONE;
        right[i][..6].copy_from_slice(&gamma[i]);
        right[i][6] = pull[i];
    }
    let open = outer.filter(|_| at_point);
    match &open {
        Some(outer) => {
            for i in 0..6 {
                right[i][7..].copy_from_slice(&outer.transfer[i]);
            }
            solve_six(&mut matrix, &mut right, 13);
        }
        None => solve_six(&mut matrix, &mut right, 7),
    }
    let c = &series.transfer;
    let square: Matrix6<S> = std::array::from_fn(|i| std::array::from_fn(|j| right[i][j]));
    series.carried = std::array::from_fn(|i| transposed_times(c, &square[i]));
    series.transmitted = std::array::from_fn(|i| right[i][6]);
    for i in 0..6 {
        inertia.add_outer(&c[i], &series.carried[i]);
    }
    *force = add6(force, &transposed_times(c, &series.transmitted));
    let Some(outer) = open else {
        series.passed = [[S::ZERO; 6]; 6];
        return;
    };
    series.passed = std::array::from_fn(|i| std::array::from_fn(|j| right[i][7 + j]));
    let rest = sub6(u, &series.compliance.apply(&series.transmitted));
    outer.bias = add6(&outer.bias, &transposed_times(&outer.transfer, &rest));
    for i in 0..6 {
        outer.compliance.add_outer(&outer.transfer[i], &transposed_times(&series.passed, &compliance[i]));
    }
    let mut passed = [[S::ZERO; 6]; 6];
    for (row, through) in c.iter().zip(&series.passed) {
        for i in 0..6 {
            passed[i] = add6(&passed[i], &scale6(row[i], through));
        }
    }
    outer.transfer = passed;
}

/// Solves six equations for the first `count` right sides, with row pivots; the matrix is regular, because
/// Γ Ω₀ has no negative eigenvalue.
fn solve_six<S: Scalar>(matrix: &mut Matrix6<S>, right: &mut [[S; 13]; 6], count: usize) {
    for k in 0..6 {
        let size = |row: usize| matrix[row][k].value().abs();
        let pivot = (k + 1..6).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        let inverse = S::ONE / matrix[k][k];
        let (row, solved) = (matrix[k], right[k]);
        for i in k + 1..6 {
            let factor = matrix[i][k] * inverse;
            for j in k + 1..6 {
                matrix[i][j] -= factor * row[j];
            }
            for j in 0..count {
                right[i][j] -= factor * solved[j];
            }
        }
        matrix[k][k] = inverse;
    }
    for i in (0..6).rev() {
        let mut row = right[i];
        for k in i + 1..6 {
            for j in 0..count {
                row[j] -= matrix[i][k] * right[k][j];
            }
        }
        for j in 0..count {
            right[i][j] = row[j] * matrix[i][i];
        }
    }
}

/// η̈ of position `i`.
pub(super) fn modal_acceleration<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    at: &Offsets,
    alpha: &Spatial<S>,
    pull: Option<&Spatial<S>>,
) {
    let Route::Prefactored { point, update, .. } = context.routes[i] else { return };
    let n = layout_of(context.model, context.tree.order[i]).modes;
    let series = &piece.series[at.body];
    let mut at_point = add6(&series.transmitted, &times(&series.carried, alpha));
    if let Some(force) = pull {
        at_point = add6(&at_point, &times(&series.passed, force));
    }
    let out = &mut piece.chidot[at.speed..at.speed + n];
    for r in 0..n {
        out[r] = piece.modal_force[at.modal + r] - dot6(&piece.coupling[at.modal + r], alpha);
        if point.is_some() {
            out[r] -= dot6(&piece.outer_modal[at.modal + r], &at_point);
        }
    }
    let room = &mut piece.modal[at.modal_square..at.modal_square + n * n];
    let Some(of) = update else { return solve_lower_transposed(room, n, out) };
    Update::in_room(room, of.rank, n).apply(out);
    solve_lower_transposed(&context.factors[of.factor..of.factor + n * n], n, out);
}
