//! Grid points and coordinate systems: rectangular, cylindrical, spherical, by points (CORD2.) or grid points (CORD1.).

use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;
use nalgebra::{Matrix3, Vector3};

/// What its three coordinates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// x, y, z.
    Rectangular,
    /// Distance from z, angle (degrees), z.
    Cylindrical,
    /// Distance from the origin, angle from z, angle about z (degrees).
    Spherical,
}

/// Origin, a point on z and a point in the x-z plane.
#[derive(Clone, Copy, Debug)]
enum Points {
    /// In another system.
    Places(u64, [[f64; 3]; 3]),
    /// Grid points.
    Grids([u64; 3]),
}

/// A coordinate system.
#[derive(Clone, Debug)]
pub(super) struct System {
    kind: Kind,
    points: Points,
    card: Card,
}

/// A grid point in the coordinates of its own system.
#[derive(Clone, Debug)]
pub(super) struct RawGrid {
    system: u64,
    position: [f64; 3],
}

/// Longest chain of systems that refer to each other.
const DEEPEST: usize = 32;

impl Reader {
    pub(super) fn coordinate_system(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let kind = match card.name.as_bytes().last() {
            Some(b'C') => Kind::Cylindrical,
            Some(b'S') => Kind::Spherical,
            _ => Kind::Rectangular,
        };
        if card.name.starts_with("CORD1") {
            // Two systems fit on one card.
            for first in [0, 4].into_iter().filter(|first| *first == 0 || card.has(*first)) {
                let mut grids = [0; 3];
                for (place, grid) in grids.iter_mut().enumerate() {
                    *grid = card.identity(first + 1 + place, "a grid point of the system", source)?;
                }
                self.add_system(first, kind, Points::Grids(grids), card, source)?;
            }
            return Ok(());
        }
        let relative = self.system_number(1, 0, "the reference system", card, source)?;
        let mut points = [[0.0; 3]; 3];
        for (place, point) in points.iter_mut().enumerate() {
            *point = card.vector(2 + 3 * place, "a coordinate", source)?;
        }
        self.add_system(0, kind, Points::Places(relative, points), card, source)
    }

    fn add_system(
        &mut self,
        field: usize,
        kind: Kind,
        points: Points,
        card: &Card,
        source: &Source,
    ) -> Result<(), ImportError> {
        let number = card.identity(field, "the number of the system", source)?;
        match self.systems.insert(number, System { kind, points, card: card.clone() }) {
            None => Ok(()),
            Some(_) => {
                let message = format!("coordinate system {number} is defined twice");
                Err(card.error(source, message, "give it another number"))
            }
        }
    }

    /// The number of a system: zero for the basic one, a default where the field is empty.
    fn system_number(
        &self,
        field: usize,
        default: u64,
        what: &str,
        card: &Card,
        source: &Source,
    ) -> Result<u64, ImportError> {
        match card.text(field) {
            "" => Ok(default),
            "0" => Ok(0),
            _ => card.identity(field, what, source),
        }
    }

    /// GRDSET: what empty fields of grid points are.
    pub(super) fn grid_defaults(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        self.grid_systems = [
            self.system_number(1, 0, "the coordinate system", card, source)?,
            self.system_number(5, 0, "the displacement system", card, source)?,
        ];
        if card.has(6) && card.text(6) != "0" {
            self.ignored.add("supports of GRDSET", &card.place, source);
        }
        Ok(())
    }

    /// A grid point before its systems are known.
    pub(super) fn raw_grid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the grid point", source)?;
        let position = card.vector(2, "a coordinate", source)?;
        let [system, turned] = self.grid_systems;
        let system = self.system_number(1, system, "the coordinate system", card, source)?;
        if self.system_number(5, turned, "the displacement system", card, source)? != 0 {
            self.turned.insert(number);
        }
        if card.has(6) && card.text(6) != "0" {
            self.ignored.add("supports of GRID", &card.place, source);
        }
        match self.grids.insert(number, RawGrid { system, position }) {
            None => Ok(()),
            Some(_) => Err(card.error(
                source,
                format!("grid point {number} is defined twice"),
                "give it another number",
            )),
        }
    }

    pub(super) fn grid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the grid point", source)?;
        let place = self.grid_place(number, card, source, 0)?;
        self.deck.nodes.insert(number, place.into());
        Ok(())
    }

    /// Freedoms of single directions at grid points whose displacements are counted along other axes.
    pub(super) fn along_basic(&self, node: u64, card: &Card, source: &Source) -> Result<(), ImportError> {
        if !self.turned.contains(&node) {
            return Ok(());
        }
        let message = format!(
            "single freedoms of grid point {node}, whose displacement system (CD, field 7 of GRID) is not the basic one, are not supported"
        );
        Err(card.error(source, message, "set CD = 0 there and give the freedoms along basic axes"))
    }

    /// The same where freedoms are all translations and none or all rotations, no axes have a say.
    pub(super) fn whole_or_basic(
        &self,
        freedoms: &[bool; 6],
        nodes: &[u64],
        card: &Card,
        source: &Source,
    ) -> Result<(), ImportError> {
        let even = |part: &[bool]| part.iter().all(|x| *x == part[0]);
        if even(&freedoms[..3]) && even(&freedoms[3..]) {
            return Ok(());
        }
        nodes.iter().try_for_each(|node| self.along_basic(*node, card, source))
    }

    fn grid_place(
        &self,
        number: u64,
        card: &Card,
        source: &Source,
        depth: usize,
    ) -> Result<Vector3<f64>, ImportError> {
        let missing = || {
            let message = format!("grid point {number} does not exist");
            card.error(source, message, "define it, or correct the number")
        };
        let grid = self.grids.get(&number).ok_or_else(missing)?;
        self.to_basic(grid.system, grid.position, card, source, depth)
    }

    /// A point of a system in basic coordinates.
    fn to_basic(
        &self,
        number: u64,
        point: [f64; 3],
        card: &Card,
        source: &Source,
        depth: usize,
    ) -> Result<Vector3<f64>, ImportError> {
        if number == 0 {
            return Ok(point.into());
        }
        let (origin, axes, kind) = self.frame(number, card, source, depth)?;
        let [a, b, c] = point;
        let (b_turn, c_turn) = (b.to_radians(), c.to_radians());
        let local = match kind {
            Kind::Rectangular => Vector3::new(a, b, c),
            Kind::Cylindrical => Vector3::new(a * b_turn.cos(), a * b_turn.sin(), c),
            Kind::Spherical => {
                Vector3::new(b_turn.sin() * c_turn.cos(), b_turn.sin() * c_turn.sin(), b_turn.cos()) * a
            }
        };
        Ok(origin + axes * local)
    }

    /// Origin and axes (columns) of a system in basic coordinates.
    fn frame(
        &self,
        number: u64,
        card: &Card,
        source: &Source,
        depth: usize,
    ) -> Result<(Vector3<f64>, Matrix3<f64>, Kind), ImportError> {
        let unknown = || {
            let message = format!("there is no coordinate system {number}");
            card.error(source, message, "add CORD2R, CORD2C, CORD2S, CORD1R, CORD1C or CORD1S")
        };
        let system = self.systems.get(&number).ok_or_else(unknown)?;
        if depth > DEEPEST {
            let help = "start from the basic system";
            return Err(system.card.error(source, "systems refer to each other in a circle", help));
        }
        let mut points = [Vector3::zeros(); 3];
        for (place, point) in points.iter_mut().enumerate() {
            *point = match &system.points {
                Points::Places(relative, places) => {
                    self.to_basic(*relative, places[place], &system.card, source, depth + 1)?
                }
                Points::Grids(grids) => self.grid_place(grids[place], &system.card, source, depth + 1)?,
            };
        }
        let [a, b, c] = points;
        let z = (b - a).try_normalize(0.0);
        let y = z.and_then(|z| z.cross(&(c - a)).try_normalize(1e-12 * (c - a).norm()));
        let (Some(y), Some(z)) = (y, z) else {
            let help = "give three points that span a plane";
            return Err(system.card.error(source, "the three points lie on a line", help));
        };
        Ok((a, Matrix3::from_columns(&[y.cross(&z), y, z]), system.kind))
    }

    /// The first axis of a system at a place: x, or away from the axis or centre of a round one.
    pub(super) fn first_axis(
        &self,
        number: u64,
        at: Vector3<f64>,
        card: &Card,
        source: &Source,
    ) -> Result<Vector3<f64>, ImportError> {
        if number == 0 {
            return Ok(Vector3::x());
        }
        let (origin, axes, kind) = self.frame(number, card, source, 0)?;
        let away = match kind {
            Kind::Rectangular => return Ok(axes.column(0).into_owned()),
            Kind::Cylindrical => {
                let (away, z) = (at - origin, axes.column(2).into_owned());
                away - z * z.dot(&away)
            }
            Kind::Spherical => at - origin,
        };
        let nowhere = || {
            let message =
                format!("the element lies on the axis of system {number}, which has no direction there");
            card.error(source, message, "give an angle, or another system")
        };
        away.try_normalize(0.0).ok_or_else(nowhere)
    }
}
