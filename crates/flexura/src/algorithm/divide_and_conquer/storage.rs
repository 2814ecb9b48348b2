//! Scratch in the order of elimination, cut into pieces that tasks own.
//!
//! The bodies of every assembly are consecutive positions, so that a part of the
//! system is one slice of each vector and parts can be worked on at the same time
//! without locks or shared writes.
//!
//! | name | meaning (see `run_inward`) |
//! |---|---|
//! | `gain` | U = P H*, per joint speed |
//! | `outer_joint` | H X, response of the joint to the outboard force |
//! | `joint_factor` | Cholesky factor of H P H* over free columns, or the reciprocal of a single one |
//! | `innovation` | ν of free columns, H z of prescribed ones |
//! | `coupling`, `modal`, `modal_force` | W = L⁻¹ P_fr, L, y = L⁻¹ ε_f |
//! | `outer_modal` | L⁻¹ X_f |

use super::assembly_tree::{AssemblyTree, Kind};
use super::element::{Element, Interface};
use super::loops::Columns;
use super::prefactored::Series;
use super::share::{Share, put, take};
use crate::error::DynamicsError;
use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial};

/// First entries of a position in the vectors of [`Storage`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offsets {
    pub body: usize,
    pub speed: usize,
    pub joint: usize,
    pub joint_square: usize,
    pub modal: usize,
    pub modal_square: usize,
    pub pending: usize,
}

/// Offsets of all positions, and the totals at the end.
pub(super) fn offsets(model: &Model, tree: &AssemblyTree) -> Vec<Offsets> {
    let mut depth = vec![0; tree.order.len()];
    for node in tree.nodes.iter().filter(|node| matches!(node.kind, Kind::Run | Kind::Bundle)) {
        // Every nested branch at least halves the bodies left.
        depth[node.start] = (node.own_end - node.start).ilog2() as usize + 2;
    }
    let mut at = Offsets::default();
    let mut list = Vec::with_capacity(tree.order.len() + 1);
    for (&body, depth) in tree.order.iter().zip(depth) {
        list.push(at);
        let part = layout_of(model, body);
        at.body += 1;
        at.speed += part.modes + part.joint_v;
        at.joint += part.joint_v;
        at.joint_square += part.joint_v * part.joint_v;
        at.modal += part.modes;
        at.modal_square += part.modes * part.modes;
        at.pending += depth;
    }
    list.push(at);
    list
}

/// Inertia and force shown to a body by what it carries, while they are being summed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending<S> {
    /// Position of the body.
    pub carrier: usize,
    pub inertia: SymmetricSpatial<S>,
    pub force: Spatial<S>,
    /// Whether the modal blocks of the body are already in the storage.
    pub modal_ready: bool,
}

/// Results of one node of the assembly tree.
#[derive(Clone, Debug)]
pub(super) struct NodeState<S> {
    pub element: Element<S>,
    pub interface: Interface<S>,
    /// What complete branches show to their carrier, in its axes.
    pub shown_inertia: SymmetricSpatial<S>,
    pub shown_force: Spatial<S>,
    /// Force at the inboard handle.
    pub inner_force: Spatial<S>,
    /// Constraint rows of loops with an end inside.
    pub loops: Option<Box<Columns<S>>>,
}

/// All vectors, in the order of elimination.
#[derive(Clone, Debug)]
pub(super) struct Storage<S> {
    pub acceleration: Vec<Spatial<S>>,
    pub chidot: Vec<S>,
    pub driving: Vec<S>,
    pub gain: Vec<Spatial<S>>,
    pub outer_joint: Vec<Spatial<S>>,
    pub joint_factor: Vec<S>,
    pub innovation: Vec<S>,
    pub coupling: Vec<Spatial<S>>,
    pub outer_modal: Vec<Spatial<S>>,
    pub modal: Vec<S>,
    pub modal_force: Vec<S>,
    pub pending: Vec<Pending<S>>,
    /// One per position where some modes are factorised beforehand; empty otherwise.
    pub series: Vec<Series<S>>,
    pub nodes: Vec<NodeState<S>>,
}

impl<S: Scalar> Storage<S> {
    pub fn new(total: &Offsets, nodes: usize, series: bool) -> Self {
        let zero6 = [S::ZERO; 6];
        let pending =
            Pending { carrier: 0, inertia: SymmetricSpatial::ZERO, force: zero6, modal_ready: false };
        let node = NodeState {
            element: Element::ZERO,
            interface: Interface::ZERO,
            shown_inertia: SymmetricSpatial::ZERO,
            shown_force: zero6,
            inner_force: zero6,
            loops: None,
        };
        Self {
            acceleration: vec![zero6; total.body],
            chidot: vec![S::ZERO; total.speed],
            driving: vec![S::ZERO; total.speed],
            gain: vec![zero6; total.joint],
            outer_joint: vec![zero6; total.joint],
            joint_factor: vec![S::ZERO; total.joint_square],
            innovation: vec![S::ZERO; total.joint],
            coupling: vec![zero6; total.modal],
            outer_modal: vec![zero6; total.modal],
            modal: vec![S::ZERO; total.modal_square],
            modal_force: vec![S::ZERO; total.modal],
            pending: vec![pending; total.pending],
            series: vec![Series::ZERO; if series { total.body } else { 0 }],
            nodes: vec![node; nodes],
        }
    }

    /// Everything as one piece.
    pub fn whole(&mut self) -> Piece<'_, S> {
        Piece {
            base: Offsets::default(),
            acceleration: &mut self.acceleration,
            chidot: &mut self.chidot,
            driving: &mut self.driving,
            gain: &mut self.gain,
            outer_joint: &mut self.outer_joint,
            joint_factor: &mut self.joint_factor,
            innovation: &mut self.innovation,
            coupling: &mut self.coupling,
            outer_modal: &mut self.outer_modal,
            modal: &mut self.modal,
            modal_force: &mut self.modal_force,
            pending: &mut self.pending,
            series: &mut self.series,
        }
    }
}

/// The vectors of consecutive positions.
pub(super) struct Piece<'a, S> {
    pub base: Offsets,
    pub acceleration: &'a mut [Spatial<S>],
    pub chidot: &'a mut [S],
    pub driving: &'a mut [S],
    pub gain: &'a mut [Spatial<S>],
    pub outer_joint: &'a mut [Spatial<S>],
    pub joint_factor: &'a mut [S],
    pub innovation: &'a mut [S],
    pub coupling: &'a mut [Spatial<S>],
    pub outer_modal: &'a mut [Spatial<S>],
    pub modal: &'a mut [S],
    pub modal_force: &'a mut [S],
    pub pending: &'a mut [Pending<S>],
    pub series: &'a mut [Series<S>],
}

impl<S> Piece<'_, S> {
    /// Positions before and from `at` on.
    pub fn split(&mut self, at: &Offsets) -> (Piece<'_, S>, Piece<'_, S>) {
        let base = self.base;
        let (acceleration, acceleration_b) = self.acceleration.split_at_mut(at.body - base.body);
        let (chidot, chidot_b) = self.chidot.split_at_mut(at.speed - base.speed);
        let (driving, driving_b) = self.driving.split_at_mut(at.speed - base.speed);
        let (gain, gain_b) = self.gain.split_at_mut(at.joint - base.joint);
        let (outer_joint, outer_joint_b) = self.outer_joint.split_at_mut(at.joint - base.joint);
        let (joint_factor, joint_factor_b) =
            self.joint_factor.split_at_mut(at.joint_square - base.joint_square);
        let (innovation, innovation_b) = self.innovation.split_at_mut(at.joint - base.joint);
        let (coupling, coupling_b) = self.coupling.split_at_mut(at.modal - base.modal);
        let (outer_modal, outer_modal_b) = self.outer_modal.split_at_mut(at.modal - base.modal);
        let (modal, modal_b) = self.modal.split_at_mut(at.modal_square - base.modal_square);
        let (modal_force, modal_force_b) = self.modal_force.split_at_mut(at.modal - base.modal);
        let (pending, pending_b) = self.pending.split_at_mut(at.pending - base.pending);
        let count = self.series.len();
        let (series, series_b) = self.series.split_at_mut(count.min(at.body - base.body));
        let near = Piece {
            base,
            acceleration,
            chidot,
            driving,
            gain,
            outer_joint,
            joint_factor,
            innovation,
            coupling,
            outer_modal,
            modal,
            modal_force,
            pending,
            series,
        };
        let far = Piece {
            base: *at,
            acceleration: acceleration_b,
            chidot: chidot_b,
            driving: driving_b,
            gain: gain_b,
            outer_joint: outer_joint_b,
            joint_factor: joint_factor_b,
            innovation: innovation_b,
            coupling: coupling_b,
            outer_modal: outer_modal_b,
            modal: modal_b,
            modal_force: modal_force_b,
            pending: pending_b,
            series: series_b,
        };
        (near, far)
    }
}

fn entries<S>(matrix: &SymmetricSpatial<S>) -> impl Iterator<Item = &S> {
    matrix.angular.iter().chain(matrix.coupling.iter().flatten()).chain(&matrix.linear)
}

fn entries_mut<S>(matrix: &mut SymmetricSpatial<S>) -> impl Iterator<Item = &mut S> {
    let SymmetricSpatial { angular, coupling, linear } = matrix;
    angular.iter_mut().chain(coupling.iter_mut().flatten()).chain(linear)
}

/// Handle equations, what is shown to a carrier, and whether there are any.
const NODE_NUMBERS: usize = 118;

/// Results of all pieces to everybody; fails on all ranks where one has failed.
pub(super) fn exchange<S: Scalar>(
    share: &mut Share,
    own: Result<(), DynamicsError>,
    nodes: &mut [NodeState<S>],
) -> Result<(), DynamicsError> {
    let mut failed = None;
    share.exchange_pieces(
        NODE_NUMBERS,
        &mut (nodes, &mut failed),
        |(nodes, _), piece, out| {
            let NodeState { element, shown_inertia, shown_force, .. } = &nodes[piece.node];
            let Element { inertia, force, outer } = element;
            let far = outer.transfer.iter().flatten().chain(entries(&outer.compliance));
            let near = entries(inertia).chain(force).chain(far).chain(&outer.bias);
            put(&mut out[1..], near.chain(entries(shown_inertia)).chain(shown_force));
            out[0] = if own.is_ok() { 0.0 } else { 1.0 };
        },
        |(nodes, failed), piece, numbers| {
            if numbers[0] != 0.0 {
                failed.get_or_insert(piece.owner);
            }
            let NodeState { element, shown_inertia, shown_force, .. } = &mut nodes[piece.node];
            let Element { inertia, force, outer } = element;
            let far = outer.transfer.iter_mut().flatten().chain(entries_mut(&mut outer.compliance));
            let near = entries_mut(inertia).chain(force).chain(far).chain(&mut outer.bias);
            take(&numbers[1..], near.chain(entries_mut(shown_inertia)).chain(shown_force));
        },
    );
    share.check()?;
    own?;
    failed.map_or(Ok(()), |rank| Err(DynamicsError::Elsewhere { rank }))
}
