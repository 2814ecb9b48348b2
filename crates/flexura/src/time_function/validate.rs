//! Checks of the data of a function of time, once, before it is sampled.

use super::{TimeFunction, TimeFunctionError};

impl TimeFunction {
    /// Checks sizes, order and finiteness of the data and names the first wrong entry.
    pub fn validate(&self) -> Result<(), TimeFunctionError> {
        match self {
            Self::Constant(value) => finite("constant", *value),
            Self::Polynomial { coefficients } => {
                at_least_one("polynomial coefficients", coefficients.len())?;
                all_finite("polynomial coefficients", coefficients)
            }
            Self::Harmonic { offset, amplitude, angular_frequency, phase } => {
                finite("harmonic offset", *offset)?;
                finite("harmonic amplitude", *amplitude)?;
                finite("harmonic angular frequency", *angular_frequency)?;
                finite("harmonic phase", *phase)
            }
            Self::Cycloidal { from, to, start, duration } => {
                validate_cycloidal(*from, *to, *start, *duration)
            }
            // A spline table is checked when it is made and cannot be changed.
            Self::Table(_) => Ok(()),
            Self::Quadratic { start, value, rate, acceleration } => {
                all_finite("quadratic", &[*start, *value, *rate, *acceleration])
            }
            Self::Piecewise { breaks, pieces } => validate_piecewise(breaks, pieces),
        }
    }
}

fn validate_cycloidal(from: f64, to: f64, start: f64, duration: f64) -> Result<(), TimeFunctionError> {
    finite("cycloidal from", from)?;
    finite("cycloidal to", to)?;
    finite("cycloidal start", start)?;
    finite("cycloidal duration", duration)?;
    if duration <= 0.0 {
        return Err(TimeFunctionError::DurationNotPositive { value: duration });
    }
    Ok(())
}

fn validate_piecewise(breaks: &[f64], pieces: &[TimeFunction]) -> Result<(), TimeFunctionError> {
    at_least_one("pieces", pieces.len())?;
    if pieces.len() != breaks.len() + 1 {
        return Err(TimeFunctionError::SizesDiffer {
            what: "pieces (one more than breaks)",
            needed: breaks.len() + 1,
            got: pieces.len(),
        });
    }
    all_finite("breaks", breaks)?;
    increasing("breaks", breaks)?;
    for (index, piece) in pieces.iter().enumerate() {
        piece.validate().map_err(|reason| {
            let reason = Box::new(reason);
            TimeFunctionError::InPiece { index, reason }
        })?;
    }
    Ok(())
}

fn at_least_one(what: &'static str, got: usize) -> Result<(), TimeFunctionError> {
    let needed = 1;
    if got < needed {
        return Err(TimeFunctionError::TooFew { what, needed, got });
    }
    Ok(())
}

/// Refuses a number that is not finite.
pub(super) fn finite(what: &'static str, value: f64) -> Result<(), TimeFunctionError> {
    if value.is_finite() {
        return Ok(());
    }
    let index = None;
    Err(TimeFunctionError::NotFinite { what, index, value })
}

/// Refuses a list that has an entry that is not finite.
pub(super) fn all_finite(what: &'static str, values: &[f64]) -> Result<(), TimeFunctionError> {
    match values.iter().enumerate().find(|(_, v)| !v.is_finite()) {
        None => Ok(()),
        Some((index, value)) => Err(TimeFunctionError::NotFinite { what, index: Some(index), value: *value }),
    }
}

/// Refuses a list of finite instants that does not increase strictly.
pub(super) fn increasing(what: &'static str, times: &[f64]) -> Result<(), TimeFunctionError> {
    match times.windows(2).position(|pair| pair[1] <= pair[0]) {
        None => Ok(()),
        Some(before) => Err(TimeFunctionError::NotIncreasing {
            what,
            index: before + 1,
            previous: times[before],
            value: times[before + 1],
        }),
    }
}
