//! Finite element models from the files of other programs.
//!
//! A file is read as far as possible before it is refused, so that all that stands in its way is told at
//! once, with what it has ([`Summary`]).
//!
//! Every reader either understands a card, names it in a notice as having no part in a
//! reduction ([`LeftOut`]), or refuses the file with its name, line and card.

pub mod abaqus;
pub(crate) mod deck;
pub(crate) mod error;
mod group;
mod left_out;
pub mod matrix;
mod meshes;
pub mod nastran;
pub mod number;
pub(crate) mod source;
mod summary;
pub(crate) mod tie;

pub use deck::{Imported, Options};
pub use error::{ImportError, Rest};
pub use group::Group;
pub use left_out::LeftOut;
pub use meshes::{MeshGroups, gmsh, universal, vtk};
pub use source::Source;
pub use summary::{LikelyUnits, Summary};
