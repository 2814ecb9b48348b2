//! Static equilibrium: coordinates at which all generalised forces vanish.
//!
//! Newton on r(q) = h(q, v = 0) − T(q) over the free coordinates, tangent K = ∂r/∂δ
//! exact by dual numbers, backtracking line search on the scaled residual. Where
//! K is singular the step is the least-squares one (SVD) and the directions that
//! nothing holds are named. Closed loops: `closed_equilibrium`. If Newton fails from the initial state, loads are
//! raised from zero in steps.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.1).

use super::manifold::move_free;
use super::probe::{Direction, Number, Probe, WIDTH, coordinate_name};
use super::relaxation::relax;
use super::{AnalysisError, refuse_speed_constraints};
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use crate::constraint::project_velocity_rigidly;
use crate::formulation::topological::Constraints;
use crate::linear::{is_finite, singular_values, symmetric_part};
use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, DVector};

/// Stiffness below this fraction of the largest, with a minus sign, counts as negative.
const NEGATIVE: f64 = 1e-10;

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumOptions {
    /// Residual relative to the largest force at which to stop.
    pub tolerance: f64,
    /// Newton iterations per load step.
    pub iterations: usize,
    /// Load steps tried when full load fails at once.
    pub load_steps: usize,
    /// Stops of a dynamic relaxation that goes before; zero is none.
    pub relaxations: usize,
}

impl Default for EquilibriumOptions {
    fn default() -> Self {
        Self { tolerance: 1e-12, iterations: 50, load_steps: 10, relaxations: 0 }
    }
}

/// An equilibrium found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Equilibrium {
    /// The state at rest.
    pub state: State,
    /// Largest residual force relative to the largest force.
    pub residual: f64,
    /// Newton iterations taken in all.
    pub iterations: usize,
    /// Coordinates that no stiffness holds (neutral equilibrium).
    pub unheld: Vec<String>,
    /// Coordinates along which the stiffness is negative: a small push and the system leaves this equilibrium.
    pub unstable: Vec<String>,
}

/// The equilibrium of `model` near `start` at its time. Speeds are those that prescribed motions impose, through closed
/// loops too.
pub fn equilibrium(
    model: &Model,
    start: &State,
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    refuse_speed_constraints(model, "the search for equilibria does")?;
    let mut found = search(model, start, options)?;
    if !model.loops.is_empty() {
        // Of all speeds that the loops allow, those that deform bodies least, as assembly chooses them too.
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut found.state, Some(&mut work.load));
        project_velocity_rigidly(model, &mut found.state, &mut work)?;
    }
    found.unstable = unstable_coordinates(model, &found.state);
    Ok(found)
}

fn search(model: &Model, start: &State, options: &EquilibriumOptions) -> Result<Equilibrium, AnalysisError> {
    let mut state = start.clone();
    state.v.fill(0.0);
    // Prescribed speeds stay: with them this is a relative equilibrium, e.g. of a spinning beam.
    apply_prescribed(model, &mut state, None);
    if options.relaxations > 0 {
        return relax(model, &state, options);
    }
    let direct = newton(model, &state, options);
    if direct.is_ok() || options.load_steps < 2 {
        return direct;
    }
    let mut iterations = 0;
    for step in 1..=options.load_steps {
        let fraction = step as f64 / options.load_steps as f64;
        let found = newton(&with_loads(model, fraction), &state, options)?;
        iterations += found.iterations;
        state = found.state.clone();
        if step == options.load_steps {
            return Ok(Equilibrium { iterations, ..found });
        }
    }
    direct
}

/// A copy of the model with gravity and applied forces scaled.
fn with_loads(model: &Model, fraction: f64) -> Model {
    let mut copy = model.clone();
    copy.gravity = copy.gravity.map(|g| fraction * g);
    for force in &mut copy.forces {
        force.wrench = force.wrench.map(|x| fraction * x);
    }
    for load in &mut copy.loads {
        load.modal.iter_mut().for_each(|force| *force *= fraction);
        for point in &mut load.points {
            point.force = point.force.map(|x| fraction * x);
        }
    }
    copy
}

pub(super) fn newton(
    model: &Model,
    start: &State,
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    if !model.loops.is_empty() {
        return super::closed_equilibrium::newton(model, start, options);
    }
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let mut state = start.clone();
    let mut unheld = Vec::new();
    let (mut tangent, mut force, mut scale) = residual(model, &state, &free, None);
    if !scale.is_finite() || !is_finite(&tangent) || force.iter().any(|x| !x.is_finite()) {
        return Err(AnalysisError::NotFinite);
    }
    let mut size = relative(&force, scale);
    for iteration in 0..options.iterations {
        if size <= options.tolerance {
            return Ok(Equilibrium {
                state,
                residual: size,
                iterations: iteration,
                unheld,
                unstable: Vec::new(),
            });
        }
        let factors = Factors::new(&tangent);
        let step = factors.step(&force);
        unheld = factors.unheld(model, &free);
        // No more than about a third of a turn at once: near an upright pendulum the step would be many.
        let mut fraction = (2.0 / largest_turn(model, &free, &step).max(1e-300)).min(1.0);
        let accepted = loop {
            let trial = advance(model, &state, &free, &step, fraction);
            let (k, r, s) = residual(model, &trial, &free, None);
            let norm = relative(&r, s.max(scale));
            // Either the forces shrink or the next step does (Deuflhard's natural test): along a stiff
            // rod that turns, forces grow on the way to the solution.
            let closer = norm < size || factors.step(&r).amax() < (1.0 - 0.25 * fraction) * step.amax();
            // Rounding sets a floor: at the solution no step improves.
            if norm.is_finite() && is_finite(&k) && (closer || norm <= options.tolerance) {
                (state, tangent, force, scale, size) = (trial, k, r, s.max(scale), norm);
                break true;
            }
            fraction *= 0.5;
            if fraction < 1e-4 {
                break false;
            }
        };
        if !accepted {
            // Stalled at the floor of rounding counts as found.
            if size <= options.tolerance.max(1e-9) {
                return Ok(Equilibrium {
                    state,
                    residual: size,
                    iterations: iteration,
                    unheld,
                    unstable: Vec::new(),
                });
            }
            return Err(AnalysisError::NoEquilibrium { residual: size, iterations: iteration, unheld });
        }
    }
    Err(AnalysisError::NoEquilibrium { residual: size, iterations: options.iterations, unheld })
}

/// Coordinates with a large part in a direction along which the stiffness at an equilibrium is negative.
pub(super) fn unstable_coordinates(model: &Model, state: &State) -> Vec<String> {
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let (tangent, basis) = if model.loops.is_empty() {
        (residual(model, state, &free, None).0, DMatrix::identity(free.len(), free.len()))
    } else {
        super::closed_equilibrium::reduced_tangent(model, state, &free)
    };
    let Some((values, vectors)) = symmetric_part(&tangent) else { return Vec::new() };
    let limit = -NEGATIVE * values.amax();
    let mut names = Vec::new();
    for k in (0..values.len()).filter(|&k| values[k] < limit) {
        let direction = &basis * vectors.column(k);
        let large = (0..free.len()).filter(|&i| direction[i].abs() > 0.3 * direction.amax());
        for name in large.map(|i| coordinate_name(model, free[i])) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Largest turn of a joint in `step` (rad).
fn largest_turn(model: &Model, free: &[usize], step: &DVector<f64>) -> f64 {
    let mut turns = vec![false; model.speed_count()];
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for (speed, (_, unit, _)) in part.joint_v().zip(joint.joint.kind.speed_names()) {
            turns[speed] = *unit == "rad/s";
        }
    }
    let steps = free.iter().zip(step.iter()).filter(|(speed, _)| turns[**speed]);
    steps.fold(0.0_f64, |m, (_, x)| m.max(x.abs()))
}

fn relative(force: &DVector<f64>, scale: f64) -> f64 {
    force.amax() / scale.max(1e-30)
}

/// Tangent K, residual r over the free coordinates and the scale of forces; given reactions of the loops act too.
pub(super) fn residual(
    model: &Model,
    state: &State,
    free: &[usize],
    reactions: Option<&[f64]>,
) -> (DMatrix<f64>, DVector<f64>, f64) {
    let n = free.len();
    let mut tangent = DMatrix::zeros(n, n);
    let mut force = DVector::zeros(n);
    let mut probe = Probe::new(model, state);
    let mut inverse = InverseDynamics::<Number>::new(model);
    let mut rows = Constraints::<Number>::new(model);
    let still = vec![Number::ZERO; model.speed_count()];
    let directions: Vec<Direction> = free.iter().map(|&i| Direction::Increment(i)).collect();
    let mut scale = 0.0_f64;
    for (index, chunk) in directions.chunks(WIDTH).enumerate() {
        // Accelerations are not needed: a singular mass does not matter at rest.
        let _ = probe.evaluate(chunk);
        if let Some(reactions) = reactions {
            probe.react(&mut rows, reactions);
        }
        let work = &probe.work;
        let (kin, bodies) = (&work.motion.kinematics, &work.inertias);
        inverse_dynamics(model, kin, bodies, &still, &work.load.wrench, Terms::All, &mut inverse);
        for wrench in &inverse.joint_force {
            scale = wrench.iter().fold(scale, |m, x| m.max(x.value().abs()));
        }
        for (i, &speed) in free.iter().enumerate() {
            let r = inverse.generalized[speed] - work.load.generalized[speed];
            force[i] = r.value();
            scale = scale.max(work.load.generalized[speed].value().abs());
            for c in 0..chunk.len() {
                tangent[(i, index * WIDTH + c)] = r.eps[c];
            }
        }
    }
    (tangent, force, scale)
}

type Svd = nalgebra::SVD<f64, nalgebra::Dyn, nalgebra::Dyn>;

/// K, factorised: in triangles, or by singular values where it is singular; nothing where neither works.
enum Factors {
    Regular(nalgebra::LU<f64, nalgebra::Dyn, nalgebra::Dyn>),
    Singular(Svd, f64),
    Nothing,
}

impl Factors {
    fn new(tangent: &DMatrix<f64>) -> Self {
        let lu = tangent.clone().lu();
        let pivots = lu.u().diagonal();
        let smallest = pivots.iter().fold(f64::INFINITY, |m, x| m.min(x.abs()));
        if smallest > 1e-13 * tangent.amax() {
            return Self::Regular(lu);
        }
        let Some(svd) = singular_values(tangent.clone(), true, true) else { return Self::Nothing };
        let largest = svd.singular_values.max();
        Self::Singular(svd, largest)
    }

    /// K step = −force, least squares where K is singular.
    fn step(&self, force: &DVector<f64>) -> DVector<f64> {
        let found = match self {
            Self::Regular(lu) => lu.solve(&(-force)),
            Self::Singular(svd, largest) => svd.solve(&(-force), 1e-12 * largest).ok(),
            Self::Nothing => None,
        };
        found.unwrap_or_else(|| DVector::zeros(force.len()))
    }

    /// Coordinates with a large part in the null space of K.
    fn unheld(&self, model: &Model, free: &[usize]) -> Vec<String> {
        let Self::Singular(svd, largest) = self else { return Vec::new() };
        let Some(v) = &svd.v_t else { return Vec::new() };
        let mut names = Vec::new();
        for (row, &value) in svd.singular_values.iter().enumerate() {
            if value > 1e-12 * largest {
                continue;
            }
            for (i, &speed) in free.iter().enumerate() {
                let name = coordinate_name(model, speed);
                if v[(row, i)].abs() > 0.3 && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// `state` moved by `fraction` of `step` on the manifold.
fn advance(model: &Model, state: &State, free: &[usize], step: &DVector<f64>, fraction: f64) -> State {
    let mut moved = state.clone();
    move_free(model, &mut moved, free, &(step * fraction));
    moved
}
