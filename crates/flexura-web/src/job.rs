//! One run: the model of a text, rows handed over while it goes on.

use crate::findings::{findings, load};
use flexura::SinkError;
use flexura::record::Sink;
use flexura::simulate::{Outcome, Simulation};
use flexura_output::{Columns, layout};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The page around a run.
pub trait Host {
    /// What the run says: findings, the scene before the first row, how it ended.
    fn say(&mut self, words: &Value);

    /// Called after every step with the time reached (s), the done fraction, the steps so far and the rows not yet taken;
    /// whether they are taken now.
    fn watch(&mut self, time: f64, fraction: f64, steps: u64, rows: &[f64]) -> bool;
}

/// Rows of the run that the page has not taken yet.
struct Rows {
    row: Vec<f64>,
    kept: Rc<RefCell<Vec<f64>>>,
}

impl Sink for Rows {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.kept.borrow_mut().extend_from_slice(&self.row);
        Ok(())
    }
}

/// Runs the model of `text`. Words to the host, in this order: `findings`; then, unless they hold an error, `scene`; then
/// `ended` or `failed`.
pub fn run(text: &str, name: &str, host: &mut impl Host) {
    let loaded = match load(text, name) {
        Ok(loaded) => loaded,
        Err(errors) => {
            return host.say(&json!({ "findings": findings(&errors.diagnostics, &errors.spans) }));
        }
    };
    host.say(&json!({ "findings": findings(&loaded.warnings, &loaded.spans) }));
    let mut prepared = match Simulation::of(&loaded.built).picture(true).prepare() {
        Ok(prepared) => prepared,
        Err(error) => return host.say(&json!({ "failed": error.to_string() })),
    };
    let layout = layout(&loaded, prepared.channels(), true);
    let scene = match Columns::of(&layout) {
        Ok(columns) => columns.description().clone(),
        Err(error) => return host.say(&json!({ "failed": error.to_string() })),
    };
    host.say(&json!({ "scene": scene, "end": prepared.settings().end }));
    let kept = Rc::new(RefCell::new(Vec::new()));
    let mut sink = Rows { row: vec![0.0; layout.row_width()], kept: kept.clone() };
    let outcome = prepared.run(
        &mut sink,
        &mut |progress| {
            let mut rows = kept.borrow_mut();
            if host.watch(progress.time, progress.fraction, progress.statistics.accepted, &rows) {
                rows.clear();
            }
            true
        },
        &mut (),
    );
    let rows: &[f64] = &kept.borrow();
    match outcome {
        Ok(outcome) => {
            host.watch(outcome.end_time, 1.0, outcome.statistics.accepted, rows);
            host.say(&json!({ "ended": ended(&outcome) }));
        }
        Err(error) => {
            host.watch(f64::NAN, f64::NAN, 0, rows);
            host.say(&json!({ "failed": error.to_string() }));
        }
    }
}

/// How a run ended, for people.
fn ended(outcome: &Outcome) -> Value {
    let mut warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    warnings.extend(outcome.unbalanced.iter().map(ToString::to_string));
    let lacking = outcome.modes.iter().filter(|found| found.is_alarm());
    warnings.extend(lacking.map(ToString::to_string));
    warnings.extend(outcome.unresolved.iter().map(ToString::to_string));
    warnings.extend(outcome.contacts.iter().filter(|contact| contact.pulls()).map(ToString::to_string));
    warnings.extend(outcome.half_turns.iter().filter(|law| law.is_alarm()).map(ToString::to_string));
    let s = &outcome.statistics;
    json!({
        "time": outcome.end_time,
        "rows": outcome.rows,
        "steps": s.accepted,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "energyUnaccounted": outcome.energy.worst,
        "energyShare": outcome.energy.share(),
        "events": outcome.events.iter().map(|e| json!({ "name": e.name, "time": e.time })).collect::<Vec<_>>(),
        "stoppedBy": outcome.stopped_by,
        "warnings": warnings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "
[model]
name = \"swing\"
[[body]]
name = \"rod\"
mass = 1.0
inertia = [0.01, 0.1, 0.1]
[[body.frame]]
name = \"top\"
position = [0.5, 0, 0]
[[joint]]
name = \"hinge\"
type = \"revolute\"
axis = [0, 1, 0]
between = [\"ground.origin\", \"rod.top\"]
[simulation]
end = 0.5
output_interval = 0.05
[output]
channels = [\"hinge.angle\"]
";

    /// A page that takes rows at every `every`-th call.
    #[derive(Default)]
    struct Page {
        every: usize,
        calls: usize,
        words: Vec<Value>,
        rows: Vec<f64>,
    }

    impl Host for Page {
        fn say(&mut self, words: &Value) {
            self.words.push(words.clone());
        }

        fn watch(&mut self, _: f64, fraction: f64, _: u64, rows: &[f64]) -> bool {
            self.calls += 1;
            let taken = self.calls.is_multiple_of(self.every) || fraction == 1.0;
            if taken {
                self.rows.extend_from_slice(rows);
            }
            taken
        }
    }

    fn run_on(text: &str, every: usize) -> Page {
        let mut page = Page { every, ..Page::default() };
        run(text, "model.toml", &mut page);
        page
    }

    #[test]
    fn rows_are_those_of_a_run_in_memory_however_often_they_are_taken() {
        let loaded = load(MODEL, "model.toml").expect("a model");
        let recording = Simulation::of(&loaded.built).picture(true).run().expect("a run");
        let angles = recording.channel("hinge.angle").expect("recorded");
        for every in [1, 3, 1_000_000] {
            let page = run_on(MODEL, every);
            let scene = &page.words[1]["scene"];
            let width = scene["channels"].as_array().expect("a list").len() + 1;
            let place = 1 + scene["channels"]
                .as_array()
                .expect("a list")
                .iter()
                .position(|n| n == "hinge.angle")
                .expect("listed");
            assert_eq!(page.rows.len(), 11 * width);
            let found: Vec<f64> = page.rows.chunks(width).map(|row| row[place]).collect();
            assert_eq!(found, angles, "every {every}");
            assert_eq!(page.words[2]["ended"]["rows"], 11);
            // Frames: position and quaternion of the only body, among the columns of a row.
            let columns: Vec<usize> = scene["columns"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|c| c.as_u64().expect("a number") as usize)
                .collect();
            let names: Vec<&str> =
                columns.iter().map(|&c| scene["channels"][c - 1].as_str().expect("a name")).collect();
            assert_eq!((names.len(), names[0], names[3]), (7, "rod.position.x", "rod.quaternion.w"));
        }
    }

    #[test]
    fn a_wrong_model_says_its_line_and_nothing_else() {
        let page = run_on(&MODEL.replace("rod.top", "rod.tip"), 1);
        assert_eq!(page.words.len(), 1);
        let found = &page.words[0]["findings"][0];
        assert_eq!((&found["error"], &found["place"]["line"]), (&json!(true), &json!(15)));
        let line = MODEL.lines().nth(14).expect("a line");
        let column = found["place"]["column"].as_u64().expect("a number") as usize;
        assert!(line[column - 1..].starts_with("\"rod.top\""), "{found}");
    }

    #[test]
    fn parts_of_finite_elements_are_refused_with_the_way_out() {
        let text = MODEL.replace("mass = 1.0\ninertia = [0.01, 0.1, 0.1]", "fe = \"part.toml\"");
        let found = run_on(&text, 1).words[0]["findings"][0].clone();
        assert_eq!(found["code"], "fe-part");
        assert!(found["text"].as_str().is_some_and(|text| text.contains("flexura run MODEL")), "{found}");
    }
}
