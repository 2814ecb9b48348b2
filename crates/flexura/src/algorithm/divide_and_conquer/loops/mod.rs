//! Kinematic loops inside divide and conquer.
//!
//! Source: Mukherjee & Anderson assemble parts that share two joints by solving for both;
//! here every constraint row of a loop-closing joint (`model::closure`) is a further handle of
//! the assemblies that hold one of its ends, and is closed at the lowest assembly that holds
//! both (`columns`). Loops between neighbours so stay inside small assemblies: a chain of
//! loops costs O(n) work in O(log n) steps, without any matrix over all rows.
//!
//! | step | file |
//! |---|---|
//! | values, velocity terms and unit forces of all rows | `rows` |
//! | where rows are open and closed | `plan` |
//! | rows that end in a leaf | `leaf` |
//! | rows of two parts put together | `combine` |
//! | rows closed, rank-revealing | `columns` |
//! | positions and speeds put back by the same assemblies | `correct` |
//!
//! Rows with an end on the ground stay open up to the assembly that stands on the ground:
//! m anchors besides the roots cost O(m³) there. Of redundant rows the solution of least
//! norm within each assembly is taken: sums over redundant rows are determined, the share of
//! each is not. Rows and unit reactions use the inertial poses of the common pass.

mod columns;
mod combine;
mod correct;
mod leaf;
mod plan;
mod rows;

pub(super) use columns::Columns;
pub(crate) use correct::{Level, correct_loops, evaluate_loop_rows};
pub(super) use plan::{NodePlan, plans};
pub(super) use rows::Rows;

use super::assembly_tree::{Kind, Node};
use super::run_inward::shown_to_carrier;
use super::storage::{NodeState, Piece};
use super::{Context, DivideAndConquer, Par, solve};
use crate::algorithm::closure::LoopParts;
use crate::algorithm::closure::{apply_reactions, driver_power, find_driver_power};
use crate::error::DynamicsError;
use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, negate, rotate6, scale6, shift_motion};
use crate::state::State;

impl<S: Scalar> DivideAndConquer<S> {
    /// Rows of loops that depend on others at the last evaluation.
    pub fn dependent_rows(&self) -> &[usize] {
        &self.rows.dependent
    }

    /// The same after corrections, which leave them in the assemblies. Allocates.
    pub(crate) fn find_dependent(&self) -> Vec<usize> {
        let nodes = self.storage.nodes.iter().zip(&self.plans);
        let rows = nodes.filter_map(|(node, plan)| Some((node.loops.as_deref()?, plan.as_deref()?)));
        rows.flat_map(|(columns, plan)| columns.dependent(plan)).collect()
    }
}

/// Fills accelerations, driving forces and the reactions of all loops for the load of `work`.
///
/// Kinematics, poses and loads of `work` must be current. Multipliers go to `work.closure`, reactions are
/// added to `work.load`, as the closure on articulated bodies does.
#[doc(hidden)]
pub fn close_loops<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> Result<(), DynamicsError> {
    divided.rows.evaluate(model, state, work, par);
    solve(model, &work.motion.kinematics, work.inertias, work.load, false, true, divided, par)?;
    hand_over_forces(model, state, work, divided, None, par);
    divided.forces_stand = true;
    Ok(())
}

/// Multipliers and reactions of the rows just solved; `before` are multipliers whose reactions already act.
pub(super) fn hand_over_forces<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    before: Option<&[S]>,
    par: Par<'_>,
) {
    divided.rows.dependent.clear();
    for (node, plan) in divided.storage.nodes.iter().zip(&divided.plans) {
        let (Some(columns), Some(plan)) = (node.loops.as_deref(), plan.as_deref()) else { continue };
        for (&row, &force) in plan.rows.iter().zip(&columns.force).skip(plan.open) {
            work.closure.multipliers[row] = -force;
        }
        divided.rows.dependent.extend(columns.dependent(plan));
    }
    if par.divides(model) && model.loops.len() > rows::CHUNK {
        find_driver_power(model, (state.time, state.side), work.closure);
        let items = &divided.items;
        par.run(true, || items.react(model, work.motion, work.closure, work.load));
    } else {
        apply_reactions(model, (state.time, state.side), work);
    }
    if let Some(before) = before {
        for (multiplier, &kept) in work.closure.multipliers.iter_mut().zip(before) {
            *multiplier += kept;
        }
        let multipliers = &work.closure.multipliers;
        work.closure.driver_power = driver_power(model, state.time, state.side, multipliers);
    }
}

/// Leaves Φ̈ of the solution in `divided` as the bias of its rows; returns the largest.
pub(super) fn constraint_accelerations<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> f64 {
    // The solution takes the place of the system at rest.
    let (position, found) = (&divided.tree.position, &divided.storage.acceleration);
    for (slot, &at) in divided.rows.still.iter_mut().zip(position) {
        *slot = found[at];
    }
    for (slot, &x) in divided.rows.still_speeds.iter_mut().zip(&divided.chidot) {
        *slot = x;
    }
    divided.rows.evaluate(model, state, work, par);
    divided.rows.still.fill([S::ZERO; 6]);
    divided.rows.still_speeds.fill(S::ZERO);
    divided.rows.bias.iter().fold(0.0, |largest, x| {
        // A NaN must not hide in a maximum.
        if x.value().is_nan() { f64::INFINITY } else { largest.max(x.value().abs()) }
    })
}

/// The plan of node `index` where loops are to be closed.
pub(super) fn plan_of<'a, S>(context: &Context<'a, S>, index: usize) -> Option<&'a NodePlan> {
    context.rows?;
    context.plans.get(index)?.as_deref()
}

/// Scratch for the rows of every node that has some.
pub(super) fn allocate<S: Scalar>(
    model: &Model,
    tree: &super::AssemblyTree,
    plans: &[Option<Box<NodePlan>>],
    nodes: &mut [NodeState<S>],
) {
    for ((state, plan), node) in nodes.iter_mut().zip(plans).zip(&tree.nodes) {
        let Some(plan) = plan else { continue };
        let own = if matches!(node.kind, Kind::Run | Kind::Bundle) { node.start..node.own_end } else { 0..0 };
        let parts = || tree.order[own.clone()].iter().map(|&body| layout_of(model, body));
        let speeds = parts().map(|part| part.modes + part.joint_v).sum();
        let modes = parts().map(|part| part.modes).max().unwrap_or(0);
        state.loops = Some(Box::new(Columns::new(plan, speeds, modes)));
    }
}

/// Y of open row `a` of a complete branch, at its carrier.
fn shown_column<S: Scalar>(
    context: &Context<'_, S>,
    child: usize,
    columns: &Columns<S>,
    a: usize,
) -> Spatial<S> {
    let node = &context.tree.nodes[child];
    if matches!(node.kind, Kind::Bundle | Kind::Sum) {
        return columns.transfer[a];
    }
    shown_to_carrier(context, context.tree.order[node.start], &SymmetricSpatial::ZERO, &columns.transfer[a]).1
}

/// Rows of a run or bundle, after its bodies were eliminated.
pub(super) fn assemble_leaf<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    piece: &Piece<'_, S>,
    state: &mut NodeState<S>,
    branches: &[NodeState<S>],
) {
    let (Some(plan), Some(columns)) = (plan_of(context, index), state.loops.as_deref_mut()) else { return };
    let node = &context.tree.nodes[index];
    leaf::fill_leaf(context, node, plan, piece, columns, branches, index + 1);
    close(context, node, plan, state);
}

/// Rows of a join, sum or split, after its element.
pub(super) fn assemble_pair<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    children: [usize; 2],
    below: [&NodeState<S>; 2],
    state: &mut NodeState<S>,
) {
    let (Some(plan), Some(columns)) = (plan_of(context, index), state.loops.as_deref_mut()) else { return };
    let node = &context.tree.nodes[index];
    if node.kind == Kind::Join {
        combine::fill_join(below[0], below[1], &state.interface, plan, columns);
    } else {
        combine::fill_sum(context, children, below, node.kind, plan, columns);
    }
    close(context, node, plan, state);
}

/// Closes rows in what the node shows: its element, or inertia and force at its carrier.
fn close<S: Scalar>(context: &Context<'_, S>, node: &Node, plan: &NodePlan, state: &mut NodeState<S>) {
    let (Some(rows), Some(columns)) = (context.rows, state.loops.as_deref_mut()) else { return };
    if matches!(node.kind, Kind::Run | Kind::Join) {
        let element = &mut state.element;
        let outer = node.next.is_some().then_some(&mut element.outer);
        columns.close(plan, &rows.bias, &mut element.inertia, &mut element.force, outer);
    } else {
        columns.close(plan, &rows.bias, &mut state.shown_inertia, &mut state.shown_force, None);
    }
}

/// Forces of the rows closed at node `index`.
pub(super) fn find_forces<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    state: &mut NodeState<S>,
    inner: Option<&Spatial<S>>,
    outer: Option<&Spatial<S>>,
) {
    if let (Some(plan), Some(columns)) = (plan_of(context, index), state.loops.as_deref_mut()) {
        columns.find_forces(plan, inner, outer);
    }
}

/// The same for branches, whose inboard handle is the carrier of `body`; `before` is the motion `body` inherits.
pub(super) fn find_branch_forces<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    state: &mut NodeState<S>,
    body: usize,
    before: impl FnOnce() -> Spatial<S>,
) {
    if plan_of(context, index).is_none() {
        return;
    }
    let link = crate::algorithm::transfer::carrier(context.model, context.kin, body);
    let point = link.map(|link| {
        let motion = &context.kin.bodies[body];
        let lever = if link.influence.is_empty() { &motion.from_parent } else { &motion.from_node };
        shift_motion(&negate(lever), &rotate6(&motion.rotation, &before()))
    });
    find_forces(context, index, state, point.as_ref(), None);
}

/// Hands the forces of the rows of node `index` to its children.
pub(super) fn hand_down<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    state: &NodeState<S>,
    below: &mut [NodeState<S>],
) {
    let (Some(plan), Some(columns)) = (plan_of(context, index), state.loops.as_deref()) else { return };
    let children = &context.tree.children[context.tree.nodes[index].children.clone()];
    for (&child, map) in children.iter().zip(&plan.maps) {
        let Some(part) = below[child - index - 1].loops.as_deref_mut() else { continue };
        for (force, &slot) in part.force.iter_mut().zip(map) {
            *force = columns.force[slot];
        }
    }
}

/// Lets the forces of all rows act on the bodies of a leaf.
pub(super) fn act_on_leaf<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    state: &NodeState<S>,
    piece: &mut Piece<'_, S>,
) {
    if let (Some(_), Some(columns)) = (plan_of(context, index), state.loops.as_deref()) {
        leaf::act_on_leaf(context, &context.tree.nodes[index], piece, columns);
    }
}

/// Force at the inboard handle (Y G) and acceleration at the outboard one (−B G) that open rows cause.
pub(super) fn of_open_rows<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    state: &NodeState<S>,
) -> Option<[Spatial<S>; 2]> {
    let (plan, columns) = (plan_of(context, index)?, state.loops.as_deref()?);
    let mut sum = [[S::ZERO; 6]; 2];
    for a in 0..plan.open {
        let force = columns.force[a];
        sum[0] = add6(&sum[0], &scale6(force, &columns.transfer[a]));
        sum[1] = add6(&sum[1], &scale6(-force, &columns.cross[a]));
    }
    Some(sum)
}
