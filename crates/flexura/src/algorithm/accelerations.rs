//! What every algorithm of forward dynamics finds.

use crate::model::Model;
use crate::scalar::Scalar;
use crate::spatial::Spatial;

/// Accelerations and driving forces at one state, whichever algorithm found them.
#[derive(Clone, Debug)]
pub struct Accelerations<S = f64> {
    /// Generalised accelerations χ̇.
    pub chidot: Vec<S>,
    /// Driving force of each prescribed speed; zero elsewhere.
    pub driving: Vec<S>,
    /// Hinge-referred acceleration α_R of each body, gravity included as −g at the base.
    pub acceleration: Vec<Spatial<S>>,
}

impl<S: Scalar> Accelerations<S> {
    /// Room for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            chidot: vec![S::ZERO; model.speed_count()],
            driving: vec![S::ZERO; model.speed_count()],
            acceleration: vec![[S::ZERO; 6]; model.body_count()],
        }
    }
}
