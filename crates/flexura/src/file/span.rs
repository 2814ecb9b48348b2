//! From item paths to places in the source text.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use toml::de::{DeTable, DeValue};

/// The source of a model and where each of its items stands in it.
///
/// Positions are collected at the first [`locate`](Self::locate): a model
/// without findings never pays for them.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct SpanTable {
    file_name: String,
    source: String,
    /// Byte offset of the start of each line.
    line_starts: Vec<usize>,
    /// Places the reader pointed out: unknown keys and syntax errors.
    marks: HashMap<String, Range<usize>>,
    tree: OnceLock<SpanNode>,
}

/// Position of one value and of the values inside it.
#[derive(Clone, Debug)]
struct SpanNode {
    span: Range<usize>,
    inner: Option<Box<Inner>>,
}

#[derive(Clone, Debug)]
enum Inner {
    Table(HashMap<String, SpanNode>),
    List(Vec<SpanNode>),
}

impl SpanTable {
    /// A table for the text of a model file.
    pub fn new(file_name: &str, source: &str) -> Self {
        let ends = source.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self {
            file_name: file_name.to_owned(),
            source: source.to_owned(),
            line_starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect(),
            marks: HashMap::new(),
            tree: OnceLock::new(),
        }
    }

    /// Name of the file as it was given.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// The whole text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Makes `path` point at `span`, whatever the file has there.
    pub(super) fn mark(&mut self, path: String, span: Range<usize>) {
        self.marks.insert(path, span);
    }

    /// Byte range of the item at `path` or of the nearest item around it; `None`
    /// when the path names no part of the file at all.
    pub fn locate(&self, path: &str) -> Option<Range<usize>> {
        if let Some(span) = self.marks.get(path) {
            return Some(span.clone());
        }
        let mut node = self.tree.get_or_init(|| SpanNode::of_document(&self.source));
        let mut depth = 0;
        for step in steps(path) {
            match node.child(step) {
                Some(child) => node = child,
                None => break,
            }
            depth += 1;
        }
        (depth > 0).then(|| node.span.clone())
    }

    /// Line and column, both from one, of a byte offset; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        (line, self.source[start..offset].chars().count() + 1)
    }

    /// Text of a line (numbered from one) without its ending.
    pub(super) fn line(&self, number: usize) -> &str {
        let start = self.line_starts[number - 1];
        let end = self.line_starts.get(number).map_or(self.source.len(), |&next| next - 1);
        self.source[start..end].trim_end_matches('\r')
    }

    /// The nearest character boundary at or before `offset`.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

impl SpanNode {
    fn of_document(source: &str) -> Self {
        match DeTable::parse(source) {
            Ok(table) => Self::of(&DeValue::Table(table.into_inner()), 0..0),
            Err(_) => Self { span: 0..0, inner: None },
        }
    }

    fn of(value: &DeValue<'_>, span: Range<usize>) -> Self {
        let inner = match value {
            DeValue::Table(table) => {
                let entries = table.iter();
                let nodes = entries.map(|(key, value)| (key.get_ref().to_string(), Self::spanned(value)));
                Some(Box::new(Inner::Table(nodes.collect())))
            }
            DeValue::Array(list) => Some(Box::new(Inner::List(list.iter().map(Self::spanned).collect()))),
            _ => None,
        };
        Self { span, inner }
    }

    fn spanned(value: &toml::Spanned<DeValue<'_>>) -> Self {
        Self::of(value.get_ref(), value.span())
    }

    fn child(&self, step: Step<'_>) -> Option<&Self> {
        match (self.inner.as_deref()?, step) {
            (Inner::Table(table), Step::Key(key)) => table.get(key),
            (Inner::List(list), Step::Index(index)) => list.get(index),
            _ => None,
        }
    }
}

/// One part of a path.
#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The parts of `joint[2].between[0]`: `joint`, 2, `between`, 0.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split(['.', '[']).map(|part| {
        let index = part.strip_suffix(']').and_then(|digits| digits.parse().ok());
        index.map_or(Step::Key(part), Step::Index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# µ\n[[joint]]\nname = \"ä\"\nbetween = [\"a.b\", \"c.d\"]\n";

    fn found(path: &str) -> Option<&'static str> {
        SpanTable::new("m.toml", TEXT).locate(path).map(|span| &TEXT[span])
    }

    #[test]
    fn finds_items_and_falls_back_to_what_is_around_them() {
        assert_eq!(found("joint[0].between[1]"), Some("\"c.d\""));
        assert_eq!(found("joint[0].between[7]"), Some("[\"a.b\", \"c.d\"]"));
        assert_eq!(found("joint[0].axis"), Some("[[joint]]"));
        assert_eq!(found("body[0].mass"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let table = SpanTable::new("m.toml", TEXT);
        let at = TEXT.find("\"c.d\"").unwrap_or(0);
        assert_eq!(table.line_column(at), (4, 19));
        assert_eq!(table.line_column(3), (1, 3)); // inside the two bytes of µ
        assert_eq!(table.line_column(9999), (5, 1));
        assert_eq!(table.line(3), "name = \"ä\"");
    }
}
