//! Names of a used file in the model around it: `wheel` becomes `front_left/wheel`.
//!
//! References to the ground stay, but frames of the file on the ground have its prefix. `outer.mount` is what the use gives for it.

use std::ops::Range;
use std::sync::Arc;

use super::super::node::{Content, Node, Table};
use super::finding::Fault;
use super::program::ModelFile;
use super::unit::Unit;
use crate::model::item::ItemPath;
use crate::model::words;

/// Keys of a list that refer to items: (list, key).
const REFERENCES: [(&str, &str); 7] = [
    ("joint", "between"),
    ("element", "between"),
    ("force", "at"),
    ("load", "body"),
    ("picture", "body"),
    ("controller", "sensors"),
    ("controller", "actuators"),
];

/// Keys of a list that name files: (list, key).
const FILES: [(&str, &str); 3] = [("body", "fe"), ("controller", "file"), ("picture", "file")];

/// First words of channels that belong to the whole model.
const WHOLE_MODEL: [&str; 3] = ["energy", "power", "momentum"];

/// Gives the names of an entry of `list` the prefix of the unit.
pub(super) fn rename(list: &str, table: &mut Table, unit: &Unit, path: &ItemPath<'_>) -> Result<(), Fault> {
    for field in &mut table.fields {
        let path = path.key(&field.key);
        let file = FILES.contains(&(list, &field.key));
        if *field.key == *"name" {
            rename_own(&mut field.node, unit, &path)?;
        } else if file {
            relocate(&mut field.node, unit);
        } else if REFERENCES.contains(&(list, &field.key)) {
            rename_references(&mut field.node, unit, &path)?;
        }
    }
    Ok(())
}

fn rename_own(node: &mut Node, unit: &Unit, path: &ItemPath<'_>) -> Result<(), Fault> {
    let Some(name) = node.as_text().filter(|name| !name.is_empty()) else { return Ok(()) };
    if name == "outer" || name == "ground" {
        let message = format!("the name `{name}` is reserved in files that are used");
        return Err(Fault::new("reserved-name", node.span.clone(), path, message, "choose another name"));
    }
    node.content = Content::Text(format!("{}{name}", unit.prefix).into());
    Ok(())
}

/// File names of a used file are relative to its own folder.
fn relocate(node: &mut Node, unit: &Unit) {
    if let Some(file) = node.as_text().filter(|file| !file.is_empty()) {
        node.content = Content::Text(unit.file.folder.join(file).display().to_string().into());
    }
}

fn rename_references(node: &mut Node, unit: &Unit, path: &ItemPath<'_>) -> Result<(), Fault> {
    match &mut node.content {
        Content::List(list) => list
            .iter_mut()
            .enumerate()
            .try_for_each(|(index, node)| rename_references(node, unit, &path.index(index))),
        Content::Text(text) => {
            *text = renamed(text, unit, &node.span, path)?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A reference as the model has it.
pub(super) fn renamed(
    reference: &str,
    unit: &Unit,
    span: &Range<usize>,
    path: &ItemPath<'_>,
) -> Result<Arc<str>, Fault> {
    if unit.prefix.is_empty() || reference.is_empty() {
        return Ok(reference.into());
    }
    let prefix = &unit.prefix;
    let (head, rest) = reference.split_once('.').unwrap_or((reference, ""));
    match head {
        _ if WHOLE_MODEL.contains(&head) && !rest.is_empty() => Ok(reference.into()),
        "ground" if rest.is_empty() || (rest == "origin" && unit.placement.is_none()) => Ok(reference.into()),
        "ground" => Ok(format!("ground.{prefix}{rest}").into()),
        "outer" => {
            let (name, more) = rest.split_once('.').unwrap_or((rest, ""));
            let Some((_, given)) = unit.outer.iter().find(|(known, _)| **known == *name) else {
                return Err(not_given(name, unit, span, path));
            };
            Ok(if more.is_empty() { given.clone() } else { format!("{given}.{more}").into() })
        }
        _ => Ok(format!("{prefix}{reference}").into()),
    }
}

fn not_given(name: &str, unit: &Unit, span: &Range<usize>, path: &ItemPath<'_>) -> Fault {
    let use_name = unit.prefix.trim_end_matches('/');
    let message = format!("the use `{use_name}` gives no `outer.{name}`");
    let known = || unit.outer.iter().map(|(known, _)| known.as_ref());
    let near = words::nearest(name, known()).map(|near| format!("did you mean `outer.{near}`? "));
    let help =
        format!("{}add it to the [[use]]: outer = {{ {name} = \"body.frame\" }}", near.unwrap_or_default());
    Fault::new("outer-frame", span.clone(), path, message, help)
}

/// Whether a file may refer to `outer.NAME`.
pub(super) fn mentions(file: &ModelFile, name: &str) -> bool {
    let wanted = format!("outer.{name}");
    let entries = file.lists.iter().flatten().chain(&file.uses).map(|template| &template.node);
    let others = [&file.variables, &file.definitions].into_iter().flat_map(|table| &table.fields);
    entries.chain(others.map(|field| &field.node)).any(|node| holds(node, &wanted))
}

fn holds(node: &Node, wanted: &str) -> bool {
    match &node.content {
        Content::Text(text) => text.contains(wanted),
        Content::Formula(formula) => formula.what.texts.iter().any(|text| may_hold(text, wanted)),
        Content::Pattern(pattern) => {
            let plain = pattern.what.texts().any(|text| may_hold(text, wanted));
            plain
                || pattern
                    .what
                    .formulas()
                    .flat_map(|formula| &formula.texts)
                    .any(|text| may_hold(text, wanted))
        }
        Content::List(list) => list.iter().any(|node| holds(node, wanted)),
        Content::Table(table) => table.fields.iter().any(|field| holds(&field.node, wanted)),
        _ => false,
    }
}

/// Whether a piece of a text holds the name, or may end in it.
fn may_hold(text: &str, wanted: &str) -> bool {
    text.contains(wanted) || text.ends_with("outer.")
}
