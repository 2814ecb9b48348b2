//! Seeded random trees of rigid and flexible bodies with all kinds of joints.
//!
//! Masses are between 0.5 and 2, inertias are those of clouds of points, modes
//! are independent of each other and of rigid motions: the systems are well
//! conditioned, so that algorithms must agree to rounding.

pub use crate::random_state::*;
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Model, build};

/// All levels.
pub const LEVELS: [InertiaLevel; 5] = [
    InertiaLevel::Ruthless,
    InertiaLevel::Paper,
    InertiaLevel::Consistent,
    InertiaLevel::Full,
    InertiaLevel::Gram,
];

/// Levels that conserve energy and momenta.
pub const EXACT_LEVELS: [InertiaLevel; 3] =
    [InertiaLevel::Consistent, InertiaLevel::Full, InertiaLevel::Gram];

/// What a random system may contain.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Most bodies.
    pub bodies: usize,
    /// Most modes of one body.
    pub modes: usize,
    /// Levels, chosen body by body.
    pub levels: Vec<InertiaLevel>,
    /// Whether attachment rules other than the default are tried.
    pub rules: bool,
    /// Share of joints with prescribed coordinates.
    pub prescribed: f64,
    /// Whether springs, dampers, friction, efforts and applied forces act.
    pub loads: bool,
    /// Whether the first body is carried by a free joint and all others by it.
    pub floating: bool,
}

impl Recipe {
    /// Everything at once, at the given levels.
    pub fn everything(levels: &[InertiaLevel]) -> Self {
        let levels = levels.to_vec();
        Self { bodies: 60, modes: 8, levels, rules: true, prescribed: 0.3, loads: true, floating: false }
    }

    /// Up to ten bodies at default attachments, anchored, at one level.
    pub fn small(level: InertiaLevel) -> Self {
        Self { bodies: 10, rules: false, prescribed: 0.0, ..Self::everything(&[level]) }
    }

    /// A system of this kind.
    pub fn describe(&self, random: &mut Random) -> Description {
        let mut out =
            Description { name: "random".into(), gravity: random.vector(6.0), ..Default::default() };
        // Few bodies most of the time, all sizes now and then.
        let count = ((self.bodies as f64).powf(random.unit() * 1.02) as usize).clamp(1, self.bodies);
        for b in 0..count {
            let body = self.body(b, random);
            out.bodies.push(body);
            self.connect(b, &mut out, random);
        }
        if self.loads {
            add_forces(&mut out, random);
        }
        random.shuffle(&mut out.bodies);
        random.shuffle(&mut out.joints);
        out
    }

    fn body(&self, b: usize, random: &mut Random) -> BodyDescription {
        let modes = if random.chance(0.4) { 0 } else { random.below(self.modes + 1) };
        let flexible = modes > 0 || random.chance(0.2);
        let level = flexible.then(|| self.levels[random.below(self.levels.len())]);
        let rules = [AttachmentRule::Exact, AttachmentRule::LambdaEtad, AttachmentRule::Frozen];
        let attachments = (flexible && self.rules && random.chance(0.4)).then(|| rules[random.below(3)]);
        let kind = if flexible { BodyKind::Modal(modal(modes, random)) } else { rigid(random) };
        BodyDescription {
            name: format!("b{b}"),
            kind,
            frames: Vec::new(),
            level,
            attachments,
            carriers: None,
        }
    }

    /// Joins the last body to the ground or to an earlier body.
    fn connect(&self, b: usize, out: &mut Description, random: &mut Random) {
        let parent = match b {
            0 => None,
            _ if !self.floating && random.chance(0.1) => None,
            // Chains and bushes both: often the previous body, else any.
            _ => Some(if random.chance(0.5) { b - 1 } else { random.below(b) }),
        };
        let base = self.floating && parent.is_none();
        let outer = match parent {
            Some(p) => {
                let frame = random_frame(format!("out{b}"), &out.bodies[p].kind, random);
                out.bodies[p].frames.push(frame);
                format!("b{p}.out{b}")
            }
            None => {
                out.ground_frames.push(random_frame(format!("out{b}"), &rigid(random), random));
                format!("ground.out{b}")
            }
        };
        let inner = random_frame("in".into(), &out.bodies[b].kind, random);
        out.bodies[b].frames.push(inner);
        let mut between = [outer, format!("b{b}.in")];
        if !base && random.chance(0.5) {
            between.reverse();
        }
        let kind = if base { JointKindDescription::Free } else { random_kind(random.below(10), random) };
        let prescribed = !base && random.chance(self.prescribed);
        let coordinates = self.coordinates(&kind, prescribed, base, random);
        out.joints.push(JointDescription {
            name: format!("j{b}"),
            kind,
            between,
            position: Vec::new(),
            speed: Vec::new(),
            coordinates,
        });
    }

    /// Loads and motions of a joint; orientations and positions are prescribed as a whole.
    fn coordinates(
        &self,
        kind: &JointKindDescription,
        prescribed: bool,
        base: bool,
        random: &mut Random,
    ) -> Vec<CoordinateDescription> {
        let count = freedoms(kind);
        let group = match kind {
            JointKindDescription::Spherical | JointKindDescription::Free => 3,
            _ => 1,
        };
        let moves: Vec<bool> = (0..count.div_ceil(group)).map(|_| random.chance(0.7)).collect();
        let mut list: Vec<CoordinateDescription> = (0..count)
            .map(|_| if self.loads && !base { joint_load(random) } else { Default::default() })
            .collect();
        for (i, c) in list.iter_mut().enumerate() {
            if prescribed && moves[i / group] {
                c.motion = Some(time_function(random));
            }
        }
        list
    }
}

/// A built random system and a state of it, for one seed.
pub fn random_case(recipe: &Recipe, seed: u64) -> (Model, flexura::State) {
    let mut random = Random::new(seed);
    let description = recipe.describe(&mut random);
    let model = build(description).unwrap_or_else(|e| panic!("seed {seed}: {e}")).model;
    let state = random_state(&model, &mut random);
    (model, state)
}

/// Runs `error_of` over `count` seeds; every error must stay below `tolerance`. Prints the worst.
pub fn sweep(name: &str, count: u64, tolerance: f64, mut error_of: impl FnMut(u64) -> f64) {
    let mut worst = (0.0, 0);
    for seed in 1..=count {
        let error = error_of(seed);
        assert!(error < tolerance, "{name}: seed {seed}: error {error:.3e}, allowed {tolerance:.0e}");
        if error > worst.0 {
            worst = (error, seed);
        }
    }
    println!("{name}: {count} systems, worst {:.2e} (seed {})", worst.0, worst.1);
}

fn freedoms(kind: &JointKindDescription) -> usize {
    match kind {
        JointKindDescription::Weld => 0,
        JointKindDescription::Cylindrical { .. } | JointKindDescription::Universal { .. } => 2,
        JointKindDescription::Spherical
        | JointKindDescription::Planar
        | JointKindDescription::Translational => 3,
        JointKindDescription::Free => 6,
        _ => 1,
    }
}

/// Kind number `index` of ten with random geometry.
pub fn random_kind(index: usize, random: &mut Random) -> JointKindDescription {
    let axis = random.axis();
    match index {
        0 => JointKindDescription::Weld,
        1 => JointKindDescription::Revolute { axis },
        2 => JointKindDescription::Prismatic { axis },
        3 => JointKindDescription::Cylindrical { axis },
        4 => JointKindDescription::Helical { axis, pitch: random.between(0.1, 0.5) },
        5 => JointKindDescription::Universal { axis, axis2: oblique(&axis, random) },
        6 => JointKindDescription::Spherical,
        7 => JointKindDescription::Planar,
        8 => JointKindDescription::Translational,
        _ => JointKindDescription::Free,
    }
}

/// A unit vector well away from `axis`.
fn oblique(axis: &[f64; 3], random: &mut Random) -> [f64; 3] {
    loop {
        let other = random.axis();
        if flexura::spatial::dot(axis, &other).abs() < 0.5 {
            return other;
        }
    }
}

/// A frame at a place of its body: at the origin, or at one of few nodes, so that nodes are shared.
pub fn random_frame(name: String, kind: &BodyKind, random: &mut Random) -> FrameDescription {
    let place = match kind {
        BodyKind::Modal(modal) if random.chance(0.8) => {
            Place::Node(modal.nodes[random.below(modal.nodes.len().min(4))].name.clone())
        }
        _ => Place::Origin,
    };
    let rotation = RotationDescription::Quaternion(random.quaternion());
    FrameDescription { name, place, position: random.vector(0.5), rotation }
}

/// Inertia of a cloud of points of mass `mass` about the centre: always possible.
fn cloud(mass: f64, size: f64, random: &mut Random) -> [[f64; 3]; 3] {
    let mut sum = [[0.0; 3]; 3];
    for axis in 0..3 {
        let mut r = random.vector(0.5 * size);
        r[axis] += size;
        add_point(&mut sum, mass / 3.0, &r);
    }
    sum
}

fn add_point(inertia: &mut [[f64; 3]; 3], mass: f64, r: &[f64; 3]) {
    for i in 0..3 {
        for j in 0..3 {
            let square = if i == j { flexura::spatial::dot(r, r) } else { 0.0 };
            inertia[i][j] += mass * (square - r[i] * r[j]);
        }
    }
}

/// A random rigid body.
pub fn rigid(random: &mut Random) -> BodyKind {
    let mass = random.between(0.5, 2.0);
    let inertia = cloud(mass, 0.5, random);
    BodyKind::Rigid(RigidDescription { mass, center_of_mass: random.vector(0.3), inertia })
}

/// A random flexible body: cantilever (with a massless clamped root) or free-free.
pub fn modal(modes: usize, random: &mut Random) -> ModalDescription {
    let masses = 4 + modes / 2;
    let quadratic = random.chance(0.4);
    let mut nodes: Vec<NodeDescription> =
        (0..masses).map(|i| mass_node(i, modes, 1.0 / masses as f64, quadratic, random)).collect();
    if random.chance(0.5) {
        let still = vec![[0.0; 3]; modes];
        let root = NodeDescription {
            name: "root".into(),
            slopes: still.clone(),
            translations: still,
            ..Default::default()
        };
        nodes.insert(0, root);
    }
    let stiffness = positive(modes, 20.0, random);
    let damping = match random.below(6) {
        0 => DampingDescription::None,
        1 => DampingDescription::Ratios((0..modes).map(|_| random.between(0.01, 0.1)).collect()),
        2 => DampingDescription::Coefficients((0..modes).map(|_| random.between(0.1, 1.0)).collect()),
        3 => DampingDescription::Matrix(positive(modes, 0.5, random)),
        4 => DampingDescription::Rayleigh { mass: 0.1, stiffness: 0.02 },
        _ => DampingDescription::KelvinVoigt { time: 0.01 },
    };
    ModalDescription { modes, nodes, stiffness, damping, invariants: None }
}

fn mass_node(i: usize, modes: usize, share: f64, quadratic: bool, random: &mut Random) -> NodeDescription {
    let mass = random.between(0.5, 2.0) * share;
    let offset = if random.chance(0.6) { random.vector(0.2) } else { [0.0; 3] };
    let mut inertia = cloud(mass, 0.4, random);
    add_point(&mut inertia, mass, &offset);
    let mut second = Vec::new();
    if quadratic {
        second = vec![[0.0; 3]; modes * modes];
        for r in 0..modes {
            for s in 0..=r {
                let value = random.vector(0.3);
                second[r * modes + s] = value;
                second[s * modes + r] = value;
            }
        }
    }
    NodeDescription {
        name: format!("n{i}"),
        mass,
        inertia,
        offset,
        position: random.vector(1.0),
        slopes: (0..modes).map(|_| random.vector(0.8)).collect(),
        translations: (0..modes).map(|_| random.vector(0.6)).collect(),
        quadratic: second,
    }
}

/// A symmetric positive definite matrix.
fn positive(n: usize, size: f64, random: &mut Random) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = (0..n).map(|_| random.numbers(n, 1.0)).collect();
    let mut matrix = vec![0.0; n * n];
    for r in 0..n {
        for s in 0..n {
            let product: f64 = rows[r].iter().zip(&rows[s]).map(|(a, b)| a * b).sum();
            matrix[r * n + s] = size * (product + if r == s { 0.5 } else { 0.0 });
        }
    }
    matrix
}

/// A smooth function of time between about -1 and 1.
pub fn time_function(random: &mut Random) -> TimeFunction {
    match random.below(3) {
        0 => TimeFunction::Polynomial { coefficients: random.numbers(4, 0.5) },
        1 => TimeFunction::Harmonic {
            offset: random.between(-0.3, 0.3),
            amplitude: random.between(-0.5, 0.5),
            angular_frequency: random.between(0.5, 2.0),
            phase: random.between(-3.0, 3.0),
        },
        _ => TimeFunction::Cycloidal {
            from: random.between(-0.5, 0.5),
            to: random.between(-0.5, 0.5),
            start: random.between(-0.5, 0.2),
            duration: random.between(1.0, 2.0),
        },
    }
}

fn joint_load(random: &mut Random) -> CoordinateDescription {
    let mut c = CoordinateDescription::default();
    if random.chance(0.3) {
        c.stiffness = random.between(1.0, 10.0);
        c.rest = random.between(-0.3, 0.3);
    }
    if random.chance(0.3) {
        c.damping = random.between(0.1, 1.0);
    }
    if random.chance(0.2) {
        c.friction = random.between(0.1, 1.0);
        c.friction_speed = 0.5;
    }
    if random.chance(0.3) {
        c.effort = Some(time_function(random));
    }
    c
}

fn add_forces(out: &mut Description, random: &mut Random) {
    for i in 0..random.below(4) {
        let body = random.below(out.bodies.len());
        let frame = random_frame(format!("f{i}"), &out.bodies[body].kind, random);
        out.bodies[body].frames.push(frame);
        out.forces.push(ForceDescription {
            name: format!("f{i}"),
            at: format!("b{body}.f{i}"),
            inertial: random.chance(0.5),
            force: random.vector(5.0),
            moment: random.vector(3.0),
            scale: random.chance(0.5).then(|| time_function(random)),
        });
    }
}
