//! Derivatives of inverse dynamics over coordinates and speeds, without a pass over the whole tree for each of them.
//!
//! τ = M(q) χ̇ + b(q, v) − J* w at accelerations χ̇ and wrenches w (in body axes) that are held. Displacements are twists in the axes of the
//! speeds. After Featherstone (Rigid Body Dynamics Algorithms, 2008: quantities of all that a body carries) and Carpentier and Mansard (Robotics:
//! Science and Systems 2018: a joint moves all it carries as one), here for bodies that bend: whatever happens inboard of a body changes what it carries
//! by two things alone, the angular velocity and the acceleration of its base, because linear velocities have no say. The forces that answer both
//! are a matrix of 6 × 9 that adds over the bodies carried (`answer`). A speed outboard is a row of nine numbers, a change inboard a column of nine numbers,
//! the derivative their product; towards the base the change of the force crosses every joint. Columns of joints whose axes stand still in the moving body are
//! written out (`joints`); modes and the other joints take dual numbers through their own body and the joints on it (`bodies`), since what modes do to a
//! body is as manifold as the inertia levels.
//!
//! Symbols: at the inertial origin, in inertial axes: twist J of a speed, motion V and A of a point (spatial, −g at the base), force f; a column is
//! s = δA − δV × V of its base and δω. Cost: a product of nine terms for every pair of speeds one of which carries the other, and for a body with n modes
//! n/2 + 1 dual evaluations of that body.
//!
//! Typeset: book/src/theory/inverse_dynamics.md (ID.6) to (ID.12).

mod answer;
mod bodies;
mod joints;
mod place;
mod preorder;
mod seeds;

use super::body_inertia::BodyInertias;
use super::inverse_dynamics::InverseDynamics;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::motion::observe::is_frozen;
use crate::spatial::{Spatial, Vector3, dot6};
use crate::state::State;
use answer::{Answer, Row};
use bodies::DualBodies;
use place::Place;
use preorder::Preorder;

/// What an evaluation of inverse dynamics has left behind, at which derivatives are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluated<'a> {
    /// The state.
    pub state: &'a State,
    /// Both passes of motion at it.
    pub motion: &'a Motion,
    /// Mass blocks at it.
    pub inertias: &'a BodyInertias,
    /// Accelerations that are held.
    pub chidot: &'a [f64],
    /// The forces they need, all terms.
    pub inverse: &'a InverseDynamics,
    /// Wrenches that are held, in body axes.
    pub wrench: &'a [Spatial],
}

/// What motion of a base does to all it carries.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// s = δA − δV × V.
    star: Spatial,
    /// δω.
    spin: Vector3,
}

/// Which of the two matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Position,
    Speed,
}

/// Derivatives of the generalised forces, and the scratch they need.
#[derive(Clone, Debug)]
pub(crate) struct InverseDerivatives {
    /// ∂τ over displacements: a column of one entry per speed for every speed.
    pub position: Vec<f64>,
    /// ∂τ over speeds, likewise.
    pub speed: Vec<f64>,
    order: Preorder,
    places: Vec<Place>,
    /// J of every joint speed.
    twists: Vec<Spatial>,
    /// Π' of the point that carries a body, over the modes of its parent.
    carrying: Vec<Spatial>,
    /// Where those of a body begin.
    first_carrying: Vec<usize>,
    /// Of a body and all it carries.
    answers: Vec<Answer>,
    rows: Vec<Row>,
    dual: Box<DualBodies>,
}

/// Whether points that carry joints are where their modes put them: points held undeformed turn by other rules than they move.
pub(crate) fn is_differentiable(model: &Model) -> bool {
    (0..model.body_count()).all(|k| !is_frozen(model, k))
}

impl InverseDerivatives {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let (speeds, bodies) = (model.speed_count(), model.body_count());
        let mut first_carrying = vec![0];
        for joint in &model.joints {
            let modes = joint.parent.map_or(0, |parent| model.bodies[parent].modes);
            first_carrying.push(first_carrying.last().unwrap_or(&0) + modes);
        }
        Self {
            position: vec![0.0; speeds * speeds],
            speed: vec![0.0; speeds * speeds],
            order: Preorder::new(model),
            places: vec![Place::default(); bodies],
            twists: vec![[0.0; 6]; model.layout.joint],
            carrying: vec![[0.0; 6]; first_carrying[bodies]],
            first_carrying,
            answers: vec![Answer::ZERO; bodies],
            rows: vec![Row::ZERO; speeds],
            dual: Box::new(DualBodies::new(model)),
        }
    }

    /// Both matrices at `at`, with laws of joints and damping of modes where `laws` says so.
    pub fn evaluate(&mut self, model: &Model, at: Evaluated<'_>, laws: bool) {
        self.position.fill(0.0);
        self.speed.fill(0.0);
        self.dual.prepare(model, &at);
        self.find_places(model, &at);
        self.gather_answers(model, &at);
        for k in 0..model.body_count() {
            self.joint_columns(model, &at, k);
            self.modal_columns(model, &at, k);
            if laws {
                self.subtract_laws(model, &at, k);
            }
        }
    }

    /// The column of `speed` in one of the matrices.
    fn column(&mut self, over: Over, speed: usize) -> &mut [f64] {
        let speeds = self.rows.len();
        let all = if over == Over::Position { &mut self.position } else { &mut self.speed };
        &mut all[speed * speeds..(speed + 1) * speeds]
    }

    /// What motion of the base of `k` does to its speeds and those of all it carries.
    fn put_carried(&mut self, model: &Model, k: usize, (over, speed): (Over, usize), column: &Column) {
        let speeds = self.rows.len();
        let all = if over == Over::Position { &mut self.position } else { &mut self.speed };
        let out = &mut all[speed * speeds..(speed + 1) * speeds];
        for &m in self.order.carried(k) {
            let range = layout_of(model, m).speeds();
            for (slot, row) in out[range.clone()].iter_mut().zip(&self.rows[range]) {
                *slot = row.times(column);
            }
        }
    }

    /// What a change of the force of `k` on its parent does to all that carry `k`.
    fn put_carriers(&mut self, model: &Model, k: usize, (over, speed): (Over, usize), change: &Spatial) {
        let speeds = self.rows.len();
        let all = if over == Over::Position { &mut self.position } else { &mut self.speed };
        let out = &mut all[speed * speeds..(speed + 1) * speeds];
        let mut at = k;
        while let Some(parent) = model.joints[at].parent {
            let part = layout_of(model, parent);
            let carrying = &self.carrying[self.first_carrying[at]..self.first_carrying[at + 1]];
            for (slot, twist) in out[part.modal_v()].iter_mut().zip(carrying) {
                *slot = dot6(twist, change);
            }
            for (slot, twist) in out[part.joint_v()].iter_mut().zip(&self.twists[part.joint()]) {
                *slot = dot6(twist, change);
            }
            at = parent;
        }
    }
}
