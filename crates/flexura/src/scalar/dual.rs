//! Forward-mode derivatives: a value with `N` directional derivatives.

use super::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value and its derivatives along `N` directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize> {
    /// Value.
    pub re: f64,
    /// Derivatives.
    pub eps: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// A value with given derivatives.
    pub fn new(re: f64, eps: [f64; N]) -> Self {
        Self { re, eps }
    }

    /// f(self) from the value and slope of f.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        Self { re: value, eps: std::array::from_fn(|i| slope * self.eps[i]) }
    }
}

/// a b' + a' b.
#[inline(always)]
fn product_rule<const N: usize>(a: &Dual<N>, b: &Dual<N>) -> [f64; N] {
    std::array::from_fn(|i| a.re * b.eps[i] + a.eps[i] * b.re)
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, eps: std::array::from_fn(|i| self.eps[i] + o.eps[i]) }
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, eps: std::array::from_fn(|i| self.eps[i] - o.eps[i]) }
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re, eps: product_rule(&self, &o) }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        self.chain(self.re * o, o)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let inverse = 1.0 / o.re;
        let quotient = self.re * inverse;
        Self { re: quotient, eps: std::array::from_fn(|i| (self.eps[i] - quotient * o.eps[i]) * inverse) }
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.re, -1.0)
    }
}

impl<const N: usize> AddAssign for Dual<N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<const N: usize> SubAssign for Dual<N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<const N: usize> Scalar for Dual<N> {
    const ZERO: Self = Self { re: 0.0, eps: [0.0; N] };
    const ONE: Self = Self { re: 1.0, eps: [0.0; N] };
    fn from_f64(value: f64) -> Self {
        Self { re: value, eps: [0.0; N] }
    }
    fn value(self) -> f64 {
        self.re
    }
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, 0.5 / root)
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, 1.0 - t * t)
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), 1.0 / self.re)
    }
    fn atan2(self, x: Self) -> Self {
        let d = self.re * self.re + x.re * x.re;
        Self {
            re: self.re.atan2(x.re),
            eps: std::array::from_fn(|i| (x.re * self.eps[i] - self.re * x.eps[i]) / d),
        }
    }
    fn powf(self, exponent: f64) -> Self {
        self.chain(self.re.powf(exponent), exponent * self.re.powf(exponent - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivative of a composite of every operation against a central difference.
    #[test]
    fn derivative_matches_difference() {
        fn f<S: Scalar>(x: S) -> S {
            let (s, c) = (x * 1.3).sin_cos();
            ((s * c + x).tanh() / (x * x + S::ONE).sqrt()).atan2(x + c) - (x * x + S::ONE).ln() * x.powf(1.7)
        }
        let x = 0.7;
        let h = 1e-5;
        let difference = (f(x + h) - f(x - h)) / (2.0 * h);
        let exact = f(Dual::<1>::new(x, [1.0])).eps[0];
        assert!((exact - difference).abs() < 1e-9, "{exact} {difference}");
    }
}
