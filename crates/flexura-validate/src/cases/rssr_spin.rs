//! RSSR linkage whose coupler spins: a free, conserved motion beside the one of the linkage.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::keep_worst;
use crate::trees::{Tree, all_words, in_tree, is_precise};
use flexura::file::set_parameter;

/// The case.
pub const CASE: Case = Case {
    id: "rssr-spin",
    title: "RSSR linkage with a spinning coupler",
    source: "exact: no moment about the line of the coupler, gyroscopic forces do no work",
    trust: Trust::T1,
    about: "Crank, rocker and a round coupler between two ball joints: one freedom of the linkage, and the spin of the coupler about its own line. No joint \
            has a moment about that line, so I₃ω₃ stays; and since the linkage has one freedom and \
            gyroscopic forces do no work, its motion does not know of the spin. The loop is cut at either ball, at the crank, in absolute and in mixed \
            coordinates: the free motion is then in the tree, in a chord, or in neither.",
    models: &["validation/rssr_spin.toml"],
    cost: 3.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/rssr_spin.toml");
const SPIN: f64 = 40.0;
const TREES: [Tree; 5] = [
    ("cut at the far ball", "[graph]\ncut = \"ball_b\""),
    ("cut at the near ball", "[graph]\ncut = \"ball_a\""),
    ("cut at the crank", "[graph]\ncut = \"crank\""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed", "[graph]\ntree = [\"crank\", \"ball_a\"]"),
];
const CHANNELS: [&str; 5] =
    ["crank.angle", "rocker.angle", "coupler.omega.?", "coupler.position.?", "coupler.far.position.?"];

/// Largest deviation of the rate about the coupler's line from `SPIN`.
fn spin_error(run: &Run) -> Result<f64, Fault> {
    let columns = |name: &str| -> Result<[Vec<f64>; 3], Fault> {
        let [x, y, z] = ["x", "y", "z"].map(|axis| run.channel(&format!("{name}.{axis}")));
        Ok([x?.y, y?.y, z?.y])
    };
    let (turn, near, far) = (columns("coupler.omega")?, columns("coupler.position")?, columns("coupler.far.position")?);
    let rows = 0..turn[0].len();
    let rate = |row: usize| -> f64 { (0..3).map(|i| turn[i][row] * (far[i][row] - near[i][row]) / 0.7).sum() };
    Ok(rows.map(|row| (rate(row) - SPIN).abs()).fold(0.0, keep_worst))
}

fn run(context: &mut Context) -> Result<(), Fault> {
    let end = if context.quick { 0.3 } else { 1.5 };
    let plan = Plan { end, rows: 0.01, channels: &CHANNELS };
    // Without spin the rates about the line are those of the ball joints' frames.
    let mut still = MODEL.to_string();
    for (path, rate) in [("ball_a.speed.1", -1.5123314552753655), ("ball_b.speed.1", 0.027764804624013095)] {
        still = set_parameter(&still, path, &rate.to_string())?;
    }
    let known = context.run(&in_tree(&still, CASE.models[0], TREES[0])?, Route::Articulated(1e-11), &plan)?;
    let routes = [
        Route::Articulated(1e-10),
        Route::Stiff(1e-9),
        Route::Topological(2.5e-4),
        Route::Global(2.5e-4),
        Route::EnergyPreserving(2.5e-4),
    ];
    for tree in TREES {
        let built = in_tree(MODEL, CASE.models[0], tree)?;
        for precise in [true, false] {
            let routes: Vec<Route> = routes.iter().copied().filter(|route| is_precise(*route) == precise).collect();
            let mut runs = Vec::new();
            for &route in &routes {
                runs.push(context.run(&built, route, &plan)?);
            }
            judge(context, &runs, &known, precise, &format!("{} ({})", tree.0, all_words(&routes)))?;
        }
    }
    let (crank, rocker) = (known.channel(CHANNELS[0])?, known.channel(CHANNELS[1])?);
    let curves = vec![Curve::line("crank", &crank.x, &crank.y), Curve::line("rocker", &rocker.x, &rocker.y)];
    context.draw(Figure::new("Angles of crank and rocker.", vec![Panel::over_time("angle", "rad", curves)]));
    Ok(())
}

/// The worst of several runs in one tree.
fn judge(context: &mut Context, runs: &[Run], known: &Run, precise: bool, what: &str) -> Result<(), Fault> {
    let (share, why) = match precise {
        true => (1e-6, "error control at 1e-9: the worst of these routes"),
        false => (5e-3, "steps of second order, 0.25 ms, in which the coupler turns by 0.01 rad: the worst of these routes"),
    };
    let (mut spin, mut apart, mut energy) = (0.0_f64, 0.0_f64, 0.0_f64);
    for run in runs {
        spin = keep_worst(spin, spin_error(run)?);
        for channel in &CHANNELS[..2] {
            let (a, b) = (known.channel(channel)?, run.channel(channel)?);
            apart = keep_worst(apart, a.distance(&b) / a.range());
        }
        energy = keep_worst(energy, run.energy_error()?);
    }
    let name = format!("spin of the coupler, largest change, {what}");
    context.judge(Quantity::new(name, "rad/s", spin).at_most(share * SPIN, why));
    let name = format!("crank and rocker against those of a coupler without spin, {what}");
    context.judge(Quantity::new(name, "1", apart).at_most(share, why));
    if precise {
        context.judge_energy(energy, what);
    }
    Ok(())
}
