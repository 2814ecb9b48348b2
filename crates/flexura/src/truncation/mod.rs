//! Whether the modes of a body can carry what acts on it: energy of the static correction.
//!
//! Source: mode-acceleration method and residual flexibility (Craig & Kurdila, Fundamentals of Structural Dynamics,
//! chapters 11 and 17): the part of the static deflection that the kept modes leave out is what the response lacks,
//! as long as the modes left out are not excited near their own frequencies.
//!
//! At a row, all forces on a body are known: at its attachments (joints, loops, forces, elements), over its length,
//! and weight and inertia of its points in the rigid motion. They strain the unreduced body in one way only, whatever frame
//! the modes are measured from. With σ the internal forces, C the compliance per length, ε the strain of the modes
//! (elastic and damping forces together, η + K⁻¹Dη̇) and ε_s the same without the inertia of the vibration η̈:
//!
//! - missing E_m = ½∫ (Cσ − ε_s)* C⁻¹ (Cσ − ε_s): the energy of the static correction;
//! - acting  E_a = ½∫ ε* C⁻¹ ε: what the modes hold;
//! - static  E_s = ½∫ σ* C σ.
//!
//! Whether the modes kept vibrate at the right frequencies is another question, which more modes answer.
//!
//! For one load f with deflection d and missing deflection d_m, E_m/E_s = d_m/d in statics, and resonance of a kept mode
//! divides it by its amplification √(E_a/E_s). So the share of the deflection that is missing is taken as
//! max E_m / √(max (E_a + E_m) max E_s), where E_s counts at least `LEAST_STATIC` of E_a (free vibration has none), and E_a
//! at least `LEAST_ACTING` of E_s (loads too fast for the modes to follow).
//! A kind of deformation counts as much as it contributes to the deflection of the body.
//! A harmonic input of frequency Ω multiplies it by 1/|1 − (Ω/ω)²| with ω the frequency of the missing shape (its Rayleigh
//! quotient).
//!
//! Cost per row and body: O(points × modes), no allocation.

mod acting;
mod beam;
mod elements;
mod judge;
mod remedy;
mod verdict;

pub use judge::Judge;
pub use verdict::{Family, ModeVerdict, Remedy};

/// Share of the deflection that modes may lack before a run says so. True errors above 5 % must be told, those below 1 %
/// not; a load that is applied at once doubles the deflection but not the static correction, which halves the share.
#[doc(hidden)]
pub const MISSING_LIMIT: f64 = 0.02;
/// Deflection against the length of a body below which modes are not judged.
const HARDLY_BENT: f64 = 1e-6;
/// The same for a kind of deformation that has no modes: most often left out on purpose.
const HARDLY_STRAINED: f64 = 1e-4;
/// Least static energy, as a share of what the modes hold.
const LEAST_STATIC: f64 = 0.05;
/// Least energy in the modes, as a share of the static one.
const LEAST_ACTING: f64 = 0.01;
/// Imbalance of all forces on a body, against their size, beyond which a row is not judged.
const UNBALANCED: f64 = 0.05;
/// Distance of a harmonic input from the frequency of a missing shape, |1 − (Ω/ω)²|, at which its amplification ends.
const NEAREST: f64 = 0.02;
