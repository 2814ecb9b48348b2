//! Reduced bodies: everything a multibody model and its pictures need of a part.
//! The file is documented in `REDUCED_BODY.md`.

pub(crate) mod bytes;
mod labels;
mod nodal;
mod picture;
mod read;
mod stress;
pub mod svg;
mod swept;
mod write;

pub use labels::{Labels, recovery};
pub use nodal::NodalRows;
pub use picture::Picture;
pub use read::{ReducedBodyError, from_bytes, read};
pub use stress::{StressRowPlace, StressRows};
pub use swept::Swept;
pub use write::{to_bytes, write};

use crate::reduce::TruncationReport;
use flexura::model::Compliance;
use flexura::model::description::ModalDescription;
use nalgebra::DMatrix;

/// Version of the file format written by this program.
pub const VERSION: u32 = 1;
/// Ending of reduced-body files.
pub const ENDING: &str = "fxb";

/// A flexible body for the engine, its report and its picture.
#[derive(Clone, Debug, Default)]
pub struct ReducedBody {
    /// Name of the part.
    pub name: String,
    /// Mass nodes, attachment nodes, stiffness and damping.
    pub modal: ModalDescription,
    /// Mass of the shapes about the still reference frame.
    pub mass: DMatrix<f64>,
    /// What was kept and what was lost.
    pub report: TruncationReport,
    /// Surface and shapes for pictures.
    pub picture: Picture,
    /// Stresses and section forces per shape.
    pub stress: StressRows,
    /// Numbers and names of the nodes of the picture, sections of its lines; empty for a body from an older file.
    pub labels: Labels,
    /// Mass matrix and shapes of all nodal freedoms, where the part asks for them.
    pub nodal: Option<NodalRows>,
    /// Flexibility of the whole part, by which the shapes are judged in runs; files of earlier programs have none.
    pub compliance: Option<Compliance>,
    /// What the user should know.
    pub notices: Vec<String>,
}
