//! Force elements of every type between random frames or joint coordinates.

use super::dice::Dice;
use super::scene::Scene;

/// Writes a few elements.
pub fn write(scene: &mut Scene, dice: &mut Dice) {
    for i in 0..dice.below(4) {
        element(scene, dice, &format!("e{}", i + 1));
    }
    if dice.chance(0.2) {
        coupler(scene, dice);
    }
}

fn element(scene: &mut Scene, dice: &mut Dice, name: &str) {
    let between = scene.two_frames(dice);
    let axis = dice.axis();
    let (a, b, c) = (dice.between(5.0, 40.0), dice.between(0.1, 4.0), dice.between(0.1, 0.9));
    let law = match dice.below(3) {
        0 => format!("stiffness = {a:?}"),
        1 => format!("polynomial = [{b:?}, {a:?}, {:?}]", 2.0 * a),
        _ => {
            format!("table = {{ EXTENSIONS = [-1.0, 0.0, 0.6, 1.5], FORCES = [-{a:?}, 0.0, {b:?}, {a:?}] }}")
        }
    };
    let damping = match dice.below(4) {
        0 => String::new(),
        1 => format!("damping = {b:?}"),
        2 => format!("damping = {{ compression = {b:?}, extension = {c:?} }}"),
        _ => format!("damping = {{ rates = [-3.0, 0.0, 3.0], forces = [-{b:?}, 0.0, {a:?}] }}"),
    };
    let line = |law: &str| law.replace("EXTENSIONS", "extensions").replace("FORCES", "forces");
    let turn = |law: &str| law.replace("EXTENSIONS", "angles").replace("FORCES", "torques");
    let along = if dice.chance(0.3) { format!("axis = {axis:?}\n") } else { String::new() };
    let preload = dice.between(-2.0, 2.0);
    let keys = match dice.below(13) {
        0..=2 => format!(
            "type = \"spring-damper\"\n{along}free_length = {c:?}\npreload = {preload:?}\n{}\n{damping}",
            line(&law)
        ),
        3 => format!(
            "type = \"torsion-spring-damper\"\naxis = {axis:?}\npreload = {preload:?}\n{}\n{damping}",
            turn(&law)
        ),
        4 => bushing(dice),
        5 => format!(
            "type = \"bump-stop\"\n{along}gap = {:?}\nstiffness = {:?}\nexponent = 1.5\ndissipation = {c:?}",
            c + 0.5,
            5.0 * a
        ),
        6 => format!("type = \"rod\"\nlength = {c:?}\nstiffness = {:?}\ndamping = {b:?}", 3.0 * a),
        7 => format!(
            "type = \"drag\"\ndensity = 20\ncoefficient = {}\narea = {}\nmedium_velocity = {}",
            dice.list_between(3, 0.3, 1.2),
            dice.list_between(3, 0.05, 0.3),
            dice.list(3, 3.0)
        ),
        8 => format!(
            "type = \"contact\"\nradius = {:?}\nstiffness = {:?}\nexponent = 1.5\ndissipation = {c:?}\nfriction = {:?}\nfriction_speed = 1",
            0.3 * c + 0.2,
            4.0 * a,
            0.3 * c
        ),
        9 => tyre(dice),
        10 | 11 => format!("type = \"actuator\"\n{along}effort = {}", dice.function(5.0)),
        _ => format!("type = \"spring-damper\"\nstiffness = {a:?}\nfree_length = {c:?}"),
    };
    if keys.contains("actuator") {
        scene.actuators.push(name.into());
    }
    scene.line(&format!("[[element]]\nname = \"{name}\"\nbetween = {between:?}\n{keys}"));
}

fn bushing(dice: &mut Dice) -> String {
    let (turn, slide) = (dice.list_between(3, 1.0, 5.0), dice.list_between(3, 10.0, 60.0));
    let six = |a: &str, b: &str| format!("{}, {}", a.trim_end_matches(']'), b.trim_start_matches('['));
    format!(
        "type = \"bushing\"\nstiffness = {}\ndamping = {}\ncubic = [1, 1, 1, 20, 20, 20]\npreload = {}",
        six(&turn, &slide),
        six(&dice.list_between(3, 0.02, 0.2), &dice.list_between(3, 0.3, 3.0)),
        dice.list(6, 0.5)
    )
}

fn tyre(dice: &mut Dice) -> String {
    let side = *dice.pick(&[
        "brush = { cornering_stiffness = 60, longitudinal_stiffness = 80, friction = 0.8, half_length = 0.05 }",
        "linear = { cornering = 50, camber = 15, aligning = 1, overturning = 1, trail = 0.02 }",
        "",
    ]);
    let road = *dice.pick(&["", "road = [{ cosine_bump = { start = -2, length = 4, height = 0.05 } }]"]);
    format!("type = \"tyre\"\nradius = 0.4\nstiffness = 60\ndamping = 2\nlow_speed = 3\n{side}\n{road}")
}

/// A coupler between two measured coordinates of joints.
fn coupler(scene: &mut Scene, dice: &mut Dice) {
    let known = scene.joints.iter().filter(|joint| joint.kind.measured());
    let ends: Vec<String> = known
        .flat_map(|joint| joint.kind.coordinates.iter().map(|word| format!("{}.{word}", joint.name)))
        .collect();
    if ends.len() < 2 {
        return;
    }
    let first = dice.below(ends.len());
    let second = (first + 1 + dice.below(ends.len() - 1)) % ends.len();
    let (stiffness, damping, factors) = (dice.between(5.0, 30.0), dice.between(0.0, 0.5), dice.list(2, 1.5));
    scene.line(&format!(
        "[[element]]\nname = \"gear\"\ntype = \"coupler\"\nbetween = [\"{}\", \"{}\"]\nfactors = {factors}\n\
         offset = 0.1\nstiffness = {stiffness:?}\ndamping = {damping:?}",
        ends[first], ends[second]
    ));
}
