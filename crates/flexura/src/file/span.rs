//! From item paths to places in the source text.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::language::Locator;
use super::node::{Table, inside_table};
use super::pieces::read_table;
use super::sources::{Source, Sources};

/// The source of a model and where each of its items stands in it.
///
/// Positions are collected at the first [`locate`](Self::locate): a model
/// without findings never pays for them.
#[derive(Debug)]
#[doc(hidden)]
pub struct SpanTable {
    sources: Sources,
    /// Places the reader pointed out: unknown keys and syntax errors.
    marks: HashMap<String, Range<usize>>,
    /// Whether the text is that of a model, with formulas and used files.
    model: bool,
    places: OnceLock<Places>,
}

/// What finds places.
#[derive(Debug)]
enum Places {
    Table(Table),
    Model(Box<Locator>),
}

impl Clone for SpanTable {
    fn clone(&self) -> Self {
        let (sources, marks) = (self.sources.clone(), self.marks.clone());
        Self { sources, marks, model: self.model, places: OnceLock::new() }
    }
}

impl SpanTable {
    /// A table for the text of a file without formulas.
    pub fn new(file_name: &str, source: &str) -> Self {
        Self::of(Sources::new(file_name, source), false)
    }

    /// A table for a model and the files it uses.
    pub(super) fn of_model(sources: Sources) -> Self {
        Self::of(sources, true)
    }

    fn of(sources: Sources, model: bool) -> Self {
        Self { sources, marks: HashMap::new(), model, places: OnceLock::new() }
    }

    /// Name of the file as it was given.
    pub fn file_name(&self) -> &str {
        &self.sources.first().name
    }

    /// The whole text of that file.
    pub fn source(&self) -> &str {
        &self.sources.first().text
    }

    /// Names and texts of the files that it uses.
    pub fn used_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.used().map(|source| (source.name.as_str(), source.text.as_ref()))
    }

    /// Places, counted through all files, that name the used files, with the names these have in [`Self::used_files`].
    pub fn uses(&self) -> Vec<(Range<usize>, &str)> {
        match self.places() {
            Places::Table(_) => Vec::new(),
            Places::Model(locator) => locator.uses(),
        }
    }

    /// All files, each with the place of its first byte.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize)> {
        std::iter::once(self.sources.first())
            .chain(self.sources.used())
            .map(|source| (source.text.as_ref(), source.base))
    }

    /// Makes `path` point at `span`, whatever the file has there.
    pub(super) fn mark(&mut self, path: String, span: Range<usize>) {
        self.marks.insert(path, span);
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let model = if self.model { Locator::new(&self.sources) } else { None };
            model.map_or_else(
                || Places::Table(plain_table(self.source())),
                |found| Places::Model(found.into()),
            )
        })
    }

    /// Byte range of the item at `path` or of the nearest item around it; `None`
    /// when the path names no part of the file at all. Places in used files come after those of the first.
    pub fn locate(&self, path: &str) -> Option<Range<usize>> {
        if let Some(span) = self.marks.get(path) {
            return Some(span.clone());
        }
        match self.places() {
            Places::Table(table) => inside_table(table, path).map(|node| node.span.clone()),
            Places::Model(locator) => locator.locate(path),
        }
    }

    /// What is known about the instance at `path`: values, indices and uses of files.
    pub(super) fn notes(&self, path: &str) -> Vec<String> {
        match self.places() {
            Places::Table(_) => Vec::new(),
            Places::Model(locator) => locator.notes(path, self.locate(path).as_ref(), &self.sources),
        }
    }

    /// Whether one line may stand for many items.
    pub(super) fn has_instances(&self) -> bool {
        matches!(self.places(), Places::Model(locator) if locator.has_instances())
    }

    /// Name of the file that holds a place.
    pub fn file_at(&self, offset: usize) -> &str {
        &self.sources.at(offset).name
    }

    pub(super) fn source_at(&self, offset: usize) -> &Source {
        self.sources.at(offset)
    }

    /// Line and column, both from one, of a place in its file; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        self.sources.at(offset).line_column(offset)
    }
}

fn plain_table(source: &str) -> Table {
    read_table(source, 0, false).unwrap_or_default()
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
        assert_eq!(table.source_at(0).line(3), "name = \"ä\"");
    }
}
