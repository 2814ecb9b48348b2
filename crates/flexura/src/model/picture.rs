//! How bodies look, as described: solids, lines, surfaces and skins with points of their own.

use super::description::RotationDescription;
use std::fmt;
use std::sync::Arc;

/// An entry of `[[picture]]`: how a body looks.
#[derive(Clone, Debug)]
pub struct PictureDescription {
    /// Body it belongs to.
    pub body: String,
    /// What is drawn.
    pub geometry: GeometryDescription,
    /// Centre of a solid in the body frame (m).
    pub position: [f64; 3],
    /// Orientation of a solid in the body frame.
    pub rotation: RotationDescription,
    /// Colour of a solid: red, green, blue; `None` leaves it to the viewer.
    pub colour: Option<[u8; 3]>,
}

/// What a picture entry draws.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeometryDescription {
    /// Edges along x, y and z (m).
    Box([f64; 3]),
    /// Radius (m).
    Sphere(f64),
    /// Radius and length along z (m).
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Length along z (m).
        length: f64,
    },
    /// Pairs of nodes of a modal body, counted from zero.
    Lines(Vec<[usize; 2]>),
    /// Triangles between nodes of a modal body, counted from zero.
    Triangles(Vec<[usize; 3]>),
    /// Lines and triangles between points of their own.
    Skin(Arc<Skin>),
    /// A geometry file that was not read yet.
    File(GeometryFile),
    /// The triangles of a geometry file.
    Mesh(Arc<SurfaceMesh>),
}

/// A geometry file by name.
#[derive(Clone, Debug, PartialEq)]
pub struct GeometryFile {
    /// Name, relative to the folder of the model file.
    pub file: String,
    /// Factors of its coordinates along x, y and z, which make them metres.
    pub scale: [f64; 3],
}

/// A rigid surface from a geometry file.
#[derive(Clone, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Name of the file, for people.
    pub name: String,
    /// Points (m).
    pub points: Vec<[f32; 3]>,
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// Counts and a sum of all numbers: fingerprints are taken of this text, and surfaces may be large.
impl fmt::Debug for SurfaceMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mix = |sum: u64, word: u32| (sum ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
        let sum = self.points.as_flattened().iter().map(|x| x.to_bits()).fold(0xcbf2_9ce4_8422_2325, mix);
        let sum = self.triangles.as_flattened().iter().copied().fold(sum, mix);
        let (points, triangles) = (self.points.len(), self.triangles.len());
        write!(
            f,
            "SurfaceMesh {{ name: {:?}, points: {points}, triangles: {triangles}, sum: {sum:016x} }}",
            self.name
        )
    }
}

/// What is seen of a body, with points of its own that the modes move: a finite element part brings
/// it along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Undeformed points in the body frame (m).
    pub points: Vec<[f64; 3]>,
    /// Displacements of the points, mode by mode, point by point (m per modal unit).
    pub displacements: Vec<[f64; 3]>,
    /// Pairs of points joined by a line.
    pub lines: Vec<[usize; 2]>,
    /// Corners of surface triangles.
    pub triangles: Vec<[usize; 3]>,
    /// Stresses σx, σy, σz, τxy, τyz, τzx in body axes, point by point, mode by mode (Pa per modal unit); empty
    /// where they are not known.
    pub stress: Vec<f64>,
    /// Strains εx, εy, εz, γxy, γyz, γzx in the same order (per modal unit); empty where they are not known.
    pub strain: Vec<f64>,
}

impl Skin {
    /// Whether displacements and corners fit the points and a number of modes.
    pub fn fits(&self, modes: usize) -> bool {
        let corners = self.lines.as_flattened().iter().chain(self.triangles.as_flattened());
        Some(self.displacements.len()) == self.points.len().checked_mul(modes)
            && [&self.stress, &self.strain]
                .iter()
                .all(|rows| rows.is_empty() || rows.len() == 6 * self.displacements.len())
            && corners.into_iter().all(|corner| *corner < self.points.len())
    }
}
