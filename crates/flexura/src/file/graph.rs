//! The table `[graph]`: choice of the tree, joints to cut, joints to hold.

use super::fields::Fields;
use super::value::Value;
use crate::model::description::{GraphDescription, NaturalChoice, TreeChoice};

/// The table `[graph]`.
pub(super) fn read_graph(fields: &mut Fields<'_>) -> GraphDescription {
    GraphDescription {
        tree: fields.get("tree").and_then(|value| read_tree(&value)).unwrap_or_default(),
        cut: fields.get("cut").map(|value| names(&value)).unwrap_or_default(),
        hold: fields.get("hold").map(|value| names(&value)).unwrap_or_default(),
        natural: fields.section("natural", read_natural).unwrap_or_default(),
    }
}

/// The table `[graph.natural]`: names of bodies and joints, or patterns.
fn read_natural(fields: &mut Fields<'_>) -> NaturalChoice {
    let mut list = |key| fields.get(key).map(|value| names(&value)).unwrap_or_default();
    NaturalChoice {
        own_point: list("own_point"),
        own_vectors: list("own_vectors"),
        unit_vectors: list("unit_vectors"),
        sliding: list("sliding"),
        carried_points: list("carried_points"),
        joint_vectors: list("joint_vectors"),
    }
}

fn read_tree(value: &Value<'_>) -> Option<TreeChoice> {
    if value.is_list() {
        return Some(TreeChoice::Listed(names(value)));
    }
    let absolute = value.choice(&[("joint", false), ("absolute", true)])?;
    Some(if absolute { TreeChoice::Absolute } else { TreeChoice::Joint })
}

/// One name, or a list of names.
fn names(value: &Value<'_>) -> Vec<String> {
    if value.is_list() {
        return value.each(|name| name.text().map(str::to_owned)).unwrap_or_default();
    }
    value.text().map(|name| vec![name.to_owned()]).unwrap_or_default()
}
