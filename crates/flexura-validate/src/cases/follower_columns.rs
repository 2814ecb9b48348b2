//! Columns under loads that follow them: flutter instead of buckling.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::model_with;
use crate::threshold::{eigenvalues_at_start, threshold};
use flexura::file::NoSource;

/// The case.
pub const CASE: Case = Case {
    id: "follower-columns",
    title: "Columns under follower loads",
    source: "Beck (1952), Pflüger (1955), Leipholz (1962), Hauger (1966), survey of Langthjem & Sugiyama (2000); power series of the characteristic equation",
    trust: Trust::T1,
    about: "A clamped column with ρA = EI = L = 1 under a load that stays along its axis: a force at the tip (Beck), with a mass there \
            too (Pflüger, μ times the mass of the column), a uniform load (Leipholz), and one that falls linearly to zero at the \
            tip (Hauger). Such a load has no potential, and the column does not buckle: at the critical load two frequencies meet and \
            it flutters. Exact: w⁗ + N(x) w″ = ω² w with N = P, q(1 − x) or q(1 − x)²/2, w = w′ = 0 at the root, w″ = 0 and \
            w‴ + μω² w = 0 at the tip; two power series give the characteristic determinant, and the critical load is the one at \
            which its first two roots coincide. The model: ten polynomial shapes, linearised about the straight column; the \
            critical load by bisection on its eigenvalues.",
    models: &["validation/follower_column.toml"],
    cost: 2.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/follower_column.toml");

/// A column: name, load, mass at the tip, critical load to six digits with the last of them, bounds of the search.
struct Column {
    name: &'static str,
    load: Load,
    mass: f64,
    asked: Option<(f64, f64)>,
    bounds: [f64; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum Load {
    Tip,
    Uniform,
    Falling,
}

const COLUMNS: [Column; 7] = [
    column("Beck", Load::Tip, 0.0, Some((20.0510, 1e-4)), [15.0, 25.0]),
    column("Leipholz", Load::Uniform, 0.0, Some((40.0537, 1e-4)), [30.0, 50.0]),
    column("Hauger", Load::Falling, 0.0, Some((150.642, 1e-3)), [120.0, 180.0]),
    column("Pflüger, μ = 0.1", Load::Tip, 0.1, None, [12.0, 25.0]),
    column("Pflüger, μ = 0.5", Load::Tip, 0.5, None, [12.0, 25.0]),
    column("Pflüger, μ = 1", Load::Tip, 1.0, None, [12.0, 25.0]),
    column("Pflüger, μ = 2", Load::Tip, 2.0, None, [12.0, 25.0]),
];

const fn column(
    name: &'static str,
    load: Load,
    mass: f64,
    asked: Option<(f64, f64)>,
    bounds: [f64; 2],
) -> Column {
    Column { name, load, mass, asked, bounds }
}

fn run(context: &mut Context) -> Result<(), Fault> {
    for column in &COLUMNS {
        context.stage(column.name);
        let exact = threshold(column.bounds, |load| Ok(dip(column, load) > 0.0))?;
        let found = threshold(column.bounds, |load| flutters(column, load))?;
        let name = format!("critical load, {}", column.name);
        let why = "ten polynomials of a smooth shape, and the rounding of eigenvalues that meet";
        let unit = if column.load == Load::Tip { "EI/L²" } else { "EI/L³" };
        context.judge(Quantity::new(name, unit, found).relative(exact, 1e-6, why));
        if let Some((value, digits)) = column.asked {
            let name = format!("critical load, {}, six digits", column.name);
            context.judge(Quantity::new(name, unit, found).absolute(value, digits, "digits of the value that is asked for"));
        }
    }
    buckling(context)?;
    frequencies(context)
}

/// A dead load on the same column buckles it: Euler's π²/4, which a force that follows never meets.
fn buckling(context: &mut Context) -> Result<(), Fault> {
    let text = MODEL.replace("axes = \"frame\"", "axes = \"inertial\"");
    let unstable = |load: f64| Ok(values(&text, &COLUMNS[0], load)?.iter().any(|value| value.0 > 1e-4));
    let found = threshold([1.0, 4.0], unstable)?;
    let exact = std::f64::consts::PI.powi(2) / 4.0;
    let why = "a polynomial of the eleventh degree for a quarter of a sine";
    let quantity = Quantity::new("critical load, dead load", "EI/L²", found).relative(exact, 1e-6, why);
    context.judge(quantity.source("Euler's buckling load of a clamped column", Trust::T1));
    Ok(())
}

/// The two frequencies that meet, below the critical load.
fn frequencies(context: &mut Context) -> Result<(), Fault> {
    let mut panels = Vec::new();
    for column in &COLUMNS[..3] {
        let critical = column.asked.map_or(1.0, |asked| asked.0);
        let mut rows: [Vec<f64>; 4] = Default::default();
        for k in 0..=40 {
            let share = 1.1 * f64::from(k) / 40.0;
            let all = values(MODEL, column, share * critical)?;
            let growth = all.iter().fold(0.0, |most: f64, value| most.max(value.0));
            let mut list: Vec<f64> = all.iter().filter(|value| value.1 > 0.0).map(|value| value.1).collect();
            list.sort_by(f64::total_cmp);
            for (row, value) in rows.iter_mut().zip([share, list[0], list[1], growth]) {
                row.push(value);
            }
        }
        let [share, one, two, growth] = &rows;
        let curves =
            vec![Curve::line("first", share, one), Curve::line("second", share, two), Curve::broken("growth", share, growth)];
        panels.push(Panel::new("load over the critical one", column.name, "√(EI/ρA L⁴)", curves));
    }
    context.draw(Figure::new("Frequencies that meet, and the rate of growth beyond: Beck, Leipholz, Hauger.", panels));
    Ok(())
}

/// Eigenvalues of the model about the straight column.
fn values(text: &str, column: &Column, load: f64) -> Result<Vec<(f64, f64)>, Fault> {
    let [tip, start, end] = match column.load {
        Load::Tip => [load, 0.0, 0.0],
        Load::Uniform => [0.0, load, load],
        Load::Falling => [0.0, load, 0.0],
    };
    let settings = [
        ("thrust.force.1", -tip),
        ("spread.force.1", -start),
        ("spread.end_force.1", -end),
        ("weight.mass", column.mass.max(1e-9)),
    ];
    eigenvalues_at_start(&model_with(text, CASE.models[0], &settings, &NoSource)?)
}

/// Whether a disturbance grows; rounding of two eigenvalues that meet is the root of that of one.
fn flutters(column: &Column, load: f64) -> Result<bool, Fault> {
    Ok(values(MODEL, column, load)?.iter().any(|value| value.0 > 1e-3))
}

/// Least value of the characteristic determinant between its first two roots, positive at ω = 0: negative while there are two.
fn dip(column: &Column, load: f64) -> f64 {
    let sign = determinant(column, load, 0.0).signum();
    let at = |square: f64| sign * determinant(column, load, square);
    // The first minimum from below on a grid, then by golden section.
    let step = 4.0;
    let mut k = 1.0;
    while at((k + 1.0) * step) < at(k * step) {
        k += 1.0;
    }
    let (mut low, mut high) = ((k - 1.0) * step, (k + 1.0) * step);
    while high - low > 1e-7 * high {
        let (a, b) = (low + 0.381_966_011_25 * (high - low), high - 0.381_966_011_25 * (high - low));
        if at(a) < at(b) {
            high = b;
        } else {
            low = a;
        }
    }
    at(low.midpoint(high))
}

/// Determinant of the conditions at the tip for the two solutions with w″(0) = 1 and w‴(0) = 1.
fn determinant(column: &Column, load: f64, square: f64) -> f64 {
    // N(x) = n0 + n1 x + n2 x².
    let thrust = match column.load {
        Load::Tip => [load, 0.0, 0.0],
        Load::Uniform => [load, -load, 0.0],
        Load::Falling => [0.5 * load, -load, 0.5 * load],
    };
    let tip = [2, 3].map(|first| {
        let mut series = [0.0_f64; 80];
        series[first] = if first == 2 { 0.5 } else { 1.0 / 6.0 };
        for k in 0..series.len() - 4 {
            let bend = |k: usize| ((k + 2) * (k + 1)) as f64 * series[k + 2];
            let along: f64 = (0..=k.min(2)).map(|j| thrust[j] * bend(k - j)).sum();
            let factor = ((k + 4) * (k + 3) * (k + 2) * (k + 1)) as f64;
            series[k + 4] += (square * series[k] - along) / factor;
        }
        let mut ends = [0.0; 3];
        for (k, term) in series.iter().enumerate() {
            let k = k as f64;
            ends[0] += term;
            ends[1] += k * (k - 1.0) * term;
            ends[2] += k * (k - 1.0) * (k - 2.0) * term;
        }
        [ends[1], ends[2] + column.mass * square * ends[0]]
    });
    tip[0][0] * tip[1][1] - tip[1][0] * tip[0][1]
}
