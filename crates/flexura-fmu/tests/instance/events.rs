//! Events of model exchange: work that only a stop watches, thresholds that come back with a stored state.

use super::exchange::{Importer, SERVO};
use super::{ARM, reference};
use flexura::file::build_text;
use flexura::simulate::{Equations, WrongCount};
use flexura_fmu::{Instance, Mode, Snapshot};

/// The arm with an event that stops its run.
fn watching(channel: &str, threshold: f64) -> String {
    format!(
        "{ARM}\n[[simulation.event]]\nname = \"limit\"\nchannel = \"{channel}\"\nvalue = {threshold:?}\naction = \"stop\"\n"
    )
}

fn indicator(instance: &mut Instance) -> f64 {
    instance.event_indicators().expect("indicators")[0]
}

#[test]
fn work_that_only_a_stop_watches_is_counted() {
    let text = format!("{ARM}\n[output]\nchannels = [\"energy.*\"]\n");
    let run = build_text(&text, "m.toml").expect("a model").built.simulate().expect("a run");
    let rows = run.channel("energy.work").expect("work");
    let last = rows[rows.len() - 1];
    assert!(last.abs() > 0.05, "work is done: {last} J");
    let mut importer = Importer::with_outputs(&watching("energy.work", 0.5 * last), "work", &["*.angle"]);
    assert!(importer.face.counts_work);
    assert_eq!(importer.instance.stopping_event(), Ok(None));
    importer.go(0.5, 1e-3);
    let found = indicator(&mut importer.instance);
    assert!((found - 0.5 * last).abs() < 1e-9, "{found} J beyond half of {last} J");
    assert_eq!(importer.instance.stopping_event(), Ok(Some("limit".into())));
    // The balance stays at zero, from the start on, for another instance that goes on from here as well.
    let text = watching("energy.balance", 0.01);
    let mut importer = Importer::with_outputs(&text, "balance", &["*.angle"]);
    importer.go(0.25, 1e-3);
    let kept = Snapshot::from_bytes(&importer.instance.snapshot().to_bytes()).expect("a state");
    let mut other = Instance::new(&importer.resources, &importer.token, Mode::Exchange).expect("an instance");
    // Another energy at the start of its own.
    other.set(&[reference(&importer.face, "parameter.body.rod.mass")], &[3.0]).expect("a number");
    other.enter_initialization(0.0, None).expect("initialising");
    other.exit_initialization().expect("initialised");
    other.restore(&kept).expect("restored");
    let found = [indicator(&mut importer.instance), indicator(&mut other)];
    assert!(found.iter().all(|balance| (balance + 0.01).abs() < 1e-7), "{found:?} J");
    // Without such an event or output there is no such state.
    let plain = Importer::with_outputs(&watching("hinge.angle", 5.0), "plain", &["*.angle"]);
    assert!(!plain.face.counts_work && plain.face.states + 1 == importer.face.states);
}

#[test]
fn thresholds_come_back_with_a_stored_state() {
    let text = watching("hinge.angle", 5.0);
    let mut importer = Importer::with_outputs(&text, "thresholds", &["*.angle"]);
    let threshold = importer.face.variables.iter().position(|variable| {
        variable.name.starts_with("parameter.simulation.event") && variable.name.ends_with(".value")
    });
    let threshold = threshold.expect("a threshold") as u32;
    let kept = importer.instance.snapshot();
    let far = indicator(&mut importer.instance);
    let mut lower = |number: f64| {
        let instance = &mut importer.instance;
        instance.reset().expect("reset");
        instance.set(&[threshold], &[number]).expect("a number");
        instance.enter_initialization(0.0, None).expect("initialising");
        instance.exit_initialization().expect("initialised");
        (indicator(instance), instance.snapshot())
    };
    let (near, changed) = lower(0.3);
    assert!((near - far - 4.7).abs() < 1e-12, "{near} and {far}");
    // From changed numbers to those of the file, and to others.
    let instance = &mut importer.instance;
    for (state, known) in [(&kept, far), (&changed, near), (&kept, far)] {
        instance.restore(state).expect("restored");
        assert_eq!(indicator(instance), known);
    }
}

#[test]
fn samples_are_met_to_the_rounding_of_late_times() {
    let text = SERVO.replace("CONTROL", "sample_time = 0.001\nlimit = 40.0");
    let mut importer = Importer::with_outputs(&text, "late", &["*.angle"]);
    let instance = &mut importer.instance;
    instance.reset().expect("reset");
    // A rounding of this time is 1e-7 of the sample time.
    instance.enter_initialization(1e6, Some(1e6 + 1.0)).expect("initialising");
    instance.exit_initialization().expect("initialised");
    for rounded in [f64::next_up, f64::next_down] {
        let due = instance.next_event().expect("a sample");
        instance.set_time(rounded(due)).expect("a time");
        instance.update().expect("the sample");
        let next = instance.next_event().expect("a sample");
        assert!((next - due - 0.001).abs() < 1e-9, "{due}, then {next}");
    }
}

#[test]
fn other_numbers_of_states_are_refused() {
    let model = build_text(ARM, "m.toml").expect("a model").built.model;
    let mut equations = Equations::new(&model, 0.0, true);
    let mut values = equations.values();
    values[0] += 0.1;
    let expected = values.len();
    for given in [0, expected - 1, expected + 1] {
        let wrong = vec![0.0; given];
        assert_eq!(equations.set_values(&wrong), Err(WrongCount { given, expected }));
    }
    assert_eq!((equations.set_values(&values), equations.values()), (Ok(()), values));
}
