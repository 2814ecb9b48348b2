//! Gears and rack by couplers, in every choice of coordinates.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Trust;
use crate::run::{Plan, Route};
use crate::trees::{Course, Tree};

/// The case.
pub const CASE: Case = Case {
    id: "gears",
    title: "Gear pair, rack and pinion",
    source: "exact: two freedoms and one spring",
    trust: Trust::T1,
    about: "A pinion drives a wheel, and a pinion lifts a rack; teeth are a spring on e = c₁q₁ + c₂q₂. With inertias aᵢ and constant forces fᵢ \
            the deflection is e = e₀(1 − cos ωt), ω² = k(c₁²/a₁ + c₂²/a₂), e₀ = (c₁f₁/a₁ + c₂f₂/a₂)/ω², and \
            qᵢ = ½(fᵢ/aᵢ)t² − (k cᵢ/aᵢ) e₀ (½t² − (1 − cos ωt)/ω²): many turns and a fast ripple. The second coordinate belongs to \
            a joint of the tree, to one that closes a loop, or to a constraint between absolute bodies.",
    models: &["validation/gear_pair.toml", "validation/rack_and_pinion.toml"],
    cost: 2.0,
    run,
};

/// Inertias and forces of both coordinates, factors, stiffness.
struct Pair {
    inertia: [f64; 2],
    force: [f64; 2],
    factor: [f64; 2],
    stiffness: f64,
}

const GEARS: Pair = Pair { inertia: [0.02, 0.1], force: [2.0, 0.0], factor: [0.1, 0.25], stiffness: 1e4 };
const RACK: Pair = Pair { inertia: [0.02, 3.0], force: [5.0, -3.0 * 9.81], factor: [0.1, -1.0], stiffness: 1e4 };

impl Pair {
    /// Coordinate `i` at `time`.
    fn at(&self, i: usize, time: f64) -> f64 {
        let over = |k: usize| self.factor[k] / self.inertia[k];
        let square = self.stiffness * (self.factor[0] * over(0) + self.factor[1] * over(1));
        let deflection = (over(0) * self.force[0] + over(1) * self.force[1]) / square;
        let ripple = (1.0 - (square.sqrt() * time).cos()) / square;
        0.5 * self.force[i] / self.inertia[i] * time * time
            - self.stiffness * over(i) * deflection * (0.5 * time * time - ripple)
    }
}

const TREES: [Tree; 5] = [
    ("joint tree", "[graph]\ncut = \"place\""),
    ("second joint closes a loop", "[graph]\ncut = \"second\""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed, first joint in the tree", "[graph]\ntree = [\"first\"]"),
    ("mixed, second joint in the tree", "[graph]\ntree = [\"second\"]"),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let models = [
        (include_str!("../../models/validation/gear_pair.toml"), &GEARS, "second.angle", "rad", "wheel"),
        (include_str!("../../models/validation/rack_and_pinion.toml"), &RACK, "second.displacement", "m", "rack"),
    ];
    let routes =
        [Route::Articulated(1e-9), Route::Stiff(1e-9), Route::Topological(1e-3), Route::EnergyPreserving(1e-3), Route::Global(1e-3)];
    let mut panels = Vec::new();
    for ((text, pair, second, unit, driven), file) in models.into_iter().zip(CASE.models) {
        let channels = ["first.angle", second];
        let plan = Plan { end: if context.quick { 0.5 } else { 2.0 }, rows: 0.01, channels: &channels };
        let (one, other) = (|time: f64| pair.at(0, time), |time: f64| pair.at(1, time));
        let courses = [
            Course { channel: channels[0], name: "angle of the pinion", exact: &one },
            Course { channel: second, name: &format!("place of the {driven}"), exact: &other },
        ];
        let run = context.every_tree((text, file), &TREES, &routes, &plan, &courses)?;
        let ours = run.channel(second)?;
        panels.push(Panel::over_time(driven, unit, vec![Curve::line(driven, &ours.x, &ours.y)]));
    }
    context.draw(Figure::new("Driven wheel and driven rack.", panels));
    Ok(())
}
