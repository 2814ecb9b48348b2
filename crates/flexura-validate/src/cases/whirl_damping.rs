//! Whirl of a shaft with damping in its material: steady below a speed, unstable above it.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model_with};
use crate::threshold::{growth, threshold};
use flexura::State;
use flexura::file::NoSource;
use flexura::build::Built;
use nalgebra::Complex;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    id: "whirl-damping",
    title: "Whirl with internal damping",
    source: "Kimball (1924), Smith (1933): threshold of whirl by internal damping; with rotary inertia: doi 10.1177/1687814019840474",
    trust: Trust::T1,
    about: "A shaft between pinned ends turns at speed Ω. Damping of its material turns with it, damping of its surroundings does not. \
            With one mode per plane and u = y + iz in axes that turn with the shaft: \
            ü + 2iΩu̇ − Ω²u + cᵢu̇ + cₑ(u̇ + iΩu) + ω₀²u = 0. In fixed axes the material damps u̇ − iΩu: above the critical speed it drives \
            the whirl forwards. The shaft is stable up to Ω = ω₀(1 + cₑ/cᵢ); ω₀ = 100 rad/s, cᵢ = τω₀² = 10 1/s, and cₑ = 2c/m from a \
            damper c in the middle. A stout shaft with rotary inertia has its threshold where the whirl forwards is as fast as the \
            shaft, Ω² = EIk⁴/(ρA − ρIk²).",
    models: &["validation/damped_shaft.toml", "validation/rayleigh_shaft.toml"],
    cost: 1.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/damped_shaft.toml");
const STOUT: &str = include_str!("../../models/validation/rayleigh_shaft.toml");
const CRITICAL: f64 = 100.0;
const INTERNAL: f64 = 10.0;
/// Dampers in the middle (N s/m).
const DAMPERS: [f64; 4] = [0.0, 10.0, 20.0, 40.0];

fn run(context: &mut Context) -> Result<(), Fault> {
    let why = "one shape, exact integrals: rounding of the eigenvalue that crosses";
    for damper in DAMPERS {
        let found = threshold([50.0, 400.0], |speed| Ok(growth(&slender(speed, damper)?)? > 0.0))?;
        let exact = CRITICAL * (1.0 + external(damper) / INTERNAL);
        let name = format!("threshold of whirl, damper {damper} N s/m");
        context.judge(Quantity::new(name, "rad/s", found).relative(exact, 1e-6, why));
    }
    for speed in [50.0, 120.0, 200.0] {
        let found = growth(&slender(speed, 20.0)?)?;
        let name = format!("rate of growth at {speed} rad/s, damper 20 N s/m");
        context.judge(Quantity::new(name, "1/s", found).absolute(exact(speed, 20.0).re, 1e-7, why));
    }
    stout(context)?;
    grown(context)?;
    let speeds: Vec<f64> = (0..=50).map(|k| 5.0 * f64::from(k)).collect();
    let mut curves = Vec::new();
    for damper in [0.0, 20.0] {
        let found: Result<Vec<f64>, Fault> = speeds.iter().map(|&speed| growth(&slender(speed, damper)?)).collect();
        curves.push(Curve::line(format!("damper {damper} N s/m"), &speeds, &found?));
        let known: Vec<f64> = speeds.iter().map(|&speed| exact(speed, damper).re).collect();
        curves.push(Curve::points(format!("exact, {damper} N s/m"), &speeds, &known));
    }
    let panel = Panel::new("speed [rad/s]", "largest real part", "1/s", curves);
    context.draw(Figure::new("Growth of the whirl over the speed.", vec![panel]));
    Ok(())
}

/// Damping of the surroundings as a rate (1/s): modal mass mL/2 = 5 kg, shape 1 in the middle.
fn external(damper: f64) -> f64 {
    damper / 5.0
}

fn slender(speed: f64, damper: f64) -> Result<Built, Fault> {
    let settings =
        [("spin.motion.polynomial.2", speed), ("damper.damping.5", damper), ("damper.damping.6", damper)];
    model_with(MODEL, CASE.models[0], &settings, &NoSource)
}

/// The larger real part of the two roots of λ² + (cᵢ + cₑ + 2iΩ)λ + ω₀² − Ω² + iΩcₑ = 0.
fn exact(speed: f64, damper: f64) -> Complex<f64> {
    let outer = external(damper);
    let half = Complex::new(0.5 * (INTERNAL + outer), speed);
    let root = (half * half - Complex::new(CRITICAL * CRITICAL - speed * speed, speed * outer)).sqrt();
    if root.re > 0.0 { root - half } else { -root - half }
}

/// The threshold of a shaft with rotary inertia, damped in its material only.
fn stout(context: &mut Context) -> Result<(), Fault> {
    let text = STOUT.replace("bending_z = 3", "bending_z = 3\ndamping = { kelvin_voigt = 1e-5 }");
    let found = threshold([1500.0, 3500.0], |speed| {
        let settings = [("spin.motion.polynomial.2", speed)];
        Ok(growth(&model_with(&text, CASE.models[1], &settings, &NoSource)?)? > 0.0)
    })?;
    let (k2, rotary) = (PI * PI, 0.0025);
    let exact = (2e11 / 7800.0 * rotary * k2 * k2 / (1.0 - rotary * k2)).sqrt();
    let why = "exact shapes: rounding of the eigenvalue that crosses";
    let quantity = Quantity::new("threshold of whirl, stout shaft", "rad/s", found).relative(exact, 1e-6, why);
    context.judge(quantity);
    Ok(())
}

/// A small whirl of the running model grows at the rate of the eigenvalue.
fn grown(context: &mut Context) -> Result<(), Fault> {
    let (speed, damper) = (200.0, 20.0);
    let built = slender(speed, damper)?;
    let mut start = State::initial(&built.model, 0.0);
    start.q[0] = 1e-6;
    let plan = Plan { end: 1.2, rows: 1e-3, channels: &["shaft.eta.?", "shaft.eta_rate.?"] };
    let run = context.run_from(&built, start, Route::Articulated(1e-10), &plan)?;
    let size = |time: f64| -> Result<f64, Fault> { Ok(run.at("shaft.eta.1", time)?.hypot(run.at("shaft.eta.2", time)?)) };
    let (from, to) = (0.6, 1.2);
    let rate = (size(to)? / size(from)?).ln() / (to - from);
    let why = "the damped whirl backwards has died out to 10⁻⁴ of it, and absolute tolerances of integration";
    let name = format!("rate of growth of a run at {speed} rad/s, damper {damper} N s/m");
    context.judge(Quantity::new(name, "1/s", rate).relative(exact(speed, damper).re, 2e-3, why));
    Ok(())
}
