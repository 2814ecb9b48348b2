//! Attachment shapes: static corrections for loads at the interfaces.
//!
//! Held structures: residual attachment modes (R. H. MacNeal, "A hybrid method of component
//! mode synthesis", 1971), the static response to a unit load at each interface freedom less
//! what the kept modes give: psi = K^-1 F - Phi (1/w^2) Phi^T F, orthogonal to the modes in
//! M and K.
//! Free structures: inertia-relief attachment modes (R. R. Craig, C.-J. Chang, 1977). The
//! load is balanced by rigid accelerations, P = 1 - M R (R^T M R)^-1 R^T, the response
//! follows on any statically determinate support and is freed of rigid motion,
//!   psi = P^T G P F,   then the part of the kept modes is taken off as above.
//! The shapes are orthonormalised in strain energy, which finds and leaves out dependent ones, and then combined to
//! unit mass without coupling, as the modes are: with unit strain energy their coordinates would be their frequency
//! times larger than those of the modes, and rounding of the one kind would hide the motion of the other.
//!
//! Typeset: book/src/theory/reduction.md (FE.2).

use super::Basis;
use crate::assemble::{System, rigid_motions};
use crate::eigen::Spectrum;
use crate::error::FemError;
use crate::linear::{Factor, generalized_eigen, solve_definite};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, DVector, Vector3};

/// Below this share of its energy a shape counts as dependent on the ones before.
const DEPENDENT: f64 = 1e-10;

/// Static response of the held structure to loads, one column each; by the factors of its stiffness.
pub(super) fn held_response(factor: &Factor, loads: &DMatrix<f64>) -> Result<DMatrix<f64>, FemError> {
    let mut response = loads.clone();
    factor.solve_in_place(&mut response)?;
    Ok(response)
}

/// Elastic response of the free structure to unit loads balanced by its inertia. `support`
/// lists six unknowns that hold it without strain.
pub(super) fn free_response(
    mesh: &Mesh,
    system: &System,
    interfaces: &[usize],
    support: &[usize],
) -> Result<DMatrix<f64>, FemError> {
    let middle = mesh.nodes.iter().map(|x| Vector3::from(*x)).sum::<Vector3<f64>>() / mesh.nodes.len() as f64;
    let rigid = system.dofs.restrict(&rigid_motions(mesh, middle));
    let momentum = system.mass.multiply(&rigid);
    let gram = rigid.tr_mul(&momentum);
    let loads = unit_loads(system.dofs.unknowns(), interfaces);
    let balanced = &loads - &momentum * solve_definite(&gram, &rigid.tr_mul(&loads))?;
    let place = kept_places(system.dofs.unknowns(), support);
    let block = system.stiffness.principal_block(&place);
    let rows: Vec<usize> = (0..place.len()).filter(|row| place[*row].is_some()).collect();
    let mut inner = balanced.select_rows(&rows);
    Factor::definite(&block)?.solve_in_place(&mut inner)?;
    let mut response = DMatrix::zeros(place.len(), interfaces.len());
    for (from, to) in rows.into_iter().enumerate() {
        response.set_row(to, &inner.row(from));
    }
    let drift = solve_definite(&gram, &momentum.tr_mul(&response))?;
    Ok(response - rigid * drift)
}

/// Six unknowns of one node that can turn; without one, the structure has to be given one.
pub(super) fn determinate_support(system: &System, reference: usize) -> Result<Vec<usize>, FemError> {
    let unknowns: Option<Vec<usize>> = (0..6).map(|i| system.dofs.unknown(6 * reference + i)).collect();
    unknowns.ok_or_else(|| FemError::Constraint {
        node: reference,
        reason: "the reference node of inertia-relief shapes must have six freedoms of its own".into(),
    })
}

/// Attachment shapes first, then the modes.
pub(super) fn basis(
    system: &System,
    interfaces: &[usize],
    response: DMatrix<f64>,
    spectrum: Spectrum,
) -> Result<Basis, FemError> {
    let modes = spectrum.shapes;
    let loads = modes.select_rows(interfaces);
    let mut residual = response;
    for (mode, value) in spectrum.eigenvalues.iter().enumerate() {
        let share = loads.column(mode) / *value;
        residual.ger(-1.0, &modes.column(mode), &share, 1.0);
    }
    let statics = unit_mass(system, &energy_orthonormal(system, residual, |_, energy| DEPENDENT * energy))?;
    let count = statics.len();
    let columns: Vec<_> = statics.into_iter().chain(modes.column_iter().map(|c| c.into_owned())).collect();
    if columns.is_empty() {
        return Err(FemError::Empty { reason: "the reduction keeps no shape".into() });
    }
    Ok(Basis { shapes: DMatrix::from_columns(&columns), static_shapes: count })
}

/// Orthonormal columns in the inner product of K. A column is left out of which those before leave no more energy than
/// `least`, asked with its number and its energy alone.
pub(super) fn energy_orthonormal(
    system: &System,
    columns: DMatrix<f64>,
    least: impl Fn(usize, f64) -> f64,
) -> Vec<DVector<f64>> {
    let mut kept: Vec<(DVector<f64>, DVector<f64>)> = Vec::new();
    for (number, column) in columns.column_iter().enumerate() {
        let mut vector = column.into_owned();
        let force = |v: &DVector<f64>| {
            let column = DMatrix::from_column_slice(v.len(), 1, v.as_slice());
            system.stiffness.multiply(&column).column(0).into_owned()
        };
        let before = force(&vector).dot(&vector);
        for _ in 0..2 {
            for (shape, weighted) in &kept {
                vector.axpy(-weighted.dot(&vector), shape, 1.0);
            }
        }
        let weighted = force(&vector);
        let energy = weighted.dot(&vector);
        if energy.is_finite() && energy > least(number, before) {
            let norm = energy.sqrt();
            kept.push((vector / norm, weighted / norm));
        }
    }
    kept.into_iter().map(|(shape, _)| shape).collect()
}

/// Combinations of shapes of unit strain energy that have unit mass and no coupling.
pub(super) fn unit_mass(system: &System, shapes: &[DVector<f64>]) -> Result<Vec<DVector<f64>>, FemError> {
    if shapes.is_empty() {
        return Ok(Vec::new());
    }
    let shapes = DMatrix::from_columns(shapes);
    let mass = system.mass.congruence(&shapes);
    let (_, combinations) = generalized_eigen(&system.stiffness.congruence(&shapes), &mass)?;
    Ok((shapes * combinations).column_iter().map(|column| column.into_owned()).collect())
}

pub(super) fn unit_loads(size: usize, interfaces: &[usize]) -> DMatrix<f64> {
    let mut loads = DMatrix::zeros(size, interfaces.len());
    for (column, unknown) in interfaces.iter().enumerate() {
        loads[(*unknown, column)] = 1.0;
    }
    loads
}

fn kept_places(size: usize, left_out: &[usize]) -> Vec<Option<usize>> {
    let mut next = 0;
    (0..size)
        .map(|unknown| {
            (!left_out.contains(&unknown)).then(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}
