//! The two sweeps over the assembly tree: assembly to the top, disassembly down.
//!
//! Source: Mukherjee & Anderson section 2.1 (hierarchic assembly and disassembly,
//! figure 2), roots by eqs 7-12: the handle of an anchored root moves with the
//! ground, [0; −g] for gravity (E10), whatever its joint; a free-floating system has
//! a joint to the ground that transmits nothing. Every node owns its bodies' slices,
//! so that children run at the same time with `rayon::join`. The operations and
//! their order are those of the tree: results do not depend on the number of threads.
//!
//! Time O(n/p + log n) on p threads, work O(n).

use super::Context;
use super::assembly_tree::{Kind, Node};
use super::element::{Interface, join, part};
use super::loops;
use super::parallel::both;
use super::run_inward::{run_inward, shown_to_carrier};
use super::run_outward::{from_carrier, run_outward};
use super::share::{Visit, visit};
use super::storage::{NodeState, Piece};
use crate::algorithm::inverse_dynamics::base_acceleration;
use crate::error::DynamicsError;
use crate::model::layout_of;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, rotate_back6};

/// Assembles the subtree of node `index`, whose states are `states`.
pub(super) fn assemble<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
) -> Result<(), DynamicsError> {
    let node = &context.tree.nodes[index];
    let Some((state, below)) = states.split_first_mut() else { return Ok(()) };
    match visit(context.roles, index, context.phase) {
        Visit::All => {}
        Visit::Nothing => return Ok(()),
        Visit::ChildrenOnly => {
            let (_, rest) = piece.split(&context.offsets[node.own_end]);
            return assemble_list(context, node.children.clone(), rest, below);
        }
    }
    match node.kind {
        Kind::Run | Kind::Bundle => {
            let (mut own, branches) = piece.split(&context.offsets[node.own_end]);
            assemble_list(context, node.children.clone(), branches, below)?;
            run_inward(context, node, &mut own, state, below, index + 1)?;
            loops::assemble_leaf(context, index, &own, state, below);
            Ok(())
        }
        Kind::Join | Kind::Sum | Kind::Split => {
            assemble_list(context, node.children.clone(), piece, below)?;
            let children = pair(context, node);
            let [left, right] = children.map(|child| &below[child - index - 1]);
            match node.kind {
                Kind::Join => join_states(context, node, left, right, state),
                Kind::Sum => {
                    state.shown_inertia = left.shown_inertia;
                    state.shown_inertia.accumulate(&right.shown_inertia);
                    state.shown_force = add6(&left.shown_force, &right.shown_force);
                }
                _ => {}
            }
            loops::assemble_pair(context, index, children, [left, right], state);
            Ok(())
        }
    }
    .inspect(|()| show_path(context, node, state))
}

/// A complete path on a carrier is also a branch: what it shows there.
fn show_path<S: Scalar>(context: &Context<'_, S>, node: &Node, state: &mut NodeState<S>) {
    if matches!(node.kind, Kind::Run | Kind::Join) && node.next.is_none() {
        let body = context.tree.order[node.start];
        let element = &state.element;
        (state.shown_inertia, state.shown_force) =
            shown_to_carrier(context, body, &element.inertia, &element.force);
    }
}

/// The two children of a join, sum or split.
fn pair<S>(context: &Context<'_, S>, node: &Node) -> [usize; 2] {
    let first = node.children.start;
    [context.tree.children[first], context.tree.children[first + 1]]
}

/// Assembles consecutive children, at the same time where allowed.
fn assemble_list<S: Scalar>(
    context: &Context<'_, S>,
    children: std::ops::Range<usize>,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
) -> Result<(), DynamicsError> {
    let tree = context.tree;
    if children.is_empty() {
        return Ok(());
    }
    let first = tree.children[children.start];
    let node = &tree.nodes[first];
    let (near_states, far_states) = states.split_at_mut(node.tree_end - first);
    let (near, far) = piece.split(&context.offsets[node.end]);
    let rest = children.start + 1..children.end;
    let parallel = context.parallel && !rest.is_empty();
    let (one, other) = both(
        parallel,
        || assemble(context, first, near, near_states),
        || assemble_list(context, rest, far, far_states),
    );
    one.and(other)
}

/// Element and interface of a join.
fn join_states<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    left: &NodeState<S>,
    right: &NodeState<S>,
    state: &mut NodeState<S>,
) {
    let [_, right_index] = pair(context, node);
    let body = context.tree.order[context.tree.nodes[right_index].start];
    let (free, count) = free_columns(context, body);
    state.interface = Interface::new(&free[..count], &right.element.inertia, &left.element.outer.compliance);
    join(&left.element, &right.element, &state.interface, node.next.is_some(), &mut state.element);
}

/// Joint columns of `body` that are not prescribed, and how many.
fn free_columns<S: Scalar>(context: &Context<'_, S>, body: usize) -> ([Spatial<S>; 6], usize) {
    let part = layout_of(context.model, body);
    let (mut free, mut count) = ([[S::ZERO; 6]; 6], 0);
    for (column, speed) in context.kin.subspace[part.joint()].iter().zip(part.joint_v()) {
        if !context.load.prescribed[speed] {
            free[count] = *column;
            count += 1;
        }
    }
    (free, count)
}

/// Acceleration of the ground that body `body` would have without joint motion.
pub(super) fn on_ground<S: Scalar>(context: &Context<'_, S>, body: usize) -> Spatial<S> {
    if context.mass_only {
        return [S::ZERO; 6];
    }
    rotate_back6(&context.kin.bodies[body].rotation, &base_acceleration(context.model))
}

/// Accelerations of the whole system, or of independent parts of it.
pub(super) fn disassemble_roots<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
) {
    let ground = |body: usize| on_ground(context, body);
    if context.tree.nodes[index].kind != Kind::Split {
        disassemble_branch(context, index, piece, states, &ground);
        return;
    }
    if visit(context.roles, index, context.phase) == Visit::Nothing {
        return;
    }
    let Some((state, below)) = states.split_first_mut() else { return };
    loops::find_forces(context, index, state, None, None);
    loops::hand_down(context, index, state, below);
    let [left, right] = pair(context, &context.tree.nodes[index]);
    let (near_states, far_states) = below.split_at_mut(right - left);
    let (near, far) = piece.split(&context.offsets[context.tree.nodes[left].end]);
    both(
        context.parallel,
        || disassemble_roots(context, left, near, near_states),
        || disassemble_roots(context, right, far, far_states),
    );
}

/// Accelerations of complete branches; `inherited` is the motion of their carrier.
fn disassemble_branch<S: Scalar, F: Fn(usize) -> Spatial<S> + Sync>(
    context: &Context<'_, S>,
    index: usize,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
    inherited: &F,
) {
    let node = &context.tree.nodes[index];
    let here = visit(context.roles, index, context.phase) != Visit::Nothing;
    // The force of a path on its carrier is needed here as well.
    if !here && !matches!(node.kind, Kind::Run | Kind::Join) {
        return;
    }
    let Some((state, below)) = states.split_first_mut() else { return };
    let first = context.tree.order[node.start];
    match node.kind {
        Kind::Bundle => {
            loops::find_branch_forces(context, index, state, first, || inherited(first));
            loops::act_on_leaf(context, index, state, &mut piece);
            run_outward(context, node, &mut piece, None, inherited);
        }
        Kind::Run | Kind::Join => {
            let acceleration = inherited(first);
            let element = &state.element;
            state.inner_force = add6(&element.inertia.apply(&acceleration), &element.force);
            if let Some([force, _]) = loops::of_open_rows(context, index, state) {
                state.inner_force = add6(&state.inner_force, &force);
            }
            disassemble(context, index, piece, states, &acceleration, None);
        }
        Kind::Sum | Kind::Split => {
            loops::find_branch_forces(context, index, state, first, || inherited(first));
            loops::hand_down(context, index, state, below);
            disassemble_list(context, node.children.clone(), piece, below, inherited);
        }
    }
}

fn disassemble_list<S: Scalar, F: Fn(usize) -> Spatial<S> + Sync>(
    context: &Context<'_, S>,
    children: std::ops::Range<usize>,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
    inherited: &F,
) {
    let tree = context.tree;
    if children.is_empty() {
        return;
    }
    let first = tree.children[children.start];
    let node = &tree.nodes[first];
    let (near_states, far_states) = states.split_at_mut(node.tree_end - first);
    let (near, far) = piece.split(&context.offsets[node.end]);
    let rest = children.start + 1..children.end;
    both(
        context.parallel && !rest.is_empty(),
        || disassemble_branch(context, first, near, near_states, inherited),
        || disassemble_list(context, rest, far, far_states, inherited),
    );
}

/// Accelerations of an assembly from that of its inboard handle and the force at its outboard one.
fn disassemble<S: Scalar>(
    context: &Context<'_, S>,
    index: usize,
    mut piece: Piece<'_, S>,
    states: &mut [NodeState<S>],
    acceleration: &Spatial<S>,
    outer_force: Option<&Spatial<S>>,
) {
    if visit(context.roles, index, context.phase) == Visit::Nothing {
        return;
    }
    let node = &context.tree.nodes[index];
    let Some((state, below)) = states.split_first_mut() else { return };
    loops::find_forces(context, index, state, Some(acceleration), outer_force);
    loops::hand_down(context, index, state, below);
    if node.kind != Kind::Join {
        let (mut own, branches) = piece.split(&context.offsets[node.own_end]);
        loops::act_on_leaf(context, index, state, &mut own);
        run_outward(context, node, &mut own, outer_force, &|_| *acceleration);
        let carried = |body: usize| {
            let parent = context.tree.carrier[context.tree.position[body]];
            from_carrier(context, &own, body, parent)
        };
        disassemble_list(context, node.children.clone(), branches, below, &carried);
        return;
    }
    let [left, right] = pair(context, node);
    let (near_states, far_states) = below.split_at_mut(right - left);
    let (near, far) = piece.split(&context.offsets[context.tree.nodes[left].end]);
    let (between, beyond) = {
        let (one, other) = (&near_states[0].element, &far_states[0].element);
        let near_rows = loops::of_open_rows(context, left, &near_states[0]);
        let far_rows = loops::of_open_rows(context, right, &far_states[0]);
        if near_rows.is_none() && far_rows.is_none() {
            part(one, other, &state.interface, acceleration, outer_force)
        } else {
            // Open rows act on the parts like known forces.
            let (mut one, mut other) = (*one, *other);
            let zero = [[S::ZERO; 6]; 2];
            one.outer.bias = add6(&one.outer.bias, &near_rows.unwrap_or(zero)[1]);
            other.force = add6(&other.force, &far_rows.unwrap_or(zero)[0]);
            part(&one, &other, &state.interface, acceleration, outer_force)
        }
    };
    near_states[0].inner_force = state.inner_force;
    far_states[0].inner_force = between;
    both(
        context.parallel,
        || disassemble(context, left, near, near_states, acceleration, Some(&between)),
        || disassemble(context, right, far, far_states, &beyond, outer_force),
    );
}
