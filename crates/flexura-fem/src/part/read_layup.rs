//! What surfaces of part files are made of: one layer, or a layup of several.

use super::read::{positive, read_material_name};
use crate::layup::Ply;
use flexura::file::Fields;

/// Material, thickness (m) and layers of a surface; without layers material and thickness are its own.
pub(super) struct Surface {
    pub material: Option<usize>,
    pub thickness: Option<f64>,
    pub layup: Vec<Ply>,
}

/// The keys `layup`, or `material` and, where `needed`, `thickness`.
pub(super) fn read_surface(fields: &mut Fields<'_>, materials: &[String], needed: bool) -> Surface {
    if !fields.has("layup") {
        fields.allow(&["layup"]);
        let thickness = match needed {
            true => fields.need("thickness", "thickness = 0.002 (metres)"),
            false => fields.get("thickness"),
        };
        let thickness = thickness.and_then(|value| positive(&value));
        return Surface { material: read_material_name(fields, materials), thickness, layup: Vec::new() };
    }
    fields.allow(&["thickness", "material"]);
    fields.unused(&["thickness", "material"], "the layers of `layup` have their own");
    let list = fields.get("layup");
    let plies = list.as_ref().and_then(|list| list.each(|ply| ply.table(|ply| read_ply(ply, materials))));
    let layup: Vec<Ply> = plies.unwrap_or_default().into_iter().flatten().collect();
    if let (Some(list), true) = (&list, layup.is_empty()) {
        let help = "write layup = [{ material = \"ply\", thickness = 0.00025, angle_deg = 45 }], from the bottom to the top";
        list.error("empty", "the layup has no layer that can be read", help);
    }
    let thickness = layup.iter().map(|ply| ply.thickness).sum();
    Surface { material: layup.first().map(|ply| ply.material), thickness: Some(thickness), layup }
}

fn read_ply(fields: &mut Fields<'_>, materials: &[String]) -> Option<Ply> {
    let material = read_material_name(fields, materials);
    let thickness =
        fields.need("thickness", "thickness = 0.00025 (metres)").and_then(|value| positive(&value));
    let angle = fields.f64("angle_deg", 0.0).to_radians();
    Some(Ply { material: material?, thickness: thickness?, angle })
}
