//! Tables 4, 6 and 7 and figures 11 and 12 of Lugrís et al. (2007): suspension and vehicle with every combination of flexible
//! A-arms, leaf-spring bars and steering rods, and the longest steps.

use super::{History, ROUNDS, Timed, compare};
use crate::context::{Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::run::Route;
use crate::sampled::keep_worst;
use crate::statics::at_rest;
use crate::table::Table;
use crate::vehicle::{
    COMBINATIONS, SUSPENSION, SUSPENSION_FLEXIBLE, VEHICLE, VEHICLE_FLEXIBLE, built, mixed, with_inertia,
};
use flexura::State;
use flexura::analysis::keep_free_speeds;
use flexura::build::Built;
use flexura::model::description::InertiaChoice;

const STEP: f64 = 0.01;
const CHASSIS: &str = "chassis.position.z";

/// Seconds of MATLAB programs: global, topological; means over combinations with 0 to 3 flexible parts.
const TABLE_4: [[f64; 4]; 2] = [[1.95, 9.05, 14.56, 19.43], [8.19, 20.54, 29.55, 38.57]];
/// Seconds of FORTRAN programs: global, topological; all combinations.
const TABLE_6: [[f64; 8]; 2] =
    [[1.05, 2.44, 2.38, 2.50, 3.62, 3.99, 3.82, 5.25], [0.14, 0.63, 0.45, 0.45, 1.06, 1.13, 0.83, 1.44]];
/// Longest steps (s), seconds and simulated over computing time: global rigid, global flexible, topological rigid, flexible.
const TABLE_7: [[f64; 4]; 3] =
    [[0.012, 0.012, 0.036, 0.036], [0.896, 4.607, 0.078, 0.953], [8.93, 1.74, 102.56, 8.40]];

/// Seconds of all combinations: global, topological.
type Times = [[Option<f64>; 8]; 2];

fn combinations(context: &Context, texts: [&str; 2], end: f64, rounds: usize) -> Result<Times, Fault> {
    let [rigid, flexible] = [built(texts[0], "rigid")?.description, built(texts[1], "flexible")?.description];
    let mut times = [[None; 8]; 2];
    for (column, (_, choice)) in COMBINATIONS.into_iter().enumerate() {
        let built = mixed(&rigid, &flexible, choice).build()?;
        let start = State::initial(&built.model, 0.0);
        let timed = Timed { built: &built, start: &start, end, channel: CHASSIS };
        for (k, route) in [Route::Global(STEP), Route::Topological(STEP)].into_iter().enumerate() {
            times[k][column] = timed.run(context, route, STEP, rounds)?;
        }
    }
    Ok(times)
}

/// Means over the combinations with 0 to 3 kinds of flexible parts; none where a run is missing.
fn means(times: &[Option<f64>; 8]) -> [Option<f64>; 4] {
    let kinds = |choice: &[bool; 3]| choice.iter().filter(|flexible| **flexible).count();
    std::array::from_fn(|count| {
        let of = COMBINATIONS.iter().zip(times).filter(|((_, choice), _)| kinds(choice) == count);
        let all: Option<Vec<f64>> = of.map(|(_, seconds)| *seconds).collect();
        all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
    })
}

fn names() -> Vec<&'static str> {
    std::iter::once("flexible parts").chain(COMBINATIONS.iter().map(|(name, _)| *name)).collect()
}

/// Table 4.
pub(super) fn suspension(context: &mut Context) -> Result<(), Fault> {
    let times = combinations(context, [SUSPENSION, SUSPENSION_FLEXIBLE], 5.0, 2 * ROUNDS)?;
    let caption = "Table 4: 5 s of the suspension in steps of 10 ms, means over the combinations";
    let mut table = Table::new(caption, &["flexible parts", "0", "1", "2", "3"]);
    compare(&mut table, [&TABLE_4[0], &TABLE_4[1]], [&means(&times[0]), &means(&times[1])]);
    context.tabulate(table);
    let mut each = Table::new("The suspension, combination by combination", &names());
    for (name, times) in ["global", "topological"].into_iter().zip(&times) {
        each.row(format!("{name}, here (ms)"), times.iter().map(|seconds| Some(1e3 * (*seconds)?)));
    }
    context.tabulate(each);
    inertia_routes(context)
}

/// What the paper names as most of its time: inertia in every evaluation, beside invariants summed once.
fn inertia_routes(context: &mut Context) -> Result<(), Fault> {
    let caption = "Inertia of the A-arm (21 elements, 4 amplitudes; bar and rod rigid): 5 s in steps of 10 ms, natural coordinates";
    let columns = ["", "invariants", "BᵀMB of mass pieces", "BᵀMB with the assembled matrix"];
    let mut table = Table::new(caption, &columns);
    let mut times = [None; 3];
    let routes = [InertiaChoice::Invariants, InertiaChoice::Nodal, InertiaChoice::Assembled];
    for (seconds, inertia) in times.iter_mut().zip(routes) {
        let built = with_inertia(inertia, STEP)?;
        let start = State::initial(&built.model, 0.0);
        let timed = Timed { built: &built, start: &start, end: 5.0, channel: CHASSIS };
        *seconds = timed.run(context, Route::Global(STEP), STEP, 2 * ROUNDS)?;
    }
    table.row("here (ms)", times.iter().map(|seconds| Some(1e3 * (*seconds)?)));
    context.tabulate(table);
    Ok(())
}

/// Tables 6 and 7, figures 11 and 12.
pub(super) fn vehicle(context: &mut Context) -> Result<(), Fault> {
    let times = combinations(context, [VEHICLE, VEHICLE_FLEXIBLE], 8.0, ROUNDS)?;
    let caption =
        "Table 6: 8 s of the vehicle in steps of 10 ms; A-arms (A), leaf-spring bars (B), steering rods (S)";
    let mut table = Table::new(caption, &names());
    compare(&mut table, [&TABLE_6[0], &TABLE_6[1]], [&times[0], &times[1]]);
    context.tabulate(table);
    let caption = "Figure 12: the same over the number of flexible bodies, means over the combinations";
    let mut table = Table::new(caption, &["flexible bodies", "0", "4", "8", "12"]);
    let theirs = TABLE_6.map(|times| means(&times.map(Some)).map(|seconds| seconds.unwrap_or(f64::NAN)));
    compare(&mut table, [&theirs[0], &theirs[1]], [&means(&times[0]), &means(&times[1])]);
    context.tabulate(table);
    draw(context, &times);
    longest_steps(context)
}

/// Figures 11 and 12: ours in milliseconds, the paper's in units that meet ours at the rigid global vehicle.
fn draw(context: &mut Context, times: &Times) {
    let curves = |x: &[f64], ours: [&[Option<f64>]; 2], theirs: [&[f64]; 2]| -> Vec<Curve> {
        let unit = ours[0][0].unwrap_or(f64::NAN) / theirs[0][0];
        let mut list = Vec::new();
        for ((name, ours), theirs) in ["global", "topological"].into_iter().zip(ours).zip(theirs) {
            let ours: Vec<f64> = ours.iter().map(|s| 1e3 * s.unwrap_or(f64::NAN)).collect();
            let theirs: Vec<f64> = theirs.iter().map(|s| 1e3 * unit * s).collect();
            let look = if name == "global" { Curve::line } else { Curve::broken };
            list.push(look(name, x, &ours));
            list.push(Curve::points(format!("{name}, the paper, scaled"), x, &theirs));
        }
        list
    };
    let each: Vec<f64> = (0..8).map(f64::from).collect();
    let eleven = curves(&each, [&times[0], &times[1]], [&TABLE_6[0], &TABLE_6[1]]);
    let theirs = TABLE_6.map(|times| means(&times.map(Some)).map(|seconds| seconds.unwrap_or(f64::NAN)));
    let twelve =
        curves(&[0.0, 4.0, 8.0, 12.0], [&means(&times[0]), &means(&times[1])], [&theirs[0], &theirs[1]]);
    let unit = "The paper's seconds in units in which the rigid global vehicle takes as long as here.";
    context.draw(Figure::new(
        format!("Figure 11: time of the vehicle by combination (0 none, 1 A, 2 B, 3 S, 4 A+B, 5 A+S, 6 B+S, 7 all). {unit}"),
        vec![Panel::new("combination", "time", "ms", eleven)],
    ));
    context.draw(Figure::new(
        format!("Figure 12: time of the vehicle over the number of flexible bodies. {unit}"),
        vec![Panel::new("flexible bodies", "time", "ms", twelve)],
    ));
}

/// Steps tried (s).
const STEPS: [f64; 11] = [0.010, 0.012, 0.015, 0.018, 0.022, 0.027, 0.033, 0.036, 0.040, 0.045, 0.050];
/// A step is usable if the end is reached and the chassis stays this close to the motion with steps of 2 ms (m): a tenth of
/// its range.
const NEAR: f64 = 0.03;

/// Largest distance between two histories, not a number if one has none, by straight lines between the instants of the second.
fn apart(one: &History, other: &History) -> f64 {
    let mut worst = 0.0_f64;
    for (&time, &value) in one.time.iter().zip(&one.values) {
        let later = other.time.partition_point(|&t| t < time).clamp(1, other.time.len() - 1);
        let (t0, t1) = (other.time[later - 1], other.time[later]);
        let (z0, z1) = (other.values[later - 1], other.values[later]);
        let at = ((time - t0) / (t1 - t0)).clamp(0.0, 1.0);
        worst = keep_worst(worst, (value - z0 - at * (z1 - z0)).abs());
    }
    worst
}

/// The state at rest, free speeds kept.
fn rest_of(built: &Built) -> Result<State, Fault> {
    let mut rest = at_rest(built)?;
    keep_free_speeds(&built.model, &State::initial(&built.model, 0.0), &mut rest);
    Ok(rest)
}

/// Table 7: the longest usable steps from static equilibrium, and up to which all are.
fn longest_steps(context: &mut Context) -> Result<(), Fault> {
    let columns = ["", "global rigid", "global flexible", "topological rigid", "topological flexible"];
    let caption = "Table 7: 8 s of the vehicle from static equilibrium with the longest usable steps, up to 50 ms (usable: the chassis \
                   stays within 30 mm of the motion with 2 ms)";
    let mut table = Table::new(caption, &columns);
    let (mut found, mut unbroken) = ([[None; 4]; 3], [None; 4]);
    let vehicles = [built(VEHICLE, "rigid")?, built(VEHICLE_FLEXIBLE, "flexible")?];
    for (k, built) in vehicles.iter().enumerate() {
        let start = rest_of(built)?;
        let timed = Timed { built, start: &start, end: 8.0, channel: CHASSIS };
        let fine = timed.history(context, Route::Topological(0.002), 0.002)?;
        let Some(fine) = fine else { continue };
        for (column, route) in [(k, Route::Global as fn(f64) -> Route), (2 + k, Route::Topological)] {
            let mut all = true;
            for step in STEPS {
                let history = timed.history(context, route(step), step)?;
                let usable = history.is_some_and(|history| apart(&history, &fine) < NEAR);
                all &= usable;
                let seconds = if usable { timed.run(context, route(step), step, ROUNDS)? } else { None };
                let Some(seconds) = seconds else { continue };
                if all {
                    unbroken[column] = Some(step);
                }
                found[0][column] = Some(step);
                found[1][column] = Some(1e3 * seconds);
                found[2][column] = Some(8.0 / seconds);
            }
        }
    }
    let names = [
        ("longest step (s)", "longest step (s)"),
        ("time (s)", "time (ms)"),
        ("real-time ratio", "real-time ratio"),
    ];
    for ((theirs, ours), (known, found)) in names.into_iter().zip(TABLE_7.iter().zip(found)) {
        table.row(format!("{theirs}, the paper"), known.iter().copied().map(Some));
        table.row(format!("{ours}, here"), found);
    }
    table.row("step up to which all are usable (s), here", unbroken);
    context.tabulate(table);
    Ok(())
}
