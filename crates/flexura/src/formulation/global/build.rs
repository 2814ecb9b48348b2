//! From a model to its natural coordinates, constraints and sparse pattern.

use super::chosen::Chosen;
use super::constraints::Builder;
use super::equation::Equation;
use super::forces::FramePoint;
use super::frame::FrameMap;
use super::inertia::{BodyInertia, InertiaRoute, InertiaWork};
use super::joint_ends::{JointEnds, joint_ends};
use super::natural::Natural;
use super::operand::Operands;
use super::plane::{Plane, Survey};
use super::pose::body_motions;
use super::sharing::{BodyUses, Naturals, common_origin, share};
use super::{Dimensions, GlobalOptions};
use crate::linear::SparsePattern;
use crate::model::description::{AttachmentRule, InertiaLevel};
use crate::model::joint::JointKind;
use crate::model::nodal_mass::NodalMass;
use crate::model::{Body, Coordinate, FrameId, Model};
use crate::spatial::Vector3;
use crate::state::State;
use crate::time_function::TimeFunction;
use std::collections::HashSet;
use std::sync::Arc;

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

/// The first place of each element, bodies in `order`: what carries others is placed before them.
fn placements(uses: &[BodyUses], order: &[usize], count: usize) -> Vec<Placement> {
    let mut seen = vec![false; count];
    let mut list = Vec::new();
    for (body, all) in order.iter().map(|&body| (body, &uses[body])) {
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
    /// What a state of the tree knows of it.
    pub known: Known,
}

/// Where a state of the tree tells the turns of a joint coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// Among the coordinates.
    Coordinate(usize),
    /// Among the angles of joints that close loops.
    Loop(usize),
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
        let origin = common_origin(&motions);
        let survey = Survey { model, state, motions: &motions, joints: &joints, origin };
        let plane = if options.dimensions == Dimensions::Automatic { survey.plane() } else { None };
        let mut naturals = Naturals { plane, origin, ..Naturals::default() };
        let chosen = Chosen::new(&survey)?;
        let mut uses = share(&survey, &chosen, &mut naturals);
        let (bases, order) = chosen.bases(&survey, &mut uses, &mut naturals)?;
        let mut builder = Builder::new(model, &naturals, &bases, options.vectors);
        builder.body_equations(&bases, &uses);
        for (index, joint) in joints.iter().enumerate() {
            builder.meet_axes(&uses, joint, &chosen.axes(index, joint));
            builder.joint_equations(&survey, joint, chosen.slides_along(index));
            let of_loop = || Known::Loop(index - model.layout.bodies.len());
            let in_tree = model.layout.bodies.get(index);
            let known = in_tree.map_or_else(of_loop, |part| Known::Coordinate(part.joint_q().start));
            builder.joint_laws(joint, known)?;
        }
        let placements = placements(&uses, &order, naturals.list.len());
        let parts = Parts { naturals: naturals.clone(), joints: joints.clone(), placements };
        Ok(builder.finish(model, *options, parts))
    }

    /// Number of coordinates, modal amplitudes included.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates
    }

    /// Number of coordinates that no motion alone gives: the rest are single ones that a driver makes functions of time.
    pub fn free_coordinate_count(&self) -> usize {
        let given = self.equations.iter().zip(&self.drivers);
        self.coordinates - given.filter(|(row, driver)| driver.is_some() && row.columns.len() == 1).count()
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
    if let Some(load) = model.loads.first() {
        return no("loads spread over bodies", &load.name, "use the recursive formulation");
    }
    if let Some(coupler) = model.couplers.first() {
        return no("couplers", &coupler.name, "use the recursive formulation");
    }
    for joint in joints {
        if matches!(joint.kind, JointKind::Helical { .. }) {
            return no("helical joints", &joint.name, "use the recursive formulation");
        }
        if joint.kind.is_nonholonomic() {
            return no("constraints on speeds alone", &joint.name, "use the recursive formulation");
        }
    }
    for (k, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0) {
        let known =
            matches!(body.level(), InertiaLevel::Gram | InertiaLevel::Consistent | InertiaLevel::Full);
        if !known && options.inertia == InertiaRoute::ByLevel {
            return no(
                "this inertia level",
                &body.name,
                "give the body level = \"gram\", \"consistent\" or \"full\"",
            );
        }
        // Natural coordinates are those of the deformed points: no other motion of them can be written.
        if body.rule != AttachmentRule::Exact {
            let fix = "give the body attachments = \"exact\"";
            return no("attachment points that do not move exactly with the modes", &body.name, fix);
        }
        if body.sums.is_some() && options.inertia == InertiaRoute::Nodal {
            let fix = "reduce the part with mass_nodes = true, or take the route by invariants";
            return no("sums over nodes of a body that comes with sums", &body.name, fix);
        }
        if options.inertia == InertiaRoute::Assembled {
            if assembled(model, k).is_none_or(|mass| mass.modes != body.modes) {
                let fix = "reduce the part with nodal = true, or take the route by invariants";
                return no("a mass matrix of this body", &body.name, fix);
            }
            // A point mass that is welded to the part is merged with its sums, not with the matrix.
            let own = assembled(model, k).map_or(0.0, |mass| mass.mass());
            if (own - body.mass()).abs() > 1e-6 * body.mass() {
                let fix = "give what is welded to the part an inertia, or take the route by invariants";
                return no("point masses welded to a part beside its mass matrix", &body.name, fix);
            }
            if has_second_order(body) {
                let fix = "reduce the part with stiffening = false, or take the route by invariants";
                return no("displacements of second order beside an assembled mass matrix", &body.name, fix);
            }
        }
    }
    Ok(())
}

/// The assembled mass matrix of body `k`, where it is kept.
fn assembled(model: &Model, k: usize) -> Option<&Arc<NodalMass>> {
    model.nodal_masses.iter().find(|(body, _)| *body == k).map(|(_, mass)| mass)
}

fn has_second_order(body: &Body) -> bool {
    let sums = body.sums.as_ref().is_some_and(|sums| sums.moment2.iter().flatten().any(|x| *x != 0.0));
    sums || body.attachments.iter().any(|place| place.shape.quadratic.iter().flatten().any(|x| *x != 0.0))
}

impl Builder<'_> {
    /// Pattern, slots and inertia once all equations are known.
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
        let inertias = model.bodies.iter().enumerate().map(|(k, body)| {
            let nodal = match options.inertia {
                InertiaRoute::ByLevel => body.level() == InertiaLevel::Full,
                InertiaRoute::Invariants | InertiaRoute::Assembled => false,
                InertiaRoute::Nodal => true,
            };
            let assembled = assembled(model, k).filter(|_| options.inertia == InertiaRoute::Assembled);
            let mut work = InertiaWork::new(body.modes);
            (BodyInertia::new(body, nodal, assembled, &mut work), work)
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
