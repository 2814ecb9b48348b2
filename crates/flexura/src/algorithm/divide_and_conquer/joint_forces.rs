//! All joint forces of an evaluation.
//!
//! Source: Mukherjee & Anderson eqs 88-91: disassembly gives the force at every joint
//! between two assemblies. Inside a leaf the forces follow from the body equations,
//! tip to base: f = M α + b − wrench + forces on what the body carries, starting with
//! the force that disassembly found at the outboard handle. With one body per leaf
//! all forces along paths come from assemblies.
//!
//! Cost: about 100 products per body, O(n); a separate call because integration does
//! not need it.

use super::DivideAndConquer;
use super::assembly_tree::{GROUND, Kind};
use super::share::Role;
use crate::algorithm::body_inertia::BodyInertias;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, rotate6, scale6, shift_force, sub6};
use crate::state::Load;

/// Fills `work.joint_force`; after `divide_and_conquer` with the same arguments.
#[doc(hidden)]
pub fn joint_forces<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    work: &mut DivideAndConquer<S>,
) {
    let mut out = std::mem::take(&mut work.joint_force);
    let found = (&work.chidot[..], |body: usize| *work.acceleration(body));
    forces_into(model, kin, inertias, load, found, work, &mut out);
    work.joint_force = out;
}

/// Forces of all joints into `out` for accelerations that were given away: of speeds, and of each body.
pub(crate) fn forces_into<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    (chidot, acceleration): (&[S], impl Fn(usize) -> Spatial<S>),
    work: &DivideAndConquer<S>,
    out: &mut [Spatial<S>],
) {
    for (body, slot) in out.iter_mut().enumerate() {
        *slot = own_force(model, inertias, load, chidot, &acceleration(body), body);
    }
    let roles: &[Role] = work.share.as_deref().map_or(&[], |share| &share.roles);
    let mut node = work.tree.nodes.len();
    for position in (0..work.tree.order.len()).rev() {
        let body = work.tree.order[position];
        while node > 0 && work.tree.nodes[node - 1].start > position {
            node -= 1;
        }
        // Nodes that start here: their run, if any, has its force from an assembly.
        let mut found = node;
        while found > 0 && work.tree.nodes[found - 1].start == position {
            found -= 1;
            let foreign =
                roles.get(found) == Some(&Role::Foreign) && work.tree.nodes[found].kind == Kind::Join;
            if foreign || work.tree.nodes[found].kind == Kind::Run {
                out[body] = work.storage.nodes[found].inner_force;
            }
        }
        let parent = work.tree.carrier[position];
        if parent != GROUND {
            let motion = &kin.bodies[body];
            let turned = rotate6(&motion.rotation, &out[body]);
            let carrier = work.tree.order[parent];
            let felt = shift_force(&motion.from_parent, &turned);
            out[carrier] = add6(&out[carrier], &felt);
        }
    }
}

/// M α + b − wrench of the rigid rows of one body.
fn own_force<S: Scalar>(
    model: &Model,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    chidot: &[S],
    acceleration: &Spatial<S>,
    body: usize,
) -> Spatial<S> {
    let part = layout_of(model, body);
    let inertia = inertias.rigid[body].apply(acceleration);
    let mut force = add6(&inertia, &sub6(&inertias.bias_rigid[body], &load.wrench[body]));
    for (column, &x) in inertias.coupling[part.modal()].iter().zip(&chidot[part.modal_v()]) {
        force = add6(&force, &scale6(x, column));
    }
    force
}
