//! What Lugrís et al. (2007) say about the vehicle: histories of both formulations agree (figures 9 and 10), the largest
//! steps (Table 7), and that the global formulation needs structural damping while the topological one does not.

use crate::figure::{self, Series};
use crate::{described, model};
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions};
use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::{Model, State, Workspace};
use flexura_validate::vehicle::{VEHICLE, VEHICLE_FLEXIBLE};

/// Length of the road (s).
const END: f64 = 8.0;
/// Steps tried (ms).
const STEPS: [f64; 14] = [4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 18.0, 22.0, 27.0, 33.0, 36.0, 40.0, 45.0, 50.0];
/// A step is usable if the end is reached and the chassis stays this close to the motion with steps of 2 ms (m):
/// a tenth of its range.
const NEAR: f64 = 0.03;

/// Times (s) and heights of chassis and front left wheel (m); as far as the run went.
#[derive(Default)]
pub struct History {
    time: Vec<f64>,
    chassis: Vec<f64>,
    wheel: Vec<f64>,
}

impl History {
    fn reached(&self) -> bool {
        self.time.last().is_some_and(|&time| time > END - 0.06)
    }

    /// Largest distance of the chassis from `other`, by straight lines between its instants (m).
    fn apart(&self, other: &History) -> f64 {
        let mut worst = 0.0_f64;
        for (&time, &height) in self.time.iter().zip(&self.chassis) {
            let later = other.time.partition_point(|&t| t < time).clamp(1, other.time.len() - 1);
            let (t0, t1) = (other.time[later - 1], other.time[later]);
            let (z0, z1) = (other.chassis[later - 1], other.chassis[later]);
            worst = worst.max((height - z0 - (time - t0) / (t1 - t0) * (z1 - z0)).abs());
        }
        worst
    }
}

/// Records poses of the tree.
struct Watch<'a> {
    model: &'a Model,
    work: Workspace,
    wheel: usize,
    history: History,
}

impl<'a> Watch<'a> {
    fn new(model: &'a Model) -> Self {
        let place = |name: &str| model.bodies.iter().position(|body| body.name == name).unwrap_or(0);
        Self { model, work: Workspace::new(model), wheel: place("hub_fl"), history: History::default() }
    }

    fn note(&mut self, state: &State) {
        self.work.kinematics(self.model, state);
        self.work.poses(self.model, state);
        self.history.time.push(state.time);
        self.history.chassis.push(self.work.motion.poses.position[0][2]);
        self.history.wheel.push(self.work.motion.poses.position[self.wheel][2]);
    }
}

fn topological(model: &Model, step: f64) -> History {
    let method = MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 };
    let mut integrator = Integrator::new(model, &method);
    let (mut state, mut work, mut watch) =
        (State::initial(model, 0.0), Workspace::new(model), Watch::new(model));
    while state.time < END - 1e-9 && integrator.step(model, &mut state, &mut work, f64::INFINITY).is_ok() {
        watch.note(&state);
    }
    watch.history
}

fn global(model: &Model, step: f64) -> History {
    let mut watch = Watch::new(model);
    let Ok(global) = GlobalModel::new(model, &GlobalOptions::default()) else { return watch.history };
    let mut integrator = GlobalIntegrator::new(model, &global);
    let Ok(mut state) = integrator.initial(model, &global) else { return watch.history };
    let mut tree = State::initial(model, 0.0);
    while state.time < END - 1e-9 && integrator.step(model, &global, &mut state, step).is_ok() {
        tree = global.tree_state(model, &state, &tree);
        watch.note(&tree);
    }
    watch.history
}

fn vehicle(text: &str) -> Model {
    model(described(text, str::to_string))
}

/// The flexible vehicle without structural damping.
fn undamped() -> Model {
    let text = VEHICLE_FLEXIBLE.replace(", damping = { kelvin_voigt = 0.01 }", "");
    let description = described(&text, |part| {
        let kept = part.lines().filter(|line| !line.starts_with("damping"));
        kept.collect::<Vec<_>>().join("\n")
    });
    model(description)
}

fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

/// Figures 9 and 10; returns the drawing.
pub fn histories() -> String {
    println!("\nHeights over 8 s of stepped road: largest differences between the formulations (mm)");
    println!("| vehicle | step (ms) | chassis | front left wheel |\n|---|---|---|---|");
    let runs = [("rigid", VEHICLE), ("flexible", VEHICLE_FLEXIBLE)].map(|(name, text)| {
        let model = vehicle(text);
        // Differences of methods fall with the square of the step, those of models would stay.
        let [coarse, ..] = [10.0, 5.0, 2.5].map(|step| {
            let (tree, natural) = (topological(&model, 1e-3 * step), global(&model, 1e-3 * step));
            let chassis = 1e3 * largest(&tree.chassis, &natural.chassis);
            let wheel = 1e3 * largest(&tree.wheel, &natural.wheel);
            let whole =
                if tree.reached() && natural.reached() { "" } else { " (a run did not reach its end)" };
            println!("| {name}{whole} | {step} | {chassis:.3} | {wheel:.3} |");
            (tree, natural)
        });
        coarse
    });
    let [(rigid, _), (flexible, natural)] = &runs;
    let chassis = 1e3 * largest(&rigid.chassis, &flexible.chassis);
    let wheel = 1e3 * largest(&rigid.wheel, &flexible.wheel);
    println!("Rigid against flexible, topological, 10 ms: chassis {chassis:.2} mm, wheel {wheel:.2} mm");
    let line = |name, history: &History, heights: &[f64], dashed| Series {
        name,
        dashed,
        points: history.time.iter().copied().zip(heights.iter().copied()).collect(),
    };
    figure::draw(
        "Iltis, all parts flexible, 8 s of stepped road: global formulation dashed",
        ["time (s)", "height (m)"],
        &[
            line("chassis", flexible, &flexible.chassis, false),
            line("wheel", flexible, &flexible.wheel, false),
            line("", natural, &natural.chassis, true),
            line("", natural, &natural.wheel, true),
        ],
    )
}

/// A row of the search: `.` usable, `e` far from the fine motion, `x` a step fails.
fn search(name: &str, fine: &History, run: impl Fn(f64) -> History) {
    let letters: String = STEPS
        .iter()
        .map(|step| {
            let found = run(1e-3 * step);
            match found.reached() {
                false => 'x',
                true if found.apart(fine) < NEAR => '.',
                true => 'e',
            }
        })
        .collect();
    let all = STEPS.iter().zip(letters.chars()).take_while(|(_, letter)| *letter == '.').last();
    let any = STEPS.iter().zip(letters.chars()).filter(|(_, letter)| *letter == '.').last();
    let text = |found: Option<(&f64, char)>| found.map_or("none".to_string(), |(step, _)| format!("{step}"));
    println!("| {name} | {} | {} | `{letters}` |", text(all), text(any));
}

/// Table 7 and the claim about structural damping.
pub fn largest_steps() {
    println!("\nLargest usable step (ms) of {STEPS:?}");
    println!("(. usable: chassis within 30 mm of the motion at 2 ms; e further away; x a step fails)");
    println!("| vehicle, formulation | up to which all are | largest that is | each |\n|---|---|---|---|");
    let models = [
        ("rigid", vehicle(VEHICLE)),
        ("flexible", vehicle(VEHICLE_FLEXIBLE)),
        ("flexible, undamped", undamped()),
    ];
    for (name, model) in &models {
        let fine = topological(model, 0.002);
        search(&format!("{name}, topological"), &fine, |step| topological(model, step));
        search(&format!("{name}, global"), &fine, |step| global(model, step));
    }
}
