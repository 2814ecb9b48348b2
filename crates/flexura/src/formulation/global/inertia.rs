//! Inertia of one body in its frame and modal coordinates, and the force of its own motion.
//!
//! With X = [r₀ u v w] and modal coordinates η the kinetic energy is
//! T = ½ Ẋ G : Ẋ + Σ_r (N_r : Ẋ) η̇_r + ½ η̇*Mη̇. G is the 4×4 matrix of the moments
//! (m, c; c, S) of the mass, N_r pulls the frame when mode r accelerates. Because
//! X is linear in the coordinates, a rigid body has constant inertia and no
//! velocity forces at all. Four routes for flexible bodies: `Gram`
//! (carriers and a linear body, M changes with η), `Invariants` (coefficients of a polynomial in η, independent of the number of nodes) and
//! `Nodal` (sums over the nodes at every evaluation, B*M_FEM B of Lugrís et al. 2007,
//! eqs 13-15, with the nodes' rotary inertia carried exactly; book/src/theory/errata.md says why), `Assembled` (the same
//! product with the assembled mass matrix of the elements).

use super::assembled::AssembledInertia;
use super::frame::{Frame, NO_FRAME, contract, times};
use super::gram::GramCarriers;
use super::invariants::Invariants;
use super::nodal::NodalInertia;
use crate::model::Body;
use crate::model::body::MassNode;
use crate::model::description::InertiaLevel;
use crate::model::invariants::ModalInvariants;
use crate::model::nodal_mass::NodalMass;
use crate::spatial::{Matrix3, Vector3, add, matrix_product, skew};
use std::sync::Arc;

/// How inertia is computed for flexible bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InertiaRoute {
    /// By the level of the body: `gram` and `consistent` from their sums, `full` from nodes.
    #[default]
    ByLevel,
    /// Preprocessed invariants.
    Invariants,
    /// Sums over the nodes at every evaluation.
    Nodal,
    /// Products with the assembled mass matrix of the elements at every evaluation.
    Assembled,
}

/// How the inertia of a body is evaluated.
#[derive(Clone, Debug)]
pub(super) enum BodyInertia {
    /// Constant.
    Rigid,
    Gram(GramCarriers),
    Invariants(Invariants),
    Nodal(NodalInertia),
    Assembled(AssembledInertia),
}

/// Inertia of one body at one instant.
#[derive(Clone, Debug)]
pub(super) struct InertiaWork {
    /// Moments of the mass.
    pub g: [[f64; 4]; 4],
    /// N_r.
    pub coupling: Vec<Frame>,
    /// M, row-major.
    pub modal: Vec<f64>,
    /// Force on the frame that keeps Ẍ = 0, η̈ = 0.
    pub bias: Frame,
    /// Modal part of the same.
    pub bias_modal: Vec<f64>,
}

/// Motion of a body.
pub(super) struct Motion<'a> {
    pub frame: &'a Frame,
    pub rate: &'a Frame,
    pub eta: &'a [f64],
    pub eta_rate: &'a [f64],
}

impl InertiaWork {
    /// Room for `modes` modes.
    pub fn new(modes: usize) -> Self {
        Self {
            g: [[0.0; 4]; 4],
            coupling: vec![NO_FRAME; modes],
            modal: vec![0.0; modes * modes],
            bias: NO_FRAME,
            bias_modal: vec![0.0; modes],
        }
    }

    /// Force on the frame for accelerations Ẍ and η̈, bias included.
    pub fn frame_force(&self, acceleration: &Frame, eta_second: &[f64]) -> Frame {
        let mut force = times(acceleration, &self.g);
        super::frame::accumulate(&mut force, 1.0, &self.bias);
        for (n, &second) in self.coupling.iter().zip(eta_second) {
            super::frame::accumulate(&mut force, second, n);
        }
        force
    }

    /// Modal force r for the same.
    pub fn modal_force(&self, r: usize, acceleration: &Frame, eta_second: &[f64]) -> f64 {
        let row = &self.modal[r * eta_second.len()..(r + 1) * eta_second.len()];
        let own: f64 = row.iter().zip(eta_second).map(|(m, a)| m * a).sum();
        contract(&self.coupling[r], acceleration) + own + self.bias_modal[r]
    }

    /// Kinetic energy (J).
    pub fn kinetic_energy(&self, rate: &Frame, eta_rate: &[f64]) -> f64 {
        let n = eta_rate.len();
        let mut twice = contract(&times(rate, &self.g), rate);
        for r in 0..n {
            twice += 2.0 * eta_rate[r] * contract(&self.coupling[r], rate);
            for s in 0..n {
                twice += eta_rate[r] * eta_rate[s] * self.modal[r * n + s];
            }
        }
        0.5 * twice
    }
}

impl BodyInertia {
    /// The inertia of `body`, from its nodes or from an `assembled` mass matrix where those are asked for; fills what never
    /// changes into `work`.
    pub fn new(body: &Body, nodal: bool, assembled: Option<&Arc<NodalMass>>, work: &mut InertiaWork) -> Self {
        if body.modes == 0 {
            for node in body.nodes.iter() {
                let central = CentralNode::new(node);
                add_moments(&mut work.g, central.mass, &central.position, &central.spread);
            }
            if let Some(sums) = &body.sums {
                add_sums(&mut work.g, sums);
            }
            return Self::Rigid;
        }
        if let Some(mass) = assembled {
            Self::Assembled(AssembledInertia::new(mass))
        } else if nodal {
            Self::Nodal(NodalInertia::new(&body.nodes, body.modes))
        } else if body.level() == InertiaLevel::Gram {
            Self::Gram(GramCarriers::new(body))
        } else {
            let mut invariants = Invariants::new(&body.nodes, body.modes);
            body.sums.iter().for_each(|sums| invariants.add_sums(sums));
            work.modal.copy_from_slice(invariants.modal_mass());
            Self::Invariants(invariants)
        }
    }

    /// Fills `work` at `motion`.
    pub fn evaluate(&mut self, motion: &Motion<'_>, work: &mut InertiaWork) {
        match self {
            Self::Rigid => {}
            Self::Gram(carriers) => carriers.evaluate(motion, work),
            Self::Invariants(invariants) => invariants.evaluate(motion, work),
            Self::Nodal(nodal) => nodal.evaluate(motion, work),
            Self::Assembled(assembled) => assembled.evaluate(motion, work),
        }
    }
}

/// Adds m (1, y)(1, y)* and the spread S of the mass about y.
pub(super) fn add_moments(g: &mut [[f64; 4]; 4], mass: f64, y: &Vector3, spread: &Matrix3) {
    let w = [1.0, y[0], y[1], y[2]];
    for i in 0..4 {
        for j in 0..4 {
            g[i][j] += mass * w[i] * w[j];
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            g[i + 1][j + 1] += spread[i][j];
        }
    }
}

/// Adds the moments of mass that is given by its sums.
fn add_sums(g: &mut [[f64; 4]; 4], sums: &ModalInvariants) {
    g[0][0] += sums.mass;
    let spread = spread_of(&full(&sums.inertia0));
    for i in 0..3 {
        g[0][i + 1] += sums.moment0[i];
        g[i + 1][0] += sums.moment0[i];
        for j in 0..3 {
            g[i + 1][j + 1] += spread[i][j];
        }
    }
}

/// The symmetric matrix of xx, xy, xz, yy, yz, zz.
pub(super) fn full([xx, xy, xz, yy, yz, zz]: &[f64; 6]) -> Matrix3 {
    [[*xx, *xy, *xz], [*xy, *yy, *yz], [*xz, *yz, *zz]]
}

/// ½ tr(I) 1 − I: second moments from moments of inertia.
pub(super) fn spread_of(inertia: &Matrix3) -> Matrix3 {
    let half = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2]);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { half - inertia[i][i] } else { -inertia[i][j] })
    })
}

/// A mass node referred to its centre of mass, undeformed.
pub(super) struct CentralNode {
    pub mass: f64,
    /// Centre of mass in the body frame (m).
    pub position: Vector3,
    /// Inertia about the centre of mass (kg m²).
    pub inertia: Matrix3,
    /// Second moments about the centre of mass (kg m²).
    pub spread: Matrix3,
}

impl CentralNode {
    pub fn new(node: &MassNode) -> Self {
        // J about the node origin = Ic − m p~ p~.
        let square = matrix_product(&skew(&node.offset), &skew(&node.offset));
        let inertia: Matrix3 =
            std::array::from_fn(|i| std::array::from_fn(|j| node.inertia[i][j] + node.mass * square[i][j]));
        let position = add(&node.shape.position, &node.offset);
        Self { mass: node.mass, position, spread: spread_of(&inertia), inertia }
    }
}
