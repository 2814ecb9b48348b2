//! Model files that scale: variables and formulas, items used many times, items repeated, other files taken in.
//!
//! A stage between the text and the description. The readers of [`super`] see plain tables, one after the other:
//!
//! 1. [`program`] reads the file and, as they are named, the files it uses, each once.
//! 2. [`unit`] makes one *unit* of the model and of every use of a file: its variables, prefix, place and outer frames.
//! 3. [`walk`] goes through the entries of a list (`body`, `joint`, ..) of all units in the order of the text; [`instance`] fills
//!    in one entry at a time, so that memory is that of the description and not of an expanded text.
//! 4. A finding has the path of an instance (`body[437].mass`); [`locate`] makes that instance again and finds where each of its
//!    values was written.
//!
//! Cost: linear in the instances. [`limit`] has the bounds that answer files made to grow without end.

mod definition;
mod finding;
mod instance;
mod limit;
mod locate;
mod names;
mod placement;
mod program;
mod rename;
mod repeat;
mod scope;
mod unit;
mod use_entry;
mod walk;

pub use finding::condense;
pub(super) use locate::Locator;
pub(super) use placement::place_frames;
pub(super) use program::{Fetch, Program, from_disk};
pub(super) use walk::Step;

/// Lists whose entries may be repeated and come from used files.
pub(super) const LISTS: [&str; 8] =
    ["body", "joint", "force", "load", "controller", "element", "picture", "ground.frame"];
