//! Reverse-mode derivatives: a number that remembers how it came about.
//!
//! Source: Griewank & Walther, Evaluating Derivatives (SIAM 2008), chapters 3 and 4. Every operation on a
//! number that depends on a leaf belongs to the tape of the thread, with the places and the partial
//! derivatives of its operands; one sweep from the last node to the first turns derivatives of a result over
//! nodes into those over all leaves. Numbers carry up to two operands with them and become a node only with
//! the third; what depends on no leaf has none: sums with it and multiples cost nothing, products with its zeros
//! vanish, so that constants of the model are free.
//!
//! Model numbers are plain `f64` and are met in the order in which an evaluation uses them: `from_f64` and
//! products with `f64`. That order is the same for every model that takes the same branches, so the n-th constant
//! of an evaluation is one quantity of the model whatever its value. The tape counts constants, makes leaves
//! of those that are marked, and sums a hash of all of them by which a change of branch is noticed (`analysis/adjoint`).
//! Values of functions of time (`Scalar::sampled`) are counted by themselves.
//!
//! Cost: a node takes 4 bytes, an operand 16. The tape belongs to its thread; no number may leave it.

use super::Scalar;
use super::tape::{ATTENTION, Attention, NOWHERE, Tape, with_tape};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value that is linear in at most two nodes of the tape of the thread: slopes and places. Sums and products of few
/// operands need no node of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taped {
    value: f64,
    pub(super) slopes: [f64; 2],
    pub(super) places: [u32; 2],
}

impl Taped {
    /// A leaf; a plain number while listing.
    pub fn leaf(value: f64) -> Self {
        if ATTENTION.get() == Attention::List {
            return Self::plain(value);
        }
        Self::at(value, with_tape(Tape::node))
    }

    /// A number that depends on nothing and is no constant of the model.
    #[inline(always)]
    pub fn plain(value: f64) -> Self {
        Self { value, slopes: [0.0; 2], places: [NOWHERE; 2] }
    }

    #[inline(always)]
    pub(super) fn at(value: f64, place: u32) -> Self {
        Self { value, slopes: [1.0, 0.0], places: [place, NOWHERE] }
    }

    #[inline(always)]
    fn depends(&self) -> bool {
        self.places[0] != NOWHERE
    }

    #[inline(always)]
    fn is_pair(&self) -> bool {
        self.places[1] != NOWHERE
    }

    /// f(self) from the value and slope of f.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        if slope == 0.0 || !self.depends() {
            return Self::plain(value);
        }
        Self { value, slopes: [slope * self.slopes[0], slope * self.slopes[1]], places: self.places }
    }

    /// f(self, o) from the value and slopes of f.
    #[inline(always)]
    fn join(self, o: Self, value: f64, slopes: [f64; 2]) -> Self {
        if !o.depends() || slopes[1] == 0.0 {
            return self.chain(value, slopes[0]);
        }
        if !self.depends() || slopes[0] == 0.0 {
            return o.chain(value, slopes[1]);
        }
        if self.is_pair() || o.is_pair() {
            return with_tape(|tape| {
                let first = tape.operands();
                tape.add(&self, slopes[0]);
                tape.add(&o, slopes[1]);
                tape.close(first, value)
            });
        }
        let (a, b) = (slopes[0] * self.slopes[0], slopes[1] * o.slopes[0]);
        if self.places[0] == o.places[0] {
            return Self { value, slopes: [a + b, 0.0], places: self.places };
        }
        Self { value, slopes: [a, b], places: [self.places[0], o.places[0]] }
    }

    /// `value`, whose derivatives over the factors of products are the other factors times a sign.
    #[inline(always)]
    fn products<const N: usize>(value: f64, pairs: [(&Self, &Self, f64); N]) -> Self {
        if pairs.iter().all(|(a, b, _)| !a.depends() && !b.depends()) {
            return Self::plain(value);
        }
        with_tape(|tape| {
            let first = tape.operands();
            for (a, b, sign) in pairs {
                tape.add(a, sign * b.value);
                tape.add(b, sign * a.value);
            }
            tape.close(first, value)
        })
    }
}

impl Add for Taped {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.join(o, self.value + o.value, [1.0, 1.0])
    }
}

impl Sub for Taped {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.join(o, self.value - o.value, [1.0, -1.0])
    }
}

impl Mul for Taped {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.join(o, self.value * o.value, [o.value, self.value])
    }
}

impl Mul<f64> for Taped {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        self * Self::from_f64(o)
    }
}

impl Div for Taped {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let inverse = 1.0 / o.value;
        let quotient = self.value * inverse;
        self.join(o, quotient, [inverse, -quotient * inverse])
    }
}

impl Neg for Taped {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl AddAssign for Taped {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Taped {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for Taped {
    const OVER_CONSTANTS: bool = true;
    const ZERO: Self = Self { value: 0.0, slopes: [0.0; 2], places: [NOWHERE; 2] };
    const ONE: Self = Self { value: 1.0, slopes: [0.0; 2], places: [NOWHERE; 2] };
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        match ATTENTION.get() {
            Attention::None => Self::plain(value),
            attention => match with_tape(|tape| tape.constant(value, attention)) {
                NOWHERE => Self::plain(value),
                place => Self::at(value, place),
            },
        }
    }
    fn sampled(value: f64) -> Self {
        match ATTENTION.get() {
            Attention::None | Attention::List => Self::plain(value),
            Attention::Watch => {
                let number = Self::leaf(value);
                with_tape(|tape| tape.sampled.push((number.places[0], value)));
                number
            }
        }
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    fn tanh(self) -> Self {
        let t = self.value.tanh();
        self.chain(t, 1.0 - t * t)
    }
    fn ln(self) -> Self {
        self.chain(self.value.ln(), 1.0 / self.value)
    }
    fn atan2(self, x: Self) -> Self {
        let d = self.value * self.value + x.value * x.value;
        self.join(x, self.value.atan2(x.value), [x.value / d, -self.value / d])
    }
    fn powf(self, exponent: f64) -> Self {
        let (base, value) = (self.value, self.value.powf(exponent));
        let slope = if base > 0.0 { value * base.ln() } else { 0.0 };
        self.join(Self::from_f64(exponent), value, [exponent * base.powf(exponent - 1.0), slope])
    }
    #[inline(always)]
    fn dot3(a: &[Self; 3], b: &[Self; 3]) -> Self {
        let value = a[0].value * b[0].value + a[1].value * b[1].value + a[2].value * b[2].value;
        Self::products(value, std::array::from_fn::<_, 3, _>(|i| (&a[i], &b[i], 1.0)))
    }
    #[inline(always)]
    fn minor(a: Self, b: Self, c: Self, d: Self) -> Self {
        let value = a.value * b.value - c.value * d.value;
        Self::products(value, [(&a, &b, 1.0), (&c, &d, -1.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dual;
    use super::super::tape::attending;
    use super::*;

    /// Every operation, of two numbers and constants.
    fn f<S: Scalar>(x: S, y: S) -> S {
        let (s, c) = (x * 1.3).sin_cos();
        let a = [s, y, S::ZERO];
        let b = [c, x * y, y];
        let sum = S::dot3(&a, &b) + S::minor(x, y, c, s) - x / (y * y + S::ONE).sqrt();
        (sum.tanh() * S::from_f64(2.0)).atan2(x + c) - (x * x + S::ONE).ln() * x.powf(1.7) - -y
    }

    #[test]
    fn a_sweep_gives_what_dual_numbers_give() {
        let forward = f(Dual::<2>::new(0.7, [1.0, 0.0]), Dual::new(-0.4, [0.0, 1.0]));
        with_tape(|tape| tape.rewind(0));
        let leaves = [Taped::leaf(0.7), Taped::leaf(-0.4)];
        let result = f(leaves[0], leaves[1]);
        assert_eq!(result.value, forward.re);
        with_tape(|tape| tape.reverse(0, std::iter::once((result, 1.0))));
        for (leaf, exact) in leaves.iter().zip(forward.eps) {
            let found = with_tape(|tape| tape.adjoint(*leaf));
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
    }

    #[test]
    fn marked_constants_have_derivatives_and_others_cost_nothing() {
        let g = |x: Taped| x * 3.0 + Taped::from_f64(2.0) * x * 0.0 + x.powf(2.0);
        with_tape(|tape| {
            tape.rewind(0);
            tape.marked = vec![false, true, true, true];
        });
        let result = attending(Attention::Watch, || g(Taped::leaf(1.5)));
        with_tape(|tape| {
            tape.reverse(0, std::iter::once((result, 1.0)));
            let found: Vec<(usize, f64)> = tape.constant_adjoints().collect();
            // d/d(2) = x·0, d/d(0) = 2 x, d/d(exponent) = x² ln x.
            let exact = [0.0, 3.0, 1.5_f64.powi(2) * 1.5_f64.ln()];
            assert_eq!(found.len(), 3);
            for ((_, found), exact) in found.iter().zip(exact) {
                assert!((found - exact).abs() < 1e-14, "{found} {exact}");
            }
            tape.marked.clear();
        });
    }
}
