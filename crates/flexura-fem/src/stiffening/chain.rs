//! Integration of second-order rotation and displacement along beams.
//!
//! Symbols as in [`super`]; X(r,s) for pairs r <= s, packed row by row.

use crate::element::beam::Beam;
use crate::element::quadrature;
use crate::error::FemError;
use crate::mesh::freedoms_of;
use crate::mesh::{Element, Mesh};
use nalgebra::{DMatrix, Matrix3, Vector3};
use std::collections::VecDeque;

/// Second-order rotation and displacement of one section, for all pairs of shapes.
#[derive(Clone, Debug)]
pub struct Terms {
    shapes: usize,
    rotation: Vec<Matrix3<f64>>,
    displacement: Vec<Vector3<f64>>,
}

impl Terms {
    fn zero(shapes: usize) -> Self {
        let pairs = shapes * (shapes + 1) / 2;
        let (rotation, displacement) = (vec![Matrix3::zeros(); pairs], vec![Vector3::zeros(); pairs]);
        Self { shapes, rotation, displacement }
    }

    /// The same section seen at a point a rigid arm away.
    pub fn moved(&self, arm: Vector3<f64>) -> Self {
        let displacement = self.displacement.iter().zip(&self.rotation).map(|(u, r)| u + r * arm).collect();
        Self { displacement, ..self.clone() }
    }

    /// Displacements a rigid arm away, unpacked to all pairs row by row.
    pub fn square(&self, arm: Vector3<f64>) -> Vec<[f64; 3]> {
        let n = self.shapes;
        let packed = |r: usize, s: usize| r * n - r * (r + 1) / 2 + s;
        let entry = |index: usize| {
            let pair = packed((index / n).min(index % n), (index / n).max(index % n));
            (self.displacement[pair] + self.rotation[pair] * arm).into()
        };
        (0..n * n).map(entry).collect()
    }
}

/// Pairs r <= s in packed order.
fn pairs(shapes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..shapes).flat_map(move |r| (r..shapes).map(move |s| (r, s)))
}

/// Rows of the shapes that belong to the nodes of an element.
pub fn local_shapes(shapes: &DMatrix<f64>, nodes: &[usize]) -> DMatrix<f64> {
    shapes.select_rows(&freedoms_of(nodes))
}

/// Terms at `target` from those at `start` along one beam (both x/L).
pub fn advance(beam: &Beam, local: &DMatrix<f64>, start: f64, target: f64, from: &Terms) -> Terms {
    let axis = beam.axes().column(0).into_owned();
    let span = (target - start) * beam.length();
    let mut to = from.moved(axis * span);
    for (fraction, weight) in quadrature::interval() {
        let s = start + fraction * (target - start);
        let rotation = beam.interpolate(s).1 * local;
        let (strain, curvature) = beam.strains(s);
        let (strain, curvature) = (strain * local, curvature * local);
        let step = weight * span;
        // What turns here swings the rest of the span, up to the target.
        let rest = axis * ((1.0 - fraction) * span);
        let column = |matrix: &nalgebra::Matrix3xX<f64>, i: usize| matrix.column(i).into_owned();
        for (pair, (r, s)) in pairs(from.shapes).enumerate() {
            let (theta_r, theta_s) = (column(&rotation, r), column(&rotation, s));
            let (k_r, k_s) = (column(&curvature, r), column(&curvature, s));
            let turn =
                theta_r.cross_matrix() * k_s.cross_matrix() + theta_s.cross_matrix() * k_r.cross_matrix();
            let slide = theta_r.cross(&column(&strain, s)) + theta_s.cross(&column(&strain, r));
            to.rotation[pair] += turn * step;
            to.displacement[pair] += (turn * rest + slide) * step;
        }
    }
    to
}

/// Terms of every node and the nearer end of every element.
pub fn walk(
    mesh: &Mesh,
    reference: usize,
    shapes: &DMatrix<f64>,
) -> Result<(Vec<Terms>, Vec<usize>), FemError> {
    let neighbours = neighbours(mesh)?;
    let mut terms: Vec<Option<Terms>> = vec![None; mesh.nodes.len()];
    let mut near = vec![0; mesh.elements.len()];
    let mut passed = vec![false; mesh.elements.len() + mesh.links.len()];
    terms[reference] = Some(Terms::zero(shapes.ncols()));
    let mut queue = VecDeque::from([reference]);
    while let Some(node) = queue.pop_front() {
        let Some(here) = terms[node].clone() else { continue };
        for &edge in &neighbours[node] {
            if std::mem::replace(&mut passed[edge], true) {
                continue;
            }
            for (reached, value) in cross(mesh, edge, node, shapes, &here, &mut near)? {
                if terms[reached].is_some() {
                    let reason = "beams and links form a loop: stiffening along beams is not defined".into();
                    return Err(FemError::Constraint { node: reached, reason });
                }
                terms[reached] = Some(value);
                queue.push_back(reached);
            }
        }
    }
    let unreached = |node: usize| FemError::Constraint {
        node,
        reason: "no chain of beams leads here from the reference node".into(),
    };
    let all = terms.into_iter().enumerate().map(|(node, value)| value.ok_or_else(|| unreached(node)));
    Ok((all.collect::<Result<_, _>>()?, near))
}

/// Edges at every node: elements first, then links.
fn neighbours(mesh: &Mesh) -> Result<Vec<Vec<usize>>, FemError> {
    let mut edges = vec![Vec::new(); mesh.nodes.len()];
    for (index, element) in mesh.elements.iter().enumerate() {
        let Element::Beam(beam) = element else {
            let reason = "stiffening along beams does not cover shells and solids".into();
            return Err(FemError::Geometry { element: index, reason });
        };
        beam.nodes.iter().for_each(|node| edges[*node].push(index));
    }
    for (index, link) in mesh.links.iter().enumerate() {
        if link.freedoms != [true; 6] {
            let reason = "stiffening along beams does not pass links that leave freedoms out".into();
            return Err(FemError::Constraint { node: link.master, reason });
        }
        let linked = link.followers.iter().chain([&link.master]);
        linked.for_each(|node| edges[*node].push(mesh.elements.len() + index));
    }
    Ok(edges)
}

/// Nodes reached over an edge, with their terms.
fn cross(
    mesh: &Mesh,
    edge: usize,
    node: usize,
    shapes: &DMatrix<f64>,
    here: &Terms,
    near: &mut [usize],
) -> Result<Vec<(usize, Terms)>, FemError> {
    let Some(Element::Beam(element)) = mesh.elements.get(edge) else {
        let link = &mesh.links[edge - mesh.elements.len()];
        let linked = link.followers.iter().chain([&link.master]).filter(|other| **other != node);
        let arm = |other: usize| Vector3::from(mesh.nodes[other]) - Vector3::from(mesh.nodes[node]);
        return Ok(linked.map(|other| (*other, here.moved(arm(*other)))).collect());
    };
    let beam = Beam::new(mesh, edge, element)?;
    let end = usize::from(element.nodes[1] == node);
    near[edge] = end;
    let [first, last] = [end, 1 - end].map(|place| Vector3::from(element.offsets[place]));
    let local = local_shapes(shapes, &element.nodes);
    let far = advance(&beam, &local, end as f64, 1.0 - end as f64, &here.moved(first)).moved(-last);
    Ok(vec![(element.nodes[1 - end], far)])
}
