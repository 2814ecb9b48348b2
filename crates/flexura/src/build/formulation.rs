//! Formulations and methods: which fit, which are refused.

use crate::algorithm::composite_body::LARGEST_SPEED_COUNT;
use crate::constraint::nonholonomic;
use crate::diagnostic::Diagnostic;
use crate::formulation::global::{GlobalError, GlobalModel, GlobalOptions};
use crate::formulation::graph::{INEXACT, INEXACT_FIX, inexact_joint};
use crate::integrate::energy_refusal as refusal;
use crate::model::Model;
use crate::model::description::{
    AlgorithmDescription, DampingChoice, Description, FormulationChoice, MethodDescription,
    SimulationDescription,
};

/// What the chosen formulation cannot integrate.
pub(super) fn formulation_problem(model: &Model, settings: &SimulationDescription) -> Option<Diagnostic> {
    let method = &settings.method;
    let (asked, fits) = (settings.formulation, FormulationChoice::of(method, !model.loops.is_empty()));
    if asked == Some(FormulationChoice::Graph) {
        return graph_problem(model, settings, fits).or_else(|| choices_problem(settings, fits));
    }
    if let Some(asked) = asked.filter(|asked| *asked != fits) {
        return Some(misfit(model, asked, fits));
    }
    if let Some(problem) = speeds_problem(model, method) {
        return Some(problem);
    }
    if let Some(problem) = algorithm_problem(model, settings) {
        return Some(problem);
    }
    if let Some(problem) = choices_problem(settings, fits) {
        return Some(problem);
    }
    if let (MethodDescription::EnergyMomentum { .. }, Some(body)) = (method, refusal::without_energy(model)) {
        let message = format!("{} (`{body}`)", refusal::WHAT);
        return Some(Diagnostic::error(
            "method",
            "simulation.method",
            "simulation settings",
            message,
            refusal::FIX,
        ));
    }
    let MethodDescription::Global { .. } = settings.method else { return None };
    let GlobalError::Unsupported { what, item, fix } =
        GlobalModel::new(model, &GlobalOptions::chosen(&settings.constraints)).err()?;
    let message = format!("the global formulation does not know {what} (`{item}`)");
    let path = "simulation.formulation";
    Some(Diagnostic::error("formulation", path, "simulation settings", message, fix))
}

/// Methods that keep constraints at the level of positions do not know those on speeds alone.
fn speeds_problem(model: &Model, method: &MethodDescription) -> Option<Diagnostic> {
    let who = match method {
        MethodDescription::Implicit { .. } => "implicit steps of closed loops do",
        MethodDescription::Global { .. } => "the global formulation does",
        MethodDescription::EnergyMomentum { .. } => "energy-preserving steps do",
        MethodDescription::Rk4 { .. }
        | MethodDescription::DormandPrince { .. }
        | MethodDescription::Automatic { .. }
        | MethodDescription::Radau { .. } => return None,
    };
    let message = nonholonomic::refusal(model, who)?;
    let (path, item) = ("simulation.method", "simulation settings");
    Some(Diagnostic::error("speed-constraints", path, item, message, nonholonomic::FIX))
}

/// What the equations of the linear graph cannot run.
fn graph_problem(
    model: &Model,
    settings: &SimulationDescription,
    fits: FormulationChoice,
) -> Option<Diagnostic> {
    let refuse = |key: &'static str, message: String, help: String| {
        let path = format!("simulation.{key}");
        Some(Diagnostic::error(key, path, "simulation settings", message, help))
    };
    let explicit = matches!(
        settings.method,
        MethodDescription::Rk4 { .. }
            | MethodDescription::DormandPrince { .. }
            | MethodDescription::Radau { .. }
            | MethodDescription::Automatic { .. }
    );
    if !explicit {
        return Some(misfit(model, FormulationChoice::Graph, fits));
    }
    if settings.algorithm != AlgorithmDescription::ArticulatedBody {
        let message = format!(
            "equations from the linear graph are solved densely, not by algorithm = \"{}\"",
            settings.algorithm.word()
        );
        return refuse(
            "algorithm",
            message,
            "remove `algorithm`, or write formulation = \"recursive\"".into(),
        );
    }
    if let Some(joint) = inexact_joint(model) {
        return refuse("formulation", format!("{INEXACT} (joint `{joint}`)"), INEXACT_FIX.into());
    }
    let speeds = model.speed_count();
    if speeds > LARGEST_SPEED_COUNT {
        let message = format!(
            "equations from the linear graph need a dense mass matrix, at most of {LARGEST_SPEED_COUNT} speeds, not of {speeds}"
        );
        return refuse("formulation", message, "write formulation = \"recursive\"".into());
    }
    None
}

/// Choices inside a formulation that does not run, or that has none such.
fn choices_problem(settings: &SimulationDescription, fits: FormulationChoice) -> Option<Diagnostic> {
    let choices = &settings.constraints;
    let refuse = |key: &str, message: String, help: &str| {
        let path = format!("simulation.{key}");
        Some(Diagnostic::error("formulation", path, "simulation settings", message, help))
    };
    let index_3 = matches!(fits, FormulationChoice::Topological | FormulationChoice::Global);
    let given = [("projections", choices.projections.is_some()), ("penalty", choices.penalty.is_some())];
    if let (Some((key, _)), false) = (given.into_iter().find(|(_, given)| *given), index_3) {
        let message = format!(
            "`{key}` belongs to implicit steps of closed loops and to natural coordinates, which do not run here"
        );
        return refuse(key, message, "remove it, or write method = \"trapezoidal\" for a model with loops");
    }
    if choices.inertia.is_some() && fits != FormulationChoice::Global {
        let message =
            "`inertia` chooses how natural coordinates evaluate it; here the level of each body does"
                .to_string();
        return refuse("inertia", message, "remove it, or write formulation = \"global\"");
    }
    let penalty = choices.penalty.filter(|penalty| !(penalty.is_finite() && *penalty > 0.0))?;
    let message = format!("the penalty must be positive, but is {penalty}");
    refuse("penalty", message, "a number free of units, for example 1e7; or leave it out")
}

/// What the chosen algorithm cannot solve, where the method asks it.
fn algorithm_problem(model: &Model, settings: &SimulationDescription) -> Option<Diagnostic> {
    let explicit =
        !matches!(settings.method, MethodDescription::Implicit { .. } | MethodDescription::Global { .. });
    let (algorithm, speeds) = (settings.algorithm, model.speed_count());
    let composite = algorithm == AlgorithmDescription::CompositeBody;
    if !explicit || !(composite || algorithm == AlgorithmDescription::ConjugateGradient) {
        return None;
    }
    let word = algorithm.word();
    let message = match model.loops.first() {
        Some(joint) => {
            format!("the algorithm \"{word}\" does not know closed loops (joint `{}` closes one)", joint.name)
        }
        None if composite && speeds > LARGEST_SPEED_COUNT => format!(
            "the algorithm \"{word}\" needs a dense mass matrix, at most of {LARGEST_SPEED_COUNT} speeds, not of {speeds}"
        ),
        None => return None,
    };
    let help = "write algorithm = \"articulated-body\" or \"divide-and-conquer\"";
    Some(Diagnostic::error("algorithm", "simulation.algorithm", "simulation settings", message, help))
}

/// `settings` with another algorithm; refused where it does not fit.
pub fn with_algorithm(
    model: &Model,
    settings: &SimulationDescription,
    algorithm: AlgorithmDescription,
) -> Result<SimulationDescription, Box<Diagnostic>> {
    let changed = SimulationDescription { algorithm, ..settings.clone() };
    if let MethodDescription::Implicit { .. } | MethodDescription::Global { .. } = settings.method {
        let message = "implicit methods and the global formulation have their own factorisation";
        let help = "choose an algorithm for explicit methods and \"radau\" only";
        let path = "simulation.algorithm";
        return Err(Box::new(Diagnostic::error("algorithm", path, "simulation settings", message, help)));
    }
    let graph = settings.formulation == Some(FormulationChoice::Graph);
    let problem =
        if graph { formulation_problem(model, &changed) } else { algorithm_problem(model, &changed) };
    match problem {
        Some(problem) => Err(Box::new(problem)),
        None => Ok(settled(model, changed)),
    }
}

/// `settings` with the algorithm of least counted work in the place of "auto".
fn settled(model: &Model, mut settings: SimulationDescription) -> SimulationDescription {
    if let Some(choice) = super::settle_algorithm(model, &settings) {
        settings.algorithm = choice.algorithm;
    }
    settings
}

/// `new` as the settings of a built model; refused where numbers are none, or method and formulation do not fit.
pub fn with_simulation(
    model: &Model,
    new: SimulationDescription,
) -> Result<SimulationDescription, Box<Diagnostic>> {
    let mut alone = Description::new("settings");
    // Bodies of initial values and channels of events were checked with the model.
    alone.simulation = SimulationDescription {
        modal_position: Vec::new(),
        modal_speed: Vec::new(),
        events: Vec::new(),
        ..new.clone()
    };
    let wrong = |found: &Diagnostic| found.is_error() && found.path.starts_with("simulation");
    let found = crate::model::validate::validate(&mut alone).into_iter().find(wrong);
    match found.or_else(|| formulation_problem(model, &new)) {
        Some(problem) => Err(Box::new(problem)),
        None => Ok(settled(model, new)),
    }
}

/// `settings` in another formulation, with the step of their method; refused where it does not fit.
pub fn in_formulation(
    model: &Model,
    settings: &SimulationDescription,
    choice: FormulationChoice,
) -> Result<SimulationDescription, Box<Diagnostic>> {
    let mut changed = settings.clone();
    changed.formulation = Some(choice);
    changed.method = match (choice, &settings.method) {
        // Steps of the global formulation are fixed: a tolerance would be lost.
        (
            FormulationChoice::Global,
            &MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 },
        ) => MethodDescription::Global { step },
        (
            FormulationChoice::Topological | FormulationChoice::Recursive,
            &MethodDescription::Global { step },
        ) => MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 },
        (_, method) => method.clone(),
    };
    match formulation_problem(model, &changed) {
        Some(problem) => Err(Box::new(problem)),
        None => Ok(changed),
    }
}

/// Why the formulation `asked` for is not the one that method and loops lead to.
fn misfit(model: &Model, asked: FormulationChoice, fits: FormulationChoice) -> Diagnostic {
    use FormulationChoice::{Global, Graph, Recursive, Topological};
    let loops = !model.loops.is_empty();
    let (message, help) = match asked {
        Topological if !loops => (
            "the topological formulation is that of closed loops, and this model has none",
            "remove `formulation`; with [graph] tree = \"absolute\" every joint closes a loop",
        ),
        Topological => (
            "the topological formulation is integrated by implicit steps",
            "write method = \"generalized-alpha\", \"trapezoidal\" or \"hht\" and a step",
        ),
        Recursive => (
            "implicit steps of closed loops are taken in the topological formulation",
            "write formulation = \"topological\" or nothing, or an explicit method or \"radau\"",
        ),
        Global => (
            "the global formulation is integrated by the trapezoidal rule with a fixed step only",
            "write method = \"trapezoidal\" and a step, without tolerance",
        ),
        Graph => (
            "equations from the linear graph are integrated by explicit methods and radau",
            "write method = \"dormand-prince\", \"radau\" or \"rk4\"",
        ),
    };
    let message =
        format!("{message} (formulation = \"{}\", this run would be {})", asked.word(), fits.word());
    Diagnostic::error("formulation", "simulation.formulation", "simulation settings", message, help)
}
