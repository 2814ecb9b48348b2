//! Random numbers and states, and states that move along the flow of a model.

use flexura::algorithm::FlexibleRoute;
use flexura::model::description::InertiaLevel;
use flexura::model::joint::JointKind;
use flexura::scalar::{Dual, Scalar};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace};

/// A number with its rate along the flow.
pub type Moving = Dual<1>;

/// Small generator of random numbers (splitmix64): the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Numbers in ±`size`.
    pub fn numbers(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(-size, size)).collect()
    }

    /// A vector with components in ±`size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-size, size))
    }

    fn unit_of<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v: [f64; N] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.3 {
                return v.map(|x| x / norm);
            }
        }
    }

    /// A unit vector.
    pub fn axis(&mut self) -> [f64; 3] {
        self.unit_of()
    }

    /// A unit quaternion.
    pub fn quaternion(&mut self) -> [f64; 4] {
        self.unit_of()
    }

    /// A random order of a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// Random coordinates of one joint.
pub fn random_coordinates(kind: &JointKind, random: &mut Random) -> Vec<f64> {
    match kind {
        JointKind::Spherical => random.quaternion().to_vec(),
        JointKind::Free => [&random.quaternion()[..], &random.vector(1.0)].concat(),
        _ => random.numbers(kind.coordinate_count(), 1.2),
    }
}

/// Largest modal coordinates at a level: `consistent` is meant for small deformations; at `gram` residual
/// fields may fold back at very large ones, which costs digits; at the others nodes may turn by a radian and more.
fn deformation(level: InertiaLevel) -> f64 {
    match level {
        InertiaLevel::Consistent => 0.03,
        InertiaLevel::Gram => 0.2,
        _ => 0.5,
    }
}

/// A random state, deformed as far as each body's level allows; prescribed motions are not yet applied.
pub fn random_state(model: &Model, random: &mut Random) -> State {
    let mut state = State::initial(model, random.between(0.3, 1.4));
    for (k, (part, joint)) in model.layout.bodies.iter().zip(&model.joints).enumerate() {
        let size = deformation(model.bodies[k].level());
        state.q[part.modal_q()].copy_from_slice(&random.numbers(part.modes, size));
        state.v[part.modal_v()].copy_from_slice(&random.numbers(part.modes, 0.7));
        state.q[part.joint_q()].copy_from_slice(&random_coordinates(&joint.joint.kind, random));
        state.v[part.joint_v()].copy_from_slice(&random.numbers(part.joint_v, 1.0));
    }
    state
}

/// Takes deformation and modal speeds out of a state.
pub fn undeform(model: &Model, state: &mut State) {
    for part in &model.layout.bodies {
        state.q[part.modal_q()].fill(0.0);
        state.v[part.modal_v()].fill(0.0);
    }
}

/// Everything evaluated at `state`, which receives its prescribed coordinates and speeds.
pub fn evaluated(model: &Model, state: &mut State, route: FlexibleRoute) -> Workspace {
    let mut work = Workspace::with_route(model, route);
    apply_prescribed(model, state, Some(&mut work.load));
    work.kinematics(model, state);
    work.poses(model, state);
    work.loads(model, state);
    work.accelerations(model).expect("random models are well conditioned");
    work
}

/// `state` with the rates of coordinates and speeds that belong to accelerations `chidot`.
pub fn along_flow(model: &Model, state: &State, chidot: &[f64]) -> State<Moving> {
    let mut moving = State::<Moving>::lift(state);
    for (v, &rate) in moving.v.iter_mut().zip(chidot) {
        v.eps = [rate];
    }
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for (q, rate) in moving.q[part.modal_q()].iter_mut().zip(&state.v[part.modal_v()]) {
            q.eps = [*rate];
        }
        let (q, u) = (&state.q[part.joint_q()], &state.v[part.joint_v()]);
        moving.q[part.joint_q()].copy_from_slice(&moving_coordinates(&joint.joint.kind, q, u));
    }
    moving
}

/// Joint coordinates with their rates at speeds `u`: the derivative of `retract` at a zero step.
pub fn moving_coordinates(kind: &JointKind, q: &[f64], u: &[f64]) -> Vec<Moving> {
    let mut rate = vec![0.0; u.len()];
    kind.increment_rate(q, &vec![0.0; u.len()], u, &mut rate);
    let start: Vec<Moving> = q.iter().map(|&x| Moving::from_f64(x)).collect();
    let step: Vec<Moving> = rate.iter().map(|&x| Dual::new(0.0, [x])).collect();
    let mut out = start.clone();
    kind.retract(&start, &step, &mut out);
    out
}
