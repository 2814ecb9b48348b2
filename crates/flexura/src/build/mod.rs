//! Description → Model and its first state, in one step.
//!
//! Validation first (everything wrong is reported at once), then welded point
//! masses are merged, the graph chooses tree and order, and bodies, joints,
//! frames and loads are laid out flat. Linear in the size of the model.

mod alike;
mod assemble;
mod body;
mod branch_coordinates;
mod complete;
mod element;
mod formulation;
mod given_chords;
mod given_kept;
mod load;
mod loops;
mod merge;
mod ruthless_loops;
mod segments;
mod topology;

pub use assemble::AssemblyReport;
pub(crate) use body::{beam_input, beam_shape};
pub use formulation::{in_formulation, with_algorithm, with_simulation};
pub use segments::split_segments;

use crate::control::Controller;
use crate::diagnostic::Diagnostic;
use crate::dynamics::{AlgorithmChoice, choose_algorithm};
use crate::graph::SpanningTree;
use crate::model::coordinate::{Coordinate, DEFAULT_FRICTION_SPEED};
use crate::model::description::{
    AlgorithmDescription, BodyDescription, BodyKind, ConstraintChoices, Description, FrameDescription,
    GraphDescription, JointDescription, SimulationDescription, TreeChoice,
};
use crate::model::element::Element;
use crate::model::joint::Joint;
use crate::model::{
    AppliedForce, Body, BodyId, BodyLoad, FixedMount, Frame, FrameId, IDENTITY, Layout, Model, Mount,
    TreeJoint, Unreduced, rotation_matrix,
};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use alike::Alike;
use assemble::{MOVED, assemble};
use body::BodyParts;
use complete::left_out;
use element::{couplers, elements};
use formulation::formulation_problem;
use given_kept::SPEED_CHANGED;
use load::body_loads;
use loops::{Chords, loop_joints, loop_problems, mobility_findings};
use merge::{MergedMass, welded_point_masses};
use ruthless_loops::follow_loops;
use segments::Split;
use std::collections::HashMap;
use std::rc::Rc;
use topology::{Ends, report_topology};

/// A model and the warnings found on the way.
#[derive(Clone, Debug)]
pub struct Built {
    /// The immutable model.
    pub model: Model,
    /// The description as used: axes normalised, defaults filled, beams split into their segments.
    pub description: Description,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// How the loops were closed.
    pub assembly: AssemblyReport,
    /// Why `algorithm = "auto"` is the algorithm that now stands in the description; `None` where it was not asked for.
    pub algorithm_choice: Option<AlgorithmChoice>,
}

/// Why a description cannot become a model: every error and warning found.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError {
    /// Errors and warnings in order of the description.
    pub diagnostics: Vec<Diagnostic>,
}

impl Description {
    /// Validates and builds the model.
    pub fn build(self) -> Result<Built, BuildError> {
        build(self)
    }
}

/// Validates `description` and builds the model.
pub fn build(mut description: Description) -> Result<Built, BuildError> {
    let diagnostics = crate::model::validate::validate(&mut description);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(BuildError { diagnostics });
    }
    let split = Split::new(description);
    let built = build_split(&split.description, &split.names);
    let all = |further: Vec<Diagnostic>| {
        diagnostics.iter().cloned().chain(split.outside(further)).collect::<Vec<_>>()
    };
    match built {
        Ok(Tree { model, warnings, assembly, algorithm_choice }) => {
            let warnings = all(warnings);
            let mut description = split.description;
            if let Some(choice) = &algorithm_choice {
                description.simulation.algorithm = choice.algorithm;
            }
            Ok(Built { model, description, warnings, assembly, algorithm_choice })
        }
        Err(error) => Err(BuildError { diagnostics: all(error.diagnostics) }),
    }
}

/// What is built from a description, without a copy of it: models have up to a million bodies.
struct Tree {
    model: Model,
    warnings: Vec<Diagnostic>,
    assembly: AssemblyReport,
    algorithm_choice: Option<AlgorithmChoice>,
}

/// Builds a description whose beams are split.
fn build_split(description: &Description, names: &HashMap<String, String>) -> Result<Tree, BuildError> {
    if description.graph.tree == TreeChoice::Joint {
        return build_tree(description, names);
    }
    // Other trees start from the assembled state of the joint tree.
    let mut relative = description.clone();
    relative.graph = GraphDescription { hold: description.graph.hold.clone(), ..GraphDescription::default() };
    // Which formulation fits is a question to the tree that runs, as are what its loops are told and its algorithm.
    relative.simulation.formulation = None;
    relative.simulation.constraints = ConstraintChoices::default();
    if relative.simulation.algorithm == AlgorithmDescription::Automatic {
        relative.simulation.algorithm = AlgorithmDescription::ArticulatedBody;
    }
    let start = build_tree(&relative, names)?;
    let (_, removed_bodies, _) = welded_point_masses(description);
    let expanded = branch_coordinates::expand(description, names, &removed_bodies, &start.model);
    let redundant = start
        .warnings
        .into_iter()
        .filter(|found| ["redundant-constraints", SPEED_CHANGED, MOVED].contains(&found.code));
    let all = |further: Vec<Diagnostic>| redundant.chain(further).collect();
    match build_tree(&expanded, names) {
        Ok(built) => Ok(Tree { warnings: all(built.warnings), assembly: start.assembly, ..built }),
        Err(error) => Err(BuildError { diagnostics: all(error.diagnostics) }),
    }
}

/// Builds `used`, which may have more joints than the description the user wrote.
fn build_tree(used: &Description, names: &HashMap<String, String>) -> Result<Tree, BuildError> {
    let mut diagnostics = Vec::new();
    let (merged, removed_bodies, removed_joints) = welded_point_masses(used);
    let edges = Ends::new(used).edges(used, &removed_joints, &branch_coordinates::ranks(used));
    let tree = SpanningTree::new(used.bodies.len(), &edges);
    diagnostics.extend(report_topology(used, &tree, &edges, &removed_bodies, &removed_joints));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(BuildError { diagnostics });
    }
    let (used, followed) = follow_loops(used, &tree, &edges, &removed_joints);
    let used = used.as_ref();
    diagnostics.extend(followed);
    let chords = Chords { tree: &tree, edges: &edges, removed: &removed_joints };
    let mut model = Builder::new(used, names, &tree, &merged).finish(&chords, &mut diagnostics);
    let mut assembly = AssemblyReport::default();
    if let Some(model) = &mut model {
        model.controllers = crate::control::resolve(model, &used.controllers, &mut diagnostics);
        model.controller_states = model.controllers.iter().map(Controller::state_count).sum();
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(left_out(model, used));
            assembly = assemble(model, used, &mut diagnostics);
            if !diagnostics.iter().any(Diagnostic::is_error) {
                diagnostics.extend(mobility_findings(model, used));
                diagnostics.extend(formulation_problem(model, &used.simulation));
            }
        }
    }
    match model {
        Some(model) if !diagnostics.iter().any(Diagnostic::is_error) => {
            let algorithm_choice = settle_algorithm(&model, &used.simulation);
            Ok(Tree { model, warnings: diagnostics, assembly, algorithm_choice })
        }
        _ => Err(BuildError { diagnostics }),
    }
}

/// The algorithm with the least counted work, for the place of "auto".
fn settle_algorithm(model: &Model, settings: &SimulationDescription) -> Option<AlgorithmChoice> {
    if settings.algorithm != AlgorithmDescription::Automatic {
        return None;
    }
    let mut state = State::initial(model, settings.start);
    apply_prescribed(model, &mut state, None);
    Some(choose_algorithm(model, &state))
}

/// What is known of a body beyond its modes.
fn unreduced(description: &Description, body: &BodyDescription) -> Unreduced {
    match &body.kind {
        BodyKind::Beam(beam) => {
            beam_input(beam).map_or(Unreduced::Unknown, |input| Unreduced::Beam(Box::new(input)))
        }
        _ => {
            let known = description.compliances.iter().find(|(name, _)| *name == body.name);
            known.map_or(Unreduced::Unknown, |(_, compliance)| Unreduced::Part(compliance.clone()))
        }
    }
}

/// Everything needed while laying out the tree.
struct Builder<'a> {
    description: &'a Description,
    /// Frames that are called otherwise in the model.
    names: &'a HashMap<String, String>,
    tree: &'a SpanningTree,
    /// Merged point masses, in the order of the description.
    masses: &'a [MergedMass],
    /// The same by host body (description index).
    merged: HashMap<usize, Vec<&'a MergedMass>>,
    /// Frame name → mount, for every body in tree order; ground last.
    bodies: Vec<Body>,
    joints: Vec<TreeJoint>,
    frames: Vec<Frame>,
    frame_index: HashMap<String, usize>,
}

impl<'a> Builder<'a> {
    fn new(
        description: &'a Description,
        names: &'a HashMap<String, String>,
        tree: &'a SpanningTree,
        merged: &'a [MergedMass],
    ) -> Self {
        let mut by_host: HashMap<usize, Vec<&MergedMass>> = HashMap::new();
        for mass in merged {
            by_host.entry(mass.host).or_default().push(mass);
        }
        Self {
            description,
            names,
            tree,
            masses: merged,
            merged: by_host,
            bodies: Vec::with_capacity(tree.branches.len()),
            joints: Vec::with_capacity(tree.branches.len()),
            frames: Vec::new(),
            frame_index: HashMap::new(),
        }
    }

    fn finish(mut self, chords: &Chords<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Model> {
        self.add_ground_frames();
        // Attachments and frames of all bodies must exist before joints refer to parents.
        let mut parts = Vec::with_capacity(self.tree.branches.len());
        let mut alike = Alike::default();
        for (k, branch) in self.tree.branches.iter().enumerate() {
            let body = &self.description.bodies[branch.body];
            let made = match self.merged.get(&branch.body) {
                Some(masses) => BodyParts::new(body, branch.body, masses).map(Rc::new),
                None => alike.parts(body, branch.body),
            };
            match made {
                Ok(mut body_parts) => {
                    self.add_body_frames(k, &body_parts);
                    if let Some(own) = Rc::get_mut(&mut body_parts) {
                        own.forget_places();
                    }
                    parts.push(body_parts);
                }
                Err(found) => diagnostics.push(*found),
            }
        }
        if parts.len() != self.tree.branches.len() {
            return None;
        }
        self.add_merged_frames();
        for branch in &self.tree.branches {
            let joint =
                self.tree_joint(&self.description.joints[branch.joint], branch.parent, branch.reversed);
            self.joints.push(joint);
        }
        for (k, body_parts) in parts.into_iter().enumerate() {
            let inner = self.joints[k].inner.attachment;
            let name = &self.description.bodies[self.tree.branches[k].body].name;
            let body = alike.body(name, body_parts, inner, &self.bodies);
            self.bodies.push(body);
            self.joints[k].fixed = self.fixed_mount(k);
        }
        let forces: Vec<AppliedForce> =
            self.description.forces.iter().filter_map(|force| self.applied_force(force)).collect();
        let elements = elements(self.description, &self.frame_index);
        let held = forces.iter().map(|force| force.frame);
        let loops = loop_joints(self.description, chords, &self.frames, &self.frame_index);
        for joint in &loops {
            diagnostics.extend(loop_problems(
                self.description,
                joint,
                &self.frames,
                &self.bodies,
                &self.joints,
            ));
        }
        let held = held.chain(elements.iter().flat_map(|element| element.frames));
        let held: Vec<FrameId> = held.chain(loops.iter().flat_map(|joint| joint.frames)).collect();
        self.mark_active_attachments(&held);
        let loads = body_loads(self.description, &self.bodies, diagnostics);
        let description = self.description;
        let mut model = self.into_model(forces, loads, elements);
        model.couplers = couplers(description, &model.joints, &loops, &model.layout, diagnostics);
        Some(Model { loops, ..model })
    }

    fn add_frame(&mut self, name: String, body: Option<BodyId>, mount: Mount) {
        self.frame_index.insert(name.clone(), self.frames.len());
        let name = self.names.get(&name).cloned().unwrap_or(name);
        self.frames.push(Frame { name, body, mount });
    }

    fn add_ground_frames(&mut self) {
        let origin = Mount { attachment: 0, position: [0.0; 3], rotation: IDENTITY.into() };
        self.add_frame("ground.origin".into(), None, origin);
        for frame in &self.description.ground_frames {
            let mount = Mount {
                attachment: 0,
                position: frame.position,
                rotation: rotation_matrix(&frame.rotation).into(),
            };
            self.add_frame(format!("ground.{}", frame.name), None, mount);
        }
    }

    fn add_body_frames(&mut self, k: usize, parts: &BodyParts) {
        let body = &self.description.bodies[self.tree.branches[k].body];
        let origin = FrameDescription { name: "origin".into(), ..FrameDescription::default() };
        let named = body.frames.iter().any(|frame| frame.name == "origin");
        let implicit = (!named).then_some(&origin);
        for frame in implicit.into_iter().chain(&body.frames) {
            let (attachment, point) = parts.attachment(&frame.place);
            let position = crate::spatial::add(&point, &frame.position);
            let mount = Mount { attachment, position, rotation: rotation_matrix(&frame.rotation).into() };
            self.add_frame(format!("{}.{}", body.name, frame.name), Some(BodyId(k)), mount);
        }
    }

    /// The origin of a merged point mass stays a frame, now of its host: forces may act there.
    fn add_merged_frames(&mut self) {
        for merged in self.masses {
            let bodies = &self.description.bodies;
            let host = format!("{}.{}", bodies[merged.host].name, merged.frame);
            if let Some(&index) = self.frame_index.get(&host) {
                let (body, mount) = (self.frames[index].body, self.frames[index].mount.clone());
                self.add_frame(format!("{}.origin", bodies[merged.guest].name), body, mount);
            }
        }
    }

    fn mount(&self, name: &str) -> Mount {
        // Validation has resolved every name; a missing one would be the ground origin.
        let index = self.frame_index.get(name).copied().unwrap_or(0);
        self.frames[index].mount.clone()
    }

    fn tree_joint(&self, joint: &JointDescription, parent: Option<usize>, reversed: bool) -> TreeJoint {
        let (outer, inner) = if reversed { (1, 0) } else { (0, 1) };
        let kind = joint.kind;
        let swapped = reversed;
        let flipped = if swapped { kind.flipped() } else { None };
        let reversed = swapped && flipped.is_none();
        let mut coordinates: Vec<Coordinate> = joint.coordinates.iter().map(coordinate).collect();
        coordinates.resize(kind.degrees_of_freedom(), Coordinate::default());
        TreeJoint {
            name: joint.name.clone(),
            joint: Joint { kind: flipped.unwrap_or(kind), reversed },
            parent,
            swapped,
            outer: self.mount(&joint.between[outer]),
            inner: self.mount(&joint.between[inner]),
            coordinates,
            fixed: None,
        }
    }

    fn fixed_mount(&self, k: usize) -> Option<FixedMount> {
        let joint = &self.joints[k];
        let body = &self.bodies[k];
        let inner = &body.attachments[joint.inner.attachment];
        let outer_constant =
            joint.parent.is_none_or(|p| self.bodies[p].attachments[joint.outer.attachment].constant);
        if !inner.constant || !outer_constant {
            return None;
        }
        FixedMount::new(&joint.joint, &joint.outer, &joint.inner, &inner.shape.position)
    }

    /// Marks the points that joints, loads and elements hold, which every evaluation must follow.
    fn mark_active_attachments(&mut self, held: &[FrameId]) {
        for joint in &self.joints {
            if let Some(parent) = joint.parent {
                self.bodies[parent].attachments[joint.outer.attachment].active = true;
            }
        }
        for held in held {
            let frame = &self.frames[held.0];
            if let Some(BodyId(body)) = frame.body {
                self.bodies[body].attachments[frame.mount.attachment].active = true;
            }
        }
    }

    fn applied_force(&self, force: &crate::model::description::ForceDescription) -> Option<AppliedForce> {
        let frame = *self.frame_index.get(&force.at)?;
        let (m, f) = (force.moment, force.force);
        Some(AppliedForce {
            name: force.name.clone(),
            frame: FrameId(frame),
            inertial: force.inertial,
            wrench: [m[0], m[1], m[2], f[0], f[1], f[2]],
            scale: force.scale.clone(),
        })
    }

    fn into_model(self, forces: Vec<AppliedForce>, loads: Vec<BodyLoad>, elements: Vec<Element>) -> Model {
        let layout = Layout::new(&self.bodies, &self.joints);
        let mut initial_q = vec![0.0; layout.coordinates];
        let mut initial_v = vec![0.0; layout.speeds];
        let mut prescribed = vec![false; layout.speeds];
        let modal = |list: &'a [(String, Vec<f64>)]| -> HashMap<&'a str, &'a [f64]> {
            list.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect()
        };
        let positions = modal(&self.description.simulation.modal_position);
        let speeds = modal(&self.description.simulation.modal_speed);
        for (k, branch) in self.tree.branches.iter().enumerate() {
            let part = &layout.bodies[k];
            let joint = &self.description.joints[branch.joint];
            let mut q = self.joints[k].joint.kind.zero_coordinates();
            if !joint.position.is_empty() {
                q.clone_from(&joint.position);
            }
            initial_q[part.joint_q()].copy_from_slice(&q);
            if !joint.speed.is_empty() {
                initial_v[part.joint_v()].copy_from_slice(&joint.speed);
            }
            let name = self.bodies[k].name.as_str();
            if let Some(values) = positions.get(name).filter(|values| !values.is_empty()) {
                initial_q[part.modal_q()].copy_from_slice(values);
            }
            if let Some(values) = speeds.get(name).filter(|values| !values.is_empty()) {
                initial_v[part.modal_v()].copy_from_slice(values);
            }
            for (slot, coordinate) in prescribed[part.joint_v()].iter_mut().zip(&self.joints[k].coordinates) {
                *slot = coordinate.motion.is_some();
            }
        }
        let mut frames = self.frames;
        frames.shrink_to_fit();
        let described = || self.tree.branches.iter().map(|branch| &self.description.bodies[branch.body]);
        let mut nodal_masses = Vec::new();
        for (name, mass) in &self.description.nodal_masses {
            nodal_masses.extend(described().position(|body| body.name == *name).map(|k| (k, mass.clone())));
        }
        let unreduced = described().map(|body| unreduced(self.description, body)).collect();
        Model {
            unreduced,
            nodal_masses,
            natural: self.description.graph.natural.clone(),
            name: self.description.name.clone(),
            gravity: self.description.gravity,
            bodies: self.bodies,
            joints: self.joints,
            frames,
            forces,
            loads,
            controllers: Vec::new(),
            controller_states: 0,
            elements,
            couplers: Vec::new(),
            loops: Vec::new(),
            layout,
            initial_q,
            initial_v,
            prescribed,
        }
    }
}

/// A described coordinate with what is left to us chosen.
fn coordinate(described: &Coordinate) -> Coordinate {
    let mut own = described.clone();
    if own.friction_speed <= 0.0 {
        own.friction_speed = DEFAULT_FRICTION_SPEED;
    }
    own
}
