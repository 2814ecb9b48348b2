//! Cards with their fields, whatever their layout.

use super::super::error::{ImportError, Place};
use super::super::number::{identity, real};
use super::super::source::{Line, Source};

/// A card with all its continuations.
#[derive(Clone, Debug)]
pub(in crate::import) struct Card {
    pub place: Place,
    /// Name in capitals.
    pub name: String,
    /// Fields after the name.
    pub fields: Vec<String>,
}

/// First line of the bulk data: the one after `BEGIN BULK`, or the first of all.
fn start(source: &Source) -> usize {
    let begin = |text: &str| {
        let mut words = text.split_whitespace().map(str::to_ascii_uppercase);
        words.next().as_deref() == Some("BEGIN") && words.next().is_some_and(|word| word.starts_with("BULK"))
    };
    source.lines.iter().position(|line| begin(&line.text)).map_or(0, |place| place + 1)
}

/// A line without its comment.
fn content(line: &Line) -> &str {
    line.text.split('$').next().unwrap_or_default().trim_end()
}

/// Notices of what stands before `BEGIN BULK` and after `ENDDATA`.
pub(in crate::import) fn outside(source: &Source) -> Vec<String> {
    let start = start(source);
    let end = source.lines[start..].iter().position(|line| split(content(line)).0 == "ENDDATA");
    let after = end.map_or(source.lines.len(), |place| start + place + 1);
    let before = &source.lines[..start.saturating_sub(1)];
    let told = |lines: &[Line], what: &str| {
        let mut full = lines.iter().filter(|line| !content(line).trim().is_empty());
        let first = full.next()?;
        let file = source.files.get(first.file).map_or("", String::as_str);
        Some(format!("{file}:{}: {} lines {what}: left out", first.number, 1 + full.count()))
    };
    let control = told(before, "of executive and case control before BEGIN BULK");
    control.into_iter().chain(told(&source.lines[after..], "after ENDDATA")).collect()
}

/// Splits bulk data into cards.
pub(in crate::import) fn cards(source: &Source) -> Result<Vec<Card>, ImportError> {
    let mut cards: Vec<Card> = Vec::new();
    for line in &source.lines[start(source)..] {
        let text = content(line);
        if text.trim().is_empty() {
            continue;
        }
        let (name, fields) = split(text);
        let place = Place { file: line.file, line: line.number, card: name.clone() };
        if let Some(extra) = beyond(text) {
            let message = format!("the line has more fields than a card can hold: `{extra}`");
            let help =
                "a line of free fields has the name and eight fields (four with *); continue on the next";
            return Err(source.error(&place, message, help));
        }
        let continues = name.is_empty() || name.starts_with(['+', '*']);
        match (continues, cards.last_mut()) {
            (false, _) => {
                let ends = name == "ENDDATA";
                cards.push(Card { place, name, fields });
                if ends {
                    break;
                }
            }
            (true, Some(card)) => card.fields.extend(fields),
            (true, None) => {
                let help = "a continuation follows a card; check that this is Nastran bulk data";
                return Err(source.error(&place, "a continuation before the first card", help));
            }
        }
    }
    Ok(cards)
}

/// What a line of free fields holds beyond its width; a mark of continuation may stand there.
fn beyond(text: &str) -> Option<&str> {
    let mut words = text.split(',').map(str::trim);
    let width = if words.next()?.ends_with('*') { 4 } else { 8 };
    let mut rest = words.skip(width);
    let mark = rest.next().filter(|word| !word.is_empty() && !word.starts_with(['+', '*']));
    mark.or_else(|| rest.find(|word| !word.is_empty()))
}

/// Name and fields of one line; short lines are filled up to the width of their layout.
fn split(text: &str) -> (String, Vec<String>) {
    if text.contains(',') {
        let mut words = text.split(',').map(|word| word.trim().to_owned());
        let first = words.next().unwrap_or_default().to_ascii_uppercase();
        let width = if first.ends_with('*') { 4 } else { 8 };
        let mut fields: Vec<String> = words.take(width).collect();
        fields.resize(width, String::new());
        return (plain(&first), fields);
    }
    let letters: Vec<char> = expand_tabs(text);
    let piece = |from: usize, to: usize| -> String {
        let (from, to) = (from.min(letters.len()), to.min(letters.len()));
        letters[from..to].iter().collect::<String>().trim().to_owned()
    };
    let first = piece(0, 8).to_ascii_uppercase();
    let fields = match first.contains('*') {
        true => (0..4).map(|k| piece(8 + 16 * k, 24 + 16 * k)).collect(),
        false => (0..8).map(|k| piece(8 + 8 * k, 16 + 8 * k)).collect(),
    };
    (plain(&first), fields)
}

/// The name without the star of large fields; a continuation keeps its mark.
fn plain(first: &str) -> String {
    match first.starts_with(['+', '*']) {
        true => "+".into(),
        false => first.trim_end_matches('*').trim().to_owned(),
    }
}

fn expand_tabs(text: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(text.len());
    for letter in text.chars() {
        letters.push(if letter == '\t' { ' ' } else { letter });
        while letter == '\t' && letters.len() % 8 != 0 {
            letters.push(' ');
        }
    }
    letters
}

impl Card {
    /// An error at the card.
    pub fn error(&self, source: &Source, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        source.error(&self.place, message, help)
    }

    /// Its name in notices, with that of a parameter.
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "PARAM" => format!("PARAM {}", self.text(0).to_ascii_uppercase()),
            name => name.to_owned(),
        }
    }

    /// A field, empty where the card is shorter.
    pub fn text(&self, index: usize) -> &str {
        self.fields.get(index).map_or("", String::as_str)
    }

    /// Whether a field has content.
    pub fn has(&self, index: usize) -> bool {
        !self.text(index).is_empty()
    }

    /// A number that must be there.
    pub fn real(&self, index: usize, what: &str, source: &Source) -> Result<f64, ImportError> {
        real(self.text(index)).ok_or_else(|| {
            let message = format!("{what} (field {}) is `{}`, not a number", index + 2, self.text(index));
            self.error(source, message, "numbers are finite, such as 1.5, 2.1e11 or 2.1+11")
        })
    }

    /// A number with a default.
    pub fn real_or(
        &self,
        index: usize,
        default: f64,
        what: &str,
        source: &Source,
    ) -> Result<f64, ImportError> {
        if self.has(index) { self.real(index, what, source) } else { Ok(default) }
    }

    /// The number of an item.
    pub fn identity(&self, index: usize, what: &str, source: &Source) -> Result<u64, ImportError> {
        identity(self.text(index)).ok_or_else(|| {
            let message = format!(
                "{what} (field {}) is `{}`, not a positive whole number",
                index + 2,
                self.text(index)
            );
            self.error(source, message, "give the number of an item")
        })
    }

    /// Three numbers, zero where empty.
    pub fn vector(&self, first: usize, what: &str, source: &Source) -> Result<[f64; 3], ImportError> {
        let mut vector = [0.0; 3];
        for (axis, value) in vector.iter_mut().enumerate() {
            *value = self.real_or(first + axis, 0.0, what, source)?;
        }
        Ok(vector)
    }

    /// Refuses a field with anything but nothing or zero.
    pub fn refuse(&self, index: usize, what: &str, help: &str, source: &Source) -> Result<(), ImportError> {
        match self.has(index) && real(self.text(index)) != Some(0.0) {
            true => Err(self.error(source, format!("{what} (field {}) is not supported", index + 2), help)),
            false => Ok(()),
        }
    }

    /// Freedoms written as digits 1 to 6.
    pub fn freedoms(&self, index: usize, source: &Source) -> Result<[bool; 6], ImportError> {
        digits(self.text(index)).ok_or_else(|| {
            let message = format!("freedoms (field {}) are `{}`", index + 2, self.text(index));
            self.error(source, message, "write digits from 1 to 6, such as 123456")
        })
    }
}

/// Freedoms as digits, each at most once.
pub(in crate::import) fn digits(text: &str) -> Option<[bool; 6]> {
    let mut freedoms = [false; 6];
    for letter in text.chars() {
        let place = letter.to_digit(10).filter(|digit| (1..=6).contains(digit))? as usize - 1;
        if std::mem::replace(&mut freedoms[place], true) {
            return None;
        }
    }
    (!text.is_empty()).then_some(freedoms)
}
