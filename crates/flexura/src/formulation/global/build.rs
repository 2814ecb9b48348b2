//! From a model to its natural coordinates, constraints and sparse pattern.

use super::base::{Base, choose_base};
use super::equation::{Equation, Form};
use super::forces::FramePoint;
use super::frame::{FrameMap, Weights};
use super::inertia::{BodyInertia, InertiaRoute, InertiaWork};
use super::joint_ends::{End, JointEnds, joint_ends, normals};
use super::natural::Natural;
use super::operand::{LinearOperand, Operands, Source};
use super::plane::{Plane, Survey};
use super::pose::body_motions;
use super::sharing::{BodyUses, Naturals, common_origin, share};
use super::sparse::SparsePattern;
use super::{Dimensions, GlobalOptions};
use crate::model::description::InertiaLevel;
use crate::model::joint::JointKind;
use crate::model::{Coordinate, FrameId, Model};
use crate::spatial::{Vector3, dot, matrix_vector, transposed_matrix_vector};
use crate::state::State;
use crate::time_function::TimeFunction;
use std::collections::{HashMap, HashSet};

/// Why a model has no global formulation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GlobalError {
    /// The model has something the formulation does not know.
    #[error("the global formulation does not know {what} ({item}): {fix}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// Where it is.
        item: String,
        /// What to do.
        fix: &'static str,
    },
}

/// Where an element that moves is found on a body.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub natural: usize,
    pub body: usize,
    pub attachment: usize,
    pub local: Vector3,
}

/// What is known once the elements are chosen.
struct Parts {
    naturals: Naturals,
    joints: Vec<JointEnds>,
    placements: Vec<Placement>,
}

/// The first place of each element.
fn placements(uses: &[BodyUses], count: usize) -> Vec<Placement> {
    let mut seen = vec![false; count];
    let mut list = Vec::new();
    for (body, all) in uses.iter().enumerate() {
        for entry in all.points.iter().chain(&all.vectors) {
            if !std::mem::replace(&mut seen[entry.natural], true) {
                let (natural, attachment, local) = (entry.natural, entry.attachment, entry.local);
                list.push(Placement { natural, body, attachment, local });
            }
        }
    }
    list
}

/// A force law on a measured joint coordinate.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub equation: Equation,
    pub coordinate: Coordinate,
    /// Where the coordinate is in a state of the tree; `None` for a joint that closes a loop.
    pub in_tree: Option<usize>,
}

/// Natural coordinates and constraints of one model; never changes.
#[derive(Clone, Debug)]
pub struct GlobalModel {
    pub(super) options: GlobalOptions,
    pub(super) naturals: Naturals,
    pub(super) maps: Vec<FrameMap>,
    /// First modal coordinate of each body.
    pub(super) modal: Vec<usize>,
    /// Coordinates of each body: frame, then modes.
    pub(super) body_columns: Vec<Vec<usize>>,
    pub(super) inertias: Vec<(BodyInertia, InertiaWork)>,
    /// Deforming attachments that operands, loads and elements need: (body, attachment).
    pub(super) deforming: Vec<(usize, usize)>,
    pub(super) operands: Operands,
    pub(super) equations: Vec<Equation>,
    /// Motion that an equation follows.
    pub(super) drivers: Vec<Option<TimeFunction>>,
    pub(super) laws: Vec<Law>,
    /// The frames of the model, as loads and elements meet them.
    pub(super) points: Vec<FramePoint>,
    pub(super) joints: Vec<JointEnds>,
    pub(super) jacobian_entries: usize,
    pub(super) coordinates: usize,
    pub(super) pattern: SparsePattern,
    pub(super) body_slots: Vec<Vec<usize>>,
    pub(super) equation_slots: Vec<Vec<usize>>,
    pub(super) law_slots: Vec<Vec<usize>>,
    /// Coordinates that each element couples.
    pub(super) element_columns: Vec<Vec<usize>>,
    pub(super) element_slots: Vec<Vec<usize>>,
    /// One place on a body of every element that moves.
    pub(super) placements: Vec<Placement>,
}

impl GlobalModel {
    /// Natural coordinates of `model` at its initial state.
    pub fn new(model: &Model, options: &GlobalOptions) -> Result<Self, GlobalError> {
        let state = State::initial(model, 0.0);
        Self::at(model, options, &state)
    }

    /// Natural coordinates of `model` chosen at `state`.
    pub fn at(model: &Model, options: &GlobalOptions, state: &State) -> Result<Self, GlobalError> {
        let joints = joint_ends(model);
        refuse_unknown(model, &joints, options)?;
        let motions = body_motions(model, state);
        let survey = Survey { model, state, motions: &motions, joints: &joints };
        let plane = if options.dimensions == Dimensions::Automatic { survey.plane() } else { None };
        let origin = common_origin(&survey);
        let mut naturals = Naturals { plane, origin, ..Naturals::default() };
        let mut uses = share(&survey, &mut naturals);
        let bases: Vec<Base> = (0..model.body_count())
            .map(|k| choose_base(&model.bodies[k], &mut uses[k], &motions[k], &mut naturals))
            .collect();
        let mut builder = Builder::new(model, &naturals, &bases);
        builder.body_equations(&bases, &uses);
        for (index, joint) in joints.iter().enumerate() {
            builder.joint_equations(&survey, joint);
            let first = model.layout.bodies.get(index).map(|part| part.joint_q().start);
            builder.joint_laws(joint, first)?;
        }
        let placements = placements(&uses, naturals.list.len());
        let parts = Parts { naturals: naturals.clone(), joints: joints.clone(), placements };
        Ok(builder.finish(model, *options, parts))
    }

    /// Number of coordinates, modal amplitudes included.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates
    }

    /// Number of constraint equations.
    pub fn constraint_count(&self) -> usize {
        self.equations.len()
    }

    /// The plane of motion, where two components per point and vector suffice.
    pub fn plane(&self) -> Option<&Plane> {
        self.naturals.plane.as_ref()
    }

    /// The points and unit vectors.
    pub fn naturals(&self) -> &[Natural] {
        &self.naturals.list
    }

    /// The pattern of the tangent matrix and its factor.
    pub fn pattern(&self) -> &SparsePattern {
        &self.pattern
    }

    /// Modal coordinates of body `k`.
    pub(super) fn modes(&self, k: usize) -> std::ops::Range<usize> {
        self.modal[k]..self.modal[k] + self.inertias[k].1.bias_modal.len()
    }
}

fn refuse_unknown(model: &Model, joints: &[JointEnds], options: &GlobalOptions) -> Result<(), GlobalError> {
    let no = |what, item: &str, fix| Err(GlobalError::Unsupported { what, item: item.to_string(), fix });
    if let Some(controller) = model.controllers.first() {
        return no("controllers", &controller.name, "use the recursive formulation");
    }
    if let Some(coupler) = model.couplers.first() {
        return no("couplers", &coupler.name, "use the recursive formulation");
    }
    for joint in joints {
        if matches!(joint.kind, JointKind::Helical { .. }) {
            return no("helical joints", &joint.name, "use the recursive formulation");
        }
    }
    for body in model.bodies.iter().filter(|body| body.modes > 0) {
        let known = matches!(body.level(), InertiaLevel::Consistent | InertiaLevel::Full);
        if !known && options.inertia == InertiaRoute::ByLevel {
            return no("this inertia level", &body.name, "give the body level = \"consistent\" or \"full\"");
        }
    }
    Ok(())
}

/// Key of an operand: body, attachment, bits of its local components, whether it is a point.
type OperandKey = (usize, usize, [u64; 3], bool);

struct Builder<'a> {
    model: &'a Model,
    naturals: &'a Naturals,
    maps: Vec<FrameMap>,
    modal: Vec<usize>,
    operands: Operands,
    known: HashMap<OperandKey, usize>,
    natural_operands: Vec<Option<usize>>,
    deforming: Vec<(usize, usize)>,
    equations: Vec<Equation>,
    drivers: Vec<Option<TimeFunction>>,
    laws: Vec<Law>,
    entries: usize,
}

impl<'a> Builder<'a> {
    fn new(model: &'a Model, naturals: &'a Naturals, bases: &[Base]) -> Self {
        let mut next = naturals.coordinates;
        let modal = model.bodies.iter().map(|body| {
            let first = next;
            next += body.modes;
            first
        });
        Self {
            model,
            naturals,
            maps: bases.iter().map(|base| base.map.clone()).collect(),
            modal: modal.collect(),
            operands: Operands::default(),
            known: HashMap::new(),
            natural_operands: vec![None; naturals.list.len()],
            deforming: Vec::new(),
            equations: Vec::new(),
            drivers: Vec::new(),
            laws: Vec::new(),
            entries: 0,
        }
    }

    /// Index of a deforming attachment among those evaluated.
    fn deformation(&mut self, body: usize, attachment: usize) -> Option<usize> {
        if self.model.bodies[body].attachments[attachment].rigid {
            return None;
        }
        let known = self.deforming.iter().position(|&known| known == (body, attachment));
        Some(known.unwrap_or_else(|| {
            self.deforming.push((body, attachment));
            self.deforming.len() - 1
        }))
    }

    /// The operand of an element.
    fn natural_operand(&mut self, natural: usize) -> usize {
        if let Some(known) = self.natural_operands[natural] {
            return known;
        }
        let mut operand = LinearOperand::default();
        operand.add_natural(&self.naturals.list[natural], 1.0, None);
        let index = self.operands.add_linear(operand);
        self.natural_operands[natural] = Some(index);
        index
    }

    /// The operand of a point or direction on a body or on the ground.
    fn body_operand(
        &mut self,
        body: Option<usize>,
        attachment: usize,
        local: &Vector3,
        point: bool,
    ) -> usize {
        let key = (body.map_or(0, |k| k + 1), attachment, local.map(f64::to_bits), point);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let index = match body {
            None => {
                let shift = if point { self.naturals.origin } else { [0.0; 3] };
                let constant = crate::spatial::sub(local, &shift);
                self.operands.add_linear(LinearOperand { constant, columns: Vec::new() })
            }
            Some(k) => match self.deformation(k, attachment) {
                None => {
                    let first = if point { 1.0 } else { 0.0 };
                    let weights: Weights = [first, local[0], local[1], local[2]];
                    self.operands.add_linear(LinearOperand::of_frame(&self.maps[k], &weights))
                }
                Some(deformation) => {
                    let modal = self.modal[k];
                    let source = Source::Carried { body: k, deformation, local: *local, point, modal };
                    self.operands.add_carried(source, &self.maps[k], self.model.bodies[k].modes)
                }
            },
        };
        self.known.insert(key, index);
        index
    }

    fn end_point(&mut self, end: &End) -> usize {
        self.body_operand(end.body, end.mount.attachment, &end.mount.position, true)
    }

    fn end_vector(&mut self, end: &End, direction: &Vector3) -> usize {
        let local = matrix_vector(&end.mount.rotation, direction);
        self.body_operand(end.body, end.mount.attachment, &local, false)
    }

    fn add_equation(&mut self, form: Form, driver: Option<TimeFunction>) {
        let equation = Equation::new(form, &self.operands, self.entries);
        if equation.columns.is_empty() {
            return;
        }
        self.entries += equation.columns.len();
        self.equations.push(equation);
        self.drivers.push(driver);
    }

    /// Lengths and angles of the base, and where every other element of the body must be.
    fn body_equations(&mut self, bases: &[Base], uses: &[BodyUses]) {
        let mut kept: HashMap<(usize, usize), ()> = HashMap::new();
        for (k, base) in bases.iter().enumerate() {
            let vectors: Vec<(usize, Vector3)> = base
                .vectors
                .iter()
                .map(|vector| {
                    let single = vector.terms.len() == 1;
                    let operand = if single {
                        self.natural_operand(vector.terms[0].0)
                    } else {
                        let mut sum = LinearOperand::default();
                        for &(natural, factor) in &vector.terms {
                            sum.add_natural(&self.naturals.list[natural], factor, None);
                        }
                        self.operands.add_linear(sum)
                    };
                    (operand, vector.local)
                })
                .collect();
            // The normal of the plane is perpendicular to every vector in it by construction.
            let first = usize::from(self.naturals.plane.is_some());
            for i in first..vectors.len() {
                for j in first..=i {
                    let ((a, x), (b, y)) = (vectors[i], vectors[j]);
                    if kept.insert((a.max(b), a.min(b)), ()).is_none() {
                        self.add_equation(Form::Product { a, b, value: dot(&x, &y) }, None);
                    }
                }
            }
            let entries =
                uses[k].points.iter().map(|e| (e, true)).chain(uses[k].vectors.iter().map(|e| (e, false)));
            for (entry, point) in entries.filter(|(entry, _)| !base.members.contains(&entry.natural)) {
                let a = self.natural_operand(entry.natural);
                let b = self.body_operand(Some(k), entry.attachment, &entry.local, point);
                for direction in self.components() {
                    self.add_equation(Form::Component { a, b, direction }, None);
                }
            }
        }
    }

    /// Directions in which elements are compared.
    fn components(&self) -> Vec<Vector3> {
        match &self.naturals.plane {
            Some(plane) => plane.directions.to_vec(),
            None => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    /// What a joint asks for beyond shared elements.
    fn joint_equations(&mut self, survey: &Survey<'_>, joint: &JointEnds) {
        let [first, second] = &joint.ends;
        match &joint.kind {
            JointKind::Universal { axis, axis2 } => {
                let a = self.end_vector(first, axis);
                let b = self.end_vector(second, axis2);
                self.add_equation(Form::Product { a, b, value: dot(axis, axis2) }, None);
            }
            JointKind::Cylindrical { axis } | JointKind::Prismatic { axis } => {
                let sides = match &self.naturals.plane {
                    None => normals(axis).to_vec(),
                    Some(plane) => {
                        let rotation = survey.end_motion(first).rotation;
                        let normal = transposed_matrix_vector(&rotation, &plane.normal);
                        vec![crate::spatial::cross(&normal, axis)]
                    }
                };
                for side in sides {
                    self.along_equation(joint, &side, None);
                }
            }
            JointKind::Planar if self.naturals.plane.is_none() => {
                self.along_equation(joint, &[0.0, 0.0, 1.0], None);
            }
            _ => {}
        }
        for (index, coordinate) in joint.coordinates.iter().enumerate() {
            if let (Some(motion), Some(form)) = (&coordinate.motion, self.measure(joint, index)) {
                self.add_equation(form, Some(motion.clone()));
            }
        }
    }

    fn along_equation(&mut self, joint: &JointEnds, direction: &Vector3, driver: Option<TimeFunction>) {
        let form = self.along(joint, direction);
        self.add_equation(form, driver);
    }

    fn along(&mut self, joint: &JointEnds, direction: &Vector3) -> Form {
        let a = self.end_vector(&joint.ends[0], direction);
        let b = self.end_point(&joint.ends[0]);
        let c = self.end_point(&joint.ends[1]);
        Form::Along { a, b, c }
    }

    /// How coordinate `index` of a joint is measured, where it can be.
    fn measure(&mut self, joint: &JointEnds, index: usize) -> Option<Form> {
        const AXES: [Vector3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let turn = |this: &mut Self, axis: &Vector3| {
            let [x, y] = normals(axis);
            let a = this.end_vector(&joint.ends[0], &x);
            let b = this.end_vector(&joint.ends[0], &y);
            let c = this.end_vector(&joint.ends[1], &x);
            Some(Form::Turn { a, b, c })
        };
        match (&joint.kind, index) {
            (JointKind::Revolute { axis }, _) | (JointKind::Cylindrical { axis }, 0) => turn(self, axis),
            (JointKind::Prismatic { axis } | JointKind::Cylindrical { axis }, _) => {
                Some(self.along(joint, axis))
            }
            (JointKind::Planar, 2) => turn(self, &AXES[2]),
            (JointKind::Planar | JointKind::Translational, i) => Some(self.along(joint, &AXES[i])),
            _ => None,
        }
    }

    /// Springs, dampers, friction and efforts of a joint, and motions that cannot be driven.
    fn joint_laws(&mut self, joint: &JointEnds, first: Option<usize>) -> Result<(), GlobalError> {
        for (index, c) in joint.coordinates.iter().enumerate() {
            let acts = c.stiffness != 0.0 || c.damping != 0.0 || c.friction != 0.0 || c.effort.is_some();
            if !acts && c.motion.is_none() {
                continue;
            }
            let Some(form) = self.measure(joint, index) else {
                return Err(GlobalError::Unsupported {
                    what: "springs, dampers, efforts and motions of spherical, universal and free joints",
                    item: joint.name.clone(),
                    fix: "use a force element between the two frames, or the recursive formulation",
                });
            };
            if acts {
                let equation = Equation::new(form, &self.operands, 0);
                let in_tree = first.map(|first| first + index);
                self.laws.push(Law { equation, coordinate: c.clone(), in_tree });
            }
        }
        Ok(())
    }

    fn finish(mut self, model: &Model, options: GlobalOptions, parts: Parts) -> GlobalModel {
        let Parts { naturals, joints, placements } = parts;
        let coordinates = naturals.coordinates + model.bodies.iter().map(|body| body.modes).sum::<usize>();
        let loaded = model.forces.iter().map(|force| force.frame);
        let loaded: HashSet<FrameId> =
            loaded.chain(model.elements.iter().flat_map(|element| element.frames)).collect();
        let mut points = Vec::with_capacity(model.frames.len());
        for (index, frame) in model.frames.iter().enumerate() {
            // Only frames that carry a load are followed.
            let body = frame.body.map(|body| body.0).filter(|_| loaded.contains(&FrameId(index)));
            let deformation = body.and_then(|k| self.deformation(k, frame.mount.attachment));
            points.push(FramePoint::new(body, deformation, &frame.mount));
        }
        let body_columns: Vec<Vec<usize>> = (0..model.body_count())
            .map(|k| {
                let frame = self.maps[k].columns.iter().map(|(c, _)| *c);
                frame.chain(self.modal[k]..self.modal[k] + model.bodies[k].modes).collect()
            })
            .collect();
        let element_columns: Vec<Vec<usize>> = model
            .elements
            .iter()
            .map(|element| {
                let bodies = element.frames.iter().filter_map(|id| points[id.0].body);
                let mut all: Vec<usize> = bodies.flat_map(|k| body_columns[k].iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        let mut cliques = body_columns.clone();
        cliques.extend(self.equations.iter().map(|equation| equation.columns.clone()));
        cliques.extend(self.laws.iter().map(|law| law.equation.columns.clone()));
        cliques.extend(element_columns.iter().cloned());
        let pattern = SparsePattern::new(coordinates, &cliques);
        let slots = |columns: &Vec<usize>| pattern.block_slots(columns);
        let inertias = model.bodies.iter().map(|body| {
            let nodal = match options.inertia {
                InertiaRoute::ByLevel => body.level() == InertiaLevel::Full,
                InertiaRoute::Invariants => false,
                InertiaRoute::Nodal => true,
            };
            let mut work = InertiaWork::new(body.modes);
            (BodyInertia::new(body, nodal, &mut work), work)
        });
        GlobalModel {
            options,
            inertias: inertias.collect(),
            body_slots: body_columns.iter().map(slots).collect(),
            equation_slots: self.equations.iter().map(|equation| slots(&equation.columns)).collect(),
            law_slots: self.laws.iter().map(|law| slots(&law.equation.columns)).collect(),
            element_slots: element_columns.iter().map(slots).collect(),
            element_columns,
            body_columns,
            naturals,
            maps: self.maps,
            modal: self.modal,
            deforming: self.deforming,
            operands: self.operands,
            equations: self.equations,
            drivers: self.drivers,
            laws: self.laws,
            points,
            joints,
            jacobian_entries: self.entries,
            coordinates,
            pattern,
            placements,
        }
    }
}
