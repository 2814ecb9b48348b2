//! What acts at frames as records: applied wrenches, loads on points and modes, elements between two frames.
//!
//! A record holds the frames with the points that carry them, and where its ends stand: what it does to each of its bodies is written
//! there, and a body takes up its ends in the order of the processor (forces, loads, elements).

use super::types::{Types, follows_point, point_numbers};
use super::words::{END, FRAME_WORDS, LOAD_WORDS};
use super::{Lowered, Refusal};
use crate::model::body::Attachment;
use crate::model::body_load::LoadAxes;
use crate::model::description::AttachmentRule;
use crate::model::element::{Actuator, Bushing, Damping, Drag, ElementKind, ForceLaw, ForceTable};
use crate::model::{FrameId, Model};
use crate::spatial::{Matrix3, Vector3, identity3};
use crate::time_function::TimeFunction;
use std::collections::HashMap;

/// Kinds of loads, in the order of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Applied,
    Modal,
    Spring,
    Torsion,
    Bushing,
    Drag,
    Actuator,
}

/// Axes of an applied wrench, in the order of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axes {
    Frame,
    Inertial,
    Body,
}

/// A frame that a load holds.
struct Held {
    body: Option<usize>,
    follows: i32,
    modes: usize,
    rule: i32,
    point: Vec<f64>,
    mount: Vec<f64>,
}

/// A load before it is written.
struct Draft<'m> {
    kind: Kind,
    numbers: Vec<f64>,
    function: Option<&'m TimeFunction>,
    axes: Axes,
    frames: [Held; 2],
}

impl Held {
    fn ground(position: Vector3, rotation: &Matrix3) -> Self {
        let mount = position.into_iter().chain(rotation.iter().flatten().copied()).collect();
        Self { body: None, follows: 0, modes: 0, rule: 0, point: Vec::new(), mount }
    }

    fn at(model: &Model, body: usize, point: &Attachment, position: Vector3, rotation: &Matrix3) -> Self {
        let own = &model.bodies[body];
        Self {
            body: Some(body),
            follows: follows_point(own, point) as i32,
            modes: own.modes,
            rule: i32::from(own.rule == AttachmentRule::LambdaEtad),
            point: point_numbers(point, own.modes),
            ..Self::ground(position, rotation)
        }
    }

    fn frame(model: &Model, id: FrameId) -> Self {
        let frame = &model.frames[id.0];
        let mount = &frame.mount;
        match frame.body {
            Some(body) => {
                let point = &model.bodies[body.0].attachments[mount.attachment];
                Self::at(model, body.0, point, mount.position, &mount.rotation)
            }
            None => Self::ground(mount.position, &mount.rotation),
        }
    }

    fn none() -> Self {
        Self::ground([0.0; 3], &identity3())
    }
}

/// Every load of `model`, in the order in which the processor adds them.
fn drafts(model: &Model) -> Vec<Draft<'_>> {
    let mut out = Vec::new();
    for force in &model.forces {
        out.push(Draft {
            kind: Kind::Applied,
            numbers: force.wrench.to_vec(),
            function: force.scale.as_ref(),
            axes: if force.inertial { Axes::Inertial } else { Axes::Frame },
            frames: [Held::frame(model, force.frame), Held::none()],
        });
    }
    for load in &model.loads {
        let (body, function) = (load.body.0, load.scale.as_ref());
        let own = &model.bodies[body];
        let held = |point: &Attachment| Held::at(model, body, point, [0.0; 3], &identity3());
        if !load.modal.is_empty() {
            let frames = [held(&own.attachments[0]), Held::none()];
            let numbers = load.modal.clone();
            out.push(Draft { kind: Kind::Modal, numbers, function, axes: Axes::Body, frames });
        }
        let axes = match load.axes {
            LoadAxes::Inertial => Axes::Inertial,
            LoadAxes::Body => Axes::Body,
            LoadAxes::Follower => Axes::Frame,
        };
        for point in &load.points {
            let numbers = [0.0; 3].into_iter().chain(point.force).collect();
            let frames = [held(&point.attachment), Held::none()];
            out.push(Draft { kind: Kind::Applied, numbers, function, axes, frames });
        }
    }
    for element in &model.elements {
        if let Some((kind, numbers)) = element_numbers(&element.kind) {
            let frames = element.frames.map(|id| Held::frame(model, id));
            let function = element.kind.effort();
            out.push(Draft { kind, numbers, function, axes: Axes::Frame, frames });
        }
    }
    out
}

/// Kind and numbers of an element; `None` where a device cannot run it.
fn element_numbers(kind: &ElementKind) -> Option<(Kind, Vec<f64>)> {
    let mut out = Vec::new();
    let kind = match kind {
        ElementKind::SpringDamper(e) => {
            axis(e.axis.as_ref(), &mut out);
            out.extend([e.free_length, e.preload]);
            law(&e.law, &mut out);
            damping(&e.damping, &mut out);
            Kind::Spring
        }
        ElementKind::Rod(e) => {
            axis(None, &mut out);
            out.extend([e.length, 0.0]);
            law(&ForceLaw::Linear { stiffness: e.stiffness }, &mut out);
            damping(&Damping::both(e.damping), &mut out);
            Kind::Spring
        }
        ElementKind::TorsionSpringDamper(e) => {
            axis(Some(&e.axis), &mut out);
            out.extend([0.0, e.preload]);
            law(&e.law, &mut out);
            damping(&e.damping, &mut out);
            Kind::Torsion
        }
        ElementKind::Bushing(Bushing { stiffness, damping, cubic, preload }) => {
            out.extend(stiffness.iter().chain(damping).flatten());
            out.extend(cubic.iter().chain(preload));
            Kind::Bushing
        }
        ElementKind::Drag(Drag { density, coefficient, area, medium_velocity }) => {
            out.extend(medium_velocity);
            out.extend((0..3).map(|i| -0.5 * density * coefficient[i] * area[i]));
            Kind::Drag
        }
        ElementKind::Actuator(Actuator { axis: about, .. }) => {
            axis(about.as_ref(), &mut out);
            Kind::Actuator
        }
        ElementKind::BumpStop(_) | ElementKind::Contact(_) | ElementKind::Tyre(_) => return None,
    };
    Some((kind, out))
}

/// Whether a device can run an element of this kind.
pub(super) fn is_known(kind: &ElementKind) -> bool {
    element_numbers(kind).is_some()
}

fn axis(axis: Option<&Vector3>, out: &mut Vec<f64>) {
    out.push(f64::from(u8::from(axis.is_some())));
    out.extend(axis.unwrap_or(&[0.0; 3]));
}

fn law(law: &ForceLaw, out: &mut Vec<f64>) {
    match law {
        ForceLaw::Linear { stiffness } => out.extend([0.0, 0.0, *stiffness]),
        ForceLaw::Polynomial { coefficients } => {
            out.extend([1.0, coefficients.len() as f64]);
            out.extend(coefficients);
        }
        ForceLaw::Table(curve) => table(curve, out),
    }
}

fn damping(damping: &Damping, out: &mut Vec<f64>) {
    match damping {
        Damping::Linear { compression, extension } => out.extend([0.0, 0.0, *compression, *extension]),
        Damping::Curve(curve) => table(curve, out),
    }
}

fn table(curve: &ForceTable, out: &mut Vec<f64>) {
    out.extend([2.0, curve.points().count() as f64]);
    out.extend(curve.knots().flatten());
}

/// Blocks of numbers, equal ones once.
#[derive(Default)]
struct Blocks(HashMap<Vec<u64>, usize>);

impl Blocks {
    fn place(&mut self, numbers: &[f64], types: &mut Types) -> usize {
        let key: Vec<u64> = numbers.iter().map(|x| x.to_bits()).collect();
        *self.0.entry(key).or_insert_with(|| {
            types.numbers.extend(numbers);
            types.numbers.len() - numbers.len()
        })
    }
}

/// The records of one model: `place` says where its bodies stand, `ends` where the ends of each load.
fn records(
    drafts: &[Draft<'_>],
    place: &[(usize, usize)],
    ends: &[[i32; 2]],
    blocks: &mut Blocks,
    types: &mut Types,
) -> Vec<[i32; LOAD_WORDS]> {
    let mut out = Vec::with_capacity(drafts.len());
    for (draft, ends) in drafts.iter().zip(ends) {
        let mut words = vec![draft.kind as i32, blocks.place(&draft.numbers, types) as i32];
        words.push(draft.function.map_or(-1, |function| types.function(function) as i32));
        words.push(draft.axes as i32);
        for held in &draft.frames {
            let (lane, slot) = held.body.map_or((-1, -1), |k| (place[k].0 as i32, place[k].1 as i32));
            let point = blocks.place(&held.point, types) as i32;
            let frame: [i32; FRAME_WORDS] = [
                lane,
                slot,
                held.follows,
                held.modes as i32,
                held.rule,
                point,
                blocks.place(&held.mount, types) as i32,
            ];
            words.extend(frame);
        }
        words.extend(ends);
        let mut record = [0; LOAD_WORDS];
        record.copy_from_slice(&words);
        out.push(record);
    }
    out
}

/// Where the ends of each load stand, and how many numbers there are.
fn end_places(drafts: &[Draft<'_>]) -> (Vec<[i32; 2]>, usize) {
    let mut next = 0;
    let places = drafts.iter().map(|draft| {
        [0, 1].map(|side| {
            let held = &draft.frames[side];
            if held.body.is_none() {
                return -1;
            }
            let at = next;
            next += END + held.modes;
            at as i32
        })
    });
    (places.collect(), next)
}

impl Lowered {
    /// Writes the loads of one model, or of the systems of a batch, after the bodies have their places.
    pub(super) fn place_loads(
        &mut self,
        models: &[&Model],
        batch: bool,
        types: &mut Types,
    ) -> Result<(), Vec<Refusal>> {
        let Some((&model, others)) = models.split_first() else { return Ok(()) };
        let first = drafts(model);
        if first.is_empty() && others.iter().all(|other| drafts(other).is_empty()) {
            return Ok(());
        }
        let (ends, numbers) = end_places(&first);
        let mut blocks = Blocks::default();
        let mut all = records(&first, &self.place, &ends, &mut blocks, types);
        self.loads = first.len();
        self.end_numbers = numbers;
        self.ends = self.end_lists(&first, &ends, batch);
        if !others.is_empty() {
            self.load_variant = self.variants_of(models, &first, &ends, &mut all, &mut blocks, types)?;
        }
        self.load = all.into_iter().flatten().collect();
        Ok(())
    }

    /// For every slot where its ends begin, then the ends in the order of the loads.
    fn end_lists(&self, drafts: &[Draft<'_>], ends: &[[i32; 2]], batch: bool) -> Vec<i32> {
        let slots = self.layout.len() / super::words::LAYOUT_WORDS;
        let places = if batch { slots } else { slots * self.lanes };
        let mut lists: Vec<Vec<i32>> = vec![Vec::new(); places];
        for (draft, ends) in drafts.iter().zip(ends) {
            for (held, &end) in draft.frames.iter().zip(ends) {
                let Some(body) = held.body else { continue };
                let (lane, slot) = self.place[body];
                lists[if batch { slot } else { lane * slots + slot }].push(end);
            }
        }
        let mut out = Vec::with_capacity(places + 1);
        let mut next = places + 1;
        for list in &lists {
            out.push(next as i32);
            next += list.len();
        }
        out.push(next as i32);
        out.extend(lists.into_iter().flatten());
        out
    }

    /// Which record each system has of each load; adds those that differ.
    fn variants_of(
        &self,
        models: &[&Model],
        first: &[Draft<'_>],
        ends: &[[i32; 2]],
        all: &mut Vec<[i32; LOAD_WORDS]>,
        blocks: &mut Blocks,
        types: &mut Types,
    ) -> Result<Vec<i32>, Vec<Refusal>> {
        let systems = models.len();
        let mut known: HashMap<[i32; LOAD_WORDS], usize> =
            all.iter().enumerate().map(|(index, record)| (*record, index)).collect();
        let mut out = vec![0; first.len() * systems];
        for (system, model) in models.iter().enumerate() {
            let own = drafts(model);
            if !alike(first, &own) {
                let item = format!("model `{}`, system {system}", model.name);
                let reason = "has other loads or elements than the first system of its batch; run it in a batch of its own";
                return Err(vec![Refusal { item, reason: reason.into() }]);
            }
            for (index, record) in records(&own, &self.place, ends, blocks, types).into_iter().enumerate() {
                let number = *known.entry(record).or_insert_with(|| {
                    all.push(record);
                    all.len() - 1
                });
                out[index * systems + system] = number as i32;
            }
        }
        Ok(out)
    }
}

/// Whether two models have the same loads on the same bodies, numbers apart.
fn alike(a: &[Draft<'_>], b: &[Draft<'_>]) -> bool {
    let bodies = |draft: &Draft<'_>| draft.frames.each_ref().map(|held| (held.body, held.modes));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.kind == b.kind && bodies(a) == bodies(b))
}

/// Instants where the functions of loads may not be smooth (s).
pub(super) fn break_points(model: &Model, breaks: &mut Vec<f64>) {
    let scales = model.forces.iter().filter_map(|force| force.scale.as_ref());
    let scales = scales.chain(model.loads.iter().filter_map(|load| load.scale.as_ref()));
    let efforts = model.elements.iter().filter_map(|element| element.kind.effort());
    scales.chain(efforts).for_each(|function| function.break_points(breaks));
}
