//! The texts a model is made of, one after the other: a place in any of them is one number.

use std::ops::Range;
use std::sync::Arc;

/// One file.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Name as messages show it.
    pub name: String,
    pub text: Arc<str>,
    /// Place of its first byte.
    pub base: usize,
    /// Place of the start of each line in the text.
    line_starts: Vec<usize>,
}

/// All files; the first is the one that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    list: Vec<Source>,
}

impl Source {
    fn new(name: &str, text: Arc<str>, base: usize) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { name: name.to_owned(), text, base, line_starts }
    }

    /// Line and column, both from one, of a place; columns count characters.
    pub(super) fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.boundary(offset.saturating_sub(self.base));
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }

    /// Text of a line (numbered from one) without its ending.
    pub(super) fn line(&self, number: usize) -> &str {
        let start = self.line_starts[number - 1];
        let end = self.line_starts.get(number).map_or(self.text.len(), |&next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }

    /// The nearest character boundary at or before `offset`.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

impl Sources {
    /// The file that was asked for.
    pub(super) fn new(name: &str, text: &str) -> Self {
        Self { list: vec![Source::new(name, text.into(), 0)] }
    }

    /// Adds a file; returns the place of its first byte.
    pub(super) fn add(&mut self, name: &str, text: &str) -> usize {
        let base = self.list.last().map_or(0, |last| last.base + last.text.len() + 1);
        self.list.push(Source::new(name, text.into(), base));
        base
    }

    /// The file that was asked for.
    pub(super) fn first(&self) -> &Source {
        &self.list[0]
    }

    /// The files it uses.
    pub(super) fn used(&self) -> impl Iterator<Item = &Source> {
        self.list.iter().skip(1)
    }

    /// The file that holds a place.
    pub(super) fn at(&self, offset: usize) -> &Source {
        let place = self.list.partition_point(|source| source.base <= offset);
        &self.list[place.saturating_sub(1)]
    }

    /// The text of a file by its name.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|source| source.name == name).map(|source| source.text.as_ref())
    }

    /// `model.toml:12:3`.
    pub(super) fn words(&self, span: &Range<usize>) -> String {
        let source = self.at(span.start);
        let (line, column) = source.line_column(span.start);
        format!("{}:{line}:{column}", source.name)
    }
}
