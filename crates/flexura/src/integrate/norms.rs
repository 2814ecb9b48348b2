//! Sums over the entries of y = (δ, v, controller states, work).
//!
//! One entry after the other; where divide and conquer is chosen, entries of bodies along the assembly tree, those
//! of the whole system last. Either order depends on the model only, not on threads or ranks.

use crate::model::{Model, layout_of};
use crate::workspace::Workspace;

/// Σ of `of` over all `size` entries.
pub(super) fn sum_entries<const N: usize>(
    model: &Model,
    work: &mut Workspace,
    size: usize,
    of: &(impl Fn(usize) -> [f64; N] + Sync),
) -> [f64; N] {
    let n = model.speed_count();
    let add = |sum: &mut [f64; N], i: usize| sum.iter_mut().zip(of(i)).for_each(|(slot, x)| *slot += x);
    let leaf = |bodies: &[usize]| {
        let mut sum = [0.0; N];
        for first in [0, n] {
            for &k in bodies {
                layout_of(model, k).speeds().for_each(|i| add(&mut sum, first + i));
            }
        }
        sum
    };
    let divided = work.sum_divided(model, &leaf);
    let first = if divided.is_some() { 2 * n } else { 0 };
    let mut sum = divided.unwrap_or([0.0; N]);
    (first..size).for_each(|i| add(&mut sum, i));
    sum
}
