//! Grid points and rectangular coordinate systems.

use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;
use nalgebra::{Matrix3, Vector3};

/// A system given by its origin, a point on z and a point in the x-z plane, all in
/// another system.
#[derive(Clone, Debug)]
pub(super) struct System {
    relative: u64,
    points: [[f64; 3]; 3],
    card: Card,
}

/// Longest chain of systems that refer to each other.
const DEEPEST: usize = 32;

impl Reader {
    pub(super) fn coordinate_system(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the system", source)?;
        let relative = if card.has(1) && card.text(1) != "0" {
            card.identity(1, "the reference system", source)?
        } else {
            0
        };
        let mut points = [[0.0; 3]; 3];
        for (place, point) in points.iter_mut().enumerate() {
            *point = card.vector(2 + 3 * place, "a coordinate", source)?;
        }
        self.systems.insert(number, System { relative, points, card: card.clone() });
        Ok(())
    }

    pub(super) fn grid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the grid point", source)?;
        let mut position = card.vector(2, "a coordinate", source)?;
        if card.has(1) && card.text(1) != "0" {
            let system = card.identity(1, "the coordinate system", source)?;
            position = self.to_basic(system, position, card, source, 0)?;
        }
        if card.has(5) && card.text(5) != "0" {
            let help = "give the grid point the basic system (CD = 0) and its freedoms in it";
            return Err(card.error(
                source,
                "a displacement coordinate system (field 7) is not supported",
                help,
            ));
        }
        if card.has(6) && card.text(6) != "0" {
            self.ignored.add("supports of GRID", &card.place, source);
        }
        match self.deck.nodes.insert(number, position) {
            None => Ok(()),
            Some(_) => Err(card.error(
                source,
                format!("grid point {number} is defined twice"),
                "give it another number",
            )),
        }
    }

    fn to_basic(
        &self,
        number: u64,
        point: [f64; 3],
        card: &Card,
        source: &Source,
        depth: usize,
    ) -> Result<[f64; 3], ImportError> {
        let unknown = || {
            card.error(
                source,
                format!("there is no rectangular system {number}"),
                "add CORD2R; other systems are not supported",
            )
        };
        let system = self.systems.get(&number).ok_or_else(unknown)?;
        if depth > DEEPEST {
            return Err(system.card.error(
                source,
                "systems refer to each other in a circle",
                "start from the basic system",
            ));
        }
        let [a, b, c] = system.points.map(Vector3::from);
        let z = (b - a).try_normalize(0.0);
        let y = z.and_then(|z| z.cross(&(c - a)).try_normalize(0.0));
        let (Some(y), Some(z)) = (y, z) else {
            return Err(system.card.error(
                source,
                "the three points lie on a line",
                "give three points that span a plane",
            ));
        };
        let axes = Matrix3::from_columns(&[y.cross(&z), y, z]);
        let outer: [f64; 3] = (a + axes * Vector3::from(point)).into();
        match system.relative {
            0 => Ok(outer),
            relative => self.to_basic(relative, outer, card, source, depth + 1),
        }
    }
}
