//! Sleeping top: stable upright above a spin, unstable below.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Quantity;
use crate::quantity::Trust;
use crate::run::{Plan, Route};
use crate::sampled::keep_worst;
use crate::threshold::{growth, threshold};
use crate::trees::{Tree, in_tree};
use flexura::file::set_parameter;
use flexura::build::Built;

/// The case.
pub const CASE: Case = Case {
    id: "sleeping-top",
    title: "Sleeping top",
    source: "exact: linear motion about the upright spin (Lagrange)",
    trust: Trust::T1,
    about: "A symmetric top spins upright at Ω. A small tilt ξ = x + iy obeys I₁ξ'' − iI₃Ωξ' − mglξ = 0: it grows at \
            √(4I₁mgl − I₃²Ω²)/(2I₁) below Ω = 2√(I₁mgl)/I₃ = 48.52 rad/s and stays above. Eigenvalues about the motion and runs \
            from a tilt of 1e-5 rad, at 40 and 60 rad/s.",
    models: &["validation/sleeping_top.toml"],
    cost: 2.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/sleeping_top.toml");
/// I₁ about the fixed point, I₃ (kg m²), m g l (N m).
const INERTIA: [f64; 2] = [0.3, 0.05];
const WEIGHT: f64 = 9.81 * 0.5;
const TILT: f64 = 1e-5;
const TREES: [Tree; 2] = [("ball joint in the tree", ""), ("absolute", "[graph]\ntree = \"absolute\"")];

fn top(spin: f64, tilt: f64, tree: Tree) -> Result<Built, Fault> {
    let text = set_parameter(MODEL, "pivot.speed.3", &spin.to_string())?;
    in_tree(&set_parameter(&text, "pivot.orientation.angle", &format!("{tilt:e}"))?, CASE.models[0], tree)
}

/// Square of the rate of growth; negative: of the frequency of nodding (1/s²).
fn square(spin: f64) -> f64 {
    let [across, along] = INERTIA;
    (4.0 * across * WEIGHT - (along * spin).powi(2)) / (4.0 * across * across)
}

/// Tilt over time from rest at `TILT`.
fn tilt(spin: f64, time: f64) -> f64 {
    let (square, turning) = (square(spin), INERTIA[1] * spin / (2.0 * INERTIA[0]));
    let rate = square.abs().sqrt();
    let (even, odd) = match square > 0.0 {
        true => ((rate * time).cosh(), (rate * time).sinh()),
        false => ((rate * time).cos(), (rate * time).sin()),
    };
    TILT * even.hypot(turning / rate * odd)
}

fn run(context: &mut Context) -> Result<(), Fault> {
    for tree in TREES {
        eigenvalues(context, tree)?;
    }
    let mut curves = Vec::new();
    for spin in [40.0, 60.0] {
        for tree in TREES {
            for route in [Route::Articulated(1e-11), Route::Topological(5e-4), Route::Global(5e-4), Route::EnergyPreserving(5e-4)] {
                curves.extend(fall(context, spin, tree, route)?);
            }
        }
    }
    context.draw(Figure::new("Tilt of the top.", vec![Panel::over_time("tilt", "rad", curves).logarithmic()]));
    Ok(())
}

fn eigenvalues(context: &mut Context, tree: Tree) -> Result<(), Fault> {
    context.stage("eigenvalues");
    let critical = 2.0 * (INERTIA[0] * WEIGHT).sqrt() / INERTIA[1];
    // At the threshold two eigenvalues meet: rounding of 1e-15 moves them by its root.
    let found = threshold([20.0, 60.0], |spin| Ok(growth(&top(spin, 0.0, tree)?)? < 1e-4)).map(|spin| spin / critical);
    let why = "two eigenvalues meet there: what counts as growth is 1e-4 1/s";
    let quantity = Quantity::new(format!("spin above which the top sleeps over the exact one, {}", tree.0), "1", found?);
    context.judge(quantity.absolute(1.0, 1e-6, why));
    for spin in [20.0, 40.0, 60.0] {
        let found = growth(&top(spin, 0.0, tree)?)?;
        let exact = square(spin).max(0.0).sqrt();
        let quantity = Quantity::new(format!("rate of growth at {spin} rad/s, {}", tree.0), "1/s", found);
        context.judge(quantity.absolute(exact, 1e-6, "eigenvalues of a small matrix; that of the turn about the axis is double and zero"));
    }
    Ok(())
}

/// A run beside the linear motion; the curve of the error-controlled one in the tree.
fn fall(context: &mut Context, spin: f64, tree: Tree, route: Route) -> Result<Vec<Curve>, Fault> {
    let end = if context.quick { 0.5 } else { 1.5 };
    let plan = Plan { end, rows: 0.01, channels: &["top.center.position.?"] };
    let run = context.run(&top(spin, TILT, tree)?, route, &plan)?;
    let [x, y] = ["x", "y"].map(|axis| run.channel(&format!("top.center.position.{axis}")));
    let (x, y) = (x?, y?);
    let found: Vec<f64> = x.y.iter().zip(&y.y).map(|(x, y)| x.hypot(*y) / 0.5).collect();
    let known: Vec<f64> = x.x.iter().map(|&time| tilt(spin, time)).collect();
    let worst = found.iter().zip(&known).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, keep_worst);
    let (share, why) = match route {
        Route::Articulated(_) => (1e-4, "error control at 1e-13 of a tilt of 1e-5; squares of the tilt"),
        _ => (2e-2, "steps of 0.5 ms, in which the top turns by 0.03 rad: growth and nodding off by the square of that"),
    };
    let name = format!("tilt at {spin} rad/s, {}, {}: largest relative difference", tree.0, route.words());
    context.judge(Quantity::new(name, "1", worst).at_most(share, why));
    let first = tree.1.is_empty() && matches!(route, Route::Articulated(_));
    let curves = [Curve::line(format!("{spin} rad/s"), &x.x, &found), Curve::points(format!("exact, {spin} rad/s"), &x.x, &known)];
    Ok(if first { curves.to_vec() } else { Vec::new() })
}
