//! What variables and formulas hold.

use std::fmt;
use std::sync::Arc;

/// A value of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::file) enum Quantity {
    Number(f64),
    Truth(bool),
    Text(Arc<str>),
    List(Arc<[Quantity]>),
}

impl Quantity {
    /// The kind in words.
    pub(in crate::file) fn words(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Truth(_) => "true or false",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
        }
    }
}

/// As it stands inside a text: whole numbers without a point, others with as many digits as tell them apart.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
                // Minus zero is zero in a name.
                write!(f, "{}", *number as i64)
            }
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Text(text) => f.write_str(text),
            Self::List(list) => {
                f.write_str("[")?;
                for (index, entry) in list.iter().take(8).enumerate() {
                    write!(f, "{}{entry}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str(if list.len() > 8 { ", ..]" } else { "]" })
            }
        }
    }
}
