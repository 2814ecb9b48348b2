//! Chain of four-bar loops (IFToMM A02): the equation of one freedom, through singular positions.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Trust;
use crate::run::{Plan, Route, model};

/// The case.
pub const CASE: Case = Case {
    id: "iftomm-four-bar-chain",
    title: "Chain of four-bar loops",
    source: "IFToMM library of multibody benchmarks A02; exact equation of one freedom",
    trust: Trust::T1,
    about: "N four-bar loops in a row, links of 1 m and 1 kg, upright, started with 1 rad/s clockwise under gravity: \
            ((N+1)/3 + N) θ'' = ((N+1)/2 + N) g sin θ. Whenever the links lie level the mechanism could branch; an \
            integrator must carry it on. N = 1 and 2 over 10 s, N = 40 over 2 s.",
    models: &[
        "validation/iftomm_four_bars_1.toml",
        "validation/iftomm_four_bars_2.toml",
        "validation/iftomm_four_bars_40.toml",
    ],
    cost: 7.0,
    run,
};

const TEXTS: [&str; 3] = [
    include_str!("../../models/validation/iftomm_four_bars_1.toml"),
    include_str!("../../models/validation/iftomm_four_bars_2.toml"),
    include_str!("../../models/validation/iftomm_four_bars_40.toml"),
];

/// First upper joint: x, y (m) at 1, 2, 5 and 10 s.
const EXACT: [[(f64, [f64; 2]); 4]; 3] = [
    [
        (1.0, [-0.2607126751837067, -0.965416439159058]),
        (2.0, [0.07708547179273215, 0.9970244881839623]),
        (5.0, [-0.9449081860418319, -0.32733548532222234]),
        (10.0, [0.47838505775553053, 0.8781501787941728]),
    ],
    [
        (1.0, [-0.19502030194951953, -0.9807992056621571]),
        (2.0, [0.05781579576790584, 0.9983272678634616]),
        (5.0, [-0.8113104610027385, -0.5846155453522631]),
        (10.0, [0.3284581115361111, 0.9445185381802369]),
    ],
    [
        (1.0, [-0.11535688063217499, -0.9933241113004426]),
        (2.0, [0.03446630730029618, 0.9994058603295668]),
        (5.0, [-0.5401900506721279, -0.8415430524666245]),
        (10.0, [0.18051222668362352, 0.9835727405828814]),
    ],
];

const CHANNELS: [&str; 2] = ["link0.tip.position.x", "link0.tip.position.y"];

fn run(context: &mut Context) -> Result<(), Fault> {
    let why = "error-controlled integration at 1e-9 to 1e-10 through singular positions, each of which amplifies errors";
    for (k, loops) in [1, 2, 40].into_iter().enumerate() {
        if loops == 40 && context.quick {
            continue;
        }
        let built = model(TEXTS[k], CASE.models[k])?;
        let what = if loops == 1 { "one loop".into() } else { format!("{loops} loops") };
        let [x, y] = [format!("x, {what},"), format!("y, {what},")];
        let names = [(CHANNELS[0], x.as_str(), "m"), (CHANNELS[1], y.as_str(), "m")];
        let end = if loops == 40 || context.quick { 2.0 } else { 10.0 };
        let known: Vec<(f64, [f64; 2])> = EXACT[k].into_iter().filter(|row| row.0 <= end).collect();
        let plan = Plan { end, rows: 0.01, channels: &CHANNELS };
        let run = if loops == 40 {
            let run = context.run(&built, Route::Articulated(1e-9), &plan)?;
            context.balance(&run, &what)?;
            context.accelerations_agree(&built, &what, 1e-8, end)?;
            let steps =
                Steps { end: 1.0, step: 4e-3, rows: 0.02, channels: &CHANNELS, share: 1e-4, global: true };
            context.implicit_routes(&built, &what, &run, &steps)?;
            run
        } else {
            let steps =
                Steps { end: 1.0, step: 2e-3, rows: 0.02, channels: &CHANNELS, share: 1e-5, global: true };
            context.all_routes(&built, &what, 1e-10, &plan, Some(&steps))?
        };
        context.known(&run, names, &known, 1e-5, why)?;
        let (x, y) = (run.channel(CHANNELS[0])?, run.channel(CHANNELS[1])?);
        let times: Vec<f64> = known.iter().map(|row| row.0).collect();
        let column = |i: usize| known.iter().map(|row| row.1[i]).collect::<Vec<f64>>();
        let curves = vec![
            Curve::line("x", &x.x, &x.y),
            Curve::line("y", &y.x, &y.y),
            Curve::points("x, exact", &times, &column(0)),
            Curve::points("y, exact", &times, &column(1)),
        ];
        let caption = format!("First upper joint, {what}.");
        context.draw(Figure::new(caption, vec![Panel::over_time("position", "m", curves)]));
    }
    Ok(())
}
