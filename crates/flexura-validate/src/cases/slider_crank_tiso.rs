//! Slider-crank with two flexible links, as in the examples of mb_sef_py (after Tiso).

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model};

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-tiso",
    title: "Flexible slider-crank of Tiso",
    source: "series of mb_sef_py, slider-crank after Tiso",
    trust: Trust::T2,
    about: "Crank of 10 m, rod of 20 m, both flexible and along x at the start; the crank is turned by 3πt²/50, the end of the rod \
            slides along x without mass. The benchmark stops the crank at once at 5 s, which is no motion a rigid drive can make: \
            compared up to there. Four and eight segments; a loop closed by constraints.",
    models: &["validation/slider_crank_tiso.toml"],
    cost: 100.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/slider_crank_tiso.toml");
const CHANNELS: [&str; 6] = [
    "crank.middle.position.x",
    "crank.middle.position.y",
    "rod.position.x",
    "rod.position.y",
    "rod.middle.position.x",
    "rod.middle.position.y",
];
/// Time (s) and positions (m): middle of the crank, pin, middle of the rod.
const KNOWN: [(f64, [f64; 6]); 5] = [
    (1.0, [4.91592646, 0.913035095, 9.8368597, 1.79876506, 19.7945862, 0.880083323]),
    (2.0, [3.6678803, 3.39802694, 7.36261654, 6.76686811, 16.779211, 3.40108562]),
    (3.0, [-0.642692149, 4.95855379, -1.30532956, 9.91448116, 7.39305592, 4.98121786]),
    (4.0, [-4.96119499, 0.622362256, -9.9230814, 1.23910916, 0.0575002283, 0.617573142]),
    (4.95, [-0.588249981, -4.9649992, -1.31798851, -9.91151047, 7.37384605, -4.96695566]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let end = if context.quick { 1.0 } else { 5.0 };
    let run = context.run(&built, Route::Articulated(1e-6), &Plan { end, rows: 0.05, channels: &CHANNELS })?;
    context.balance(&run, "slider-crank")?;
    let why = "other discretisation with numerical damping, single run without a study of convergence: 0.1 % of the crank";
    for (time, values) in KNOWN.into_iter().filter(|row| row.0 <= end) {
        for (channel, value) in CHANNELS.into_iter().zip(values) {
            let name = format!("{} at {time} s", words(channel));
            context.judge(Quantity::new(name, "m", run.at(channel, time)?).share_of(10.0, value, 1e-3, why));
        }
    }
    draw(context, &run)?;
    context.accelerations_agree(&built, "slider-crank", 1e-7, end)?;
    let steps = Steps { end: 0.5, step: 2e-3, rows: 0.05, channels: &CHANNELS[2..], share: 1e-3, global: true };
    context.implicit_routes(&built, "slider-crank", &run, &steps)
}

fn words(channel: &str) -> String {
    let (place, axis) = channel.split_once(".position.").unwrap_or((channel, ""));
    let place = match place {
        "crank.middle" => "middle of the crank",
        "rod" => "pin",
        _ => "middle of the rod",
    };
    format!("{axis} of the {place}")
}

fn draw(context: &mut Context, run: &Run) -> Result<(), Fault> {
    let times = KNOWN.map(|row| row.0);
    let mut curves = Vec::new();
    for (k, channel) in CHANNELS.into_iter().enumerate() {
        let found = run.channel(channel)?;
        curves.push(Curve::line(words(channel), &found.x, &found.y));
        let known = KNOWN.map(|row| row.1[k]);
        curves.push(Curve::points(format!("{}, mb_sef_py", words(channel)), &times, &known));
    }
    let rod = curves.split_off(8);
    let panels = vec![
        Panel::over_time("crank and pin", "m", curves),
        Panel::over_time("middle of the rod", "m", rod),
    ];
    context.draw(Figure::new("Slider-crank with flexible links.", panels));
    Ok(())
}
