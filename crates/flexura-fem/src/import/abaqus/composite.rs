//! `*SHELL SECTION, COMPOSITE`: a line per layer, from the bottom to the top: thickness, points of integration, material, angle
//! (degrees) or orientation.

use super::super::deck::Property;
use super::super::error::ImportError;
use super::super::number::real;
use super::super::source::Source;
use super::Reader;
use super::block::Block;
use super::element::Kind;
use super::orientation::System;
use super::section::{refuse, shell_offset};
use crate::layup::{Layup, Ply};
use nalgebra::Vector3;

/// Where the first axis of a layer points.
#[derive(Clone, Copy)]
enum Direction {
    /// From the axis of the section (rad).
    Turned(f64),
    /// Of its own.
    Own(System),
}

/// A layer before its element is known.
#[derive(Clone, Copy)]
struct Layer {
    material: usize,
    thickness: f64,
    direction: Direction,
}

/// Cosine of a tenth of a degree: closer to the normal than this the x axis gives no direction, and z is taken.
const ALONG_NORMAL: f64 = 0.999_998_5;

impl Reader {
    pub(super) fn composite_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let known = [
            "ELSET",
            "COMPOSITE",
            "ORIENTATION",
            "OFFSET",
            "SECTION INTEGRATION",
            "CONTROLS",
            "SYMMETRIC",
            "LAYUP",
        ];
        block.only(&known, source)?;
        let system = self.orientation_of(block, source)?;
        let Some(layers) = self.layers(block, source)? else {
            // A material that cannot be read is told once.
            return self.mark_told(block, source);
        };
        let part = shell_offset(block, source)?;
        self.assign(block, source, |reader, raw| {
            let Kind::Structural(shape) = raw.kind else { return Ok(None) };
            if shape.dimension() != 2 {
                return Ok(None);
            }
            let place = reader.middle(&raw.nodes);
            let nodes = raw.nodes.iter().filter_map(|node| reader.deck.nodes.get(node));
            let corners: Vec<Vector3<f64>> = nodes.map(|x| Vector3::from(*x)).collect();
            let flat = || {
                let help = "correct the coordinates or the numbers of its nodes";
                source.error(&raw.place, "the shell has no area, or nodes that do not exist", help)
            };
            let whole = corners.len() == raw.nodes.len();
            let normal = normal(&corners).filter(|_| whole).ok_or_else(flat)?;
            let axis = system.map_or_else(|| default_axis(normal), |system| system.shell_axis(place));
            let angle = |layer: &Layer| match layer.direction {
                Direction::Turned(angle) => angle,
                Direction::Own(system) => between(axis, system.shell_axis(place), normal),
            };
            let plies = layers.iter().map(|layer| Ply {
                material: layer.material,
                thickness: layer.thickness,
                angle: angle(layer),
            });
            let layup = Layup::new(plies.collect());
            let thickness = layup.thickness();
            Ok(Some(Some(Property::Shell {
                material: layers[0].material,
                thickness,
                material_axis: Some(axis.into()),
                offset: -part * thickness,
                layup: Some(reader.deck.layup(layup)),
            })))
        })
    }

    /// The lines of the section; `None` where a material could not be read.
    fn layers(&mut self, block: &Block, source: &Source) -> Result<Option<Vec<Layer>>, ImportError> {
        let mut layers = Vec::new();
        for data in &block.data {
            let thickness = block.real(data, 0, "the thickness of a layer", source)?;
            crate::error::positive("the thickness of a layer", thickness)
                .map_err(|fault| refuse(block, data, source, &fault))?;
            let name = data.words.get(2).map(|word| word.to_ascii_uppercase()).unwrap_or_default();
            if name.is_empty() {
                let help = "write thickness, points of integration, material, angle";
                return Err(block.error_at(data, source, "the layer names no material", help));
            }
            let Some(material) = self.shell_material(&name, block, source)? else { return Ok(None) };
            let word = data.words.get(3).map_or("", String::as_str);
            let direction = match (word.is_empty(), real(word)) {
                (true, _) => Direction::Turned(0.0),
                (_, Some(angle)) => Direction::Turned(angle.to_radians()),
                _ => {
                    let unknown = || {
                        let message = format!("there is no orientation {word}");
                        block.error_at(data, source, message, "add *ORIENTATION, NAME=, or give an angle")
                    };
                    let system = self.orientations.get(&word.to_ascii_uppercase()).copied();
                    Direction::Own(system.ok_or_else(unknown)?)
                }
            };
            layers.push(Layer { material, thickness, direction });
        }
        if layers.is_empty() {
            return Err(block.error(source, "the section has no layers", "add a line for each"));
        }
        if block.has("SYMMETRIC") {
            layers.extend(layers.clone().into_iter().rev());
        }
        Ok(Some(layers))
    }
}

fn normal(corners: &[Vector3<f64>]) -> Option<Vector3<f64>> {
    let [a, b, c, ..] = corners else { return None };
    let across = match corners {
        [_, _, _, d] | [_, _, _, d, _, _, _, _] => (c - a).cross(&(d - b)),
        _ => (b - a).cross(&(c - a)),
    };
    across.try_normalize(0.0)
}

/// The x axis, or z where that stands on the shell.
fn default_axis(normal: Vector3<f64>) -> Vector3<f64> {
    if normal.x.abs() > ALONG_NORMAL { Vector3::z() } else { Vector3::x() }
}

/// Angle about the normal from one direction to another.
fn between(from: Vector3<f64>, to: Vector3<f64>, normal: Vector3<f64>) -> f64 {
    let flat = |v: Vector3<f64>| v - normal * normal.dot(&v);
    let (from, to) = (flat(from), flat(to));
    // Rounded far below any angle that counts, so that elements of one plane share their layers.
    (from.cross(&to).dot(&normal).atan2(from.dot(&to)) * 1e9).round() * 1e-9
}
