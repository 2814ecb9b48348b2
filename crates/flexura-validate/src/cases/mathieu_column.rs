//! A column under a pulsating end force: parametric resonance at twice its frequency.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model_with};
use crate::threshold::threshold;
use flexura::file::NoSource;
use flexura::integrate::Integrator;
use flexura::build::Built;
use flexura::{State, Workspace};
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    id: "mathieu-column",
    title: "Column under a pulsating load",
    source: "Mathieu's equation: McLachlan (1947), Bolotin (1964), NIST DLMF 28.6; characteristic values a₁ and b₁ as power series",
    trust: Trust::T1,
    about: "A simply supported column under an end force P = P₀ + Pₜ cos θt. Its sine shape gives f̈ + Ω²(1 − 2μ cos θt) f = 0 with \
            Ω² = ω₀²(1 − P₀/P_E) and μ = Pₜ/2(P_E − P₀): Mathieu's equation with a = 4Ω²/θ² and q = μa. The straight column is \
            unstable for b₁(q) < a < a₁(q), about θ = 2Ω. In the model the force does work only on the shortening by bending, at second \
            order of the deflection. Two runs over one period of the load, from a small deflection and from a small speed, give \
            the monodromy matrix; at the boundaries its trace is −2. P₀ = 0.2 P_E, ω₀ = 1 rad/s.",
    models: &["validation/mathieu_column.toml"],
    cost: 5.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/mathieu_column.toml");
/// Steady share of the load.
const STEADY: f64 = 0.2;
/// Deflection and speed of the two runs: their squares are left out of Mathieu's equation.
const SMALL: f64 = 1e-5;
/// Pulsations μ.
const PULSATIONS: [f64; 4] = [0.05, 0.1, 0.15, 0.3];
const WHY: &str = "integration at 1e-11 of a motion of 1e-5";

fn run(context: &mut Context) -> Result<(), Fault> {
    let twice = 2.0 * (1.0 - STEADY).sqrt();
    let mut found: [Vec<f64>; 2] = Default::default();
    let pulsations = if context.quick { &PULSATIONS[2..3] } else { &PULSATIONS[..] };
    for &pulsation in pulsations {
        context.stage(&format!("μ = {pulsation}"));
        let unstable = |frequency: f64| Ok(trace(&column(pulsation, frequency)?, frequency)? < -2.0);
        let low = threshold([0.75 * twice, twice], unstable)?;
        let high = threshold([twice, 1.3 * twice], |frequency| Ok(!unstable(frequency)?))?;
        for (list, (word, value, exact)) in found.iter_mut().zip([
            ("lower", low, twice / characteristic(pulsation, 1.0).sqrt()),
            ("upper", high, twice / characteristic(pulsation, -1.0).sqrt()),
        ]) {
            list.push(value);
            let name = format!("{word} boundary of θ, μ = {pulsation}");
            context.judge(Quantity::new(name, "rad/s", value).relative(exact, 1e-6, WHY));
        }
    }
    let pulsation = 0.15;
    let half = 0.5 * trace(&column(pulsation, twice)?, twice)?;
    let rate = |half: f64| (half.abs() + (half * half - 1.0).sqrt()).ln() * twice / TAU;
    let exact = rate(0.5 * mathieu(pulsation, twice));
    let name = format!("rate of growth at θ = 2Ω, μ = {pulsation}");
    context.judge(Quantity::new(name, "1/s", rate(half)).relative(exact, 1e-6, WHY));
    grown(context, twice)?;
    let fine: Vec<f64> = (0..=30).map(|k| 0.01 * f64::from(k)).collect();
    let line = |sign: f64| fine.iter().map(|&m| twice / characteristic(m, sign).sqrt()).collect::<Vec<f64>>();
    let curves = vec![
        Curve::line("lower, exact", &fine, &line(1.0)),
        Curve::line("upper, exact", &fine, &line(-1.0)),
        Curve::points("lower", pulsations, &found[0]),
        Curve::points("upper", pulsations, &found[1]),
    ];
    let panel = Panel::new("pulsation μ", "frequency of the load", "rad/s", curves);
    context.draw(Figure::new("Principal region of instability (Strutt's diagram).", vec![panel]));
    Ok(())
}

fn column(pulsation: f64, frequency: f64) -> Result<Built, Fault> {
    let settings = [
        ("thrust.scale.harmonic.amplitude", 2.0 * pulsation * (1.0 - STEADY)),
        ("thrust.scale.harmonic.angular_frequency", frequency),
    ];
    model_with(MODEL, CASE.models[0], &settings, &NoSource)
}

/// Trace of the matrix that takes deflection and speed over one period of the load.
fn trace(built: &Built, frequency: f64) -> Result<f64, Fault> {
    let (model, end) = (&built.model, TAU / frequency);
    let mut sum = 0.0;
    for direction in [0, 1] {
        let mut state = State::initial(model, 0.0);
        (state.q[0], state.v[0]) = if direction == 0 { (SMALL, 0.0) } else { (0.0, SMALL) };
        let mut work = Workspace::new(model);
        let mut integrator = Integrator::new(model, &Route::Articulated(1e-11).method());
        while state.time < end {
            integrator.step(model, &mut state, &mut work, end)?;
        }
        sum += if direction == 0 { state.q[0] } else { state.v[0] };
    }
    Ok(sum / SMALL)
}

/// The same trace of Mathieu's equation itself, by the classic method of Runge and Kutta.
fn mathieu(pulsation: f64, frequency: f64) -> f64 {
    let (steps, end) = (4000, TAU / frequency);
    let h = end / f64::from(steps);
    let rate = |t: f64, [f, v]: [f64; 2]| [v, -(1.0 - STEADY) * (1.0 - 2.0 * pulsation * (frequency * t).cos()) * f];
    let mut sum = 0.0;
    for direction in [0, 1] {
        let mut x = if direction == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
        for k in 0..steps {
            let t = h * f64::from(k);
            let add = |by: f64, slope: [f64; 2]| [x[0] + by * slope[0], x[1] + by * slope[1]];
            let a = rate(t, x);
            let b = rate(t + 0.5 * h, add(0.5 * h, a));
            let c = rate(t + 0.5 * h, add(0.5 * h, b));
            let d = rate(t + h, add(h, c));
            x = [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        }
        sum += x[direction];
    }
    sum
}

/// a on the boundary with q = μa: a₁ (sign 1) or b₁ (sign −1), by iteration.
fn characteristic(pulsation: f64, sign: f64) -> f64 {
    let mut a = 1.0;
    for _ in 0..200 {
        let q = sign * pulsation * a;
        let terms = [1.0, 1.0, -1.0 / 8.0, -1.0 / 64.0, -1.0 / 1536.0, 11.0 / 36_864.0, 49.0 / 589_824.0, 55.0 / 9_437_184.0];
        a = terms.iter().rev().fold(0.0, |sum, term| sum * q + term);
    }
    a
}

/// A run in the middle of the region.
fn grown(context: &mut Context, twice: f64) -> Result<(), Fault> {
    let built = column(0.15, twice)?;
    let plan = Plan { end: 60.0, rows: 0.1, channels: &["column.eta.1"] };
    let run = context.run(&built, Route::Articulated(1e-9), &plan)?;
    context.balance(&run, "θ = 2Ω, μ = 0.15")?;
    let aside = run.channel("column.eta.1")?;
    let size: Vec<f64> = aside.y.iter().map(|y| y.abs()).collect();
    let panel = Panel::over_time("deflection", "m", vec![Curve::line("middle of the column", &aside.x, &size)]);
    context.draw(Figure::new("Growth from a deflection of 0.1 mm at θ = 2Ω, μ = 0.15.", vec![panel.logarithmic()]));
    Ok(())
}
