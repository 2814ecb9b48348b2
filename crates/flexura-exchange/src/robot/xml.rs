//! XML as a tree of its own, so that files can be put into one another, with a place for everything and typed attributes.

use crate::finding::{Findings, Place};
use std::path::Path;
use std::rc::Rc;

/// Deepest nesting that is read: far beyond any robot, far below what a call stack holds.
pub const DEEPEST: usize = 400;

/// An element with its attributes and the elements inside it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub tag: String,
    pub place: Place,
    pub attributes: Vec<(String, String)>,
    /// Text directly inside it.
    pub content: String,
    pub children: Vec<Node>,
}

/// The root element of the file at `path`.
pub fn read(path: &Path, findings: &mut Findings) -> Option<Node> {
    let file: Rc<str> = path.display().to_string().into();
    let whole = Place { file: file.clone(), line: 0 };
    let text = match flexura::file::read_plain_text(path) {
        Ok(text) => text,
        Err(error) => {
            findings.unreadable(&whole, format!("cannot read the file: {error}"));
            return None;
        }
    };
    parse(&text, &file, findings)
}

/// The root element of a text.
fn parse(text: &str, file: &Rc<str>, findings: &mut Findings) -> Option<Node> {
    let document = match roxmltree::Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let place = Place { file: file.clone(), line: error.pos().row as usize };
            findings.fault(&place, format!("no XML: {error}"), "correct the file");
            return None;
        }
    };
    let mut lines = Lines::new(text);
    let node = convert(document.root_element(), file, &mut lines, 0);
    if node.is_none() {
        let place = Place { file: file.clone(), line: 1 };
        let message = format!("elements are nested more than {DEEPEST} deep");
        findings.fault(&place, message, "no robot needs that: correct the file");
    }
    node
}

/// Starts of lines, so that the line of a byte is found by halving.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    fn of(&mut self, byte: usize) -> usize {
        self.0.partition_point(|&start| start <= byte)
    }
}

fn convert(from: roxmltree::Node<'_, '_>, file: &Rc<str>, lines: &mut Lines, depth: usize) -> Option<Node> {
    if depth > DEEPEST {
        return None;
    }
    let attributes = from.attributes().map(|found| (found.name().to_owned(), found.value().to_owned()));
    let mut node = Node {
        tag: from.tag_name().name().to_owned(),
        place: Place { file: file.clone(), line: lines.of(from.range().start) },
        attributes: attributes.collect(),
        content: from.text().unwrap_or_default().to_owned(),
        children: Vec::new(),
    };
    for child in from.children().filter(roxmltree::Node::is_element) {
        node.children.push(convert(child, file, lines, depth + 1)?);
    }
    Some(node)
}

impl Node {
    /// The same element with its text as the attribute `value`: SDF writes numbers between tags.
    pub fn with_value(&self) -> Self {
        let attributes = vec![("value".to_owned(), self.content.trim().to_owned())];
        Self { attributes, tag: self.tag.clone(), place: self.place.clone(), ..Self::default() }
    }

    /// The text of an attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The text of an attribute that must be there.
    pub fn need(&self, name: &str, findings: &mut Findings) -> String {
        match self.text(name) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => {
                let message = format!("<{}> has no `{name}`", self.tag);
                findings.fault(&self.place, message, format!("add {name}=\"...\""));
                String::new()
            }
        }
    }

    /// All numbers of an attribute.
    pub fn numbers(&self, name: &str, findings: &mut Findings) -> Option<Vec<f64>> {
        let text = self.text(name)?;
        let read = |word: &str| word.parse::<f64>().ok().filter(|value| value.is_finite());
        let values: Option<Vec<f64>> = text.split_whitespace().map(read).collect();
        if values.is_none() {
            let message = format!("<{}> {name}=\"{text}\": not a list of finite numbers", self.tag);
            findings.fault(&self.place, message, "write numbers with blanks between them");
        }
        values
    }

    /// So many numbers of an attribute.
    pub fn array<const N: usize>(&self, name: &str, findings: &mut Findings) -> Option<[f64; N]> {
        let values = self.numbers(name, findings)?;
        let found = values.len();
        let array = <[f64; N]>::try_from(values).ok();
        if array.is_none() {
            let message = format!("<{}> `{name}` has {found} numbers, not {N}", self.tag);
            findings.fault(&self.place, message, format!("give {N}"));
        }
        array
    }

    /// One number of an attribute.
    pub fn number(&self, name: &str, findings: &mut Findings) -> Option<f64> {
        self.array::<1>(name, findings).map(|[value]| value)
    }

    /// A number, or what it is where nothing is written.
    pub fn number_or(&self, name: &str, otherwise: f64, findings: &mut Findings) -> f64 {
        self.number(name, findings).unwrap_or(otherwise)
    }

    /// The elements of one tag.
    pub fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    /// The one element of a tag; more are a fault.
    pub fn one(&self, tag: &str, findings: &mut Findings) -> Option<&Node> {
        let mut found = self.children.iter().filter(|child| child.tag == tag);
        let first = found.next();
        if let Some(second) = found.next() {
            let message = format!("<{}> has a second <{tag}>", self.tag);
            findings.fault(&second.place, message, "keep one of them");
        }
        first
    }

    /// Refuses attributes that are none of `known`.
    pub fn only(&self, known: &[&str], findings: &mut Findings) {
        for (name, value) in &self.attributes {
            if !known.contains(&name.as_str()) {
                let message = format!("<{}> {name}=\"{value}\" has no counterpart here", self.tag);
                let help = format!("<{}> may have: {}", self.tag, known.join(", "));
                findings.foreign(&self.place, message, help);
            }
        }
    }

    /// Refuses elements that are none of `known`.
    pub fn only_children(&self, known: &[&str], findings: &mut Findings) {
        for child in self.children.iter().filter(|child| !known.contains(&child.tag.as_str())) {
            let message = format!("<{}> inside <{}> has no counterpart here", child.tag, self.tag);
            let help = format!("<{}> may hold: {}", self.tag, known.join(", "));
            findings.foreign(&child.place, message, help);
        }
    }
}
