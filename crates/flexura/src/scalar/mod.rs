//! The number type of the inner loop.
//!
//! `spatial`, body and joint evaluation and every algorithm are generic over
//! [`Scalar`], so that one source gives results (`f64`), exact derivatives
//! ([`Dual`] forwards, `Taped` backwards), operation counts ([`Counting`]) and the expressions themselves ([`Traced`]).
//! Model parameters stay `f64`.

mod counting;
mod dual;
mod notes;
mod tape;
mod taped;
mod traced;

pub use counting::{Counting, OperationCount};
pub use dual::Dual;
pub(crate) use notes::{Guard, Meaning, Notes};
pub(crate) use tape::{Attention, attending, with_tape};
pub(crate) use taped::Taped;
pub use traced::{Operand, Operation, Tape, Traced};

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A real number with the operations the algorithms need.
pub trait Scalar:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Mul<f64, Output = Self>
{
    /// Whether accelerations of these numbers may be found by every algorithm: results and counts. Derivatives and expressions
    /// come from articulated bodies, whose accelerations are the same; the code of the others is not compiled for them.
    const EVERY_ALGORITHM: bool = false;
    /// Whether derivatives over constants of the model are asked for: terms that a constant of zero leaves out are kept.
    const OVER_CONSTANTS: bool = false;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// A constant without derivative.
    fn from_f64(value: f64) -> Self;
    /// The value without derivative.
    fn value(self) -> f64;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// A constant power; for a base that is not negative.
    fn powf(self, exponent: f64) -> Self;
    /// Whether the value lies below `limit`: a branch that recordings hold on to.
    #[inline(always)]
    fn below(self, limit: f64) -> bool {
        self.value() < limit
    }
    /// Whether the value lies above `limit`: a branch that recordings hold on to.
    #[inline(always)]
    fn above(self, limit: f64) -> bool {
        self.value() > limit
    }
    /// Whether the value is at most `limit`: a branch that recordings hold on to.
    #[inline(always)]
    fn at_most(self, limit: f64) -> bool {
        self.value() <= limit
    }
    /// Whether the value is at least `limit`: a branch that recordings hold on to.
    #[inline(always)]
    fn at_least(self, limit: f64) -> bool {
        self.value() >= limit
    }
    /// Whether the value exceeds that of `o`: a branch that recordings hold on to.
    #[inline(always)]
    fn exceeds(self, o: Self) -> bool {
        self.value() > o.value()
    }
    /// The value of a function of time, which is no constant of the model.
    #[inline(always)]
    fn sampled(value: f64) -> Self {
        Self::from_f64(value)
    }
    /// a₀b₀ + a₁b₁ + a₂b₂, one operation where operations are remembered.
    #[inline(always)]
    fn dot3(a: &[Self; 3], b: &[Self; 3]) -> Self {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }
    /// a b − c d, one operation where operations are remembered.
    #[inline(always)]
    fn minor(a: Self, b: Self, c: Self, d: Self) -> Self {
        a * b - c * d
    }
}

impl Scalar for f64 {
    const EVERY_ALGORITHM: bool = true;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    #[inline(always)]
    fn powf(self, exponent: f64) -> Self {
        f64::powf(self, exponent)
    }
}
