//! Handle equations of an assembly, and two assemblies joined into one.
//!
//! Source: Mukherjee & Anderson eqs 1-6 (two-handle equations), 71-91 (assembly
//! and disassembly), with errata E1-E11. Handles are taken at both sides of
//! joints: the inboard handle is the frame F of the first body *before* its own
//! joint motion, the outboard handle the same frame of the next body beyond. Of
//! the four handle quantities the inboard force and the outboard acceleration are
//! expressed by the others,
//!
//! ```text
//! f  = P α + X g + z          P = ζ11⁻¹, X = −ζ11⁻¹ ζ12, …  (eqs 1, 2 solved for F_c)
//! α' = X* α − Ω g + c         Ω = ζ22 − ζ21 ζ11⁻¹ ζ12
//! ```
//!
//! (f: force the inboard joint exerts on the assembly, α: acceleration there, g:
//! force the assembly exerts outboard, α': acceleration there). This form needs no
//! inverse of body inertias, so that particles and massless parts may take part,
//! and is what the O(N) recursion yields for a run of bodies. Joint motion and
//! active forces (E10) are inside P, X, z; P H = 0 holds for the free columns H of
//! the inboard joint, so that P = D S D* with D the orthogonal complement of H
//! (eqs 35, 36). With S = L L*, W = L* D*, the constraint loads λ of the joint
//! between A (inboard) and B (outboard) solve (1 + W Ω_A W*) λ = W (…): symmetric,
//! with all eigenvalues at least 1, of order 6 − (free directions).
//!
//! | here | meaning |
//! |---|---|
//! | `inertia`, `force` | P, z |
//! | `transfer`, `compliance`, `bias` | X (rows), Ω, c |
//! | `Interface::rows` | Y with Y* Y = (1 + P_B Ω_A)⁻¹ P_B |
//!
//! Cost of a join: about 1,500 products with both outer handles open, 600 with a closed end.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.1), (DC.4) to (DC.7).

use super::complement::{complement, semidefinite_factor};
use super::indefinite;
use crate::linear::cholesky_in_place;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6, sub6};

/// Rows of a 6×6 matrix.
pub(super) type Matrix6<S> = [Spatial<S>; 6];

/// The outboard side of the handle equations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outer<S> {
    /// X: rows are components of the inboard force, columns of the outboard one.
    pub transfer: Matrix6<S>,
    /// Ω.
    pub compliance: SymmetricSpatial<S>,
    /// c.
    pub bias: Spatial<S>,
}

/// Handle equations of an assembly; `outer` means nothing without an outboard handle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<S> {
    pub inertia: SymmetricSpatial<S>,
    pub force: Spatial<S>,
    pub outer: Outer<S>,
}

/// What joining two assemblies leaves behind for taking them apart again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interface<S> {
    pub(super) rows: Matrix6<S>,
    pub(super) rank: usize,
    /// Rows that count with a negative sign, next to inertias that are not positive (`indefinite.rs`).
    pub(super) negative: [bool; 6],
}

impl<S: Scalar> Outer<S> {
    /// A handle at the inboard frame itself.
    pub const UNIT: Self = {
        let mut transfer = [[S::ZERO; 6]; 6];
        let mut i = 0;
        while i < 6 {
            transfer[i][i] = S::ONE;
            i += 1;
        }
        Self { transfer, compliance: SymmetricSpatial::ZERO, bias: [S::ZERO; 6] }
    };
}

impl<S: Scalar> Element<S> {
    pub const ZERO: Self = Self { inertia: SymmetricSpatial::ZERO, force: [S::ZERO; 6], outer: Outer::UNIT };
}

/// m v.
#[inline(always)]
pub(super) fn times<S: Scalar>(m: &Matrix6<S>, v: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| dot6(&m[i], v))
}

/// m* v.
#[inline(always)]
pub(super) fn transposed_times<S: Scalar>(m: &Matrix6<S>, v: &Spatial<S>) -> Spatial<S> {
    let mut sum = scale6(v[0], &m[0]);
    for i in 1..6 {
        sum = add6(&sum, &scale6(v[i], &m[i]));
    }
    sum
}

impl<S: Scalar> Interface<S> {
    pub const ZERO: Self = Self { rows: [[S::ZERO; 6]; 6], rank: 0, negative: [false; 6] };

    /// Y for the joint with free columns `free` that carries an assembly of inertia `outboard` (P_B)
    /// on a handle of compliance Ω_A.
    pub fn new(
        free: &[Spatial<S>],
        outboard: &SymmetricSpatial<S>,
        compliance: &SymmetricSpatial<S>,
    ) -> Self {
        let mut basis = [[S::ZERO; 6]; 6];
        let rank = complement(free, &mut basis);
        let Some(rows) = semidefinite_factor(outboard, &basis[..rank]) else {
            return indefinite::interface(&basis[..rank], outboard, compliance);
        };
        let mut system = [S::ZERO; 36];
        for a in 0..rank {
            let moved = compliance.apply(&rows[a]);
            for b in a..rank {
                system[b * rank + a] = dot6(&moved, &rows[b]);
            }
            system[a * rank + a] += S::ONE;
        }
        // All eigenvalues are at least one where the compliance is positive; a NaN shows in the results.
        if cholesky_in_place(&mut system[..rank * rank], rank).is_err() {
            return indefinite::interface(&basis[..rank], outboard, compliance);
        }
        let mut out = Self { rows, rank, negative: [false; 6] };
        for a in 0..rank {
            for b in 0..a {
                out.rows[a] = sub6(&out.rows[a], &scale6(system[a * rank + b], &out.rows[b]));
            }
            out.rows[a] = scale6(system[a * rank + a], &out.rows[a]);
        }
        out
    }

    /// f + Y* Y e, with signs where there are any.
    #[inline(always)]
    pub fn react(&self, f: &Spatial<S>, e: &Spatial<S>) -> Spatial<S> {
        let mut sum = *f;
        for (row, negative) in self.rows[..self.rank].iter().zip(self.negative) {
            let share = scale6(dot6(row, e), row);
            sum = if negative { sub6(&sum, &share) } else { add6(&sum, &share) };
        }
        sum
    }
}

/// The handle equations of `left` continued by `right`, `open` if `right` has an outboard handle.
pub(super) fn join<S: Scalar>(
    left: &Element<S>,
    right: &Element<S>,
    interface: &Interface<S>,
    open: bool,
    out: &mut Element<S>,
) {
    let (near, far) = (&left.outer, &right.outer);
    let rows = &interface.rows[..interface.rank];
    out.inertia = left.inertia;
    for (row, negative) in rows.iter().zip(interface.negative) {
        let felt = times(&near.transfer, row);
        let signed = if negative { scale6(-S::ONE, &felt) } else { felt };
        out.inertia.add_outer(&signed, &felt);
    }
    // Force between the two when the inboard handle rests and nothing pulls outboard.
    let gap = sub6(&near.bias, &near.compliance.apply(&right.force));
    let between = interface.react(&right.force, &gap);
    out.force = add6(&left.force, &times(&near.transfer, &between));
    if !open {
        return;
    }
    let rest = sub6(&near.bias, &near.compliance.apply(&between));
    out.outer.bias = add6(&far.bias, &transposed_times(&far.transfer, &rest));
    // T X_B with T = 1 − Y* Y Ω_A
    let mut passed = far.transfer;
    for (row, negative) in rows.iter().zip(interface.negative) {
        let moved = near.compliance.apply(row);
        let mut weights = transposed_times(&far.transfer, &moved);
        if negative {
            weights = scale6(-S::ONE, &weights);
        }
        for i in 0..6 {
            for j in 0..6 {
                passed[i][j] -= row[i] * weights[j];
            }
        }
    }
    for i in 0..6 {
        out.outer.transfer[i] = transposed_times(&passed, &near.transfer[i]);
    }
    out.outer.compliance = far.compliance;
    add_congruence(&far.transfer, &near.compliance, &passed, &mut out.outer.compliance);
}

/// out += a* m b, which is symmetric.
fn add_congruence<S: Scalar>(
    a: &Matrix6<S>,
    m: &SymmetricSpatial<S>,
    b: &Matrix6<S>,
    out: &mut SymmetricSpatial<S>,
) {
    let full = m.full();
    for i in 0..6 {
        out.add_outer(&a[i], &transposed_times(b, &full[i]));
    }
}

/// (force between `left` and `right`, acceleration of the inboard handle of `right`) from the
/// acceleration of the inboard handle of `left` and the force at the outboard one of `right`.
pub(super) fn part<S: Scalar>(
    left: &Element<S>,
    right: &Element<S>,
    interface: &Interface<S>,
    acceleration: &Spatial<S>,
    outer_force: Option<&Spatial<S>>,
) -> (Spatial<S>, Spatial<S>) {
    let near = &left.outer;
    let free = add6(&near.bias, &transposed_times(&near.transfer, acceleration));
    let pull = match outer_force {
        Some(force) => add6(&right.force, &times(&right.outer.transfer, force)),
        None => right.force,
    };
    let between = interface.react(&pull, &sub6(&free, &near.compliance.apply(&pull)));
    (between, sub6(&free, &near.compliance.apply(&between)))
}
