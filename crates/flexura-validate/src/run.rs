//! Models of cases, and runs of them by any route.

use crate::context::{Context, Fault, Timing};
use crate::sampled::{Sampled, keep_worst};
use flexura::build::Built;
use flexura::file::{BodySource, NoSource, build_text_with, set_parameter};
use flexura::model::description::{
    AlgorithmDescription, DampingChoice, FormulationChoice, MethodDescription,
};
use flexura::record::Recording;
use flexura::simulate::Simulation;
use flexura::state::State;
use std::time::Instant;

/// Algorithm or formulation with its step or tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route {
    /// Articulated bodies, error-controlled explicit integration with this relative tolerance.
    Articulated(f64),
    /// Articulated bodies, error-controlled integration of stiff models with this relative tolerance.
    Stiff(f64),
    /// Divide and conquer with single bodies as leaves, integrated like the above.
    DivideAndConquer(f64),
    /// Trapezoidal rule in tree coordinates with this step (s); loops by the topological formulation.
    Topological(f64),
    /// The same by generalised-α with a step (s) and a spectral radius.
    Damped(f64, f64),
    /// Trapezoidal rule in natural coordinates with this step (s).
    Global(f64),
    /// Energy-preserving rule in tree coordinates with this step (s).
    EnergyPreserving(f64),
    /// Energy-decaying rule in tree coordinates with a step (s) and a spectral radius.
    EnergyDecaying(f64, f64),
    /// Equations generated from the linear graph, integrated like articulated bodies with this tolerance.
    Graph(f64),
    /// Error-controlled implicit integration with this tolerance, from a first step (s).
    Implicit(f64, f64),
}

impl Route {
    /// Words for tables.
    pub fn words(self) -> String {
        match self {
            Self::Articulated(tolerance) => format!("articulated bodies, Dormand-Prince {tolerance:.0e}"),
            Self::Graph(tolerance) => format!("linear graph, Dormand-Prince {tolerance:.0e}"),
            Self::Stiff(tolerance) => format!("articulated bodies, Radau IIA {tolerance:.0e}"),
            Self::DivideAndConquer(tolerance) => {
                format!("divide and conquer, Dormand-Prince {tolerance:.0e}")
            }
            Self::Topological(step) => format!("topological, trapezoidal, h = {step:.3e} s"),
            Self::Damped(step, radius) => format!("topological, generalised-α {radius}, h = {step:.3e} s"),
            Self::Global(step) => format!("natural coordinates, trapezoidal, h = {step:.3e} s"),
            Self::EnergyPreserving(step) => format!("energy-preserving, h = {step:.3e} s"),
            Self::EnergyDecaying(step, radius) => format!("energy-decaying {radius}, h = {step:.3e} s"),
            Self::Implicit(tolerance, _) => format!("topological, trapezoidal, tolerance {tolerance:.0e}"),
        }
    }

    /// Integration method.
    pub fn method(self) -> MethodDescription {
        match self {
            Self::Articulated(tolerance) | Self::DivideAndConquer(tolerance) | Self::Graph(tolerance) => {
                MethodDescription::DormandPrince {
                    relative_tolerance: tolerance,
                    absolute_tolerance: 0.01 * tolerance,
                    initial_step: 0.0,
                    largest_step: f64::INFINITY,
                }
            }
            Self::Stiff(tolerance) => MethodDescription::Radau {
                relative_tolerance: tolerance,
                absolute_tolerance: 0.01 * tolerance,
                initial_step: 0.0,
                largest_step: f64::INFINITY,
            },
            Self::Topological(step) => {
                MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 }
            }
            Self::Damped(step, radius) => {
                let damping = DampingChoice::SpectralRadius(radius);
                MethodDescription::Implicit { damping, step, tolerance: 0.0 }
            }
            Self::Global(step) => MethodDescription::Global { step },
            Self::EnergyPreserving(step) => MethodDescription::EnergyMomentum { step, spectral_radius: 1.0 },
            Self::EnergyDecaying(step, spectral_radius) => {
                MethodDescription::EnergyMomentum { step, spectral_radius }
            }
            Self::Implicit(tolerance, step) => {
                MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance }
            }
        }
    }

    /// Formulation asked for; none: that of the method.
    fn formulation(self) -> Option<FormulationChoice> {
        matches!(self, Self::Graph(_)).then_some(FormulationChoice::Graph)
    }

    /// How explicit methods find accelerations.
    pub fn algorithm(self) -> AlgorithmDescription {
        match self {
            Self::DivideAndConquer(_) => {
                AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 }
            }
            _ => AlgorithmDescription::ArticulatedBody,
        }
    }
}

/// What is recorded how long.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// End of the run (s).
    pub end: f64,
    /// Time between rows (s).
    pub rows: f64,
    /// Channels besides energies and constraint violations; `*` and `?` match.
    pub channels: &'a [&'a str],
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was recorded.
    pub recording: Recording,
    /// How it was computed.
    pub route: String,
    /// Computing time (s).
    pub seconds: f64,
}

impl Run {
    /// A channel over time.
    pub fn channel(&self, name: &str) -> Result<Sampled, Fault> {
        Ok(Sampled { x: self.recording.time(), y: self.recording.channel(name)? })
    }

    /// Times of the rows (s).
    pub fn time(&self) -> Vec<f64> {
        self.recording.time()
    }

    /// A channel at a time (s).
    pub fn at(&self, name: &str, time: f64) -> Result<f64, Fault> {
        Ok(self.channel(name)?.at(time))
    }

    /// Largest magnitude of a channel.
    pub fn largest(&self, name: &str) -> Result<f64, Fault> {
        let values = self.recording.channel(name)?;
        Ok(values.iter().fold(0.0, |worst, x| keep_worst(worst, x.abs())))
    }

    /// Energy that is unaccounted for, as a share of the largest energy met.
    pub fn energy_error(&self) -> Result<f64, Fault> {
        let parts = ["kinetic", "gravity", "elastic", "springs", "elements", "work"];
        let mut size = 0.0_f64;
        for part in parts {
            size = size.max(self.largest(&format!("energy.{part}"))?);
        }
        let worst = self.largest("energy.balance")?;
        Ok(if size > 0.0 { worst / size } else { worst })
    }
}

/// The model of `text`, which belongs to the program under `name`.
pub fn model(text: &str, name: &str) -> Result<Built, Fault> {
    model_with(text, name, &[], &NoSource)
}

/// The model of `text` with other numbers: (path, number).
pub fn model_with(
    text: &str,
    name: &str,
    settings: &[(&str, f64)],
    source: &dyn BodySource,
) -> Result<Built, Fault> {
    let mut text = text.to_string();
    for (path, number) in settings {
        text = set_parameter(&text, path, &number.to_string())?;
    }
    Ok(build_text_with(&text, name, source)?.built)
}

impl Context<'_> {
    /// Runs `built` from its initial state.
    pub fn run(&mut self, built: &Built, route: Route, plan: &Plan) -> Result<Run, Fault> {
        let start = State::initial(&built.model, built.description.simulation.start);
        self.run_from(built, start, route, plan)
    }

    /// Runs `built` from a state, such as an equilibrium.
    pub fn run_from(&mut self, built: &Built, start: State, route: Route, plan: &Plan) -> Result<Run, Fault> {
        self.stage(&route.words());
        let mut settings = built.description.simulation.clone();
        (settings.end, settings.output_interval) = (plan.end, plan.rows);
        (settings.method, settings.algorithm) = (route.method(), route.algorithm());
        settings.formulation = route.formulation();
        let always = ["energy.*", "constraint.*"]
            .into_iter()
            .filter(|name| !name.starts_with("constraint") || !built.model.loops.is_empty());
        let channels: Vec<String> = plan.channels.iter().copied().chain(always).map(String::from).collect();
        let mut prepared =
            Simulation::of(built).settings(settings).channels(channels).from_state(start).prepare()?;
        let mut recording = Recording::new(prepared.channels());
        let started = Instant::now();
        let mut watch = |_: &flexura::simulate::Progress| !self.stopped();
        let outcome = prepared
            .run(&mut recording, &mut watch, &mut ())
            .map_err(|error| Fault(format!("{}: {error}", route.words())))?;
        if outcome.cancelled {
            return Err(Fault("interrupted".into()));
        }
        let (seconds, steps) = (started.elapsed().as_secs_f64(), outcome.statistics.accepted);
        self.time(Timing { route: route.words(), seconds, simulated: outcome.end_time, steps });
        Ok(Run { recording, route: route.words(), seconds })
    }
}
