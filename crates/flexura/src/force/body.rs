//! Loads spread over bodies, on their points and modes.
//!
//! With forces f_j at points of Jacobians Π_j the modal forces are Σ Π_j* f_j,
//! referred to the hinge: − Pd* Σ phi f_j (ARCHITECTURE.md, hinge-referred blocks).
//! The power is Σ f_j·v_j plus that of the modal forces. Cost O(points × modes).

use crate::model::body::LARGEST;
use crate::model::body_load::{BodyLoad, LoadAxes, LoadPoint};
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::inboard_deforms;
use crate::motion::observe::Poses;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, add6, dot6, join, lift3, matrix_vector, shift_force, shift_motion, transposed_matrix_vector,
    zero3,
};
use crate::state::{Felt, State};

/// Adds `factor` times one load to what its body feels; returns its power (W).
pub(crate) fn add_body_load<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    body_load: &BodyLoad,
    factor: S,
    felt: &mut Felt<'_, S>,
) -> S {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let k = body_load.body.0;
    let part = layout_of(model, k);
    let mut power = S::ZERO;
    for (r, &force) in body_load.modal.iter().enumerate() {
        let force = factor * force;
        felt.generalized[r] += force;
        power += force * state.v[part.v + r];
    }
    if body_load.points.is_empty() {
        return power;
    }
    let mut columns = [[S::ZERO; 6]; LARGEST];
    let columns = &mut columns[..part.modes];
    let mut sum = [S::ZERO; 6];
    for point in &body_load.points {
        let (wrench, at_frame) =
            add_point(model, state, poses, body_load, point, factor, columns, &mut power);
        for (r, column) in columns.iter().enumerate() {
            felt.generalized[r] += dot6(column, &wrench);
        }
        sum = add6(&sum, &at_frame);
    }
    if inboard_deforms(model, k) {
        for (r, column) in kin.inboard[part.modal()].iter().enumerate() {
            felt.generalized[r] -= dot6(column, &sum);
        }
    }
    *felt.wrench = add6(felt.wrench, &sum);
    power
}

/// Wrench of one point, there and at the body frame; fills its Jacobian columns and adds its power.
#[allow(clippy::too_many_arguments)] // all of them are read
fn add_point<S: Scalar>(
    model: &Model,
    state: &State<S>,
    poses: &Poses<S>,
    body_load: &BodyLoad,
    point: &LoadPoint,
    factor: S,
    columns: &mut [Spatial<S>],
    power: &mut S,
) -> (Spatial<S>, Spatial<S>) {
    let k = body_load.body.0;
    let part = layout_of(model, k);
    point.attachment.fill_constant_influence(columns);
    let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
    let here = point.attachment.evaluate(model.bodies[k].rule, eta, rate, columns);
    let force = lift3(&point.force).map(|x: S| x * factor);
    let force = match body_load.axes {
        LoadAxes::Inertial => transposed_matrix_vector(&poses.rotation[k], &force),
        LoadAxes::Body => force,
        LoadAxes::Follower => matrix_vector(&here.rotation, &force),
    };
    let wrench = join(&zero3(), &force);
    let velocity = add6(&shift_motion(&here.position, &poses.velocity[k]), &here.rate);
    *power += dot6(&velocity, &wrench);
    (wrench, shift_force(&here.position, &wrench))
}
