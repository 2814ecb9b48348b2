//! What a node knows about its constraint rows, and closing those with both ends inside.
//!
//! Source: the handle equations of Mukherjee & Anderson (1, 2) with one more handle per
//! open row, and JPL 90-26 section 9 for the closure. With G = −λ the force a row
//! takes out of the assembly and γ the acceleration along its unit wrench,
//!
//! ```text
//! f  = P α  + X g + Y G + z
//! α' = X* α − Ω g − B G + c
//! γ  = Y* α − B* g − C G + d        symmetric by reciprocity
//! ```
//!
//! A row with both ends inside must have γ = −Φ̈₀ (its velocity terms and drivers). With E
//! such rows, O the open ones: G_E = C_EE⁺ (Y_E* α − B_E* g − C_EO G_O + d_E + Φ̈₀), put into
//! the other equations. C_EE⁺ is rank-revealing: rows are redundant if what is left of
//! their compliance is rounding of what it was before other rows were closed.
//!
//! Cost of closing e of w rows: O(e³ + e² w).
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.13), (DC.14).

use super::plan::NodePlan;
use crate::algorithm::closure::RANK_TOLERANCE;
use crate::algorithm::divide_and_conquer::element::Outer;
use crate::linear::PivotedCholesky;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6, sub6};

/// Rows of one node, in the order of its plan.
#[derive(Clone, Debug)]
pub(in super::super) struct Columns<S> {
    /// Y: at the inboard handle of a path, at the carrier for bundles and sums.
    pub transfer: Vec<Spatial<S>>,
    /// B, column by column.
    pub cross: Vec<Spatial<S>>,
    /// C, row-major.
    pub compliance: Vec<S>,
    /// d.
    pub bias: Vec<S>,
    /// Diagonal of C as if no row had been closed.
    pub reference: Vec<S>,
    /// G, on the way outward.
    pub force: Vec<S>,
    /// Responses of the speeds of a leaf's bodies, row by row: V of modes, r of joints.
    pub response: Vec<S>,
    /// The same with D⁻¹ r; zero for prescribed speeds.
    pub scaled: Vec<S>,
    /// Scratch: modal forces of one body; two 6-vectors per column of the children of a join.
    pub modal: Vec<S>,
    pub pairs: Vec<[Spatial<S>; 2]>,
    /// C_EE⁺ times Y_E*, B_E*, C_EO (open row by open row), d_E + Φ̈₀.
    gain_inner: Vec<Spatial<S>>,
    gain_outer: Vec<Spatial<S>>,
    gain_open: Vec<S>,
    rest: Vec<S>,
    matrix: Vec<S>,
    vector: Vec<S>,
    factor: PivotedCholesky<S>,
}

impl<S: Scalar> Columns<S> {
    /// Scratch for `plan` of a node with `speeds` own speeds, at most `modes` of one body.
    pub fn new(plan: &NodePlan, speeds: usize, modes: usize) -> Self {
        let (w, zero6) = (plan.rows.len(), [S::ZERO; 6]);
        let (e, below) = (w - plan.open, plan.maps.iter().map(Vec::len).sum());
        Self {
            transfer: vec![zero6; w],
            cross: vec![zero6; w],
            compliance: vec![S::ZERO; w * w],
            bias: vec![S::ZERO; w],
            reference: vec![S::ZERO; w],
            force: vec![S::ZERO; w],
            response: vec![S::ZERO; w * speeds],
            scaled: vec![S::ZERO; w * speeds],
            modal: vec![S::ZERO; modes],
            pairs: vec![[zero6; 2]; below],
            gain_inner: vec![zero6; e],
            gain_outer: vec![zero6; e],
            gain_open: vec![S::ZERO; e * plan.open],
            rest: vec![S::ZERO; e],
            matrix: vec![S::ZERO; e * e],
            vector: vec![S::ZERO; e],
            factor: PivotedCholesky::new(e),
        }
    }

    /// Everything zero before contributions are added.
    pub fn clear(&mut self) {
        self.transfer.fill([S::ZERO; 6]);
        self.cross.fill([S::ZERO; 6]);
        for list in
            [&mut self.compliance, &mut self.bias, &mut self.reference, &mut self.response, &mut self.scaled]
        {
            list.fill(S::ZERO);
        }
    }

    /// Closes the rows with both ends inside; `row_bias` is Φ̈₀ of all rows.
    pub fn close(
        &mut self,
        plan: &NodePlan,
        row_bias: &[S],
        inertia: &mut SymmetricSpatial<S>,
        force: &mut Spatial<S>,
        outer: Option<&mut Outer<S>>,
    ) {
        let open = plan.open;
        if plan.rows.len() == open {
            return;
        }
        self.factorize(open);
        for (k, &row) in plan.rows[open..].iter().enumerate() {
            self.rest[k] = self.bias[open + k] + row_bias[row];
        }
        self.factor.solve(&mut self.rest);
        self.solve_gains(open, outer.is_some());
        for k in 0..self.rest.len() {
            let (y, rest) = (self.transfer[open + k], self.rest[k]);
            inertia.add_outer(&y, &self.gain_inner[k]);
            *force = add6(force, &scale6(rest, &y));
        }
        if let Some(outer) = outer {
            self.close_outer(open, outer);
        }
        self.close_open(open);
    }

    /// The rank-revealing factor of C_EE.
    fn factorize(&mut self, open: usize) {
        let (w, e) = (self.bias.len(), self.rest.len());
        for a in 0..e {
            for b in 0..e {
                self.matrix[a * e + b] = self.compliance[(open + a) * w + open + b];
            }
        }
        self.factor.factorize_relative_to(&self.matrix, &self.reference[open..], RANK_TOLERANCE);
    }

    fn solve_gains(&mut self, open: usize, has_outer: bool) {
        let (w, e) = (self.bias.len(), self.rest.len());
        for c in 0..6 {
            for k in 0..e {
                self.vector[k] = self.transfer[open + k][c];
            }
            self.factor.solve(&mut self.vector);
            for k in 0..e {
                self.gain_inner[k][c] = self.vector[k];
            }
            if has_outer {
                for k in 0..e {
                    self.vector[k] = self.cross[open + k][c];
                }
                self.factor.solve(&mut self.vector);
                for k in 0..e {
                    self.gain_outer[k][c] = self.vector[k];
                }
            }
        }
        for o in 0..open {
            let gains = &mut self.gain_open[o * e..(o + 1) * e];
            for (k, gain) in gains.iter_mut().enumerate() {
                *gain = self.compliance[(open + k) * w + o];
            }
            self.factor.solve(gains);
        }
    }

    fn close_outer(&mut self, open: usize, outer: &mut Outer<S>) {
        for k in 0..self.rest.len() {
            let (y, b, gain) = (&self.transfer[open + k], &self.cross[open + k], &self.gain_outer[k]);
            for i in 0..6 {
                for j in 0..6 {
                    outer.transfer[i][j] -= y[i] * gain[j];
                }
            }
            outer.compliance.add_outer(&scale6(-S::ONE, b), gain);
            outer.bias = sub6(&outer.bias, &scale6(self.rest[k], b));
        }
    }

    fn close_open(&mut self, open: usize) {
        let (w, e) = (self.bias.len(), self.rest.len());
        for o in 0..open {
            for k in 0..e {
                let gain = self.gain_open[o * e + k];
                self.transfer[o] = sub6(&self.transfer[o], &scale6(gain, &self.transfer[open + k]));
                self.cross[o] = sub6(&self.cross[o], &scale6(gain, &self.cross[open + k]));
                for p in 0..open {
                    let other = self.compliance[(open + k) * w + p];
                    self.compliance[o * w + p] -= gain * other;
                }
                let coupling = self.compliance[o * w + open + k];
                self.bias[o] -= coupling * self.rest[k];
            }
        }
    }

    /// G of the closed rows from the motion of the inboard handle, the outboard force and the open rows.
    pub fn find_forces(&mut self, plan: &NodePlan, inner: Option<&Spatial<S>>, outer: Option<&Spatial<S>>) {
        let (open, e) = (plan.open, self.rest.len());
        for k in 0..e {
            let mut sum = self.rest[k];
            if let Some(motion) = inner {
                sum += dot6(&self.gain_inner[k], motion);
            }
            if let Some(force) = outer {
                sum -= dot6(&self.gain_outer[k], force);
            }
            for o in 0..open {
                sum -= self.gain_open[o * e + k] * self.force[o];
            }
            self.force[open + k] = sum;
        }
    }

    /// Redundant rows among the closed ones, as indices of the node.
    pub fn dependent<'a>(&'a self, plan: &'a NodePlan) -> impl Iterator<Item = usize> + 'a {
        self.factor.dependent().iter().map(|&k| plan.rows[plan.open + k])
    }
}
