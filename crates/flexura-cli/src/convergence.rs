//! Whether a body has modes enough for what it did.
//!
//! Each mode stores at most E_r = ½ k_rr max η_r². Modes of one family come in the order of their frequencies, and what
//! they store falls quickly where they suffice: of a cantilever bent by a force at its tip, mode r has E_r ~ β_r⁻⁴, 97 %,
//! 2.5 %, 0.3 % and so on. What the modes left out would store is less than what the highest one kept does, so a
//! family is called converged where that is at most [`UNCONVERGED_SHARE`] of the whole.

use flexura::beam::ModeKind;
use flexura::build::Built;
use flexura::model::description::BodyKind;
use flexura::simulate::Outcome;

/// Share of a family's energy in its highest mode beyond which more modes are wanted.
pub const UNCONVERGED_SHARE: f64 = 0.05;
/// Modes of a body of unknown kinds (finite elements, given modes) below which nothing is concluded.
const FEWEST_OF_ANY_KIND: usize = 4;

/// Displacement against the size of the body below which it hardly bends, and nothing is concluded.
const LEAST_SHIFT: f64 = 1e-4;

/// What the modes of one family of one body did in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Body.
    pub body: String,
    /// Family in words, such as `bending modes along y`.
    pub words: &'static str,
    /// Number of modes.
    pub count: usize,
    /// Share of the highest mode in the energy of all; `None` where they are too few, or hardly bend the body.
    pub share: Option<f64>,
}

/// Families of all flexible bodies of a run.
pub fn convergence(built: &Built, outcome: &Outcome) -> Vec<Convergence> {
    let mut found = Vec::new();
    let flexible = built.model.bodies.iter().filter(|body| body.modes > 0);
    for (body, deformation) in flexible.zip(&outcome.deformations) {
        let energy =
            |r: usize| 0.5 * body.stiffness.entry(r, r, body.modes) * deformation.amplitudes[r].powi(2);
        for (words, members, fewest) in families(built, &body.name, body.modes) {
            let total: f64 = members.iter().map(|&r| energy(r)).sum();
            let highest = members.last().map_or(0.0, |&r| energy(r));
            let judged = members.len() >= fewest && total > 0.0 && deformation.shift > LEAST_SHIFT;
            found.push(Convergence {
                body: body.name.clone(),
                words,
                count: members.len(),
                share: judged.then(|| highest / total),
            });
        }
    }
    found
}

/// Modes that belong together, in their order, and how many it takes to judge them.
fn families(built: &Built, name: &str, modes: usize) -> Vec<(&'static str, Vec<usize>, usize)> {
    let description = built.description.bodies.iter().find(|body| body.name == name);
    let Some(BodyKind::Beam(beam)) = description.map(|body| &body.kind) else {
        return vec![("modes", (0..modes).collect(), FEWEST_OF_ANY_KIND)];
    };
    let kinds = [
        (ModeKind::BendingY, "bending modes along y"),
        (ModeKind::BendingZ, "bending modes along z"),
        (ModeKind::Axial, "axial modes"),
        (ModeKind::Torsion, "torsion modes"),
    ];
    let of = |kind: ModeKind| {
        let members = beam.modes.iter().enumerate().filter(move |(_, mode)| mode.kind == kind);
        members.map(|(r, _)| r).collect::<Vec<_>>()
    };
    let families = kinds.into_iter().map(|(kind, words)| (words, of(kind), 2));
    families.filter(|(_, members, _)| !members.is_empty()).collect()
}
