//! Why a joint closes a loop, in words.

use super::component::joint_rank;
use crate::model::description::{Description, TreeChoice};

/// Why the joint called `name` closes a loop through `members` rather than being a branch of the tree.
pub fn cut_reason(description: &Description, name: &str, members: &[String]) -> &'static str {
    if description.graph.cut.iter().any(|cut| cut == name) {
        return "cut by [graph]";
    }
    let source = description.joints.iter().find(|joint| joint.name == name);
    if source.is_some_and(|joint| joint.kind.is_nonholonomic()) {
        return "it constrains speeds and has no coordinates";
    }
    match &description.graph.tree {
        TreeChoice::Absolute => return "joints are constraints between absolute coordinates",
        TreeChoice::Listed(_) => return "not listed in [graph] tree",
        TreeChoice::Joint => {}
    }
    let find = |name: &str| description.joints.iter().find(|joint| joint.name == name);
    let others = members.iter().filter(|member| *member != name).filter_map(|member| find(member));
    let own = find(name).map_or(0, joint_rank);
    let class = |rank: u32| rank / 16;
    match others.map(joint_rank).max() {
        Some(next) if class(own) > class(next) => {
            "sliding joints are cut before turning ones, those before drivers"
        }
        Some(next) if own > next => "of its class it has the most freedoms or no forces of its own",
        _ => "farthest from the ground among its like",
    }
}
