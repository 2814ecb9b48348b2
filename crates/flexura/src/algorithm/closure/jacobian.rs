//! Constraint Jacobian by recursion: a unit reaction on both frames is carried
//! inward to the ground; what it does on each speed is the row of J (the
//! transposed of JPL 90-26 eq. 9.2, and Cuadrado et al. 2007 eq. 34). Cost of a
//! row: the depth of the two frames.

use super::Closure;
use crate::algorithm::transfer::carry_inward;
use crate::model::Model;
use crate::motion::Motion;
use crate::scalar::Scalar;

/// Share of a row's size before its two sides cancel below which what is left is rounding.
const CANCELLED: f64 = 1e-12;

/// Fills J for the unit wrenches of all rows.
pub(crate) fn fill_jacobian<S: Scalar>(model: &Model, motion: &Motion<S>, closure: &mut Closure<S>) {
    for (joint, chord) in model.loops.iter().zip(&closure.structure.chords) {
        for index in joint.row_range() {
            let row = closure.jacobian.row_mut(index);
            row.fill(S::ZERO);
            let mut size = 0.0_f64;
            // Wrenches are given for the second frame first.
            for (side, wrench) in [1, 0].into_iter().zip(&closure.wrenches[index]) {
                let frame = &model.frames[joint.frames[side].0];
                if let Some(from) = chord.branch[side] {
                    let place = &closure.structure.place;
                    let path = |before: Option<usize>| {
                        let body =
                            before.map_or(frame.body.map(|body| body.0), |k| model.joints[k].parent)?;
                        Some((body, place[body], true))
                    };
                    carry_inward(model, motion, frame, wrench, path, &mut row[from..]);
                }
                if side == 1 {
                    size = row.iter().fold(0.0, |best: f64, x| best.max(x.value().abs()));
                }
            }
            clear_rounding(row, &chord.columns, &model.prescribed, CANCELLED * size);
        }
    }
}

/// Sets a row to zero whose free entries are all below `limit`: both sides of the joint move together, and
/// what the cancellation leaves would be taken for a direction of its own.
fn clear_rounding<S: Scalar>(row: &mut [S], columns: &[usize], prescribed: &[bool], limit: f64) {
    let free = |speed: &usize| !prescribed[*speed];
    let mut pairs = row.iter().zip(columns).filter(|(_, speed)| free(speed));
    if pairs.all(|(x, _)| x.value().abs() <= limit) {
        for (x, _) in row.iter_mut().zip(columns).filter(|(_, speed)| free(speed)) {
            *x = S::ZERO;
        }
    }
}
