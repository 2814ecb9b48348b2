//! Directional and adjoint derivatives of model exchange.
//!
//! Unknowns are derivatives of states and outputs, knowns are states and inputs: J = ∂unknowns/∂knowns at the present time. A directional derivative is
//! J s, one evaluation in dual numbers (`flexura::analysis::Partials`). An adjoint derivative is Jᵀ s, found from the columns of J: one evaluation per known.

use super::{Instance, Mode, Phase};
use flexura_exchange::fmi::Causality;

/// A known that may change.
#[derive(Clone, Copy)]
enum Known {
    State(usize),
    Input(usize),
}

/// Something that follows.
#[derive(Clone, Copy)]
enum Unknown {
    Rate(usize),
    Output(usize),
}

impl Instance {
    /// `sensitivity` = J `seed`; one seed per known, one sensitivity per unknown.
    pub fn directional_derivative(
        &mut self,
        (unknowns, knowns): (&[u32], &[u32]),
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), String> {
        let (unknowns, knowns) = self.derivative_of(unknowns, knowns)?;
        sizes((knowns.len(), seed.len()), (unknowns.len(), sensitivity.len()))?;
        self.column(&knowns, seed, &unknowns, sensitivity)
    }

    /// `sensitivity` = Jᵀ `seed`; one seed per unknown, one sensitivity per known.
    pub fn adjoint_derivative(
        &mut self,
        (unknowns, knowns): (&[u32], &[u32]),
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), String> {
        let (unknowns, knowns) = self.derivative_of(unknowns, knowns)?;
        sizes((unknowns.len(), seed.len()), (knowns.len(), sensitivity.len()))?;
        let mut column = vec![0.0; unknowns.len()];
        for (known, slot) in knowns.iter().zip(sensitivity) {
            self.column(&[*known], &[1.0], &unknowns, &mut column)?;
            *slot = column.iter().zip(seed).map(|(entry, weight)| entry * weight).sum();
        }
        Ok(())
    }

    /// What the references mean, where a derivative of one over the other is known.
    fn derivative_of(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
    ) -> Result<(Vec<Unknown>, Vec<Known>), String> {
        if self.mode != Mode::Exchange || self.phase == Phase::Instantiated {
            return Err("derivatives are offered for model exchange, from initialisation on".into());
        }
        self.settle()?;
        let face = &self.interface;
        let variable = |reference: u32| {
            let found = face.variables.get(reference as usize);
            found.ok_or_else(|| format!("no variable has the reference {reference}"))
        };
        let unknowns = unknowns.iter().map(|&reference| match variable(reference)?.causality {
            Causality::Derivative(place) => Ok(Unknown::Rate(place)),
            Causality::Output => Ok(Unknown::Output(reference as usize - face.first_output())),
            _ => Err(format!(
                "`{}` is no output and no derivative of a state",
                face.variables[reference as usize].name
            )),
        });
        let unknowns = unknowns.collect::<Result<Vec<_>, String>>()?;
        let knowns = knowns.iter().map(|&reference| match variable(reference)?.causality {
            Causality::State => Ok(Known::State(reference as usize - face.first_state())),
            Causality::Input => Ok(Known::Input(reference as usize - 1)),
            _ => Err(format!(
                "`{}` is no state and no input: derivatives over it are not offered",
                face.variables[reference as usize].name
            )),
        });
        Ok((unknowns, knowns.collect::<Result<_, String>>()?))
    }

    fn column(
        &mut self,
        knowns: &[Known],
        seed: &[f64],
        unknowns: &[Unknown],
        out: &mut [f64],
    ) -> Result<(), String> {
        let face = &self.interface;
        let (mut states, mut inputs) = (vec![0.0; face.states], Vec::new());
        for (known, &weight) in knowns.iter().zip(seed) {
            match *known {
                Known::State(place) => states[place] += weight,
                Known::Input(place) => inputs.push((&face.inputs[place], weight)),
            }
        }
        let motions: Vec<(usize, usize)> =
            face.inputs.iter().filter_map(|input| input.prescribed(&self.model)).collect();
        let partials = self.evaluation.partials(&self.model, &face.outputs, &states, &inputs, &motions)?;
        for (unknown, slot) in unknowns.iter().zip(out) {
            *slot = match *unknown {
                Unknown::Rate(place) => partials.rate(place),
                Unknown::Output(place) => partials.output(place),
            };
        }
        Ok(())
    }
}

fn sizes(seeds: (usize, usize), sensitivities: (usize, usize)) -> Result<(), String> {
    let fits = seeds.0 == seeds.1 && sensitivities.0 == sensitivities.1;
    let told = || {
        format!(
            "{} seeds and {} sensitivities, but {} and {} are needed",
            seeds.1, sensitivities.1, seeds.0, sensitivities.0
        )
    };
    fits.then_some(()).ok_or_else(told)
}
