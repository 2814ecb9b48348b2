//! The section `[matrices]` of a part file.

use super::description::{FileMatrix, MatrixReference, NodeSource, Units};
use super::read::read_freedoms;
use crate::import::matrix::TableNode;
use flexura::file::Fields;

/// Reads the section; `None` where there is none or it is not whole.
pub(super) fn read_matrices(fields: &mut Fields<'_>) -> Option<MatrixReference> {
    fields.section("matrices", read_section).flatten()
}

fn read_section(fields: &mut Fields<'_>) -> Option<MatrixReference> {
    fields.allow(&["nodes", "node", "coordinates", "recovery_nodes", "recovery_node"]);
    let stiffness = needed(fields, "stiffness", "stiffness_name", "stiffness = \"part.pch\"");
    let mass = needed(fields, "mass", "mass_name", "mass = \"part.pch\"");
    let damping = named(fields, "damping", "damping_name");
    let recovery = named(fields, "recovery", "recovery_name");
    let units = fields.choice("units", &[("SI", Units::Si), ("mm-t-s", Units::MillimetreTonne)]);
    let rows = text(fields, "rows");
    let nodes = read_nodes(fields, ["nodes", "node"], true);
    if nodes.is_none() {
        let help = "write nodes = \"nodes.csv\", or tables [[matrices.node]] with number and position";
        fields.missing("missing-key", &["nodes", "node"], "the matrices have no nodes", help);
    }
    let recovery_nodes = read_nodes(fields, ["recovery_nodes", "recovery_node"], false);
    match (&recovery, &recovery_nodes) {
        (Some(_), None) => {
            let help = "write recovery_nodes = \"inner.csv\", or tables [[matrices.recovery_node]]";
            let keys = &["recovery_nodes", "recovery_node"];
            fields.missing("missing-key", keys, "the recovery rows have no nodes", help);
        }
        (None, Some(_)) => {
            fields.unused(&["recovery_nodes", "recovery_node"], "there are no recovery rows");
        }
        _ => {}
    }
    Some(MatrixReference {
        stiffness: stiffness?,
        mass: mass?,
        damping,
        nodes: nodes?,
        rows,
        recovery,
        recovery_nodes,
        units: units.unwrap_or_default(),
    })
}

fn text(fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    fields.get(key).and_then(|value| value.text().map(str::to_owned))
}

fn needed(fields: &mut Fields<'_>, key: &'static str, name: &'static str, help: &str) -> Option<FileMatrix> {
    let file = fields.need(key, help)?.text()?.to_owned();
    Some(FileMatrix { file, name: text(fields, name) })
}

fn named(fields: &mut Fields<'_>, key: &'static str, name: &'static str) -> Option<FileMatrix> {
    let given = text(fields, name);
    match text(fields, key) {
        Some(file) => Some(FileMatrix { file, name: given }),
        None => {
            fields.unused(&[name], "there is no such matrix");
            None
        }
    }
}

/// A table by its file or node by node, with generalised coordinates by their numbers.
fn read_nodes(
    fields: &mut Fields<'_>,
    [file, entries]: [&'static str; 2],
    with_coordinates: bool,
) -> Option<NodeSource> {
    let coordinates = match with_coordinates {
        true => fields.get("coordinates").and_then(|list| list.each(|number| number.count())),
        false => None,
    };
    if fields.has(entries) {
        if fields.has(file) {
            let message = format!("gives both `{file}` and `{entries}`");
            fields.error("conflicting-keys", file, message, "keep one of them");
        }
        let mut nodes = fields.entries(entries, "node", |node| TableNode {
            number: node.need("number", "number = 1").and_then(|value| value.count()).unwrap_or(0) as u64,
            position: Some(
                node.need("position", "position = [0, 0, 0]").and_then(|v| v.vector3()).unwrap_or_default(),
            ),
            freedoms: read_freedoms(node),
            set: text(node, "set").unwrap_or_default(),
            line: 0,
        });
        let of_number = |number: usize| TableNode {
            number: number as u64,
            position: None,
            freedoms: [false; 6],
            set: String::new(),
            line: 0,
        };
        nodes.extend(coordinates.into_iter().flatten().map(of_number));
        return Some(NodeSource::Table(nodes));
    }
    if with_coordinates {
        fields.unused(&["coordinates"], "a table in a file lists its coordinates itself (freedoms 0)");
    }
    text(fields, file).map(NodeSource::File)
}
