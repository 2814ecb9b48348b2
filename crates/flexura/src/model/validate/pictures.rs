//! Geometry for viewers: known bodies, sizes that can be drawn, nodes that exist.

use super::Report;
use super::names::Names;
use crate::model::description::{BodyKind, Description, GeometryDescription};
use crate::model::item::{Item, ROOT};
use crate::model::words;

/// Checks every `[[picture]]`.
pub(super) fn check(description: &Description, names: &Names<'_>, report: &mut Report) {
    let list = ROOT.key("picture");
    for (i, picture) in description.pictures.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("picture", &picture.body, i));
        let Some(body) = names.body(&picture.body, &path.key("body"), &item, report) else { continue };
        let nodes = match &description.bodies[body].kind {
            BodyKind::Modal(modal) => modal.nodes.len(),
            _ => 0,
        };
        let (key, sizes, largest) = match &picture.geometry {
            GeometryDescription::Box(edges) => ("box", edges.to_vec(), None),
            GeometryDescription::Sphere(radius) => ("sphere", vec![*radius], None),
            GeometryDescription::Cylinder { radius, length } => ("cylinder", vec![*radius, *length], None),
            GeometryDescription::File(given) => {
                if let Some(factor) = given.scale.iter().find(|factor| !factor.is_finite() || **factor == 0.0)
                {
                    let message = format!("a factor is {factor}");
                    report.error(
                        "picture-size",
                        &path.key("scale"),
                        &item,
                        message,
                        "give finite factors other than zero",
                    );
                }
                ("file", vec![], None)
            }
            GeometryDescription::Mesh(_) => ("file", vec![], None),
            GeometryDescription::Lines(lines) => ("lines", vec![], lines.as_flattened().iter().max()),
            GeometryDescription::Skin(skin) => {
                let modes = match &description.bodies[body].kind {
                    BodyKind::Modal(modal) => modal.modes,
                    _ => 0,
                };
                if !skin.fits(modes) {
                    let message = "its points, corners and displacements do not fit the body";
                    let help = "give a displacement per point and mode, and corners that exist";
                    report.error("picture-size", &path, &item, message, help);
                }
                continue;
            }
            GeometryDescription::Triangles(faces) => ("triangles", vec![], faces.as_flattened().iter().max()),
        };
        let path = path.key(key);
        if let Some(size) = sizes.iter().chain(&picture.position).find(|size| !size.is_finite()) {
            report.error("not-finite", &path, &item, format!("a size is {size}"), "give finite numbers");
        } else if let Some(size) = sizes.iter().find(|size| **size <= 0.0) {
            let message = format!("a size is {} m", words::number(*size));
            report.error("picture-size", &path, &item, message, "give sizes above zero, in metres");
        }
        if let Some(node) = largest.filter(|node| **node >= nodes) {
            let message = format!("node {} does not exist: the body has {nodes}", node + 1);
            let help = "lines and triangles join the nodes of a modal body, counted from 1";
            report.error("node-number", &path, &item, message, help);
        }
    }
}
