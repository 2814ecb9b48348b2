//! Grid points and coordinate systems: rectangular, cylindrical, spherical, by points (CORD2.) or grid points (CORD1.).

use super::super::error::{Blockers, ImportError};
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

/// A system in basic coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    kind: Kind,
    origin: Vector3<f64>,
    /// Columns.
    axes: Matrix3<f64>,
}

impl Frame {
    /// A point of the system in basic coordinates.
    fn point(&self, [a, b, c]: [f64; 3]) -> Vector3<f64> {
        let (b_turn, c_turn) = (b.to_radians(), c.to_radians());
        let local = match self.kind {
            Kind::Rectangular => Vector3::new(a, b, c),
            Kind::Cylindrical => Vector3::new(a * b_turn.cos(), a * b_turn.sin(), c),
            Kind::Spherical => {
                Vector3::new(b_turn.sin() * c_turn.cos(), b_turn.sin() * c_turn.sin(), b_turn.cos()) * a
            }
        };
        self.origin + self.axes * local
    }

    /// The local axes at a place (columns); `None` on the axis of a round system, where they have no direction.
    fn local_axes(&self, at: Vector3<f64>) -> Option<Matrix3<f64>> {
        let z = self.axes.column(2).into_owned();
        let away = at - self.origin;
        let out = away - z * z.dot(&away);
        match self.kind {
            Kind::Rectangular => Some(self.axes),
            Kind::Cylindrical => {
                let radial = out.try_normalize(1e-12 * away.norm())?;
                Some(Matrix3::from_columns(&[radial, z.cross(&radial), z]))
            }
            Kind::Spherical => {
                let (radial, flat) = (away.try_normalize(0.0)?, out.try_normalize(1e-12 * away.norm())?);
                let around = z.cross(&flat);
                Some(Matrix3::from_columns(&[radial, around.cross(&radial), around]))
            }
        }
    }
}

/// Longest chain of systems that refer to each other.
const DEEPEST: usize = 1000;

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
        let turned = self.system_number(5, turned, "the displacement system", card, source)?;
        if turned != 0 {
            self.turned.insert(number, turned);
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

    /// Finds every system in basic coordinates; what cannot be found is told once.
    pub(super) fn find_systems(&mut self, source: &Source, blockers: &mut Blockers) {
        let numbers: Vec<u64> = self.systems.keys().copied().collect();
        for number in numbers {
            if let Err(fault) = self.find_system(number, source, 0) {
                self.told_systems.insert(number);
                blockers.catch::<()>(Err(fault));
            }
        }
    }

    fn find_system(&mut self, number: u64, source: &Source, depth: usize) -> Result<Frame, ImportError> {
        if let Some(frame) = self.frames.get(&number) {
            return Ok(*frame);
        }
        let System { kind, points, card } = self.systems[&number].clone();
        if depth > DEEPEST || !self.open_systems.insert(number) {
            let help = "start from the basic system";
            let message = if depth > DEEPEST {
                "systems refer to each other too deep"
            } else {
                "systems refer to each other in a circle"
            };
            return Err(card.error(source, message, help));
        }
        let found = self.system_points(&points, &card, source, depth);
        self.open_systems.remove(&number);
        let [a, b, c] = found?;
        let z = (b - a).try_normalize(0.0);
        let y = z.and_then(|z| z.cross(&(c - a)).try_normalize(1e-12 * (c - a).norm()));
        let (Some(y), Some(z)) = (y, z) else {
            let help = "give three points that span a plane";
            return Err(card.error(source, "the three points lie on a line", help));
        };
        let frame = Frame { kind, origin: a, axes: Matrix3::from_columns(&[y.cross(&z), y, z]) };
        self.frames.insert(number, frame);
        Ok(frame)
    }

    fn system_points(
        &mut self,
        points: &Points,
        card: &Card,
        source: &Source,
        depth: usize,
    ) -> Result<[Vector3<f64>; 3], ImportError> {
        let mut found = [Vector3::zeros(); 3];
        for (place, found) in found.iter_mut().enumerate() {
            let (system, point) = match points {
                Points::Places(relative, places) => (*relative, places[place]),
                Points::Grids(grids) => {
                    let number = grids[place];
                    let missing = || {
                        let message = format!("grid point {number} does not exist");
                        card.error(source, message, "define it, or correct the number")
                    };
                    let RawGrid { system, position } = self.grids.get(&number).ok_or_else(missing)?.clone();
                    (system, position)
                }
            };
            *found = match system {
                0 => point.into(),
                _ if !self.systems.contains_key(&system) => return Err(unknown(system, card, source)),
                _ => self.find_system(system, source, depth + 1)?.point(point),
            };
        }
        Ok(found)
    }

    /// A system that was found; `None` for the basic one and for one whose fault was told.
    fn frame(&self, number: u64, card: &Card, source: &Source) -> Result<Option<Frame>, ImportError> {
        match self.frames.get(&number) {
            Some(frame) => Ok(Some(*frame)),
            None if number == 0 || self.told_systems.contains(&number) => Ok(None),
            None => Err(unknown(number, card, source)),
        }
    }

    pub(super) fn grid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the grid point", source)?;
        let Some(RawGrid { system, position }) = self.grids.get(&number).cloned() else { return Ok(()) };
        // The deck of a system that was told is refused; its points stand anywhere, so that nothing else is told of them.
        let place = match self.frame(system, card, source)? {
            Some(frame) => frame.point(position),
            None => position.into(),
        };
        self.deck.nodes.insert(number, place.into());
        Ok(())
    }

    /// A vector that a card gives along the displacement axes of a grid point, in basic axes.
    pub(super) fn along_displacement_axes(
        &self,
        node: u64,
        vector: [f64; 3],
        card: &Card,
        source: &Source,
    ) -> Result<[f64; 3], ImportError> {
        let Some(system) = self.turned.get(&node).filter(|_| vector != [0.0; 3]) else { return Ok(vector) };
        let (Some(frame), Some(at)) = (self.frame(*system, card, source)?, self.deck.nodes.get(&node)) else {
            return Ok(vector);
        };
        let nowhere = || {
            let message = format!(
                "grid point {node} lies on the axis of its displacement system {system}, which has no directions there"
            );
            card.error(source, message, "give it a rectangular system, or the basic one (CD = 0)")
        };
        let axes = frame.local_axes(Vector3::from(*at)).ok_or_else(nowhere)?;
        Ok((axes * Vector3::from(vector)).into())
    }

    /// Freedoms of single directions at grid points whose displacements are counted along other axes.
    pub(super) fn along_basic(&self, node: u64, card: &Card, source: &Source) -> Result<(), ImportError> {
        if !self.turned.contains_key(&node) {
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

    /// The first axis of a system at a place: x, or away from the axis or centre of a round one.
    pub(super) fn first_axis(
        &self,
        number: u64,
        at: Vector3<f64>,
        card: &Card,
        source: &Source,
    ) -> Result<Vector3<f64>, ImportError> {
        let Some(frame) = self.frame(number, card, source)? else { return Ok(Vector3::x()) };
        let nowhere = || {
            let message =
                format!("the element lies on the axis of system {number}, which has no direction there");
            card.error(source, message, "give an angle, or another system")
        };
        frame.local_axes(at).map(|axes| axes.column(0).into_owned()).ok_or_else(nowhere)
    }
}

fn unknown(number: u64, card: &Card, source: &Source) -> ImportError {
    let message = format!("there is no coordinate system {number}");
    card.error(source, message, "add CORD2R, CORD2C, CORD2S, CORD1R, CORD1C or CORD1S")
}
