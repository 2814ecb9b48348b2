//! SID, Standard Input Data of flexible bodies: a text with the coefficients of a body's equations as Taylor series in its
//! modal coordinates, understood by several multibody programs.
//!
//! Source: O. Wallrapp, Standardization of flexible body modeling in multibody system codes, Part I (Mech. Struct. Mach. 22, 1994);
//! R. Schwertassek, O. Wallrapp, Dynamik flexibler Mehrkörpersysteme (1999). Meaning of the blocks in the invariants of
//! book/src/theory/inertia.md (IN.6), (IN.8), (IN.9), for modes r, s and component j:
//!
//! | block | size | M0 | M1 (row, q, column) |
//! |---|---|---|---|
//! | `mdCM` | 3 × 1 | c0 | c1_q |
//! | `J` | 6 × 1 | I0: xx, yy, zz, xy, xz, yz | I1_q |
//! | `Ct` | n × 3 | c1_r | c2_rq: displacements of second order |
//! | `Cr` | n × 3 | F0_r | F1_rq |
//! | `Me` | n × n | modal mass | |
//! | `Gr` | 3 × 3n | I1_r − F0_r~, mode by mode | 2 I2_rq − F1_rq~ |
//! | `Ge` | n × 3n | F1_rs − F1_sr, mode s by mode | |
//! | `Oe` | n × 6 | −½I1 (xx, yy, zz), −I1 (xy, yz, xz) | −I2 (xx, yy, zz), −2 I2 (xy, yz, xz) |
//! | `ksigma` | n × 1 | forces of initial stress | its stiffness |
//! | `Ke`, `De` | n × n | stiffness, damping | |
//! | `origin`, `phi`, `psi`, `AP` of a node | 3 × 1, 3 × n, 3 × n, 3 × 3 | l0, γ, λ, 1 | γ, Γ2, -, λ~ |
//!
//! Each block has a structure: 0 zero, 1 diagonal, 2 symmetric, 3 general, 4 unit. Geometric stiffening is all that is of second
//! order: `Ct`.M1, and its shares in `Cr`.M1, `Oe`.M1, `Gr`.M1 and `phi`.M1. Page: book/src/exchange/sid.md.

mod body;
mod from_model;
mod read;
mod taylor;
mod write;

pub use body::SidBody;
pub use from_model::sid_of_body;
pub use read::{SidError, read};
pub use taylor::Taylor;
pub use write::write;

/// Ending of SID files.
pub const ENDING: &str = "SID_FEM";

/// A body as its SID file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SidFile {
    /// What the first line says behind the counts.
    pub comment: String,
    /// Mass (kg).
    pub mass: f64,
    /// What every mode is called.
    pub modes: Vec<String>,
    /// Nodes.
    pub nodes: Vec<SidNode>,
    /// First moment of mass (kg m).
    pub moment: Taylor,
    /// Inertia about the reference frame (kg m²).
    pub inertia: Taylor,
    /// Coupling of translation and modes.
    pub translation: Taylor,
    /// Coupling of rotation and modes.
    pub rotation: Taylor,
    /// Modal mass.
    pub modal_mass: Taylor,
    /// Gyroscopic forces on the rotation.
    pub gyroscopic_rotation: Taylor,
    /// Gyroscopic forces on the modes.
    pub gyroscopic_modes: Taylor,
    /// Centrifugal forces on the modes.
    pub centrifugal: Taylor,
    /// Forces and stiffness of initial stress.
    pub initial_stress: Taylor,
    /// Modal stiffness.
    pub stiffness: Taylor,
    /// Modal damping.
    pub damping: Taylor,
    /// Things that were read past, with the line of the first.
    pub left_out: Vec<(usize, String)>,
}

/// A node of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SidNode {
    /// Its number or name.
    pub name: String,
    /// Line in the file; zero where there is none.
    pub line: usize,
    /// Place (m).
    pub origin: Taylor,
    /// Translations by the modes (m).
    pub translations: Taylor,
    /// Rotations by the modes (rad).
    pub rotations: Taylor,
    /// Orientation.
    pub axes: Taylor,
}
