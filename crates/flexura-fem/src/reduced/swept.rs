//! Beams and rods as they are: their sections swept along them, true to scale.
//!
//! An element knows the constants of its section, not its outline. A section whose torsion constant is its polar moment
//! (J = I_y + I_z, I_y = I_z) is round, of the outer radius R² = 2I/A + A/2π: a circle and a tube have I = A(R² + r²)/4 and
//! A = π(R² − r²). Any other is drawn as the rectangle of equal radii of gyration, b = √(12 I_z/A), h = √(12 I_y/A), which
//! is the section itself where that is a rectangle. A corner at r from its node moves by u + θ × r.
//! Cost: corners × shapes.

use crate::element::beam::Beam;
use crate::mesh::{Element, Mesh};
use crate::reduce::ReducedModel;
use crate::section::BeamSection;
use nalgebra::{Matrix3, Vector3};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Corners of a round section.
const SIDES: usize = 12;
/// Displacements of corners up to which sections are drawn; beyond, lines are.
const MOST: usize = 300_000;
/// Relative difference up to which a section is round.
const ROUND: f64 = 1e-6;

/// Surfaces of beams and rods with the displacement of their points per shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swept {
    /// Positions relative to the reference frame (m).
    pub points: Vec<[f64; 3]>,
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Displacements, shape by shape, point by point (m).
    pub displacements: Vec<[f64; 3]>,
}

/// Where a corner is: its node, and the way from there (m).
type Corner = (usize, Vector3<f64>);

impl Swept {
    /// The beams and rods of a reduced mesh; nothing where they are too many to be drawn.
    pub(super) fn new(mesh: &Mesh, reduced: &ReducedModel) -> Self {
        let mut meeting: BTreeMap<usize, usize> = BTreeMap::new();
        for node in mesh.elements.iter().filter_map(ends).flatten() {
            *meeting.entry(node).or_default() += 1;
        }
        let (mut corners, mut triangles): (Vec<Corner>, Vec<[u32; 3]>) = Default::default();
        for (index, element) in mesh.elements.iter().enumerate() {
            let Some((nodes, arms, axes, outline)) = bar(mesh, index, element) else { continue };
            let (first, count) = (corners.len(), outline.len());
            for (node, arm) in nodes.into_iter().zip(arms) {
                corners.extend(outline.iter().map(|[y, z]| (node, arm + axes * Vector3::new(0.0, *y, *z))));
            }
            sweep(&mut triangles, first as u32, count as u32, nodes.map(|node| meeting[&node] == 1));
        }
        let shapes = &reduced.shapes;
        if corners.len().saturating_mul(shapes.ncols()) > MOST {
            return Self::default();
        }
        let origin = Vector3::from(mesh.nodes[reduced.reference]);
        let place = |(node, way): &Corner| (Vector3::from(mesh.nodes[*node]) - origin + way).into();
        let moved = |shape: usize, (node, way): &Corner| {
            let part = |first: usize| Vector3::from_fn(|i, _| shapes[(6 * node + first + i, shape)]);
            (part(0) + part(3).cross(way)).into()
        };
        let displacements =
            (0..shapes.ncols()).flat_map(|shape| corners.iter().map(move |corner| (shape, corner)));
        Self {
            points: corners.iter().map(place).collect(),
            triangles,
            displacements: displacements.map(|(shape, corner)| moved(shape, corner)).collect(),
        }
    }
}

fn ends(element: &Element) -> Option<[usize; 2]> {
    match element {
        Element::Beam(beam) => Some(beam.nodes),
        Element::Rod(rod) => Some(rod.nodes),
        _ => None,
    }
}

/// Nodes of a beam or rod, ways from them to its ends, its axes (columns) and its outline.
type Bar = ([usize; 2], [Vector3<f64>; 2], Matrix3<f64>, Vec<[f64; 2]>);

fn bar(mesh: &Mesh, index: usize, element: &Element) -> Option<Bar> {
    match element {
        Element::Beam(beam) => {
            let axes = *Beam::new(mesh, index, beam).ok()?.axes();
            Some((beam.nodes, beam.offsets.map(Vector3::from), axes, outline(&beam.section)))
        }
        Element::Rod(rod) => {
            let [a, b] = rod.nodes.map(|node| Vector3::from(mesh.nodes[node]));
            let x = (b - a).try_normalize(0.0)?;
            let y = x.cross(&Vector3::ith(x.iamin(), 1.0)).normalize();
            let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            Some((rod.nodes, [Vector3::zeros(); 2], axes, circle((rod.area / PI).sqrt())))
        }
        _ => None,
    }
}

/// Corners of a section, y and z, counter-clockwise.
fn outline(section: &BeamSection) -> Vec<[f64; 2]> {
    let BeamSection { area, inertia_y, inertia_z, torsion, .. } = *section;
    let polar = inertia_y + inertia_z;
    if (inertia_y - inertia_z).abs() <= ROUND * polar && (torsion - polar).abs() <= ROUND * polar {
        return circle((polar / area + area / TAU).sqrt());
    }
    let half = |moment: f64| 0.5 * (12.0 * moment / area).sqrt();
    let (y, z) = (half(inertia_z), half(inertia_y));
    vec![[y, -z], [y, z], [-y, z], [-y, -z]]
}

fn circle(radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let angle = TAU * k as f64 / SIDES as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..SIDES).map(corner).collect()
}

/// Sides between two rings of `count` corners from `first` on, and caps at loose ends; all look outwards.
fn sweep(triangles: &mut Vec<[u32; 3]>, first: u32, count: u32, loose: [bool; 2]) {
    for k in 0..count {
        let (a, b) = (first + k, first + (k + 1) % count);
        triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
    }
    for k in 1..count - 1 {
        if loose[0] {
            triangles.push([first, first + k + 1, first + k]);
        }
        if loose[1] {
            triangles.push([first + count, first + count + k, first + count + k + 1]);
        }
    }
}
