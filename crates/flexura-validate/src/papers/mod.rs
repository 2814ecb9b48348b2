//! The four source papers, equation by equation: what is implemented where, what is misprinted, and a check that runs.
//!
//! An [`Entry`] stands for equations that one function implements. It repeats what the header of the file says, in symbols of the paper; a test
//! (`crates/flexura-validate/tests/papers.rs`) holds both against each other: every equation that a header cites has an entry, every
//! entry stands in a file that cites it, and every check passes. Errata are read from the book.

mod articulated_checks;
mod body_checks;
mod checks;
mod divide_and_conquer;
mod global;
mod graph;
mod graph_checks;
mod handle_checks;
mod lagrange_checks;
mod law_checks;
mod mesh_checks;
mod models;
mod natural_checks;
mod operator_checks;
mod operators;
mod point_checks;
mod printed_graphs;
mod recursion;

use crate::context::Fault;

/// A paper with its entries.
pub struct Paper {
    /// Name on the command line.
    pub id: &'static str,
    /// Authors, title, year.
    pub title: &'static str,
    /// How headers of the code call it.
    pub called: &'static [&'static str],
    /// Entries in the order of their first equation.
    pub entries: &'static [Entry],
}

/// Equations that one function implements.
pub struct Entry {
    /// Numbers and ranges, `7.8-7.12`.
    pub equations: &'static [&'static str],
    /// In words.
    pub what: &'static str,
    /// In symbols, corrected where the paper is wrong.
    pub formula: &'static str,
    /// Items of the errata.
    pub errata: &'static [&'static str],
    /// File, from the root of the repository.
    pub file: &'static str,
    /// Function or type in it.
    pub function: &'static str,
    /// Page of the book.
    pub page: &'static str,
    /// Runs on a small model.
    pub check: fn() -> Result<Vec<Finding>, Fault>,
}

/// What a check found: a difference and what it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was compared with what.
    pub what: &'static str,
    /// Difference, relative to the size of what is compared.
    pub value: f64,
    /// Largest difference that is rounding, or what the method leaves.
    pub limit: f64,
}

impl Finding {
    /// Whether the difference is small enough; a NaN is not.
    pub fn holds(&self) -> bool {
        self.value <= self.limit
    }
}

/// All papers.
pub const PAPERS: [&Paper; 4] =
    [&recursion::PAPER, &divide_and_conquer::PAPER, &global::PAPER, &graph::PAPER];

/// The paper of that name.
pub fn paper(id: &str) -> Option<&'static Paper> {
    PAPERS.into_iter().find(|paper| paper.id == id)
}

impl Paper {
    /// Entries that hold equation `number`.
    pub fn find(&self, number: &str) -> Vec<&'static Entry> {
        self.entries.iter().filter(|entry| entry.holds(number)).collect()
    }
}

impl Entry {
    /// Whether equation `number` is one of them.
    pub fn holds(&self, number: &str) -> bool {
        self.equations.iter().any(|range| within(range, number))
    }
}

/// Chapter and place of an equation: `7.10` is ("7", 10), `B.4` ("B", 4), `36` ("", 36).
fn parts(number: &str) -> Option<(&str, u32)> {
    let (chapter, place) = number.rsplit_once('.').unwrap_or(("", number));
    Some((chapter, place.parse().ok()?))
}

/// Whether `number` is in a range of equations, or is the one.
pub fn within(range: &str, number: &str) -> bool {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (parts(first), parts(last), parts(number)) {
        (Some(first), Some(last), Some(number)) => {
            first.0 == number.0 && first.0 == last.0 && (first.1..=last.1).contains(&number.1)
        }
        _ => false,
    }
}

const ERRATA: &str = include_str!("../../../../book/src/theory/errata.md");

/// The text of an item of the errata, as the book has it, without its mark-up of links.
pub fn erratum(item: &str) -> Option<String> {
    let anchor = format!("<a id=\"{item}\"></a>");
    let rest = &ERRATA[ERRATA.find(&anchor)? + anchor.len()..];
    let end = rest.find("<a id=\"").into_iter().chain(rest.find("\n## ")).min().unwrap_or(rest.len());
    Some(rest[..end].trim().replace("**", ""))
}
