//! Stresses and strains of shells and solids at the nodes, averaged over the elements.
//!
//! Solids: the strain operator at the nodes (at the Gauss points and extrapolated for
//! hexahedra), averaged over the elements that meet there. Shells: curvatures at the corners,
//! averaged; membrane values by a linear fit (`patch`); layers z = 0, +h/2 (the top, see
//! `orient`), -h/2; plane stress. Shells are averaged only with others of nearly the same
//! normal, so that a fold keeps one value per side. Components xx, yy, zz, xy, yz, zx in
//! body axes (engineering shear strains; the strain of a shell through its thickness is
//! left out).

use super::patch::Patches;
use crate::element::shell::Shell;
use crate::element::solid::{PAIRS, strain_of};
use crate::element::{self, Evaluated};
use crate::error::FemError;
use crate::mesh::{Element, Mesh, ShellElement};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6};
use std::collections::BTreeMap;

/// What to recover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Stress (Pa).
    Stress,
    /// Strain (1).
    Strain,
}

/// Layer of a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Layer {
    /// Middle: membrane values.
    Middle,
    /// The side that the normal of the first element of the surface points to.
    Top,
    /// The other side.
    Bottom,
}

/// Where a value belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StressPlace {
    /// Node.
    pub node: usize,
    /// Layer of a shell; `None` for solids.
    pub layer: Option<Layer>,
    /// Side of a fold: shells of nearly one normal share a number, counted from zero.
    pub side: usize,
}

/// Values at the nodes per shape.
#[derive(Clone, Debug, PartialEq)]
pub struct StressModes {
    /// What the rows hold.
    pub quantity: Quantity,
    /// Places in ascending order.
    pub places: Vec<StressPlace>,
    /// Six rows per place, one column per shape.
    pub rows: DMatrix<f64>,
}

/// Sums of rows under construction.
#[derive(Default)]
struct Averages {
    sums: BTreeMap<StressPlace, (f64, DMatrix<f64>)>,
    membrane: Patches,
}

impl StressModes {
    /// Rows of all shells and solids of a mesh for nodal shapes (six rows per node).
    pub fn new(mesh: &Mesh, shapes: &DMatrix<f64>, quantity: Quantity) -> Result<Self, FemError> {
        let expected = 6 * mesh.nodes.len();
        if shapes.nrows() != expected {
            return Err(FemError::Size { what: "the displacements".into(), got: shapes.nrows(), expected });
        }
        let mut averages = Averages::default();
        let tops = super::orient::tops(mesh);
        for (index, element) in mesh.elements.iter().enumerate() {
            let local = shapes.select_rows(&element::freedoms(element));
            match Evaluated::new(mesh, index)? {
                Evaluated::Beam(_) => {}
                Evaluated::Shell(shell) => {
                    if let Element::Shell(ShellElement { nodes, .. }) = element {
                        averages.add_shell(*nodes, &shell, tops[index], &local, quantity);
                    }
                }
                // The one stress of a rod belongs to no surface.
                Evaluated::Solid(_) if matches!(element, Element::Rod(_)) => {}
                Evaluated::Solid(solid) => {
                    let tensor = match quantity {
                        Quantity::Stress => *solid.elasticity(),
                        Quantity::Strain => Matrix6::identity(),
                    };
                    let tensor = DMatrix::from_fn(6, 6, |i, j| tensor[(i, j)]);
                    for (node, gradient) in element.nodes().iter().zip(solid.node_gradients()) {
                        let value = &tensor * strain_of(gradient) * &local;
                        averages.add(StressPlace { node: *node, layer: None, side: 0 }, 1.0, value);
                    }
                }
            }
        }
        let all = averages.layers(mesh, shapes.ncols());
        let mut rows = DMatrix::zeros(6 * all.len(), shapes.ncols());
        for (place, value) in all.values().enumerate() {
            rows.rows_mut(6 * place, 6).copy_from(value);
        }
        Ok(Self { quantity, places: all.into_keys().collect(), rows })
    }

    /// Values for amplitudes of the shapes, one per place.
    pub fn evaluate(&self, amplitudes: &DVector<f64>) -> Result<Vec<[f64; 6]>, FemError> {
        let (got, expected) = (amplitudes.len(), self.rows.ncols());
        if got != expected {
            return Err(FemError::Size { what: "the amplitudes".into(), got, expected });
        }
        let all = &self.rows * amplitudes;
        Ok(all.as_slice().chunks_exact(6).map(|c| [c[0], c[1], c[2], c[3], c[4], c[5]]).collect())
    }

    /// Index of a place.
    pub fn find(&self, place: StressPlace) -> Option<usize> {
        self.places.binary_search(&place).ok()
    }
}

impl Averages {
    fn add(&mut self, place: StressPlace, weight: f64, rows: DMatrix<f64>) {
        match self.sums.get_mut(&place) {
            Some((total, sum)) => {
                *total += weight;
                *sum += rows * weight;
            }
            None => drop(self.sums.insert(place, (weight, rows * weight))),
        }
    }

    /// Adds the bending part at +h/2 to the top layer, and the membrane part to its patches.
    fn add_shell(
        &mut self,
        nodes: [usize; 3],
        shell: &Shell,
        top: f64,
        local: &DMatrix<f64>,
        quantity: Quantity,
    ) {
        let tensor = match quantity {
            Quantity::Stress => shell.elasticity(),
            Quantity::Strain => Matrix3::identity(),
        };
        let flat = to_body(shell.axes(), &(tensor * (shell.mean_membrane_strain() * local)), quantity);
        let sides = self.membrane.add(nodes, shell.centroid(), shell.axes().column(2) * top, flat);
        for (corner, node) in nodes.into_iter().enumerate() {
            let bent = tensor * (top * shell.thickness() / 2.0) * (shell.corner_curvature(corner) * local);
            let place = StressPlace { node, layer: Some(Layer::Top), side: sides[corner] };
            self.add(place, shell.area(), to_body(shell.axes(), &bent, quantity));
        }
    }

    /// Mean values of solids and the three layers of shells.
    fn layers(self, mesh: &Mesh, shapes: usize) -> BTreeMap<StressPlace, DMatrix<f64>> {
        let mut all = BTreeMap::new();
        for (place, (weight, sum)) in self.sums {
            let value = sum / weight;
            if place.layer.is_none() {
                all.insert(place, value);
                continue;
            }
            let flat = self.membrane.at(mesh, place.node, place.side, shapes);
            all.insert(StressPlace { layer: Some(Layer::Top), ..place }, &flat + &value);
            all.insert(StressPlace { layer: Some(Layer::Bottom), ..place }, &flat - &value);
            all.insert(StressPlace { layer: Some(Layer::Middle), ..place }, flat);
        }
        all
    }
}

/// Plane components xx, yy, xy per column as tensors in body axes.
fn to_body(axes: &Matrix3<f64>, plane: &nalgebra::Matrix3xX<f64>, quantity: Quantity) -> DMatrix<f64> {
    let shear = if quantity == Quantity::Stress { 1.0 } else { 0.5 };
    let mut rows = DMatrix::zeros(6, plane.ncols());
    for (column, value) in plane.column_iter().enumerate() {
        let xy = value[2] * shear;
        let tensor = Matrix3::new(value[0], xy, 0.0, xy, value[1], 0.0, 0.0, 0.0, 0.0);
        let body = axes * tensor * axes.transpose();
        for (row, (a, b)) in PAIRS.into_iter().enumerate() {
            rows[(row, column)] = body[(a, b)] / if a == b { 1.0 } else { shear };
        }
    }
    rows
}

/// Von Mises stress of xx, yy, zz, xy, yz, zx (Pa).
pub fn von_mises(stress: [f64; 6]) -> f64 {
    let [xx, yy, zz, xy, yz, zx] = stress;
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}
