//! Follows the forces on all flexible bodies over the rows of a run.

use super::acting::{Acting, Source};
use super::beam::{Beam, FAMILIES, Pair};
use super::elements::Elements;
use super::remedy::remedy;
use super::verdict::{Family, ModeVerdict};
use super::{HARDLY_BENT, HARDLY_STRAINED, LEAST_ACTING, LEAST_STATIC, MISSING_LIMIT, NEAREST, UNBALANCED};
use crate::beam::BeamInput;
use crate::checkpoint::Tape;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::{Model, Unreduced, layout_of};
use crate::spatial::Spatial;
use crate::state::State;
use crate::time_function::TimeFunction;
use crate::workspace::Workspace;
use std::f64::consts::TAU;

/// Follows all flexible bodies of a model.
#[derive(Clone, Debug)]
pub struct Judge {
    bodies: Vec<Watched>,
}

/// A flexible body; what is not known beyond its modes is not followed.
#[derive(Clone, Debug)]
struct Watched {
    body: usize,
    known: Known,
}

#[derive(Clone, Debug)]
enum Known {
    /// Nothing but its modes.
    Nothing,
    Beam(Box<Followed>),
    Elements(Box<Elements>),
}

impl Known {
    fn new(model: &Model, body: usize) -> Self {
        match &model.unreduced[body] {
            Unreduced::Unknown => Self::Nothing,
            Unreduced::Beam(input) => {
                Followed::new(model, body, input).map_or(Self::Nothing, |found| Self::Beam(Box::new(found)))
            }
            Unreduced::Part(compliance) => Elements::new(model, body, compliance)
                .map_or(Self::Nothing, |found| Self::Elements(Box::new(found))),
        }
    }
}

/// A beam with its forces and the extremes so far.
#[derive(Clone, Debug)]
struct Followed {
    acting: Acting,
    beam: Beam,
    /// Cholesky factor of the modal stiffness.
    factor: Vec<f64>,
    /// η + K⁻¹Dη̇ less what thermal and modal loads do.
    eta: Vec<f64>,
    /// The same without the inertia of the vibration: what the modes make of the other forces in statics.
    eta_static: Vec<f64>,
    internal: Vec<[Pair; 4]>,
    worst: [Worst; 4],
    /// Rows judged and rows left out because their forces do not balance.
    rows: [u64; 2],
}

/// Extremes of one family.
#[derive(Clone, Debug, Default)]
pub(super) struct Worst {
    pub missing: f64,
    pub acting: f64,
    pub still: f64,
    /// Largest relative deflection: ∫|strain| dx, of stretch by the length.
    pub deflection: f64,
    /// Where most was missing: internal forces, strains that are missing, and the wrench of every force.
    pub internal: Vec<Pair>,
    pub residual: Vec<Pair>,
    pub forces: Vec<Spatial>,
}

impl Worst {
    /// Energy against which the missing one is measured.
    pub fn reference(&self) -> f64 {
        let held = (self.acting + self.missing).max(LEAST_ACTING * self.still);
        (held * self.still.max(LEAST_STATIC * held)).sqrt()
    }
}

impl Judge {
    /// A judge of the flexible bodies of `model`.
    pub fn new(model: &Model) -> Self {
        let flexible = (0..model.body_count()).filter(|k| model.bodies[*k].modes > 0);
        Self { bodies: flexible.map(|body| Watched { body, known: Known::new(model, body) }).collect() }
    }

    /// Whether there is anything to follow, so that rows need reactions and wrenches at attachments.
    pub fn follows(&self) -> bool {
        self.bodies.iter().any(|watched| !matches!(watched.known, Known::Nothing))
    }

    /// Takes in a row; `work` holds the evaluation of `state` with reactions and kept points. No allocation.
    pub fn see(&mut self, model: &Model, state: &State, work: &Workspace) {
        for Watched { body, known } in &mut self.bodies {
            match known {
                Known::Nothing => {}
                Known::Beam(beam) => beam.see(model, state, work, *body),
                Known::Elements(part) => part.see(model, state, work, *body),
            }
        }
    }

    /// What the forces of the rows so far will do once the bodies give way to them: for an instant at the start.
    pub fn settled_verdicts(&self, model: &Model) -> Vec<ModeVerdict> {
        let mut settled = self.clone();
        for watched in &mut settled.bodies {
            match &mut watched.known {
                Known::Nothing => {}
                Known::Beam(beam) => {
                    beam.worst.iter_mut().for_each(|worst| worst.acting = worst.acting.max(worst.still));
                }
                Known::Elements(part) => part.settle(),
            }
        }
        settled.verdicts(model)
    }

    /// What was found, body by body and family by family.
    pub fn verdicts(&self, model: &Model) -> Vec<ModeVerdict> {
        let mut list = Vec::new();
        for watched in &self.bodies {
            let name = &model.bodies[watched.body].name;
            match &watched.known {
                Known::Beam(beam) => beam.verdicts(model, watched.body, &mut list),
                Known::Elements(part) => {
                    list.push(part.verdict(model, watched.body, |source| words(model, watched.body, source)));
                }
                Known::Nothing => list.push(ModeVerdict {
                    body: name.clone(),
                    family: Family::Any,
                    count: model.bodies[watched.body].modes,
                    missing: None,
                    deflection: 0.0,
                    unknown: "nothing is known of the body beyond its modes",
                    load: String::new(),
                    resonance: None,
                    remedy: None,
                }),
            }
        }
        list
    }

    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        for watched in &mut self.bodies {
            match &mut watched.known {
                Known::Nothing => {}
                Known::Beam(beam) => beam.remember(tape),
                Known::Elements(part) => part.remember(tape),
            }
        }
    }
}

impl Followed {
    fn remember(&mut self, tape: &mut Tape) {
        self.rows.iter_mut().for_each(|count| tape.count(count));
        for worst in &mut self.worst {
            for number in [&mut worst.missing, &mut worst.acting, &mut worst.still, &mut worst.deflection] {
                tape.number(number);
            }
            worst.internal.iter_mut().chain(&mut worst.residual).for_each(|pair| tape.numbers(pair));
            worst.forces.iter_mut().for_each(|wrench| tape.numbers(wrench));
        }
    }

    fn new(model: &Model, k: usize, input: &BeamInput) -> Option<Self> {
        let (body, n) = (&model.bodies[k], model.bodies[k].modes);
        let acting = Acting::new(model, k, true);
        let beam = Beam::new(input, &acting, body.curvature.is_some())?;
        let mut factor: Vec<f64> = (0..n * n).map(|i| body.stiffness.entry(i / n, i % n, n)).collect();
        cholesky_in_place(&mut factor, n).ok()?;
        let (sections, forces) = (beam.sections.len(), acting.list.len());
        let worst = Worst {
            internal: vec![[0.0; 2]; sections],
            residual: vec![[0.0; 2]; sections],
            forces: vec![[0.0; 6]; forces],
            ..Worst::default()
        };
        Some(Self {
            acting,
            beam,
            factor,
            eta: vec![0.0; n],
            eta_static: vec![0.0; n],
            internal: vec![[[0.0; 2]; 4]; sections],
            worst: [worst.clone(), worst.clone(), worst.clone(), worst],
            rows: [0; 2],
        })
    }

    fn see(&mut self, model: &Model, state: &State, work: &Workspace, k: usize) {
        self.acting.fill(model, state, work);
        let imbalance = self.acting.imbalance();
        if imbalance.is_nan() || imbalance > UNBALANCED {
            self.rows[1] += 1;
            return;
        }
        self.rows[0] += 1;
        let part = layout_of(model, k);
        let eta = &state.q[part.modal_q()];
        self.held(model, state, work, k);
        let (acting, beam) = (&self.acting, &self.beam);
        beam.internal_forces(acting, eta, |i| acting.list[i].still, &mut self.internal);
        for family in 0..4 {
            self.see_family(family, eta);
        }
    }

    /// What elastic and damping forces of the modes amount to, as modal coordinates.
    fn held(&mut self, model: &Model, state: &State, work: &Workspace, k: usize) {
        let (part, body) = (layout_of(model, k), &model.bodies[k]);
        self.eta.fill(0.0);
        body.damping.accumulate(&state.v[part.modal_v()], &mut self.eta);
        let loads = model.loads.iter().enumerate().filter(|(_, load)| load.body.0 == k);
        for (index, load) in loads {
            let factor = work.load.body_scale[index];
            self.eta.iter_mut().zip(&load.modal).for_each(|(x, force)| *x -= factor * force);
        }
        let forces = self.eta.iter().zip(&self.acting.vibration);
        self.eta_static.iter_mut().zip(forces).for_each(|(x, (held, inertia))| *x = held - inertia);
        let n = self.eta.len();
        for list in [&mut self.eta, &mut self.eta_static] {
            solve_lower(&self.factor, n, list);
            solve_lower_transposed(&self.factor, n, list);
            list.iter_mut().zip(&state.q[part.modal_q()]).for_each(|(x, eta)| *x += eta);
        }
    }

    fn see_family(&mut self, family: usize, bent: &[f64]) {
        let beam = &self.beam;
        let rigidities = beam.rigidities(family);
        if rigidities[0] <= 0.0 {
            return;
        }
        let energy =
            |weight: f64, [e, g]: Pair| 0.5 * weight * (rigidities[0] * e * e + rigidities[1] * g * g);
        let residual = |i: usize| {
            let section = &beam.sections[i];
            let all = beam.strain(rigidities, &self.internal[i][family]);
            let [main, shear] = beam.modal_strain(family, section, &self.eta_static);
            [all[0] - (main + beam.strain_beyond(family, section, bent)), all[1] - shear]
        };
        let scale = if family == 0 { beam.input.length } else { 1.0 };
        let (mut missing, mut acting, mut still, mut deflection) = (0.0, 0.0, 0.0, 0.0);
        // One visit to every section: the judge sees every row of a run.
        for (section, internal) in beam.sections.iter().zip(&self.internal) {
            let all = beam.strain(rigidities, &internal[family]);
            let beyond = beam.strain_beyond(family, section, bent);
            let [main, shear] = beam.modal_strain(family, section, &self.eta_static);
            missing += energy(section.weight, [all[0] - (main + beyond), all[1] - shear]);
            let [main, shear] = beam.modal_strain(family, section, &self.eta);
            let held = [main + beyond, shear];
            acting += energy(section.weight, held);
            still += energy(section.weight, all);
            deflection += section.weight * all[0].abs().max(held[0].abs()) / scale;
        }
        let worst = &mut self.worst[family];
        worst.acting = worst.acting.max(acting);
        worst.still = worst.still.max(still);
        worst.deflection = worst.deflection.max(deflection);
        if missing > worst.missing {
            worst.missing = missing;
            for i in 0..beam.sections.len() {
                (worst.internal[i], worst.residual[i]) = (self.internal[i][family], residual(i));
            }
            let forces = worst.forces.iter_mut().zip(&self.acting.list);
            forces.for_each(|(kept, force)| *kept = force.still);
        }
    }

    fn verdicts(&self, model: &Model, k: usize, list: &mut Vec<ModeVerdict>) {
        let largest = self.worst.iter().map(|worst| worst.deflection).fold(0.0, f64::max);
        for (family, worst) in self.worst.iter().enumerate() {
            let count = self.beam.count(family);
            let least = if count == 0 { HARDLY_STRAINED } else { HARDLY_BENT };
            let bends = worst.deflection > least;
            let mut verdict = ModeVerdict {
                body: model.bodies[k].name.clone(),
                family: FAMILIES[family].0,
                count,
                missing: None,
                deflection: worst.deflection,
                unknown: "which hardly deform",
                load: String::new(),
                resonance: None,
                remedy: None,
            };
            if self.rows[0] == 0 || self.rows[1] > self.rows[0] {
                verdict.unknown = "as the forces on it do not balance";
            } else if bends && worst.reference() > 0.0 {
                self.fill_verdict(model, k, family, worst.deflection / largest, &mut verdict);
            }
            if count > 0 || verdict.is_alarm() {
                list.push(verdict);
            }
        }
    }

    /// `part` is the deflection of the family as a share of that of the body.
    fn fill_verdict(&self, model: &Model, k: usize, family: usize, part: f64, verdict: &mut ModeVerdict) {
        let worst = &self.worst[family];
        let share = part * worst.missing / worst.reference();
        let source = self.main_source(family);
        verdict.load = words(model, k, source);
        verdict.missing = Some(share);
        if let Some((input, own)) = self.resonance(model, k, family) {
            let near = (1.0 - (input / own).powi(2)).abs().max(NEAREST);
            if near < 1.0 {
                verdict.missing = Some((share / near).min(1.0));
                let matters = share / near > MISSING_LIMIT && near < 0.5;
                verdict.resonance = matters.then_some((input / TAU, own / TAU));
            }
        }
        if verdict.is_alarm() {
            let factor = verdict.missing.unwrap_or(0.0) * worst.reference() / worst.missing;
            verdict.remedy = remedy(&self.beam, family, worst, factor);
        }
    }

    /// The source whose forces do most work on the missing deflection.
    fn main_source(&self, family: usize) -> Source {
        let (beam, worst) = (&self.beam, &self.worst[family]);
        let mut shares: Vec<(Source, f64)> = Vec::new();
        let mut alone = vec![[[0.0; 2]; 4]; beam.sections.len()];
        let still = vec![0.0; self.eta.len()];
        for i in 1..self.acting.list.len() {
            let of = |j: usize| if j == i { worst.forces[j] } else { [0.0; 6] };
            beam.internal_forces(&self.acting, &still, of, &mut alone);
            let sections = beam.sections.iter().zip(&alone).zip(&worst.residual);
            let work: f64 = sections
                .map(|((section, at), missing)| {
                    section.weight * (at[family][0] * missing[0] + at[family][1] * missing[1])
                })
                .sum();
            let source = self.acting.list[i].source;
            match shares.iter_mut().find(|(known, _)| *known == source) {
                Some((_, sum)) => *sum += work,
                None => shares.push((source, work)),
            }
        }
        let best = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(Source::Mass, |(source, _)| *source)
    }

    /// The harmonic input on this body nearest to the frequency of the missing shape (both rad/s).
    fn resonance(&self, model: &Model, k: usize, family: usize) -> Option<(f64, f64)> {
        let own = self.beam.frequency(family, &self.worst[family].residual);
        let mut inputs = Vec::new();
        let here = |frame: usize| model.frames[frame].body.is_some_and(|body| body.0 == k);
        let forces = model.forces.iter().filter(|force| here(force.frame.0));
        forces.filter_map(|force| force.scale.as_ref()).for_each(|scale| frequencies(scale, &mut inputs));
        let loads = model.loads.iter().filter(|load| load.body.0 == k);
        loads.filter_map(|load| load.scale.as_ref()).for_each(|scale| frequencies(scale, &mut inputs));
        let joints = (0..model.body_count()).filter(|j| *j == k || model.joints[*j].parent == Some(k));
        for coordinate in joints.flat_map(|j| &model.joints[j].coordinates) {
            let functions = coordinate.motion.iter().chain(&coordinate.effort);
            functions.for_each(|function| frequencies(function, &mut inputs));
        }
        let distance = |input: &f64| (1.0 - (input / own).powi(2)).abs();
        let nearest = inputs.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        own.is_finite().then_some((nearest, own))
    }
}

/// Angular frequencies of harmonic parts of an input (rad/s).
fn frequencies(function: &TimeFunction, out: &mut Vec<f64>) {
    match function {
        TimeFunction::Harmonic { angular_frequency, .. } => out.push(angular_frequency.abs()),
        TimeFunction::Piecewise { pieces, .. } => pieces.iter().for_each(|piece| frequencies(piece, out)),
        _ => {}
    }
}

/// `` the load at `arm.tip` `` and so on.
fn words(model: &Model, k: usize, source: Source) -> String {
    match source {
        Source::Mass => "its weight and inertia".into(),
        Source::Spread(index) => format!("load `{}`", model.loads[index].name),
        Source::Attachment(index) => {
            let here = |frame: &&crate::model::Frame| {
                frame.body.is_some_and(|body| body.0 == k) && frame.mount.attachment == index
            };
            let found = model.frames.iter().find(here);
            found.map_or("a joint".into(), |frame| format!("what acts at `{}`", frame.name))
        }
    }
}
