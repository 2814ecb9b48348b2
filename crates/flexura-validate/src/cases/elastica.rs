//! Elastica: a cantilever bent by a transverse force at its tip, exact by elliptic integrals.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{model, model_with};
use crate::statics::{at_rest, measure, shape};
use flexura::file::NoSource;
use flexura::build::Built;

/// The case.
pub const CASE: Case = Case {
    id: "elastica",
    title: "Elastica",
    source: "exact solution by elliptic integrals",
    trust: Trust::T1,
    about: "A cantilever of unit length and bending stiffness under a force across its undeformed axis, P L²/EI = 1, 2, 5 \
            and 10: it comes to lie nearly along the force. One beam of 16 welded segments, each with linear modes (tip \
            displacement and rotation, stretch, twist); stretch and shear are practically rigid. And one body without segments at \
            the smallest load, whose curvature is kept to third order, beside the same with linear curvature.",
    models: &["validation/elastica.toml", "validation/elastica_one_body.toml"],
    cost: 3.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/elastica.toml");
const ONE_BODY: &str = include_str!("../../models/validation/elastica_one_body.toml");

/// P L²/EI, deflection across and along the undeformed axis over the length.
const EXACT: [(f64, f64, f64); 4] = [
    (1.0, 0.3017208, 0.0564332),
    (2.0, 0.4934575, 0.1606417),
    (5.0, 0.7137915, 0.3876284),
    (10.0, 0.8106090, 0.5549956),
];
/// Deflections across and along of the line that makes ½∫κ² − w(1) least, shortened by ½∫p², for P L²/EI = 1: κ = p'(1 + ½p²) and κ = p'.
const SAME_ENERGY: [[f64; 2]; 2] = [[0.304437015, 0.055202103], [1.0 / 3.0, 1.0 / 15.0]];
const LEAST_ENERGY: &str = "Euler's equation of the same energy, by shooting (scripts/elastica_third_order.py); by hand where it is linear";
const TIP: [&str; 2] = ["beam.tip.position.x", "beam.tip.position.y"];

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut curves = Vec::new();
    let why = "asked of 16 segments at P L²/EI = 10";
    for (load, across, along) in EXACT {
        let built = cantilever(16, load)?;
        let state = at_rest(&built)?;
        let [x, y] = measure(&built, &state, TIP)?;
        let name = |word: &str| format!("deflection {word}, P L²/EI = {load}, 16 segments");
        context.judge(Quantity::new(name("across"), "m", y).relative(across, 5e-3, why));
        context.judge(Quantity::new(name("along"), "m", 1.0 - x).relative(along, 5e-3, why));
        let [x, y] = shape(&built, &state, "beam", ["x", "y"])?;
        curves.push(Curve::line(format!("P L²/EI = {load}"), &x, &y));
    }
    let tips: Vec<(f64, f64)> = EXACT.iter().map(|row| (1.0 - row.2, row.1)).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = tips.into_iter().unzip();
    curves.push(Curve::points("tips, exact", &x, &y));
    let panel = Panel::new("x [m]", "y", "m", curves).path();
    context.draw(Figure::new("Deformed shapes: roots of the segments and tip.", vec![panel]));
    convergence(context)?;
    one_body(context)?;
    if !context.quick {
        context.accelerations_agree(&model(MODEL, CASE.models[0])?, "loaded from rest", 1e-8, 1e-3)?;
    }
    Ok(())
}

/// The smallest load on a beam of one body, with curvature to third order and linear.
fn one_body(context: &mut Context) -> Result<(), Fault> {
    let (load, across, along) = EXACT[0];
    // Across, terms of fifth order in the slope p are left out; along, the shortening ½∫p² lacks ⅛∫p⁴, up to p²/4 of it.
    let limits = [(2e-2, "terms of fifth order in slopes up to 0.46"), (3e-2, "the shortening is kept to second order, p up to 0.46")];
    let linear = ONE_BODY.replace("third-order", "linear");
    for ((word, text), same) in [("third order", ONE_BODY), ("linear", &linear)].into_iter().zip(SAME_ENERGY) {
        let built = model(text, CASE.models[1])?;
        let [x, y] = measure(&built, &at_rest(&built)?, TIP)?;
        let found = [("across", y, across), ("along", 1.0 - x, along)];
        for (((direction, found, exact), (limit, why)), same) in found.into_iter().zip(limits).zip(same) {
            let name = format!("deflection {direction}, P L²/EI = {load}, one body, curvature {word}");
            let beside = format!("{name}, same energy");
            let least = "the least of the same energy, without shapes: the body has six";
            let quantity = Quantity::new(&beside, "m", found).relative(same, 1e-4, least);
            context.judge(quantity.source(LEAST_ENERGY, Trust::T1));
            let quantity = Quantity::new(name, "m", found).relative(exact, limit, why).beside(beside);
            context.judge(if word == "linear" { quantity.expected_to_fail() } else { quantity });
        }
    }
    Ok(())
}

/// Errors at the largest load with rising numbers of segments.
fn convergence(context: &mut Context) -> Result<(), Fault> {
    let (load, across, along) = EXACT[3];
    let (mut counts, mut errors) = (Vec::new(), Vec::new());
    for count in [8, 16, 32] {
        let built = cantilever(count, load)?;
        let [x, y] = measure(&built, &at_rest(&built)?, TIP)?;
        counts.push(count as f64);
        errors.push((y / across - 1.0).abs().max(((1.0 - x) / along - 1.0).abs()));
    }
    for i in [0, 1] {
        let order = (errors[i] / errors[i + 1]).log2();
        let name = format!("order of the error from {} to {} segments", counts[i], counts[i + 1]);
        let why = "the error must fall at least with the square of the number of segments";
        context.judge(Quantity::new(name, "1", order).at_least(2.0, why));
    }
    let panel = Panel::new("segments", "larger relative error", "1", vec![Curve::line("P L²/EI = 10", &counts, &errors)]);
    context.draw(Figure::new("Convergence with the number of segments.", vec![panel.logarithmic()]));
    Ok(())
}

fn cantilever(segments: usize, load: f64) -> Result<Built, Fault> {
    let settings = [("beam.segments", segments as f64), ("load.force.2", load)];
    model_with(MODEL, CASE.models[0], &settings, &NoSource)
}
