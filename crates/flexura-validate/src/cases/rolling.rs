//! Rolling discs and Chaplygin's sleigh: constraints on speeds that no positions integrate.
//!
//! Steady circles and the limit of upright rolling follow from the angular momentum and the force at the contact (Routh, Advanced Rigid Dynamics,
//! art. 241; Neimark and Fufaev, chapter VI), the sleigh from two equations of first order (Chaplygin 1911).

use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::keep_worst;
use crate::trees::{Course, Tree, in_tree};
use flexura::file::set_parameter;

/// The case.
pub const CASE: Case = Case {
    id: "rolling",
    title: "Rolling discs and Chaplygin's sleigh",
    source: "exact: steady rolling, linear motion about upright rolling (Routh), Chaplygin (1911)",
    trust: Trust::T1,
    about: "Constraints on speeds alone. A disc and a ring roll round circles, leaning at α with the precession Ω and the spin \
            w of (C + m R²) w Ω sin α − A Ω² sin α cos α + m g R cos α = 0; the plane carries the weight. Upright, tilts grow below and swing above \
            w² = g/(3R) (disc) and g/(4R) (ring). A sleigh on a blade turns from backwards to forwards: u = U tanh τ, ω = W / cosh τ. In the tree of the \
            free joint and in absolute coordinates, by explicit and implicit error control, divide and conquer and the linear graph; methods of equal \
            implicit steps refuse such joints by name.",
    models: &["validation/rolling_circle.toml", "validation/rolling_upright.toml", "validation/chaplygin_sleigh.toml"],
    cost: 4.0,
    run,
};

const CIRCLE: &str = include_str!("../../models/validation/rolling_circle.toml");
const UPRIGHT: &str = include_str!("../../models/validation/rolling_upright.toml");
const SLEIGH: &str = include_str!("../../models/validation/chaplygin_sleigh.toml");
const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.3;
/// A and C in units of m R².
const DISC: [f64; 2] = [0.25, 0.5];
const RING: [f64; 2] = [0.5, 1.0];
const TILT: f64 = 1e-6;
const TREES: [Tree; 2] = [("joint coordinates", ""), ("absolute coordinates", "[graph]\ntree = \"absolute\"")];
const ROUTES: [Route; 4] =
    [Route::Articulated(1e-11), Route::Stiff(1e-9), Route::DivideAndConquer(1e-11), Route::Graph(1e-11)];

fn run(context: &mut Context) -> Result<(), Fault> {
    for (words, shape, lean, precession) in
        [("disc", DISC, 1.2, 1.5), ("leaning disc", DISC, 0.7, -4.0), ("ring", RING, 1.0, 2.5)]
    {
        circle(context, words, shape, lean, precession)?;
    }
    for (words, shape, share) in [("disc", DISC, 3.0), ("ring", RING, 4.0)] {
        upright(context, words, shape, (GRAVITY / (share * RADIUS)).sqrt())?;
    }
    sleigh(context)
}

/// `text` with other numbers of its first section.
fn with(text: &str, values: &[(&str, f64)]) -> Result<String, Fault> {
    let mut text = text.to_string();
    for (name, value) in values {
        text = set_parameter(&text, name, &format!("{value:?}"))?;
    }
    Ok(text)
}

/// Steady rolling round a circle: places over time, and the force on the plane.
fn circle(context: &mut Context, words: &str, [across, along]: [f64; 2], lean: f64, precession: f64) -> Result<(), Fault> {
    let (sin, cos) = lean.sin_cos();
    let spin =
        (across * precession * precession * sin * cos - GRAVITY / RADIUS * cos) / ((along + 1.0) * precession * sin);
    let values = [("across", across), ("along", along), ("lean", lean), ("precession", precession)];
    let text = with(CIRCLE, &values)?;
    let plan = Plan { end: if context.quick { 1.0 } else { 4.0 }, rows: 0.02, channels: &["disc.position.?", "rim.normal_force", "constraint.*"] };
    let size = RADIUS * spin / precession;
    let courses = [
        Course { channel: "disc.position.x", name: &format!("x of the {words} on its circle"), exact: &|t| size * (precession * t).sin() },
        Course { channel: "disc.position.y", name: &format!("y of the {words}"), exact: &|t| size * (1.0 - (precession * t).cos()) },
        Course { channel: "disc.position.z", name: &format!("height of the {words}"), exact: &|_| RADIUS * sin },
    ];
    let first = context.every_tree((&text, CASE.models[0]), &TREES, &ROUTES, &plan, &courses)?;
    let force = first.channel("rim.normal_force")?;
    let worst = force.y.iter().map(|f| (f / (MASS * GRAVITY) - 1.0).abs()).fold(0.0, keep_worst);
    let why = "the centre accelerates in the plane only: error control at 1e-11";
    context.judge(Quantity::new(format!("force on the plane over the weight of the {words}, less 1"), "1", worst).at_most(1e-6, why));
    let slip = first.largest("constraint.velocity")?;
    let why = "speeds are put back on the constraints after every step";
    let quantity = Quantity::new(format!("slip of the {words}"), "m/s", slip).at_most(1e-10, why);
    context.judge(quantity.source(PHYSICS, Trust::T1));
    Ok(())
}

/// Small tilts of an upright disc at a share of the critical spin `critical`, and the speed at which they neither grow nor swing.
fn upright(context: &mut Context, words: &str, [across, along]: [f64; 2], critical: f64) -> Result<(), Fault> {
    let plan = Plan { end: if context.quick { 1.0 } else { 3.0 }, rows: 0.02, channels: &["carrier.q?"] };
    let (mut squares, mut curves) = (Vec::new(), Vec::new());
    for factor in [0.9, 1.1] {
        let spin = factor * critical;
        // (A + m R²) β'' = (m g R − C (C + m R²) w²/A) β where A φ' + C w β = 0.
        let stiffness = along * (along + 1.0) / across * (spin * spin - critical * critical) / (across + 1.0);
        let text = with(UPRIGHT, &[("across", across), ("along", along), ("spin", spin), ("tilt", TILT)])?;
        let exact = |t: f64| match stiffness > 0.0 {
            true => (stiffness.sqrt() * t).cos(),
            false => ((-stiffness).sqrt() * t).cosh(),
        };
        let mut worst = 0.0_f64;
        for tree in TREES {
            for route in ROUTES {
                let found = context.run(&in_tree(&text, CASE.models[1], tree)?, route, &plan)?;
                let (times, tilts) = tilts(&found)?;
                let gap = times.iter().zip(&tilts).map(|(t, x)| ((x - exact(*t)) / exact(*t).abs().max(1.0)).abs());
                worst = keep_worst(worst, gap.fold(0.0, keep_worst));
                if tree.1.is_empty() && matches!(route, Route::Articulated(_)) {
                    squares.push((spin * spin, square(&times, &tilts)));
                    let known: Vec<f64> = times.iter().map(|t| TILT * exact(*t).abs()).collect();
                    let own: Vec<f64> = tilts.iter().map(|x| TILT * x.abs()).collect();
                    curves.push(Curve::line(format!("{factor} of the critical spin"), &times, &own));
                    curves.push(Curve::points("exact", &times, &known));
                }
            }
        }
        let why = "error control at 1e-13 of a tilt of 1e-6; third powers of the tilt, which grows to 1e-3";
        let name = format!("tilt of the {words} at {factor} of the critical spin, all routes and trees: largest relative difference");
        context.judge(Quantity::new(name, "1", worst).at_most(1e-4, why));
    }
    let [(low, growing), (high, swinging)] = [squares[0], squares[1]];
    let found = (low + (high - low) * growing / (growing - swinging)).sqrt();
    let why = "where squares of the rates of growth and swing, linear in w², meet zero";
    let quantity = Quantity::new(format!("critical spin of the {words}, between both"), "rad/s", found);
    context.judge(quantity.relative(critical, 1e-4, why));
    context.draw(Figure::new(format!("Tilt of an upright {words}."), vec![Panel::over_time("tilt", "rad", curves).logarithmic()]));
    Ok(())
}

/// Times and tilts over the tilt at the start, from the quaternion of the disc.
fn tilts(run: &Run) -> Result<(Vec<f64>, Vec<f64>), Fault> {
    let part = |name: &str| run.channel(&format!("carrier.{name}"));
    let (w, x, y, z) = (part("qw")?, part("qx")?, part("qy")?, part("qz")?);
    let sine = |i: usize| 2.0 * (y.y[i] * z.y[i] + w.y[i] * x.y[i]) / TILT;
    let tilts = (0..w.y.len()).map(sine).collect();
    Ok((w.x.clone(), tilts))
}

/// Square of the rate of growth of cosh, negative of the frequency of cos, from the tilt a quarter of a second after the start.
fn square(times: &[f64], tilts: &[f64]) -> f64 {
    let at = times.partition_point(|&t| t < 0.249);
    let (time, tilt) = (times[at], tilts[at]);
    if tilt > 1.0 { (tilt.acosh() / time).powi(2) } else { -(tilt.acos() / time).powi(2) }
}

/// Chaplygin's sleigh.
fn sleigh(context: &mut Context) -> Result<(), Fault> {
    let (mass, own, arm, top, start) = (3.0_f64, 0.7, 0.4, 2.0, -2.5);
    let inertia = own + mass * arm * arm;
    let turn = top * (mass / inertia).sqrt();
    let tau = |t: f64| start + mass * arm * top / inertia * t;
    // Integral of W / cosh τ: the angle.
    let gudermann = |x: f64| 2.0 * (0.5 * x).tanh().atan();
    let angle = |t: f64| turn * inertia / (mass * arm * top) * (gudermann(tau(t)) - gudermann(start));
    let plan = Plan { end: if context.quick { 1.0 } else { 4.0 }, rows: 0.02, channels: &["ice.*", "sleigh.*", "edge.force.?"] };
    let courses = [
        Course { channel: "ice.rate", name: "turn of the sleigh", exact: &|t| turn / tau(t).cosh() },
        Course { channel: "ice.angle", name: "angle of the sleigh", exact: &angle },
        Course { channel: "sleigh.velocity.x", name: "speed of the blade along x", exact: &|t| top * tau(t).tanh() * angle(t).cos() },
        Course { channel: "sleigh.velocity.y", name: "speed of the blade along y", exact: &|t| top * tau(t).tanh() * angle(t).sin() },
    ];
    let first = context.every_tree((SLEIGH, CASE.models[2]), &TREES, &ROUTES, &plan, &courses)?;
    let force = first.channel("edge.force.y")?;
    let known = |t: f64| {
        let (u, w) = (top * tau(t).tanh(), turn / tau(t).cosh());
        mass * (1.0 - mass * arm * arm / inertia) * u * w
    };
    let worst = force.x.iter().zip(&force.y).map(|(t, f)| (f - known(*t)).abs()).fold(0.0, keep_worst);
    let quantity = Quantity::new("force across the blade, largest difference", "N", worst);
    context.judge(quantity.at_most(1e-6, "m (a ω' + u ω), of 3 N: error control at 1e-11"));
    let path = |name: &str| first.channel(&format!("sleigh.position.{name}"));
    let (x, y) = (path("x")?, path("y")?);
    let panel = Panel::new("x [m]", "y", "m", vec![Curve::line("blade", &x.y, &y.y)]).path();
    context.draw(Figure::new("Path of the sleigh's blade: it turns back at a cusp.", vec![panel]));
    Ok(())
}
