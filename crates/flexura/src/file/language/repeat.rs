//! `repeat = 1000`, `repeat = { i = 10, j = 20 }`, `repeat = { i = [2, 10] }`.
//!
//! The index of a plain count is `i` and runs from 1; with several names the last one runs fastest.

use std::sync::Arc;

use super::super::formula::{Lookup, Quantity};
use super::super::node::{Content, Field, Node};
use super::finding::Fault;
use super::instance::Maker;
use super::limit::MOST_INSTANCES;
use super::scope::{Scope, Variable, check_name};
use crate::model::item::ItemPath;

/// Values of an index: so many from the first on.
#[derive(Clone, Debug)]
pub(super) struct Range {
    name: Arc<str>,
    first: f64,
    count: u64,
}

/// All indices of an entry; none where it is not repeated.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    list: Vec<Range>,
}

impl Ranges {
    /// The indices that `repeat` gives.
    pub(super) fn read(
        repeat: &Node,
        scope: &Scope<'_>,
        maker: &Maker<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Self, Fault> {
        let mut list = Vec::new();
        match &repeat.content {
            Content::Table(table) => {
                let mut fields: Vec<&Field> = table.fields.iter().collect();
                fields.sort_by_key(|field| field.key_span.start);
                for field in fields {
                    check_name(field, path)?;
                    let path = path.key(&field.key);
                    list.push(range(field.key.clone(), &field.node, scope, maker, &path)?);
                }
            }
            _ => list.push(range(Arc::from("i"), repeat, scope, maker, path)?),
        }
        for range in &list {
            if scope.find(&range.name).is_some() {
                let message = format!("the index `{}` is the name of another variable too", range.name);
                let help = "name the index: repeat = { k = 10 }";
                return Err(Fault::new("index-name", repeat.span.clone(), path, message, help));
            }
        }
        let total = list.iter().try_fold(1_u64, |total, range| total.checked_mul(range.count));
        if total.is_none_or(|total| total > MOST_INSTANCES) {
            let message = format!("one entry may be repeated at most {MOST_INSTANCES} times");
            return Err(Fault::new("model-size", repeat.span.clone(), path, message, "repeat less often"));
        }
        Ok(Self { list })
    }

    /// Number of instances.
    pub(super) fn total(&self) -> u64 {
        self.list.iter().map(|range| range.count).product()
    }

    /// The indices of instance `number`, counted from zero.
    pub(super) fn indices(&self, mut number: u64) -> Vec<Variable> {
        let mut indices = Vec::with_capacity(self.list.len());
        for range in self.list.iter().rev() {
            let value = range.first + (number % range.count) as f64;
            indices.push((range.name.clone(), Quantity::Number(value)));
            number /= range.count;
        }
        indices.reverse();
        indices
    }
}

fn range(
    name: Arc<str>,
    node: &Node,
    scope: &Scope<'_>,
    maker: &Maker<'_>,
    path: &ItemPath<'_>,
) -> Result<Range, Fault> {
    let wrong = |message: String| {
        let help =
            "write repeat = 10, repeat = { i = 10, j = 3 } or, from one number to another, { i = [2, 10] }";
        Err(Fault::new("repeat-count", node.span.clone(), path, message, help))
    };
    let whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e15;
    match maker.quantity(node, scope, path)? {
        Quantity::Number(count) if whole(count) && count >= 0.0 => {
            Ok(Range { name, first: 1.0, count: count as u64 })
        }
        Quantity::Number(count) => wrong(format!("an entry cannot be repeated {count} times")),
        Quantity::List(ends) => match ends[..] {
            // An empty range ends just before it begins.
            [Quantity::Number(first), Quantity::Number(last)]
                if whole(first) && whole(last) && last >= first - 1.0 =>
            {
                Ok(Range { name, first, count: (last - first + 1.0) as u64 })
            }
            _ => wrong("a range needs two whole numbers, the first and the last".into()),
        },
        other => wrong(format!("`repeat` must be a count, but this is {}", other.words())),
    }
}
