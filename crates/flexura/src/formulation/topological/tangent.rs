//! The approximate tangent of a step and its factors.
//!
//! Source: Cuadrado et al. (2007) eq. 37 with its misprint corrected
//! (book/src/theory/errata.md): A = M + γ'h C + β'h²(K + JᵀαJ), symmetric and positive
//! definite. C and K hold modal, joint and element (`elements`) dampers and springs. The penalties are
//! scaled by the inertia that their row feels, β'h² α_i = κ / Σ_j J_ij²/W_jj, so
//! that neither the step size nor the units of the model enter the conditioning
//! of A. Redundant and vanishing rows leave A regular.

use super::direct_product::DirectProduct;
use super::options::MassRoute;
use super::structure::Structure;
use super::{Skyline, Topological};
use crate::algorithm::composite_body::{CompositeInertias, mass_entries, singular};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Places and constants of W = M + γ'h C + β'h² K.
#[derive(Clone, Debug)]
pub(super) struct Inertia {
    composite: CompositeInertias,
    /// Place of every entry that the accumulation hands out, in its order.
    places: Vec<usize>,
    /// Place, stiffness and damping of what acts inside one body or joint.
    stiff: Vec<(usize, f64, f64)>,
    direct: Option<Box<DirectProduct>>,
    /// Speeds of the entries, where the product is multiplied out.
    pairs: Vec<(usize, usize)>,
    /// Stiffness over inertia of each speed at the start (1/s²).
    pub stiff_rate: Vec<f64>,
}

impl Inertia {
    pub fn new(model: &Model, structure: &Structure, matrix: &Skyline, route: MassRoute) -> Self {
        let mut work = Workspace::<f64>::new(model);
        work.kinematics(model, &State::unprescribed(model, 0.0));
        let mut composite = CompositeInertias::new(model);
        let place = |a: usize, b: usize| matrix.place(structure.unknown(a), structure.unknown(b));
        let (mut places, mut pairs) = (Vec::new(), Vec::new());
        let mut stiff_rate = vec![0.0; model.speed_count()];
        mass_entries(model, &work.motion.kinematics, &work.inertias, &mut composite, |row, column, value| {
            places.push(place(row, column));
            pairs.push((row, column));
            if row == column {
                stiff_rate[row] = 1.0 / value;
            }
        });
        let mut stiff = Vec::new();
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (body, n) = (&model.bodies[k], part.modes);
            let mut add = |a: usize, b: usize, stiffness: f64, damping: f64| {
                if a == b {
                    stiff_rate[part.v + a] *= stiffness;
                }
                if stiffness != 0.0 || damping != 0.0 {
                    stiff.push((place(part.v + a, part.v + b), stiffness, damping));
                }
            };
            for a in 0..n {
                (0..=a).for_each(|b| add(a, b, body.stiffness.entry(a, b, n), body.damping.entry(a, b, n)));
            }
            for (i, c) in model.joints[k].coordinates.iter().enumerate() {
                add(n + i, n + i, c.stiffness, c.damping);
            }
        }
        let direct = (route == MassRoute::DirectProduct).then(|| Box::new(DirectProduct::new(model)));
        Self { composite, places, stiff, direct, pairs, stiff_rate }
    }

    /// Fills W at the configuration of `work`.
    pub fn fill(&mut self, model: &Model, work: &Workspace, weights: TangentWeights, matrix: &mut Skyline) {
        let (kin, bodies) = (&work.motion.kinematics, &work.inertias);
        let values = matrix.values_mut();
        values.fill(0.0);
        match &mut self.direct {
            None => {
                let mut at = self.places.iter();
                mass_entries(model, kin, bodies, &mut self.composite, |_, _, value| {
                    if let Some(&place) = at.next() {
                        values[place] = value;
                    }
                });
            }
            Some(direct) => {
                direct.multiply(model, kin, bodies);
                for (&place, &(row, column)) in self.places.iter().zip(&self.pairs) {
                    values[place] = direct.mass[row * model.speed_count() + column];
                }
            }
        }
        for &(place, stiffness, damping) in &self.stiff {
            values[place] += weights.stiffness * stiffness + weights.damping * damping;
        }
    }
}

impl Topological {
    /// Forms and factorises A at `state`, where the workspace stands; the rows must have been evaluated there.
    #[doc(hidden)]
    pub fn factorize(
        &mut self,
        model: &Model,
        state: &State,
        work: &Workspace,
        weights: TangentWeights,
    ) -> Result<(), DynamicsError> {
        self.counts.tangents += 1;
        self.inertia.fill(model, work, weights, &mut self.matrix);
        self.add_elements(model, state, work, weights);
        self.factorize_with_rows(model, work, weights.stiffness)
    }

    /// Adds the penalties of the rows, in units of `scale` (s²), to W in the matrix and factorises it.
    pub(super) fn factorize_with_rows(
        &mut self,
        model: &Model,
        work: &Workspace,
        scale: f64,
    ) -> Result<(), DynamicsError> {
        self.scale = scale;
        self.jacobian.fill(model, &self.structure, &work.motion, &self.rows);
        self.choose_penalties(model);
        self.add_penalties(model);
        self.matrix.factorize().map_err(|row| {
            self.scale = 0.0;
            singular(model, self.structure.speeds[row])
        })
    }

    /// α of every row from the diagonal of W.
    fn choose_penalties(&mut self, model: &Model) {
        let n = self.structure.speeds.len();
        for i in 0..n {
            self.right[i] = 1.0 / self.matrix.values()[self.matrix.diagonal(i)];
        }
        self.right[n] = 0.0;
        let (right, penalty, wanted) = (&self.right, &mut self.penalty, self.options.penalty / self.scale);
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let mobility: f64 = row.iter().zip(unknowns).map(|(&x, &u)| x * x * right[u]).sum();
            // A row that moves nothing free needs no force.
            penalty[index] = if mobility > 0.0 { wanted / mobility } else { 0.0 };
        });
    }

    fn add_penalties(&mut self, model: &Model) {
        let values = self.matrix.values_mut();
        for (joint, part) in model.loops.iter().zip(&self.structure.loops) {
            for (r, index) in part.active.iter().map(|&r| (r, joint.first_row + r)) {
                let weight = self.scale * self.penalty[index];
                part.add_square(weight, self.jacobian.row(part, r), values);
            }
        }
    }
}
