//! `like = "rod"`: an entry that begins as a copy of `[define.rod]`.
//!
//! What the entry gives comes first. Tables are joined key by key, lists of named tables name by name; other values replace those
//! of the definition. A definition may be like another.

use std::ops::Range;

use super::super::node::{Content, Field, Node, Table};
use super::finding::Fault;
use super::instance::Maker;
use super::limit::DEEPEST_LIKE;
use super::scope::Scope;
use crate::model::item::ItemPath;
use crate::model::words;

/// The table with all it is like; `None` where it is like nothing.
pub(super) fn completed(
    table: &Table,
    scope: &Scope<'_>,
    maker: &Maker<'_>,
    path: &ItemPath<'_>,
) -> Result<Option<Table>, Fault> {
    if table.get("like").is_none() {
        return Ok(None);
    }
    let (mut table, mut chain) = (table.clone(), Vec::<String>::new());
    while let Some(like) = table.take("like") {
        let path = path.key("like");
        let node = maker.node(&like, scope, &path)?;
        let Some(name) = node.as_text() else {
            let message = format!("`like` must be the name of a definition, but this is {}", node.words());
            return Err(Fault::new("wrong-type", like.span, &path, message, "write like = \"rod\""));
        };
        let again = chain.iter().any(|known| known == name);
        chain.push(name.to_owned());
        if again || chain.len() > DEEPEST_LIKE {
            let message = format!("the definitions are like each other: {}", chain.join(" -> "));
            let help = "a definition may be like another, but not in a circle";
            return Err(Fault::new("define-cycle", like.span, &path, message, help));
        }
        let definition = maker.definition(name).ok_or_else(|| unknown(name, &like.span, maker, &path))?;
        maker.budget.spend(definition.fields.len() + table.fields.len(), &like.span, &path)?;
        table = joined(definition, table);
    }
    Ok(Some(table))
}

fn unknown(name: &str, span: &Range<usize>, maker: &Maker<'_>, path: &ItemPath<'_>) -> Fault {
    let known: Vec<&str> = maker.definitions().collect();
    let help = match words::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if known.is_empty() => format!("add a table [define.{name}] to the same file"),
        None => format!("add a table [define.{name}]; there are: {}", words::list(known)),
    };
    let message = format!("there is no definition `{name}`");
    Fault::new("unknown-definition", span.clone(), path, message, help)
}

/// The definition with what the entry gives in its place.
fn joined(definition: &Table, entry: Table) -> Table {
    let mut all = definition.clone();
    for field in entry.fields {
        let below = all.fields.iter_mut().find(|known| known.key == field.key);
        match below {
            Some(known) => *known = Field { node: over(&known.node, field.node), ..field },
            None => all.fields.push(field),
        }
    }
    all
}

fn over(below: &Node, above: Node) -> Node {
    let Node { span, content } = above;
    let content = match (&below.content, content) {
        (Content::Table(below), Content::Table(above)) => Content::Table(joined(below, above)),
        (Content::List(below), Content::List(above)) if named(below) && named(&above) => {
            Content::List(named_over(below, above))
        }
        (_, content) => content,
    };
    Node { span, content }
}

/// Whether all elements are tables with plain names.
fn named(list: &[Node]) -> bool {
    !list.is_empty() && list.iter().all(|node| name(node).is_some())
}

fn name(node: &Node) -> Option<&str> {
    node.get("name")?.as_text()
}

fn named_over(below: &[Node], above: Vec<Node>) -> Vec<Node> {
    let mut all = below.to_vec();
    for node in above {
        match all.iter_mut().find(|known| name(known) == name(&node)) {
            Some(known) => *known = over(known, node),
            None => all.push(node),
        }
    }
    all
}
