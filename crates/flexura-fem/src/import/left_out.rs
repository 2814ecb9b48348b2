//! What a reader leaves out, by card: where the first one stands and how many there are.

use super::error::Place;
use super::source::Source;
use std::collections::BTreeMap;

/// Cards that were read past, by file and word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    cards: BTreeMap<(String, String), (usize, usize)>,
}

impl LeftOut {
    /// Notes a card that is left out.
    pub fn add(&mut self, word: &str, place: &Place, source: &Source) {
        let file = source.files.get(place.file).cloned().unwrap_or_default();
        self.cards.entry((file, word.to_owned())).or_insert((place.line, 0)).1 += 1;
    }

    /// Keeps what another reader of the same files leaves out too: together they read the rest.
    pub fn also_left_out_by(&mut self, other: &Self) {
        self.cards.retain(|card, _| other.cards.contains_key(card));
    }

    /// Puts in what was left out of other files.
    pub fn extend(&mut self, other: Self) {
        self.cards.extend(other.cards);
    }

    /// One line per card: `part.bdf:12: SPC1: ignored, ... (the first of 3)`.
    pub fn notices(&self, why: &str) -> Vec<String> {
        let line = |((file, word), (line, count)): (&(String, String), &(usize, usize))| match count {
            1 => format!("{file}:{line}: {word}: ignored, {why}"),
            _ => format!("{file}:{line}: {word}: ignored, {why} (the first of {count})"),
        };
        self.cards.iter().map(line).collect()
    }
}
