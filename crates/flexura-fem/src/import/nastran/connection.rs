//! Point masses, springs, rigid and mean connections, sets.

use super::super::deck::{DeckAverage, DeckEquation};
use super::super::error::ImportError;
use super::super::number::{identity, real};
use super::super::source::Source;
use super::Reader;
use super::card::{Card, digits};
use crate::mesh::{PointMass, Spring};

impl Reader {
    pub(super) fn conm2(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let node = card.identity(1, "the grid point", source)?;
        let absolute = card.text(2) == "-1";
        if !absolute {
            card.refuse(
                2,
                "another coordinate system",
                "give offset and inertia in the basic system",
                source,
            )?;
        }
        let mut offset = card.vector(4, "a component of the offset", source)?;
        if absolute {
            let missing = || {
                card.error(
                    source,
                    format!("grid point {node} does not exist"),
                    "define it, or correct the number",
                )
            };
            let at = self.deck.nodes.get(&node).ok_or_else(missing)?;
            offset = std::array::from_fn(|i| offset[i] - at[i]);
        }
        let mut values = [0.0; 6];
        for (place, value) in values.iter_mut().enumerate() {
            *value = card.real_or(8 + place, 0.0, "a moment of inertia", source)?;
        }
        // Nastran gives products of inertia with the sign of the integral.
        let [xx, xy, yy, xz, yz, zz] = values;
        let inertia = [[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]];
        let mass = card.real(3, "the mass", source)?;
        if mass < 0.0 {
            return Err(card.error(source, "the mass is negative", "give zero or a positive number"));
        }
        self.deck.masses.push((card.place.clone(), node, PointMass { node: 0, mass, inertia, offset }));
        Ok(())
    }

    pub(super) fn pelas(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the property", source)?;
        self.stiffnesses.insert(number, [stiffness(card, 1, source)?; 6]);
        Ok(())
    }

    pub(super) fn pbush(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the property", source)?;
        let mut values = [0.0; 6];
        for line in (1..card.fields.len()).step_by(8) {
            match card.text(line).to_ascii_uppercase().as_str() {
                "K" => {
                    for (place, value) in values.iter_mut().enumerate() {
                        *value = if card.has(line + 1 + place) {
                            stiffness(card, line + 1 + place, source)?
                        } else {
                            0.0
                        };
                    }
                }
                "B" | "GE" | "RCV" => self.ignored.add("damping of PBUSH", &card.place, source),
                "" => {}
                other => {
                    return Err(card.error(
                        source,
                        format!("`{other}` is not supported here"),
                        "supported: K",
                    ));
                }
            }
        }
        self.stiffnesses.insert(number, values);
        Ok(())
    }

    pub(super) fn celas(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let value = match card.name.as_str() {
            "CELAS2" => stiffness(card, 1, source)?,
            _ => self.stiffness_of(card, source)?[0],
        };
        let freedom = |index: usize| {
            let place =
                identity(card.text(index)).filter(|number| *number <= 6).map(|number| number as usize - 1);
            place.ok_or_else(|| {
                card.error(
                    source,
                    format!("the freedom (field {}) is `{}`", index + 2, card.text(index)),
                    "write 1 to 6",
                )
            })
        };
        let other = if card.has(4) { Some(card.identity(4, "the second grid point", source)?) } else { None };
        let place = freedom(3)?;
        if other.is_some() && freedom(5)? != place {
            return Err(card.error(
                source,
                "a spring between different freedoms is not supported",
                "use the same freedom",
            ));
        }
        let mut values = [0.0; 6];
        values[place] = value;
        let node = card.identity(2, "the first grid point", source)?;
        for end in [Some(node), other].into_iter().flatten() {
            self.along_basic(end, card, source)?;
        }
        self.deck.springs.push((card.place.clone(), node, other, Spring::new(0, None, values)));
        Ok(())
    }

    pub(super) fn cbush(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        if card.text(7) != "0" {
            let help = "give the basic system (CID = 0 in field 9)";
            return Err(card.error(source, "a bushing in other than basic axes is not supported", help));
        }
        let values = self.stiffness_of(card, source)?;
        let node = card.identity(2, "the first grid point", source)?;
        let other = if card.has(3) { Some(card.identity(3, "the second grid point", source)?) } else { None };
        self.deck.springs.push((card.place.clone(), node, other, Spring::new(0, None, values)));
        Ok(())
    }

    fn stiffness_of(&self, card: &Card, source: &Source) -> Result<[f64; 6], ImportError> {
        let number = card.identity(if card.has(1) { 1 } else { 0 }, "the number of the property", source)?;
        let unknown = || card.error(source, format!("there is no property {number}"), "add PELAS or PBUSH");
        self.stiffnesses.get(&number).copied().ok_or_else(unknown)
    }

    pub(super) fn rbe2(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let master = card.identity(1, "the independent grid point", source)?;
        let freedoms = card.freedoms(2, source)?;
        let mut followers = Vec::new();
        for index in 3..card.fields.len() {
            // A real number at the end is a coefficient of thermal expansion.
            let expansion = card.text(index).contains('.') && real(card.text(index)).is_some();
            if card.text(index).eq_ignore_ascii_case("THRU") {
                let last = card.identity(index + 1, "the last grid point", source)?;
                let first = followers.last().map_or(last, |first: &u64| first.saturating_add(1));
                followers.extend(self.deck.nodes.range(first..last.max(first)).map(|(number, _)| *number));
                continue;
            }
            if card.has(index) && !expansion {
                followers.push(card.identity(index, "a dependent grid point", source)?);
            }
        }
        self.link(card, master, followers, freedoms, source)
    }

    /// MPC: number of the set, then grid point, freedom and factor of each term, two to a line.
    pub(super) fn mpc(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let set = card.identity(0, "the number of the set", source)?;
        if *self.equations.get_or_insert(set) != set {
            let help = "keep the set of MPC cards that the analysis uses";
            return Err(card.error(source, "equations of several sets", help));
        }
        let mut terms = Vec::new();
        for (line, start) in (0..card.fields.len()).step_by(8).enumerate() {
            let first = if line == 0 { 1 } else { start + 1 };
            for place in [first, first + 3].into_iter().filter(|place| card.has(*place)) {
                let node = card.identity(place, "a grid point", source)?;
                let freedom = identity(card.text(place + 1)).filter(|number| *number <= 6);
                let wrong = || {
                    let message = format!("the freedom (field {}) is `{}`", place + 3, card.text(place + 1));
                    card.error(source, message, "write 1 to 6")
                };
                let freedom = freedom.ok_or_else(wrong)? as usize - 1;
                self.along_basic(node, card, source)?;
                terms.push((node, freedom, card.real(place + 2, "a factor", source)?));
            }
        }
        match terms.is_empty() {
            true => Err(card.error(source, "the equation has no terms", "give grid point, freedom, factor")),
            false => {
                self.deck.equations.push(DeckEquation { place: card.place.clone(), terms });
                Ok(())
            }
        }
    }

    pub(super) fn rbar(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let ends = [card.identity(1, "the first end", source)?, card.identity(2, "the second end", source)?];
        let all = |index: usize| digits(card.text(index)) == Some([true; 6]);
        let (master, follower, dependent) = match (all(3), all(4)) {
            (true, false) => (ends[0], ends[1], 6),
            (false, true) => (ends[1], ends[0], 5),
            _ => {
                return Err(card.error(
                    source,
                    "one end must have all six freedoms independent",
                    "give 123456 for one end",
                ));
            }
        };
        let freedoms = if card.has(dependent) { card.freedoms(dependent, source)? } else { [true; 6] };
        self.link(card, master, vec![follower], freedoms, source)
    }

    fn link(
        &mut self,
        card: &Card,
        master: u64,
        mut followers: Vec<u64>,
        freedoms: [bool; 6],
        source: &Source,
    ) -> Result<(), ImportError> {
        if followers.is_empty() {
            return Err(card.error(
                source,
                "there is no dependent grid point",
                "add the grid points that follow",
            ));
        }
        if followers.contains(&master) {
            return Err(card.error(
                source,
                format!("grid point {master} follows itself"),
                "remove it from the dependent ones",
            ));
        }
        followers.sort_unstable();
        followers.dedup();
        self.whole_or_basic(&freedoms, &followers, card, source)?;
        self.deck.links.push((card.place.clone(), master, followers, freedoms));
        Ok(())
    }

    pub(super) fn rbe3(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let node = card.identity(2, "the reference grid point", source)?;
        let freedoms = card.freedoms(3, source)?;
        let (mut sources, mut weight, mut counted) = (Vec::new(), None, None);
        for index in (4..card.fields.len()).filter(|index| card.has(*index)) {
            let text = card.text(index);
            if text.eq_ignore_ascii_case("ALPHA") {
                break;
            }
            if text.eq_ignore_ascii_case("UM") {
                return Err(card.error(
                    source,
                    "UM is not supported",
                    "leave the dependent freedoms to the reference point",
                ));
            }
            match (text.contains('.'), weight, counted) {
                (true, ..) => (weight, counted) = (Some(card.real(index, "a weight", source)?), None),
                (false, Some(_), None) => counted = Some(card.freedoms(index, source)?),
                (false, Some(weight), Some(counted)) => {
                    sources.push((card.identity(index, "a grid point", source)?, weight, counted));
                }
                (false, None, _) => {
                    return Err(card.error(
                        source,
                        "a weight is missing before the freedoms",
                        "weights have a decimal point: 1.0",
                    ));
                }
            }
        }
        if sources.is_empty() {
            return Err(card.error(
                source,
                "there is no grid point to follow",
                "add weight, freedoms and grid points",
            ));
        }
        if let Some((_, weight, _)) = sources.iter().find(|(_, weight, _)| *weight < 0.0) {
            return Err(card.error(
                source,
                format!("the weight {weight} is negative"),
                "weights are positive",
            ));
        }
        self.whole_or_basic(&freedoms, &[node], card, source)?;
        for (node, _, freedoms) in &sources {
            self.whole_or_basic(freedoms, &[*node], card, source)?;
        }
        self.deck.averages.push(DeckAverage { place: card.place.clone(), node, freedoms, sources });
        Ok(())
    }

    /// A set of grid points, by its number as a name.
    pub(super) fn set1(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the set", source)?;
        let mut nodes: Vec<u64> = Vec::new();
        let mut index = 1;
        while index < card.fields.len() {
            match card.text(index).to_ascii_uppercase().as_str() {
                "" | "SKIN" => {}
                "THRU" => {
                    let last = card.identity(index + 1, "the last grid point", source)?;
                    let Some(first) = nodes.pop().filter(|first| *first <= last) else {
                        return Err(card.error(
                            source,
                            "THRU needs a first and a larger last grid point",
                            "write 1,THRU,9",
                        ));
                    };
                    nodes.extend(self.deck.nodes.range(first..=last).map(|(number, _)| *number));
                    index += 1;
                }
                _ => nodes.push(card.identity(index, "a grid point", source)?),
            }
            index += 1;
        }
        self.deck.sets.insert(number.to_string(), nodes);
        Ok(())
    }
}

fn stiffness(card: &Card, index: usize, source: &Source) -> Result<f64, ImportError> {
    let value = card.real(index, "the stiffness", source)?;
    match value < 0.0 {
        true => Err(card.error(source, "the stiffness is negative", "give zero or a positive number")),
        false => Ok(value),
    }
}
