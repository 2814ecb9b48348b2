//! Right-angle cantilever: bending and torsion of the size of the structure, in space.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model};

/// The case.
pub const CASE: Case = Case {
    id: "right-angle-cantilever",
    title: "Right-angle cantilever",
    source: "Simo & Vu-Quoc (1988); series of mb_sef_py and AeroBeams.jl",
    trust: Trust::T2,
    about: "Two legs of 10 m, EA = GA = 10⁶, EI = GJ = 10³, 1 kg/m, rotary inertia 20, 10, 10 kg m; a force at the elbow out of their \
            plane rises to 50 N in 1 s and is gone at 2 s. Eight segments per leg, 30 s. Two public programs give the reference: \
            their difference is the spread that is allowed from the nearer of them.",
    models: &["validation/right_angle_cantilever.toml"],
    cost: 95.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/right_angle_cantilever.toml");
const CHANNELS: [&str; 2] = ["leg.elbow.position.z", "arm.tip.position.z"];
const NAMES: [&str; 2] = ["elbow", "tip"];
/// Time (s), then height (m) of elbow and tip, each by mb_sef_py and AeroBeams.
const KNOWN: [(f64, [[f64; 2]; 2]); 10] = [
    (3.0, [[5.50008917, 5.49927702], [1.5069809, 1.50785722]]),
    (6.0, [[2.55379415, 2.54082875], [6.90230703, 6.910064]]),
    (9.0, [[-0.687971413, -0.678531611], [6.78506136, 6.76822621]]),
    (12.0, [[-2.12866807, -2.11633901], [-3.36700487, -3.40226335]]),
    (15.0, [[0.131343082, 0.142230752], [-9.24015617, -9.21983691]]),
    (18.0, [[-1.72408664, -1.7759983], [-6.00961971, -5.97645121]]),
    (21.0, [[-3.31761003, -3.28664819], [4.43315172, 4.40620079]]),
    (24.0, [[4.36665058, 4.37676831], [6.51410437, 6.42863203]]),
    (27.0, [[4.39192677, 4.4132363], [6.19004107, 6.24694117]]),
    (30.0, [[-0.177945301, -0.241484661], [0.133197501, 0.139363726]]),
];
/// Smallest and largest height (m) of elbow and tip by both programs.
const EXTREMES: [[[f64; 2]; 2]; 2] =
    [[[-4.072, -4.05634403], [6.091, 6.10508766]], [[-9.760, -9.73065223], [8.248, 8.25069457]]];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let end = if context.quick { 3.0 } else { 30.0 };
    let run = context.run(&built, Route::Articulated(1e-6), &Plan { end, rows: 0.05, channels: &CHANNELS })?;
    context.balance(&run, "cantilever")?;
    let why = "no farther from the nearer program than the two are apart at the worst of the quoted times";
    let mut panels = Vec::new();
    for (k, name) in NAMES.into_iter().enumerate() {
        let height = run.channel(CHANNELS[k])?;
        let spread = KNOWN.iter().fold(0.0, |most: f64, (_, values)| most.max((values[k][0] - values[k][1]).abs()));
        // Heights pass through zero: the height itself is no measure of their errors.
        let range = EXTREMES[k][1][0] - EXTREMES[k][0][0];
        for (time, values) in KNOWN.iter().filter(|row| row.0 <= end) {
            let value = height.at(*time);
            let quantity = Quantity::new(format!("height of the {name} at {time} s"), "m", value);
            context.judge(quantity.share_of(range, nearer(value, values[k]), spread / range, why));
        }
        if !context.quick {
            let words = ["smallest", "largest"];
            for ((word, value), known) in words.into_iter().zip([height.minimum().1, height.maximum().1]).zip(EXTREMES[k]) {
                let quantity = Quantity::new(format!("{word} height of the {name}"), "m", value);
                context.judge(quantity.share_of(range, nearer(value, known), spread / range, why));
            }
        }
        let times: Vec<f64> = KNOWN.iter().map(|row| row.0).collect();
        let column = |code: usize| KNOWN.iter().map(|row| row.1[k][code]).collect::<Vec<f64>>();
        let curves = vec![
            Curve::line(name, &height.x, &height.y),
            Curve::points("mb_sef_py", &times, &column(0)),
            Curve::points("AeroBeams", &times, &column(1)),
        ];
        panels.push(Panel::over_time(&format!("height of the {name}"), "m", curves));
    }
    context.draw(Figure::new("Elbow and tip out of the plane.", panels));
    context.accelerations_agree(&built, "cantilever", 1e-7, end)?;
    let steps = Steps { end: 1.0, step: 1e-2, rows: 0.1, channels: &CHANNELS, share: 1e-3, global: true };
    context.implicit_routes(&built, "cantilever", &run, &steps)
}

fn nearer(value: f64, known: [f64; 2]) -> f64 {
    if (value - known[0]).abs() < (value - known[1]).abs() { known[0] } else { known[1] }
}
