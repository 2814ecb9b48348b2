//! Units of mesh files brought to SI.
//!
//! Millimetre, tonne, second: forces are newtons, stresses N/mm2.

use super::description::Units;
use crate::material::Viscosity;
use crate::mesh::{Element, Mesh};

const LENGTH: f64 = 1e-3;
const MASS: f64 = 1e3;
const STRESS: f64 = 1e6;

/// The unit of density of a file (kg/m3).
pub(super) fn density_unit(units: Units) -> f64 {
    match units {
        Units::Si => 1.0,
        Units::MillimetreTonne => MASS / LENGTH.powi(3),
    }
}

/// Converts the places of nodes alone.
pub(super) fn places_to_si(mesh: &mut Mesh, units: Units) {
    if units == Units::MillimetreTonne {
        mesh.nodes.iter_mut().flatten().for_each(|x| *x *= LENGTH);
    }
}

/// Converts everything in a mesh.
pub(super) fn to_si(mesh: &mut Mesh, units: Units) {
    if units == Units::Si {
        return;
    }
    places_to_si(mesh, units);
    for material in &mut mesh.materials {
        material.young *= STRESS;
        material.density *= MASS / LENGTH.powi(3);
        if let Some(lamina) = &mut material.orthotropic {
            for modulus in [&mut lamina.young_1, &mut lamina.young_2, &mut lamina.shear_12] {
                *modulus *= STRESS;
            }
        }
        if let Some(constants) = &mut material.anisotropic {
            constants.iter_mut().flatten().for_each(|modulus| *modulus *= STRESS);
        }
        if let Some(Viscosity::Isotropic { young, .. }) = &mut material.viscosity {
            *young *= STRESS;
        }
    }
    for layup in &mut mesh.layups {
        layup.plies.iter_mut().for_each(|ply| ply.thickness *= LENGTH);
        layup.middle *= LENGTH;
        layup.additional *= MASS / LENGTH.powi(2);
    }
    for element in &mut mesh.elements {
        match element {
            Element::Beam(beam) => {
                let section = &mut beam.section;
                for area in [&mut section.area, &mut section.shear_area_y, &mut section.shear_area_z] {
                    *area *= LENGTH.powi(2);
                }
                for moment in [&mut section.inertia_y, &mut section.inertia_z, &mut section.torsion] {
                    *moment *= LENGTH.powi(4);
                }
                section.outline = section.outline.map(|outline| outline.scaled(LENGTH));
                beam.offsets.iter_mut().flatten().for_each(|x| *x *= LENGTH);
            }
            Element::Shell(shell) => shell.thickness *= LENGTH,
            Element::Rod(rod) => rod.area *= LENGTH.powi(2),
            _ => {}
        }
    }
    for point in &mut mesh.masses {
        point.mass *= MASS;
        point.inertia.iter_mut().flatten().for_each(|entry| *entry *= MASS * LENGTH.powi(2));
        point.offset.iter_mut().for_each(|x| *x *= LENGTH);
    }
    for (_, freedom, factor) in mesh.equations.iter_mut().flat_map(|equation| &mut equation.terms) {
        // Translations in millimetres: a factor of one counts a thousand of those in metres.
        *factor /= if *freedom < 3 { LENGTH } else { 1.0 };
    }
    for spring in &mut mesh.springs {
        // N/mm along, N mm/rad about.
        spring.stiffness[..3].iter_mut().for_each(|value| *value /= LENGTH);
        spring.stiffness[3..].iter_mut().for_each(|value| *value *= LENGTH);
    }
}
