//! Reasons why a function of time is refused.

use std::fmt;

/// Why a function of time is not usable, and which entry is the cause.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TimeFunctionError {
    /// A number is NaN or infinite.
    NotFinite {
        /// Name of the number or of the list it stands in.
        what: &'static str,
        /// Index in the list, from 0; absent for a single number.
        index: Option<usize>,
        /// The value given.
        value: f64,
    },
    /// A list has too few entries.
    TooFew {
        /// Name of the list.
        what: &'static str,
        /// Least number of entries.
        needed: usize,
        /// Number of entries given.
        got: usize,
    },
    /// Two lists that belong together have the wrong lengths.
    SizesDiffer {
        /// Name of the list of wrong length.
        what: &'static str,
        /// Number of entries that the other list asks for.
        needed: usize,
        /// Number of entries given.
        got: usize,
    },
    /// An instant is not later than the one before it.
    NotIncreasing {
        /// Name of the list.
        what: &'static str,
        /// Index of the later entry, from 0.
        index: usize,
        /// The entry before it (s).
        previous: f64,
        /// The entry itself (s).
        value: f64,
    },
    /// A duration is zero or negative.
    DurationNotPositive {
        /// The duration given (s).
        value: f64,
    },
    /// A piece of a piecewise function is not usable.
    InPiece {
        /// Index of the piece, from 0.
        index: usize,
        /// What is wrong with it.
        reason: Box<TimeFunctionError>,
    },
}

impl fmt::Display for TimeFunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, index: Some(index), value } => {
                write!(f, "{what}: entry {index} is not finite ({value})")
            }
            Self::NotFinite { what, index: None, value } => write!(f, "{what} is not finite ({value})"),
            Self::TooFew { what, needed, got } => {
                write!(f, "{what}: at least {needed} needed, got {got}")
            }
            Self::SizesDiffer { what, needed, got } => {
                write!(f, "{what}: {needed} entries needed, got {got}")
            }
            Self::NotIncreasing { what, index, previous, value } => {
                write!(f, "{what}: entry {index} ({value} s) is not later than the one before ({previous} s)")
            }
            Self::DurationNotPositive { value } => {
                write!(f, "duration must be positive, got {value} s")
            }
            Self::InPiece { index, reason } => write!(f, "piece {index}: {reason}"),
        }
    }
}

impl std::error::Error for TimeFunctionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::InPiece { reason, .. } => Some(reason.as_ref()),
            _ => None,
        }
    }
}
