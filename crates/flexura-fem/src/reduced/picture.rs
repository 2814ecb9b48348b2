//! What is seen of a part: lines of beams, triangles of shells, skin of solids, and how
//! the shapes move their nodes.

use super::{StressRows, Swept};
use crate::element::solid::faces;
use crate::mesh::{Element, Mesh};
use crate::recovery::Quantity;
use crate::reduce::ReducedModel;
use flexura::model::description::Skin;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Lines and triangles of a part with the displacement of their nodes per shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Positions relative to the reference frame (m).
    pub nodes: Vec<[f64; 3]>,
    /// Beams.
    pub lines: Vec<[u32; 2]>,
    /// Shells and the skin of solids.
    pub triangles: Vec<[u32; 3]>,
    /// Displacements, shape by shape, node by node (m).
    pub displacements: Vec<[f64; 3]>,
    /// Node of the mesh behind each node; empty for a picture from a file.
    pub(crate) sources: Vec<usize>,
    /// Sections of the lines; empty in files of earlier programs and where they are too many.
    pub swept: Swept,
}

impl Picture {
    /// The picture of a reduced mesh.
    pub fn new(mesh: &Mesh, reduced: &ReducedModel) -> Self {
        let (lines, triangles) = (lines(mesh), surface(mesh));
        let mut place: BTreeMap<usize, u32> = BTreeMap::new();
        for node in lines.iter().flatten().chain(triangles.iter().flatten()) {
            place.insert(*node, 0);
        }
        place.values_mut().zip(0..).for_each(|(place, index)| *place = index);
        let origin = Vector3::from(mesh.nodes[reduced.reference]);
        let shapes = &reduced.shapes;
        let displacement = |shape: usize, node: usize| std::array::from_fn(|i| shapes[(6 * node + i, shape)]);
        let displacements =
            (0..shapes.ncols()).flat_map(|shape| place.keys().map(move |node| displacement(shape, *node)));
        Self {
            nodes: place.keys().map(|node| (Vector3::from(mesh.nodes[*node]) - origin).into()).collect(),
            displacements: displacements.collect(),
            sources: place.keys().copied().collect(),
            swept: Swept::new(mesh, reduced),
            lines: lines.iter().map(|line| line.map(|node| place[&node])).collect(),
            triangles: triangles.iter().map(|triangle| triangle.map(|node| place[&node])).collect(),
        }
    }

    /// Displacements of one shape, one per node (m).
    pub fn shape(&self, shape: usize) -> &[[f64; 3]] {
        let count = self.nodes.len();
        self.displacements.get(shape * count..(shape + 1) * count).unwrap_or_default()
    }
}

/// Radius of lines beside surfaces, against the size of the part.
const LINE_RADIUS: f64 = 0.004;

impl Picture {
    /// The same for the viewer; `None` where there is nothing to draw. It draws lines or triangles of
    /// a body: beams are drawn with their sections; where those are not known, lines beside surfaces become thin prisms.
    ///
    /// Stresses and strains colour it: of solids, and of the top sides of shells.
    pub fn skin(&self, stress: &StressRows) -> Option<Skin> {
        if self.nodes.is_empty() {
            return None;
        }
        let mut skin = Skin {
            points: self.nodes.clone(),
            displacements: Vec::new(),
            stress: Vec::new(),
            strain: Vec::new(),
            lines: Vec::new(),
            triangles: self.triangles.iter().map(|corners| corners.map(|node| node as usize)).collect(),
        };
        let mut sources: Vec<usize> = (0..self.nodes.len()).collect();
        let swept = &self.swept;
        for line in self.lines.iter().map(|line| line.map(|node| node as usize)) {
            if !swept.points.is_empty() {
                break;
            }
            match self.triangles.is_empty() {
                true => skin.lines.push(line),
                false => add_prism(&mut skin, &mut sources, line, LINE_RADIUS * self.size()),
            }
        }
        let (first, count) = (skin.points.len(), swept.points.len());
        skin.points.extend(&swept.points);
        skin.triangles.extend(swept.triangles.iter().map(|corners| corners.map(|k| first + k as usize)));
        let shapes = self.displacements.len() / self.nodes.len();
        for (index, shape) in self.displacements.chunks_exact(self.nodes.len()).enumerate() {
            skin.displacements.extend(sources.iter().map(|node| shape[*node]));
            skin.displacements.extend(swept.displacements.iter().skip(index * count).take(count));
        }
        let rows_of = |quantity: Quantity| {
            let rows = stress.surface_rows(quantity, self.nodes.len(), shapes).unwrap_or_default();
            let width = rows.len() / self.nodes.len();
            let known = sources.iter().flat_map(|node| rows[node * width..(node + 1) * width].to_vec());
            known.chain(std::iter::repeat_n(0.0, count * width)).collect()
        };
        (skin.stress, skin.strain) = (rows_of(Quantity::Stress), rows_of(Quantity::Strain));
        Some(skin)
    }

    /// Diagonal of the box around the part (m).
    fn size(&self) -> f64 {
        let extent = |axis: usize| {
            let of_axis = self.nodes.iter().map(|node| node[axis]);
            let (least, most) =
                of_axis.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            most - least
        };
        Vector3::new(extent(0), extent(1), extent(2)).norm()
    }
}

/// Three sides around a line; its points move with the ends.
fn add_prism(skin: &mut Skin, sources: &mut Vec<usize>, ends: [usize; 2], radius: f64) {
    let [a, b] = ends.map(|node| Vector3::from(skin.points[node]));
    let axis = b - a;
    let across = axis.cross(&Vector3::ith(axis.iamin(), 1.0));
    let Some(y) = across.try_normalize(0.0) else { return };
    let z = axis.cross(&y).normalize();
    let first = skin.points.len();
    for (node, at) in ends.into_iter().zip([a, b]) {
        for corner in 0..3 {
            let angle = std::f64::consts::TAU * f64::from(corner) / 3.0;
            skin.points.push((at + (y * angle.cos() + z * angle.sin()) * radius).into());
            sources.push(node);
        }
    }
    for corner in 0..3 {
        let (p, q) = (first + corner, first + (corner + 1) % 3);
        skin.triangles.extend([[p, q, q + 3], [p, q + 3, p + 3]]);
    }
}

fn lines(mesh: &Mesh) -> Vec<[usize; 2]> {
    let beams = mesh.elements.iter().filter_map(|element| match element {
        Element::Beam(beam) => Some(beam.nodes),
        Element::Rod(rod) => Some(rod.nodes),
        _ => None,
    });
    beams.collect()
}

/// Triangles of shells, and the faces of solids that belong to one solid only.
fn surface(mesh: &Mesh) -> Vec<[usize; 3]> {
    let mut triangles = Vec::new();
    let mut faces: BTreeMap<Vec<usize>, Option<Vec<[usize; 3]>>> = BTreeMap::new();
    for element in &mesh.elements {
        match element {
            Element::Beam(_) | Element::Rod(_) => {}
            Element::Shell(shell) => triangles.push(shell.nodes),
            _ => {
                for face in solid_faces(element) {
                    let mut key: Vec<usize> = face.iter().flatten().copied().collect();
                    key.sort_unstable();
                    key.dedup();
                    // The second solid at a face hides it.
                    faces.entry(key).and_modify(|seen| *seen = None).or_insert(Some(face));
                }
            }
        }
    }
    triangles.extend(faces.into_values().flatten().flatten());
    triangles
}

/// Faces of a solid as outward triangles.
fn solid_faces(element: &Element) -> Vec<Vec<[usize; 3]>> {
    let nodes = element.nodes();
    let split = |face: &&[usize]| {
        let face: Vec<usize> = face.iter().map(|place| nodes[*place]).collect();
        faces::triangles(&face).into_iter().map(|triangle| triangle.map(|place| face[place])).collect()
    };
    faces::faces(nodes.len()).iter().map(split).collect()
}
