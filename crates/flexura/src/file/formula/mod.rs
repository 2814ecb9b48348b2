//! Formulas of model files: `"= 2*pi*r"` in place of a number, `"link{i-1}.tip"` inside a text.
//!
//! ```text
//! choice     = conjunction { "or" conjunction }
//! conjunction= negation { "and" negation }
//! negation   = "not" negation | comparison
//! comparison = join [ ("<" | "<=" | ">" | ">=" | "==" | "!=") join ]
//! join       = sum { "&" sum }
//! sum        = product { ("+" | "-") product }
//! product    = sign { ("*" | "/") sign }
//! sign       = ("-" | "+") sign | power
//! power      = entry [ "^" sign ]
//! entry      = atom { "[" choice "]" }
//! atom       = number | name | name "(" choice { "," choice } ")" | "(" choice ")" | "'" text "'"
//! ```
//!
//! Numbers are `f64`. A formula never yields infinity or nan: the operation that would is an error at its place. Cost: linear
//! in the length of the formula, but for `if`, `and` and `or`, which leave out what they do not need.

mod evaluate;
mod function;
mod parse;
mod pattern;
mod quantity;
mod token;

use std::ops::Range;
use std::sync::Arc;

pub(super) use evaluate::{Lookup, evaluate};
pub(super) use function::is_reserved;
pub(super) use parse::parse;
pub(super) use pattern::Pattern;
pub(super) use quantity::Quantity;

/// Longest formula (bytes).
pub(super) const LONGEST: usize = 4000;

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FormulaFault {
    /// Code of the finding.
    pub code: &'static str,
    /// Bytes of the formula that it is about.
    pub range: Range<usize>,
    /// The cause.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl FormulaFault {
    pub(super) fn new(
        code: &'static str,
        range: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { code, range, message: message.into(), help: help.into() }
    }
}

/// A formula, read once and evaluated for every instance.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    /// What to compute.
    pub root: Expression,
    /// Names it asks for, each once.
    pub names: Vec<Arc<str>>,
    /// Texts that stand in it.
    pub texts: Vec<Arc<str>>,
    /// Number of operations, names and numbers.
    pub size: usize,
}

/// A part of a formula and where it stands in its text.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub range: Range<usize>,
    pub kind: Kind,
}

/// What a part of a formula is. Sequences of one precedence are lists, so that depth is that of the brackets.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Number(f64),
    Truth(bool),
    Text(Arc<str>),
    Name(Arc<str>),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    /// First operand, then operators with theirs.
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
    Power(Box<Expression>, Box<Expression>),
    /// A list and the number of an entry, from one.
    Entry(Box<Expression>, Box<Expression>),
    If(Box<[Expression; 3]>),
    Call(function::Function, Vec<Expression>),
}

/// Operators between operands of one precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
    Join,
    Plus,
    Minus,
    Times,
    Over,
}
