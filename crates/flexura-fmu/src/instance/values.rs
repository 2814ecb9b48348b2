//! Values of variables: read and set by reference.

use super::{Instance, Mode, Phase};
use flexura_exchange::fmi::Causality;

impl Instance {
    /// Values of variables by reference.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), String> {
        self.settle()?;
        for (&reference, slot) in references.iter().zip(values) {
            *slot = self.value(reference as usize)?;
        }
        Ok(())
    }

    fn value(&mut self, reference: usize) -> Result<f64, String> {
        let face = &self.interface;
        let (parameters, outputs, states) = (face.first_parameter(), face.first_output(), face.first_state());
        let Some(variable) = face.variables.get(reference) else {
            return Err(format!("no variable has the reference {reference}"));
        };
        match variable.causality {
            Causality::Independent => Ok(self.time()),
            Causality::Input => Ok(self.inputs[reference - 1]),
            Causality::Parameter => {
                let start = variable.start.unwrap_or(0.0);
                Ok(self.numbers.get(&(reference - parameters)).copied().unwrap_or(start))
            }
            Causality::Output if self.phase == Phase::Instantiated => {
                Err("outputs are known from initialisation on".into())
            }
            Causality::Output => {
                let place = reference - outputs;
                match self.mode {
                    Mode::CoSimulation => Ok(self.pieces.row()[place + 1]),
                    Mode::Exchange => self.evaluation.output(&self.model, &mut self.recorder, place),
                }
            }
            Causality::State => Ok(self.evaluation.states()[reference - states]),
            Causality::Derivative(place) => self.evaluation.derivative(&self.model, place),
            Causality::Indicator(place) => self.indicators.value(place, &self.model, &mut self.evaluation),
        }
    }

    /// Sets variables by reference.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        for (&reference, &value) in references.iter().zip(values) {
            let reference = reference as usize;
            let Some(variable) = self.interface.variables.get(reference) else {
                return Err(format!("no variable has the reference {reference}"));
            };
            if !value.is_finite() {
                return Err(format!("`{}` cannot be {value}", variable.name));
            }
            match variable.causality {
                Causality::Input => {
                    if self.inputs[reference - 1] != value {
                        self.inputs[reference - 1] = value;
                        (self.jumped, self.outdated) = (true, true);
                    }
                }
                Causality::Parameter if self.phase != Phase::Running => {
                    self.numbers.insert(reference - self.interface.first_parameter(), value);
                    self.outdated = true;
                }
                Causality::Parameter => {
                    return Err(format!("`{}` is fixed once the run has begun", variable.name));
                }
                _ => return Err(format!("`{}` cannot be set", variable.name)),
            }
        }
        if self.phase == Phase::Running && self.mode == Mode::Exchange && self.jumped {
            self.hand_over_inputs();
            self.jumped = false;
        }
        Ok(())
    }
}
