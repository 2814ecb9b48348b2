//! The mass matrix by multiplying the velocity transformation out.
//!
//! Source: Cuadrado et al. (2007) eqs 20-29: with Z_k = R_k ż the velocity of body k
//! and its own modal speeds, M = Σ_k R_kᵀ M̄_k R_k. The paper used this product
//! where it was faster than accumulating inertias; here it is kept to compare
//! both. Cost O(bodies × speeds²).

use crate::algorithm::body_inertia::BodyInertias;
use crate::algorithm::transfer::{carrier, motion_from_parent};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::spatial::{Spatial, add6, dot6, scale6};

/// R, one column per speed and body, and the dense product.
#[derive(Clone, Debug)]
pub(super) struct DirectProduct {
    /// Velocity of body k per unit of each speed: row k, column speed.
    transformation: Vec<Spatial>,
    /// Momentum of one body per unit of each speed.
    momentum: Vec<Spatial>,
    modal_momentum: Vec<f64>,
    /// M, row-major over all speeds.
    pub mass: Vec<f64>,
}

impl DirectProduct {
    pub fn new(model: &Model) -> Self {
        let n = model.speed_count();
        let widest = model.layout.bodies.iter().map(|part| part.modes).max().unwrap_or(0);
        Self {
            transformation: vec![[0.0; 6]; n * model.body_count()],
            momentum: vec![[0.0; 6]; n],
            modal_momentum: vec![0.0; n * widest],
            mass: vec![0.0; n * n],
        }
    }

    /// Fills `mass`.
    pub fn multiply(&mut self, model: &Model, kin: &Kinematics, inertias: &BodyInertias) {
        self.transform(model, kin);
        self.mass.fill(0.0);
        for k in 0..model.body_count() {
            self.add_body(model, inertias, k);
        }
    }

    /// R by (8): the velocity of a body follows from its parent's, its joint and the parent's modes.
    fn transform(&mut self, model: &Model, kin: &Kinematics) {
        let n = model.speed_count();
        for k in 0..model.body_count() {
            let part = layout_of(model, k);
            let (before, rest) = self.transformation.split_at_mut(k * n);
            let row = &mut rest[..n];
            match carrier(model, kin, k) {
                None => row.fill([0.0; 6]),
                Some(carrier) => {
                    let parent = layout_of(model, carrier.body);
                    let above = &before[carrier.body * n..(carrier.body + 1) * n];
                    for (slot, motion) in row.iter_mut().zip(above) {
                        *slot = motion_from_parent(kin, &carrier, k, motion, &[]);
                    }
                    for r in 0..carrier.influence.len() {
                        let mut unit = [0.0; crate::model::body::LARGEST];
                        unit[r] = 1.0;
                        let moved = motion_from_parent(kin, &carrier, k, &[0.0; 6], &unit[..=r]);
                        row[parent.v + r] = add6(&row[parent.v + r], &moved);
                    }
                }
            }
            for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
                row[part.v + part.modes + i] = *column;
            }
        }
    }

    /// Adds R_kᵀ M̄_k R_k.
    fn add_body(&mut self, model: &Model, inertias: &BodyInertias, k: usize) {
        let (n, part) = (model.speed_count(), layout_of(model, k));
        let velocity = &self.transformation[k * n..(k + 1) * n];
        let modal = &inertias.modal[part.modal_square()];
        let coupling = &inertias.coupling[part.modal()];
        for j in 0..n {
            let own = j.checked_sub(part.v).filter(|&r| r < part.modes);
            let mut momentum = inertias.rigid[k].apply(&velocity[j]);
            if let Some(r) = own {
                momentum = add6(&momentum, &scale6(1.0, &coupling[r]));
            }
            self.momentum[j] = momentum;
            for s in 0..part.modes {
                let inner = own.map_or(0.0, |r| modal[s * part.modes + r]);
                self.modal_momentum[s * n + j] = dot6(&coupling[s], &velocity[j]) + inner;
            }
        }
        for i in 0..n {
            let own = i.checked_sub(part.v).filter(|&r| r < part.modes);
            for j in 0..n {
                let mut sum = dot6(&velocity[i], &self.momentum[j]);
                if let Some(s) = own {
                    sum += self.modal_momentum[s * n + j];
                }
                self.mass[i * n + j] += sum;
            }
        }
    }
}
