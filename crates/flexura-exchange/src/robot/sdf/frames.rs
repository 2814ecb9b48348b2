//! Frames of an SDF model: every link, joint and `<frame>` has a pose relative to another one of them, in any order.
//!
//! A pose is relative to what its `relative_to` names; else a joint's is relative to its child, a `<frame>`'s to what it is attached
//! to, and everything else to the model (sdformat.org, "Pose frame semantics"). The graph must lead to the model from everywhere.

use super::super::xml::Node;
use crate::finding::{Findings, Place};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::collections::BTreeMap;

/// The name of the model's own frame.
pub const MODEL: &str = "__model__";

/// One frame: where it is written, what it moves with, and its pose relative to another.
struct Entry {
    place: Place,
    /// Link, or frame that is attached to one; `None` for the model and for joints, which move with their child.
    carrier: Option<String>,
    base: String,
    pose: Isometry3<f64>,
}

/// All frames of a model by name.
#[derive(Default)]
pub struct Frames {
    entries: BTreeMap<String, Entry>,
    poses: BTreeMap<String, Isometry3<f64>>,
}

/// The text of the element `tag` inside `node`.
pub fn word<'a>(node: &'a Node, tag: &str, findings: &mut Findings) -> Option<&'a str> {
    node.one(tag, findings).map(|child| child.content.trim()).filter(|text| !text.is_empty())
}

/// Yes or no as SDF writes it: `true`, `1`, `false`, `0`, in any case.
pub fn truth(text: &str, place: &Place, findings: &mut Findings) -> bool {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => true,
        "false" | "0" => false,
        _ => {
            findings.fault(place, format!("`{text}` is neither true nor false"), "give true, false, 1 or 0");
            false
        }
    }
}

/// Whether the element `tag` inside `node` says yes.
pub fn says(node: &Node, tag: &str, findings: &mut Findings) -> Option<bool> {
    let text = word(node, tag, findings)?;
    Some(truth(text, &node.place, findings))
}

/// The pose written in `node`, and what it is relative to.
pub fn pose(node: &Node, findings: &mut Findings) -> (Isometry3<f64>, Option<String>) {
    let Some(written) = node.one("pose", findings) else { return (Isometry3::identity(), None) };
    written.only(&["relative_to", "degrees", "rotation_format"], findings);
    let base = written.text("relative_to").filter(|name| !name.is_empty()).map(str::to_owned);
    let degrees = written.text("degrees").is_some_and(|text| truth(text, &written.place, findings));
    let unit = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
    let lifted = written.with_value();
    let format = written.text("rotation_format").unwrap_or("euler_rpy");
    if !matches!(format, "euler_rpy" | "quat_xyzw") {
        let message = format!("<pose> has the rotation_format `{format}`");
        findings.fault(&written.place, message, "give euler_rpy or quat_xyzw");
    }
    if format == "quat_xyzw" {
        let Some([x, y, z, a, b, c, w]) = lifted.array("value", findings) else {
            return (Isometry3::identity(), base);
        };
        let quaternion = Quaternion::new(w, a, b, c);
        if quaternion.norm() < 1e-12 {
            findings.fault(
                &written.place,
                "<pose> has a quaternion of no length",
                "give x y z of a rotation and w",
            );
            return (Isometry3::identity(), base);
        }
        let turn = UnitQuaternion::from_quaternion(quaternion);
        return (Isometry3::from_parts(Translation3::new(x, y, z), turn), base);
    }
    if written.content.trim().is_empty() {
        return (Isometry3::identity(), base);
    }
    let [x, y, z, roll, pitch, yaw] = lifted.array("value", findings).unwrap_or_default();
    let turn = UnitQuaternion::from_euler_angles(unit * roll, unit * pitch, unit * yaw);
    (Isometry3::from_parts(Translation3::new(x, y, z), turn), base)
}

impl Frames {
    /// Adds the frame of a link, joint or `<frame>`; `otherwise` is what its pose is relative to where it does not say.
    pub fn add(&mut self, node: &Node, carrier: Option<String>, otherwise: &str, findings: &mut Findings) {
        let name = node.need("name", findings);
        let (pose, base) = pose(node, findings);
        let base = base.unwrap_or_else(|| otherwise.to_owned());
        let entry = Entry { place: node.place.clone(), carrier, base, pose };
        if self.entries.insert(name.clone(), entry).is_some() {
            let message = format!("a second link, joint or frame `{name}`");
            findings.fault(&node.place, message, "give each a name of its own");
        }
    }

    /// Finds the pose of every frame in the model; frames that lead nowhere are faults.
    pub fn settle(&mut self, findings: &mut Findings) {
        let names: Vec<String> = self.entries.keys().cloned().collect();
        for name in names {
            // From the frame to one that is known, then back.
            let (mut chain, mut at) = (Vec::new(), name.clone());
            while at != MODEL && !self.poses.contains_key(&at) {
                let Some(entry) = self.entries.get(&at) else {
                    let from = &self.entries[chain.last().unwrap_or(&name)];
                    let message = format!("no link, joint or frame is called `{at}`");
                    findings.fault(&from.place, message, "correct `relative_to`, `attached_to` or <child>");
                    return;
                };
                if chain.contains(&at) {
                    let message =
                        format!("the pose of `{at}` is relative to itself, over {}", chain.join(", "));
                    findings.fault(&entry.place, message, "let one of them be relative to the model");
                    return;
                }
                chain.push(at.clone());
                at.clone_from(&entry.base);
            }
            let mut pose = self.poses.get(&at).copied().unwrap_or_else(Isometry3::identity);
            for name in chain.into_iter().rev() {
                pose *= self.entries[&name].pose;
                self.poses.insert(name, pose);
            }
        }
    }

    /// The pose of a frame in the model; that of the model where there is none, which `settle` has said.
    pub fn pose(&self, name: &str) -> Isometry3<f64> {
        self.poses.get(name).copied().unwrap_or_else(Isometry3::identity)
    }

    /// The link that a frame moves with.
    pub fn link(&self, name: &str) -> Option<String> {
        let mut at = name.to_owned();
        // Each step leads to another frame, or round in a circle.
        for _ in 0..=self.entries.len() {
            match self.entries.get(&at)?.carrier.clone() {
                Some(carrier) if carrier == at => return Some(at),
                Some(carrier) => at = carrier,
                None => return None,
            }
        }
        None
    }

    /// Whether there is a frame of this name.
    pub fn has(&self, name: &str) -> bool {
        name == MODEL || self.entries.contains_key(name)
    }
}
