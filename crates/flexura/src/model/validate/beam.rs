//! Beams: dimensions, material, section and shapes.

use super::{Report, damping, segments};
use crate::beam::{BeamMode, ModeKind, Section, SectionProperties, Shape};
use crate::model::description::BeamDescription;
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// Most mass stations of one beam: far more than any number of modes can use.
const MOST_STATIONS: usize = 10_000;

/// Relative slack for rounded numbers in a file.
const SLACK: f64 = 1e-6;

/// Checks a beam; `path` is that of its `beam` table.
pub(super) fn check(beam: &BeamDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    positive("length", beam.length, "m", &path.key("length"), item, report);
    match &beam.properties {
        Some(properties) => check_properties(properties, &path.key("properties"), item, report),
        None => {
            let moduli = [
                ("density", beam.density, "kg/m³"),
                ("young", beam.young, "Pa"),
                ("shear", beam.shear, "Pa"),
            ];
            for (key, value, unit) in moduli {
                positive(key, value, unit, &path.key(key), item, report);
            }
            check_material(beam, path, item, report);
            check_section(&beam.section, &path.key("section"), item, report);
        }
    }
    for area in beam.shear_area.into_iter().flatten() {
        positive("shear_area", area, "m²", &path.key("shear_area"), item, report);
    }
    segments::check(beam, path, item, report);
    if beam.modes.is_empty() {
        let message = "there are no modes: the beam behaves as rigid";
        let help = "give `boundary` and counts such as bending_y = 2, or `shapes`";
        report.warning("no-modes", path, item, message, help);
    }
    check_shapes(&beam.modes, &path.key("shapes"), item, report);
    if beam.mass_stations == Some(0) {
        let message = "zero mass stations leave the beam without mass";
        let help = "remove `mass_stations` (exact integration), or give 2 or more";
        report.error("zero-mass", &path.key("mass_stations"), item, message, help);
    }
    if let Some(count) = beam.mass_stations.filter(|&count| count > MOST_STATIONS) {
        let message = format!("{count} mass stations are more than {MOST_STATIONS}");
        let help = "remove `mass_stations` (exact integration), or give a few dozen";
        report.error("bad-count", &path.key("mass_stations"), item, message, help);
    }
    damping::check(&beam.damping, beam.modes.len(), &path.key("damping"), item, report);
}

/// Reports a number that must be positive and is not.
fn positive(name: &str, value: f64, unit: &str, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if value <= 0.0 {
        let message = format!("`{name}` must be positive, but is {}", words::number(value));
        report.error("not-positive", path, item, message, format!("give a positive number [{unit}]"));
    }
}

/// Checks rigidities and inertia per length.
fn check_properties(
    properties: &SectionProperties,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let mut numbers = vec![
        ("axial", properties.axial, "N"),
        ("bending_y", properties.bending_y, "N m²"),
        ("bending_z", properties.bending_z, "N m²"),
        ("torsion", properties.torsion, "N m²"),
        ("mass", properties.mass, "kg/m"),
    ];
    numbers.extend(properties.shear[0].map(|value| ("shear_y", value, "N")));
    numbers.extend(properties.shear[1].map(|value| ("shear_z", value, "N")));
    for (key, value, unit) in numbers {
        positive(key, value, unit, &path.key(key), item, report);
    }
    if properties.rotary.iter().any(|inertia| *inertia < 0.0) {
        let message = "a rotary inertia per length is negative";
        let help = "give rotary = [about x, about y, about z] (kg m), none below zero";
        report.error("not-positive", &path.key("rotary"), item, message, help);
        return;
    }
    check_rotary(properties.rotary, &path.key("rotary"), item, report);
}

/// A slice of the beam is matter too. Leaving out the inertia of bending, [x, 0, 0], is a beam of Euler and Bernoulli.
fn check_rotary(rotary: [f64; 3], path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if rotary[1] == 0.0 && rotary[2] == 0.0 {
        return;
    }
    for (i, axis) in ["x", "y", "z"].iter().enumerate() {
        let others = rotary[(i + 1) % 3] + rotary[(i + 2) % 3];
        if rotary[i] > others * (1.0 + SLACK) {
            let message = format!(
                "the rotary inertia breaks the triangle inequality: {} about {axis} is more than {} about the other two \
                 axes together",
                words::number(rotary[i]),
                words::number(others),
            );
            let help =
                "no section has it: that about x is the sum of those about y and z (kg m); check their order";
            report.error("inertia-triangle", path, item, message, help);
        }
    }
}

/// Warns about moduli that no isotropic material has.
fn check_material(beam: &BeamDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let ratio = beam.young / (2.0 * beam.shear) - 1.0;
    if beam.young > 0.0 && beam.shear > 0.0 && ratio > 0.5 + 1e-9 {
        let message = format!(
            "young = {} and shear = {} mean Poisson's ratio {}, above 0.5",
            words::number(beam.young),
            words::number(beam.shear),
            words::number(ratio),
        );
        let help = "for an isotropic material give `poisson` instead of `shear`";
        report.warning("poisson-range", &path.key("shear"), item, message, help);
    }
}

fn check_section(section: &Section, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let mut positive = |key: &str, name: &str, value: f64, unit: &str| {
        if !value.is_finite() {
            let message = format!("`{name}` is {value}");
            report.error("not-finite", &path.key(key), item, message, "give finite numbers");
        }
        positive(name, value, unit, &path.key(key), item, report);
    };
    match section {
        Section::Rectangle { width_y, height_z } => {
            positive("rectangle", "width_y", *width_y, "m");
            positive("rectangle", "height_z", *height_z, "m");
        }
        Section::Circle { radius } => positive("circle", "radius", *radius, "m"),
        Section::Tube { outer_radius, inner_radius } => {
            positive("tube", "outer radius", *outer_radius, "m");
            if *inner_radius < 0.0 || inner_radius >= outer_radius {
                let (inner, outer) = (words::number(*inner_radius), words::number(*outer_radius));
                let message =
                    format!("the inner radius {inner} does not lie between 0 and the outer radius {outer}");
                let help = "write tube = [outer, inner]";
                report.error("tube-radii", &path.key("tube"), item, message, help);
            }
        }
        Section::General(constants) => {
            positive("area", "area", constants.area, "m²");
            positive("inertia_y", "inertia_y", constants.inertia_y, "m⁴");
            positive("inertia_z", "inertia_z", constants.inertia_z, "m⁴");
            positive("torsion", "torsion", constants.torsion, "m⁴");
        }
    }
}

/// Checks the polynomial shapes, which stand after the standard ones.
fn check_shapes(modes: &[BeamMode], path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let given = modes.iter().filter_map(|mode| match &mode.shape {
        Shape::Polynomial(coefficients) => Some((mode.kind, coefficients)),
        _ => None,
    });
    for (k, (kind, coefficients)) in given.enumerate() {
        let path = path.index(k);
        if coefficients.iter().any(|coefficient| !coefficient.is_finite()) {
            let message = format!("shape {} has a coefficient that is not finite", k + 1);
            report.error("not-finite", &path, item, message, "give finite numbers");
        }
        // Straining starts with the slope, or in bending with the curvature.
        let (first, word) = match kind {
            ModeKind::Axial | ModeKind::Torsion => (1, "slope"),
            ModeKind::BendingY | ModeKind::BendingZ => (2, "curvature"),
        };
        if coefficients.iter().skip(first).all(|&coefficient| coefficient == 0.0) {
            let message = format!("shape {} has no {word}, so the mode has no stiffness", k + 1);
            let help =
                format!("a shape without {word} is a rigid motion: leave it out, or add higher powers");
            report.error("mode-without-stiffness", &path.key("polynomial"), item, message, help);
        }
    }
}
