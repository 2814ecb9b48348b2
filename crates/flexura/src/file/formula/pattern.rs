//! Texts with formulas in braces: `"link{i-1}.tip"`.

use super::evaluate::{Lookup, append, evaluate, shared};
use super::parse::parse;
use super::quantity::Quantity;
use super::{Formula, FormulaFault};

/// A text with formulas inside.
#[derive(Clone, Debug)]
pub(in crate::file) struct Pattern {
    pub pieces: Vec<Piece>,
}

/// A part of it.
#[derive(Clone, Debug)]
pub(in crate::file) enum Piece {
    Text(String),
    /// A formula and where it starts in the text.
    Formula(usize, Formula),
}

impl Pattern {
    /// Reads a text; `None` where it has no braces. `{{` and `}}` are single braces.
    pub(in crate::file) fn parse(text: &str) -> Result<Option<Self>, FormulaFault> {
        if !text.contains(['{', '}']) {
            return Ok(None);
        }
        let (mut pieces, mut plain, mut at) = (Vec::new(), String::new(), 0);
        while let Some(found) = text[at..].find(['{', '}']).map(|offset| at + offset) {
            plain.push_str(&text[at..found]);
            let sign = &text[found..=found];
            if text[found + 1..].starts_with(sign) {
                plain.push_str(sign);
                at = found + 2;
                continue;
            }
            let end = text[found..].find('}').map(|offset| found + offset).filter(|_| sign == "{");
            let Some(end) = end else {
                let help = "write {i} for a value, {{ and }} for braces that are meant as such";
                let message =
                    if sign == "{" { "the brace is never closed" } else { "the brace was never opened" };
                return Err(FormulaFault::new("formula-syntax", found..found + 1, message, help));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            let formula = parse(&text[found + 1..end]).map_err(|fault| shifted(fault, found + 1))?;
            pieces.push(Piece::Formula(found + 1, formula));
            at = end + 1;
        }
        plain.push_str(&text[at..]);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Some(Self { pieces }))
    }

    /// The text with values in it.
    pub(in crate::file) fn fill(&self, scope: &dyn Lookup) -> Result<Quantity, FormulaFault> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Formula(at, formula) => {
                    let value = evaluate(&formula.root, scope).map_err(|fault| shifted(fault, *at))?;
                    append(&mut text, &value, &formula.root.range).map_err(|fault| shifted(fault, *at))?;
                }
            }
        }
        Ok(shared(text))
    }

    /// The texts between the formulas.
    pub(in crate::file) fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Formula(..) => None,
        })
    }

    /// The formulas inside.
    pub(in crate::file) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Formula(_, formula) => Some(formula),
            Piece::Text(_) => None,
        })
    }
}

fn shifted(fault: FormulaFault, by: usize) -> FormulaFault {
    FormulaFault { range: fault.range.start + by..fault.range.end + by, ..fault }
}
