//! Equations of motion generated from the linear graph, for any tree.
//!
//! Source: Richard (2012), sections 3 and 4 (errata F4, F5), after McPhee (1998).
//!
//! | paper | here |
//! |---|---|
//! | v_q̇, ω_q̇ of every body from the branches of its circuit (36) | `motion/jacobian.rs` |
//! | M̂ = Σ v_q̇ᵀ m v_q̇ + ω_q̇ᵀ I ω_q̇ (42), flexible (57) | [`Equations::mass`], `generate` |
//! | Q^K with the products of speeds v̇^p, ω̇^p and P^ω (34), (43) | part of [`Equations::force`] |
//! | Φ_q, Λ of cotree joints and drivers (45), (68)-(70) | [`Equations::jacobian`], [`Equations::right`] |
//! | DAE (46), (67)+(70) solved for q̈ and λ | [`Equations::solve`], `solve` |
//! | reactions of tree joints from cutset equations (5) | `cutset` |
//! | runs over time: `formulation = "graph"` | `run` |
//! | the same with symbols for numbers, code | `symbolic` |
//!
//! v̇^p and the part of Φ̈ without q̈ are derivatives along the motion at constant
//! speeds, by dual numbers (`bias`). Only kinematics and the mass blocks of single bodies
//! are shared with the recursions, so that each can check the other. Cost
//! O(bodies 𝒩²) to assemble, O(𝒩³) to solve.
//!
//! Typeset: book/src/theory/linear_graph.md (GR.3) to (GR.6).

mod bias;
mod cutset;
mod generate;
mod run;
mod solve;
pub mod symbolic;

pub use cutset::joint_forces;
pub use run::GraphFormulation;

use crate::error::DynamicsError;
use crate::model::description::AttachmentRule;
use crate::model::{FrameId, Model};
use crate::motion::observe::is_frozen;
use crate::scalar::Scalar;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use bias::BiasMotion;
use generate::Generator;
use solve::Solver;

/// M̂ q̈ + Φ_qᵀ (−λ) = Q, Φ_q q̈ = Λ at one state.
#[derive(Clone, Debug)]
pub struct Equations<S = f64> {
    /// Number of speeds.
    pub speeds: usize,
    /// M̂, row by row.
    pub mass: Vec<S>,
    /// Q: applied, conservative and velocity-dependent forces.
    pub force: Vec<S>,
    /// Φ_q, row by row over all speeds.
    pub jacobian: Vec<S>,
    /// Λ of every row.
    pub right: Vec<S>,
    /// Whether the acceleration of a speed is given.
    pub prescribed: Vec<bool>,
    /// Accelerations of prescribed speeds; zero elsewhere.
    pub given: Vec<S>,
}

/// Solution of the equations.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Accelerations of all speeds.
    pub accelerations: Vec<f64>,
    /// λ of every row; least norm where rows are dependent.
    pub multipliers: Vec<f64>,
}

impl<S: Scalar> Equations<S> {
    /// Room for the equations of `model`.
    pub(crate) fn new(model: &Model) -> Self {
        let (n, rows) = (model.speed_count(), model.constraint_count());
        Self {
            speeds: n,
            mass: vec![S::ZERO; n * n],
            force: vec![S::ZERO; n],
            jacobian: vec![S::ZERO; rows * n],
            right: vec![S::ZERO; rows],
            prescribed: model.prescribed.clone(),
            given: vec![S::ZERO; n],
        }
    }

    /// Number of constraint rows.
    pub fn rows(&self) -> usize {
        self.right.len()
    }
}

impl Equations {
    /// The equations of `model` at `state`.
    pub fn generate(model: &Model, state: &State) -> Self {
        let mut state = state.clone();
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut state, Some(&mut work.load));
        work.kinematics(model, &state);
        work.poses(model, &state);
        work.loads(model, &state);
        let (mut bias, mut out) = (BiasMotion::new(model), Self::new(model));
        bias.evaluate(model, &state);
        let mut generator = Generator::new(model);
        generator.fill(model, &state, &work, &mut out);
        generator.fill_forces(model, &work, &bias.acceleration, &mut out);
        out.right.copy_from_slice(&bias.right);
        out
    }

    /// Accelerations and multipliers; prescribed accelerations are kept.
    pub fn solve(&self, model: &Model) -> Result<Solution, DynamicsError> {
        if let Some(joint) = inexact_joint(model) {
            let cause = format!("{INEXACT} (joint `{joint}`): {INEXACT_FIX}");
            return Err(DynamicsError::Unsupported { cause });
        }
        let mut solver = Solver::new(model);
        let mut out = Solution { accelerations: vec![0.0; self.speeds], multipliers: vec![0.0; self.rows()] };
        solver.factorize(model, self)?;
        solver.solve(self, &mut out.accelerations, &mut out.multipliers);
        Ok(out)
    }
}

/// What is refused, and what to write instead. Circuits run over points as they are seen, and velocities are differentiated along the motion: recursions
/// keep points of rule `frozen` undeformed, and give those of `lambda_etad`, the papers' rule and that of level `paper`, angular velocities that are no
/// derivative of their orientation (errata A7).
pub(crate) const INEXACT: &str =
    "equations from the linear graph need points that move exactly with the modes";
pub(crate) const INEXACT_FIX: &str = "give its bodies attachments = \"exact\"";

/// The first joint, in the tree or closing a loop, at a point that moves by another rule.
pub(crate) fn inexact_joint(model: &Model) -> Option<&str> {
    let inexact = |body: usize, index: usize| {
        let body = &model.bodies[body];
        body.rule == AttachmentRule::LambdaEtad && !body.attachments[index].rigid
    };
    let in_tree = |k: &usize| {
        let joint = &model.joints[*k];
        let on_parent = joint.parent.is_some_and(|p| inexact(p, joint.outer.attachment));
        is_frozen(model, *k) || on_parent || inexact(*k, joint.inner.attachment)
    };
    let at_loop = |id: &FrameId| {
        let frame = &model.frames[id.0];
        frame.body.is_some_and(|body| inexact(body.0, frame.mount.attachment))
    };
    let tree = (0..model.body_count()).find(in_tree).map(|k| model.joints[k].name.as_str());
    tree.or_else(|| {
        model.loops.iter().find(|joint| joint.frames.iter().any(at_loop)).map(|joint| joint.name.as_str())
    })
}
