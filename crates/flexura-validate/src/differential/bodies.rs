//! Bodies of every kind: rigid, point masses, beams at every level, nodes and modes.

use super::dice::Dice;
use super::scene::Scene;

/// What later items need to know of a body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// What it is made of.
    pub kind: BodyKind,
    /// Its frames, as items refer to them; the first is the one that its joint carries.
    pub frames: Vec<String>,
    /// Modes; 0 of rigid bodies and of beams whose segments have their own.
    pub modes: usize,
}

/// Kinds of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Mass and inertia.
    Rigid,
    /// No rotary inertia.
    Point,
    /// A beam of this length in thousandths of a metre.
    Beam(usize),
    /// Nodes and modes.
    Modal,
}

/// Writes a random body; returns the one that shall carry it, `None` being the ground.
pub fn place(scene: &mut Scene, dice: &mut Dice) -> Option<usize> {
    let name = format!("b{}", scene.bodies.len() + 1);
    let body = match dice.below(20) {
        0 => point(scene, dice, name),
        1..=5 => beam(scene, dice, name),
        6..=8 => modal(scene, dice, name),
        _ => rigid(scene, dice, name),
    };
    // A point mass turns with what it is fixed to: it carries nothing.
    let carriers: Vec<usize> =
        (0..scene.bodies.len()).filter(|&i| scene.bodies[i].kind != BodyKind::Point).collect();
    let parent = if carriers.is_empty() || dice.chance(0.25) { None } else { Some(*dice.pick(&carriers)) };
    scene.bodies.push(body);
    parent
}

fn rigid(scene: &mut Scene, dice: &mut Dice, name: String) -> Body {
    // Inertia of a cuboid, so that it belongs to a body that can exist.
    let mass = dice.between(0.5, 3.0);
    let [x, y, z]: [f64; 3] = std::array::from_fn(|_| dice.between(0.15, 0.6));
    let moments = [y * y + z * z, z * z + x * x, x * x + y * y].map(|sum| mass * sum / 12.0);
    let center = dice.list(3, 0.2);
    scene.line(&format!(
        "[[body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = {moments:?}\ncenter_of_mass = {center}"
    ));
    let mut frames = Vec::new();
    for frame in ["near", "far", "side"] {
        let position = dice.list(3, 0.4);
        scene.line(&format!("[[body.frame]]\nname = \"{frame}\"\nposition = {position}"));
        if dice.chance(0.6) {
            let rotation = dice.rotation();
            scene.line(&format!("rotation = {rotation}"));
        }
        frames.push(format!("{name}.{frame}"));
    }
    frames.push(format!("{name}.origin"));
    Body { name, kind: BodyKind::Rigid, frames, modes: 0 }
}

fn point(scene: &mut Scene, dice: &mut Dice, name: String) -> Body {
    let mass = dice.between(0.2, 1.0);
    scene.line(&format!("[[body]]\nname = \"{name}\"\npoint_mass = {mass:?}"));
    let frames = vec![format!("{name}.origin")];
    Body { name, kind: BodyKind::Point, frames, modes: 0 }
}

/// Level of inertia; attachment points are rarely other than the level's own.
fn level(scene: &mut Scene, dice: &mut Dice) {
    if dice.chance(0.6) {
        let level = *dice.pick(&["ruthless", "paper", "gram", "consistent", "full", "full"]);
        scene.line(&format!("level = \"{level}\""));
        // Curved paths of the carrying fields exist at level gram.
        if level == "gram" && dice.chance(0.4) {
            let carriers = *dice.pick(&["affine", "modal"]);
            scene.line(&format!("carriers = \"{carriers}\""));
        }
    }
    if dice.chance(0.1) {
        let attachments = *dice.pick(&["exact", "lambda_etad", "frozen"]);
        scene.line(&format!("attachments = \"{attachments}\""));
    }
}

fn damping(dice: &mut Dice, modes: usize) -> String {
    match dice.below(4) {
        0 => format!("damping = {{ ratios = {} }}", dice.list_between(modes, 0.01, 0.1)),
        1 => format!("damping = {{ coefficients = {} }}", dice.list_between(modes, 0.01, 0.5)),
        2 => "damping = { rayleigh = { mass = 0.5, stiffness = 1e-3 } }".into(),
        _ => "damping = { kelvin_voigt = 2e-3 }".into(),
    }
}

/// A soft beam: its vibrations are about as slow as the motion, so that all methods resolve them.
fn beam(scene: &mut Scene, dice: &mut Dice, name: String) -> Body {
    let length = dice.between(0.4, 0.9);
    scene.line(&format!("[[body]]\nname = \"{name}\""));
    let segments = if dice.chance(0.15) { 2 } else { 1 };
    if segments == 1 {
        level(scene, dice);
    }
    for station in ["root", "tip"] {
        scene.line(&format!("[[body.frame]]\nname = \"{station}\"\nstation = \"{station}\""));
    }
    let (middle, offset) = (dice.between(0.1, 0.9) * length, dice.list(3, 0.05));
    scene.line(&format!(
        "[[body.frame]]\nname = \"middle\"\nstation = {middle:?}\nposition = {offset}\nrotation = {}",
        dice.rotation()
    ));
    let counts: [usize; 4] = std::array::from_fn(|_| dice.below(2) + usize::from(dice.chance(0.15)));
    let counts = if counts.iter().sum::<usize>() == 0 { [0, 1, 1, 0] } else { counts };
    let modes: usize = counts.iter().sum();
    let [axial, bending_y, bending_z, torsion] = counts;
    scene.line(&format!("[body.beam]\nlength = {length:?}"));
    let rigidity: [f64; 3] = std::array::from_fn(|_| dice.between(2.0, 6.0));
    let (stretch, mass) = (dice.between(300.0, 800.0), dice.between(0.6, 1.5));
    scene.line(&format!(
        "properties = {{ axial = {stretch:?}, bending_y = {:?}, bending_z = {:?}, torsion = {:?}, mass = {mass:?}, \
         rotary = [0.02, 0.01, 0.01] }}",
        rigidity[0], rigidity[1], rigidity[2]
    ));
    let frames = ["root", "tip", "middle"].map(|frame| format!("{name}.{frame}")).to_vec();
    let kind = BodyKind::Beam((length * 1000.0) as usize);
    if segments > 1 {
        scene.line("segments = 2\naxial = 1\nbending_y = 2\nbending_z = 2\ntorsion = 1");
        return Body { name, kind, frames, modes: 0 };
    }
    let boundary =
        *dice.pick(&["clamped-free", "clamped-free", "clamped-free", "free-free", "pinned-pinned"]);
    scene.line(&format!(
        "boundary = \"{boundary}\"\naxial = {axial}\nbending_y = {bending_y}\nbending_z = {bending_z}\ntorsion = {torsion}"
    ));
    if dice.chance(0.2) {
        scene.line("rotary_inertia = false");
    }
    if dice.chance(0.3) {
        let key = *dice.pick(&["foreshortening = false", "curvature = \"third-order\""]);
        scene.line(key);
    }
    if dice.chance(0.4) {
        let damping = damping(dice, modes);
        scene.line(&damping);
    }
    Body { name, kind, frames, modes }
}

fn modal(scene: &mut Scene, dice: &mut Dice, name: String) -> Body {
    scene.line(&format!("[[body]]\nname = \"{name}\""));
    level(scene, dice);
    let modes = 1 + dice.below(3);
    for (frame, node) in [("near", "n1"), ("far", "n2"), ("side", "n3")] {
        scene.line(&format!("[[body.frame]]\nname = \"{frame}\"\nnode = \"{node}\""));
        if dice.chance(0.3) {
            let rotation = dice.rotation();
            scene.line(&format!("rotation = {rotation}"));
        }
    }
    let stiffness = dice.list_between(modes, 20.0, 120.0);
    scene.line(&format!("[body.modal]\nstiffness = {stiffness}"));
    if dice.chance(0.4) {
        let damping = damping(dice, modes);
        scene.line(&damping);
    }
    scene.line("[[body.modal.node]]\nname = \"n1\"\nmass = 0.4\ninertia = [0.01, 0.01, 0.01]");
    for node in ["n2", "n3"] {
        let vectors = |dice: &mut Dice, size: f64| {
            format!("[{}]", (0..modes).map(|_| dice.list(3, size)).collect::<Vec<_>>().join(", "))
        };
        let (position, mass) = (dice.list(3, 0.5), dice.between(0.2, 0.6));
        let (slopes, translations) = (vectors(dice, 1.0), vectors(dice, 0.6));
        scene.line(&format!(
            "[[body.modal.node]]\nname = \"{node}\"\nmass = {mass:?}\ninertia = [0.01, 0.012, 0.015]\n\
             position = {position}\nslopes = {slopes}\ntranslations = {translations}"
        ));
    }
    let frames = ["near", "far", "side"].map(|frame| format!("{name}.{frame}")).to_vec();
    Body { name, kind: BodyKind::Modal, frames, modes }
}
