//! Mass block and bias of one body as whole matrices, for analysis and tests (allocates).

use super::{Body, InertiaModel, LARGEST_MODE_COUNT, MassBlock, NodeSumInertia};
use crate::spatial::{SymmetricSpatial, Vector3};

impl Body {
    /// The (n + 6) × (n + 6) mass block, row by row, and the bias for deformation `eta`, its rate and the
    /// angular velocity `omega`; order: modes, rotation, translation, in components of the body frame.
    pub fn mass_and_bias(&self, eta: &[f64], rate: &[f64], omega: &Vector3) -> (Vec<f64>, Vec<f64>) {
        self.whole_block(&self.inertia, eta, rate, omega)
    }

    fn whole_block(
        &self,
        inertia: &InertiaModel,
        eta: &[f64],
        rate: &[f64],
        omega: &Vector3,
    ) -> (Vec<f64>, Vec<f64>) {
        let n = self.modes;
        let (mut rigid, mut bias_rigid) = (SymmetricSpatial::ZERO, [0.0; 6]);
        let (mut coupling, mut modal, mut bias_modal) = (vec![[0.0; 6]; n], vec![0.0; n * n], vec![0.0; n]);
        let mut scratch = vec![0.0; self.scratch()];
        let mut block = MassBlock {
            rigid: &mut rigid,
            coupling: &mut coupling,
            modal: &mut modal,
            bias_modal: &mut bias_modal,
            bias_rigid: &mut bias_rigid,
            scratch: &mut scratch,
        };
        self.fill_constant_mass(&mut block);
        inertia.evaluate(eta, rate, omega, &mut block);
        let (size, corner) = (n + 6, rigid.full());
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => modal[i * n + j],
            (true, false) => coupling[i][j - n],
            (false, true) => coupling[j][i - n],
            (false, false) => corner[i - n][j - n],
        };
        let mass = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        (mass, [&bias_modal[..], &bias_rigid[..]].concat())
    }

    /// Angular frequency of each mode on its own, with the frame held (rad/s).
    pub fn mode_frequencies(&self) -> Vec<f64> {
        let (n, still) = (self.modes, vec![0.0; self.modes]);
        let (mass, _) = self.mass_and_bias(&still, &still, &[0.0; 3]);
        (0..n).map(|r| (self.stiffness.entry(r, r, n) / mass[r * (n + 7)]).sqrt()).collect()
    }

    /// Share of the kinetic energy of a motion along the deflection `eta` that level `gram` neglects (or
    /// adds): the part of Γ2 that is neither affine nor a residual field (book/src/theory/inertia.md),
    /// told by exact sums over the mass nodes. `None` at other levels, and where the body has no nodes.
    pub fn neglected_inertia(&self, eta: &[f64]) -> Option<f64> {
        let InertiaModel::Gram(_) = &self.inertia else { return None };
        if self.sums.is_some() || self.modes > LARGEST_MODE_COUNT {
            return None;
        }
        let exact = InertiaModel::Full(NodeSumInertia::new(&self.nodes).into());
        let [exact, own] = [&exact, &self.inertia].map(|inertia| {
            let (mass, _) = self.whole_block(inertia, eta, &vec![0.0; eta.len()], &[0.0; 3]);
            let size = eta.len() + 6;
            let row =
                |r: usize| eta[r] * eta.iter().enumerate().map(|(s, x)| mass[r * size + s] * x).sum::<f64>();
            (0..eta.len()).map(row).sum::<f64>()
        });
        (exact > 0.0).then(|| (own - exact).abs() / exact)
    }
}
