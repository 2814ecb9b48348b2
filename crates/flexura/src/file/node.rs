//! The values of a file as the readers see them, with the places they come from.
//!
//! Places are bytes of all sources one after the other ([`super::sources`]), so that a value carries its file with it.
//! In model files texts that begin with `=` and texts with braces are formulas; other files have none.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::formula::{Formula, FormulaFault, Pattern, parse};

/// A value and where it was written.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Node {
    pub(super) span: Range<usize>,
    pub(super) content: Content,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Text(Arc<str>),
    Integer(i64),
    Number(f64),
    /// A number that a formula has given.
    Computed(f64),
    Truth(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
    Formula(Arc<Written<Formula>>),
    Pattern(Arc<Written<Pattern>>),
    /// A formula that cannot be read.
    Faulty(Arc<Written<FormulaFault>>),
}

/// A formula and the place of its first byte, where the file has it letter by letter.
#[derive(Clone, Debug)]
pub(super) struct Written<T> {
    pub what: T,
    pub at: Option<usize>,
}

impl<T> Written<T> {
    /// The place of a range of the formula; `whole` is that of the text.
    pub(super) fn place(&self, range: &Range<usize>, whole: &Range<usize>) -> Range<usize> {
        self.at.map_or(whole.clone(), |at| at + range.start..at + range.end)
    }
}

/// A table: few keys, in the order of the parser.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Table {
    pub(super) fields: Vec<Field>,
}

/// A key of a table and its value.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub key: Arc<str>,
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Table {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.fields.iter().find(|field| *field.key == *key).map(|field| &field.node)
    }

    /// The table without a key, and what it had there.
    pub(super) fn take(&mut self, key: &str) -> Option<Node> {
        let place = self.fields.iter().position(|field| *field.key == *key)?;
        Some(self.fields.remove(place).node)
    }

    /// Puts a value in the place of the one before, or adds it.
    pub(super) fn set(&mut self, new: Field) {
        match self.fields.iter_mut().find(|field| field.key == new.key) {
            Some(field) => *field = new,
            None => self.fields.push(new),
        }
    }
}

impl Node {
    /// Whether this is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.content, Content::Table(_))
    }

    /// Whether this is a text.
    pub fn is_text(&self) -> bool {
        matches!(self.content, Content::Text(_))
    }

    /// Whether this is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.content, Content::Integer(_) | Content::Number(_) | Content::Computed(_))
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.content {
            Content::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        match &self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The letters of a text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, if this is a table that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.as_table()?.get(key)
    }

    /// The kind in words.
    pub(super) fn words(&self) -> &'static str {
        match self.content {
            Content::Text(_) | Content::Pattern(_) => "a string",
            Content::Integer(_) | Content::Number(_) | Content::Computed(_) => "a number",
            Content::Truth(_) => "true or false",
            Content::Date => "a date",
            Content::List(_) => "a list",
            Content::Table(_) => "a table",
            Content::Formula(_) | Content::Faulty(_) => "a formula",
        }
    }
}

/// How the text of a file becomes nodes.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    /// The text.
    pub source: &'a str,
    /// Its place among all sources.
    pub base: usize,
    /// Whether texts may be formulas.
    pub formulas: bool,
    pub keys: &'a Keys,
}

/// Keys seen so far: a model of many bodies has few different ones.
#[derive(Default)]
pub(super) struct Keys(RefCell<HashSet<Arc<str>>>);

impl Keys {
    fn shared(&self, key: &str) -> Arc<str> {
        let mut known = self.0.borrow_mut();
        if let Some(key) = known.get(key) {
            return key.clone();
        }
        let key: Arc<str> = key.into();
        known.insert(key.clone());
        key
    }
}

impl Reading<'_> {
    /// The table of a document.
    pub(super) fn table(self, table: DeTable<'_>) -> Table {
        let field = |(key, value): (Spanned<std::borrow::Cow<'_, str>>, Spanned<DeValue<'_>>)| Field {
            key_span: self.shift(key.span()),
            key: self.keys.shared(key.get_ref()),
            node: self.node(value),
        };
        Table { fields: table.into_iter().map(field).collect() }
    }

    fn shift(self, span: Range<usize>) -> Range<usize> {
        span.start + self.base..span.end + self.base
    }

    fn node(self, value: Spanned<DeValue<'_>>) -> Node {
        let span = value.span();
        let content = match value.into_inner() {
            DeValue::String(text) => self.text(&text, &span),
            DeValue::Integer(integer) => {
                let (digits, radix) = (integer.as_str(), integer.radix());
                match i64::from_str_radix(digits, radix) {
                    Ok(whole) => Content::Integer(whole),
                    Err(_) => Content::Number(wide(digits, radix)),
                }
            }
            DeValue::Float(float) => Content::Number(float.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(truth) => Content::Truth(truth),
            DeValue::Datetime(_) => Content::Date,
            DeValue::Array(list) => {
                let mut list: Vec<Node> = list.into_iter().map(|value| self.node(value)).collect();
                // It stands in the place of larger values.
                list.shrink_to_fit();
                Content::List(list)
            }
            DeValue::Table(table) => Content::Table(self.table(table)),
        };
        Node { span: self.shift(span), content }
    }

    fn text(self, text: &str, span: &Range<usize>) -> Content {
        if !self.formulas {
            return Content::Text(text.into());
        }
        // A text without escapes stands in the file as it is.
        let quoted = span.start + 1..span.end.saturating_sub(1);
        let as_is = self.source.get(quoted.clone()).is_some_and(|raw| raw == text);
        let at = as_is.then_some(self.base + quoted.start);
        if let Some(formula) = text.strip_prefix('=') {
            let at = at.map(|at| at + 1);
            return match parse(formula) {
                Ok(what) => Content::Formula(Arc::new(Written { what, at })),
                Err(what) => Content::Faulty(Arc::new(Written { what, at })),
            };
        }
        match Pattern::parse(text) {
            Ok(None) => Content::Text(text.into()),
            Ok(Some(what)) => Content::Pattern(Arc::new(Written { what, at })),
            Err(what) => Content::Faulty(Arc::new(Written { what, at })),
        }
    }
}

/// A whole number beyond 64 bits.
fn wide(digits: &str, radix: u32) -> f64 {
    if radix == 10 {
        return digits.parse().unwrap_or(f64::NAN);
    }
    i128::from_str_radix(digits, radix).map_or(f64::NAN, |value| value as f64)
}

/// One part of a path.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The parts of `joint[2].between[0]`: `joint`, 2, `between`, 0.
pub(super) fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split(['.', '[']).map(|part| {
        let index = part.strip_suffix(']').and_then(|digits| digits.parse().ok());
        index.map_or(Step::Key(part), Step::Index)
    })
}

/// The value at the end of a path, or the nearest one around it.
pub(super) fn inside<'n>(node: &'n Node, steps: &[Step<'_>]) -> &'n Node {
    let mut node = node;
    for step in steps {
        let inner = match (&node.content, *step) {
            (Content::Table(table), Step::Key(key)) => table.get(key),
            (Content::List(list), Step::Index(index)) => list.get(index),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The same from a whole document; `None` where it has no such key.
pub(super) fn inside_table<'n>(table: &'n Table, path: &str) -> Option<&'n Node> {
    let all: Vec<Step<'_>> = steps(path).collect();
    match all.split_first() {
        Some((Step::Key(key), rest)) => table.get(key).map(|node| inside(node, rest)),
        _ => None,
    }
}
