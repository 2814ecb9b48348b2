//! Steps of co-simulation: where a communication point lies on the grid of rows of the file, to rounding, that instant is taken.

use super::{Instance, Mode, Phase};

/// Times closer than this share of a step are one instant.
const SAME_INSTANT: f64 = 1e-9;

impl Instance {
    /// Advances from `now` by `step` (s); the event that stopped the run, if one did.
    pub fn do_step(&mut self, now: f64, step: f64) -> Result<Option<String>, String> {
        if self.phase != Phase::Running || self.mode != Mode::CoSimulation {
            return Err("steps are taken in co-simulation, after initialisation".into());
        }
        let reached = self.pieces.time();
        if (now - reached).abs() > SAME_INSTANT * step.abs().max(now.abs()) {
            return Err(format!("the step begins at {now} s, but the run is at {reached} s"));
        }
        if !(step.is_finite() && step > 0.0) {
            return Err(format!("a step of {step} s"));
        }
        let end = self.on_grid(now + step, step);
        if self.jumped {
            self.hand_over_inputs();
        }
        let jumped = std::mem::take(&mut self.jumped);
        let (model, settings) = (&self.model, &self.settings);
        let gone = self.pieces.advance(model, settings, end, jumped, &mut self.recorder);
        gone.map(|end| end.stopped_by).map_err(|error| error.to_string())
    }

    /// The instant on the grid of rows that `time` means, where it means one.
    fn on_grid(&self, time: f64, step: f64) -> f64 {
        let interval = self.settings.output_interval;
        if interval <= 0.0 {
            return time;
        }
        let near = self.settings.start + interval * ((time - self.settings.start) / interval).round();
        if (near - time).abs() <= SAME_INSTANT * step { near } else { time }
    }
}
