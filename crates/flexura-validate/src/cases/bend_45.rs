//! Bend of 45 degrees in space: bending in two planes and twist, all large.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{model, model_with};
use crate::statics::{at_rest, measure, shape};
use flexura::file::NoSource;

/// The case.
pub const CASE: Case = Case {
    id: "bend-45",
    title: "45-degree bend",
    source: "Bathe & Bolourchi (1979); numbers of an independent geometrically exact beam solver",
    trust: Trust::T1,
    about: "A cantilever that lies on an eighth of a circle of radius 100, unit square section, E = 10⁷, ν = 0, with a force \
            of 600 across its plane at the tip. Straight welded segments on chords of the arc (`arc` in the model file). The \
            torsion constant is 1/6, as in the paper, or that of the square by St-Venant.",
    models: &["validation/bend_45.toml"],
    cost: 2.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/bend_45.toml");

/// Name, torsional rigidity, tip at rest (m).
const EXACT: [(&str, f64, [f64; 3]); 2] = [
    ("J = 1/6", 833_333.333_333_333_4, [47.1501, 15.6847, 53.4755]),
    ("St-Venant's J", 702_885.074_775_768_5, [46.8916, 15.5577, 53.6080]),
];
const TIP: [&str; 3] = ["beam.tip.position.x", "beam.tip.position.y", "beam.tip.position.z"];

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut curves = Vec::new();
    for (name, torsion, exact) in EXACT {
        for count in [8, 16] {
            let settings = [("beam.segments", count as f64), ("beam.properties.torsion", torsion)];
            let built = model_with(MODEL, CASE.models[0], &settings, &NoSource)?;
            let state = at_rest(&built)?;
            let tip = measure(&built, &state, TIP)?;
            for ((axis, found), exact) in ["x", "y", "z"].into_iter().zip(tip).zip(exact) {
                let name = format!("{axis} of the tip, {name}, {count} segments");
                context.judge(Quantity::new(name, "m", found).relative(exact, 0.01, "asked of this case"));
            }
            if count == 16 {
                let [x, z] = shape(&built, &state, "beam", ["x", "z"])?;
                curves.push(Curve::line(name, &x, &z));
            }
        }
    }
    curves.push(Curve::points("tips, reference", &EXACT.map(|row| row.2[0]), &EXACT.map(|row| row.2[2])));
    let panel = Panel::new("x [m]", "z", "m", curves).path();
    context.draw(Figure::new("Deformed bend, seen across its plane.", vec![panel]));
    if !context.quick {
        context.accelerations_agree(&model(MODEL, CASE.models[0])?, "loaded from rest", 1e-8, 1e-2)?;
    }
    Ok(())
}
