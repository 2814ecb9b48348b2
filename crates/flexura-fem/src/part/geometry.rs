//! The mesh of beams and plates described in a part file.
//!
//! Nodes closer than the joining distance become one, so that plates meet along
//! edges and beams stand on corners. Found through a grid of cells of that size.

use super::description::{BeamLine, PartDescription, PlatePatch};
use crate::layup::Layup;
use crate::mesh::{BeamElement, Element, Mesh, ShellElement};
use nalgebra::Vector3;
use std::collections::HashMap;

/// Puts nodes together that are closer than a distance.
struct Joiner {
    distance: f64,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl Joiner {
    fn node(&mut self, mesh: &mut Mesh, position: Vector3<f64>) -> usize {
        if self.distance <= 0.0 {
            return mesh.node(position.into());
        }
        let cell: [i64; 3] = std::array::from_fn(|i| (position[i] / self.distance).floor() as i64);
        for offset in 0..27_i64 {
            let steps = [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
            let near: [i64; 3] = std::array::from_fn(|i| cell[i].saturating_add(steps[i]));
            let found = self.cells.get(&near).and_then(|nodes| {
                nodes
                    .iter()
                    .find(|node| (Vector3::from(mesh.nodes[**node]) - position).norm() <= self.distance)
            });
            if let Some(node) = found {
                return *node;
            }
        }
        let node = mesh.node(position.into());
        self.cells.entry(cell).or_default().push(node);
        node
    }
}

/// Elements, sets and named nodes of the beams and plates of a part.
pub(super) fn mesh(part: &PartDescription) -> Mesh {
    let mut mesh =
        Mesh { materials: part.materials.iter().map(|(_, material)| *material).collect(), ..Mesh::default() };
    let mut joiner = Joiner { distance: part.join, cells: HashMap::new() };
    for (name, position) in &part.nodes {
        let node = joiner.node(&mut mesh, (*position).into());
        mesh.name(name, node);
    }
    part.beams.iter().for_each(|beam| add_beam(&mut mesh, &mut joiner, beam));
    part.plates.iter().for_each(|plate| add_plate(&mut mesh, &mut joiner, plate));
    mesh
}

fn add_beam(mesh: &mut Mesh, joiner: &mut Joiner, beam: &BeamLine) {
    // Names were checked when the file was read.
    let Some([first, last]) = ends(mesh, &beam.between) else { return };
    let (start, end) = (Vector3::from(mesh.nodes[first]), Vector3::from(mesh.nodes[last]));
    let mut line = vec![first];
    for index in 1..beam.elements {
        line.push(joiner.node(mesh, start.lerp(&end, index as f64 / beam.elements as f64)));
    }
    line.push(last);
    for pair in line.windows(2) {
        mesh.elements.push(Element::Beam(BeamElement {
            nodes: [pair[0], pair[1]],
            material: beam.material,
            section: beam.section,
            orientation: beam.orientation,
            offsets: [[0.0; 3]; 2],
            pins: [[false; 6]; 2],
        }));
    }
    if !beam.name.is_empty() {
        mesh.sets.insert(beam.name.clone(), line);
    }
}

fn ends(mesh: &Mesh, names: &[String; 2]) -> Option<[usize; 2]> {
    Some([*mesh.names.get(&names[0])?, *mesh.names.get(&names[1])?])
}

fn add_plate(mesh: &mut Mesh, joiner: &mut Joiner, plate: &PlatePatch) {
    let [columns, rows] = plate.cells;
    let [edge_x, edge_y] = plate.edges.map(Vector3::from);
    let origin = Vector3::from(plate.origin);
    let mut nodes = Vec::with_capacity((columns + 1) * (rows + 1));
    for (row, column) in (0..=rows).flat_map(|row| (0..=columns).map(move |column| (row, column))) {
        let (x, y) = (column as f64 / columns as f64, row as f64 / rows as f64);
        nodes.push(joiner.node(mesh, origin + edge_x * x + edge_y * y));
    }
    let at = |row: usize, column: usize| nodes[row * (columns + 1) + column];
    let orthotropic = mesh.materials.get(plate.material).is_some_and(|known| known.orthotropic.is_some());
    let layup = (!plate.layup.is_empty()).then(|| {
        mesh.layups.push(Layup::new(plate.layup.clone()));
        mesh.layups.len() - 1
    });
    let material_axis =
        (orthotropic || layup.is_some()).then(|| plate.material_axis.unwrap_or(plate.edges[0]));
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let [a, b, c, d] =
            [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)];
        let pair = if (row + column) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        for nodes in pair {
            let (material, thickness) = (plate.material, plate.thickness);
            mesh.elements.push(Element::Shell(ShellElement {
                nodes,
                material,
                thickness,
                material_axis,
                layup,
            }));
        }
    }
    let edges = [
        ("x0", (0..=rows).map(|row| at(row, 0)).collect::<Vec<_>>()),
        ("x1", (0..=rows).map(|row| at(row, columns)).collect()),
        ("y0", (0..=columns).map(|column| at(0, column)).collect()),
        ("y1", (0..=columns).map(|column| at(rows, column)).collect()),
    ];
    for (edge, set) in edges {
        mesh.sets.insert(format!("{}.{edge}", plate.name), set);
    }
    mesh.sets.insert(plate.name.clone(), nodes);
}
