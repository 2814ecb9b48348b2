//! Force elements of a description, with their frames and coordinates found.

use super::description::{Description, ElementDescription, ElementKindDescription};
use super::element::{CouplerLink, Element, find_coordinate};
use super::{FrameId, Layout, TreeJoint};
use std::collections::HashMap;

/// Elements between frames; validation has found every name.
pub(super) fn elements(description: &Description, frames: &HashMap<String, usize>) -> Vec<Element> {
    let between_frames = |element: &ElementDescription| {
        let ElementKindDescription::Frames(kind) = &element.kind else { return None };
        let frame = |end: usize| frames.get(&element.between[end]).copied().map(FrameId);
        Some(Element { name: element.name.clone(), kind: kind.clone(), frames: [frame(0)?, frame(1)?] })
    };
    description.elements.iter().filter_map(between_frames).collect()
}

/// Relations between joint coordinates; validation has found every name.
pub(super) fn couplers(description: &Description, joints: &[TreeJoint], layout: &Layout) -> Vec<CouplerLink> {
    let index: HashMap<&str, usize> =
        joints.iter().enumerate().map(|(k, joint)| (joint.name.as_str(), k)).collect();
    // Coordinate and speed of one end.
    let locate = |reference: &str| {
        let (name, word) = reference.split_once('.').map_or((reference, None), |(n, w)| (n, Some(w)));
        let k = *index.get(name)?;
        let i = find_coordinate(&joints[k].joint.kind, word)?;
        Some((layout.bodies[k].joint_q().start + i, layout.bodies[k].joint_v().start + i))
    };
    let link = |element: &ElementDescription| {
        let ElementKindDescription::Coordinates(law) = &element.kind else { return None };
        let (a, b) = (locate(&element.between[0])?, locate(&element.between[1])?);
        Some(CouplerLink {
            name: element.name.clone(),
            law: *law,
            coordinates: [a.0, b.0],
            speeds: [a.1, b.1],
        })
    };
    description.elements.iter().filter_map(link).collect()
}
