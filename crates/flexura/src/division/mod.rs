//! One model divided among ranks: which assemblies are whose, and the part of the model that each of them computes with.
//!
//! A rank computes with a model of its own: its bodies, those of the top of the assembly tree, and the few at the
//! borders of other pieces. State, integrator, rows and sums are those of that small model, so that nothing above needs to
//! know of ranks; the assembly tree is the one of the whole model with the pieces of others as stubs.
//!
//! | file | what |
//! |---|---|
//! | `cut` | pieces of the assembly tree and their owners |
//! | `local_tree` | the tree as one rank sees it |
//! | `part` | model, tree and share of one rank |
//! | `refusal` | what several ranks cannot run, by name |

mod cut;
mod local_tree;
mod part;
mod refusal;

pub use part::Part;
