//! Rows of two assemblies put together.
//!
//! Source: the join of `element` with the rows of `columns` as further handles. With K =
//! (1 + P_B Ω_A)⁻¹ P_B, rows l of the inboard part A and r of the outboard part B:
//!
//! ```text
//! Y_l −= X_A K B_l           Y_r = X_A t_r          t_r = (1 − K Ω_A) Y_r
//! C_ll −= B_l* K B_l         C_lr = B_l* t_r        C_rr += Y_r* Ω_A t_r
//! B_l = X_B* (1 − Ω_A K) B_l                        B_r += X_B* Ω_A t_r
//! d_l −= B_l* f₀             d_r += Y_r* α₀
//! ```
//!
//! (f₀, α₀: force and acceleration between the parts when nothing else acts). A row with
//! ends in both parts gets the sum. Branches of one carrier, and parts that have
//! only the ground in common, do not respond to each other. Cost O(w²).
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.15).

use super::columns::Columns;
use super::plan::NodePlan;
use super::shown_column;
use crate::algorithm::divide_and_conquer::Context;
use crate::algorithm::divide_and_conquer::assembly_tree::Kind;
use crate::algorithm::divide_and_conquer::element::{Interface, times, transposed_times};
use crate::algorithm::divide_and_conquer::storage::NodeState;
use crate::algorithm::divide_and_conquer::sweep::on_ground;
use crate::scalar::Scalar;
use crate::spatial::{add6, dot6, sub6};

/// Fills the rows of a join from those of its parts.
pub(super) fn fill_join<S: Scalar>(
    left: &NodeState<S>,
    right: &NodeState<S>,
    interface: &Interface<S>,
    plan: &NodePlan,
    columns: &mut Columns<S>,
) {
    columns.clear();
    let (near, far) = (&left.element.outer, &right.element.outer);
    let (none, w, inner) = ([S::ZERO; 6], columns.bias.len(), &plan.maps[0]);
    let gap = sub6(&near.bias, &near.compliance.apply(&right.element.force));
    let between = interface.react(&right.element.force, &gap);
    let rest = sub6(&near.bias, &near.compliance.apply(&between));
    if let Some(part) = left.loops.as_deref() {
        for (a, &slot) in inner.iter().enumerate() {
            let reaction = interface.react(&none, &part.cross[a]);
            let own = sub6(&part.transfer[a], &times(&near.transfer, &reaction));
            let moved = sub6(&part.cross[a], &near.compliance.apply(&reaction));
            columns.pairs[a] = [reaction, moved];
            columns.transfer[slot] = add6(&columns.transfer[slot], &own);
            columns.cross[slot] = add6(&columns.cross[slot], &transposed_times(&far.transfer, &moved));
            columns.bias[slot] += part.bias[a] - dot6(&part.cross[a], &between);
            columns.reference[slot] += part.reference[a];
            for (b, &other) in inner.iter().enumerate() {
                let loss = dot6(&part.cross[b], &reaction);
                columns.compliance[slot * w + other] += part.compliance[a * part.bias.len() + b] - loss;
            }
        }
    }
    let Some(part) = right.loops.as_deref() else { return };
    for (a, &slot) in plan.maps[1].iter().enumerate() {
        let y = &part.transfer[a];
        let moved = interface.react(&none, &near.compliance.apply(y));
        let passed = sub6(y, &moved);
        let response = near.compliance.apply(&passed);
        columns.pairs[inner.len() + a] = [passed, response];
        columns.transfer[slot] = add6(&columns.transfer[slot], &times(&near.transfer, &passed));
        let cross = add6(&part.cross[a], &transposed_times(&far.transfer, &response));
        columns.cross[slot] = add6(&columns.cross[slot], &cross);
        columns.bias[slot] += part.bias[a] + dot6(y, &rest);
        columns.reference[slot] += part.reference[a] + dot6(y, &response);
        for (b, &other) in plan.maps[1].iter().enumerate() {
            let gain = dot6(&part.transfer[b], &response);
            columns.compliance[slot * w + other] += part.compliance[a * part.bias.len() + b] + gain;
        }
        for (b, &other) in inner.iter().enumerate() {
            let mutual = dot6(&columns.pairs[b][1], y);
            columns.compliance[slot * w + other] += mutual;
            columns.compliance[other * w + slot] += mutual;
        }
    }
}

/// Fills the rows of parts that do not respond to each other: branches of one carrier or of the ground.
pub(super) fn fill_sum<S: Scalar>(
    context: &Context<'_, S>,
    children: [usize; 2],
    states: [&NodeState<S>; 2],
    kind: Kind,
    plan: &NodePlan,
    columns: &mut Columns<S>,
) {
    columns.clear();
    let w = columns.bias.len();
    for ((child, state), map) in children.into_iter().zip(states).zip(&plan.maps) {
        let Some(part) = state.loops.as_deref() else { continue };
        let node = &context.tree.nodes[child];
        for (a, &slot) in map.iter().enumerate() {
            columns.bias[slot] += part.bias[a];
            if kind == Kind::Sum {
                let shown = shown_column(context, child, part, a);
                columns.transfer[slot] = add6(&columns.transfer[slot], &shown);
            } else if matches!(node.kind, Kind::Run | Kind::Join) {
                // The motion of the ground is known; bundles have it already.
                let ground = on_ground(context, context.tree.order[node.start]);
                columns.bias[slot] += dot6(&part.transfer[a], &ground);
            }
            columns.reference[slot] += part.reference[a];
            for (b, &other) in map.iter().enumerate() {
                columns.compliance[slot * w + other] += part.compliance[a * part.bias.len() + b];
            }
        }
    }
}
