//! The written model is built once: what the engine refuses is said with the line of the robot's file that it comes from.

use super::Options;
use crate::finding::{Findings, Place};
use flexura::file::{FileErrors, build_text_with, with_known_channels};

/// Where bodies and joints of the model stand in the robot's file.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub bodies: Vec<Place>,
    pub joints: Vec<Place>,
}

/// Builds the model and turns its errors into findings.
pub fn verify(text: &str, places: &Places, options: &Options<'_>, findings: &mut Findings) {
    let file = options.folder.join("robot.toml");
    let built = build_text_with(text, &file.display().to_string(), options.source);
    let Err(FileErrors { diagnostics, .. }) = built.and_then(with_known_channels) else { return };
    // Bodies without mass were named already, with the joint that moves them.
    let fresh = |code: &str| !["missing-mass", "zero-inertia"].contains(&code);
    for found in diagnostics.iter().filter(|found| found.is_error() && fresh(found.code)) {
        let place = place_of(&found.path, places);
        findings.fault(&place, format!("{}: {}", found.item, found.message), found.help.clone());
    }
}

/// The line that an item path such as `body[3].inertia` comes from.
fn place_of(path: &str, places: &Places) -> Place {
    let entry = |list: &str, places: &[Place]| {
        let rest = path.strip_prefix(list)?.strip_prefix('[')?;
        let index: usize = rest.split(']').next()?.parse().ok()?;
        places.get(index).cloned()
    };
    let whole = || places.bodies.first().map(|place| Place { line: 0, ..place.clone() });
    entry("body", &places.bodies)
        .or_else(|| entry("joint", &places.joints))
        .or_else(whole)
        .unwrap_or_default()
}
