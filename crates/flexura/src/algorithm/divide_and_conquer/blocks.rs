//! Mass blocks and biases of all bodies at the same time.
//!
//! Once the angular velocities are known the blocks of the bodies do not depend on each
//! other (docs/formulation.md section 4). Bodies are halved down to chunks, which own
//! consecutive parts of the vectors. The result is that of `evaluate_bodies`, bit by bit.
//!
//! Time O(n/p + log n) on p threads.

use super::parallel::Par;
use crate::algorithm::body_inertia::{BodyInertias, evaluate_body};
use crate::algorithm::kinematics::Kinematics;
use crate::model::body::MassBlock;
use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial};
use crate::state::State;
use std::ops::Range;

/// Bodies that one thread takes at a time.
const CHUNK: usize = 64;

/// Blocks of consecutive bodies.
struct Blocks<'a, S> {
    rigid: &'a mut [SymmetricSpatial<S>],
    coupling: &'a mut [Spatial<S>],
    modal: &'a mut [S],
    bias_modal: &'a mut [S],
    bias_rigid: &'a mut [Spatial<S>],
}

/// Fills `inertias` for `state`, after the kinematics pass, on the threads of `par`.
pub fn evaluate_blocks<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    inertias: &mut BodyInertias<S>,
    par: Par<'_>,
) {
    let bodies = 0..model.body_count();
    let blocks = Blocks {
        rigid: &mut inertias.rigid,
        coupling: &mut inertias.coupling,
        modal: &mut inertias.modal,
        bias_modal: &mut inertias.bias_modal,
        bias_rigid: &mut inertias.bias_rigid,
    };
    let parallel = par.threads() > 1 && bodies.len() > CHUNK;
    par.run(parallel, || fill(model, state, kin, bodies, blocks, parallel));
}

fn fill<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    bodies: Range<usize>,
    mut blocks: Blocks<'_, S>,
    parallel: bool,
) {
    if !parallel || bodies.len() <= CHUNK {
        for k in bodies {
            let modes = layout_of(model, k).modes;
            let (own, rest) = blocks.split(1, modes, modes * modes);
            let mut block = MassBlock {
                rigid: &mut own.rigid[0],
                coupling: own.coupling,
                modal: own.modal,
                bias_modal: own.bias_modal,
                bias_rigid: &mut own.bias_rigid[0],
            };
            evaluate_body(model, state, kin, k, &mut block);
            blocks = rest;
        }
        return;
    }
    let middle = bodies.start + bodies.len() / 2;
    let (first, cut) = (layout_of(model, bodies.start), layout_of(model, middle));
    let (near, far) =
        blocks.split(middle - bodies.start, cut.modal - first.modal, cut.modal_square - first.modal_square);
    rayon::join(
        || fill(model, state, kin, bodies.start..middle, near, true),
        || fill(model, state, kin, middle..bodies.end, far, true),
    );
}

impl<'a, S> Blocks<'a, S> {
    /// The first `bodies` with `modes` and `squares` entries of modal vectors and matrices, and the others.
    fn split(self, bodies: usize, modes: usize, squares: usize) -> (Self, Self) {
        let (rigid, rigid_b) = self.rigid.split_at_mut(bodies);
        let (coupling, coupling_b) = self.coupling.split_at_mut(modes);
        let (modal, modal_b) = self.modal.split_at_mut(squares);
        let (bias_modal, bias_modal_b) = self.bias_modal.split_at_mut(modes);
        let (bias_rigid, bias_rigid_b) = self.bias_rigid.split_at_mut(bodies);
        (
            Self { rigid, coupling, modal, bias_modal, bias_rigid },
            Self {
                rigid: rigid_b,
                coupling: coupling_b,
                modal: modal_b,
                bias_modal: bias_modal_b,
                bias_rigid: bias_rigid_b,
            },
        )
    }
}
