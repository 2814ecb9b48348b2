//! Springs, dampers, friction, efforts of joints and damping of modes at the same time.
//!
//! Each acts on the speeds of one body. Their powers are added chunk by chunk
//! (`chunks`), in an order that depends on the number of bodies only. What acts between
//! bodies (applied forces, force elements, couplers, laws of loops) follows one after the
//! other, as in `loads::fill_load`.
//!
//! Time O(n/p + log n) on p threads for joints and modes.

use super::Par;
use super::chunks::{Along, Part, over_bodies};
use crate::force::applied::{add_forces, modal_damping};
use crate::force::power::AppliedPower;
use crate::force::tree_joint::joint_efforts;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::state::Load;
use crate::state::State;

/// Fills `load` (forces only) at `state` on the threads of `par`; returns the power of each kind.
#[doc(hidden)]
pub fn evaluate_loads<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    par: Par<'_>,
) -> AppliedPower<S> {
    let parallel = par.divides(model);
    let (generalized, wrench) = (&mut load.generalized, &mut load.wrench);
    let mut power = par.run(parallel, || {
        let data = (Part::new(generalized, Along::Speeds), Part::new(wrench, Along::Bodies));
        over_bodies(
            model,
            0..model.body_count(),
            data,
            parallel,
            &|bodies, (mut generalized, mut wrench)| {
                let mut power = AppliedPower::ZERO;
                for k in bodies {
                    *wrench.of(k) = [S::ZERO; 6];
                    let forces = generalized.at(layout_of(model, k).speeds());
                    forces.fill(S::ZERO);
                    joint_efforts(model, state, k, forces, &mut power);
                    modal_damping(model, state, k, forces, &mut power);
                }
                power
            },
            &|one, other| one.plus(&other),
        )
    });
    add_forces(model, state, motion, load, &mut power);
    power
}
