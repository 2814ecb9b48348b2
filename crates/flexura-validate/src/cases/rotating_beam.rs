//! Frequencies of rotating beams: flap and chord, with and without stretch.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::model_with;
use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::file::NoSource;
use flexura::{Model, State};

/// The case.
pub const CASE: Case = Case {
    id: "rotating-beam",
    title: "Frequencies of rotating beams",
    source: "converged Ritz solution of the rotating beam; tables of Wright et al. (1982) and Yoo & Shin (1998)",
    trust: Trust::T1,
    about: "Cantilever on a hub that turns at a constant speed: γ = Ω √(ρA L⁴/EI), δ = hub radius over length. Frequencies \
            about the relative equilibrium, by linearisation of the whole model. Flap: out of the plane of rotation; \
            chord: in it, without stretch and with gyroscopic coupling to stretch at slenderness 70. There level consistent \
            leaves the steady stretch out of the modal mass, as the table does; the default level does not. Without the \
            second-order displacements of bending there is no stiffening and the beam gets softer instead of stiffer.",
    models: &["validation/rotating_beam.toml", "validation/rotating_beam_stretch.toml"],
    cost: 1.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/rotating_beam.toml");
const STRETCHING: &str = include_str!("../../models/validation/rotating_beam_stretch.toml");
/// Shapes of each plane.
const BENDING: usize = 10;
const WHY: &str = "five digits of the reference, ten shapes per plane: 0.5 %";
const STRETCHED: &str = "the table linearises about the beam without stretch, this level about the stretched one (0.7 % at γ = 10, \
                         21 % at γ = 50), whose tension second-order displacements overstate: −½∫f′² where −½∫f′²/(1 + e) \
                         belongs";

/// γ, δ, first flap and chord frequency.
const TABLE: [(f64, f64, f64, f64); 12] = [
    (1.0, 0.0, 3.68165, 3.54324),
    (2.0, 0.0, 4.13732, 3.62180),
    (3.0, 0.0, 4.79728, 3.74351),
    (5.0, 0.0, 6.44954, 4.07390),
    (10.0, 0.0, 11.20233, 5.04897),
    (50.0, 0.0, 51.07983, 10.44742),
    (2.0, 1.0, 4.83369, 4.40052),
    (5.0, 1.0, 8.94036, 7.41148),
    (10.0, 1.0, 16.60636, 13.25788),
    (50.0, 1.0, 79.33146, 61.59124),
    (2.0, 5.0, 6.94151, 6.64715),
    (10.0, 5.0, 29.47445, 27.72622),
];
/// γ, δ, first chord frequency with stretch.
const COUPLED: [(f64, f64, f64); 6] = [
    (2.0, 0.0, 3.61957),
    (10.0, 0.0, 4.97002),
    (50.0, 0.0, 7.33448),
    (2.0, 1.0, 4.39780),
    (10.0, 1.0, 13.04816),
    (50.0, 1.0, 41.23232),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut drawn: [Vec<f64>; 3] = Default::default();
    for (speed, hub, flap, chord) in TABLE {
        context.stage(&format!("γ = {speed}, δ = {hub}"));
        let found = [BENDING..2 * BENDING, 0..BENDING].map(|range| frequency(MODEL, speed, hub, range));
        let [found_flap, found_chord] = found;
        let (found_flap, found_chord) = (found_flap?, found_chord?);
        let name = |plane: &str| format!("{plane}, γ = {speed}, δ = {hub}");
        context.judge(Quantity::new(name("flap"), "1", found_flap).relative(flap, 5e-3, WHY));
        context.judge(Quantity::new(name("chord"), "1", found_chord).relative(chord, 5e-3, WHY));
        if hub == 0.0 && speed <= 10.0 {
            for (list, value) in drawn.iter_mut().zip([speed, found_flap, found_chord]) {
                list.push(value);
            }
        }
    }
    for (speed, hub, chord) in COUPLED {
        context.stage(&format!("with stretch, γ = {speed}, δ = {hub}"));
        let name = |level: &str| format!("chord with stretch, level {level}, γ = {speed}, δ = {hub}");
        let linear = STRETCHING.replace("name = \"beam\"", "name = \"beam\"\nlevel = \"consistent\"");
        let found = frequency(&linear, speed, hub, 6..6 + BENDING)?;
        context.judge(Quantity::new(name("consistent"), "1", found).relative(chord, 5e-3, WHY));
        let found = frequency(STRETCHING, speed, hub, 6..6 + BENDING)?;
        let judged = Quantity::new(name("gram"), "1", found).relative(chord, 5e-3, STRETCHED);
        context.judge(if speed > 5.0 { judged.expected_to_fail() } else { judged });
    }
    let soft = MODEL.replace("rotary_inertia = false", "rotary_inertia = false\nforeshortening = false");
    let found = frequency(&soft, 3.0, 0.0, BENDING..2 * BENDING)?;
    let why = "without stiffening the flap frequency does not rise with speed";
    let name = "flap without stiffening, γ = 3, δ = 0";
    context.judge(Quantity::new(name, "1", found).relative(4.79728, 5e-3, why).expected_to_fail());
    let known = || TABLE.iter().filter(|row| row.1 == 0.0 && row.0 <= 10.0);
    let speeds: Vec<f64> = known().map(|row| row.0).collect();
    let [flap, chord] = [known().map(|row| row.2).collect::<Vec<_>>(), known().map(|row| row.3).collect()];
    let curves = vec![
        Curve::line("flap", &drawn[0], &drawn[1]),
        Curve::line("chord", &drawn[0], &drawn[2]),
        Curve::points("flap, reference", &speeds, &flap),
        Curve::points("chord, reference", &speeds, &chord),
    ];
    let panel = Panel::new("speed γ", "first frequency", "", curves);
    context.draw(Figure::new("First frequencies without hub, in units of √(EI/ρA L⁴).", vec![panel]));
    Ok(())
}

/// Lowest frequency of a mode with more than half of its size in the coordinates of `range`.
fn frequency(text: &str, speed: f64, hub: f64, range: std::ops::Range<usize>) -> Result<f64, Fault> {
    let settings = [("hub.motion.polynomial.2", speed), ("beam.axis.position.1", -hub)];
    let model: Model = model_with(text, CASE.models[0], &settings, &NoSource)?.model;
    let settled = equilibrium(&model, &State::initial(&model, 0.0), &EquilibriumOptions::default())?.state;
    let list = modes(&linearize(&model, &settled, &[], &[])?)?;
    let share = |shape: &[(f64, f64)]| {
        let size = |i: usize| shape[i].0.powi(2) + shape[i].1.powi(2);
        range.clone().map(size).sum::<f64>() / (0..shape.len()).map(size).sum::<f64>()
    };
    let inside = list.iter().filter(|mode| share(&mode.shape) > 0.5 && mode.imaginary > 0.0);
    Ok(inside.map(|mode| mode.imaginary).fold(f64::INFINITY, f64::min))
}
