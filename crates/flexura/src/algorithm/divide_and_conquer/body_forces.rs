//! Springs, dampers, friction, efforts of joints and damping of modes at the same time.
//!
//! Loads on frame and modes by virtual work, Mukherjee & Anderson eqs 51-53 with errata E4.
//! Each acts on the speeds of one body. What acts at frames, over bodies and between them
//! follows in the order of `applied::fill_load`, many of them at the same time (`items`).
//! Powers are added along the assembly tree (`sums`), each item with
//! the first body it acts on: the same bits for any number of threads and ranks.
//!
//! Time O(n/p + log n) on p threads for joints and modes.

use super::acting::Item;
use super::chunks::{Along, Part, for_all_bodies};
use super::{DivideAndConquer, Par};
use crate::force::applied::{add_items, modal_damping};
use crate::force::loop_joint::add_loop_laws;
use crate::force::power::AppliedPower;
use crate::force::tree_joint::joint_efforts;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::state::Load;
use crate::state::State;

/// Fills `load` (forces only) at `state` on the threads of `par`; returns the power of each kind.
#[doc(hidden)]
pub fn evaluate_loads<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    load: &mut Load<S>,
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> AppliedPower<S> {
    let parallel = par.divides(model);
    let mut powers = std::mem::take(&mut work.body_power);
    let silent = match parallel {
        true => {
            par.run(true, || fill_at_once(model, state, load, &mut powers));
            false
        }
        false => fill_in_turn(model, state, load, &mut powers),
    };
    if parallel && work.items.are_many() {
        let items = &mut work.items;
        par.run(true, || items.add(model, state, motion, load));
    } else {
        let mut summed_below = AppliedPower::ZERO;
        add_items(model, state, motion, load, &mut summed_below);
    }
    let acting = std::mem::take(&mut work.acting);
    let of_items = |sum: &mut [S; 6], body: usize| {
        for item in acting.on(body) {
            match *item {
                Item::Force(i) => sum[4] += load.force_power[i],
                Item::Load(i) => sum[4] += load.body_power[i],
                Item::Element(i) => sum[5] += load.element_power[i],
                Item::Coupler(i) => sum[5] += load.coupler_power[i],
            }
        }
    };
    let leaf = |bodies: &[usize]| {
        let mut sum = [S::ZERO; 6];
        for &k in bodies {
            for (slot, &power) in sum.iter_mut().zip(&powers[k]) {
                *slot += power;
            }
            of_items(&mut sum, k);
        }
        sum
    };
    // A sum of zeros is zero in any order; ranks must all take part in sums or none of them.
    let nothing = silent && acting.is_empty() && work.share.is_none();
    let mut sum = if nothing { [S::ZERO; 6] } else { par.run(parallel, || work.sum(parallel, &leaf)) };
    of_items(&mut sum, model.body_count());
    (work.body_power, work.acting) = (powers, acting);
    let [efforts, dampers, friction, modal_damping, forces, elements] = sum;
    let mut power = AppliedPower { efforts, forces, dampers, friction, modal_damping, elements };
    add_loop_laws(model, state, motion, load, &mut power);
    power
}

/// Adds the laws of the joint and of the modes of body `k` to its speeds `forces`; the power of each kind.
#[inline]
fn fill_body<S: Scalar>(model: &Model, state: &State<S>, k: usize, forces: &mut [S]) -> [S; 4] {
    let mut power = AppliedPower::ZERO;
    joint_efforts(model, state, k, forces, &mut power);
    modal_damping(model, state, k, forces, &mut power);
    [power.efforts, power.dampers, power.friction, power.modal_damping]
}

/// One body after the other; whether none has any power.
fn fill_in_turn<S: Scalar>(
    model: &Model,
    state: &State<S>,
    load: &mut Load<S>,
    powers: &mut [[S; 4]],
) -> bool {
    load.clear();
    let mut silent = S::EVERY_ALGORITHM;
    for (k, power) in powers.iter_mut().enumerate() {
        *power = fill_body(model, state, k, &mut load.generalized[layout_of(model, k).speeds()]);
        silent &= power.iter().all(|power| power.value() == 0.0);
    }
    silent
}

/// Bodies at the same time.
fn fill_at_once<S: Scalar>(model: &Model, state: &State<S>, load: &mut Load<S>, powers: &mut [[S; 4]]) {
    let (generalized, wrench) = (&mut load.generalized, &mut load.wrench);
    let powers = Part::new(powers, Along::Bodies);
    let data = (Part::new(generalized, Along::Speeds), Part::new(wrench, Along::Bodies), powers);
    for_all_bodies(model, data, true, &|bodies, (mut generalized, mut wrench, mut powers)| {
        for k in bodies {
            *wrench.of(k) = [S::ZERO; 6];
            let forces = generalized.at(layout_of(model, k).speeds());
            forces.fill(S::ZERO);
            *powers.of(k) = fill_body(model, state, k, forces);
        }
    });
}
