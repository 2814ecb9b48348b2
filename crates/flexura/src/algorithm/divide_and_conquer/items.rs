//! Applied forces, loads over bodies, force elements and reactions of loops at the same time.
//!
//! Elements act between two bodies: first all of them are evaluated, each for itself, then every body adds up what it
//! feels, in the order in which one thread would have added it. So the bits are those of `force::applied::add_items` and of
//! `closure::apply_reactions`, for any number of threads. Couplers, few and on coordinates, follow one after the other.
//!
//! Time O(n/p + log n) on p threads for n bodies, elements and loops, as long as no body feels more than a few of them.

use super::acting::{Lists, Touch, reacting, touching};
use super::chunks::{Along, Cut, Part, for_all_bodies};
use super::parallel::both;
use crate::algorithm::closure::{Closure, reaction_on};
use crate::force::applied::add_force;
use crate::force::body::add_body_load;
use crate::force::element::{add_couplers, add_to_body, evaluate_element};
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::spatial::Spatial;
use crate::state::{Felt, Load, State};

/// Elements that one thread takes at a time; fewer items than that are left to one thread.
const CHUNK: usize = 64;

/// Scratch: what elements do, and who feels what.
#[derive(Clone, Debug)]
pub(super) struct Items<S> {
    /// Wrenches on both frames of every element, inertial components.
    wrenches: Vec<[Spatial<S>; 2]>,
    /// Power of what touches the bodies, body by body.
    powers: Vec<S>,
    touching: Lists<Touch>,
    reacting: Lists<(usize, usize)>,
}

impl<S: Scalar> Items<S> {
    pub fn new(model: &Model) -> Self {
        let touching = touching(model);
        Self {
            wrenches: vec![[[S::ZERO; 6]; 2]; model.elements.len()],
            powers: vec![S::ZERO; touching.len()],
            touching,
            reacting: reacting(model),
        }
    }

    /// Whether there is enough for several threads.
    pub fn are_many(&self) -> bool {
        self.touching.len() > CHUNK
    }

    /// Adds what acts at frames, over bodies and between bodies to `load`; what each item does is left there.
    pub fn add(&mut self, model: &Model, state: &State<S>, motion: &Motion<S>, load: &mut Load<S>) {
        let acts = Acts {
            wrenches: &mut self.wrenches,
            powers: &mut load.element_power,
            inputs: &mut load.element_input,
        };
        fill_elements(model, state, motion, 0, acts);
        let (wrenches, touching) = (&self.wrenches, &self.touching);
        load.points.fill([S::ZERO; 6]);
        let powers = Entries { powers: &mut self.powers, first: touching.starts(), base: 0 };
        for_bodies(model, load, powers, &|k, felt, powers| {
            for (touch, power) in touching.on(k).iter().zip(powers) {
                *power = match *touch {
                    Touch::Force(i) => {
                        let factor = S::sampled(model.forces[i].scale_at(state.time, state.side));
                        add_force(model, motion, &model.forces[i], factor, felt)
                    }
                    Touch::Load(i) => {
                        let factor = S::sampled(model.loads[i].scale_at(state.time, state.side));
                        add_body_load(model, state, motion, &model.loads[i], factor, felt)
                    }
                    Touch::Element(i, side) => {
                        let frame = &model.frames[model.elements[i].frames[side].0];
                        add_to_body(model, motion, frame, &wrenches[i][side], felt);
                        S::ZERO
                    }
                };
            }
        });
        self.hand_out_powers(model, state, load);
        add_couplers(model, state, motion, load, S::ZERO);
    }

    /// Factors and powers of forces and loads where records look for them; what acts on the ground has no power.
    fn hand_out_powers(&self, model: &Model, state: &State<S>, load: &mut Load<S>) {
        for (factor, force) in load.force_scale.iter_mut().zip(&model.forces) {
            *factor = S::sampled(force.scale_at(state.time, state.side));
        }
        for (factor, body_load) in load.body_scale.iter_mut().zip(&model.loads) {
            *factor = S::sampled(body_load.scale_at(state.time, state.side));
        }
        load.force_power.fill(S::ZERO);
        for (touch, &power) in self.touching.all().iter().zip(&self.powers) {
            match *touch {
                Touch::Force(i) => load.force_power[i] = power,
                Touch::Load(i) => load.body_power[i] = power,
                Touch::Element(..) => {}
            }
        }
    }

    /// Adds the reactions of all loop joints to `load`.
    pub fn react(&self, model: &Model, motion: &Motion<S>, closure: &Closure<S>, load: &mut Load<S>) {
        let reacting = &self.reacting;
        for_bodies(model, load, Entries::none(), &|k, felt, _| {
            for &(joint, side) in reacting.on(k) {
                let joint = &model.loops[joint];
                let frame = &model.frames[joint.frames[1 - side].0];
                add_to_body(model, motion, frame, &reaction_on(closure, joint, side), felt);
            }
        });
    }
}

/// What consecutive elements do.
struct Acts<'a, S> {
    wrenches: &'a mut [[Spatial<S>; 2]],
    powers: &'a mut [S],
    inputs: &'a mut [S],
}

/// Evaluates the elements from `first` on, as many as `acts` has.
fn fill_elements<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    first: usize,
    acts: Acts<'_, S>,
) {
    let count = acts.wrenches.len();
    if count > CHUNK {
        let half = count / 2;
        let (wrenches, powers) = (acts.wrenches.split_at_mut(half), acts.powers.split_at_mut(half));
        let inputs = acts.inputs.split_at_mut(half);
        let near = Acts { wrenches: wrenches.0, powers: powers.0, inputs: inputs.0 };
        let far = Acts { wrenches: wrenches.1, powers: powers.1, inputs: inputs.1 };
        both(
            true,
            || fill_elements(model, state, motion, first, near),
            || fill_elements(model, state, motion, first + half, far),
        );
        return;
    }
    for (i, element) in model.elements[first..first + count].iter().enumerate() {
        let (force, on_first) = evaluate_element(model, state, motion, element);
        (acts.wrenches[i], acts.powers[i]) = match element.kind.effort() {
            Some(effort) => {
                // Evaluated at unit effort, in which actuators are linear.
                let effort = S::sampled(effort.sample_side(state.time, state.side).value);
                acts.inputs[i] = effort;
                ([on_first.map(|x| x * effort), force.wrench.map(|x| x * effort)], force.power * effort)
            }
            None => ([on_first, force.wrench], force.power),
        };
    }
}

/// One number for every entry of the lists of consecutive bodies.
struct Entries<'a, S> {
    powers: &'a mut [S],
    first: &'a [usize],
    base: usize,
}

impl<S: Send> Cut for Entries<'_, S> {
    fn cut(self, _: &Model, middle: usize) -> (Self, Self) {
        let at = self.first.get(middle).copied().unwrap_or(self.base);
        let (near, far) = self.powers.split_at_mut(at - self.base);
        let first = self.first;
        (Self { powers: near, first, base: self.base }, Self { powers: far, first, base: at })
    }
}

impl<S> Entries<'_, S> {
    /// No number for any body.
    fn none() -> Self {
        Self { powers: &mut [], first: &[], base: 0 }
    }

    /// The numbers of body `k`.
    fn of(&mut self, k: usize) -> &mut [S] {
        match self.first.get(k..k + 2) {
            Some(&[start, end]) => &mut self.powers[start - self.base..end - self.base],
            _ => &mut [],
        }
    }
}

/// Calls `act` with what every body feels, and its part of `entries`, bodies at the same time.
fn for_bodies<S: Scalar>(
    model: &Model,
    load: &mut Load<S>,
    entries: Entries<'_, S>,
    act: &(impl Fn(usize, &mut Felt<'_, S>, &mut [S]) + Sync),
) {
    let kept = !load.points.is_empty();
    let points = Part::new(&mut load.points, if kept { Along::Attachments } else { Along::Nothing });
    let data = (
        (Part::new(&mut load.generalized, Along::Speeds), Part::new(&mut load.wrench, Along::Bodies)),
        (points, entries),
    );
    for_all_bodies(
        model,
        data,
        true,
        &|bodies, ((mut generalized, mut wrench), (mut points, mut entries))| {
            for k in bodies {
                let part = layout_of(model, k);
                let slots = match kept {
                    true => part.attachment..part.attachment + model.bodies[k].attachments.len(),
                    false => 0..0,
                };
                let mut felt = Felt {
                    generalized: generalized.at(part.speeds()),
                    wrench: wrench.of(k),
                    points: points.at(slots),
                };
                act(k, &mut felt, entries.of(k));
            }
        },
    );
}
