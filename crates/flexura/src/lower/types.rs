//! Records of bodies with their joints: words and numbers, equal ones once.

use super::words::{TYPE_WORDS, TypeWord};
use super::{Refusal, functions};
use crate::model::body::{Attachment, Body, InertiaModel, ModalMatrix, NodeShape};
use crate::model::description::AttachmentRule;
use crate::model::joint::JointKind;
use crate::model::{Coordinate, FixedMount, Model, layout_of};
use crate::motion::kinematics::{Kinematics, inboard_deforms};
use crate::spatial::Vector3;
use std::collections::HashMap;

/// A record under construction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Record {
    words: [i32; TYPE_WORDS],
    /// Bits of the numbers; places in the words are relative to their start.
    numbers: Vec<u64>,
}

/// All records and the tables they lie in.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    pub words: Vec<i32>,
    pub numbers: Vec<f64>,
    pub functions: Vec<f64>,
    known: HashMap<Record, usize>,
    known_groups: HashMap<Vec<u64>, usize>,
    known_functions: HashMap<Vec<u64>, usize>,
    /// Most rows of level `gram` so far.
    pub largest_rows: usize,
}

/// How a point of a body follows its modes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Follows {
    Still = 0,
    Frozen = 1,
    Moving = 2,
}

fn follows(body: &Body, index: usize) -> Follows {
    follows_point(body, &body.attachments[index])
}

pub(super) fn follows_point(body: &Body, attachment: &Attachment) -> Follows {
    if body.modes == 0 || attachment.rigid {
        Follows::Still
    } else if attachment.constant {
        Follows::Frozen
    } else {
        Follows::Moving
    }
}

impl Record {
    fn set(&mut self, word: TypeWord, value: i32) {
        self.words[word as usize] = value;
    }

    /// Begins a group of numbers at `word`.
    fn group(&mut self, word: TypeWord) {
        self.words[word as usize] = self.numbers.len() as i32;
    }

    fn push(&mut self, numbers: impl IntoIterator<Item = f64>) {
        // Adding zero turns −0 into +0: equal numbers have equal bits.
        self.numbers.extend(numbers.into_iter().map(|x| (x + 0.0).to_bits()));
    }

    fn vectors(&mut self, list: &[Vector3]) {
        self.push(list.iter().flatten().copied());
    }
}

impl Types {
    /// The number of the record of body `k`.
    pub fn of(&mut self, model: &Model, kin: &Kinematics<f64>, k: usize) -> usize {
        let record = self.record(model, kin, k);
        if let Some(&index) = self.known.get(&record) {
            return index;
        }
        let index = self.words.len() / TYPE_WORDS;
        let mut words = record.words;
        self.place_groups(&mut words, &record.numbers);
        self.words.extend(words);
        self.known.insert(record, index);
        index
    }

    /// Puts the groups of numbers of a record into the table, equal ones once: bodies that differ in their joints alone read the same
    /// mass, so that threads side by side do.
    fn place_groups(&mut self, words: &mut [i32; TYPE_WORDS], numbers: &[u64]) {
        let places = TypeWord::JointAt as usize..TYPE_WORDS;
        // Points that are nowhere stay so.
        let mut starts: Vec<usize> =
            words[places.clone()].iter().filter_map(|&at| at.try_into().ok()).collect();
        starts.extend([0, numbers.len()]);
        starts.sort_unstable();
        starts.dedup();
        let mut moved = HashMap::from([(numbers.len(), self.numbers.len())]);
        for pair in starts.windows(2) {
            let group = &numbers[pair[0]..pair[1]];
            let at = match self.known_groups.get(group) {
                Some(&at) => at,
                None => {
                    let at = self.numbers.len();
                    self.numbers.extend(group.iter().map(|&bits| f64::from_bits(bits)));
                    self.known_groups.insert(group.to_vec(), at);
                    at
                }
            };
            moved.insert(pair[0], at);
        }
        for word in &mut words[places] {
            if let Some(at) = usize::try_from(*word).ok().and_then(|start| moved.get(&start)) {
                *word = *at as i32;
            }
        }
    }

    /// What decides how many fields a body needs, and which paths the kernels take.
    pub fn shape(&self, index: usize) -> [i32; 7] {
        use TypeWord::{Dof, Fixed, Influence, Inner, Modes, Nq, ParentModes};
        let words = &self.words[index * TYPE_WORDS..(index + 1) * TYPE_WORDS];
        [Dof, Fixed, Influence, Inner, Modes, Nq, ParentModes].map(|word| words[word as usize])
    }

    /// Refuses tables whose places do not fit into words.
    pub fn fit(&self, model: &Model) -> Result<(), Vec<Refusal>> {
        if i32::try_from(self.numbers.len()).is_ok() {
            return Ok(());
        }
        let reason = "has so many different bodies that their numbers do not fit into the tables of a device";
        Err(vec![Refusal { item: format!("model `{}`", model.name), reason: reason.into() }])
    }

    fn record(&mut self, model: &Model, kin: &Kinematics<f64>, k: usize) -> Record {
        let (body, joint, part) = (&model.bodies[k], &model.joints[k], layout_of(model, k));
        let mut record = Record { words: [0; TYPE_WORDS], numbers: Vec::new() };
        let kind = &joint.joint.kind;
        record.set(TypeWord::Kind, kind_number(kind));
        record.set(TypeWord::Dof, part.joint_v as i32);
        record.set(TypeWord::Nq, part.joint_q as i32);
        record.set(TypeWord::Reversed, i32::from(joint.joint.reversed));
        record.set(TypeWord::Modes, part.modes as i32);
        record.set(TypeWord::Rule, i32::from(body.rule == AttachmentRule::LambdaEtad));
        points(model, kin, k, &mut record);
        place_joint(model, k, &mut record);
        self.mass(body, &mut record);
        record.group(TypeWord::StiffnessAt);
        let kind = modal_matrix(&body.stiffness, &mut record);
        record.set(TypeWord::Stiffness, kind);
        record.group(TypeWord::DampingAt);
        let kind = modal_matrix(&body.damping, &mut record);
        record.set(TypeWord::Damping, kind);
        self.laws(&joint.coordinates, &mut record);
        record
    }

    fn mass(&mut self, body: &Body, record: &mut Record) {
        record.group(TypeWord::MassAt);
        match &body.inertia {
            InertiaModel::Rigid(inertia) => {
                record.push([inertia.linear[0]]);
                record.push(inertia.mass_moment());
                record.push(inertia.angular);
            }
            InertiaModel::Ruthless(inertia) => {
                record.set(TypeWord::Level, 1);
                let rigid = &inertia.rigid;
                record.push([rigid.linear[0]]);
                record.push(rigid.mass_moment());
                record.push(rigid.angular);
                record.push(inertia.coupling.iter().flatten().copied());
                lower_triangle(&inertia.modal, body.modes, record);
                record.push(inertia.quadratic.iter().flatten().copied());
            }
            InertiaModel::Gram(inertia) => {
                record.set(TypeWord::Level, 2);
                let (mass, root, rows) = inertia.parts();
                self.largest_rows = self.largest_rows.max(rows.origin.len());
                record.set(TypeWord::Rows, rows.origin.len() as i32);
                record.set(TypeWord::Curved, rows.curved as i32);
                record.set(TypeWord::Residual, rows.residual as i32);
                record.set(TypeWord::Carriers, rows.places.len() as i32);
                record.push([mass, root]);
                record.push(rows.origin.iter().copied());
                record.push(rows.base.iter().copied());
                record.push(rows.curvature.iter().copied());
                lower_triangle(&rows.constant, body.modes, record);
                record.push(rows.lift.iter().copied());
                let linear = &rows.linear_body;
                record.push(linear.inertia0);
                record.push(linear.inertia1.iter().flatten().copied());
                record.vectors(&linear.angular0);
                record.push(linear.inertia2.iter().flatten().copied());
                record.set(TypeWord::Angular1, i32::from(!linear.angular1.is_empty()));
                record.vectors(&linear.angular1);
                record.group(TypeWord::PlacesAt);
                record.push(rows.places.iter().flatten().map(|&row| row as f64));
            }
            // Refused before.
            _ => {}
        }
    }

    fn laws(&mut self, coordinates: &[Coordinate], record: &mut Record) {
        let spring = coordinates.iter().any(|c| c.stiffness != 0.0);
        let other = coordinates.iter().any(|c| c.damping != 0.0 || c.friction != 0.0 || c.effort.is_some());
        record.set(TypeWord::Law, i32::from(spring) + 2 * i32::from(other));
        record.group(TypeWord::LawAt);
        let mut prescribed = 0;
        for c in coordinates {
            record.push([c.stiffness, c.rest, c.damping, c.friction, c.friction_speed]);
        }
        record.group(TypeWord::FunctionsAt);
        for (i, c) in coordinates.iter().enumerate() {
            for function in [&c.effort, &c.motion] {
                let at = function.as_ref().map_or(-1.0, |function| self.function(function) as f64);
                record.push([at]);
            }
            prescribed |= i32::from(c.motion.is_some()) << i;
        }
        record.set(TypeWord::Prescribed, prescribed);
    }

    /// Where a function of time stands.
    pub fn function(&mut self, function: &crate::time_function::TimeFunction) -> usize {
        // Piecewise functions hold places of their pieces, which differ from copy to copy: compared as written alone.
        let mut alone = Vec::new();
        functions::append(function, &mut alone);
        let key: Vec<u64> = alone.iter().map(|x| x.to_bits()).collect();
        if let Some(&at) = self.known_functions.get(&key) {
            return at;
        }
        let at = functions::append(function, &mut self.functions);
        self.known_functions.insert(key, at);
        at
    }
}

fn lower_triangle(full: &[f64], n: usize, record: &mut Record) {
    for r in 0..n {
        record.push(full[r * n..=r * n + r].iter().copied());
    }
}

fn modal_matrix(matrix: &ModalMatrix, record: &mut Record) -> i32 {
    match matrix {
        ModalMatrix::Zero => 0,
        ModalMatrix::Diagonal(diagonal) => {
            record.push(diagonal.iter().copied());
            1
        }
        ModalMatrix::Full(full) => {
            record.push(full.iter().copied());
            2
        }
    }
}

fn kind_number(kind: &JointKind) -> i32 {
    match kind {
        JointKind::Weld => 0,
        JointKind::Revolute { .. } => 1,
        JointKind::Prismatic { .. } => 2,
        JointKind::Cylindrical { .. } => 3,
        JointKind::Helical { .. } => 4,
        JointKind::Universal { .. } => 5,
        JointKind::Spherical => 6,
        JointKind::Planar => 7,
        JointKind::Translational => 8,
        JointKind::Free => 9,
        // Joints that close loops are refused before (`lower/refuse.rs`).
        JointKind::Rolling { .. } | JointKind::Blade { .. } => 0,
    }
}

/// Points at both ends of the joint and how the carrier's moves.
fn points(model: &Model, kin: &Kinematics<f64>, k: usize, record: &mut Record) {
    let (body, joint) = (&model.bodies[k], &model.joints[k]);
    let inner = joint.inner.attachment;
    record.set(TypeWord::Inner, follows(body, inner) as i32);
    record.group(TypeWord::InnerAt);
    point(&body.attachments[inner], body.modes, record);
    if follows(body, inner) == Follows::Frozen {
        record.group(TypeWord::InboardAt);
        record.push(kin.inboard[layout_of(model, k).modal()].iter().flatten().copied());
    }
    record.set(TypeWord::OuterAt, -1);
    let Some(p) = joint.parent else { return };
    let (parent, outer) = (&model.bodies[p], joint.outer.attachment);
    record.set(TypeWord::ParentModes, parent.modes as i32);
    record.set(TypeWord::ParentRule, i32::from(parent.rule == AttachmentRule::LambdaEtad));
    if outer != 0 {
        record.set(TypeWord::Outer, follows(parent, outer) as i32);
        record.group(TypeWord::OuterAt);
        point(&parent.attachments[outer], parent.modes, record);
    }
    let hinge = model.joints[p].inner.attachment;
    let (hinge_moves, point_moves) =
        (follows(parent, hinge), if outer == 0 { Follows::Still } else { follows(parent, outer) });
    record.set(TypeWord::ParentInner, hinge_moves as i32);
    let influenced = parent.modes > 0
        && outer != hinge
        && (inboard_deforms(model, p) || (outer != 0 && point_moves != Follows::Still));
    if !influenced {
        return;
    }
    let moving = hinge_moves == Follows::Moving || point_moves == Follows::Moving;
    record.set(TypeWord::Influence, if moving { 2 } else { 1 });
    if moving {
        record.group(TypeWord::ParentInnerAt);
        point(&parent.attachments[hinge], parent.modes, record);
    } else {
        record.group(TypeWord::InfluenceAt);
        let columns = &kin.influence[layout_of(model, p).influence(outer)];
        record.push(columns.iter().flatten().copied());
    }
}

fn point(attachment: &Attachment, modes: usize, record: &mut Record) {
    record.push(point_numbers(attachment, modes));
}

/// Numbers of a point of a body with `modes` modes.
pub(super) fn point_numbers(attachment: &Attachment, modes: usize) -> Vec<f64> {
    let shape: &NodeShape = &attachment.shape;
    let turn = shape.turn.as_ref();
    let bent = turn.is_some_and(|turn| !turn.quadratic.is_empty());
    let sixth = if turn.is_some_and(|turn| turn.cubic) { 1.0 / 6.0 } else { 0.0 };
    let flag = |on: bool| f64::from(u8::from(on));
    let mut out = vec![flag(!shape.quadratic.is_empty()), flag(turn.is_some()), flag(bent), sixth];
    out.extend(shape.position);
    if modes > 0 {
        let second = turn.map_or(&[][..], |turn| &turn.quadratic);
        for list in [&shape.slopes, &shape.translations, &shape.quadratic, second] {
            out.extend(list.iter().flatten());
        }
    }
    out
}

/// One axis between still points (1), or on a point that its carrier's modes move (2); `None` for all others.
fn one_axis(model: &Model, k: usize, record: &Record) -> Option<(i32, FixedMount)> {
    let joint = &model.joints[k];
    let word = |word: TypeWord| record.words[word as usize];
    let moved = word(TypeWord::Influence) == 2;
    if let Some(mount) = joint.fixed.as_ref().filter(|_| !moved) {
        return Some((1, mount.clone()));
    }
    let inner = &model.bodies[k].attachments[joint.inner.attachment];
    let mounted =
        word(TypeWord::Outer) == Follows::Moving as i32 && word(TypeWord::Inner) == Follows::Still as i32;
    let mount = FixedMount::new(&joint.joint, &joint.outer, &joint.inner, &inner.shape.position)?;
    mounted.then_some((2, mount))
}

/// Numbers of the joint itself.
fn place_joint(model: &Model, k: usize, record: &mut Record) {
    let joint = &model.joints[k];
    record.group(TypeWord::JointAt);
    if let Some((kind, mount)) = one_axis(model, k, record) {
        record.set(TypeWord::Fixed, kind);
        record.set(TypeWord::Turns, i32::from(mount.turns));
        record.push(mount.rotation.iter().flatten().flatten().copied());
        record.push(mount.offset.iter().flatten().copied());
        record.push(mount.slide);
        record.push(mount.column);
        let outer = joint.outer.attachment;
        let lever = joint.parent.filter(|_| outer != 0 && kind == 1);
        record.push(lever.map_or([0.0; 3], |p| model.bodies[p].attachments[outer].shape.position));
        return;
    }
    let (axis, axis2, pitch) = match joint.joint.kind {
        JointKind::Revolute { axis } | JointKind::Prismatic { axis } | JointKind::Cylindrical { axis } => {
            (axis, [0.0; 3], 0.0)
        }
        JointKind::Helical { axis, pitch } => (axis, [0.0; 3], pitch),
        JointKind::Universal { axis, axis2 } => (axis, axis2, 0.0),
        _ => ([0.0; 3], [0.0; 3], 0.0),
    };
    record.push(axis);
    record.push(axis2);
    record.push([pitch]);
    record.push(joint.outer.position);
    record.push(joint.outer.rotation.iter().flatten().copied());
    record.push(joint.inner.position);
    record.push(joint.inner.rotation.iter().flatten().copied());
}
