//! Applied forces, loads over bodies, force elements, couplers and reactions of loops at the same time.
//!
//! Elements act between two bodies and couplers on two coordinates: first all of them are evaluated, each for itself, then every
//! body adds up what it feels, in the order in which one thread would have added it. So the bits are those of `force::applied::add_items` and of
//! `closure::apply_reactions`, for any number of threads.
//!
//! Time O(n/p + log n) on p threads for n bodies, elements and loops, as long as no body feels more than a few of them.

use super::acting::{Lists, Touch, reacting, touching};
use super::chunks::{Along, Cut, Part, for_all_bodies};
use super::parallel::both;
use crate::algorithm::closure::{Closure, reaction_on};
use crate::force::applied::add_force;
use crate::force::body::add_body_load;
use crate::force::coupler::{evaluate_coupler, unit_wrenches_of};
use crate::force::element::{add_to_body, evaluate_element};
use crate::model::element::CouplerEnd;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, scale6};
use crate::state::{Felt, Load, State};

/// Elements that one thread takes at a time; fewer items than that are left to one thread.
const CHUNK: usize = 64;

/// Scratch: what elements do, and who feels what.
#[derive(Clone, Debug)]
pub(super) struct Items<S> {
    /// Wrenches on both frames of every element, inertial components.
    wrenches: Vec<[Spatial<S>; 2]>,
    /// Efforts of couplers.
    efforts: Vec<S>,
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
            efforts: vec![S::ZERO; model.couplers.len()],
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
        fill_couplers(model, state, motion, 0, (&mut self.efforts, &mut load.coupler_power));
        let (wrenches, efforts, touching) = (&self.wrenches, &self.efforts, &self.touching);
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
                    Touch::Coupler(i, end, side) => {
                        add_coupler_end(model, state, motion, k, (i, end, side), efforts[i], felt);
                        S::ZERO
                    }
                };
            }
        });
        self.hand_out_powers(model, state, load);
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
                Touch::Element(..) | Touch::Coupler(..) => {}
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

/// Efforts and powers of the couplers from `first` on, as many as the lists have.
fn fill_couplers<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    first: usize,
    (efforts, powers): (&mut [S], &mut [S]),
) {
    let count = efforts.len();
    if count > CHUNK {
        let half = count / 2;
        let (near, far) = (efforts.split_at_mut(half), powers.split_at_mut(half));
        both(
            true,
            || fill_couplers(model, state, motion, first, (near.0, far.0)),
            || fill_couplers(model, state, motion, first + half, (near.1, far.1)),
        );
        return;
    }
    for (i, coupler) in model.couplers[first..first + count].iter().enumerate() {
        let force = evaluate_coupler(model, state, motion, coupler);
        (efforts[i], powers[i]) = (force.effort, force.power);
    }
}

/// What body `k` feels of one end of a coupler, as `force::coupler::add_coupler` adds it.
fn add_coupler_end<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    k: usize,
    (coupler, end, side): (usize, usize, usize),
    effort: S,
    felt: &mut Felt<'_, S>,
) {
    let coupler = &model.couplers[coupler];
    let effort = effort * coupler.law.factors[end];
    match coupler.ends[end] {
        CouplerEnd::Tree { speed, .. } => {
            felt.generalized[speed - layout_of(model, k).speeds().start] -= effort
        }
        CouplerEnd::Loop { joint, .. } => {
            let joint = &model.loops[joint];
            let Some(unit) = unit_wrenches_of(model, state, motion, coupler.ends[end]) else { return };
            let frame = &model.frames[joint.frames[1 - side].0];
            add_to_body(model, motion, frame, &scale6(-effort, &unit[side]), felt);
        }
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
