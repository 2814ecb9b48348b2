//! Meshes that know no materials: the part file gives each of their groups its material, with thickness or section.
//!
//! | | |
//! |---|---|
//! | what they share: groups, their properties, sets | `grouped.rs` |
//! | Gmsh | `gmsh.rs` |
//! | universal files of I-DEAS, as many mesh generators write them | `universal/` |
//! | VTK's legacy and XML files | `vtk/` |

pub mod gmsh;
mod grouped;
pub mod universal;
pub mod vtk;

pub use grouped::MeshGroups;
