//! One entry with values in place of its formulas.

use std::borrow::Cow;

use super::super::formula::{Quantity, evaluate};
use super::super::node::{Content, Field, Node, Table};
use super::definition::completed;
use super::finding::Fault;
use super::limit::Budget;
use super::program::ModelFile;
use super::repeat::Ranges;
use super::scope::{Scope, Variable, variables};
use crate::model::item::{ItemPath, ROOT};

/// Makes values of what a file has.
#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub file: &'a ModelFile,
    pub budget: &'a Budget,
}

/// An entry with all it is like, and how often it is repeated.
pub(super) struct Prepared<'a> {
    table: Cow<'a, Table>,
    pub ranges: Ranges,
}

impl Prepared<'_> {
    /// Where the value of a key was written.
    pub(super) fn span(&self, key: &str) -> Option<std::ops::Range<usize>> {
        self.table.get(key).map(|node| node.span.clone())
    }
}

impl Maker<'_> {
    /// A definition of the file.
    pub(super) fn definition(&self, name: &str) -> Option<&Table> {
        self.file.definitions.get(name)?.as_table()
    }

    /// Names of all definitions of the file.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &str> {
        self.file.definitions.fields.iter().map(|field| field.key.as_ref())
    }

    /// The value of a variable.
    pub(super) fn quantity(
        &self,
        node: &Node,
        scope: &Scope<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Quantity, Fault> {
        self.budget.spend(1, &node.span, path)?;
        match &node.content {
            Content::Text(text) => Ok(Quantity::Text(text.clone())),
            Content::Integer(whole) => Ok(Quantity::Number(*whole as f64)),
            Content::Number(number) | Content::Computed(number) if number.is_finite() => {
                Ok(Quantity::Number(*number))
            }
            Content::Number(_) | Content::Computed(_) => {
                let message = format!("`{}` must be a finite number", path.last_key());
                let help = "nan, inf and numbers beyond 1.8e308 have no meaning here";
                Err(Fault::new("not-finite", node.span.clone(), path, message, help))
            }
            Content::Truth(truth) => Ok(Quantity::Truth(*truth)),
            Content::List(list) => {
                let entries = list.iter().map(|node| self.quantity(node, scope, path));
                Ok(Quantity::List(entries.collect::<Result<_, _>>()?))
            }
            Content::Formula(formula) => {
                self.budget.spend(formula.what.size, &node.span, path)?;
                let value = evaluate(&formula.what.root, scope);
                value.map_err(|fault| Fault::of_formula(&fault, formula, &node.span, path))
            }
            Content::Pattern(pattern) => {
                let size = pattern.what.formulas().map(|formula| formula.size + 1).sum();
                self.budget.spend(size, &node.span, path)?;
                let value = pattern.what.fill(scope);
                value.map_err(|fault| Fault::of_formula(&fault, pattern, &node.span, path))
            }
            Content::Faulty(fault) => Err(Fault::of_formula(&fault.what, fault, &node.span, path)),
            Content::Date | Content::Table(_) => {
                let message = format!("`{}` cannot be {}", path.last_key(), node.words());
                let help = "a variable is a number, a text, true or false, or a list of these";
                Err(Fault::new("variable-value", node.span.clone(), path, message, help))
            }
        }
    }

    /// The value as readers take it.
    pub(super) fn node(&self, node: &Node, scope: &Scope<'_>, path: &ItemPath<'_>) -> Result<Node, Fault> {
        let content = match &node.content {
            Content::Table(table) => Content::Table(self.table(table, scope, path)?),
            Content::List(list) => Content::List(self.list(list, scope, path)?),
            Content::Formula(_) | Content::Pattern(_) | Content::Faulty(_) => {
                let value = self.quantity(node, scope, path)?;
                return self.spread(&value, node, path);
            }
            plain => {
                self.budget.spend(1, &node.span, path)?;
                plain.clone()
            }
        };
        Ok(Node { span: node.span.clone(), content })
    }

    /// A value of a formula as a node at the place of the formula.
    fn spread(&self, value: &Quantity, at: &Node, path: &ItemPath<'_>) -> Result<Node, Fault> {
        self.budget.spend(1, &at.span, path)?;
        let content = match value {
            Quantity::Number(number) => Content::Computed(*number),
            Quantity::Truth(truth) => Content::Truth(*truth),
            Quantity::Text(text) => Content::Text(text.clone()),
            Quantity::List(list) => {
                let nodes = list.iter().map(|entry| self.spread(entry, at, path));
                Content::List(nodes.collect::<Result<_, _>>()?)
            }
        };
        Ok(Node { span: at.span.clone(), content })
    }

    /// A table with all it is like and its own variables.
    pub(super) fn table(
        &self,
        table: &Table,
        scope: &Scope<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Table, Fault> {
        let whole = completed(table, scope, self, path)?;
        self.filled(whole.as_ref().unwrap_or(table), scope, path)
    }

    fn filled(&self, table: &Table, scope: &Scope<'_>, path: &ItemPath<'_>) -> Result<Table, Fault> {
        let own = match table.get("let").and_then(Node::as_table) {
            Some(own) => variables(own, Vec::new(), scope, self, &path.key("let"))?,
            None => Vec::new(),
        };
        let scope = if own.is_empty() { *scope } else { Scope { around: Some(scope), variables: &own } };
        let mut filled = Table { fields: Vec::with_capacity(table.fields.len()) };
        for Field { key, key_span, node } in &table.fields {
            if **key == *"let" && node.is_table() {
                continue;
            }
            let node = self.node(node, &scope, &path.key(key))?;
            filled.fields.push(Field { key: key.clone(), key_span: key_span.clone(), node });
        }
        Ok(filled)
    }

    fn list(&self, list: &[Node], scope: &Scope<'_>, path: &ItemPath<'_>) -> Result<Vec<Node>, Fault> {
        let mut all = Vec::with_capacity(list.len());
        for node in list {
            match node.as_table() {
                Some(table) => {
                    let entry = self.prepared(table, scope, &path.index(all.len()))?;
                    for number in 0..entry.ranges.total() {
                        let place = path.index(all.len());
                        let table = self.instance(&entry, number, scope, &place)?;
                        all.push(Node { span: node.span.clone(), content: Content::Table(table) });
                    }
                }
                None => all.push(self.node(node, scope, &path.index(all.len()))?),
            }
        }
        Ok(all)
    }

    /// An entry of a list, ready to be made as often as it is repeated.
    pub(super) fn prepared<'t>(
        &self,
        table: &'t Table,
        scope: &Scope<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Prepared<'t>, Fault> {
        let whole = completed(table, scope, self, path)?;
        let mut table = whole.map_or(Cow::Borrowed(table), Cow::Owned);
        let ranges = match table.get("repeat") {
            Some(repeat) => Ranges::read(repeat, scope, self, &path.key("repeat"))?,
            None => return Ok(Prepared { table, ranges: Ranges::default() }),
        };
        table.to_mut().take("repeat");
        if let Some(name) = table.get("name").filter(|name| name.is_text() && ranges.total() > 1) {
            let text = name.as_text().unwrap_or_default();
            let message = format!("all {} have the name `{text}`", ranges.total());
            let help = format!("put the index into the name: name = \"{text}{{i}}\"");
            return Err(Fault::new("repeated-name", name.span.clone(), &path.key("name"), message, help));
        }
        Ok(Prepared { table, ranges })
    }

    /// Instance `number`, counted from zero, of an entry.
    pub(super) fn instance(
        &self,
        entry: &Prepared<'_>,
        number: u64,
        scope: &Scope<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Table, Fault> {
        let indices: Vec<Variable> = entry.ranges.indices(number);
        let scope =
            if indices.is_empty() { *scope } else { Scope { around: Some(scope), variables: &indices } };
        self.filled(&entry.table, &scope, path)
    }

    /// The name of an instance, if it can be told.
    pub(super) fn name(&self, entry: &Prepared<'_>, number: u64, scope: &Scope<'_>) -> Option<String> {
        let indices: Vec<Variable> = entry.ranges.indices(number);
        let scope = Scope { around: Some(scope), variables: &indices };
        let name = self.node(entry.table.get("name")?, &scope, ROOT).ok()?;
        name.as_text().map(str::to_owned)
    }

    /// Like [`Maker::instance`], but `let` stays as a table of values: parameters of a used file.
    pub(super) fn use_instance(
        &self,
        entry: &Prepared<'_>,
        number: u64,
        scope: &Scope<'_>,
        path: &ItemPath<'_>,
    ) -> Result<Table, Fault> {
        let indices: Vec<Variable> = entry.ranges.indices(number);
        let scope = Scope { around: Some(scope), variables: &indices };
        let mut table = entry.table.clone().into_owned();
        let given = table.take("let");
        let mut filled = self.filled(&table, &scope, path)?;
        if let Some(given) = given {
            let node = self.node(&given, &scope, &path.key("let"))?;
            let key = entry.table.fields.iter().find(|field| *field.key == *"let");
            let key_span = key.map_or(node.span.clone(), |field| field.key_span.clone());
            filled.set(Field { key: "let".into(), key_span, node });
        }
        Ok(filled)
    }
}
