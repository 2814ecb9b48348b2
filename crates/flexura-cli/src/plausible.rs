//! Numbers of a model that no material and no machine has: mostly another system of units. Said by `flexura check` and nowhere
//! else, since equations without units are allowed.
//!
//! Bounds are far from what exists: foam has 10 kg/m³ and platinum 21,450; sound in a bar runs at 20 m/s in soft rubber and at
//! 18,000 m/s in diamond; numbers in millimetres or megapascals miss by 10³ and more.

use flexura::diagnostic::Diagnostic;
use flexura::model::description::{
    BeamDescription, BodyDescription, BodyKind, Description, RigidDescription,
};
use flexura::model::words::number;
use std::collections::HashMap;

/// Densities (kg/m³).
const DENSITY: [f64; 2] = [5.0, 25_000.0];
/// Speed of sound √(E/ρ) (m/s).
const SOUND: [f64; 2] = [15.0, 25_000.0];
/// Length over thickness below which beam theory of slender beams fails, and above which nothing is that thin.
const SLENDER: [f64; 2] = [4.0, 50_000.0];
/// Radius of gyration over the distance of the farthest frame.
const GYRATION: f64 = 300.0;
/// Gravity (m/s²): beyond it lies only what stands for something else.
const GRAVITY: f64 = 300.0;

/// Number in the file of every body of it, by its name there; segments of a beam are one body of the file. One pass: models have up to
/// a million bodies.
pub fn places_in_file(description: &Description) -> HashMap<&str, usize> {
    let mut places = HashMap::new();
    for body in &description.bodies {
        let next = places.len();
        places.entry(beam_of(&body.name)).or_insert(next);
    }
    places
}

/// Warnings about numbers that look like other units.
pub fn warnings(description: &Description) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let gravity = description.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    if gravity > GRAVITY {
        found.push(Diagnostic::warning(
            "unlikely-gravity",
            "model",
            "model settings",
            format!("gravity is {} m/s²", number(gravity)),
            "model files are in metres and seconds: 9.81, not 9810",
        ));
    }
    let places = places_in_file(description);
    let mut next = 0;
    for body in &description.bodies {
        let place = places[beam_of(&body.name)];
        // Segments of a beam are alike.
        if place < next {
            continue;
        }
        next = place + 1;
        let said = match &body.kind {
            BodyKind::Beam(beam) => beam_findings(beam),
            BodyKind::Rigid(rigid) => gyration(body, rigid).into_iter().collect(),
            _ => Vec::new(),
        };
        found.extend(said.into_iter().map(|(code, message, help)| {
            let (path, item) = (format!("body[{place}]"), format!("body `{}`", body.name));
            Diagnostic::warning(code, path, item, message, help)
        }));
    }
    found
}

type Finding = (&'static str, String, String);

fn outside(value: f64, [least, most]: [f64; 2]) -> bool {
    value < least || value > most
}

fn beam_findings(beam: &BeamDescription) -> Vec<Finding> {
    let mut found = Vec::new();
    let (density, young) = (beam.density, beam.young);
    // Rigidities given as they are say nothing of a material.
    let material = beam.properties.is_none();
    if material && outside(density, DENSITY) {
        let help = match density {
            d if (1e-10..1e-7).contains(&d) => format!("in t/mm³? then write {}", number(1e12 * d)),
            d if (1e-7..1e-4).contains(&d) => format!("in kg/mm³? then write {}", number(1e9 * d)),
            d if (0.1..5.0).contains(&d) => format!("in g/cm³? then write {}", number(1e3 * d)),
            _ => "model files are in kg/m³: steel 7850, aluminium 2700".into(),
        };
        found.push(("unlikely-density", format!("density is {} kg/m³", number(density)), help));
    }
    let sound = (young / density).sqrt();
    if material && !outside(density, DENSITY) && outside(sound, SOUND) {
        let help = match sound {
            s if s < 1.0 => format!("in GPa? then write {}", number(1e9 * young)),
            s if s < SOUND[0] => format!("in MPa? then write {}", number(1e6 * young)),
            _ => "model files are in Pa: steel 2.1e11".into(),
        };
        let message =
            format!("young is {} Pa: sound would run through it at {} m/s", number(young), number(sound));
        found.push(("unlikely-modulus", message, help));
    }
    found.extend(slenderness(beam));
    found
}

/// Length over the thickness of the rectangle that has the same radius of gyration.
fn slenderness(beam: &BeamDescription) -> Option<Finding> {
    if beam.properties.is_some() {
        return None;
    }
    let section = beam.section.constants().ok()?;
    let thickness = (12.0 * section.inertia_y.max(section.inertia_z) / section.area).sqrt();
    let ratio = beam.length / thickness;
    if !ratio.is_finite() || !outside(ratio, SLENDER) {
        return None;
    }
    let message = format!(
        "length {} m over thickness {} m is {}",
        number(beam.length),
        number(thickness),
        number(ratio)
    );
    Some(match ratio < SLENDER[0] {
        true if beam.shear_area.is_some() => return None,
        true => (
            "stubby-beam",
            message,
            "a beam as short shears as much as it bends: give `shear_area`, take finite elements, or make it rigid".into(),
        ),
        false => ("unlikely-section", message, "is the section in millimetres? model files are in metres".into()),
    })
}

/// A rigid body whose inertia reaches far beyond all of its frames.
fn gyration(body: &BodyDescription, rigid: &RigidDescription) -> Option<Finding> {
    let size = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let reach =
        body.frames.iter().map(|frame| size(&frame.position)).fold(size(&rigid.center_of_mass), f64::max);
    let trace: f64 = (0..3).map(|i| rigid.inertia[i][i]).sum();
    let gyration = (trace / (2.0 * rigid.mass)).sqrt();
    (reach > 0.0 && gyration > GYRATION * reach).then(|| {
        let message = format!(
            "its radius of gyration is {} m, and its farthest frame lies {} m away",
            number(gyration),
            number(reach)
        );
        ("unlikely-inertia", message, "is the inertia in kg mm²? model files are in kg m²".into())
    })
}

/// Name of a body in the file: segments have that of their beam and a number, which nobody else may write.
pub(crate) fn beam_of(body: &str) -> &str {
    let numbered = |number: &str| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    body.rsplit_once('.').filter(|(_, number)| numbered(number)).map_or(body, |(beam, _)| beam)
}
