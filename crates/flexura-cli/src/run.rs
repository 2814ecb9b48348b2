//! `flexura run`: simulate and write a result file.

mod choices;
mod ranks;

use crate::Outcome;
use crate::checkpoint::{FileKeeper, Restart};
use crate::equilibrium::{relaxations, unstable_text};
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::open::{open, open_quietly, refuse_same_file};
use crate::print::print;
use crate::progress::{Display, Pace};
use crate::validity::{self, Audit};
use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::file::{Loaded, content_hash};
use flexura::integrate::StepStatistics;
use flexura::model::description::{
    AlgorithmDescription, Description, FormulationChoice, MethodDescription, SimulationDescription,
};
use flexura::picture::Picture;
use flexura::record::Sink;
use flexura::simulate::{Outcome as RunOutcome, Prepared, Progress, Simulation, Start};
use flexura::{DynamicsError, SimulationError, SinkError};
use flexura_gpu::Choice;
use flexura_output::{layout, verdicts_of};
use flexura_results::{Layout, ResultsError, Writer, WriterOptions};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Simulate a model and write a result file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura run models/pendulum.toml
  flexura run models/pendulum.toml --end 20 --output long.fxr --keep
  flexura run models/pendulum.toml --set rod.mass=2 --set hinge.position=1.2
  flexura run models/flexible_arm.toml --device cuda
  mpirun -n 4 flexura run models/chain_of_many.toml")]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Use another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Result file; default: the model's name with extension .fxr in the current folder
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Simulate until this time instead of the file's (s)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    end: Option<f64>,
    /// Method in place of the file's: dormand-prince, radau, or auto (dormand-prince, and radau where that one is cheaper), with
    /// the file's tolerances or 1e-8 and 1e-10
    #[arg(long, value_name = "NAME", value_parser = choices::method)]
    method: Option<choices::AdaptiveMethod>,
    /// Algorithm in place of the file's, for explicit methods and radau: articulated-body, composite-body, conjugate-gradient,
    /// divide-and-conquer or auto (that of least counted work on the model; `flexura check` prints the counts)
    #[arg(long, value_name = "NAME", value_parser = choices::algorithm)]
    algorithm: Option<AlgorithmDescription>,
    /// Threads of a model with algorithm = "divide-and-conquer"; results do not depend on it
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run a model with algorithm = "divide-and-conquer" on this many ranks, threads of this process that share nothing but
    /// messages; `mpirun -n 4 flexura run` has processes for ranks. Results do not depend on it
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    ranks: Option<u16>,
    /// Steps of iterative refinement of a model with algorithm = "divide-and-conquer", in place of the file's
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u16).range(0..=100))]
    refinements: Option<u16>,
    /// Formulation in place of the file's: recursive, topological (implicit steps of closed loops), global (natural
    /// coordinates, trapezoidal rule) or graph (equations generated from the linear graph); refused where it does not fit the
    /// method
    #[arg(long, value_name = "NAME", value_parser = choices::formulation)]
    formulation: Option<FormulationChoice>,
    /// Take the steps on a device: cuda, cuda:1 (the second one) or emulated; trees by rk4 or dormand-prince. What a device
    /// cannot run is named; `flexura devices` lists what is there
    #[arg(long, value_name = "DEVICE", value_parser = crate::devices::choice, conflicts_with_all = ["algorithm", "formulation", "threads", "refinements"])]
    device: Option<Choice>,
    /// Start from the static equilibrium instead of the file's initial values; speeds stay in directions that nothing
    /// holds, such as that of a rolling vehicle
    #[arg(long)]
    from_static: bool,
    /// Fall into a stable equilibrium first (dynamic relaxation), for starts from which Newton's method fails
    #[arg(long, requires = "from_static")]
    relax: bool,
    /// Keep an existing result file: fail instead of replacing it
    #[arg(long)]
    keep: bool,
    /// Keep a checkpoint in this file, to go on from after a crash
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Time between checkpoints (s of computing)
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, requires = "checkpoint")]
    checkpoint_interval: f64,
    /// Go on from a checkpoint; earlier rows are copied from its result file
    #[arg(long, value_name = "FILE", conflicts_with = "from_static")]
    restart: Option<PathBuf>,
    /// See the run in the browser while it goes on (as `flexura view --follow` does)
    #[arg(long)]
    view: bool,
    /// Fail (exit code 1) where the energy of the run does not balance within the limit of its method
    #[arg(long)]
    strict: bool,
    /// No progress bar and no summary
    #[arg(short, long)]
    quiet: bool,
    /// No progress bar; the summary as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// Rows go to a result file.
struct FileSink<'a> {
    writer: Writer,
    audit: Audit,
    /// Largest gap of a loop so far, for the progress bar (m or rad).
    gap: &'a Cell<Option<f64>>,
}

impl Sink for FileSink<'_> {
    fn row(&mut self) -> &mut [f64] {
        self.writer.row()
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.audit.see(self.writer.row());
        let [gap, _] = self.audit.violations();
        self.gap.set(gap);
        self.writer.commit().map_err(SinkError::new)
    }

    fn settle(&mut self) -> Result<(), SinkError> {
        self.writer.settle().map_err(SinkError::new)
    }
}

/// Runs the sub-command.
pub fn run(arguments: &Arguments) -> Outcome {
    let group = ranks::group(arguments.ranks)?;
    // Of several processes the first one tells what the model file deserves.
    let opened = read(arguments, group.as_ref().is_none_or(ranks::Group::speaks));
    if let Some(group) = group {
        return ranks::run(arguments, opened, group);
    }
    let (loaded, hash) = opened?;
    let description = &loaded.built.description;
    let picture = Picture::wanted(&loaded.built);
    let simulation = Simulation::of(&loaded.built).picture(picture);
    let mut prepared = simulation.prepare().map_err(Failure::simulation)?;
    let path = output_path(arguments)?;
    let restart = arguments.restart.as_deref().map(|file| Restart::open(file, &hash, &path)).transpose()?;
    if let Some(restart) = &restart {
        same_machine(restart.memory[0].of_device(), arguments)?;
    }
    let layout = layout(&loaded, prepared.channels(), picture);
    let mut keeper =
        FileKeeper::new(arguments.checkpoint.as_deref(), arguments.checkpoint_interval, &hash, &path)?;
    // Whatever fails before the first row must not cost an earlier result its rows.
    let begin = match &restart {
        Some(_) => None,
        None => Some(first_state(arguments, &loaded, &mut prepared)?),
    };
    let mut device = arguments.device.map(|choice| crate::devices::prepare(&loaded, choice)).transpose()?;
    let gap = Cell::new(None);
    let (writer, audit) = (create(arguments, &path, &layout)?, Audit::new(&layout));
    let mut sink = FileSink { writer, audit, gap: &gap };
    match (&restart, begin) {
        (Some(restart), _) => {
            restart.check_channels(&layout)?;
            restart.copy_rows(&layout, &mut sink)?;
            prepared.begin(Start::Checkpoint(&restart.memory[0]));
        }
        (None, Some(state)) => prepared.begin(Start::State(state)),
        (None, None) => {}
    }
    let interrupted = watch_for_interrupt(Late::Tell(
        "ending when the step under way is done; Ctrl-C again ends at once, without the latest rows and checkpoint",
    ));
    let viewer = if arguments.view { Some(start_viewer(&path)?) } else { None };
    let mut display = Display::new(arguments.quiet || arguments.json);
    let started = Instant::now();
    let mut pace = Pace::default();
    let mut watch = |progress: &Progress| {
        pace.count();
        display.update(progress, gap.get());
        !interrupted.load(Ordering::Relaxed)
    };
    let outcome = match &mut device {
        Some(device) => prepared.run_remote(device, &mut sink, &mut watch, &mut keeper),
        None => prepared.run(&mut sink, &mut watch, &mut keeper),
    };
    let warned = display.finish();
    // Whatever happened, rows recorded so far are written and the file is closed.
    let FileSink { writer, audit, .. } = sink;
    let verdicts = outcome.as_ref().ok().map(verdicts_of);
    let closed = writer.finish_with(verdicts).map_err(Failure::file);
    let last = audit.last.filter(|_| closed.is_ok());
    let outcome = outcome.map_err(|error| failed(&error, &path, description, last))?;
    closed?;
    for warning in &outcome.warnings[warned..] {
        eprintln!("warning: {warning}");
    }
    if let Some(warning) = &outcome.unbalanced {
        eprintln!("warning: {warning}");
    }
    for contact in outcome.contacts.iter().filter(|contact| contact.pulls()) {
        eprintln!("warning: {contact}");
    }
    for law in outcome.half_turns.iter().filter(|law| law.is_alarm()) {
        eprintln!("warning: {law}");
    }
    if arguments.json {
        print(&format!("{}\n", summary(&outcome, &audit, &path, started, &pace)))?;
    } else if !arguments.quiet {
        let checked = validity::lines(&outcome, &audit, loaded.built.model.loops.len());
        report(&outcome, checked, &path, started)?;
    }
    if let Some(mut viewer) = viewer {
        // The page stays until the user ends it, or has ended the run.
        if outcome.cancelled {
            let _ = viewer.kill();
        }
        viewer.wait().map_err(|error| Failure::File(format!("the viewer was lost: {error}")))?;
    }
    if outcome.cancelled {
        let on = arguments.checkpoint.as_ref().map_or(String::new(), |file| {
            format!("; go on with --restart {} and another --output", file.display())
        });
        let text = format!(
            "interrupted at t = {} s; rows so far are kept in {}{on}",
            outcome.end_time,
            path.display()
        );
        return Err(Failure::Interrupted(text));
    }
    match &outcome.unbalanced {
        Some(warning) if arguments.strict => Err(Failure::Verdict(format!("--strict: {warning}"))),
        _ => Ok(()),
    }
}

/// The model as the arguments have it, and what tells whether a checkpoint is of the same run.
fn read(arguments: &Arguments, warn: bool) -> Result<(Loaded, String), Failure> {
    let read = if warn { open } else { open_quietly };
    let mut loaded = read(&arguments.model, &arguments.set)?;
    choices::choose_method(arguments.method, &mut loaded)?;
    choices::choose_formulation(arguments.formulation, &mut loaded)?;
    choices::choose_algorithm(arguments.algorithm, arguments.refinements, &mut loaded)?;
    // Another end or number of threads makes no other run of it.
    let hash = content_hash(&loaded, &arguments.set);
    apply_overrides(arguments, &mut loaded)?;
    Ok((loaded, hash))
}

/// The state a run starts from, of which a row can be recorded.
fn first_state(
    arguments: &Arguments,
    loaded: &Loaded,
    prepared: &mut Prepared<'_>,
) -> Result<State, Failure> {
    let state = start_state(arguments, loaded)?;
    prepared.try_start(&state).map_err(|error| {
        Failure::simulation(format!("{error}{}", likely_causes(&error, &loaded.built.description)))
    })?;
    Ok(state)
}

/// The viewer of the growing result, as a process of its own: a slow page must not slow the run.
fn start_viewer(path: &Path) -> Result<Child, Failure> {
    let own = || std::env::current_exe().map(|program| vec![program.into_os_string()]);
    let words = crate::CALLED_BY.get().cloned().map_or_else(own, Ok).map_err(Failure::file)?;
    let started = Command::new(&words[0]).args(&words[1..]).args(["view", "--follow"]).arg(path).spawn();
    started.map_err(|error| Failure::File(format!("cannot start the viewer: {error}")))
}

/// The initial state, or the equilibrium near it.
fn start_state(arguments: &Arguments, loaded: &Loaded) -> Result<State, Failure> {
    let (model, settings) = (&loaded.built.model, &loaded.built.description.simulation);
    let initial = State::initial(model, settings.start);
    if !arguments.from_static {
        return Ok(initial);
    }
    let options = EquilibriumOptions { relaxations: relaxations(arguments.relax), ..Default::default() };
    let mut found = equilibrium(model, &initial, &options).map_err(Failure::simulation)?;
    if !found.unstable.is_empty() {
        eprintln!("warning: {}", unstable_text(&found));
    }
    keep_free_speeds(model, &initial, &mut found.state);
    Ok(found.state)
}

fn apply_overrides(arguments: &Arguments, loaded: &mut Loaded) -> Outcome {
    if let Some(count) = arguments.threads {
        match &mut loaded.built.description.simulation.algorithm {
            AlgorithmDescription::DivideAndConquer { threads, .. } => *threads = count.into(),
            _ => {
                let text = "--threads: only the algorithm \"divide-and-conquer\" uses several; set it in [simulation]";
                return Err(Failure::Usage(text.into()));
            }
        }
    }
    match arguments.end {
        Some(end) => set_end(&mut loaded.built.description.simulation, end),
        None => Ok(()),
    }
}

/// Another end of the run (s).
pub fn set_end(simulation: &mut SimulationDescription, end: f64) -> Outcome {
    if !(end > simulation.start && end.is_finite()) {
        let text = format!("--end {end}: must be later than the start time {} s", simulation.start);
        return Err(Failure::Usage(text));
    }
    simulation.end = end;
    Ok(())
}

/// Where results go; never onto the model file.
fn output_path(arguments: &Arguments) -> Result<PathBuf, Failure> {
    let path = arguments.output.clone().unwrap_or_else(|| {
        let mut name = arguments.model.file_stem().unwrap_or_default().to_os_string();
        name.push(".fxr");
        PathBuf::from(name)
    });
    refuse_same_file(&arguments.model, &path)?;
    Ok(path)
}

fn create(arguments: &Arguments, path: &Path, layout: &Layout) -> Result<Writer, Failure> {
    let options = WriterOptions { overwrite: !arguments.keep, ..WriterOptions::default() };
    Writer::create(path, layout, &options).map_err(|error| match error {
        ResultsError::AlreadyExists { path } => Failure::File(format!(
            "result file {} exists: leave out --keep to replace it, or name another with --output",
            path.display()
        )),
        other => Failure::file(other),
    })
}

/// The failure for a run that could not go on, with what is left of it: time (s) and number of the last row.
fn failed(
    error: &SimulationError,
    path: &Path,
    description: &Description,
    last: Option<(f64, u64)>,
) -> Failure {
    let shown = path.display();
    let kept = last.map_or(String::new(), |(time, rows)| {
        format!(
            "\n{rows} rows are kept in {shown}, the last good one at t = {time} s (see them with: flexura export {shown})"
        )
    });
    match error {
        SimulationError::Output(_) => Failure::File(format!("{error}{kept}")),
        _ => Failure::Simulation(format!("{error}{}{kept}", likely_causes(error, description))),
    }
}

/// What else may be behind numbers that grew until nothing could be computed any more, or steps that shrank to nothing.
fn likely_causes(error: &SimulationError, description: &Description) -> String {
    let SimulationError::Dynamics { cause, near, .. } = error else { return String::new() };
    let grown = matches!(
        cause,
        DynamicsError::ModalMassLost { .. }
            | DynamicsError::InertiaLost { .. }
            | DynamicsError::SingularJoint { .. }
            | DynamicsError::NotFinite { .. }
    );
    let stuck = matches!(cause, DynamicsError::StepTooSmall | DynamicsError::NewtonFailed);
    if !grown && !stuck {
        return String::new();
    }
    let mut text = String::new();
    if let (true, MethodDescription::Rk4 { step }) = (grown, &description.simulation.method) {
        text.push_str(&format!(
            "\n  = help: the fixed step of {step} s may be too large for an explicit method: take a smaller one, \
             \"dormand-prince\", \"radau\", or an implicit method"
        ));
    }
    if stuck && near.as_ref().is_some_and(|near| near.contains("in the loop closed by")) {
        text.push_str(
            "\n  = help: the mechanism may have reached a position that it cannot pass: check lengths and prescribed motions",
        );
    }
    if matches!(cause, DynamicsError::StepTooSmall) {
        text.push_str(
            "\n  = help: look at forces that grow with the motion, stiff springs and contacts there; \"radau\" or an implicit \
             method (\"generalized-alpha\") takes larger steps through stiff parts",
        );
    }
    if let Some(controller) = description.controllers.first() {
        text.push_str(&format!(
            "\n  = help: a controller (`{}`) may be unstable: lower its gains or its sample_time",
            controller.name
        ));
    }
    text
}

/// The end of a run for programs.
fn summary(outcome: &RunOutcome, audit: &Audit, path: &Path, started: Instant, pace: &Pace) -> Value {
    let s = &outcome.statistics;
    let events = outcome.events.iter().map(|event| json!({ "name": event.name, "time": event.time }));
    json!({
        "result": path.to_string_lossy(),
        "end_time": outcome.end_time,
        "rows": outcome.rows,
        "steps": s.accepted,
        "stiff_steps": s.stiff,
        "held_steps": s.held,
        "rejected_steps": s.rejected,
        "evaluations": s.evaluations,
        "computing_seconds": started.elapsed().as_secs_f64(),
        "seconds_per_step": pace.seconds_per_step(),
        "events": events.collect::<Vec<_>>(),
        "stopped_by": outcome.stopped_by,
        "interrupted": outcome.cancelled,
        "validity": validity::value(outcome, audit),
    })
}

/// What held the explicit steps of a long run, where it was not the accuracy asked for.
fn held(s: &StepStatistics) -> Option<String> {
    let most = s.accepted >= 1_000 && 2 * s.held > s.accepted && s.stiff == 0;
    most.then(|| {
        let share = 100 * s.held / s.accepted;
        format!(
            "steps: {share} % were held by stability, not by accuracy: the model is stiff, try --method auto (up to 1,500 \
             states) or method = \"generalized-alpha\" with a step"
        )
    })
}

fn report(outcome: &RunOutcome, checked: Vec<String>, path: &Path, started: Instant) -> Outcome {
    let mut lines: Vec<String> = outcome
        .events
        .iter()
        .map(|event| format!("event `{}` at t = {:.9} s", event.name, event.time))
        .collect();
    let s = &outcome.statistics;
    let why =
        outcome.stopped_by.as_ref().map_or(String::new(), |name| format!(", stopped by event `{name}`"));
    let stiff = if s.stiff > 0 { format!(", {} of them by radau", s.stiff) } else { String::new() };
    lines.push(format!(
        "simulated to t = {} s{why}: {} steps{stiff} ({} rejected), {} evaluations, {:.3} s of computing",
        outcome.end_time,
        s.accepted,
        s.rejected,
        s.evaluations,
        started.elapsed().as_secs_f64()
    ));
    lines.extend(held(s));
    lines.extend(checked);
    let shown = path.display();
    lines.push(format!("{} rows in {shown}", outcome.rows));
    lines.push(format!("see it move:  flexura view {shown}"));
    lines.push(format!("its channels: flexura export {shown} --list"));
    lines.push(format!("as CSV:       flexura export {shown} --output results.csv\n"));
    print(&lines.join("\n"))
}

/// A run goes on where it was: on a device, or on the processor.
fn same_machine(of_device: bool, arguments: &Arguments) -> Outcome {
    let text = match (of_device, arguments.device.is_some()) {
        (true, false) => "--restart: the checkpoint is of a run on a device: give --device as there",
        (false, true) => "--restart: the checkpoint is of a run on the processor: leave --device out",
        _ => return Ok(()),
    };
    Err(Failure::Usage(text.into()))
}
