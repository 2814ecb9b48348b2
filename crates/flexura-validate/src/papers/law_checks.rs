//! Checks of laws of motion and shapes that the examples of the papers print.

use super::checks::{Found, finding};
use super::models::apart;
use crate::context::Fault;
use flexura::beam::Shape;
use flexura::model::description::{BodyKind, Description};
use flexura::time_function::TimeFunction;
use std::f64::consts::{FRAC_PI_4, PI};

const PANELS: &str = include_str!("../../../../models/validation/flexnet_panels.toml");
const LINKS: &str = include_str!("../../../../models/validation/two_link_relative.toml");

fn described(text: &str) -> Result<Description, Fault> {
    let parsed = flexura::file::parse(text, "example.toml").map_err(|error| Fault(error.to_string()))?;
    Ok(parsed.description)
}

/// Motion of a hinge of a model.
fn motion(description: &Description, joint: &str) -> Result<TimeFunction, Fault> {
    let found = description.joints.iter().find(|known| known.name == joint);
    let law = found.and_then(|joint| joint.coordinates.first()).and_then(|first| first.motion.clone());
    law.ok_or_else(|| Fault(format!("{joint} has no motion")))
}

/// Values of a law at 29 instants against `printed`, and its rates against differences of `printed`.
fn follow(law: &TimeFunction, end: f64, printed: impl Fn(f64) -> f64) -> [f64; 2] {
    let instants: Vec<f64> = (0..29).map(|i| end * (f64::from(i) + 0.37) / 29.0).collect();
    let step = 1e-5 * end;
    let values = |f: &dyn Fn(f64) -> f64| instants.iter().map(|&t| f(t)).collect::<Vec<f64>>();
    let slope = |t: f64| (printed(t + step) - printed(t - step)) / (2.0 * step);
    [
        apart(&values(&|t| law.sample(t).value), &values(&printed)),
        apart(&values(&|t| law.sample(t).rate), &values(&slope)),
    ]
}

pub(super) fn panels_unfold_by_the_printed_laws() -> Found {
    let description = described(PANELS)?;
    let span = 14.0;
    let rise = |t: f64| t - span / (2.0 * PI) * (2.0 * PI * t / span).sin();
    let first = follow(&motion(&description, "root")?, span, |t| PI / (2.0 * span) * rise(t));
    let second = follow(&motion(&description, "hinge")?, span, |t| PI - PI / span * rise(t));
    let rest = motion(&description, "root")?.sample(span);
    Ok(vec![
        finding("ψ1 of the model at 29 instants against (71)", first[0], 1e-14),
        finding("ψ2 of the model against (72)", second[0], 1e-14),
        finding("their rates against differences", first[1].max(second[1]), 1e-7),
        finding("speed and acceleration at the end", rest.rate.abs().max(rest.acceleration.abs()), 1e-14),
    ])
}

pub(super) fn arms_turn_by_the_printed_laws() -> Found {
    let description = described(LINKS)?;
    let printed = |t: f64| {
        let pieces = if t < 0.0 {
            -1.0
        } else if t < 1.0 / 6.0 {
            -1.0 + 72.0 * t.powi(3)
        } else if t < 1.0 / 3.0 {
            -18.0 * t + 108.0 * t * t - 144.0 * t.powi(3)
        } else if t < 0.5 {
            -8.0 + 54.0 * t - 108.0 * t * t + 72.0 * t.powi(3)
        } else {
            1.0
        };
        FRAC_PI_4 * pieces
    };
    let first = follow(&motion(&description, "shoulder")?, 0.6, printed);
    let second = follow(&motion(&description, "elbow")?, 0.6, |t| -printed(t));
    let law = motion(&description, "shoulder")?;
    let breaks = [1.0 / 6.0, 1.0 / 3.0, 0.5];
    let jump = breaks.map(|t| {
        let (before, after) = (law.sample_before(t), law.sample(t));
        (before.value - after.value).abs().max((before.rate - after.rate).abs())
    });
    Ok(vec![
        finding("φ1 of the model at 29 instants against (92)", first[0], 1e-13),
        finding("φ2 of the model against −φ1 (93)", second[0], 1e-13),
        finding("their rates against differences", first[1].max(second[1]), 1e-6),
        finding(
            "jumps of value and rate between the pieces (errata E11)",
            jump.into_iter().fold(0.0, f64::max),
            1e-12,
        ),
    ])
}

pub(super) fn arms_have_the_printed_shapes() -> Found {
    let description = described(LINKS)?;
    let BodyKind::Beam(beam) = &description.bodies[0].kind else { return Err(Fault("no beam".into())) };
    let shapes: Vec<&Shape> = beam.modes.iter().map(|mode| &mode.shape).collect();
    let printed: [fn(f64) -> [f64; 2]; 2] =
        [|s| [s * s, 2.0 * s], |s| [1.5 * s * s - 0.5 * s.powi(3), 3.0 * s - 1.5 * s * s]];
    let length = 1.7;
    let (mut found, mut known) = (Vec::new(), Vec::new());
    for (shape, printed) in shapes.iter().zip(printed) {
        let prepared = shape.prepare(length).map_err(|error| Fault(error.to_string()))?;
        for i in 0..=10 {
            let s = f64::from(i) / 10.0;
            let value = prepared.at(s * length);
            found.extend([value.value, value.slope * length]);
            known.extend(printed(s));
        }
    }
    Ok(vec![
        finding(
            "shapes of the model and their slopes at 11 places against (94) and (95)",
            apart(&found, &known),
            1e-14,
        ),
        finding("shapes beyond those two", (shapes.len() as f64 - 2.0).abs(), 0.0),
    ])
}
