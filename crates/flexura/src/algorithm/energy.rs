//! Energies and momenta from the same mass blocks the dynamics uses.
//!
//! T = ½ V_m* M_m V_m in hinge-referred variables; V = −g·Σ(m r) + ½ η*Kη plus
//! joint springs. Momenta are in the inertial frame about a chosen point.
//!
//! Typeset: book/src/theory/inertia.md (IN.19), (IN.20).

use super::body_inertia::BodyInertias;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::inboard_deforms;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, add, add6, angular, cross, dot, dot6, lift3, linear, matrix_vector, scale6, sub,
};
use crate::state::State;

/// Energies of a system (J).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<S = f64> {
    /// Kinetic.
    pub kinetic: S,
    /// Gravitational, zero at the inertial origin.
    pub gravity: S,
    /// Elastic energy of the bodies' modes.
    pub elastic: S,
    /// Energy of joint springs.
    pub springs: S,
    /// Energy of force elements.
    pub elements: S,
}

impl<S: Scalar> Energy<S> {
    /// Sum of all parts.
    pub fn total(&self) -> S {
        self.kinetic + self.gravity + self.elastic + self.springs + self.elements
    }

    /// Potential parts without joint springs and force elements.
    pub fn potential(&self) -> S {
        self.gravity + self.elastic
    }
}

/// Linear and angular momentum, inertial components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum<S = f64> {
    /// Linear (kg m/s).
    pub linear: Vector3<S>,
    /// Angular about the chosen point (kg m²/s).
    pub angular: Vector3<S>,
}

/// Hinge-referred velocity V_R = V(k) + Pd η̇.
fn referred_velocity<S: Scalar>(model: &Model, state: &State<S>, motion: &Motion<S>, k: usize) -> Spatial<S> {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let part = layout_of(model, k);
    let mut velocity = poses.velocity[k];
    if inboard_deforms(model, k) {
        for (column, &rate) in kin.inboard[part.modal()].iter().zip(&state.v[part.modal_v()]) {
            velocity = add6(&velocity, &scale6(rate, column));
        }
    }
    velocity
}

/// Momentum [angular; linear] of body `k` about F_k, F_k components.
fn body_momentum<S: Scalar>(
    model: &Model,
    state: &State<S>,
    inertias: &BodyInertias<S>,
    velocity: &Spatial<S>,
    k: usize,
) -> Spatial<S> {
    let part = layout_of(model, k);
    let mut momentum = inertias.rigid[k].apply(velocity);
    for (column, &rate) in inertias.coupling[part.modal()].iter().zip(&state.v[part.modal_v()]) {
        momentum = add6(&momentum, &scale6(rate, column));
    }
    momentum
}

/// All energies at `state`.
pub fn energy<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    inertias: &BodyInertias<S>,
) -> Energy<S> {
    let mut sums = [S::ZERO; 3];
    for k in 0..model.body_count() {
        add_body_energy(model, state, motion, inertias, k, &mut sums);
    }
    let [kinetic, gravity, elastic] = sums;
    Energy {
        kinetic: kinetic * 0.5,
        gravity,
        elastic,
        springs: crate::force::tree_joint::spring_energy(model, state)
            + crate::force::loop_joint::loop_spring_energy(model, state, motion),
        elements: crate::force::element::element_energy(model, state, motion),
    }
}

/// Adds twice the kinetic energy of body `k`, that in gravity and that of its modes.
pub(crate) fn add_body_energy<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    inertias: &BodyInertias<S>,
    k: usize,
    [kinetic, gravity, elastic]: &mut [S; 3],
) {
    let (poses, body) = (&motion.poses, &model.bodies[k]);
    let g = lift3::<S>(&model.gravity);
    let part = layout_of(model, k);
    let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
    let velocity = referred_velocity(model, state, motion, k);
    let momentum = body_momentum(model, state, inertias, &velocity, k);
    *kinetic += dot6(&velocity, &momentum);
    let modal = &inertias.modal[part.modal_square()];
    for r in 0..part.modes {
        // The coupling enters twice: once above through the momentum, once here.
        *kinetic += rate[r] * dot6(&inertias.coupling[part.modal + r], &velocity);
        for s in 0..part.modes {
            *kinetic += rate[r] * modal[r * part.modes + s] * rate[s];
        }
    }
    let rigid = &inertias.rigid[k];
    let moment = matrix_vector(&poses.rotation[k], &rigid.mass_moment());
    let mass = rigid.mass();
    let center = std::array::from_fn(|i| poses.position[k][i] * mass + moment[i]);
    *gravity -= dot(&g, &center);
    *elastic += body.elastic_energy(eta);
}

/// Linear momentum and angular momentum about the inertial point `about`.
pub fn momentum<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    inertias: &BodyInertias<S>,
    about: &Vector3,
) -> Momentum<S> {
    let mut total = Momentum { linear: [S::ZERO; 3], angular: [S::ZERO; 3] };
    for k in 0..model.body_count() {
        add_momentum(model, state, motion, inertias, about, k, &mut total);
    }
    total
}

/// Adds the momentum of body `k`.
pub(crate) fn add_momentum<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    inertias: &BodyInertias<S>,
    about: &Vector3,
    k: usize,
    total: &mut Momentum<S>,
) {
    let (poses, point) = (&motion.poses, lift3::<S>(about));
    let velocity = referred_velocity(model, state, motion, k);
    let local = body_momentum(model, state, inertias, &velocity, k);
    let p = matrix_vector(&poses.rotation[k], &linear(&local));
    let h = matrix_vector(&poses.rotation[k], &angular(&local));
    let arm = sub(&poses.position[k], &point);
    total.linear = add(&total.linear, &p);
    total.angular = add(&total.angular, &add(&h, &cross(&arm, &p)));
}
