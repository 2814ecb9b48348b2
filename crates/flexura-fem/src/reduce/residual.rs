//! Residual shapes: what the kept shapes miss of the static response to inertia.
//!
//! A body whose frame is accelerated deforms under its own mass, by the loads F of (FE.6): three of linear, three of angular
//! accelerations, six of products of angular velocities. Modes give that response only by and
//! by: a link has its first mode of stretch behind many of bending, and without it stretches too little under its own acceleration. The missing part,
//!   psi = X - Phi (Phi^T K Phi)^-1 Phi^T F,   X = K^-1 F,
//! is orthogonal in K to every kept shape, static ones included, so that static shapes stay what they are and, behind
//! Craig-Bampton shapes, interfaces do not move (inertia-relief residual vectors; R. H. MacNeal, 1971, for loads at
//! interfaces; T. Rose, "Using residual vectors in MSC/Nastran dynamic analysis to improve accuracy", 1991).
//!
//! Cost: one more solution for twelve loads with the factors of K.
//!
//! Typeset: book/src/theory/reduction.md (FE.13).

use super::Basis;
use super::attachment::{energy_orthonormal, unit_mass};
use crate::assemble::{System, mass_properties};
use crate::element::MassModel;
use crate::error::FemError;
use crate::frame_loads::{self, Frame};
use crate::linear::{solve_definite, symmetric_eigen};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// A load whose response the shapes have but for this share of its energy, a thousandth in displacements, gets no shape: that of
/// what is left would only be fast.
const MET: f64 = 1e-6;

/// Beside this share of the largest energy of its kind (linear; angular and of spin) a load is rounding: bars have no mass beside
/// their axis.
const NOTHING: f64 = 1e-13;

/// Loads of unit accelerations of the frame at the reference node, a column each, on the unknowns of the structure. Along the
/// principal axes of the body: how it lies in its mesh must not decide what counts as little beside what. The twist of a bar is
/// a load of its own along these, and lost beside its bending along others.
pub(super) fn loads(
    mesh: &Mesh,
    system: &System,
    model: MassModel,
    reference: usize,
) -> Result<DMatrix<f64>, FemError> {
    let (_, _, inertia) = mass_properties(mesh, model)?;
    let (_, axes) = symmetric_eigen(&DMatrix::from_column_slice(3, 3, inertia.as_slice()))?;
    let axes = Matrix3::from_column_slice(axes.as_slice());
    let frame = Frame { origin: Vector3::from(mesh.nodes[reference]), axes };
    let nodal = frame_loads::nodal(mesh, model, &frame)?;
    let columns: Vec<_> =
        nodal.column_iter().map(|column| system.dofs.project(&column.into_owned())).collect();
    Ok(DMatrix::from_columns(&columns))
}

/// Adds shapes to `basis` until it has the static response to the loads. `response` is that of the full model.
pub(super) fn complete(
    system: &System,
    basis: Basis,
    loads: &DMatrix<f64>,
    response: &DMatrix<f64>,
) -> Result<Basis, FemError> {
    let stiffness = system.stiffness.congruence(&basis.shapes);
    let kept = solve_definite(&stiffness, &basis.shapes.tr_mul(loads))?;
    let mut missing = response - &basis.shapes * kept;
    // Again, for what rounding left: the response may be many times larger than what is missing of it.
    let left = basis.shapes.tr_mul(&system.stiffness.multiply(&missing));
    missing -= &basis.shapes * solve_definite(&stiffness, &left)?;
    let whole: Vec<f64> =
        (0..loads.ncols()).map(|load| loads.column(load).dot(&response.column(load))).collect();
    let largest = |loads: std::ops::Range<usize>| whole[loads].iter().fold(0.0, |most: f64, x| most.max(*x));
    let nothing = [NOTHING * largest(0..3), NOTHING * largest(3..whole.len())];
    let least = |load: usize, _| (MET * whole[load]).max(nothing[usize::from(load > 2)]);
    let added = energy_orthonormal(system, missing, least);
    let added = unit_mass(system, &added)?;
    let shapes: Vec<_> = basis.shapes.column_iter().map(|column| column.into_owned()).chain(added).collect();
    if shapes.is_empty() {
        return Err(FemError::Empty { reason: "the reduction keeps no shape".into() });
    }
    Ok(Basis { shapes: DMatrix::from_columns(&shapes), ..basis })
}
