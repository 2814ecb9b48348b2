//! Bending eigenfunctions of a uniform Euler-Bernoulli beam, stable for high modes.
//!
//! Source: Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1:
//!
//! clamped-free     cosh bx - cos bx - s (sinh bx - sin bx),  cos k cosh k = -1
//! free-free        cosh bx + cos bx - s (sinh bx + sin bx),  cos k cosh k = +1
//! clamped-clamped  cosh bx - cos bx - s (sinh bx - sin bx),  cos k cosh k = +1
//!
//! Symbols: k = b L, s = (sinh k - sin k)/(cosh k + cos k) for clamped-free and
//! s = (cosh k - cos k)/(sinh k - sin k) for the two others. The difference of
//! cosh and s sinh loses all digits near k = 36 (mode 12), so the function is
//! written with decaying exponentials only:
//!
//! f = A e^{-bx} + B e^{b(x-L)} + C cos bx + D sin bx,  A = (1+s)/2, B = (1-s)/2 e^k
//!
//! where 1 - s is formed analytically:
//! clamped-free  B = (cos k + sin k + e^{-k}) / (1 + e^{-2k} + 2 cos k e^{-k})
//! the others    B = (cos k - sin k - e^{-k}) / (1 - e^{-2k} - 2 sin k e^{-k})
//!
//! Typeset: book/src/theory/beams.md (BM.1), (BM.2).

use super::shape::ShapeValue;
use std::f64::consts::PI;

/// End conditions of a bending eigenfunction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ends {
    ClampedFree,
    FreeFree,
    ClampedClamped,
}

/// One eigenfunction, scaled so that its largest magnitude is 1.
///
/// Clamped-free and free-free functions are largest at the ends and have the
/// value +1 at x = L. Clamped-clamped functions are largest at their outermost
/// antinodes and have the value +1 at the one nearest to x = L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eigenfunction {
    length: f64,
    /// b, the wavenumber (1/m).
    wavenumber: f64,
    from_start: f64,
    from_end: f64,
    cosine: f64,
    sine: f64,
}

impl Eigenfunction {
    /// Eigenfunction number n (from 1) of a beam of the given length (m).
    pub(super) fn new(ends: Ends, n: usize, length: f64) -> Self {
        let k = root(ends, n);
        let decay = (-k).exp();
        let (sin, cos) = k.sin_cos();
        let from_end = match ends {
            Ends::ClampedFree => (cos + sin + decay) / (1.0 + decay * decay + 2.0 * cos * decay),
            _ => (cos - sin - decay) / (1.0 - decay * decay - 2.0 * sin * decay),
        };
        // B = (1-s)/2 e^k, hence s = 1 - 2 B e^{-k}.
        let s = 1.0 - 2.0 * from_end * decay;
        let sign = if ends == Ends::FreeFree { 1.0 } else { -1.0 };
        let raw = Self {
            length,
            wavenumber: k / length,
            from_start: (1.0 + s) / 2.0,
            from_end,
            cosine: sign,
            sine: -sign * s,
        };
        let peak = match ends {
            Ends::ClampedClamped => raw.at(raw.last_antinode()).value,
            _ => raw.at(length).value,
        };
        raw.scaled(1.0 / peak)
    }

    /// k = b L of the eigenfunction (rad).
    pub(super) fn phase_length(&self) -> f64 {
        self.wavenumber * self.length
    }

    /// Value and derivatives at x (m).
    pub(super) fn at(&self, x: f64) -> ShapeValue {
        let b = self.wavenumber;
        let start = self.from_start * (-b * x).exp();
        let end = self.from_end * (b * (x - self.length)).exp();
        let (sin, cos) = (b * x).sin_cos();
        let (c, d) = (self.cosine, self.sine);
        ShapeValue {
            value: start + end + c * cos + d * sin,
            slope: b * (end - start - c * sin + d * cos),
            curvature: b * b * (start + end - c * cos - d * sin),
            third: b * b * b * (end - start + c * sin - d * cos),
            shear: 0.0,
        }
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            from_start: self.from_start * factor,
            from_end: self.from_end * factor,
            cosine: self.cosine * factor,
            sine: self.sine * factor,
            ..self
        }
    }

    /// Place of the antinode nearest to x = L of a clamped-clamped function.
    fn last_antinode(&self) -> f64 {
        // Start: zero slope of the half-infinite beam, e^{-z} = sin z + cos z.
        const HALF_INFINITE: f64 = 2.284;
        let mut x = self.length - HALF_INFINITE / self.wavenumber;
        for _ in 0..8 {
            let f = self.at(x);
            x -= f.slope / f.curvature;
        }
        x
    }
}

/// Root number n of the frequency equation by Newton's method (rad).
///
/// The equation is divided by cosh k, cos k +- sech k = 0, so that neither term
/// grows; the limits (n -+ 1/2) pi are close enough for every n.
fn root(ends: Ends, n: usize) -> f64 {
    let (sign, shift) = match ends {
        Ends::ClampedFree => (1.0, -0.5),
        _ => (-1.0, 0.5),
    };
    let mut k = (n as f64 + shift) * PI;
    for _ in 0..12 {
        let sech = 1.0 / k.cosh();
        let value = k.cos() + sign * sech;
        let derivative = -k.sin() - sign * sech * k.tanh();
        let step = value / derivative;
        k -= step;
        if step.abs() <= f64::EPSILON * k {
            break;
        }
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_match_the_published_table() {
        let clamped_free = [1.875_104_068_711_961_1, 4.694_091_132_974_175, 7.854_757_438_237_613];
        let free_free = [4.730_040_744_862_704, 7.853_204_624_095_837, 10.995_607_838_001_671];
        for n in 1..=3 {
            assert!((root(Ends::ClampedFree, n) - clamped_free[n - 1]).abs() < 4e-15);
            assert!((root(Ends::FreeFree, n) - free_free[n - 1]).abs() < 4e-15);
        }
    }

    #[test]
    fn end_conditions_hold_up_to_mode_thirty() {
        for n in 1..=30 {
            let b = root(Ends::ClampedFree, n);
            let free = Eigenfunction::new(Ends::ClampedFree, n, 1.0);
            let (start, end) = (free.at(0.0), free.at(1.0));
            assert!(start.value.abs() < 1e-15 && start.slope.abs() < 1e-14 * b);
            assert!((end.value - 1.0).abs() < 1e-15 && end.curvature.abs() < 1e-13 * b * b);
            let both = Eigenfunction::new(Ends::FreeFree, n, 1.0);
            assert!(both.at(0.0).curvature.abs() < 1e-13 * b * b);
            assert!(both.at(1.0).curvature.abs() < 1e-13 * b * b);
            let clamped = Eigenfunction::new(Ends::ClampedClamped, n, 1.0);
            for x in [0.0, 1.0] {
                assert!(clamped.at(x).value.abs() < 1e-13);
                assert!(clamped.at(x).slope.abs() < 1e-13 * b);
            }
        }
    }

    #[test]
    fn largest_magnitude_is_one() {
        for ends in [Ends::ClampedFree, Ends::FreeFree, Ends::ClampedClamped] {
            for n in [1, 2, 3, 8, 30] {
                let f = Eigenfunction::new(ends, n, 2.0);
                let largest =
                    (0..=20_000).map(|i| f.at(2.0 * f64::from(i) / 20_000.0).value.abs()).fold(0.0, f64::max);
                assert!((largest - 1.0).abs() < 1e-5, "{ends:?} {n}: {largest}");
            }
        }
    }
}
