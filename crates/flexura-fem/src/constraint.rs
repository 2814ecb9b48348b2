//! Constraints by elimination: every nodal freedom as a combination of the
//! unknowns of the solution.
//!
//! A freedom is independent, fixed (no terms), or follows the master of a rigid
//! link: u = u_m + theta_m x r, theta = theta_m with r from master to follower.
//! Masters may follow other masters; circles are refused.

use crate::DOFS_PER_NODE;
use crate::error::FemError;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, DVector, Vector3};

/// Freedoms held at zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Supports {
    held: Vec<(usize, [bool; DOFS_PER_NODE])>,
}

/// The combination of unknowns behind every nodal freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct DofMap {
    unknowns: usize,
    /// Start of each freedom's terms, and the end of the last.
    start: Vec<usize>,
    terms: Vec<(usize, f64)>,
}

impl Supports {
    /// No support: a free body.
    pub fn none() -> Self {
        Self::default()
    }

    /// Holds all six freedoms of the nodes.
    pub fn clamp(self, nodes: &[usize]) -> Self {
        self.hold(nodes, [true; DOFS_PER_NODE])
    }

    /// Holds the marked freedoms (ux, uy, uz, rx, ry, rz) of the nodes.
    pub fn hold(mut self, nodes: &[usize], freedoms: [bool; DOFS_PER_NODE]) -> Self {
        self.held.extend(nodes.iter().map(|node| (*node, freedoms)));
        self
    }
}

/// How a freedom moves, before masters are followed.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Free,
    Held,
    Follows { master: usize, arm: Vector3<f64> },
}

impl DofMap {
    /// Numbers the unknowns of a mesh under supports.
    pub fn new(mesh: &Mesh, supports: &Supports) -> Result<Self, FemError> {
        let roles = roles(mesh, supports)?;
        let mut number = vec![None; roles.len()];
        let mut unknowns = 0;
        for (freedom, role) in roles.iter().enumerate() {
            if *role == Role::Free {
                number[freedom] = Some(unknowns);
                unknowns += 1;
            }
        }
        let (mut start, mut terms) = (vec![0], Vec::new());
        for freedom in 0..roles.len() {
            collect(&roles, &number, freedom, 1.0, mesh.links.len(), &mut terms)?;
            start.push(terms.len());
        }
        Ok(Self { unknowns, start, terms })
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Number of nodal freedoms, six per node.
    pub fn freedoms(&self) -> usize {
        self.start.len() - 1
    }

    /// Unknowns and factors behind a nodal freedom.
    pub fn terms(&self, freedom: usize) -> &[(usize, f64)] {
        &self.terms[self.start[freedom]..self.start[freedom + 1]]
    }

    /// The unknown that is this freedom, when it is independent.
    pub fn unknown(&self, freedom: usize) -> Option<usize> {
        match self.terms(freedom) {
            [(unknown, factor)] if *factor == 1.0 => Some(*unknown),
            _ => None,
        }
    }

    /// Nodal freedoms from unknowns, column by column.
    pub fn expand(&self, unknowns: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(self.freedoms(), unknowns.ncols(), |freedom, column| {
            self.terms(freedom).iter().map(|(i, factor)| factor * unknowns[(*i, column)]).sum()
        })
    }

    /// Generalised forces on the unknowns from nodal forces and moments.
    pub fn project(&self, nodal: &DVector<f64>) -> DVector<f64> {
        let mut result = DVector::zeros(self.unknowns);
        for freedom in 0..self.freedoms() {
            for (unknown, factor) in self.terms(freedom) {
                result[*unknown] += factor * nodal[freedom];
            }
        }
        result
    }

    /// The part of a nodal displacement field that the unknowns hold.
    pub fn restrict(&self, nodal: &DMatrix<f64>) -> DMatrix<f64> {
        let mut result = DMatrix::zeros(self.unknowns, nodal.ncols());
        for freedom in 0..self.freedoms() {
            if let Some(unknown) = self.unknown(freedom) {
                result.set_row(unknown, &nodal.row(freedom));
            }
        }
        result
    }
}

fn roles(mesh: &Mesh, supports: &Supports) -> Result<Vec<Role>, FemError> {
    let mut roles = vec![Role::Free; DOFS_PER_NODE * mesh.nodes.len()];
    for link in &mesh.links {
        for &node in &link.followers {
            let arm = Vector3::from(mesh.nodes[node]) - Vector3::from(mesh.nodes[link.master]);
            for (offset, _) in link.freedoms.iter().enumerate().filter(|(_, follows)| **follows) {
                let role = &mut roles[DOFS_PER_NODE * node + offset];
                if node == link.master || *role != Role::Free {
                    let reason = "a freedom can follow one master only, and not itself".into();
                    return Err(FemError::Constraint { node, reason });
                }
                *role = Role::Follows { master: link.master, arm };
            }
        }
    }
    for (node, freedoms) in &supports.held {
        if *node >= mesh.nodes.len() {
            return Err(FemError::Missing { what: "a support".into(), missing: format!("node {node}") });
        }
        for (offset, _) in freedoms.iter().enumerate().filter(|(_, held)| **held) {
            let role = &mut roles[DOFS_PER_NODE * node + offset];
            if matches!(role, Role::Follows { .. }) {
                let reason = "it follows a rigid link and cannot be supported: support the master".into();
                return Err(FemError::Constraint { node: *node, reason });
            }
            *role = Role::Held;
        }
    }
    Ok(roles)
}

/// Adds the terms of one freedom, following masters at most `depth` links far.
fn collect(
    roles: &[Role],
    number: &[Option<usize>],
    freedom: usize,
    factor: f64,
    depth: usize,
    terms: &mut Vec<(usize, f64)>,
) -> Result<(), FemError> {
    let Role::Follows { master, arm } = roles[freedom] else {
        terms.extend(number[freedom].map(|unknown| (unknown, factor)));
        return Ok(());
    };
    if depth == 0 {
        let reason = "rigid links form a circle".into();
        return Err(FemError::Constraint { node: freedom / DOFS_PER_NODE, reason });
    }
    let (base, offset) = (DOFS_PER_NODE * master, freedom % DOFS_PER_NODE);
    collect(roles, number, base + offset, factor, depth - 1, terms)?;
    if offset < 3 {
        // (theta x r)_i = theta_j r_k - theta_k r_j with i, j, k cyclic.
        let (j, k) = ((offset + 1) % 3, (offset + 2) % 3);
        collect(roles, number, base + 3 + j, factor * arm[k], depth - 1, terms)?;
        collect(roles, number, base + 3 + k, -factor * arm[j], depth - 1, terms)?;
    }
    Ok(())
}
