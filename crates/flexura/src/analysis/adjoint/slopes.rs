//! Derivatives of constants over one parameter, from models built at shifted values.
//!
//! A stencil of eight models has one error at all constants; a constant that depends on the wall of a tube bends sooner than one that
//! depends on its radius. So several distances are tried where the first does not do, and each constant takes the one
//! at which two orders agree best. Constants may agree at none: rounding of zeros, which no result sees, or factors of matrices
//! whose pivots change places from model to model and give the same body by other numbers. Which it is, the gradient tells
//! (`influence.rs`).

use super::{Cost, GradientError};
use crate::analysis::sensitivity::{Parameter, SensitivityError, Stencil};
use crate::error::{DynamicsError, SimulationError};
use crate::model::Model;
use crate::scalar::{Attention, attending, with_tape};

/// Difference of two orders up to which the first distance is taken.
const AGREEMENT: f64 = 1e-10;
/// Size in SI units below which a constant is taken for the rounding of a zero when distances are chosen.
const NOTHING: f64 = 1e-14;

/// Meets the constants of a model.
pub(super) type Lister<'b> = dyn FnMut(&Model) + 'b;

/// Distances of the shifted models of a parameter, best guess first.
#[derive(Clone, Debug)]
pub(super) struct Steps(Vec<f64>);

/// Derivatives, and what each of them leaves open.
pub(super) type Found = (Vec<f64>, Vec<f64>);

impl Steps {
    /// The distances that the constants `base` met by `probe` need; none where a shifted model has others.
    pub fn choose(
        parameter: &Parameter<'_>,
        model: &Model,
        probe: &mut Lister<'_>,
        base: &[f64],
        cost: &mut Cost,
    ) -> Result<Option<Self>, GradientError> {
        let (mut list, mut refused) = (Vec::new(), None);
        for step in Stencil::steps(parameter) {
            match Stencil::around(parameter, model, step) {
                Ok(mut stencil) => {
                    cost.models += stencil.nodes.len();
                    list.push(step);
                    let Some(found) = differentiate(&mut stencil, base, step, probe)? else {
                        return Ok(None);
                    };
                    if list.len() == 1 && agree(&found, stencil.values(), parameter.value) {
                        return Ok(Some(Self(list)));
                    }
                }
                Err(error) => refused = Some(error),
            }
        }
        let cause = || SensitivityError::Build {
            parameter: parameter.name.clone(),
            cause: "no value near it gives a model".into(),
        };
        if list.is_empty() {
            return Err(refused.unwrap_or_else(cause).into());
        }
        Ok(Some(Self(list)))
    }

    /// The first distance.
    pub fn first(&self) -> f64 {
        self.0[0]
    }

    /// Derivatives of the constants `base` met by `list`; none where a shifted model has others.
    pub fn slopes(
        &self,
        parameter: &Parameter<'_>,
        model: &Model,
        list: &mut Lister<'_>,
        base: &[f64],
        cost: &mut Cost,
    ) -> Result<Option<Found>, GradientError> {
        let mut best: Option<Found> = None;
        for &step in &self.0 {
            let mut stencil = Stencil::around(parameter, model, step)?;
            cost.models += stencil.nodes.len();
            let Some((slopes, errors)) = differentiate(&mut stencil, base, step, list)? else {
                return Ok(None);
            };
            match &mut best {
                None => best = Some((slopes, errors)),
                Some((kept, least)) => {
                    for i in (0..base.len()).filter(|&i| errors[i] < least[i]).collect::<Vec<_>>() {
                        (kept[i], least[i]) = (slopes[i], errors[i]);
                    }
                }
            }
        }
        Ok(best)
    }
}

/// Whether the two orders agree at all constants that are more than rounding.
fn agree((slopes, errors): &Found, values: &[f64], scale: f64) -> bool {
    let scale = if scale == 0.0 { 1.0 } else { scale.abs() };
    let fits = |((slope, error), value): ((&f64, &f64), &f64)| {
        let size = (slope.abs() * scale).max(1e-3 * value.abs());
        size < NOTHING || error * scale < AGREEMENT * size
    };
    slopes.iter().zip(errors).zip(values).all(fits)
}

/// Constants that `list` meets of `model`.
pub(super) fn listed(model: &Model, list: &mut Lister<'_>) -> Vec<f64> {
    with_tape(|tape| tape.constants.clear());
    attending(Attention::List, || list(model));
    with_tape(|tape| std::mem::take(&mut tape.constants))
}

/// Derivatives of the constants `base` over the parameter of `stencil`, `step` apart; none where a model has others.
fn differentiate(
    stencil: &mut Stencil,
    base: &[f64],
    step: f64,
    list: &mut Lister<'_>,
) -> Result<Option<Found>, GradientError> {
    let (mut other, count) = (false, base.len());
    let found = stencil.differentiate(count, |model, _, out| {
        let constants = listed(model, list);
        other = constants.len() != count;
        if other {
            // Any error ends it.
            return Err(SimulationError::dynamics(0.0, DynamicsError::StepTooSmall));
        }
        out.copy_from_slice(&constants);
        Ok(())
    });
    match found {
        Ok(found) => {
            let slopes = found.to_vec();
            Ok(Some((slopes, stencil.open(base, step))))
        }
        Err(_) if other => Ok(None),
        Err(error) => Err(error.into()),
    }
}
