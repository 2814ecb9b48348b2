//! Meshes of simple parts: a straight beam, a rectangular plate, a box of solids.

mod block;

pub use block::{SolidKind, block};

use crate::error::{FemError, positive};
use crate::material::Material;
use crate::mesh::{BeamElement, Element, Mesh, ShellElement};
use crate::section::{BeamSection, Section};

/// A straight beam along x from the origin; its ends are named `root` and `tip`.
/// The section's y axis is the body's y axis.
pub fn beam(length: f64, elements: usize, material: Material, section: Section) -> Result<Mesh, FemError> {
    positive("beam length", length)?;
    positive("number of elements", elements as f64)?;
    let section = section.constants()?;
    let mut mesh = Mesh { materials: vec![material], ..Mesh::default() };
    for index in 0..=elements {
        mesh.node([length * index as f64 / elements as f64, 0.0, 0.0]);
    }
    mesh.elements.extend((0..elements).map(|first| straight(first, section)));
    mesh.name("root", 0);
    mesh.name("tip", elements);
    Ok(mesh)
}

fn straight(first: usize, section: BeamSection) -> Element {
    Element::Beam(BeamElement {
        nodes: [first, first + 1],
        material: 0,
        section,
        orientation: [0.0, 1.0, 0.0],
        offsets: [[0.0; 3]; 2],
        pins: [[false; 6]; 2],
    })
}

/// A plate in the x-y plane from the origin, each of `cells` rectangles split in
/// two triangles along alternating diagonals. Edges are the sets `x0`, `x1`, `y0`, `y1`.
pub fn plate(
    sides: [f64; 2],
    cells: [usize; 2],
    thickness: f64,
    material: Material,
) -> Result<Mesh, FemError> {
    for axis in 0..2 {
        positive("plate side", sides[axis])?;
        positive("number of cells", cells[axis] as f64)?;
    }
    let mut mesh = Mesh { materials: vec![material], ..Mesh::default() };
    for (row, column) in (0..=cells[1]).flat_map(|row| (0..=cells[0]).map(move |column| (row, column))) {
        let at = |side: f64, index: usize, count: usize| side * index as f64 / count as f64;
        mesh.node([at(sides[0], column, cells[0]), at(sides[1], row, cells[1]), 0.0]);
    }
    for (row, column) in (0..cells[1]).flat_map(|row| (0..cells[0]).map(move |column| (row, column))) {
        let first = row * (cells[0] + 1) + column;
        let corners = [first, first + 1, first + cells[0] + 2, first + cells[0] + 1];
        for nodes in split(corners, (row + column) % 2 == 0) {
            let shell = ShellElement { nodes, material: 0, thickness, material_axis: None, layup: None };
            mesh.elements.push(Element::Shell(shell));
        }
    }
    name_edges(&mut mesh, cells);
    Ok(mesh)
}

fn split(corners: [usize; 4], rising: bool) -> [[usize; 3]; 2] {
    let [a, b, c, d] = corners;
    if rising { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

fn name_edges(mesh: &mut Mesh, cells: [usize; 2]) {
    let stride = cells[0] + 1;
    let last_row = stride * cells[1];
    mesh.sets.insert("x0".into(), (0..=cells[1]).map(|row| row * stride).collect());
    mesh.sets.insert("x1".into(), (0..=cells[1]).map(|row| row * stride + cells[0]).collect());
    mesh.sets.insert("y0".into(), (0..stride).collect());
    mesh.sets.insert("y1".into(), (last_row..last_row + stride).collect());
}
