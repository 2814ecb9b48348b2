//! What closed loops leave free: degrees of freedom by rank, dependent constraints, singular positions.
//!
//! The count of Grübler (speeds minus constraint rows) is wrong wherever rows
//! depend on each other; the rank of the Jacobian at a closed position is right,
//! except at a singular position, where it is lower than beside it. A small
//! step along every free direction, put back on the constraints, tells.

use super::{divided, prepare_at, project_position};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::model::closure::LoopJoint;
use crate::model::description::AlgorithmDescription;
use crate::state::State;
use crate::workspace::Workspace;

/// Size of the step beside the position (rad or m).
const STEP: f64 = 1e-3;
/// Length below which a direction counts as stopped by the constraints.
const STOPPED: f64 = 1e-7;

/// Rows above which no matrix over all of them is made: the assemblies of divide and conquer tell the rank.
const MOST_ROWS: usize = 1_000;

/// Degrees of freedom of a system with loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Speeds that are not prescribed: freedoms of the opened tree.
    pub tree_freedoms: usize,
    /// Constraint rows of all loops.
    pub constraints: usize,
    /// Independent constraint rows at this position.
    pub rank: usize,
    /// Freedoms by counting: tree freedoms minus rows (Grübler).
    pub counted: i64,
    /// Freedoms by rank.
    pub freedoms: usize,
    /// Joints with rows that follow from the others: (index of the loop, dependent rows).
    pub redundant: Vec<(usize, usize)>,
    /// Rank beside this position, where it is higher: the position is singular.
    pub regular_rank: Option<usize>,
}

/// The mobility of `model` at `state`, whose loops are closed.
pub fn mobility(model: &Model, state: &State) -> Result<Mobility, DynamicsError> {
    let mut work = Workspace::new(model);
    if model.constraint_count() > MOST_ROWS {
        let algorithm = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
        // One thread can always be had.
        let _ = work.choose(model, algorithm);
    }
    let dependent = dependent_at(model, state, &mut work)?;
    let rows = model.constraint_count();
    let rank = rows - dependent.len();
    let tree_freedoms = model.free_speed_count();
    let count = |joint: &LoopJoint| {
        let range = joint.row_range();
        dependent.partition_point(|&row| row < range.end)
            - dependent.partition_point(|&row| row < range.start)
    };
    let redundant: Vec<(usize, usize)> =
        model.loops.iter().enumerate().map(|(l, joint)| (l, count(joint))).filter(|&(_, n)| n > 0).collect();
    let beside = rank_beside(model, state, &mut work);
    Ok(Mobility {
        tree_freedoms,
        constraints: rows,
        rank,
        counted: tree_freedoms as i64 - rows as i64,
        // Rounding may pass for rank where no freedom is left.
        freedoms: tree_freedoms.saturating_sub(rank),
        redundant,
        regular_rank: beside.filter(|&beside| beside > rank),
    })
}

/// Rows that depend on others at `state`, in rising order.
fn dependent_at(model: &Model, state: &State, work: &mut Workspace) -> Result<Vec<usize>, DynamicsError> {
    let mut found = if work.divided.is_some() {
        divided::dependent_rows(model, state, work)?
    } else {
        prepare_at(model, state, work)?;
        work.closure.dependent_rows().to_vec()
    };
    found.sort_unstable();
    Ok(found)
}

/// Highest rank at closed positions a small step away.
fn rank_beside(model: &Model, state: &State, work: &mut Workspace) -> Option<usize> {
    let mut best = None;
    for direction in free_directions(model, state, work) {
        let mut moved = state.clone();
        crate::constraint::move_by(model, &mut moved, &direction);
        let closed = project_position(model, &mut moved, work).is_ok();
        if let (true, Ok(dependent)) = (closed, dependent_at(model, &moved, work)) {
            best = best.max(Some(model.constraint_count() - dependent.len()));
        }
    }
    best
}

/// Joint directions made compatible with the constraints, of length [`STEP`].
///
/// A rank that is higher anywhere nearby is higher along almost any direction: of many joints, a few mixtures
/// will do.
fn free_directions(model: &Model, state: &State, work: &mut Workspace) -> Vec<Vec<f64>> {
    let joints = model.layout.bodies.iter().flat_map(|part| part.joint_v());
    let free: Vec<usize> = joints.filter(|&i| !model.prescribed[i]).collect();
    let unit = |i: usize| {
        let mut out = vec![0.0; model.speed_count()];
        out[i] = 1.0;
        out
    };
    let mixture = |m: usize| {
        let mut out = vec![0.0; model.speed_count()];
        for (d, &i) in free.iter().enumerate() {
            out[i] = ((d * (2 * m + 1) + m) as f64 * 0.7548776662466927).fract() - 0.5;
        }
        out
    };
    let tried: Vec<Vec<f64>> = match free.len() {
        0..=12 => free.iter().map(|&i| unit(i)).collect(),
        _ => (1..=3).map(mixture).collect(),
    };
    tried.into_iter().filter_map(|direction| compatible(model, state, work, direction)).collect()
}

/// e − M⁻¹J*(J M⁻¹J*)⁺ J e, of length [`STEP`]; `None` where the constraints stop it.
fn compatible(
    model: &Model,
    state: &State,
    work: &mut Workspace,
    mut direction: Vec<f64>,
) -> Option<Vec<f64>> {
    if work.divided.is_some() {
        divided::make_compatible(model, state, work, &mut direction).ok()?;
    } else {
        let mut right: Vec<f64> =
            (0..model.constraint_count()).map(|row| work.closure.jacobian.times(row, &direction)).collect();
        work.closure.solve_reflected(&mut right);
        for (row, &x) in right.iter().enumerate() {
            work.closure.response.add_to(row, -x, &mut direction);
        }
    }
    let size = direction.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
    (size > STOPPED).then(|| direction.iter().map(|x| x * STEP / size).collect())
}
