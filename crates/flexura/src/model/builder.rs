//! Fluent construction of descriptions in code.
//!
//! ```
//! use flexura::model::description::*;
//!
//! let system = Description::new("pendulum")
//!     .gravity([0.0, 0.0, -9.81])
//!     .body(BodyDescription::rigid("rod", 1.0, [1e-4, 1.0 / 12.0, 1.0 / 12.0]).frame("pivot", [-0.5, 0.0, 0.0]))
//!     .joint(JointDescription::revolute("hinge", ["ground.origin", "rod.pivot"], [0.0, 1.0, 0.0]))
//!     .run_for(1.0)
//!     .build()?;
//! let result = system.simulate()?;
//! assert!(result.last("energy.balance")?.abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::description::*;
use crate::beam::{Boundary, ModeCounts, SEGMENT_MODES, Section, SectionProperties, standard_modes};
use crate::time_function::TimeFunction;

impl Description {
    /// An empty system with gravity −9.81 m/s² along z.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), gravity: [0.0, 0.0, -9.81], ..Self::default() }
    }

    /// Sets the gravitational acceleration (m/s²).
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity;
        self
    }

    /// Adds a frame fixed to the ground at `position` (m).
    pub fn ground_frame(mut self, name: &str, position: [f64; 3]) -> Self {
        self.ground_frames.push(FrameDescription { name: name.into(), position, ..Default::default() });
        self
    }

    /// Adds a body.
    pub fn body(mut self, body: BodyDescription) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a joint.
    pub fn joint(mut self, joint: JointDescription) -> Self {
        self.joints.push(joint);
        self
    }

    /// Adds a force (N) in inertial axes at a frame, scaled over time.
    pub fn force(mut self, name: &str, at: &str, force: [f64; 3], scale: Option<TimeFunction>) -> Self {
        let moment = [0.0; 3];
        self.forces.push(ForceDescription {
            name: name.into(),
            at: at.into(),
            inertial: true,
            force,
            moment,
            scale,
        });
        self
    }

    /// Adds a force element between two frames, or a coupler between two joint coordinates.
    pub fn element(
        mut self,
        name: &str,
        kind: impl Into<ElementKindDescription>,
        between: [&str; 2],
    ) -> Self {
        self.elements.push(ElementDescription::new(name, kind, between));
        self
    }

    /// Simulates from zero to `end` (s).
    pub fn run_for(mut self, end: f64) -> Self {
        self.simulation.end = end;
        self
    }

    /// Chooses the integration method.
    pub fn method(mut self, method: MethodDescription) -> Self {
        self.simulation.method = method;
        self
    }

    /// Sets the interval between recorded rows (s); zero records every step.
    pub fn output_interval(mut self, interval: f64) -> Self {
        self.simulation.output_interval = interval;
        self
    }

    /// Sets the initial modal coordinates of a body.
    pub fn initial_modal(mut self, body: &str, position: &[f64], speed: &[f64]) -> Self {
        self.simulation.modal_position.push((body.into(), position.to_vec()));
        self.simulation.modal_speed.push((body.into(), speed.to_vec()));
        self
    }
}

impl BodyDescription {
    fn of(name: &str, kind: BodyKind) -> Self {
        Self { name: name.into(), kind, frames: Vec::new(), level: None, attachments: None, carriers: None }
    }

    /// A rigid body with principal inertias about its centre of mass (kg, kg m²).
    pub fn rigid(name: &str, mass: f64, inertia: [f64; 3]) -> Self {
        let mut matrix = [[0.0; 3]; 3];
        for i in 0..3 {
            matrix[i][i] = inertia[i];
        }
        Self::of(name, BodyKind::Rigid(RigidDescription { mass, center_of_mass: [0.0; 3], inertia: matrix }))
    }

    /// A point mass (kg).
    pub fn point_mass(name: &str, mass: f64) -> Self {
        Self::of(name, BodyKind::PointMass { mass })
    }

    /// A flexible body from nodes and modes.
    pub fn modal(name: &str, modal: ModalDescription) -> Self {
        Self::of(name, BodyKind::Modal(modal))
    }

    /// A uniform beam along x.
    pub fn beam(name: &str, beam: BeamDescription) -> Self {
        Self::of(name, BodyKind::Beam(beam))
    }

    /// Moves the centre of mass of a rigid body (m).
    pub fn center_of_mass(mut self, position: [f64; 3]) -> Self {
        if let BodyKind::Rigid(rigid) = &mut self.kind {
            rigid.center_of_mass = position;
        }
        self
    }

    /// Adds a frame at `position` in the body frame (m).
    pub fn frame(self, name: &str, position: [f64; 3]) -> Self {
        self.frame_at(name, Place::Origin, position, RotationDescription::Identity)
    }

    /// Adds a frame at a station of a beam (m).
    pub fn station(self, name: &str, station: f64) -> Self {
        self.frame_at(name, Place::Station(station), [0.0; 3], RotationDescription::Identity)
    }

    /// Adds a frame at a named node of a body of nodes and modes.
    pub fn node(self, name: &str, node: &str) -> Self {
        self.frame_at(name, Place::Node(node.into()), [0.0; 3], RotationDescription::Identity)
    }

    /// Adds a frame on a node, a station or the reference frame.
    pub fn frame_at(
        mut self,
        name: &str,
        place: Place,
        position: [f64; 3],
        rotation: RotationDescription,
    ) -> Self {
        self.frames.push(FrameDescription { name: name.into(), place, position, rotation });
        self
    }

    /// Chooses the inertia level.
    pub fn level(mut self, level: InertiaLevel) -> Self {
        self.level = Some(level);
        self
    }

    /// Chooses the kinematics of attachment points.
    pub fn attachments(mut self, rule: AttachmentRule) -> Self {
        self.attachments = Some(rule);
        self
    }

    /// Carriers of level `gram`.
    pub fn carriers(mut self, carriers: Carriers) -> Self {
        self.carriers = Some(carriers);
        self
    }
}

impl BeamDescription {
    /// A beam without modes: length (m), density (kg/m³), Young's and shear modulus (Pa).
    pub fn new(length: f64, density: f64, young: f64, shear: f64, section: Section) -> Self {
        Self {
            length,
            density,
            young,
            shear,
            section,
            shear_area: None,
            properties: None,
            segments: 1,
            arc: [0.0; 2],
            modes: Vec::new(),
            rotary_inertia: true,
            foreshortening: true,
            curvature: None,
            mass_stations: None,
            damping: DampingDescription::None,
        }
    }

    /// Adds the standard modes of a boundary condition.
    pub fn modes(mut self, boundary: Boundary, counts: ModeCounts) -> Self {
        self.modes.extend(standard_modes(boundary, counts));
        self
    }

    /// Splits the beam into welded bodies; without modes of its own it gets those that carry forces and
    /// moments from segment to segment ([`crate::beam::SEGMENT_MODES`]).
    pub fn segments(mut self, count: usize) -> Self {
        self.segments = count;
        if self.modes.is_empty() {
            self.modes = standard_modes(Boundary::InterfaceStatic, SEGMENT_MODES);
        }
        self
    }

    /// Lets areas k A along y and z (m²) carry shear.
    pub fn shear_area(mut self, areas: [f64; 2]) -> Self {
        self.shear_area = Some(areas);
        self
    }

    /// A beam given by rigidities and inertia per length, without modes.
    pub fn with_properties(length: f64, properties: SectionProperties) -> Self {
        let section = Section::Circle { radius: 1.0 };
        Self { properties: Some(properties), ..Self::new(length, 1.0, 1.0, 1.0, section) }
    }

    /// Sets the modal damping.
    pub fn damping(mut self, damping: DampingDescription) -> Self {
        self.damping = damping;
        self
    }
}

impl JointDescription {
    /// A joint of any kind between two frames.
    pub fn new(name: &str, kind: JointKindDescription, between: [&str; 2]) -> Self {
        Self {
            name: name.into(),
            kind,
            between: between.map(String::from),
            position: Vec::new(),
            speed: Vec::new(),
            coordinates: Vec::new(),
        }
    }

    /// A rigid connection.
    pub fn weld(name: &str, between: [&str; 2]) -> Self {
        Self::new(name, JointKindDescription::Weld, between)
    }

    /// A hinge.
    pub fn revolute(name: &str, between: [&str; 2], axis: [f64; 3]) -> Self {
        Self::new(name, JointKindDescription::Revolute { axis }, between)
    }

    /// A slider.
    pub fn prismatic(name: &str, between: [&str; 2], axis: [f64; 3]) -> Self {
        Self::new(name, JointKindDescription::Prismatic { axis }, between)
    }

    /// A ball joint.
    pub fn spherical(name: &str, between: [&str; 2]) -> Self {
        Self::new(name, JointKindDescription::Spherical, between)
    }

    /// Six degrees of freedom.
    pub fn free(name: &str, between: [&str; 2]) -> Self {
        Self::new(name, JointKindDescription::Free, between)
    }

    /// Initial coordinates (m, rad).
    pub fn position(mut self, position: &[f64]) -> Self {
        self.position = position.to_vec();
        self
    }

    /// Initial speeds (m/s, rad/s).
    pub fn speed(mut self, speed: &[f64]) -> Self {
        self.speed = speed.to_vec();
        self
    }

    /// What acts on each degree of freedom.
    pub fn coordinates(mut self, coordinates: Vec<CoordinateDescription>) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// Prescribes the motion of a one-degree-of-freedom joint (m, rad).
    pub fn motion(self, motion: TimeFunction) -> Self {
        self.coordinates(vec![CoordinateDescription { motion: Some(motion), ..Default::default() }])
    }
}
