//! Stresses and strains of shells and solids at the nodes, averaged over the elements.
//!
//! Solids: the strain operator at the nodes (at the Gauss points and extrapolated for
//! hexahedra), averaged over the elements that meet there. Shells: curvatures at the corners,
//! averaged; membrane values by a linear fit (`patch`); layers z = 0, +h/2 (the top, see
//! `orient`), -h/2; plane stress. Of composite shells these are the outermost layers and the one
//! that holds the middle, each with its own constants. Shells are averaged only with others of nearly the same
//! normal, so that a fold keeps one value per side. Components xx, yy, zz, xy, yz, zx in
//! body axes (engineering shear strains; the strain of a shell through its thickness is
//! left out).

use super::patch::Patches;
use crate::element::laminate::Face;
use crate::element::shell::Shell;
use crate::element::solid::{PAIRS, strain_of};
use crate::element::{self, Evaluated};
use crate::error::FemError;
use crate::mesh::{Element, Mesh, ShellElement};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix3xX, Matrix6};
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
    /// Middle: membrane values; of composite shells the layer that holds it.
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
    /// Whether a mesh has composite shells, whose rows then stand for top, bottom and middle below each other.
    layered: bool,
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
        let mut averages = Averages { layered: !mesh.layups.is_empty(), ..Averages::default() };
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

    /// Adds the bending part of the faces to the top layer, and the membrane part to its patches.
    fn add_shell(
        &mut self,
        nodes: [usize; 3],
        shell: &Shell,
        top: f64,
        local: &DMatrix<f64>,
        quantity: Quantity,
    ) {
        let strain = shell.mean_membrane_strain() * local;
        let [bottom, middle, upper] = *shell.faces();
        let faces = if top > 0.0 { vec![upper, bottom, middle] } else { vec![bottom, upper, middle] };
        let faces = &faces[..if self.layered { 3 } else { 1 }];
        let tensor = |face: &Face| match quantity {
            Quantity::Stress => face.elasticity,
            Quantity::Strain => Matrix3::identity(),
        };
        let stack = |rows: &dyn Fn(&Face) -> Matrix3xX<f64>| {
            let mut all = DMatrix::zeros(6 * faces.len(), local.ncols());
            for (place, face) in faces.iter().enumerate() {
                all.rows_mut(6 * place, 6).copy_from(&to_body(shell.axes(), &rows(face), quantity));
            }
            all
        };
        let flat = stack(&|face| tensor(face) * &strain);
        let sides = self.membrane.add(nodes, shell.centroid(), shell.axes().column(2) * top, flat);
        for (corner, node) in nodes.into_iter().enumerate() {
            let curvature = shell.corner_curvature(corner) * local;
            let bent = stack(&|face| tensor(face) * face.place * &curvature);
            let place = StressPlace { node, layer: Some(Layer::Top), side: sides[corner] };
            self.add(place, shell.area(), bent);
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
            if self.layered {
                let whole = flat + value;
                for (face, layer) in [Layer::Top, Layer::Bottom, Layer::Middle].into_iter().enumerate() {
                    let rows = whole.rows(6 * face, 6).into_owned();
                    all.insert(StressPlace { layer: Some(layer), ..place }, rows);
                }
                continue;
            }
            all.insert(StressPlace { layer: Some(Layer::Top), ..place }, &flat + &value);
            all.insert(StressPlace { layer: Some(Layer::Bottom), ..place }, &flat - &value);
            all.insert(StressPlace { layer: Some(Layer::Middle), ..place }, flat);
        }
        all
    }
}

/// Plane components xx, yy, xy per column as tensors in body axes.
fn to_body(axes: &Matrix3<f64>, plane: &Matrix3xX<f64>, quantity: Quantity) -> DMatrix<f64> {
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
