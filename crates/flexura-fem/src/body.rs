//! From a reduced model to a body of the engine: mass nodes, modes, attachments.
//!
//! The virtual work of inertia, loads and stresses of a body, Richard (2012), eqs 53-61, in its shapes.
//! Mass nodes are the mass samples of the elements moved by the shapes, so that
//! the engine's modal mass equals the reduced mass matrix, consistent or lumped.
//! Every named node of the mesh becomes a massless attachment node.

use crate::constraint::{NO_ROTATION_HELP, nodes_without_rotation};
use crate::element::MassModel;
use crate::error::FemError;
use crate::held::Held;
use crate::invariants::{self, InvariantSource};
use crate::mass_node::{describe, mass_node};
use crate::mesh::Mesh;
use crate::pieces::{MovingPiece, moving_samples};
use crate::reduce::ReducedModel;
use crate::stiffening::{self, SecondOrder, Stiffening};
use flexura::model::description::{DampingDescription, ModalDescription, ModalInvariants, NodeDescription};
use nalgebra::{Matrix3, Matrix3xX, Vector3};
use std::collections::BTreeSet;

/// The body the engine takes: origin at the reference node, axes of the mesh. Without
/// stiffening or along beams it has a mass node per piece; from unit load cases, sums over
/// the mass ([`compact_description`]).
pub fn modal_description(
    mesh: &Mesh,
    reduced: &ReducedModel,
    stiffening: Stiffening,
) -> Result<ModalDescription, FemError> {
    check_sizes(mesh, reduced)?;
    if mesh.matrices.is_some() {
        return Err(refuse_matrices(reduced, "the mass of matrices is in sums only, not in nodes"));
    }
    let second = match stiffening {
        Stiffening::None => None,
        Stiffening::Beams => Some(SecondOrder::along_beams(mesh, reduced)?),
        Stiffening::UnitLoads => {
            return compact_description(mesh, reduced, InvariantSource::Pieces, stiffening);
        }
        Stiffening::Automatic => match SecondOrder::along_beams(mesh, reduced) {
            Ok(second) => Some(second),
            Err(_) => {
                return compact_description(mesh, reduced, InvariantSource::Pieces, Stiffening::UnitLoads);
            }
        },
    };
    let origin = Vector3::from(mesh.nodes[reduced.reference]);
    let mut nodes = Vec::new();
    moving_samples(mesh, reduced.mass_model, &reduced.shapes, |source, piece| {
        nodes.extend(mass_node(source, &piece, origin, reduced, second.as_ref())?);
        Ok(())
    })?;
    if reduced.mass_model == MassModel::Lumped {
        nodes = merge(nodes);
    }
    let quadratic = |node: usize| second.as_ref().map(|second| second.node(node)).unwrap_or_default();
    nodes.extend(mesh.names.iter().map(|(name, node)| NodeDescription {
        name: name.clone(),
        ..attachment(mesh, reduced, *node, quadratic(*node))
    }));
    Ok(describe_body(reduced, nodes, None))
}

/// The same body by sums over its mass: its size does not grow with the mesh. Levels
/// `gram` and `consistent` of the engine take it.
pub fn compact_description(
    mesh: &Mesh,
    reduced: &ReducedModel,
    source: InvariantSource,
    stiffening: Stiffening,
) -> Result<ModalDescription, FemError> {
    compact_of_held(mesh, reduced, source, stiffening, &reduced.held(mesh))
}

/// The same with a structure that others solve on too.
pub(crate) fn compact_of_held(
    mesh: &Mesh,
    reduced: &ReducedModel,
    source: InvariantSource,
    stiffening: Stiffening,
    held: &Held<'_>,
) -> Result<ModalDescription, FemError> {
    check_sizes(mesh, reduced)?;
    if mesh.matrices.is_some() && stiffening != Stiffening::None {
        return Err(refuse_matrices(reduced, "matrices hold no stresses to make stiffening of"));
    }
    let chain = match stiffening {
        Stiffening::Beams => Some(SecondOrder::along_beams(mesh, reduced)?),
        Stiffening::Automatic => SecondOrder::along_beams(mesh, reduced).ok(),
        Stiffening::None | Stiffening::UnitLoads => None,
    };
    let unit = match (stiffening, &chain) {
        (Stiffening::UnitLoads, _) | (Stiffening::Automatic, None) => {
            Some(stiffening::of_held(mesh, reduced, held)?)
        }
        _ => None,
    };
    let mut invariants = invariants::of(mesh, reduced, source, chain.as_ref())?;
    if let Some(unit) = &unit {
        invariants::add_unit_loads(&mut invariants, unit);
    }
    let modes = reduced.shapes.ncols();
    let mut nodes = Vec::new();
    for (place, (name, node)) in mesh.names.iter().enumerate() {
        let quadratic = match (&chain, &unit) {
            (Some(chain), _) => chain.node(*node),
            (None, Some(unit)) => (0..modes * modes)
                .map(|pair| std::array::from_fn(|i| -unit.nodes[place][i][(pair / modes, pair % modes)]))
                .collect(),
            (None, None) => Vec::new(),
        };
        nodes.push(NodeDescription { name: name.clone(), ..attachment(mesh, reduced, *node, quadratic) });
    }
    let watched = farthest_nodes(mesh, reduced);
    nodes.extend(watched.into_iter().map(|node| attachment(mesh, reduced, node, Vec::new())));
    Ok(describe_body(reduced, nodes, Some(invariants)))
}

/// Nodes that turn or move most in each mode: the engine watches the linear range there.
fn farthest_nodes(mesh: &Mesh, reduced: &ReducedModel) -> BTreeSet<usize> {
    let size = |node: usize, first: usize, mode: usize| {
        (0..3).map(|i| reduced.shapes[(6 * node + first + i, mode)].powi(2)).sum::<f64>()
    };
    let farthest = |first: usize, mode: usize| {
        let placed = (0..reduced.shapes.nrows() / 6).filter(|node| !mesh.is_coordinate(*node));
        placed.max_by(|a, b| size(*a, first, mode).total_cmp(&size(*b, first, mode)))
    };
    (0..reduced.shapes.ncols()).flat_map(|mode| [farthest(0, mode), farthest(3, mode)]).flatten().collect()
}

/// A massless node that moves with a node of the mesh.
fn attachment(mesh: &Mesh, reduced: &ReducedModel, node: usize, quadratic: Vec<[f64; 3]>) -> NodeDescription {
    let local = reduced.shapes.rows(6 * node, 6);
    let piece = MovingPiece {
        mass: 0.0,
        inertia: Matrix3::zeros(),
        position: mesh.nodes[node].into(),
        translations: Matrix3xX::from_fn(local.ncols(), |i, j| local[(i, j)]),
        rotations: Matrix3xX::from_fn(local.ncols(), |i, j| local[(i + 3, j)]),
    };
    describe(&piece, mesh.nodes[reduced.reference].into(), quadratic)
}

fn describe_body(
    reduced: &ReducedModel,
    nodes: Vec<NodeDescription>,
    invariants: Option<ModalInvariants>,
) -> ModalDescription {
    ModalDescription {
        modes: reduced.shapes.ncols(),
        nodes,
        stiffness: reduced.stiffness.transpose().as_slice().to_vec(),
        damping: reduced.damping.as_ref().map_or(DampingDescription::None, |damping| {
            DampingDescription::Matrix(damping.transpose().as_slice().to_vec())
        }),
        invariants,
    }
}

fn refuse_matrices(reduced: &ReducedModel, reason: &str) -> FemError {
    FemError::Constraint { node: reduced.reference, reason: reason.into() }
}

/// A reduced model of another mesh, or one changed by hand, is refused.
fn check_sizes(mesh: &Mesh, reduced: &ReducedModel) -> Result<(), FemError> {
    mesh.validate()?;
    let (rows, shapes) = reduced.shapes.shape();
    let stiffness = reduced.stiffness.shape();
    let size = |what: &str, got, expected| match got == expected {
        true => Ok(()),
        false => Err(FemError::Size { what: what.into(), got, expected }),
    };
    size("the list of nodal displacements", rows, 6 * mesh.nodes.len())?;
    size("the stiffness of the shapes", stiffness.0 * stiffness.1, shapes * shapes)?;
    size("the reference node", reduced.reference.min(mesh.nodes.len()), reduced.reference)?;
    let still = nodes_without_rotation(mesh)?;
    match mesh.names.iter().find(|(_, node)| still[**node]) {
        None => Ok(()),
        Some((name, node)) => {
            let reason = format!("`{name}` belongs to solids alone and has no rotation: {NO_ROTATION_HELP}");
            Err(FemError::Constraint { node: *node, reason })
        }
    }
}

/// Joins pieces that lie at one place and move alike: the shares of the
/// elements that meet in a node.
fn merge(mut nodes: Vec<NodeDescription>) -> Vec<NodeDescription> {
    let key = |node: &NodeDescription| node.position.map(f64::to_bits);
    nodes.sort_by_key(key);
    let mut merged: Vec<NodeDescription> = Vec::new();
    for node in nodes {
        match merged.last_mut().filter(|last| last.position == node.position && moves_alike(last, &node)) {
            Some(last) => {
                last.mass += node.mass;
                for (sum, part) in last.inertia.iter_mut().flatten().zip(node.inertia.iter().flatten()) {
                    *sum += part;
                }
            }
            None => merged.push(node),
        }
    }
    merged
}

fn moves_alike(a: &NodeDescription, b: &NodeDescription) -> bool {
    a.slopes == b.slopes && a.translations == b.translations
}
