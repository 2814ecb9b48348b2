//! Invariants of a modal body: the constant coefficients of its mass block.
//!
//! Source: book/src/theory/inertia.md (IN.6). A body may come with these sums instead of mass
//! nodes, so that its size does not grow with the mesh behind it. With n modes, deformation η:
//!
//! - mass moment   c(η) = c0 + Σ c1_r η_r + ½ Σ c2_rs η_r η_s,
//! - inertia       I(η) = I0 + Σ I1_r η_r + Σ I2_rs η_r η_s   (components xx, xy, xz, yy, yz, zz),
//! - coupling of rotation with mode r   F_r(η) = F0_r + Σ_s F1_rs η_s,
//! - modal mass    constant.

use super::body::mass_node;
use super::body::{ConsistentInertia, MassNode};
use super::description::NodeDescription;
use super::mass_sums::MassSums;

/// Negative shares of the residual mass up to this size are errors of the sums, not of the body.
const INDEFINITE: f64 = 1e-8;

/// Why a body given by sums cannot have level `gram`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GramFault {
    /// Second-order displacements are mixed into the coefficients.
    Missing,
    /// Smallest share of the residual mass: no displacement field has these sums.
    Indefinite(f64),
}

/// Constant coefficients of the mass block of a modal body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModalInvariants {
    /// Mass (kg).
    pub mass: f64,
    /// c0: first moment of mass (kg m).
    pub moment0: [f64; 3],
    /// c1: one vector per mode (kg m).
    pub moment1: Vec<[f64; 3]>,
    /// c2: `modes × modes` row by row, symmetric; empty if zero (kg m).
    pub moment2: Vec<[f64; 3]>,
    /// I0: inertia about the origin (kg m²).
    pub inertia0: [f64; 6],
    /// I1: one per mode (kg m²).
    pub inertia1: Vec<[f64; 6]>,
    /// I2: `modes × modes` row by row (kg m²).
    pub inertia2: Vec<[f64; 6]>,
    /// F0: one vector per mode (kg m²).
    pub angular0: Vec<[f64; 3]>,
    /// F1: row r, column s multiplies η_s in the coupling of mode r (kg m²).
    pub angular1: Vec<[f64; 3]>,
    /// Modal mass, row by row (kg).
    pub modal: Vec<f64>,
    /// The sums of level `gram`, where they are known beside the others.
    pub sums: Option<MassSums>,
}

fn accumulate<const N: usize>(sum: &mut [[f64; N]], more: &[[f64; N]]) {
    for (to, from) in sum.iter_mut().zip(more) {
        (0..N).for_each(|i| to[i] += from[i]);
    }
}

impl ModalInvariants {
    /// All zero, for a number of modes; the sums of level `gram` are left to follow from the coefficients.
    pub fn zero(modes: usize) -> Self {
        Self {
            moment1: vec![[0.0; 3]; modes],
            inertia1: vec![[0.0; 6]; modes],
            inertia2: vec![[0.0; 6]; modes * modes],
            angular0: vec![[0.0; 3]; modes],
            angular1: vec![[0.0; 3]; modes * modes],
            modal: vec![0.0; modes * modes],
            ..Self::default()
        }
    }

    /// Sums over mass nodes.
    pub fn of_nodes(nodes: &[NodeDescription], modes: usize) -> Self {
        let mass_nodes: Vec<MassNode> = nodes.iter().map(mass_node).collect();
        let sums = MassSums::of_mass_nodes(&mass_nodes, modes, 1);
        Self { sums: Some(sums), ..ConsistentInertia::new(&mass_nodes, modes).invariants() }
    }

    /// Adds the invariants of another part of the same body.
    pub fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        accumulate(std::slice::from_mut(&mut self.moment0), &[other.moment0]);
        accumulate(std::slice::from_mut(&mut self.inertia0), &[other.inertia0]);
        accumulate(&mut self.moment1, &other.moment1);
        if self.moment2.is_empty() {
            self.moment2.clone_from(&other.moment2);
        } else {
            accumulate(&mut self.moment2, &other.moment2);
        }
        accumulate(&mut self.inertia1, &other.inertia1);
        accumulate(&mut self.inertia2, &other.inertia2);
        accumulate(&mut self.angular0, &other.angular0);
        accumulate(&mut self.angular1, &other.angular1);
        self.modal.iter_mut().zip(&other.modal).for_each(|(to, from)| *to += from);
        self.sums = match (self.sums.take(), &other.sums) {
            (Some(mut sums), Some(more)) => {
                sums.add(more);
                Some(sums)
            }
            _ => None,
        };
    }

    /// Adds displacements of second order given by their mass integrals, row by row per pair
    /// of modes: Σ m Γ2 (kg m), Σ m l0 × Γ2 (kg m²), and the symmetric part of
    /// Σ m (Γ2 l0* − 1 Γ2·l0) as xx, xy, xz, yy, yz, zz (kg m²).
    ///
    /// `along_modes` has, per mode t, Σ m γ_t·Γ2 of all pairs (kg).
    pub fn add_second_order(
        &mut self,
        moment: &[[f64; 3]],
        spin: &[[f64; 3]],
        centrifugal: &[[f64; 6]],
        along_modes: &[Vec<f64>],
    ) {
        if let Some(sums) = &mut self.sums {
            sums.add_second_order(moment, spin, centrifugal, along_modes);
        }
        self.moment2.resize(self.modal.len(), [0.0; 3]);
        accumulate(&mut self.moment2, moment);
        accumulate(&mut self.angular1, spin);
        for (to, from) in self.inertia2.iter_mut().zip(centrifugal) {
            (0..6).for_each(|i| to[i] -= from[i]);
        }
    }

    /// The sums that level `gram` takes, or why there are none it can stand on.
    pub(crate) fn gram_sums(&self) -> Result<MassSums, GramFault> {
        if !self.fits(self.moment1.len()) || self.numbers().any(|x| !x.is_finite()) {
            return Err(GramFault::Missing);
        }
        let given = self.sums.clone().or_else(|| MassSums::of_invariants(self));
        let sums = given.ok_or(GramFault::Missing)?;
        let share = super::body::residual_definiteness(&sums, &self.modal);
        if share < -INDEFINITE { Err(GramFault::Indefinite(share)) } else { Ok(sums) }
    }

    /// Whether all lists fit a number of modes.
    pub fn fits(&self, modes: usize) -> bool {
        let (single, pairs) = (modes, modes * modes);
        [self.moment1.len(), self.inertia1.len(), self.angular0.len()] == [single; 3]
            && [self.inertia2.len(), self.angular1.len(), self.modal.len()] == [pairs; 3]
            && (self.moment2.is_empty() || self.moment2.len() == pairs)
            && self.sums.as_ref().is_none_or(|sums| sums.fits(modes))
    }

    /// All numbers, for checks.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let vectors = [&self.moment1, &self.moment2, &self.angular0, &self.angular1];
        let tensors = [&self.inertia1, &self.inertia2];
        let vectors = vectors.into_iter().flat_map(|list| list.as_flattened());
        let tensors = tensors.into_iter().flat_map(|list| list.as_flattened());
        let own = self.moment0.iter().chain(&self.inertia0).chain(&self.modal);
        let sums = self.sums.iter().flat_map(MassSums::numbers);
        own.chain(vectors).chain(tensors).copied().chain([self.mass]).chain(sums)
    }
}
