//! Derivatives of the equations of motion over positions and speeds, of the forces that accelerations need and of the accelerations that follow.
//!
//! With τ(q, v, χ̇) the forces that accelerations need beside all loads of the model, and 0 = τ(q, v, χ̇(q, v)):
//! ∂χ̇ = −M⁻¹ ∂τ at χ̇ (ID.12). ∂τ is found by recursion (`algorithm/derivatives`); loads at frames, between bodies and of couplers by dual
//! numbers through the motion, in groups of columns; M⁻¹ by factors of the mass matrix along the branches of the tree, or, where these are long and nothing is
//! prescribed, by those of articulated bodies, two sweeps a column. Displacements are twists in the axes of the speeds; prescribed speeds are held.
//! Cost O(Σ depth) for ∂τ of what has no loads between bodies, the lesser of O(n Σ depth) and O(n N) for ∂χ̇.

use super::AnalysisError;
use super::column_solver::ColumnSolver;
use super::labels::{SpeedLabel, speed_labels};
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::composite_body::LARGEST_SPEED_COUNT;
use crate::algorithm::derivatives::{Evaluated, InverseDerivatives, is_differentiable};
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics, inward_force};
use crate::error::DynamicsError;
use crate::model::joint::JointKind;
use crate::model::{Model, layout_of};
use crate::motion::retract::move_by_twist;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Columns of loads at once.
const WIDTH: usize = 4;
type Number = Dual<WIDTH>;

/// Derivatives of forces and accelerations, and the scratch to find them again at other states. Matrices are row-major over all speeds: the row is
/// that of the force or acceleration, the column that of the displacement or speed.
#[derive(Debug)]
pub struct DynamicsDerivatives {
    /// ∂τ over displacements.
    pub forces_over_positions: Vec<f64>,
    /// ∂τ over speeds.
    pub forces_over_speeds: Vec<f64>,
    /// ∂χ̇ over displacements; zero where prescribed.
    pub accelerations_over_positions: Vec<f64>,
    /// ∂χ̇ over speeds; zero where prescribed.
    pub accelerations_over_speeds: Vec<f64>,
    /// ∂χ̇ over forces on the speeds, M⁻¹ of those that are not prescribed; zero elsewhere.
    pub accelerations_over_forces: Vec<f64>,
    work: Workspace,
    mechanics: InverseDerivatives,
    loads: Option<LoadDerivatives>,
    solver: ColumnSolver,
}

/// Loads that are more than laws of joints, in dual numbers.
#[derive(Debug)]
struct LoadDerivatives {
    start: Vec<Number>,
    step: Vec<Number>,
    state: State<Number>,
    work: Workspace<Number>,
    onto_speeds: InverseDynamics,
}

impl DynamicsDerivatives {
    /// Scratch for `model`: a tree without controllers, whose points follow the deformation.
    pub fn new(model: &Model) -> Result<Self, AnalysisError> {
        refuse(model)?;
        let speeds = model.speed_count();
        let matrix = vec![0.0; speeds * speeds];
        let loaded = !(model.forces.is_empty() && model.loads.is_empty());
        let loaded = loaded || !(model.elements.is_empty() && model.couplers.is_empty());
        Ok(Self {
            forces_over_positions: matrix.clone(),
            forces_over_speeds: matrix.clone(),
            accelerations_over_positions: matrix.clone(),
            accelerations_over_speeds: matrix.clone(),
            accelerations_over_forces: matrix,
            work: Workspace::with_route(model, FlexibleRoute::Direct),
            mechanics: InverseDerivatives::new(model),
            loads: loaded.then(|| LoadDerivatives::new(model)),
            solver: ColumnSolver::new(model)?,
        })
    }

    /// Names of rows and columns.
    pub fn labels(model: &Model) -> Vec<SpeedLabel> {
        speed_labels(model)
    }

    /// All matrices at `state`, at the accelerations that follow from it.
    pub fn evaluate(&mut self, model: &Model, state: &State) -> Result<(), AnalysisError> {
        let mut state = state.clone();
        apply_prescribed(model, &mut state, Some(&mut self.work.load));
        self.work.kinematics(model, &state);
        self.work.poses(model, &state);
        self.work.loads(model, &state);
        self.work.accelerations(model)?;
        let chidot = self.work.accelerations.chidot.clone();
        self.over_forces(model, &state, &chidot);
        self.over_accelerations(model)
    }

    /// ∂τ alone, at accelerations `chidot` and at `state` as it stands: prescribed motions are not put into it.
    pub fn evaluate_forces(
        &mut self,
        model: &Model,
        state: &State,
        chidot: &[f64],
    ) -> Result<(), AnalysisError> {
        if chidot.len() != model.speed_count() {
            return Err(AnalysisError::Name(format!(
                "{} accelerations for {} speeds",
                chidot.len(),
                model.speed_count()
            )));
        }
        self.work.kinematics(model, state);
        self.work.poses(model, state);
        self.work.loads(model, state);
        self.over_forces(model, state, chidot);
        Ok(())
    }

    fn over_forces(&mut self, model: &Model, state: &State, chidot: &[f64]) {
        let Workspace { motion, inertias, load, inverse, .. } = &mut self.work;
        inverse_dynamics(model, &motion.kinematics, inertias, chidot, &load.wrench, Terms::All, inverse);
        let at = Evaluated { state, motion, inertias, chidot, inverse, wrench: &load.wrench };
        self.mechanics.evaluate(model, at, self.loads.is_none());
        if let Some(loads) = &mut self.loads {
            loads.subtract_from(model, state, motion, &mut self.mechanics);
        }
        let speeds = model.speed_count();
        let transpose = |from: &[f64], to: &mut [f64]| {
            for (column, values) in from.chunks_exact(speeds.max(1)).enumerate() {
                values.iter().enumerate().for_each(|(row, &x)| to[row * speeds + column] = x);
            }
        };
        transpose(&self.mechanics.position, &mut self.forces_over_positions);
        transpose(&self.mechanics.speed, &mut self.forces_over_speeds);
    }

    fn over_accelerations(&mut self, model: &Model) -> Result<(), AnalysisError> {
        let columns = [&self.mechanics.position, &self.mechanics.speed];
        let out = [&mut self.accelerations_over_positions, &mut self.accelerations_over_speeds];
        self.solver.solve(model, &self.work, columns, out)?;
        self.solver.invert(model, &self.work, &mut self.accelerations_over_forces)
    }
}

/// What the recursion does not know, by name.
fn refuse(model: &Model) -> Result<(), AnalysisError> {
    let (speeds, limit) = (model.speed_count(), LARGEST_SPEED_COUNT);
    if speeds > limit {
        return Err(DynamicsError::TooLargeForComposite { speeds, limit }.into());
    }
    let found = if !model.loops.is_empty() {
        "closed loops"
    } else if !model.controllers.is_empty() {
        "controllers"
    } else if (0..model.joints.len()).any(|k| is_partly_driven(model, k)) {
        "free joints of which some directions are prescribed: their speeds turn with the body"
    } else if !is_differentiable(model) {
        "points of flexible bodies that are held undeformed (`attachments = \"frozen\"`)"
    } else {
        return Ok(());
    };
    let remedy = "those of accelerations are in the linear system of `flexura modes` and `linearize`";
    Err(AnalysisError::Name(format!("derivatives by recursion do not take {found}; {remedy}")))
}

/// Whether joint `k` takes some of its speeds from a motion, along axes that the others turn.
fn is_partly_driven(model: &Model, k: usize) -> bool {
    let driven = &model.prescribed[layout_of(model, k).joint_v()];
    matches!(model.joints[k].joint.kind, JointKind::Free) && driven.contains(&true) && driven.contains(&false)
}

impl LoadDerivatives {
    fn new(model: &Model) -> Self {
        Self {
            start: model.initial_q.iter().map(|&x| Number::from_f64(x)).collect(),
            step: vec![Number::ZERO; model.speed_count()],
            state: State::lift(&State::unprescribed(model, 0.0)),
            work: Workspace::new(model),
            onto_speeds: InverseDynamics::new(model),
        }
    }

    /// Takes ∂ of all generalised forces of the loads from the columns.
    fn subtract_from(
        &mut self,
        model: &Model,
        state: &State,
        motion: &crate::motion::Motion,
        out: &mut InverseDerivatives,
    ) {
        let speeds = model.speed_count();
        (self.state.time, self.state.side) = (state.time, state.side);
        self.state.turns.copy_from(&state.turns);
        self.start.iter_mut().zip(&state.q).for_each(|(slot, &x)| *slot = Number::from_f64(x));
        for first in (0..speeds).step_by(WIDTH) {
            let group = first..speeds.min(first + WIDTH);
            for displaced in [true, false] {
                self.seed(model, state, group.clone(), displaced);
                self.work.motion.evaluate(model, &self.state);
                self.work.loads(model, &self.state);
                let matrix = if displaced { &mut out.position } else { &mut out.speed };
                for (d, column) in matrix.chunks_exact_mut(speeds).skip(first).take(group.len()).enumerate() {
                    self.subtract_column(model, motion, d, column);
                }
            }
        }
    }

    fn seed(&mut self, model: &Model, state: &State, group: std::ops::Range<usize>, displaced: bool) {
        self.step.fill(Number::ZERO);
        self.state.v.iter_mut().zip(&state.v).for_each(|(slot, &x)| *slot = Number::from_f64(x));
        let slots = if displaced { &mut self.step } else { &mut self.state.v };
        slots[group].iter_mut().enumerate().for_each(|(d, slot)| slot.eps[d] = 1.0);
        move_by_twist(model, &self.start, &self.step, &mut self.state.q);
    }

    fn subtract_column(
        &mut self,
        model: &Model,
        motion: &crate::motion::Motion,
        d: usize,
        column: &mut [f64],
    ) {
        let load = &self.work.load;
        for (force, wrench) in self.onto_speeds.joint_force.iter_mut().zip(&load.wrench) {
            *force = wrench.each_ref().map(|x| x.eps[d]);
        }
        self.onto_speeds.clear_modal();
        inward_force(model, &motion.kinematics, &mut self.onto_speeds);
        let generalized = self.onto_speeds.generalized.iter().zip(&load.generalized);
        column.iter_mut().zip(generalized).for_each(|(slot, (&x, y))| *slot -= x + y.eps[d]);
    }
}
