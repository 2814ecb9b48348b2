//! One value of a file with typed readers that report what does not fit.

use super::node::{Content, Node};
use super::sink::Sink;
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// A value, where it stands and which item it belongs to.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Value<'t> {
    /// The value with its place in the text.
    pub node: &'t Node,
    /// Its path.
    pub path: ItemPath<'t>,
    /// The item it belongs to.
    pub item: &'t Item<'t>,
    /// Where findings go.
    pub sink: &'t Sink,
}

impl<'t> Value<'t> {
    /// Reports an error about this value.
    pub fn error(&self, code: &'static str, message: impl Into<String>, help: impl Into<String>) {
        self.sink.error(code, &self.path, self.item, message, help);
    }

    /// Reports that the value is not `expected` ("a number").
    pub fn wrong_type<T>(&self, expected: &str) -> Option<T> {
        let found = self.node.words();
        let key = self.path.last_key();
        let message = format!("`{key}` must be {expected}, but this is {found}");
        self.error("wrong-type", message, self.advice(expected));
        None
    }

    /// How to write what was expected.
    fn advice(&self, expected: &str) -> String {
        match expected {
            "a number" if self.node.is_text() => {
                "write a plain number in SI units (kg, m, s, N, rad), without quotes or unit".into()
            }
            "a list" if self.node.is_number() || self.node.is_text() => {
                "write a list in brackets, such as [0, 0, 1]".into()
            }
            "a string" if matches!(self.node.content, Content::Computed(_)) => {
                "a formula after = is a number; inside a text it has braces: \"link{i}\"".into()
            }
            _ => format!("write {expected}"),
        }
    }

    /// A finite number; integers count as numbers.
    pub fn f64(&self) -> Option<f64> {
        let number = match self.node.content {
            Content::Number(number) | Content::Computed(number) => number,
            Content::Integer(whole) => whole as f64,
            _ => return self.wrong_type("a number"),
        };
        let finite = Some(number).filter(|value| value.is_finite());
        if finite.is_none() {
            let message = format!("`{}` must be a finite number", self.path.last_key());
            self.error("not-finite", message, "nan, inf and numbers beyond 1.8e308 have no meaning here");
        }
        finite
    }

    /// A count: a whole number, not negative.
    pub fn count(&self) -> Option<usize> {
        let (count, shown) = match self.node.content {
            Content::Integer(whole) => (usize::try_from(whole).ok(), whole.to_string()),
            Content::Computed(number) => (whole_number(number), words::number(number)),
            _ => return self.wrong_type("a whole number"),
        };
        if count.is_none() {
            let message = format!("`{}` cannot be {shown}", self.path.last_key());
            self.error("bad-count", message, "write a whole number that is not negative");
        }
        count
    }

    /// `true` or `false`.
    pub fn bool(&self) -> Option<bool> {
        match self.node.content {
            Content::Truth(truth) => Some(truth),
            _ => self.wrong_type("true or false"),
        }
    }

    /// A string.
    pub fn text(&self) -> Option<&'t str> {
        self.node.as_text().or_else(|| self.wrong_type("a string"))
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&self, choices: &[(&'static str, T)]) -> Option<T> {
        self.choice_with(choices, |_| None)
    }

    /// The same; `known` has an answer to some words that are none of them.
    pub(super) fn choice_with<T: Copy>(
        &self,
        choices: &[(&'static str, T)],
        known: impl Fn(&str) -> Option<String>,
    ) -> Option<T> {
        let text = self.text()?;
        if let Some(&(_, value)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(value);
        }
        let valid = choices.iter().map(|(word, _)| *word);
        let list = words::list(valid.clone());
        let help = match (known(text), words::nearest(text, valid)) {
            (Some(answer), _) => format!("{answer}; valid: {list}"),
            (None, Some(near)) => format!("did you mean \"{near}\"? valid: {list}"),
            (None, None) => format!("valid: {list}"),
        };
        self.error("unknown-value", format!("`{}` cannot be \"{text}\"", self.path.last_key()), help);
        None
    }

    /// Whether the value is a list.
    pub fn is_list(&self) -> bool {
        self.node.as_list().is_some()
    }

    /// The elements of a list.
    pub fn items<'s>(&'s self) -> Option<impl ExactSizeIterator<Item = Value<'s>>> {
        let Some(list) = self.node.as_list() else {
            return self.wrong_type("a list");
        };
        let (path, item, sink) = (&self.path, self.item, self.sink);
        let value = move |(index, node)| Value { node, path: path.index(index), item, sink };
        Some(list.iter().enumerate().map(value))
    }

    /// A list read element by element; `None` if any of them does not fit.
    pub fn each<T>(&self, read: impl Fn(&Value<'_>) -> Option<T>) -> Option<Vec<T>> {
        let read: Vec<Option<T>> = self.items()?.map(|value| read(&value)).collect();
        read.into_iter().collect()
    }

    /// A list of numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.each(|value| value.f64())
    }

    /// Exactly `N` numbers.
    pub fn array<const N: usize>(&self) -> Option<[f64; N]> {
        let numbers = self.numbers()?;
        let found = numbers.len();
        let array = numbers.try_into().ok();
        if array.is_none() {
            let message = format!("`{}` needs {N} numbers, but has {found}", self.path.last_key());
            self.error("wrong-length", message, format!("write a list of {N} numbers"));
        }
        array
    }

    /// Three numbers.
    pub fn vector3(&self) -> Option<[f64; 3]> {
        self.array()
    }

    /// A list of vectors.
    pub fn vectors(&self) -> Option<Vec<[f64; 3]>> {
        self.each(|value| value.vector3())
    }

    /// Three rows of three numbers.
    pub fn matrix3(&self) -> Option<[[f64; 3]; 3]> {
        let rows = self.vectors()?;
        let found = rows.len();
        let matrix = rows.try_into().ok();
        if matrix.is_none() {
            let message = format!("`{}` needs 3 rows, but has {found}", self.path.last_key());
            self.error("wrong-length", message, "write [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]");
        }
        matrix
    }

    /// Whether the first element of the list is itself a list.
    pub fn is_nested(&self) -> bool {
        let first = self.node.as_list().and_then(|list| list.first());
        first.is_some_and(|node| node.as_list().is_some())
    }

    /// The diagonal or all rows of a symmetric 3×3 matrix.
    pub fn inertia(&self) -> Option<[[f64; 3]; 3]> {
        if self.is_nested() {
            return self.matrix3();
        }
        let [x, y, z] = self.vector3()?;
        Some([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])
    }

    /// A square matrix, row by row, and its size; a flat list is its diagonal
    /// where `diagonal` allows that.
    pub fn square(&self, diagonal: bool) -> Option<(usize, Vec<f64>)> {
        if diagonal && self.is_list() && !self.is_nested() {
            let terms = self.numbers()?;
            let size = terms.len();
            let mut matrix = vec![0.0; size * size];
            terms.iter().enumerate().for_each(|(k, term)| matrix[k * size + k] = *term);
            return Some((size, matrix));
        }
        let size = self.items()?.len();
        let rows = self.each(|row| {
            let numbers = row.numbers()?;
            row.expect_length(numbers.len(), size)?;
            Some(numbers)
        })?;
        Some((size, rows.concat()))
    }

    /// Reports a row that is not as long as the matrix has rows.
    pub fn expect_length(&self, found: usize, size: usize) -> Option<()> {
        if found == size {
            return Some(());
        }
        let key = self.path.last_key();
        let (rows, found) = (words::count(size, "row"), words::count(found, "entry"));
        let message = format!("`{key}` has {rows}, but this row has {found}");
        self.error("matrix-shape", message, "a matrix needs as many entries in each row as it has rows");
        None
    }
}

/// A number of things, if it is one.
pub(super) fn whole_number(number: f64) -> Option<usize> {
    let whole = number.fract() == 0.0 && (0.0..9e15).contains(&number);
    whole.then_some(number as usize)
}
