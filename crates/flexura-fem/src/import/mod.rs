//! Finite element models from the files of other programs.
//!
//! Every reader either understands a card, lists it as having no part in a
//! reduction (a notice), or refuses the file with its name, line and card.

pub mod abaqus;
pub mod deck;
pub mod error;
pub mod gmsh;
pub mod matrix;
pub mod nastran;
pub mod number;
pub mod source;

pub use deck::Imported;
pub use error::ImportError;
pub use source::Source;
