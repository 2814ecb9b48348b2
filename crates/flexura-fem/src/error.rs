//! Errors of finite element models and their reduction.

/// Why a finite element model cannot be used or solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FemError {
    /// A number that must be positive (and finite) is not.
    #[error("{what} must be positive and finite, got {value}")]
    NotPositive {
        /// The quantity.
        what: String,
        /// The value given.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{what} is {value}: {rule}")]
    OutOfRange {
        /// The quantity.
        what: String,
        /// The value given.
        value: f64,
        /// What is allowed.
        rule: String,
    },
    /// An index or name refers to nothing.
    #[error("{what} refers to {missing}, which does not exist")]
    Missing {
        /// Who refers.
        what: String,
        /// What is missing.
        missing: String,
    },
    /// The geometry of an element cannot be used.
    #[error("element {element}: {reason}")]
    Geometry {
        /// Element, counted from zero.
        element: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Rigid links or supports contradict each other.
    #[error("node {node}: {reason}")]
    Constraint {
        /// Node, counted from zero.
        node: usize,
        /// What contradicts.
        reason: String,
    },
    /// A node belongs to no element and no link.
    #[error("node {node} belongs to no element and no link: connect or remove it")]
    LooseNode {
        /// Node, counted from zero.
        node: usize,
    },
    /// The model has nothing left to solve for.
    #[error("the model has no free degree of freedom: {reason}")]
    Empty {
        /// Why.
        reason: String,
    },
    /// A free body has other motions without strain than the six of a rigid one.
    #[error("{found} motions without strain among the lowest modes instead of six: a hinge, or a loose part")]
    RigidMotions {
        /// Motions found.
        found: usize,
    },
    /// Sizes of arguments do not agree.
    #[error("{what} has {got} entries, expected {expected}")]
    Size {
        /// The argument.
        what: String,
        /// Its size.
        got: usize,
        /// The size needed.
        expected: usize,
    },
    /// A factorisation met a zero pivot.
    #[error(
        "the matrix is singular at row {row}: the structure can move without strain; support it, or ask for \
         its free modes"
    )]
    Singular {
        /// Row of the reduced system.
        row: usize,
    },
    /// A matrix that must be positive definite is not.
    #[error("{what} is not positive definite")]
    NotDefinite {
        /// The matrix.
        what: String,
    },
    /// The eigenvalue iteration stopped early.
    #[error("only {converged} of {wanted} modes converged within {steps} block steps")]
    NotConverged {
        /// Modes that converged.
        converged: usize,
        /// Modes asked for.
        wanted: usize,
        /// Block steps taken.
        steps: usize,
    },
    /// The Sturm count disagrees with the modes found.
    #[error("modes are missing: {found} found below {frequency:.6e} Hz, but the Sturm count says {counted}")]
    MissedModes {
        /// Modes found below the check.
        found: usize,
        /// Modes there are.
        counted: usize,
        /// Frequency of the check (Hz); negative for a shift below zero.
        frequency: f64,
    },
    /// More modes are asked for than the model has.
    #[error("{wanted} modes asked for, but the model has only {available} free degrees of freedom")]
    TooManyModes {
        /// Modes asked for.
        wanted: usize,
        /// Free degrees of freedom.
        available: usize,
    },
    /// The linear algebra library gave up (memory, or an internal limit).
    #[error("linear algebra failed: {0}")]
    Algebra(String),
}

/// Checks that a number is positive and finite.
pub(crate) fn positive(what: &str, value: f64) -> Result<(), FemError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(FemError::NotPositive { what: what.into(), value })
    }
}

/// Checks that a number is finite and not negative.
pub(crate) fn not_negative(what: &str, value: f64) -> Result<(), FemError> {
    if value.is_finite() && value >= 0.0 {
        Ok(())
    } else {
        Err(FemError::OutOfRange { what: what.into(), value, rule: "it must not be negative".into() })
    }
}
