//! Joints that close loops: constraint equations between two frames.
//!
//! A joint that the graph leaves out of the tree (a chord) becomes constraint
//! rows: the circuit equation of the chord projected on the reaction space of
//! the joint (Richard 2012, eqs 22-26 and 68), closed at position level for
//! rotations too. A prescribed coordinate of such a joint adds a rheonomic row;
//! springs, dampers, friction and efforts on it act along the same directions.

mod pose;
mod rolling;
mod rows;

pub use pose::{coordinates_at, speeds_at};
pub(crate) use rolling::Disc;
pub(crate) use rows::RowShape;
pub(crate) use rows::RowValue;
pub(crate) use rows::Target;
pub use rows::{RelativeMotion, Row};

use super::FrameId;
use super::coordinate::Coordinate;
use super::joint::JointKind;

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub struct LoopJoint {
    /// Name.
    pub name: String,
    /// Kind and axes.
    pub kind: JointKind,
    /// The two frames, as in the description.
    pub frames: [FrameId; 2],
    /// What acts on its coordinates.
    pub coordinates: Vec<Coordinate>,
    /// How each coordinate is measured; `None` where it cannot be.
    pub(crate) measures: Vec<Option<RowShape>>,
    /// Constraint rows: reaction directions, then prescribed coordinates.
    pub rows: Vec<Row>,
    /// Index of its first row among those of all loops.
    pub first_row: usize,
    /// Names of the joints around the loop, this one first.
    pub members: Vec<String>,
    /// Its place among all loops.
    pub index: usize,
    /// Angle from which its turns are counted at the start of a run (rad).
    pub start_angle: f64,
}

impl LoopJoint {
    /// A chord of `kind` between two frames.
    pub(crate) fn new(
        name: &str,
        kind: JointKind,
        frames: [FrameId; 2],
        coordinates: Vec<Coordinate>,
        first_row: usize,
        members: Vec<String>,
    ) -> Self {
        let measures: Vec<_> = (0..kind.degrees_of_freedom()).map(|i| rows::measure(&kind, i)).collect();
        let mut rows = rows::reaction_rows(&kind);
        for (index, coordinate) in coordinates.iter().enumerate() {
            if let (Some(_), Some(shape)) = (&coordinate.motion, measures[index]) {
                rows.push(Row { shape, driver: Some(index) });
            }
        }
        let name = name.to_string();
        let (index, start_angle) = (0, 0.0);
        Self { name, kind, frames, coordinates, measures, rows, first_row, members, index, start_angle }
    }

    /// Which of its coordinates is an angle measured up to whole turns.
    pub(crate) fn angle(&self) -> Option<usize> {
        self.measures.iter().position(|measure| matches!(measure, Some(RowShape::About { .. })))
    }

    /// Indices of its rows among those of all loops.
    pub fn row_range(&self) -> std::ops::Range<usize> {
        self.first_row..self.first_row + self.rows.len()
    }

    /// Whether it has rows on speeds alone.
    pub fn is_nonholonomic(&self) -> bool {
        self.speed_row_count() > 0
    }

    /// Number of its rows on speeds alone.
    pub fn speed_row_count(&self) -> usize {
        self.rows.iter().filter(|row| row.shape.is_on_speeds()).count()
    }

    /// The disc that rolls, of a rolling joint, and the index of the row that holds it on the plane among those of all loops: its
    /// multiplier is the normal force (N).
    pub(crate) fn rolling_disc(&self) -> Option<(Disc, usize)> {
        let of = |(row, index): (&Row, usize)| match row.shape {
            RowShape::Touch(disc) => Some((disc, index)),
            _ => None,
        };
        self.rows.iter().zip(self.row_range()).find_map(of)
    }

    /// First coordinate with a law that a loop-closing joint of this kind cannot carry.
    pub fn unmeasured_law(&self) -> Option<usize> {
        (0..self.coordinates.len()).find(|&i| {
            let c = &self.coordinates[i];
            self.measures[i].is_none() && (c.acts() || c.motion.is_some())
        })
    }
}
