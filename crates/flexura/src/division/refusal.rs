//! What several ranks cannot run, by name and with a way out.

use crate::error::SimulationError;
use crate::model::Model;
use crate::model::description::{
    AlgorithmDescription, FormulationChoice, MethodDescription, SimulationDescription,
};

/// The leaf size of the assemblies (zero: chosen), or why several ranks cannot run `model` with `settings`.
pub(super) fn check(model: &Model, settings: &SimulationDescription) -> Result<usize, SimulationError> {
    let AlgorithmDescription::DivideAndConquer { leaf, refinements, .. } = settings.algorithm else {
        return refused(
            "several ranks divide and conquer: put `algorithm = \"divide-and-conquer\"` under [simulation], or add \
             --algorithm divide-and-conquer",
        );
    };
    if refinements > 0 {
        return refused(
            "refinements need the forces of the whole model: leave `refinements` out, or run on one rank",
        );
    }
    if !matches!(settings.method, MethodDescription::Rk4 { .. } | MethodDescription::DormandPrince { .. }) {
        return refused(format!(
            "method \"{}\": several ranks take explicit steps only; choose \"rk4\" or \"dormand-prince\", or run on one rank",
            settings.method.words()
        ));
    }
    if let Some(choice) = settings.formulation.filter(|choice| *choice != FormulationChoice::Recursive) {
        return refused(format!(
            "formulation \"{}\" runs on one rank only; remove `formulation`, or run on one rank",
            choice.word()
        ));
    }
    if let Some(event) = settings.events.first() {
        return refused(format!(
            "event `{}`: events are looked for on one rank only; leave it out, or run on one rank",
            event.name
        ));
    }
    if let Some(joint) = model.loops.first() {
        return refused(format!(
            "joint `{}` closes a loop: several ranks run trees only; cut the loop (an element in place of the joint), or \
             run on one rank",
            joint.name
        ));
    }
    if let Some(controller) = model.controllers.first() {
        return refused(format!(
            "controller `{}`: controllers measure and drive on one rank only; leave it out, or run on one rank",
            controller.name
        ));
    }
    if let Some(element) = model.elements.iter().find(|element| element.kind.is_one_sided()) {
        return refused(format!(
            "element `{}` acts on one side only: the steps at which such elements touch are looked for on one rank only; \
             leave it out, or run on one rank",
            element.name
        ));
    }
    Ok(leaf)
}

pub(super) fn refused<T>(text: impl Into<String>) -> Result<T, SimulationError> {
    Err(SimulationError::Settings(format!("on several ranks: {}", text.into())))
}
