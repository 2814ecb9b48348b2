//! Rows that end on the bodies of a leaf, or in branches that it takes up.
//!
//! A unit force of a row is carried inward through the factors that the elimination
//! of the leaf left (symbols in `run_inward`), from its body to the inboard handle:
//!
//! ```text
//! V = L⁻¹ Y_f,  Y −= W* V,  d += V* y;   r = H Y,  d += Y* a + r* ν,  Y −= U D⁻¹ r
//! C += V* V + r* D⁻¹ r,   B += V_g* V + r_g* D⁻¹ r     (g: the outboard handle)
//! ```
//!
//! On the way outward the forces G change what the leaf would do without them:
//! y −= V G, ν −= D⁻¹ r G. Cost per row: about 60 products per body between its ends and
//! the handle, and the products of all pairs of rows over the speeds of the leaf.

use super::columns::Columns;
use super::plan::NodePlan;
use super::shown_column;
use crate::algorithm::divide_and_conquer::Context;
use crate::algorithm::divide_and_conquer::assembly_tree::{GROUND, Kind, Node};
use crate::algorithm::divide_and_conquer::run_inward::slots;
use crate::algorithm::divide_and_conquer::storage::{NodeState, Offsets, Piece};
use crate::algorithm::divide_and_conquer::sweep::on_ground;
use crate::algorithm::transfer::{Carrier, carrier};
use crate::linear::{solve_lower, solve_lower_transposed};
use crate::model::layout_of;
use crate::motion::kinematics::referred_influence;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot6, rotate6, scale6, shift_force, sub6};

/// Square of the share of a unit force that counts as acting on a joint whatever it does there. A row that moves nothing, such as
/// one out of the plane of a plane loop, acts by rounding; beside this share that is below the tolerance of the rank from 1e-12 on.
const ROUNDING: f64 = 1e-13;

/// Fills the rows of a leaf from its own bodies and its branches.
pub(super) fn fill_leaf<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    plan: &NodePlan,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
    branches: &[NodeState<S>],
    first: usize,
) {
    columns.clear();
    let Some(rows) = context.rows else { return };
    for end in &plan.ends {
        let body = context.tree.order[end.position];
        let (at_point, index) = rows.ends[end.row][end.side];
        let influence = referred_influence(context.model, context.kin, body, index);
        for (slot, column) in columns.modal.iter_mut().zip(influence) {
            *slot = dot6(column, &at_point);
        }
        let point = layout_of(context.model, body).attachment + index;
        let y = shift_force(&context.kin.attachments[point].state.position, &at_point);
        carry_inward(context, node, piece, columns, end.slot, end.position, y, !influence.is_empty());
    }
    for (&child, map) in context.tree.children[node.children.clone()].iter().zip(&plan.maps) {
        if let Some(below) = branches[child - first].loops.as_deref() {
            take_up_rows(context, node, piece, columns, child, below, map);
        }
    }
    add_products(context, node, piece, columns);
}

/// Open rows of a branch.
fn take_up_rows<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
    child: usize,
    below: &Columns<S>,
    map: &[usize],
) {
    let tree = context.tree;
    let start = tree.nodes[child].start;
    let Some(link) = carrier(context.model, context.kin, tree.order[start]) else { return };
    let (w, inner) = (columns.bias.len(), below.bias.len());
    for (a, &slot) in map.iter().enumerate() {
        let (y, deforms) = onto_carrier(&link, shown_column(context, child, below, a), &mut columns.modal);
        carry_inward(context, node, piece, columns, slot, tree.carrier[start], y, deforms);
        columns.bias[slot] += below.bias[a];
        columns.reference[slot] += below.reference[a];
        for (b, &other) in map.iter().enumerate() {
            columns.compliance[slot * w + other] += below.compliance[a * inner + b];
        }
    }
}

/// A force at the attachment point as modal forces (in `modal`) and force at the frame of the carrier.
fn onto_carrier<S: Scalar>(link: &Carrier<'_, S>, y: Spatial<S>, modal: &mut [S]) -> (Spatial<S>, bool) {
    if link.influence.is_empty() {
        return (y, false);
    }
    for (slot, column) in modal.iter_mut().zip(link.influence) {
        *slot = dot6(column, &y);
    }
    (link.lever.map_or(y, |l| shift_force(&l, &y)), true)
}

/// Carries the force `y` on the body at `position` to the inboard handle; `deforms`: `columns.modal` acts too.
fn carry_inward<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
    slot: usize,
    position: usize,
    mut y: Spatial<S>,
    mut deforms: bool,
) {
    let (mut i, tree) = (position, context.tree);
    loop {
        let (body, at) = (tree.order[i], slots(context, piece, i));
        if deforms {
            pass_modes(context, piece, columns, slot, body, &at, &mut y);
        }
        pass_joint(context, piece, columns, slot, body, &at, &mut y);
        let parent = tree.carrier[i];
        if node.kind == Kind::Run && i == node.start {
            columns.transfer[slot] = add6(&columns.transfer[slot], &y);
            return;
        }
        let Some(link) = carrier(context.model, context.kin, body) else {
            columns.bias[slot] += dot6(&y, &on_ground(context, body));
            return;
        };
        let motion = &context.kin.bodies[body];
        let lever = if link.influence.is_empty() { &motion.from_parent } else { &motion.from_node };
        y = shift_force(lever, &rotate6(&motion.rotation, &y));
        if parent == GROUND || parent < node.start || parent > i {
            columns.transfer[slot] = add6(&columns.transfer[slot], &y);
            return;
        }
        (y, deforms) = onto_carrier(&link, y, &mut columns.modal);
        i = parent;
    }
}

fn pass_modes<S: Scalar>(
    context: &Context<'_, S>,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
    slot: usize,
    body: usize,
    at: &Offsets,
    y: &mut Spatial<S>,
) {
    let n = layout_of(context.model, body).modes;
    let start = slot * piece.chidot.len() + at.speed;
    solve_lower(&piece.modal[at.modal_square..at.modal_square + n * n], n, &mut columns.modal[..n]);
    for r in 0..n {
        let v = columns.modal[r];
        *y = sub6(y, &scale6(v, &piece.coupling[at.modal + r]));
        columns.bias[slot] += v * piece.modal_force[at.modal + r];
        columns.reference[slot] += v * v;
        columns.response[start + r] += v;
        columns.scaled[start + r] += v;
    }
}

fn pass_joint<S: Scalar>(
    context: &Context<'_, S>,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
    slot: usize,
    body: usize,
    at: &Offsets,
    y: &mut Spatial<S>,
) {
    let part = layout_of(context.model, body);
    let (load, first, d) = (context.load, part.v + part.modes, part.joint_v);
    let start = slot * piece.chidot.len() + at.speed + part.modes;
    let subspace = &context.kin.subspace[part.joint()];
    let (mut values, mut free, mut m) = ([S::ZERO; 6], [0; 6], 0);
    let mut given = [S::ZERO; 6];
    if !context.mass_only {
        given = context.kin.bodies[body].bias;
    }
    for i in 0..d {
        let r = dot6(&subspace[i], y);
        columns.response[start + i] += r;
        if !load.prescribed[first + i] {
            values[m] = r;
            free[m] = i;
            m += 1;
            columns.bias[slot] += r * piece.innovation[at.joint + i];
        } else if !context.mass_only {
            given = add6(&given, &scale6(load.acceleration[first + i], &subspace[i]));
        }
    }
    columns.bias[slot] += dot6(y, &given);
    let (raw, size) = (values, S::from_f64(ROUNDING) * dot6(y, y));
    if d == 1 && m == 1 {
        values[0] = values[0] * piece.joint_factor[at.joint_square];
    } else {
        let factor = &piece.joint_factor[at.joint_square..at.joint_square + m * m];
        solve_lower(factor, m, &mut values[..m]);
        solve_lower_transposed(factor, m, &mut values[..m]);
    }
    for a in 0..m {
        *y = sub6(y, &scale6(values[a], &piece.gain[at.joint + free[a]]));
        columns.scaled[start + free[a]] += values[a];
        let pivot = piece.joint_factor[at.joint_square + a * (m + 1)];
        let inverse = if d == 1 && m == 1 { pivot } else { pivot * pivot };
        columns.reference[slot] += raw[a] * values[a] + size * inverse;
    }
    if m == 6 {
        *y = [S::ZERO; 6];
    }
}

/// C and B from the responses of the leaf's speeds.
fn add_products<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &Piece<'_, S>,
    columns: &mut Columns<S>,
) {
    let (w, speeds) = (columns.bias.len(), piece.chidot.len());
    for a in 0..w {
        for b in 0..=a {
            let one = &columns.response[a * speeds..(a + 1) * speeds];
            let other = &columns.scaled[b * speeds..(b + 1) * speeds];
            let mut sum = S::ZERO;
            for (&x, &y) in one.iter().zip(other) {
                sum += x * y;
            }
            columns.compliance[a * w + b] += sum;
            if a != b {
                columns.compliance[b * w + a] += sum;
            }
        }
    }
    if node.next.is_none() || node.kind != Kind::Run {
        return;
    }
    for i in (node.start..node.own_end).filter(|&i| context.tree.on_path[i]) {
        let (part, at) = (layout_of(context.model, context.tree.order[i]), slots(context, piece, i));
        let modal = piece.outer_modal[at.modal..at.modal + part.modes].iter();
        let handle = modal.chain(&piece.outer_joint[at.joint..at.joint + part.joint_v]);
        for (k, row) in handle.enumerate() {
            for a in 0..w {
                let x = columns.scaled[a * speeds + at.speed + k];
                columns.cross[a] = add6(&columns.cross[a], &scale6(x, row));
            }
        }
    }
}

/// Puts the forces of all rows into the innovations of the leaf.
pub(super) fn act_on_leaf<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &mut Piece<'_, S>,
    columns: &Columns<S>,
) {
    let speeds = piece.chidot.len();
    for i in node.start..node.own_end {
        let (part, at) = (layout_of(context.model, context.tree.order[i]), slots(context, piece, i));
        for (a, &force) in columns.force.iter().enumerate() {
            let start = a * speeds + at.speed;
            for r in 0..part.modes {
                piece.modal_force[at.modal + r] -= columns.response[start + r] * force;
            }
            for k in 0..part.joint_v {
                let slot = start + part.modes + k;
                if context.load.prescribed[part.v + part.modes + k] {
                    // The driving force counts what acts beside it.
                    piece.innovation[at.joint + k] += columns.response[slot] * force;
                } else {
                    piece.innovation[at.joint + k] -= columns.scaled[slot] * force;
                }
            }
        }
    }
}
