//! What a deck has, in a few words, and the units it is likely to be in.

use crate::material::Material;
use std::collections::BTreeMap;
use std::fmt;

/// What a deck has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of elements of each kind, by the deck's own words.
    pub elements: BTreeMap<String, usize>,
    /// Number of nodes.
    pub nodes: usize,
    /// Least and greatest coordinates, in the deck's units.
    pub corners: Option<[[f64; 3]; 2]>,
    /// Pieces that nothing connects; zero where the deck was refused.
    pub pieces: usize,
    /// Units by modulus and density, where they point to a set.
    pub units: Option<LikelyUnits>,
}

/// Consistent sets of units that decks are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LikelyUnits {
    /// Metre, kilogram, second.
    Si,
    /// Millimetre, tonne, second.
    MillimetreTonne,
    /// Millimetre, kilogram, millisecond.
    MillimetreKilogram,
    /// Inch, pound-force, second.
    Inch,
}

impl LikelyUnits {
    /// The set that modulus and density of a material speak for: engineering materials have densities from wood
    /// to tungsten, 300 to 25000 kg/m3, and moduli from plastics to ceramics, 5e7 to 2e12 Pa.
    pub fn of(material: &Material) -> Option<Self> {
        let sets = [
            (Self::Si, 1.0, 1.0),
            (Self::MillimetreTonne, 1e-6, 1e-12),
            (Self::MillimetreKilogram, 1e-9, 1e-9),
            (Self::Inch, 1.0 / 6894.757, 9.357e-8),
        ];
        let fits = |(_, stress, density): &(Self, f64, f64)| {
            (300.0..25000.0).contains(&(material.density / density))
                && (5e7..2e12).contains(&(material.young / stress))
        };
        let mut found = sets.into_iter().filter(fits);
        found.next().map(|(units, ..)| units).filter(|_| found.next().is_none())
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Si => "metre, kilogram, second (units = \"SI\")",
            Self::MillimetreTonne => "millimetre, tonne, second (units = \"mm-t-s\")",
            Self::MillimetreKilogram => "millimetre, kilogram, millisecond (convert the deck)",
            Self::Inch => "inch, pound-force, second (convert the deck)",
        }
    }
}

impl Summary {
    /// Counts what a deck has.
    pub(crate) fn new<'a>(
        elements: &BTreeMap<String, usize>,
        nodes: impl Iterator<Item = &'a [f64; 3]>,
        materials: &[Material],
    ) -> Self {
        let (mut count, mut corners) = (0, None::<[[f64; 3]; 2]>);
        for place in nodes {
            count += 1;
            let [low, high] = corners.get_or_insert([*place; 2]);
            for axis in 0..3 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        let mut likely = materials.iter().map(LikelyUnits::of);
        let first = likely.next().flatten();
        let units = first.filter(|_| likely.all(|other| other == first));
        Self { elements: elements.clone(), nodes: count, corners, pieces: 0, units }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> =
            self.elements.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let kinds = if kinds.is_empty() { "no elements".into() } else { kinds.join(", ") };
        write!(out, "the deck has {kinds}; {} nodes", self.nodes)?;
        if let Some([low, high]) = self.corners {
            let [x, y, z] = std::array::from_fn(|axis| high[axis] - low[axis]);
            write!(out, " in a box of {x:.4e} x {y:.4e} x {z:.4e}")?;
        }
        if self.pieces > 1 {
            write!(out, ", {} pieces that nothing connects", self.pieces)?;
        }
        match self.units {
            Some(units) => write!(out, "; modulus and density look like {}", units.words()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steel_and_aluminium_tell_their_units() {
        // Handbook figures of steel and aluminium in each set.
        for (young, density, expected) in [
            (2.1e11, 7850.0, Some(LikelyUnits::Si)),
            (2.1e5, 7.85e-9, Some(LikelyUnits::MillimetreTonne)),
            (210.0, 7.85e-6, Some(LikelyUnits::MillimetreKilogram)),
            (30e6, 7.35e-4, Some(LikelyUnits::Inch)),
            (10e6, 2.5e-4, Some(LikelyUnits::Inch)),
            (7e10, 2700.0, Some(LikelyUnits::Si)),
            (1.0, 1.0, None),
        ] {
            assert_eq!(LikelyUnits::of(&Material::isotropic(young, 0.3, density)), expected, "{young}");
        }
    }
}
