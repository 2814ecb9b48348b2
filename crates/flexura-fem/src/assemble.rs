//! Assembly of the sparse stiffness and mass matrices of the unknowns.

use crate::DOFS_PER_NODE;
use crate::constraint::{DofMap, Supports};
use crate::element::{self, MassModel};
use crate::error::FemError;
use crate::linear::{SymmetricMatrix, Triplets};
use crate::mesh::Mesh;
use crate::mesh::freedoms_of;
use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};

/// A discretised structure: K and M of its unknowns, with one pattern.
#[derive(Clone, Debug)]
pub struct System {
    /// From nodal freedoms to unknowns.
    pub dofs: DofMap,
    /// Stiffness (N/m, N, N m).
    pub stiffness: SymmetricMatrix,
    /// Mass (kg, kg m, kg m2).
    pub mass: SymmetricMatrix,
}

/// Stiffness and mass of one eigenproblem K phi = lambda M phi, with one pattern.
#[derive(Clone, Copy, Debug)]
pub struct Pencil<'a> {
    /// Stiffness.
    pub stiffness: &'a SymmetricMatrix,
    /// Mass.
    pub mass: &'a SymmetricMatrix,
}

impl Pencil<'_> {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.stiffness.size()
    }
}

impl System {
    /// The eigenproblem of the structure.
    pub fn pencil(&self) -> Pencil<'_> {
        Pencil { stiffness: &self.stiffness, mass: &self.mass }
    }
}

/// Checks a mesh and assembles it under supports.
pub fn assemble(mesh: &Mesh, supports: &Supports, model: MassModel) -> Result<System, FemError> {
    mesh.validate()?;
    let dofs = DofMap::new(mesh, supports)?;
    if dofs.unknowns() == 0 {
        return Err(FemError::Empty { reason: "everything is supported, or there are no nodes".into() });
    }
    let (mut stiffness, mut mass) = (Triplets::default(), Triplets::default());
    for (index, element) in mesh.elements.iter().enumerate() {
        let freedoms = element::freedoms(element);
        let evaluated = element::Evaluated::new(mesh, index)?;
        let samples = evaluated.samples(model);
        scatter(&dofs, &freedoms, &evaluated.stiffness(), &mut stiffness);
        scatter(&dofs, &freedoms, &element::mass_matrix(&samples, freedoms.len()), &mut mass);
    }
    for spring in &mesh.springs {
        let freedoms = freedoms_of(&element::spring::nodes(spring));
        scatter(&dofs, &freedoms, &element::spring::stiffness(mesh, spring), &mut stiffness);
        scatter(&dofs, &freedoms, &DMatrix::zeros(freedoms.len(), freedoms.len()), &mut mass);
    }
    for point in &mesh.masses {
        let freedoms = freedoms_of(&[point.node]);
        let sample = element::point_sample(mesh, point);
        scatter(&dofs, &freedoms, &DMatrix::zeros(6, 6), &mut stiffness);
        scatter(&dofs, &freedoms, &element::mass_matrix(&[sample], 6), &mut mass);
    }
    if let Some(matrices) = &mesh.matrices {
        scatter_sparse(&dofs, &matrices.stiffness, &mut stiffness);
        scatter_sparse(&dofs, &matrices.mass, &mut mass);
    }
    let size = dofs.unknowns();
    Ok(System { stiffness: stiffness.compress(size), mass: mass.compress(size), dofs })
}

/// Sparse mass matrix of all nodal freedoms, six per node, before links and supports: with
/// the nodal shapes it is what formulations need that keep nodes in the loop
/// (M_m = B^T M B with nodal velocities B).
pub fn nodal_mass(mesh: &Mesh, model: MassModel) -> Result<SymmetricMatrix, FemError> {
    mesh.validate()?;
    let mut mass = Triplets::default();
    let mut add = |freedoms: &[usize], matrix: &DMatrix<f64>| {
        for (a, row) in freedoms.iter().enumerate() {
            for (b, column) in freedoms.iter().enumerate().filter(|(_, column)| row >= column) {
                mass.push(*row, *column, matrix[(a, b)]);
            }
        }
    };
    for (index, element) in mesh.elements.iter().enumerate() {
        let freedoms = element::freedoms(element);
        let samples = element::samples(mesh, index, model)?;
        add(&freedoms, &element::mass_matrix(&samples, freedoms.len()));
    }
    for point in &mesh.masses {
        let sample = element::point_sample(mesh, point);
        add(&freedoms_of(&[point.node]), &element::mass_matrix(&[sample], 6));
    }
    if let Some(matrices) = &mesh.matrices {
        for column in 0..matrices.mass.size() {
            matrices.mass.column(column).for_each(|(row, value)| mass.push(row, column, value));
        }
    }
    Ok(mass.compress(DOFS_PER_NODE * mesh.nodes.len()))
}

fn scatter(dofs: &DofMap, freedoms: &[usize], matrix: &DMatrix<f64>, into: &mut Triplets) {
    for (a, row) in freedoms.iter().enumerate() {
        for (b, column) in freedoms.iter().enumerate() {
            for (i, row_factor) in dofs.terms(*row) {
                for (j, column_factor) in dofs.terms(*column) {
                    if i >= j {
                        into.push(*i, *j, matrix[(a, b)] * row_factor * column_factor);
                    }
                }
            }
        }
    }
}

fn scatter_sparse(dofs: &DofMap, matrix: &SymmetricMatrix, into: &mut Triplets) {
    let mut add = |row: usize, column: usize, value: f64| {
        for (i, row_factor) in dofs.terms(row) {
            for (j, column_factor) in dofs.terms(column).iter().filter(|(j, _)| i >= j) {
                into.push(*i, *j, value * row_factor * column_factor);
            }
        }
    };
    for column in 0..matrix.size() {
        for (row, value) in matrix.column(column) {
            add(row, column, value);
            if row != column {
                add(column, row, value);
            }
        }
    }
}

/// Nodal displacements of the six rigid motions about a point: three
/// translations, then three rotations.
pub fn rigid_motions(mesh: &Mesh, about: Vector3<f64>) -> DMatrix<f64> {
    let mut motions = DMatrix::zeros(DOFS_PER_NODE * mesh.nodes.len(), 6);
    let placed = mesh.nodes.iter().enumerate().filter(|(node, _)| !mesh.is_coordinate(*node));
    for (node, position) in placed {
        let arm = Vector3::from(*position) - about;
        let mut block = Matrix6::identity();
        block.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-arm.cross_matrix()));
        motions.view_mut((DOFS_PER_NODE * node, 0), (6, 6)).copy_from(&block);
    }
    motions
}

/// Mass (kg), centre of mass (m) and inertia about it (kg m2) of a mesh.
pub fn mass_properties(mesh: &Mesh, model: MassModel) -> Result<(f64, Vector3<f64>, Matrix3<f64>), FemError> {
    mesh.validate()?;
    let mut pieces: Vec<_> = mesh.masses.iter().map(|point| element::point_sample(mesh, point)).collect();
    for index in 0..mesh.elements.len() {
        pieces.extend(element::samples(mesh, index, model)?);
    }
    let (given, given_moment, given_inertia) = given_mass(mesh);
    let mass: f64 = given + pieces.iter().map(|piece| piece.mass).sum::<f64>();
    let moment: Vector3<f64> =
        given_moment + pieces.iter().map(|piece| piece.position * piece.mass).sum::<Vector3<f64>>();
    let center = moment / mass;
    let about_center = |piece: &element::MassSample| {
        let arm = (piece.position - center).cross_matrix();
        piece.inertia - arm * arm * piece.mass
    };
    // Inertia about the origin, moved to the centre of mass of the whole: with s the moment of the
    // given mass m, I_c = I_0 + s~ c~ + c~ s~ - m c~ c~.
    let (arm, given_arm) = (center.cross_matrix(), given_moment.cross_matrix());
    let moved = given_inertia + given_arm * arm + arm * given_arm - arm * arm * given;
    Ok((mass, center, moved + pieces.iter().map(about_center).sum::<Matrix3<f64>>()))
}

/// Mass, moment of mass and inertia about the origin of a mass matrix, from its rigid motions:
/// R^T M R = [m, -s~; s~, I_0].
fn given_mass(mesh: &Mesh) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let Some(matrices) = &mesh.matrices else { return (0.0, Vector3::zeros(), Matrix3::zeros()) };
    let rigid = rigid_motions(mesh, Vector3::zeros());
    let block = rigid.tr_mul(&matrices.mass_times(&rigid));
    let half = |i: usize, j: usize| 0.5 * (block[(3 + i, j)] - block[(3 + j, i)]);
    let moment = Vector3::new(half(2, 1), half(0, 2), half(1, 0));
    (block[(0, 0)], moment, block.fixed_view::<3, 3>(3, 3).into_owned())
}
