//! Geometry given by the user: solids, lines and surfaces of a body.

use super::{BodyPicture, Form, Solid};
use crate::model::body::NodeShape;
use crate::model::picture::{GeometryDescription, PictureDescription, Skin};
use crate::model::rotation_matrix;

impl Skin {
    fn shape(&self, point: usize, modes: usize) -> NodeShape {
        let at = |mode: usize| self.displacements[mode * self.points.len() + point];
        NodeShape {
            translations: (0..modes).map(at).collect(),
            ..NodeShape::rigid(self.points[point], modes)
        }
    }
}

/// Displacements of points up to which a skin is drawn; beyond, the body is drawn by its nodes.
const LARGEST_SKIN: usize = 400_000;

/// Adds what the description gives for a body.
pub(super) fn add_given(pictures: &[&PictureDescription], out: &mut BodyPicture) {
    for given in pictures {
        let form = match &given.geometry {
            GeometryDescription::Skin(skin) => {
                if skin.displacements.len() <= LARGEST_SKIN {
                    out.nodes = (0..skin.points.len()).map(|point| skin.shape(point, out.modes)).collect();
                    out.lines.clone_from(&skin.lines);
                    out.triangles.clone_from(&skin.triangles);
                    out.stress.clone_from(&skin.stress);
                    out.strain.clone_from(&skin.strain);
                }
                continue;
            }
            GeometryDescription::Box(edges) => Form::Box(*edges),
            GeometryDescription::Sphere(radius) => Form::Sphere(*radius),
            GeometryDescription::Cylinder { radius, length } => Form::Cylinder(*radius, *length),
            GeometryDescription::Mesh(mesh) => Form::Mesh(mesh.clone()),
            // Not read: a model without its files, as inside an FMU, has no pictures of them.
            GeometryDescription::File(_) => continue,
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
        let (position, colour) = (given.position, given.colour);
        out.solids.push(Solid { form, position, rotation, equivalent: false, colour });
    }
}
