//! Whirl of a stout shaft: rotary inertia and gyroscopic effect of its sections.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::model_with;
use crate::threshold::eigenvalues_at_start;
use flexura::file::NoSource;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    id: "rayleigh-shaft",
    title: "Whirl of a Rayleigh shaft",
    source: "exact frequencies of a turning Rayleigh beam (Eshleman & Eubanks 1969; simply supported: doi 10.1177/1687814019840474)",
    trust: Trust::T1,
    about: "A shaft of 1 m and 200 mm thickness turns between pinned ends at speed Ω. With the deflection as a complex number \
            u = y + iz in fixed axes, a section has inertia ρA ü − ρI ü″ and the gyroscopic moment 2iρIΩ u̇″: \
            ρA ü − ρI ü″ + 2iρIΩ u̇″ + EI u⁗ = 0. With u = sin(kx) e^{iωt}, k = nπ/L: \
            (ρA + ρI k²) ω² − 2ρIΩk² ω − EI k⁴ = 0, one whirl forwards and one backwards. Seen in the turning shaft, where the model \
            is linearised, the frequencies are |ω − Ω|. The polar moment of a section appears only where its turning is kept to \
            second order of the deflection.",
    models: &["validation/rayleigh_shaft.toml"],
    cost: 0.5,
    run,
};

const MODEL: &str = include_str!("../../models/validation/rayleigh_shaft.toml");
/// Modes of each plane in the model.
const MODES: usize = 3;
/// Speeds (rad/s); the first critical one is near 2530.
const SPEEDS: [f64; 5] = [0.0, 500.0, 1000.0, 2000.0, 2400.0];
const WHY: &str = "the shapes are exact: rounding of the eigenvalues";

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut drawn: [Vec<f64>; 2] = Default::default();
    for speed in SPEEDS {
        let (found, exact) = (frequencies(MODEL, speed)?, turning(speed));
        for (k, (value, (name, reference))) in found.iter().zip(exact).enumerate() {
            if k < 2 {
                drawn[k].push(*value);
            }
            let name = format!("{name}, Ω = {speed} rad/s");
            context.judge(Quantity::new(name, "rad/s", *value).relative(reference, 1e-8, WHY));
        }
    }
    let old = MODEL.replace("name = \"shaft\"", "name = \"shaft\"\nlevel = \"consistent\"");
    let (found, exact) = (frequencies(&old, 2000.0)?, turning(2000.0));
    let why = "this level leaves out the second-order turning of sections";
    let quantity = Quantity::new("slowest whirl at level consistent, Ω = 2000 rad/s", "rad/s", found[0]);
    context.judge(quantity.relative(exact[0].1, 1e-3, why).expected_to_fail());
    let fine: Vec<f64> = (0..=48).map(|k| 50.0 * f64::from(k)).collect();
    let known = [0, 1].map(|k| fine.iter().map(|&speed| turning(speed)[k].1).collect::<Vec<f64>>());
    let curves = vec![
        Curve::line("slowest, exact", &fine, &known[0]),
        Curve::line("second, exact", &fine, &known[1]),
        Curve::points("slowest", &SPEEDS, &drawn[0]),
        Curve::points("second", &SPEEDS, &drawn[1]),
    ];
    let panel = Panel::new("speed [rad/s]", "frequency in turning axes", "rad/s", curves);
    context.draw(Figure::new("First whirl forwards and backwards, seen in the shaft.", vec![panel]));
    Ok(())
}

/// Frequencies in turning axes, slowest first.
fn frequencies(text: &str, speed: f64) -> Result<Vec<f64>, Fault> {
    let built = model_with(text, CASE.models[0], &[("spin.motion.polynomial.2", speed)], &NoSource)?;
    let all = eigenvalues_at_start(&built)?;
    let mut list: Vec<f64> = all.into_iter().filter(|value| value.1 > 0.0).map(|value| value.1).collect();
    list.sort_by(f64::total_cmp);
    Ok(list)
}

/// |ω − Ω| of all whirls with their names, slowest first.
fn turning(speed: f64) -> Vec<(String, f64)> {
    let (area, inertia) = (PI * 0.01, PI * 1e-4 / 4.0);
    let (mass, rotary, stiffness) = (7800.0 * area, 7800.0 * inertia, 2e11 * inertia);
    let mut list = Vec::new();
    for n in 1..=MODES {
        let k2 = (n as f64 * PI).powi(2);
        let (a, b, c) = (mass + rotary * k2, rotary * speed * k2, stiffness * k2 * k2);
        for (word, sign) in [("forwards", 1.0), ("backwards", -1.0)] {
            let whirl = (b + sign * (b * b + a * c).sqrt()) / a;
            list.push((format!("whirl {n} {word}"), (whirl - speed).abs()));
        }
    }
    list.sort_by(|one, other| one.1.total_cmp(&other.1));
    list
}
