//! Where the ground of a used file stands in that of the model.

use super::program::Program;
use crate::model::description::{FrameDescription, Place, RotationDescription};
use crate::model::validate::rotation::quaternion;

/// Place (m) and orientation (unit quaternion, scalar first) of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::file) struct Placement {
    pub position: [f64; 3],
    pub rotation: Option<[f64; 4]>,
}

impl Placement {
    /// A placement inside this one.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let rotation = match (self.rotation, inner.rotation) {
            (Some(outer), Some(inner)) => Some(product(outer, inner)),
            (outer, inner) => outer.or(inner),
        };
        Self { position: self.point(inner.position), rotation }
    }

    fn point(&self, inside: [f64; 3]) -> [f64; 3] {
        let turned = self.rotation.map_or(inside, |rotation| turned(rotation, inside));
        std::array::from_fn(|k| self.position[k] + turned[k])
    }

    /// The frame as the model's ground has it.
    fn place(&self, frame: &mut FrameDescription) {
        frame.position = self.point(frame.position);
        let Some(outer) = self.rotation else { return };
        frame.rotation = match &frame.rotation {
            RotationDescription::Identity => RotationDescription::Quaternion(outer),
            own => match quaternion(own) {
                Some(inner) => RotationDescription::Quaternion(product(outer, unit(inner))),
                // Left as it is for validation to refuse.
                None => return,
            },
        };
    }
}

/// Moves the frames of used files, read with their units, to where these stand, and adds the origins of units that are placed.
pub(in crate::file) fn place_frames(
    frames: Vec<(usize, FrameDescription)>,
    program: &Program,
) -> Vec<FrameDescription> {
    let mut all = Vec::with_capacity(frames.len());
    for (unit, mut frame) in frames {
        if let Some(placement) = &program.units[unit].placement {
            placement.place(&mut frame);
        }
        all.push(frame);
    }
    for unit in &program.units {
        if let Some(Placement { position, rotation }) = unit.placement {
            all.push(FrameDescription {
                name: format!("{}origin", unit.prefix),
                place: Place::Origin,
                position,
                rotation: rotation.map_or(RotationDescription::Identity, RotationDescription::Quaternion),
            });
        }
    }
    all
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / norm)
}

/// Hamilton's product: first the right rotation, then the left.
fn product([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// v + 2 q × (q × v + w v), q the vector part.
fn turned([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let q = [x, y, z];
    let inner = cross(q, v);
    let outer = cross(q, std::array::from_fn(|k| inner[k] + w * v[k]));
    std::array::from_fn(|k| v[k] + 2.0 * outer[k])
}
