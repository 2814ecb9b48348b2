//! Geometry given by the user: solids, lines and surfaces of a body.

use super::{BodyPicture, Form, Solid};
use crate::model::description::RotationDescription;
use crate::model::{Built, rotation_matrix};

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
}

/// What a picture entry draws.
#[derive(Clone, Debug, PartialEq)]
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
}

/// Adds what the description gives for a body.
pub(super) fn add_given(built: &Built, out: &mut BodyPicture) {
    for given in built.description.pictures.iter().filter(|given| given.body == out.name) {
        let form = match &given.geometry {
            GeometryDescription::Box(edges) => Form::Box(*edges),
            GeometryDescription::Sphere(radius) => Form::Sphere(*radius),
            GeometryDescription::Cylinder { radius, length } => Form::Cylinder(*radius, *length),
            GeometryDescription::Lines(lines) => {
                out.lines.extend(lines);
                continue;
            }
            GeometryDescription::Triangles(triangles) => {
                out.triangles.extend(triangles);
                continue;
            }
        };
        let rotation = rotation_matrix(&given.rotation);
        out.solids.push(Solid { form, position: given.position, rotation, equivalent: false });
    }
}
