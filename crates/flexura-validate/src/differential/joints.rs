//! Joints of every kind, in both directions, with their laws, efforts and prescribed motions.

use super::bodies::BodyKind;
use super::dice::Dice;
use super::scene::Scene;

/// What later items need to know of a joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Word of its type.
    pub kind: &'static Kind,
    /// Bodies it joins; `None` is the ground.
    pub bodies: [Option<usize>; 2],
    /// Frames it joins.
    pub ends: [String; 2],
    /// Freedoms that are not prescribed.
    pub free: usize,
    /// Which coordinates are prescribed.
    pub driven: Vec<bool>,
}

/// A type of joint and the names of its channels.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Word in the file.
    pub word: &'static str,
    /// Channels of coordinates, those of an orientation left out.
    pub coordinates: &'static [&'static str],
    /// Channels of speeds.
    pub speeds: &'static [&'static str],
    /// How many coordinates are rotations (0 or 3 where there is an orientation).
    pub turning: usize,
    /// Whether it has an orientation instead of angles.
    pub orientation: bool,
}

macro_rules! kind {
    ($word:literal, $coordinates:expr, $speeds:expr, $turning:literal, $orientation:literal) => {
        Kind {
            word: $word,
            coordinates: &$coordinates,
            speeds: &$speeds,
            turning: $turning,
            orientation: $orientation,
        }
    };
}

/// All types of joints.
pub static KINDS: [Kind; 10] = [
    kind!("weld", [], [], 0, false),
    kind!("revolute", ["angle"], ["rate"], 1, false),
    kind!("prismatic", ["displacement"], ["speed"], 0, false),
    kind!("cylindrical", ["angle", "displacement"], ["rate", "speed"], 1, false),
    kind!("helical", ["angle"], ["rate"], 1, false),
    kind!("universal", ["angle1", "angle2"], ["rate1", "rate2"], 2, false),
    kind!("spherical", [], ["wx", "wy", "wz"], 3, true),
    kind!("planar", ["x", "y", "angle"], ["vx", "vy", "rate"], 0, false),
    kind!("translational", ["x", "y", "z"], ["vx", "vy", "vz"], 0, false),
    kind!("free", ["x", "y", "z"], ["wx", "wy", "wz", "vx", "vy", "vz"], 3, true),
];

impl Kind {
    /// The type of that word.
    pub fn of(word: &str) -> &'static Kind {
        KINDS.iter().find(|kind| kind.word == word).unwrap_or(&KINDS[0])
    }

    /// How many freedoms it leaves.
    pub fn freedoms(&self) -> usize {
        self.speeds.len()
    }

    /// How many rotations it leaves.
    pub fn rotations(&self) -> usize {
        self.turning + usize::from(self.word == "planar")
    }

    /// Size of a coordinate at the start: angles in radians are larger than distances in metres.
    fn size(&self, coordinate: usize) -> f64 {
        if coordinate < self.turning || (self.word == "planar" && coordinate == 2) { 0.8 } else { 0.15 }
    }

    /// Whether its coordinates can be measured where it closes a loop.
    pub fn measured(&self) -> bool {
        !self.orientation && self.word != "universal"
    }
}

/// Writes the joint that carries the last body.
pub fn carry(scene: &mut Scene, parent: Option<usize>, dice: &mut Dice) {
    let child = scene.bodies.len() - 1;
    let kind = match scene.bodies[child].kind {
        BodyKind::Point => *dice.pick(&["weld", "prismatic", "translational"]),
        _ => *dice.pick(&[
            "weld",
            "revolute",
            "revolute",
            "revolute",
            "prismatic",
            "cylindrical",
            "helical",
            "universal",
            "spherical",
            "spherical",
            "planar",
            "translational",
            "free",
        ]),
    };
    let frames = &scene.bodies[child].frames;
    let near = if dice.chance(0.8) { frames[0].clone() } else { dice.pick(frames).clone() };
    let far = match parent {
        None => dice.pick(&scene.ground).clone(),
        Some(body) => dice.pick(&scene.bodies[body].frames).clone(),
    };
    let (mut ends, mut bodies) = ([far, near], [parent, Some(child)]);
    if dice.chance(0.2) {
        ends.reverse();
        bodies.reverse();
    }
    let name = format!("j{}", child + 1);
    let kind = Kind::of(kind);
    head(scene, dice, &name, kind, &ends);
    let driven = if dice.chance(0.15) { drive(scene, dice, kind) } else { start(scene, dice, kind) };
    let free = driven.iter().filter(|driven| !**driven).count();
    if kind.freedoms() > 0 && free > 0 && dice.chance(if kind.measured() { 0.45 } else { 0.12 }) {
        laws(scene, dice, kind, &driven);
    }
    scene.joints.push(Joint { name, kind, bodies, ends, free, driven });
}

/// Name, type, ends and axes.
pub fn head(scene: &mut Scene, dice: &mut Dice, name: &str, kind: &Kind, ends: &[String; 2]) {
    let word = kind.word;
    scene.line(&format!("[[joint]]\nname = \"{name}\"\ntype = \"{word}\"\nbetween = {ends:?}"));
    match word {
        "revolute" | "prismatic" | "cylindrical" | "helical" => {
            let axis = dice.axis();
            scene.line(&format!("axis = {axis:?}"));
        }
        // Crosses work with any angle between their axes.
        "universal" => {
            let axes = *dice.pick(&[
                "axis = [0, 0, 1]\naxis2 = [1, 0, 0]",
                "axis = [0, 1, 0]\naxis2 = [0, 0, 1]",
                "axis = [1, 0, 0]\naxis2 = [0, 0.8, 0.6]",
            ]);
            scene.line(axes);
        }
        _ => {}
    }
    if word == "helical" {
        let pitch = dice.between(0.05, 0.3);
        scene.line(&format!("pitch = {pitch:?}"));
    }
}

fn value(numbers: &[f64]) -> String {
    match numbers {
        [one] => format!("{one:?}"),
        several => format!("{several:?}"),
    }
}

/// Coordinates and speeds at the start of a joint that is free to move.
fn start(scene: &mut Scene, dice: &mut Dice, kind: &Kind) -> Vec<bool> {
    if kind.orientation {
        let orientation = dice.rotation();
        scene.line(&format!("orientation = {orientation}"));
    }
    if !kind.coordinates.is_empty() {
        let own = if kind.orientation { 3 } else { 0 };
        let numbers: Vec<f64> =
            (0..kind.coordinates.len()).map(|i| dice.between(-1.0, 1.0) * kind.size(i + own)).collect();
        scene.line(&format!("position = {}", value(&numbers)));
    }
    if kind.freedoms() > 0 && dice.chance(0.7) {
        let numbers: Vec<f64> =
            (0..kind.freedoms()).map(|i| dice.between(-2.0, 2.0) * kind.size(i)).collect();
        scene.line(&format!("speed = {}", value(&numbers)));
    }
    vec![false; kind.freedoms()]
}

/// Prescribes some coordinates, the three of a rotation together, from where they start.
fn drive(scene: &mut Scene, dice: &mut Dice, kind: &Kind) -> Vec<bool> {
    let count = kind.freedoms();
    let mut driven: Vec<bool> = (0..count).map(|_| dice.chance(0.6)).collect();
    if kind.orientation {
        for block in driven.chunks_mut(3) {
            let all = block[0];
            block.fill(all);
        }
    }
    if !driven.contains(&true) {
        return start(scene, dice, kind);
    }
    let (mut positions, mut speeds, mut motions) = (Vec::new(), Vec::new(), Vec::new());
    for (i, driven) in driven.iter().enumerate() {
        let size = kind.size(i);
        let (position, speed) = (dice.between(-1.0, 1.0) * size, dice.between(-1.0, 1.0) * size);
        let bend = dice.between(-20.0, 20.0) * size;
        motions.push(match (driven, dice.below(3)) {
            (false, _) => "\"free\"".to_string(),
            (true, 0) => format!("{{ polynomial = [{position:?}, {speed:?}, {bend:?}] }}"),
            (true, 1) => format!(
                "{{ harmonic = {{ amplitude = {:?}, angular_frequency = 12, offset = {position:?} }} }}",
                speed / 12.0
            ),
            (true, _) => {
                format!("{{ table = {{ times = [-0.5, 0.04, 0.1, 0.5], values = [{position:?}, {:?}, {:?}, 0.0], start_rate = 0 }} }}",
                    position + 0.05 * speed, position - 0.1 * speed)
            }
        });
        positions.push(position);
        speeds.push(speed);
    }
    // Where all is prescribed nothing is left to say; else the free ones start at rest from zero.
    let motion = if count == 1 { motions.remove(0) } else { format!("[{}]", motions.join(", ")) };
    scene.line(&format!("motion = {motion}"));
    driven
}

/// Spring, damper, friction and effort.
fn laws(scene: &mut Scene, dice: &mut Dice, kind: &Kind, driven: &[bool]) {
    let count = kind.freedoms();
    let size = if kind.turning > 0 { 1.0 } else { 8.0 };
    if dice.chance(0.6) {
        let (stiffness, rest) =
            (dice.per_coordinate(count, 1.0, 6.0 * size), dice.per_coordinate(count, -0.3, 0.3));
        scene.line(&format!("stiffness = {stiffness}\nrest = {rest}"));
    }
    if dice.chance(0.5) {
        let damping = dice.per_coordinate(count, 0.05, 0.5 * size);
        scene.line(&format!("damping = {damping}"));
    }
    if dice.chance(0.3) {
        let (friction, speed) =
            (dice.per_coordinate(count, 0.1, 0.6 * size), dice.per_coordinate(count, 0.3, 0.8));
        scene.line(&format!("friction = {friction}\nfriction_speed = {speed}"));
    }
    if dice.chance(0.5) && !driven.contains(&true) {
        let efforts: Vec<String> = (0..count).map(|_| dice.function(2.0 * size)).collect();
        let effort = if count == 1 { efforts[0].clone() } else { format!("[{}]", efforts.join(", ")) };
        scene.line(&format!("effort = {effort}"));
    }
}
