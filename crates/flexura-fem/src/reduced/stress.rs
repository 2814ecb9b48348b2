//! Stress and strain rows of a reduced body: what the amplitudes of its shapes are multiplied by.

use super::Picture;
use crate::error::FemError;
use crate::mesh::{Element, Mesh};
use crate::recovery::{Layer, Quantity, StressModes, section_force_rows};
use crate::reduce::ReducedModel;
use std::collections::BTreeMap;

/// Where stress rows belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StressRowPlace {
    /// Node of the picture.
    pub node: u32,
    /// Layer: 0 solid, 1 middle, 2 top, 3 bottom of a shell.
    pub layer: u8,
    /// Side of a fold, counted from zero.
    pub side: u8,
}

/// Stresses and section forces per shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StressRows {
    /// Places on shells and on the skin of solids.
    pub places: Vec<StressRowPlace>,
    /// Place by place the six rows xx, yy, zz, xy, yz, zx in body axes, each with one number
    /// per shape (Pa).
    pub rows: Vec<f64>,
    /// The same for strains (shears are γ = 2 ε; of shells in their plane only); empty for a body from an older file.
    pub strain: Vec<f64>,
    /// Line by line of the picture, at both ends, the six rows N, Q_y, Q_z (N), T, M_y, M_z (N m)
    /// in local axes, each with one number per shape.
    pub section_forces: Vec<f64>,
}

impl StressRows {
    /// Rows of a reduced mesh at the nodes of its picture.
    pub fn new(mesh: &Mesh, reduced: &ReducedModel, picture: &Picture) -> Result<Self, FemError> {
        let modes = StressModes::new(mesh, &reduced.shapes, Quantity::Stress)?;
        let strains = StressModes::new(mesh, &reduced.shapes, Quantity::Strain)?;
        let seen: BTreeMap<usize, u32> = picture.sources.iter().copied().zip(0..).collect();
        let mut result = Self::default();
        for (index, place) in modes.places.iter().enumerate() {
            let Some(node) = seen.get(&place.node) else { continue };
            let layer = match place.layer {
                None => 0,
                Some(Layer::Middle) => 1,
                Some(Layer::Top) => 2,
                Some(Layer::Bottom) => 3,
            };
            let side = u8::try_from(place.side).unwrap_or(u8::MAX);
            result.places.push(StressRowPlace { node: *node, layer, side });
            // Both come from the same elements: place by place the same.
            result.rows.extend(modes.rows.rows(6 * index, 6).transpose().iter());
            result.strain.extend(strains.rows.rows(6 * index, 6).transpose().iter());
        }
        for (index, element) in mesh.elements.iter().enumerate() {
            if matches!(element, Element::Beam(_) | Element::Rod(_)) {
                for end in [0.0, 1.0] {
                    let rows = section_force_rows(mesh, index, end, &reduced.shapes)?.transpose();
                    result.section_forces.extend(rows.iter());
                }
            }
        }
        Ok(result)
    }

    /// Stresses (Pa) or strains at the nodes of the picture, node by node, shape by shape, six numbers each: of solids and
    /// of the top side of shells; zero elsewhere. `None` where no place has any.
    pub fn surface_rows(&self, quantity: Quantity, nodes: usize, shapes: usize) -> Option<Vec<f64>> {
        let rows = if quantity == Quantity::Stress { &self.rows } else { &self.strain };
        let mut out = vec![0.0; nodes * shapes * 6];
        let mut seen = vec![false; nodes];
        for (place, rows) in self.places.iter().zip(rows.chunks_exact((6 * shapes).max(1))) {
            let node = place.node as usize;
            // A fold has several sides: the first stands for all.
            if !matches!(place.layer, 0 | 2) || seen.get(node) != Some(&false) {
                continue;
            }
            seen[node] = true;
            for shape in 0..shapes {
                for component in 0..6 {
                    out[(node * shapes + shape) * 6 + component] = rows[component * shapes + shape];
                }
            }
        }
        seen.contains(&true).then_some(out)
    }

    /// Stress at every place for amplitudes of the shapes (Pa).
    pub fn stress(&self, amplitudes: &[f64]) -> Vec<[f64; 6]> {
        let count = amplitudes.len();
        let dot = |rows: &[f64]| rows.iter().zip(amplitudes).map(|(row, amplitude)| row * amplitude).sum();
        let place = |rows: &[f64]| std::array::from_fn(|i| dot(&rows[i * count..(i + 1) * count]));
        self.rows.chunks_exact((6 * count).max(1)).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two shapes; a solid node, a node of a shell with its layers, a node without stresses.
    #[test]
    fn surfaces_show_solids_and_top_sides() {
        let place = |node, layer, side| StressRowPlace { node, layer, side };
        let places = vec![place(1, 1, 0), place(1, 2, 0), place(1, 2, 1), place(0, 0, 0)];
        // Component c of shape s at place p is 100 p + 10 c + s.
        let number = |p: usize, c: usize, s: usize| (100 * p + 10 * c + s) as f64;
        let rows = (0..4).flat_map(|p| (0..6).flat_map(move |c| (0..2).map(move |s| number(p, c, s))));
        let rows: Vec<f64> = rows.collect();
        let strain = rows.iter().map(|row| row + 0.5).collect();
        let stress = StressRows { places, rows, strain, section_forces: Vec::new() };
        let found = stress.surface_rows(Quantity::Stress, 3, 2).expect("rows");
        let strained = stress.surface_rows(Quantity::Strain, 3, 2).expect("rows");
        for (strain, stress) in strained[..24].iter().zip(&found) {
            assert_eq!(*strain, stress + 0.5);
        }
        for (node, place) in [(0, Some(3)), (1, Some(1)), (2, None)] {
            for shape in 0..2 {
                for component in 0..6 {
                    let expected = place.map_or(0.0, |place| number(place, component, shape));
                    assert_eq!(found[(node * 2 + shape) * 6 + component], expected);
                }
            }
        }
        // The same numbers as the recovery of the reduced body itself.
        let amplitudes = [0.5, -2.0];
        let sum: Vec<f64> = (0..6).map(|c| 0.5 * found[12 + c] - 2.0 * found[18 + c]).collect();
        assert_eq!(sum, stress.stress(&amplitudes)[1]);
        assert_eq!(StressRows::default().surface_rows(Quantity::Stress, 3, 2), None);
        assert_eq!(StressRows::default().surface_rows(Quantity::Strain, 3, 2), None);
    }
}
