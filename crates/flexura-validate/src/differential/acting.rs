//! What acts from outside: forces, loads spread over bodies, controllers.

use super::bodies::BodyKind;
use super::dice::Dice;
use super::scene::Scene;

/// Writes a few of each.
pub fn write(scene: &mut Scene, dice: &mut Dice) {
    for i in 0..dice.below(3) {
        force(scene, dice, format!("f{}", i + 1));
    }
    for body in 0..scene.bodies.len() {
        if scene.bodies[body].kind != BodyKind::Rigid && dice.chance(0.25) {
            load(scene, dice, body);
        }
    }
    if dice.chance(0.2) {
        controller(scene, dice);
    }
}

fn force(scene: &mut Scene, dice: &mut Dice, name: String) {
    let (_, at) = scene.frame(dice, 0.0);
    let axes = *dice.pick(&["inertial", "frame"]);
    let (force, scale) = (dice.list(3, 6.0), dice.function(1.5));
    scene.line(&format!(
        "[[force]]\nname = \"{name}\"\nat = \"{at}\"\naxes = \"{axes}\"\nforce = {force}\nscale = {scale}"
    ));
    if dice.chance(0.5) && !at.ends_with(".origin") {
        let moment = dice.list(3, 1.0);
        scene.line(&format!("moment = {moment}"));
    }
    scene.forces.push(name);
}

fn load(scene: &mut Scene, dice: &mut Dice, body: usize) {
    let (name, modes) = (format!("l{}", body + 1), scene.bodies[body].modes);
    let keys = match scene.bodies[body].kind {
        BodyKind::Beam(length) => match dice.below(3) {
            0 | 1 => {
                let axes = *dice.pick(&["inertial", "body", "follower"]);
                let from = 1e-3 * dice.between(0.0, 0.4) * length as f64;
                let (force, end) = (dice.list(3, 6.0), dice.list(3, 6.0));
                format!(
                    "type = \"line\"\nforce = {force}\nend_force = {end}\nfrom = {from:?}\naxes = \"{axes}\""
                )
            }
            _ => {
                "type = \"thermal\"\nexpansion = 1e-3\ntemperature = 10\ngradient_y = 100\ngradient_z = -150"
                    .into()
            }
        },
        BodyKind::Modal => match dice.below(2) {
            0 => {
                let axes = *dice.pick(&["follower", "body"]);
                format!(
                    "type = \"pressure\"\npressure = 60\naxes = \"{axes}\"\n\
                     patches = [{{ node = \"n2\", area = 0.1, normal = [0, 0.6, 0.8] }}]"
                )
            }
            _ => format!("type = \"modal\"\nforces = {}", dice.list(modes, 4.0)),
        },
        BodyKind::Rigid | BodyKind::Point => return,
    };
    let scale = dice.function(1.0);
    let owner = scene.bodies[body].name.clone();
    scene.line(&format!("[[load]]\nname = \"{name}\"\nbody = \"{owner}\"\n{keys}\nscale = {scale}"));
    scene.loads.push(name);
}

/// What a controller may drive, among what there is.
fn actuators(scene: &Scene) -> Vec<String> {
    let turned = scene.joints.iter().filter(|joint| joint.kind.word == "revolute" && !joint.driven[0]);
    let efforts = turned.map(|joint| format!("{}.effort", joint.name));
    efforts.chain(scene.forces.clone()).chain(scene.actuators.clone()).chain(scene.loads.clone()).collect()
}

fn controller(scene: &mut Scene, dice: &mut Dice) {
    let driven = actuators(scene);
    if driven.is_empty() {
        return;
    }
    let actuator = dice.pick(&driven).clone();
    // Fed back rates of what a force moves at once would leave no smooth motion to compare.
    let (_, frame) = scene.frame(dice, 0.0);
    let sensor = match scene.joints.iter().find(|joint| joint.kind.word == "revolute") {
        Some(joint) if dice.chance(0.4) => format!("{}.angle", joint.name),
        _ => format!("{frame}.{}", dice.pick(&["position.x", "position.y", "position.z"]))
            .replace(".origin.", "."),
    };
    let reference = dice.function(0.5);
    let mut keys = match dice.below(4) {
        0 => "type = \"pid\"\nproportional = 4\nintegral = 10".to_string(),
        1 => "type = \"pid\"\nproportional = 3\nderivative = 0.05\nfilter = 0.02".to_string(),
        2 => "type = \"state-space\"\na = [[-20.0]]\nb = [[10.0]]\nc = [[2.0]]\nd = [[1.0]]".to_string(),
        _ => "type = \"function\"\npolynomial = [0.2, 3, 1]".to_string(),
    };
    if dice.chance(0.3) && !keys.contains("filter") {
        // A sampled state is multiplied by `a` at every sample.
        keys = keys.replace("-20.0", "0.5") + "\nsample_time = 0.01";
    }
    scene.line(&format!(
        "[[controller]]\nname = \"c1\"\nsensors = [\"{sensor}\"]\nactuators = [\"{actuator}\"]\nreference = {reference}\n{keys}"
    ));
}
