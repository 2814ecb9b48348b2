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
//! That response is the whole answer only where it is followed slowly. The answers move mass themselves, and so do the static
//! shapes S of the interfaces; what the shapes miss of the response to that,
//!   X' = K^-1 M [X S],
//! is the next vector of the sequence K^-1 M K^-1 F of load-dependent Ritz vectors (E. L. Wilson, M.-W. Yuan, J. M. Dickens, "Dynamic
//! analysis by direct superposition of Ritz vectors", 1982): with it the slow vibrations of the assembled machine are right to the next
//! power of their frequency over that of the first mode left out, which is what decides where nothing damps them.
//!
//! Cost: one more solution for twelve loads with the factors of K; of the second step for twelve and as many as static shapes.
//!
//! Typeset: book/src/theory/reduction.md (FE.13, FE.14).

use super::Basis;
use super::attachment::{energy_orthonormal, held_response, unit_mass};
use crate::assemble::{System, mass_properties};
use crate::element::MassModel;
use crate::error::FemError;
use crate::frame_loads::{self, Frame};
use crate::linear::{Factor, solve_definite, symmetric_eigen};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// What is added to the shapes of a held structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residual {
    /// Nothing.
    #[default]
    None,
    /// What they miss of the static response to accelerations of the frame (FE.13).
    Accelerations,
    /// Also what they miss of the response to the inertia of these answers and of the static shapes (FE.14).
    Inertia,
}

/// A load whose response the shapes have but for this share of its energy, a thousandth in displacements, gets no shape: that of
/// what is left would only be fast.
const MET: f64 = 1e-6;

/// The same of the response to the inertia of answers and static shapes: their energy is mostly that of shapes that are kept, and what
/// decides frequencies is the rest.
const MET_AGAIN: f64 = 1e-8;

/// Below this share of its energy a shape of that second kind counts as dependent on the ones before: chains of Ritz vectors turn
/// towards each other.
const DEPENDENT: f64 = 1e-6;

/// Beside this share of the largest energy of its kind a load is rounding: bars have no mass beside their axis.
const NOTHING: f64 = 1e-13;

/// Kinds of the loads of the frame: linear accelerations; angular ones and spin.
pub(super) const KINDS: [usize; frame_loads::CASES] = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1];

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

/// Adds shapes to `basis` until it has the static response to the loads (FE.13). `response` is that of the full model.
pub(super) fn complete(
    system: &System,
    basis: Basis,
    loads: &DMatrix<f64>,
    response: &DMatrix<f64>,
) -> Result<Basis, FemError> {
    let whole = energies(loads, response);
    let nothing = rounding(&whole, &KINDS);
    let least = |load: usize, _| (MET * whole[load]).max(nothing[load]);
    let missing = missing(system, &basis.shapes, loads, response)?;
    add(system, basis, missing, least)
}

/// Adds shapes to `basis`, completed by [`complete`] for the same loads, until it has the response to the inertia of the
/// answers and of its static shapes (FE.14).
pub(super) fn complete_inertia(
    system: &System,
    factor: &Factor,
    basis: Basis,
    loads: &DMatrix<f64>,
    response: &DMatrix<f64>,
) -> Result<Basis, FemError> {
    let whole = energies(loads, response);
    let nothing = rounding(&whole, &KINDS);
    let answers = (0..loads.ncols()).filter(|load| whole[*load] > nothing[*load]);
    let answers = answers.map(|load| response.column(load).into_owned());
    let statics = (0..basis.static_shapes).map(|shape| basis.shapes.column(shape).into_owned());
    let moved: Vec<_> = answers.chain(statics).collect();
    if moved.is_empty() {
        return Ok(basis);
    }
    let loads = system.mass.multiply(&DMatrix::from_columns(&moved));
    let response = held_response(factor, &loads)?;
    let whole = energies(&loads, &response);
    let least = |load: usize, alone: f64| (MET_AGAIN * whole[load]).max(DEPENDENT * alone);
    let missing = missing(system, &basis.shapes, &loads, &response)?;
    add(system, basis, missing, least)
}

/// Twice the strain energy of each response.
pub(super) fn energies(loads: &DMatrix<f64>, response: &DMatrix<f64>) -> Vec<f64> {
    (0..loads.ncols()).map(|load| loads.column(load).dot(&response.column(load))).collect()
}

/// Energy below which the response to a load is rounding, by the largest one of its kind.
pub(super) fn rounding(whole: &[f64], kinds: &[usize]) -> Vec<f64> {
    let largest = |kind: usize| {
        let same = whole.iter().zip(kinds).filter(|(_, other)| **other == kind);
        same.fold(0.0, |most: f64, (energy, _)| most.max(*energy))
    };
    kinds.iter().map(|kind| NOTHING * largest(*kind)).collect()
}

/// What shapes miss of responses: orthogonal to all of them in K.
pub(super) fn missing(
    system: &System,
    shapes: &DMatrix<f64>,
    loads: &DMatrix<f64>,
    response: &DMatrix<f64>,
) -> Result<DMatrix<f64>, FemError> {
    let stiffness = system.stiffness.congruence(shapes);
    let kept = solve_definite(&stiffness, &shapes.tr_mul(loads))?;
    let mut missing = response - shapes * kept;
    // Again, for what rounding left: the response may be many times larger than what is missing of it.
    let left = shapes.tr_mul(&system.stiffness.multiply(&missing));
    missing -= shapes * solve_definite(&stiffness, &left)?;
    Ok(missing)
}

/// Adds columns, where they have more energy than `least` (see [`energy_orthonormal`]), at unit mass.
pub(super) fn add(
    system: &System,
    basis: Basis,
    columns: DMatrix<f64>,
    least: impl Fn(usize, f64) -> f64,
) -> Result<Basis, FemError> {
    let added = unit_mass(system, &energy_orthonormal(system, columns, least))?;
    let shapes: Vec<_> = basis.shapes.column_iter().map(|column| column.into_owned()).chain(added).collect();
    if shapes.is_empty() {
        return Err(FemError::Empty { reason: "the reduction keeps no shape".into() });
    }
    Ok(Basis { shapes: DMatrix::from_columns(&shapes), ..basis })
}
