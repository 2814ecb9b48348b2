//! Scalar shape functions f(x) on 0 <= x <= L with two derivatives.
//!
//! Sources: eigenfunctions of uniform bars and beams after Blevins, Formulas for
//! Natural Frequency and Mode Shape, chapter 8; static shapes are the
//! cubic Hermite polynomials of the Euler-Bernoulli beam element.
//! Polynomials are those of any author, such as Mukherjee & Anderson eqs 94-95.
//! Symbols: s = x/L; n counts from 1.
//!
//! Shear: the two static bending shapes take the parameter Phi = 12 EI / (k GA L^2) of a Timoshenko
//! beam (Przemieniecki, Theory of Matrix Structural Analysis, section 5.6). Their shear angle
//! f' - rotation is constant, -Phi/2 / (1+Phi) per tip rotation and Phi/L / (1+Phi) per tip
//! displacement; all other shapes are rigid in shear.
//!
//! Norms: every eigenfunction has largest magnitude 1; clamped-free and
//! free-free bending functions have the value +1 at x = L. Static shapes have a
//! unit tip displacement, a unit tip rotation (the shape then is in m per rad)
//! or a unit tip value.
//!
//! Typeset: book/src/theory/beams.md (BM.3).

use super::eigenfunction::{Eigenfunction, Ends};
use std::f64::consts::PI;
use std::fmt;

/// Largest accepted number of an eigenfunction.
pub(crate) const LARGEST_MODE_NUMBER: usize = 1000;

/// A shape function of the dimensionless place x/L.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Bending eigenfunction n of a beam clamped at x = 0 and free at x = L.
    ClampedFreeBending(usize),
    /// Elastic bending eigenfunction n of a free beam (rigid motions not counted).
    FreeFreeBending(usize),
    /// Bending eigenfunction n of a beam clamped at both ends.
    ClampedClampedBending(usize),
    /// sin(n pi x/L): pinned-pinned bending, fixed-fixed stretch and twist.
    Sine(usize),
    /// sin((2n-1) pi x/2L): stretch and twist fixed at x = 0 and free at x = L.
    QuarterSine(usize),
    /// cos(n pi x/L): stretch and twist free at both ends.
    Cosine(usize),
    /// Sum of c_i (x/L)^i with the coefficients c in ascending order.
    Polynomial(Vec<f64>),
    /// 3 s^2 - 2 s^3: unit tip displacement at zero tip rotation; with shear
    /// (3 s^2 - 2 s^3 + Phi s) / (1 + Phi).
    TipDisplacement,
    /// L (s^3 - s^2): unit tip rotation at zero tip displacement (m/rad); with shear
    /// L (s^3 - (1 - Phi/2) s^2 - Phi/2 s) / (1 + Phi).
    TipRotation,
    /// s: unit tip stretch or twist.
    Linear,
}

/// Value and derivatives of a shape at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct ShapeValue {
    /// f, in the unit of the shape.
    pub value: f64,
    /// df/dx [1/m times the unit of the shape].
    pub slope: f64,
    /// d2f/dx2 [1/m2 times the unit of the shape].
    pub curvature: f64,
    /// d3f/dx3 [1/m3 times the unit of the shape].
    pub third: f64,
    /// Shear angle: the part of the slope that does not turn the section [1/m times the unit of the shape].
    pub shear: f64,
}

impl ShapeValue {
    /// Rotation of the section by a bending shape [1/m times the unit of the shape].
    pub fn rotation(&self) -> f64 {
        self.slope - self.shear
    }
}

/// Why a shape is not usable.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The number of the eigenfunction is 0 or too large.
    Number {
        /// The number given.
        number: usize,
    },
    /// The polynomial has no coefficient.
    EmptyPolynomial,
    /// A coefficient of the polynomial is not finite.
    Coefficient {
        /// Index of the coefficient, from 0.
        index: usize,
        /// The value given.
        value: f64,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { number } => {
                write!(f, "eigenfunction number must be 1 to {LARGEST_MODE_NUMBER}, got {number}")
            }
            Self::EmptyPolynomial => write!(f, "polynomial shape has no coefficient"),
            Self::Coefficient { index, value } => {
                write!(f, "polynomial coefficient {index} is not finite ({value})")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

/// A shape made ready for a beam of known length: roots and factors computed once.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct PreparedShape {
    length: f64,
    form: Form,
    /// Constant shear angle.
    shear: f64,
}

/// The three forms to which all shapes reduce.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Bending(Eigenfunction),
    /// sin(phase s + advance).
    Wave {
        phase: f64,
        advance: f64,
    },
    Polynomial(Vec<f64>),
}

impl Shape {
    /// Makes the shape ready for a beam of the given positive length (m), rigid in shear.
    pub fn prepare(&self, length: f64) -> Result<PreparedShape, ShapeError> {
        self.prepare_sheared(length, 0.0)
    }

    /// Makes the shape ready for a beam of the given length (m) and shear parameter Phi.
    pub fn prepare_sheared(&self, length: f64, phi: f64) -> Result<PreparedShape, ShapeError> {
        self.validate()?;
        let scaled =
            |coefficients: [f64; 4]| Form::Polynomial(coefficients.iter().map(|c| c / (1.0 + phi)).collect());
        let bending = |ends, n| Form::Bending(Eigenfunction::new(ends, n, length));
        let wave = |phase, advance| Form::Wave { phase, advance };
        let form = match self {
            Self::ClampedFreeBending(n) => bending(Ends::ClampedFree, *n),
            Self::FreeFreeBending(n) => bending(Ends::FreeFree, *n),
            Self::ClampedClampedBending(n) => bending(Ends::ClampedClamped, *n),
            Self::Sine(n) => wave(*n as f64 * PI, 0.0),
            Self::QuarterSine(n) => wave((*n as f64 - 0.5) * PI, 0.0),
            Self::Cosine(n) => wave(*n as f64 * PI, PI / 2.0),
            Self::Polynomial(coefficients) => Form::Polynomial(coefficients.clone()),
            Self::TipDisplacement => scaled([0.0, phi, 3.0, -2.0]),
            Self::TipRotation => scaled([0.0, -0.5 * phi * length, (0.5 * phi - 1.0) * length, length]),
            Self::Linear => Form::Polynomial(vec![0.0, 1.0]),
        };
        let shear = match self {
            Self::TipDisplacement => phi / (length * (1.0 + phi)),
            Self::TipRotation => -0.5 * phi / (1.0 + phi),
            _ => 0.0,
        };
        Ok(PreparedShape { length, form, shear })
    }

    fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Self::ClampedFreeBending(n)
            | Self::FreeFreeBending(n)
            | Self::ClampedClampedBending(n)
            | Self::Sine(n)
            | Self::QuarterSine(n)
            | Self::Cosine(n) => match *n {
                1..=LARGEST_MODE_NUMBER => Ok(()),
                number => Err(ShapeError::Number { number }),
            },
            Self::Polynomial(c) if c.is_empty() => Err(ShapeError::EmptyPolynomial),
            Self::Polynomial(c) => match c.iter().position(|value| !value.is_finite()) {
                None => Ok(()),
                Some(index) => Err(ShapeError::Coefficient { index, value: c[index] }),
            },
            Self::TipDisplacement | Self::TipRotation | Self::Linear => Ok(()),
        }
    }
}

impl PreparedShape {
    /// Value, slope and curvature at x (m).
    pub fn at(&self, x: f64) -> ShapeValue {
        let value = match &self.form {
            Form::Bending(eigenfunction) => eigenfunction.at(x),
            Form::Wave { phase, advance } => {
                let rate = phase / self.length;
                let (sin, cos) = (rate * x + advance).sin_cos();
                ShapeValue {
                    value: sin,
                    slope: rate * cos,
                    curvature: -rate * rate * sin,
                    third: -rate * rate * rate * cos,
                    shear: 0.0,
                }
            }
            Form::Polynomial(coefficients) => polynomial(coefficients, x, self.length),
        };
        ShapeValue { shear: self.shear, ..value }
    }

    /// Phase of the oscillating part over the whole length, 0 for polynomials (rad).
    pub fn phase_length(&self) -> f64 {
        match &self.form {
            Form::Bending(eigenfunction) => eigenfunction.phase_length(),
            Form::Wave { phase, .. } => *phase,
            Form::Polynomial(_) => 0.0,
        }
    }

    /// Polynomial degree, 0 for eigenfunctions.
    pub fn degree(&self) -> usize {
        match &self.form {
            Form::Polynomial(coefficients) => coefficients.len().saturating_sub(1),
            Form::Bending(_) | Form::Wave { .. } => 0,
        }
    }
}

/// Horner's scheme for a polynomial of x/L and its derivatives by x.
fn polynomial(coefficients: &[f64], x: f64, length: f64) -> ShapeValue {
    let s = x / length;
    let (mut value, mut first, mut half_second, mut sixth_third) = (0.0, 0.0, 0.0, 0.0);
    for c in coefficients.iter().rev() {
        sixth_third = sixth_third * s + half_second;
        half_second = half_second * s + first;
        first = first * s + value;
        value = value * s + c;
    }
    ShapeValue {
        value,
        slope: first / length,
        curvature: 2.0 * half_second / (length * length),
        third: 6.0 * sixth_third / (length * length * length),
        shear: 0.0,
    }
}
