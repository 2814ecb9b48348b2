//! Materials of part files.

use super::read::{not_negative, positive};
use crate::material::{Material, OrthotropicShell, Viscosity};
use flexura::file::{Fields, Value};
use flexura::model::words;

pub(super) fn read_material(fields: &mut Fields<'_>) -> (String, Material) {
    fields.allow(&["young", "poisson", "orthotropic"]);
    let name = fields.need_text("name", "name = \"steel\"");
    let mut number = |key, help| fields.need(key, help).and_then(|value| positive(&value)).unwrap_or(1.0);
    let density = number("density", "density = 7800 (kg/m³)");
    if fields.has("orthotropic") {
        fields.unused(&["young", "poisson"], "the constants are those of `orthotropic`");
        let constants = read_orthotropic(fields).unwrap_or(OrthotropicShell {
            young_1: 1.0,
            young_2: 1.0,
            poisson_12: 0.0,
            shear_12: 1.0,
        });
        return (name, with_viscosity(fields, Material::orthotropic_shell(constants, density)));
    }
    let young = fields.need("young", "young = 210e9 (Pa)").and_then(|value| positive(&value)).unwrap_or(1.0);
    let poisson = fields.need("poisson", "poisson = 0.3");
    let poisson = poisson.and_then(|value| read_ratio(&value, "steel and aluminium have about 0.3"));
    (name, with_viscosity(fields, Material::isotropic(young, poisson.unwrap_or(0.3), density)))
}

/// A Poisson's ratio, of elasticity or of viscosity.
fn read_ratio(value: &Value<'_>, help: &str) -> Option<f64> {
    let ratio = value.f64()?;
    if ratio > -1.0 && ratio < 0.5 {
        return Some(ratio);
    }
    let message = format!("Poisson's ratio {} lies outside (-1, 0.5)", words::number(ratio));
    value.error("poisson-range", message, help);
    None
}

/// Kelvin-Voigt viscosity: a time that makes it of the elasticity, or constants of its own.
fn with_viscosity(fields: &mut Fields<'_>, material: Material) -> Material {
    let viscosity = match fields.one_of(&["retardation", "viscous"]) {
        Some("retardation") => fields
            .get("retardation")
            .and_then(|value| not_negative(&value))
            .map(|time| Viscosity::Proportional { time }),
        Some(_) => fields.get("viscous").and_then(|value| value.table(read_viscous)).flatten(),
        None => None,
    };
    viscosity.map_or(material, |viscosity| material.with_viscosity(viscosity))
}

fn read_viscous(fields: &mut Fields<'_>) -> Option<Viscosity> {
    let young = fields.need("young", "young = 1e7 (Pa s)").and_then(|value| not_negative(&value));
    let poisson = fields.need("poisson", "poisson = 0.3");
    let help =
        "viscosity without change of volume has nearly 0.5, the elasticity's own ratio makes it proportional";
    let poisson = poisson.and_then(|value| read_ratio(&value, help));
    Some(Viscosity::Isotropic { young: young?, poisson: poisson? })
}

fn read_orthotropic(fields: &mut Fields<'_>) -> Option<OrthotropicShell> {
    let value = fields.get("orthotropic")?;
    let constants = value.table(|fields| OrthotropicShell {
        young_1: fields.need_f64("young_1", "young_1 = 140e9 (Pa)"),
        young_2: fields.need_f64("young_2", "young_2 = 10e9 (Pa)"),
        poisson_12: fields.need_f64("poisson_12", "poisson_12 = 0.3"),
        shear_12: fields.need_f64("shear_12", "shear_12 = 5e9 (Pa)"),
    })?;
    match Material::orthotropic_shell(constants, 1.0).validate() {
        Ok(()) => Some(constants),
        Err(fault) => {
            value.error("bad-material", fault.to_string(), "correct the constants of the material");
            None
        }
    }
}

/// The key `material_axis`: where the first axis of an orthotropic material points.
pub(super) fn read_material_axis(fields: &mut Fields<'_>, orthotropic: bool) -> Option<[f64; 3]> {
    if !orthotropic {
        fields.unused(&["material_axis"], "the material is the same in all directions");
    }
    let value = fields.get("material_axis")?;
    let axis = value.vector3()?;
    if axis == [0.0; 3] {
        let help = "write a vector along the material's first axis";
        value.error("zero-vector", "`material_axis` has no direction", help);
        return None;
    }
    Some(axis)
}
