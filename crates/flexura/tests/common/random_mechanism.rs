//! Seeded random mechanisms: a random tree in a random position, closed by joints that fit there.
//!
//! A chord of any kind is put between two random bodies: its first frame lies
//! anywhere, its second where the joint at a random coordinate wants it, so that
//! every loop is closed before assembly. Chords carry drivers, springs, dampers,
//! friction and efforts; some are doubled, which makes their rows dependent.
#![allow(dead_code)] // each test binary uses its own part

use super::random_model::{
    EXACT_LEVELS, Random, Recipe, random_coordinates, random_frame, random_kind, random_state, time_function,
};
use flexura::model::description::*;
use flexura::model::joint::{Joint, JointKind, JointMotion};
use flexura::motion::observe::{FrameMotion, frame_motion};
use flexura::spatial::{Matrix3, Vector3, add, matrix_product, matrix_vector, sub, transposed};
use flexura::state::prescribe::apply_prescribed;
use flexura::time_function::TimeFunction;
use flexura::{Model, State, Workspace, build};

/// What a random mechanism may contain.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// The tree that is closed.
    pub tree: Recipe,
    /// Most chords.
    pub chords: usize,
    /// Share of chords given twice.
    pub doubled: f64,
    /// Share of chord coordinates with a driver.
    pub driven: f64,
    /// Whether laws act on chords.
    pub laws: bool,
}

impl Mechanism {
    /// Up to ten bodies with up to three modes, up to four chords.
    pub fn everything() -> Self {
        let tree = Recipe {
            bodies: 10,
            modes: 3,
            rules: false,
            prescribed: 0.15,
            ..Recipe::everything(&EXACT_LEVELS)
        };
        Self { tree, chords: 4, doubled: 0.25, driven: 0.1, laws: true }
    }

    /// Without doubled chords.
    pub fn independent() -> Self {
        Self { doubled: 0.0, ..Self::everything() }
    }

    /// The mechanism of one seed, in the position in which its loops are closed.
    pub fn describe(&self, seed: u64) -> Description {
        // Trees with too few freedoms for any chord, and motions that contradict each other, are passed over.
        let mut candidates = (0..).map(|attempt| self.candidate(1000 * seed + attempt));
        candidates.find(|found| !found.graph.cut.is_empty() && moves(found)).expect("an endless sequence")
    }

    fn candidate(&self, seed: u64) -> Description {
        let mut random = Random::new(seed);
        let mut description = self.tree.describe(&mut random);
        // Coordinates that a chord cannot measure carry no laws, so that every joint can be a chord.
        for joint in &mut description.joints {
            if !is_measured(&joint.kind) {
                joint.coordinates.clear();
            }
        }
        let free = settle(&mut description, &mut random, seed);
        let mut left = free as i64 - 1;
        for c in 0..=random.below(self.chords) {
            let kind = random_kind(random.below(9), &mut random);
            let q = random_coordinates(&kind, &mut random);
            let laws = self.laws_at(&kind, &q, description.simulation.start, &mut random);
            let driven = laws.iter().filter(|c| c.motion.is_some()).count() as i64;
            // One freedom is left, so that no driver is contradicted.
            let rows = 6 - kind.degrees_of_freedom() as i64 + driven;
            if rows <= left {
                left -= rows;
                let chord = JointDescription {
                    name: format!("c{c}"),
                    between: Default::default(),
                    position: q,
                    speed: Vec::new(),
                    coordinates: laws,
                    kind,
                };
                self.add_chord(&mut description, c, chord, &mut random);
            }
        }
        description
    }

    /// Adds a chord that fits, perhaps twice.
    fn add_chord(
        &self,
        description: &mut Description,
        c: usize,
        mut joint: JointDescription,
        random: &mut Random,
    ) {
        let count = description.bodies.len();
        let first = random.below(count);
        let second = (first + 1 + random.below(count)) % (count + 1);
        let [near, far] = [format!("c{c}a"), format!("c{c}b")];
        let frame = random_frame(near.clone(), &description.bodies[first].kind, random);
        description.bodies[first].frames.push(frame);
        let probe = match description.bodies.get(second) {
            Some(body) => {
                let place = random_frame(far.clone(), &body.kind, random).place;
                FrameDescription { name: far.clone(), place, ..Default::default() }
            }
            None => FrameDescription { name: far.clone(), ..Default::default() },
        };
        let other = if second == count {
            description.ground_frames.push(probe);
            "ground".to_string()
        } else {
            description.bodies[second].frames.push(probe);
            description.bodies[second].name.clone()
        };
        let between = [format!("{}.{near}", description.bodies[first].name), format!("{other}.{far}")];
        let (position, rotation) = fitting(description, &between, &joint.kind, &joint.position);
        let list = if second == count {
            &mut description.ground_frames
        } else {
            &mut description.bodies[second].frames
        };
        let placed = list.iter_mut().find(|frame| frame.name == far).expect("just added");
        placed.position = position;
        placed.rotation = RotationDescription::Matrix(rotation);
        joint.between = between;
        description.graph.cut.push(joint.name.clone());
        if random.chance(self.doubled) {
            let twin = JointDescription { name: format!("c{c}x"), coordinates: Vec::new(), ..joint.clone() };
            description.graph.cut.push(twin.name.clone());
            description.joints.push(twin);
        }
        description.joints.push(joint);
    }

    /// Laws on the coordinates of a chord; a driver passes through `q` at `time`.
    fn laws_at(
        &self,
        kind: &JointKindDescription,
        q: &[f64],
        time: f64,
        random: &mut Random,
    ) -> Vec<CoordinateDescription> {
        if !self.laws || !is_measured(kind) {
            return Vec::new();
        }
        let mut list = Vec::new();
        for &value in q {
            let mut c = CoordinateDescription::default();
            if random.chance(self.driven) {
                let rate = random.between(-0.5, 0.5);
                c.motion = Some(TimeFunction::Polynomial { coefficients: vec![value - rate * time, rate] });
            } else if random.chance(0.7) {
                c.stiffness = random.between(1.0, 5.0);
                c.rest = value + random.between(-0.5, 0.5);
                c.damping = random.between(0.1, 1.0);
                c.friction = random.between(0.1, 1.0);
                c.friction_speed = 0.5;
                c.effort = Some(time_function(random));
            }
            list.push(c);
        }
        list
    }
}

/// Whether prescribed motions do not contradict each other; anything else wrong is a failure.
fn moves(description: &Description) -> bool {
    match build(description.clone()) {
        Ok(_) => true,
        Err(found) => {
            let mut errors = found.diagnostics.iter().filter(|d| d.is_error());
            assert!(errors.all(|d| d.code == "contradicting-motions"), "{found}");
            false
        }
    }
}

/// Whether a chord of this kind can carry laws on its coordinates.
fn is_measured(kind: &JointKindDescription) -> bool {
    use JointKindDescription as Kind;
    !matches!(kind, Kind::Weld | Kind::Universal { .. } | Kind::Spherical | Kind::Free)
}

/// Writes a random state of the tree into the description; returns its free speeds.
fn settle(description: &mut Description, random: &mut Random, seed: u64) -> usize {
    let model = build(description.clone()).unwrap_or_else(|e| panic!("seed {seed}: {e}")).model;
    let mut state = random_state(&model, random);
    // A random state has its own time; motions of the tree are taken there.
    apply_prescribed(&model, &mut state, None);
    description.simulation.start = state.time;
    description.simulation.end = state.time + 1.0;
    for (part, tree) in model.layout.bodies.iter().zip(&model.joints) {
        let joint = description.joints.iter_mut().find(|joint| joint.name == tree.name).expect("same names");
        joint.position = state.q[part.joint_q()].to_vec();
        joint.speed = state.v[part.joint_v()].to_vec();
    }
    for (part, body) in model.layout.bodies.iter().zip(&model.bodies).filter(|(part, _)| part.modes > 0) {
        let simulation = &mut description.simulation;
        simulation.modal_position.push((body.name.clone(), state.q[part.modal_q()].to_vec()));
        simulation.modal_speed.push((body.name.clone(), state.v[part.modal_v()].to_vec()));
    }
    model.free_speed_count()
}

/// Position and orientation of the second frame of a joint on the probe it replaces.
fn fitting(
    description: &Description,
    between: &[String; 2],
    kind: &JointKind,
    q: &[f64],
) -> (Vector3, Matrix3) {
    let mut open = description.clone();
    open.joints.retain(|joint| !joint.name.starts_with('c'));
    open.graph = GraphDescription::default();
    let model = build(open).expect("the tree builds").model;
    let time = description.simulation.start;
    let (first, probe) = (motion_of(&model, time, &between[0]), motion_of(&model, time, &between[1]));
    let mut motion = JointMotion::at_rest();
    Joint { kind: *kind, reversed: false }.evaluate(q, &vec![0.0; kind.degrees_of_freedom()], &mut motion);
    let rotation = matrix_product(&first.rotation, &motion.rotation);
    let position = add(&first.position, &matrix_vector(&first.rotation, &motion.translation));
    let back = transposed(&probe.rotation);
    (matrix_vector(&back, &sub(&position, &probe.position)), matrix_product(&back, &rotation))
}

/// Pose and velocity of a frame at the initial state at `time`.
pub fn motion_of(model: &Model, time: f64, frame: &str) -> FrameMotion {
    let state = State::initial(model, time);
    let mut work = Workspace::new(model);
    work.kinematics(model, &state);
    work.poses(model, &state);
    let frame = &model.frames[model.frame(frame).expect("frame exists").0];
    let (still, chidot) = (vec![[0.0; 6]; model.body_count()], vec![0.0; model.speed_count()]);
    frame_motion(model, &state, &work.motion, &still, &chidot, frame)
}
