//! Mass blocks and biases of all bodies, referred to their hinges.
//!
//! With N = [1 0; −Pd 1] (see `algorithm`): M' = N* M N, b' = N* b; Pd = 0 for cantilever
//! modes, JPL 90-26 eq. 3.4 with errata A1. The elastic force K η is added to the modal bias
//! and to nothing else, JPL 90-26 eqs 3.40-3.41. Cost per body: level-dependent
//! evaluation plus O(n²) for a deforming inboard point.
//!
//! Typeset: book/src/theory/inertia.md (IN.18).

use crate::model::body::MassBlock;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{Kinematics, inboard_deforms};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, Vector3, dot6, sub6};
use crate::state::State;

/// Hinge-referred mass blocks of all bodies, F_k components.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct BodyInertias<S = f64> {
    /// Rigid-rigid blocks.
    pub rigid: Vec<SymmetricSpatial<S>>,
    /// Rigid-flexible columns, over all modes.
    pub coupling: Vec<Spatial<S>>,
    /// Flexible-flexible blocks.
    pub modal: Vec<S>,
    /// Modal bias including the elastic force, over all modes.
    pub bias_modal: Vec<S>,
    /// Rigid bias.
    pub bias_rigid: Vec<Spatial<S>>,
    /// Room for evaluations.
    pub(super) scratch: Vec<S>,
}

impl<S: Scalar> BodyInertias<S> {
    /// Scratch for `model` with constant blocks filled in.
    pub fn new(model: &Model) -> Self {
        let mut inertias = Self {
            rigid: vec![SymmetricSpatial::ZERO; model.body_count()],
            coupling: vec![[S::ZERO; 6]; model.layout.modal],
            modal: vec![S::ZERO; model.layout.modal_square],
            bias_modal: vec![S::ZERO; model.layout.modal],
            bias_rigid: vec![[S::ZERO; 6]; model.body_count()],
            scratch: vec![S::ZERO; model.layout.scratch],
        };
        for (k, body) in model.bodies.iter().enumerate() {
            body.fill_constant_mass(&mut inertias.block(model, k));
        }
        inertias
    }

    /// What the last evaluation of body `k` left in its scratch.
    pub(super) fn scratch_of(&self, model: &Model, k: usize) -> &[S] {
        &self.scratch[layout_of(model, k).scratch()]
    }

    #[inline(always)]
    pub(super) fn block(&mut self, model: &Model, k: usize) -> MassBlock<'_, S> {
        let part = layout_of(model, k);
        MassBlock {
            rigid: &mut self.rigid[k],
            coupling: &mut self.coupling[part.modal()],
            modal: &mut self.modal[part.modal_square()],
            bias_modal: &mut self.bias_modal[part.modal()],
            bias_rigid: &mut self.bias_rigid[k],
            scratch: &mut self.scratch[part.scratch()],
        }
    }
}

/// Fills `inertias` for `state`, after the kinematics pass.
#[doc(hidden)]
pub fn evaluate_bodies<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    inertias: &mut BodyInertias<S>,
) {
    for k in 0..model.body_count() {
        let (omega, inboard) = (&kin.bodies[k].omega, &kin.inboard[layout_of(model, k).modal()]);
        evaluate_body(model, state, omega, inboard, k, &mut inertias.block(model, k));
    }
}

/// Fills the block of body `k`, which turns at `omega`; `inboard` is its Pd.
#[inline(always)]
pub(super) fn evaluate_body<S: Scalar>(
    model: &Model,
    state: &State<S>,
    omega: &Vector3<S>,
    inboard: &[Spatial<S>],
    k: usize,
    block: &mut MassBlock<'_, S>,
) {
    let (body, part) = (&model.bodies[k], layout_of(model, k));
    let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
    body.evaluate(eta, rate, omega, block);
    if part.modes > 0 {
        if !body.has_constant_mass() && inboard_deforms(model, k) {
            refer_block(inboard, block);
        }
        body.add_elastic_forces(eta, block.bias_modal);
    }
}

/// Replaces the block by N* M N and the bias by N* b.
fn refer_block<S: Scalar>(inboard: &[Spatial<S>], block: &mut MassBlock<'_, S>) {
    let n = inboard.len();
    // M_ff' = M_ff − M_fr Pd − Pd* M_rf' is symmetric: half of it is computed, then mirrored.
    for r in 0..n {
        block.bias_modal[r] -= dot6(&inboard[r], block.bias_rigid);
        let row = &mut block.modal[r * n..=r * n + r];
        for (entry, other) in row.iter_mut().zip(inboard) {
            *entry -= dot6(&block.coupling[r], other);
        }
    }
    for (column, other) in block.coupling.iter_mut().zip(inboard) {
        *column = sub6(column, &block.rigid.apply(other));
    }
    for r in 0..n {
        for s in 0..=r {
            let value = block.modal[r * n + s] - dot6(&inboard[r], &block.coupling[s]);
            block.modal[r * n + s] = value;
            block.modal[s * n + r] = value;
        }
    }
}
