//! Chains and trees built in code, for counting, scaling and timing.

use flexura::model::description::*;
use flexura::{Model, State, build};

/// A small deterministic generator (SplitMix64), so that models are the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in 0..`bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }
}

/// One of the three unit vectors, in turn.
pub fn axis(index: usize) -> [f64; 3] {
    std::array::from_fn(|i| if i == index % 3 { 1.0 } else { 0.0 })
}

/// A frame at `position` on `place`.
pub fn frame(name: &str, place: Place, position: [f64; 3]) -> FrameDescription {
    FrameDescription { name: name.into(), place, position, ..Default::default() }
}

/// A joint without springs between two frames.
pub fn joint(name: String, kind: JointKindDescription, from: String, to: String) -> JointDescription {
    JointDescription {
        name,
        kind,
        between: [from, to],
        position: Vec::new(),
        speed: Vec::new(),
        coordinates: Vec::new(),
    }
}

/// A bar of 1 kg, 1 × 0.1 × 0.1 m along x, with frames at both ends.
pub fn bar(name: String) -> BodyDescription {
    let (thin, long) = (0.02 / 12.0, 1.01 / 12.0);
    BodyDescription {
        name,
        kind: BodyKind::Rigid(RigidDescription {
            mass: 1.0,
            center_of_mass: [0.5, 0.0, 0.0],
            inertia: [[thin, 0.0, 0.0], [0.0, long, 0.0], [0.0, 0.0, long]],
        }),
        frames: vec![frame("in", Place::Origin, [0.0; 3]), frame("out", Place::Origin, [1.0, 0.0, 0.0])],
        level: None,
        attachments: None,
        carriers: None,
    }
}

/// A bar of 1 kg with `modes` free-free modes: both of its ends deform.
///
/// Mode shapes are cosines: bending in two planes, torsion and extension in turn.
pub fn flexible_bar(name: String, modes: usize, level: InertiaLevel) -> BodyDescription {
    modal_bar(name, modes, level, |wave, x| ((wave * x).cos(), -0.1 * wave * (wave * x).sin()))
}

/// The same bar clamped to its frame at the inboard end, so that its modal mass is constant.
pub fn clamped_bar(name: String, modes: usize, level: InertiaLevel) -> BodyDescription {
    modal_bar(name, modes, level, |wave, x| (1.0 - (wave * x).cos(), 0.1 * wave * (wave * x).sin()))
}

/// A bar with mode shapes of the given value and slope of deflection (for 0.1 m) over wave number and place.
fn modal_bar(
    name: String,
    modes: usize,
    level: InertiaLevel,
    shape: impl Fn(f64, f64) -> (f64, f64),
) -> BodyDescription {
    let nodes = modes / 4 + 5;
    let share = 1.0 / nodes as f64;
    let node = |index: usize| {
        let x = index as f64 / (nodes - 1) as f64;
        let mut node = NodeDescription {
            name: format!("n{index}"),
            mass: share,
            inertia: std::array::from_fn(|i| {
                std::array::from_fn(|j| if i == j { share * [2e-3, 4e-3, 4e-3][i] } else { 0.0 })
            }),
            position: [x, 0.0, 0.0],
            ..Default::default()
        };
        for r in 0..modes {
            let wave = std::f64::consts::PI * (2 + r / 4) as f64;
            let (cos, bend) = shape(wave, x);
            let (translation, slope) = match r % 4 {
                0 => ([0.0, 0.1 * cos, 0.0], [0.0, 0.0, bend]),
                1 => ([0.0, 0.0, 0.1 * cos], [0.0, -bend, 0.0]),
                2 => ([0.0, 0.0, 0.02 * cos], [cos, 0.0, 0.0]),
                _ => ([0.1 * cos, 0.0, 0.0], [0.0, 0.0, 0.05 * cos]),
            };
            node.translations.push(translation);
            node.slopes.push(slope);
        }
        node
    };
    let mut stiffness = vec![0.0; modes * modes];
    for r in 0..modes {
        stiffness[r * (modes + 1)] = 50.0 * (1 + r) as f64;
    }
    BodyDescription {
        name,
        kind: BodyKind::Modal(ModalDescription {
            modes,
            nodes: (0..nodes).map(node).collect(),
            stiffness,
            damping: DampingDescription::None,
            invariants: None,
        }),
        frames: vec![
            frame("in", Place::Node("n0".into()), [0.0; 3]),
            frame("out", Place::Node(format!("n{}", nodes - 1)), [0.0; 3]),
        ],
        level: Some(level),
        attachments: None,
        carriers: None,
    }
}

/// Revolute joints with axes x, y, z in turn; `parent(k)` is the carrier of body `k`.
fn connect(bodies: Vec<BodyDescription>, mut parent: impl FnMut(usize) -> Option<usize>) -> Description {
    let mut out = Description {
        name: "chain".into(),
        gravity: [0.0, 0.0, -9.81],
        ground_frames: vec![frame("base", Place::Origin, [0.0; 3])],
        ..Default::default()
    };
    for k in 0..bodies.len() {
        let from = parent(k).map_or("ground.base".into(), |p| format!("b{p}.out"));
        let kind = JointKindDescription::Revolute { axis: axis(k) };
        out.joints.push(joint(format!("j{k}"), kind, from, format!("b{k}.in")));
    }
    out.bodies = bodies;
    out
}

/// The rigid chain of the published comparisons.
pub fn rigid_chain(count: usize) -> Description {
    connect((0..count).map(|k| bar(format!("b{k}"))).collect(), |k| k.checked_sub(1))
}

/// A chain of flexible bars.
pub fn flexible_chain(count: usize, modes: usize, level: InertiaLevel) -> Description {
    let bodies = (0..count).map(|k| flexible_bar(format!("b{k}"), modes, level)).collect();
    connect(bodies, |k| k.checked_sub(1))
}

/// A chain of clamped flexible bars.
pub fn clamped_chain(count: usize, modes: usize, level: InertiaLevel) -> Description {
    let bodies = (0..count).map(|k| clamped_bar(format!("b{k}"), modes, level)).collect();
    connect(bodies, |k| k.checked_sub(1))
}

/// A random rigid tree: every body hangs on any earlier one.
pub fn rigid_tree(count: usize, seed: u64) -> Description {
    let mut random = Random(seed);
    connect((0..count).map(|k| bar(format!("b{k}"))).collect(), |k| (k > 0).then(|| random.below(k)))
}

/// The model of `description`, which must be sound.
pub fn model(description: Description) -> Model {
    build(description).expect("the model is sound").model
}

/// A state of `model` with moderate angles, speeds and deformations.
pub fn random_state(model: &Model, seed: u64) -> State {
    let mut random = Random(seed);
    let mut state = State::initial(model, 0.0);
    for part in &model.layout.bodies {
        state.q[part.modal_q()].iter_mut().for_each(|x| *x = 0.01 * random.signed());
        state.v[part.modal_v()].iter_mut().for_each(|x| *x = 0.2 * random.signed());
        // Quaternions keep their unit length; other coordinates move.
        if part.joint_q == part.joint_v {
            state.q[part.joint_q()].iter_mut().for_each(|x| *x = random.signed());
        }
        state.v[part.joint_v()].iter_mut().for_each(|x| *x = random.signed());
    }
    state
}
