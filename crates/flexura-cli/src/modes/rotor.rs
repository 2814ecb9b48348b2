//! Modes of a rotor that turns: multi-blade coordinates or the multipliers of a turn.

use super::{Arguments, leading};
use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use crate::start::start;
use flexura::analysis::{RotorMethod, RotorMode, RotorModes, rotor_modes};
use flexura::file::Loaded;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write;

/// Change over a turn from which multi-blade coordinates are no answer.
const CHANGES: f64 = 1e-3;
/// Share of a further harmonic that is shown.
const BESIDE: f64 = 0.05;

/// How the modes of a turning rotor are found.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Method {
    /// Multi-blade coordinates (R. P. Coleman): three or more equal blades
    Coleman,
    /// Multipliers of one turn (G. Floquet): any rotor
    Floquet,
}

impl Method {
    fn of_engine(self) -> RotorMethod {
        match self {
            Self::Coleman => RotorMethod::MultiBlade,
            Self::Floquet => RotorMethod::Floquet,
        }
    }
}

/// `flexura modes --rotor`.
pub fn rotor(arguments: &Arguments, loaded: &Loaded, method: Method) -> Outcome {
    let found = find(arguments, loaded, method)?;
    warn_of_change(&found, method);
    match arguments.json {
        true => print(&format!("{}\n", as_json(&found, arguments.count))),
        false => print(&as_text(&found, arguments.count, method)),
    }
}

/// Modes about the start or the equilibrium.
pub fn find(arguments: &Arguments, loaded: &Loaded, method: Method) -> Result<RotorModes, Failure> {
    let state = start(loaded, arguments.at_equilibrium)?;
    rotor_modes(&loaded.built.model, &state, method.of_engine(), arguments.count)
        .map_err(|error| Failure::Usage(error.to_string()))
}

/// Says where multi-blade coordinates do not make the system constant, and where modes asked for are missing; whether the former.
pub fn warn_of_change(found: &RotorModes, method: Method) -> bool {
    let warned = matches!(method, Method::Coleman) && found.change > CHANGES;
    if warned {
        eprintln!(
            "warning: the system of the blades changes over a turn by {:.2} % of the accelerations of a mode, so that multi-blade \
             coordinates have only its average (--rotor floquet takes it as it is)",
            100.0 * found.change
        );
    }
    if found.missing > 0 {
        eprintln!(
            "warning: {} of the multipliers asked for are not resolved in {} steps of a turn, the most that are taken or fit into \
             memory: the list lacks their modes",
            found.missing, found.steps
        );
    }
    warned
}

/// Modes that vibrate or grow, without those of no stiffness.
fn shown(found: &RotorModes) -> impl Iterator<Item = &RotorMode> {
    let fastest = found.list.iter().fold(0.0_f64, |most, rotor| most.max(rotor.mode.frequency()));
    found.list.iter().filter(move |rotor| rotor.mode.frequency() > super::RIGID * fastest)
}

fn as_text(found: &RotorModes, count: usize, method: Method) -> String {
    let mut text = String::new();
    let how = match method {
        Method::Coleman => "multi-blade coordinates".to_string(),
        Method::Floquet => format!("Floquet multipliers of a turn in {} steps", found.steps),
    };
    let blades = match found.blades.len() {
        0 => String::new(),
        count => format!(", {count} blades ({})", found.blades.join(", ")),
    };
    let _ = writeln!(
        text,
        "{how}{blades}; {:.6} rad/s ({:.5} Hz); frequencies as seen from outside, slowest first",
        found.speed,
        found.speed / TAU
    );
    let _ = writeln!(
        text,
        "{:>5} {:>14} {:>14} {:>12} {:>10}  {:12} largest in",
        "mode", "real (1/s)", "imag (rad/s)", "f (Hz)", "damping", "goes round"
    );
    for (i, rotor) in shown(found).enumerate().take(count) {
        let mode = &rotor.mode;
        let _ = writeln!(
            text,
            "{:>5} {:>14.6e} {:>14.6e} {:>12.5e} {:>10.4}  {:12} {}{}",
            i + 1,
            mode.real,
            mode.imaginary,
            mode.frequency() / TAU,
            mode.damping_ratio(),
            rotor.pattern.word(),
            leading(&found.coordinates, mode).join(", "),
            beside(rotor)
        );
    }
    let more = shown(found).count().saturating_sub(count);
    if more > 0 {
        let _ = writeln!(text, "… and {more} more (--count)");
    }
    if found.unresolved > 0 {
        let _ = writeln!(
            text,
            "{} values are left out: too fast for the steps of a turn (--count asks for more modes), gone within it, or with shapes \
             that rounding hides",
            found.unresolved
        );
    }
    text
}

/// Further frequencies of a mode.
fn beside(rotor: &RotorMode) -> String {
    let others = rotor.harmonics.iter().skip(1).filter(|(_, share)| *share >= BESIDE);
    let words: Vec<String> =
        others.map(|(omega, share)| format!("{:.5} Hz ({:.0} %)", omega / TAU, 100.0 * share)).collect();
    if words.is_empty() { String::new() } else { format!("; beside it {}", words.join(", ")) }
}

fn as_json(found: &RotorModes, count: usize) -> Value {
    let modes: Vec<Value> = shown(found)
        .take(count)
        .map(|rotor| {
            let harmonics = rotor.harmonics.iter().map(|(omega, share)| json!([omega / TAU, share]));
            json!({
                "real": rotor.mode.real,
                "imaginary": rotor.mode.imaginary,
                "frequency_hz": rotor.mode.frequency() / TAU,
                "damping_ratio": rotor.mode.damping_ratio(),
                "goes_round": rotor.pattern.word(),
                "harmonics_hz": harmonics.collect::<Vec<_>>(),
                "shape": rotor.mode.shape,
            })
        })
        .collect();
    json!({
        "speed": found.speed,
        "blades": found.blades,
        "change_over_a_turn": found.change,
        "unresolved": found.unresolved,
        "missing": found.missing,
        "coordinates": found.coordinates,
        "modes": modes,
    })
}
