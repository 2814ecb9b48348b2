//! The assembly tree of a model: where its paths may be cut, which branches add up.
//!
//! A cut outboard of body k leaves an assembly that must be solvable without what
//! follows. That is so if body k has a positive definite inertia of its own: a
//! motion of the assembly without kinetic energy would leave body k at rest, hence
//! everything beyond as well, and the whole system would be singular. It is also so
//! as long as every body inboard of k, up to the last such body, has inertia against
//! its own joint (particles on hinges or slides). Elsewhere (massless links and
//! crosses) neighbours stay in one leaf. So divide and conquer has an answer
//! wherever articulated bodies have one. (Mukherjee & Anderson assume an invertible
//! inertia of every body.)
//!
//! Inertias are taken at the initial state. Cost O(n), once per model.

use super::assembly_tree::{AssemblyTree, Topology};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_bodies};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{Kinematics, outward_velocity, referred_influence};
use crate::spatial::{Spatial, SymmetricSpatial, dot6};
use crate::state::State;

/// Smallest pivot of an inertia, relative to its diagonal entry, that counts as inertia.
const SMALLEST_PIVOT: f64 = 1e-12;

/// The assembly tree of `model`.
pub(crate) fn assembly_tree(model: &Model, leaf: usize) -> AssemblyTree {
    let state = State::initial(model, 0.0);
    let mut kin = Kinematics::<f64>::new(model);
    let mut inertias = BodyInertias::new(model);
    outward_velocity(model, &state, &mut kin);
    evaluate_bodies(model, &state, &kin, &mut inertias);
    let parent: Vec<Option<usize>> = model.joints.iter().map(|joint| joint.parent).collect();
    let group: Vec<usize> = (0..model.body_count()).map(|k| group(model, &kin, k)).collect();
    let cut = allowed_cuts(model, &kin, &inertias, &parent);
    AssemblyTree::new(&Topology { parent: &parent, group: &group, cut: &cut }, leaf)
}

/// Branches at one deforming point add up there; all others at the frame of their carrier.
fn group(model: &Model, kin: &Kinematics<f64>, body: usize) -> usize {
    let joint = &model.joints[body];
    let Some(parent) = joint.parent else { return 0 };
    let point = joint.outer.attachment;
    if referred_influence(model, kin, parent, point).is_empty() { 0 } else { 1 + point }
}

fn allowed_cuts(
    model: &Model,
    kin: &Kinematics<f64>,
    inertias: &BodyInertias<f64>,
    parent: &[Option<usize>],
) -> Vec<bool> {
    let mut cut = vec![false; parent.len()];
    for body in 0..parent.len() {
        let inertia = without_modes(model, inertias, body);
        let inboard = parent[body].is_none_or(|p| cut[p]);
        let columns = &kin.subspace[layout_of(model, body).joint()];
        cut[body] = is_definite(&inertia, &UNIT) || (inboard && is_definite(&inertia, columns));
    }
    cut
}

/// M_rr − M_rf M_ff⁻¹ M_fr; zero where the modal mass is singular.
fn without_modes(model: &Model, inertias: &BodyInertias<f64>, body: usize) -> SymmetricSpatial {
    let part = layout_of(model, body);
    let n = part.modes;
    let mut inertia = inertias.rigid[body];
    let mut factor = inertias.modal[part.modal_square()].to_vec();
    if crate::linear::cholesky_in_place(&mut factor, n).is_err() {
        return SymmetricSpatial::ZERO;
    }
    let mut rows = inertias.coupling[part.modal()].to_vec();
    for r in 0..n {
        for s in 0..r {
            for i in 0..6 {
                rows[r][i] -= factor[r * n + s] * rows[s][i];
            }
        }
        rows[r] = rows[r].map(|x| x * factor[r * n + r]);
        inertia.subtract_square(&rows[r]);
    }
    inertia
}

const UNIT: [Spatial; 6] = {
    let mut unit = [[0.0; 6]; 6];
    let mut i = 0;
    while i < 6 {
        unit[i][i] = 1.0;
        i += 1;
    }
    unit
};

/// Whether `inertia` is positive definite along `columns`, well away from rounding.
fn is_definite(inertia: &SymmetricSpatial, columns: &[Spatial]) -> bool {
    let n = columns.len();
    let mut l = [[0.0; 6]; 6];
    for a in 0..n.min(6) {
        let moved = inertia.apply(&columns[a]);
        for b in 0..=a {
            l[a][b] = dot6(&moved, &columns[b]);
        }
        let diagonal = l[a][a];
        for b in 0..=a {
            let done: f64 = (0..b).map(|k| l[a][k] * l[b][k]).sum();
            let rest = l[a][b] - done;
            if b < a {
                l[a][b] = rest / l[b][b];
            } else if rest > SMALLEST_PIVOT * diagonal {
                l[a][a] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}
