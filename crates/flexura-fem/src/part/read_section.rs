//! Beam sections and their orientation in part files.

use crate::section::{BeamSection, Section};
use flexura::file::Fields;

/// The key `section`: its constants, without shear deformation where `shear = false`.
pub(super) fn read_section(fields: &mut Fields<'_>) -> Option<BeamSection> {
    let shear = fields.bool("shear", true);
    let help = "section = { rectangle = [width_y, height_z] } (metres)";
    let value = fields.need("section", help)?;
    let section = value.table(read_shape).flatten()?;
    match section.constants() {
        Ok(constants) if shear => Some(constants),
        Ok(constants) => Some(constants.without_shear()),
        Err(fault) => {
            value.error("bad-section", fault.to_string(), "correct the dimensions of the section");
            None
        }
    }
}

/// The key `orientation`: a vector towards the section's y axis.
pub(super) fn read_orientation(fields: &mut Fields<'_>) -> Option<[f64; 3]> {
    let Some(value) = fields.get("orientation") else { return Some([0.0, 1.0, 0.0]) };
    let vector = value.vector3()?;
    if vector.iter().any(|x| *x != 0.0) {
        return Some(vector);
    }
    value.error(
        "zero-vector",
        "`orientation` has no direction",
        "write a vector towards the section's y axis",
    );
    None
}

fn read_shape(fields: &mut Fields<'_>) -> Option<Section> {
    let forms = ["rectangle", "circle", "tube", "box", "i", "area"];
    let constants = ["area", "inertia_y", "inertia_z", "torsion", "shear_area_y", "shear_area_z"];
    fields.allow(&constants);
    match fields.one_of(&forms) {
        Some("rectangle") => {
            let [width_y, height_z] = fields.get("rectangle")?.array()?;
            Some(Section::rectangle(width_y, height_z))
        }
        Some("circle") => Some(Section::circle(fields.get("circle")?.f64()?)),
        Some("tube") => {
            let [outer_radius, inner_radius] = fields.get("tube")?.array()?;
            Some(Section::tube(outer_radius, inner_radius))
        }
        Some("box") => {
            let [width_y, height_z, wall] = fields.get("box")?.array()?;
            Some(Section::Box { width_y, height_z, wall })
        }
        Some("i") => {
            let [width_y, height_z, flange, web] = fields.get("i")?.array()?;
            Some(Section::I { width_y, height_z, flange, web })
        }
        Some(_) => Some(Section::General(BeamSection {
            area: fields.f64("area", 0.0),
            inertia_y: fields.need_f64("inertia_y", "inertia_y = 1e-8 (m⁴)"),
            inertia_z: fields.need_f64("inertia_z", "inertia_z = 1e-8 (m⁴)"),
            torsion: fields.need_f64("torsion", "torsion = 1e-8 (m⁴)"),
            shear_area_y: fields.f64("shear_area_y", 0.0),
            shear_area_z: fields.f64("shear_area_z", 0.0),
            outline: None,
        })),
        None => {
            let help = "write { rectangle = [width_y, height_z] }, { circle = radius }, { tube = [outer, inner] }, \
                        { box = [width_y, height_z, wall] }, { i = [width_y, height_z, flange, web] } or \
                        { area = .., inertia_y = .., inertia_z = .., torsion = .. }";
            fields.missing("missing-key", &forms, "the section has no shape", help);
            None
        }
    }
}
