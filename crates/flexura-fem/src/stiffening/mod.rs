//! Geometric stiffening: displacements of second order.
//!
//! Strains of a beam are taken linear in the shapes' amplitudes; rotation and
//! position follow by integrating them from the held reference node (geometrically
//! exact rod: E. Reissner, 1981; J. C. Simo, 1985). To second order, with section
//! rotation theta, curvature k, axial and shear strain g, axis t, all in body axes:
//!   R = 1 + theta~ + R2,     R2' = theta~ k~,
//!   u2' = R2 t + theta x g.
//! Bending shortens the chord, twist with bending swings it sideways; axial loads,
//! spin and transverse tip loads then stiffen, soften or buckle the beam.
//! A pair (r, s) of shapes has the symmetric term X(r,s) with 1/2 sum eta_r eta_s X(r,s).
//!
//! Chains and trees of beams and rigid links are followed from the reference node. Loops,
//! shells and solids take unit load cases instead (`unit_loads`).
//!
//! Typeset: book/src/theory/reduction.md (FE.5).

mod chain;
mod geometric;
pub(crate) mod unit_loads;

use crate::element::beam::Beam;
use crate::element::{MassModel, quadrature};
use crate::error::FemError;
use crate::mesh::{Element, Mesh};
use crate::pieces::PieceSource;
use crate::reduce::ReducedModel;
use chain::Terms;
use nalgebra::{DMatrix, Vector3};

pub(crate) use unit_loads::of_held;
pub use unit_loads::{UnitLoadStiffness, unit_load_stiffness};

/// Which displacements of second order a body gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stiffening {
    /// None: enough while loads and spin are small against buckling loads.
    #[default]
    None,
    /// Along chains of beams.
    Beams,
    /// From unit load cases, for any mesh.
    UnitLoads,
    /// Along chains of beams where the mesh is one, else from unit load cases.
    Automatic,
}

/// Second-order terms at every node, and how each beam was reached.
pub(crate) struct SecondOrder<'a> {
    mesh: &'a Mesh,
    shapes: &'a DMatrix<f64>,
    nodes: Vec<Terms>,
    /// End of each element nearer to the reference node.
    near: Vec<usize>,
}

impl<'a> SecondOrder<'a> {
    /// Integrates along the beams of a mesh from its held reference node.
    pub fn along_beams(mesh: &'a Mesh, reduced: &'a ReducedModel) -> Result<Self, FemError> {
        if reduced.kind.is_free() {
            let reason = "geometric stiffening along beams needs shapes held at the reference node".into();
            return Err(FemError::Constraint { node: reduced.reference, reason });
        }
        let (nodes, near) = chain::walk(mesh, reduced.reference, &reduced.shapes)?;
        Ok(Self { mesh, shapes: &reduced.shapes, nodes, near })
    }

    /// Terms of a node, all pairs of shapes row by row (m).
    pub fn node(&self, node: usize) -> Vec<[f64; 3]> {
        self.nodes[node].square(Vector3::zeros())
    }

    /// Terms of a mass piece, all pairs of shapes row by row (m).
    pub fn piece(&self, source: PieceSource, model: MassModel) -> Result<Vec<[f64; 3]>, FemError> {
        let (index, sample) = match source {
            PieceSource::Point(index) => {
                let point = &self.mesh.masses[index];
                return Ok(self.nodes[point.node].square(point.offset.into()));
            }
            PieceSource::Element { index, sample } => (index, sample),
        };
        // The walk has refused everything but beams.
        let Element::Beam(element) = &self.mesh.elements[index] else { return Ok(Vec::new()) };
        if model == MassModel::Lumped {
            return Ok(self.nodes[element.nodes[sample]].square(element.offsets[sample].into()));
        }
        let beam = Beam::new(self.mesh, index, element)?;
        let near = self.near[index];
        let start = self.nodes[element.nodes[near]].moved(element.offsets[near].into());
        let target = quadrature::interval()[sample].0;
        let local = chain::local_shapes(self.shapes, &element.nodes);
        Ok(chain::advance(&beam, &local, near as f64, target, &start).square(Vector3::zeros()))
    }
}
