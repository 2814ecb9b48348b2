//! Shells of layers (PCOMP, PCOMPG), and where materials with directions point (THETA, MCID).

use super::super::deck::Property;
use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;
use crate::layup::{Layup, Ply};
use nalgebra::{Rotation3, Unit, Vector3};

/// Layers before their materials are looked up.
#[derive(Clone, Debug)]
pub(super) struct RawLayup {
    /// Material, thickness, angle (rad); from the bottom to the top.
    plies: Vec<(u64, f64, f64)>,
    middle: f64,
    additional: f64,
    card: Card,
    /// Its place in the mesh, once something uses it.
    place: Option<usize>,
}

impl Reader {
    pub(super) fn pcomp(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the property", source)?;
        // Layers of PCOMPG have a line each, and a number of their own first.
        let (width, first) = if card.name == "PCOMPG" { (8, 1) } else { (4, 0) };
        let mut plies: Vec<(u64, f64, f64)> = Vec::new();
        for start in (8..card.fields.len()).step_by(width) {
            if !(start..start + width).any(|field| card.has(field)) {
                continue;
            }
            let field = start + first;
            let before = plies.last().copied();
            let material = match before {
                Some((material, ..)) if !card.has(field) => material,
                _ => card.identity(field, "the material of a layer", source)?,
            };
            let thickness = match before {
                Some((_, thickness, _)) if !card.has(field + 1) => thickness,
                _ => card.real(field + 1, "the thickness of a layer", source)?,
            };
            crate::error::positive("the thickness of a layer", thickness)
                .map_err(|fault| card.error(source, fault.to_string(), "correct it"))?;
            let angle = card.real_or(field + 2, 0.0, "the angle of a layer", source)?;
            plies.push((material, thickness, angle.to_radians()));
        }
        if plies.is_empty() {
            let help = "add material, thickness and angle of each layer";
            return Err(card.error(source, "the laminate has no layers", help));
        }
        match card.text(7).to_ascii_uppercase().as_str() {
            "" => {}
            "SYM" if card.name == "PCOMP" => {
                let mirrored: Vec<_> = plies.iter().rev().copied().collect();
                plies.extend(mirrored);
            }
            other => {
                let message = format!("laminates of the kind {other} (field 9) are not supported");
                return Err(card.error(source, message, "supported: all layers given, and SYM of PCOMP"));
            }
        }
        let thickness: f64 = plies.iter().map(|(_, thickness, _)| thickness).sum();
        let bottom = card.real_or(1, -thickness / 2.0, "Z0", source)?;
        for (field, what) in [
            (3, "shear allowable (SB)"),
            (4, "failure theory (FT)"),
            (5, "temperature (TREF)"),
            (6, "damping (GE)"),
        ] {
            if card.has(field) {
                self.ignored.add(&format!("{what} of {}", card.name), &card.place, source);
            }
        }
        let additional = card.real_or(2, 0.0, "the non-structural mass", source)?;
        let layup =
            RawLayup { plies, middle: bottom + thickness / 2.0, additional, card: card.clone(), place: None };
        match self.properties.contains_key(&number) || self.layups.insert(number, layup).is_some() {
            false => Ok(()),
            true => Err(card.error(
                source,
                format!("property {number} is defined twice"),
                "give it another number",
            )),
        }
    }

    /// The property of a shell of layers; `None` where the number is another's.
    pub(super) fn laminate(&mut self, number: u64, source: &Source) -> Result<Option<Property>, ImportError> {
        let Some(raw) = self.layups.get(&number).cloned() else { return Ok(None) };
        let place = match raw.place {
            Some(place) => place,
            None => {
                let mut layup = Layup::new(Vec::new());
                for (material, thickness, angle) in &raw.plies {
                    let material = self.material_place(*material, 0.0, &raw.card, source)?;
                    layup.plies.push(Ply { material, thickness: *thickness, angle: *angle });
                }
                (layup.middle, layup.additional) = (raw.middle, raw.additional);
                layup
                    .validate(self.deck.layups.len(), &self.deck.materials)
                    .map_err(|fault| raw.card.error(source, fault.to_string(), "correct the layers"))?;
                self.deck.layups.push(layup);
                let place = self.deck.layups.len() - 1;
                if let Some(known) = self.layups.get_mut(&number) {
                    known.place = Some(place);
                }
                place
            }
        };
        let layup = &self.deck.layups[place];
        let (material, thickness) = (layup.plies[0].material, layup.thickness());
        Ok(Some(Property::Shell {
            material,
            thickness,
            material_axis: None,
            offset: 0.0,
            layup: Some(place),
        }))
    }

    /// Where the first material axis of a shell points: along its first edge, turned by THETA, or along an axis of the system MCID.
    pub(super) fn shell_axis(
        &self,
        field: usize,
        nodes: &[u64],
        card: &Card,
        source: &Source,
    ) -> Result<Option<[f64; 3]>, ImportError> {
        let text = card.text(field);
        if text.is_empty() {
            return Ok(None);
        }
        // Corners that do not exist are told where elements are checked.
        let corners: Option<Vec<Vector3<f64>>> =
            nodes.iter().map(|node| self.deck.nodes.get(node).map(|x| Vector3::from(*x))).collect();
        let Some(corners) = corners else { return Ok(None) };
        if let Ok(number) = text.parse::<i64>() {
            let wrong = || {
                let message = format!("the material system (field {}) is `{text}`", field + 2);
                card.error(source, message, "a system has a positive number; an angle has a decimal point")
            };
            let system = u64::try_from(number).map_err(|_| wrong())?;
            let middle = corners.iter().sum::<Vector3<f64>>() / corners.len() as f64;
            return Ok(Some(self.first_axis(system, middle, card, source)?.into()));
        }
        let angle = card.real(field, "the angle of the material", source)?;
        let edge = corners[1] - corners[0];
        // Of a warped quadrilateral the normal of its diagonals.
        let normal = match nodes.len() {
            4 | 8 => (corners[2] - corners[0]).cross(&(corners[3] - corners[1])),
            _ => edge.cross(&(corners[2] - corners[0])),
        };
        let Some(normal) = Unit::try_new(normal, 0.0) else { return Ok(None) };
        Ok(Some((Rotation3::from_axis_angle(&normal, angle.to_radians()) * edge).into()))
    }
}
