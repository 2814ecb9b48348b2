//! Numbers of a run: end values, integrals, peaks and misfits of channels over its rows.
//!
//! With rows gᵢ at tᵢ and weights wᵢ of the trapezoidal rule:
//!
//! | term | value |
//! |---|---|
//! | end | g at the last row |
//! | integral | Σ wᵢ gᵢ |
//! | mean square | Σ wᵢ gᵢ² / Σ wᵢ |
//! | peak | (Σ wᵢ \|gᵢ\|ᵖ / Σ wᵢ)^(1/p): the largest \|g\| for p → ∞, smooth for finite p |
//! | misfit | Σ ((gᵢ − dᵢ)/s)² / rows, d a table at the rows |

use super::GradientError;
use crate::model::channel::Channel;
use crate::model::words::nearest;

/// Exponent of peaks unless told otherwise.
const SHARPNESS: f64 = 20.0;

/// A number of a channel over the rows of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Term {
    /// The value in the last row.
    End,
    /// The integral over time.
    Integral,
    /// The mean square over time.
    MeanSquare,
    /// The smooth maximum of the size, with its exponent.
    Peak(f64),
    /// The mean square of the distance to a table with a value for every row, over a scale.
    Misfit {
        /// Wanted values.
        wanted: Vec<f64>,
        /// Distance that counts as one.
        scale: f64,
    },
}

impl Term {
    /// A term by its word: `end`, `integral`, `mean-square`, `peak`.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "end" => Some(Self::End),
            "integral" => Some(Self::Integral),
            "mean-square" => Some(Self::MeanSquare),
            "peak" => Some(Self::Peak(SHARPNESS)),
            _ => None,
        }
    }
}

/// A weighted sum of terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objective {
    /// Weight, channel and term.
    pub terms: Vec<(f64, String, Term)>,
}

impl Objective {
    /// A term in words, `[WEIGHT*]TERM:CHANNEL`: `end:boom.tip.position.y`, `0.5*peak:motor.torque`, `peak^50:motor.torque`.
    pub fn term_of(words: &str) -> Result<(f64, String, Term), GradientError> {
        let wrong = |why: String| GradientError::Setup(format!("objective `{words}`: {why}"));
        let form = "write TERM:CHANNEL or WEIGHT*TERM:CHANNEL with a term end, integral, mean-square, peak or peak^EXPONENT";
        let (front, channel) = words.split_once(':').ok_or_else(|| wrong(form.into()))?;
        let (weight, term) = front.split_once('*').unwrap_or(("1", front));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let weight = number(weight).ok_or_else(|| wrong(format!("`{weight}` is no number")))?;
        let (word, exponent) = term.split_once('^').map_or((term, None), |(word, p)| (word, Some(p)));
        let found = match (Term::from_word(word.trim()), exponent) {
            (Some(Term::Peak(_)), Some(p)) => number(p).map(Term::Peak),
            (found, None) => found,
            _ => None,
        };
        Ok((weight, channel.trim().into(), found.ok_or_else(|| wrong(form.into()))?))
    }

    /// One term of a channel.
    pub fn of_channel(channel: impl Into<String>, term: Term) -> Self {
        Self { terms: vec![(1.0, channel.into(), term)] }
    }

    /// The same with another term, times `weight`.
    pub fn plus(mut self, weight: f64, channel: impl Into<String>, term: Term) -> Self {
        self.terms.push((weight, channel.into(), term));
        self
    }

    /// Value, and derivatives over all rows.
    pub(super) fn of(
        &self,
        channels: &[Channel],
        times: &[f64],
        rows: &[f64],
    ) -> Result<(f64, Vec<f64>), GradientError> {
        let (mut sum, mut slopes) = (0.0, vec![0.0; rows.len()]);
        let shares = trapezoid(times);
        for (weight, name, term) in &self.terms {
            let column = channels.iter().position(|channel| channel.name == *name);
            let Some(column) = column else {
                let near = nearest(name, channels.iter().map(|channel| channel.name.as_str()));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return Err(GradientError::Setup(format!("no channel of the run is called `{name}`{hint}")));
            };
            let values: Vec<f64> = rows.iter().skip(column).step_by(channels.len()).copied().collect();
            let (value, found) = evaluate(term, &values, &shares, name)?;
            sum += weight * value;
            for (row, slope) in found.into_iter().enumerate() {
                slopes[row * channels.len() + column] += weight * slope;
            }
        }
        Ok((sum, slopes))
    }
}

/// Weights of the trapezoidal rule (s).
fn trapezoid(times: &[f64]) -> Vec<f64> {
    let gap = |i: usize| times.get(i + 1).map_or(0.0, |next| next - times[i]);
    (0..times.len()).map(|i| 0.5 * (gap(i) + if i > 0 { gap(i - 1) } else { 0.0 })).collect()
}

/// Value and derivatives of a term.
fn evaluate(
    term: &Term,
    values: &[f64],
    shares: &[f64],
    name: &str,
) -> Result<(f64, Vec<f64>), GradientError> {
    let span: f64 = shares.iter().sum();
    let weighted =
        |f: &dyn Fn(f64) -> f64| -> f64 { values.iter().zip(shares).map(|(&g, w)| w * f(g)).sum() };
    let slopes =
        |f: &dyn Fn(f64) -> f64| -> Vec<f64> { values.iter().zip(shares).map(|(&g, w)| w * f(g)).collect() };
    Ok(match term {
        Term::End => {
            let mut found = vec![0.0; values.len()];
            let last = values.last().copied().unwrap_or(0.0);
            found.last_mut().into_iter().for_each(|slot| *slot = 1.0);
            (last, found)
        }
        Term::Integral => (weighted(&|g| g), shares.to_vec()),
        Term::MeanSquare => (weighted(&|g| g * g) / span, slopes(&|g| 2.0 * g / span)),
        Term::Peak(p) => {
            if !(p.is_finite() && *p >= 2.0) {
                return Err(GradientError::Setup(format!("a peak of exponent {p}: give 2 or more")));
            }
            // Relative to the largest value: powers neither overflow nor vanish.
            let largest = values.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
            if largest == 0.0 {
                return Ok((0.0, vec![0.0; values.len()]));
            }
            let mean = weighted(&|g| (g / largest).abs().powf(*p)) / span;
            let (value, outer) = (largest * mean.powf(1.0 / p), mean.powf(1.0 / p - 1.0) / span);
            (value, slopes(&|g| outer * (g / largest).abs().powf(p - 1.0) * g.signum()))
        }
        Term::Misfit { wanted, scale } => {
            if wanted.len() != values.len() {
                let text =
                    format!("the table of `{name}` has {} values for {} rows", wanted.len(), values.len());
                return Err(GradientError::Setup(text));
            }
            if let Some(row) = wanted.iter().position(|value| !value.is_finite()) {
                return Err(GradientError::Setup(format!(
                    "value {} of the table of `{name}` is no number",
                    row + 1
                )));
            }
            if !(scale.is_finite() && *scale > 0.0) {
                return Err(GradientError::Setup(format!("the scale of `{name}` must be positive")));
            }
            let rows = values.len() as f64;
            let apart = || values.iter().zip(wanted).map(|(g, d)| (g - d) / scale);
            let value = apart().map(|r| r * r).sum::<f64>() / rows;
            (value, apart().map(|r| 2.0 * r / (scale * rows)).collect())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives of every term against central differences.
    #[test]
    fn slopes_are_those_of_the_values() {
        let times = [0.0, 0.1, 0.3, 0.35, 1.0];
        let shares = trapezoid(&times);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let values = [0.3, -1.2, 0.8, 2.5, -0.4];
        let misfit = Term::Misfit { wanted: vec![0.1; 5], scale: 0.5 };
        for term in [Term::End, Term::Integral, Term::MeanSquare, Term::Peak(8.0), misfit] {
            let found = evaluate(&term, &values, &shares, "x").map(|(_, slopes)| slopes);
            for (i, slope) in found.into_iter().flatten().enumerate() {
                let at = |h: f64| {
                    let mut moved = values;
                    moved[i] += h;
                    evaluate(&term, &moved, &shares, "x").map_or(f64::NAN, |(value, _)| value)
                };
                let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((slope - difference).abs() < 1e-8, "{term:?} {i}: {slope} {difference}");
            }
        }
        let peak = evaluate(&Term::Peak(200.0), &values, &shares, "x").map_or(0.0, |(value, _)| value);
        assert!((peak - 2.5).abs() < 0.02, "{peak}");
    }
}
