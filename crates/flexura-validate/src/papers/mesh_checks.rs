//! Checks of bodies of finite elements: blocks of the reduced body against products with the matrices of the mesh.

use super::checks::{Found, finding};
use super::graph_checks::{rod, steel};
use super::models::apart;
use super::operators::{Matrix, Vector};
use crate::context::Fault;
use flexura_fem::assemble::{nodal_mass, rigid_motions};
use flexura_fem::{
    EigenOptions, InvariantSource, MassModel, Mesh, ReducedModel, Reduction, ReductionKind, Stiffening,
    Supports, assemble, compact_description, lowest_modes,
};

const ETA: [f64; 4] = [0.03, -0.02, 0.05, 0.01];

/// BᵀMB at `ETA` without its block between rotation and translation, B = [shapes, rotations, translations] of the deformed mesh.
fn projected(mesh: &Mesh, reduced: &ReducedModel) -> Result<Matrix, Fault> {
    let mass = nodal_mass(mesh, MassModel::Consistent)?;
    let mut moved = mesh.clone();
    let shift = &reduced.shapes * Vector::from_column_slice(&ETA);
    for (node, x) in moved.nodes.iter_mut().enumerate() {
        (0..3).for_each(|i| x[i] += shift[6 * node + i]);
    }
    let rigid = rigid_motions(&moved, mesh.nodes[reduced.reference].into());
    let mut columns = Matrix::zeros(rigid.nrows(), 10);
    columns.columns_mut(0, 4).copy_from(&reduced.shapes);
    columns.columns_mut(4, 3).copy_from(&rigid.columns(3, 3));
    columns.columns_mut(7, 3).copy_from(&rigid.columns(0, 3));
    let mut whole = mass.congruence(&columns);
    // Between rotation and translation the body has the moment of its mass, m c~ with c along the shapes, the mesh that of its elements.
    whole.view_mut((4, 7), (3, 3)).fill(0.0);
    whole.view_mut((7, 4), (3, 3)).fill(0.0);
    Ok(whole)
}

/// The same from the constant sums of the reduced body, and its stiffness.
fn block(mesh: &Mesh, reduced: &ReducedModel) -> Result<(Matrix, Vec<f64>), Fault> {
    let body = compact_description(mesh, reduced, InvariantSource::MassMatrix, Stiffening::None)?;
    let sums = body.invariants.ok_or_else(|| Fault("no sums".into()))?;
    let places = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let mut mass = Matrix::zeros(10, 10);
    for (part, (i, j)) in places.into_iter().enumerate() {
        let first = |r: usize| {
            ETA[r]
                * (sums.inertia1[r][part]
                    + (0..4).map(|s| ETA[s] * sums.inertia2[4 * r + s][part]).sum::<f64>())
        };
        mass[(4 + i, 4 + j)] = sums.inertia0[part] + (0..4).map(first).sum::<f64>();
        mass[(4 + j, 4 + i)] = mass[(4 + i, 4 + j)];
    }
    for r in 0..4 {
        for i in 0..3 {
            let angular =
                sums.angular0[r][i] + (0..4).map(|s| ETA[s] * sums.angular1[4 * r + s][i]).sum::<f64>();
            for (at, value) in [(4 + i, angular), (7 + i, sums.moment1[r][i])] {
                mass[(r, at)] = value;
                mass[(at, r)] = value;
            }
        }
        (0..4).for_each(|s| mass[(r, s)] = sums.modal[4 * r + s]);
    }
    (0..3).for_each(|i| mass[(7 + i, 7 + i)] = sums.mass);
    Ok((mass, body.stiffness))
}

pub(super) fn mass_blocks_are_those_of_the_mesh() -> Found {
    let mesh = rod(steel())?;
    let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 4 }).run(&mesh)?;
    let (mass, stiffness) = block(&mesh, &reduced)?;
    let known = projected(&mesh, &reduced)?;
    // XᵀKX of eigenvectors is M ω².
    let system = assemble(&mesh, &Supports::none().clamp(&[mesh.named("root")?]), MassModel::Consistent)?;
    let spectrum = lowest_modes(system.pencil(), 4, &EigenOptions::default())?.frequencies();
    let squares: Vec<f64> = spectrum.iter().map(|f| (std::f64::consts::TAU * f).powi(2)).collect();
    let found: Vec<f64> = (0..4).map(|r| stiffness[5 * r] / known[(r, r)]).collect();
    Ok(vec![
        finding(
            "blocks ff, θf, Rf, θθ, RR of a bent rod against BᵀMB of its mesh",
            apart(mass.as_slice(), known.as_slice()),
            1e-10,
        ),
        finding(
            "its stiffness over its mass against squares of the frequencies of the mesh",
            apart(&found, &squares),
            1e-7,
        ),
    ])
}

pub(super) fn bodies_of_elements_do_virtual_work() -> Found {
    let mut list = mass_blocks_are_those_of_the_mesh()?;
    // (55), (60): weight is a volume force; on the frame and on the shapes it is Bᵀ M of a unit acceleration.
    let mesh = rod(steel())?;
    let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 4 }).run(&mesh)?;
    let (mass, _) = block(&mesh, &reduced)?;
    let upward = rigid_motions(&mesh, mesh.nodes[reduced.reference].into()).column(2).into_owned();
    let weight = nodal_mass(&mesh, MassModel::Consistent)?.multiply(&Matrix::from_columns(&[upward]));
    let known: Vec<f64> = (reduced.shapes.transpose() * weight).as_slice().to_vec();
    let found: Vec<f64> = (0..4).map(|r| mass[(r, 9)]).collect();
    list.push(finding("weight on the shapes against Σ Nᵀ ρ over the mesh", apart(&found, &known), 1e-10));
    list.extend(super::body_checks::biases_belong_to_their_mass()?);
    Ok(list)
}
