//! Method, formulation and algorithm of a run in place of the file's.

use crate::Outcome;
use crate::failure::Failure;
use flexura::build::{in_formulation, with_algorithm, with_simulation};
use flexura::diagnostic::Diagnostic;
use flexura::file::Loaded;
use flexura::model::description::{
    AlgorithmDescription, FormulationChoice, MethodDescription, SimulationDescription,
};

/// Methods that choose their steps, so that nothing but tolerances is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdaptiveMethod {
    DormandPrince,
    Radau,
    Automatic,
}

/// A method that chooses its steps, by its word.
pub fn method(word: &str) -> Result<AdaptiveMethod, String> {
    match word {
        "dormand-prince" => Ok(AdaptiveMethod::DormandPrince),
        "radau" => Ok(AdaptiveMethod::Radau),
        "auto" => Ok(AdaptiveMethod::Automatic),
        _ => Err("choose dormand-prince, radau or auto; methods of a given step belong into the file".into()),
    }
}

impl AdaptiveMethod {
    /// With tolerances and bounds of the step as `own` has them, where it has any.
    fn like(self, own: &MethodDescription) -> MethodDescription {
        let (relative_tolerance, absolute_tolerance, initial_step, largest_step) = match *own {
            MethodDescription::DormandPrince {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            }
            | MethodDescription::Radau {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            }
            | MethodDescription::Automatic {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            } => (relative_tolerance, absolute_tolerance, initial_step, largest_step),
            _ => (1e-8, 1e-10, 0.0, f64::INFINITY),
        };
        match self {
            Self::DormandPrince => MethodDescription::DormandPrince {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            },
            Self::Radau => MethodDescription::Radau {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            },
            Self::Automatic => MethodDescription::Automatic {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            },
        }
    }
}

/// The method asked for; a formulation of the file that belongs to another method is left with it.
pub fn choose_method(asked: Option<AdaptiveMethod>, loaded: &mut Loaded) -> Outcome {
    let Some(choice) = asked else { return Ok(()) };
    let own = &loaded.built.description.simulation;
    let formulation = own
        .formulation
        .filter(|word| !matches!(word, FormulationChoice::Topological | FormulationChoice::Global));
    let new = SimulationDescription { method: choice.like(&own.method), formulation, ..own.clone() };
    let word = new.method.words();
    let chosen =
        with_simulation(&loaded.built.model, new).map_err(|found| refused("--method", word, &found))?;
    loaded.built.description.simulation = chosen;
    Ok(())
}

fn refused(option: &str, word: &str, found: &Diagnostic) -> Failure {
    Failure::Usage(format!("{option} {word}: {}\n  = help: {}", found.message, found.help))
}

/// An algorithm by its word.
pub fn algorithm(word: &str) -> Result<AlgorithmDescription, String> {
    let known = "choose articulated-body, composite-body, conjugate-gradient, divide-and-conquer or auto";
    AlgorithmDescription::from_word(word).ok_or_else(|| known.to_string())
}

/// A formulation by its word.
pub fn formulation(word: &str) -> Result<FormulationChoice, String> {
    FormulationChoice::from_word(word)
        .ok_or_else(|| "choose recursive, topological, global or graph".to_string())
}

/// The formulation asked for in place of the file's.
pub fn choose_formulation(asked: Option<FormulationChoice>, loaded: &mut Loaded) -> Outcome {
    if let Some(choice) = asked {
        let (model, own) = (&loaded.built.model, &loaded.built.description.simulation);
        let settings = in_formulation(model, own, choice)
            .map_err(|found| refused("--formulation", choice.word(), &found))?;
        loaded.built.description.simulation = settings;
    }
    Ok(())
}

/// Algorithm and steps of refinement in place of the file's.
pub fn choose_algorithm(
    asked: Option<AlgorithmDescription>,
    refinements: Option<u16>,
    loaded: &mut Loaded,
) -> Outcome {
    let (model, settings) = (&loaded.built.model, &mut loaded.built.description.simulation);
    if let Some(choice) = asked {
        let chosen = with_algorithm(model, settings, choice)
            .map_err(|found| refused("--algorithm", choice.word(), &found))?;
        // A word that the file has already keeps its leaves and refinements; "auto" is settled there.
        if choice.word() != settings.algorithm.word() && chosen.algorithm.word() != settings.algorithm.word()
        {
            *settings = chosen;
        }
    }
    let Some(count) = refinements.map(usize::from) else { return Ok(()) };
    match &mut loaded.built.description.simulation.algorithm {
        AlgorithmDescription::DivideAndConquer { refinements, .. } => *refinements = count,
        _ => {
            let text = "--refinements: only the algorithm \"divide-and-conquer\" refines its solutions: add --algorithm divide-and-conquer";
            return Err(Failure::Usage(text.into()));
        }
    }
    Ok(())
}
