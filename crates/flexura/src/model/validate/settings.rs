//! Loads, time span, method, initial values, events and output.

use super::names::{Carrier, Names};
use super::{Report, overshoot};
use crate::model::controller::Block;
use crate::model::description::{
    AlgorithmDescription, BodyKind, DampingChoice, Description, MethodDescription,
};
use crate::model::element::ForceLaw;
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// Checks everything that is neither body nor joint.
pub(super) fn check(description: &Description, names: &Names<'_>, report: &mut Report) {
    check_forces(description, names, report);
    check_controllers(description, report);
    check_span(description, report);
    check_method(description, report);
    let simulation = &description.simulation;
    check_initial(&simulation.modal_position, "modal_position", description, names, report);
    check_initial(&simulation.modal_speed, "modal_speed", description, names, report);
    let path = ROOT.key("simulation");
    let list = path.key("event");
    for (k, event) in simulation.events.iter().enumerate() {
        if event.channel.trim().is_empty() {
            let (path, item) = (list.index(k), Item::named("event", &event.name, k));
            let help = "name the channel to watch, for example the position of a joint";
            report.error("event-channel", &path.key("channel"), &item, "the event watches no channel", help);
        }
    }
    if description.output.channels.is_empty() {
        let (output, item) = (ROOT.key("output"), Item::section("output settings"));
        let message = "no channel is recorded";
        report.warning(
            "no-output",
            &output.key("channels"),
            &item,
            message,
            "channels = [\"*\"] records all",
        );
    }
}

fn check_forces(description: &Description, names: &Names<'_>, report: &mut Report) {
    let list = ROOT.key("force");
    for (i, force) in description.forces.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("force", &force.name, i));
        if names.frame(&force.at, &path.key("at"), &item, report) == Some(Carrier::Ground) {
            let message = format!("the load acts at `{}`, on the ground, which does not move", force.at);
            report.error("force-on-ground", &path.key("at"), &item, message, "name a frame of a body");
        }
        if force.force == [0.0; 3] && force.moment == [0.0; 3] {
            let message = "force and moment are both zero";
            report.warning("zero-load", &path, &item, message, "give `force` [N] or `moment` [N m]");
        }
        overshoot::check(force.scale.as_ref(), &path.key("scale"), &item, report);
        if let Some(Err(fault)) = force.scale.as_ref().map(|scale| scale.validate()) {
            let help = "correct the function of time in `scale`";
            report.error("time-function", &path.key("scale"), &item, fault.to_string(), help);
        }
    }
}

/// References over time and laws over a channel.
fn check_controllers(description: &Description, report: &mut Report) {
    let list = ROOT.key("controller");
    for (i, controller) in description.controllers.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("controller", &controller.name, i));
        let span = span(description);
        if controller.sample_time > 0.0 && span / controller.sample_time > MOST_STEPS {
            let message = format!("a sample every {} s", words::number(controller.sample_time));
            let help = format!("at most {MOST_STEPS:.0e} in a run; zero acts continuously");
            report.error("sample-time", &path.key("sample_time"), &item, message, &help);
        }
        for reference in &controller.references {
            overshoot::check(Some(reference), &path.key("reference"), &item, report);
        }
        if let Block::Function { law: ForceLaw::Table(table) } = &controller.block {
            overshoot::report(table.overshoot(), &path.key("table"), &item, report);
        }
    }
}

fn check_span(description: &Description, report: &mut Report) {
    let simulation = &description.simulation;
    let (path, item) = (ROOT.key("simulation"), Item::section("simulation settings"));
    let (start, end) = (simulation.start, simulation.end);
    if end <= start {
        let message =
            format!("the end {} s is not after the start {} s", words::number(end), words::number(start));
        report.error("time-span", &path.key("end"), &item, message, "give an `end` later than `start`");
        return;
    }
    let (key, interval) = (path.key("output_interval"), simulation.output_interval);
    if interval < 0.0 {
        let message = format!("the output interval is negative: {}", words::number(interval));
        let help = "give seconds between rows, or 0 to record every step";
        report.error("output-interval", &key, &item, message, help);
    } else if end.is_finite() && interval > 0.0 && (end - start) / interval > MOST_ROWS {
        let message = format!(
            "an output interval of {} s would give {:.0e} rows",
            words::number(interval),
            (end - start) / interval
        );
        let help = format!("at most {MOST_ROWS:.0e}; leave it out for a row at every step");
        report.error("output-interval", &key, &item, message, &help);
    } else if interval > end - start {
        let message = format!("the output interval {} s is longer than the run", words::number(interval));
        report.warning("output-interval", &key, &item, message, "only the first and last rows are recorded");
    }
}

/// Length of the run (s); zero where it is none, which is refused elsewhere.
fn span(description: &Description) -> f64 {
    let span = description.simulation.end - description.simulation.start;
    if span.is_finite() { span } else { 0.0 }
}

/// Steps of refinement above which every evaluation would take for ever: two or three give all digits that there are.
const MOST_REFINEMENTS: usize = 100;

/// Rows and steps above which a run would never end: its files and times have no end either.
const MOST_ROWS: f64 = 1e12;
const MOST_STEPS: f64 = 1e12;

fn check_method(description: &Description, report: &mut Report) {
    let span = span(description);
    let (path, item) = (ROOT.key("simulation"), Item::section("simulation settings"));
    let mut refuse = |key: &str, message: String, help: &str| {
        let code = if key.ends_with("tolerance") { "tolerance-range" } else { "step-range" };
        report.error(code, &path.key(key), &item, message, help);
    };
    if let AlgorithmDescription::DivideAndConquer { refinements, .. } = description.simulation.algorithm
        && refinements > MOST_REFINEMENTS
    {
        let message = format!("{refinements} steps of refinement");
        refuse("refinements", message, &format!("at most {MOST_REFINEMENTS}; two or three give all digits"));
    }
    match description.simulation.method {
        MethodDescription::Rk4 { step }
        | MethodDescription::Global { step }
        | MethodDescription::Implicit { step, .. }
        | MethodDescription::EnergyMomentum { step, .. }
            if step <= 0.0 =>
        {
            let message = format!("the step must be positive, but is {}", words::number(step));
            refuse("step", message, "give seconds, for example step = 0.001");
        }
        MethodDescription::Rk4 { step }
        | MethodDescription::Global { step }
        | MethodDescription::EnergyMomentum { step, .. }
        | MethodDescription::Implicit { step, tolerance: 0.0, .. }
            if span / step > MOST_STEPS =>
        {
            let message =
                format!("a step of {} s would take {:.0e} of them", words::number(step), span / step);
            refuse("step", message, &format!("at most {MOST_STEPS:.0e}; for example step = 0.001"));
        }
        MethodDescription::Rk4 { .. } | MethodDescription::Global { .. } => {}
        MethodDescription::EnergyMomentum { spectral_radius, .. } => {
            check_damping(DampingChoice::SpectralRadius(spectral_radius), &mut refuse);
        }
        MethodDescription::DormandPrince {
            relative_tolerance,
            absolute_tolerance,
            initial_step,
            largest_step,
        }
        | MethodDescription::Radau { relative_tolerance, absolute_tolerance, initial_step, largest_step }
        | MethodDescription::Automatic {
            relative_tolerance,
            absolute_tolerance,
            initial_step,
            largest_step,
        } => {
            check_tolerances(relative_tolerance, absolute_tolerance, &mut refuse);
            check_steps(initial_step, largest_step, &mut refuse);
        }
        MethodDescription::Implicit { damping, tolerance, .. } => {
            check_damping(damping, &mut refuse);
            if !(0.0..=0.1).contains(&tolerance) {
                let message = format!("the tolerance {} lies outside 0 to 0.1", words::number(tolerance));
                refuse("tolerance", message, "leave it out for a fixed step; 1e-6 suits most models");
            }
        }
    }
}

fn check_damping(damping: DampingChoice, refuse: &mut impl FnMut(&str, String, &str)) {
    match damping {
        DampingChoice::SpectralRadius(rho) if !(0.0..=1.0).contains(&rho) => {
            let message = format!("the spectral radius {} lies outside 0 to 1", words::number(rho));
            refuse("spectral_radius", message, "0.8 damps high frequencies gently, 0 at once");
        }
        DampingChoice::Hht(alpha) if !(0.0..=1.0 / 3.0).contains(&alpha) => {
            let message = format!("alpha {} lies outside 0 to 1/3", words::number(alpha));
            refuse("alpha", message, "0.05 is a usual value");
        }
        _ => {}
    }
}

fn check_tolerances(relative: f64, absolute: f64, refuse: &mut impl FnMut(&str, String, &str)) {
    if !(1e-14..=0.1).contains(&relative) {
        let given = words::number(relative);
        let message = format!("the relative tolerance {given} lies outside 1e-14 to 0.1");
        refuse("relative_tolerance", message, "1e-8 suits most models");
    }
    if absolute <= 0.0 {
        let given = words::number(absolute);
        let message = format!("the absolute tolerance must be positive, but is {given}");
        refuse("absolute_tolerance", message, "1e-10 suits most models");
    }
}

fn check_steps(initial: f64, largest: f64, refuse: &mut impl FnMut(&str, String, &str)) {
    if largest.is_nan() || largest <= 0.0 {
        let message = format!("the largest step must be positive, but is {}", words::number(largest));
        refuse("largest_step", message, "leave it out for no limit");
    }
    if initial < 0.0 || (largest > 0.0 && initial > largest) {
        let given = words::number(initial);
        let message = format!("the first step {given} is not between 0 and the largest step");
        refuse("initial_step", message, "leave it out to let the method choose");
    }
}

fn check_initial(
    initial: &[(String, Vec<f64>)],
    key: &str,
    description: &Description,
    names: &Names<'_>,
    report: &mut Report,
) {
    let simulation = ROOT.key("simulation");
    let list = simulation.key("initial");
    for (k, (body, values)) in initial.iter().enumerate() {
        let (path, item) = (list.index(k), Item::named("initial values of body", body, k));
        // The two lists of a file name the same bodies: report those once.
        let repeated = key == "modal_speed"
            && description.simulation.modal_position.get(k).is_some_and(|(first, _)| first == body);
        let mut unheard = Report::default();
        let heard = if repeated { &mut unheard } else { &mut *report };
        let Some(index) = names.body(body, &path.key("body"), &item, heard) else { continue };
        check_size(&description.bodies[index].kind, values, &path.key(key), &item, report);
    }
}

/// Reports values for a body without modes, or too many or too few of them.
fn check_size(kind: &BodyKind, values: &[f64], path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let modes = match kind {
        BodyKind::Rigid(_) | BodyKind::PointMass { .. } => 0,
        BodyKind::Modal(modal) => modal.modes,
        BodyKind::Beam(beam) => beam.modes.len(),
        BodyKind::FiniteElements { .. } => return,
    };
    let segments = if let BodyKind::Beam(beam) = kind { beam.segments } else { 1 };
    if values.is_empty() || values.len() == modes || values.len() == modes * segments {
        return;
    }
    if modes == 0 {
        let message = "the body is rigid and has no modal coordinates";
        let help = "remove the entry; the motion of a rigid body starts from its joint";
        report.error("initial-size", path, item, message, help);
        return;
    }
    let message = format!(
        "`{}` has {}, but the body has {}",
        path.last_key(),
        words::count(values.len(), "value"),
        words::count(modes, "mode"),
    );
    report.error("initial-size", path, item, message, "give one value per mode");
}
