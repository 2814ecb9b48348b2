//! The table `[graph]`: choice of the tree, joints to cut, joints to hold.

use super::fields::Fields;
use super::value::Value;
use crate::model::description::{GraphDescription, TreeChoice};

/// The table `[graph]`.
pub(super) fn read_graph(fields: &mut Fields<'_>) -> GraphDescription {
    GraphDescription {
        tree: fields.get("tree").and_then(|value| read_tree(&value)).unwrap_or_default(),
        cut: fields.get("cut").map(|value| names(&value)).unwrap_or_default(),
        hold: fields.get("hold").map(|value| names(&value)).unwrap_or_default(),
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
