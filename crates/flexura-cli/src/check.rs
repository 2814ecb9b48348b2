//! `flexura check`: what a model consists of.

use crate::Outcome;
use crate::check_loops::{loop_list, loops_json, summary_lines};
use crate::failure::Failure;
use crate::open::open;
use crate::plausible::{beam_of, places_in_file};
use crate::print::print;
use crate::validity::mode_json;
use flexura::analysis::{NeglectedStiffening, held_frequencies, neglected_stiffening};
use flexura::build::Built;
use flexura::diagnostic::Diagnostic;
use flexura::file::{Loaded, render_all};
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::body::InertiaModel;
use flexura::model::description::{AlgorithmDescription, FormulationChoice, MethodDescription};
use flexura::model::words::{count, number, numbers};
use flexura::simulate::lost_inertia;
use flexura::state::prescribe::apply_prescribed;
use flexura::truncation::{Judge, ModeVerdict};
use flexura::{AlgorithmChoice, AlgorithmWork, Model, State, Workspace, evaluate};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::PathBuf;

/// Neglected stiffness, relative to that of the first mode, from which `check` warns: 2.5 % of its frequency.
const LARGEST_NEGLECTED: f64 = 0.05;
/// Longest tree printed in full.
const LONGEST_TREE: usize = 40;
/// Lines shown of a longer one.
const START_OF_TREE: usize = 12;

/// Check a model file: bodies, joints, degrees of freedom, warnings.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura check models/flexible_arm.toml
  flexura check models/flexible_arm.toml --json
  flexura check models/chain_of_many.toml --set n=1000")]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn check(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model, &arguments.set)?;
    let modes = evaluate_start(&loaded)?;
    let mut further = crate::plausible::warnings(&loaded.built.description);
    further.extend(stiffening_warnings(&loaded));
    eprint!("{}", render_all(&further, &loaded.spans));
    loaded.warnings.extend(further);
    if arguments.json {
        return print(&format!("{}\n", as_json(&loaded.built, loaded.warnings.len(), &modes)));
    }
    let mut text = summary(&loaded);
    text += &tree(&loaded.built.model);
    text += &loop_list(&loaded.built);
    let lacking = modes.iter().filter(|found| found.is_alarm());
    lacking.for_each(|found| text += &format!("at the start, {found}\n"));
    let found = match loaded.warnings.len() {
        0 => "no errors".to_string(),
        warnings => format!("no errors, {}", count(warnings, "warning")),
    };
    text += &format!("{found}; simulate with: flexura run {}\n", arguments.model.display());
    print(&text)
}

/// Refuses a model whose accelerations cannot be found where it starts: it would not run. What its modes make of the forces
/// there.
pub fn evaluate_start(loaded: &Loaded) -> Result<Vec<ModeVerdict>, Failure> {
    let model = &loaded.built.model;
    let start = loaded.built.description.simulation.start;
    let (mut state, mut work) = (State::initial(model, start), Workspace::new(model));
    apply_prescribed(model, &mut state, Some(&mut work.load));
    work.load.keep_points(model);
    let algorithm = loaded.built.description.simulation.algorithm;
    if matches!(algorithm, AlgorithmDescription::DivideAndConquer { .. }) {
        // Chosen where a matrix over all rows of loops would be too large.
        work.choose(model, algorithm).map_err(Failure::file)?;
    }
    let Err(error) = evaluate(model, &state, &mut work) else {
        work.poses(model, &state);
        work.reactions(model);
        let mut judge = Judge::new(model);
        judge.see(model, &state, &work);
        return Ok(judge.settled_verdicts(model));
    };
    let why = lost_inertia(&error, model, &state, &mut work);
    let text = if why.is_empty() { error.to_string() } else { format!("{error}; {why}") };
    Err(Failure::Model(format!("error: at the start, t = {start} s: {text}")))
}

/// Warnings about bodies without geometric stiffening that spin or carry too much for that; the worst segment speaks
/// for its beam.
fn stiffening_warnings(loaded: &Loaded) -> Vec<Diagnostic> {
    let mut worst: Vec<NeglectedStiffening> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for found in neglected_stiffening(&loaded.built) {
        let place = *places.entry(beam_of(&found.body).to_owned()).or_insert(worst.len());
        match worst.get_mut(place) {
            Some(known) if found.ratio.abs() > known.ratio.abs() => *known = found,
            Some(_) => {}
            None => worst.push(found),
        }
    }
    let places = places_in_file(&loaded.built.description);
    let wrong = worst.iter().filter(|found| found.ratio.abs() > LARGEST_NEGLECTED);
    wrong
        .map(|found| stiffening_warning(places.get(beam_of(&found.body)).copied().unwrap_or(0), found))
        .collect()
}

/// `index` is the number of the body in the file.
fn stiffening_warning(index: usize, found: &NeglectedStiffening) -> Diagnostic {
    let cause = if found.from_spin.abs() > 0.5 * found.ratio.abs() {
        format!("spin of up to {} rad/s", number(found.spin))
    } else {
        format!("an axial load of up to {} N", number(found.axial))
    };
    let effect = if found.ratio > 0.0 { "stiffens" } else { "softens" };
    let message = format!(
        "{cause} {effect} the first mode by {:.2} times its own stiffness, which the model leaves out",
        found.ratio.abs()
    );
    let help = "a beam: remove foreshortening = false, and do not use level = \"ruthless\"; nodes and modes: give \
                `quadratic`; finite elements: stiffening in the part file";
    Diagnostic::warning(
        "no-stiffening",
        format!("body[{index}]"),
        format!("body `{}`", found.body),
        message,
        help,
    )
}

/// What a newcomer would notice a wrong unit or a forgotten item by.
fn summary(loaded: &Loaded) -> String {
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let flexible = model.bodies.iter().filter(|body| body.modes > 0).count();
    let rigid = model.body_count() - flexible;
    let (speeds, free) = (model.speed_count(), model.free_speed_count());
    let mass: f64 = (0..model.body_count()).map(|k| mass_and_frequencies(model, k).0).sum();
    let merged = description.bodies.len() - model.body_count();
    let mut lines = vec![
        format!("model `{}`", model.name),
        format!("  bodies              {}: {rigid} rigid, {flexible} flexible", model.body_count()),
        format!("  joints              {}: {}", model.joints.len(), joint_kinds(model)),
        format!("  degrees of freedom  {speeds}: {} joint, {} modal", model.layout.joint, model.layout.modal),
        format!("  free / prescribed   {free} / {}", speeds - free),
        format!("  total mass          {} kg", number(mass)),
        format!("  applied forces      {}", model.forces.len() + model.loads.len()),
        format!("  force elements      {}", model.elements.len() + model.couplers.len()),
        format!("  controllers         {}", model.controllers.len()),
        format!("  gravity             {} m/s²", numbers(&model.gravity)),
        format!("  simulation          {}", simulation(loaded)),
    ];
    lines.extend(natural_line(loaded));
    lines.extend(loaded.built.algorithm_choice.iter().flat_map(algorithm_lines));
    for (offset, line) in summary_lines(&loaded.built).into_iter().enumerate() {
        lines.insert(5 + offset, line);
    }
    if merged > 0 {
        let noun = if merged == 1 { "point mass" } else { "point masses" };
        lines.insert(2, format!("  merged              {merged} {noun}, into what they are welded to"));
    }
    let segments = model.bodies.iter().filter(|body| body.name.contains('.')).count();
    if segments > 0 {
        lines.insert(2, format!("  of which            {segments} segments of beams"));
    }
    lines.join("\n") + "\n"
}

/// How many natural coordinates and equations the global formulation takes.
fn natural_line(loaded: &Loaded) -> Option<String> {
    let settings = &loaded.built.description.simulation;
    if !matches!(settings.method, MethodDescription::Global { .. }) {
        return None;
    }
    let options = GlobalOptions::chosen(&settings.constraints);
    let global = GlobalModel::new(&loaded.built.model, &options).ok()?;
    let (all, free) = (global.coordinate_count(), global.free_coordinate_count());
    let given = if all > free { format!(" ({} given by motions)", all - free) } else { String::new() };
    Some(format!("  natural coordinates {all}{given}, {}", count(global.constraint_count(), "equation")))
}

/// What `algorithm = "auto"` has counted.
fn algorithm_lines(choice: &AlgorithmChoice) -> Vec<String> {
    let mut lines =
        vec![format!("  algorithm           {}: the least counted work", choice.algorithm.word())];
    for work in &choice.work {
        let least = if work.counted { "" } else { "at least " };
        let operations = format!("{least}{} operations in an evaluation", number(work.operations));
        lines.push(format!("    {:<18}{operations}", work.algorithm.word()));
    }
    lines
}

fn simulation(loaded: &Loaded) -> String {
    let settings = &loaded.built.description.simulation;
    let fits = FormulationChoice::of(&settings.method, !loaded.built.model.loops.is_empty());
    let formulation = settings.formulation.unwrap_or(fits);
    let reason = match formulation {
        FormulationChoice::Recursive if loaded.built.model.loops.is_empty() => "a tree",
        FormulationChoice::Recursive => "loops closed in every evaluation",
        FormulationChoice::Topological => "implicit steps of closed loops",
        _ => "asked for",
    };
    let word = formulation.word();
    format!(
        "{} to {} s, {}; formulation {word} ({reason})",
        number(settings.start),
        number(settings.end),
        settings.method
    )
}

/// `2 revolute, 1 free`, the most frequent first.
fn joint_kinds(model: &Model) -> String {
    let mut kinds: Vec<(usize, &str)> = Vec::new();
    for joint in &model.joints {
        let word = joint.joint.kind.word();
        match kinds.iter_mut().find(|(_, known)| *known == word) {
            Some((number, _)) => *number += 1,
            None => kinds.push((1, word)),
        }
    }
    kinds.sort_by_key(|&(number, _)| std::cmp::Reverse(number));
    let words: Vec<String> = kinds.iter().map(|(number, word)| format!("{number} {word}")).collect();
    words.join(", ")
}

/// One line per joint and body, indented by depth.
fn tree(model: &Model) -> String {
    let mut text = String::from("tree (joint → body):\n");
    let bodies = model.body_count();
    let shown = if bodies > LONGEST_TREE { START_OF_TREE } else { bodies };
    let mut depth = vec![0usize; shown];
    for k in 0..shown {
        let joint = &model.joints[k];
        depth[k] = joint.parent.map_or(0, |parent| depth[parent] + 1);
        let range = model.layout.bodies[k].joint_v();
        let prescribed = if model.prescribed[range].contains(&true) { ", prescribed" } else { "" };
        let (indent, kind) = (2 + 2 * depth[k].min(20), joint.joint.kind.word());
        let (name, body) = (&joint.name, &model.bodies[k].name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:indent$}{name} ({kind}{prescribed}) → {body} [{}]", "", words(model, k));
    }
    if bodies > shown {
        text += &format!("  … and {} more (all of them: --json)\n", bodies - shown);
    }
    text
}

/// `rigid, 2 kg` or `gram with 4 carriers, 3.1 kg, 2 modes from 4.2 Hz, curvature to third order`.
fn words(model: &Model, k: usize) -> String {
    let (mass, frequencies) = mass_and_frequencies(model, k);
    let text = format!("{}{}, {} kg", level_word(model, k), carrier_words(model, k), number(mass));
    let lowest = frequencies.iter().copied().fold(f64::INFINITY, f64::min);
    match frequencies.len() {
        0 => text,
        modes => {
            let bends = if model.bodies[k].curvature.is_some() { ", curvature to third order" } else { "" };
            format!("{text}, {} from {} Hz{bends}", count(modes, "mode"), number(lowest))
        }
    }
}

fn level_word(model: &Model, k: usize) -> &'static str {
    if model.bodies[k].modes == 0 {
        return "rigid";
    }
    model.bodies[k].level().word()
}

/// Numbers of carriers of level `gram`: those by place, and those by modes.
fn carriers(model: &Model, k: usize) -> Option<(usize, usize)> {
    match &model.bodies[k].inertia {
        InertiaModel::Gram(inertia) => Some((inertia.carriers(), inertia.modal_carriers())),
        _ => None,
    }
}

fn carrier_words(model: &Model, k: usize) -> String {
    match carriers(model, k) {
        None => String::new(),
        Some((places, 0)) => format!(" with {}", count(places, "carrier")),
        Some((places, modal)) => format!(" with {places} + {modal} modal carriers"),
    }
}

/// Mass (kg) of body `k`, and its frequencies (Hz) with the reference frame held.
fn mass_and_frequencies(model: &Model, k: usize) -> (f64, Vec<f64>) {
    let body = &model.bodies[k];
    (body.mass(), held_frequencies(body).into_iter().map(|frequency| frequency / TAU).collect())
}

/// What `algorithm = "auto"` has counted.
fn algorithm_json(choice: &AlgorithmChoice) -> Value {
    let work = |work: &AlgorithmWork| json!({ "algorithm": work.algorithm.word(), "operations": work.operations, "counted": work.counted });
    json!({ "chosen": choice.algorithm.word(), "work": choice.work.iter().map(work).collect::<Vec<_>>() })
}

fn as_json(built: &Built, warnings: usize, modes: &[ModeVerdict]) -> Value {
    let model = &built.model;
    let body = |k: usize| {
        let joint = &model.joints[k];
        let (mass, frequencies) = mass_and_frequencies(model, k);
        json!({
            "name": model.bodies[k].name,
            "mass": mass,
            "modes": model.bodies[k].modes,
            "frequencies": frequencies,
            "level": level_word(model, k),
            "curvature": model.bodies[k].curvature.as_ref().map(|_| "third-order"),
            "carriers": carriers(model, k).map(|(places, modal)| json!({ "places": places, "modal": modal })),
            "joint": joint.name,
            "joint_type": joint.joint.kind.word(),
            "parent": joint.parent.map(|parent| model.bodies[parent].name.clone()),
        })
    };
    json!({
        "name": model.name,
        "degrees_of_freedom": model.speed_count(),
        "free": model.free_speed_count(),
        "modal": model.layout.modal,
        "gravity": model.gravity,
        "warnings": warnings,
        "loops": loops_json(built),
        "algorithm": built.algorithm_choice.as_ref().map(algorithm_json),
        "modes": modes.iter().map(mode_json).collect::<Vec<_>>(),
        "bodies": (0..model.body_count()).map(body).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use crate::plausible::beam_of;

    #[test]
    fn only_segments_stand_for_a_beam() {
        let names = ["arm", "arm.1", "arm.12", "arm.left", "arm.left.3", "arm."];
        assert_eq!(names.map(beam_of), ["arm", "arm", "arm", "arm.left", "arm.left", "arm."]);
    }
}
