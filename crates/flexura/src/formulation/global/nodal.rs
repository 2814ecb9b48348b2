//! Inertia of a flexible body by sums over its nodes at every evaluation.
//!
//! Source: Lugrís et al. 2007, eqs 10-15, with 12 frame coordinates: the velocity of
//! node n is Ẋ (1, y) + A Y η̇, so B_n = [1, y₁, y₂, y₃, A Y] and M = Σ B*m B, bias
//! Σ B*m Ḃ q̇. Each node is a small rigid body at its centre of mass y; its rotary
//! inertia turns with the node (level full), which makes the bias energy-exact
//! where the published form is not. Cost O(nodes × modes²).

use super::deformation::{Deformation, VectorRule};
use super::frame::{NO_FRAME, push, push_moment, spin, turn, turn_back};
use super::inertia::{CentralNode, InertiaWork, Motion, add_moments, spread_of};
use crate::model::body::MassNode;
use crate::spatial::{Matrix3, Vector3, add, cross, dot, matrix_vector, scale, sub};

/// Mass nodes of one body.
#[derive(Clone, Debug)]
pub(super) struct NodalInertia {
    nodes: Vec<Node>,
    shape: Deformation,
    /// A Y_r and Λ_r of the present node.
    slides: Vec<Vector3>,
}

#[derive(Clone, Debug)]
struct Node {
    mass: f64,
    inertia: Matrix3,
    /// Whether there is rotary inertia at all.
    rotary: bool,
    source: MassNode,
}

impl NodalInertia {
    /// The nodes that have mass or inertia.
    pub fn new(nodes: &[MassNode], modes: usize) -> Self {
        let heavy = |node: &&MassNode| node.mass != 0.0 || node.inertia != [[0.0; 3]; 3];
        let central = |node: &MassNode| {
            let CentralNode { mass, inertia, .. } = CentralNode::new(node);
            Node { mass, inertia, rotary: inertia != [[0.0; 3]; 3], source: node.clone() }
        };
        Self {
            nodes: nodes.iter().filter(heavy).map(central).collect(),
            shape: Deformation::new(modes, VectorRule::Exact),
            slides: vec![[0.0; 3]; modes],
        }
    }

    /// Inertia and bias.
    pub fn evaluate(&mut self, motion: &Motion<'_>, work: &mut InertiaWork) {
        work.g = [[0.0; 4]; 4];
        work.coupling.fill(NO_FRAME);
        work.modal.fill(0.0);
        work.bias = NO_FRAME;
        work.bias_modal.fill(0.0);
        let omega = turn_back(motion.frame, &spin(motion.frame, motion.rate));
        let (shape, slides) = (&mut self.shape, &mut self.slides);
        for node in &self.nodes {
            shape.evaluate(&node.source.shape, motion.eta, motion.eta_rate);
            add_translation(node, shape, slides, motion, work);
            if node.rotary {
                add_rotation(node, shape, &omega, motion, work);
            }
        }
        let n = motion.eta.len();
        for r in 0..n {
            for s in 0..r {
                work.modal[s * n + r] = work.modal[r * n + s];
            }
        }
    }
}

/// Mass of a node moving with its centre.
fn add_translation(
    node: &Node,
    shape: &Deformation,
    slides: &mut [Vector3],
    motion: &Motion<'_>,
    work: &mut InertiaWork,
) {
    let (m, x, offset, n) = (node.mass, motion.frame, &node.source.offset, motion.eta.len());
    let centre = shape.arm(offset);
    let weights = [1.0, centre.value[0], centre.value[1], centre.value[2]];
    add_moments(&mut work.g, m, &centre.value, &[[0.0; 3]; 3]);
    let force = scale(m, &add(&scale(2.0, &turn(motion.rate, &centre.rate)), &turn(x, &centre.bias)));
    push(&mut work.bias, &force, &weights);
    let local_force = turn_back(x, &force);
    for r in 0..n {
        slides[r] = shape.arm_slope(r, offset);
        push(&mut work.coupling[r], &scale(m, &turn(x, &slides[r])), &weights);
        work.bias_modal[r] += dot(&slides[r], &local_force);
        for s in 0..=r {
            work.modal[r * n + s] += m * dot(&slides[r], &slides[s]);
        }
    }
}

/// Rotary inertia of a node turning with it.
///
/// The frame rows take the second moments into G, which holds ω × I ω already; the
/// modal rows do not.
fn add_rotation(
    node: &Node,
    shape: &Deformation,
    omega: &Vector3,
    motion: &Motion<'_>,
    work: &mut InertiaWork,
) {
    let (x, n) = (motion.frame, motion.eta.len());
    let inertia = shape.turned(&node.inertia);
    add_moments(&mut work.g, 0.0, &[0.0; 3], &spread_of(&inertia));
    let total = add(omega, &shape.spin);
    let growth = matrix_vector(&shape.turned_rate(&inertia), &total);
    let lag = matrix_vector(&inertia, &shape.spin_bias);
    let gyroscopic = cross(omega, &matrix_vector(&inertia, &total));
    let moment = add(&add(&growth, &lag), &gyroscopic);
    let in_moments = cross(omega, &matrix_vector(&inertia, omega));
    push_moment(&mut work.bias, x, &turn(x, &sub(&moment, &in_moments)));
    for r in 0..n {
        let pull = matrix_vector(&inertia, &shape.turns[r]);
        push_moment(&mut work.coupling[r], x, &turn(x, &pull));
        work.bias_modal[r] += dot(&shape.turns[r], &moment);
        for s in 0..=r {
            work.modal[r * n + s] += dot(&pull, &shape.turns[s]);
        }
    }
}
