//! Assembly of the sparse stiffness and mass matrices of the unknowns.

use crate::DOFS_PER_NODE;
use crate::constraint::{DofMap, Supports};
use crate::element::{self, MassModel};
use crate::error::FemError;
use crate::linear::{SymmetricMatrix, Triplets};
use crate::mesh::Mesh;
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
    Ok(mass.compress(DOFS_PER_NODE * mesh.nodes.len()))
}

/// Nodal freedoms of a list of nodes.
pub fn freedoms_of(nodes: &[usize]) -> Vec<usize> {
    nodes.iter().flat_map(|node| DOFS_PER_NODE * node..DOFS_PER_NODE * (node + 1)).collect()
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

/// Nodal displacements of the six rigid motions about a point: three
/// translations, then three rotations.
pub fn rigid_motions(mesh: &Mesh, about: Vector3<f64>) -> DMatrix<f64> {
    let mut motions = DMatrix::zeros(DOFS_PER_NODE * mesh.nodes.len(), 6);
    for (node, position) in mesh.nodes.iter().enumerate() {
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
    let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
    let moment: Vector3<f64> = pieces.iter().map(|piece| piece.position * piece.mass).sum();
    let center = moment / mass;
    let about_center = |piece: &element::MassSample| {
        let arm = (piece.position - center).cross_matrix();
        piece.inertia - arm * arm * piece.mass
    };
    Ok((mass, center, pieces.iter().map(about_center).sum()))
}
