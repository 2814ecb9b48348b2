//! Accelerations that a generalised force causes at rest: `M⁻¹ f` on the free speeds.
//!
//! Source: JPL 90-26 eq. 6.6, as in `innovations`, on the factors of the last
//! articulated-body pass; prescribed speeds stay put (no freedom, no innovation).
//! Bodies with a constant mass block answer as `low_rank` does. Two sweeps over one tree on the ground,
//! O(N n²) with N its bodies.

use crate::algorithm::articulated_body::ArticulatedBody;
use crate::algorithm::transfer::{carrier, force_to_parent, motion_from_parent};
use crate::linear::{solve_lower, solve_lower_transposed};
use crate::model::{BodyLayout, Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot6, rotate6, scale6, shift_force};

/// Scratch of the sweeps.
#[derive(Clone, Debug)]
pub(crate) struct Response<S> {
    rigid: Vec<Spatial<S>>,
    modal: Vec<S>,
    innovation: Vec<S>,
    /// Of points of bodies on the low-rank route: forces of what they carry, then what passes through; and scratch.
    points: [Vec<Spatial<S>>; 2],
}

impl<S: Scalar> Response<S> {
    /// Scratch for no body.
    pub fn empty() -> Self {
        Self {
            rigid: Vec::new(),
            modal: Vec::new(),
            innovation: Vec::new(),
            points: [Vec::new(), Vec::new()],
        }
    }

    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            rigid: vec![[S::ZERO; 6]; model.body_count()],
            modal: vec![S::ZERO; model.layout.modal],
            innovation: vec![S::ZERO; model.speed_count()],
            points: [(); 2].map(|()| vec![[S::ZERO; 6]; model.body_count()]),
        }
    }
}

/// Bodies of a tree, inboard first, and the place of the first speed of every body in its tree.
type Tree<'a> = (&'a [usize], &'a [usize]);

/// `out` = accelerations of the speeds of a tree under the generalised force `right` on them alone.
pub(crate) fn respond<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    prescribed: &[bool],
    tree: Tree<'_>,
    right: &[S],
    work: &mut Response<S>,
    out: &mut [S],
) {
    inward_force(model, kin, factors, prescribed, tree, right, work);
    let (bodies, place) = tree;
    for &k in bodies {
        let (part, at) = (layout_of(model, k), place[k]);
        let inherited = match carrier(model, kin, k) {
            Some(carrier) => {
                let from = place[carrier.body];
                let modal = &out[from..from + layout_of(model, carrier.body).modes];
                motion_from_parent(kin, &carrier, k, &work.rigid[carrier.body], modal)
            }
            None => [S::ZERO; 6],
        };
        let free = FreeColumns::new(part, prescribed);
        let mut values = [S::ZERO; 6];
        for (a, &i) in free.list().iter().enumerate() {
            values[a] = dot6(&factors.gain[part.joint + i], &inherited);
        }
        free.apply_inverse(factors, part, &mut values);
        out[at + part.modes..at + part.modes + part.joint_v].fill(S::ZERO);
        let mut alpha = inherited;
        for (a, &i) in free.list().iter().enumerate() {
            let x = work.innovation[part.v + part.modes + i] - values[a];
            out[at + part.modes + i] = x;
            alpha = add6(&alpha, &scale6(x, &kin.subspace[part.joint + i]));
        }
        work.rigid[k] = alpha;
        let modal = &mut out[at..at + part.modes];
        if let Some(low_rank) = &factors.low_rank.bodies[k] {
            modal.copy_from_slice(&work.innovation[part.modal_v()]);
            low_rank.answer(&alpha, &work.points[0][factors.low_rank.points(k)], modal);
            continue;
        }
        for r in 0..part.modes {
            modal[r] = work.innovation[part.v + r] - dot6(&factors.coupling[part.modal + r], &alpha);
        }
        solve_lower_transposed(&factors.modal[part.modal_square()], part.modes, modal);
    }
}

/// Innovations of the force recursion with the given right side and no bias.
fn inward_force<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    prescribed: &[bool],
    tree: Tree<'_>,
    right: &[S],
    work: &mut Response<S>,
) {
    let (bodies, place) = tree;
    for &k in bodies {
        work.rigid[k] = [S::ZERO; 6];
        work.modal[layout_of(model, k).modal()].fill(S::ZERO);
        work.points[0][factors.low_rank.points(k)].fill([S::ZERO; 6]);
    }
    for &k in bodies.iter().rev() {
        let (part, at) = (layout_of(model, k), place[k]);
        let mut z = hinge_force(factors, k, part, &right[at..at + part.modes], work);
        let free = FreeColumns::new(part, prescribed);
        let mut nu = [S::ZERO; 6];
        for (a, &i) in free.list().iter().enumerate() {
            nu[a] = right[at + part.modes + i] - dot6(&kin.subspace[part.joint + i], &z);
        }
        free.apply_inverse(factors, part, &mut nu);
        for (a, &i) in free.list().iter().enumerate() {
            work.innovation[part.v + part.modes + i] = nu[a];
            z = add6(&z, &scale6(nu[a], &factors.gain[part.joint + i]));
        }
        if let Some(carrier) = carrier(model, kin, k) {
            if factors.low_rank.bodies[carrier.body].is_some() {
                let body = &kin.bodies[k];
                let at_point = shift_force(&body.from_node, &rotate6(&body.rotation, &z));
                let point = factors.low_rank.points(carrier.body).start + factors.low_rank.point[k];
                work.points[0][point] = add6(&work.points[0][point], &at_point);
                continue;
            }
            let modal = layout_of(model, carrier.body).modal();
            force_to_parent(kin, &carrier, k, &z, &mut work.rigid[carrier.body], &mut work.modal[modal]);
        }
    }
}

/// Force of body `k` on its hinge, modes eliminated: `modal` are the forces on them beside what their children send.
#[inline(always)]
fn hinge_force<S: Scalar>(
    factors: &ArticulatedBody<S>,
    k: usize,
    part: &BodyLayout,
    modal: &[S],
    work: &mut Response<S>,
) -> Spatial<S> {
    if let Some(low_rank) = &factors.low_rank.bodies[k] {
        let [forces, scratch] = &mut work.points;
        let points = factors.low_rank.points(k);
        let points = (&mut forces[points.clone()], &mut scratch[points]);
        return low_rank.carry(modal.iter().copied(), points, &mut work.innovation[part.modal_v()]);
    }
    let mut z = work.rigid[k];
    for (r, &force) in modal.iter().enumerate() {
        work.innovation[part.v + r] = force - work.modal[part.modal + r];
    }
    let y = &mut work.innovation[part.modal_v()];
    solve_lower(&factors.modal[part.modal_square()], part.modes, y);
    for (y, coupling) in y.iter().zip(&factors.coupling[part.modal()]) {
        z = add6(&z, &scale6(*y, coupling));
    }
    z
}

/// The joint columns that are not prescribed.
struct FreeColumns {
    columns: [usize; 6],
    count: usize,
}

impl FreeColumns {
    fn new(part: &BodyLayout, prescribed: &[bool]) -> Self {
        let (mut columns, mut count) = ([0; 6], 0);
        for i in 0..part.joint_v {
            if !prescribed[part.v + part.modes + i] {
                columns[count] = i;
                count += 1;
            }
        }
        Self { columns, count }
    }

    fn list(&self) -> &[usize] {
        &self.columns[..self.count]
    }

    /// D_R⁻¹ of the free columns, in place.
    fn apply_inverse<S: Scalar>(&self, factors: &ArticulatedBody<S>, part: &BodyLayout, values: &mut [S; 6]) {
        let m = self.count;
        if part.joint_v == 1 && m == 1 {
            values[0] = values[0] * factors.joint_factor[part.joint_square];
            return;
        }
        let l = &factors.joint_factor[part.joint_square..part.joint_square + m * m];
        solve_lower(l, m, &mut values[..m]);
        solve_lower_transposed(l, m, &mut values[..m]);
    }
}
