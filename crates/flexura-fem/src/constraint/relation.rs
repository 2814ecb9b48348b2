//! What each nodal freedom follows.
//!
//! Rigid link (RBE2): u = u_m + theta_m x r, theta = theta_m, r from master to follower.
//! Mean motion (RBE3): the rigid motion q at the dependent node that fits the sources best,
//!   min sum_i w_i |u_i - S_i q|^2,  q = (sum S^T W S)^-1 sum S_i^T W_i u_i,
//! S_i = [1 -r~; 0 1] restricted to the freedoms that count. Weights of rotations carry the
//! square of the mean distance of the sources, so that units agree.

use super::Supports;
use crate::DOFS_PER_NODE;
use crate::element;
use crate::error::FemError;
use crate::linear::SWEEPS;
use crate::mesh::{AverageLink, Mesh, RigidLink};
use nalgebra::{Matrix6, SymmetricEigen, Vector3, Vector6};

/// How a freedom moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    /// An unknown of its own.
    Free,
    /// Zero.
    Held,
    /// A combination of other freedoms.
    Follows(Vec<(usize, f64)>),
}

type Support = (usize, [bool; DOFS_PER_NODE]);

/// Roles of all freedoms of a mesh.
pub(super) fn roles(mesh: &Mesh, supports: &Supports) -> Result<Vec<Role>, FemError> {
    let mut roles = linked(mesh)?;
    hold(mesh, &supports.held, &mut roles)?;
    for (freedom, role) in roles.iter_mut().enumerate() {
        if *role == Role::Free && supports.everywhere[freedom % DOFS_PER_NODE] {
            *role = Role::Held;
        }
    }
    // Equations come last: what supports hold has dropped out of them.
    super::equation::eliminate(mesh, &mut roles)?;
    let stiff = stiffened(mesh, &roles);
    check_masses(mesh, &stiff, &roles)?;
    for (freedom, stiff) in stiff.iter().enumerate() {
        let may_lack = mesh.matrices.is_some() || freedom % DOFS_PER_NODE >= 3;
        if !stiff && may_lack && roles[freedom] == Role::Free {
            roles[freedom] = Role::Held;
        }
    }
    Ok(roles)
}

/// Roles by links and recovery alone.
pub(super) fn linked(mesh: &Mesh) -> Result<Vec<Role>, FemError> {
    let mut roles = vec![Role::Free; DOFS_PER_NODE * mesh.nodes.len()];
    for link in &mesh.links {
        follow_master(mesh, link, &mut roles)?;
    }
    for link in &mesh.averages {
        follow_mean(mesh, link, &mut roles)?;
    }
    for (freedom, terms) in mesh.matrices.iter().flat_map(|matrices| &matrices.recovery) {
        assign(&mut roles, freedom / DOFS_PER_NODE, freedom % DOFS_PER_NODE, terms.clone())?;
    }
    Ok(roles)
}

fn assign(roles: &mut [Role], node: usize, offset: usize, terms: Vec<(usize, f64)>) -> Result<(), FemError> {
    let role = &mut roles[DOFS_PER_NODE * node + offset];
    if *role != Role::Free || terms.iter().any(|(leader, _)| leader / DOFS_PER_NODE == node) {
        let reason = "a freedom can follow one link only, and not itself".into();
        return Err(FemError::Constraint { node, reason });
    }
    *role = Role::Follows(terms);
    Ok(())
}

fn marked(freedoms: &[bool; 6]) -> impl Iterator<Item = usize> + '_ {
    (0..6).filter(|offset| freedoms[*offset])
}

fn follow_master(mesh: &Mesh, link: &RigidLink, roles: &mut [Role]) -> Result<(), FemError> {
    let base = DOFS_PER_NODE * link.master;
    for &node in &link.followers {
        let arm = Vector3::from(mesh.nodes[node]) - Vector3::from(mesh.nodes[link.master]);
        for offset in marked(&link.freedoms) {
            let mut terms = vec![(base + offset, 1.0)];
            if offset < 3 {
                // (theta x r)_i = theta_j r_k - theta_k r_j with i, j, k cyclic.
                let (j, k) = ((offset + 1) % 3, (offset + 2) % 3);
                let turns = [(base + 3 + j, arm[k]), (base + 3 + k, -arm[j])];
                terms.extend(turns.into_iter().filter(|(_, factor)| *factor != 0.0));
            }
            assign(roles, node, offset, terms)?;
        }
    }
    Ok(())
}

fn follow_mean(mesh: &Mesh, link: &AverageLink, roles: &mut [Role]) -> Result<(), FemError> {
    let fit = MeanFit::new(mesh, link);
    let fixed = fit.inverse().ok_or_else(|| {
        let reason = "the nodes it averages do not fix its motion (fewer than three, or on one line): add \
                      nodes, or count their rotations";
        FemError::Constraint { node: link.node, reason: reason.into() }
    })?;
    // From the centroid, in units of the length, to the dependent node.
    let mut to_node = Matrix6::identity();
    let arm = Vector3::from(mesh.nodes[link.node]) - fit.centroid;
    to_node.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-arm.cross_matrix() / fit.length));
    to_node.fixed_view_mut::<3, 3>(3, 3).fill_diagonal(1.0 / fit.length);
    let to_node = to_node * fixed;
    let mut terms = vec![Vec::new(); 6];
    for (place, source) in link.sources.iter().enumerate() {
        for offset in marked(&source.freedoms) {
            // A rotating source counts its angle times the length.
            let unit = if offset < 3 { 1.0 } else { fit.length };
            let column = to_node * fit.row(place, offset) * (fit.weights[place] * unit);
            let leader = DOFS_PER_NODE * source.node + offset;
            terms.iter_mut().zip(column.iter()).for_each(|(list, factor)| list.push((leader, *factor)));
        }
    }
    for offset in marked(&link.freedoms) {
        assign(roles, link.node, offset, std::mem::take(&mut terms[offset]))?;
    }
    Ok(())
}

/// The fit of a rigid motion about the weighted centroid of the sources.
struct MeanFit<'a> {
    link: &'a AverageLink,
    centroid: Vector3<f64>,
    /// Mean distance from the centroid (m): rotations count times this length.
    length: f64,
    weights: Vec<f64>,
    arms: Vec<Vector3<f64>>,
}

impl<'a> MeanFit<'a> {
    fn new(mesh: &Mesh, link: &'a AverageLink) -> Self {
        let total: f64 = link.sources.iter().map(|source| source.weight).sum();
        let weights: Vec<f64> = link.sources.iter().map(|source| source.weight / total).collect();
        let places: Vec<Vector3<f64>> =
            link.sources.iter().map(|source| Vector3::from(mesh.nodes[source.node])).collect();
        let centroid: Vector3<f64> = places.iter().zip(&weights).map(|(place, weight)| place * *weight).sum();
        let arms: Vec<Vector3<f64>> = places.iter().map(|place| place - centroid).collect();
        let mean: f64 = arms.iter().zip(&weights).map(|(arm, weight)| arm.norm() * weight).sum();
        Self { link, centroid, length: if mean > 0.0 { mean } else { 1.0 }, weights, arms }
    }

    /// How one freedom of a source follows the rigid motion.
    fn row(&self, place: usize, offset: usize) -> Vector6<f64> {
        let mut row = Vector6::zeros();
        row[offset] = 1.0;
        if offset < 3 {
            let (j, k) = ((offset + 1) % 3, (offset + 2) % 3);
            row[3 + j] = self.arms[place][k] / self.length;
            row[3 + k] = -self.arms[place][j] / self.length;
        }
        row
    }

    /// Inverse of the normal matrix; `None` when the sources leave a motion open.
    fn inverse(&self) -> Option<Matrix6<f64>> {
        let mut gram = Matrix6::zeros();
        for (place, source) in self.link.sources.iter().enumerate() {
            for row in marked(&source.freedoms).map(|offset| self.row(place, offset)) {
                gram += row * row.transpose() * self.weights[place];
            }
        }
        let sound = gram.iter().all(|x| x.is_finite());
        let found = sound.then(|| SymmetricEigen::try_new(gram, f64::EPSILON, SWEEPS)).flatten();
        let eigenvalues = found.map_or(Vector6::zeros(), |found| found.eigenvalues);
        if eigenvalues.min() <= 1e-10 * eigenvalues.max() { None } else { gram.try_inverse() }
    }
}

fn hold(mesh: &Mesh, held: &[Support], roles: &mut [Role]) -> Result<(), FemError> {
    for (node, freedoms) in held {
        if *node >= mesh.nodes.len() {
            return Err(FemError::Missing { what: "a support".into(), missing: format!("node {node}") });
        }
        for offset in marked(freedoms) {
            let role = &mut roles[DOFS_PER_NODE * node + offset];
            if matches!(role, Role::Follows(_)) {
                let reason = "it follows a link and cannot be supported: support the nodes it follows".into();
                return Err(FemError::Constraint { node: *node, reason });
            }
            *role = Role::Held;
        }
    }
    Ok(())
}

/// Freedoms that an element or spring stiffens, directly or through what follows them.
fn stiffened(mesh: &Mesh, roles: &[Role]) -> Vec<bool> {
    let mut stiff = vec![false; roles.len()];
    for element in &mesh.elements {
        for freedom in element::freedoms(element) {
            stiff[freedom] = true;
        }
    }
    for (freedom, used) in mesh.matrices.iter().flat_map(|matrices| matrices.used()).enumerate() {
        stiff[freedom] |= used;
    }
    for spring in &mesh.springs {
        let matrix = element::spring::stiffness(mesh, spring);
        let freedoms = crate::mesh::freedoms_of(&element::spring::nodes(spring));
        for (row, freedom) in freedoms.iter().enumerate() {
            stiff[*freedom] |= matrix[(row, row)] > 0.0;
        }
    }
    let mut work: Vec<usize> = (0..roles.len()).filter(|freedom| stiff[*freedom]).collect();
    while let Some(freedom) = work.pop() {
        let Role::Follows(terms) = &roles[freedom] else { continue };
        for (leader, _) in terms {
            if !std::mem::replace(&mut stiff[*leader], true) {
                work.push(*leader);
            }
        }
    }
    stiff
}

/// A mass with rotary inertia needs a node that can turn.
fn check_masses(mesh: &Mesh, stiff: &[bool], roles: &[Role]) -> Result<(), FemError> {
    for mass in &mesh.masses {
        let turns = |offset: usize| {
            let freedom = DOFS_PER_NODE * mass.node + offset;
            stiff[freedom] || roles[freedom] != Role::Free
        };
        let spread = mass.inertia != [[0.0; 3]; 3] || mass.offset != [0.0; 3];
        if spread && !(3..6).all(turns) {
            let reason = "a point mass with inertia or offset sits on a node of solids, which cannot turn: \
                          connect it by a rigid or average link";
            return Err(FemError::Constraint { node: mass.node, reason: reason.into() });
        }
    }
    Ok(())
}

/// Independent freedoms behind every freedom, with factors.
pub(super) fn resolve(roles: &[Role]) -> Result<Vec<Vec<(usize, f64)>>, FemError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; roles.len()];
    let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); roles.len()];
    for first in 0..roles.len() {
        let mut stack = vec![first];
        while let Some(&freedom) = stack.last() {
            let leaders: &[(usize, f64)] = match &roles[freedom] {
                Role::Follows(leaders) if mark[freedom] != Mark::Done => leaders,
                Role::Free if mark[freedom] == Mark::New => {
                    terms[freedom].push((freedom, 1.0));
                    &[]
                }
                _ => &[],
            };
            let waiting = leaders.iter().filter(|(leader, _)| mark[*leader] != Mark::Done);
            let open: Vec<usize> = waiting.map(|(leader, _)| *leader).collect();
            if open.is_empty() {
                for (leader, factor) in leaders {
                    let scaled: Vec<_> = terms[*leader].iter().map(|(f, x)| (*f, x * factor)).collect();
                    terms[freedom].extend(scaled);
                }
                merge(&mut terms[freedom]);
                mark[freedom] = Mark::Done;
                stack.pop();
                continue;
            }
            if mark[freedom] == Mark::Open && open.iter().any(|leader| mark[*leader] == Mark::Open) {
                let reason = "links form a circle".into();
                return Err(FemError::Constraint { node: freedom / DOFS_PER_NODE, reason });
            }
            mark[freedom] = Mark::Open;
            stack.extend(open);
        }
    }
    Ok(terms)
}

/// Sums factors of the same freedom.
pub(super) fn merge(terms: &mut Vec<(usize, f64)>) {
    terms.sort_by_key(|(freedom, _)| *freedom);
    terms.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        kept.1 += if same { later.1 } else { 0.0 };
        same
    });
}
