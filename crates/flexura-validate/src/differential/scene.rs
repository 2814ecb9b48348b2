//! What a random model consists of while it is being written.

use super::bodies::{self, Body};
use super::dice::Dice;
use super::joints::{self, Joint};
use super::{acting, closing, elements};

/// A model file that grows, and what later items may refer to.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Text of all items.
    pub text: String,
    /// Bodies; parents come before children.
    pub bodies: Vec<Body>,
    /// Joints of the tree in the order of the bodies they carry, then those that close loops.
    pub joints: Vec<Joint>,
    /// Frames of the ground.
    pub ground: Vec<String>,
    /// Forces that controllers may drive.
    pub forces: Vec<String>,
    /// Loads that controllers may drive.
    pub loads: Vec<String>,
    /// Actuators that controllers may drive.
    pub actuators: Vec<String>,
}

/// Times that a seed is thrown again until its model is valid.
const THROWS: u64 = 8;

/// A random model as the text of a file, without the choices of a run: the first of several that is valid.
pub fn generate(seed: u64) -> Option<Scene> {
    let valid = |scene: &Scene| closing::at_start(&scene.text).is_some();
    (0..THROWS).find_map(|throw| thrown(&mut Dice::new(seed + (throw << 40))).filter(valid))
}

/// A random model; `None` where its loops cannot be closed.
fn thrown(dice: &mut Dice) -> Option<Scene> {
    let mut scene = Scene::default();
    scene.model(dice);
    // Small models are run more often: they shrink less and say more.
    let count = 1 + dice.below(3) + dice.below(4);
    for _ in 0..count {
        let parent = bodies::place(&mut scene, dice);
        joints::carry(&mut scene, parent, dice);
    }
    if count > 1 && dice.chance(0.65) {
        closing::close_loops(&mut scene, dice)?;
    }
    elements::write(&mut scene, dice);
    acting::write(&mut scene, dice);
    scene.span(dice);
    if scene.joints.len() > scene.bodies.len() {
        scene.text = closing::written_back(&scene)?;
    }
    Some(scene)
}

impl Scene {
    /// Name, gravity, frames of the ground.
    fn model(&mut self, dice: &mut Dice) {
        self.line("[model]\nname = \"random\"");
        match dice.below(4) {
            0 => self.line("gravity = [0, 0, 0]"),
            1 => {
                let gravity = dice.list(3, 10.0);
                self.line(&format!("gravity = {gravity}"));
            }
            _ => {}
        }
        self.ground.push("ground.origin".into());
        for name in ["east", "west"] {
            let (position, rotation) = (dice.list(3, 1.0), dice.rotation());
            self.line(&format!(
                "[[ground.frame]]\nname = \"{name}\"\nposition = {position}\nrotation = {rotation}"
            ));
            self.ground.push(format!("ground.{name}"));
        }
    }

    /// Time span and rows, and how flexible bodies start.
    fn span(&mut self, dice: &mut Dice) {
        let start = if dice.chance(0.2) { 0.05 } else { 0.0 };
        let end = start + 0.01 * (4 + dice.below(5)) as f64;
        self.line(&format!("[simulation]\nstart = {start}\nend = {end:.2}\noutput_interval = 0.01"));
        let flexible: Vec<(String, usize)> = self
            .bodies
            .iter()
            .filter(|body| body.modes > 0)
            .map(|body| (body.name.clone(), body.modes))
            .collect();
        for (name, modes) in flexible {
            if dice.chance(0.5) {
                let (eta, rate) = (dice.list(modes, 0.01), dice.list(modes, 0.2));
                self.line(&format!(
                    "[[simulation.initial]]\nbody = \"{name}\"\nmodal_position = {eta}\nmodal_speed = {rate}"
                ));
            }
        }
    }

    /// Adds lines.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A random frame, and the body that has it; `None` is the ground.
    pub fn frame(&self, dice: &mut Dice, ground: f64) -> (Option<usize>, String) {
        if self.bodies.is_empty() || dice.chance(ground) {
            return (None, dice.pick(&self.ground).clone());
        }
        let body = dice.below(self.bodies.len());
        (Some(body), dice.pick(&self.bodies[body].frames).clone())
    }

    /// Two frames of different bodies, not both on the ground, and not those of a joint: where they meet, the direction of
    /// a force between them is rounding.
    pub fn two_frames(&self, dice: &mut Dice) -> [String; 2] {
        let (body, first) = self.frame(dice, 0.0);
        for _ in 0..10 {
            let (other, second) = self.frame(dice, 0.4);
            let joined = |joint: &Joint| joint.ends.contains(&first) && joint.ends.contains(&second);
            if other != body && !self.joints.iter().any(joined) {
                return if dice.chance(0.5) { [first, second] } else { [second, first] };
            }
        }
        [dice.pick(&self.ground).clone(), first]
    }
}
