//! Force elements of a description, with their frames and coordinates found.

use crate::diagnostic::Diagnostic;
use crate::model::closure::LoopJoint;
use crate::model::description::{Description, ElementDescription, ElementKindDescription};
use crate::model::element::{CouplerEnd, CouplerLink, Element, find_coordinate};
use crate::model::{FrameId, Layout, TreeJoint};
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

/// Relations between joint coordinates, in the tree or of joints that close loops.
pub(super) fn couplers(
    description: &Description,
    joints: &[TreeJoint],
    loops: &[LoopJoint],
    layout: &Layout,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CouplerLink> {
    let places = Places { joints, loops, layout, tree: by_name(joints.iter().map(|joint| &joint.name)) };
    let mut list = Vec::new();
    for (index, element) in description.elements.iter().enumerate() {
        let ElementKindDescription::Coordinates(law) = &element.kind else { continue };
        match [0, 1].map(|end| places.locate(&element.between[end])) {
            [Some(a), Some(b)] => {
                list.push(CouplerLink { name: element.name.clone(), law: *law, ends: [a, b] });
            }
            [first, _] => {
                let end = usize::from(first.is_some());
                diagnostics.push(unmeasured(index, element, end));
            }
        }
    }
    list
}

fn by_name<'a>(names: impl Iterator<Item = &'a String>) -> HashMap<&'a str, usize> {
    names.enumerate().map(|(k, name)| (name.as_str(), k)).collect()
}

/// Where joint coordinates are in a model.
struct Places<'a> {
    joints: &'a [TreeJoint],
    loops: &'a [LoopJoint],
    layout: &'a Layout,
    tree: HashMap<&'a str, usize>,
}

impl Places<'_> {
    /// The coordinate `JOINT` or `JOINT.coordinate`; `None` where it cannot be measured.
    fn locate(&self, reference: &str) -> Option<CouplerEnd> {
        let (name, word) = reference.split_once('.').map_or((reference, None), |(n, w)| (n, Some(w)));
        if let Some(&k) = self.tree.get(name) {
            let i = find_coordinate(&self.joints[k].joint.kind, word)?;
            let part = &self.layout.bodies[k];
            return Some(CouplerEnd::Tree {
                coordinate: part.joint_q().start + i,
                speed: part.joint_v().start + i,
            });
        }
        let joint = self.loops.iter().position(|joint| joint.name == name)?;
        let index = find_coordinate(&self.loops[joint].kind, word)?;
        self.loops[joint].measures[index].map(|_| CouplerEnd::Loop { joint, index })
    }
}

/// A coupler on a joint whose coordinates cannot be measured where it closes a loop.
fn unmeasured(index: usize, element: &ElementDescription, end: usize) -> Diagnostic {
    let reference = &element.between[end];
    let name = reference.split_once('.').map_or(reference.as_str(), |(name, _)| name);
    let message = format!(
        "joint `{name}` closes a loop, and its coordinates cannot be measured there: nothing can couple them"
    );
    let help =
        format!("keep `{name}` in the tree: [graph] cut = \"other joint\", or name it in [graph] tree");
    let path = format!("element[{index}].between[{end}]");
    Diagnostic::error("coupler-loop", path, format!("element `{}`", element.name), message, help)
}
