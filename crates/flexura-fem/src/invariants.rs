//! Invariants of a reduced body: the constant sums of its mass block.
//!
//! From pieces: every mass sample of the elements, moved and turned by the shapes, summed by the
//! engine's own rule. From the mass matrix: nodal velocities B(eta) = [1, -r~, phi; 0, 1, lambda]
//! with r = l0 + phi eta, M_m = B^T M B (J. Cuadrado, D. Dopico, M. Gonzalez, M. A. Naya, and
//! U. Lugris and co-workers, 2007, eqs 11-15, 17; book/src/theory/reduction.md (FE.4)):
//!   c1_r = B_v^T M phi_r,  I1_r = 2 sym(W0^T M W1_r),  I2_rs = sym(W1_r^T M W1_s),
//!   F0_r = W0^T M phi_r,   F1_rs = W1_s^T M phi_r,     W0, W1_r the columns of rotation at
//! eta = 0 and their change with mode r. Both have the same modal mass. They differ by the
//! turned interpolation inside the elements, which vanishes with their size, and by the rotary
//! inertia of cross sections, which follows the deformation in pieces only (a share of the
//! square of thickness over wave length). Generalised coordinates of given matrices have no place:
//! their rows of B_v, W0 and W1 are zero. Cost O(elements x modes^2).

use crate::element;
use crate::error::FemError;
use crate::mass_node::mass_node;
use crate::mesh::Mesh;
use crate::pieces::moving_samples;
use crate::reduce::ReducedModel;
use crate::stiffening::{SecondOrder, UnitLoadStiffness};
use flexura::model::description::{ModalInvariants, NodeDescription};
use flexura::model::mass_sums::MassSums;
use nalgebra::{DMatrix, Vector3};

/// What invariants are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvariantSource {
    /// The mass pieces of the elements (or lumped nodes, after the mass model).
    #[default]
    Pieces,
    /// The nodal mass matrix.
    MassMatrix,
}

/// Nodes summed at a time: bounds the memory of large meshes.
const CHUNK: usize = 256;

pub(crate) fn of(
    mesh: &Mesh,
    reduced: &ReducedModel,
    source: InvariantSource,
    second: Option<&SecondOrder<'_>>,
) -> Result<ModalInvariants, FemError> {
    let mut sum = match source {
        InvariantSource::Pieces => of_pieces(mesh, reduced, second)?,
        InvariantSource::MassMatrix if second.is_none() => of_mass_matrix(mesh, reduced)?,
        InvariantSource::MassMatrix => {
            return Err(FemError::Constraint {
                node: reduced.reference,
                reason: "stiffening along beams needs mass pieces: take unit load cases or pieces".into(),
            });
        }
    };
    if let Some(matrices) = &mesh.matrices {
        let freedoms: Vec<usize> = (0..reduced.shapes.nrows()).collect();
        let origin = Vector3::from(mesh.nodes[reduced.reference]);
        let times = |columns: &DMatrix<f64>| matrices.mass_times(columns);
        let mut given = ModalInvariants::zero(reduced.shapes.ncols());
        add_block(&mut given, mesh, &freedoms, &times, &reduced.shapes, origin);
        given.sums = MassSums::of_invariants(&given);
        sum.add(&given);
    }
    Ok(sum)
}

fn of_pieces(
    mesh: &Mesh,
    reduced: &ReducedModel,
    second: Option<&SecondOrder<'_>>,
) -> Result<ModalInvariants, FemError> {
    let (modes, origin) = (reduced.shapes.ncols(), Vector3::from(mesh.nodes[reduced.reference]));
    let mut sum = ModalInvariants::of_nodes(&[], modes);
    let mut pending: Vec<NodeDescription> = Vec::with_capacity(CHUNK);
    moving_samples(mesh, reduced.mass_model, &reduced.shapes, |source, piece| {
        pending.extend(mass_node(source, &piece, origin, reduced, second)?);
        if pending.len() >= CHUNK {
            sum.add(&ModalInvariants::of_nodes(&pending, modes));
            pending.clear();
        }
        Ok(())
    })?;
    sum.add(&ModalInvariants::of_nodes(&pending, modes));
    Ok(sum)
}

fn of_mass_matrix(mesh: &Mesh, reduced: &ReducedModel) -> Result<ModalInvariants, FemError> {
    let origin = Vector3::from(mesh.nodes[reduced.reference]);
    let mut sum = ModalInvariants::zero(reduced.shapes.ncols());
    for (index, element) in mesh.elements.iter().enumerate() {
        let freedoms = element::freedoms(element);
        let samples = element::samples(mesh, index, reduced.mass_model)?;
        let mass = element::mass_matrix(&samples, freedoms.len());
        add_block(&mut sum, mesh, &freedoms, &|columns| &mass * columns, &reduced.shapes, origin);
    }
    for point in &mesh.masses {
        let freedoms = crate::mesh::freedoms_of(&[point.node]);
        let mass = element::mass_matrix(&[element::point_sample(mesh, point)], 6);
        add_block(&mut sum, mesh, &freedoms, &|columns| &mass * columns, &reduced.shapes, origin);
    }
    sum.sums = MassSums::of_invariants(&sum);
    Ok(sum)
}

/// Rows of a nodal vector field: cross products with a unit rotation about an axis.
fn turned(
    mesh: &Mesh,
    freedoms: &[usize],
    arm: impl Fn(usize) -> Vector3<f64>,
    with_rotation: bool,
) -> DMatrix<f64> {
    let mut columns = DMatrix::zeros(freedoms.len(), 3);
    for (row, freedom) in freedoms.iter().enumerate() {
        let (node, offset) = (freedom / 6, freedom % 6);
        if mesh.is_coordinate(node) {
            continue;
        }
        if offset < 3 {
            let rows = -arm(node).cross_matrix();
            (0..3).for_each(|axis| columns[(row, axis)] = rows[(offset, axis)]);
        } else if with_rotation {
            columns[(row, offset - 3)] = 1.0;
        }
    }
    columns
}

/// Adds the invariants of one block of the mass matrix.
fn add_block(
    sum: &mut ModalInvariants,
    mesh: &Mesh,
    freedoms: &[usize],
    mass: &dyn Fn(&DMatrix<f64>) -> DMatrix<f64>,
    shapes: &DMatrix<f64>,
    origin: Vector3<f64>,
) {
    let modes = shapes.ncols();
    let phi = shapes.select_rows(freedoms);
    let shift = DMatrix::from_fn(freedoms.len(), 3, |row, axis| {
        f64::from(freedoms[row] % 6 == axis && !mesh.is_coordinate(freedoms[row] / 6))
    });
    let spin = turned(mesh, freedoms, |node| Vector3::from(mesh.nodes[node]) - origin, true);
    let carried: Vec<DMatrix<f64>> = (0..modes)
        .map(|mode| {
            turned(mesh, freedoms, |node| shapes.fixed_view::<3, 1>(6 * node, mode).into_owned(), false)
        })
        .collect();
    let (mass_phi, mass_spin) = (mass(&phi), mass(&spin));
    let mass_shift = mass(&shift);
    sum.mass += shift.column(0).dot(&mass_shift.column(0));
    // c0 from the coupling of shift and spin: B_v^T M W0 = -c0~.
    let first = vee(&-shift.tr_mul(&mass_spin));
    (0..3).for_each(|i| sum.moment0[i] += first[i]);
    add6(&mut sum.inertia0, &spin.tr_mul(&mass_spin));
    let (moments, angular) = (shift.tr_mul(&mass_phi), spin.tr_mul(&mass_phi));
    let modal = phi.tr_mul(&mass_phi);
    for r in 0..modes {
        let mass_carried = mass(&carried[r]);
        add6(&mut sum.inertia1[r], &(spin.tr_mul(&mass_carried) * 2.0));
        for i in 0..3 {
            sum.moment1[r][i] += moments[(i, r)];
            sum.angular0[r][i] += angular[(i, r)];
        }
        let coupled = mass_carried.tr_mul(&phi);
        for s in 0..modes {
            add6(&mut sum.inertia2[r * modes + s], &carried[s].tr_mul(&mass_carried));
            // Carried by mode r, moved by mode s: the coefficient of eta_r in the column of s.
            (0..3).for_each(|i| sum.angular1[s * modes + r][i] += coupled[(i, s)]);
            sum.modal[r * modes + s] += modal[(r, s)];
        }
    }
}

/// The vector of a (nearly) skew matrix.
fn vee(matrix: &DMatrix<f64>) -> Vector3<f64> {
    let half = |i: usize, j: usize| 0.5 * (matrix[(i, j)] - matrix[(j, i)]);
    Vector3::new(half(2, 1), half(0, 2), half(1, 0))
}

/// Adds the symmetric part as xx, xy, xz, yy, yz, zz.
fn add6(sum: &mut [f64; 6], matrix: &DMatrix<f64>) {
    let half = |i: usize, j: usize| 0.5 * (matrix[(i, j)] + matrix[(j, i)]);
    let parts = [half(0, 0), half(0, 1), half(0, 2), half(1, 1), half(1, 2), half(2, 2)];
    (0..6).for_each(|i| sum[i] += parts[i]);
}

/// Adds the mass integrals of second order that the unit load cases give.
pub(crate) fn add_unit_loads(sum: &mut ModalInvariants, unit: &UnitLoadStiffness) {
    let modes = unit.translation[0].nrows();
    let pairs = || (0..modes * modes).map(|pair| (pair / modes, pair % modes));
    let moment: Vec<[f64; 3]> = pairs().map(|at| std::array::from_fn(|i| unit.translation[i][at])).collect();
    let spin: Vec<[f64; 3]> = pairs().map(|at| std::array::from_fn(|i| unit.rotation[i][at])).collect();
    let centrifugal: Vec<[f64; 6]> =
        pairs().map(|at| std::array::from_fn(|i| unit.centrifugal[i][at])).collect();
    let along_modes: Vec<Vec<f64>> =
        unit.shapes.iter().map(|matrix| pairs().map(|at| matrix[at]).collect()).collect();
    sum.add_second_order(&moment, &spin, &centrifugal, &along_modes);
}
