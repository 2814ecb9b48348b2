//! Names that a model file can hold: unique, without dots, blanks, `*` and `?`.

use crate::finding::Findings;
use std::collections::BTreeSet;

/// Names given so far among items of one kind.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Names of which some are taken from the start.
    pub fn reserved(taken: &[&str]) -> Self {
        Self(taken.iter().map(|&name| name.to_owned()).collect())
    }

    /// A name for what the file calls `wanted`; says so where it differs.
    pub fn take(&mut self, what: &str, wanted: &str, findings: &mut Findings) -> String {
        let name = self.quietly(wanted);
        if name != wanted {
            findings.notice(format!("{what} `{wanted}` is called `{name}` in the model"));
        }
        name
    }

    /// A name as near to `wanted` as can be.
    pub fn quietly(&mut self, wanted: &str) -> String {
        let bad = |letter: char| letter.is_whitespace() || letter.is_control() || ".*?".contains(letter);
        let mut plain = wanted.replace(bad, "_");
        if plain.is_empty() {
            plain = "unnamed".into();
        }
        let mut name = plain.clone();
        let mut count = 1;
        while !self.0.insert(name.clone()) {
            count += 1;
            name = format!("{plain}_{count}");
        }
        name
    }
}
