//! Stiff flyball governor, problem A05 of the IFToMM library of multibody benchmarks.
//!
//! By symmetry both rods make the angle φ below the horizontal; with s the height of the slider and the angular momentum
//! H = ω I(φ) about the shaft, which nothing changes,
//!
//! 2Jφ'' = ½ω²I'(φ) + 2gS cos φ − 2N ∂ℓ/∂φ,   m s'' = −mg − 2N ∂ℓ/∂s,   N = k(ℓ − ℓ₀) + cℓ',
//! ℓ² = (d cos φ)² + (1 − d sin φ − s)²,   I = I₀ + 2(m_t a² + 2aS cos φ + J_r cos² φ + I_l sin² φ).
//!
//! J, J_r: second moments of a rod with its ball about the hinge; S: its first moment; a: distance of the hinges from the
//! axis; d: that of the springs from the hinges. Integrated here by a Runge-Kutta rule of its own.

use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::{Sampled, keep_worst};
use crate::trees::{Tree, in_tree};
use std::f64::consts::{PI, TAU};

/// The case.
pub const CASE: Case = Case {
    id: "flyball-governor",
    title: "Stiff flyball governor",
    source: "problem A05 of the IFToMM library of multibody benchmarks (data); its equations of two freedoms, integrated by this case",
    trust: Trust::T2,
    about: "A shaft that turns freely at 2π rad/s carries two rods with balls of 5 kg; springs of 800 kN/m with dampers of 40 kN s/m join the \
            middles of the rods to a slider. Balls fall and rise, the shaft turns faster and slower; springs are stiff and dampers \
            stiffer. The library gives data and a figure; here the symmetric motion is integrated \
            from its two equations of motion by a rule that shares nothing with the program. The angular momentum about the shaft stays.",
    models: &["validation/flyball_governor.toml"],
    cost: 4.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/flyball_governor.toml");
const TREES: [Tree; 3] = [
    ("joint tree", ""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed", "[graph]\ntree = [\"bearing\", \"hinge_1\"]"),
];
const CHANNELS: [&str; 6] = ["slide.displacement", "hinge_1.angle", "hinge_2.angle", "bearing.rate", "momentum.angular.z", "bearing.angle"];

/// Mass of a rod and of a ball (kg), its inertia across and along itself (kg m²).
const ROD: [f64; 4] = [0.3, 5.0, 0.3 * (1.0 + 1e-4) / 12.0, 0.3 * 2e-4 / 12.0];
const SLIDER: f64 = 3.0;
/// Shaft and slider about the axis (kg m²).
const CORE: f64 = 0.3 * 2e-4 / 12.0 + 0.005;
const HINGE: f64 = 0.05;
const ARM: f64 = 0.5;
const SPRING: [f64; 3] = [8e5, 4e4, 0.5];
const GRAVITY: f64 = 9.81;

/// I(φ) and its derivative.
fn inertia(angle: f64) -> [f64; 2] {
    let [rod, ball, across, along] = ROD;
    let (sine, cosine) = angle.sin_cos();
    let (first, second) = (0.5 * rod + ball, 0.25 * rod + ball + across);
    let value = (rod + ball) * HINGE * HINGE + 2.0 * HINGE * first * cosine + second * cosine * cosine + along * sine * sine;
    let slope = -2.0 * HINGE * first * sine - 2.0 * (second - along) * sine * cosine;
    [CORE + 2.0 * value, 2.0 * slope]
}

/// Rates of [φ, s, φ', s'] at angular momentum `momentum`.
fn rates([angle, height, turning, rising]: [f64; 4], momentum: f64) -> [f64; 4] {
    let [rod, ball, across, _] = ROD;
    let (sine, cosine) = angle.sin_cos();
    let drop = 1.0 - ARM * sine - height;
    let length = (ARM * cosine).hypot(drop);
    let by_angle = (-ARM * ARM * cosine * sine - drop * ARM * cosine) / length;
    let by_height = -drop / length;
    let tension = SPRING[0] * (length - SPRING[2]) + SPRING[1] * (by_angle * turning + by_height * rising);
    let [total, slope] = inertia(angle);
    let spin = momentum / total;
    let weight = 2.0 * GRAVITY * (0.5 * rod + ball) * cosine;
    let second = 2.0 * (across + 0.25 * rod + ball);
    let turn = (0.5 * spin * spin * slope + weight - 2.0 * tension * by_angle) / second;
    [turning, rising, turn, -GRAVITY - 2.0 * tension * by_height / SLIDER]
}

/// Rows of [φ, s, ω] every `step`·`stride` up to `end`, by the classical Runge-Kutta rule.
fn integrate(end: f64, step: f64, stride: usize) -> (Vec<f64>, Vec<[f64; 3]>) {
    let mut state = [PI / 6.0, 0.5, 0.0, 0.0];
    let momentum = TAU * inertia(state[0])[0];
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    for k in 0..=(end / step).round() as usize {
        if k % stride == 0 {
            times.push(k as f64 * step);
            rows.push([state[0], state[1], momentum / inertia(state[0])[0]]);
        }
        let moved = |slope: [f64; 4], share: f64| [0, 1, 2, 3].map(|i| state[i] + share * step * slope[i]);
        let first = rates(state, momentum);
        let second = rates(moved(first, 0.5), momentum);
        let third = rates(moved(second, 0.5), momentum);
        let fourth = rates(moved(third, 1.0), momentum);
        state = [0, 1, 2, 3].map(|i| state[i] + step / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]));
    }
    (times, rows)
}

fn run(context: &mut Context) -> Result<(), Fault> {
    let end = if context.quick { 1.0 } else { 10.0 };
    let plan = Plan { end, rows: 0.01, channels: &CHANNELS };
    context.stage("equations of two freedoms");
    let (times, rows) = integrate(end, 2e-5, 500);
    let course = |k: usize| Sampled { x: times.clone(), y: rows.iter().map(|row| row[k]).collect() };
    let known = [("hinge_1.angle", course(0)), ("hinge_2.angle", course(0)), ("slide.displacement", course(1)), ("bearing.rate", course(2))];
    for tree in TREES {
        let built = in_tree(MODEL, CASE.models[0], tree)?;
        for route in [Route::Stiff(1e-9), Route::Topological(1e-3), Route::Global(1e-3)] {
            let run = context.run(&built, route, &plan)?;
            judge(context, &run, &known, matches!(route, Route::Stiff(_)), &format!("{}, {}", tree.0, route.words()))?;
            if tree.1.is_empty() && matches!(route, Route::Stiff(_)) {
                context.balance(&run, "governor")?;
                draw(context, &run, &known)?;
            }
        }
    }
    Ok(())
}

fn judge(context: &mut Context, run: &Run, known: &[(&str, Sampled)], precise: bool, what: &str) -> Result<(), Fault> {
    let (share, why) = match precise {
        true => (1e-5, "two integrations of the same motion: error control at 1e-9, fixed steps of 20 µs"),
        false => (2e-3, "steps of second order, 1 ms: share of the range"),
    };
    for (channel, exact) in known {
        let apart = run.channel(channel)?.distance(exact) / exact.range();
        context.judge(Quantity::new(format!("{channel}, {what}"), "1", apart).at_most(share, why));
    }
    let momentum = run.channel("momentum.angular.z")?;
    let changed = momentum.y.iter().map(|value| (value / momentum.y[0] - 1.0).abs()).fold(0.0, keep_worst);
    let quantity = Quantity::new(format!("angular momentum about the shaft, {what}: largest relative change"), "1", changed);
    context.judge(quantity.at_most(share, why).source(PHYSICS, Trust::T1));
    Ok(())
}

fn draw(context: &mut Context, run: &Run, known: &[(&str, Sampled)]) -> Result<(), Fault> {
    let mut panels = Vec::new();
    for ((channel, exact), (label, unit)) in known[1..].iter().zip([("angle of the rods", "rad"), ("slider", "m"), ("shaft", "rad/s")]) {
        let ours = run.channel(channel)?;
        let curves = vec![Curve::line(label, &ours.x, &ours.y), Curve::points("two equations", &exact.x, &exact.y)];
        panels.push(Panel::over_time(label, unit, curves));
    }
    context.draw(Figure::new("Governor: rods, slider and shaft.", panels));
    Ok(())
}
