//! Writes down what is done with it: an algorithm run with these numbers leaves its own formulas.
//!
//! A [`Traced`] number is a constant or a place on the tape of its thread, with the value it has at the state the algorithm is run
//! with. Equal operations on equal operands share a place, products with zero and one and sums with zero vanish, so
//! that the structure of a model (zeros of its matrices, joints without offset) is gone from what is left. Branches are
//! taken by value: they are those of the state, which should therefore be a general one.

use super::Scalar;
use super::notes::{self, Comparison, Meaning};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A constant (its bits) or a place on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Bits of a constant.
    Number(u64),
    /// Place on the tape.
    Place(u32),
}

impl Operand {
    /// The constant, where it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(bits) => Some(f64::from_bits(bits)),
            Self::Place(_) => None,
        }
    }
}

/// What stands at a place of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The symbol of that number.
    Symbol(u32),
    /// Sum.
    Add(Operand, Operand),
    /// Difference.
    Subtract(Operand, Operand),
    /// Product.
    Multiply(Operand, Operand),
    /// Quotient.
    Divide(Operand, Operand),
    /// Opposite.
    Negate(Operand),
    /// Square root.
    Sqrt(Operand),
    /// Sine.
    Sin(Operand),
    /// Cosine.
    Cos(Operand),
    /// Hyperbolic tangent.
    Tanh(Operand),
    /// Natural logarithm.
    Ln(Operand),
    /// Angle of the point (second, first).
    Atan2(Operand, Operand),
    /// Power with a constant exponent (its bits).
    Power(Operand, u64),
}

/// The operations of one thread, in the order they were made.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// Operations; operands stand before them.
    pub operations: Vec<Operation>,
    values: Vec<f64>,
    known: HashMap<Operation, u32>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

impl Tape {
    /// Runs `work` on an empty tape and returns the tape with what it gave.
    pub fn of<T>(work: impl FnOnce() -> T) -> (Self, T) {
        TAPE.with(|tape| *tape.borrow_mut() = Self::default());
        let given = work();
        (TAPE.with(|tape| std::mem::take(&mut *tape.borrow_mut())), given)
    }
}

/// A number that is written down.
#[derive(Clone, Copy, Debug)]
pub struct Traced {
    place: u32,
    value: f64,
}

/// Place of constants.
const NOWHERE: u32 = u32::MAX;

impl Traced {
    /// The symbol of that number, with a value to choose branches by.
    pub fn symbol(number: u32, value: f64) -> Self {
        record(Operation::Symbol(number), value)
    }

    /// A number that stands for `meaning` in a recording.
    pub(crate) fn leaf(value: f64, meaning: Meaning) -> Self {
        notes::symbol(value, meaning)
    }

    /// A constant.
    pub(crate) fn plain(value: f64) -> Self {
        Self { place: NOWHERE, value }
    }

    /// What operations see of it.
    pub fn operand(self) -> Operand {
        if self.place == NOWHERE { Operand::Number(self.value.to_bits()) } else { Operand::Place(self.place) }
    }

    /// The number that an operand on the tape of this thread stands for.
    pub fn of(operand: Operand) -> Self {
        match operand {
            Operand::Number(bits) => Self { place: NOWHERE, value: f64::from_bits(bits) },
            Operand::Place(place) => {
                let value = TAPE.with(|tape| tape.borrow().values.get(place as usize).copied());
                Self { place, value: value.unwrap_or(f64::NAN) }
            }
        }
    }

    /// The operation that made it; none for constants.
    pub fn operation(self) -> Option<Operation> {
        TAPE.with(|tape| tape.borrow().operations.get(self.place as usize).copied())
    }

    fn is(self, number: f64) -> bool {
        self.place == NOWHERE && self.value == number
    }

    fn both_constant(self, other: Self) -> bool {
        self.place == NOWHERE && other.place == NOWHERE
    }

    /// What is negated, where it is an opposite.
    fn opposite(self) -> Option<Self> {
        match self.operation() {
            Some(Operation::Negate(operand)) => Some(Self::of(operand)),
            _ => None,
        }
    }

    fn function(self, operation: fn(Operand) -> Operation, value: f64) -> Self {
        if self.place == NOWHERE { Self::plain(value) } else { record(operation(self.operand()), value) }
    }
}

/// Writes an operation down, or finds it.
fn record(operation: Operation, value: f64) -> Traced {
    TAPE.with(|tape| {
        let mut tape = tape.borrow_mut();
        if let Some(&place) = tape.known.get(&operation) {
            return Traced { place, value };
        }
        let place = tape.operations.len() as u32;
        tape.operations.push(operation);
        tape.values.push(value);
        tape.known.insert(operation, place);
        Traced { place, value }
    })
}

/// Operands of sums and products in one order, so that both orders share a place.
fn ordered(a: Traced, b: Traced) -> (Operand, Operand) {
    let key = |x: Traced| if x.place == NOWHERE { 0 } else { 1 + u64::from(x.place) };
    if key(a) <= key(b) { (a.operand(), b.operand()) } else { (b.operand(), a.operand()) }
}

impl Add for Traced {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let value = self.value + o.value;
        match () {
            () if self.both_constant(o) => Self::plain(value),
            () if self.is(0.0) => o,
            () if o.is(0.0) => self,
            () => match (self.opposite(), o.opposite()) {
                (Some(inner), _) => o - inner,
                (_, Some(inner)) => self - inner,
                _ => {
                    let (a, b) = ordered(self, o);
                    record(Operation::Add(a, b), value)
                }
            },
        }
    }
}

impl Sub for Traced {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        let value = self.value - o.value;
        match () {
            () if self.both_constant(o) => Self::plain(value),
            () if o.is(0.0) => self,
            () if self.is(0.0) => -o,
            () if self.operand() == o.operand() => Self::ZERO,
            () => match o.opposite() {
                Some(inner) => self + inner,
                None => record(Operation::Subtract(self.operand(), o.operand()), value),
            },
        }
    }
}

impl Mul for Traced {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let value = self.value * o.value;
        match () {
            () if self.both_constant(o) => Self::plain(value),
            () if self.is(0.0) || o.is(0.0) => Self::ZERO,
            () if self.is(1.0) => o,
            () if o.is(1.0) => self,
            () if self.is(-1.0) => -o,
            () if o.is(-1.0) => -self,
            () => match (self.opposite(), o.opposite()) {
                (Some(inner), _) => -(inner * o),
                (_, Some(inner)) => -(self * inner),
                _ => {
                    let (a, b) = ordered(self, o);
                    record(Operation::Multiply(a, b), value)
                }
            },
        }
    }
}

impl Mul<f64> for Traced {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        self * <Self as Scalar>::from_f64(o)
    }
}

impl Div for Traced {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let value = self.value / o.value;
        match () {
            () if self.both_constant(o) => Self::plain(value),
            () if self.is(0.0) => Self::ZERO,
            () if o.is(1.0) => self,
            () => record(Operation::Divide(self.operand(), o.operand()), value),
        }
    }
}

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        match self.opposite() {
            Some(inner) => inner,
            None => self.function(Operation::Negate, -self.value),
        }
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Traced {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for Traced {
    const OVER_CONSTANTS: bool = true;
    const ZERO: Self = Self { place: NOWHERE, value: 0.0 };
    const ONE: Self = Self { place: NOWHERE, value: 1.0 };
    fn from_f64(value: f64) -> Self {
        notes::constant(value).unwrap_or(Self { place: NOWHERE, value })
    }
    fn sampled(value: f64) -> Self {
        notes::sample(value).unwrap_or(Self { place: NOWHERE, value })
    }
    fn value(self) -> f64 {
        notes::look(self.place != NOWHERE);
        self.value
    }
    fn below(self, limit: f64) -> bool {
        notes::guard(self.operand(), Comparison::Below(limit), self.value)
    }
    fn above(self, limit: f64) -> bool {
        notes::guard(self.operand(), Comparison::Above(limit), self.value)
    }
    fn at_most(self, limit: f64) -> bool {
        notes::guard(self.operand(), Comparison::AtMost(limit), self.value)
    }
    fn at_least(self, limit: f64) -> bool {
        notes::guard(self.operand(), Comparison::AtLeast(limit), self.value)
    }
    fn exceeds(self, o: Self) -> bool {
        let apart = self - o;
        notes::guard(apart.operand(), Comparison::Above(0.0), apart.value)
    }
    fn sqrt(self) -> Self {
        self.function(Operation::Sqrt, self.value.sqrt())
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (self.function(Operation::Sin, sine), self.function(Operation::Cos, cosine))
    }
    fn tanh(self) -> Self {
        self.function(Operation::Tanh, self.value.tanh())
    }
    fn ln(self) -> Self {
        self.function(Operation::Ln, self.value.ln())
    }
    fn atan2(self, x: Self) -> Self {
        let value = self.value.atan2(x.value);
        if self.both_constant(x) {
            return Self::plain(value);
        }
        record(Operation::Atan2(self.operand(), x.operand()), value)
    }
    fn powf(self, exponent: f64) -> Self {
        let value = self.value.powf(exponent);
        notes::look(<Self as Scalar>::from_f64(exponent).place != NOWHERE);
        if self.place == NOWHERE {
            return Self::plain(value);
        }
        record(Operation::Power(self.operand(), exponent.to_bits()), value)
    }
}
