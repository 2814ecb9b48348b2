//! Analytic assumed-mode data of a uniform straight beam.
//!
//! The beam lies on the body x axis from x = 0 to x = L. A shape f(x) and a
//! kind of motion (axial, bending, torsion) make one mode. The output is what a
//! modal floating-frame body needs: mass stations with their translations
//! (gamma), slopes (lambda) and quadratic displacements (Gamma2), and the modal
//! stiffness. Sign conventions, with e the unit vector of the axis:
//!
//! | kind | translation | slope (rotation vector) |
//! |---|---|---|
//! | axial | f e_x | 0 |
//! | bending y | f e_y | +(f' - g) e_z |
//! | bending z | f e_z | -(f' - g) e_y |
//! | torsion | 0 | f e_x |
//!
//! with g the shear angle of the static bending shapes of a beam that shears, else zero.
//! All quantities are SI: m, kg, s, N, rad.

mod assemble;
mod bending_energy;
mod eigenfunction;
mod fibre;
mod foreshortening;
mod quadrature;
mod section;
mod shape;
mod standard;
mod turning;

pub(crate) use assemble::line_rule;
pub(crate) use assemble::thermal_forces;
pub use assemble::{BeamData, BeamInput, BeamMode, ModeKind, Station, assemble, station_at};
pub(crate) use assemble::{prepare, rigidity, shear_rigidity, strain};
pub use bending_energy::{BendingMode, BendingSamples, bending_samples};
pub use fibre::{Fibre, rectangle_fibres, round_fibres};
pub(crate) use quadrature::gauss_legendre;
pub use quadrature::{Quadrature, composite};
pub use section::{Section, SectionConstants, SectionProperties};
pub use shape::{PreparedShape, Shape, ShapeError, ShapeValue};
pub use standard::{Boundary, ModeCounts, SEGMENT_MODES, standard_modes};

use std::fmt;

/// Why beam data cannot be made from the given input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BeamError {
    /// A quantity that must be finite and greater than zero is not.
    NotPositive {
        /// Name of the quantity.
        what: &'static str,
        /// The value given, in the SI unit of the quantity.
        value: f64,
    },
    /// A quantity that must be finite and not below zero is not.
    Negative {
        /// Name of the quantity.
        what: &'static str,
        /// The value given, in the SI unit of the quantity.
        value: f64,
    },
    /// The inner radius of a tube is not smaller than the outer radius.
    TubeWithoutWall {
        /// Outer radius (m).
        outer_radius: f64,
        /// Inner radius (m).
        inner_radius: f64,
    },
    /// The shape of one mode is not usable.
    BadShape {
        /// Index of the mode in the list, from 0.
        mode: usize,
        /// What is wrong with the shape.
        reason: ShapeError,
    },
    /// A mode moves no mass, so its equation of motion is singular.
    ModeWithoutMass {
        /// Index of the mode in the list, from 0.
        mode: usize,
    },
    /// A mode is a combination of the modes before it, or too few mass stations tell them apart.
    DependentMode {
        /// Index of the mode in the list, from 0.
        mode: usize,
    },
    /// The length is no length of a beam.
    UnlikelyLength {
        /// Length (m).
        length: f64,
    },
    /// The number of mass stations asked for is zero.
    NoStations,
    /// A part of the beam ends where it starts, or before.
    EmptySpan {
        /// Start (m).
        start: f64,
        /// End (m).
        end: f64,
    },
    /// A point was asked for that does not lie on the beam.
    OutsideBeam {
        /// Coordinate asked for (m).
        x: f64,
        /// Length of the beam (m).
        length: f64,
    },
}

impl fmt::Display for BeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive { what, value } => {
                write!(f, "{what} must be finite and positive, got {value}")
            }
            Self::Negative { what, value } => {
                write!(f, "{what} must be finite and not negative, got {value}")
            }
            Self::TubeWithoutWall { outer_radius, inner_radius } => {
                write!(f, "tube needs inner radius < outer radius, got {inner_radius} and {outer_radius}")
            }
            // Users count modes from one.
            Self::BadShape { mode, reason } => write!(f, "mode {}: {reason}", mode + 1),
            Self::ModeWithoutMass { mode } => {
                write!(
                    f,
                    "mode {} moves no mass; a torsion mode needs a section with polar inertia",
                    mode + 1
                )
            }
            Self::DependentMode { mode } => write!(
                f,
                "mode {} is a combination of the modes before it (or there are too few mass stations to \
                 tell them apart)",
                mode + 1
            ),
            Self::UnlikelyLength { length } => {
                write!(f, "a length of {length:e} m is outside 1e-9 to 1e9 m: give metres")
            }
            Self::NoStations => write!(f, "the number of mass stations must be at least 1"),
            Self::EmptySpan { start, end } => {
                write!(f, "the part of the beam from {start} to {end} m is empty")
            }
            Self::OutsideBeam { x, length } => {
                write!(f, "x = {x} is not on the beam, which spans 0 to {length}")
            }
        }
    }
}

impl std::error::Error for BeamError {}

/// Refuses a value that is not finite and positive.
fn positive(what: &'static str, value: f64) -> Result<(), BeamError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(BeamError::NotPositive { what, value }) }
}

/// Refuses a value that is not finite or is below zero.
fn not_negative(what: &'static str, value: f64) -> Result<(), BeamError> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(BeamError::Negative { what, value }) }
}
