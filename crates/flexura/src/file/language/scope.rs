//! Variables: those of `[let]`, of entries and of repeats.

use std::sync::Arc;

use super::super::formula::{Lookup, Quantity, is_reserved};
use super::super::node::{Content, Field, Node, Table};
use super::finding::Fault;
use super::instance::Maker;
use super::limit::MOST_VARIABLES;
use crate::model::item::ItemPath;

/// A variable and its value.
pub(in crate::file) type Variable = (Arc<str>, Quantity);

/// Variables that can be seen, the nearest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope<'a> {
    pub around: Option<&'a Scope<'a>>,
    pub variables: &'a [Variable],
}

impl Lookup for Scope<'_> {
    fn find(&self, name: &str) -> Option<Quantity> {
        let mut scope = Some(self);
        while let Some(Scope { around, variables }) = scope {
            if let Some((_, value)) = variables.iter().find(|(known, _)| **known == *name) {
                return Some(value.clone());
            }
            scope = *around;
        }
        None
    }

    fn names(&self) -> Vec<String> {
        let own = self.variables.iter().map(|(name, _)| name.to_string());
        own.chain(self.around.map(|around| around.names()).unwrap_or_default()).collect()
    }
}

/// The variables of a table `let`, in whatever order they need each other. Those of `given` have their values from outside.
pub(super) fn variables(
    table: &Table,
    given: Vec<Variable>,
    around: &Scope<'_>,
    maker: &Maker<'_>,
    path: &ItemPath<'_>,
) -> Result<Vec<Variable>, Fault> {
    if table.fields.len() > MOST_VARIABLES {
        let message = format!("there are more than {MOST_VARIABLES} variables");
        let span = table.fields[0].key_span.clone();
        return Err(Fault::new(
            "model-size",
            span,
            path,
            message,
            "put numbers that belong together into lists",
        ));
    }
    table.fields.iter().try_for_each(|field| check_name(field, path))?;
    let mut known = given;
    let place = |name: &str| table.fields.iter().position(|field| *field.key == *name);
    // For each: whether it waits for others, whether it is known.
    let mut waits = vec![false; table.fields.len()];
    let mut done: Vec<bool> = table.fields.iter().map(|field| has(&known, &field.key)).collect();
    let mut stack: Vec<usize> = Vec::new();
    for first in 0..table.fields.len() {
        stack.push(first);
        while let Some(&top) = stack.last() {
            let Field { key, key_span, node } = &table.fields[top];
            if done[top] {
                stack.pop();
                continue;
            }
            waits[top] = true;
            let needed = names_in(node).into_iter().filter_map(place).find(|&needed| !done[needed]);
            match needed {
                Some(needed) if waits[needed] => {
                    return Err(cycle(table, &stack, needed, key_span.clone(), &path.key(key)));
                }
                Some(needed) => stack.push(needed),
                None => {
                    let scope = Scope { around: Some(around), variables: &known };
                    let value = maker.quantity(node, &scope, &path.key(key))?;
                    known.push((key.clone(), value));
                    done[top] = true;
                }
            }
        }
    }
    Ok(known)
}

fn has(list: &[Variable], name: &str) -> bool {
    list.iter().any(|(known, _)| **known == *name)
}

/// Refuses names that formulas could not read.
pub(super) fn check_name(field: &Field, path: &ItemPath<'_>) -> Result<(), Fault> {
    let Field { key, key_span, .. } = field;
    let letters = key.chars().all(|c| c.is_alphanumeric() || c == '_');
    let fault = |message: String, help: &str| {
        Err(Fault::new("variable-name", key_span.clone(), &path.key(key), message, help))
    };
    if !letters || key.starts_with(|c: char| c.is_numeric()) || key.is_empty() {
        return fault(
            format!("`{key}` cannot be a name in formulas"),
            "variables have letters, digits and _, a letter first",
        );
    }
    if is_reserved(key) {
        return fault(format!("`{key}` is a word of formulas"), "give the variable another name");
    }
    Ok(())
}

fn cycle(
    table: &Table,
    stack: &[usize],
    again: usize,
    span: std::ops::Range<usize>,
    path: &ItemPath<'_>,
) -> Fault {
    let from = stack.iter().position(|&place| place == again).unwrap_or(0);
    let names = stack[from..].iter().chain([&again]).map(|&place| table.fields[place].key.as_ref());
    let chain: Vec<&str> = names.collect();
    let message = format!("the variables need each other: {}", chain.join(" -> "));
    Fault::new("variable-cycle", span, path, message, "give one of them a number")
}

/// Names that the formulas of a value ask for.
pub(super) fn names_in(node: &Node) -> Vec<&str> {
    let mut names = Vec::new();
    collect_names(node, &mut |name| names.push(name));
    names
}

/// Hands every name in the formulas of a value to `take`.
pub(super) fn collect_names<'n>(node: &'n Node, take: &mut dyn FnMut(&'n str)) {
    match &node.content {
        Content::Formula(formula) => formula.what.names.iter().for_each(|name| take(name)),
        Content::Pattern(pattern) => {
            pattern.what.formulas().flat_map(|formula| &formula.names).for_each(|name| take(name));
        }
        Content::List(list) => list.iter().for_each(|node| collect_names(node, take)),
        Content::Table(table) => table.fields.iter().for_each(|field| collect_names(&field.node, take)),
        _ => {}
    }
}
