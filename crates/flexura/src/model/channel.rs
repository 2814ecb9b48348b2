//! The channels of a model: names, units and where their values come from.
//!
//! Names are `energy.total`, `power.drivers`, `momentum.linear.x`,
//! `BODY.position.x`, `BODY.eta.1`, `JOINT.angle`, `JOINT.force.x`,
//! `BODY.FRAME.acceleration.z`, ….

use super::Model;
use super::controller::Actuator;
pub use super::pattern::matches_pattern;

/// Groups of channels, one column each in a result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// Energies, work and their balance.
    Energy,
    /// Powers.
    Power,
    /// Momenta.
    Momentum,
    /// Poses and velocities of bodies.
    Body,
    /// Modal coordinates.
    Modal,
    /// Joint coordinates, speeds, accelerations and driving forces.
    Joint,
    /// Joint reactions.
    Reaction,
    /// Frames.
    Frame,
    /// Controllers.
    Control,
    /// Force elements.
    Element,
    /// Violation of the loops.
    Constraint,
    /// What a viewer needs and no pattern selected.
    Picture,
}

impl Family {
    /// Name and description.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Energy => ("energy", "energies, work of drivers and non-conservative forces, balance"),
            Self::Power => ("power", "power of every kind of applied force, factors of applied forces"),
            Self::Momentum => ("momentum", "linear momentum and angular momentum about the inertial origin"),
            Self::Body => ("body", "pose and velocity of body reference frames, inertial axes"),
            Self::Modal => ("modal", "modal coordinates and rates"),
            Self::Joint => ("joint", "joint coordinates, speeds, accelerations and driving forces"),
            Self::Reaction => {
                ("reaction", "force and moment of the first body on the second, at and in the second frame")
            }
            Self::Constraint => ("constraint", "largest violation of the closed loops (m, rad or cosine)"),
            Self::Control => ("control", "outputs of controllers"),
            Self::Frame => ("frame", "pose, velocity and acceleration of named frames, inertial axes"),
            Self::Picture => ("picture", "poses and modal coordinates that only the picture needs"),
            Self::Element => {
                ("element", "force elements: wrench on the second frame, inertial axes, energy and power")
            }
        }
    }
}

/// Where the value of a channel comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// Kinetic, gravity, elastic, springs, elements, total, work, balance.
    Energy(u8),
    /// Efforts, forces, dampers, friction, modal damping, elements, drivers.
    Power(u8),
    /// Linear x, y, z, angular x, y, z.
    Momentum(u8),
    /// Body; position, quaternion, ω, v, angular and linear acceleration.
    Body(usize, u8),
    /// Index in the coordinate vector.
    Coordinate(usize),
    /// Index in the speed vector.
    Speed(usize),
    /// Index in the speed vector.
    Acceleration(usize),
    /// Index in the speed vector.
    Driving(usize),
    /// Joint; moment x, y, z, force x, y, z.
    Reaction(usize, u8),
    /// Frame; position, quaternion, ω, v, angular and linear acceleration.
    Frame(usize, u8),
    /// Index in the outputs of all controllers.
    Control(usize),
    /// Applied force.
    ForcePower(usize),
    /// Factor of an applied force.
    ForceScale(usize),
    /// Load spread over a body.
    LoadPower(usize),
    /// Joint: springs, dampers, friction and efforts together.
    JointPower(usize),
    /// Joint: what prescribes its motion.
    DrivingPower(usize),
    /// Loop-closing joint: springs, dampers, friction, efforts and couplers together.
    LoopPower(usize),
    /// Loop-closing joint: what prescribes its motion.
    LoopDrivingPower(usize),
    /// Element; moment x, y, z, force x, y, z, measure, energy, power.
    Element(usize, u8),
    /// Coupler; deflection, effort, energy, power.
    Coupler(usize, u8),
    /// Loop-closing joint; coordinate.
    LoopCoordinate(usize, u8),
    /// Loop-closing joint; coordinate whose speed it is.
    LoopSpeed(usize, u8),
    /// Loop-closing joint; moment x, y, z, force x, y, z.
    LoopReaction(usize, u8),
    /// Loop-closing joint of a disc that rolls: force of the plane on it along the normal.
    NormalForce(usize),
    /// Largest violation of the loops: position, velocity.
    Constraint(u8),
}

impl Source {
    /// Whether its value comes from accelerations, or from forces that are found with them; else motion and loads suffice.
    pub(crate) fn needs_accelerations(self) -> bool {
        match self {
            Self::Power(i) => usize::from(i) == POWERS.len() - 1,
            Self::Body(_, i) | Self::Frame(_, i) => usize::from(i) >= POSE_WORDS,
            // Reactions of loops are added to the loads of the joints.
            Self::JointPower(_) => true,
            Self::Acceleration(_)
            | Self::Driving(_)
            | Self::Reaction(..)
            | Self::DrivingPower(_)
            | Self::LoopDrivingPower(_)
            | Self::LoopReaction(..)
            | Self::NormalForce(_) => true,
            Self::Energy(_)
            | Self::Momentum(_)
            | Self::Coordinate(_)
            | Self::Speed(_)
            | Self::Control(_)
            | Self::ForcePower(_)
            | Self::ForceScale(_)
            | Self::LoadPower(_)
            | Self::LoopPower(_)
            | Self::Element(..)
            | Self::Coupler(..)
            | Self::LoopCoordinate(..)
            | Self::LoopSpeed(..)
            | Self::Constraint(_) => false,
        }
    }
}

/// A named quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Full name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Group.
    pub family: Family,
    /// Origin of the value.
    pub source: Source,
}

impl Channel {
    /// Whether a picture of the instant needs it: positions and quaternions of bodies, modal coordinates, factors of forces.
    pub fn is_drawn(&self) -> bool {
        match self.source {
            Source::Body(_, i) => i < 7,
            Source::Coordinate(_) => self.family == Family::Modal,
            Source::ForceScale(_) => true,
            _ => false,
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
const ENERGIES: [&str; 8] =
    ["kinetic", "gravity", "elastic", "springs", "elements", "total", "work", "balance"];
const POWERS: [&str; 7] =
    ["efforts", "forces", "dampers", "friction", "modal_damping", "elements", "drivers"];

/// Positions, quaternions and velocities come before accelerations.
const POSE_WORDS: usize = 13;

/// Every channel of `model`, in the order they are recorded.
pub fn all_channels(model: &Model) -> Vec<Channel> {
    channels_where(model, &mut |_| true)
}

/// Those channels of `model` that `wanted` says yes to; the others, some fifty for every body, cost no memory.
pub(crate) fn channels_where(model: &Model, wanted: &mut dyn FnMut(&Channel) -> bool) -> Vec<Channel> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &'static str, family: Family, source: Source| {
        let channel = Channel { name, unit, family, source };
        if wanted(&channel) {
            list.push(channel);
        }
    };
    let of_frames: Vec<(String, &'static str)> = pose_words().chain(acceleration_words()).collect();
    for (i, word) in ENERGIES.iter().enumerate() {
        add(format!("energy.{word}"), "J", Family::Energy, Source::Energy(i as u8));
    }
    for (i, word) in POWERS.iter().enumerate() {
        add(format!("power.{word}"), "W", Family::Power, Source::Power(i as u8));
    }
    for (i, force) in model.forces.iter().enumerate() {
        add(format!("{}.force_power", force.name), "W", Family::Power, Source::ForcePower(i));
        add(format!("{}.force_scale", force.name), "1", Family::Power, Source::ForceScale(i));
    }
    for (i, load) in model.loads.iter().enumerate() {
        add(format!("{}.load_power", load.name), "W", Family::Power, Source::LoadPower(i));
    }
    for (k, joint) in model.joints.iter().enumerate() {
        let speeds = model.layout.bodies[k].joint_v();
        if !speeds.is_empty() {
            add(format!("{}.power", joint.name), "W", Family::Power, Source::JointPower(k));
        }
        if model.prescribed[speeds].contains(&true) {
            add(format!("{}.driving_power", joint.name), "W", Family::Power, Source::DrivingPower(k));
        }
    }
    for (l, joint) in model.loops.iter().enumerate() {
        if joint.measures.iter().any(Option::is_some) {
            add(format!("{}.power", joint.name), "W", Family::Power, Source::LoopPower(l));
        }
        if joint.rows.iter().any(|row| row.driver.is_some()) {
            add(format!("{}.driving_power", joint.name), "W", Family::Power, Source::LoopDrivingPower(l));
        }
    }
    for i in 0..6 {
        let (kind, unit) = if i < 3 { ("linear", "kg m/s") } else { ("angular", "kg m²/s") };
        add(format!("momentum.{kind}.{}", AXES[i % 3]), unit, Family::Momentum, Source::Momentum(i as u8));
    }
    for (k, body) in model.bodies.iter().enumerate() {
        for (i, (word, unit)) in of_frames.iter().enumerate() {
            add(format!("{}.{word}", body.name), unit, Family::Body, Source::Body(k, i as u8));
        }
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let part = &model.layout.bodies[k];
        for r in 0..body.modes {
            let name = format!("{}.eta.{}", body.name, r + 1);
            add(name, "1", Family::Modal, Source::Coordinate(part.q + r));
            let name = format!("{}.eta_rate.{}", body.name, r + 1);
            add(name, "1/s", Family::Modal, Source::Speed(part.v + r));
        }
    }
    joint_channels(model, &mut add);
    for (f, frame) in model.frames.iter().enumerate() {
        let Some(carrier) = frame.body else { continue };
        // The reference frame is the body's own pose; that of a merged point mass keeps the name of the mass.
        let owner = frame.name.strip_suffix(".origin");
        if owner == Some(model.bodies[carrier.0].name.as_str()) {
            continue;
        }
        let name = owner.unwrap_or(&frame.name);
        for (i, (word, unit)) in of_frames.iter().enumerate() {
            add(format!("{name}.{word}"), unit, Family::Frame, Source::Frame(f, i as u8));
        }
    }
    for controller in &model.controllers {
        for i in 0..controller.actuators.len() {
            let unit = match controller.actuators[i] {
                Actuator::Effort(speed) => effort_unit(model, speed),
                Actuator::Force(_) | Actuator::Load(_) => "1",
                Actuator::Element(index) => model.elements[index].kind.effort_unit(),
            };
            let source = Source::Control(controller.first_output + i);
            add(format!("{}.output.{}", controller.name, i + 1), unit, Family::Control, source);
        }
    }
    if !model.loops.is_empty() {
        add("constraint.position".into(), "1", Family::Constraint, Source::Constraint(0));
        add("constraint.velocity".into(), "1/s", Family::Constraint, Source::Constraint(1));
    }
    element_channels(model, &mut add);
    list
}

/// Unit of the effort on a joint speed.
pub(crate) fn effort_unit(model: &Model, speed: usize) -> &'static str {
    let body = model.layout.bodies.partition_point(|part| part.v <= speed).saturating_sub(1);
    let part = &model.layout.bodies[body];
    let names = model.joints[body].joint.kind.speed_names();
    (speed - part.v).checked_sub(part.modes).and_then(|i| names.get(i)).map_or("1", |name| name.2)
}

/// Position, quaternion, angular velocity and velocity, in recorded order.
fn pose_words() -> impl Iterator<Item = (String, &'static str)> {
    let axes =
        |word: &'static str, unit: &'static str| AXES.iter().map(move |a| (format!("{word}.{a}"), unit));
    let quaternion = ["w", "x", "y", "z"].iter().map(|a| (format!("quaternion.{a}"), "1"));
    axes("position", "m").chain(quaternion).chain(axes("omega", "rad/s")).chain(axes("velocity", "m/s"))
}

/// Angular and linear acceleration, in recorded order.
fn acceleration_words() -> impl Iterator<Item = (String, &'static str)> {
    (0..6).map(|i| {
        let (kind, unit) =
            if i < 3 { ("angular_acceleration", "rad/s²") } else { ("acceleration", "m/s²") };
        (format!("{kind}.{}", AXES[i % 3]), unit)
    })
}

fn joint_channels(model: &Model, add: &mut impl FnMut(String, &'static str, Family, Source)) {
    for (k, joint) in model.joints.iter().enumerate() {
        let part = &model.layout.bodies[k];
        let kind = &joint.joint.kind;
        for (i, (word, unit)) in kind.coordinate_names().iter().enumerate() {
            let source = Source::Coordinate(part.joint_q().start + i);
            add(format!("{}.{word}", joint.name), unit, Family::Joint, source);
        }
        for (i, (word, unit, effort)) in kind.speed_names().iter().enumerate() {
            let speed = part.joint_v().start + i;
            add(format!("{}.{word}", joint.name), unit, Family::Joint, Source::Speed(speed));
            let unit = if unit.starts_with("rad") { "rad/s²" } else { "m/s²" };
            let name = format!("{}.{word}_acceleration", joint.name);
            add(name, unit, Family::Joint, Source::Acceleration(speed));
            if model.prescribed[speed] {
                let name = format!("{}.{word}_driving", joint.name);
                add(name, effort, Family::Joint, Source::Driving(speed));
            }
        }
    }
    loop_coordinate_channels(model, add);
    let tree = model.joints.iter().enumerate().map(|(k, joint)| (&joint.name, Ok(k)));
    let loops = model.loops.iter().enumerate().map(|(l, joint)| (&joint.name, Err(l)));
    for (name, index) in tree.chain(loops) {
        for i in 0..6 {
            let (word, unit) = if i < 3 { ("moment", "N m") } else { ("force", "N") };
            let source = match index {
                Ok(k) => Source::Reaction(k, i as u8),
                Err(l) => Source::LoopReaction(l, i as u8),
            };
            add(format!("{name}.{word}.{}", AXES[i % 3]), unit, Family::Reaction, source);
        }
    }
    for (l, joint) in model.loops.iter().enumerate().filter(|(_, joint)| joint.rolling_disc().is_some()) {
        add(format!("{}.normal_force", joint.name), "N", Family::Reaction, Source::NormalForce(l));
    }
}

fn loop_coordinate_channels(model: &Model, add: &mut impl FnMut(String, &'static str, Family, Source)) {
    for (l, joint) in model.loops.iter().enumerate() {
        let (positions, speeds) = (joint.kind.coordinate_names(), joint.kind.speed_names());
        for (i, _) in joint.measures.iter().enumerate().filter(|(_, measure)| measure.is_some()) {
            let (word, unit) = positions[i];
            add(format!("{}.{word}", joint.name), unit, Family::Joint, Source::LoopCoordinate(l, i as u8));
            let (word, unit, _) = speeds[i];
            add(format!("{}.{word}", joint.name), unit, Family::Joint, Source::LoopSpeed(l, i as u8));
        }
    }
}

fn element_channels(model: &Model, add: &mut impl FnMut(String, &'static str, Family, Source)) {
    for (e, element) in model.elements.iter().enumerate() {
        let wrench = (0..6).map(|i| {
            let (word, unit) = if i < 3 { ("moment", "N m") } else { ("force", "N") };
            (format!("{word}.{}", AXES[i % 3]), unit)
        });
        let (measure, unit) = element.kind.measure_words();
        let scalars = [(measure, unit), ("energy", "J"), ("power", "W")];
        let scalars = scalars.map(|(word, unit)| (word.to_string(), unit));
        for (i, (word, unit)) in wrench.chain(scalars).enumerate() {
            add(format!("{}.{word}", element.name), unit, Family::Element, Source::Element(e, i as u8));
        }
    }
    for (c, coupler) in model.couplers.iter().enumerate() {
        // The unit of the deflection is that of factor times coordinate, which the user chooses.
        let words = [("deflection", "1"), ("effort", "1"), ("energy", "J"), ("power", "W")];
        for (i, (word, unit)) in words.into_iter().enumerate() {
            add(format!("{}.{word}", coupler.name), unit, Family::Element, Source::Coupler(c, i as u8));
        }
    }
}
