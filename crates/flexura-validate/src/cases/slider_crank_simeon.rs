//! Flexible slider-crank of Simeon (Test Set for IVP Solvers, problem CRANK).

use crate::compare::from_chord;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model};
use crate::sampled::{Sampled, Table, keep_worst};
use flexura::build::Built;
// Its mass matrix is given as sums, which model files cannot hold.
use flexura_samples::slider_rod::{simeon, simeon_start};

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-simeon",
    title: "Flexible slider-crank of Simeon",
    source: "Mazzia & Magherini, Test Set for IVP Solvers, problem CRANK (MEBDFI, 1e-14); Simeon (1996)",
    trust: Trust::T1,
    about: "Crank of 0.15 m at 150 rad/s, elastic rod of 0.3 m and 8 × 8 mm, slider; no gravity, no damping. The reduced \
            model of the test set is taken as given: two lateral sine shapes and a quadratic stretch whose mass is fifteen \
            times that of a bar, linear stiffness. Its mass integrals are put in as sums, so that it has no model file.\n\n\
            Beside it, the physical rod (`validation/slider_crank_rod.toml`, default level with stiffening) against \
            geometrically exact beams.",
    models: &["validation/slider_crank_rod.toml"],
    cost: 50.0,
    run,
};

const ROD: &str = include_str!("../../models/validation/slider_crank_rod.toml");
const TABLE: &str = include_str!("../../data/slider_crank_simeon.csv");
const BEAMS: &str = "independent solver with geometrically exact beams";

/// x3 and q1 … q4 at 0.1 s (m, 1).
const KNOWN: [(&str, &str, f64); 5] = [
    ("slide.displacement", "x3", 0.169737332842786),
    ("rod.eta.1", "q1", 1.893192899613509e-4),
    ("rod.eta.2", "q2", 2.375751249879174e-5),
    ("rod.eta.3", "q3", -5.323896770569702e-6),
    ("rod.eta.4", "q4", -8.363313279112129e-6),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = simeon().build()?;
    let start = simeon_start(&built.model);
    let plan = Plan { end: 0.1, rows: 1e-4, channels: &["knee.*", "drive.*", "slide.*", "rod.eta.*"] };
    if context.quick {
        let coarse = context.run_from(&built, start.clone(), Route::Topological(1e-5), &plan)?;
        let fine = context.run_from(&built, start, Route::Topological(5e-6), &plan)?;
        return extrapolated(context, &coarse, &fine);
    }
    let run = context.run_from(&built, start.clone(), Route::Articulated(1e-10), &plan)?;
    context.balance(&run, "reduced model of the test set")?;
    judge(context, &run, "articulated bodies")?;
    let divided = context.run_from(&built, start.clone(), Route::DivideAndConquer(1e-10), &plan)?;
    judge(context, &divided, "divide and conquer")?;
    let coarse = context.run_from(&built, start.clone(), Route::Topological(1e-5), &plan)?;
    let fine = context.run_from(&built, start, Route::Topological(5e-6), &plan)?;
    extrapolated(context, &coarse, &fine)?;
    let mut curves = Vec::new();
    for name in ["rod.eta.1", "rod.eta.2"] {
        let one = run.channel(name)?;
        curves.push(Curve::line(name.replace("rod.eta.", "q"), &one.x, &one.y));
    }
    let known = |k: usize| Curve::points(format!("q{k}, test set"), &[0.1], &[KNOWN[k].2]);
    curves.extend([known(1), known(2)]);
    let panel = Panel::over_time("lateral amplitudes", "m", curves);
    context.draw(Figure::new("Lateral amplitudes of the test set's model.", vec![panel]));
    rod(context)
}

fn judge(context: &mut Context, run: &Run, route: &str) -> Result<(), Fault> {
    let why = "error-controlled integration at 1e-10 against 14 digits";
    let angle = run.at("drive.angle", 0.1)? + run.at("knee.angle", 0.1)?;
    let turned = Quantity::new(format!("φ2 at 0.1 s, {route}"), "rad", angle);
    context.judge(turned.absolute(-0.331173498825626, 1e-7, why));
    for (channel, name, value) in KNOWN {
        let limit = if name == "x3" { 1e-7 } else { 1e-9 };
        let found = run.at(channel, 0.1)?;
        context.judge(Quantity::new(format!("{name} at 0.1 s, {route}"), "m", found).absolute(value, limit, why));
    }
    let rate = run.at("drive.rate", 0.1)? + run.at("knee.rate", 0.1)?;
    context.judge(
        Quantity::new(format!("φ2' at 0.1 s, {route}"), "rad/s", rate).relative(60.25346755138369, 1e-6, why),
    );
    Ok(())
}

fn extrapolated(context: &mut Context, coarse: &Run, fine: &Run) -> Result<(), Fault> {
    let mut worst = [0.0_f64; 3];
    for (channel, _, value) in KNOWN.into_iter().skip(1) {
        let [a, b] = [coarse.at(channel, 0.1)?, fine.at(channel, 0.1)?];
        for (slot, found) in worst.iter_mut().zip([a, b, (4.0 * b - a) / 3.0]) {
            *slot = keep_worst(*slot, (found - value).abs());
        }
    }
    let why = "trapezoidal rule at 10 and 5 µs: what is left at fourth order";
    let name = "q1 to q4 at 0.1 s, topological formulation, extrapolated, largest error";
    context.judge(Quantity::new(name, "m", worst[2]).at_most(1e-8, why));
    Ok(())
}

/// The physical rod: mid-point deflection over the crank angle.
fn rod(context: &mut Context) -> Result<(), Fault> {
    let built: Built = model(ROD, CASE.models[0])?;
    // Two revolutions.
    let end = 4.0 * std::f64::consts::PI / 150.0;
    let plan = Plan { end, rows: end / 800.0, channels: &["rod.*.position.*"] };
    let run = context.run(&built, Route::Articulated(1e-9), &plan)?;
    context.balance(&run, "physical rod")?;
    context.accelerations_agree(&built, "physical rod", 1e-8, end)?;
    let across = from_chord(&run, ["rod.start", "rod.middle", "rod.end"])?;
    let found = Sampled { x: across.x.iter().map(|t| 150.0 * t).collect(), y: across.y };
    let why = "mode-by-mode rod without shear against converged beams: 2 % of the peaks, as for the four-bar";
    for (name, value, known) in
        [("largest", found.maximum().1, 1.8706e-3), ("least", found.minimum().1, -1.8684e-3)]
    {
        let quantity = Quantity::new(format!("{name} mid-point deflection of the physical rod"), "m", value);
        context.judge(quantity.relative(known, 0.02, why).source(BEAMS, Trust::T2));
    }
    let table = Table::new(TABLE)?.column("middle")?.between(0.0, 4.0 * std::f64::consts::PI);
    let curves = vec![
        Curve::line("modal rod", &found.x, &found.y),
        Curve::points("geometrically exact beams", &table.x, &table.y),
    ];
    let panel = Panel::new("crank angle [rad]", "mid-point deflection", "m", curves);
    context.draw(Figure::new("The physical rod: deflection across its chord.", vec![panel]));
    Ok(())
}
