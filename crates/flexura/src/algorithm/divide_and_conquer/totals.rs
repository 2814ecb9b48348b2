//! Energies, momenta and the power of drivers, added along the assembly tree.
//!
//! Source: `energy`, body by body; the order of the sums is that of `sums`, the same for any number of threads and ranks.

use super::acting::Item;
use super::{DivideAndConquer, Par};
use crate::algorithm::body_inertia::BodyInertias;
use crate::algorithm::energy::{Energy, Momentum, add_body_energy, add_momentum};
use crate::force::coupler::evaluate_coupler;
use crate::force::element::evaluate_element;
use crate::force::loop_joint::loop_spring_energy;
use crate::force::tree_joint::add_spring_energy;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::state::State;

/// Energies, momenta about the inertial origin, and the power of `driving` forces in the tree (W).
pub(crate) fn totals<S: Scalar>(
    model: &Model,
    state: &State<S>,
    (motion, inertias, driving): (&Motion<S>, &BodyInertias<S>, &[S]),
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> (Energy<S>, Momentum<S>, S) {
    let parallel = par.divides(model);
    let acting = std::mem::take(&mut work.acting);
    let of_items = |sum: &mut S, body: usize| {
        for item in acting.on(body) {
            match *item {
                Item::Element(i) => {
                    *sum += evaluate_element(model, state, motion, &model.elements[i]).0.energy;
                }
                Item::Coupler(i) => *sum += evaluate_coupler(model, state, motion, &model.couplers[i]).energy,
                Item::Force(_) | Item::Load(_) => {}
            }
        }
    };
    let leaf = |bodies: &[usize]| {
        let (mut sums, mut springs, mut elements, mut drivers) = ([S::ZERO; 3], S::ZERO, S::ZERO, S::ZERO);
        let mut momentum = Momentum { linear: [S::ZERO; 3], angular: [S::ZERO; 3] };
        for &k in bodies {
            add_body_energy(model, state, motion, inertias, k, &mut sums);
            add_spring_energy(model, state, k, &mut springs);
            of_items(&mut elements, k);
            add_momentum(model, state, motion, inertias, &[0.0; 3], k, &mut momentum);
            add_power(model, state, driving, k, &mut drivers);
        }
        let ([a, b, c], [d, e, f]) = (momentum.linear, momentum.angular);
        [sums[0], sums[1], sums[2], springs, elements, a, b, c, d, e, f, drivers]
    };
    let sum = par.run(parallel, || work.sum(parallel, &leaf));
    let [kinetic, gravity, elastic, springs, mut elements, a, b, c, d, e, f, drivers] = sum;
    of_items(&mut elements, model.body_count());
    work.acting = acting;
    let springs = springs + loop_spring_energy(model, state, motion);
    let energy = Energy { kinetic: kinetic * 0.5, gravity, elastic, springs, elements };
    (energy, Momentum { linear: [a, b, c], angular: [d, e, f] }, drivers)
}

/// Adds the power of `driving` forces on the speeds of body `k`.
pub(crate) fn add_power<S: Scalar>(model: &Model, state: &State<S>, driving: &[S], k: usize, sum: &mut S) {
    for i in layout_of(model, k).speeds() {
        *sum += driving[i] * state.v[i];
    }
}
