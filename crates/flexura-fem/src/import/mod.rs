//! Finite element models from the files of other programs.
//!
//! Every reader either understands a card, names it in a notice as having no part in a
//! reduction ([`LeftOut`]), or refuses the file with its name, line and card.

pub mod abaqus;
pub(crate) mod deck;
pub(crate) mod error;
pub mod gmsh;
mod group;
mod left_out;
pub mod matrix;
pub mod nastran;
pub mod number;
pub(crate) mod source;

pub use deck::Imported;
pub use error::ImportError;
pub use group::Group;
pub use left_out::LeftOut;
pub use source::Source;
