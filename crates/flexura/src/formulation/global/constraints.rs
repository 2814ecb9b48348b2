//! The constraint equations of bodies and joints.
//!
//! Bodies keep the lengths and angles of their base (rigid-body constraints) and
//! hold every other shared element in place: linear equations on a rigid body,
//! compatibility of boundary points and vectors with the modes on a flexible one.
//! Joints ask for what sharing does not give: sliding along a line or plane, the
//! angle of a universal joint, motions of drivers.

use super::base::Base;
use super::build::{GlobalError, Known, Law};
use super::deformation::VectorRule;
use super::equation::{Equation, Form};
use super::frame::{FrameMap, Weights};
use super::joint_ends::{End, JointEnds, normals};
use super::operand::{LinearOperand, Operands, Source};
use super::plane::Survey;
use super::sharing::{BodyUses, Naturals, Use};
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::spatial::{Vector3, dot, matrix_vector, transposed_matrix_vector};
use crate::time_function::TimeFunction;
use std::collections::{HashMap, HashSet};

/// Key of an operand: body, attachment, bits of its local components, whether it is a point.
type OperandKey = (usize, usize, [u64; 3], bool);

/// Operands, equations and laws while they are collected.
pub(super) struct Builder<'a> {
    pub model: &'a Model,
    naturals: &'a Naturals,
    vectors: VectorRule,
    pub maps: Vec<FrameMap>,
    pub modal: Vec<usize>,
    pub operands: Operands,
    known: HashMap<OperandKey, usize>,
    natural_operands: Vec<Option<usize>>,
    pub deforming: Vec<(usize, usize)>,
    pub equations: Vec<Equation>,
    pub drivers: Vec<Option<TimeFunction>>,
    pub laws: Vec<Law>,
    pub entries: usize,
}

impl<'a> Builder<'a> {
    pub fn new(model: &'a Model, naturals: &'a Naturals, bases: &[Base], vectors: VectorRule) -> Self {
        let mut next = naturals.coordinates;
        let modal = model.bodies.iter().map(|body| {
            let first = next;
            next += body.modes;
            first
        });
        Self {
            model,
            naturals,
            vectors,
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
    pub fn deformation(&mut self, body: usize, attachment: usize) -> Option<usize> {
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
    pub fn body_equations(&mut self, bases: &[Base], uses: &[BodyUses]) {
        let mut kept: HashSet<(usize, usize)> = HashSet::new();
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
                    if kept.insert((a.max(b), a.min(b))) {
                        self.add_equation(Form::Product { a, b, value: dot(&x, &y) }, None);
                    }
                }
            }
            let entries =
                uses[k].points.iter().map(|e| (e, true)).chain(uses[k].vectors.iter().map(|e| (e, false)));
            for (entry, point) in entries.filter(|(entry, _)| !base.members.contains(&entry.natural)) {
                let a = self.natural_operand(entry.natural);
                let b = self.body_operand(Some(k), entry.attachment, &entry.local, point);
                let stretches = !point
                    && self.vectors == VectorRule::Linearised
                    && !self.model.bodies[k].attachments[entry.attachment].rigid;
                if !stretches {
                    for direction in self.components() {
                        self.add_equation(Form::Component { a, b, direction }, None);
                    }
                    continue;
                }
                // A linearised direction is no unit vector: only its two parts across the undeformed one count.
                for side in normals(&entry.local) {
                    let side = self.body_operand(Some(k), 0, &side, false);
                    let normal = self.naturals.plane.is_some() && self.operands.list[side].columns.is_empty();
                    if !normal {
                        self.add_equation(Form::Along { a: side, b, c: a }, None);
                    }
                }
                if kept.insert((a, a)) {
                    self.add_equation(Form::Product { a, b: a, value: 1.0 }, None);
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

    /// Lets the equations of a joint meet its axes where they are elements of the bodies.
    pub fn meet_axes(&mut self, uses: &[BodyUses], joint: &JointEnds, axes: &[(usize, Vector3)]) {
        for (side, axis) in axes {
            let end = &joint.ends[*side];
            let Some(k) = end.body else { continue };
            let (attachment, local) = (end.mount.attachment, matrix_vector(&end.mount.rotation, axis));
            let same = |entry: &&Use| entry.attachment == attachment && entry.local == local;
            if let Some(natural) = uses[k].vectors.iter().find(same).map(|entry| entry.natural) {
                let key = (k + 1, attachment, local.map(f64::to_bits), false);
                let operand = self.natural_operand(natural);
                self.known.insert(key, operand);
            }
        }
    }

    /// What a joint asks for beyond shared elements, and beyond a coordinate along which it `slides`.
    pub fn joint_equations(&mut self, survey: &Survey<'_>, joint: &JointEnds, slides: bool) {
        let [first, second] = &joint.ends;
        match &joint.kind {
            JointKind::Universal { axis, axis2 } => {
                let a = self.end_vector(first, axis);
                let b = self.end_vector(second, axis2);
                self.add_equation(Form::Product { a, b, value: dot(axis, axis2) }, None);
            }
            JointKind::Prismatic { .. } if slides => {}
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
    pub fn joint_laws(&mut self, joint: &JointEnds, first: Known) -> Result<(), GlobalError> {
        for (index, c) in joint.coordinates.iter().enumerate() {
            if !c.acts() && c.motion.is_none() {
                continue;
            }
            let Some(form) = self.measure(joint, index) else {
                return Err(GlobalError::Unsupported {
                    what: "springs, dampers, efforts and motions of spherical, universal and free joints",
                    item: joint.name.clone(),
                    fix: "use a force element between the two frames, or the recursive formulation",
                });
            };
            if c.acts() {
                let equation = Equation::new(form, &self.operands, 0);
                let known = match first {
                    Known::Coordinate(first) => Known::Coordinate(first + index),
                    known => known,
                };
                self.laws.push(Law { equation, coordinate: c.clone(), known });
            }
        }
        Ok(())
    }
}
