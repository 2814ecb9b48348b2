//! Fluent construction of controllers, events and run settings in code.
//!
//! ```
//! use flexura::model::description::*;
//! use flexura::time_function::TimeFunction;
//!
//! let servo = ControllerDescription::pid("servo", [40.0, 5.0, 12.0], 1e-3)
//!     .sensor("shoulder.angle", TimeFunction::Constant(0.5))
//!     .actuator("shoulder.effort")
//!     .limit(20.0);
//! assert_eq!((servo.sensors.len(), servo.limit), (1, 20.0));
//! ```

use super::controller::Block;
use super::description::*;
use crate::time_function::TimeFunction;

impl Description {
    /// Adds a controller.
    pub fn controller(mut self, controller: ControllerDescription) -> Self {
        self.controllers.push(controller);
        self
    }

    /// Adds an event.
    pub fn event(mut self, event: EventDescription) -> Self {
        self.simulation.events.push(event);
        self
    }

    /// Chooses how accelerations are found.
    pub fn algorithm(mut self, algorithm: AlgorithmDescription) -> Self {
        self.simulation.algorithm = algorithm;
        self
    }

    /// Records only channels whose names match one of these patterns with `*` and `?`.
    pub fn channels<T: Into<String>>(mut self, patterns: impl IntoIterator<Item = T>) -> Self {
        self.output.channels = patterns.into_iter().map(Into::into).collect();
        self
    }
}

impl ControllerDescription {
    /// A controller that measures and drives nothing yet.
    pub fn new(name: &str, block: Block) -> Self {
        Self {
            name: name.into(),
            block,
            sensors: Vec::new(),
            references: Vec::new(),
            actuators: Vec::new(),
            limit: f64::INFINITY,
            sample_time: 0.0,
        }
    }

    /// A PID controller with gains kp, ki (1/s), kd (s) and the time constant of its derivative (s).
    pub fn pid(name: &str, [proportional, integral, derivative]: [f64; 3], filter: f64) -> Self {
        Self::new(name, Block::Pid { proportional, integral, derivative, filter })
    }

    /// Measures a channel, whose wanted value is `reference`.
    pub fn sensor(mut self, channel: &str, reference: TimeFunction) -> Self {
        self.sensors.push(channel.into());
        self.references.push(reference);
        self
    }

    /// Drives `JOINT.effort`, `JOINT.effort.N` or an applied force.
    pub fn actuator(mut self, name: &str) -> Self {
        self.actuators.push(name.into());
        self
    }

    /// Bounds the magnitude of every output.
    pub fn limit(mut self, limit: f64) -> Self {
        self.limit = limit;
        self
    }

    /// Acts at samples this far apart (s) instead of continuously.
    pub fn sampled(mut self, interval: f64) -> Self {
        self.sample_time = interval;
        self
    }
}

impl EventDescription {
    /// The instants at which `channel` crosses `value` in either direction; the run goes on.
    pub fn new(name: &str, channel: &str, value: f64) -> Self {
        Self { name: name.into(), channel: channel.into(), value, direction: 0, stop: false }
    }

    /// Only where the channel rises.
    pub fn rising(self) -> Self {
        Self { direction: 1, ..self }
    }

    /// Only where the channel falls.
    pub fn falling(self) -> Self {
        Self { direction: -1, ..self }
    }

    /// Ends the run there.
    pub fn stopping(self) -> Self {
        Self { stop: true, ..self }
    }
}

impl MethodDescription {
    /// Dormand-Prince 5(4) with a relative tolerance and a hundredth of it as absolute one: the default method.
    pub fn dormand_prince(tolerance: f64) -> Self {
        Self::DormandPrince {
            relative_tolerance: tolerance,
            absolute_tolerance: 0.01 * tolerance,
            initial_step: 0.0,
            largest_step: f64::INFINITY,
        }
    }

    /// Radau IIA of order 5, for stiff systems, with tolerances as those of [`Self::dormand_prince`].
    pub fn radau(tolerance: f64) -> Self {
        Self::Radau {
            relative_tolerance: tolerance,
            absolute_tolerance: 0.01 * tolerance,
            initial_step: 0.0,
            largest_step: f64::INFINITY,
        }
    }

    /// Implicit trapezoidal rule with a fixed step (s).
    pub fn trapezoidal(step: f64) -> Self {
        Self::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 }
    }

    /// Generalised-α with a fixed step (s) and this spectral radius at infinite frequency, 0 to 1.
    pub fn generalized_alpha(step: f64, spectral_radius: f64) -> Self {
        Self::Implicit { damping: DampingChoice::SpectralRadius(spectral_radius), step, tolerance: 0.0 }
    }
}
