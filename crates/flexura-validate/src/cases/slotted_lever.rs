//! Slotted lever: a block that slides along a body which turns, in the tree and as the constraint that closes the loop.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Trust;
use crate::run::{Plan, model};

/// The case.
pub const CASE: Case = Case {
    id: "slotted-lever",
    title: "Slotted lever",
    source: "exact equation of one freedom, by quadrature",
    trust: Trust::T1,
    about: "The quick-return mechanism: a crank of 0.5 m is let go at 2 rad/s; the block on its pin slides in the slot of a lever \
            hinged 0.3 m behind the crank, and turns it. No gravity: ½ I(θ) θ'² stays, with I = I₁ + m r² + (J₂ + J_b) φ_θ², \
            φ_θ = (r² + d r cos θ)/s², s² = r² + d² + 2 d r cos θ; t(θ) by quadrature with 30 digits. The loop is cut at the \
            slot, whose closure then has the Coriolis acceleration, and at the pin, where the slot is a joint of the tree, with \
            one axis and with two.",
    models: &["validation/slotted_lever.toml"],
    cost: 2.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/slotted_lever.toml");
const CHANNELS: [&str; 3] = ["crank.angle", "crank.rate", "block.position.x"];
/// Crank angle (rad) and rate (rad/s) at some times (s).
const EXACT: [(f64, [f64; 2]); 3] = [
    (1.0, [1.9403752119512, 1.7734149581619]),
    (2.0, [3.1576946662199, 0.82284182220861]),
    (5.0, [8.2924177087235, 1.7431478957964]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut curves = Vec::new();
    let cylindrical = MODEL.replace("prismatic", "cylindrical").replace("position = 0.8", "position = [0, 0.8]");
    for (cut, text, what) in [
        ("slot", MODEL, "cut at the slot"),
        ("pin", MODEL, "cut at the pin"),
        ("pin", &cylindrical, "cut at the pin, slot cylindrical"),
    ] {
        let text = text.replace("cut = [\"slot\"]", &format!("cut = [\"{cut}\"]"));
        let built = model(&text, CASE.models[0])?;
        let plan = Plan { end: 5.0, rows: 5e-3, channels: &CHANNELS };
        let steps = Steps { end: 2.0, step: 2e-3, rows: 0.05, channels: &CHANNELS[..1], share: 1e-5, global: true };
        let run = context.all_routes(&built, what, 1e-10, &plan, Some(&steps))?;
        context.graph_in_any_coordinates(&built, what, &plan, Some(&steps))?;
        context.energy_routes(&built, what, &run, &steps)?;
        let why = "error-controlled integration at 1e-10 over a turn";
        let [angle, rate] = [format!("crank angle, {what},"), format!("crank rate, {what},")];
        let names = [(CHANNELS[0], angle.as_str(), "rad"), (CHANNELS[1], rate.as_str(), "rad/s")];
        context.known(&run, names, &EXACT, 1e-7, why)?;
        let ours = run.channel(CHANNELS[1])?;
        let look = if cut == "slot" { Curve::line } else { Curve::broken };
        curves.push(look(what, &ours.x, &ours.y));
    }
    let (times, rates) = (EXACT.map(|row| row.0), EXACT.map(|row| row.1[1]));
    curves.push(Curve::points("exact", &times, &rates));
    context.draw(Figure::new("Rate of the crank.", vec![Panel::over_time("crank rate", "rad/s", curves)]));
    Ok(())
}
