//! How to simulate and what to record, as users write it.

use crate::model::words::number;
use std::fmt;

/// Time span, method and tolerances.
#[derive(Clone, Debug)]
pub struct SimulationDescription {
    /// Start time (s).
    pub start: f64,
    /// End time (s).
    pub end: f64,
    /// Integration method.
    pub method: MethodDescription,
    /// Formulation asked for; absent: [`FormulationChoice::of`] the method and the loops.
    pub formulation: Option<FormulationChoice>,
    /// How accelerations are found in explicit methods and in Radau IIA.
    pub algorithm: AlgorithmDescription,
    /// Choices inside the topological and the global formulation.
    pub constraints: ConstraintChoices,
    /// Interval between recorded rows (s); zero records every step.
    pub output_interval: f64,
    /// Initial modal coordinates: (body, values).
    pub modal_position: Vec<(String, Vec<f64>)>,
    /// Initial modal speeds: (body, values).
    pub modal_speed: Vec<(String, Vec<f64>)>,
    /// Events to locate.
    pub events: Vec<EventDescription>,
}

impl Default for SimulationDescription {
    fn default() -> Self {
        Self {
            start: 0.0,
            end: 1.0,
            method: MethodDescription::DormandPrince {
                relative_tolerance: 1e-8,
                absolute_tolerance: 1e-10,
                initial_step: 0.0,
                largest_step: f64::INFINITY,
            },
            formulation: None,
            algorithm: AlgorithmDescription::ArticulatedBody,
            constraints: ConstraintChoices::default(),
            output_interval: 0.01,
            modal_position: Vec::new(),
            modal_speed: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// Algorithms of forward dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlgorithmDescription {
    /// Recursion over the bodies on one thread.
    ArticulatedBody,
    /// Dense mass matrix by composite bodies and Cholesky, for comparisons; without loops.
    CompositeBody,
    /// Products by inverse dynamics in a conjugate gradient iteration, for comparisons; without loops.
    ConjugateGradient,
    /// Assemblies of halves, for long chains and trees on several threads.
    DivideAndConquer {
        /// Threads to use; results do not depend on it.
        threads: usize,
        /// Bodies eliminated in sequence at the leaves; 0 chooses. Fewer bodies than that are articulated bodies.
        leaf: usize,
        /// Steps of iterative refinement after every solution.
        refinements: usize,
    },
    /// That of the others with the least counted work on the model: building the model puts it in this place.
    Automatic,
}

impl AlgorithmDescription {
    /// The algorithm of that word in model files, with the settings that it chooses itself.
    pub fn from_word(word: &str) -> Option<Self> {
        let divided = Self::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
        let all =
            [Self::ArticulatedBody, Self::CompositeBody, Self::ConjugateGradient, divided, Self::Automatic];
        all.into_iter().find(|choice| choice.word() == word)
    }

    /// The word in model files.
    pub fn word(self) -> &'static str {
        match self {
            Self::ArticulatedBody => "articulated-body",
            Self::CompositeBody => "composite-body",
            Self::ConjugateGradient => "conjugate-gradient",
            Self::DivideAndConquer { .. } => "divide-and-conquer",
            Self::Automatic => "auto",
        }
    }
}

/// How index-3 formulations treat constraints and inertia; absent: as they do by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConstraintChoices {
    /// What is done with velocities and accelerations after a step.
    pub projections: Option<ProjectionChoice>,
    /// Penalty of a constraint, free of units: of the inertia that it feels (topological) or of the largest mass (global).
    pub penalty: Option<f64>,
    /// Inertia of flexible bodies in the global formulation.
    pub inertia: Option<InertiaChoice>,
}

/// What is done with velocities and accelerations after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectionChoice {
    /// Projected until the constraints hold.
    Iterated,
    /// One pass, as published.
    OnePass,
    /// Left as the rule of integration gives them.
    None,
}

/// How the global formulation evaluates the inertia of flexible bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InertiaChoice {
    /// From integrals made before the run.
    Invariants,
    /// From the mass pieces of all elements in every evaluation, BᵀMB.
    Nodal,
    /// From the assembled mass matrix of the elements in every evaluation, BᵀMB.
    Assembled,
}

impl ProjectionChoice {
    /// Words in model files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("iterated", Self::Iterated), ("one-pass", Self::OnePass), ("none", Self::None)];
}

impl InertiaChoice {
    /// Words in model files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("invariants", Self::Invariants), ("nodal", Self::Nodal), ("assembled", Self::Assembled)];
}

/// In which coordinates, and with which equations for closed loops, a run is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormulationChoice {
    /// Joint coordinates by recursion; loops closed by reactions and projection in every evaluation.
    Recursive,
    /// Joint coordinates; loops by penalties, multipliers and projections in implicit steps (index 3).
    Topological,
    /// Natural coordinates of all bodies (index 3).
    Global,
    /// Branch coordinates of the tree; equations generated from the linear graph in every evaluation, dense.
    Graph,
}

impl FormulationChoice {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Recursive, Self::Topological, Self::Global, Self::Graph];

    /// The formulation that a method integrates a model with or without closed loops in.
    pub fn of(method: &MethodDescription, loops: bool) -> Self {
        match method {
            MethodDescription::Global { .. } => Self::Global,
            MethodDescription::Implicit { .. } if loops => Self::Topological,
            _ => Self::Recursive,
        }
    }

    /// The formulation of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.word() == word)
    }

    /// The word in model files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Recursive => "recursive",
            Self::Topological => "topological",
            Self::Global => "global",
            Self::Graph => "graph",
        }
    }
}

/// Integration methods.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MethodDescription {
    /// Classical fourth-order Runge-Kutta with a fixed step.
    Rk4 {
        /// Step (s).
        step: f64,
    },
    /// Dormand-Prince 5(4) with error control and dense output.
    DormandPrince {
        /// Relative tolerance per coordinate.
        relative_tolerance: f64,
        /// Absolute tolerance per coordinate.
        absolute_tolerance: f64,
        /// First step (s); zero lets the integrator choose.
        initial_step: f64,
        /// Largest step (s).
        largest_step: f64,
    },
    /// Dormand-Prince, and Radau IIA where that one advances farther for its cost; both with these tolerances.
    Automatic {
        /// Relative tolerance per coordinate.
        relative_tolerance: f64,
        /// Absolute tolerance per coordinate.
        absolute_tolerance: f64,
        /// First step (s); zero lets the integrator choose.
        initial_step: f64,
        /// Largest step (s).
        largest_step: f64,
    },
    /// Radau IIA of order 5 with error control and dense output, for stiff systems.
    Radau {
        /// Relative tolerance per coordinate.
        relative_tolerance: f64,
        /// Absolute tolerance per coordinate.
        absolute_tolerance: f64,
        /// First step (s); zero lets the integrator choose.
        initial_step: f64,
        /// Largest step (s).
        largest_step: f64,
    },
    /// Trapezoidal rule in natural coordinates: the global formulation.
    Global {
        /// Step (s).
        step: f64,
    },
    /// Implicit second-order method for stiff systems: trapezoidal, HHT or generalised-α.
    Implicit {
        /// High-frequency damping.
        damping: DampingChoice,
        /// Step, or first step where a tolerance is given (s).
        step: f64,
        /// Local error tolerance; zero keeps the step fixed.
        tolerance: f64,
    },
    /// Discrete-gradient step that conserves energy, or takes it out of vibrations only.
    EnergyMomentum {
        /// Step (s).
        step: f64,
        /// Factor per step on vibrations of infinite frequency: one conserves energy, zero damps most.
        spectral_radius: f64,
    },
}

/// The method in words, with its step or tolerance.
impl fmt::Display for MethodDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rk4 { step } => write!(f, "rk4, step {} s", number(step)),
            Self::Global { step } => write!(f, "trapezoidal, step {} s", number(step)),
            Self::DormandPrince { .. } => f.write_str("dormand-prince"),
            Self::Radau { .. } => f.write_str("radau"),
            Self::Automatic { .. } => f.write_str("auto"),
            Self::EnergyMomentum { step, spectral_radius: 1.0 } => {
                write!(f, "energy-preserving, step {} s", number(step))
            }
            Self::EnergyMomentum { step, spectral_radius } => {
                let radius = number(spectral_radius);
                write!(f, "energy-decaying, spectral radius {radius}, step {} s", number(step))
            }
            Self::Implicit { damping, tolerance, .. } if tolerance > 0.0 => {
                write!(f, "{damping}, tolerance {tolerance:e}")
            }
            Self::Implicit { damping, step, .. } => write!(f, "{damping}, step {} s", number(step)),
        }
    }
}

impl MethodDescription {
    /// The method as model files call it.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Rk4 { .. } => "rk4",
            Self::DormandPrince { .. } => "dormand-prince",
            Self::Radau { .. } => "radau",
            Self::Automatic { .. } => "auto",
            Self::Global { .. } => "trapezoidal in the global formulation",
            Self::Implicit { damping: DampingChoice::None, .. } => "trapezoidal",
            Self::Implicit { damping: DampingChoice::SpectralRadius(_), .. } => "generalized-alpha",
            Self::Implicit { damping: DampingChoice::Hht(_), .. } => "hht",
            Self::EnergyMomentum { spectral_radius, .. } if *spectral_radius >= 1.0 => "energy-preserving",
            Self::EnergyMomentum { .. } => "energy-decaying",
        }
    }
}

/// High-frequency damping of the implicit method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DampingChoice {
    /// Trapezoidal rule: none.
    None,
    /// Generalised-α with this spectral radius at infinite frequency, 0 (strongest) to 1.
    SpectralRadius(f64),
    /// Hilber-Hughes-Taylor with this α, 0 to 1/3.
    Hht(f64),
}

/// The rule in words.
impl fmt::Display for DampingChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => f.write_str("trapezoidal"),
            Self::SpectralRadius(radius) => {
                write!(f, "generalized-alpha, spectral radius {}", number(radius))
            }
            Self::Hht(alpha) => write!(f, "hht, alpha {}", number(alpha)),
        }
    }
}

/// An instant to locate: a channel crosses a value.
#[derive(Clone, Debug)]
pub struct EventDescription {
    /// Name shown in the log.
    pub name: String,
    /// Channel watched: a joint, modal or frame channel.
    pub channel: String,
    /// Value crossed.
    pub value: f64,
    /// Positive: only rising; negative: only falling; zero: both.
    pub direction: i8,
    /// Whether the run ends there.
    pub stop: bool,
}

/// What to record.
#[derive(Clone, Debug)]
pub struct OutputDescription {
    /// Channel patterns with `*` and `?`; `["*"]` records everything.
    pub channels: Vec<String>,
    /// Whether geometry, poses and modal coordinates are recorded for viewers; `None` lets the size decide.
    pub picture: Option<bool>,
    /// Whether rows of stresses and displacements are kept in the result; `None` lets the size decide.
    pub stress: Option<bool>,
}

impl Default for OutputDescription {
    fn default() -> Self {
        Self { channels: vec!["*".into()], picture: None, stress: None }
    }
}
