//! Loads, simulation settings and output.

use super::fields::Fields;
use super::time_function::read_time_function;
use crate::model::description::{
    AlgorithmDescription, ConstraintChoices, DampingChoice, EventDescription, ForceDescription,
    FormulationChoice, InertiaChoice, MethodDescription, OutputDescription, ProjectionChoice,
    SimulationDescription,
};

/// An entry of `[[force]]`.
pub(super) fn read_force(fields: &mut Fields<'_>) -> ForceDescription {
    ForceDescription {
        name: fields.need_text("name", "name = \"push\""),
        at: fields.need_text("at", "at = \"arm.tip\""),
        inertial: fields.choice("axes", &[("inertial", true), ("frame", false)]).unwrap_or(true),
        force: fields.vector3("force", [0.0; 3]),
        moment: fields.vector3("moment", [0.0; 3]),
        scale: fields.get("scale").and_then(|value| read_time_function(&value)),
    }
}

/// The table `[simulation]`.
pub(super) fn read_simulation(fields: &mut Fields<'_>) -> SimulationDescription {
    let default = SimulationDescription::default();
    let initial = fields.entries("initial", "initial values", |fields| {
        let body = fields.need_text("body", "body = \"arm\"");
        let mut list = |key| fields.get(key).and_then(|value| value.numbers()).unwrap_or_default();
        (body, list("modal_position"), list("modal_speed"))
    });
    // Both lists keep the order of the file, so that an index finds its entry;
    // no values mean zero.
    let position = initial.iter().map(|(body, position, _)| (body.clone(), position.clone()));
    let speed = initial.iter().map(|(body, _, speed)| (body.clone(), speed.clone()));
    let formulation = read_formulation(fields);
    SimulationDescription {
        start: fields.f64("start", default.start),
        end: fields.f64("end", default.end),
        method: read_method(fields, formulation),
        formulation,
        algorithm: read_algorithm(fields),
        constraints: read_constraints(fields),
        output_interval: fields.f64("output_interval", default.output_interval),
        modal_position: position.collect(),
        modal_speed: speed.collect(),
        events: fields.entries("event", "event", read_event),
    }
}

/// Words for methods in files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Rk4,
    DormandPrince,
    Radau,
    Automatic,
    Trapezoidal,
    GeneralizedAlpha,
    Hht,
    EnergyPreserving,
    EnergyDecaying,
}

/// Choices inside an index-3 formulation; building tells where there is none.
fn read_constraints(fields: &mut Fields<'_>) -> ConstraintChoices {
    ConstraintChoices {
        projections: fields.choice("projections", &ProjectionChoice::WORDS),
        penalty: fields.get("penalty").and_then(|value| value.f64()),
        inertia: fields.choice("inertia", &InertiaChoice::WORDS),
    }
}

/// Which formulation, where one is asked for.
fn read_formulation(fields: &mut Fields<'_>) -> Option<FormulationChoice> {
    fields.choice("formulation", &FormulationChoice::ALL.map(|choice| (choice.word(), choice)))
}

fn read_method(fields: &mut Fields<'_>, formulation: Option<FormulationChoice>) -> MethodDescription {
    const ADAPTIVE: [&str; 4] = ["relative_tolerance", "absolute_tolerance", "initial_step", "largest_step"];
    const IMPLICIT: [&str; 3] = ["tolerance", "spectral_radius", "alpha"];
    let words = [
        ("rk4", Method::Rk4),
        ("dormand-prince", Method::DormandPrince),
        ("radau", Method::Radau),
        ("auto", Method::Automatic),
        ("trapezoidal", Method::Trapezoidal),
        ("generalized-alpha", Method::GeneralizedAlpha),
        ("hht", Method::Hht),
        ("energy-preserving", Method::EnergyPreserving),
        ("energy-decaying", Method::EnergyDecaying),
    ];
    let known = fields.has("method");
    let global = formulation == Some(FormulationChoice::Global);
    let method = fields.choice("method", &words);
    fields.allow(&ADAPTIVE);
    fields.allow(&IMPLICIT);
    if global && method != Some(Method::Trapezoidal) && (method.is_some() || !known) {
        let message = "the global formulation is integrated by the trapezoidal rule only";
        fields.error("formulation", "formulation", message, "write method = \"trapezoidal\" and a step");
    }
    match method {
        Some(Method::Rk4) => {
            fields.unused(&ADAPTIVE, "the method \"rk4\" has a fixed step");
            fields.unused(&IMPLICIT, "the method \"rk4\" is explicit");
            MethodDescription::Rk4 { step: fields.need_f64("step", "step = 0.001 (seconds)") }
        }
        Some(Method::Trapezoidal) if global => {
            fields.unused(&ADAPTIVE, "the global formulation has a fixed step");
            fields.unused(&IMPLICIT, "the global formulation has a fixed step and no numerical damping");
            fields.unused(
                &["algorithm", "leaf_bodies", "refinements"],
                "the global formulation has its own factorisation",
            );
            MethodDescription::Global { step: fields.need_f64("step", "step = 0.001 (seconds)") }
        }
        Some(Method::Trapezoidal | Method::GeneralizedAlpha | Method::Hht) => {
            fields.unused(&ADAPTIVE, "implicit methods take step and tolerance");
            fields.unused(&["algorithm"], "implicit methods have their own factorisation");
            read_implicit(fields, method)
        }
        Some(Method::EnergyPreserving | Method::EnergyDecaying) => {
            fields.unused(&ADAPTIVE, "the method has a fixed step");
            fields.unused(
                &["tolerance", "alpha"],
                "the method takes a step, energy-decaying spectral_radius too",
            );
            let decaying = method == Some(Method::EnergyDecaying);
            if !decaying {
                fields.unused(
                    &["spectral_radius"],
                    "the method \"energy-preserving\" has no numerical damping",
                );
            }
            MethodDescription::EnergyMomentum {
                step: fields.need_f64("step", "step = 0.001 (seconds)"),
                spectral_radius: if decaying { fields.f64("spectral_radius", 0.5) } else { 1.0 },
            }
        }
        Some(Method::Radau | Method::Automatic) => {
            let word = if method == Some(Method::Radau) { "radau" } else { "auto" };
            fields.allow(&["step"]);
            fields.unused(&["step"], &format!("the method \"{word}\" chooses its steps"));
            let takes = format!("the method \"{word}\" takes relative_tolerance and absolute_tolerance");
            fields.unused(&IMPLICIT, &takes);
            let relative_tolerance = fields.f64("relative_tolerance", 1e-8);
            let absolute_tolerance = fields.f64("absolute_tolerance", 1e-10);
            let initial_step = fields.f64("initial_step", 0.0);
            let largest_step = fields.f64("largest_step", f64::INFINITY);
            if method == Some(Method::Radau) {
                MethodDescription::Radau {
                    relative_tolerance,
                    absolute_tolerance,
                    initial_step,
                    largest_step,
                }
            } else {
                MethodDescription::Automatic {
                    relative_tolerance,
                    absolute_tolerance,
                    initial_step,
                    largest_step,
                }
            }
        }
        Some(Method::DormandPrince) | None => {
            fields.allow(&["step"]);
            if method.is_some() || !known {
                fields.unused(&["step"], "the method \"dormand-prince\" chooses its steps");
                fields.unused(&IMPLICIT, "the method \"dormand-prince\" is explicit");
            }
            MethodDescription::DormandPrince {
                relative_tolerance: fields.f64("relative_tolerance", 1e-8),
                absolute_tolerance: fields.f64("absolute_tolerance", 1e-10),
                initial_step: fields.f64("initial_step", 0.0),
                largest_step: fields.f64("largest_step", f64::INFINITY),
            }
        }
    }
}

/// Which algorithm; implicit methods factorise their own tangent.
fn read_algorithm(fields: &mut Fields<'_>) -> AlgorithmDescription {
    let words = ["articulated-body", "composite-body", "conjugate-gradient", "divide-and-conquer", "auto"]
        .map(|word| (word, word));
    let chosen = fields.choice("algorithm", &words).and_then(AlgorithmDescription::from_word);
    if let Some(AlgorithmDescription::DivideAndConquer { .. }) = chosen {
        let leaf = fields.get("leaf_bodies").and_then(|value| value.count()).unwrap_or(0);
        let refinements = fields.get("refinements").and_then(|value| value.count()).unwrap_or(0);
        return AlgorithmDescription::DivideAndConquer { threads: 1, leaf, refinements };
    }
    fields.allow(&["leaf_bodies", "refinements"]);
    fields.unused(&["leaf_bodies"], "only the algorithm \"divide-and-conquer\" has leaves");
    fields.unused(&["refinements"], "only the algorithm \"divide-and-conquer\" refines its solutions");
    chosen.unwrap_or(AlgorithmDescription::ArticulatedBody)
}

fn read_implicit(fields: &mut Fields<'_>, method: Option<Method>) -> MethodDescription {
    let damping = match method {
        Some(Method::GeneralizedAlpha) => {
            fields.unused(&["alpha"], "generalized-alpha takes spectral_radius");
            DampingChoice::SpectralRadius(fields.f64("spectral_radius", 0.8))
        }
        Some(Method::Hht) => {
            fields.unused(&["spectral_radius"], "hht takes alpha");
            DampingChoice::Hht(fields.f64("alpha", 0.05))
        }
        _ => {
            fields.unused(&["alpha", "spectral_radius"], "the trapezoidal rule has no numerical damping");
            DampingChoice::None
        }
    };
    MethodDescription::Implicit {
        damping,
        step: fields.need_f64("step", "step = 0.001 (seconds)"),
        tolerance: fields.f64("tolerance", 0.0),
    }
}

fn read_event(fields: &mut Fields<'_>) -> EventDescription {
    let directions = [("rising", 1), ("falling", -1), ("both", 0)];
    EventDescription {
        name: fields.need_text("name", "name = \"touch-down\""),
        channel: fields.need_text("channel", "channel = the name of a recorded channel"),
        value: fields.f64("value", 0.0),
        direction: fields.choice("direction", &directions).unwrap_or(0),
        stop: fields.choice("action", &[("stop", true), ("record", false)]).unwrap_or(false),
    }
}

/// The table `[output]`.
pub(super) fn read_output(fields: &mut Fields<'_>) -> OutputDescription {
    let channels = fields.get("channels");
    let patterns = channels.and_then(|value| value.each(|name| name.text().map(str::to_owned)));
    let channels = patterns.unwrap_or_else(|| OutputDescription::default().channels);
    let picture = fields.get("picture").and_then(|value| value.bool());
    let stress = fields.get("stress").and_then(|value| value.bool());
    if picture == Some(false) && stress == Some(true) {
        let message = "stresses need the modal coordinates that `picture = false` leaves out";
        fields.error("conflicting-keys", "stress", message, "remove `picture = false`, or `stress = true`");
    }
    OutputDescription { channels, picture, stress }
}
