//! From finite elements to flexible bodies, offline: beams and thin shells,
//! sparse assembly, modes with a Sturm check, clamped, free and Craig-Bampton
//! reduction, and conversion to the lumped nodes and modes the engine takes.
//! Units are SI throughout.
//!
//! ```
//! use flexura_fem::{generate, MassModel, Reduction, ReductionKind, Section, Stiffening};
//!
//! let steel = flexura_fem::Material::isotropic(2.1e11, 0.3, 7800.0);
//! let section = Section::rectangle(0.02, 0.01);
//! let mesh = generate::beam(1.0, 10, steel, section)?;
//! let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 4 })
//!     .interface("tip")
//!     .mass(MassModel::Consistent)
//!     .run(&mesh)?;
//! println!("{}", reduced.report);
//! let body = flexura_fem::modal_description(&mesh, &reduced, Stiffening::Beams)?;
//! assert_eq!(body.modes, 4);
//! # Ok::<(), flexura_fem::FemError>(())
//! ```

pub mod assemble;
mod body;
mod constraint;
pub mod eigen;
pub mod element;
mod error;
mod frame_loads;
pub mod generate;
mod held;
pub mod import;
mod invariants;
mod layup;
pub mod linear;
mod mass_node;
mod material;
mod matrices;
pub mod mesh;
pub mod part;
mod pieces;
pub mod recovery;
pub mod reduce;
pub mod reduced;
mod section;
pub mod sid;
pub mod source;
pub mod statics;
pub mod stiffening;
mod walls;

pub use assemble::{Pencil, System, assemble};
pub use body::{compact_description, modal_description};
pub use constraint::{DofMap, Supports};
pub use eigen::{EigenOptions, Spectrum, lowest_modes};
pub use element::{MassModel, MassSample};
pub use error::FemError;
pub use invariants::InvariantSource;
pub use layup::{Layup, Ply};
pub use material::{Elasticity, Material, OrthotropicShell, Viscosity, hooke};
pub use matrices::NodalMatrices;
pub use mesh::{
    AverageLink, AverageSource, BeamElement, Element, Equation, Mesh, PointMass, RigidLink, RodElement,
    ShellElement, SolidElement, Spring,
};
pub use part::{Part, PartError};
pub use reduce::{Enough, Plane, Reached, ReducedModel, Reduction, ReductionKind, Residual, Selection};
pub use reduced::ReducedBody;
pub use section::{BeamSection, Outline, Section};
pub use source::PartSource;
pub use stiffening::{Stiffening, UnitLoadStiffness, unit_load_stiffness};

/// Degrees of freedom of a node: three translations, then three rotations.
pub const DOFS_PER_NODE: usize = 6;
