//! Continuous solution over one step: a polynomial in θ = (t − t₀)/h.
//!
//! Typeset: book/src/theory/integrators.md (TI.4).

/// Interpolant in the form y₀ + θ(r₁ + (1−θ)(r₂ + θ(r₃ + (1−θ) r₄))) (Hairer, Nørsett & Wanner,
/// Solving ODE I, section II.6); with r₄ = 0 it is the cubic Hermite polynomial.
#[derive(Clone, Debug)]
pub struct Dense {
    start: f64,
    step: f64,
    end: f64,
    first: Vec<f64>,
    last: Vec<f64>,
    parts: [Vec<f64>; 3],
}

impl Dense {
    /// An interpolant for vectors of length `size`.
    pub fn new(size: usize) -> Self {
        let zero = vec![0.0; size];
        Self {
            start: 0.0,
            step: 1.0,
            end: 0.0,
            first: zero.clone(),
            last: zero.clone(),
            parts: [zero.clone(), zero.clone(), zero],
        }
    }

    /// Fills the interpolant from end values and slopes; `fourth(i)` is r₄ of entry i.
    pub fn fill(
        &mut self,
        interval: (f64, f64),
        values: (&[f64], &[f64]),
        slopes: (&[f64], &[f64]),
        fourth: impl Fn(usize) -> f64,
    ) {
        let (start, end) = interval;
        let step = end - start;
        (self.start, self.step, self.end) = (start, step, end);
        self.first.copy_from_slice(values.0);
        self.last.copy_from_slice(values.1);
        for i in 0..self.first.len() {
            let rise = values.1[i] - values.0[i];
            let bend = step * slopes.0[i] - rise;
            self.parts[0][i] = bend;
            self.parts[1][i] = rise - step * slopes.1[i] - bend;
            self.parts[2][i] = fourth(i);
        }
    }

    /// Fills the interpolant from end values and (r₂, r₃, r₄) of every entry.
    pub(super) fn fill_parts(
        &mut self,
        (start, end): (f64, f64),
        values: (&[f64], &[f64]),
        parts: impl Fn(usize) -> [f64; 3],
    ) {
        (self.start, self.step, self.end) = (start, end - start, end);
        self.first.copy_from_slice(values.0);
        self.last.copy_from_slice(values.1);
        for i in 0..self.first.len() {
            for (slot, part) in self.parts.iter_mut().zip(parts(i)) {
                slot[i] = part;
            }
        }
    }

    /// Start of the step (s).
    pub fn start(&self) -> f64 {
        self.start
    }

    /// End of the step (s).
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Values at the end of the step.
    pub fn end_values(&self) -> &[f64] {
        &self.last
    }

    /// Values at `time`.
    pub fn evaluate(&self, time: f64, out: &mut [f64]) {
        let theta = (time - self.start) / self.step;
        let rest = 1.0 - theta;
        for i in 0..out.len() {
            let rise = self.last[i] - self.first[i];
            let inner = self.parts[1][i] + rest * self.parts[2][i];
            out[i] = self.first[i] + theta * (rise + rest * (self.parts[0][i] + theta * inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermite_reproduces_a_cubic() {
        let f = |t: f64| 1.0 + 2.0 * t - 3.0 * t * t + 0.5 * t * t * t;
        let d = |t: f64| 2.0 - 6.0 * t + 1.5 * t * t;
        let mut dense = Dense::new(1);
        dense.fill((0.5, 2.0), (&[f(0.5)], &[f(2.0)]), (&[d(0.5)], &[d(2.0)]), |_| 0.0);
        let mut out = [0.0];
        for t in [0.5, 0.9, 1.7, 2.0] {
            dense.evaluate(t, &mut out);
            assert!((out[0] - f(t)).abs() < 1e-13);
        }
    }
}
