//! Inertial poses and velocities along the assembly tree.
//!
//! Source: `observe::outward_pose`, whose recursion is an affine map of the motion of the
//! carrier: V_k = phi* V_p + c_k, R_k = R_p E_k, r_k = r_p + R_p l_k. Where points are
//! frozen, poses follow the deformed points and velocities the undeformed ones
//! (book/src/theory/kinematics.md), so that both have a rotation and a lever.
//!
//! Time O(n/p + log n) on p threads.

use super::chunks::{Along, Part, for_all_bodies};
use super::scan::Map;
use super::share::{Words, put, take};
use super::{DivideAndConquer, Par};
use crate::model::Model;
use crate::motion::kinematics::Kinematics;
use crate::motion::observe::{Poses, deformed_pose, own_velocity};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, add6, identity3, matrix_product, matrix_vector, rotate_back6,
    shift_motion,
};
use crate::state::State;

/// Pose and velocity of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose<S> {
    rotation: Matrix3<S>,
    position: Vector3<S>,
    /// F_k components.
    velocity: Spatial<S>,
}

impl<S: Scalar> Pose<S> {
    pub fn of_ground() -> Self {
        Self { rotation: identity3(), position: [S::ZERO; 3], velocity: [S::ZERO; 6] }
    }
}

/// Pose of the last body of a path from that of its carrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoseMap<S> {
    /// Deformed rotation and lever, for poses.
    turn: Matrix3<S>,
    lever: Vector3<S>,
    /// Rotation and lever of the dynamics, for velocities.
    rotation: Matrix3<S>,
    from_parent: Vector3<S>,
    /// Velocity on a carrier at rest.
    own: Spatial<S>,
}

impl<S: Scalar> PoseMap<S> {
    pub fn identity() -> Self {
        let (rotation, lever) = (identity3(), [S::ZERO; 3]);
        Self { turn: rotation, lever, rotation, from_parent: lever, own: [S::ZERO; 6] }
    }

    fn carried(&self, velocity: &Spatial<S>) -> Spatial<S> {
        add6(&rotate_back6(&self.rotation, &shift_motion(&self.from_parent, velocity)), &self.own)
    }
}

impl<S: Scalar> Words for PoseMap<S> {
    const COUNT: usize = 30;

    fn write(&self, out: &mut [f64]) {
        let pose = self.turn.iter().flatten().chain(&self.lever);
        let motion = self.rotation.iter().flatten().chain(&self.from_parent).chain(&self.own);
        put(out, pose.chain(motion));
    }

    fn read(numbers: &[f64]) -> Self {
        let mut out = Self::identity();
        let pose = out.turn.iter_mut().flatten().chain(&mut out.lever);
        let motion = out.rotation.iter_mut().flatten().chain(&mut out.from_parent).chain(&mut out.own);
        take(numbers, pose.chain(motion));
        out
    }
}

impl<S: Scalar> Map for PoseMap<S> {
    type Motion = Pose<S>;

    fn then(&self, outboard: &Self) -> Self {
        Self {
            turn: matrix_product(&self.turn, &outboard.turn),
            lever: add(&self.lever, &matrix_vector(&self.turn, &outboard.lever)),
            rotation: matrix_product(&self.rotation, &outboard.rotation),
            from_parent: add(&self.from_parent, &matrix_vector(&self.rotation, &outboard.from_parent)),
            own: outboard.carried(&self.own),
        }
    }

    fn apply(&self, carrier: &Pose<S>) -> Pose<S> {
        Pose {
            rotation: matrix_product(&carrier.rotation, &self.turn),
            position: add(&carrier.position, &matrix_vector(&carrier.rotation, &self.lever)),
            velocity: self.carried(&carrier.velocity),
        }
    }
}

/// Fills `poses` for `state` and its kinematics on the threads of `par`.
pub(crate) fn evaluate_poses<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    poses: &mut Poses<S>,
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) {
    let parallel = par.divides(model);
    let local = |k: usize| {
        let (turn, lever) = deformed_pose(model, state, kin, k);
        let motion = &kin.bodies[k];
        PoseMap {
            turn,
            lever,
            rotation: motion.rotation,
            from_parent: motion.from_parent,
            own: own_velocity(model, state, kin, k),
        }
    };
    par.run(parallel, || {
        let share = work.share.as_deref_mut();
        work.poses.run(model, &work.tree, share, &Pose::of_ground(), &local, parallel);
        let data = (
            Part::new(&mut poses.rotation, Along::Bodies),
            Part::new(&mut poses.position, Along::Bodies),
            Part::new(&mut poses.velocity, Along::Bodies),
        );
        for_all_bodies(model, data, parallel, &|bodies, (mut rotation, mut position, mut velocity)| {
            for k in bodies {
                let pose = &work.poses.motions[work.tree.position[k]];
                *rotation.of(k) = pose.rotation;
                *position.of(k) = pose.position;
                *velocity.of(k) = pose.velocity;
            }
        });
    });
}
