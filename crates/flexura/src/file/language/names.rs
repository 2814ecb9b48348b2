//! Variables and definitions that nothing uses: most are slips of the keyboard.

use std::collections::HashSet;

use super::super::node::{Content, Node, Table};
use super::super::sink::Sink;
use super::program::ModelFile;
use super::scope::collect_names;
use crate::diagnostic::Diagnostic;
use crate::model::item::{ItemPath, ROOT};

/// Warns about variables and definitions of a file that no formula and no entry of it names.
pub(super) fn warn_unused(file: &ModelFile, sink: &Sink) {
    let (mut names, mut likes) = (HashSet::new(), HashSet::new());
    let mut any_like = false;
    let entries = file.lists.iter().flatten().chain(&file.uses).map(|template| &template.node);
    let others = [&file.variables, &file.definitions, &file.sections];
    let fields = others.into_iter().flat_map(|table| &table.fields).map(|field| &field.node);
    let all: Vec<&Node> = entries.chain(fields).collect();
    // A formula that cannot be read may name anything.
    if all.iter().any(|node| is_faulty(node)) {
        return;
    }
    for node in &all {
        collect_names(node, &mut |name| {
            names.insert(name);
        });
        collect_likes(node, &mut |like| match like.as_text() {
            Some(name) => {
                likes.insert(name.to_owned());
            }
            None => any_like = true,
        });
    }
    let path = ROOT.key("let");
    unused(&file.variables, &path, "variable", "no formula of the file names it", sink, |name| {
        names.contains(name)
    });
    let path = ROOT.key("define");
    unused(&file.definitions, &path, "definition", "nothing in the file is like it", sink, |name| {
        any_like || likes.contains(name)
    });
}

fn unused(
    table: &Table,
    path: &ItemPath<'_>,
    kind: &str,
    reason: &str,
    sink: &Sink,
    is_used: impl Fn(&str) -> bool,
) {
    for field in table.fields.iter().filter(|field| !is_used(&field.key)) {
        let path = path.key(&field.key).to_string();
        sink.mark_text(path.clone(), field.key_span.clone());
        let item = format!("{kind} `{}`", field.key);
        let message = format!("has no effect: {reason}");
        let help = format!("remove it, or correct the name where the {kind} is meant");
        sink.push(Diagnostic::warning("unused-name", path, item, message, help));
    }
}

/// Hands every value of a key `like` to `take`.
fn collect_likes<'n>(node: &'n Node, take: &mut dyn FnMut(&'n Node)) {
    match &node.content {
        Content::List(list) => list.iter().for_each(|node| collect_likes(node, take)),
        Content::Table(table) => {
            for field in &table.fields {
                if *field.key == *"like" {
                    take(&field.node);
                }
                collect_likes(&field.node, take);
            }
        }
        _ => {}
    }
}

fn is_faulty(node: &Node) -> bool {
    match &node.content {
        Content::Faulty(_) => true,
        Content::List(list) => list.iter().any(is_faulty),
        Content::Table(table) => table.fields.iter().any(|field| is_faulty(&field.node)),
        _ => false,
    }
}
