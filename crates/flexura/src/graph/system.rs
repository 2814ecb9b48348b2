//! The system graph of a model (Richard 2012, sections 2 to 4, figures 2(b) and 7(b)).
//!
//! It is read from the description, so it also shows models that cannot be built.
//!
//! - **Vertices**: the datum `ground`; the reference frame of every body, called
//!   like the body; every other frame that a joint, force or element holds,
//!   called `body.frame`. Frames that only outputs use are left out: no component
//!   ends there. `ground.origin` is the datum, `body.origin` the reference frame.
//! - **Arms** `arm:body.frame`, from the reference frame to the frame; flexible where
//!   the dynamics move the frame on its body.
//! - **Position drivers** `at:ground.frame`, from the datum to a ground frame, like
//!   e21 of figure 2.
//! - **Joints**, called like the joint, from its first frame to its second; those that the
//!   description cuts are never branches. A joint
//!   with all coordinates prescribed is a motion driver: its motion is a given
//!   function of time and adds no unknown. Where only some are, the joint stays a
//!   joint, and the efforts that drive it are an actuator beside it.
//! - **Bodies** `body:name`, from the datum to the reference frame: inertia, elasticity
//!   and weight (which therefore has no edge of its own).
//! - **Forces**: `force:name` from the datum to its frame; elements, called like the
//!   element, between their frames; what acts in a joint is an edge beside it,
//!   `joint:spring` for springs, dampers and friction, `joint:effort` for given efforts,
//!   controllers and driven coordinates; a coupler is one actuator beside each of
//!   its joints, `coupler:joint`.
//! - **Dependent virtual work** `name:work1`, `name:work2`, from the datum to the two
//!   frames of every joint, driver or element between two frames: such a component
//!   knows relative displacements only, and these carry the work it does on either
//!   side. None is needed at the datum, which does not move (seven, not eight, in
//!   figure 2), none for an edge that starts at the datum by its nature (bodies, applied
//!   forces: their displacements are absolute), and what acts in a joint shares the
//!   joint's.
//!
//! Cost O(size of the description).

use super::component::{Component, ForceClass, joint_component, joint_rank};
use super::deformation::Deformation;
use super::linear_graph::{GraphError, GraphTree, LinearGraph};
use super::search::CUT;
use crate::model::description::{Description, ElementKindDescription, JointDescription, TreeChoice};
use std::collections::{HashMap, HashSet};

/// Name of the datum.
const DATUM: &str = "ground";

/// The graph of a system and where its items are in it.
#[derive(Clone, Debug)]
pub struct SystemGraph {
    /// The graph.
    pub graph: LinearGraph,
    /// Edge of each joint of the description.
    pub joints: Vec<usize>,
    /// Edge of each body of the description.
    pub bodies: Vec<usize>,
}

impl SystemGraph {
    /// The graph of a valid description; names that refer to nothing mean the datum.
    pub fn new(description: &Description) -> Self {
        let mut build = Build::new(description);
        build.frames();
        let joints = description.joints.iter().map(|joint| build.joint(joint)).collect();
        let bodies = build.bodies();
        build.joint_forces();
        build.applied_forces();
        build.elements();
        build.virtual_work();
        Self { graph: build.graph, joints, bodies }
    }

    /// The tree of the given choice; names are those of edges, joints or bodies.
    pub fn tree(&self, choice: &TreeChoice) -> Result<GraphTree, GraphError> {
        match choice {
            TreeChoice::Joint => self.graph.tree(),
            TreeChoice::Absolute => self.graph.absolute_tree(),
            TreeChoice::Listed(names) => {
                let wanted: Result<Vec<usize>, GraphError> =
                    names.iter().map(|name| self.named(name)).collect();
                self.graph.forced_tree(&wanted?)
            }
        }
    }

    /// An edge by its name, or that of a body by the name of the body.
    fn named(&self, name: &str) -> Result<usize, GraphError> {
        let found = self.graph.edge(name).or_else(|| self.graph.edge(&format!("body:{name}")));
        found.ok_or_else(|| GraphError::UnknownEdge(name.into()))
    }

    /// Joints (numbers in the description) around each independent loop of the tree, the one that
    /// closes it first.
    pub fn loops(&self, tree: &GraphTree) -> Vec<Vec<usize>> {
        let number: HashMap<usize, usize> =
            self.joints.iter().enumerate().map(|(j, &edge)| (edge, j)).collect();
        let closing = tree.chords.iter().filter(|chord| number.contains_key(chord));
        let around = |&chord: &usize| {
            let circuit = tree.circuit_of(&self.graph, chord);
            circuit.iter().filter_map(|(edge, _)| number.get(edge).copied()).collect()
        };
        closing.map(around).collect()
    }
}

/// The graph while it grows.
struct Build<'a> {
    description: &'a Description,
    graph: LinearGraph,
    /// Vertex of every frame in use, by full name.
    vertices: HashMap<&'a str, usize>,
    /// Vertex of each body's reference frame.
    references: Vec<usize>,
    /// Components between two frames: name and ends.
    relative: Vec<(&'a str, [usize; 2])>,
}

impl<'a> Build<'a> {
    fn new(description: &'a Description) -> Self {
        Self {
            description,
            graph: LinearGraph::new(DATUM),
            vertices: HashMap::new(),
            references: Vec::new(),
            relative: Vec::new(),
        }
    }

    fn datum(&self) -> usize {
        self.graph.datum()
    }

    /// Vertex of a frame.
    fn at(&self, frame: &str) -> usize {
        self.vertices.get(frame).copied().unwrap_or(self.datum())
    }

    fn ends(&self, between: &[String; 2]) -> [usize; 2] {
        [0, 1].map(|end| self.at(&between[end]))
    }

    /// Vertices in the order of the description, then arms, then ground frames.
    fn frames(&mut self) {
        let used = used_frames(self.description);
        let names: HashMap<&str, usize> =
            self.description.bodies.iter().enumerate().map(|(i, body)| (body.name.as_str(), i)).collect();
        let mut of_body: Vec<Vec<&'a str>> = vec![Vec::new(); self.description.bodies.len()];
        let mut of_ground = Vec::new();
        for full in used {
            match full.rsplit_once('.') {
                Some((DATUM, frame)) if frame != "origin" => of_ground.push(full),
                Some((body, _)) => names.get(body).into_iter().for_each(|&body| of_body[body].push(full)),
                None => {}
            }
        }
        let mut arms = Vec::new();
        for (body, frames) in self.description.bodies.iter().zip(of_body) {
            let reference = self.graph.add_vertex(body.name.as_str());
            self.references.push(reference);
            let deformation = Deformation::new(body);
            for full in frames {
                let frame = full.rsplit_once('.').map_or(full, |(_, frame)| frame);
                let Some(frame) = body.frames.iter().find(|known| known.name == frame) else {
                    self.vertices.insert(full, reference);
                    continue;
                };
                let vertex = self.graph.add_vertex(full);
                self.vertices.insert(full, vertex);
                let flexible = deformation.moves(&frame.place);
                let component = if flexible { Component::FlexibleArm } else { Component::RigidArm };
                arms.push((full, reference, vertex, component));
            }
        }
        for (full, reference, vertex, component) in arms {
            self.graph.add_edge(format!("arm:{full}"), reference, vertex, component);
        }
        for full in of_ground {
            let vertex = self.graph.add_vertex(full);
            self.vertices.insert(full, vertex);
            self.graph.add_edge(format!("at:{full}"), self.datum(), vertex, Component::PositionDriver);
        }
    }

    fn joint(&mut self, joint: &'a JointDescription) -> usize {
        let [tail, head] = self.ends(&joint.between);
        let edge = self.graph.add_edge(joint.name.as_str(), tail, head, joint_component(joint));
        let cut = self.description.graph.cut.contains(&joint.name);
        self.graph.set_rank(edge, if cut { CUT } else { joint_rank(joint) });
        self.relative.push((&joint.name, [tail, head]));
        edge
    }

    fn bodies(&mut self) -> Vec<usize> {
        let bodies = self.description.bodies.iter().zip(self.references.clone());
        let datum = self.datum();
        bodies
            .map(|(body, reference)| {
                self.graph.add_edge(format!("body:{}", body.name), datum, reference, Component::Body)
            })
            .collect()
    }

    /// What acts in the joints, beside them.
    fn joint_forces(&mut self) {
        let outputs = self.description.controllers.iter().flat_map(|controller| &controller.actuators);
        let controlled: HashSet<&str> =
            outputs.filter_map(|name| name.split_once(".effort").map(|(joint, _)| joint)).collect();
        for joint in &self.description.joints {
            let [tail, head] = self.ends(&joint.between);
            let any = |test: fn(&crate::model::description::CoordinateDescription) -> bool| {
                joint.coordinates.iter().any(test)
            };
            if any(|c| c.is_passive()) {
                let name = format!("{}:spring", joint.name);
                self.graph.add_edge(name, tail, head, Component::Force(ForceClass::Passive));
            }
            let partly = any(|c| c.motion.is_some()) && joint_component(joint) != Component::MotionDriver;
            if any(|c| c.effort.is_some()) || controlled.contains(joint.name.as_str()) || partly {
                let name = format!("{}:effort", joint.name);
                self.graph.add_edge(name, tail, head, Component::Force(ForceClass::Actuator));
            }
        }
    }

    fn applied_forces(&mut self) {
        for force in &self.description.forces {
            let (datum, head) = (self.datum(), self.at(&force.at));
            let name = format!("force:{}", force.name);
            self.graph.add_edge(name, datum, head, Component::Force(ForceClass::Applied));
        }
    }

    fn elements(&mut self) {
        let joints: HashMap<&str, &JointDescription> =
            self.description.joints.iter().map(|joint| (joint.name.as_str(), joint)).collect();
        for element in &self.description.elements {
            match &element.kind {
                ElementKindDescription::Frames(_) => {
                    let [tail, head] = self.ends(&element.between);
                    let component = Component::Force(ForceClass::Passive);
                    self.graph.add_edge(element.name.as_str(), tail, head, component);
                    self.relative.push((&element.name, [tail, head]));
                }
                ElementKindDescription::Coordinates(_) => {
                    for coordinate in &element.between {
                        let joint =
                            coordinate.split_once('.').map_or(coordinate.as_str(), |(joint, _)| joint);
                        let Some(joint) = joints.get(joint) else { continue };
                        let [tail, head] = self.ends(&joint.between);
                        let name = format!("{}:{}", element.name, joint.name);
                        self.graph.add_edge(name, tail, head, Component::Force(ForceClass::Actuator));
                    }
                }
            }
        }
    }

    fn virtual_work(&mut self) {
        let datum = self.datum();
        for (name, ends) in std::mem::take(&mut self.relative) {
            for (end, vertex) in ends.into_iter().enumerate().filter(|&(_, vertex)| vertex != datum) {
                let name = format!("{name}:work{}", end + 1);
                self.graph.add_edge(name, datum, vertex, Component::VirtualWork);
            }
        }
    }
}

/// Full names of the frames that joints, forces and elements hold, each once, in that order.
fn used_frames(description: &Description) -> Vec<&str> {
    let joints = description.joints.iter().flat_map(|joint| &joint.between);
    let forces = description.forces.iter().map(|force| &force.at);
    let between = |kind: &ElementKindDescription| matches!(kind, ElementKindDescription::Frames(_));
    let elements = description.elements.iter().filter(|element| between(&element.kind));
    let all = joints.chain(forces).chain(elements.flat_map(|element| &element.between));
    let mut seen = HashSet::new();
    all.map(String::as_str).filter(|&name| seen.insert(name)).collect()
}
