//! Sections of beams: forms with their dimensions (PBARL, PBEAML) and sections that change along the beam (PBEAM, PBEAML).
//!
//! Dimensions as in the MSC Nastran quick reference guide, y upwards and z along the width. The axis of a bar goes through the centroid
//! of its section. A beam whose section changes becomes pieces, each with the section in its middle, constants between stations
//! linear.

use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;
use crate::error::FemError;
use crate::section::{BeamSection, Outline, Section};
use crate::walls::{Wall, box_of, open};

/// Pieces of a beam whose section changes.
const PIECES: usize = 8;
/// Forms, and how many dimensions they have.
const FORMS: [(&str, usize); 17] = [
    ("ROD", 1),
    ("TUBE", 2),
    ("TUBE2", 2),
    ("BAR", 2),
    ("BOX", 4),
    ("BOX1", 6),
    ("I", 6),
    ("I1", 4),
    ("CHAN", 4),
    ("CHAN1", 4),
    ("CHAN2", 4),
    ("T", 4),
    ("T1", 4),
    ("T2", 4),
    ("CROSS", 4),
    ("H", 4),
    ("HAT", 4),
];
/// Forms whose shear centre is their centroid whatever the dimensions are.
const CENTRED: [&str; 8] = ["ROD", "TUBE", "TUBE2", "BAR", "BOX", "I1", "CROSS", "H"];

/// Constants of a station of a beam: at which share of the length, section, mass per length.
struct Station {
    at: f64,
    section: BeamSection,
    mass: f64,
}

/// The section of a form by its dimensions.
fn form(name: &str, d: &[f64]) -> Result<BeamSection, FemError> {
    match (name, d) {
        ("ROD", &[radius]) => Section::circle(radius).constants(),
        ("TUBE", &[outer, inner]) => Section::tube(outer, inner).constants(),
        ("TUBE2", &[outer, wall]) => Section::tube(outer, outer - wall).constants(),
        ("BAR", &[width, height]) => Section::rectangle(height, width).constants(),
        ("BOX", &[width, height, ends, flanks]) if ends == flanks => {
            Section::Box { width_y: height, height_z: width, wall: ends }.constants()
        }
        ("BOX", &[width, height, ends, flanks]) => box_of([height, width], [ends; 2], [flanks; 2]),
        ("BOX1", &[width, height, top, bottom, left, right]) => {
            box_of([height, width], [top, bottom], [left, right])
        }
        ("I", &[height, lower, upper, web, bottom, top]) if lower == upper && bottom == top => {
            standing_i(height, lower, web, bottom)
        }
        ("I", &[height, lower, upper, web, bottom, top]) => open(&[
            Wall::new(0.0, bottom, 0.0, lower),
            Wall::new(bottom, height - top, 0.0, web),
            Wall::new(height - top, height, 0.0, upper),
        ]),
        ("I1", &[beside, web, inner, height]) => {
            standing_i(height, beside + web, web, 0.5 * (height - inner))
        }
        ("CHAN", &[width, height, web, flange]) => channel(width, height, web, flange),
        ("CHAN1", &[beside, web, inner, height]) => {
            channel(beside + web, height, web, 0.5 * (height - inner))
        }
        ("CHAN2", &[leg, base, height, width]) => open(&[
            Wall::new(0.0, base, 0.0, width),
            Wall::new(base, height, 0.5 * (width - leg), leg),
            Wall::new(base, height, 0.5 * (leg - width), leg),
        ]),
        ("T", &[width, height, flange, web]) => {
            open(&[Wall::new(height - flange, height, 0.0, width), Wall::new(0.0, height - flange, 0.0, web)])
        }
        ("T2", &[width, height, flange, web]) => {
            open(&[Wall::new(0.0, flange, 0.0, width), Wall::new(flange, height, 0.0, web)])
        }
        ("T1", &[height, long, flange, web]) => open(&[
            Wall::new(-0.5 * height, 0.5 * height, 0.0, flange),
            Wall::new(-0.5 * web, 0.5 * web, 0.5 * (flange + long), long),
        ]),
        ("CROSS", &[arms, web, height, thickness]) => open(&[
            Wall::new(-0.5 * height, 0.5 * height, 0.0, web),
            Wall::new(-0.5 * thickness, 0.5 * thickness, 0.5 * web + 0.25 * arms, 0.5 * arms),
            Wall::new(-0.5 * thickness, 0.5 * thickness, -0.5 * web - 0.25 * arms, 0.5 * arms),
        ]),
        ("H", &[between, flanges, height, web]) => open(&[
            Wall::new(-0.5 * web, 0.5 * web, 0.0, between),
            Wall::new(-0.5 * height, 0.5 * height, 0.5 * between + 0.25 * flanges, 0.5 * flanges),
            Wall::new(-0.5 * height, 0.5 * height, -0.5 * between - 0.25 * flanges, 0.5 * flanges),
        ]),
        ("HAT", &[height, wall, top, brim]) => {
            let beside = 0.5 * top - 0.5 * wall;
            let outside = 0.5 * top + 0.5 * brim;
            open(&[
                Wall::new(height - wall, height, 0.0, top),
                Wall::new(0.0, height - wall, beside, wall),
                Wall::new(0.0, height - wall, -beside, wall),
                Wall::new(0.0, wall, outside, brim),
                Wall::new(0.0, wall, -outside, brim),
            ])
        }
        _ => Err(FemError::Missing { what: "a section".into(), missing: format!("the form {name}") }),
    }
}

/// An I of equal flanges whose web stands along y, which is that along z turned.
fn standing_i(height: f64, width: f64, web: f64, flange: f64) -> Result<BeamSection, FemError> {
    let mut found = Section::I { width_y: width, height_z: height, flange, web }.constants()?;
    std::mem::swap(&mut found.inertia_y, &mut found.inertia_z);
    std::mem::swap(&mut found.shear_area_y, &mut found.shear_area_z);
    found.outline = found.outline.map(Outline::turned);
    Ok(found)
}

fn channel(width: f64, height: f64, web: f64, flange: f64) -> Result<BeamSection, FemError> {
    let (half, beside) = (0.5 * height, width - web);
    open(&[
        Wall::new(-half, half, 0.0, web),
        Wall::new(half - flange, half, 0.5 * width, beside),
        Wall::new(-half, flange - half, 0.5 * width, beside),
    ])
}

/// A section between two, its constants linear; the outline only where both are the same section.
fn between(a: &Station, b: &Station, at: f64) -> (BeamSection, f64) {
    let share = if b.at > a.at { (at - a.at) / (b.at - a.at) } else { 0.0 };
    let mix = |x: f64, y: f64| x + share * (y - x);
    let (one, other) = (&a.section, &b.section);
    let section = BeamSection {
        area: mix(one.area, other.area),
        inertia_y: mix(one.inertia_y, other.inertia_y),
        inertia_z: mix(one.inertia_z, other.inertia_z),
        torsion: mix(one.torsion, other.torsion),
        shear_area_y: mix(one.shear_area_y, other.shear_area_y),
        shear_area_z: mix(one.shear_area_z, other.shear_area_z),
        outline: if one == other { one.outline } else { None },
    };
    (section, mix(a.mass, b.mass))
}

impl Reader {
    /// The form and the number of its dimensions.
    fn form_of(&self, card: &Card, source: &Source) -> Result<(&'static str, usize), ImportError> {
        let word = card.text(3).to_ascii_uppercase();
        FORMS.iter().find(|(name, _)| *name == word).copied().ok_or_else(|| {
            let known = FORMS.map(|(name, _)| name).join(", ");
            let message = format!("sections of type {word} are not supported");
            card.error(
                source,
                message,
                format!("supported: {known}; or use PBAR or PBEAM with its constants"),
            )
        })
    }

    fn section_of(
        &self,
        card: &Card,
        (name, count): (&str, usize),
        first: usize,
        source: &Source,
    ) -> Result<BeamSection, ImportError> {
        let dimensions: Vec<f64> = (first..first + count)
            .map(|index| card.real(index, "a dimension", source))
            .collect::<Result<_, _>>()?;
        form(name, &dimensions)
            .map_err(|fault| card.error(source, fault.to_string(), "correct the dimensions"))
    }

    pub(super) fn pbarl(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let form = self.form_of(card, source)?;
        let section = self.section_of(card, form, 8, source)?;
        self.beam(card, source, section, card.real_or(8 + form.1, 0.0, "the non-structural mass", source)?)
    }

    /// A form at every station; the axis is that of shear centres, which must be centroids.
    pub(super) fn pbeaml(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let form = self.form_of(card, source)?;
        let equal = form.0 == "I" && card.text(9) == card.text(10) && card.text(12) == card.text(13);
        if !CENTRED.contains(&form.0) && !equal {
            let message = format!("the shear centre of a section of type {} is not its centroid", form.0);
            return Err(card.error(source, message, "use CBAR with PBARL, whose axis is the centroid"));
        }
        let mass = |index: usize| card.real_or(index, 0.0, "the non-structural mass", source);
        let own = form.1 + 1;
        let first =
            Station { at: 0.0, section: self.section_of(card, form, 8, source)?, mass: mass(8 + form.1)? };
        let mut stations = vec![first];
        let mut next = 8 + own;
        // SO, X/XB, dimensions, mass; those left out are those of the first end.
        while card.has(next) || card.has(next + 1) {
            let at = card.real_or(next + 1, 1.0, "the place of a station", source)?;
            let given = (next + 2..next + 2 + form.1).any(|index| card.has(index));
            let section = match given {
                true => self.section_of(card, form, next + 2, source)?,
                false => stations[0].section,
            };
            let own_mass =
                if card.has(next + 2 + form.1) { mass(next + 2 + form.1)? } else { stations[0].mass };
            stations.push(Station { at, section, mass: own_mass });
            next += own + 2;
        }
        self.along(card, stations, source)
    }

    pub(super) fn pbeam(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let mut stations = vec![self.constants(card, 2, None, source)?];
        let mut next = 16;
        while matches!(card.text(next).to_ascii_uppercase().as_str(), "YES" | "YESA" | "NO") {
            let at = card.real(next + 1, "the place of a station", source)?;
            let station = self.constants(card, next + 2, Some(&stations[0]), source)?;
            stations.push(Station { at, ..station });
            next += if card.text(next).eq_ignore_ascii_case("YES") { 16 } else { 8 };
        }
        for place in 8..16 {
            card.refuse(
                next + place,
                "an offset of the shear centre or of the mass",
                "leave the last line empty",
                source,
            )?;
        }
        let factors = [card.real_or(next, 1.0, "K1", source)?, card.real_or(next + 1, 1.0, "K2", source)?];
        for station in &mut stations {
            station.section.shear_area_y = factors[0] * station.section.area;
            station.section.shear_area_z = factors[1] * station.section.area;
        }
        self.along(card, stations, source)
    }

    /// A, I1, I2, I12, J, NSM from a field on; those left out at a station are those of the first end.
    fn constants(
        &self,
        card: &Card,
        from: usize,
        first: Option<&Station>,
        source: &Source,
    ) -> Result<Station, ImportError> {
        card.refuse(from + 3, "a product of inertia I12", "turn the section to its principal axes", source)?;
        let get = |index: usize, what: &str, known: Option<f64>| match known {
            Some(known) if !card.has(from + index) => Ok(known),
            _ => card.real(from + index, what, source),
        };
        let of = |value: fn(&BeamSection) -> f64| first.map(|first| value(&first.section));
        let section = BeamSection {
            area: get(0, "the area", of(|section| section.area))?,
            inertia_z: get(1, "I1", of(|section| section.inertia_z))?,
            inertia_y: get(2, "I2", of(|section| section.inertia_y))?,
            torsion: get(4, "J", of(|section| section.torsion))?,
            shear_area_y: 0.0,
            shear_area_z: 0.0,
            outline: None,
        };
        let mass = match first {
            Some(first) if !card.has(from + 5) => first.mass,
            _ => card.real_or(from + 5, 0.0, "the non-structural mass", source)?,
        };
        Ok(Station { at: 0.0, section, mass })
    }

    /// One section, or pieces of one that changes.
    fn along(&mut self, card: &Card, mut stations: Vec<Station>, source: &Source) -> Result<(), ImportError> {
        let first = &stations[0];
        for station in &stations {
            let checked = station.section.validate();
            checked.map_err(|fault| card.error(source, fault.to_string(), "correct the section"))?;
            if !(0.0..=1.0).contains(&station.at) {
                let message = format!("a station at {} of the length", station.at);
                return Err(card.error(source, message, "X/XB lies between 0 and 1"));
            }
        }
        if stations.iter().all(|other| other.section == first.section && other.mass == first.mass) {
            let (section, mass) = (first.section, first.mass);
            return self.beam(card, source, section, mass);
        }
        if stations.iter().all(|station| station.at < 1.0) {
            return Err(card.error(
                source,
                "the section changes and has no second end",
                "add a station at X/XB = 1",
            ));
        }
        stations.sort_by(|a, b| a.at.total_cmp(&b.at));
        let piece = |index: usize| {
            let at = (index as f64 + 0.5) / PIECES as f64;
            let after = stations.iter().position(|station| station.at >= at).unwrap_or(stations.len() - 1);
            between(&stations[after.saturating_sub(1)], &stations[after], at)
        };
        self.tapered(card, source, (0..PIECES).map(piece).collect())
    }
}
