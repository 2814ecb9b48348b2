//! Counts floating-point operations by running the algorithm itself.
//!
//! Used to compare with the operation counts of JPL 90-26 (section 8, Table 1).
//! Multiplications and divisions count as products, additions and subtractions
//! as additions; sign changes and square roots are not counted, as in the paper.
//! Counters belong to the thread, so parallel tests do not disturb each other.

use super::Scalar;
use std::cell::Cell;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

thread_local! {
    static PRODUCTS: Cell<u64> = const { Cell::new(0) };
    static ADDITIONS: Cell<u64> = const { Cell::new(0) };
}

/// Numbers of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Multiplications and divisions.
    pub products: u64,
    /// Additions and subtractions.
    pub additions: u64,
}

impl OperationCount {
    /// Operations performed by [`Counting`] numbers while `work` runs on this thread.
    pub fn of(work: impl FnOnce()) -> Self {
        PRODUCTS.set(0);
        ADDITIONS.set(0);
        work();
        Self { products: PRODUCTS.get(), additions: ADDITIONS.get() }
    }
}

/// An `f64` that counts what is done with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counting(pub f64);

fn count_product(value: f64) -> Counting {
    PRODUCTS.set(PRODUCTS.get() + 1);
    Counting(value)
}

fn count_addition(value: f64) -> Counting {
    ADDITIONS.set(ADDITIONS.get() + 1);
    Counting(value)
}

impl Add for Counting {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        count_addition(self.0 + o.0)
    }
}

impl Sub for Counting {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        count_addition(self.0 - o.0)
    }
}

impl Mul for Counting {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        count_product(self.0 * o.0)
    }
}

impl Mul<f64> for Counting {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        count_product(self.0 * o)
    }
}

impl Div for Counting {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        count_product(self.0 / o.0)
    }
}

impl Neg for Counting {
    type Output = Self;
    fn neg(self) -> Self {
        Counting(-self.0)
    }
}

impl AddAssign for Counting {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Counting {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for Counting {
    const EVERY_ALGORITHM: bool = true;
    const ZERO: Self = Counting(0.0);
    const ONE: Self = Counting(1.0);
    fn from_f64(value: f64) -> Self {
        Counting(value)
    }
    fn value(self) -> f64 {
        self.0
    }
    fn sqrt(self) -> Self {
        Counting(self.0.sqrt())
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.0.sin_cos();
        (Counting(s), Counting(c))
    }
    fn tanh(self) -> Self {
        Counting(self.0.tanh())
    }
    fn ln(self) -> Self {
        Counting(self.0.ln())
    }
    fn atan2(self, x: Self) -> Self {
        Counting(self.0.atan2(x.0))
    }
    fn powf(self, exponent: f64) -> Self {
        Counting(self.0.powf(exponent))
    }
}
