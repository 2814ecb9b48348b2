//! Stiffness and damping of force elements in the tangent.
//!
//! The K and C of Cuadrado et al. (2007) eq. 37 that springs, dampers, contacts and
//! tyres between bodies add. Each element gives its part as a sum of squares of
//! wrenches (`model::element::gain`); a wrench travels inward like the unit reaction
//! of a constraint (`jacobian`), and the row it leaves is added as a square. Couplers
//! act on two speeds. Cost of a row: the square of the length of its branches.

use super::Topological;
use super::jacobian::carry_along;
use super::structure::LoopStructure;
use crate::algorithm::structured_tangent::TangentWeights;
use crate::model::element::Element;
use crate::model::{FrameId, Model};
use crate::motion::frame_state::frame_state;
use crate::spatial::{Spatial, negate6, shift_force, sub};
use crate::state::State;
use crate::workspace::Workspace;

impl Topological {
    /// Adds β'h² K + γ'h C of elements and couplers to the matrix.
    pub(super) fn add_elements(
        &mut self,
        model: &Model,
        state: &State,
        work: &Workspace,
        weights: TangentWeights,
    ) {
        let values = self.matrix.values_mut();
        for (index, part) in &self.structure.elements {
            let element = &model.elements[*index];
            let at = |id: FrameId| frame_state(model, state, &work.motion, &model.frames[id.0]);
            let (first, second) = (at(element.frames[0]), at(element.frames[1]));
            let gains = element.kind.gains(&first, &second, weights.stiffness, weights.damping);
            let arm = sub(&second.position, &first.position);
            let row = &mut self.row[..part.width];
            for on_second in gains.rows() {
                let on_first = negate6(&shift_force(&arm, on_second));
                fill(model, work, element, part, [&on_first, on_second], row);
                part.add_square(1.0, row, values);
            }
        }
        let in_tree = model.couplers.iter().filter(|coupler| coupler.speeds().is_some());
        for (coupler, places) in in_tree.zip(&self.structure.couplers) {
            let weight = weights.stiffness * coupler.law.stiffness + weights.damping * coupler.law.damping;
            let [a, b] = coupler.law.factors;
            for (&place, product) in places.iter().zip([a * a, a * b, b * b]) {
                values[place] += weight * product;
            }
        }
    }
}

/// What the wrenches on both frames do on the speeds of the branches.
fn fill(
    model: &Model,
    work: &Workspace,
    element: &Element,
    part: &LoopStructure,
    wrenches: [&Spatial; 2],
    row: &mut [f64],
) {
    row.fill(0.0);
    for side in 0..2 {
        let frame = &model.frames[element.frames[side].0];
        let branch = &part.branches[side];
        carry_along(model, &work.motion, frame, wrenches[side], branch, row);
    }
}
